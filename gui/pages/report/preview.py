"""The report as it will be printed, page below page."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from gui.pages.report.paper import MARGIN, Paper
from gui.theme import current_theme, theme_notifier

GAP = 16
MOST_ZOOM = 1.0
_MARK = 3.0


class PaperSheets(QWidget):
    """Every page at the width there is; a click chooses an entry."""

    kind_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paper: Paper | None = None
        self._chosen = ""
        self._pictures: dict[int, QPixmap] = {}
        self.setAccessibleName("The report as it is printed")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme_notifier().theme_changed.connect(self.update)

    @property
    def paper(self) -> Paper | None:
        """The report as pages of paper; None where it is empty."""
        return self._paper

    def show_paper(self, paper: Paper | None) -> None:
        """Show another report."""
        self._paper = paper
        self._pictures.clear()
        self._fit()
        self.update()

    def mark(self, kind: str) -> None:
        """Mark an entry with a line at its left."""
        self._chosen = kind
        self.update()

    def zoom(self) -> float:
        """Pixels of the screen for one of the page."""
        if self._paper is None:
            return 1.0
        return min(MOST_ZOOM, max(0.3, (self.width() - 2) / self._paper.size.width()))

    def top_of(self, page: int) -> float:
        """Where a page begins."""
        assert self._paper is not None
        return page * (self._paper.size.height() * self.zoom() + GAP)

    def place_of(self, kind: str) -> float | None:
        """Where an entry begins."""
        found = self._paper.page_of(kind) if self._paper is not None else None
        if found is None:
            return None
        return self.top_of(found[0]) + found[1] * self.zoom()

    def sizeHint(self) -> QSize:
        return QSize(600, 840)

    def _fit(self) -> None:
        pages = self._paper.page_count if self._paper is not None else 0
        height = self.top_of(pages) if pages else 0
        self.setFixedHeight(round(height) + 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._pictures.clear()
            self._fit()

    def _left(self) -> float:
        assert self._paper is not None
        return max(0.0, (self.width() - self._paper.size.width() * self.zoom()) / 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._paper is None:
            return
        painter = QPainter(self)
        theme, zoom = current_theme(), self.zoom()
        for number in range(self._paper.page_count):
            room = QRectF(
                self._left(),
                self.top_of(number),
                self._paper.size.width() * zoom,
                self._paper.size.height() * zoom,
            )
            if not room.intersects(QRectF(event.rect())):
                continue
            painter.drawPixmap(room.topLeft(), self._picture(number))
            painter.setPen(QPen(QColor(theme.border), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(room)
            self._paint_mark(painter, number, room)
        painter.end()

    def _picture(self, number: int) -> QPixmap:
        assert self._paper is not None
        ratio = self.devicePixelRatioF()
        if number not in self._pictures:
            size = self._paper.size * (self.zoom() * ratio)
            picture = QPixmap(round(size.width()), round(size.height()))
            painter = QPainter(picture)
            painter.scale(self.zoom() * ratio, self.zoom() * ratio)
            self._paper.paint_page(painter, number)
            painter.end()
            picture.setDevicePixelRatio(ratio)
            self._pictures[number] = picture
        return self._pictures[number]

    def _paint_mark(self, painter: QPainter, number: int, room: QRectF) -> None:
        """A line of the accent colour beside what belongs to the chosen entry."""
        assert self._paper is not None
        zoom = self.zoom()
        left = room.left() + (MARGIN - 18) * zoom
        for span in self._paper.spans(self._chosen):
            if span.page == number:
                top, bottom = span.top * zoom, span.bottom * zoom
                line = QRectF(left, room.top() + top, _MARK, bottom - top)
                painter.fillRect(line, QColor(current_theme().accent))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        kind = self.kind_at(event.position())
        if kind:
            self.kind_clicked.emit(kind)

    def kind_at(self, place: QPointF) -> str:
        """The entry at a place; empty where none is."""
        if self._paper is None:
            return ""
        step = self._paper.size.height() * self.zoom() + GAP
        number = int(place.y() // step)
        if not 0 <= number < self._paper.page_count:
            return ""
        return self._paper.kind_at(number, (place.y() - number * step) / self.zoom())


class Preview(QScrollArea):
    """Scrolls over the sheets."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sheets = PaperSheets()
        self.setWidget(self.sheets)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)

    def go_to(self, kind: str) -> None:
        """Bring an entry into view; with the head of the report where both have room."""
        place = self.sheets.place_of(kind)
        if place is not None:
            is_near_top = place < self.viewport().height() / 2
            self.verticalScrollBar().setValue(0 if is_near_top else round(place) - 24)
