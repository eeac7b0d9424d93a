"""Copies of unsaved work: told apart by sessions, not by process numbers, and never lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.document.files.autosave import Autosave, read_copy
from core.document.files.project import Headline
from core.document.model import Document

ROOT = Path(__file__).resolve().parents[3]
HEADLINE = Headline()
WORK = Document(name="work of a morning")

SESSION = """
import sys, time
from pathlib import Path
from core.document.files.autosave import Autosave
from core.document.files.project import Headline
from core.document.model import Document
autosave = Autosave(Path(sys.argv[1]))
autosave.save(Document(name="work of a morning"), Headline())
print("saved", flush=True)
time.sleep(600)
"""


def start(folder: Path) -> subprocess.Popen[bytes]:
    session = subprocess.Popen(
        [sys.executable, "-c", SESSION, str(folder)], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert session.stdout is not None
    assert session.stdout.readline() == b"saved\n"
    return session


def kill(session: subprocess.Popen[bytes]) -> None:
    session.send_signal(signal.SIGKILL)
    session.wait()
    assert session.stdout is not None
    session.stdout.close()


def offered(folder: Path) -> list[str]:
    return [entry.name for entry in Autosave(folder).recoverable()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "autosave"


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_work_is_offered_after_kill_9_and_not_before(folder: Path) -> None:
    session = start(folder)
    try:
        assert offered(folder) == []
    finally:
        kill(session)
    assert offered(folder) == [WORK.name]
    assert offered(folder) == [WORK.name]  # looking changes nothing


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_a_process_number_that_is_in_use_again_hides_and_deletes_nothing(
    folder: Path, monkeypatch
) -> None:
    session = start(folder)
    kill(session)
    monkeypatch.setattr(os, "getpid", lambda: session.pid)  # a new window has the old number
    window = Autosave(folder)
    assert [entry.name for entry in window.recoverable()] == [WORK.name]
    window.save(Document(name="other work"), HEADLINE)
    window.finish()
    assert offered(folder) == [WORK.name]


def test_copies_of_a_living_number_are_offered(folder: Path) -> None:
    # as versions wrote them that told sessions apart by their process
    Autosave(folder, session=os.getpid()).save(WORK, HEADLINE)
    Autosave(folder, session=1).save(replace(WORK, name="of init"), HEADLINE)
    assert sorted(offered(folder)) == ["of init", WORK.name]


def test_opened_work_stays_until_it_is_settled(folder: Path) -> None:
    Autosave(folder, session="dead").save(WORK, HEADLINE)
    window = Autosave(folder)
    (copy,) = window.recoverable()
    assert window.adopt(copy.path)
    assert read_copy(copy.path).document == WORK
    assert window.recoverable() == ()  # it is ours now
    other = Autosave(folder)
    assert other.recoverable() == ()  # and not another window's
    assert not other.adopt(copy.path)
    assert window.save(WORK, HEADLINE) is not None  # unsaved: the next copy is written
    window.leave()  # as by a crash
    assert offered(folder) == [WORK.name, WORK.name]


def test_what_was_saved_or_thrown_away_goes_and_nothing_else(folder: Path) -> None:
    for name in ("dead", "further"):
        Autosave(folder, session=name).save(replace(WORK, name=name), HEADLINE)
    window = Autosave(folder)
    copy = next(entry for entry in window.recoverable() if entry.name == "dead")
    window.adopt(copy.path)
    window.save(replace(WORK, name="more"), HEADLINE)
    window.settle()
    assert offered(folder) == ["further"]
    assert window.save(replace(WORK, name="more"), HEADLINE) is not None  # changed again
    assert offered(folder) == ["further"]  # the session lives
    window.finish()
    assert offered(folder) == ["further"]
    assert not list(folder.with_name("autosave-sessions").iterdir())


def test_two_sessions_of_one_process_do_not_touch_each_other(folder: Path) -> None:
    first, second = Autosave(folder), Autosave(folder)
    first.save(WORK, HEADLINE)
    second.save(replace(WORK, name="second"), HEADLINE)
    assert first.recoverable() == second.recoverable() == ()
    second.finish()
    assert len(list(folder.iterdir())) == 1
    first.leave()
    assert offered(folder) == [WORK.name]
