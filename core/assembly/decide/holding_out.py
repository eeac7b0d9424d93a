"""The hold-out of the dialog that saves decisions."""

from __future__ import annotations

from dataclasses import replace

from core.assembly.context import AssemblyContext, table_of
from core.assembly.decide.decided_table import (
    decide_table,
    with_hold_out,
)
from core.assembly.decide.rule import (
    cursor_cut_off,
)
from core.data import LoadedTable, file_stamp, with_derived_columns
from core.decisions.studies.hold_out import POWER, SIGNIFICANCE
from core.document.model import Document
from core.document.studies.decision_files import HoldOutResult
from core.questions.decide import HoldOutPlan


def weigh_hold_out(
    document: Document, question: HoldOutPlan, context: AssemblyContext
) -> HoldOutResult:
    """What keeping a share of the chosen out would cost and could show."""
    cut = cursor_cut_off(document, question.model, context) if question.use_cursor else None
    table = (
        _other_file(document, question, context) if question.path else table_of(document, context)
    )
    everyone = document
    if question.path:  # of another file every row is decided
        everyone = replace(document, split=replace(document.split, where=""))
    decided = decide_table(table, everyone, question.model, cut, context, evaluated=document)
    held = with_hold_out(decided, question.share, question.seed).hold_out
    assert held is not None  # a share was given
    return HoldOutResult(
        chosen=held.chosen,
        held=held.held,
        forgone=held.forgone,
        event_rate=held.event_rate,
        smallest_effect=held.smallest_effect,
        power=POWER,
        significance=SIGNIFICANCE,
    )


def _other_file(document: Document, question: HoldOutPlan, context: AssemblyContext) -> LoadedTable:
    """The file that the rule is applied to, kept in memory while shares are tried."""
    try:
        known = file_stamp(question.path)
    except OSError:
        return context.tables.read(question.path, question.reader, context)  # refuses
    project = document.data
    derived = project.recipe.derived if project is not None else ()
    key = ("applied", question.path, known, question.reader, derived)

    def make() -> tuple[LoadedTable, int]:
        table = context.tables.read(question.path, question.reader, context)
        return with_derived_columns(table, derived), known.size

    found: LoadedTable = context.cache.get_or_make(key, make)
    return found
