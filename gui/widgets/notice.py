"""The message strip: what, where, why and what to do, without stopping anyone."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QRectF, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from core.document.markup import Content, Html, joined
from gui.theme import current_theme, icon, theme_notifier
from gui.widgets.labels import IconLabel, RichLabel, strong
from payoff.errors import PayoffError

NoticeKind = Literal["info", "ok", "warning", "error"]

_STYLES: dict[str, tuple[str, str]] = {
    "info": ("info", "accent"),
    "ok": ("check", "gain"),
    "warning": ("warning", "loss"),
    "error": ("warning", "error"),
}


class Notice(QFrame):
    """One message in place. Good news leaves by itself; trouble stays until it is closed."""

    opened = Signal()
    closed = Signal()
    more_wanted = Signal()  # the next of the messages that wait behind this one

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._kind: NoticeKind = "info"
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 8, 6)
        row.setSpacing(10)
        self._icon = IconLabel("info", "accent", 18)
        self.text = RichLabel("", wraps=True)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._action = QPushButton()
        self._action.setProperty("kind", "link")
        self._action.hide()
        self._more = QPushButton()
        self._more.setProperty("kind", "link")
        self._more.setToolTip("Show the next message")
        self._more.clicked.connect(self.more_wanted)
        self._more.hide()
        self._is_open = False
        self.count = 0  # of the messages shown so far: tells one from the next
        self._close = QToolButton()
        self._close.setIcon(icon("close", "quiet"))
        self._close.setToolTip("Close")
        self._close.setAccessibleName("Close message")
        self._close.clicked.connect(self.dismiss)
        for widget in (self._icon, self.text, self._action, self._more, self._close):
            row.addWidget(widget)
        row.setStretch(1, 1)
        theme_notifier().theme_changed.connect(self.update)
        self.hide()

    def show_text(self, text: Content, kind: NoticeKind = "info", *, seconds: float = 0.0) -> None:
        """Show a message; ``seconds`` > 0 lets it leave by itself."""
        self._kind = kind
        self._icon.set_icon(*_STYLES[kind])
        self.text.setText(text)
        self.setAccessibleName(self.text.text())
        self._action.hide()
        self._timer.stop()
        if seconds > 0:
            self._timer.start(round(seconds * 1000))
        self._is_open = True
        self.count += 1
        self.show()
        self.opened.emit()
        self.update()

    def show_error(self, error: Exception) -> None:
        """Show a refusal as sentences: what, where, why, remedy."""
        self.show_text(error_sentences(error), "error")

    @property
    def is_open(self) -> bool:
        """Whether it shows something, be it behind another message."""
        return self._is_open

    def natural_width(self) -> int:
        """How wide it is with its words in one line."""
        beside = self.sizeHint().width() - self.text.sizeHint().width()
        return beside + self.text.natural_width()

    def offer(self, words: str, action: object) -> None:
        """Put a button into the message; ``action`` is called when it is pressed."""
        self._action.setText(words)
        self._action.clicked.disconnect() if self._action.property("bound") else None
        self._action.clicked.connect(action)
        self._action.setProperty("bound", True)
        self._action.show()

    def dismiss(self) -> None:
        """Put the message away."""
        self._timer.stop()
        if self._is_open:
            self._is_open = False
            focus = self.focusWidget()
            if focus is not None:  # hidden with the focus, it would hand it to whatever comes next
                focus.clearFocus()
            self.hide()
            self.closed.emit()

    def count_more(self, count: int) -> None:
        """Say how many messages wait behind this one."""
        self._more.setText(f"{count:d} more")
        self._more.setVisible(count > 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(str(getattr(current_theme(), _STYLES[self._kind][1])))
        painter.fillRect(QRectF(0, 1, 4, self.height() - 2), colour)
        painter.end()


def error_sentences(error: Exception) -> Html:
    """An error as sentences with the headline in bold; no bare traceback reaches a user."""
    if isinstance(error, PayoffError):
        rest = [f"({error.where})"] if error.where else []
        rest += [part for part in (error.why, error.remedy) if part]
        return joined((strong(error.what), " ".join(rest)), " ")
    return joined((strong(type(error).__name__), str(error)), " ")


def plain_sentences(error: Exception) -> str:
    """An error for a label whose text is plain: what, where, why, remedy."""
    is_ours = isinstance(error, PayoffError)
    return str(error) if is_ours else f"{type(error).__name__}: {error}"
