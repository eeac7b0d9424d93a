"""Texts that a spreadsheet could take for formulas: an apostrophe in front, taken off again.

Which columns got apostrophes stands in a small file beside the CSV, with the CSV's hash: reading
the file back with Payoff gives the texts as they were. A text that begins with apostrophes before
such a sign gets one more, so that taking one off is always right.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from core.data.fingerprint import content_hash
from core.document.files.guarded import write_file
from core.document.files.spreadsheet import SIGNS, is_risky

_SIGNS = "".join(f"\\x{{{ord(sign):X}}}" for sign in SIGNS)
_RISKY = f"^'*[{_SIGNS}]"
_GUARDED = f"^'+[{_SIGNS}]"
_MOST_BYTES = 1 << 20
ENDING = ".guard.json"


@dataclass(frozen=True, slots=True)
class Guarded:
    """A table ready for a spreadsheet; ``columns``: guarded name -> name, texts with an apostrophe.

    ``names`` holds only names that changed.
    """

    table: pa.Table
    columns: tuple[str, ...]
    names: Mapping[str, str]


def guard_texts(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Put an apostrophe before texts that a spreadsheet could take for a formula."""
    risky = pc.match_substring_regex(values, _RISKY)
    if not pc.any(risky).as_py():
        return values
    return pc.if_else(risky, pc.binary_join_element_wise("'", values, ""), values)


def guard_table(table: pa.Table) -> Guarded:
    """Guard every text and every column name of a table."""
    columns: list[pa.ChunkedArray] = []
    changed: list[str] = []
    names: dict[str, str] = {}
    for name, values in zip(table.column_names, table.columns, strict=True):
        shown = f"'{name}" if is_risky(name) else name
        if shown != name:
            names[shown] = name
        guarded = guard_texts(values) if pa.types.is_string(values.type) else values
        if guarded is not values:
            changed.append(shown)
        columns.append(guarded)
    shown_names = [f"'{name}" if is_risky(name) else name for name in table.column_names]
    return Guarded(pa.table(columns, names=shown_names), tuple(changed), names)


def note_guard(path: str, guarded: Guarded) -> None:
    """Write beside a CSV what was guarded in it; a note of an older file goes away."""
    note = Path(path + ENDING)
    if not guarded.columns and not guarded.names:
        note.unlink(missing_ok=True)
        return
    content = {
        "about": "Texts that a spreadsheet could take for formulas have an apostrophe in front.",
        "sha256": content_hash(path),
        "columns": list(guarded.columns),
        "names": dict(guarded.names),
    }
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    write_file(note, text.encode("utf-8"))


def guard_note(path: str, digest: str) -> dict[str, Any] | None:
    """What stands beside a CSV about its guard; None if nothing, or of another content."""
    note = Path(path + ENDING)
    try:
        if note.stat().st_size > _MOST_BYTES:
            return None
        content = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(content, dict) or content.get("sha256") != digest:
        return None
    is_sound = isinstance(content.get("columns"), list) and isinstance(content.get("names"), dict)
    return content if is_sound else None


def without_guard(
    table: pa.Table, kinds: dict[str, str], note: dict[str, Any]
) -> tuple[pa.Table, dict[str, str], str]:
    """Take off the apostrophes that writing put on; also says so in a sentence."""
    columns: dict[str, pa.ChunkedArray] = {}
    new_kinds: dict[str, str] = {}
    for name, values in zip(table.column_names, table.columns, strict=True):
        original = str(note["names"].get(name, name))
        if name in note["columns"] and kinds[name] == "text":
            text = values.cast(pa.string())
            is_guarded = pc.match_substring_regex(text, _GUARDED)
            columns[original] = pc.if_else(is_guarded, pc.utf8_slice_codeunits(text, 1), text)
        else:
            columns[original] = values
        new_kinds[original] = kinds[name]
    described = (
        "Apostrophes that guarded texts against formulas when the file was written are taken off"
    )
    return pa.table(columns), new_kinds, f"{described}."
