"""What page Compare compares: the rows, the reference model, the class that is the event."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker
from PySide6.QtWidgets import QComboBox

from core.document.commands import SetReferenceModel, SetRowsUsed
from core.document.data.model import RowUse
from core.document.model import Document
from core.document.views import COUNTED
from gui.pages.compare.words import rows_words, uses_offered
from gui.pages.page import PageHeader
from gui.session.session import Session
from gui.widgets import series_icon
from gui.widgets.card_column import side_width
from gui.widgets.fields.choice_box import ChoiceBox

_MOST_COMBO = 240


class HeaderChoices(QObject):
    """Three selectors of the header."""

    def __init__(self, session: Session, header: PageHeader) -> None:
        super().__init__(header)
        self._session = session
        self.data, self.reference, self.level = _combo(), _combo(), _combo()
        header.add_left(self.data, "Data")
        header.add_left(self.reference, "Reference")
        self.level_caption = header.add_left(self.level, "Event")
        self.data.activated.connect(self._choose_rows)
        self.reference.activated.connect(self._choose_reference)
        self.level.activated.connect(self._choose_level)

    def fit(self, page: int) -> None:
        """Let longer words stand in the boxes of a wide page."""
        for box in (self.data, self.reference, self.level):
            box.setMaximumWidth(side_width(_MOST_COMBO, page))

    def show_document(self, document: Document) -> None:
        """Show what there is to choose from, and what is chosen."""
        evaluation, then = self._session.results.evaluation, self._session.results.evaluated
        is_now = then is not None and COUNTED.of(then) == COUNTED.of(document)
        rows = evaluation.rows if evaluation is not None and is_now else None
        uses = uses_offered(document)
        _fill_combo(
            self.data,
            [(rows_words(document, use, rows), use) for use in uses],
            uses.index(document.rows_used) if document.rows_used in uses else 0,
        )
        models = document.outcome_models
        names = [model.name for model in models]
        reference = document.outcome_reference
        _fill_combo(
            self.reference,
            [(name, name) for name in names],
            names.index(reference) if reference in names else 0,
        )
        for index, model in enumerate(models):
            self.reference.setItemIcon(index, series_icon(model.series))
        self._show_levels(document)

    def _show_levels(self, document: Document) -> None:
        """The event is chosen only where there are more than two classes."""
        target = document.target
        levels = target.levels if target is not None and len(target.levels) > 2 else ()
        self.level.setVisible(bool(levels))
        self.level_caption.setVisible(bool(levels))
        if target is None or not levels:
            return
        shown = self._session.results.level or target.event
        _fill_combo(
            self.level,
            [(target.label(level), level) for level in levels],
            levels.index(shown) if shown in levels else 0,
        )

    def _choose_rows(self, index: int) -> None:
        use = self.data.itemData(index)
        self._session.project.execute(SetRowsUsed(rows_used=RowUse(use)))

    def _choose_reference(self, index: int) -> None:
        name = str(self.reference.itemData(index))
        self._session.project.execute(SetReferenceModel(model=name))

    def _choose_level(self, index: int) -> None:
        self._session.results.set_level(str(self.level.itemData(index)))


def _combo() -> QComboBox:
    combo = ChoiceBox()
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    combo.setMaximumWidth(_MOST_COMBO)
    combo.setMinimumContentsLength(6)
    return combo


def _fill_combo(combo: QComboBox, entries: list[tuple[str, object]], current: int) -> None:
    """Put entries into a selector without telling anyone."""
    before = [(combo.itemText(row), combo.itemData(row)) for row in range(combo.count())]
    with QSignalBlocker(combo):
        if before != entries:
            combo.clear()
            for words, value in entries:
                combo.addItem(words, value)
        combo.setCurrentIndex(current if entries else -1)
