"""A quiet table of figures: words left, numbers right, interval bars and model lines drawn in."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.presentation.view import AnyTable, Cell, Table
from gui.theme import current_theme, strengthen, tabular, text_font, theme_notifier
from gui.widgets.figures.estimate_bar import paint_estimate, paint_shift
from gui.widgets.figures.series import dash_pen
from gui.widgets.tables.cells import NUMBERS
from gui.widgets.tables.copying import CopyingTable

AnyIndex = QModelIndex | QPersistentModelIndex
FIGURE = Qt.ItemDataRole.UserRole + 2
SWATCH = 30
BAR, LEAST_BAR = 80, 44
PADDING = 8
HEAD_MARGIN = 6  # of the width of a column, not for the words of its head
BAR_ROOM = 40  # pixels, of a scroll bar and more
LEAST_WORDS, SCROLLED_WORDS = 76, 112  # of columns of words where figures need the room
NARROW_WORDS = 60  # where they wrap and heads lack room even for two lines
STEP = 8  # pixels by which the widest of them gives way
MOST_HEAD, LEAST_HEAD = 180, 96  # of a head: decisions may have long names
GAP, TIGHT = 13, 9  # pixels beside the figures of a column
ROWS_MEASURED = 200  # of rows that are made when they are looked at: columns fit the first


class FigureTableModel(QAbstractTableModel):
    """Shows a table; nothing can be edited."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._content: AnyTable = Table(columns=(), rows=())

    @property
    def content(self) -> AnyTable:
        """The rows of figures that stand in the table."""
        return self._content

    def show_content(self, content: AnyTable) -> None:
        """Show other figures; the selection stays where the shape does."""
        old = self._content
        if old.columns == content.columns and len(old.rows) == len(content.rows):
            self._content = content
            if content.rows:
                last = self.index(len(content.rows) - 1, len(content.columns) - 1)
                self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._content = content
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._content.rows)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._content.columns)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        figure = self._content.cell(index.row(), index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return figure.words
        if role == Qt.ItemDataRole.ToolTipRole:
            return figure.exact or None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._content.columns[index.column()]}: {figure.words}"
        if role == NUMBERS:
            return figure.numbers
        return figure if role == FIGURE else None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._content.columns[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            known = self._content.help[section] if section < len(self._content.help) else ""
            return known or self._content.columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            first = section == 0 or self.is_left(section)
            side = Qt.AlignmentFlag.AlignLeft if first else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def is_left(self, column: int) -> bool:
        """Whether a column's cells stand at its left."""
        return self._content.is_left(column)


class FigureDelegate(QStyledItemDelegate):
    """Draws a figure: line of the model, bar of the interval, coloured amount."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        figure = index.data(FIGURE)
        if not isinstance(figure, Cell):
            return
        theme = current_theme()
        area = QRectF(option.rect)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if is_selected:
            painter.fillRect(area, QColor(theme.selection))
        painter.setPen(QPen(QColor(theme.border), 1))
        is_last = index.row() == index.model().rowCount() - 1
        if not is_last:
            painter.drawLine(area.bottomLeft(), area.bottomRight())
        # As the heads are: what stands at the left of its column begins below its head.
        edge = PADDING if figure.estimate is not None or figure.is_left else 2
        room = area.adjusted(4 if index.column() == 0 else edge, 0, -4, 0)
        if figure.estimate is not None:
            colour = theme.series_colour(figure.series or 0)
            paint_estimate(painter, room, figure.estimate, figure.scale, colour)
            painter.restore()
            return
        if figure.series is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(dash_pen(figure.series))
            middle = room.center().y()
            painter.drawLine(QPointF(room.left(), middle), QPointF(room.left() + 22, middle))
            room.adjust(SWATCH, 0, 0, 0)
        self._draw_text(painter, room, figure, option, index, is_selected)
        if figure.shift is not None:
            paint_shift(painter, area.adjusted(6, 0, -4, 0), figure.shift)
        painter.restore()

    @staticmethod
    def _draw_text(
        painter: QPainter,
        room: QRectF,
        figure: Cell,
        option: QStyleOptionViewItem,
        index: AnyIndex,
        is_selected: bool,
    ) -> None:
        theme = current_theme()
        font = tabular(strengthen(option.font) if figure.is_bold else QFont(option.font))
        painter.setFont(font)
        role = "text" if is_selected else figure.role
        painter.setPen(QColor(str(getattr(theme, role))))
        is_left = index.column() == 0 or figure.is_left
        side = Qt.AlignmentFlag.AlignLeft if is_left else Qt.AlignmentFlag.AlignRight
        if is_left and room.height() > current_theme().sizes.row + 2:
            flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, flags, figure.text)
            return
        is_text = is_left and index.column() > 0
        mode = Qt.TextElideMode.ElideRight if is_text else Qt.TextElideMode.ElideMiddle
        text = painter.fontMetrics().elidedText(figure.text, mode, int(room.width()) + 1)
        painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, text)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(60, current_theme().sizes.row)


class FigureHeader(QHeaderView):
    """Heads in note size, aligned with their figures, elided only where nothing else helps.

    ``breaks``: where a head of several words has no room for one line, all have room for two.
    """

    def __init__(self, parent: QWidget | None = None, *, breaks: bool = False) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._breaks = breaks
        self.setFixedHeight(current_theme().sizes.row)
        self.setHighlightSections(False)
        self.setSectionsClickable(False)
        self.setMinimumSectionSize(24)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        theme = current_theme()
        painter.save()
        painter.fillRect(rect, QColor(theme.card))
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setFont(text_font("note"))
        painter.setPen(QColor(theme.quiet))
        side = self.model().headerData(
            logicalIndex, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        is_left = bool(side & Qt.AlignmentFlag.AlignLeft)
        left = 4 if logicalIndex == 0 else PADDING if is_left else 0
        area = rect.adjusted(left, 0, -4, 0)
        metrics, mode = painter.fontMetrics(), Qt.TextElideMode.ElideRight
        lines = self.lines(logicalIndex, rect.width())
        shown = [metrics.elidedText(line, mode, area.width() + 1) for line in lines]
        painter.drawText(area, side, "\n".join(shown))
        painter.restore()

    def lines(self, section: int, width: int) -> list[str]:
        """The head of a column of some width: one line, or two broken between words."""
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        metrics, words = QFontMetrics(text_font("note")), text.split(" ")
        if not self._breaks or metrics.horizontalAdvance(text) <= width - HEAD_MARGIN:
            return [text]
        broken = [[" ".join(words[:n]), " ".join(words[n:])] for n in range(1, len(words))]
        return min(broken, key=lambda two: max(map(metrics.horizontalAdvance, two)), default=[text])

    def least_width(self, section: int) -> int:
        """Of a column whose head is not cut, in two lines where it may take them."""
        advance = QFontMetrics(text_font("note")).horizontalAdvance
        return HEAD_MARGIN + max(map(advance, self.lines(section, 0)))

    def fit_height(self, widths: list[int]) -> None:
        """As many lines as the heads need in columns of these widths."""
        count = max(len(self.lines(section, width)) for section, width in enumerate(widths))
        line = QFontMetrics(text_font("note")).lineSpacing()
        height = current_theme().sizes.row + (count - 1) * line
        if self.height() != height:
            self.setFixedHeight(height)


class ResultTable(CopyingTable):
    """As high as its rows; columns as wide as their figures, one of them takes what is left.

    ``wraps``: long words of that one, which is the first as a rule, and heads take two lines where
    there is no room for one. ``scrolls``: heads do, and the table moves inside its own frame, down
    and sideways, rather than cut figures short.

    Signals
    -------
    height_changed()
        In less width words take more lines, or fewer in much more. In little more they keep their
        lines: the bar of an area that scrolls would come and go with them, without an end.
    """

    height_changed = Signal()

    def __init__(
        self,
        name: str,
        parent: QWidget | None = None,
        *,
        wraps: bool = False,
        scrolls: bool = False,
    ) -> None:
        super().__init__(parent)
        self._wraps, self._scrolls = wraps, scrolls
        self._shows_focus = False
        self.figures = FigureTableModel(self)
        self._widths: dict[object, list[int]] = {}
        self._measured: tuple[tuple[Cell, ...], ...] = ()  # what the columns are fitted to
        self._shape: object = ()
        self._told_height = self._told_width = 0  # as they were when ``height_changed`` was told
        self.left_out: tuple[int, ...] = ()  # of the spare columns: there is no room for them
        self.setModel(self.figures)
        self.setItemDelegate(FigureDelegate(self))
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        row = current_theme().sizes.row
        self.verticalHeader().setMinimumSectionSize(row)
        self.verticalHeader().setDefaultSectionSize(row)
        self._heads = FigureHeader(self, breaks=wraps or scrolls)
        self.setHorizontalHeader(self._heads)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self._settle_scrolling()
        theme_notifier().theme_changed.connect(self._repaint)

    def _settle_scrolling(self) -> None:
        if not self._scrolls:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            return
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMinimumHeight(3 * current_theme().sizes.row)

    def show_content(self, content: AnyTable) -> None:
        """Show figures and fit the columns."""
        self._told_height = self._told_width = 0
        # Before the model has them: it may be resized, and so fitted, while it takes them.
        self._measured = content.cells(None if isinstance(content, Table) else ROWS_MEASURED)
        # Figures are tabular: texts of the same length are equally wide, so a drag measures once.
        lengths = tuple(tuple((len(f.text), f.is_bold) for f in row) for row in self._measured)
        self._shape = (content.columns, lengths, content.wide)
        self.figures.show_content(content)
        self._fit()

    def let_choose_rows(self, is_on: bool) -> None:
        """Let a row be chosen in place of a block of cells."""
        behaviour, mode = QAbstractItemView.SelectionBehavior, QAbstractItemView.SelectionMode
        self.setSelectionBehavior(behaviour.SelectRows if is_on else behaviour.SelectItems)
        self.setSelectionMode(mode.SingleSelection if is_on else mode.ContiguousSelection)

    def content_height(self) -> int:
        """Header and all rows."""
        row = current_theme().sizes.row
        if self._wraps:
            return self._heads.height() + self.verticalHeader().length()
        return row * (len(self.figures.content.rows) + 1)

    def natural_widths(self, *, is_least: bool = False) -> list[int]:
        """What each column needs; ``is_least``: with short bars and the first head shortened."""
        return self._widths_below(LEAST_HEAD if is_least else MOST_HEAD)

    def _widths_below(self, most_head: int) -> list[int]:
        """What each column needs where its head has so many pixels at the most."""
        key = (self._shape, most_head)
        if key not in self._widths:
            if len(self._widths) > 64:
                self._widths.clear()
            self._widths[key] = self._measure(self.figures.content, most_head)
        return list(self._widths[key])

    def _measure(self, content: AnyTable, most_head: int) -> list[int]:
        is_least = most_head < MOST_HEAD
        plain, heavy = QFont(self.font()), strengthen(self.font())
        note = QFontMetrics(tabular(text_font("note")))
        metrics = (QFontMetrics(tabular(plain)), QFontMetrics(tabular(heavy)))
        bar = LEAST_BAR if is_least else BAR
        widths = []
        for column, title in enumerate(content.columns):
            head = min(note.horizontalAdvance(title), most_head)
            if column and self.figures.is_left(column):
                head += PADDING - 4  # as it is painted
            needs = [0 if is_least and column == content.wide else head]
            for row in self._measured:
                figure = row[column]
                text = metrics[figure.is_bold].horizontalAdvance(figure.text)
                swatch = SWATCH if figure.series is not None else 0
                swatch += PADDING - 4 if column and figure.is_left else 0  # as it is painted
                needs.append(bar if figure.estimate is not None else text + swatch)
            widths.append(max(needs) + (TIGHT if is_least else GAP))
        return widths

    def wraps(self, column: int) -> bool:
        """Whether the words of a column take several lines where they need them."""
        return self._wraps and column == self.figures.content.wide

    def least_width(self) -> int:
        """What all columns need at the least."""
        return sum(self.natural_widths(is_least=True))

    def figures_width(self) -> int:
        """What all columns need at the least where words have given way to figures."""
        words, widths = self._words(), self.natural_widths(is_least=True)
        return sum(min(w, LEAST_WORDS) if at in words else w for at, w in enumerate(widths))

    def _words(self) -> set[int]:
        """The columns of words, which give way to figures."""
        content = self.figures.content
        return {
            place
            for place in range(len(content.columns))
            if place in (0, content.wide)
            or (content.is_left(place) and content.cell(0, place).estimate is None)
        }

    def _fit(self) -> None:
        """Full widths where there is room, else the least ones; words give way to figures."""
        room = self.viewport().width()
        widths = self.natural_widths()
        if not widths:
            return
        if sum(widths) > room:
            widths = self.natural_widths(is_least=True)
        left, wide = room - sum(widths), self.figures.content.wide
        self.left_out = ()
        if left < 0:
            short = self._give_way(widths, -left)
            if short > 0 and self.figures.content.spare:  # they are left out before figures are cut
                self.left_out = self.figures.content.spare
                widths = self.natural_widths(is_least=True)
                widths = [0 if at in self.left_out else width for at, width in enumerate(widths)]
                short = self._give_way(widths, sum(widths) - room)
                widths[wide] += max(-short, 0)
            if (
                short > 0 and not self._scrolls
            ):  # a figure cut at its edge beats a bar across the last row
                each = short // len(widths) + (short % len(widths) > 0)
                widths = [max(width - each, 0) for width in widths]
        elif left > 0:
            self._spread(widths, left, wide)
        self._heads.fit_height(widths)
        for column in self.figures.content.spare:
            if self.isColumnHidden(column) != (column in self.left_out):
                self.setColumnHidden(column, column in self.left_out)
        for column, width in enumerate(widths):
            if self.columnWidth(column) != width:
                self.setColumnWidth(column, width)
        if self._wraps:
            self._fit_heights(widths[wide] - (PADDING + 4 if wide else 8), wide)

    def _give_way(self, widths: list[int], short: int) -> int:
        """Make columns narrower; what is still short after.

        Words give way first, then heads to two lines; then words as far as they can wrap, and last
        heads, to the width of the figures below them.
        """
        figures, words = self._widths_below(0), self._words()
        places = range(len(widths))
        least = SCROLLED_WORDS if self._scrolls else LEAST_WORDS
        broken = [
            max(width, 0 if place in words else self._heads.least_width(place))
            for place, width in enumerate(figures)
        ]
        wrapped = {place: self._narrowest(place) if self.wraps(place) else least for place in words}
        for floors in (
            dict.fromkeys(sorted(words), least),
            {place: broken[place] for place in places if place not in words},
            wrapped,
            {place: wrapped.get(place, width) for place, width in enumerate(figures)},
        ):
            while short > 0 and floors:
                widest = max(floors, key=lambda place: widths[place] - floors[place])
                given = min(short, STEP, widths[widest] - floors[widest])
                if given <= 0:
                    break
                widths[widest] -= given
                short -= given
        return short

    def _narrowest(self, column: int) -> int:
        """Of a column whose words wrap: no word is cut that is not too long for any room."""
        metrics = QFontMetrics(tabular(strengthen(self.font())))
        needs = [NARROW_WORDS]
        for row in self._measured:
            swatch = SWATCH if row[column].series is not None else 0
            longest = max(map(metrics.horizontalAdvance, row[column].text.split()), default=0)
            needs.append(longest + swatch + GAP)
        return min(max(needs), SCROLLED_WORDS)

    def _fit_heights(self, room: int, column: int) -> None:
        """As many lines as the words of a column need in its room."""
        base = current_theme().sizes.row
        metrics = QFontMetrics(tabular(QFont(self.font())))
        for number, row in enumerate(self.figures.content.cells()):
            free = room - (SWATCH if row[column].series is not None else 0)
            box = metrics.boundingRect(
                QRect(0, 0, max(free, 1), 10_000), Qt.TextFlag.TextWordWrap, row[column].text
            )
            is_long = box.height() > metrics.height() + 2
            height = box.height() + base - metrics.height() if is_long else base
            if self.rowHeight(number) != height:
                self.setRowHeight(number, height)
        height, width = self.content_height(), self.viewport().width()
        is_wider = width > self._told_width + BAR_ROOM
        if height > self._told_height or (height < self._told_height and is_wider):
            self._told_height, self._told_width = height, width
            self.height_changed.emit()

    @staticmethod
    def _spread(widths: list[int], left: int, wide: int) -> None:
        """Share out free room, more of it to one column."""
        each = left // (len(widths) + 1)
        for column in range(len(widths)):
            widths[column] += each
        widths[wide] += left - each * len(widths)

    def _repaint(self, _theme: object = None) -> None:
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._shows_focus = event.reason() != Qt.FocusReason.MouseFocusReason
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._shows_focus = False
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The figures, and a ring around all of them while the keyboard is here."""
        super().paintEvent(event)
        if self._shows_focus:
            painter = QPainter(self.viewport())
            painter.setPen(QPen(QColor(current_theme().accent), 1))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
            painter.end()
