"""What is remembered between starts: passed conformance checks and quarantined plugins.

Both are JSON, keyed by the content of the plugin's files, so that a changed plugin is looked at
afresh. A file that is missing or damaged counts as empty.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.document.files.atomic import write_atomically
from payoff.testing.results import CheckResult, CheckState, ConformanceSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a plugin is in quarantine."""

    stage: str
    why: str
    traceback: str = ""


class JsonMemory:
    """A small JSON table on disk; without a path it lasts as long as the process."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._table: dict[str, Any] = _read(path)

    def get(self, key: str, content: str) -> Any:
        """Return the entry of a key if it was made for the same content, else None."""
        entry = self._table.get(key)
        if isinstance(entry, dict) and entry.get("content") == content:
            return entry.get("value")
        return None

    def put(self, key: str, content: str, value: Any) -> None:
        """Keep a value; a disk that cannot be written is no reason to fail."""
        self._table[key] = {"content": content, "value": value}
        self._write()

    def forget(self, key: str) -> None:
        """Drop the entry of a key."""
        if self._table.pop(key, None) is not None:
            self._write()

    def _write(self) -> None:
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, json.dumps(self._table, indent=1).encode("utf-8"))
        except OSError:
            self.path = None


def fault_to_json(fault: Fault) -> dict[str, str]:
    """Plain form of a fault."""
    return asdict(fault)


def fault_from_json(value: object) -> Fault | None:
    """The fault, or None for a damaged entry."""
    if not isinstance(value, Mapping):
        return None
    texts: dict[str, Any] = {key: value.get(key) for key in ("stage", "why", "traceback")}
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    return Fault(**texts)


def sheet_to_json(sheet: ConformanceSheet) -> dict[str, Any]:
    """Plain form of a conformance sheet."""
    return asdict(sheet)


def sheet_from_json(value: Any) -> ConformanceSheet | None:
    """The sheet, or None for a damaged entry."""
    try:
        results = tuple(
            CheckResult(**{**item, "state": CheckState(item["state"])}) for item in value["results"]
        )
        return ConformanceSheet(subject=value["subject"], results=results)
    except (TypeError, KeyError, ValueError):
        return None


def _read(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return table if isinstance(table, dict) else {}
