"""Small files for the tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import data
from core.document.data.model import ReaderSettings
from payoff import PayoffError


def write(folder: Path, content: bytes | str, name: str = "cases.csv") -> str:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def load_text(folder: Path, content: bytes | str, **settings: object) -> data.LoadedTable:
    """Load a small delimited file."""
    return data.load(write(folder, content), ReaderSettings(**settings))


def refusal(folder: Path, content: bytes | str, **settings: object) -> PayoffError:
    """The error that loading a small file ends with."""
    with pytest.raises(PayoffError) as caught:
        load_text(folder, content, **settings)
    return caught.value


def cells(table: data.LoadedTable) -> list[tuple[str, ...]]:
    """All cells as text."""
    return list(data.rows_page(table, 0, table.rows).rows)


def says(error: PayoffError | str, *parts: str) -> None:
    """Check that an error, or a text, holds all these words."""
    text = str(error)
    for part in parts:
        assert part in text, f"{part!r} not in {text!r}"
