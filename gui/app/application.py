"""Starts the window: paint first, then the engine and whatever was asked to be opened."""

from __future__ import annotations

import logging
import sys
from argparse import Namespace
from collections.abc import Callable
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QBuffer,
    QCoreApplication,
    QIODevice,
    Qt,
    QTimer,
)
from PySide6.QtWidgets import QApplication

from core.diagnostics import start_log
from core.document.files.autosave import Autosave, Recoverable, read_copy
from core.document.files.guarded import write_file
from core.document.markup import joined
from core.document.wording import format_count
from core.settings import SettingsStore, plugin_folder, settings_path, state_folder
from gui.app.exception_hook import install_exception_hook
from gui.app.garbage import WindowCollector
from gui.app.plugin_crashes import CrashNotice
from gui.pauses import PAUSES
from gui.session import JobQueue
from gui.session.job_queue import EngineApi
from gui.session.plugin_watch import PluginWatch
from gui.session.samples import page_of, sample_path
from gui.session.session import Session
from gui.shell.geometry import InsideScreen, restore_geometry
from gui.shell.main_window import MainWindow
from gui.shell.moments import moment_words
from gui.theme import apply_theme, icon
from gui.widgets import strong
from payoff.counting import counted
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from gui.app.first_engine import FirstEngine

AUTOSAVE_PAUSE = 20_000  # ms
PICTURE_PAUSE = 250  # ms between looks whether all is computed
QUIET_CHECKS = 6
_log = logging.getLogger(__name__)


def run(arguments: Namespace, engine: FirstEngine | None = None) -> int:
    """Open the window and run until it is closed; returns the process's exit code.

    Parameters
    ----------
    arguments : Namespace
        ``file`` (data or project, or None), ``sample`` (key or None), ``theme`` (or None),
        ``safe_mode`` (built-in plugins only), ``only_plugins`` (ids with commas),
        ``trace_hooks`` and, if there, ``picture`` (path: save a picture of the window once
        everything is computed, then end).
    engine : FirstEngine, optional
        Started already, to save the window's imports; else one is started after the first paint.
    """
    start_log(state_folder(), "window")
    application = make_application(sys.argv)
    InsideScreen(application)
    started = WindowRun(application, arguments, engine)
    started.window.show()
    return application.exec()


def make_application(argv: list[str]) -> QApplication:
    """The Qt application with name and icon; Qt's own words stay English, as ours are."""
    QCoreApplication.setApplicationName("Payoff")
    QCoreApplication.setOrganizationName("Payoff")
    existing = QApplication.instance()
    if existing is None:
        QApplication.setHighDpiScaleFactorRoundingPolicy(
            Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
        )
    application = existing if isinstance(existing, QApplication) else QApplication(argv)
    application.setWindowIcon(icon("payoff"))
    return application


def load_charts() -> None:
    """Import the charting library while nobody waits, so that the first chart opens at once."""
    import_module("gui.charts")


class PictureTaker:
    """Waits until everything is computed, saves a picture of the window, and ends the program."""

    def __init__(self, run: WindowRun, path: str) -> None:
        self._run = run
        self._path = path
        self._quiet = 0
        self._timer = QTimer(run.window)
        self._timer.setInterval(PICTURE_PAUSE)
        self._timer.timeout.connect(self._check_now)
        self._timer.start()

    def _check_now(self) -> None:
        is_settled = self._run.session.results.is_settled
        self._quiet = self._quiet + 1 if is_settled else 0
        if self._quiet < QUIET_CHECKS:
            return
        self._timer.stop()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        is_saved = self._run.window.grab().save(buffer, "PNG")
        try:
            write_file(self._path, bytes(buffer.data().data()), what="The picture")
        except PayoffError as refusal:
            _log.error("%s", refusal)
            is_saved = False
        self._run.window.close_for_good()
        QCoreApplication.exit(0 if is_saved else 1)


class FirstMoments:
    """Notes in the log when the window was painted and when the first totals stood in it.

    ``installer/figures.sh`` reads from there how long a start takes.
    """

    def __init__(self, run: WindowRun) -> None:
        self._session = run.session
        run.window.painted.connect(self._painted)
        self._session.results.decisions_changed.connect(self._decided)

    def _painted(self) -> None:
        _log.info("the window is painted")

    def _decided(self, result: object) -> None:
        if result is not None:
            self._session.results.decisions_changed.disconnect(self._decided)
            QTimer.singleShot(0, lambda: _log.info("the first totals are shown"))


class WindowRun:
    """One run of the window: settings, jobs, session, autosave."""

    def __init__(
        self,
        application: QApplication,
        arguments: Namespace,
        engine: FirstEngine | None = None,
    ) -> None:
        self._application = application
        self._arguments = arguments
        self._engine = engine
        self.collector = WindowCollector(application)
        self.settings = SettingsStore(settings_path())
        apply_theme(application, arguments.theme or self.settings.settings.theme)
        self.jobs = JobQueue(self._make_engine)
        self.session = Session(self.jobs, self.settings)
        self.window = MainWindow(self.session)
        self._picture_path: str | None = getattr(arguments, "picture", None)
        if self._picture_path:
            self.window.keeps_geometry = False
        else:
            restore_geometry(self.window)
        install_exception_hook(self.session)
        self.autosave = Autosave(state_folder() / "autosave")
        self._lost: list[Recoverable] = []  # work of dead sessions that is still to be offered
        self._offer_count = 0  # the message that offers the first of them
        self.window.notice.closed.connect(self._on_notice_closed)
        self._timer = QTimer(self.window)
        self._timer.setInterval(AUTOSAVE_PAUSE)
        self._timer.timeout.connect(self._save_copy)
        self.session.files.work_settled.connect(self.autosave.settle)
        self._plugins_are_requested = False
        self.plugin_watch = PluginWatch(self.session, plugin_folder(), self.window)
        self.crash_notice = CrashNotice(self.session, self.window.notice, self.window)
        self.first_moments = FirstMoments(self)
        self.window.painted.connect(self._after_paint)
        application.aboutToQuit.connect(self.finish)

    def _make_engine(self, on_event: Callable[[Any], None]) -> EngineApi:
        if self._engine is None:
            from gui.app.first_engine import FirstEngine

            self._engine = FirstEngine(self._arguments)
        return self._engine.listened_to_by(on_event)

    def _after_paint(self) -> None:
        """What would delay the first picture: the engine, the file to open, old copies."""
        self.jobs.start()
        self.autosave.model_store = self.jobs.model_store
        if not self._arguments.safe_mode:
            self.plugin_watch.start()
        self._timer.start()
        self._open_wanted()
        self.session.results.decisions_changed.connect(self._ask_for_plugins)
        self.session.results.settled.connect(self._ask_for_plugins)
        self._ask_for_plugins()  # nothing may have been opened
        self._lost = list(self.autosave.recoverable())
        self._offer_copies()
        QTimer.singleShot(PAUSES.charts, self.window, load_charts)

    def _ask_for_plugins(self) -> None:
        """The list of plugins: after the first totals of what is opened, which are waited for."""
        if self._plugins_are_requested:
            return
        if self.session.results.decisions is not None or self.session.results.is_settled:
            self._plugins_are_requested = True
            self.session.plugins.load()

    def _open_wanted(self) -> None:
        if self._arguments.sample:
            path = sample_path(self._arguments.sample)
            if path is not None and self.session.files.open_sample(path):
                self.window.show_page(page_of(self._arguments.sample))
        elif self._arguments.file:
            self.window.open_path(self._arguments.file)
        if self._picture_path:
            self._picture = PictureTaker(self, self._picture_path)

    def _offer_copies(self) -> None:
        """Offer the newest of the work that was found; the next once it is opened or put away."""
        notice = self.window.notice
        if not self._lost or notice.is_open:
            return
        copy, more = self._lost[0], len(self._lost) - 1
        head = strong("Work that was not saved was found:")
        moment = datetime.fromtimestamp(copy.modified).astimezone()
        rows = f", {counted(copy.rows, 'row')}" if copy.rows else ""
        facts = f"{copy.name}{rows} ({moment_words(moment, datetime.now().astimezone())})."
        rest = f"{format_count(more)} more after it." if more else ""
        notice.show_text(joined((head, facts, rest), " "), "warning")
        self._offer_count = notice.count
        notice.offer(
            "Open it",
            lambda: self.session.files.when_saved(lambda: self._recover(copy)),
        )

    def _on_notice_closed(self) -> None:
        """The offer was answered or put away: the next one. Another message only stood over it."""
        if self._lost and self.window.notice.count == self._offer_count:
            self._lost.pop(0)
        if self._lost and not self.window.may_close:
            QTimer.singleShot(0, self.window, self._offer_copies)

    def _recover(self, copy: Recoverable) -> None:
        """Go on with a copy: it stays until what it holds is saved or thrown away."""
        self._lost, self._offer_count = [c for c in self._lost if c is not copy], 0
        try:
            if not self.autosave.adopt(copy.path):
                raise PayoffError("Another window goes on with this work.", where=copy.name)
            project = read_copy(copy.path, self.jobs.model_store)
        except OSError as reason:
            self.session.project.post(
                PayoffError(
                    "The copy could not be opened.",
                    where=copy.path,
                    why=f"{reason.strerror or reason}.",
                )
            )
            return
        except PayoffError as refusal:
            self.session.project.post(refusal)
            return
        self.window.notice.dismiss()
        self.session.files.recover(project)
        self.window.show_page(self.session.files.first_page)

    def _save_copy(self) -> None:
        session = self.session
        session.files.refresh_hold()
        self.autosave.refresh()
        if session.files.has_changes:
            try:
                kept = session.report.packed()
                document, origin = session.project.document, session.files.origin
                self.autosave.save(document, session.files.headline(), kept, origin)
            except (OSError, PayoffError) as reason:
                _log.info("no autosaved copy: %s", reason)

    def finish(self) -> None:
        """End the engine; the copies of what was saved or thrown away are not needed any more."""
        if self.session.project.history.is_changed and not self.window.may_close:
            self.autosave.leave()  # ended from outside: nobody was asked
        else:
            self.autosave.finish()
        self.session.files.close_project()
        self.jobs.close()
        self.collector.end()
