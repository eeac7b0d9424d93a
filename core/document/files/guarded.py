"""The one way by which files leave the program: whole or not at all, and never over what went in.

Whoever reads a file for a piece of work says so by ``note_read``. A piece of work is a job of the
engine, a verb of the command line, or a whole script (``piece_of_work``); ``write_file`` refuses to
write over any file that went into it. What the same work has written itself may be written again.
The program's own state (settings, copies of unsaved work, models of a session) is no part of this:
it is written by ``atomic``.

Names of files that every system takes, Windows too.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from core.document.files.atomic import Content, real_place, write_atomically
from payoff.errors import PayoffError

__all__ = [
    "check_targets",
    "is_input",
    "make_folder",
    "note_open",
    "note_read",
    "note_written",
    "piece_of_work",
    "refusals_of",
    "write_file",
]


PROJECT_SUFFIX = ".payoff"
_PROJECT_MEMBER = "manifest.json"


@dataclass(slots=True)
class _Work:
    """What went into a piece of work and what came out of it, by the places that paths lead to."""

    read: set[Path] = field(default_factory=set)
    written: set[Path] = field(default_factory=set)
    open_now: tuple[Path, ...] = ()  # the files of what a window shows at this moment


_SCRIPT = _Work()
_work: ContextVar[_Work] = ContextVar("payoff_work", default=_SCRIPT)


@contextlib.contextmanager
def piece_of_work(paths: Iterable[str | Path] = ()) -> Iterator[None]:
    """What is read inside, and ``paths``, is not written over inside."""
    before = _work.set(_Work())
    try:
        for path in paths:
            note_read(path)
        yield
    finally:
        _work.reset(before)


def note_read(path: str | Path) -> None:
    """Say that a file goes into the present work."""
    work = _work.get()
    place = _place(path)
    if place is not None and place not in work.written and place.is_file():
        work.read.add(place)


def note_open(paths: Iterable[str | Path]) -> None:
    """Say which files are open in this window; those named before are no more."""
    places = (_place(path) for path in paths)
    _SCRIPT.open_now = tuple(place for place in places if place is not None)


def is_input(path: str | Path) -> bool:
    """Whether a path leads to a file that went in: by this name, a link, or in other letters."""
    work = _work.get()
    place = _place(path)
    known = (*work.read, *work.open_now)
    return place is not None and any(_is_same(place, entry) for entry in known)


def check_targets(paths: Iterable[str | Path]) -> None:
    """Refuse files to be written that went in; before the work, where the paths are known.

    Raises
    ------
    PayoffError
        Naming the file.
    """
    for path in paths:
        if is_input(path):
            raise PayoffError(
                "This would overwrite the data or another file that it comes from.",
                where=str(path),
                why="The file was read for this, and would be lost.",
                remedy="Choose another file name.",
            )
        if _is_project(Path(path)):
            raise PayoffError(
                "This would overwrite a Payoff project.",
                where=str(path),
                remedy="Choose another file name.",
            )


def write_file(
    path: str | Path,
    content: Content,
    *,
    what: str = "The file",
    verify: Callable[[bytes], object] | None = None,
) -> None:
    """Write a file for others: synced and put in place at once, with the old one's permissions.

    Parameters
    ----------
    path : str or Path
        A link stays; what it leads to is written.
    content : bytes or callable
        Or a function that fills the file at a path.
    what : str
        What refusals call it.
    verify : callable, optional
        Raises where the bytes that were read back are no such file.

    Raises
    ------
    PayoffError
        Where the file went in, its folder is missing, read-only or full; the old file is then as it
        was, and nothing is left beside it.
    """
    check_targets([path])
    with refusals_of(path, what):
        write_atomically(Path(path), content, verify=verify)
    note_written(path)


def note_written(path: str | Path) -> None:
    """Say that the present work has made a file: reading it back does not make it an input."""
    place = _place(path)
    if place is not None:
        _work.get().written.add(place)


def make_folder(folder: str | Path, what: str = "The folder") -> None:
    """Make a folder for files that are written next.

    Raises
    ------
    PayoffError
        Where it cannot be made.
    """
    with refusals_of(folder, what):
        Path(folder).mkdir(parents=True, exist_ok=True)


@contextlib.contextmanager
def refusals_of(path: str | Path, what: str) -> Iterator[None]:
    """Say what the system refuses as a refusal of ours: what, where, why, what to do."""
    try:
        yield
    except PayoffError:
        raise
    except OSError as reason:
        raise _refusal(Path(path), what, reason) from reason


def _refusal(path: Path, what: str, reason: OSError) -> PayoffError:
    if not path.parent.is_dir():
        return PayoffError(
            f"{what} could not be written: the folder does not exist.",
            where=str(path),
            remedy="Make the folder first, or choose another one.",
        )
    if path.is_dir():
        return PayoffError(
            f"{what} could not be written: this is a folder, not a file.",
            where=str(path),
            remedy="Name a file in it.",
        )
    remedies = {
        errno.ENOSPC: "Make room on the disk, or choose another one.",
        errno.EDQUOT: "Make room on the disk, or choose another one.",
        errno.EACCES: "Choose another name or folder, close the file in other programs, or allow "
        "writing there.",
        errno.EPERM: "Choose another name or folder, or allow writing there.",
        errno.EROFS: "Choose a folder on another disk.",
    }
    return PayoffError(
        f"{what} could not be written; what was there before is untouched.",
        where=str(path),
        why=f"The system says: {reason.strerror or reason}.",
        remedy=remedies.get(reason.errno or 0, "Choose another folder, or make room on the disk."),
    )


def _place(path: str | Path) -> Path | None:
    """Where a path leads; None for the name of something in memory, or what is no path."""
    try:
        return real_place(Path(path)) if str(path) else None
    except (OSError, ValueError):
        return None


def _is_same(first: Path, second: Path) -> bool:
    """Whether both lead to one file: hard links and names in other letters too."""
    if os.path.normcase(first) == os.path.normcase(second):
        return first.exists()
    try:
        return first.is_file() and os.path.samefile(first, second)
    except OSError:
        return False


def _is_project(path: Path) -> bool:
    """Whether a project is there: by its content, whatever it is called."""
    if not path.is_file():
        return False
    if path.suffix.lower() == PROJECT_SUFFIX:
        return True
    try:
        with path.open("rb") as file:
            if file.read(4) != b"PK\x03\x04":
                return False
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
        return {_PROJECT_MEMBER, "document.json", "headline.json"} <= names
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return False


DEVICES = frozenset({"con", "prn", "aux", "nul"}) | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)
}
"""What Windows keeps for itself, in any case of letters and with any ending."""
_REFUSED = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')


def file_name(words: str, ending: str = "") -> str:
    """Make a file's name of the name of a project, a model or a table.

    Windows refuses some signs; a colon would make it write into a hidden part of another file.

    Examples
    --------
    >>> file_name("Mail: yes/no?", ".csv")
    'Mail yes no.csv'
    """
    plain = " ".join(_REFUSED.sub(" ", words).split()).strip(". ") or "Payoff"
    is_kept = plain.partition(".")[0].rstrip().lower() in DEVICES
    return f"{plain}_{ending}" if is_kept else f"{plain}{ending}"
