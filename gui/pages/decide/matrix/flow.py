"""A box that sets its widgets in lines, like words, and starts a new line where one is full."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

GAP = 8


class FlowBox(QWidget):
    """Lines of widgets, each line as wide as the box.

    It places its widgets itself: a layout written in Python holds items that Qt deletes, and their
    addresses come back as widgets.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widgets: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_widgets(self, widgets: list[QWidget]) -> None:
        """Show these widgets in this order; the former ones are deleted."""
        for widget in self._widgets:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        self._widgets = widgets
        for widget in widgets:
            widget.setParent(self)
            widget.show()
        self._place_all()
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(width, dry=True)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        size = QSize()
        for widget in self._widgets:
            size = size.expandedTo(widget.minimumSizeHint())
        return size

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_all()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._place_all()
            self.updateGeometry()
        return super().event(event)

    def _lines(self, width: int) -> list[list[QWidget]]:
        lines: list[list[QWidget]] = []
        used = 0
        for widget in self._widgets:
            need = widget.sizeHint().width()
            if lines and used + GAP + need <= width:
                lines[-1].append(widget)
                used += GAP + need
            else:
                lines.append([widget])
                used = need
        return lines

    def _place_all(self) -> None:
        self._place(self.width(), dry=False)

    def _place(self, room: int, *, dry: bool) -> int:
        top = 0
        for line in self._lines(room):
            hints = [widget.sizeHint() for widget in line]
            height = max(hint.height() for hint in hints)
            widths = [room] if len(line) == 1 else [hint.width() for hint in hints]
            gap = (room - sum(widths)) // (len(line) - 1) if len(line) > 1 else 0
            left = 0
            for widget, hint, width in zip(line, hints, widths, strict=True):
                if not dry:
                    corner = QPoint(left, top + (height - hint.height()) // 2)
                    widget.setGeometry(QRect(corner, QSize(width, hint.height())))
                left += width + gap
            top += height + GAP
        return max(0, top - GAP)
