"""How the metric table is painted: value and interval bar, best bold, tied greyed with a sign."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import (
    QEvent,
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
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.presentation.compare.metrics import MetricColumn, MetricEntry
from gui.charts.fonts import kept_font, kept_metrics
from gui.pages.compare.metric_model import (
    CELL_ROLE,
    COLUMN_ROLE,
    MARK_ROLE,
    MODEL_ROLE,
    MetricTableModel,
)
from gui.theme import current_theme, icon, icon_pixmap, theme_notifier
from gui.widgets import HelpText, Popover, dash_pen
from gui.widgets.figures.estimate_bar import paint_estimate
from gui.widgets.tables.cells import numbers_of
from gui.widgets.tables.copying import CopyingTable, copy_table, export_cells

ROW, HEADER = 26, 28
_BAR_NEEDS = 132  # a narrower column shows the value only
_METRIC_NEEDS = 168  # value, bar, and a head with its note
_TIED_WIDTH = 22
_HELP = 15
_MARK = 14
_MODEL_SHARE = 0.75  # the model's column against a metric's
_SMALLEST_COLUMN = 62
_MOST_ROWS = 6
_HOLDS = (
    "The interval is for this finished model on new cases like these; training it again, drift, "
    "and having chosen it among several are not in it."
)
_Index = QModelIndex | QPersistentModelIndex


@lru_cache(maxsize=4)
def _help_mark(colour: str, ratio: float) -> QPixmap:
    """The "?" of the header, drawn once per theme and screen."""
    return icon_pixmap("help", colour, _HELP, ratio)


def value_width(column: MetricColumn) -> float:
    """The room that the widest value of a column takes."""
    metrics = kept_metrics("body", True)
    shown = (*column.cells, *((column.no_model,) if column.no_model is not None else ()))
    return max((metrics.horizontalAdvance(cell.text) for cell in shown), default=30.0)


class MetricDelegate(QStyledItemDelegate):
    """Paints a model's name with its line, or a value with its interval."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme = current_theme()
        painter.save()
        rect = QRect(option.rect)
        model = index.model()
        table = self.parent()
        is_reference = isinstance(table, MetricTable) and table.is_reference(index.row())
        if is_reference:
            painter.fillRect(rect, QColor(theme.selection))
        elif index.row() < model.rowCount() - 1:
            painter.fillRect(
                QRect(rect.left(), rect.bottom(), rect.width(), 1), QColor(theme.border)
            )
        if index.column() == 0:
            self._paint_model(painter, rect, index, is_reference)
        else:
            entry = index.data(CELL_ROLE)
            column = model.headerData(index.column(), Qt.Orientation.Horizontal, COLUMN_ROLE)
            if isinstance(entry, MetricEntry) and isinstance(column, MetricColumn):
                self._paint_entry(painter, QRectF(rect), entry, column, is_reference)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def _paint_model(
        self, painter: QPainter, rect: QRect, index: _Index, is_reference: bool
    ) -> None:
        middle = rect.center().y() + 0.5
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        series, theme = index.data(MODEL_ROLE), current_theme()
        if series is not None:
            painter.setPen(dash_pen(int(series)))
            painter.drawLine(QPointF(rect.left() + 4, middle), QPointF(rect.left() + 30, middle))
        painter.setFont(kept_font("body", is_reference))
        painter.setPen(QColor(theme.quiet if series is None else theme.text))
        mark = str(index.data(MARK_ROLE) or "")
        if mark:  # a sign beside the name; the words stand in the tool tip and above the table
            sign = icon_pixmap("warning", current_theme().loss, _MARK, 1.0)
            painter.drawPixmap(
                QRectF(rect.right() - _MARK - 4, middle - _MARK / 2, _MARK, _MARK),
                sign,
                QRectF(sign.rect()),
            )
        taken = 42 + (_MARK + 6 if mark else 0)
        room = QRectF(rect.left() + 38, rect.top(), rect.width() - taken, rect.height())
        metrics = kept_metrics("body", is_reference)
        name = metrics.elidedText(str(index.data()), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, name)

    def _paint_entry(
        self,
        painter: QPainter,
        rect: QRectF,
        entry: MetricEntry,
        column: MetricColumn,
        is_reference: bool,
    ) -> None:
        theme = current_theme()
        has_bar = rect.width() >= _BAR_NEEDS
        right = rect.left() + 8 + value_width(column) if has_bar else rect.right() - 18
        painter.setFont(kept_font("body", entry.is_best))
        is_grey = entry.series < 0 or (entry.is_tied and not is_reference)
        painter.setPen(QColor(theme.quiet if is_grey else theme.text))
        value_space = QRectF(rect.left(), rect.top(), right - rect.left(), rect.height())
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(value_space, middle | Qt.AlignmentFlag.AlignRight, entry.text)
        end = rect.right() - _TIED_WIDTH
        if has_bar and entry.series >= 0:
            bar = QRectF(right + 12, rect.top(), min(104.0, end - right - 12), rect.height() - 1)
            colour = theme.series_colour(entry.series)
            paint_estimate(painter, bar, entry.estimate, entry.scale, colour)
            end = bar.right() + 8
        if entry.is_tied:
            painter.setPen(QColor(theme.text if is_reference else theme.quiet))
            room = QRectF(end if has_bar else right + 4, rect.top(), _TIED_WIDTH, rect.height())
            painter.drawText(room, middle | Qt.AlignmentFlag.AlignLeft, "≈")

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(60, ROW)


class MetricHeader(QHeaderView):
    """Titles in bold, a "?" that explains, and which way is better."""

    explained = Signal(object, QPoint)  # MetricInfo, where on the screen
    sort_wanted = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFixedHeight(HEADER)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(24)
        self.setMouseTracking(True)
        self.setSectionsClickable(True)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        theme = current_theme()
        painter.save()
        painter.fillRect(rect, QColor(theme.card))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), QColor(theme.border))
        middle = Qt.AlignmentFlag.AlignVCenter
        column = self.model().headerData(logicalIndex, Qt.Orientation.Horizontal, COLUMN_ROLE)
        if not isinstance(column, MetricColumn):
            painter.setFont(kept_font("note"))
            painter.setPen(QColor(theme.quiet))
            text = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal) or "")
            painter.drawText(QRectF(rect).adjusted(4, 0, 0, 0), middle, text + self._arrow(0))
            painter.restore()
            return
        title, help_rect, note_left = self._places(QRectF(rect), column)
        painter.setFont(kept_font("body", True))
        painter.setPen(QColor(theme.text))
        painter.drawText(QRectF(title[0], rect.top(), title[1], rect.height()), middle, title[2])
        painter.drawPixmap(help_rect.topLeft(), _help_mark(theme.quiet, self.devicePixelRatioF()))
        painter.setFont(kept_font("note"))
        painter.setPen(QColor(theme.quiet))
        metrics = kept_metrics("note")
        room = rect.right() - note_left - 2
        arrow = self._arrow(logicalIndex)
        note_margin = QRectF(note_left, rect.top(), room, rect.height())
        for note in (f"{column.note}{arrow}", arrow.strip()):
            if note and metrics.horizontalAdvance(note) <= room:
                painter.drawText(note_margin, middle, note)
                break
        painter.restore()

    def _arrow(self, section: int) -> str:
        """The sign of the column that sorts the rows."""
        model = self.model()
        found = model.sorted_by if isinstance(model, MetricTableModel) else None
        if found is None or found[0] != section:
            return ""
        return "  ▼" if found[1] else "  ▲"

    @staticmethod
    def _places(
        rect: QRectF, column: MetricColumn
    ) -> tuple[tuple[float, float, str], QRectF, float]:
        """Where title, "?" and note of a section stand."""
        metrics = kept_metrics("body", True)
        left = rect.left() + 8
        most = max(20.0, rect.width() - 8 - _HELP - 10)
        title = metrics.elidedText(column.info.title, Qt.TextElideMode.ElideRight, most)
        width = metrics.horizontalAdvance(title)
        top = rect.top() + (rect.height() - _HELP) / 2
        help_rect = QRectF(round(left + width + 7), round(top), _HELP, _HELP)
        return (left, width + 2, title), help_rect, help_rect.right() + 7

    def repaint_section(self, section: int) -> None:
        """Paint one section again; the model's own signal would repaint the whole table."""
        left, width = self.sectionViewportPosition(section), self.sectionSize(section)
        self.viewport().update(QRect(left, 0, width, HEADER))

    def section_help_rect(self, section: int) -> QRectF:
        """Where a section's "?" stands, in the viewport."""
        column = self.model().headerData(section, Qt.Orientation.Horizontal, COLUMN_ROLE)
        if not isinstance(column, MetricColumn):
            return QRectF()
        rect = QRectF(self.sectionViewportPosition(section), 0, self.sectionSize(section), HEADER)
        return self._places(rect, column)[1]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        section = self.logicalIndexAt(event.position().toPoint())
        if section > 0 and self.section_help_rect(section).adjusted(-4, -4, 4, 4).contains(
            event.position()
        ):
            self.explain(section)
            return
        if section >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.sort_wanted.emit(section)
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        section = self.logicalIndexAt(event.position().toPoint())
        is_help = section > 0 and self.section_help_rect(section).contains(event.position())
        shape = Qt.CursorShape.PointingHandCursor if is_help else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    def explain(self, section: int) -> Popover | None:
        """Open "what is this?" of a column."""
        column = self.model().headerData(section, Qt.Orientation.Horizontal, COLUMN_ROLE)
        if not isinstance(column, MetricColumn):
            return None
        info = column.info
        content = HelpText(
            title=info.title, text=info.help, formula=info.formula, reference=info.reference
        )
        popover = Popover(content, self)
        popover.show_at(self)
        place = self.section_help_rect(section).bottomLeft().toPoint()
        popover.move(self.viewport().mapToGlobal(place + QPoint(-12, 6)))
        return popover


class MetricTable(CopyingTable):
    """The metric table. A click or Enter on a row compares its model with the reference."""

    model_chosen = Signal(str)
    menu_made = Signal(object)  # QMenu: the page adds what it offers for the whole table

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reference = ""
        self.metrics = MetricTableModel(self)
        self.setModel(self.metrics)
        self.setItemDelegate(MetricDelegate(self))
        self._header = MetricHeader(self)
        self.setHorizontalHeader(self._header)
        self.setAccessibleName("Metrics of every model")
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.verticalHeader().setMinimumSectionSize(ROW)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setWordWrap(False)
        self.rows_text = ""  # which rows the numbers come from, and the seed
        self._header.sort_wanted.connect(self.sort_by)
        self.doubleClicked.connect(self.explain_cell)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(
            lambda at: self.menu_at(at).popup(self.viewport().mapToGlobal(at))
        )
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        self.metrics.modelReset.connect(self._fit)
        theme_notifier().theme_changed.connect(self.viewport().update)

    def set_profit(self, profit: MetricColumn | None) -> None:
        """Renew the profit column: the cursor has moved. Only that column is painted again."""
        self.metrics.set_profit(profit)
        self._header.repaint_section(self.metrics.columnCount() - 1)

    def set_reference(self, model: str) -> None:
        """Tint the row of the reference model."""
        self._reference = model
        self.viewport().update()

    def is_reference(self, row: int) -> bool:
        """Is this the row of the reference model?"""
        return self.metrics.model_at(row) == self._reference

    def header(self) -> MetricHeader:
        """The header with its "?"."""
        return self._header

    def sort_by(self, section: int) -> None:
        """Sort the rows by a column: best first, worst first, as they stand."""
        self.metrics.sort_by(section)
        self._header.viewport().update()

    def explain_cell(self, index: QModelIndex) -> Popover | None:
        """Open "what is this?" of one number: what it is, its interval, what that holds fixed."""
        entry = index.data(CELL_ROLE)
        column = self.metrics.headerData(index.column(), Qt.Orientation.Horizontal, COLUMN_ROLE)
        if not isinstance(entry, MetricEntry) or not isinstance(column, MetricColumn):
            return None
        info = column.info
        content = HelpText(
            title=entry.words.split("\n")[0],
            text="\n".join((info.help, *entry.words.split("\n")[1:], _HOLDS)),
            formula=info.formula,
            reference=" · ".join(part for part in (info.reference, self.rows_text) if part),
        )
        popover = Popover(content, self)
        popover.show_at(self)
        place = self.visualRect(index).bottomLeft()
        popover.move(self.viewport().mapToGlobal(place + QPoint(8, 4)))
        return popover

    def menu_at(self, at: QPoint) -> QMenu:
        """The menu of a right click: what the number is, then what the page offers."""
        index = self.indexAt(at)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        action = menu.addAction("What is this?", lambda: self.explain_cell(index))
        action.setEnabled(index.isValid() and index.column() > 0)
        menu.addAction(icon("copy"), "Copy table", lambda: copy_table(self))
        menu.addAction(icon("copy"), "Copy as shown", lambda: copy_table(self, as_shown=True))
        menu.addAction(
            icon("export"),
            "Export table…",
            lambda: export_cells(self, numbers_of(self), title=self.accessibleName()),
        )
        self.menu_made.emit(menu)
        return menu

    def explain_column(self) -> Popover | None:
        """Open "what is this?" of the current column (F1)."""
        return self._header.explain(max(1, self.currentIndex().column()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F1:
            if self.explain_cell(self.currentIndex()) is None:
                self.explain_column()
            return
        if event.key() == Qt.Key.Key_S and self.currentIndex().isValid():
            self.sort_by(self.currentIndex().column())
            return
        super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        if not self.metrics.is_no_model(index.row()):
            self.model_chosen.emit(self.metrics.model_at(index.row()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _names_width(self) -> int:
        """What the longest name takes, in bold, with its line and mark."""
        names = (self.metrics.model_at(row) for row in range(self.metrics.rowCount()))
        longest = max(map(kept_metrics("body", True).horizontalAdvance, names), default=0)
        return round(longest) + 42 + _MARK + 6

    def _fit(self) -> None:
        """Columns share the width, metrics what names leave; rows beyond the sixth scroll."""
        metrics = len(self.metrics.columns())
        width = self.viewport().width()
        share = width / (metrics + _MODEL_SHARE) if metrics else width
        share = max(_SMALLEST_COLUMN, share)
        first = max(90, round(share * _MODEL_SHARE)) if metrics else round(share)
        first = min(max(first, self._names_width()), max(first, width - metrics * _METRIC_NEEDS))
        left = width - first
        self.setColumnWidth(0, first)
        for column in range(metrics):
            end = round(left * (column + 1) / metrics) - round(left * column / metrics)
            self.setColumnWidth(column + 1, max(_SMALLEST_COLUMN, end))
        rows = min(_MOST_ROWS, self.metrics.rowCount())
        self.setFixedHeight(HEADER + rows * ROW + 2)
