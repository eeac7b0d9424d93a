"""Nothing appears as a window of its own while pages are built, filled and changed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QDialog, QMainWindow, QMenu, QWidget

from core.document.decisions.commands import SetParameter
from gui.session.samples import sample_path
from gui.shell.dialogs.by_key import data_dialogs, early_dialogs, open_dialog
from gui.shell.page_list import PAGES
from tests.helpers import layout_audit
from tests.helpers.program import Program

pytestmark = pytest.mark.timeout(400)  # every page; a cold machine compiles first
MEANT = (QMainWindow, QDialog, QMenu)
LISTS = (Qt.WindowType.Popup, Qt.WindowType.ToolTip)


class GhostWatch(QObject):
    """Notes every widget that is shown as a window without being one."""

    def __init__(self, program: Program) -> None:
        super().__init__(program.app)
        self.seen: list[str] = []
        program.app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Show or not isinstance(watched, QWidget):
            return False
        is_meant = isinstance(watched, MEANT) or watched.windowType() in LISTS
        if watched.isWindow() and not is_meant:
            self.seen.append(f"{layout_audit.where(watched)} {watched.objectName()}")
        return False


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("key", ["direct-mail", "toy-observational"])
def test_no_part_of_a_page_is_ever_a_window(home: Program, key: str) -> None:
    watch = GhostWatch(home)
    path = sample_path(key)
    assert path is not None
    home.session.project.history.mark_saved()
    home.window.files.open_path(path)
    home.wait(lambda: home.session.project.summary is not None)
    for page in PAGES:
        home.window.show_page(page.key)
        home.settle()
    decide = home.window.pages["decide"]
    home.window.show_page("decide")
    for place in range(decide.tables.tabs.count()):
        decide.tables.tabs.setCurrentIndex(place)
        home.settle()
    if key == "direct-mail":
        home.session.project.execute(SetParameter(name="letter_cost", value=2.0))
        home.settle()
        for name in (*early_dialogs(), *data_dialogs()):
            open_dialog(name, home.session, home.window).close()
    assert not watch.seen
