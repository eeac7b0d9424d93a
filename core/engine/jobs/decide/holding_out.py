"""The job behind the hold-out of the dialog that saves decisions."""

from __future__ import annotations

from dataclasses import replace

from core.data import LoadedTable, file_stamp, with_derived_columns
from core.decisions.studies.hold_out import POWER, SIGNIFICANCE
from core.document.studies.hold_out import HoldOutArguments, HoldOutResult
from core.engine.context import JobContext
from core.engine.jobs.data.tables import table_of
from core.engine.jobs.decide.rule import cut_off
from core.engine.jobs.decide.saving import decide_table, with_hold_out


def weigh_hold_out(arguments: HoldOutArguments, context: JobContext) -> HoldOutResult:
    """What keeping a share of the chosen out would cost and could show."""
    document = arguments.document
    cut = cut_off(document, arguments.model, context) if arguments.use_cursor else None
    table = _other_file(arguments, context) if arguments.path else table_of(document, context)
    if arguments.path:  # of another file every row is decided
        document = replace(document, split=replace(document.split, where=""))
    decided = decide_table(table, document, arguments.model, cut, context)
    held = with_hold_out(decided, arguments.share, arguments.seed).hold_out
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


def _other_file(arguments: HoldOutArguments, context: JobContext) -> LoadedTable:
    """The file that the rule is applied to, kept in memory while shares are tried."""
    try:
        known = file_stamp(arguments.path)
    except OSError:
        return context.workbench.read(arguments.path, arguments.reader, context)  # refuses
    project = arguments.document.data
    derived = project.recipe.derived if project is not None else ()
    key = ("applied", arguments.path, known, arguments.reader, derived)

    def make() -> tuple[LoadedTable, int]:
        table = context.workbench.read(arguments.path, arguments.reader, context)
        return with_derived_columns(table, derived), known.size

    found: LoadedTable = context.workbench.cache.get_or_make(key, make)
    return found
