"""Validity first: whether the split was random, check by check, and the effect without a model.

The step that makes an experiment's figures valid. No widgets: a command comes out.
"""

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

from core.document.commands import Command
from core.document.model import Document, Role
from core.document.studies.uplift import ERROR, UpliftResult
from core.document.uplift.commands import SetPropensity
from core.presentation.charts.chart import Chart
from core.presentation.view import Cell, View
from gui.charts.view_widget import SIGNS
from gui.theme import current_theme, theme_notifier
from gui.widgets import IconLabel, Rule, TextLabel
from gui.widgets.cards import clear_layout

ARMS_DIFFER = frozenset({"predictable", "imbalance", "score"})
"""Checks that chances of treatment answer: who was treated was no accident."""


def mending(result: UpliftResult, document: Document) -> tuple[str, Command] | None:
    """One step that makes the areas valid again: its words and its command; None without one."""
    spec = document.uplift
    if result.guard.state != ERROR or result.has_propensity or spec.estimates_propensity:
        return None
    failed = {check.key for check in result.guard.checks if check.state == ERROR}
    if "overlap" in failed or not (failed & ARMS_DIFFER or spec.drawn_by_lot is False):
        return None
    columns = document.columns_of(Role.PROPENSITY)
    if columns:
        words = f"Use the chances of treatment in “{columns[0]}”"
        return words, SetPropensity(column=columns[0])
    if not document.columns_of(Role.INPUT):
        return None
    words = "Estimate each one's chance of treatment"
    return words, SetPropensity(is_estimated=True)


ICONS = {role: icon for icon, role in SIGNS.values()} | {"quiet": "minus"}
STRIPE = 4
LEAST_LETTERS = 17
NARROW = 1300  # below this width the details of the checks are in their tool tips


class BalanceLine(QWidget):
    """A small drawing of the chart of the share treated: the line within its band, no axes."""

    WIDTH, LEAST = 100, 64

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chart: Chart | None = None
        self.setFixedSize(QSize(self.WIDTH, 30))
        theme_notifier().theme_changed.connect(self.update)

    def show_chart(self, chart: Chart | None) -> None:
        """Show another ranking; None where there is none."""
        self._chart = chart
        self.setVisible(chart is not None)
        if chart is not None:
            self.setAccessibleName(chart.title)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        chart, theme = self._chart, current_theme()
        if chart is None:
            return
        expected, share = chart.series
        axis = chart.y_axis
        span = (axis.high - axis.low) or 1.0
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

        def height(value: float) -> float:
            return 2.0 + (axis.high - value) / span * (self.height() - 4.0)

        assert expected.low is not None
        assert expected.high is not None
        band = QColor(theme.gain)
        band.setAlphaF(0.15)
        top, foot = height(float(expected.high[0])), height(float(expected.low[0]))
        painter.fillRect(QRectF(0, top, self.width(), foot - top), band)
        painter.setPen(QPen(QColor(theme.quiet), 1.0))
        middle = height(float(expected.y[0]))
        painter.drawLine(QPointF(0, middle), QPointF(self.width(), middle))
        painter.setPen(QPen(QColor(theme.gain), 1.3))
        line = [
            QPointF(float(x) * self.width(), height(float(y)))
            for x, y in zip(share.x, share.y, strict=True)
        ]
        painter.drawPolyline(QPolygonF(line))
        painter.end()


class GuardCard(QFrame):
    """One row of checks with the verdict first; below it the effect without a model."""

    next_test_requested = Signal()

    def __init__(self, setup: QWidget, parent: QWidget | None = None) -> None:
        """``setup`` says how the experiment was made, and lets it be changed."""
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
        self.advice = TextLabel("", "note", wraps=True)
        for label in (self.headline, self.advice):
            verdict.addWidget(label)
        verdict.addStretch(1)
        row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(verdict, 2)
        self._checks = QHBoxLayout()
        self._checks.setSpacing(10)
        self.checks: list[_Check] = []
        row.addLayout(self._checks, 7)
        self.balance = BalanceLine()
        row.addWidget(self.balance, 0, Qt.AlignmentFlag.AlignVCenter)
        outer.addLayout(row)
        self.effect = TextLabel("", "quiet", wraps=True)
        below = QHBoxLayout()
        below.setSpacing(12)
        below.addWidget(self.effect, 1)
        below.addWidget(setup)
        self.next_test = QPushButton("Next test…")
        self.next_test.setToolTip("How many cases a test needs to find an effect")
        self.next_test.clicked.connect(lambda _checked: self.next_test_requested.emit())
        below.addWidget(self.next_test)
        outer.addLayout(below)

    def show_view(self, view: View) -> None:
        """Show the verdict and the checks."""
        self._state = view.state
        self.sign.set_icon(*SIGNS[view.state])
        self.headline.setText(view.title)
        *advice, effect = view.sentences
        self.advice.setText(" ".join(advice))
        self.effect.setText(f"{view.subtitle[:1].upper()}{view.subtitle[1:]}. {effect}")
        clear_layout(self._checks)
        self.checks = []
        for row in view.tables[0].cells():
            self._checks.addWidget(Rule(vertical=True))
            # Room by the length of the figures, so that an interval stays on one line.
            check = _Check(row, is_narrow=self.width() < NARROW)
            self.checks.append(check)
            self._checks.addWidget(check, max(len(row[2].text), LEAST_LETTERS))
        self.balance.show_chart(next(iter(view.charts), None))
        self.setAccessibleName(view.title)
        self.setAccessibleDescription(self.advice.text())
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW
        for check in self.checks:
            check.set_narrow(is_narrow=is_narrow)
        self.balance.setFixedWidth(BalanceLine.LEAST if is_narrow else BalanceLine.WIDTH)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._state:
            return
        painter = QPainter(self)
        colour = QColor(str(getattr(current_theme(), SIGNS[self._state][1])))
        painter.fillRect(QRectF(0, 1, STRIPE, self.height() - 2), colour)
        painter.end()


class _Check(QWidget):
    """Sign and title, the figure in bold, the detail below, which gives way where room is short."""

    def __init__(self, row: tuple[Cell, ...], *, is_narrow: bool) -> None:
        super().__init__()
        sign, title, value, detail = row
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(3, 1)
        icon = IconLabel(ICONS[sign.role], sign.role, size=14)
        grid.addWidget(icon, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(TextLabel(title.text, "quiet", wraps=True), 0, 1)
        grid.addWidget(TextLabel(value.text, "strong", wraps=True), 1, 1)
        self.detail = TextLabel(detail.text, "note", wraps=True)
        grid.addWidget(self.detail, 2, 1)
        self.setToolTip(f"{value.text}. {detail.text}")
        self.set_narrow(is_narrow=is_narrow)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Leave the detail to the tool tip, or show it."""
        self.detail.setVisible(not is_narrow)
