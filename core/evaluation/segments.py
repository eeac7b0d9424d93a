"""Groups of cases: which case is in which, and the problem of one group alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.document.wording import format_number
from core.evaluation.cases import JudgedCases
from core.evaluation.problem import EvaluationProblem, JudgedScores, MetricRequest
from payoff.counting import counted
from payoff.types import AnyArray, CodeArray, FloatArray, IntArray

MISSING = "missing"


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The group of each case, (n,) codes into ``names``."""

    codes: IntArray
    names: tuple[str, ...]


def groups_of_levels(codes: CodeArray, levels: Sequence[str], most: int) -> Groups:
    """Groups by level, the largest first; beyond ``most`` the smallest are pooled.

    Parameters
    ----------
    codes : (n,) int32
        -1 = missing, which is a group of its own.
    """
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    present = [int(place) for place in np.argsort(-counts, kind="stable") if counts[place] > 0]
    has_missing = bool((codes < 0).any())
    room = most - has_missing
    kept = present if len(present) <= room else present[: room - 1]
    names = [levels[place] for place in kept]
    lookup = np.full(len(levels) + 1, len(kept), dtype=np.int64)
    lookup[kept] = np.arange(len(kept))
    pooled = len(present) - len(kept)
    if pooled:
        names.append(counted(pooled, "other value"))
    if has_missing:
        lookup[-1] = len(names)
        names.append(MISSING)
    return Groups(lookup[codes], tuple(names))


def groups_of_numbers(values: FloatArray, groups: int) -> Groups:
    """Groups of equal size by value, lowest first; equal values stay together, NaN apart."""
    known = ~np.isnan(values)
    edges = np.unique(np.quantile(values[known], np.arange(1, groups) / groups))
    place = np.searchsorted(edges, values, side="left").astype(np.int64)
    place[~known] = len(edges) + 1
    used, dense = np.unique(place, return_inverse=True)
    names = []
    for number in used:
        if number == len(edges) + 1:
            names.append(MISSING)
            continue
        here = values[place == number]
        low, high = (_shown(float(end)) for end in (here.min(), here.max()))
        names.append(low if low == high else f"{low} to {high}")
    return Groups(dense.astype(np.int64), tuple(names))


def _shown(value: float) -> str:
    if (value == round(value) or abs(value) >= 1000) and abs(value) < 1e7:
        return format_number(value, 0)
    return f"{value:.4g}"


def problem_of_group(
    problem: EvaluationProblem,
    cases: JudgedCases,
    rows: IntArray,
    metrics: tuple[MetricRequest, ...],
    *,
    is_prior_weighted: bool,
) -> EvaluationProblem:
    """The problem of some of the cases.

    Priors are shares of all cases, not of a group: a group's cases keep the weight that priors
    give them among all, and the group is not weighted to priors of its own.
    """
    frequency = None if problem.frequency is None else problem.frequency[rows]
    if is_prior_weighted and cases.factor is not None:
        frequency = cases.prior_weight[rows]
    return replace(
        problem,
        models=tuple(_part(model, rows) for model in problem.models),
        metrics=metrics,
        rows=replace(problem.rows, rows=len(rows)),
        outcome=None if problem.outcome is None else problem.outcome[rows],
        target=None if problem.target is None else problem.target[rows],
        frequency=frequency,
        priors=None,
        extras={name: column[rows] for name, column in problem.extras.items()},
        row_numbers=None if problem.row_numbers is None else problem.row_numbers[rows],
    )


def _part(model: JudgedScores, rows: IntArray) -> JudgedScores:
    def taken(values: FloatArray | None) -> FloatArray | None:
        return None if values is None else np.ascontiguousarray(values[..., rows])

    extras: dict[str, AnyArray] = {name: column[rows] for name, column in model.extras.items()}
    return replace(
        model,
        posteriors=taken(model.posteriors),
        prediction=taken(model.prediction),
        fit_posteriors=taken(model.fit_posteriors),
        extras=extras,
    )
