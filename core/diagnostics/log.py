"""One log file per kind of process, and the note that a crash leaves for the next start.

Every process writes a note of its own and holds the system's lock on it: who starts reads the notes
of those that have ended, and leaves those of others alone.
"""

from __future__ import annotations

import atexit
import faulthandler
import logging
import logging.handlers
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from core.document.files.locks import OsLock, new_session
from payoff.errors import PayoffError

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
