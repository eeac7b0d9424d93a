"""What every polluted file must come to: a table, or a refusal that names the file, in time."""

from __future__ import annotations

import re
import time
from pathlib import Path

from core import data
from payoff import PayoffError
from tests.helpers.factories.polluted_files import Polluted

MOST_SECONDS = 5.0
#: Refusals of the file as a whole: there is no row to name.
_OF_THE_FILE = (
    "empty",
    "blank lines",
    "no data rows",
    "decimal mark is not clear",
    "Two columns",
    "looks like",
    "not utf",
    "No line end",
    "cannot be read as a table",
    "is not",
)
_PLACE = re.compile(r"(line|row|byte offset) [\d,]+")


def outcome_of(path: Path, file: Polluted) -> str:
    """Read a polluted file; "loaded", "refused with its row" or "refused as a whole".

    Raises
    ------
    AssertionError
        For another error, a hang, a refusal without a place, or a clean file misread.
    """
    path.write_bytes(file.content)
    began = time.process_time()  # of all threads; a busy machine is no hang, and pytest ends one
    answer = _answer(path)
    assert time.process_time() - began < MOST_SECONDS, file.pollutions
    if isinstance(answer, PayoffError):
        return _check_refusal(answer, path, file)
    page = data.rows_page(answer, 0, 50)
    assert all(len(row) == len(answer.columns) for row in page.rows), file.pollutions
    if not file.pollutions:
        assert (len(answer.columns), answer.rows) == (file.width, file.rows)
    return "loaded"


def _answer(path: Path) -> data.LoadedTable | PayoffError:
    try:
        data.preview(str(path))
        return data.load(str(path))
    except PayoffError as refusal:
        return refusal


def _check_refusal(refusal: PayoffError, path: Path, file: Polluted) -> str:
    reported = f"{file.pollutions}: {refusal}"
    assert file.pollutions, reported
    assert str(path) in refusal.where, reported
    if _PLACE.search(refusal.where):
        return "refused with its row"
    assert any(words in str(refusal) for words in _OF_THE_FILE), reported
    return "refused as a whole"
