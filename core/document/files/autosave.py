"""Autosaved copies of unsaved work: several generations, never over the user's own file."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.document.files.atomic import write_atomically
from core.document.files.project import (
    Headline,
    Project,
    model_files,
    pack_project,
    unpack_project,
)
from core.document.files.shelf import ModelShelf
from core.document.model import Document
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.report.blocks import ReportBlock

GENERATIONS = 5
_NAME = re.compile(r"^session-(\d+)-(\d{8})\.payoff$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recoverable:
    """One autosaved copy of a session that did not end properly."""

    path: str
    name: str
    modified: float  # seconds since the epoch
    rows: int


class Autosave:
    """Keeps the last generations of one session's document in a folder.

    Generations are ordered by a counter, not by time, so that a changed clock cannot reorder them.
    ``shelf`` holds the files of trained models, which every copy carries along.
    """

    def __init__(
        self, folder: Path, session: int | None = None, shelf: ModelShelf | None = None
    ) -> None:
        self._folder = folder
        self.shelf = shelf
        self._session = os.getpid() if session is None else session
        self._counter = 0
        self._last: Document | None = None

    def save(
        self, document: Document, headline: Headline, report: tuple[ReportBlock, ...] = ()
    ) -> Path | None:
        """Write the next generation; None if nothing has changed since the last one."""
        if document == self._last:
            return None
        self._folder.mkdir(parents=True, exist_ok=True)
        self._counter += 1
        target = self._folder / f"session-{self._session}-{self._counter:08d}.payoff"
        content = pack_project(document, headline, model_files(document, self.shelf), report)
        write_atomically(target, content, verify=unpack_project)
        self._last = document
        for old in self._own()[:-GENERATIONS]:
            old.unlink(missing_ok=True)
        return target

    def finish(self) -> None:
        """The session ended properly: its copies are not needed any more."""
        for copy in self._own():
            copy.unlink(missing_ok=True)

    def recoverable(self) -> tuple[Recoverable, ...]:
        """The newest readable copy of every dead session, newest first."""
        newest: dict[int, list[Path]] = {}
        for copy in self._all():
            session = _session_of(copy)
            if session != self._session and not _is_alive(session):
                newest.setdefault(session, []).append(copy)
        found = (_newest_readable(copies) for copies in newest.values())
        return tuple(sorted((f for f in found if f), key=lambda f: f.modified, reverse=True))

    def discard(self, path: str) -> None:
        """Forget every copy of the session that a recoverable copy belongs to."""
        session = _session_of(Path(path))
        for copy in self._all():
            if _session_of(copy) == session:
                copy.unlink(missing_ok=True)

    def _all(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        return sorted(path for path in self._folder.iterdir() if _NAME.match(path.name))

    def _own(self) -> list[Path]:
        return [path for path in self._all() if _session_of(path) == self._session]


def read_copy(path: str, shelf: ModelShelf | None = None) -> Project:
    """Read an autosaved copy; its models are put on the shelf."""
    project = unpack_project(Path(path).read_bytes())
    if shelf is not None:
        for model in project.models.values():
            shelf.put(model)
    return project


def _session_of(path: Path) -> int:
    match = _NAME.match(path.name)
    return int(match.group(1)) if match else -1


def _newest_readable(copies: list[Path]) -> Recoverable | None:
    for copy in sorted(copies, reverse=True):
        try:
            project = unpack_project(copy.read_bytes())
        except (PayoffError, OSError):
            continue  # a damaged generation: the one before it may be whole
        return Recoverable(
            path=str(copy),
            name=project.document.name,
            modified=copy.stat().st_mtime,
            rows=project.document.data.rows if project.document.data else 0,
        )
    return None


def _is_alive(process: int) -> bool:
    """Whether a process of this number runs (its window may still own the copies)."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OSError, OverflowError):
        return True
    return True
