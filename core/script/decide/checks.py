"""What ``payoff.decide`` refuses or warns of before anyone trusts a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.data import LoadedTable, encode_levels, place_of, printed
from core.data.outcome_gaps import is_empty, refuse_missing_outcomes
from core.decisions import DecisionProblem
from core.document.data.missing_outcomes import MissingOutcomes
from core.script.session import missing_outcomes_of
from payoff.errors import PayoffError
from payoff.types import FloatArray

SUM_TOLERANCE = 1e-6


def check_posteriors(
    table: LoadedTable, columns: Mapping[str, str], values: Mapping[str, FloatArray]
) -> tuple[str, ...]:
    """Refuse percentages and sums other than 1; warn of single values outside 0 to 1.

    Parameters
    ----------
    table : LoadedTable
    columns : mapping of level to column name
    values : mapping of level to array (n,)
    """
    warnings = []
    for level, column in columns.items():
        chance = values[level]
        bad = np.flatnonzero((chance < 0) | (chance > 1))
        if not len(bad):
            continue
        where = place_of(table, int(bad[0]), column, f"{chance[bad[0]]:g}")
        high, low = float(np.nanmax(chance)), float(np.nanmin(chance))
        if 2 * len(bad) > len(chance):
            is_percent = low >= 0 and high <= 100
            raise PayoffError(
                "Most posteriors lie outside 0 to 1.",
                where=where,
                why=f"{len(bad):,} of {len(chance):,} values do. They look like "
                + ("percentages." if is_percent else "scores, not chances."),
                remedy="Divide them by 100."
                if is_percent
                else "Turn the score into chances first: payoff.fit_chances.",
            )
        warnings.append(
            f"{len(bad):,} of {len(chance):,} values of '{column}' lie outside 0 to 1 and are "
            f"marked P: the first is {where}."
        )
    return tuple(warnings)


def check_sums(table: LoadedTable, chances: FloatArray, column: str) -> None:
    """Refuse rows of good posteriors that do not sum to 1.

    Parameters
    ----------
    chances : array (levels, n)
        With a column for every level.
    """
    is_good = ((chances >= 0) & (chances <= 1)).all(axis=0)
    sums = chances.sum(axis=0)
    bad = np.flatnonzero(is_good & (np.abs(sums - 1.0) > SUM_TOLERANCE))
    if len(bad):
        row = int(bad[0])
        raise PayoffError(
            "Posteriors do not sum to 1.",
            where=f"{place_of(table, row, column)}, sum {sums[row]:.9g}",
            why=f"{len(bad):,} of {chances.shape[1]:,} rows are off by more than 0.000001.",
            remedy="Save the posteriors with more digits, or leave one level out: its chance is "
            "what the others leave.",
        )


def check_spelling(table: LoadedTable, target: str, levels: tuple[str, ...]) -> None:
    """Refuse levels of the matrix that the data write with other capitals."""
    _, found = encode_levels(table, target)
    missing = [level for level in found if level not in levels]
    if len(levels) == 1 and missing:
        raise PayoffError(
            f"The matrix has no row for '{missing[0]}'.",
            where=f"level {missing[0]}",
            why=f"'{target}' has the levels {', '.join(found[:8])}.",
            remedy="Give one row per level.",
        )
    folded = {level.casefold(): level for level in found}
    for level in levels:
        other = folded.get(level.casefold())
        if level not in found and other is not None:
            raise PayoffError(
                f"The matrix has a row '{level}', the data have '{other}'.",
                where=f"level {level}",
                why="Levels match by their printed form, capitals included.",
                remedy=f"Write '{other}' in the matrix.",
            )


def check_outcomes(table: LoadedTable, target: str, missing_outcomes: str) -> None:
    """Refuse rows without an outcome until it is said that they may be left out.

    Raises
    ------
    PayoffError
    """
    if missing_outcomes_of(missing_outcomes) is MissingOutcomes.ASK:
        refuse_missing_outcomes(table, target, is_empty(table, target))


def cost_warnings(
    table: LoadedTable, costs: Sequence[float | str] | None, problem: DecisionProblem
) -> tuple[str, ...]:
    """Warn of costs that are missing (those cases are marked C) or below zero."""
    warnings = []
    for decision, values in problem.cost_columns.items():
        column = str(costs[decision]) if costs is not None else ""
        for is_bad, words in (
            (~np.isfinite(values), "missing: these cases are marked C"),
            (values < 0, "below 0: a cost that brings money"),
        ):
            bad = np.flatnonzero(is_bad)
            if len(bad):
                where = place_of(table, int(bad[0]), column)
                warnings.append(
                    f"{len(bad):,} of {len(values):,} costs of “{problem.decisions[decision]}” are "
                    f"{words}. The first: {where}."
                )
    return tuple(warnings)


def number_of(value: Any, what: str, where: str) -> float:
    """A number that was typed in a matrix or a list of shares; refuses text, naming its place."""
    try:
        return float(value)
    except (TypeError, ValueError) as reason:
        raise PayoffError(
            f"{what} is {printed(value)!r}, which is no number.",
            where=where,
            remedy="Give a number.",
        ) from reason
