"""What the buttons beside the faults of the next model do, by commands that undo takes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject

from core.document.commands import SetRole
from core.document.data.commands import SetRowFilter
from core.document.data.model import DerivedColumn
from core.document.model import Role, RoleAssignment, TrainedModel
from core.document.training_results import Mending, TrainingCheck
from gui.pages.models.next_model.extra_columns import with_column
from gui.session.session import Session
from gui.shell.page_list import PageId

ChangeDraft = Callable[[Callable[[TrainedModel], TrainedModel]], None]
"""Changes the settings of the next model, as they are by then."""


class Mender(QObject):
    """Mends what was found before a training."""

    def __init__(self, session: Session, change: ChangeDraft, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._change = change

    def mend(self, check: TrainingCheck, loss: str = "") -> None:
        """Do what the button of a fault says; ``loss`` is that of counts, taken with an offset."""
        if check.mending is Mending.INPUT:
            ignored = RoleAssignment(column=check.column, role=Role.IGNORED, reason="left out")
            self._session.project.execute(SetRole(assignment=ignored))
        elif check.mending is Mending.OFFSET:
            self._make_offset(check, loss)
        elif check.expression or self._session.project.document.split.where:
            self._session.project.execute(SetRowFilter(where=check.expression))
        else:
            self._session.page_requested.emit(PageId.DATA)

    def _make_offset(self, check: TrainingCheck, loss: str) -> None:
        """Make the column of the logarithms, unless it is there, and the offset of it."""
        data, name = self._session.project.document.data, f"log {check.column}"

        def with_offset(draft: TrainedModel) -> TrainedModel:
            features = tuple(entry for entry in draft.features if entry != check.column)
            draft = replace(with_column(draft, "offset", name), features=features)
            return replace(draft, distribution=loss, distribution_params=()) if loss else draft

        def take(error: Exception | None = None) -> None:
            if error is None:
                self._change(with_offset)
            else:
                self._session.project.post(error)

        if data is not None and name in data.columns:
            take()
            return
        made = DerivedColumn(name=name, text=check.expression)
        self._session.tables.derive(made, take, of=self, page=PageId.MODELS)
