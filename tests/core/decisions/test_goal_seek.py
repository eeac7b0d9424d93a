"""Goal seek: values found are put in again, and every candidate of small problems is looked at."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from core.decisions import analyse
from core.decisions.sensitivity.changes import changes_of, moved
from core.decisions.sensitivity.goal_seek import EXACT, goal_values
from core.document.decisions.matrix_model import MatrixKind
from payoff.errors import PayoffError
from tests.core.decisions.break_even_samples import CASES, models_for
from tests.core.decisions.cases import MAIL, THREE, WIDE, mail_problem, model, posteriors


def total_of(problem, models, place=0):
    """The program's own total of one model's rule, as profit."""
    return analyse(problem, models).models[place].total.value


def is_there(total, wanted):
    """Whether a total is the wanted one."""
    return math.isclose(total, wanted, rel_tol=EXACT, abs_tol=1e-9)


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("factor", [0.5, 0.97, 1.03, 1.5])
@pytest.mark.parametrize("name", sorted(CASES))
def test_the_value_found_brings_what_is_wanted_in_the_programs_own_totals(name, factor):
    problem, models = models_for(name)
    now = total_of(problem, models, place=1)
    wanted = now + (factor - 1.0) * abs(now)
    answer = goal_values(problem, models, wanted, reference="fine")
    assert (answer.model, answer.total) == ("fine", pytest.approx(now, rel=1e-12))
    side, found = (1.0 if factor > 1 else -1.0), []
    for change, row in zip(changes_of(problem), answer.numbers, strict=True):
        assert (row.number, row.now) == (change.number, change.now)
        if not row.is_within_reach:
            assert side * (wanted - row.total) > 0
            continue
        there = total_of(moved(problem, change, row.value), models, place=1)
        assert row.total == pytest.approx(there, rel=1e-9, abs=1e-9)
        assert side * (there - wanted) >= -1e-9 * abs(wanted)
        assert row.is_exact == is_there(there, wanted)
        found.append(row)
    assert factor < 1 or any(row.is_exact for row in found)  # less than doing nothing: none may be


def candidates(problem, scores, change, wanted):
    """Every offset at which something can happen, by hand: switches of pairs, roots of pieces."""
    low, high = (
        max(change.low, change.now - 500.0),
        min(change.high, change.now + 500.0),
    )
    ends = moved(problem, change, low), moved(problem, change, high)
    tables = [
        (at.class_gains.T @ scores.posteriors) - at.constant_costs[:, np.newaxis] for at in ends
    ]
    switches = {low, high}
    for first, second in itertools.combinations(range(len(problem.decisions)), 2):
        gaps = [table[first] - table[second] for table in tables]
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = gaps[0] / (gaps[0] - gaps[1])
        switches.update(low + p * (high - low) for p in parts if 0 < p < 1)
    edges = sorted(switches)
    found = []
    for start, end in itertools.pairwise(edges):
        width = end - start
        inside = start + 0.25 * width, start + 0.75 * width
        totals = [total_of(moved(problem, change, v), (scores,)) for v in inside]
        turn = (totals[1] - totals[0]) / (0.5 * width)
        found.append((start, end, totals[0] - turn * 0.25 * width, turn))
    return found


def by_hand(problem, scores, change, wanted):
    """The least distance at which the total is wanted or beyond; inf where there is none."""
    now = total_of(problem, (scores,))
    side = 1.0 if wanted > now else -1.0
    least = math.inf
    for start, end, height, turn in candidates(problem, scores, change, wanted):
        for left, right in ((start, min(end, change.now)), (max(start, change.now), end)):
            if right <= left:
                continue
            near, far = (left, right) if left >= change.now else (right, left)
            at_near, at_far = (height + turn * (v - start) for v in (near, far))
            if side * (at_near - wanted) >= -1e-9:
                least = min(least, abs(near - change.now))
            elif side * (at_far - wanted) >= 0:
                least = min(least, abs(start + (wanted - height) / turn - change.now))
    return least


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("seed", range(6))
def test_nothing_nearer_brings_it_in_small_problems(seed):
    draw = np.random.default_rng(seed)
    cells = [MAIL, THREE, np.round(WIDE + draw.normal(0, 1, WIDE.shape), 1)][seed % 3]
    table = posteriors(12, len(cells), seed=seed)
    problem, scores = mail_problem(table, cells), model(table)
    now = total_of(problem, (scores,))
    for wanted in (now + draw.uniform(0.5, 9.0), now - draw.uniform(0.5, 9.0)):
        answer = goal_values(problem, (scores,), wanted)
        for change, row in zip(changes_of(problem), answer.numbers, strict=True):
            least = by_hand(problem, scores, change, wanted)
            if row.is_within_reach and abs(row.value - row.now) < 499.0:
                assert abs(row.value - row.now) == pytest.approx(least, rel=1e-6, abs=1e-6)
            else:
                assert least == math.inf


def test_where_nothing_brings_it_the_end_of_its_reach_is_given():
    table = posteriors(300, 2, seed=4)
    problem = mail_problem(table, priors=np.array([0.3, 0.7]))
    scores = model(table, old=np.array([0.5, 0.5]))
    now = total_of(problem, (scores,))
    answer = goal_values(problem, (scores,), 40.0 * abs(now))
    share = answer.numbers[-1]
    assert share.number.kind.value == "prior"
    assert not share.is_within_reach
    prior = changes_of(problem)[-1]
    tried = [total_of(moved(problem, prior, v), (scores,)) for v in np.linspace(0.01, 0.99, 99)]
    assert share.total >= max(tried) - 1e-9
    assert share.total == pytest.approx(max(tried), rel=0.05)


def test_the_share_of_perfect_foresight_is_that_of_the_totals():
    problem, models = models_for("three classes")
    result = analyse(problem, models)
    now, best = result.models[0].total.value, result.perfect_total
    answer = goal_values(problem, models, now + 0.25 * (best - now))
    assert answer.perfect == pytest.approx(best, rel=1e-12)
    assert answer.share == pytest.approx(0.25, rel=1e-9)
    assert math.isnan(goal_values(problem, models, now - 1.0).share)


def test_what_is_there_already_needs_no_change():
    problem, models = models_for("mail")
    answer = goal_values(problem, models, total_of(problem, models))
    assert all(row.value == row.now and row.is_exact for row in answer.numbers)


def test_a_jump_past_what_is_wanted_is_said():
    """Nine equal cases change at once: no value brings what lies between."""
    table = np.repeat(np.array([[0.5], [0.5]]), 9, axis=1)
    outcome = np.array([0] * 6 + [1] * 3, dtype=np.int32)
    problem = mail_problem(table, np.array([[1.0, 0.0], [-2.0, 0.0]]), outcome=outcome)
    scores = model(table)
    assert total_of(problem, (scores,)) == 0.0
    row = goal_values(problem, (scores,), 5.0).numbers[0]
    assert row.value == pytest.approx(2.0, abs=1e-5)
    assert row.value > 2.0
    assert not row.is_exact
    assert row.total == pytest.approx(6.0, abs=1e-4)


def test_losses_are_sought_as_profits():
    problem, models = models_for("loss")
    assert problem.kind is MatrixKind.LOSS
    other = replace(problem, cells=-problem.cells, kind=MatrixKind.PROFIT)
    wanted = 1.1 * total_of(problem, models)
    lost, won = (goal_values(entry, models, wanted) for entry in (problem, other))
    assert [row.value for row in lost.numbers] == pytest.approx(
        [-row.value for row in won.numbers], rel=1e-9
    )


def test_without_an_outcome_it_is_refused():
    problem, models = models_for("mail")
    with pytest.raises(PayoffError):
        goal_values(replace(problem, outcome=None), models, 1.0)
