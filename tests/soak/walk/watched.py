"""The program as it is started by a person, with a look from outside at what its windows show.

    python -m tests.soak.walk.watched SOCKET [FILE]

Whoever connects to the socket is sent one list of what can be seen, as JSON, and the connection
ends: nothing can be asked of the program, nor told to it.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from argparse import Namespace

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtNetwork import QLocalServer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextBrowser,
    QWidget,
)

ROWS = 40  # of a table that are told
COLUMNS = 30


def text_of(part: QWidget) -> str:
    """What a part shows, as text."""
    if isinstance(part, QLabel):
        is_rich = part.textFormat() == Qt.TextFormat.RichText
        return QTextDocumentFragment.fromHtml(part.text()).toPlainText() if is_rich else part.text()
    if isinstance(part, QAbstractButton | QLineEdit):
        return part.text()
    if isinstance(part, QComboBox):
        return part.currentText()
    if isinstance(part, QPlainTextEdit | QTextBrowser):
        return part.toPlainText()
    if isinstance(part, QAbstractItemView):
        return _cells(part)
    return ""


def _cells(view: QAbstractItemView) -> str:
    model = view.model()
    if model is None:
        return ""
    above = QModelIndex()
    rows = min(model.rowCount(above), ROWS)
    columns = 1 if isinstance(view, QListView) else min(model.columnCount(above), COLUMNS)
    across = Qt.Orientation.Horizontal
    lines = [[model.headerData(column, across) for column in range(columns)]]
    lines += [[model.index(r, c).data() for c in range(columns)] for r in range(rows)]
    return "\n".join(" | ".join("" if one is None else str(one) for one in line) for line in lines)


def seen() -> list[dict[str, object]]:
    """Every visible part of every window: kind, names, text, place on the screen in pixels."""
    focus = QApplication.focusWidget()
    parts: list[dict[str, object]] = []
    for window in QApplication.topLevelWidgets():
        if not window.isVisible():
            continue
        for part in (window, *window.findChildren(QWidget)):
            if part.isVisible() and not part.visibleRegion().isEmpty():
                parts.append(_described(part, window, focus))
                parts += _inner(part, window)
    return parts


def _described(part: QWidget, window: QWidget, focus: QWidget | None) -> dict[str, object]:
    scale = part.devicePixelRatioF()
    corner = part.mapToGlobal(QPoint(0, 0))
    place = (corner.x(), corner.y(), part.width(), part.height())
    return {
        "kind": type(part).__name__,
        "name": part.accessibleName() or part.objectName(),
        "text": text_of(part),
        "place": [round(value * scale) for value in place],
        "window": window.windowTitle(),
        "enabled": part.isEnabled(),
        "focus": part is focus,
        "tip": part.toolTip(),
    }


def _inner(part: QWidget, window: QWidget) -> list[dict[str, object]]:
    """Entries of a menu and tabs, which are no widgets of their own."""
    if isinstance(part, QMenu):
        inner = [(a.text(), part.actionGeometry(a), a.isEnabled()) for a in part.actions()]
    elif isinstance(part, QTabBar):
        inner = [(part.tabText(i), part.tabRect(i), True) for i in range(part.count())]
    else:
        return []
    scale, told = part.devicePixelRatioF(), []
    for text, area, enabled in inner:
        at = part.mapToGlobal(area.topLeft())
        place = [round(v * scale) for v in (at.x(), at.y(), area.width(), area.height())]
        one = {"kind": f"{type(part).__name__}Entry", "name": "", "text": text, "place": place}
        told.append(one | {"window": window.windowTitle(), "enabled": enabled, "focus": False})
    return told


class Watcher:
    """Sends what is seen to whoever connects."""

    def __init__(self, name: str) -> None:
        self.server = QLocalServer()
        self.server.newConnection.connect(self._tell)
        if not self.server.listen(name):
            raise SystemExit(self.server.errorString())

    def _tell(self) -> None:
        caller = self.server.nextPendingConnection()
        caller.write(json.dumps(seen()).encode())
        caller.disconnected.connect(caller.deleteLater)
        caller.disconnectFromServer()


def main() -> int:
    """Start the program as ``python -m payoff`` does, and the watcher beside it."""
    from gui.app.application import make_application, run
    from gui.app.first_engine import FirstEngine

    file = sys.argv[2] if len(sys.argv) > 2 else None
    theme = sys.argv[3] if len(sys.argv) > 3 else "light"
    arguments = Namespace(file=file or None, sample=None, theme=theme, safe_mode=False)
    engine = FirstEngine(arguments)
    make_application(["payoff"])
    watcher = Watcher(sys.argv[1])
    code = run(arguments, engine)
    watcher.server.close()
    return code


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
