"""What ``payoff.decide`` refuses or warns of beyond what every document is checked for."""

from __future__ import annotations

import numpy as np

from core.assembly.cases import outcome_of
from core.assembly.decide.decided_table import (
    DecidedTable,
)
from core.data import LoadedTable, encode_levels, place_of
from core.document.decisions.formulas import AMOUNT
from core.document.model import Document
from core.engine.context import JobContext
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray


def check_levels(table: LoadedTable, document: Document, context: JobContext) -> None:
    """Refuse levels of the matrix that the data write with other capitals, or lack wholly."""
    target = document.target
    assert target is not None  # every document of a request has one
    if not target.levels or target.column not in table.kinds:
        return
    _, warnings = outcome_of(table, target, context)
    if not warnings:
        return  # the matrix knows every value
    _, found = encode_levels(table, target.column)
    missing = [level for level in found if level not in target.levels]
    if len(target.levels) == 1 and missing:
        raise PayoffError(
            f"The matrix has no row for '{missing[0]}'.",
            where=f"level {missing[0]}",
            why=f"'{target.column}' has the levels {', '.join(found[:8])}.",
            remedy="Give one row per level.",
        )
    folded = {level.casefold(): level for level in found}
    for level in target.levels:
        other = folded.get(level.casefold())
        if level not in found and other is not None:
            raise PayoffError(
                f"The matrix has a row '{level}', the data have '{other}'.",
                where=f"level {level}",
                why="Levels match by their printed form, capitals included.",
                remedy=f"Write '{other}' in the matrix.",
            )


def decided_warnings(made: DecidedTable) -> tuple[str, ...]:
    """What is to be said of the cases that were decided: what was read, amounts and costs."""
    crossed = 0 if made.scores.quantiles is None else made.scores.quantiles.crossed
    described = (
        f"The quantiles of {counted(crossed, 'case crosses', 'cases cross')}: they were put "
        "in order.",
    )
    return (
        *made.cases.warnings,
        *(described if crossed else ()),
        *_amount_warnings(made),
        *_cost_warnings(made),
    )


def _amount_warnings(made: DecidedTable) -> tuple[str, ...]:
    """Warn of amounts that are missing (those cases are marked C), or that change nothing."""
    column, amounts = made.matrix.spec.amount, made.problem.amounts
    if column is None:
        return ()
    if amounts is None:
        return (f"No cell of the matrix says {AMOUNT}, so '{column}' changes nothing.",)
    words = "amounts are missing: these cases are marked C"
    return _first_of(made.table, column, ~np.isfinite(amounts.values), words)


def _cost_warnings(made: DecidedTable) -> tuple[str, ...]:
    """Warn of costs that are missing (those cases are marked C) or below zero."""
    warnings: list[str] = []
    for decision, values in made.problem.cost_columns.items():
        column = made.matrix.spec.costs[decision].column or ""
        costs = f"costs of “{made.problem.decisions[decision]}” are"
        for is_bad, words in (
            (~np.isfinite(values), "missing: these cases are marked C"),
            (values < 0, "below 0: a cost that brings money"),
        ):
            warnings += _first_of(made.table, column, is_bad, f"{costs} {words}")
    return tuple(warnings)


def _first_of(table: LoadedTable, column: str, is_bad: BoolArray, words: str) -> tuple[str, ...]:
    """How many values of a column are so, and where the first is."""
    bad = np.flatnonzero(is_bad)
    if not len(bad):
        return ()
    where = place_of(table, int(bad[0]), column)
    return (f"{len(bad):,} of {len(is_bad):,} {words}. The first: {where}.",)
