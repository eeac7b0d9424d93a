"""The studies of page Compare: a menu that opens each in a window of its own."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QMenu, QPushButton, QWidget
from shiboken6 import isValid

from core.presentation.view import View
from gui.pages.compare.charts_presenter import ChartsPresenter
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.session.session import Session


class StudiesMenu(QObject):
    """Opens the studies; none is imported before it is wanted."""

    def __init__(
        self, session: Session, page: QWidget, button: QPushButton, charts: ChartsPresenter
    ) -> None:
        super().__init__(page)
        self._session = session
        self._page, self._charts = page, charts
        self._opened: list[StudyDialog] = []
        self.menu = QMenu(page)
        entries = (
            ("Choose the best model…", self.choose_model),
            ("Smallest detectable difference…", self.detect_difference),
            ("Two sets of rows side by side…", self.compare_rows),
            ("By group of cases…", self.by_group),
            ("Survival over time…", self.survival),
            ("Shift of scores and inputs…", self.compare_populations),
            ("How sure is the loss?…", self.bound_losses),
            ("Definitions of other tools…", self.compare_definitions),
        )
        for words, action in entries:
            self.menu.addAction(words, action)
        button.setMenu(self.menu)

    def _open(self, dialog: StudyDialog) -> StudyDialog:
        self._opened = [*self._open_dialogs(), dialog]
        dialog.show()
        return dialog

    def _open_dialogs(self) -> list[StudyDialog]:
        return [dialog for dialog in self._opened if isValid(dialog)]

    def views(self) -> tuple[View, ...]:
        """What the open studies show of the present project, for the report."""
        views = (dialog.view() for dialog in self._open_dialogs())
        return tuple(view for view in views if view is not None)

    def choose_charts(self) -> QDialog:
        """Which charts the page shows."""
        return self._charts.open_choice()

    def choose_model(self) -> StudyDialog:
        """The best model by a metric or by profit."""
        from gui.pages.compare.dialogs.selection_dialog import SelectionDialog

        return self._open(SelectionDialog(self._session, self._page))

    def detect_difference(self) -> StudyDialog:
        """Open the dialog of the smallest difference between models that the cases could show."""
        from gui.pages.compare.dialogs.studies import PowerDialog

        return self._open(PowerDialog(self._session, self._page))

    def compare_rows(self) -> StudyDialog:
        """Open the dialog that sets figures of training rows beside those of validation."""
        from gui.pages.compare.dialogs.studies import RowsDialog

        return self._open(RowsDialog(self._session, self._page))

    def by_group(self) -> StudyDialog:
        """Figures by the values of a column."""
        from gui.pages.compare.dialogs.studies import SegmentsDialog

        return self._open(SegmentsDialog(self._session, self._page))

    def survival(self) -> StudyDialog:
        """Survival curves of groups and of a case, chances at a time."""
        from gui.pages.compare.dialogs.studies import SurvivalDialog

        return self._open(SurvivalDialog(self._session, self._page))

    def compare_populations(self) -> StudyDialog:
        """Population stability of scores and inputs."""
        from gui.pages.compare.dialogs.shift_dialog import ShiftDialog

        return self._open(ShiftDialog(self._session, self._page))

    def bound_losses(self) -> StudyDialog:
        """Limits of every model's expected loss."""
        from gui.pages.compare.dialogs.studies import BoundsDialog

        return self._open(BoundsDialog(self._session, self._page))

    def compare_definitions(self) -> StudyDialog:
        """Open the dialog that shows figures as other tools define them."""
        from gui.pages.compare.dialogs.studies import DefinitionsDialog

        return self._open(DefinitionsDialog(self._session, self._page))
