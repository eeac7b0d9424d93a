"""Fields to type in: what is being typed is never rewritten, and Ctrl+Z is first of all its own.

A field is being typed into while it has the keyboard and holds something that was typed since it
was last complete. Complete is what was typed once Enter was pressed or the field is left. Until
then ``setText`` of the program is passed over: the document is not shown over it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget

_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_LATE = "shownAfterTyping"
_NO_KEYS = (Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_Shift, Qt.Key.Key_AltGr)


class TextField(QLineEdit):
    """One line of text. The first click into it selects all, as Tab does; a second one does not."""

    typing_ended = Signal()

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._was_clicked = False  # since it got the keyboard
        self.editingFinished.connect(self._end_typing)  # first: what follows may show its own

    def is_being_typed(self) -> bool:
        """Whether it has the keyboard and holds something that is not complete yet."""
        return self.hasFocus() and self.isModified()

    def setText(self, text: str | None) -> None:
        """Show a text; passed over while the field is being typed into."""
        if self.is_being_typed():
            return
        if (text or "") != self.text():
            self.replace_text(text or "")
        self.setModified(False)

    def replace_text(self, text: str) -> None:
        """Put another text in place, typed or not; a selection of all stays one."""
        is_whole = self.hasFocus() and self.selectedText() == self.text() != ""
        super().setText(text)
        if is_whole:
            self.selectAll()

    def finish_typing(self) -> None:
        """What was typed is complete: someone is about to do something with it."""
        if self.is_being_typed():
            self.editingFinished.emit()

    def _end_typing(self) -> None:
        self.setModified(False)
        self._was_clicked = False
        self.typing_ended.emit()

    # ------------------------------------------------------------ events

    def event(self, event: QEvent) -> bool:
        """Undo is the field's own while something was typed, the project's otherwise."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().event(event)
        own = undoes(event, self.isModified() and self.isUndoAvailable(), self.isRedoAvailable())
        if own is not None:
            event.setAccepted(own)
            return own
        handled = super().event(event)
        if not event.isAccepted() and is_command(event):
            self.finish_typing()
        return handled

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._was_clicked = event.reason() == Qt.FocusReason.PopupFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not (self._was_clicked or self.isModified() or self.hasSelectedText()):
            self.selectAll()
        self._was_clicked = True


class NotesField(QPlainTextEdit):
    """Several lines of text, by the same rule; a click leaves the cursor where it is."""

    typing_ended = Signal()

    def is_being_typed(self) -> bool:
        """Whether it has the keyboard and was typed into since."""
        return self.hasFocus() and self.document().isModified()

    def setPlainText(self, text: str) -> None:
        """Show a text; passed over while the field is being typed into."""
        if not self.is_being_typed() and text != self.toPlainText():
            super().setPlainText(text)
            self.document().setModified(False)

    def event(self, event: QEvent) -> bool:
        """Undo is the field's own while something was typed, the project's otherwise."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            words = self.document()
            has_typed = words.isModified() and words.isUndoAvailable()
            own = undoes(event, has_typed, words.isRedoAvailable())
            if own is not None:
                event.setAccepted(own)
                return own
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.document().setModified(False)
        self.typing_ended.emit()


class EntryBox(QComboBox):
    """A list to choose from into which one's own may be typed, by the same rule."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = TextField()
        self.setEditable(True)
        self.setLineEdit(self.field)
        self.setCompleter(None)  # type: ignore[arg-type]  # it would rewrite what is typed
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)

    def setCurrentText(self, text: str) -> None:
        """Show a text; passed over while the field is being typed into."""
        if not self.field.is_being_typed():
            super().setCurrentText(text)


def undoes(event: QKeyEvent, has_typed: bool, has_undone: bool) -> bool | None:
    """Whether a key takes back typing, or brings it back; None where it is another key."""
    if event.matches(QKeySequence.StandardKey.Undo):
        return has_typed
    is_other = event.key() == Qt.Key.Key_Z and event.modifiers() == (
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    return has_undone if is_other or event.matches(QKeySequence.StandardKey.Redo) else None


def is_command(event: QKeyEvent) -> bool:
    """Whether a key may be a shortcut of the window: with Ctrl or Alt, or F1 and the like."""
    key = Qt.Key(event.key())
    is_function = Qt.Key.Key_F1 <= key <= Qt.Key.Key_F35
    return key not in _NO_KEYS and (is_function or bool(event.modifiers() & _MODIFIERS))


def focused_field() -> QWidget | None:
    """The widget that takes the keys: of a list, the field in it."""
    field = QApplication.focusWidget()
    return field.field if isinstance(field, EntryBox) else field


def finish_typing() -> None:
    """What is being typed anywhere in the program is complete."""
    field = focused_field()
    if isinstance(field, TextField):
        field.finish_typing()


def after_typing(owner: QWidget, show: Callable[[], None]) -> bool:
    """Whether a field inside is being typed into; ``show`` is then called once that has ended.

    A part that builds its fields anew asks first: a field that is taken away cannot be typed into.
    Of several calls meanwhile the last one counts.
    """
    field = focused_field()
    if not isinstance(field, TextField | NotesField) or not field.is_being_typed():
        return False
    if not owner.isAncestorOf(field):
        return False
    is_first = _LATE not in owner.dynamicPropertyNames() or owner.property(_LATE) is None
    owner.setProperty(_LATE, show)
    if is_first:
        field.typing_ended.connect(
            lambda: QTimer.singleShot(0, owner, lambda: _show_late(owner)),
            Qt.ConnectionType.SingleShotConnection,
        )
    return True


def _show_late(owner: QWidget) -> None:
    show = owner.property(_LATE)
    owner.setProperty(_LATE, None)
    if show is not None:
        show()


@contextmanager
def keeping_focus(owner: QWidget) -> Iterator[None]:
    """While fields are built anew: the one of the same name has the keyboard afterwards."""
    field = focused_field()
    has_it = field is not None and owner.isAncestorOf(field)
    name = field.accessibleName() if has_it and field is not None else ""
    yield
    twins = [w for w in owner.findChildren(QWidget) if name and w.accessibleName() == name]
    if twins and twins[-1] is not field:
        QTimer.singleShot(0, twins[-1], lambda: twins[-1].setFocus(Qt.FocusReason.TabFocusReason))
