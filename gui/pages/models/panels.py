"""The panels below the curves for the steps Target, Inputs and Settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from core.document.data.model import RowUse
from core.document.data.results import TableSummary
from core.document.model import Document, TrainedModel
from core.document.training_results import (
    DistributionsResult,
    InputInfo,
)
from core.document.wording import format_count
from gui.pages.models.next_model.extra_columns import EXTRA_COLUMNS, with_column
from gui.pages.models.next_model.setting_fields import own_fields, row_fields, with_setting
from gui.pages.models.next_model.target_kind import CLASSES, NUMBER, has_two_readings
from gui.pages.models.words import column_of, counted_rows, find_distribution, target_facts
from gui.widgets import (
    Card,
    Segments,
    TextLabel,
)
from gui.widgets.fields.form import Form
from gui.widgets.fields.list_box import ListBox
from gui.widgets.fields.list_search import ListSearch
from gui.widgets.scrolled import scrolled
from payoff.counting import counted

_FIELD, _CHOICE = 96, 150  # pixels


class TargetPanel(Card):
    """What is predicted, in words, and where it is changed."""

    data_wanted = Signal()
    reading_wanted = Signal(str)  # classes, number

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("What is predicted", parent=parent)
        self.facts = TextLabel("", wraps=True)
        self.rows = TextLabel("", "quiet", wraps=True)
        self.note = TextLabel(
            (
                "A model predicts the outcome of the project: the column named on page Data, with "
                "the event that the chances speak of. All models are compared on this outcome."
            ),
            "quiet",
            wraps=True,
        )
        self.change = QPushButton("Change it on page Data")
        self.change.clicked.connect(self.data_wanted)
        self.body.addWidget(self.facts)
        self.body.addWidget(self._make_reading())
        self.body.addWidget(self.rows)
        self.body.addWidget(self.note)
        self.body.addWidget(self.change, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addStretch(1)

    def _make_reading(self) -> QWidget:
        """The choice for a few whole numbers: classes, or a number (a grade, a count)."""
        self.reading_row = QWidget()
        row = QHBoxLayout(self.reading_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.reading = Segments([(CLASSES, "Classes"), (NUMBER, "A number")], name="Take it as")
        self.reading.chosen.connect(self.reading_wanted)
        row.addWidget(TextLabel("Take it as"))
        row.addWidget(self.reading)
        note = "Counts and grades are numbers; classes each have a chance and a worth of their own."
        row.addWidget(TextLabel(note, "note", wraps=True), 1)
        self.reading_row.hide()
        return self.reading_row

    def show_target(
        self,
        document: Document,
        summary: TableSummary | None,
        result: DistributionsResult | None,
    ) -> None:
        """Show the outcome and the rows in which it is known."""
        words = target_facts(document, summary, result)
        self.facts.setText(f"{words}." if words else "No outcome has been named yet.")
        target = document.target
        column = column_of(summary, target.column) if target is not None else None
        self.reading_row.setVisible(has_two_readings(column))
        self.reading.choose(CLASSES if target is not None and target.levels else NUMBER)
        known = result.rows if result is not None else ()
        parts = [counted_rows(count, (RowUse(use),)) for use, count in known]
        self.rows.setText(", ".join(parts) + "." if parts else "")
        self.rows.setVisible(bool(parts))


class InputsPanel(Card):
    """A line per column with a box; a column that cannot be an input says why."""

    features_changed = Signal(object)  # tuple of str

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Which columns may the model use?", parent=parent)
        self._is_filling = False
        self.usual = QPushButton("As suggested")
        self.all = QPushButton("All")
        self.none = QPushButton("None")
        for button in (self.usual, self.all, self.none):
            button.setProperty("small", "true")
            self.add_header_widget(button)
        self.usual.clicked.connect(lambda: self._choose(lambda info: info.is_usual))
        self.all.clicked.connect(lambda: self._choose(lambda _info: True))
        self.none.clicked.connect(lambda: self._choose(lambda _info: False))
        self.list = ListBox()
        self.list.setAccessibleName("Inputs")
        self.list.setUniformItemSizes(True)
        self.list.itemChanged.connect(self._on_changed)
        self.search = ListSearch(self.list)
        self.body.addWidget(self.search)
        self.body.addWidget(self.list, 1)

    def show_inputs(self, inputs: tuple[InputInfo, ...], features: tuple[str, ...]) -> None:
        """Show the columns with the chosen ones ticked."""
        self._is_filling = True
        names = [self._info(place).column for place in range(self.list.count())]
        if names != [info.column for info in inputs]:
            self.list.clear()
            for info in inputs:
                self.list.addItem(_input_item(info))
        for place in range(self.list.count()):
            is_on = self._info(place).column in features
            state = Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
            self.list.item(place).setCheckState(state)
        self._is_filling = False

    def _info(self, place: int) -> InputInfo:
        info: InputInfo = self.list.item(place).data(Qt.ItemDataRole.UserRole)
        return info

    def _choose(self, is_wanted: Callable[[InputInfo], bool]) -> None:
        """Tick or untick the columns in sight of the search."""
        self._is_filling = True
        for place in self.search.shown():
            info = self._info(place)
            is_on = info.can_train and is_wanted(info)
            state = Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
            self.list.item(place).setCheckState(state)
        self._is_filling = False
        self._on_changed()

    def _on_changed(self, _item: object = None) -> None:
        if self._is_filling:
            return
        chosen = tuple(
            self._info(place).column
            for place in range(self.list.count())
            if self.list.item(place).checkState() is Qt.CheckState.Checked
        )
        self.features_changed.emit(chosen)


def _input_item(info: InputInfo) -> QListWidgetItem:
    kind = "number" if info.kind == "number" else counted(info.levels, "level")
    parts = [info.column, kind]
    if info.missing:
        parts.append(f"{format_count(info.missing)} missing")
    if info.reason:
        parts.append(info.reason)
    elif info.note:
        parts.append("few rows a level")
    item = QListWidgetItem("   ·   ".join(parts))
    item.setData(Qt.ItemDataRole.UserRole, info)
    item.setToolTip(info.reason or info.note)
    flags = Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable
    item.setFlags(flags | Qt.ItemFlag.ItemIsEnabled if info.can_train else flags)
    item.setCheckState(Qt.CheckState.Unchecked)
    return item


class SettingsPanel(Card):
    """Which rows train, what missing values do, and the distribution's own parameters."""

    draft_changed = Signal(object)  # TrainedModel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Rows, gaps and the distribution's own settings", parent=parent)
        self._draft: TrainedModel | None = None
        holder = QWidget()
        holder.setProperty("scrolled", "true")
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(24)
        self.rows_form, self.own_form = (Form(width=_FIELD, choice_width=_CHOICE) for _ in range(2))
        for form in (self.rows_form, self.own_form):
            form.changed.connect(self._show_message)
            row.addWidget(form, 1, Qt.AlignmentFlag.AlignTop)
        self.body.addWidget(scrolled(holder), 1)

    def show_draft(
        self, draft: TrainedModel | None, document: Document, result: DistributionsResult | None
    ) -> None:
        """Show what belongs to a draft."""
        self._draft = draft
        info = find_distribution(result, draft.distribution) if draft is not None else None
        self.rows_form.show_fields(row_fields(draft, document) if draft is not None else ())
        self.own_form.show_fields(own_fields(draft, document, info) if draft is not None else ())

    def _show_message(self, name: str, value: Any) -> None:
        draft = self._draft
        if draft is None:
            return
        is_column = name in (*EXTRA_COLUMNS, "offset")
        changed = (with_column if is_column else with_setting)(draft, name, value)
        if changed != draft:
            self.draft_changed.emit(changed)
