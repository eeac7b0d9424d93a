"""Break-even values, put back into the matrix and worked out anew by the program's own totals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.decisions import analyse
from core.decisions.sensitivity.break_even import NOTHING, break_even
from core.decisions.sensitivity.changes import Change, Family, changes_of, parameter_change
from core.decisions.sensitivity.profit_lines import ProfitLine, straight, upper
from core.decisions.sensitivity.switches import (
    BEATEN,
    EVENTS,
    OTHER,
    ZERO,
    ProfitTable,
    SwitchBuffers,
    SwitchingCases,
    kept_totals,
    switches_of,
    walk_outwards,
)
from core.document.decisions.matrix_model import MatrixKind
from payoff.errors import PayoffError
from tests.core.decisions.break_even import moved, totals
from tests.core.decisions.break_even_samples import CASES, ROWS, models_for
from tests.core.decisions.cases import mail_problem, model, posteriors
from tests.helpers.long_run import richest

NEAR = 1e-7  # a step off a value, to stand clearly on one side of it


def change_for(problem, row):
    return next(c for c in changes_of(problem) if c.name == row.name)


FAR = 1000.0
"""Beyond it the tie tolerance, a share of the largest cell, hides the switches of single cases."""


def ahead(own, fixed):
    """Whether the best model beats the best constant rule by more than rounding."""
    return bool(own.max() > fixed.max() + 1e-12 * abs(fixed.max()))


def within(pair, change):
    """Crossings that a test can stand on both sides of."""
    inside = [entry for entry in pair if entry is not None and abs(entry.value) < FAR]
    return [entry for entry in inside if change.kind != "prior" or 1e-6 < entry.value < 1 - 1e-6]


IN_SUITE = richest(sorted(CASES), "costs by case and priors", "loss", "three classes", "ties")


def sides(value, now):
    """A little short of a value as seen from now, and a little beyond."""
    step = NEAR * max(abs(value - now), 1e-3)
    away = 1.0 if value >= now else -1.0
    return value - away * step, value + away * step


@pytest.mark.parametrize("name", IN_SUITE)
def test_at_every_value_the_winner_changes_in_the_programs_own_totals(name):
    problem, models = models_for(name)
    answer = break_even(problem, models)
    now = totals(problem, models)[0]
    assert answer.winner == models[int(np.argmax(now))].name
    assert answer.total == pytest.approx(now.max(), rel=1e-9)
    seen = 0
    for row in answer.numbers:
        change = change_for(problem, row)
        for crossing in within(row.winner, change):
            seen += 1
            short, beyond = (
                totals(moved(problem, change, v), models)[0] for v in sides(crossing.value, row.now)
            )
            names = [entry.name for entry in models]
            assert short[names.index(answer.winner)] >= short.max() - 1e-9
            assert names[int(np.argmax(beyond))] == crossing.becomes
            if not crossing.is_jump:
                there = totals(moved(problem, change, crossing.value), models)[0]
                first, second = (
                    there[names.index(answer.winner)],
                    there[names.index(crossing.becomes)],
                )
                assert first == pytest.approx(second, rel=1e-9, abs=1e-9)
                assert crossing.total == pytest.approx(first, rel=1e-9, abs=1e-9)
    assert seen


@pytest.mark.parametrize("name", IN_SUITE)
def test_at_every_value_the_best_constant_rule_is_reached(name):
    problem, models = models_for(name)
    answer = break_even(problem, models)
    own, fixed, _ = totals(problem, models)
    beats = ahead(own, fixed)
    assert answer.pays is beats
    assert answer.constant_total == pytest.approx(fixed.max(), rel=1e-9, abs=1e-9)
    names = (*problem.decisions, NOTHING)
    seen = 0
    for row in answer.numbers:
        change = change_for(problem, row)
        for crossing in within(row.beaten, change):
            seen += 1
            short, beyond = (
                totals(moved(problem, change, value), models)
                for value in sides(crossing.value, row.now)
            )
            assert ahead(*short[:2]) is beats
            assert ahead(*beyond[:2]) is not beats
            if not crossing.is_jump:
                there = totals(moved(problem, change, crossing.value), models)
                assert there[0].max() == pytest.approx(there[1].max(), rel=1e-9, abs=1e-9)
                assert crossing.becomes in names
    assert seen


@pytest.mark.parametrize("name", ["mail", "priors", "three classes", "costs by case"])
def test_at_every_value_the_best_total_crosses_zero(name):
    problem, models = models_for(name)
    problem = replace(problem, cells=problem.cells - 4.0)  # no decision that is worth exactly 0
    answer = break_even(problem, models)
    is_positive = answer.total > 0
    for row in answer.numbers:
        change = change_for(problem, row)
        for crossing in within(row.zero, change):
            short, beyond = (
                totals(moved(problem, change, value), models)[0].max()
                for value in sides(crossing.value, row.now)
            )
            assert (short > 0) == is_positive
            assert (beyond > 0) != is_positive
            if not crossing.is_jump:
                there = totals(moved(problem, change, crossing.value), models)[0].max()
                assert there == pytest.approx(0.0, abs=1e-9 * ROWS * 10)
    assert any(any(row.zero) for row in answer.numbers)


@pytest.mark.parametrize("name", IN_SUITE)
def test_at_every_value_a_decision_starts_or_stops(name):
    problem, models = models_for(name)
    answer = break_even(problem, models, reference="fine")
    assert answer.model == "fine"
    for row in answer.numbers:
        change = change_for(problem, row)
        for crossing in within(row.rule, change):
            short, beyond = (
                totals(moved(problem, change, value), models)[2].models[1].counts.sum(axis=0)
                for value in sides(crossing.value, row.now)
            )
            place = problem.decisions.index(crossing.becomes)
            assert (short[place] > 0) != (beyond[place] > 0)
            assert (beyond[place] > 0) == crossing.starts
    assert any(any(row.rule) for row in answer.numbers)


@pytest.mark.parametrize("name", ["mail", "priors", "three classes", "costs by case and priors"])
def test_kept_decisions_give_straight_totals_that_are_equal_at_the_value(name):
    problem, models = models_for(name)
    answer = break_even(problem, models, is_kept=True)
    seen = 0
    for row in answer.numbers:
        change = change_for(problem, row)
        if change.kind == "prior":
            continue  # its totals are straight too, but along no direction of the matrix
        for crossing in within(row.winner, change):
            seen += 1
            step = crossing.value - row.now
            there = [
                now + step * slope
                for now, slope in zip(
                    totals(problem, models)[0], slopes(problem, models, change), strict=True
                )
            ]
            ranked = sorted(there)
            assert ranked[-1] == pytest.approx(ranked[-2], rel=1e-9)
            assert crossing.total == pytest.approx(ranked[-1], rel=1e-9)
        assert row.rule == (None, None)
    assert seen


def slopes(problem, models, change):
    """What one more unit adds while decisions are kept: weighted counts times the direction."""
    result = analyse(problem, models)
    return [float(np.sum(entry.counts * change.delta)) for entry in result.models]


def test_the_cut_off_formula_says_when_a_decision_is_never_better():
    problem, models = models_for("mail")
    rows = {(row.level, row.decision): row for row in break_even(problem, models).numbers}
    assert rows[("0", "Mail")].never == 0.0  # a response that brings no more than doing nothing
    assert rows[("1", "Mail")].never == 0.0  # a letter that costs nothing: mail everybody
    assert rows[("0", "Do nothing")].never == 24.0
    assert rows[("1", "Do nothing")].never == -1.6


def test_a_parameter_of_shares_of_the_amount_is_a_share_and_not_money():
    """Of "loss" in -loss x amount nobody says € 0.45."""
    cells, shares = np.zeros((2, 2)), np.array([[-1.0, 0.0], [0.0, 0.0]])
    problem, _ = models_for("mail")
    for per_unit, of_amount, unit in (
        (cells, shares, "share"),
        (shares, cells, "money"),
        (shares, shares, "money"),
        (shares, None, "money"),
    ):
        loss = parameter_change(problem, "loss", "Loss", 0.45, per_unit, of_amount)
        assert loss.unit == unit


def test_a_parameter_moves_every_cell_that_follows_it():
    problem, models = models_for("mail")
    letter = parameter_change(
        problem, "letter", "a letter costs", 1.6, np.array([[-1.0, 0.0], [-1.0, 0.0]])
    )
    row = break_even(problem, models, changes=(letter,)).numbers[0]
    crossing = row.beaten[1]
    assert crossing is not None
    assert crossing.value > 1.6
    for value, pays in zip(sides(crossing.value, 1.6), (True, False), strict=True):
        own, fixed, _ = totals(
            replace(problem, cells=np.array([[25.6 - value, 0.0], [-value, 0.0]])), models
        )
        assert bool(own.max() > fixed.max()) is pays


def test_a_number_that_is_zero_has_no_distance_in_percent():
    problem, models = models_for("mail")
    rows = {(row.level, row.decision): row for row in break_even(problem, models).numbers}
    crossing = next(entry for entry in rows[("1", "Do nothing")].beaten if entry is not None)
    assert np.isnan(crossing.distance)


def test_missing_totals_are_refused_with_the_class():
    table = posteriors(50, 2)
    problem = mail_problem(
        table,
        outcome=np.ones(50, dtype=np.int32),
        priors=np.array([0.1, 0.9]),
        labels=("yes", "no"),
    )
    with pytest.raises(PayoffError, match="yes"):
        break_even(problem, (model(table),))


# ------------------------------------------------------------------ the parts


def test_switches_lead_to_the_best_line_of_every_case_at_any_value():
    draw = np.random.default_rng(9)
    base, slope = draw.normal(size=(2, 5)), draw.integers(-2, 3, (2, 5)).astype(float)
    probability = draw.random(200)
    cases = SwitchingCases(
        probabilities=np.vstack([probability, 1.0 - probability]),
        outcome=draw.integers(0, 2, 200).astype(np.int32),
        frequency=np.ones(200),
        costs={3: draw.random(200)},
    )
    pair = np.stack([base, slope])
    weights = np.stack([np.ones(2), np.zeros(2)])
    family = Family(expect=pair, mass=weights, real=pair, weight=weights)
    found = switches_of(cases, family, 1e-12, SwitchBuffers(200, 5))
    table = ProfitTable(1, 800)
    table.put_switches(0, found)
    for offset in (-50.0, -1.3, -0.2, 0.0, 0.4, 2.2, 50.0):
        height = (base + slope * offset).T @ cases.probabilities
        height[3] -= cases.costs[3]
        best = height.argmax(axis=0)
        realised = (base + slope * offset)[cases.outcome, best] - np.where(
            best == 3, cases.costs[3], 0.0
        )
        assert table.line(0).after(offset) == pytest.approx(realised.sum())
        moved = found.offset < offset
        counts = found.start_counts.copy()
        np.subtract.at(counts, found.moves[moved][:, 0], 1)
        np.add.at(counts, found.moves[moved][:, 1], 1)
        assert counts.tolist() == np.bincount(best, minlength=5).tolist()
        kept = kept_totals(cases, family, best)
        assert kept[0] + offset * kept[1] == pytest.approx(realised.sum())
    assert np.all(np.diff(np.minimum(found.offset, 1e9), axis=1) >= 0)


def random_line(seed, who):
    draw = np.random.default_rng(seed)
    return ProfitLine(
        knots=np.sort(draw.normal(size=6)),
        intercept=draw.normal(size=7),
        slope=draw.normal(size=7),
        who=np.full(7, who),
    )


def test_the_upper_of_two_lines_is_the_higher_everywhere():
    first, second = random_line(1, 0), random_line(2, 1)
    top = upper(first, second)
    for offset in np.linspace(-3, 3, 401):
        a, b = first.after(offset), second.after(offset)
        assert top.after(offset) == pytest.approx(max(a, b))
        if a != b:
            assert top.who_after(offset) == int(b > a)


def walked(lines, fixed, limits=(np.inf, np.inf)):
    """What the walk finds along some lines, below and above."""
    heights = [line.after(0.0) for line in lines]
    present = int(np.argmax(heights))
    table = ProfitTable(len(lines) + 1, 6)
    for place, line in enumerate((*lines, fixed)):
        table.put_line(place, line)
    found = np.empty((2, EVENTS, 2))
    for way in (0, 1):
        walk_outwards(
            table.knots,
            table.pieces,
            table.intercept,
            table.slope,
            present,
            heights[present] > fixed.after(0.0),
            heights[present] > 0.0,
            way == 0,
            limits[way],
            np.zeros(3),
            found[way],
        )
    return present, found


@pytest.mark.every_nth(4)
@pytest.mark.parametrize("seed", range(40))
def test_the_walk_outwards_finds_what_a_fine_search_finds(seed):
    lines = [random_line(10 * seed + place, place) for place in range(3)]
    fixed = random_line(10 * seed + 7, 0)
    present, found = walked(lines, fixed)
    steps = np.arange(0.0, 6.0, 1e-3) + 5e-4
    for way, sign in ((0, -1.0), (1, 1.0)):
        values = np.array([[line.after(sign * step) for step in steps] for line in lines])
        top, wall = values.max(axis=0), np.array([fixed.after(sign * step) for step in steps])
        happens = (
            values.argmax(axis=0) != present,
            (top > wall) != (lines[present].after(0.0) > fixed.after(0.0)),
            (top > 0) != (lines[present].after(0.0) > 0),
        )
        for event, is_so in enumerate(happens):
            distance = found[way, event, 0]
            if not is_so.any():
                assert np.isnan(distance) or distance > steps[-1]
                continue
            assert distance == pytest.approx(steps[is_so.argmax()], abs=1.1e-3)
            if event == OTHER:
                assert found[way, event, 1] == values[:, is_so.argmax()].argmax()


def test_a_walk_ends_at_its_limit_and_a_line_that_never_turns_has_no_turn():
    _, found = walked([straight(1.0, 0.5)], straight(-100.0, 0.5))
    assert np.isnan(found[1, ZERO]).all()  # upwards it only rises
    assert found[0, ZERO].tolist() == [2.0, 0.0]
    assert np.isnan(found[:, BEATEN]).all()
    _, found = walked([straight(1.0, 0.5)], straight(-100.0, 0.5), limits=(1.5, np.inf))
    assert np.isnan(found).all()


def test_a_change_knows_its_bounds():
    problem, _ = models_for("priors")
    prior = next(change for change in changes_of(problem) if change.kind == "prior")
    assert isinstance(prior, Change)
    assert (prior.low, prior.high, prior.now) == (0.0, 1.0, 0.1)


def test_a_loss_matrix_has_no_rule_of_losing_nothing():
    """Refusing costs something, too: no decision of the matrix loses 0 on all."""
    table = posteriors(400, 2, seed=3)
    cells = np.array([[100.0, 10.0], [0.0, 10.0]])
    names = {"decisions": ("Lend", "Refuse"), "kind": MatrixKind.LOSS}
    problem = mail_problem(table, cells, **names)
    found = break_even(problem, (model(table),))
    assert found.constant in problem.decisions
    assert found.constant_total < 0
    assert found.pays == (found.total > found.constant_total)
    plain = break_even(mail_problem(table, -cells, decisions=names["decisions"]), (model(table),))
    assert (plain.constant, plain.constant_total) == (NOTHING, 0.0)  # of profits it is one
