"""What each column is for: the list, and the form of the chosen column."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.document.commands import Command, SetRole, SetRoles
from core.document.data.column_meaning import ExposureKind, exposure_kind, exposure_words
from core.document.data.commands import SetWeightKind
from core.document.data.model import DerivedColumn
from core.document.data.opening import SINGLE_ROLES
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment, TargetSpec, WeightKind
from core.document.wording import format_count
from core.presentation.data import value_words
from gui.pages.data.dialogs.class_order import ClassOrderDialog, order_words
from gui.pages.data.roles_list import ENTRY, RoleLine, RolesModel, RolesView
from gui.pages.data.targets import (
    name_event,
    name_label,
    name_meaning,
    other_values,
    take_target,
)
from gui.pages.data.words import ROLE_WORDS, role_words
from gui.session.session import Session
from gui.widgets import (
    Card,
    ElidedLabel,
    EntryBox,
    HelpText,
    Rule,
    TextField,
    TextLabel,
    after_typing,
    clear_layout,
    keeping_focus,
)
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.fields.list_search import ListSearch
from payoff.counting import counted

MODEL_ROLES = (Role.POSTERIOR, Role.SCORE, Role.PREDICTION)
SHARED_ROLES = tuple(r for r in ROLE_WORDS if r not in MODEL_ROLES and r not in SINGLE_ROLES)
MOST_LABELS = 8
CAPTION = 110  # pixels of what a row is about: beside it “Chance from a model” is whole
OWN_CLASS = "\0own"
LEAST_PERCENT = 5.0  # a column that ends between 1 and 5 holds no percentages


class RolesCard(Card):
    """Lists the columns; the form below changes the chosen one."""

    column_chosen = Signal(str)
    selection_changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        content = HelpText(
            title="Roles of columns",
            text=(
                "Payoff guesses from names and contents what each column is for. The line below a "
                "name says why. Choose a column to change its role."
            ),
        )
        super().__init__("What each column is for", help_text=content, margin=0)
        if parent is not None:
            self.setParent(parent)
        self._session = session
        self._chosen = ""
        self.body.setContentsMargins(1, 12, 1, 8)
        assert self.header is not None
        self.header.setContentsMargins(11, 0, 11, 0)
        self._model = RolesModel(self)
        self.list = RolesView()
        self.list.setModel(self._model)
        self.list.setItemDelegate(RoleLine(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setAccessibleName("Columns and their roles")
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.list.selectionModel().selectionChanged.connect(self._on_selection)
        self.all = QPushButton("All")
        self.all.setProperty("kind", "link")
        self.all.setToolTip("Choose every column in sight, to give all of them one role")
        self.all.clicked.connect(self._choose_all)
        self.add_header_widget(self.all)
        self.search = ListSearch(self.list)
        searching = QHBoxLayout()
        searching.setContentsMargins(11, 0, 11, 0)
        searching.addWidget(self.search)
        self.body.addLayout(searching)
        self.body.addWidget(self.list, 1)
        self.body.addWidget(Rule())
        holder = QWidget()
        self._form = QVBoxLayout(holder)
        self._form.setContentsMargins(12, 4, 12, 4)
        self._form.setSpacing(8)
        self.body.addWidget(holder)

    # ------------------------------------------------------------ showing

    def refresh(self) -> None:
        """Show the roles as they are now."""
        self._model.show(self._session.project.document)
        self._show_form()

    def choose(self, column: str) -> None:
        """Show the form of a column."""
        row = self._model.row_of(column)
        if row < 0 or column == self._chosen:
            return
        self._chosen = column
        place = self._model.index(row, 0)
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.list.selectionModel().setCurrentIndex(place, flag)
        self._show_form()
        self.list.scrollTo(place)

    def toggle(self, column: str) -> None:
        """Choose a further column beside the others, or let it go again."""
        place = self._model.index(self._model.row_of(column), 0)
        if place.isValid():
            flag = QItemSelectionModel.SelectionFlag.Toggle
            self.list.selectionModel().select(place, flag)

    def chosen_columns(self) -> tuple[str, ...]:
        """The columns that are chosen, in file order, of those that the search shows."""
        rows = {index.row() for index in self.list.selectionModel().selectedIndexes()}
        return tuple(self._model.index(row, 0).data() for row in self.search.shown() if row in rows)

    def _choose_all(self) -> None:
        chosen = QItemSelection()
        for row in self.search.shown():
            place = self._model.index(row, 0)
            chosen.select(place, place)
        self.list.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def give_role(self, column: str, role: Role) -> None:
        """Give a column another role; all that are chosen where it is one of several."""
        columns = self.chosen_columns()
        if column in columns and len(columns) > 1 and role in SHARED_ROLES:
            self._run(SetRoles(role=role, columns=columns))
            return
        self.choose(column)
        self.column_chosen.emit(column)  # the page shows the column that was worked on
        self._take_role(role)

    def _on_selection(self, *_sent: object) -> None:
        self._show_form()
        self.selection_changed.emit()

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if not current.isValid():
            return
        entry: RoleAssignment = current.data(ENTRY)
        if entry.column != self._chosen:
            self._chosen = entry.column
            self._show_form()
            self.column_chosen.emit(entry.column)

    # ------------------------------------------------------------ the form

    def _show_form(self) -> None:
        if after_typing(self, self._show_form):
            return
        with keeping_focus(self):
            self._build_form()

    def _build_form(self) -> None:
        clear_layout(self._form)
        several = self.chosen_columns()
        entry = self._session.project.document.role_of(self._chosen)
        if entry is None:
            return
        if len(several) > 1:
            self._add_several(several)
            return
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self._add_row(grid, entry.column, self._role_combo(entry), bold=True)
        if entry.role in MODEL_ROLES:
            self._add_row(grid, "Model", self._model_combo(entry))
        if entry.role is Role.POSTERIOR:
            self._add_row(grid, "Chance of", self._level_combo(entry))
        if entry.role is Role.SCORE:
            self._add_row(grid, "Higher means", self._direction_combo(entry))
            self._add_row(grid, "", self._probabilities_button(entry))
        if entry.role is Role.WEIGHT:
            self._add_row(grid, "A weight of 3 is", self._weight_combo(entry))
        if entry.role is Role.TARGET:
            self._add_target(grid)
        self._add_exposure(grid, entry)
        self._form.addLayout(grid)

    def _add_several(self, columns: tuple[str, ...]) -> None:
        """One role for all that are chosen, in one step."""
        grid = QGridLayout()
        combo = ChoiceBox()
        combo.setPlaceholderText("one role for all")
        for role in SHARED_ROLES:
            combo.addItem(role_words(role), role)
        roles = {
            entry.role for entry in self._session.project.document.roles if entry.column in columns
        }
        combo.setCurrentIndex(combo.findData(roles.pop()) if len(roles) == 1 else -1)
        combo.activated.connect(
            lambda _place: self._run(SetRoles(role=Role(combo.currentData()), columns=columns))
        )
        self._add_row(grid, counted(len(columns), "column"), combo, bold=True)
        self._form.addLayout(grid)

    def _add_row(
        self, grid: QGridLayout, caption: str, widget: QWidget, *, bold: bool = False
    ) -> None:
        row = grid.rowCount()
        label = ElidedLabel(caption, "strong") if bold else TextLabel(caption)
        label.setBuddy(widget)
        label.setMaximumWidth(CAPTION)
        label.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)  # gives no room
        widget.setAccessibleName(caption)
        grid.addWidget(label, row, 0)
        grid.addWidget(widget, row, 1)

    def _role_combo(self, entry: RoleAssignment) -> QComboBox:
        combo = ChoiceBox()
        for role in ROLE_WORDS:
            combo.addItem(role_words(role), role)
        combo.setCurrentIndex(combo.findData(entry.role))
        combo.activated.connect(lambda _place: self._take_role(Role(combo.currentData())))
        return combo

    def _model_combo(self, entry: RoleAssignment) -> QComboBox:
        combo = EntryBox()
        combo.addItems([model.name for model in self._session.project.document.models])
        combo.setCurrentText(entry.model or "")
        line = combo.field
        line.setAccessibleName("Model")  # it, not the box, takes the keyboard
        combo.activated.connect(lambda _place: self._change(model=combo.currentText()))
        line.editingFinished.connect(lambda: self._change(model=line.text().strip()))
        return combo

    def _add_exposure(self, grid: QGridLayout, entry: RoleAssignment) -> None:
        """The button that makes the logarithm of an exposure beside a count."""
        document, summary = self._session.project.document, self._session.project.summary
        columns = {column.name: column for column in summary.columns} if summary else {}
        column, name = columns.get(entry.column), f"log {entry.column}"
        is_count = document.target is not None and document.target.kind == "interval"
        if column is None or not is_count or name in columns:
            return
        if exposure_kind(column) is not ExposureKind.PLAIN:
            return
        button = QPushButton("Add its logarithm")
        button.setToolTip(f"{exposure_words(column)}. Adds the column “{name}”.")
        made = DerivedColumn(name=name, text=f"log([{entry.column}])")
        button.clicked.connect(lambda _on: self._session.tables.derive(made))
        self._add_row(grid, "As an offset", button)

    def _direction_combo(self, entry: RoleAssignment) -> QComboBox:
        """Whether a higher score makes the event more or less likely: only people know."""
        target = self._session.project.document.target
        event = target.label(target.event) if target is not None and target.levels else ""
        combo = ChoiceBox()
        combo.addItem(f"“{event}” is more likely", False)
        combo.addItem(f"“{event}” is less likely", True)
        combo.setCurrentIndex(int(entry.is_reversed))
        combo.activated.connect(lambda _place: self._turn(bool(combo.currentData())))
        return combo

    def _weight_combo(self, entry: RoleAssignment) -> QComboBox:
        """What a weight says: values are the same, intervals differ, so it is asked."""
        combo = ChoiceBox()
        combo.setPlaceholderText("please choose")
        combo.addItem("3 equal cases (frequency)", WeightKind.FREQUENCY)
        combo.addItem("1 case for 3 (sampling)", WeightKind.SAMPLING)
        combo.setCurrentIndex(combo.findData(entry.weight_kind))
        combo.setToolTip(
            "Frequency: the row stands for three cases that were seen. Sampling: one case was "
            "seen, and stands for three of the population."
        )
        combo.activated.connect(
            lambda _place: self._run(
                SetWeightKind(column=entry.column, kind=WeightKind(combo.currentData()))
            )
        )
        return combo

    def _turn(self, is_reversed: bool) -> None:
        entry = self._session.project.document.role_of(self._chosen)
        if entry is not None and (entry.is_guess or entry.is_reversed != is_reversed):
            turned = replace(entry, is_reversed=is_reversed, is_guess=False, reason="chosen by you")
            self._run(SetRole(assignment=turned))

    def _probabilities_button(self, entry: RoleAssignment) -> QPushButton:
        button = QPushButton("Turn the score into chances…")
        has_target = self._session.project.document.target is not None
        button.setEnabled(has_target)
        reason = "" if has_target else "Name the outcome first."
        button.setToolTip(reason or "Until then it ranks cases only")
        button.clicked.connect(lambda: self.open_probabilities(entry.model or ""))
        return button

    def open_probabilities(self, model: str) -> QWidget:
        """Open the dialog that turns a model's scores into chances."""
        from gui.pages.data.dialogs.calibration import ProbabilitiesDialog

        dialog = ProbabilitiesDialog(self._session, model, self)
        dialog.show()
        return dialog

    def open_order(self, _checked: bool = False) -> QWidget:
        """Open the dialog that puts the classes in order."""
        dialog = ClassOrderDialog(self._session, self)
        dialog.open()
        return dialog

    def _level_combo(self, entry: RoleAssignment) -> QComboBox:
        combo = ChoiceBox()
        target = self._session.project.document.target
        for level in target.levels if target is not None else ():
            combo.addItem(target.label(level) if target is not None else level, level)
        combo.setCurrentIndex(combo.findData(entry.level))
        combo.setPlaceholderText("Choose a class")
        combo.activated.connect(lambda _place: self._change(level=str(combo.currentData())))
        return combo

    def _add_target(self, grid: QGridLayout) -> None:
        target = self._session.project.document.target
        if target is None or not target.levels:
            return
        event = ChoiceBox()
        for level in target.levels:
            event.addItem(level, level)
        event.setCurrentIndex(0)
        event.activated.connect(
            lambda _place: self._run(
                name_event(self._session.project.document, event.currentData())
            )
        )
        self._add_row(grid, "The event is", event)
        for level in target.levels[:MOST_LABELS]:
            field = TextField(target.label(level))
            field.setPlaceholderText(level)
            field.editingFinished.connect(
                lambda level=level, field=field: self._run(
                    name_label(self._session.project.document, level, field.text())
                )
            )
            self._add_row(grid, f"Call {level}", field)

        if len(target.levels) > 2:
            order = QPushButton(f"{order_words(target)}…")
            order.setToolTip("Say in which order the classes stand")
            order.clicked.connect(self.open_order)
            self._add_row(grid, "In order", order)
        self._add_meanings(grid, target)

    def _add_meanings(self, grid: QGridLayout, target: TargetSpec) -> None:
        """What each further value of the column stands for: a table that can be changed."""
        summary = self._session.project.summary
        columns = summary.columns if summary is not None else ()
        column = next((c for c in columns if c.name == target.column), None)
        if column is None or not column.levels:
            return
        for value, rows in other_values(target, column)[:MOST_LABELS]:
            meaning = ChoiceBox()
            meaning.setPlaceholderText("please choose")
            for level in target.levels:
                meaning.addItem(f"the same as {level}", level)
            meaning.addItem("a class of its own", OWN_CLASS)
            meaning.setCurrentIndex(meaning.findData(dict(target.spellings).get(value, "")))
            meaning.activated.connect(
                lambda _place, value=value, meaning=meaning: self._take_meaning(
                    value, str(meaning.currentData())
                )
            )
            caption = f"{value} ({format_count(rows)}) is"
            self._add_row(grid, caption, meaning)

    # ------------------------------------------------------------ answering

    def _take_meaning(self, value: str, level: str) -> None:
        chosen = None if level == OWN_CLASS else level
        self._run(name_meaning(self._session.project.document, value, chosen))

    def _take_role(self, role: Role) -> None:
        document = self._session.project.document
        entry = document.role_of(self._chosen)
        summary = self._session.project.summary
        if entry is None or role is entry.role or summary is None:
            return
        column = next(c for c in summary.columns if c.name == entry.column)
        if role is Role.TARGET:
            take_target(self._session, column)
            return
        if role is Role.POSTERIOR and _is_no_probability(column):
            role = Role.SCORE  # any real number ranks; whether it is a chance is not asked
            self._session.project.post(
                f"{entry.column} runs from {value_words(column.minimum)} to "
                f"{value_words(column.maximum)}: no chances. It is taken as a score "
                "in points, which "
                "ranks cases; say what a higher one means."
            )
        is_scored = role in MODEL_ROLES
        level = document.target.event if document.target is not None else None
        changed = RoleAssignment(
            column=entry.column,
            role=role,
            model=entry.model or (entry.column if is_scored else None) if is_scored else None,
            level=(entry.level or level) if role is Role.POSTERIOR else None,
            reason="chosen by you",
            is_percent=role is Role.POSTERIOR and (column.maximum or 0.0) > 1.0,
        )
        self._run(SetRole(assignment=changed))

    def _change(self, **fields: str) -> None:
        entry = self._session.project.document.role_of(self._chosen)
        if entry is None or not all(fields.values()):
            return
        if all(getattr(entry, name) == value for name, value in fields.items()):
            return
        changed = replace(entry, is_guess=False, reason="chosen by you")
        given: dict[str, Any] = dict(fields)
        changed = replace(changed, **given)
        self._run(SetRole(assignment=changed))

    def _run(self, command: Command | None) -> None:
        if command is not None:
            self._session.project.execute(command)
            self._session.project.finish_editing()

    def chosen(self) -> str:
        """The column whose form is shown."""
        return self._chosen


def _is_no_probability(column: ColumnSummary) -> bool:
    """Values that are neither chances nor percentages (which run well beyond 1)."""
    low, high = column.minimum, column.maximum
    if low is None or high is None:
        return False
    return low < 0 or 1.0 < high <= LEAST_PERCENT or high > 100.0
