"""Saves a project over and over until it is killed; run by test_save_faults as a process."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from core.document.data.model import DataRef
from core.document.files.project import Headline, save_project
from core.document.model import Document


def numbered(number: int) -> Document:
    """A document that says its number in two places, so that a mixture would be seen."""
    columns = tuple(f"column {index} of {number}" for index in range(400))
    ref = DataRef(
        path=f"/data/{number}.csv", content_hash=str(number), rows=1, columns=columns, size_bytes=1
    )
    return replace(Document(name=str(number)), data=ref)


def main() -> None:
    """Save documents 0, 1, 2 ... at the path given, saying each number once it is saved."""
    path = Path(sys.argv[1])
    number = 0
    while True:
        save_project(path, numbered(number), Headline(rows=number))
        print(number, flush=True)
        number += 1


if __name__ == "__main__":
    main()
