"""The entries for the committee: they belong to no page, and follow the results of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.document.report.commands import COMMITTEE
from gui.pages.report.parts import ReportPart

if TYPE_CHECKING:
    from core.document.model import Document
    from core.presentation.view import View
    from gui.session.project import Project
    from gui.session.results import Results


class CommitteeEntries(QObject):
    """What the report asks for them, as it asks a page."""

    def __init__(self, project: Project, results: Results, parent: QObject) -> None:
        super().__init__(parent)
        self._project, self._results = project, results

    def report_parts(self) -> tuple[ReportPart, ...]:
        """All of them, once one is on the report."""
        if not any(item.kind in COMMITTEE for item in self._project.document.report):
            return ()
        return tuple(_part(view) for view in self._views())

    def _views(self) -> tuple[View, ...]:
        if self._results.decisions is None:
            return ()
        from core.presentation.committee import committee

        return committee(self._project.document, self._results.decisions, self._results.evaluation)

    def report_document(self) -> Document | None:
        """The document, where totals and metrics are of it."""
        is_fresh = self._results.decisions_are_fresh and self._results.evaluation_is_fresh
        has_all = self._results.decisions is not None and self._results.evaluation is not None
        return self._project.document if is_fresh and has_all else None

    def make_again(self, kind: str) -> bool:
        """Nothing is to be asked: they are made again with every result."""
        del kind
        return True


def _part(view: View) -> ReportPart:
    return ReportPart(key=view.key, title=view.title, make=lambda: view)
