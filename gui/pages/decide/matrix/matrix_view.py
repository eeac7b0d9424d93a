"""The matrix as it is edited: like a spreadsheet, each number in a box of its own."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    QObject,
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
    QFont,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from core.document.decisions.formulas import line_text
from core.document.wording import NBSP
from gui.pages.decide.matrix.cell_drag import CellDrag, grip_of, is_on_grip, stepped
from gui.pages.decide.matrix.matrix_model import FORMULA_ROLE, SIGN_ROLE, MatrixTableModel
from gui.pages.decide.matrix.paste import read_block
from gui.theme import current_theme, strengthen, tabular, text_font, theme_notifier
from gui.widgets import TextField
from gui.widgets.fields.entries import decimals_for
from payoff.errors import PayoffError

ROW = 28
HEADER = 26
BOX = 92  # width of a number column with its gap
NARROW_BOX = 74
WORDS = 110  # the least width of the column of words


class CellField(TextField):
    """The open cell: a number, a formula, or the word of a class.

    ``before`` is what the cell held, ``was_taken`` whether the document has taken a pause's entry.
    """

    finished = Signal()  # someone is about to do something with it

    def __init__(self, before: object, parent: QWidget) -> None:
        super().__init__("", parent)
        self.before = before
        self.was_taken = False
        self.setProperty("inCell", True)
        self.setFrame(False)

    def finish_typing(self) -> None:
        """What was typed is complete: the cell takes it and closes."""
        if self.is_being_typed():
            self.finished.emit()

    def _end_typing(self) -> None:
        """What was typed stays marked until the cell has taken it and the field is gone."""
        self.typing_ended.emit()


class ConsequenceDelegate(QStyledItemDelegate):
    """Draws each consequence in a box, coloured by gain and loss, and edits it in place."""

    typed = Signal(QPersistentModelIndex, str)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        theme = current_theme()
        is_current = bool(option.state & QStyle.StateFlag.State_HasFocus)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        font = tabular(option.font)
        area = QRectF(option.rect)
        if index.column() == 0:
            if is_current:
                painter.setPen(QPen(QColor(theme.accent), 1.0))
                painter.drawRoundedRect(area.adjusted(0.5, 2.5, -3.5, -2.5), 4, 4)
            self._text(painter, area.adjusted(4, 0, -6, 0), text, font, theme.text, left=True)
        else:
            self._box(painter, area, is_current, is_selected)
            role = str(index.data(SIGN_ROLE) or "")
            colour = str(getattr(theme, role)) if role and not is_selected else theme.text
            font = strengthen(font) if role else font
            self._text(painter, area.adjusted(8, 0, -9, 0), text, font, colour, left=False)
            if index.data(FORMULA_ROLE):
                self._text(painter, area.adjusted(15, 0, -9, 0), "=", font, theme.quiet, left=True)
            elif option.state & QStyle.StateFlag.State_MouseOver or is_current:
                self._grip(painter, area)
        painter.restore()

    @staticmethod
    def _box(painter: QPainter, area: QRectF, is_current: bool, is_selected: bool) -> None:
        theme = current_theme()
        box = area.adjusted(8.5, 2.5, -0.5, -2.5)
        painter.setPen(QPen(QColor(theme.accent if is_current else theme.border), 1.0))
        painter.setBrush(QColor(theme.selection if is_selected and not is_current else theme.card))
        painter.drawRoundedRect(box, 4, 4)

    @staticmethod
    def _grip(painter: QPainter, area: QRectF) -> None:
        """Two small arrows: the number can be dragged up and down here."""
        middle = grip_of(area).center()
        painter.setPen(QPen(QColor(current_theme().quiet), 1.2))
        for side in (-1, 1):
            tip = QPointF(middle.x(), middle.y() + side * 6)
            for across in (-3, 3):
                painter.drawLine(tip, QPointF(tip.x() + across, tip.y() - side * 3))

    @staticmethod
    def _text(
        painter: QPainter, area: QRectF, text: str, font: QFont, colour: str, *, left: bool
    ) -> None:
        painter.setFont(font)
        painter.setPen(QColor(colour))
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        shown = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideMiddle, int(area.width())
        )
        painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, shown)

    def createEditor(
        self,
        parent: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> QWidget:
        editor = CellField(index.data(Qt.ItemDataRole.EditRole), parent)
        if index.column() > 0:
            editor.setAlignment(Qt.AlignmentFlag.AlignRight)
            place = QPersistentModelIndex(index)
            editor.paused.connect(lambda: self._on_pause(editor, place))
            editor.taken_back.connect(lambda: self._take_back(editor, place))
        editor.finished.connect(lambda: self._finish(editor))
        return editor

    def _on_pause(self, editor: CellField, place: QPersistentModelIndex) -> None:
        editor.was_taken = True
        self.typed.emit(place, editor.text())

    def _finish(self, editor: CellField) -> None:
        self.commitData.emit(editor)
        self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Escape takes back what a pause had taken, too."""
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if is_escape and event.type() == QEvent.Type.KeyPress and isinstance(editor, CellField):
            editor.taken_back.emit()
        return super().eventFilter(editor, event)

    @staticmethod
    def _take_back(editor: CellField, place: QPersistentModelIndex) -> None:
        model = place.model()
        if editor.was_taken and isinstance(model, MatrixTableModel):
            model.setData(place, editor.before)

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        # What is being typed stays as it is, whatever changes in the document meanwhile.
        if not isinstance(editor, CellField) or editor.isModified():
            return
        value = index.data(Qt.ItemDataRole.EditRole)
        text = str(value or "")
        if isinstance(value, float):
            text = QLocale().toString(value, "f", decimals_for(value, 2, exact=True))
        editor.setText(text.replace(QLocale().groupSeparator(), ""))
        editor.selectAll()

    def setModelData(
        self,
        editor: QWidget,
        model: QAbstractItemModel,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        if not isinstance(editor, CellField) or not isinstance(model, MatrixTableModel):
            return
        if not editor.isModified():
            return
        if not model.takes(index, editor.text()) and editor.was_taken:
            model.setData(index, editor.before)  # a number taken in a pause goes with its entry
        model.setData(index, editor.text())

    def updateEditorGeometry(
        self,
        editor: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        left = 8 if index.column() > 0 else 0
        editor.setGeometry(option.rect.adjusted(left, 1, 0, -1))

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(BOX, ROW)


class DecisionHeader(QHeaderView):
    """Names of the decisions; a double click renames one in place, the acting one is underlined."""

    rename_entered = Signal(str, str)  # decision, new name

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFixedHeight(HEADER)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(40)
        self._editor: TextField | None = None
        self._renamed: str | None = None
        self.sectionDoubleClicked.connect(self.start_rename)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        theme = current_theme()
        model = self.model()
        painter.save()
        painter.fillRect(rect, QColor(theme.card))
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setFont(text_font("note"))
        text = str(model.headerData(logicalIndex, Qt.Orientation.Horizontal) or "")
        acting = isinstance(model, MatrixTableModel) and model.is_acting(logicalIndex)
        painter.setPen(QColor(theme.text if acting else theme.quiet))
        is_first = logicalIndex == 0
        area = rect.adjusted(4 if is_first else 8, 0, -2 if is_first else -9, 0)
        side = Qt.AlignmentFlag.AlignLeft if is_first else Qt.AlignmentFlag.AlignRight
        metrics = painter.fontMetrics()
        if metrics.horizontalAdvance(text) > area.width():  # the unit gives way before the name
            role = Qt.ItemDataRole.EditRole
            text = str(model.headerData(logicalIndex, Qt.Orientation.Horizontal, role) or text)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, shown)
        line = rect.adjusted(8, 0, 0, 0)
        if acting:
            painter.fillRect(line.left(), line.bottom() - 1, line.width(), 2, QColor(theme.accent))
        elif isinstance(model, MatrixTableModel) and model.is_do_nothing(logicalIndex):
            painter.setPen(QPen(QColor(theme.quiet), 1, Qt.PenStyle.DotLine))
            painter.drawLine(line.bottomLeft(), line.bottomRight())
        painter.restore()

    def start_rename(self, section: int) -> None:
        """Open a field over the name of a decision."""
        name = self.model().headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.EditRole)
        if not name:
            return
        self._renamed = str(name)
        self._editor = TextField(str(name), self.viewport())
        self._editor.setAccessibleName("Name of the decision")
        left = self.sectionViewportPosition(section)
        self._editor.setGeometry(left + 2, 0, self.sectionSize(section) - 2, HEADER)
        self._editor.selectAll()
        self._editor.editingFinished.connect(self._finish_rename)
        self._editor.installEventFilter(self)
        self._editor.show()
        self._editor.setFocus()

    def rename_editor(self) -> TextField | None:
        """The field while a name is being typed."""
        return self._editor

    def _finish_rename(self) -> None:
        editor, old = self._editor, self._renamed
        self._editor = self._renamed = None
        if editor is None:
            return
        name = editor.text().strip()
        editor.hide()
        editor.deleteLater()
        if old is not None and name and name != old:
            self.rename_entered.emit(old, name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter takes the name, Escape leaves it; neither reaches the table below."""
        if watched is self._editor and isinstance(event, QKeyEvent):
            is_press = event.type() == QEvent.Type.KeyPress
            if is_press and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._finish_rename()
                return True
            if is_press and event.key() == Qt.Key.Key_Escape:
                self._renamed = None
                self._finish_rename()
                return True
        return super().eventFilter(watched, event)


class MatrixView(QTableView):
    """The editor of the decision matrix: type, Tab, Enter, copy and paste as in a spreadsheet."""

    block_pasted = Signal(int, int, object)  # row, column of the first cell, numbers
    paste_refused = Signal(object)  # PayoffError
    rename_entered = Signal(str, str)
    remove_requested = Signal(str)
    acting_chosen = Signal(str)
    do_nothing_chosen = Signal(object)  # a decision, or None
    editing_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix_model = MatrixTableModel(self)
        self.setModel(self.matrix_model)
        self.delegate = ConsequenceDelegate(self)
        self.setItemDelegate(self.delegate)
        self.header = DecisionHeader(self)
        self.setHorizontalHeader(self.header)
        self.setAccessibleName("Decision matrix")
        self._set_up()
        self.header.rename_entered.connect(self.rename_entered)
        self.header.customContextMenuRequested.connect(self._open_header_menu)
        self.delegate.typed.connect(self._on_typed)
        self._drag: CellDrag | None = None
        self.setMouseTracking(True)
        self.matrix_model.modelReset.connect(self._fit)
        theme_notifier().theme_changed.connect(self._repaint)

    def _set_up(self) -> None:
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.verticalHeader().setMinimumSectionSize(ROW)
        self.header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.setTabKeyNavigation(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    # ------------------------------------------------------------ size

    def _fit(self) -> None:
        """Columns share the width; the height follows the number of classes, up to ten."""
        columns = self.matrix_model.columnCount()
        if columns == 0:
            return
        decisions = columns - 1
        room = self.viewport().width()
        box = BOX + 9 if decisions <= 2 else max(NARROW_BOX, (room - WORDS) // decisions)
        for column in range(1, columns):
            self.setColumnWidth(column, box)
        self.setColumnWidth(0, max(WORDS, room - decisions * box))
        rows = min(self.matrix_model.rowCount(), 10)
        is_wide = WORDS + decisions * box > room
        bar = 12 if is_wide else 0
        self.setFixedHeight(HEADER + rows * ROW + bar + 2)

    def _repaint(self, _theme: object = None) -> None:
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    # ------------------------------------------------------------ typing

    def _on_typed(self, place: QPersistentModelIndex, text: str) -> None:
        """Take a number that was typed before a pause."""
        number = self.matrix_model.read(text)
        if number is not None and place.isValid():
            self.matrix_model.setData(place, number)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        super().closeEditor(editor, hint)
        self.editing_finished.emit()
        if hint is QAbstractItemDelegate.EndEditHint.SubmitModelCache:
            self._move_down()

    def _move_down(self) -> None:
        """Enter goes on to the next class, as in a spreadsheet."""
        below = self.currentIndex().siblingAtRow(self.currentIndex().row() + 1)
        if below.isValid():
            self.setCurrentIndex(below)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.clear_selected()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.currentIndex().isValid() and not self._is_editing():
                self.edit(self.currentIndex())
        elif self._leaves(event):
            event.ignore()
        elif self._steps(event):
            return
        else:
            super().keyPressEvent(event)

    def _steps(self, event: QKeyEvent) -> bool:
        """Control with an arrow up or down steps the number, as its grip does."""
        direction = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
        is_control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        index = self.currentIndex()
        if direction is None or not is_control or not self._can_drag(index):
            return False
        value = self.matrix_model.value(index.row(), index.column())
        self.matrix_model.setData(index, stepped(value or 0.0, direction))
        return True

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if event.key() == Qt.Key.Key_Control:
            self.editing_finished.emit()  # what was stepped is one editing

    # ------------------------------------------------------------ dragging

    def _can_drag(self, index: QModelIndex) -> bool:
        """Whether a cell holds a number of its own: none that follows a formula or an amount."""
        if not index.isValid() or index.column() == 0 or index.data(FORMULA_ROLE):
            return False
        return not self.matrix_model.share(index.row(), index.column())

    def _grip_at(self, place: QPointF) -> QModelIndex | None:
        index = self.indexAt(place.toPoint())
        is_there = self._can_drag(index) and not self._is_editing()
        area = QRectF(self.visualRect(index))
        return index if is_there and is_on_grip(area, place, index) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._grip_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or index is None:
            super().mousePressEvent(event)
            return
        self.setCurrentIndex(index)
        value = self.matrix_model.value(index.row(), index.column())
        self._drag = CellDrag(QPersistentModelIndex(index), event.position(), value or 0.0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        drag = self._drag
        if drag is None:
            is_grip = self._grip_at(event.position()) is not None
            shape = Qt.CursorShape.SizeVerCursor if is_grip else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(shape)
            super().mouseMoveEvent(event)
        elif drag.cell.isValid():
            self.matrix_model.setData(drag.cell, drag.value_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._drag is None:
            super().mouseReleaseEvent(event)
            return
        self._drag = None
        self.editing_finished.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._drag = None
        super().mouseDoubleClickEvent(event)

    def _is_editing(self) -> bool:
        return self.state() == QAbstractItemView.State.EditingState

    def _leaves(self, event: QKeyEvent) -> bool:
        """Tab on the last cell, and Shift Tab on the first, go on to the next control."""
        index = self.currentIndex()
        last = (self.matrix_model.rowCount() - 1, self.matrix_model.columnCount() - 1)
        if event.key() == Qt.Key.Key_Tab:
            return (index.row(), index.column()) == last
        is_first = index.row() == 0 and index.column() <= 1
        return event.key() == Qt.Key.Key_Backtab and is_first

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Tab goes from number to number: the name of a class is not typed over on the way."""
        index = super().moveCursor(action, modifiers)
        if index.column() != 0:
            return index
        if action is QAbstractItemView.CursorAction.MoveNext:
            return index.siblingAtColumn(1)
        if action is QAbstractItemView.CursorAction.MovePrevious and index.row() > 0:
            last = self.matrix_model.columnCount() - 1
            return index.sibling(index.row() - 1, last)
        return index

    # ------------------------------------------------------------ clipboard

    def copy(self) -> None:
        """Copy the selected block, tab separated, with the user's decimal mark."""
        rows = sorted({index.row() for index in self.selectedIndexes()})
        columns = sorted({index.column() for index in self.selectedIndexes()})
        lines = ["\t".join(self._plain(row, column) for column in columns) for row in rows]
        if lines:
            QApplication.clipboard().setText("\n".join(lines))

    def copy_all(self) -> None:
        """Copy the whole matrix with the names of classes and decisions."""
        model = self.matrix_model
        columns = range(1, model.columnCount())
        lines = ["\t".join(["", *(model.decision_at(column) or "" for column in columns)])]
        lines += [
            "\t".join(self._plain(row, column) for column in range(model.columnCount()))
            for row in range(model.rowCount())
        ]
        QApplication.clipboard().setText("\n".join(lines))

    def _plain(self, row: int, column: int) -> str:
        value = self.matrix_model.value(row, column)
        if value is None:
            return self.matrix_model.labels()[row] if column == 0 else ""
        share = self.matrix_model.share(row, column)
        if share:
            return f"={line_text(value, share)}"
        locale = QLocale()
        locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
        text = locale.toString(
            value, "g", QLocale.FloatingPointPrecisionOption.FloatingPointShortest.value
        )
        return text.replace(NBSP, "")

    def paste(self) -> None:
        """Paste a block of numbers at the current cell, all of it or nothing."""
        matrix = self.matrix_model.matrix()
        if matrix is None:
            return
        index = self.currentIndex()
        first = (max(index.row(), 0), max(index.column(), 1) - 1)
        try:
            block = read_block(
                QApplication.clipboard().text(),
                rows=self.matrix_model.labels(),
                columns=matrix.decisions,
                first=first,
            )
        except PayoffError as error:
            self.paste_refused.emit(error)
            return
        self.block_pasted.emit(*first, block)

    def clear_selected(self) -> None:
        """Set the selected numbers to 0."""
        spots = [index for index in self.selectedIndexes() if index.column() > 0]
        if not spots:
            return
        rows, columns = [i.row() for i in spots], [i.column() - 1 for i in spots]
        width, height = max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
        block = tuple((0.0,) * width for _ in range(height))
        self.block_pasted.emit(min(rows), min(columns), block)

    # ------------------------------------------------------------ decisions

    def current_decision(self) -> str | None:
        """The decision of the current column."""
        return self.matrix_model.decision_at(self.currentIndex().column())

    def rename(self, decision: str) -> None:
        """Open the field for the name of a decision."""
        matrix = self.matrix_model.matrix()
        if matrix is not None and decision in matrix.decisions:
            self.header.start_rename(matrix.decisions.index(decision) + 1)

    def edit_row(self, row: int) -> None:
        """Open the field for the name of a row."""
        self.select_cell(row, 0)
        self.edit(self.matrix_model.index(row, 0))

    def select_cell(self, row: int, column: int) -> None:
        """Make a cell the current one; column 0 holds the words."""
        index = self.matrix_model.index(row, column)
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)

    def _open_header_menu(self, place: QPoint) -> None:
        decision = self.matrix_model.decision_at(self.header.logicalIndexAt(place))
        if decision is not None:
            self.decision_menu(decision).popup(self.header.mapToGlobal(place))

    def decision_menu(self, decision: str) -> QMenu:
        """What can be done with one decision."""
        matrix = self.matrix_model.matrix()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("&Rename…", lambda: self.rename(decision))
        acting = menu.addAction(
            f"“{decision}” counts as &acting", lambda: self.acting_chosen.emit(decision)
        )
        acting.setCheckable(True)
        acting.setChecked(matrix is not None and matrix.acting == decision)
        rests = matrix is not None and matrix.do_nothing == decision
        nothing = menu.addAction(
            f"“{decision}” does &nothing",
            lambda: self.do_nothing_chosen.emit(None if rests else decision),
        )
        nothing.setCheckable(True)
        nothing.setChecked(rests)
        menu.addSeparator()
        remove = menu.addAction(
            f"Re&move “{decision}”", lambda: self.remove_requested.emit(decision)
        )
        remove.setEnabled(matrix is not None and len(matrix.decisions) > 1)
        return menu
