"""The line above the page that asks once what is done with rows without an outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.document.markup import joined
from core.document.wording import format_count
from gui.outcome_watch import GapWatch
from gui.parts.labels import strong
from gui.parts.notice import Notice

if TYPE_CHECKING:
    from gui.workspace import Workspace


class OutcomeQuestion(QObject):
    """Shows how many such rows there are and which, with the button that allows to go on."""

    def __init__(self, workspace: Workspace, watch: GapWatch, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._watch = watch
        self.notice = Notice()
        watch.changed.connect(self._show)

    def _show(self) -> None:
        gaps, outcome = self._watch.gaps, self._watch.outcome_of(self._workspace.document)
        if gaps is None or not outcome:
            self.notice.dismiss()
            return
        one = self.tr("%s of %s rows has no outcome in “%s”")
        several = self.tr("%s of %s rows have no outcome in “%s”")
        counts = (format_count(gaps.rows), format_count(gaps.total), outcome)
        head = (one if gaps.rows == 1 else several) % counts
        rest = self.tr("(%s). No number is computed from the other rows until you allow it.")
        self.notice.show_text(joined((strong(head), rest % gaps.words), " "), "info")
        self.notice.offer(self.tr("Leave them out"), self.leave_out)

    def leave_out(self) -> None:
        """Leave out the rows without an outcome, as an undo step."""
        self._workspace.execute(self._watch.answer())
