"""Fields to type in: what is being typed is never rewritten, and Ctrl+Z is first of all its own.

A field is being typed into while it has the keyboard and holds something that was typed since it
was last complete. Complete is what was typed once Enter was pressed, the field is left, or the
mouse is pressed elsewhere, also on what takes no keyboard. Until then ``setText`` of the program is
passed over: the document is not shown over it. Escape takes back what was typed; only then it is
the dialog's. Enter is the dialog's where that has a button to confirm with, never that of Close.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QToolTip,
    QWidget,
)

from gui.pauses import PAUSES, single_shot

_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_LATE = "shownAfterTyping"
_ALT_GR = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
_CONFIRMING = {QDialogButtonBox.ButtonRole.AcceptRole, QDialogButtonBox.ButtonRole.YesRole}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NO_KEYS = (Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_Shift, Qt.Key.Key_AltGr)


class TextField(QLineEdit):
    """One line of text. The first click into it selects all, as Tab does; a second one does not.

    ``paused`` is sent when no key came for a moment; ``taken_back`` when Escape brought back what
    stood there before something was typed. ``enter_is_own``: Enter after typing completes what was
    typed, so that it can be looked at, and only the next one confirms a dialog.
    """

    typing_ended = Signal()
    paused = Signal()
    taken_back = Signal()

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._was_clicked = False  # since it got the keyboard
        self._before = text  # what stood here before something was typed
        self._refusal = ""  # why what is typed, or was typed last, does not count
        self.enter_is_own = False
        self._watch: _Elsewhere | None = None
        self._pause = single_shot(self, PAUSES.typed, self.paused)
        self.textChanged.connect(self._on_text)
        self.textEdited.connect(self._on_key)
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
        self._before = self.text()

    def replace_text(self, text: str) -> None:
        """Put another text in place, typed or not; a selection of all stays one."""
        is_whole = self.hasFocus() and self.selectedText() == self.text() != ""
        super().setText(text)
        if is_whole:
            self.selectAll()

    def selectAll(self) -> None:
        """Select the whole text, with the cursor at its beginning: that is what is then seen."""
        self.setSelection(len(self.text()), -len(self.text()))

    def finish_typing(self) -> None:
        """What was typed is complete: someone is about to do something with it."""
        if self.is_being_typed():
            self.editingFinished.emit()

    def refuse(self, reason: str) -> None:
        """Mark that what stands here does not count, and say why; nothing takes the mark away."""
        self._refusal = reason
        self._set_invalid(bool(reason))

    @property
    def refusal(self) -> str:
        """Why what stands here, or was typed last, does not count; empty = it does."""
        return self._refusal

    def toolTip(self) -> str:
        """Why what was typed does not count, or else what the field is."""
        return self._refusal or super().toolTip()

    def holds_refused(self) -> bool:
        """Whether what stands here does not count: a dialog asks before it is confirmed."""
        return bool(self._refusal)

    def show_refusal(self) -> None:
        """Take the keyboard back, and say why what was typed does not count."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()
        self._show_refusal()

    def _show_refusal(self) -> None:
        """Say at the field why an entry was not taken; the tool tip keeps it until the next key."""
        QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), self._refusal, self)

    def _set_invalid(self, is_invalid: bool) -> None:
        word = "true" if is_invalid else "false"
        if self.property("invalid") != word and (is_invalid or self.property("invalid")):
            self.setProperty("invalid", word)
            self.style().unpolish(self)
            self.style().polish(self)

    def take_back(self) -> None:
        """What was typed goes, as if nothing had been."""
        self._pause.stop()
        self.replace_text(self._before)
        self.selectAll()
        self._end_typing()
        self.textEdited.emit(self.text())  # who follows each key follows this too
        self._pause.stop()
        self.taken_back.emit()

    def _on_text(self, text: str) -> None:
        if not self.isModified():  # by the program: a list shows its entry without asking
            self._before = text

    def _on_key(self, _text: str) -> None:
        self._pause.start()
        if self._watch is None and self.is_being_typed():
            self._watch = _Elsewhere(self)

    def _end_typing(self) -> None:
        self._pause.stop()
        self.setModified(False)
        self._was_clicked = False
        self._before = self.text()
        if self._watch is not None:
            self._watch.end()
            self._watch = None
        self.typing_ended.emit()

    # ------------------------------------------------------------ events

    def event(self, event: QEvent) -> bool:
        """Undo is the field's own while something was typed, the project's otherwise."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._refusal:
            QToolTip.showText(event.globalPos(), self._refusal, self)
            return True
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().event(event)
        own = undoes(event, self.isModified() and self.isUndoAvailable(), self.isRedoAvailable())
        if event.key() == Qt.Key.Key_Escape and self.is_being_typed():
            own = True
        if own is not None:
            event.setAccepted(own)
            return own
        handled = super().event(event)
        if not event.isAccepted() and is_command(event):
            self.finish_typing()
        return handled

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_being_typed():
            self.take_back()
            event.accept()
            return
        is_own = self.enter_is_own and self.is_being_typed()
        super().keyPressEvent(event)
        if event.key() in ENTER and (is_own or not confirms(self.window())):
            event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.selectedText() == self.text() != "":
            self.selectAll()  # from its beginning
        self._was_clicked = event.reason() == Qt.FocusReason.PopupFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not (self._was_clicked or self.isModified() or self.hasSelectedText()):
            self.selectAll()
        self._was_clicked = True


class _Elsewhere(QObject):
    """While a field is typed into: pressing the mouse elsewhere completes what was typed.

    Tool buttons take no keyboard from the field when they are clicked, and yet act on its number.
    """

    def __init__(self, field: TextField) -> None:
        super().__init__(field)
        self._field = field
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]  # fields are made in a program

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_press = event.type() == QEvent.Type.MouseButtonPress
        if is_press and isinstance(watched, QWidget) and not isinstance(watched, QMenu):
            field = self._field
            if watched is not field and not field.isAncestorOf(watched):
                field.finish_typing()
        return False

    def end(self) -> None:
        """Nothing is being typed any more."""
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]  # as above
        self.deleteLater()


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
        """Show a text from its beginning; passed over while the field is being typed into."""
        if not self.field.is_being_typed():
            super().setCurrentText(text)
            self.field.setCursorPosition(0)


def undoes(event: QKeyEvent, has_typed: bool, has_undone: bool) -> bool | None:
    """Whether a key takes back typing, or brings it back; None where it is another key."""
    if event.matches(QKeySequence.StandardKey.Undo):
        return has_typed
    is_other = event.key() == Qt.Key.Key_Z and event.modifiers() == (
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    return has_undone if is_other or event.matches(QKeySequence.StandardKey.Redo) else None


def confirms(window: QWidget) -> bool:
    """Whether Enter in a field may go on to a window: not to a dialog that has but Close.

    Qt makes the first button of a dialog its default where nobody named one.
    """
    if not isinstance(window, QDialog):
        return True
    default = next((b for b in window.findChildren(QPushButton) if b.isDefault()), None)
    if default is None:
        return False
    boxes = window.findChildren(QDialogButtonBox)
    ways = {box.buttonRole(default) for box in boxes}
    return bool(ways & _CONFIRMING) or default.property("kind") == "primary"


def is_command(event: QKeyEvent) -> bool:
    """Whether a key may be a shortcut of the window: with Ctrl or Alt, or F1 and the like.

    Ctrl and Alt together with a sign is AltGr, which types that sign.
    """
    key = Qt.Key(event.key())
    held = event.modifiers() & _MODIFIERS
    if held == _ALT_GR and event.text().isprintable() and event.text():
        return False
    is_function = Qt.Key.Key_F1 <= key <= Qt.Key.Key_F35
    return key not in _NO_KEYS and (is_function or bool(held))


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
