"""The folder in which a model or a decision rule is handed over: code, contract, expected results.

Standard library only, so that every room can write and read such folders.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.document.files.guarded import (
    check_targets,
    make_folder,
    refusals_of,
    write_file,
)
from payoff.errors import PayoffError, damage_refused

FORMAT = "payoff-handover"
VERSION = 1
CONTRACT = "contract.json"
EXPECTED = "expected.csv"
README = "README.txt"
TABLE = "cases"
KEY = "row"
NOTE = "example"
FORMULA_SIGNS = ("=", "+", "-", "@")


def write_export(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of an export; an earlier one in the folder is replaced.

    Raises
    ------
    PayoffError
        If the folder holds something else, or cannot be written.
    """
    _free_space(folder)
    check_targets(folder / name for name in files)
    for name, content in files.items():
        write_file(folder / name, content, what="The export folder")


def _free_space(folder: Path) -> None:
    with refusals_of(folder, "The export folder"):
        is_taken = folder.is_dir() and any(folder.iterdir())
    if is_taken and not (folder / CONTRACT).is_file():
        raise PayoffError(
            "The folder holds other files.",
            where=str(folder),
            why="An export is written into an empty folder, or over an earlier export.",
            remedy="Name another folder.",
        )
    make_folder(folder, "The export folder")


def with_contract(files: Mapping[str, bytes], contract: Mapping[str, Any]) -> dict[str, bytes]:
    """The files with their contract, which holds the others' hashes, last."""
    whole = dict(contract)
    whole["files"] = {
        name: {"sha256": hashlib.sha256(content).hexdigest()} for name, content in files.items()
    }
    text = json.dumps(whole, ensure_ascii=False, indent=2, allow_nan=False)
    return {**files, CONTRACT: (text + "\n").encode("utf-8")}


def free_name(name: str, taken: set[str]) -> str:
    """The name, with underscores until no column has it."""
    while name in taken:
        name += "_"
    return name


def read_contract(folder: Path) -> Mapping[str, Any]:
    """The contract of an export folder; ``expected.csv`` is what was written.

    Raises
    ------
    PayoffError
        If the folder is none, or its expected results were changed.
    """
    path = folder / CONTRACT
    try:
        contract = json.loads(path.read_text("utf-8"))
        expected = (folder / EXPECTED).read_bytes()
    except OSError as reason:
        raise PayoffError(
            "There is no export here.",
            where=str(reason.filename or path),
            why=f"{reason.strerror}.",
            remedy="Name the export folder: --folder FOLDER.",
        ) from reason
    except ValueError as reason:
        raise PayoffError("The contract is damaged.", where=str(path), why=str(reason)) from reason
    if not isinstance(contract, dict) or contract.get("format") != FORMAT:
        raise PayoffError("This is no contract of an export.", where=str(path))
    with damage_refused("The contract is damaged.", where=str(path)):
        is_newer = contract["version"] > VERSION
        digest = contract["files"][EXPECTED]["sha256"]
    if is_newer:
        raise PayoffError(
            "The export was written by a newer version of the program.", where=str(path)
        )
    if hashlib.sha256(expected).hexdigest() != digest:
        raise PayoffError(
            "The expected results are not those that were written.",
            where=str(folder / EXPECTED),
            why="The file was changed, perhaps by saving it from a spreadsheet.",
            remedy="Take the export folder as it was written.",
        )
    return contract
