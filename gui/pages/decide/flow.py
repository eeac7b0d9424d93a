"""A layout that sets its widgets in lines, like words, and starts a new line where one is full."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Lines of widgets; ``spread`` makes each line as wide as the layout."""

    def __init__(self, parent: QWidget | None = None, *, spread: bool = False) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._spread = spread
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(8)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), dry=True)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, dry=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._items:
            if item.isEmpty():
                continue
            need = item.sizeHint().width()
            if lines and used + self.spacing() + need <= width:
                lines[-1].append(item)
                used += self.spacing() + need
            else:
                lines.append([item])
                used = need
        return lines

    def _place(self, rect: QRect, *, dry: bool) -> int:
        top = rect.top()
        for line in self._lines(rect.width()):
            height = max(item.sizeHint().height() for item in line)
            widths = [item.sizeHint().width() for item in line]
            gap = self.spacing()
            if self._spread and len(line) == 1:
                widths = [rect.width()]
            elif self._spread:
                gap = (rect.width() - sum(widths)) // (len(line) - 1)
            left = rect.left()
            for item, width in zip(line, widths, strict=True):
                if not dry:
                    size = QSize(width, item.sizeHint().height())
                    offset = (height - size.height()) // 2
                    item.setGeometry(QRect(QPoint(left, top + offset), size))
                left += width + gap
            top += height + self.spacing()
        return top - rect.top() - self.spacing() if self._items else 0
