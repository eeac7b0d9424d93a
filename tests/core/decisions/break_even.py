"""Shared by tests of break even."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.decisions import analyse
from core.decisions.sensitivity.break_even import has_nothing


def moved(problem, change, value):
    """The problem with one number at another value."""
    if change.kind == "prior":
        rest = problem.priors[1:] / problem.priors[1:].sum()
        return replace(problem, priors=np.append(value, (1.0 - value) * rest))
    if change.kind == "cost":
        amounts = problem.cost_amounts.copy()
        amounts[problem.decisions.index(change.decision)] = value
        return replace(problem, cost_amounts=amounts)
    return replace(
        problem, cells=problem.cells + problem.sense * (value - change.now) * change.delta
    )


def totals(problem, models):
    """Every model's total, and those of the constant rules."""
    result = analyse(problem, models)
    weight = result.class_weight
    gain = problem.consequences.gain[:, :-1]
    fixed = weight @ gain if not problem.cost_columns else constant_by_hand(problem, result)
    return (
        np.array([entry.total.value for entry in result.models]),
        fixed if has_nothing(problem) else np.append(fixed, 0.0),
        result,
    )


def constant_by_hand(problem, result):
    weight = (result.class_weight / result.class_counts)[problem.outcome]
    frequency = np.ones(len(weight)) if problem.frequency is None else problem.frequency
    by_class = [frequency[problem.outcome == t].sum() for t in range(len(problem.levels))]
    weight = (result.class_weight / by_class)[problem.outcome] * frequency
    sums = []
    for place in range(len(problem.decisions)):
        realised = problem.consequences.gain[problem.outcome, place]
        if place in problem.cost_columns:
            realised = realised - problem.cost_columns[place]
        sums.append(np.sum(weight * realised))
    return np.array(sums)


def noisy(table, seed, strength=0.25):
    """Posteriors that rank worse, for a second model."""
    draw = np.random.default_rng(seed)
    changed = np.clip(table + strength * draw.standard_normal(table.shape) * table, 1e-6, None)
    changed /= changed.sum(axis=0)
    if len(table) == 2:
        changed[1] = 1.0 - changed[0]
    return np.ascontiguousarray(changed)
