"""Models of an effect through the engine: trained on page Uplift, judged there and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest

from core.document.commands import AddTrainedModel
from core.document.data.model import RowUse
from core.document.model import Role, TrainedModel
from core.engine.messages import TrainArguments
from core.questions.compare import CompareModels
from core.questions.explain import Distributions, Explain, TreeNumbers
from core.questions.uplift import Uplift
from payoff.errors import PayoffError
from tests.helpers.factories.experiment import document_of

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile


@pytest.fixture(scope="module")
def document(engine, tmp_path_factory):
    made = document_of(engine, tmp_path_factory.mktemp("effect"), is_random=False)
    return replace(made, uplift=replace(made.uplift, propensity="chance"))


def wanted(**changes):
    model = TrainedModel(
        name="effect",
        distribution="uplift",
        target="bought",
        features=("x", "z"),
        effect_of=("arm", "mail", "no mail"),
        propensity="chance",
        n_trees=80,
        interaction_depth=2,
        min_cases_in_node=100,
        stop_rows=(),
        train_rows=(RowUse.ALL,),
    )
    return replace(model, **changes)


def train(engine, document, settings):
    result = engine.run("train", TrainArguments(document=document, settings=settings))
    return AddTrainedModel(model=result.model).apply(document)


def test_an_effect_is_trained_ranked_and_explained(engine, document):
    document = train(engine, document, wanted())
    found = engine.ask(document, Uplift(draws=32))
    names = [model.model for model in found.models]
    assert "effect" in names
    explained = engine.ask(document, Explain(model="effect", columns=("x",)))
    curve = explained.curves[0]
    assert curve.y[0, -1] > curve.y[0, 0] + 0.1  # the made-up effect grows by 0.5
    assert explained.outputs[0] == "effect on bought"
    assert explained.influence[0].column == "x"
    assert "page Uplift" in engine.ask(document, TreeNumbers(model="effect")).no_profit


def test_other_arms_turn_it_round_or_refuse_it(engine, document):
    document = train(engine, document, wanted(name="turned", effect_of=("arm", "no mail", "mail")))
    found = engine.ask(document, Uplift(draws=32))
    assert "turned" in [model.model for model in found.models]
    phone = replace(document, uplift=replace(document.uplift, treated="phone"))
    found = engine.ask(phone, Uplift(draws=32))
    assert any("'turned' is left out" in text for text in found.warnings)


def test_it_is_no_model_of_the_outcome(engine, document):
    other = TrainedModel(
        name="response",
        distribution="bernoulli",
        target="bought",
        features=("x", "z"),
        n_trees=20,
        stop_rows=(),
        train_rows=(RowUse.ALL,),
    )
    both = train(engine, train(engine, document, wanted()), other)
    judged = engine.ask(both, CompareModels())
    assert {cell.model for cell in judged.cells} == {"response", "uplift", "noise"}
    assert not any("'effect'" in text for text in judged.warnings)


def test_chances_of_treatment_are_estimated_where_asked(engine, document):
    assert document.column_of(Role.TREATMENT) == "arm"
    blind = replace(document, uplift=replace(document.uplift, propensity=None))
    requested = replace(blind, uplift=replace(blind.uplift, estimates_propensity=True))
    hashes = {
        engine.run(
            "train", TrainArguments(document=entry, settings=wanted(propensity=name))
        ).model.model_hash
        for entry, name in ((document, "chance"), (blind, None), (requested, None))
    }
    assert len(hashes) == 3


def test_page_models_sends_to_page_uplift(engine, document):
    offered = engine.ask(document, Distributions())
    info = next(e for e in offered.distributions if e.id == "uplift")
    assert not info.fits
    assert "page Uplift" in info.reason
    with pytest.raises(PayoffError, match=r"role 'treatment'.*page Uplift"):
        engine.run("train", TrainArguments(document=document, settings=wanted(effect_of=None)))
    lost = wanted(effect_of=("arm", "fax", "no mail"))
    with pytest.raises(PayoffError, match="has the value 'fax'"):
        engine.run("train", TrainArguments(document=document, settings=lost))


def test_the_loss_beats_nothing_known(engine, document):
    """The model's own effects stand in its predictions: about 0.5 (x - 0.3)."""
    document = train(engine, document, wanted(name="fine"))
    explained = engine.ask(document, Explain(model="fine", columns=("x",)))
    curve = explained.curves[0]
    x = np.asarray(curve.x, dtype=float)
    assert np.corrcoef(x, curve.y[0])[0, 1] > 0.8
