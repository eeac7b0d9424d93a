"""``payoff.decide`` makes the document a person would have made; the window answers it alike."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import payoff
from core.decisions import analyse
from core.decisions.limits.capacity import best_within
from core.decisions.studies.gap import gap_of
from core.document.data.model import BadValues
from core.document.decisions.matrix_model import CellFormula, CostSpec, DecisionBasis
from core.document.files.codec import from_plain, to_plain
from core.document.model import Document, OldPriorKind, Role
from core.engine.messages import SaveArguments
from core.questions.compare import CompareModels
from core.questions.decide import Capacity, Gap, Totals
from core.questions.lanes import Unwatched
from core.script.session import engine
from payoff.errors import PayoffError

MATRIX = {1: [24, 0], 0: [-6, 0]}
CLASSES = {"a": [15, 0, 3], "b": [-1.5, 0, 2], "c": [3, 2, 1]}
QUANTILES = {0.1: "q1", 0.5: "q5", 0.9: "q9"}


def frame(seed: int, rows: int = 157, *, holes: bool = False) -> pd.DataFrame:
    """Cases of two classes, of three, and of a number; with cells that are missing or wrong."""
    draw = np.random.default_rng(seed)
    probability, three = draw.random(rows), draw.dirichlet((1, 1, 1), rows)
    value = draw.gamma(2, 20, rows)
    spread = np.sort(value * draw.lognormal(0, 0.3, (3, rows)), axis=0)
    cases = pd.DataFrame(
        {
            "y": (draw.random(rows) < probability).astype(float),
            "p": probability,
            **{f"t{level}": three[:, place] for place, level in enumerate("abc")},
            "three": [draw.choice(list("abc"), p=row) for row in three],
            "value": value,
            "guess": value * draw.lognormal(0, 0.3, rows),
            **{f"q{round(10 * q)}": row for q, row in zip(QUANTILES, spread, strict=True)},
            "cost": draw.random(rows),
            "loan": draw.gamma(2, 50, rows),
            "weight": draw.integers(0, 4, rows).astype(float),
            "leaf": draw.choice(list("uvw"), rows),
            "old": draw.integers(0, 2, rows),
            "age": draw.integers(18, 80, rows),
        }
    )
    if holes:
        for name in ("y", "p", "ta", "three", "value", "guess", "q5", "cost", "loan", "weight"):
            cases.loc[draw.choice(rows, 4, replace=False), name] = None
        cases.loc[[1, 2, 3], ["p", "weight", "three"]] = [[1.25, -1.0, "z"]] * 3
    return cases


TWO = {"matrix": MATRIX, "posteriors": {1: "p"}, "target": "y"}
THREE = {"matrix": CLASSES, "posteriors": {"b": "tb", "a": "ta", "c": "tc"}, "target": "three"}
NUMBER = {"matrix": {0: [-2, 0], 50: [10, 0]}, "predicted": "guess", "target": "value"}
ASKED = {
    "two": TWO,
    "two, all of it": {
        **TWO,
        "weight": "weight",
        "costs": ["cost", 0.5],
        "priors": {0: 0.9, 1: 0.1},
        "old_priors": {1: 0.5, 0: 0.5},
        "prior_range": (0.05, 0.2),
        "do_nothing": "2",
    },
    "amounts": {**TWO, "matrix": {1: ["=0.1*amount - 4", 0], 0: [-6, "=2*3"]}, "amount": "loan"},
    "losses": {**TWO, "kind": "loss", "decisions": ["Act", "Rest"], "acting": "Rest"},
    "some rows": {**TWO, "rows": "age >= 40", "weight": "weight"},
    "three": THREE,
    "what others leave": {**THREE, "posteriors": {"a": "ta", "c": "tc"}},
    "leaves": {**THREE, "leaf": "leaf", "leaf_training": "old", "leaf_honest": True},
    "number": {**NUMBER, "weight": "weight", "costs": ["cost", 0]},
    "quantiles alone": {**NUMBER, "predicted": None, "quantiles": QUANTILES},
    "quantiles and leaves": {**NUMBER, "quantiles": QUANTILES, "leaf": "leaf"},
}


def same(ours: object, theirs: object) -> None:
    """Equal to the last digit, missing values too; the time it took does not count."""
    if isinstance(ours, np.ndarray):
        np.testing.assert_array_equal(ours, theirs)
    elif hasattr(ours, "__dataclass_fields__"):
        for name in ours.__dataclass_fields__:
            if name != "seconds":
                same(getattr(ours, name), getattr(theirs, name))
    elif isinstance(ours, tuple):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            same(one, other)
    else:
        assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("name", ASKED)
@given(seed=st.integers(0, 10_000), holes=st.booleans())
@settings(max_examples=3, deadline=None)
def test_the_window_answers_the_document_as_the_script_does(name, seed, holes):
    settled = {"missing_outcomes": "leave_out"} if holes else {}
    decided = payoff.decide(frame(seed, holes=holes), **ASKED[name], **settled)
    document = decided.document
    assert document == from_plain(Document, to_plain(document))  # a project can hold it
    page = decided.ask(Totals())
    same(decided._analysis().models, page.models)
    assert decided.total == pytest.approx(decided.problem.sense * page.models[0].total.value)
    if decided.problem.is_interval:
        return
    limits, gap = Capacity(most_actions=30.0), Gap(model=decided.model.name)
    for question, work, method in (
        (limits, best_within, lambda: decided.capacity(30.0)),
        (gap, gap_of, decided.gap),
    ):
        answer = decided.ask(question)
        same(work(decided._studied(), question, Unwatched()), answer)
        same(method(), answer)


@given(seed=st.integers(0, 10_000), holes=st.booleans())
@settings(max_examples=3, deadline=None)
def test_models_of_several_answers_stand_side_by_side_in_one_document(seed, holes):
    cases = frame(seed, holes=holes).assign(q=lambda table: table["p"].clip(0, 1) ** 2)
    settled = {"missing_outcomes": "leave_out", "priors": {1: 0.3, 0: 0.7}}
    first = payoff.decide(cases, **TWO, **settled, old_priors="data")
    other = payoff.decide(cases, **{**TWO, "posteriors": {1: "q"}}, **settled)
    document, more = first.document, other.document
    scores = tuple(entry for entry in more.roles if entry.model is not None)
    both = replace(
        document, roles=(*document.roles, *scores), models=(*document.models, *more.models)
    )
    page = engine().ask(both, Totals())
    same(analyse(first.problem, (first.model, other.model)).models, page.models)


def test_the_document_says_what_was_asked():
    requested = {**ASKED["two, all of it"], "rows": "age < 70", "missing_outcomes": "leave_out"}
    decided = payoff.decide(frame(1), **requested)
    document = decided.document
    assert document.data.is_in_memory
    assert document.target.levels == ("1", "0")
    assert document.split.where == "age < 70"
    assert document.priors == (("1", 0.1), ("0", 0.9))
    assert document.prior_range == (0.05, 0.2)
    assert document.column_of(Role.WEIGHT) == "weight"
    assert document.bad_values is BadValues.MARK
    (model,) = document.models
    assert model.name == document.reference_model == "p"
    assert model.old_priors.kind is OldPriorKind.TRAINED_AT
    matrix = document.matrix
    assert (matrix.template, matrix.acting) == ("payoff.profit", "1")
    assert matrix.cells == ((24.0, 0.0), (-6.0, 0.0))
    assert matrix.costs == (CostSpec(column="cost"), CostSpec(amount=0.5))


def test_formulas_quantiles_and_leaves_stand_in_the_document():
    amounts = payoff.decide(frame(1), **ASKED["amounts"]).document.matrix
    assert amounts.formulas == (CellFormula(level="1", decision="1", text="0.1*amount - 4"),)
    assert amounts.cells == ((-4.0, 0.0), (-6.0, 6.0))
    assert amounts.amount == "loan"
    basis = payoff.decide(frame(1), **ASKED["leaves"]).document.models[0].basis
    assert basis == DecisionBasis(leaf="leaf", training="old", is_honest=True)
    basis = payoff.decide(frame(1), **ASKED["quantiles and leaves"]).document.models[0].basis
    assert basis == DecisionBasis(quantiles=tuple(QUANTILES.items()), leaf="leaf")


def test_without_an_outcome_no_column_is_taken_for_one():
    cases = frame(1).rename(columns={"y": "target"})
    decided = payoff.decide(cases, matrix=MATRIX, posteriors={1: "p"})
    assert decided.document.target.column not in cases.columns
    assert np.isnan(decided.total)
    assert "D_target" in decided.table
    assert payoff.decide(cases, **{**TWO, "target": "target"}).totals is not None


def test_cells_outside_the_condition_are_not_looked_at():
    cases = frame(1)
    cases["note"] = np.where(cases["age"] >= 40, "3.5", "none")
    decided = payoff.decide(cases, **TWO, costs=["note", 0], rows="age >= 40")
    assert len(decided.table) == (cases["age"] >= 40).sum()
    with pytest.raises(PayoffError, match="no number"):
        payoff.decide(cases, **TWO, costs=["note", 0])


def test_bad_values_are_marked_for_decisions_and_refused_for_metrics():
    decided = payoff.decide(frame(3, holes=True), **TWO, missing_outcomes="leave_out")
    assert (decided.table["_WARN_"] != "").any()
    with pytest.raises(PayoffError, match="outside 0 to 1"):
        decided.ask(CompareModels(resamples=0))
    refusing = replace(decided.document, bad_values=BadValues.REFUSE)
    with pytest.raises(PayoffError, match="outside 0 to 1"):
        engine().ask(refusing, Totals())


def test_the_window_saves_the_decisions_of_a_script(tmp_path):
    decided = payoff.decide(frame(1), **ASKED["two, all of it"])
    path = tmp_path / "saved.parquet"
    wanted = SaveArguments(
        document=decided.document, model="p", path=str(path), columns=("D", "EP", "CP")
    )
    engine().run("save_decisions", wanted)
    saved, table = pd.read_parquet(path), decided.table
    for name in ("D_y", "EP_y", "CP_y"):
        pd.testing.assert_series_equal(
            saved[name], table[name], check_dtype=False, check_categorical=False
        )


@pytest.mark.parametrize("name", ["two", "some rows", "number", "quantiles alone"])
@pytest.mark.parametrize("limits", [{"most_actions": -1.0}, {"most_money": 5.0}, {"units": [1]}])
@pytest.mark.parametrize("has_outcome", [True, False])
def test_a_study_that_is_asked_of_the_document_refuses_in_the_words_of_the_cases(
    name, limits, has_outcome
):
    target = ASKED[name]["target"] if has_outcome else None
    decided = payoff.decide(frame(4), **{**ASKED[name], "target": target})
    alone = replace(decided, is_of_document=False)
    described = []
    for entry in (decided, alone):
        try:
            described.append(entry.capacity(**limits))
        except PayoffError as refusal:
            described.append(str(refusal))
    same(*described)


def test_a_study_of_some_rows_looks_at_no_cell_outside_them():
    cases = frame(1)
    cases["note"] = np.where(cases["age"] >= 40, "3.5", "none")
    decided = payoff.decide(cases, **TWO, costs=["note", 0], rows="age >= 40")
    inside = cases[cases["age"] >= 40].assign(note=3.5)
    whole = payoff.decide(inside, **TWO, costs=["note", 0])
    same(decided.gap(), whole.gap())
    same(decided.capacity(9.0), whole.capacity(9.0))


def test_a_decided_table_lives_as_long_as_its_answer():
    decided = payoff.decide(frame(5), **TWO)
    document = decided.document
    del decided
    payoff.decide(frame(6), **TWO)  # whatever else is decided meanwhile
    with pytest.raises(PayoffError, match="no longer there"):
        engine().ask(document, Totals())
