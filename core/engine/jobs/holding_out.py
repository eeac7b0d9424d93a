"""The job behind the hold-out of the dialog that saves decisions."""

from __future__ import annotations

from core.decisions.hold_out import POWER, SIGNIFICANCE
from core.document.studies.hold_out import HoldOutArguments, HoldOutResult
from core.engine.context import JobContext
from core.engine.jobs.rule import cut_off
from core.engine.jobs.saving import decide_table, with_hold_out
from core.engine.jobs.tables import table_of


def weigh_hold_out(arguments: HoldOutArguments, context: JobContext) -> HoldOutResult:
    """What keeping a share of the chosen out would cost and could show."""
    document = arguments.document
    cut = cut_off(document, arguments.model, context) if arguments.use_cursor else None
    table = table_of(document, context)
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
