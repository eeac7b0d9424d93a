"""The cells of the matrix: each consequence in a box, and the field that it is typed into."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.pages.decide.matrix.cell_drag import grip_of
from gui.pages.decide.matrix.matrix_model import FORMULA_ROLE, SIGN_ROLE, MatrixTableModel
from gui.theme import current_theme, strengthen, tabular, text_font
from gui.widgets import TextField
from gui.widgets.fields.entries import decimals_for

ROW = 28
BOX = 92  # width of a number column with its gap


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
            room = area.adjusted(12, 0, -9, 0)
            needed = QFontMetricsF(font).horizontalAdvance(f"{text} = ")
            if QFontMetricsF(font).horizontalAdvance(text) > room.width():  # smaller before cut
                font = text_font("note", bold=bool(role))
            self._text(painter, room, text, font, colour, left=False)
            if index.data(FORMULA_ROLE) and needed < room.width():  # one with signs needs no other
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
