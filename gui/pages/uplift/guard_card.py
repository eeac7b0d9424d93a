"""Validity first: whether the split was random, check by check, and the effect without a model."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.document.studies.uplift import Check, UpliftResult, Validity
from gui.pages.uplift.words import UpliftWords, effect_words, next_test_words, truth_words
from gui.parts import IconLabel, Rule, TextLabel
from gui.parts.cards import clear_layout
from gui.theme import current_theme, theme_notifier

SIGNS = {"ok": ("check", "gain"), "warning": ("warning", "loss"), "error": ("cross", "error")}
COLOURS = {"ok": "gain", "warning": "loss", "error": "error"}
STRIPE = 4
LEAST_LETTERS = 17
NARROW = 1300  # below this width the details of the checks stand in their tool tips


class BalanceLine(QWidget):
    """The share of the treated along the ranking, within the band it should stay in."""

    WIDTH, LEAST = 100, 64

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._guard: Validity | None = None
        self.setFixedSize(QSize(self.WIDTH, 30))
        self.setAccessibleName("Share treated along the ranking")
        theme_notifier().theme_changed.connect(self.update)

    def show_guard(self, guard: Validity) -> None:
        """Show another ranking."""
        self._guard = guard
        self.setVisible(len(guard.balance_share) > 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        guard, theme = self._guard, current_theme()
        if guard is None or not len(guard.balance_share):
            return
        share = guard.balance_share
        low = min(float(share.min()), guard.balance_low)
        high = max(float(share.max()), guard.balance_high)
        span = (high - low) or 1.0
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

        def height(value: float) -> float:
            return 2.0 + (high - value) / span * (self.height() - 4.0)

        band = QColor(theme.gain)
        band.setAlphaF(0.15)
        top = height(guard.balance_high)
        painter.fillRect(QRectF(0, top, self.width(), height(guard.balance_low) - top), band)
        painter.setPen(QPen(QColor(theme.quiet), 1.0))
        middle = height(0.5 * (guard.balance_low + guard.balance_high))
        painter.drawLine(QPointF(0, middle), QPointF(self.width(), middle))
        painter.setPen(QPen(QColor(theme.gain), 1.3))
        line = [
            QPointF(float(x) * self.width(), height(float(y)))
            for x, y in zip(guard.balance_depth, share, strict=True)
        ]
        painter.drawPolyline(QPolygonF(line))
        painter.end()


class GuardCard(QFrame):
    """One row of checks with the verdict first; below it the effect without a model."""

    next_test_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._state = ""
        outer = QVBoxLayout(self)
        outer.setContentsMargins(14, 8, 12, 8)
        outer.setSpacing(6)
        row = QHBoxLayout()
        row.setSpacing(14)
        self.sign = IconLabel("info", "quiet")
        verdict = QVBoxLayout()
        verdict.setSpacing(1)
        self.headline = TextLabel("", "strong", wraps=True)
        self.lot = TextLabel("", "quiet")
        self.advice = TextLabel("", "note", wraps=True)
        for label in (self.headline, self.lot, self.advice):
            verdict.addWidget(label)
        verdict.addStretch(1)
        row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(verdict, 2)
        self._checks = QHBoxLayout()
        self._checks.setSpacing(10)
        row.addLayout(self._checks, 7)
        self.balance = BalanceLine()
        row.addWidget(self.balance, 0, Qt.AlignmentFlag.AlignVCenter)
        outer.addLayout(row)
        self.effect = TextLabel("", "quiet", wraps=True)
        below = QHBoxLayout()
        below.setSpacing(12)
        below.addWidget(self.effect, 1)
        self.next_test = QPushButton("Next test…")
        self.next_test.setToolTip("How many cases a test needs to find an effect")
        self.next_test.clicked.connect(lambda _checked: self.next_test_requested.emit())
        below.addWidget(self.next_test)
        outer.addLayout(below)

    def show_result(
        self, result: UpliftResult, words: UpliftWords, drawn_by_lot: bool | None
    ) -> None:
        """Show the checks of a result."""
        guard = result.guard
        self._state = guard.state
        sign, role = SIGNS[guard.state]
        self.sign.set_icon(sign, role)
        self.headline.setText(guard.headline)
        said = {True: "drawn by lot: yes (you said so)", False: "drawn by lot: no"}
        self.lot.setText(said.get(drawn_by_lot, "") if drawn_by_lot is not None else "")
        self.lot.setVisible(drawn_by_lot is not None)
        self.advice.setText(guard.advice)
        clear_layout(self._checks)
        for line in guard.checks:
            self._checks.addWidget(Rule(vertical=True))
            # Room by the length of the figures, so that an interval stays on one line.
            check = _Check(line, is_narrow=self.width() < NARROW)
            self._checks.addWidget(check, max(len(line.value), LEAST_LETTERS))
        self.balance.show_guard(guard)
        pieces = [
            "Without a model: " + effect_words(result.effects[0].effect, words, is_adjusted=False)
        ]
        if len(result.effects) > 1:
            pieces.append(effect_words(result.effects[1].effect, words, is_adjusted=True))
        pieces.append(truth_words(result, words))
        pieces.append(next_test_words(result.effects[0], words))
        self.effect.setText("; ".join(piece for piece in pieces if piece))
        self.setAccessibleName(guard.headline)
        self.setAccessibleDescription(guard.advice)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW
        for check in self.findChildren(_Check):
            check.set_narrow(is_narrow=is_narrow)
        self.balance.setFixedWidth(BalanceLine.LEAST if is_narrow else BalanceLine.WIDTH)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._state:
            return
        painter = QPainter(self)
        colour = QColor(str(getattr(current_theme(), COLOURS[self._state])))
        painter.fillRect(QRectF(0, 1, STRIPE, self.height() - 2), colour)
        painter.end()


class _Check(QWidget):
    """Sign and title, the figure in bold, the detail below, which gives way where room is short."""

    def __init__(self, line: Check, *, is_narrow: bool) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(3, 1)
        sign, role = SIGNS[line.state]
        grid.addWidget(IconLabel(sign, role, size=14), 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(TextLabel(line.title, "quiet", wraps=True), 0, 1)
        grid.addWidget(TextLabel(line.value, "strong", wraps=True), 1, 1)
        self.detail = TextLabel(line.detail, "note", wraps=True)
        grid.addWidget(self.detail, 2, 1)
        self.setToolTip(f"{line.value}. {line.detail}")
        self.set_narrow(is_narrow=is_narrow)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Leave the detail to the tool tip, or show it."""
        self.detail.setVisible(not is_narrow)
