"""Which plugins ended or held an engine, and how often: read at the next start of the window."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from core.document.files.atomic import write_atomically

MOST_CRASHES = 3
"""After so many crashes a plugin stays off until the user turns it on again."""

NAME = "plugin-crashes.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginCrash:
    """The crashes of one plugin.

    ``is_told``: the user has heard of the last one at a start, and has decided.
    """

    plugin: str
    count: int
    stage: str
    why: str
    when: str = ""
    is_told: bool = False


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
        return [entry for entry in self.crashes().values() if not entry.is_told]

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
            {key: replace(one, is_told=one.is_told or key in plugins) for key, one in known.items()}
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
