"""The heads of the matrix: names of decisions, renamed in place."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QWidget

from gui.pages.decide.matrix.matrix_model import MatrixTableModel
from gui.theme import current_theme, text_font
from gui.widgets import TextField

HEADER = 26


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
