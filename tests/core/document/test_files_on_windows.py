"""Files where the system refuses to remove or replace what is open."""

from __future__ import annotations

import ast
import os
import threading
import time
from pathlib import Path

import pytest

from core.diagnostics import crash_notes_of_ended_runs
from core.diagnostics.log import CrashNote, _SharedLog
from core.document.files import atomic
from core.document.files.atomic import replace_path, write_atomically
from core.document.files.locks import OsLock
from tests.helpers.sources import files_that_say
from tests.helpers.windows_files import files_as_on_windows


@pytest.fixture(autouse=True)
def windows(monkeypatch):
    files_as_on_windows(monkeypatch)


def made_older(path: Path, seconds: float) -> None:
    """Let a file have been written some time ago."""
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_the_stand_in_refuses(tmp_path):
    path = tmp_path / "open.txt"
    with path.open("w"), pytest.raises(PermissionError):
        path.unlink()
    path.unlink()
    assert not path.exists()


def test_a_locked_file_is_removed_and_the_lock_given_back(tmp_path):
    lock = OsLock(tmp_path / "held")
    assert lock.try_take(is_shared=False)
    lock.remove_file()
    assert not lock.is_held
    assert not (tmp_path / "held").exists()


def test_a_file_is_written_and_written_again_with_a_backup(tmp_path):
    path = tmp_path / "a.payoff"
    for content in (b"one", b"two", b"three"):
        write_atomically(path, content, keep_backup=True)
    assert path.read_bytes() == b"three"
    assert (tmp_path / "a.payoff.bak").read_bytes() == b"two"
    assert len(list(tmp_path.iterdir())) == 2


def test_what_a_killed_writer_left_is_removed(tmp_path):
    left = tmp_path / f".a.payoff.{'0' * 16}.payoff-part"
    left.touch()
    made_older(left, 120.0)
    write_atomically(tmp_path / "a.payoff", b"whole")
    assert not left.exists()


def test_what_a_writer_has_just_let_go_to_put_it_in_place_is_left_to_it(tmp_path):
    taken = tmp_path / f".a.payoff.{'0' * 16}.payoff-part"
    taken.touch()  # no lock: a file that is held cannot be moved there
    write_atomically(tmp_path / "b.payoff", b"whole")
    assert taken.exists()


def test_a_file_that_a_scanner_looks_into_is_replaced_when_it_is_done(tmp_path, monkeypatch):
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    looking, waited = path.open("rb"), []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            looking.close()

    monkeypatch.setattr(atomic.time, "sleep", sleep)
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert len(waited) == 2


def test_a_folder_that_a_scanner_looks_into_is_moved_when_it_is_done(tmp_path, monkeypatch):
    (tmp_path / "fresh").mkdir()
    (tmp_path / "fresh" / "plugin.py").write_bytes(b"")
    looking = (tmp_path / "fresh" / "plugin.py").open("rb")
    monkeypatch.setattr(atomic.time, "sleep", lambda _: looking.close())
    replace_path(tmp_path / "fresh", tmp_path / "installed")
    assert (tmp_path / "installed" / "plugin.py").is_file()


def test_nothing_is_put_in_place_without_waiting_for_a_scanner():
    """``os.replace`` and its relatives are called in one place."""
    calls = {"os.replace", "os.rename", "os.renames", "shutil.move"}
    found = {
        place
        for place, inside in files_that_say(calls, "core", "gui", "payoff", "plugins")
        for node in inside
        if isinstance(node, ast.Attribute) and ast.unparse(node) in calls
    }
    assert found == {"core/document/files/atomic.py"}


def test_a_file_that_stays_open_elsewhere_is_refused_and_as_before(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic, "_WAITS", (0.0, 0.0))
    path = tmp_path / "a.csv"
    path.write_bytes(b"old")
    with path.open("rb"), pytest.raises(PermissionError):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.csv"]


def test_a_run_that_ends_properly_leaves_no_crash_note(tmp_path):
    note = CrashNote(tmp_path, "window")
    assert note.path.exists()
    note.end()
    assert list(tmp_path.iterdir()) == []


def test_a_crash_is_told_once(tmp_path):
    (tmp_path / "window-1.crash").write_text("Windows fatal exception: access violation", "utf-8")
    assert len(crash_notes_of_ended_runs(tmp_path, "window")) == 1
    assert crash_notes_of_ended_runs(tmp_path, "window") == ()
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_another_window_has_open_goes_on(tmp_path):
    path = tmp_path / "window.log"
    handler = _SharedLog(path, maxBytes=100, backupCount=1, encoding="utf-8")
    with path.open("a", encoding="utf-8"):  # the other window
        for number in range(20):
            handler.handle(_record(f"line {number}"))
    handler.close()
    lines = path.read_text("utf-8").splitlines()
    assert lines == [f"line {number}" for number in range(20)]


def _record(text: str):
    import logging

    return logging.LogRecord("payoff", logging.INFO, __file__, 1, text, None, None)


def test_two_writers_of_one_file_leave_one_of_both(tmp_path):
    path = Path(tmp_path / "shared.json")
    contents = [b"first" * 1000, b"second" * 1000]
    threads = [threading.Thread(target=write_atomically, args=(path, one)) for one in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in contents
    assert len(list(tmp_path.iterdir())) == 1
