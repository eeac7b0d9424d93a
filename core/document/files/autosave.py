"""Autosaved copies of unsaved work: several generations, never over the user's own file.

A session is known by a name of its own and lives as long as it holds the system's lock on a file of
that name: a process number says neither. A copy goes when what it holds was saved or thrown away,
never because somebody looked at it.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from pathlib import Path

from core.document.files.atomic import remove_leftovers, write_atomically
from core.document.files.codec import Plain
from core.document.files.locks import FileHold, new_session
from core.document.files.model_store import ModelStore
from core.document.files.project import (
    Headline,
    Origin,
    SavedProject,
    model_files,
    pack_project,
    unpack_project,
)
from core.document.model import Document
from payoff.errors import PayoffError

GENERATIONS = 5
_NAME = re.compile(r"^session-([0-9A-Za-z-]+)-(\d{8})\.payoff$")
_log = logging.getLogger("payoff.files")


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

    Parameters
    ----------
    folder : Path
        Shared by all sessions; what says that they live stands in another one beside it.
    session : str or int, optional
        The name of a session that has ended: it holds no lock. Left out = a new one.
    model_store : ModelStore, optional
        Holds the files of trained models, which every copy carries along.
    """

    def __init__(
        self, folder: Path, session: str | int | None = None, model_store: ModelStore | None = None
    ) -> None:
        self._folder = folder
        self.model_store = model_store
        self._session = new_session() if session is None else str(session)
        self._holds: dict[str, FileHold] = {}
        self._is_ended = session is not None
        self._counter = 0
        self._last: Document | None = None

    def save(
        self,
        document: Document,
        headline: Headline,
        report: tuple[Plain, ...] = (),
        origin: Origin | None = None,
    ) -> Path | None:
        """Write the next generation; None if nothing has changed since the last one.

        ``origin``: the project file that the work belongs to, if it has one.
        """
        if document == self._last:
            return None
        self._folder.mkdir(parents=True, exist_ok=True)
        if not self._is_ended:
            self._take(self._session)
        self._counter += 1
        target = self._folder / f"session-{self._session}-{self._counter:08d}.payoff"
        models = model_files(document, self.model_store)
        content = pack_project(document, headline, models, report, origin)
        write_atomically(target, content, verify=unpack_project)
        self._last = document
        for old in self._copies(self._session)[:-GENERATIONS]:
            old.unlink(missing_ok=True)
        return target

    def refresh(self) -> None:
        """Say now and then that the session lives, for disks that know no locks."""
        for hold in self._holds.values():
            hold.refresh()

    def settle(self) -> None:
        """What the copies hold was saved or thrown away: they go, with those it came from."""
        for session in {self._session, *self._holds}:
            for copy in self._copies(session):
                copy.unlink(missing_ok=True)
            hold = self._holds.pop(session, None)
            if hold is not None:
                hold.release()
        self._last = None

    def finish(self) -> None:
        """The session ended properly: its copies are not needed any more."""
        self.settle()

    def leave(self) -> None:
        """The session ends without a word on its work: the copies are offered next time."""
        for hold in self._holds.values():
            hold.release()
        self._holds.clear()

    def recoverable(self) -> tuple[Recoverable, ...]:
        """The newest readable copy of every dead session, newest first."""
        remove_leftovers(self._folder)
        sessions = {_session_of(copy) for copy in self._all()} - {self._session, *self._holds}
        found = (_newest_readable(self._copies(s)) for s in sessions if self._has_ended(s))
        return tuple(sorted((f for f in found if f), key=lambda f: f.modified, reverse=True))

    def adopt(self, path: str) -> bool:
        """Go on with the work of a copy: it stays until that is saved or thrown away.

        False where another window goes on with it already.
        """
        return self._take(_session_of(Path(path)))

    def discard(self, path: str) -> None:
        """Throw every copy away of the session that a recoverable copy belongs to."""
        for copy in self._copies(_session_of(Path(path))):
            copy.unlink(missing_ok=True)

    def _take(self, session: str) -> bool:
        """Hold a session, so that its copies are ours alone."""
        if session in self._holds:
            return True
        hold = self._hold_of(session)
        if hold.try_take() is not None:
            return False
        self._holds[session] = hold
        return True

    def _hold_of(self, session: str) -> FileHold:
        folder = self._folder.with_name(f"{self._folder.name}-sessions")
        return FileHold(folder / f"{session}.lock")

    def _has_ended(self, session: str) -> bool:
        hold = self._hold_of(session)
        if hold.try_take() is not None:
            return False
        hold.release()
        return True

    def _all(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        return sorted(path for path in self._folder.iterdir() if _NAME.match(path.name))

    def _copies(self, session: str) -> list[Path]:
        return [path for path in self._all() if _session_of(path) == session]


def read_copy(path: str, model_store: ModelStore | None = None) -> SavedProject:
    """Read an autosaved copy; its models are put on the shelf."""
    project = unpack_project(Path(path).read_bytes())
    if model_store is not None:
        for model in project.models.values():
            model_store.put(model)
    return project


def _session_of(path: Path) -> str:
    match = _NAME.match(path.name)
    return match.group(1) if match else ""


def _newest_readable(copies: list[Path]) -> Recoverable | None:
    for copy in sorted(copies, reverse=True):
        try:
            project = unpack_project(copy.read_bytes())
            modified = copy.stat().st_mtime
        except (PayoffError, OSError) as reason:
            _log.info("the copy %s cannot be read: %s", copy, reason)
            continue  # a damaged generation: the one before it may be whole
        return Recoverable(
            path=str(copy),
            name=project.document.name,
            modified=modified,
            rows=project.document.data.rows if project.document.data else 0,
        )
    return None
