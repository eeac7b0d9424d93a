"""A file on a desktop, to be dragged: ``python -m tests.soak.walk.file_icon FILE``."""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, Qt, QTimer, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel

SIZE = 90
SERVED = 3000  # ms for the window to fetch what was let go on it


class FileIcon(QLabel):
    """What a file manager shows of a file."""

    def __init__(self, path: str) -> None:
        super().__init__(path.rsplit("/", 1)[-1])
        self.path = path
        self.setFixedSize(SIZE, SIZE)
        self.move(0, 0)
        self.setWindowFlags(Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            data, drag = QMimeData(), QDrag(self)
            data.setUrls([QUrl.fromLocalFile(self.path)])
            drag.setMimeData(data)
            drag.exec(Qt.DropAction.CopyAction)
            QTimer.singleShot(SERVED, QApplication.quit)


if __name__ == "__main__":
    app = QApplication(sys.argv)
    file = FileIcon(sys.argv[1])
    file.show()
    QTimer.singleShot(500, lambda: print("shown", flush=True))
    sys.exit(app.exec())
