"""The log, crash notes, plugins that ended an engine, and what a report of a fault should name.

One log file per kind of process, and the note that a crash leaves for the next start.

Every process writes a note of its own and holds the system's lock on it: who starts reads the notes
of those that have ended, and leaves those of others alone.

Which plugins ended or held an engine, and how often: read at the next start of the window.

What a report of a fault should name: versions of the program, its libraries and the system.
"""

from __future__ import annotations

import atexit
import faulthandler
import json
import logging
import logging.handlers
import platform
import sys
import traceback
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from core.document.files.atomic import write_atomically
from core.document.files.locks import OsLock, new_session
from payoff.errors import PayoffError
from payoff.version import API_VERSION, __version__

_log = logging.getLogger("payoff.crashes")


class CrashNote:
    """Where faulthandler writes, for the whole run: it needs the file open.

    Parameters
    ----------
    folder : Path
    process : str
        The kind of process, "window".

    Raises
    ------
    OSError
        If the note cannot be made.
    """

    def __init__(self, folder: Path, process: str) -> None:
        self.path = folder / f"{process}-{new_session()}.crash"
        self._lock = OsLock(self.path)
        self._lock.try_take(is_shared=False)
        self._stream: TextIO = self.path.open("a", encoding="utf-8")
        faulthandler.enable(self._stream)

    def end(self) -> None:
        """The run ends properly, or goes on with another note: nothing is left to tell."""
        faulthandler.disable()
        self._stream.close()
        with suppress(OSError):
            self._lock.remove_file()


class _SharedLog(logging.handlers.RotatingFileHandler):
    """A log that several windows may write to: who cannot rename it goes on writing into it."""

    def rotate(self, source: str, dest: str) -> None:
        """Rename the log; Windows refuses while another program has it open."""
        with suppress(OSError):
            super().rotate(source, dest)


_note: CrashNote | None = None


def start_log(folder: Path, process: str) -> Path | None:
    """Log to ``folder/<process>.log`` (rotated), with what earlier runs left as they crashed.

    Returns the log's path, or None when the folder cannot be written: the program then runs
    without a log.
    """
    global _note  # noqa: PLW0603  one process has one note
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = _SharedLog(
            folder / f"{process}.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8"
        )
        if _note is not None:
            _note.end()
        _note = CrashNote(folder, process)
    except OSError:
        return None
    atexit.register(_note.end)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    for text in crash_notes_of_ended_runs(folder, process):
        _log.warning("an earlier run ended abruptly:\n%s", text)
    return folder / f"{process}.log"


def crash_notes_of_ended_runs(folder: Path, process: str) -> tuple[str, ...]:
    """What faulthandler wrote in runs that a signal ended; each is told once."""
    found = []
    for path in sorted(folder.glob(f"{process}-*.crash")):
        lock = OsLock(path, may_create=False)
        try:
            lock.try_take(is_shared=False)
            if lock.is_certain:  # else its run goes on, or the disk cannot tell
                found.append(path.read_text("utf-8", "replace").strip())
                lock.remove_file()
        except OSError as reason:
            _log.info("the note %s cannot be read: %s", path, reason)
        finally:
            lock.release()
    return tuple(text for text in found if text)


def describe_exception(error: BaseException) -> PayoffError:
    """An unexpected exception as something a user can read; the log has the traceback."""
    if isinstance(error, PayoffError):
        return error
    if isinstance(error, OSError) and error.strerror:
        return PayoffError(
            "A file could not be read or written.",
            where=str(error.filename or ""),
            why=f"The system says: {error.strerror}.",
            remedy="Your data and project are as before. See whether the disk is full or the "
            "folder may be written.",
        )
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    logging.getLogger("payoff").error("unexpected: %s", "".join(lines))
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return PayoffError(
        "Something went wrong inside Payoff.",
        where=place,
        why=f"{type(error).__name__}: {reason[:200]}",
        remedy="Your data and project are as before. The log has the details.",
    )


MOST_CRASHES = 3
"""After so many crashes a plugin stays off until the user turns it on again."""

NAME = "plugin-crashes.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginCrash:
    """The crashes of one plugin.

    ``is_reported``: the user has heard of the last one at a start, and has decided.
    """

    plugin: str
    count: int
    stage: str
    why: str
    when: str = ""
    is_reported: bool = False


class CrashBook:
    """A small JSON file; one that is missing or damaged counts as empty.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def crashes(self) -> dict[str, PluginCrash]:
        """All plugins that have crashed, by id."""
        try:
            table = json.loads(self.path.read_text("utf-8"))
            return {plugin: PluginCrash(plugin=plugin, **entry) for plugin, entry in table.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def untold(self) -> list[PluginCrash]:
        """Crashes that the user has not decided about."""
        return [entry for entry in self.crashes().values() if not entry.is_reported]

    def disabled(self) -> dict[str, PluginCrash]:
        """Plugins that are off because they crashed too often."""
        found = self.crashes()
        return {plugin: one for plugin, one in found.items() if one.count >= MOST_CRASHES}

    def add(self, plugin: str, stage: str, why: str) -> int:
        """Note a crash; how many there have been."""
        known = self.crashes()
        before = known[plugin].count if plugin in known else 0
        when = datetime.now(UTC).isoformat(timespec="seconds")
        known[plugin] = PluginCrash(
            plugin=plugin, count=before + 1, stage=stage, why=why, when=when
        )
        self._write(known)
        return before + 1

    def tell(self, plugins: list[str]) -> None:
        """Note that the user has decided about these plugins."""
        known = self.crashes()
        self._write(
            {
                key: replace(one, is_reported=one.is_reported or key in plugins)
                for key, one in known.items()
            }
        )

    def forgive(self, plugin: str) -> None:
        """Forget the crashes of a plugin: it was updated, removed, or turned on by the user."""
        known = self.crashes()
        if known.pop(plugin, None) is not None:
            self._write(known)

    def _write(self, table: dict[str, PluginCrash]) -> None:
        """Write the book anew; a disk that cannot be written is no reason to fail."""
        plain = {key: {**asdict(one)} for key, one in table.items()}
        for entry in plain.values():
            del entry["plugin"]
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, json.dumps(plain, indent=1).encode("utf-8"))


LIBRARIES = ("PySide6-Essentials", "pyqtgraph", "numpy", "scipy", "numba", "pyarrow", "pandas")


def program_details() -> tuple[tuple[str, str], ...]:
    """Names and values, in the order in which they are shown; nothing of the user's is among them.

    Versions of libraries come from their records, so that none is imported for it.
    """
    kind = "installed program" if getattr(sys, "frozen", False) else "source tree"
    own = (
        ("Payoff", f"{__version__} ({kind})"),
        ("Plugin contract", ".".join(str(part) for part in API_VERSION)),
        ("Python", platform.python_version()),
        ("System", f"{platform.system()} {platform.release()}, {platform.machine()}"),
    )
    return own + tuple((name, found) for name in LIBRARIES if (found := _version(name)))


def details_text() -> str:
    """The same as lines, for a message."""
    return "\n".join(f"{name}: {value}" for name, value in program_details())


def _version(name: str) -> str:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
