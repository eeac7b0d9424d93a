"""Labels: roles of text, middle elision, amounts with sign and arrow, themed icons."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QLabel, QSizePolicy, QTextBrowser, QWidget

from core.document.markup import Content, Html, joined, page, tag
from core.document.wording import NBSP, format_money
from gui.theme import current_theme, icon_pixmap, theme_notifier
from gui.theme.fonts import strong_family

UP = "▲"
DOWN = "▼"
_EQUATION = re.compile(
    r"(?:(?<=\S) (=)|(?:(?<=\bp)|(?<=\bAUC)|(?<=\bPSI)) (≤|≥|<|>|&lt;|&gt;)) (?=[^\s=])"
)
FROM_LEFT, APART, AGAIN = "\u200e", "\u2068", "\u2069"  # marks of Unicode, none is seen
_FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_QUOTED = re.compile("“([^”]*)”")
_UNIT = re.compile(r", ((?:[€$£¥]|EUR|USD|CHF|GBP)(?![\w\s]))")


def set_text_role(widget: QWidget, role: str) -> None:
    """Give a label another role: note, quiet, strong, section, title, number, gain, loss, error."""
    if widget.property("textRole") == role:
        return
    widget.setProperty("textRole", role)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def held_together(text: str) -> str:
    """A text whose lines never end within "p = 0.006", nor before the unit of a heading.

    It is read from the left whatever names it holds: quoted ones keep their own direction.

    Examples
    --------
    >>> held_together("resamples (p = 0.006)"), held_together("worth, €")
    ('resamples (p\xa0=\xa00.006)', 'worth,\xa0€')
    """
    if _FROM_RIGHT.search(text):  # else a name turns round the sentence, its numbers too
        text = FROM_LEFT + _QUOTED.sub(f"“{APART}\\1{AGAIN}”", text)
    text = _EQUATION.sub(lambda found: f"{NBSP}{found[1] or found[2]}{NBSP}", text)
    return _UNIT.sub(rf",{NBSP}\1", text)


class TextLabel(QLabel):
    """A label with a text role. ``wraps`` lets it run over several lines.

    Its text is plain, tags and all, as the names of columns may be (``RichLabel`` shows markup).
    """

    def __init__(
        self,
        text: str = "",
        role: str = "body",
        *,
        wraps: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(held_together(text) if wraps else text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("textRole", role)
        self.setWordWrap(wraps)
        if wraps:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def setText(self, text: str) -> None:
        super().setText(held_together(text) if self.wordWrap() else text)

    def set_role(self, role: str) -> None:
        """Change the role of the text."""
        set_text_role(self, role)


class RichLabel(TextLabel):
    """A label that shows markup; a plain text that it is given stays plain, tags and all."""

    def __init__(
        self,
        text: Content = "",
        role: str = "body",
        *,
        wraps: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", role, wraps=wraps, parent=parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setText(text)

    def setText(self, text: Content) -> None:
        super().setText(joined((text,)).text)

    def natural_width(self) -> int:
        """How wide the words are in one line."""
        line = QTextDocument()
        line.setDefaultFont(self.font())
        line.setHtml(self.text())
        return math.ceil(line.idealWidth())


class MarkupView(QTextBrowser):
    """A page of markup that scrolls. Its links are told by ``anchorClicked`` and not followed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)

    def show_markup(self, body: Html, style: str) -> None:
        """Show another page where the reader was."""
        place = self.verticalScrollBar().value()
        set_markup(self.document(), body, style)
        self.moveCursor(QTextCursor.MoveOperation.Start)  # left at the end, it would be shown
        self.verticalScrollBar().setValue(place)


def set_markup(document: QTextDocument, body: Html, style: str) -> None:
    """Fill a document with markup; a text that is none cannot be handed over."""
    document.setHtml(page((), body, style))


def strong(text: Content) -> Html:
    """Words in the weight of the program's strong labels; <b> would be heavier."""
    return tag("span", text, style=f"font-family:'{strong_family()}';font-weight:600")


def whole_parts(text: str) -> tuple[str, ...]:
    """A text shortened part by part: "rows, 1,920 of 1,920, bands" to "rows, 1,920 of 1,920" ..."""
    forms = []
    while ", " in text:
        text = text.rpartition(", ")[0]
        forms.append(text)
    return tuple(forms)


class ElidedLabel(TextLabel):
    """One line that shortens itself; the whole text is the tooltip.

    Where shorter forms of the text are given, the first that fits is shown whole: words that are
    left out read better than words that are cut.
    """

    def __init__(
        self,
        text: str = "",
        role: str = "body",
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", role, parent=parent)
        self._full = text
        self._shorter: tuple[str, ...] = ()
        self._mode = mode
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_full_text(text)

    def set_full_text(self, text: str, *shorter: str) -> None:
        """Show another text; ``shorter`` forms stand in for it where it has no room."""
        self._full, self._shorter = text, shorter
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    def full_text(self) -> str:
        """The text before it is shortened."""
        return self._full

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._full) + 2, metrics.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(40, self.sizeHint().width()), self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:  # a heavier one needs more room
            self._elide()

    def _elide(self) -> None:
        room = max(self.width(), 1)
        metrics = self.fontMetrics()
        forms = (self._full, *self._shorter)
        fitting = next((form for form in forms if metrics.horizontalAdvance(form) <= room), None)
        shown = fitting if fitting is not None else metrics.elidedText(forms[-1], self._mode, room)
        self.setText(shown)
        self.setToolTip(self._full if shown != self._full else "")


class MoneyLabel(TextLabel):
    """An amount with arrow, sign and colour: gain or loss is never told by colour alone."""

    def __init__(self, parent: QWidget | None = None, *, arrow: bool = True) -> None:
        super().__init__("", "strong", parent=parent)
        self._arrow = arrow

    def set_amount(
        self,
        value: float,
        currency: str = "€",
        *,
        signed: bool = True,
        certain: bool = True,
        decimals: int | None = None,
    ) -> None:
        """Show an amount; ``certain`` False means its interval holds 0 (sign ≈, no colour)."""
        amount = format_money(value, currency, decimals=decimals, sign=signed)
        exact = f"{value:,.2f}" if math.isfinite(value) else ""
        self.setToolTip(exact)
        self.setAccessibleName(amount)
        if not certain or not math.isfinite(value) or value == 0:
            self.setText(f"≈ {amount}" if not certain else amount)
            self.set_role("strong" if certain else "quiet")
            return
        mark = f"{UP if value > 0 else DOWN} " if self._arrow else ""
        self.setText(f"{mark}{amount}")
        self.set_role("gain" if value > 0 else "loss")


class IconLabel(QWidget):
    """An icon in a colour role of the theme."""

    def __init__(
        self, name: str, role: str = "quiet", size: int = 16, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._role = role
        self._size = size
        self.setFixedSize(size, size)
        theme_notifier().theme_changed.connect(self.update)

    def set_icon(self, name: str, role: str = "quiet") -> None:
        """Show another icon."""
        self._name = name
        self._role = role
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = str(getattr(current_theme(), self._role))
        ratio = self.devicePixelRatioF()
        painter.drawPixmap(0, 0, icon_pixmap(self._name, colour, self._size, ratio))
        painter.end()
