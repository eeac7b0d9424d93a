"""What the tasks of a run gave, kept on disk: a run that was killed or stopped goes on from there.

A summary is found by its function and all that its task says: the part with its stamp, the rows,
the plan. So one of another question, of a part that has changed or of another cut is never taken.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from core.document.files.atomic import replace_path
from core.document.files.locks import OsLock
from core.kernels.task_runners import Runner, TaskFuture
from payoff.errors import PayoffError

Task = TypeVar("Task")
Summary = TypeVar("Summary")

WORTH_KEEPING = 0.05  # seconds: what took less is done again as fast as it is read
MOST_RUNS = 4  # that ended midway and are kept in a folder
_IN_USE = "in-use"
_BUDGET = "budget"


@contextmanager
def kept_folder(parent: Path, question: str) -> Iterator[Path | None]:
    """The folder of a question's run below ``parent``; None where another run is in it.

    None, too, where somebody else could have written into it: what is kept is pickled. It goes
    when the run ends, or is refused; a run that is killed or stopped leaves it behind.
    """
    folder = parent / f"payoff-run-{hashlib.sha256(question.encode()).hexdigest()[:24]}"
    parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if not _is_own(folder):
        yield None
        return
    lock = OsLock(folder / _IN_USE)
    if not lock.try_take(is_shared=False):
        yield None
        return
    try:
        _remove_oldest(parent, folder)
        yield folder
    except PayoffError:
        lock.release()
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except BaseException:
        lock.release()
        raise
    lock.release()
    shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    """Whether nobody but the user can write into a folder; Windows has lists of rights instead."""
    if os.name != "posix":
        return True
    found = folder.lstat()
    is_shared = bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    return found.st_uid == os.getuid() and stat.S_ISDIR(found.st_mode) and not is_shared


def _remove_oldest(parent: Path, own: Path) -> None:
    """Remove the oldest runs that nobody goes on with."""
    others = [folder for folder in parent.glob("payoff-run-*") if folder != own]
    others.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in others[MOST_RUNS - 1 :]:
        lock = OsLock(folder / _IN_USE)
        if lock.try_take(is_shared=False):
            lock.release()
            shutil.rmtree(folder, ignore_errors=True)


def kept_budget(folder: Path, size: int) -> int:
    """The bytes that a run may take: those it began with, where there are about as many now.

    Tasks are cut by them, and those that are done fit no others.
    """
    file = folder / _BUDGET
    try:
        begun = int(file.read_text("utf-8"))
    except (OSError, ValueError):
        begun = 0
    if 0 < begun <= size * 5 // 4:
        return begun
    file.write_text(str(size), "utf-8")
    return size


class KeptRunner:
    """Runs tasks by another runner of this process, but for those whose summary is in a folder."""

    def __init__(self, runner: Runner, folder: Path) -> None:
        self.width, self.in_process = runner.width, runner.in_process
        self._runner, self._folder = runner, folder

    def submit(self, function: Callable[[Task], Summary], task: Task) -> TaskFuture:
        """Begin ``function(task)``, unless what it gave is there."""
        try:
            said = pickle.dumps(task)
        except Exception:  # a plugin that is made at run time: whatever its pickling raises
            return self._runner.submit(function, task)
        path = self._folder / f"{function.__name__}-{hashlib.sha256(said).hexdigest()[:32]}"
        found = read_kept(path)
        if found is not None:
            return _Known(found)
        return self._runner.submit(run_and_keep, _Keeping(function, task, path))

    def as_completed(self, futures: Iterable[TaskFuture]) -> Iterator[TaskFuture]:
        """What was there, then futures in the order in which they end."""
        left = list(futures)
        yield from (future for future in left if isinstance(future, _Known))
        yield from self._runner.as_completed(f for f in left if not isinstance(f, _Known))

    def cancel(self, futures: Iterable[TaskFuture]) -> None:
        """Take back what has not begun, and wait for what has."""
        self._runner.cancel(future for future in futures if not isinstance(future, _Known))


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A future whose summary was there."""

    summary: Any

    def result(self) -> Any:
        return self.summary

    def cancel(self) -> bool:
        return False


@dataclass(frozen=True, slots=True, eq=False)
class _Keeping:
    function: Callable[[Any], Any]
    task: Any
    path: Path


def run_and_keep(keeping: _Keeping) -> Any:
    """Run a task and write down what it gave, where that took a while."""
    begun = time.perf_counter()
    summary = keeping.function(keeping.task)
    if time.perf_counter() - begun < WORTH_KEEPING:
        return summary
    temporary = keeping.path.with_suffix(".tmp")
    try:
        temporary.write_bytes(pickle.dumps(summary))
        replace_path(temporary, keeping.path)
    except OSError:
        temporary.unlink(missing_ok=True)  # a full disk: it is worked out again, should it come so
    return summary


def read_kept(path: Path) -> Any:
    """What a task gave; None where it is not there, or cannot be read."""
    try:
        return pickle.loads(path.read_bytes())
    except Exception:  # it is not there, or its bytes were damaged: whatever that raises
        return None


__all__ = ["KeptRunner", "kept_budget", "kept_folder"]
