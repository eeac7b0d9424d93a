"""What a crash leaves is told once, by the next start, and never by or of a run that goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.diagnostics import crash_notes_of_ended_runs

RUN = """
import faulthandler, os, sys
from pathlib import Path
from core.diagnostics import start_log
start_log(Path(sys.argv[1]), "window")
print("started", flush=True)
how = sys.stdin.readline().strip()
if how == "crash":
    os.abort()
"""


class Window:
    """A process that logs as a window does, until it is told how to end."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "started\n"

    def end(self, how: str) -> None:
        self.process.communicate(f"{how}\n", timeout=60)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state"


def notes(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.crash"))


def test_each_of_two_windows_leaves_its_own_note(folder):
    first, second = Window(folder), Window(folder)
    assert len(notes(folder)) == 2
    first.end("crash")
    third = Window(folder)  # begins while the second one runs
    log = (folder / "window.log").read_text("utf-8")
    assert log.count("an earlier run ended abruptly") == 1
    assert "Fatal Python error: Aborted" in log
    second.end("crash")
    found = crash_notes_of_ended_runs(folder, "window")
    assert len(found) == 1
    assert "Aborted" in found[0]
    assert crash_notes_of_ended_runs(folder, "window") == ()  # told once
    third.end("properly")
    assert notes(folder) == []
    assert crash_notes_of_ended_runs(folder, "window") == ()


def test_a_note_of_another_kind_of_process_is_left(folder):
    Window(folder).end("crash")
    assert crash_notes_of_ended_runs(folder, "engine-main") == ()
    assert len(crash_notes_of_ended_runs(folder, "window")) == 1
