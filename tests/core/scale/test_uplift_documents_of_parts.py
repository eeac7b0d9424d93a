"""Page Uplift of a folder of parts: what it shows, beside the same rows in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from core.document.data.model import MissingOutcomes, MissingOutcomesError, RowUse
from core.document.model import Document, Role, RoleAssignment, SplitSpec
from core.document.studies.uplift import UpliftResult
from core.document.uplift.model import UpliftSpec
from core.engine.local import LocalEngine
from core.engine.options import EngineOptions
from core.questions.question import Question
from core.questions.uplift import Arms, ExperimentGaps, NextTest, Slices, Uplift
from payoff.errors import PayoffError
from tests.core.scale.parts import write_parts
from tests.core.scale.projects import loaded, project, whole

pytestmark = pytest.mark.timeout(400)  # the first call compiles

ROWS = 27_000


@pytest.fixture(scope="module")
def engine() -> LocalEngine:
    return LocalEngine(EngineOptions(safe_mode=True))


@pytest.fixture(scope="module")
def cases(few_rows_are_held: None) -> pa.Table:
    """An experiment in which a low score may come first; a tenth are of a third arm."""
    random = np.random.default_rng(7)
    z, arm = random.standard_normal(ROWS), random.choice(3, ROWS, p=(0.5, 0.4, 0.1))
    effect = 0.03 + 0.05 * np.tanh(z)
    event = random.random(ROWS) < 0.15 + effect * (arm == 1)
    return pa.table(
        {
            "bought": np.where(event, "yes", "no"),
            "arm": np.array(["control", "mail", "call"])[arm],
            "uplift_a": np.round(effect + 0.03 * random.standard_normal(ROWS), 4),
            "uplift_b": np.round(effect + 0.09 * random.standard_normal(ROWS), 3),
            "kept": np.where(random.random(ROWS) < 0.5, 1, 0),
            "use": random.choice(["train", "test"], ROWS),
            "stands_for": random.choice([0.0, 0.5, 1.0, 4.0], ROWS),
            "spent": np.where(event, np.round(random.gamma(2.0, 20.0, ROWS), 2) - 5.0, 0.0),
        }
    )


@pytest.fixture(scope="module")
def folder(cases: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parts(cases, tmp_path_factory.mktemp("experiment") / "parts", 5, 2_000)


SPEC = UpliftSpec(treatment="arm", treated="mail", control="control", contact=0.02)


def as_experiment(document: Document) -> Document:
    """Two rankings, the second turned round."""
    outcome = RoleAssignment(column="bought", role=Role.TARGET)
    first = RoleAssignment(column="uplift_a", role=Role.SCORE, model="a")
    second = RoleAssignment(column="uplift_b", role=Role.SCORE, model="b", is_reversed=True)
    ranked = document.with_roles((outcome, first, second))
    return replace(ranked, split=SplitSpec(), rows_used=RowUse.ALL, uplift=SPEC)


@pytest.fixture(scope="module")
def parts(engine: LocalEngine, folder: Path) -> Document:
    return as_experiment(project(loaded(engine, folder)))


@pytest.fixture(scope="module")
def memory(
    engine: LocalEngine, cases: pa.Table, tmp_path_factory: pytest.TempPathFactory
) -> Document:
    return as_experiment(whole(engine, cases, tmp_path_factory.mktemp("whole")))


@pytest.fixture(scope="module", params=["", "spent"], ids=["events", "amounts"])
def judged(
    parts: Document, memory: Document, request: pytest.FixtureRequest
) -> tuple[Document, Document]:
    """The project of parts and that of memory, each with an outcome of events or of amounts."""
    spec = replace(SPEC, outcome=request.param or SPEC.outcome)
    return replace(parts, uplift=spec), replace(memory, uplift=spec)


@pytest.fixture(scope="module")
def both(
    engine: LocalEngine, judged: tuple[Document, Document]
) -> tuple[UpliftResult, UpliftResult]:
    there, here = (engine.ask(document, Uplift(draws=32)) for document in judged)
    return there, here


def near(ours: object, theirs: object, *, rtol: float = 1e-9) -> bool:
    return bool(np.allclose(ours, theirs, rtol=rtol, atol=rtol / 1_000, equal_nan=True))


def nearness(document: Document) -> Callable[[object, object], bool]:
    """What amounts are rounded to moves an area in the 12th digit, an error in the 8th."""
    return partial(near, rtol=1e-7) if document.uplift.outcome == "spent" else near


def test_the_experiment_is_that_of_the_rows_in_memory(
    judged: tuple[Document, Document], both: tuple[UpliftResult, UpliftResult]
) -> None:
    there, here = both
    is_near = nearness(judged[0])
    for name in ("treatment", "treated", "control", "outcome", "event", "is_binary"):
        assert getattr(there, name) == getattr(here, name)
    assert (there.cases, there.treated_cases) == (here.cases, here.treated_cases)
    assert dict(there.rows.dropped) == dict(here.rows.dropped)
    assert there.rows.text == here.rows.text
    own, known = there.effects[0].effect, here.effects[0].effect
    assert is_near((own.effect, own.low, own.high), (known.effect, known.low, known.high))
    checks = {check.key: check.number for check in here.guard.checks}
    assert {check.key for check in there.guard.checks} == {"share", "score"}
    assert all(is_near(check.number, checks[check.key]) for check in there.guard.checks)
    assert "each column's balance" in there.guard.advice
    assert any("checks of the split against columns" in words for words in there.warnings)


def test_curves_areas_and_depths_are_those_of_the_rows_in_memory(
    judged: tuple[Document, Document], both: tuple[UpliftResult, UpliftResult]
) -> None:
    there, here = both
    is_near = nearness(judged[0])
    for own, known in zip(there.models, here.models, strict=True):
        assert own.model == known.model
        for line in ("incremental", "low", "high", "treated_units", "threshold", "slices"):
            assert is_near(getattr(own, line), getattr(known, line)), line
        assert np.isfinite(own.low_all).all()  # bands of the whole curve, by draws of their own
        areas = {row.key: row.measured for row in known.variants}
        assert len(own.variants) == len(areas) - 2  # none with local weights
        for row in own.variants:
            ours, theirs = row.measured, areas[row.key]
            assert is_near((ours.minus_random, ours.end), (theirs.minus_random, theirs.end))
            assert np.isclose(ours.standard_error, theirs.standard_error, rtol=1e-6)
        for name in ("qini", "qini_low", "peak", "peak_depth", "isotonic_gap", "spread"):
            assert is_near(getattr(own.criteria, name), getattr(known.criteria, name)), name
        for name in ("depth", "threshold", "gain", "gain_low", "gain_high", "spent"):
            assert is_near(getattr(own.choice, name), getattr(known.choice, name)), name
        assert np.isnan(own.choice.cross_fitted)
    assert there.prices is not None
    assert here.prices is not None
    assert is_near(there.prices.axis.gain, here.prices.axis.gain)
    assert list(there.prices.axis.winner) == list(here.prices.axis.winner)
    assert not (there.prices.axis.is_clear & ~here.prices.axis.is_clear).any()
    assert there.prices.axis.is_clear.any()
    assert not there.differences


def test_slices_and_the_next_test_are_those_of_the_rows_in_memory(
    engine: LocalEngine, judged: tuple[Document, Document]
) -> None:
    parts, memory = judged
    is_near = nearness(parts)
    ours, theirs = engine.ask(parts, Slices(draws=2)), engine.ask(memory, Slices(draws=2))
    for own, known in zip(ours.models, theirs.models, strict=True):
        for line in ("treated", "uplift", "standard_error", "mean_score"):
            assert is_near(getattr(own.slices, line), getattr(known.slices, line)), line
        assert is_near(own.balance.share, known.balance.share)
        assert is_near(own.balance.high, known.balance.high)
        assert is_near([e.rate.value for e in own.rates], [e.rate.value for e in known.rates])
    found, known_ladder = (engine.ask(document, NextTest()).ladder for document in judged)
    assert is_near(found, known_ladder)


def test_prices_do_not_read_the_parts_again(
    engine: LocalEngine, parts: Document, memory: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: object) -> None:
        raise AssertionError("the parts were read")

    engine.ask(parts, Uplift(draws=32))
    monkeypatch.setattr("core.assembly.pieces.uplift.pieces_of_document", refuse)
    dearer = [replace(d, uplift=replace(SPEC, contact=0.05)) for d in (parts, memory)]
    there, here = (engine.ask(document, Uplift(draws=32)) for document in dearer)
    assert near(there.models[0].choice.gain, here.models[0].choice.gain)


def test_rows_of_a_use_beside_those_of_another(
    engine: LocalEngine, parts: Document, memory: Document
) -> None:
    split = SplitSpec(column="use", meaning=(("train", RowUse.TRAIN), ("test", RowUse.TEST)))
    tested = [replace(d, split=split, rows_used=RowUse.TEST) for d in (parts, memory)]
    there, here = (engine.ask(document, Uplift(draws=0)) for document in tested)
    assert there.cases == here.cases
    own, known = there.models[0].other, here.models[0].other
    assert own is not None
    assert known is not None
    assert near(own.incremental, known.incremental)
    assert near(there.models[0].criteria.agreement, here.models[0].criteria.agreement)


def test_weights_count_as_in_memory(engine: LocalEngine, judged: tuple[Document, Document]) -> None:
    is_near = nearness(judged[0])
    weight = RoleAssignment(column="stands_for", role=Role.WEIGHT)
    there, here = (engine.ask(d.with_roles((*d.roles, weight)), Uplift(draws=0)) for d in judged)
    assert (there.cases, there.treated_cases) == (here.cases, here.treated_cases)
    assert dict(there.rows.dropped) == dict(here.rows.dropped)
    assert (
        [w for w in there.warnings if "too narrow" in w]
        == [w for w in here.warnings if "too narrow" in w]
        != []
    )
    own, known = there.effects[0].effect, here.effects[0].effect
    assert is_near((own.effect, own.low, own.high), (known.effect, known.low, known.high))
    checks = {check.key: check.number for check in here.guard.checks}
    assert all(is_near(check.number, checks[check.key]) for check in there.guard.checks)
    for ours, theirs in zip(there.models, here.models, strict=True):
        for line in ("incremental", "low", "high", "threshold", "slices"):
            assert is_near(getattr(ours, line), getattr(theirs, line)), line
        areas = {row.key: row.measured for row in theirs.variants}
        for row in ours.variants:
            assert is_near(row.measured.minus_random, areas[row.key].minus_random)
            error = areas[row.key].standard_error
            assert np.isclose(row.measured.standard_error, error, rtol=1e-6)
        assert is_near(ours.choice.gain, theirs.choice.gain)


def test_an_outcome_of_its_own_and_its_gaps(
    engine: LocalEngine, cases: pa.Table, tmp_path: Path
) -> None:
    kept = [None if row in (4, 3_000) else v for row, v in enumerate(cases["kept"].to_pylist())]
    table = cases.set_column(4, "kept", pa.array(kept))
    document = as_experiment(project(loaded(engine, write_parts(table, tmp_path / "p", 3))))
    asks = replace(SPEC, outcome="kept", missing_outcomes=MissingOutcomes.ASK)
    asking = replace(document, uplift=asks)
    arms = cases["arm"].to_pylist()
    known = sum(arms[row] in ("mail", "control") for row in (4, 3_000))
    assert known
    gaps = engine.ask(asking, ExperimentGaps())
    assert (gaps.rows, gaps.total) == (known, ROWS)
    with pytest.raises(MissingOutcomesError, match="'kept'"):
        engine.ask(asking, Uplift(draws=0))
    left_out = replace(asks, missing_outcomes=MissingOutcomes.LEAVE_OUT)
    found = engine.ask(replace(document, uplift=left_out), Uplift(draws=0))
    assert dict(found.rows.dropped)["'kept' not known"] == known
    assert (found.outcome, found.event) == ("kept", "")


Change = Callable[[Document], Document]
REFUSED: dict[str, tuple[Change, Question[Any], str]] = {
    "arms by segment": (lambda d: d, Arms(), "looks at all cases"),
    "chances": (
        lambda d: replace(d, uplift=replace(SPEC, propensity="uplift_a")),
        Uplift(),
        "chances of treatment in 'uplift_a'",
    ),
    "no ranking": (lambda d: replace(d, models=()), Uplift(), "No model ranks"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_needs_all_cases_is_refused_in_words(
    engine: LocalEngine, parts: Document, name: str
) -> None:
    change, question, words = REFUSED[name]
    with pytest.raises(PayoffError, match=words) as refusal:
        engine.ask(change(parts), question)
    assert refusal.value.remedy
