"""What-if: decisions kept and made again, against the same worked out case by case."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.decisions import analyse, decide_cases
from core.decisions.sensitivity.what_if import what_if
from payoff.errors import PayoffError
from tests.core.decisions.cases import THREE, WIDE, class_weights, mail_problem, model, posteriors

DEARER = np.array([[20.0, 26.0, 0.0], [-3.0, -4.5, 0.0]])


def by_hand(problem, changed, scores):
    """Weighted amounts of each case: now, kept, made again."""
    before, after = decide_cases(problem, scores).decision, decide_cases(changed, scores).decision
    counted = np.ones(len(before), dtype=bool)
    found = []
    for at, decision in ((problem, before), (changed, before), (changed, after)):
        gain = at.consequences.gain[at.outcome, decision]
        for place, column in at.cost_columns.items():
            gain = gain - np.where(decision == place, column, 0.0)
        found.append(class_weights(at, counted)[0][at.outcome] * gain)
    return (*found, float(np.sum((before != after) * frequency_of(problem))))


def frequency_of(problem):
    rows = len(problem.outcome)
    return np.ones(rows) if problem.frequency is None else problem.frequency


def variance(problem, values, is_within):
    frequency = frequency_of(problem)
    groups = (
        [problem.outcome == t for t in range(len(problem.levels))] if is_within else [slice(None)]
    )
    total = 0.0
    for rows in groups:
        f, v = frequency[rows], values[rows]
        total += np.sum(f * (v - np.sum(f * v) / f.sum()) ** 2)
    return total


def settings():
    two, three = posteriors(900, 2), posteriors(900, 3)
    weights = np.random.default_rng(1).integers(1, 4, 900).astype(float)
    costs = np.random.default_rng(2).uniform(0, 4, 900)
    priors = np.array([0.1, 0.9])
    plain = mail_problem(two, THREE, frequency=weights)
    with_priors = mail_problem(two, THREE, priors=priors)
    by_case = mail_problem(three, WIDE, cost_columns={1: costs}, frequency=weights)
    return {
        "cells": (plain, replace(plain, cells=DEARER), two, None),
        "priors": (
            with_priors,
            replace(with_priors, priors=np.array([0.2, 0.8]), cells=DEARER),
            two,
            np.array([0.5, 0.5]),
        ),
        "costs by case": (by_case, replace(by_case, cells=WIDE + 1.0), three, None),
        "dearer costs": (by_case, replace(by_case, cost_columns={1: 2 * costs}), three, None),
    }


@pytest.mark.parametrize("name", sorted(settings()))
def test_totals_changes_and_intervals_agree_with_case_by_case(name):
    problem, changed, table, old = settings()[name]
    scores = model(table, old=old)
    (found,) = what_if(problem, changed, (scores,))
    now, kept, remade, moved = by_hand(problem, changed, scores)
    frequency = frequency_of(problem)
    is_within = problem.priors is not None
    for estimate, values in (
        (found.now, now),
        (found.kept, kept),
        (found.remade, remade),
        (found.kept_change, kept - now),
        (found.remade_change, remade - now),
    ):
        assert estimate.value == pytest.approx(np.sum(frequency * values), rel=1e-9, abs=1e-9)
        half = 1.959963984540054 * np.sqrt(variance(problem, values, is_within))
        assert estimate.high - estimate.value == pytest.approx(half, rel=1e-6, abs=1e-6)
    assert found.moved == pytest.approx(moved)


def test_now_and_made_again_are_the_totals_of_the_analysis():
    problem, changed, table, old = settings()["priors"]
    scores = model(table, old=old)
    (found,) = what_if(problem, changed, (scores,))
    for estimate, at in ((found.now, problem), (found.remade, changed)):
        total = analyse(at, (scores,)).models[0].total
        assert (estimate.value, estimate.low, estimate.high) == pytest.approx(
            (total.value, total.low, total.high)
        )


def test_nothing_changed_changes_nothing():
    problem, _, table, _ = settings()["cells"]
    (found,) = what_if(problem, problem, (model(table),))
    assert found.moved == 0
    assert found.kept_change.value == found.remade_change.value == 0
    assert found.kept_change.low == found.kept_change.high == 0


def test_rows_that_do_not_count_are_left_out():
    problem, changed, table, _ = settings()["cells"]
    spoiled = table.copy()
    spoiled[:, :100] = np.nan
    (found,) = what_if(problem, changed, (model(spoiled),))
    less = {"outcome": problem.outcome[100:], "frequency": problem.frequency[100:]}
    rest = np.ascontiguousarray(table[:, 100:])
    (expected,) = what_if(replace(problem, **less), replace(changed, **less), (model(rest),))
    assert found.remade_change == expected.remade_change


def test_a_class_without_cases_leaves_totals_undefined():
    table = posteriors(60, 2)
    outcome = np.ones(60, dtype=np.int32)
    problem = mail_problem(table, outcome=outcome, priors=np.array([0.1, 0.9]))
    (found,) = what_if(problem, replace(problem, cells=problem.cells + 1), (model(table),))
    assert np.isnan(found.remade.value)


def test_other_decisions_cannot_be_compared():
    problem, changed, table, _ = settings()["cells"]
    other = replace(changed, decisions=("Write", "Call", "Do nothing"))
    with pytest.raises(PayoffError, match="compared"):
        what_if(problem, other, (model(table),))
