"""The panels below the curves for the steps Target, Inputs and Settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.data.model import RowUse
from core.document.data.results import TableSummary
from core.document.model import Document, TrainedModel
from core.document.training_results import (
    DistributionInfo,
    DistributionParameter,
    DistributionsResult,
    InputInfo,
)
from core.document.wording import format_count
from gui.pages.models.draft import uses_of
from gui.pages.models.further_columns import further_of, with_column
from gui.pages.models.target_kind import CLASSES, NUMBER, has_two_readings
from gui.pages.models.words import column_of, find_distribution, rows_words, target_facts
from gui.parts import (
    Card,
    HelpButton,
    HelpText,
    NumberField,
    Segments,
    TextLabel,
    after_typing,
    clear_layout,
    keeping_focus,
)
from gui.parts.list_search import ListSearch
from gui.parts.scrolled import scrolled
from payoff.counting import counted

_FIELD = 96  # pixels that a field has at least


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
        parts = [f"{format_count(count)} {rows_words((RowUse(use),))}" for use, count in known]
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
        self.list = QListWidget()
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
    item = QListWidgetItem("   ·   ".join(parts))
    item.setData(Qt.ItemDataRole.UserRole, info)
    item.setToolTip(info.reason)
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
        self._shown: object = None
        self._info: DistributionInfo | None = None
        self._newest: tuple[TrainedModel | None, Document, DistributionsResult | None]
        holder = QWidget()
        holder.setProperty("scrolled", "true")
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(24)
        self._left, self._right = QVBoxLayout(), QVBoxLayout()
        row.addLayout(self._left, 1)
        row.addLayout(self._right, 1)
        self.body.addWidget(scrolled(holder), 1)

    def show_draft(
        self, draft: TrainedModel | None, document: Document, result: DistributionsResult | None
    ) -> None:
        """Show what belongs to a draft; built again only where what is offered has changed."""
        self._newest = (draft, document, result)
        info = find_distribution(result, draft.distribution) if draft is not None else None
        key = (draft, document.roles, document.split)
        if key == self._shown and info is self._info:  # its curves are arrays, not to be compared
            return
        self._draft = draft
        if after_typing(self, lambda: self.show_draft(*self._newest)):
            return
        self._shown, self._info = key, info
        with keeping_focus(self):
            self._build(draft, document, info)

    def _build(
        self, draft: TrainedModel | None, document: Document, info: DistributionInfo | None
    ) -> None:
        clear_layout(self._left)
        clear_layout(self._right)
        if draft is None:
            return
        self._left.addLayout(self._rows_grid(draft, document))
        self._left.addStretch(1)
        self._right.addLayout(self._own_grid(draft, document, info))
        self._right.addStretch(1)

    def _rows_grid(self, draft: TrainedModel, document: Document) -> QGridLayout:
        grid = _grid()
        uses = (*uses_of(document), RowUse.ALL)
        train = _combo([(rows_words((use,)), use) for use in uses], _first(draft.train_rows))
        train.activated.connect(lambda _p: self._take_rows(RowUse(train.currentData())))
        _add(grid, "Learns from", train)
        folds = NumberField(float(draft.cv_folds), minimum=0, maximum=50, whole=True)
        folds.value_committed.connect(lambda value: self._change(cv_folds=_folds(value)))
        _add(
            grid,
            "Folds",
            folds,
            (
                "0: no folds. With folds every row that trains is scored "
                "by trees that did not see it."
            ),
        )
        missing = _combo(
            [
                ("better side", "learned_side"),
                ("own branch", "third_child"),
            ],
            draft.missing,
        )
        missing.activated.connect(lambda _p: self._change(missing=missing.currentData()))
        _add(
            grid,
            "Missing values",
            missing,
            "At each split to the side that fits best, or to a branch of their own.",
        )
        return grid

    def _own_grid(
        self, draft: TrainedModel, document: Document, info: DistributionInfo | None
    ) -> QGridLayout:
        grid = _grid()
        columns = [("none", None), *((name, name) for name in _columns(document))]
        for entry in further_of(info):
            self._add_column(grid, entry.caption, entry.name, columns, draft, entry.help())
        self._add_column(grid, "Offset", "offset", columns, draft, _offset_help())
        for parameter in info.parameters if info is not None else ():
            self._add_parameter(grid, draft, parameter)
        return grid

    def _add_column(
        self,
        grid: QGridLayout,
        words: str,
        name: str,
        columns: list[tuple[str, str | None]],
        draft: TrainedModel,
        explained: HelpText,
    ) -> None:
        combo = _combo(columns, getattr(draft, name))
        combo.activated.connect(
            lambda _p: self._take(with_column(draft, name, combo.currentData()))
        )
        _add(grid, words, combo, explained=explained)

    def _add_parameter(
        self, grid: QGridLayout, draft: TrainedModel, parameter: DistributionParameter
    ) -> None:
        value = dict(draft.distribution_params).get(parameter.name, parameter.default)
        caption = parameter.words[:1].upper() + parameter.words[1:]
        if parameter.choices:
            words = [(choice, choice) for choice in parameter.choices]
            chosen = value if isinstance(value, str) else parameter.choices[int(value)]
            combo = _combo(words, chosen)
            combo.activated.connect(
                lambda _p: self._set_parameter(parameter.name, str(combo.currentData()))
            )
            _add(grid, caption, combo, parameter.help)
            return
        field = NumberField(
            float(value),
            decimals=3,
            whole=parameter.is_whole,
            minimum=parameter.minimum,
            maximum=parameter.maximum,
            step=1.0 if parameter.is_whole else 0.05,
        )
        field.value_committed.connect(lambda number: self._set_parameter(parameter.name, number))
        _add(grid, caption, field, parameter.help)

    # ------------------------------------------------------------ changing

    def _take_rows(self, use: RowUse) -> None:
        if self._draft is not None:
            stop = tuple(entry for entry in self._draft.stop_rows if entry is not use)
            self._change(train_rows=(use,), stop_rows=() if use is RowUse.ALL else stop)

    def _set_parameter(self, name: str, value: float | str) -> None:
        if self._draft is not None:
            kept = tuple(e for e in self._draft.distribution_params if e[0] != name)
            self._change(distribution_params=(*kept, (name, value)))

    def _change(self, **values: Any) -> None:
        if self._draft is None:
            return
        self._take(replace(self._draft, **values))

    def _take(self, draft: TrainedModel) -> None:
        if draft != self._draft:
            self.draft_changed.emit(draft)


def _offset_help() -> HelpText:
    return HelpText(
        title="Offset",
        text=(
            "A number that is added to each case's score before the trees learn, such as the log "
            "of the exposure of a count. It must be known for every case that is scored."
        ),
    )


def _folds(value: float) -> int:
    """One fold is none."""
    return 0 if value < 2 else round(value)


def _first(uses: tuple[RowUse, ...]) -> RowUse:
    return uses[0] if len(uses) == 1 else RowUse.ALL


def _columns(document: Document) -> tuple[str, ...]:
    target = document.target.column if document.target is not None else ""
    return tuple(entry.column for entry in document.roles if entry.column != target)


def _combo(
    entries: list[tuple[str, object]]
    | list[tuple[str, str | None]]
    | list[tuple[str, str]]
    | list[tuple[str, RowUse]],
    value: object,
) -> QComboBox:
    combo = QComboBox()
    for words, data in entries:
        combo.addItem(words, data)
    combo.setCurrentIndex(max(0, combo.findData(value)))
    combo.setMinimumContentsLength(6)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setToolTip(combo.currentText())  # a narrow panel cuts long names
    return combo


def _grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(8)
    grid.setColumnStretch(0, 1)
    grid.setColumnStretch(1, 1)
    return grid


def _add(
    grid: QGridLayout,
    caption: str,
    widget: QWidget,
    note: str = "",
    explained: HelpText | None = None,
) -> None:
    row = grid.rowCount()
    label = TextLabel(caption)
    label.setBuddy(widget)
    widget.setAccessibleName(caption)
    widget.setMinimumWidth(_FIELD)
    head = QHBoxLayout()
    head.setSpacing(6)
    head.addWidget(label)
    if explained is not None:
        head.addWidget(HelpButton(explained))
        widget.setToolTip(explained.text)
    head.addStretch(1)
    grid.addLayout(head, row, 0)
    grid.addWidget(widget, row, 1)
    if note:
        grid.addWidget(TextLabel(note, "note", wraps=True), row + 1, 0, 1, 2)
