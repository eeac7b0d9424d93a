"""Amounts per case against a double loop, and what cannot change when they do."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decisions import (
    CaseAmounts,
    DecisionProblem,
    ModelScores,
    analyse,
    decide_cases,
    profit_chart,
    read_rule,
    total_cases,
)
from core.decisions.advice.threshold_forms import thresholds_of
from core.decisions.passes.case_values import values_of
from core.decisions.passes.workspace import DecisionWorkspace
from core.decisions.sensitivity.break_even import break_even
from core.decisions.sensitivity.changes import cell_change, changes_of, default_range
from core.decisions.sensitivity.what_if import what_if
from core.decisions.sensitivity.winner_map import axis_of, winner_map
from core.decisions.studies.case_list import case_list
from core.decisions.studies.hold_out import hold_out
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import OldPriorKind
from payoff.errors import PayoffError

LEND = np.array([[-0.60, 0.0], [0.08, 0.0]])
REVIEW = np.array([[1.0, 0.0], [0.0, 0.0]])


def made(
    n=400,
    *,
    cells=((0.0, 0.0), (0.0, 0.0)),
    slopes=LEND,
    seed=4,
    costs=None,
    missing=True,
    **given_,
):
    draw = np.random.default_rng(seed)
    levels = len(slopes)
    table = draw.dirichlet(np.ones(levels), n).T
    outcome = np.array([draw.choice(levels, p=column) for column in table.T], dtype=np.int32)
    amount = np.round(draw.lognormal(6.0, 1.0, n), 2)
    if missing:
        amount[7] = np.nan
        outcome[9] = -1
        table[0, 11] = np.nan
    problem = DecisionProblem(
        levels=tuple("abcd"[:levels]),
        decisions=tuple("xyzw"[: slopes.shape[1]]),
        cells=np.array(cells, dtype=float),
        outcome=outcome,
        amounts=CaseAmounts(values=amount, slopes=np.array(slopes), name="LOAN"),
        cost_columns={} if costs is None else {0: draw.random(n) * costs},
        **given_,
    )
    return problem, ModelScores(name="m", posteriors=np.ascontiguousarray(table))


def consequence(problem, case, level, decision):
    """Q(i, t, d), one at a time, in the sense of profit."""
    amount = problem.amounts.values[case]
    cell = problem.cells[level, decision] + problem.amounts.slopes[level, decision] * amount
    cost = 0.0 if problem.cost_amounts is None else problem.cost_amounts[decision]
    if decision in problem.cost_columns:
        cost = problem.cost_columns[decision][case]
    return problem.sense * cell - cost


def by_hand(problem, probabilities):
    """Decision, expected, computed and best of every case by a double loop."""
    found = []
    for case in range(probabilities.shape[1]):
        if np.isnan(problem.amounts.values[case]) or np.isnan(probabilities[:, case]).any():
            found.append((255, np.nan, np.nan, np.nan))
            continue
        width, levels = len(problem.decisions), range(len(problem.levels))
        expected = [
            sum(probabilities[t, case] * consequence(problem, case, t, d) for t in levels)
            for d in range(width)
        ]
        chosen = 0
        for d in range(1, width):
            if expected[d] > expected[chosen] + problem.tie_tolerance:
                chosen = d
        level = problem.outcome[case]
        realised = [consequence(problem, case, level, d) for d in range(width)]
        known = level >= 0
        found.append(
            (
                chosen,
                expected[chosen],
                realised[chosen] if known else np.nan,
                max(realised) if known else np.nan,
            )
        )
    return [np.array(column) for column in zip(*found, strict=True)]


WAYS = {
    "lend": {},
    "review": {"slopes": REVIEW, "cells": [[-4.0, 0.0], [-4.0, 0.0]]},
    "costs": {"costs": 30.0, "cost_amounts": np.array([0.0, 2.0])},
    "loss": {"slopes": -LEND, "kind": MatrixKind.LOSS},
    "three": {
        "slopes": np.array([[0.3, 0.0, -0.1], [-0.2, 0.0, 0.05], [0.1, 0.02, 0.0]]),
        "cells": [[1.0, 2.0, 3.0], [0.0, 5.0, 1.0], [-9.0, 0.0, 4.0]],
    },
    "frequency": {"frequency": np.random.default_rng(1).integers(0, 4, 400).astype(float)},
}


@pytest.mark.parametrize("way", WAYS)
def test_every_case_is_decided_as_by_a_double_loop(way):
    problem, model = made(**WAYS[way])
    cases = decide_cases(problem, model)
    decision, expected, computed, best = by_hand(problem, model.posteriors)
    assert np.array_equal(cases.decision, decision)
    for got, wanted in ((cases.expected, expected), (cases.computed, computed), (cases.best, best)):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-9)
    warnings = cases.warnings
    assert (warnings[7], warnings[9], warnings[11]) == ("C", "U", "P")


@pytest.mark.parametrize("way", WAYS)
def test_totals_curves_and_tables_are_sums_of_the_cases(way):
    problem, model = made(**WAYS[way])
    decision, expected, computed, best = by_hand(problem, model.posteriors)
    weight = np.ones(400) if problem.frequency is None else problem.frequency
    counted = (problem.outcome >= 0) & np.isfinite(expected) & (weight > 0)
    result = analyse(problem, (model,)).models[0]
    totals = total_cases(problem, decide_cases(problem, model))
    sign = problem.sense
    assert totals.total == pytest.approx(sign * float((weight * computed)[counted].sum()))
    assert sign * totals.total == pytest.approx(result.total.value)
    assert result.best_total == pytest.approx(float((weight * best)[counted].sum()))
    assert totals.expected_total == pytest.approx(sign * float((weight * expected)[counted].sum()))
    chart = profit_chart(problem, model, bins=20)
    assert chart["cumulative_total"][-1] == pytest.approx(totals.total)
    assert chart["expected_cumulative_total"][-1] == pytest.approx(totals.expected_total)
    for level in range(len(problem.levels)):
        for place in range(len(problem.decisions)):
            here = counted & (problem.outcome == level) & (decision == place)
            assert result.counts[level, place] == pytest.approx(weight[here].sum())
            assert result.profits[level, place] == pytest.approx(
                float((weight * computed)[here].sum()), abs=1e-6
            )


def test_acting_to_a_depth_brings_what_the_best_of_the_order_bring():
    problem, model = made(missing=False)
    result = analyse(problem, (model,)).models[0]
    amount, probability = problem.amounts.values, model.posteriors[0]
    advantage = amount * (-0.60 * probability + 0.08 * (1 - probability))
    order = np.argsort(-advantage, kind="stable")
    realised = np.where(problem.outcome == 0, -0.60, 0.08) * amount
    for depth in (0.1, 0.25, 0.5, 1.0):
        wanted = realised[order[: int(depth * 400)]].sum()
        place = int(np.argmin(np.abs(result.depth - depth)))
        assert result.profit[place] == pytest.approx(wanted)


def test_priors_correct_chances_and_weigh_totals():
    problem, model = made(missing=False, priors=np.array([0.1, 0.9]))
    trained = replace(model, old_kind=OldPriorKind.TRAINED_AT, old_priors=np.array([0.5, 0.5]))
    odds = model.posteriors * np.array([[0.2], [1.8]])
    probabilities = odds / odds.sum(axis=0)
    _, expected, computed, _ = by_hand(problem, probabilities)
    cases = decide_cases(problem, trained)
    np.testing.assert_allclose(cases.expected, expected, rtol=1e-10, atol=1e-9)
    share = np.bincount(problem.outcome, minlength=2) / 400
    weight = (np.array([0.1, 0.9]) / share)[problem.outcome]
    assert total_cases(problem, cases).total == pytest.approx(float((weight * computed).sum()))


def test_without_an_outcome_cases_are_decided_and_nothing_is_realised():
    problem, model = made()
    cases = decide_cases(replace(problem, outcome=None), model)
    assert np.array_equal(cases.decision, decide_cases(problem, model).decision)
    assert np.isnan(cases.computed).all()


# ---------------------------------------------------------------- properties


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), levels=st.integers(2, 3), decisions=st.integers(1, 3))
def test_amounts_of_one_are_the_plain_matrix(seed, levels, decisions):
    draw = np.random.default_rng(seed)
    slopes = np.round(draw.normal(size=(levels, decisions)), 3) + 0.5
    cells = np.round(draw.normal(size=(levels, decisions)), 3)
    problem, model = made(60, slopes=slopes, cells=cells, seed=seed, missing=False)
    ones = replace(problem.amounts, values=np.ones(60))
    shared = replace(problem, amounts=ones)
    plain = replace(problem, cells=cells + slopes, amounts=None)
    first, second = decide_cases(shared, model), decide_cases(plain, model)
    assert np.array_equal(first.decision, second.decision)
    np.testing.assert_allclose(first.expected, second.expected, atol=1e-12)
    one, other = analyse(shared, (model,)).models[0], analyse(plain, (model,)).models[0]
    assert one.total.value == pytest.approx(other.total.value, abs=1e-9)
    assert one.total.low == pytest.approx(other.total.low, abs=1e-8)
    assert one.expected_total == pytest.approx(other.expected_total, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), factor=st.sampled_from([2.0, 0.5, 8.0]))
def test_amounts_times_a_number_are_totals_times_that_number(seed, factor):
    problem, model = made(60, seed=seed, missing=False)
    larger = replace(problem.amounts, values=problem.amounts.values * factor)
    one = decide_cases(problem, model)
    other = decide_cases(replace(problem, amounts=larger), model)
    assert np.array_equal(one.decision, other.decision)
    assert factor * one.computed.sum() == pytest.approx(other.computed.sum())


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_rows_in_another_order_change_no_total(seed):
    problem, model = made(60, **WAYS["review"], seed=seed, missing=False)
    order = np.random.default_rng(seed).permutation(60)
    turned = replace(
        problem,
        outcome=problem.outcome[order],
        amounts=replace(problem.amounts, values=problem.amounts.values[order]),
    )
    moved = ModelScores(name="m", posteriors=np.ascontiguousarray(model.posteriors[:, order]))
    one, other = analyse(problem, (model,)).models[0], analyse(turned, (moved,)).models[0]
    np.testing.assert_allclose(one.profit, other.profit, atol=1e-7)
    assert one.best_total == pytest.approx(other.best_total)


# ---------------------------------------------------------------- words


def test_one_chance_serves_all_where_only_the_amount_is_at_stake():
    problem, _ = made(missing=False)
    rule = read_rule(problem)
    assert rule.threshold == pytest.approx(0.08 / 0.68)
    assert rule.side == "below"
    assert "whatever LOAN is" in rule.text
    assert "8 / 68 = 11.76" in rule.reason
    assert thresholds_of(problem).rule == pytest.approx(0.08 / 0.68)


def test_no_chance_serves_all_where_something_stands_beside_the_amount():
    problem, _ = made(**WAYS["review"], missing=False)
    rule = read_rule(problem)
    assert rule.threshold is None
    assert "depends on LOAN" in rule.reason
    negative = replace(problem.amounts, values=-problem.amounts.values, slopes=LEND)
    assert read_rule(replace(problem, cells=np.zeros((2, 2)), amounts=negative)).threshold is None


def test_negative_amounts_and_heavy_ones_are_said():
    problem, model = made(2_000, missing=False)
    values = problem.amounts.values.copy()
    values[3], values[:15] = -5.0, 1e6
    values[20] = -5.0
    heavy = replace(problem, amounts=replace(problem.amounts, values=values))
    texts = " ".join(entry.text for entry in analyse(heavy, (model,)).advice)
    assert "LOAN is below 0 for 1 case" in texts
    assert "hold" in texts


def test_amounts_and_an_outcome_that_is_a_number_do_not_go_together():
    problem, _ = made()
    with pytest.raises(PayoffError, match="need classes"):
        replace(problem, knots=np.array([0.0, 1.0]), outcome=None)
    with pytest.raises(PayoffError, match="do not fit"):
        replace(problem, amounts=replace(problem.amounts, slopes=np.ones((3, 2))))


def test_an_amount_that_no_cell_depends_on_is_dropped():
    problem, model = made()
    idle = replace(problem, amounts=replace(problem.amounts, slopes=np.zeros((2, 2))))
    assert not idle.has_amounts
    assert decide_cases(idle, model).warnings[7] == ""


# ---------------------------------------------------------------- studies


def state_of(problem, model):
    space = DecisionWorkspace()
    analyse(problem, (model,), workspace=space)
    return space.state


def test_values_of_the_cases_that_studies_start_from():
    problem, model = made(**WAYS["three"])
    values = values_of(state_of(problem, model), state_of(problem, model).models[0])
    for place, row in enumerate(values.rows[:60]):
        for decision in range(3):
            wanted = consequence(problem, row, problem.outcome[row], decision)
            assert values.realised(decision)[place] == pytest.approx(wanted)
            expected = sum(
                model.posteriors[t, row] * consequence(problem, row, t, decision) for t in range(3)
            )
            assert values.expected[decision, place] == pytest.approx(expected)
            worst = min(consequence(problem, row, t, decision) for t in range(3))
            assert values.can_lose[decision, place] == pytest.approx(max(0.0, -worst))


def test_each_case_has_its_own_break_even():
    problem, model = made(**WAYS["review"], missing=False)
    found = case_list(problem, model)
    np.testing.assert_allclose(found.break_even, 4.0 / problem.amounts.values)
    acts = found.decided.decision == 0
    assert np.array_equal(acts, found.probability >= found.break_even)
    assert case_list(*made(missing=False)).break_even is None  # one serves all


def test_what_if_gives_the_totals_of_the_changed_matrix():
    problem, model = made(missing=False)
    worse = replace(problem, amounts=replace(problem.amounts, slopes=LEND * [[1.2], [1.0]]))
    found = what_if(problem, worse, (model,))[0]
    assert found.now.value == pytest.approx(analyse(problem, (model,)).models[0].total.value)
    assert found.remade.value == pytest.approx(analyse(worse, (model,)).models[0].total.value)
    kept = decide_cases(problem, model).decision
    wanted = sum(consequence(worse, i, problem.outcome[i], d) for i, d in enumerate(kept))
    assert found.kept.value == pytest.approx(wanted)


@pytest.mark.parametrize("way", ["lend", "review"])
def test_break_even_crossings_are_where_totals_really_turn(way):
    problem, model = made(200, missing=False, seed=8, **WAYS[way])
    rows = break_even(problem, (model,)).numbers
    assert len(rows) == len(changes_of(problem))
    checked = 0
    for level, decision in ((0, 0), (1, 0)):
        change = cell_change(problem, level, decision)
        row = next(r for r in rows if (r.level, r.decision) == (change.level, change.decision))
        assert row.unit == ("share" if change.is_share else "money")
        for crossing in row.beaten:
            if crossing is None:
                continue
            step = 1e-7 * max(1.0, abs(crossing.value))
            before, after = (
                lead_at(problem, model, level, decision, change.is_share, crossing.value + s)
                for s in (-step, step)
            )
            assert (before > 1e-9) != (after > 1e-9)  # equal money differs by rounding
            checked += 1
    assert checked


def lead_at(problem, model, level, decision, is_share, value):
    """Lead of the model's total over the best constant rule, a cell at another value."""
    if is_share:
        slopes = problem.amounts.slopes.copy()
        slopes[level, decision] = value
        changed = replace(problem, amounts=replace(problem.amounts, slopes=slopes))
    else:
        cells = problem.cells.copy()
        cells[level, decision] = value
        changed = replace(problem, cells=cells)
    result = analyse(changed, (model,))
    return result.models[0].total.value - max(result.act_on_all, result.do_nothing)


@pytest.mark.parametrize("way", ["lend", "review", "costs", "three", "loss"])
def test_the_winner_map_is_made_of_the_programs_own_totals(way):
    problem, model = made(**WAYS[way])
    other = replace(model, name="o", posteriors=np.ascontiguousarray(model.posteriors[::-1]))
    if len(problem.levels) > 2:
        other = replace(model, name="o", posteriors=np.roll(model.posteriors, 1, axis=0))
    changes = [cell_change(problem, 0, 0), cell_change(problem, 1, 0)]
    x, y = (axis_of(change, *default_range(change, problem), 6) for change in changes)
    found = winner_map(problem, (model, other), x, y)
    assert found.error == 0.0  # every case was looked at
    assert not found.is_exact or found.checked == 0
    for j, i in ((0, 0), (5, 0), (0, 5), (5, 5)):
        changed = problem
        for change, value in ((x.change, x.values[i]), (y.change, y.values[j])):
            changed = with_number(changed, change, float(value))
        totals = [entry.total.value for entry in analyse(changed, (model, other)).models]
        assert found.profit[j, i] >= max(totals) - 1e-9 * abs(max(totals))
        if found.winner[j, i] < 2:
            assert found.profit[j, i] == pytest.approx(totals[found.winner[j, i]])


def with_number(problem, change, value):
    """The problem with one cell, or its share of the amount, at another value."""
    place = problem.levels.index(change.level), problem.decisions.index(change.decision)
    if change.is_share:
        slopes = problem.amounts.slopes.copy()
        slopes[place] = value
        return replace(problem, amounts=replace(problem.amounts, slopes=slopes))
    cells = problem.cells.copy()
    cells[place] = value
    return replace(problem, cells=cells)


def test_a_hold_out_forgoes_what_acting_on_it_promised():
    problem, model = made(missing=False)
    decided = decide_cases(problem, model)
    held = hold_out(problem, model, decided, share=0.5, seed=2)
    assert held.forgone == pytest.approx(decided.expected[held.is_held].sum())
    assert (held.decided.computed[held.is_held] == 0).all()
