"""The variance study of Renaudin and Martin, runnable: a surface over base rate and baseline."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.studies.uplift import VarianceStudy
from core.document.wording import format_share
from core.presentation.charts.chart import Chart, ShadesSpec
from core.presentation.labels import Labels, number_words
from core.presentation.making_views import show
from core.presentation.view import View
from core.questions.uplift import BaselineVariance
from gui.charts.view_widget import ViewWidget
from gui.session.request import Request
from gui.session.session import Session
from gui.theme import current_theme, text_font
from gui.widgets import TextLabel
from gui.widgets.dialog import AnswerDialog, entries_stand
from gui.widgets.fields.form import FormLayout, QuestionForm
from payoff.types import FloatArray

MARGIN = 46.0
FLAT = 0.46  # how much of the height of the picture the base plane takes


class SurfacePlot(QWidget):
    """The shades of a chart as a surface in parallel projection; drag sideways to turn it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(420, 320)
        self.setAccessibleName("Variance of the area by base rate and baseline")
        self.angle = 325.0  # the valley lies across
        self._chart: Chart | None = None
        self._dragged: float | None = None

    def show_chart(self, chart: Chart) -> None:
        """Show the values of a chart of shades, and its line."""
        self._chart = chart
        self.setAccessibleName(chart.title)
        self.update()

    def turn(self, degrees: float) -> None:
        """Turn about the upright axis."""
        self.angle = (self.angle + degrees) % 360.0
        self.update()

    # ------------------------------------------------------------ mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._dragged = event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None:
            self.turn(0.5 * (event.position().x() - self._dragged))
            self._dragged = event.position().x()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        del event
        self._dragged = None

    # ------------------------------------------------------------ painting

    def project(self, u: FloatArray, v: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Points of the unit cube in the picture; w runs upwards."""
        turn = math.radians(self.angle)
        across = (u - 0.5) * math.cos(turn) - (v - 0.5) * math.sin(turn)
        away = (u - 0.5) * math.sin(turn) + (v - 0.5) * math.cos(turn)
        wide, high = self.width() - 2 * MARGIN, self.height() - 2 * MARGIN
        x = 0.5 * self.width() + across * wide / math.sqrt(2.0)
        background = self.height() - MARGIN - FLAT * high * (0.5 + away / math.sqrt(2.0))
        return x, background - w * (1.0 - FLAT) * high

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(text_font())
        chart = self._chart
        if chart is None or chart.shades is None:
            painter.setPen(QColor(current_theme().quiet))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "Press Run.")
            return
        x, y = chart.shades.x, chart.shades.y
        u, v = ((values - values[0]) / (values[-1] - values[0]) for values in (x, y))
        height = chart.shades.values / float(chart.shades.values.max())
        self._paint_floor(painter, chart, chart.shades)
        self._paint_quads(painter, u, v, height)
        if chart.shades.line is not None:
            line = chart.shades.line
            at = np.array([np.interp(b, x, row) for b, row in zip(line, height, strict=True)])
            self._paint_line(painter, (line - x[0]) / (x[-1] - x[0]), v, at)

    def _line(self, painter: QPainter, ends: tuple[tuple[float, float, float], ...]) -> QPointF:
        points = np.array(ends).T
        x, y = self.project(points[0], points[1], points[2])
        painter.drawPolyline([QPointF(a, b) for a, b in zip(x, y, strict=True)])
        return QPointF(float(x.mean()), float(y.mean()))

    def _paint_floor(self, painter: QPainter, chart: Chart, shades: ShadesSpec) -> None:
        """Axes of the base plane with their ends and names, and the height's scale."""
        theme = current_theme()
        x, y = shades.x, shades.y
        painter.setPen(QPen(QColor(theme.border), 1))
        self._line(painter, ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 0)))
        painter.setPen(QColor(theme.text))
        names = (
            (0.5, -0.16, chart.x_axis.label),
            (-0.16, 0.5, chart.y_axis.label),
            (0.0, -0.08, f"{x[0]:g}"),
            (1.0, -0.08, f"{x[-1]:g}"),
            (-0.09, 0.0, format_share(float(y[0]), 0)),
            (-0.09, 1.0, format_share(float(y[-1]), 0)),
        )
        for u, v, words in names:
            left, top = self.project(np.array([u]), np.array([v]), np.zeros(1))
            box = QRectF(float(left[0]) - 60, float(top[0]) - 9, 120, 18)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
        described = f"height: {chart.title[:1].lower()}{chart.title[1:]}, up to "
        described += number_words(float(shades.values.max()))
        painter.drawText(QRectF(8, 4, self.width() - 16, 20), Qt.AlignmentFlag.AlignLeft, described)

    def _paint_quads(
        self, painter: QPainter, u: FloatArray, v: FloatArray, height: FloatArray
    ) -> None:
        """Pieces of the surface from back to front."""
        theme = current_theme()
        colour = QColor(theme.series_colour(0))
        turn = math.radians(self.angle)
        rows, columns = height.shape
        pieces = [(r, c) for r in range(rows - 1) for c in range(columns - 1)]
        pieces.sort(key=lambda p: -(u[p[1]] * math.sin(turn) + v[p[0]] * math.cos(turn)))
        for r, c in pieces:
            corners = ((r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c))
            x, y = self.project(
                np.array([u[b] for _, b in corners]),
                np.array([v[a] for a, _ in corners]),
                np.array([height[a, b] for a, b in corners]),
            )
            level = float(np.mean([height[a, b] for a, b in corners]))
            fill = QColor(colour)
            fill.setAlphaF(0.18 + 0.7 * level)
            painter.setPen(QPen(QColor(theme.border), 0.6))
            painter.setBrush(fill)
            painter.drawPolygon(QPolygonF([QPointF(a, b) for a, b in zip(x, y, strict=True)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_line(self, painter: QPainter, u: FloatArray, v: FloatArray, at: FloatArray) -> None:
        """The line of the chart, along the valley."""
        x, y = self.project(u, v, at)
        painter.setPen(QPen(QColor(current_theme().series_colour(1)), 2.5))
        painter.drawPolyline([QPointF(a, b) for a, b in zip(x, y, strict=True)])


class VarianceDialog(AnswerDialog):
    """Draws made-up experiments and shows how noisy the area is by its baseline."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.view: View | None = None
        self._request = Request(self, session.project)
        self.setWindowTitle("How the baseline takes noise away")
        self.setMinimumSize(960, 600)
        column = QVBoxLayout(self)
        described = (
            "Experiments are drawn again and again with effect 0.2 (x − 0.3). The area hardly "
            "moves with the baseline nu, its noise does: the valley follows the line, which theory "
            "names. Drag the surface to turn it."
        )
        column.addWidget(TextLabel(described, "quiet", wraps=True))
        column.addLayout(self._controls())
        row = QHBoxLayout()
        self.surface = SurfacePlot()
        row.addWidget(self.surface, 3)
        self.panel = ViewWidget("above")
        self.panel.refused.connect(session.project.post)
        row.addWidget(self.panel, 2)
        column.addLayout(row, 1)

    def _controls(self) -> QHBoxLayout:
        names = ("rows", "repeats", "treated_share", "knows_chance")
        self.form = QuestionForm(BaselineVariance, names, FormLayout.ABOVE)
        self.form.show_for(self.session.form_context())
        self.run_button = QPushButton("Run")
        self.run_button.setProperty("kind", "primary")
        self.run_button.clicked.connect(self.run)
        row = QHBoxLayout()
        row.addWidget(self.form)
        row.addWidget(self.run_button, 0, Qt.AlignmentFlag.AlignBottom)
        row.addStretch(1)
        return row

    def run(self, _checked: bool = False) -> None:
        """Ask the engine for the study."""
        if not entries_stand(self):
            return
        question: BaselineVariance = self.form.question(seed=self.session.project.document.seed)
        self.run_button.setEnabled(False)
        self._request.ask(
            self.session.project.document,
            question,
            title="Drawing experiments",
            on_result=lambda answer: self.show_result(question, answer),
            on_error=lambda refusal: self.panel.show_words(str(refusal)),
            on_end=lambda _outcome: self.run_button.setEnabled(True),
        )

    def show_result(self, question: BaselineVariance, result: VarianceStudy) -> None:
        """Show the variance of the model that sees the effect, and the noise of both."""
        self.view = view = show(question, result, Labels.of(self.session.project.document))
        self.surface.show_chart(view.charts[0])
        self.panel.show_view(view)
