"""A form: fields with their labels, made from what is known of them (``core.questions.fields``).

The owner shows the fields again whenever something changed, the fields above all; what a person
says is told by ``changed``. A field that is being typed into is never rewritten: that is the rule
of the fields themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.questions.draft import QuestionDraft
from core.questions.fields import FieldKind, FormContext, FormField
from core.questions.question import Question
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.fields.number_field import NumberField
from gui.widgets.fields.segments import Segments
from gui.widgets.fields.text_field import TextField, after_typing, keeping_focus
from gui.widgets.figures.series import series_icon
from gui.widgets.help_button import HelpButton
from gui.widgets.labels import ElidedLabel, TextLabel

Take: TypeAlias = Callable[[Any], None]
MOST_CHOICE = 340  # pixels that a list in a line has at most
BESIDE_WORDS = 28  # of a number's field, beside what an empty one says


class FormLayout(StrEnum):
    """Where labels are: at the left of a column, before the field in a line, or above it."""

    COLUMN = "column"
    LINE = "line"
    ABOVE = "above"


_ROLES = {FormLayout.COLUMN: "body", FormLayout.LINE: "quiet", FormLayout.ABOVE: "note"}


class NumberEditor:
    """A number, whole or not."""

    def __init__(self, field: FormField, take: Take, end: Callable[[], None]) -> None:
        self.widget = NumberField(
            math.nan,
            whole=field.kind is FieldKind.WHOLE,
            may_be_empty=field.empty is not None,
        )
        self.widget.value_changed.connect(lambda _value: take(self.value()))
        self.widget.value_committed.connect(lambda _value: end())

    def value(self) -> float | int | None:
        """The number that is complete."""
        value = self.widget.entered()
        return round(value) if value is not None and self.widget.is_whole else value

    def show(self, field: FormField) -> None:
        """Show range, unit and number of a field."""
        self.widget.setPlaceholderText(field.empty or "")
        self.widget.set_facts(
            minimum=field.lowest,
            maximum=field.highest,
            decimals=field.decimals,
            unit=field.unit,
            factor=field.factor,
            step=field.step,
        )
        value = field.shown if field.value is None else field.value
        self.widget.set_value(math.nan if value is None else float(value))


class ChoiceEditor:
    """One of several, from a list."""

    def __init__(self, field: FormField, take: Take, end: Callable[[], None]) -> None:
        del field, end
        self._values: tuple[Any, ...] = ()
        self._shown: object = None
        self.widget = ChoiceBox()
        self.widget.activated.connect(lambda place: take(self._values[place]))

    def value(self) -> Any:
        """What is chosen; None where there is nothing."""
        place = self.widget.currentIndex()
        return self._values[place] if 0 <= place < len(self._values) else None

    def show(self, field: FormField) -> None:
        """Show the options, and which one is chosen."""
        self._values = tuple(option.value for option in field.options)
        if field.options != self._shown:
            self._shown = field.options
            self.widget.clear()
            for place, option in enumerate(field.options):
                self.widget.addItem(option.words, option.value)
                self.widget.setItemData(place, option.help, Qt.ItemDataRole.ToolTipRole)
                if option.series is not None:
                    self.widget.setItemIcon(place, series_icon(option.series))
        is_there = field.value in self._values
        self.widget.setCurrentIndex(self._values.index(field.value) if is_there else -1)


class SightEditor:
    """One of a few, side by side."""

    def __init__(self, field: FormField, take: Take, end: Callable[[], None]) -> None:
        del end
        self._values = tuple(option.value for option in field.options)
        entries = [(str(place), option.words) for place, option in enumerate(field.options)]
        self.widget = Segments(entries, name=field.label)
        self.widget.chosen.connect(lambda _key: take(self.value()))

    def value(self) -> Any:
        """What is chosen."""
        return self._values[int(self.widget.choice() or 0)]

    def show(self, field: FormField) -> None:
        """Show which one is chosen."""
        self.widget.choose(str(self._values.index(field.value)))


class YesEditor:
    """A box that says yes or no; its words are the label."""

    def __init__(self, field: FormField, take: Take, end: Callable[[], None]) -> None:
        del field, end
        self.widget = QCheckBox()
        self.widget.clicked.connect(lambda _is_on: take(self.value()))

    def value(self) -> bool:
        """Whether it is on."""
        return self.widget.isChecked()

    def show(self, field: FormField) -> None:
        """Show the words, and whether it is on."""
        self.widget.setText(field.label)
        self.widget.setChecked(bool(field.value))


class WordsEditor:
    """A line of text."""

    def __init__(self, field: FormField, take: Take, end: Callable[[], None]) -> None:
        self.widget = TextField()
        self.widget.enter_is_own = True
        field_ended = (self.widget.paused, self.widget.editingFinished, self.widget.taken_back)
        for is_complete in field_ended:
            is_complete.connect(lambda: take(self.value()))
        self.widget.editingFinished.connect(end)
        if field.check is not None:
            check = field.check
            self.widget.textEdited.connect(lambda text: self.widget.refuse(check(text)))

    def value(self) -> str:
        """What is written."""
        return self.widget.text()

    def show(self, field: FormField) -> None:
        """Show a text from its beginning."""
        self.widget.setPlaceholderText(field.empty or "")
        text = "" if field.value is None else str(field.value)
        if text != self.value():
            self.widget.setText(text)
        if not self.widget.hasFocus():
            self.widget.setCursorPosition(0)
        if field.check is not None:
            self.widget.refuse(field.check(self.value()))


Editor: TypeAlias = NumberEditor | ChoiceEditor | SightEditor | YesEditor | WordsEditor
_EDITORS: dict[FieldKind, Callable[[FormField, Take, Callable[[], None]], Editor]] = {
    FieldKind.NUMBER: NumberEditor,
    FieldKind.WHOLE: NumberEditor,
    FieldKind.CHOICE: ChoiceEditor,
    FieldKind.YES: YesEditor,
    FieldKind.TEXT: WordsEditor,
}


class FormRow:
    """One field of a form: its label or box, its editor, and the note below."""

    def __init__(self, form: Form, field: FormField) -> None:
        self._form, self.name = form, field.name
        make = SightEditor if field.is_in_sight else _EDITORS[field.kind]
        take = partial(form.take, field.name)
        self.editor = make(field, take, form.committed.emit)
        self.label: TextLabel | QCheckBox | None = None
        if field.has_box:
            self.label = QCheckBox()
            self.label.clicked.connect(self._on_box)
        elif field.kind is not FieldKind.YES and form.has_labels and field.label:
            wraps = form.look is FormLayout.ABOVE  # a number is narrower than what it is called
            self.label = ElidedLabel("") if form.elides else TextLabel("", form.role, wraps=wraps)
            self.label.setAlignment(
                Qt.AlignmentFlag.AlignLeft
                | (Qt.AlignmentFlag.AlignBottom if wraps else Qt.AlignmentFlag.AlignVCenter)
            )
            self.label.setBuddy(self.widget)
        self.about = HelpButton(field.explained) if field.explained is not None else None
        self.note = TextLabel("", "note", wraps=True)
        self._field = field
        if isinstance(self.editor, WordsEditor):
            self.editor.widget.textEdited.connect(self._show_note)

    @property
    def widget(self) -> QWidget:
        """What is filled in."""
        return self.editor.widget

    @property
    def is_shown(self) -> bool:
        """Whether it is not hidden."""
        return not self.widget.isHidden()

    def show(self, field: FormField) -> None:
        """Show a field as it stands."""
        self.editor.show(field)
        self.widget.setAccessibleName(field.spoken or field.label)
        self.widget.setToolTip(field.why_not or field.help)
        is_on = not field.has_box or field.value is not None
        self.widget.setEnabled(is_on and not field.why_not)
        if self.label is not None:
            if isinstance(self.label, ElidedLabel):
                self.label.set_full_text(field.label)
            else:
                self.label.setText(field.label)
                self.label.setToolTip(field.why_not or field.help)
            self.label.setVisible(field.is_offered)
        if isinstance(self.label, QCheckBox):
            self.label.setChecked(is_on)
            self.label.setEnabled(not field.why_not)
        self.widget.setVisible(field.is_offered)
        self._field = field
        self._show_note()

    def _show_note(self, _text: str = "") -> None:
        """The line below: why what is written does not count, or what is to be said of it."""
        refusal = self.editor.widget.refusal if isinstance(self.editor, WordsEditor) else ""
        words = refusal or self._field.note
        self.note.set_role("loss" if refusal or self._field.is_urgent else "note")
        self.note.setText(words)
        self.note.setVisible(bool(words) and self._field.is_offered)

    def _on_box(self, is_on: bool) -> None:
        self._form.take(self.name, self.editor.value() if is_on else None)
        self._form.committed.emit()


class Form(QWidget):
    """Fields in a column or in a line.

    Parameters
    ----------
    look : FormLook
    width, choice_width : int
        Pixels of a number; of a list, 0: as wide as its entries ask for.
    role : str, optional
        Of the labels' text; left out: as the look has it.
    is_small, has_labels : bool
        Whether fields are as low as small buttons, and have their labels beside them.
    elides : bool
        Whether long labels are cut in their middle: names that people give.
    fills : bool
        Whether lists of a column take the room that the labels leave.
    spacing : int
        Pixels between the rows of a column.
    """

    changed = Signal(str, object)  # name of a field, its value
    committed = Signal()  # a change is complete: what comes next is another step to undo

    def __init__(
        self,
        look: FormLayout = FormLayout.COLUMN,
        *,
        width: int = 96,
        choice_width: int = 0,
        role: str = "",
        is_small: bool = False,
        has_labels: bool = True,
        elides: bool = False,
        fills: bool = False,
        spacing: int = 6,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.look, self.role = look, role or _ROLES[look]
        self.has_labels, self.elides, self._fills = has_labels, elides, fills
        self._spacing = spacing
        self._width, self._choice_width, self._is_small = width, choice_width, is_small
        self.rows: dict[str, FormRow] = {}
        self._shape: object = ()
        self._newest: tuple[FormField, ...] = ()
        self._body = QWidget()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._body)

    def show_fields(self, fields: Sequence[FormField], *, at_once: bool = False) -> None:
        """Show fields as they stand; those of other names or kinds are made anew.

        That waits until what is being typed is complete, but ``at_once``: of other data.
        """
        self._newest = tuple(fields)
        shape = tuple(_shape(field) for field in fields)
        if shape != self._shape:
            if not at_once and self._waits():
                return
            self._shape = shape
            with keeping_focus(self):
                self._build(fields)
        hides = any(not field.is_offered and self.rows[field.name].is_shown for field in fields)
        if hides and not at_once and self._waits():
            return
        for field in fields:
            self.rows[field.name].show(field)

    def _waits(self) -> bool:
        """Whether a field is being typed into, which is not taken away; shown once that ended."""
        return after_typing(self, lambda: self.show_fields(self._newest))

    def editor(self, name: str) -> Any:
        """The widget in which a field is filled in."""
        return self.rows[name].widget

    def box(self, name: str) -> QCheckBox:
        """The box that turns a field on."""
        box = self.rows[name].label
        assert isinstance(box, QCheckBox)
        return box

    def written(self) -> dict[str, str]:
        """What the fields of text hold now, complete or not."""
        editors = {name: row.editor for name, row in self.rows.items()}
        return {name: e.value() for name, e in editors.items() if isinstance(e, WordsEditor)}

    def values(self) -> dict[str, Any]:
        """What the fields hold as they were shown last; None: nothing, or a box that is off."""
        return {field.name: field.value for field in self._newest}

    def take(self, name: str, value: Any) -> None:
        """A person has said something of a field."""
        shown = next((field for field in self._newest if field.name == name), None)
        if shown is None or shown.value != value:
            self.changed.emit(name, value)

    # ------------------------------------------------------------ building

    def _build(self, fields: Sequence[FormField]) -> None:
        grid = self._new_grid()
        self.rows = {}
        for place, field in enumerate(fields):
            row = FormRow(self, field)
            self.rows[field.name] = row
            self._size(row.editor, field)
            self._put(grid, row, place)
        stretched = {FormLayout.COLUMN: int(self._fills), FormLayout.LINE: 2 * len(fields)}
        grid.setColumnStretch(stretched.get(self.look, len(fields)), 1)

    def _new_grid(self) -> QGridLayout:
        """A new grid in place of the old, of which one field may just be being left."""
        self._body.hide()
        self._body.deleteLater()
        self._body = QWidget()
        self._column.addWidget(self._body)
        grid = QGridLayout(self._body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12 if self.look is FormLayout.ABOVE else 8)
        grid.setVerticalSpacing(4 if self.look is FormLayout.ABOVE else self._spacing)
        return grid

    def _put(self, grid: QGridLayout, row: FormRow, place: int) -> None:
        is_column = self.look is FormLayout.COLUMN
        if is_column:
            label, field = (2 * place, 0), (2 * place, 1)
            grid.addWidget(row.note, 2 * place + 1, 0, 1, 2)
        elif self.look is FormLayout.LINE:
            label, field = (0, 2 * place), (0, 2 * place + 1)
        else:
            label, field = (0, place), (1, place)
        if row.label is not None:
            head = QHBoxLayout()
            head.setSpacing(6)
            head.addWidget(row.label, 1 if self.elides else 0)
            if row.about is not None:
                head.addWidget(row.about)
            if not self.elides:
                head.addStretch(1)
            grid.addLayout(head, *label)
        if is_column and row.label is None:
            grid.addWidget(row.widget, label[0], 0, 1, 2)
        elif is_column and isinstance(row.editor, NumberEditor):
            side = Qt.AlignmentFlag.AlignLeft if self._fills else Qt.AlignmentFlag.AlignRight
            grid.addWidget(row.widget, *field, side)
        else:
            grid.addWidget(row.widget, *field)

    def _size(self, editor: Editor, field: FormField) -> None:
        widget = editor.widget
        if self._is_small:
            widget.setProperty("small", True)
        if isinstance(editor, NumberEditor):
            room = editor.widget.fontMetrics().horizontalAdvance(field.empty or "") + BESIDE_WORDS
            editor.widget.setFixedWidth(max(self._width, room))
        elif isinstance(editor, ChoiceEditor):
            box = editor.widget
            if self.look is FormLayout.COLUMN:
                may_shrink(box)
            else:
                box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
                box.setMaximumWidth(MOST_CHOICE)
            if self._choice_width:
                box.setFixedWidth(self._choice_width)
                box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)


def may_shrink(box: QComboBox) -> None:
    """Let a list be as narrow as its place; long entries are cut there, not in the list."""
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)


def _shape(field: FormField) -> tuple[object, ...]:
    """What cannot be changed of a field once it is made."""
    options = field.options if field.is_in_sight else ()
    return (field.name, field.kind, field.has_box, field.empty is None, field.explained, options)


class QuestionForm(Form):
    """The form of a question's fields: what is said here makes the question.

    The owner calls ``show_for`` where what it stands on has changed.
    """

    requested_again = Signal()

    def __init__(
        self,
        record: type[Question[Any]],
        names: Sequence[str],
        look: FormLayout = FormLayout.COLUMN,
        **looks: Any,
    ) -> None:
        super().__init__(look, **looks)
        self.draft = QuestionDraft(record, names)
        self._context = FormContext()
        self.changed.connect(self._show_message)

    def show_for(self, context: FormContext) -> None:
        """Show the fields for a project as it stands now."""
        self._context = context
        self.show_fields(self.draft.fields(context))

    def assume(self, name: str, value: Any, reason: str = "") -> None:
        """Show what an answer assumed of a field; None: there is nothing to ask for."""
        self.draft.assume(name, value, reason)
        self.show_for(self._context)

    def question(self, **others: Any) -> Any:
        """The question as it stands; ``others`` are the fields that are not here."""
        return self.draft.question(self._context, **others)

    def _show_message(self, name: str, value: Any) -> None:
        self.draft.say(name, value)
        self.show_for(self._context)
        self.requested_again.emit()
