"""Every test of the window: offscreen, its own home folder, light theme, nothing left open."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.settings import SettingsStore
from gui.app.garbage import WindowCollector
from gui.pages.home import widget as home
from gui.session import JobQueue
from gui.session.session import Session
from gui.shell.jobs_strip import JobsStrip
from gui.shell.main_window import MainWindow
from gui.theme import apply_theme
from tests.helpers.factories.loaded_file import make_summary
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.pauses import leave_out_pauses

leave_out_pauses()


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    monkeypatch.setenv("PAYOFF_HOME", str(home))
    return home


@pytest.fixture(scope="session", autouse=True)
def samples_are_read_once() -> Iterator[None]:
    """The amounts of the samples on page Home: of files that no test changes, for every window."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(home, "_headline", cache(home._headline))
        yield


@pytest.fixture(scope="session", autouse=True)
def collector(qapp: QApplication) -> Iterator[None]:
    """As in the program, no other thread collects widgets.

    To the end of the run: what failed keeps its widgets until then, and later tests have threads.
    """
    own = WindowCollector()
    yield
    own.end()


@pytest.fixture(autouse=True)
def leaves_nothing(qapp: QApplication) -> Iterator[None]:
    """Light theme, English numbers; afterwards no window, new thread or foreign hook is left."""
    apply_theme(qapp, "light")
    locale = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    threads = set(threading.enumerate())
    hook = sys.excepthook
    yield
    QLocale.setDefault(locale)
    left = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    for widget in left:
        widget.close()
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # The pool of the kernels, which stand-ins of the engine may call, lives as long as the process.
    new = [
        thread
        for thread in threading.enumerate()
        if thread not in threads and not thread.name.startswith("payoff-kernel")
    ]
    assert not left, f"windows left open: {left}"
    assert not new, f"threads left running: {new}"
    assert sys.excepthook is hook, "the exception hook was not put back"


class PatientBot(QtBot):
    """Waits as long as a busy machine may take; a test ends as soon as what it awaits is so."""

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = 30_000) -> None:
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Callable[..., QWidget]]:
    """Shows widgets and holds them until Qt has deleted them.

    A widget that nobody holds is a cycle: Python's collector may end it while it is being painted.
    """
    shown: list[QWidget] = []

    def show_one(widget: QWidget, width: int = 1368, height: int = 802) -> QWidget:
        shown.append(widget)
        widget.resize(width, height)
        widget.show()
        qtbot.waitExposed(widget)
        return widget

    yield show_one
    for widget in shown:
        widget.close()
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def jobs(engine: FakeEngine, qapp: QApplication) -> Iterator[JobQueue]:
    queue = JobQueue(engine.listen)
    yield queue
    queue.close()


@pytest.fixture
def settings(own_home: Path) -> SettingsStore:
    return SettingsStore(own_home / "state" / "settings.json")


@pytest.fixture
def session(jobs: JobQueue, settings: SettingsStore) -> Session:
    return Session(jobs, settings)


@pytest.fixture
def window(session: Session, qtbot) -> MainWindow:
    frame = MainWindow(session)
    qtbot.addWidget(frame, before_close_func=lambda w: setattr(w, "_may_close", True))
    frame.show()
    qtbot.waitExposed(frame)
    return frame


@pytest.fixture
def loaded(window: MainWindow, engine: FakeEngine, qtbot: QtBot) -> MainWindow:
    """A window with a loaded file."""
    job = window.session.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(window.session.project.summary_changed, timeout=2000):
        engine.answer(job, make_summary())
    return window


@pytest.fixture
def strip(jobs: JobQueue, qtbot: QtBot) -> JobsStrip:
    made = JobsStrip(jobs)
    qtbot.addWidget(made)
    made.resize(1000, 32)
    made.show()
    return made


@pytest.fixture(scope="module")
def local() -> Any:
    """The engine's own handlers, in this process and without further plugins."""
    from core.engine.local import LocalEngine  # most tests of the window do without numba
    from core.engine.options import EngineOptions

    return LocalEngine(EngineOptions(safe_mode=True))
