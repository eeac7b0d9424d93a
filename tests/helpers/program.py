"""The whole program in one process plus its engine, in a home folder of its own."""

from __future__ import annotations

import gc
import math
import os
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from core.document.model import Role
from core.engine.client import EngineClient
from core.engine.options import EngineOptions
from core.questions.lanes import Lane
from gui.app.application import WindowRun, make_application
from gui.app.first_engine import choices_from
from gui.theme import apply_theme
from tests.e2e.screenshots import wait

PICTURES = os.environ.get("PAYOFF_PICTURES")  # a folder, to look at what was shown
SIZES = ((1440, 900), (1280, 720))


class StartedEngine:
    """Starts the engine of a window when the window asks for it.

    Its background work (kernels that may be needed, the spare process of the engine for plugins)
    is for a person who has not asked for anything yet: tests ask at once, and compete with it.
    """

    def __init__(self, arguments: Namespace, *, warm_up: bool) -> None:
        self._options = replace(choices_from(arguments), warm_up=warm_up)

    def listened_to_by(self, on_event: Callable[[object], None]) -> EngineClient:
        client = EngineClient(on_event, options=self._options)
        client.start()
        return client


class KeptEngine(EngineClient):
    """Lives on when a window closes, for the next one: its start costs more than many a test.

    For windows that bring no plugins and end no engine. It knows no plugin folder.
    """

    def __init__(self, folder: Path) -> None:
        self._listener: Callable[[object], None] | None = None
        self._latest = self._former = 0  # numbers of jobs: the newest, and the last window's newest
        options = EngineOptions(
            plugin_folder=str(folder / "plugins"), log_folder=str(folder), warm_up=False
        )
        super().__init__(self._hand_on, options=options)
        self.start()

    def listened_to_by(self, on_event: Callable[[object], None]) -> KeptEngine:
        """Answer another window from now on."""
        self._listener, self._former = on_event, self._latest
        return self

    def submit(
        self, kind: str, arguments: object, lane: Lane | None = None, title: str = ""
    ) -> int:
        self._latest = super().submit(kind, arguments, lane, title)
        return self._latest

    def _hand_on(self, event: object) -> None:
        listener = self._listener
        if listener is not None and getattr(event, "job", math.inf) > self._former:
            listener(event)

    def shutdown(self, seconds: float = 2.0) -> None:
        """A window closes: what it has asked for is dropped."""
        self._listener = None
        for job in range(self._former + 1, self._latest + 1):
            self.drop(job)

    def end(self) -> None:
        """End the engine indeed."""
        super().shutdown()


class Program:
    """A running session and the means to wait for it."""

    def __init__(
        self,
        folder: Path,
        sample: str | None = None,
        file: str | None = None,
        *,
        warm_up: bool = False,
        kept: KeptEngine | None = None,
    ) -> None:
        self.folder = folder
        self._before = os.environ.get("PAYOFF_HOME")
        self._hook = sys.excepthook
        os.environ["PAYOFF_HOME"] = str(folder / "home")
        self.app: QApplication = make_application(["payoff"])
        arguments = Namespace(file=file, sample=sample, theme="light", safe_mode=False)
        engine = kept or StartedEngine(arguments, warm_up=warm_up)
        self.run = WindowRun(self.app, arguments, engine)
        self.window = self.run.window
        self.session = self.run.session
        self.jobs = self.run.jobs
        self.messages: list[object] = []
        self.session.project.message_posted.connect(self.messages.append)
        self.window.resize(1440, 900)
        self.window.show()

    def wait(self, is_reached, seconds: float = 60.0) -> None:
        """Let the program run until something is so."""
        assert wait(self.app, is_reached, seconds), f"not reached; messages: {self.messages}"

    def settle(self) -> None:
        """Wait until all jobs are done and the pauses before the slow ones are over."""
        looks = 0

        def is_quiet() -> bool:
            nonlocal looks
            looks = looks + 1 if self.session.results.is_settled else 0
            return looks > 5

        self.wait(is_quiet, 100)

    def give_role(self, column: str, role: Role) -> None:
        """On page Data, as a person does: choose the column, then its role."""
        self.window.show_page("data")
        card = self.window.pages["data"].roles
        card.choose(column)
        combos = [box for box in card.findChildren(QComboBox) if box.accessibleName() == column]
        place = combos[-1].findData(role)
        combos[-1].setCurrentIndex(place)
        combos[-1].activated.emit(place)
        assert self.session.project.document.role_of(column).role is role

    def picture(self, name: str, widget: QWidget | None = None) -> None:
        """Paint a widget, or the window; the picture is kept where ``PAYOFF_PICTURES`` says."""
        self.app.processEvents()
        picture = (widget or self.window).grab()
        if PICTURES:
            picture.save(str(Path(PICTURES) / f"{name}.png"))

    def look(self, name: str) -> None:
        """Paint the window in both themes: at two sizes where pictures are kept, else at one."""
        sizes = SIZES if PICTURES else SIZES[1:]
        for theme in ("light", "dark"):
            apply_theme(self.app, theme)
            for width, height in sizes:
                self.window.resize(width, height)
                self.settle()
                self.picture(f"{name}-{theme}-{width}x{height}")
        apply_theme(self.app, "light")
        self.window.resize(1440, 900)

    def close(self) -> None:
        """End window and engine, and leave the process as it was.

        A window that lived on would be styled anew with every theme of the tests to come.
        """
        self.window.close_for_good()
        self.run.finish()
        self.app.processEvents()
        self.window.deleteLater()
        self.app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()  # here, not in a thread of a later test
        sys.excepthook = self._hook
        if self._before is None:
            os.environ.pop("PAYOFF_HOME", None)
        else:
            os.environ["PAYOFF_HOME"] = self._before
