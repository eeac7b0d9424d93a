"""Columns of pandas tables, made without an object for every cell.

Break-even, winner map and what-if of ``payoff.decide``'s result, as tables.

Amounts are in the user's sense: for ``kind="loss"`` positive = money lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from core.data import printed
from core.data.levels import are_present
from core.decisions import CaseDecisions
from core.decisions.passes.decision_pass import UNDECIDED
from core.decisions.passes.per_case_values import choose, kept_codes, point_values
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.sensitivity.break_even import break_even
from core.decisions.sensitivity.changes import (
    Change,
    cell_change,
    cost_change,
    default_range,
    moved,
    prior_change,
)
from core.decisions.sensitivity.what_if import what_if
from core.decisions.sensitivity.winner_map import COARSE_STEPS, axis_of, winner_map
from core.document.results import Estimate
from core.document.studies.moving_numbers import BreakEvenRow, Crossing
from core.kernels import own_kernel, run_chunks
from payoff.errors import PayoffError
from payoff.types import AnyArray


def text_column(codes: AnyArray, texts: Sequence[str]) -> pd.Series:
    """A categorical of the texts that codes (n,) of small numbers stand for.

    Its categories are the texts that some row has, in their order.
    """
    found = np.flatnonzero(are_present(codes, len(texts))).tolist()
    words = list(dict.fromkeys(texts[code] for code in found))
    places = np.zeros(len(texts), dtype=np.int8 if len(words) <= 127 else np.int16)
    places[found] = [words.index(texts[code]) for code in found]
    kind = _kind_of(tuple(words))
    coded = np.empty(len(codes), dtype=places.dtype)
    run_chunks(fill_places, (codes, places, coded), len(codes))
    return pd.Series(pd.Categorical.from_codes(coded, dtype=kind, validate=False))


@own_kernel
def fill_places(codes: AnyArray, places: AnyArray, out: AnyArray, start: int, stop: int) -> None:
    """Fill the place of each code of some rows."""
    for row in range(start, stop):
        out[row] = places[codes[row]]


@lru_cache(maxsize=64)
def _kind_of(words: tuple[str, ...]) -> pd.CategoricalDtype:
    """The type of a column of these texts: pandas makes it longer than a table of few rows."""
    return pd.CategoricalDtype(list(words))


Number: TypeAlias = str | tuple[Any, str]
"""``(level, decision)`` is a cell, a decision its constant cost, "prior" the event's prior."""

Models: TypeAlias = tuple[ModelScores, ...]


@dataclass(frozen=True, kw_only=True)
class MapTables:
    """Tables with the values of y down and those of x across, both rising.

    ``winner`` holds names of models and of constant rules ("Mail for all"), ``profit`` what the
    winner brings, ``margin`` by how much it is ahead of the second.
    """

    winner: pd.DataFrame
    profit: pd.DataFrame
    margin: pd.DataFrame
    is_exact: bool
    cases: int
    error: float  # largest 95 % error of a margin from looking at a part of the cases
    checked: int
    missed: int


def number_change(problem: DecisionProblem, number: Number) -> Change:
    """The number that a script names.

    Raises
    ------
    PayoffError
        Naming what there is, if there is no such number.
    """
    if number == "prior":
        return prior_change(problem)
    if isinstance(number, tuple) and len(number) == 2:
        level, decision = printed(number[0]), number[1]
        if level in problem.levels and decision in problem.decisions:
            return cell_change(
                problem, problem.levels.index(level), problem.decisions.index(decision)
            )
    elif number in problem.decisions:
        place = problem.decisions.index(number)
        if place not in problem.cost_columns:
            return cost_change(problem, place)
    raise PayoffError(
        f"There is no number {number!r}.",
        why=f"Levels: {', '.join(problem.levels)}; decisions: {', '.join(problem.decisions)}.",
        remedy='Give (level, decision) for a cell, a decision for its constant cost, or "prior".',
    )


def break_even_table(problem: DecisionProblem, models: Models, *, is_kept: bool) -> pd.DataFrame:
    """One row per number; see ``Decisions.break_even``."""
    answer = break_even(problem, models, is_kept=is_kept)
    table = pd.DataFrame([_break_even_row(row) for row in answer.numbers])
    return table.set_index("number")


def _break_even_row(row: BreakEvenRow) -> dict[str, Any]:
    line: dict[str, Any] = {"number": row.name, "kind": row.kind, "now": row.now}
    for name in ("rule", "winner", "beaten", "zero"):
        below, above = getattr(row, name)
        line[f"{name}_below"], line[f"{name}_above"] = _value(below), _value(above)
        if name in ("winner", "beaten"):
            line[f"{name}_below_by"], line[f"{name}_above_by"] = _who(below), _who(above)
    line["never_from"] = float("nan") if row.never is None else row.never
    return line


def _value(crossing: Crossing | None) -> float:
    return float("nan") if crossing is None else crossing.value


def _who(crossing: Crossing | None) -> str:
    return "" if crossing is None else crossing.becomes


def winner_tables(
    problem: DecisionProblem,
    models: Models,
    numbers: tuple[Number, Number],
    ranges: tuple[tuple[float, float] | None, tuple[float, float] | None],
    steps: int | None,
) -> MapTables:
    """Who wins where; see ``Decisions.winner_map``."""
    axes = []
    for number, ends in zip(numbers, ranges, strict=True):
        change = number_change(problem, number)
        low, high = default_range(change, problem) if ends is None else ends
        axes.append(axis_of(change, low, high, steps or COARSE_STEPS))
    found = winner_map(problem, models, axes[0], axes[1])
    index = pd.Index(axes[1].values, name=axes[1].change.name)
    columns = pd.Index(axes[0].values, name=axes[0].change.name)
    names = np.array(
        [
            name if place < found.models else f"{name} for all"
            for place, name in enumerate(found.names)
        ]
    )

    def framed(values: Any) -> pd.DataFrame:
        return pd.DataFrame(values, index=index, columns=columns)

    return MapTables(
        winner=framed(names[found.winner]),
        profit=framed(problem.sense * found.profit),
        margin=framed(found.margin),
        is_exact=found.is_exact,
        cases=found.cases,
        error=found.error,
        checked=found.checked,
        missed=found.missed,
    )


def what_if_table(
    problem: DecisionProblem, models: Models, settings: Mapping[Number, float]
) -> pd.DataFrame:
    """One row per model; see ``Decisions.what_if``."""
    if not settings:
        raise PayoffError(
            "No number is to change.", remedy="Give {(level, decision): value} or the like."
        )
    changed = problem
    for number, value in settings.items():
        changed = _set(changed, number_change(problem, number), float(value))
    rows = []
    for entry in what_if(problem, changed, models):
        line: dict[str, Any] = {"model": entry.model}
        for name in ("now", "kept", "remade", "kept_change", "remade_change"):
            line[name] = problem.sense * getattr(entry, name).value
        line["kept_change_low"], line["kept_change_high"] = _ends(problem, entry.kept_change)
        line["remade_change_low"], line["remade_change_high"] = _ends(problem, entry.remade_change)
        line["cases_moved"] = entry.moved
        rows.append(line)
    return pd.DataFrame(rows).set_index("model")


def _set(problem: DecisionProblem, change: Change, value: float) -> DecisionProblem:
    """The problem with one number at another value; refuses a prior that is no share."""
    if change.is_prior and not 0 <= value <= 1:
        raise PayoffError("A prior must be a share from 0 to 1.", where=f"{value:g}")
    return moved(problem, change, value)


def _ends(problem: DecisionProblem, estimate: Estimate) -> tuple[float, float]:
    low, high = sorted((problem.sense * estimate.low, problem.sense * estimate.high))
    return low, high


def joined_models(own: ModelScores, others: Sequence[ModelScores]) -> Models:
    """The models side by side; refuses two of the same name."""
    models = (own, *others)
    names = [model.name for model in models]
    if len(set(names)) < len(names):
        raise PayoffError(
            "Two models have the same name.",
            where=", ".join(names),
            remedy="Compare results that come from different posterior columns.",
        )
    return models


def jensen_gap(
    problem: DecisionProblem, model: ModelScores, cases: CaseDecisions
) -> dict[str, float]:
    """What a distribution says beyond its mean; refuses scores without one."""
    if model.quantiles is None:
        raise PayoffError(
            "There is no distribution to compare with its mean.",
            remedy="Give quantiles={level: column}.",
        )
    point = point_values(problem, model)
    chosen = kept_codes(*choose(point, problem.tie_tolerance))
    known = cases.decision != UNDECIDED
    weight = np.ones(known.shape[0])
    if problem.frequency is not None:
        weight = np.where(problem.frequency > 0, problem.frequency, 0.0)
    own = np.where(known, cases.decision, 0).astype(np.int64)
    at_point = np.take_along_axis(point, own[np.newaxis], axis=0)[0]
    size = float(weight[known].sum())
    changed = float(weight[known & (chosen != cases.decision)].sum())
    gap = (cases.expected - at_point)[known]
    return {
        "expected": problem.sense * float(weight[known] @ gap),
        "changed": changed / size if size else float("nan"),
    }
