"""A table copied in another program: kept as a file, so that a project can find it again."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from core.document.files.guarded import make_folder, write_file
from payoff.errors import PayoffError


def keep_pasted(text: str, folder: Path, now: datetime | None = None) -> Path:
    """Write the text of the clipboard to a file of its own.

    Parameters
    ----------
    text : str
        As spreadsheets and browsers put it there: tabs between cells, a line per row.
    folder : Path
        Made if it is not there.
    now : datetime, optional
        Names the file.

    Raises
    ------
    PayoffError
        If there is no table on the clipboard, or the folder cannot be written.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        raise PayoffError(
            "There is no table on the clipboard.",
            why="It holds no text of two lines or more.",
            remedy="Copy the cells with their header in the other program, then paste again.",
        )
    stamp = (now or datetime.now()).strftime("%Y-%m-%d %H.%M.%S")
    path = folder / f"pasted {stamp}.tsv"
    make_folder(folder, "The pasted table")
    write_file(path, text.encode("utf-8"), what="The pasted table")
    return path
