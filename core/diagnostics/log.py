"""One log file per process kind, and the note that a crash leaves for the next start."""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import traceback
from pathlib import Path
from typing import TextIO

from payoff.errors import PayoffError

_crash_stream: TextIO | None = None


def start_log(folder: Path, process: str) -> Path | None:
    """Log to ``folder/<process>.log`` (rotated) and let faulthandler write beside it.

    Returns the log's path, or None when the folder cannot be written: the program then runs
    without a log.
    """
    global _crash_stream  # noqa: PLW0603  faulthandler needs the file open for the whole run
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            folder / f"{process}.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8"
        )
        stream = (folder / f"{process}.crash").open("w", encoding="utf-8")
    except OSError:
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    if _crash_stream is not None:
        _crash_stream.close()
    _crash_stream = stream
    faulthandler.enable(stream)
    return folder / f"{process}.log"


def crash_note_of_last_run(folder: Path, process: str) -> str:
    """What faulthandler wrote when the last run ended by a signal; read before start_log."""
    try:
        return (folder / f"{process}.crash").read_text("utf-8").strip()
    except OSError:
        return ""


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
