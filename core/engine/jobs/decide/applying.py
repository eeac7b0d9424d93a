"""The job that applies a rule to another file: no outcome needed, totals named as expected."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core import data
from core.assembly.cases import prior_warnings
from core.assembly.decide.decided_table import (
    DecidedTable,
    decide_table,
)
from core.assembly.decide.new_cases import check_new_cases, decided_cases, level_lines
from core.assembly.decide.rule import (
    cursor_cut_off,
)
from core.data import LoadedTable
from core.document.data.results import RowsPage
from core.document.model import Document, Role
from core.document.results import Advice, AppliedShift, ApplyResult
from core.engine.context import JobContext
from core.engine.jobs.decide.saving import (
    write_decisions,
)
from core.engine.messages import ApplyArguments

PREVIEW_ROWS = 100


def apply_rule(arguments: ApplyArguments, context: JobContext) -> ApplyResult:
    """Decide the rows of another file by the document's rule; save them if asked to.

    The file needs the columns of the rule (chances, costs), not the outcome; levels and columns
    are checked before anything is decided.
    """
    document = arguments.document
    table = _table(arguments, context)
    checks = data.check_same_roles(table, document, (arguments.model,))
    use_cursor = arguments.save is not None and arguments.save.use_cursor
    cut = cursor_cut_off(document, arguments.model, context) if use_cursor else None
    everyone = replace(document, split=replace(document.split, where=""))
    decided = decide_table(table, everyone, arguments.model, cut, context, evaluated=document)
    decided = replace(decided, document=document)  # the record names the project's filter
    shift, lines = shift_of(decided, context)
    warnings = (
        *checks,
        *filter_warnings(document),
        *decided.cases.warnings,
        *prior_warnings(document, arguments.model),
    )
    saved = None
    if arguments.save is not None:
        request = replace(arguments.save, document=document, model=arguments.model)
        saved = write_decisions(decided, request, warnings, context)
    totals = dict(decided.totals)
    columns, page = _preview(decided)
    return ApplyResult(
        path=arguments.path,
        rows=table.rows,
        expected_total=totals.get("expected_total", float("nan")),
        counts=decided.counts,
        realised_total=totals.get("realised_total"),
        saved=saved,
        preview=page,
        preview_columns=columns,
        warnings=warnings,
        checks=lines,
        shift=shift,
    )


def filter_warnings(document: Document) -> tuple[str, ...]:
    """That a row filter of the project leaves no case of another file out."""
    where = document.split.where
    if not where:
        return ()
    return (
        f"The project's numbers come from rows where {where}; here every row of the file is "
        "decided, whether that is true of it or not.",
    )


def shift_of(
    decided: DecidedTable, context: JobContext
) -> tuple[AppliedShift | None, tuple[Advice, ...]]:
    """How like the evaluated rows some decided cases are, with levels never seen."""
    new = decided_cases(decided.problem, decided.scores, decided.decided.decision)
    shift, lines = check_new_cases(new, decided.evaluated, decided.model, decided.cut, context)
    unseen = level_lines(decided.table, decided.evaluated, decided.model, context)
    return shift, (*lines, *unseen)


def _table(arguments: ApplyArguments, context: JobContext) -> LoadedTable:
    table = context.tables.read(arguments.path, arguments.reader, context)
    known = arguments.document.data
    if known is not None:
        table = data.with_derived_columns(table, known.recipe.derived)
    context.tables.keep(table)
    return table


def _preview(decided: DecidedTable) -> tuple[tuple[str, ...], RowsPage]:
    """The first rows: id (or row number), chance of the event or prediction, decision, amount."""
    target = decided.document.target
    assert target is not None
    rows = min(PREVIEW_ROWS, decided.table.rows)
    identity = decided.document.column_of(Role.ID)
    has_identity = identity is not None and identity in decided.table.kinds
    first = [str(number) for number in range(1, rows + 1)]
    if has_identity and identity is not None:
        first = data.column_as_text(decided.table, identity)[:rows]
    scores = decided.scores.predicted
    if scores is None:
        corrected = decided.decided.posteriors
        scores = (decided.scores.posteriors if corrected is None else corrected)[0]
    money = decided.problem.sense * decided.decided.expected
    if not decided.has_chances:
        scores, money = np.full_like(scores, np.nan), np.full_like(money, np.nan)
    names = decided.names
    cells = tuple(
        (first[row], _short(scores[row]), str(names[row]), _short(money[row]))
        for row in range(rows)
    )
    letter = "L" if decided.problem.sense < 0 else "P"
    headings = (
        identity if has_identity and identity is not None else "row",
        f"P_{target.column}{target.event}",
        f"D_{target.column}",
        f"E{letter}_{target.column}",
    )
    return headings, RowsPage(start=0, rows=cells)


def _short(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.6g}"
