"""The matrix as it is edited: like a spreadsheet, each number in a box of its own."""

from __future__ import annotations

from PySide6.QtCore import (
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QApplication,
    QFrame,
    QMenu,
    QTableView,
    QWidget,
)

from core.document.decisions.formulas import line_text
from core.document.wording import NBSP
from gui.pages.decide.matrix.cell_drag import CellDrag, is_on_grip, stepped
from gui.pages.decide.matrix.cells import BOX, ROW, ConsequenceDelegate
from gui.pages.decide.matrix.decision_header import HEADER, DecisionHeader
from gui.pages.decide.matrix.matrix_model import FORMULA_ROLE, MatrixTableModel
from gui.pages.decide.matrix.paste import read_block
from gui.theme import theme_notifier
from payoff.errors import PayoffError

NARROW_BOX = 74
WORDS = 110  # the least width of the column of words


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
