"""Losses in money through the engine: offered with a matrix, trained with it, judged."""

from dataclasses import replace

import pytest

from core.document.commands import AddTrainedModel
from core.engine.messages import TrainArguments
from core.questions.compare import CompareModels
from core.questions.explain import Distributions
from payoff.errors import PayoffError
from tests.helpers.factories.training import raw_document, settings

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile


@pytest.mark.parametrize(
    ("target", "distribution"),
    [("answer", "expected_profit"), ("class", "expected_profit_classes")],
)
def test_a_loss_in_money_is_offered_trained_and_judged(engine, raw, target, distribution):
    document = raw_document(raw, target)
    offered = engine.ask(document, Distributions())
    info = next(e for e in offered.distributions if e.id == distribution)
    assert info.fits, info.reason
    wanted = settings(distribution=distribution, target=target, watch="profit")
    result = engine.run("train", TrainArguments(document=document, settings=wanted))
    assert any("decision matrix" in text for text in result.warnings)
    document = AddTrainedModel(model=result.model).apply(document)
    judged = engine.ask(document, CompareModels())
    cells = {cell.metric: cell.estimate.value for cell in judged.cells}
    assert cells["auc" if target == "answer" else "macro_auc"] > 0.6
    dearer = replace(
        document.matrix,
        cells=tuple(tuple(10.0 * cell for cell in row) for row in document.matrix.cells[:1])
        + document.matrix.cells[1:],
    )
    other = engine.run(
        "train", TrainArguments(document=replace(document, matrix=dearer), settings=wanted)
    )
    assert other.model.model_hash != result.model.model_hash


def test_without_a_matrix_it_says_what_is_missing(engine, raw):
    document = replace(raw_document(raw), matrix=None)
    offered = engine.ask(document, Distributions())
    info = next(e for e in offered.distributions if e.id == "expected_profit")
    assert "page Decide" in info.reason
    with pytest.raises(PayoffError, match="no decision matrix"):
        engine.run(
            "train",
            TrainArguments(document=document, settings=settings(distribution="expected_profit")),
        )
