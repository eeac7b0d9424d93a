"""One project, several programs: who holds it, what changed on disk, what stays as it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import payoff
from core.document.commands import DescribeProject
from core.document.files import locks
from core.document.files.locks import STALE_SECONDS, FileHold
from core.document.files.project import (
    Headline,
    ProjectChangedError,
    ProjectFile,
    ProjectInUseError,
    read_project,
    save_project,
)
from core.document.model import Document
from payoff.errors import PayoffError

ROOT = Path(__file__).resolve().parents[3]
HEADLINE = Headline()
BASE = Document(name="base")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return save_project(tmp_path / "p.payoff", BASE, HEADLINE)


def opened(path: Path) -> ProjectFile:
    return ProjectFile(path, read_project(path).digest)


def saved(file: ProjectFile, name: str, **how: bool) -> None:
    save_project(file.path, replace(BASE, name=name), HEADLINE, None, (), file, **how)


def name_in(path: Path) -> str:
    return read_project(path).document.name


# ---------------------------------------------------------------- who holds it


def test_a_second_one_is_told_and_does_not_write(path: Path) -> None:
    first, second = opened(path), opened(path)
    assert first.take() is None
    holder = second.take()
    assert holder is not None
    assert holder.words == "another window on this computer"
    with pytest.raises(ProjectInUseError, match="open elsewhere"):
        saved(second, "second")
    with pytest.raises(ProjectInUseError):  # nor one that never opened it
        save_project(path, replace(BASE, name="third"), HEADLINE)
    saved(first, "first")
    first.release()
    assert name_in(path) == "first"
    with pytest.raises(ProjectChangedError):
        saved(second, "second")
    assert not second.is_held
    saved(second, "second", overwrites=True)
    assert name_in(path) == "second"


def test_nothing_is_left_beside_a_project(path: Path) -> None:
    file = opened(path)
    file.take()
    saved(file, "more")
    file.release()
    assert sorted(os.listdir(path.parent)) == ["p.payoff", "p.payoff.bak"]
    file.take()
    del file  # forgotten without a word
    assert sorted(os.listdir(path.parent)) == ["p.payoff", "p.payoff.bak"]


HOLDER = """
import sys, time
from core.document.files.project import ProjectFile
file = ProjectFile(sys.argv[1])
print(file.take(), flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_the_lock_of_a_killed_program_is_gone(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, cwd=ROOT
    ) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == b"None\n"
            mine = opened(path)
            assert mine.take() is not None
        finally:
            other.send_signal(signal.SIGKILL)
            other.wait()
    assert list(path.parent.glob(".p.payoff.lock"))  # its file stays, and means nothing
    assert mine.take() is None
    saved(mine, "mine")
    mine.release()
    assert name_in(path) == "mine"


def test_a_link_and_its_target_are_one_project(path: Path) -> None:
    link = path.with_name("link.payoff")
    link.symlink_to(path.name)
    first = opened(link)
    assert first.take() is None
    assert opened(path).take() is not None
    saved(first, "by the link")
    assert link.is_symlink()
    assert name_in(path) == "by the link"
    assert first.leads_to(path)


def test_without_locks_the_record_says_who_holds_it(path: Path, monkeypatch) -> None:
    def unknown(*_given, **_named):
        raise OSError(37, "No locks available")

    monkeypatch.setattr("core.document.files.locks._try", unknown)
    first, second = opened(path), opened(path)
    assert first.take() is None
    assert second.take() is not None
    lock = path.with_name(".p.payoff.lock")
    old = time.time() - STALE_SECONDS - 5
    os.utime(lock, (old, old))
    first.refresh()  # it lives
    assert second.take() is not None
    os.utime(lock, (old, old))
    assert second.take() is None  # it did not say so for long


def test_a_holder_on_another_computer_counts_until_it_is_silent(path: Path, monkeypatch) -> None:
    lock = path.with_name(".p.payoff.lock")
    monkeypatch.setattr(locks.platform, "node", lambda: "elsewhere")
    far = FileHold(lock)
    assert far.try_take() is None
    record = lock.read_bytes()
    far.release()
    monkeypatch.undo()
    lock.write_bytes(record)  # their lock does not reach this computer
    mine = opened(path)
    holder = mine.take()
    assert holder is not None
    assert holder.words.endswith("on elsewhere")
    os.utime(lock, (time.time() - STALE_SECONDS - 5,) * 2)
    assert mine.take() is None


def test_a_folder_that_cannot_be_written_keeps_nobody_from_looking(path: Path, monkeypatch) -> None:
    real = os.open

    def refuse(name, flags, *more, **named):
        if str(name).endswith(".lock"):
            raise PermissionError(13, "Permission denied", str(name))
        return real(name, flags, *more, **named)

    monkeypatch.setattr(os, "open", refuse)
    assert opened(path).take() is None


# ---------------------------------------------------------------- changed on disk


def test_what_others_saved_is_not_written_over(path: Path) -> None:
    mine = opened(path)
    times = path.stat()
    other = save_project(path.with_name("other.payoff"), replace(BASE, name="baze"), HEADLINE)
    path.write_bytes(other.read_bytes())
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # a copy that keeps the time
    with pytest.raises(ProjectChangedError, match="changed by another program"):
        saved(mine, "mine")
    assert name_in(path) == "baze"
    saved(mine, "mine", overwrites=True)
    saved(mine, "again")  # known from now on
    assert name_in(path) == "again"


def test_a_file_that_was_only_touched_or_is_gone_is_saved(path: Path) -> None:
    mine = opened(path)
    os.utime(path, (1, 1))
    saved(mine, "touched")
    path.unlink()
    saved(mine, "gone")
    assert name_in(path) == "gone"


def test_a_name_that_gets_its_ending_does_not_hit_another_project(path: Path) -> None:
    plain = ProjectFile(path.with_suffix(""))
    with pytest.raises(ProjectChangedError, match="of this name"):
        saved(plain, "other")
    assert name_in(path) == "base"
    loud = ProjectFile(path.with_name("LOUD.PAYOFF"))
    assert loud.path.name == "LOUD.PAYOFF"


# ---------------------------------------------------------------- what stays as it is


def test_a_read_only_project_is_not_written(path: Path) -> None:
    path.chmod(0o444)
    mine = opened(path)
    with pytest.raises(PayoffError, match="read-only"):
        saved(mine, "mine")
    assert name_in(path) == "base"
    assert sorted(os.listdir(path.parent)) == ["p.payoff"]


def test_a_save_that_only_could_not_sync_its_folder_is_a_save(path: Path, monkeypatch) -> None:
    def fail(folder: Path) -> None:
        raise OSError(22, "Invalid argument")

    sync = os.fsync
    real = os.open
    folders: set[int] = set()

    def note(name, flags, *more, **named):
        made = real(name, flags, *more, **named)
        if os.path.isdir(name):
            folders.add(made)
        else:
            folders.discard(made)
        return made

    def fsync(descriptor: int) -> None:
        if descriptor in folders:
            fail(path)
        sync(descriptor)

    monkeypatch.setattr(os, "open", note)
    monkeypatch.setattr(os, "fsync", fsync)
    mine = opened(path)
    saved(mine, "mine")
    assert name_in(path) == "mine"


def test_a_backup_is_not_written_over_by_what_was_opened_from_it(path: Path) -> None:
    saved(opened(path), "better")
    backup = path.with_name("p.payoff.bak")
    path.write_bytes(b"damaged")
    project = payoff.open_project(backup)
    assert project.document.name == "base"
    project.save(path)
    assert name_in(path) == "base"
    assert name_in(backup) == "base"


# ---------------------------------------------------------------- scripts


def test_scripts_respect_both(path: Path) -> None:
    window = opened(path)
    assert window.take() is None
    script = payoff.open_project(path)
    script.apply(DescribeProject(name="of a script"))
    with pytest.raises(PayoffError, match="open elsewhere"):
        script.save()
    saved(window, "of a window")
    window.release()
    with pytest.raises(PayoffError, match="changed by another program"):
        script.save()
    assert name_in(path) == "of a window"
    script.save(overwrite=True)
    script.save()
    assert name_in(path) == "of a script"
    assert not list(path.parent.glob("*.lock"))
    assert not list(path.parent.glob(".*"))
