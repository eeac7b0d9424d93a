"""The job behind page Uplift, on documents of made-up experiments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.data.model import ReaderSettings, RowUse
from core.document.files.codec import from_plain, to_plain
from core.document.history import History
from core.document.model import (
    Document,
    ModelSpec,
    Role,
    RoleAssignment,
    TargetSpec,
    TrainedModel,
)
from core.document.uplift.commands import (
    AddUpliftModel,
    SetDrawnByLot,
    SetExperiment,
    SetMostCases,
    SetNu,
    SetPropensity,
    SetUpliftOutcome,
    SetUpliftPrice,
)
from core.document.uplift.model import NuChoice, UpliftKind, UpliftModel, UpliftSpec, guess_control
from core.engine.messages import LoadArguments, TrainArguments
from core.questions.uplift import Uplift
from payoff.errors import PayoffError
from tests.helpers.factories.experiment import ROWS, columns, document_of
from tests.helpers.factories.scored import write_csv

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile


@pytest.fixture(scope="module")
def document(engine, tmp_path_factory):
    return document_of(engine, tmp_path_factory.mktemp("uplift"))


def ask(engine, document, draws=64):
    return engine.ask(document, Uplift(draws=draws))


def test_everything_of_an_experiment(engine, document):
    result = ask(engine, document)
    assert (result.treated, result.control, result.event) == ("mail", "no mail", "1")
    left_out = dict(result.rows.dropped)
    assert left_out["in another arm"] > 100
    total = result.rows.rows + sum(left_out.values())
    counts = f"{result.rows.rows:,} of {total:,} ("
    assert counts in result.rows.text, "the rows that are compared, not all that there are"
    assert f"{left_out['in another arm']:,} in another arm" in result.rows.text
    assert result.guard.state != "error"
    assert {line.key for line in result.guard.checks} == {
        "share",
        "predictable",
        "imbalance",
        "score",
    }
    assert [effect.effect.method[:8] for effect in result.effects] == ["differen", "adjusted"]
    assert [model.model for model in result.models] == ["uplift", "noise"]
    good, bad = result.models
    assert good.minus_random.low > 0
    assert bad.minus_random.low < 0 < bad.minus_random.high
    assert result.differences[0].p_value < 0.01
    assert np.all(good.low_all <= good.low + 1e-9)
    assert good.incremental[0] == 0
    assert good.incremental[-1] == pytest.approx(bad.incremental[-1])
    assert len(good.variants) == 10
    separate = next(v for v in good.variants if v.key == "uplift_separate_absolute")
    assert not separate.is_valid


def test_a_price_changes_only_the_choice(engine, document):
    first = ask(engine, document)
    for name, amount in (("value", 10.0), ("contact", 1.5)):
        document = SetUpliftPrice(name=name, amount=amount).apply(document)
    second = ask(engine, document)
    best = second.models[0].choice
    assert 0 < best.depth < first.models[0].choice.depth
    assert best.gain == pytest.approx(10 * best.incremental - 1.5 * best.targeted)
    np.testing.assert_array_equal(first.models[0].incremental, second.models[0].incremental)
    limited = ask(engine, SetMostCases(most_cases=50).apply(document))
    assert limited.models[0].choice.targeted <= 50


def test_a_column_of_chances_gives_way_to_what_is_said(engine, tmp_path):
    document = document_of(engine, tmp_path, seed=2, is_random=False)
    others = tuple(entry for entry in document.roles if entry.column != "chance")
    role = RoleAssignment(column="chance", role=Role.PROPENSITY)
    known = document.with_roles((*others, role))
    assert ask(engine, known).has_propensity  # of the role, where nothing is said
    share = ask(engine, SetPropensity(column="").apply(known))
    assert not share.has_propensity
    assert share.guard.state == "error"
    estimated = ask(engine, SetPropensity(is_estimated=True).apply(known))
    assert any("cross-fitted" in text for text in estimated.warnings)


def test_no_experiment_and_what_puts_it_right(engine, tmp_path):
    document = document_of(engine, tmp_path, seed=2, is_random=False)
    plain = ask(engine, document)
    assert plain.guard.state == "error"
    assert not plain.models[0].variants[0].is_valid
    known = ask(engine, SetPropensity(column="chance").apply(document))
    assert known.has_propensity
    assert known.guard.state == "warning"
    estimated = ask(engine, SetPropensity(is_estimated=True).apply(document))
    assert estimated.has_propensity
    assert any("cross-fitted" in text for text in estimated.warnings)


def test_refusals(engine, document):
    roles = tuple(role for role in document.roles if role.role is not Role.TREATMENT)
    with pytest.raises(PayoffError, match="named as the treatment"):
        ask(engine, document.with_roles(roles))
    with pytest.raises(PayoffError, match="no arm 'fax'"):
        ask(engine, replace(document, uplift=UpliftSpec(treated="fax", control="mail")))
    with pytest.raises(PayoffError, match="both treatment and outcome"):
        ask(engine, SetUpliftOutcome(outcome="arm").apply(document))
    with pytest.raises(PayoffError, match="same arm"):
        SetExperiment(treatment="arm", treated="mail", control="mail").apply(document)


def test_what_cases_did_is_no_assignment(engine, tmp_path):
    made = columns()
    reported = {"opened": made["arm"], "bought": made["bought"], "u": made["u"]}
    path = write_csv(tmp_path / "opened.csv", reported)
    data = engine.run("load", LoadArguments(path=path, reader=ReaderSettings())).data
    document = Document(
        data=data,
        target=TargetSpec(column="bought", kind="binary", levels=("1", "0")),
        rows_used=RowUse.ALL,
        uplift=UpliftSpec(treatment="opened", treated="mail", control="no mail"),
    ).with_roles((RoleAssignment(column="u", role=Role.SCORE, model="uplift"),))
    result = ask(engine, document, draws=0)
    assert any("'opened' looks like something cases did" in text for text in result.warnings)


def train(engine, document, name, **settings) -> TrainedModel:
    wanted = TrainedModel(
        name=name,
        distribution="bernoulli",
        target="bought",
        n_trees=40,
        shrinkage=0.1,
        interaction_depth=2,
        stop_rows=(),
        **settings,
    )
    return engine.run("train", TrainArguments(document=document, settings=wanted)).model


def with_model(document, trained: TrainedModel) -> Document:
    made = ModelSpec(name=trained.name, series=5, trained=trained)
    return replace(document, models=(*document.models, made))


def test_rankings_of_models_trained_here(engine, document):
    parts = []
    for arm in ("mail", "no mail"):
        trained = train(engine, document, arm, features=("x", "z"), only=("arm", arm))
        parts.append(trained)
        document = with_model(document, trained)
    assert sum(part.trained_rows for part in parts) < ROWS / 2
    both = train(engine, document, "both", features=("x", "z", "arm"))
    document = with_model(document, both)
    for name, kind, names in (
        ("two models", UpliftKind.TWO_MODELS, ("mail", "no mail")),
        ("one model", UpliftKind.TREATMENT_INPUT, ("both",)),
    ):
        made = UpliftModel(name=name, kind=kind, parts=names, series=7)
        document = AddUpliftModel(model=made).apply(document)
    result = ask(engine, replace(document, rows_used=RowUse.TEST))
    by_name = {model.model: model for model in result.models}
    assert list(by_name) == ["two models", "one model", "uplift", "noise"]
    assert by_name["two models"].minus_random.value > 0
    assert by_name["one model"].minus_random.value > 0
    with pytest.raises(PayoffError, match="no trained model"):
        AddUpliftModel(
            model=UpliftModel(name="x", kind=UpliftKind.TWO_MODELS, parts=("a", "b"))
        ).apply(document)


def test_commands_undo_and_old_files(document):
    history = History()
    history.reset(document)
    history.execute(SetNu(nu=NuChoice.AREA))
    history.execute(SetDrawnByLot(drawn_by_lot=True, planned_share=0.6))
    assert history.document.uplift.nu is NuChoice.AREA
    history.undo()
    history.undo()
    assert history.document == document
    plain = to_plain(document)
    assert from_plain(Document, plain) == document
    del plain["uplift"]
    assert from_plain(Document, plain).uplift == UpliftSpec()
    with pytest.raises(PayoffError, match="between 0 and 1"):
        SetDrawnByLot(drawn_by_lot=True, planned_share=2.0).apply(document)


@pytest.mark.parametrize(
    ("levels", "column", "control"),
    [
        (("1", "0"), "treated", "0"),
        (("Mens E-Mail", "Womens E-Mail", "No E-Mail"), "segment", "No E-Mail"),
        (("true", "false"), "Training", "false"),
        (("Yes", "No"), "Promotion", "No"),
        (("1", "0"), "control_group", None),
        (("a", "b"), "arm", None),
        (("Gutschein", "Kontrollgruppe"), "Gruppe", "Kontrollgruppe"),
        (("traité", "groupe_témoin"), "bras", "groupe_témoin"),
        (("Brief", "kein Brief"), "Aktion", "kein Brief"),
        (("oui", "non"), "offre", "non"),
        (("dopis", "kontrola"), "skupina", "kontrola"),
        (("carta", "Grupo de control"), "grupo", "Grupo de control"),
    ],
)
def test_the_control_arm_is_told_by_its_name(levels, column, control):
    assert guess_control(levels, column) == control


@pytest.mark.parametrize(
    ("words", "control"),
    [
        ({"1": "Kontrolle", "2": "Gutschein"}, "1"),  # by the codes alone it would be 2
        ({"1": "Standard", "2": "Neu"}, None),
        ({"0": "clinic", "1": "with gene test"}, "0"),
        ({"1": "no letter", "2": "letter"}, "1"),
    ],
)
def test_words_for_codes_say_more_than_the_codes(words, control):
    assert guess_control(tuple(words), "arm", words) == control
