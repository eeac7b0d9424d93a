"""``payoff.decide`` of folders of parts: the figures of the table in memory, and refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import payoff
from core.script.decide.in_pieces import DecisionsInPieces
from payoff.errors import PayoffError
from tests.core.scale.decisions import KINDS, MATRIX, decided, decision_figures, pieces
from tests.core.scale.parts import scored_cases, write_parts
from tests.helpers.long_run import richest

pytestmark = pytest.mark.timeout(400)  # the first call compiles

ROWS = 27_000


@pytest.fixture(scope="module")
def cases(few_rows_are_held: None) -> pa.Table:
    return scored_cases(ROWS)


@pytest.fixture(scope="module")
def folder(cases: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parts(cases, tmp_path_factory.mktemp("seven") / "parts", 7, 2_000)


@pytest.mark.parametrize(
    "kind", richest(KINDS, "losses", "the rarer the better", "three decisions, priors")
)
def test_figures_are_those_of_the_table_in_memory(cases: pa.Table, folder: Path, kind: str) -> None:
    ours, theirs = pieces(folder, **KINDS[kind]), decided(cases, **KINDS[kind])
    for name in ("total", "average", "expected_total", "best_total", "roi"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=1e-11, nan_ok=True)
    assert ours.totals is not None
    assert theirs.totals is not None
    assert np.array_equal(ours.totals.counts, theirs.totals.counts)
    assert ours.intervals["total"] == pytest.approx(theirs.intervals["total"], rel=1e-10)
    one, other = ours.analysis, theirs._analysis()
    first, second = one.models[0], other.models[0]
    for name in ("profit", "low", "high", "expected", "cases", "threshold", "class_cases"):
        assert getattr(first, name) == pytest.approx(
            getattr(second, name), rel=1e-9, abs=1e-7, nan_ok=True
        ), name
    for name in ("best_depth", "best_profit", "rule_depth", "rule_cases", "best_range", "roi"):
        assert getattr(first, name) == pytest.approx(
            getattr(second, name), rel=1e-11, nan_ok=True
        ), name
    crossfitted = first.best_profit_crossfitted, second.best_profit_crossfitted
    assert crossfitted[0].value == pytest.approx(crossfitted[1].value, rel=1e-11)
    assert crossfitted[0].low == pytest.approx(crossfitted[1].low, rel=1e-10)
    for name in ("rule_text", "rule_reason", "threshold_kind", "threshold_side", "rest"):
        assert getattr(one, name) == getattr(other, name)
    assert one.act_on_all == pytest.approx(other.act_on_all, rel=1e-12)
    assert [entry.text for entry in one.advice] == [entry.text for entry in other.advice]
    assert ours.thresholds().rule == theirs.thresholds().rule


@pytest.mark.parametrize(
    "kind", richest(["two decisions", "three decisions, priors"], "three decisions, priors")
)
def test_one_set_of_digits_for_all_parts(
    cases: pa.Table, folder: Path, tmp_path: Path, kind: str
) -> None:
    known = decision_figures(pieces(folder, **KINDS[kind]))
    for number, group in ((1, 27_000), (2, 700), (64, 100_000)):
        parts = write_parts(cases, tmp_path / str(number), number, group)
        assert decision_figures(pieces(parts, memory="0.5 GB", **KINDS[kind])) == known


def test_weights_and_costs_by_case_have_totals_and_no_depths(cases: pa.Table, folder: Path) -> None:
    for more in ({"weight": "guess"}, {"costs": ["second", 0.0]}):
        ours, theirs = pieces(folder, matrix=MATRIX, **more), decided(cases, matrix=MATRIX, **more)
        for name in ("total", "average", "expected_total", "best_total", "roi"):
            assert getattr(ours, name) == pytest.approx(
                getattr(theirs, name), rel=1e-11, nan_ok=True
            )
        assert ours.intervals["average"] == pytest.approx(theirs.intervals["average"], rel=1e-10)
        with pytest.raises(PayoffError, match="profit by depth of these cases") as refusal:
            _ = ours.profit_curve
        assert "differ from case to case" in refusal.value.why


def test_what_needs_the_cases_is_refused_in_words(folder: Path) -> None:
    found = pieces(folder, matrix=MATRIX)
    for name in ("table", "case_list", "cases", "what_if"):
        with pytest.raises(PayoffError, match=f"'{name}'. They need the cases themselves"):
            getattr(found, name)
    for name, value in (("amount", "guess"), ("leaf", "region"), ("outputs", ["P"])):
        with pytest.raises(PayoffError, match=f"read in pieces: {name}="):
            decided(folder, matrix=MATRIX, **{name: value})
    with pytest.raises(PayoffError, match="totals without an outcome"):
        payoff.decide(folder, matrix=MATRIX, posteriors={"yes": "first"})
    with pytest.raises(PayoffError, match="has a row 'Yes', the data have 'yes'"):
        payoff.decide(
            folder,
            matrix={"Yes": [10.0, 0.0], "no": [-1.0, 0.0]},
            target="outcome",
            posteriors={"Yes": "first"},
        )


def test_rows_and_marked_cases_are_those_of_the_table_in_memory(
    cases: pa.Table, tmp_path: Path
) -> None:
    scores = cases["first"].to_numpy().copy()
    scores[[5, 7_000]] = np.nan, 1.5
    outcome = np.array(cases["outcome"].to_pylist(), dtype=object)
    outcome[[3, 25_000]] = None
    spoiled = cases.set_column(1, "first", pa.array(scores)).set_column(
        0, "outcome", pa.array(outcome, pa.string())
    )
    folder = write_parts(spoiled, tmp_path / "spoiled", 3, 2_000)
    with pytest.raises(PayoffError, match="have no outcome"):
        decided(folder, matrix=MATRIX)
    more = {"matrix": MATRIX, "missing_outcomes": "leave_out", "rows": "region = 'N' or first > 1"}
    ours, theirs = pieces(folder, **more), decided(spoiled, **more)
    assert ours.totals is not None
    assert theirs.totals is not None
    assert ours.totals.cases == theirs.totals.cases
    assert ours.total == pytest.approx(theirs.total, rel=1e-11)
    assert ours.analysis.models[0].best_profit == theirs._analysis().models[0].best_profit
    said = " ".join(ours.warnings)
    assert "a chance is missing or not between 0 and 1" in said


def test_small_data_are_decided_as_any_table(cases: pa.Table, tmp_path: Path) -> None:
    few = cases.slice(0, 5_000)
    found = decided(write_parts(few, tmp_path / "few", 3, 500), matrix=MATRIX)
    assert not isinstance(found, DecisionsInPieces)
    assert found.table.equals(decided(few, matrix=MATRIX).table)
