"""The whole program in one process plus its engine, on the sample, in a home folder of its own."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from gui.application import Session, make_application
from tests.e2e.screenshots import make_sample, settle, wait


class Program:
    """A running session and the means to wait for it."""

    def __init__(self, app: QApplication, session: Session, folder: Path) -> None:
        self.app = app
        self.session = session
        self.window = session.window
        self.workspace = session.workspace
        self.folder = folder
        self.messages: list[object] = []
        session.workspace.message_posted.connect(self.messages.append)

    def wait(self, is_reached, seconds: float = 60.0) -> None:
        """Let the program run until something is so."""
        assert wait(self.app, is_reached, seconds), f"not reached; messages: {self.messages}"

    def settle(self) -> None:
        """Wait until all jobs are done."""
        settle(self.app, self.session)


@pytest.fixture(scope="module")
def program(qapp_args, tmp_path_factory) -> Iterator[Program]:
    folder = tmp_path_factory.mktemp("program")
    before = os.environ.get("PAYOFF_HOME")
    os.environ["PAYOFF_HOME"] = str(folder / "home")
    hook = sys.excepthook
    app = make_application(["payoff"])
    session = Session(app, Namespace(file=None, sample=None, theme="light", safe_mode=False))
    made = Program(app, session, folder)
    session.window.show()
    try:
        yield made
    finally:
        session.window.close_for_good()
        session.finish()
        app.processEvents()
        sys.excepthook = hook
        if before is None:
            os.environ.pop("PAYOFF_HOME", None)
        else:
            os.environ["PAYOFF_HOME"] = before


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> Path:
    """The sample's project, with its data beside it."""
    return make_sample(tmp_path_factory.mktemp("sample"))
