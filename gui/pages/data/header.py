"""The table's header: name, role chip, small histogram, share missing.

Small histograms in the header of the table.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from core.document.data.results import TableSummary
from core.document.model import Document, Role, RoleAssignment
from core.presentation.data import missing_share, missing_words
from gui.pages.data.words import chip_words
from gui.theme import current_theme, text_font, theme_notifier


def paint_bars(painter: QPainter, area: QRectF, counts: Sequence[float], colour: str) -> None:
    """Bars side by side, one pixel apart, the highest as high as the area."""
    top = max(counts, default=0.0)
    if top <= 0:
        return
    step = area.width() / len(counts)
    shade = QColor(colour)
    for place, count in enumerate(counts):
        height = max(1.0 if count else 0.0, area.height() * count / top)
        left = round(area.left() + place * step)
        right = round(area.left() + (place + 1) * step) - 1
        painter.fillRect(QRectF(left, area.bottom() - height, max(1, right - left), height), shade)


HEIGHT = 94
EDGE = 8
CHIP_TOP, CHIP_HEIGHT = 28, 18
LEAST, MOST = 116, 190  # the width of a column where there is no room for more
ROOMIER = 48  # pixels more for each where some are left
_QUIET_ROLES = (Role.INPUT, Role.IGNORED)


class ColumnHeader(QHeaderView):
    """Paints what is known of each column; a click chooses it, one on its role offers others.

    Columns have the width of their names and roles, until a person gives one another. ``follows``:
    the widths are those of another header.
    """

    role_pressed = Signal(int, QPoint)  # section, and where a menu of roles may open
    section_toggled = Signal(int)  # clicked with Ctrl: beside the others

    def __init__(self, parent: QWidget | None = None, *, follows: bool = False) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._follows = follows
        self._summary: TableSummary | None = None
        self._document: Document | None = None
        self._chosen: tuple[str, ...] = ()
        self._fitted: dict[str, int] = {}  # the widths that were set, by column
        self._fitted_to: object = ()  # what they were made for
        self._sort, self._is_falling = "", False
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(72)
        self.setDefaultSectionSize(LEAST)
        theme_notifier().theme_changed.connect(self.viewport().update)

    def show(  # type: ignore[override]  # says more than Qt's own show()
        self, summary: TableSummary | None, document: Document, chosen: tuple[str, ...]
    ) -> None:
        """Show the columns of a table with the document's roles."""
        self._summary = summary
        self._document = document
        self._chosen = chosen
        self._fit()
        self.viewport().update()

    def _names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self._summary.columns) if self._summary else ()

    def _fit(self) -> None:
        """Columns wide enough for their names and roles: within reason, but where all have room."""
        document, columns = self._document, self._summary.columns if self._summary else ()
        known = (columns, document and (document.roles, document.target), self.viewport().width())
        if known == self._fitted_to or self._follows or self.count() < len(columns):
            return
        self._fitted_to, names = known, self._names()
        sizes = {name: self.sectionSize(place) for place, name in enumerate(names)}
        is_moved = set(self._fitted) == set(names) and sizes != self._fitted
        if is_moved:
            return
        needed = self._needed()
        widths = [min(width, MOST) for width in needed]
        spare = self.viewport().width() - sum(widths)
        for place, width in enumerate(needed):
            more = max(0, min(width - widths[place], spare))
            widths[place] += more
            spare -= more
        each = min(ROOMIER, max(0, spare) // max(1, len(widths)))
        self._fitted = {name: width + each for name, width in zip(names, widths, strict=True)}
        for place, width in enumerate(self._fitted.values()):
            self.resizeSection(place, width)

    def _needed(self) -> list[int]:
        """The width of each column's name and role."""
        strong, note = (QFontMetrics(text_font("body", bold=True)), QFontMetrics(text_font("note")))
        found = []
        roles = self._document.roles if self._document is not None else ()
        by_column = {entry.column: entry for entry in roles}
        for name in self._names():
            entry = by_column.get(name)
            chip = note.horizontalAdvance(self._chip(entry)) + 14 if entry is not None else 0
            words = max(strong.horizontalAdvance(name), chip) + 2 * EDGE + 2
            found.append(max(words, LEAST))
        return found

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def show_order(self, sort: str, *, is_falling: bool) -> None:
        """Mark the column that the rows are sorted by; none with an empty name."""
        self._sort, self._is_falling = sort, is_falling
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), HEIGHT)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        if self._summary is None or logicalIndex >= len(self._summary.columns):
            return
        theme = current_theme()
        column = self._summary.columns[logicalIndex]
        painter.save()
        is_chosen = column.name in self._chosen
        painter.fillRect(rect, QColor(theme.selection if is_chosen else theme.card))
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        inner = rect.adjusted(EDGE, 8, -EDGE, -6)
        painter.setFont(text_font("body", bold=True))
        painter.setPen(QColor(theme.text))
        sign = ("▾ " if self._is_falling else "▴ ") if column.name == self._sort else ""
        name = sign + painter.fontMetrics().elidedText(
            column.name,
            Qt.TextElideMode.ElideMiddle,
            inner.width() - painter.fontMetrics().horizontalAdvance(sign),
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignTop, name)
        self._paint_chip(painter, inner, column.name, is_chosen)
        bars = QRectF(inner.left(), inner.top() + 44, inner.width(), 18)
        paint_bars(painter, bars, column.histogram, theme.control_border)
        painter.setFont(text_font("note"))
        is_gappy = missing_share(column) >= 0.05 and not is_chosen
        painter.setPen(QColor(theme.loss if is_gappy else theme.quiet))
        painter.drawText(inner, Qt.AlignmentFlag.AlignBottom, missing_words(column))
        painter.restore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open the roles below a pressed chip; with Ctrl the column joins those that are chosen."""
        place = event.position().toPoint()
        section = self.logicalIndexAt(place)
        if event.button() is Qt.MouseButton.LeftButton and 0 <= section < len(self._names()):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.section_toggled.emit(section)
                return
            left = self.sectionViewportPosition(section) + EDGE
            width = self.sectionSize(section) - 2 * EDGE
            if QRect(left, CHIP_TOP, width, CHIP_HEIGHT).contains(place):
                self.role_pressed.emit(section, QPoint(left, CHIP_TOP + CHIP_HEIGHT))
                return
        super().mousePressEvent(event)

    def _chip(self, entry: RoleAssignment) -> str:
        return f"{chip_words(entry, self._document.target if self._document else None)} ▾"

    def _paint_chip(self, painter: QPainter, inner: QRect, column: str, is_chosen: bool) -> None:
        entry = self._document.role_of(column) if self._document is not None else None
        if entry is None:
            return
        theme = current_theme()
        painter.setFont(text_font("note"))
        words = painter.fontMetrics().elidedText(
            self._chip(entry), Qt.TextElideMode.ElideMiddle, inner.width() - 14
        )
        is_quiet = entry.role in _QUIET_ROLES
        width = painter.fontMetrics().horizontalAdvance(words) + 14
        area = QRectF(inner.left() + 0.5, inner.top() + 20.5, width, 17)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.border if is_quiet else theme.accent), 1))
        painter.drawRoundedRect(area, 8.5, 8.5)
        painter.setPen(
            QColor(theme.text if is_chosen else theme.quiet if is_quiet else theme.accent)
        )
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
