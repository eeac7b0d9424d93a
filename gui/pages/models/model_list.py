"""The list of models: colour, kind, validation figure with its interval, progress in training."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.document.compare.words import metric_value, use_words
from core.document.model import ModelSpec
from core.document.plugin_results import MetricInfo
from core.document.results import Estimate, EvaluationResult
from core.document.wording import NBSP
from core.presentation.report.entries import newest_first, trained_words
from core.presentation.view import common_scale
from gui.pages.models.words import flattery_note
from gui.session.job_queue import percent_words
from gui.session.session import Session
from gui.session.training import RunningTraining
from gui.theme import current_theme, text_font, theme_notifier
from gui.widgets import Card, HelpText, Rule, TextLabel, dash_pen
from gui.widgets.figures.estimate_bar import paint_estimate
from payoff.counting import counted

Index = QModelIndex | QPersistentModelIndex
_ROW_ROLE = Qt.ItemDataRole.UserRole
_HEIGHT = 51
_LEAST_NAMES, _MOST_NAMES = 0.42, 0.62  # of the width, for the names


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """One model. ``fraction`` while it is trained; ``value`` in words with ``estimate``."""

    name: str
    series: int
    kind: str
    is_trained: bool = False
    fraction: float | None = None
    estimate: Estimate | None = None
    value: str = ""
    is_best: bool = False

    def as_text(self) -> str:
        """The row as one sentence, for screen readers."""
        state = percent_words(self.fraction) if self.fraction is not None else self.value
        return ", ".join(part for part in (self.name, self.kind, state) if part)


class _Painter(QStyledItemDelegate):
    """Paints a row: swatch, name and figure; the kind below."""

    scale = (0.0, 1.0)
    widest = 0.0  # of the names, in pixels

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = current_theme()
        row: ModelRow = index.data(_ROW_ROLE)
        view = self.parent()
        is_chosen = isinstance(view, QListWidget) and view.currentRow() == index.row()
        rect: QRect = option.rect
        painter.save()
        if is_chosen:
            painter.fillRect(rect, QColor(theme.selection))
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        top = QRectF(rect.left() + 12, rect.top() + 6, rect.width() - 24, 20)
        middle = top.center().y()
        painter.setPen(dash_pen(row.series))
        painter.drawLine(QPointF(top.left(), middle), QPointF(top.left() + 22, middle))
        share = min(max(_LEAST_NAMES, (self.widest + 38) / top.width()), _MOST_NAMES)
        left = share * top.width()  # where the figures begin, in all rows alike
        figure = QRectF(top.left() + left, top.top(), top.width() - left, 20)
        painter.setFont(text_font("body", bold=True))
        painter.setPen(QColor(theme.text))
        room = QRectF(top.left() + 30, top.top(), figure.left() - top.left() - 36, 20)
        name = painter.fontMetrics().elidedText(
            row.name, Qt.TextElideMode.ElideMiddle, round(room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, name)
        self._paint_figure(painter, figure, row)
        painter.setFont(text_font("note"))
        painter.setPen(QColor(theme.text if is_chosen else theme.quiet))
        below = QRectF(room.left(), rect.top() + 26, top.right() - room.left(), 18)
        kind = painter.fontMetrics().elidedText(
            row.kind, Qt.TextElideMode.ElideRight, round(below.width())
        )
        painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, kind)
        painter.restore()

    def _paint_figure(self, painter: QPainter, area: QRectF, row: ModelRow) -> None:
        theme = current_theme()
        bar = QRectF(area.left(), area.top(), area.width() - 56, area.height())
        words = row.value
        if row.fraction is not None:
            words = percent_words(row.fraction)
            line = QRectF(bar.left(), bar.center().y() - 3, bar.width(), 6)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(QColor(theme.track))
            painter.drawRoundedRect(line, 3, 3)
            painter.setBrush(QColor(theme.accent))
            line.setWidth(max(1.0, line.width() * row.fraction))
            painter.drawRoundedRect(line, 3, 3)
        elif row.estimate is not None:
            colour = theme.series_colour(row.series)
            paint_estimate(painter, bar, row.estimate, self.scale, colour)
        painter.setFont(text_font("body", bold=row.is_best))
        painter.setPen(QColor(theme.text))
        align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(area, align, words)


class ModelListCard(Card):
    """Choose a model; its menu renames, compares and removes it."""

    model_chosen = Signal(str)
    rename_wanted = Signal(str)
    remove_wanted = Signal(str)
    explain_wanted = Signal(str)
    onnx_wanted = Signal(str)

    def __init__(self, influence: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(
            "Models",
            help_text=HelpText(
                title="The figure of each model",
                text=(
                    "The first metric of page Compare on the rows in use, with its 95 % interval "
                    "on a scale that all models share. The best value is bold."
                ),
            ),
            margin=0,
            parent=parent,
        )
        self.body.setSpacing(0)
        assert self.header is not None
        self.header.setContentsMargins(12, 8, 10, 8)
        self.body.addWidget(Rule())
        self.list = QListWidget()
        self._delegate = _Painter(self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.setAccessibleName("Models")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.list.currentItemChanged.connect(self._on_current)
        self.body.addWidget(self.list, 1)
        self.body.addWidget(Rule())
        self.body.addWidget(influence)
        self.note_rule = Rule()
        self.body.addWidget(self.note_rule)
        self.note = TextLabel("", "note", wraps=True)
        self.note.setContentsMargins(12, 10, 12, 10)
        self.body.addWidget(self.note)
        theme_notifier().theme_changed.connect(self.list.viewport().update)

    def show_session(self, session: Session, chosen: str) -> None:
        """Show the models of a session, those in training first."""
        document, results = session.project.document, session.results
        evaluation = results.evaluation
        info = _figure_of(evaluation)
        running = [_running_row(entry) for entry in reversed(session.trainings.running)]
        growing = {entry.name for entry in session.trainings.running}
        models = [entry for entry in document.models if entry.name not in growing]
        rows = [
            _row_of(entry, results.evaluation_of(entry.name), info)
            for entry in newest_first(tuple(models))
        ]
        figure = ""
        if info is not None:
            figure = f"{info.title}, {use_words(document.rows_used).lower()}, 95{NBSP}%"
        self.show_rows((*running, *rows), chosen, figure)
        is_known = results.evaluation_is_fresh
        seen = evaluation.seen if evaluation is not None and is_known else None
        self.show_note(flattery_note(document, len(rows), seen))

    def show_rows(self, rows: tuple[ModelRow, ...], chosen: str, figure: str) -> None:
        """Show models; ``figure`` says what their numbers are."""
        self._delegate.scale = common_scale(
            row.estimate for row in rows if row.estimate is not None
        )
        metrics = QFontMetricsF(text_font("body", bold=True))
        widths = (metrics.horizontalAdvance(row.name) for row in rows)
        self._delegate.widest = max(widths, default=0.0)
        assert self.header is not None
        count = len(rows)
        self.header.set_title(counted(count, "model"))
        self.header.set_note(figure)
        self.list.blockSignals(True)
        while self.list.count() > count:
            self.list.takeItem(self.list.count() - 1)
        while self.list.count() < count:
            self.list.addItem(QListWidgetItem())
        for place, row in enumerate(rows):
            item = self.list.item(place)
            item.setData(_ROW_ROLE, row)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, row.as_text())
            item.setToolTip(row.as_text())
        names = [row.name for row in rows]
        self.list.setCurrentRow(names.index(chosen) if chosen in names else -1)
        self.list.blockSignals(False)
        self.list.viewport().update()

    def show_note(self, words: str) -> None:
        """What stands at the foot: whom the figures flatter."""
        self.note.setText(words)
        self.note.setVisible(bool(words))
        self.note_rule.setVisible(bool(words))

    def rows(self) -> tuple[ModelRow, ...]:
        """The models in the order of the list."""
        return tuple(self.list.item(place).data(_ROW_ROLE) for place in range(self.list.count()))

    def _on_current(self, item: QListWidgetItem | None, _previous: object) -> None:
        if item is not None:
            self.model_chosen.emit(item.data(_ROW_ROLE).name)

    def _open_menu(self, place: QPoint) -> None:
        item = self.list.itemAt(place)
        if item is None:
            return
        row: ModelRow = item.data(_ROW_ROLE)
        if row.fraction is None:
            self.menu_of(row).popup(self.list.viewport().mapToGlobal(place))

    def menu_of(self, row: ModelRow) -> QMenu:
        """What can be done with a model."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if row.is_trained:
            menu.addAction("Explain", lambda: self.explain_wanted.emit(row.name))
            menu.addAction("Export as ONNX…", lambda: self.onnx_wanted.emit(row.name))
        menu.addAction("Rename…", lambda: self.rename_wanted.emit(row.name))
        if row.is_trained:
            menu.addAction("Remove", lambda: self.remove_wanted.emit(row.name))
        return menu


def _figure_of(evaluation: EvaluationResult | None) -> MetricInfo | None:
    """The metric of the list: the first that has a direction."""
    metrics = evaluation.metrics if evaluation is not None else ()
    return next((entry for entry in metrics if entry.direction != "none"), None)


def _row_of(
    spec: ModelSpec, evaluation: EvaluationResult | None, info: MetricInfo | None
) -> ModelRow:
    kind = trained_words(spec.trained) if spec.trained is not None else "scores from the file"
    cells = evaluation.cells if evaluation is not None else ()
    cell = next(
        (c for c in cells if info is not None and c.model == spec.name and c.metric == info.metric),
        None,
    )
    value = ""
    if cell is not None and info is not None and math.isfinite(cell.estimate.value):
        value = metric_value(info, cell.estimate.value)
    return ModelRow(
        name=spec.name,
        series=spec.series,
        kind=kind,
        is_trained=spec.trained is not None,
        estimate=cell.estimate if cell is not None else None,
        value=value,
        is_best=cell is not None and cell.is_best,
    )


def _running_row(entry: RunningTraining) -> ModelRow:
    kind = "boosted trees, waiting"
    if entry.curves is not None:
        kind = f"boosted trees, {entry.curves.stage.lower()}"
    return ModelRow(
        name=entry.name,
        series=entry.series,
        kind=kind,
        is_trained=True,
        fraction=entry.fraction,
    )
