"""Names with a bar and a share each, the largest first: what a model uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.document.wording import format_share
from gui.theme import current_theme, text_font, theme_notifier
from payoff.counting import counted

ROW = 24
_VALUE = 52  # room for "100.0 %"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedBar:
    """One line; ``key`` empty: it stands for several and cannot be chosen.

    ``share`` gives the length of the bar; ``words`` stand in place of it as a percentage.
    """

    key: str
    name: str
    share: float
    words: str = ""

    @property
    def value(self) -> str:
        """What stands at the end of the line."""
        return self.words or format_share(self.share)


def ranked(shares: Sequence[tuple[str, float]], most: int) -> tuple[RankedBar, ...]:
    """The largest shares, those beyond ``most`` lines summed up in the last."""
    ordered = sorted(shares, key=lambda entry: -entry[1])
    if len(ordered) <= most:
        return tuple(RankedBar(key=name, name=name, share=share) for name, share in ordered)
    kept, rest = ordered[: most - 1], ordered[most - 1 :]
    bars = [RankedBar(key=name, name=name, share=share) for name, share in kept]
    total = sum(share for _, share in rest)
    return (*bars, RankedBar(key="", name=counted(len(rest), "other"), share=total))


class RankedBars(QWidget):
    """Bars of one model's colour; a line can be chosen by mouse and arrow keys if asked for."""

    chosen = Signal(str)

    def __init__(self, *, can_choose: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[RankedBar, ...] = ()
        self._series = 0
        self._chosen = ""
        self._second = ""
        self._can_choose = can_choose
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if can_choose:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme_notifier().theme_changed.connect(self.update)

    def show_bars(self, bars: tuple[RankedBar, ...], series: int) -> None:
        """Show other bars; the choice stays where its line is still there."""
        self._bars = bars
        self._series = series
        spoken = ", ".join(f"{bar.name} {bar.value}" for bar in bars)
        self.setAccessibleDescription(spoken)
        self.updateGeometry()
        self.update()

    @property
    def bars(self) -> tuple[RankedBar, ...]:
        """The bars, from top to bottom."""
        return self._bars

    def choose(self, key: str, second: str = "") -> None:
        """Mark a line, and a second one that goes with it, without telling."""
        self._chosen, self._second = key, second
        self.update()

    def choice(self) -> str:
        """The key of the marked line, or an empty text."""
        return self._chosen

    def sizeHint(self) -> QSize:
        return QSize(220, ROW * max(1, len(self._bars)))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, ROW * max(1, len(self._bars)))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setFont(text_font("body"))
        largest = max((bar.share for bar in self._bars), default=0.0)
        name_width = min(0.46 * self.width(), 180.0)
        metrics = painter.fontMetrics()
        widest = max((metrics.horizontalAdvance(bar.words) for bar in self._bars), default=0)
        value_width = max(_VALUE, widest + 4)
        if value_width > _VALUE:
            name_width = min(0.36 * self.width(), 180.0)
        for place, bar in enumerate(self._bars):
            row = QRectF(0, place * ROW, self.width(), ROW)
            if bar.key and bar.key in (self._chosen, self._second):
                painter.fillRect(row, QColor(theme.selection))
                if bar.key == self._chosen:
                    painter.fillRect(QRectF(0, row.top(), 3, ROW), QColor(theme.accent))
            pad = 8.0 if self._can_choose else 0.0
            self._paint_row(
                painter, row.adjusted(pad, 0, -pad, 0), bar, largest, name_width, value_width
            )
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_row(
        self,
        painter: QPainter,
        row: QRectF,
        bar: RankedBar,
        largest: float,
        name_width: float,
        value_width: float,
    ) -> None:
        theme = current_theme()
        painter.setPen(QColor(theme.text))
        name = painter.fontMetrics().elidedText(
            bar.name, Qt.TextElideMode.ElideMiddle, round(name_width - 8)
        )
        painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        painter.drawText(
            row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, bar.value
        )
        room = row.width() - name_width - value_width - 8
        if largest > 0 and room > 4:
            length = max(1.0, room * bar.share / largest)
            area = QRectF(row.left() + name_width, row.center().y() - 3, length, 6)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.series_colour(self._series)))
            painter.drawRoundedRect(area, min(2.0, length / 2), 2)

    # ------------------------------------------------------------ choosing

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._take(int(event.position().y()) // ROW)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        step = steps.get(Qt.Key(event.key()))
        if step is None or not self._can_choose:
            super().keyPressEvent(event)
            return
        keys = [bar.key for bar in self._bars]
        place = keys.index(self._chosen) if self._chosen in keys else -step
        self._take(place + step)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def _take(self, place: int) -> None:
        if not self._can_choose or not 0 <= place < len(self._bars):
            return
        key = self._bars[place].key
        if key and key != self._chosen:
            self._chosen = key
            self.update()
            self.chosen.emit(key)
