"""What the page works out of results, without a window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.decisions.matrix_model import CostSpec, MatrixKind
from core.document.model import ChartMode, Document
from core.document.results import DecisionResult, Estimate, PairedDifference, ResampleResult
from core.presentation.decide import figures, tables
from core.presentation.decide.views import foresight_words
from core.presentation.labels import _DONE, Labels
from tests.helpers.answers.synthetic import make_decisions, make_document, make_reading

DEPTH = 0.213


def at(depth: float = DEPTH, *, exact: bool = True) -> figures.DepthPoint:
    reading = make_reading(depth) if exact else None
    return figures.at_depth(make_decisions().models[0], depth, reading)


def checks(
    result: DecisionResult, document: Document, point: figures.DepthPoint
) -> dict[str, figures.AmountCheck]:
    found = figures.footer_checks(document, result, result.models[0], point)
    return {entry.of.value: entry for entry in found}


def test_the_table_at_the_cursor_adds_up_to_the_chart() -> None:
    result, document = make_decisions(), make_document()
    table = figures.table_at(document, result, at())
    expected = np.interp(DEPTH, result.models[0].depth, result.models[0].profit)
    assert table.total == pytest.approx(expected, rel=1e-9)
    assert table.counts.sum() == pytest.approx(20_000)
    assert table.decisions == ("Mail", "Do nothing")


def test_every_check_holds_where_the_numbers_agree() -> None:
    result, document = make_decisions(), make_document()
    for depth in (0.0, DEPTH, 0.2135, 1.0):
        found = checks(result, document, at(depth))
        assert all(entry.holds for entry in found.values()), found


def difference_by_case(depth: float, name: str) -> tuple[float, float]:
    """Less one decision for all: the total and half its 95 % interval, case by case."""
    result, document = make_decisions(), make_document()
    table = figures.table_at(document, result, at(depth))
    earned = figures.consequences(document, result)
    other = earned[:, [result.decisions.index(name)]]
    gains = np.repeat((earned - other).ravel(), np.round(table.counts).astype(int).ravel())
    return float(gains.sum()), 1.959964 * float(gains.std()) * np.sqrt(len(gains))


@pytest.mark.parametrize("depth", [0.0, DEPTH, 0.7])
def test_one_decision_for_all_moves_with_the_cases_where_class_shares_are_not_known(
    depth: float,
) -> None:
    """The interval is of the difference case by case, not that of the figure shifted."""
    result = make_decisions()
    document = replace(make_document(), priors=None)
    against = figures.against_all(document, result, at(depth))
    value, reach = difference_by_case(depth, "Mail")
    assert against.value == pytest.approx(value, rel=1e-3)
    assert (against.high - against.low) / 2 == pytest.approx(reach, rel=1e-3)
    known = replace(document, priors=(("1", 0.05), ("0", 0.95)))
    fixed = figures.against_all(known, result, at(depth))
    assert fixed.high - fixed.low == pytest.approx(at(depth).high - at(depth).low, abs=1e-6)


def test_doing_nothing_that_brings_nothing_is_known() -> None:
    document = replace(make_document(), priors=None)
    against = figures.against_resting(document, make_decisions(), at())
    assert (against.low, against.high) == (at().low, at().high)


def test_a_difference_that_does_not_follow_from_the_cells_has_no_interval() -> None:
    result, document = make_decisions(), make_document()
    costs = (CostSpec(column="postage"), CostSpec())
    document = replace(document, priors=None, matrix=replace(document.matrix, costs=costs))
    against = figures.against_all(document, result, at())
    assert np.isfinite(against.value)
    assert np.isnan(against.low)


@pytest.mark.parametrize("off", [0.5, -3.0])
def test_a_total_that_is_not_the_chart_fails(off: float) -> None:
    result, document = make_decisions(), make_document()
    point = replace(at(), profit=at().profit + off)
    holds, text = tables.check_sentence(
        figures.footer_checks(document, result, result.models[0], point)
    )
    assert not holds
    assert "should be the same" in text


def test_a_table_by_the_rule_that_is_not_the_statistic_fails() -> None:
    result, document = make_decisions(), make_document()
    first = result.models[0]
    wrong = replace(first, total=replace(first.total, value=first.total.value + 1))
    found = figures.footer_checks(document, result, wrong, at())
    assert [entry.of for entry in found if not entry.holds] == [
        "table by the rule and profit statistic"
    ]


def test_a_chart_of_own_decisions_must_end_at_the_total() -> None:
    result = make_decisions()
    document = replace(make_document(), chart_mode=ChartMode.FIRM)
    first = result.models[0]
    assert tables.check_sentence(figures.footer_checks(document, result, first, at())) == (
        True,
        "Total = last point of the chart = profit statistic.",
    )
    wrong = replace(first, chart_end=first.chart_end * 1.01)
    holds, text = tables.check_sentence(figures.footer_checks(document, result, wrong, at()))
    assert not holds
    assert "last point" in text


def test_between_two_points_of_the_grid_only_the_cases_between_may_differ() -> None:
    result, document = make_decisions(), make_document()
    model = result.models[0]
    assert figures.chart_tolerance(document, result, model, 0.213) == 0.0
    between = figures.chart_tolerance(document, result, model, 0.2135)
    assert between == pytest.approx(20 * 25.6)  # 20 cases, 25.60 apart at most


def test_constant_costs_are_taken_off_and_columns_are_not_guessed() -> None:
    result, document = make_decisions(), make_document()
    assert document.matrix is not None
    costs = (CostSpec(amount=0.5), CostSpec())
    expensive = replace(document, matrix=replace(document.matrix, costs=costs))
    earned = figures.consequences(expensive, result)
    assert earned is not None
    np.testing.assert_allclose(earned, [[23.5, 0.0], [-2.1, 0.0]])
    column = (CostSpec(column="postage"), CostSpec())
    open_ended = replace(document, matrix=replace(document.matrix, costs=column))
    assert figures.consequences(open_ended, result) is None
    table = figures.table_at(open_ended, result, at())
    assert np.isnan(table.profits).all()
    assert table.total == at().profit


def test_losses_are_profits_turned_round() -> None:
    result, document = make_decisions(), make_document()
    losses = replace(result, kind=MatrixKind.LOSS.value, cells=-result.cells)
    earned = figures.consequences(document, losses)
    assert earned is not None
    np.testing.assert_allclose(earned, result.cells)
    words = Labels.of(document, losses)
    assert words.is_loss
    assert words.money(-1200.0) == "€\u00a01,200"
    assert words.interval(-1300.0, -1100.0) == (1100.0, 1300.0)


def test_what_perfect_foresight_adds_is_told_class_by_class() -> None:
    result, document = make_decisions(), make_document()
    words = Labels.of(document, result)
    table = figures.table_at(document, result, at())
    lost = figures.missed_by_class(document, result, table)
    assert lost is not None
    assert lost.sum() == pytest.approx(result.perfect_total - table.total)
    text = tables.foresight_sentence(document, result, words, table)
    assert "“responds” not mailed" in text
    assert "“does not respond” mailed" in text
    assert "less than the best possible, " in text


def test_more_may_be_missed_than_perfect_foresight_would_bring() -> None:
    """Where money is lost: "€ 305 of € 293" was said of that."""
    words = Labels.of(make_document(), make_decisions())
    assert foresight_words(305.0, 293.0, words) == (
        "€\u00a0305 less than the best possible, €\u00a0293"
    )


def test_another_model_is_compared_with_its_paired_interval() -> None:
    result = make_decisions()
    reading = make_reading(DEPTH)
    first, second = (figures.at_depth(m, DEPTH, reading) for m in result.models[:2])
    found = figures.against_model(first, second, reading, None)
    assert found.value == pytest.approx(first.profit - second.profit)
    assert found.low < found.value < found.high


def test_resamples_of_another_depth_are_not_taken() -> None:
    result = make_decisions()
    first, second = (figures.at_depth(m, DEPTH, None) for m in result.models[:2])
    value = first.profit - second.profit
    drawn = PairedDifference(
        first=first.model,
        second=second.model,
        metric="total_profit",
        estimate=Estimate(value=value, low=value - 5, high=value + 5),
        p_value=0.004,
        ahead=998,
        resamples=1000,
    )
    fresh = ResampleResult(resamples=1000, differences=(), at_depth=(drawn,), seconds=0.1)
    assert figures.against_model(first, second, None, fresh).ahead == 998
    elsewhere = replace(drawn, estimate=replace(drawn.estimate, value=value + 40))
    stale = replace(fresh, at_depth=(elsewhere,))
    assert figures.against_model(first, second, None, stale).resamples == 0


def test_more_than_two_decisions_share_one_column_until_the_engine_has_the_table() -> None:
    base, document = make_decisions(), make_document()
    cells = np.hstack([base.cells, [[3.0], [-0.2]]])
    result = replace(base, decisions=("Mail", "Do nothing", "Call"), cells=cells)
    table = figures.table_at(document, result, at())
    assert table.decisions == ("Mail", "Best other")
    assert np.isnan(table.profits[:, 1]).all()
    assert table.total == at().profit
    counts = np.array([[700.0, 200.0, 100.0], [3560.0, 10_000.0, 5440.0]])
    profits = counts * cells
    known = replace(at(), counts=counts, profits=profits)
    table = figures.table_at(document, result, known)
    assert table.decisions == result.decisions
    assert table.total == pytest.approx(profits.sum())


@pytest.mark.parametrize(
    ("changes", "counts", "said"),
    [
        ({}, None, "Total = chart at the cursor = profit statistic."),
        # amounts differ from case to case: the chart cannot be held against the total
        ({"column": "postage"}, None, "Table by the rule = profit statistic."),
        (
            {"column": "postage"},
            1.0,
            "Total = table at the cursor; table by the rule = profit statistic.",
        ),
    ],
)
def test_only_what_was_checked_is_said_to_agree(changes, counts, said) -> None:
    result, document = make_decisions(), make_document()
    assert document.matrix is not None
    costs = (CostSpec(**changes), CostSpec())
    expensive = replace(document, matrix=replace(document.matrix, costs=costs))
    point = figures.at_depth(result.models[0], 0.2135)
    if counts is not None:
        amounts = np.array([[point.profit, 0.0], [0.0, 0.0]])
        point = replace(point, counts=np.ones((2, 2)), profits=amounts, is_exact=True)
    checks = figures.footer_checks(expensive, result, result.models[0], point)
    assert tables.check_sentence(checks) == (True, said)


def test_without_chances_nothing_is_said_to_agree_by_the_rule() -> None:
    result, document = make_decisions(), make_document()
    first = result.models[0]
    nothing = np.full_like(first.profits, np.nan)
    ranks = replace(first, profits=nothing, total=replace(first.total, value=float("nan")))
    names = [entry.of for entry in figures.footer_checks(document, result, ranks, at())]
    assert "table by the rule and profit statistic" not in names


def test_every_known_action_has_a_word_for_doing_it() -> None:
    """No "acting on all loses" beside "refused"."""
    result, document = make_decisions(), make_document()
    for decision, done in _DONE.items():
        words = Labels.of(document, replace(result, acting=decision))
        assert (words.doing != "acting on") == (decision != "act"), done
