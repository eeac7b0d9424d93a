"""Where the window answers each question: on a page, in a tab or study of it, or in a dialog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from core.questions.question import Question
from gui.shell.page_list import PAGES, PageId


class Opener(Protocol):
    """The window, as far as a question is gone to."""

    def show_part(self, page: PageId, part: str = "") -> None:
        """Bring a page to the front, and a tab or a study of it."""

    def open_dialog(self, key: str) -> object:
        """Open a dialog by its key in ``gui.shell.dialogs.by_key``."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question is answered: a dialog, else a page with one of its parts."""

    page: PageId
    part: str = ""
    dialog: str = ""

    @property
    def title(self) -> str:
        """The title of its page, as the rail has it."""
        return next(entry.title for entry in PAGES if entry.key == self.page)

    def open(self, window: Opener) -> None:
        """Go there."""
        if self.dialog:
            window.open_dialog(self.dialog)
        else:
            window.show_part(self.page, self.part)


_DIALOGS: Mapping[str, str] = {
    "data.overlap": "overlap",
    "data.join": "add_columns",
    "data.expression": "derive_column",
    "compare.chances": "chances",
    "decide.hold_out": "save_decisions",
    "decide.expect_list": "apply_rule",
    "decide.reconcile": "reconcile",
    "decide.workbook": "read_workbook",
}
_PARTS: Mapping[str, str] = {
    "compare.rows": "compare_rows",
    "compare.shift": "compare_populations",
    "compare.segments": "by_group",
    "compare.power": "detect_difference",
    "compare.definitions": "compare_definitions",
    "compare.survival": "survival",
    "compare.bounds": "bound_losses",
    "decide.capacity": "decide.capacity",
    "decide.gap": "decide.gap",
    "decide.swap": "decide.swap",
    "decide.basis": "decide.basis",
    "decide.rankings": "decide.rankings",
    "decide.break_even": "decide.break_even",
    "decide.goal_seek": "decide.goal_seek",
    "decide.winner_map": "decide.winner_map",
    "decide.what_if": "decide.what_if",
    "decide.cases": "decide.cases",
    "decide.case_page": "decide.cases",
    "decide.case_cloud": "decide.cases",
    "uplift.slices": "slices",
    "uplift.arms": "arms",
    "uplift.row_order": "order",
    "uplift.metrics": "metrics",
    "uplift.next_test": "next_test",
    "uplift.variance": "variance",
    "explain.one_case": "case",
    "explain.find_case": "what_if",
    "explain.what_if": "what_if",
    "experiments.iterations": "shrinkage",
}
"""The tab or study of the page; a question that is named nowhere is answered by its page itself."""


def place_of(record: type[Question[Any]]) -> Place:
    """Return where a question is answered."""
    key = record.facts.key
    return Place(PageId(record.facts.page), _PARTS.get(key, ""), _DIALOGS.get(key, ""))
