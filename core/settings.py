"""The user's settings and the recent list, as one JSON file in the user's folder.

Where the program keeps what is its own. PAYOFF_HOME moves all of it (tests, portable use).

PAYOFF_PLUGINS names folders of plugins that several people share.
PAYOFF_CACHE_DIR moves compiled kernels alone: they may be shared where all else is apart.

Reading and writing the settings; a damaged file is set aside, never fatal.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from platformdirs import PlatformDirs

from core.document.data.model import ReaderSettings
from core.document.files.atomic import file_identity, write_atomically
from core.document.files.codec import from_plain, to_plain
from core.document.files.project import Headline
from payoff.errors import PayoffError

__all__ = [
    "RecentProject",
    "Settings",
    "SettingsStore",
    "cache_folder",
    "documents_folder",
    "kernel_folder",
    "plugin_folder",
    "program_folder",
    "settings_path",
    "shared_plugin_folders",
    "state_folder",
]


_DIRS = PlatformDirs("Payoff", appauthor=False)


def _home(part: str, fallback: str) -> Path:
    override = os.environ.get("PAYOFF_HOME")
    return Path(override) / part if override else Path(fallback)


def state_folder() -> Path:
    """Settings, recent list, log, autosaved copies."""
    return _home("state", _DIRS.user_state_dir)


def settings_path() -> Path:
    """What the user set for all projects; see ``SettingsStore``."""
    return state_folder() / "settings.json"


def cache_folder() -> Path:
    """Compiled kernels and results: may be deleted at any time."""
    return _home("cache", _DIRS.user_cache_dir)


def kernel_folder() -> Path:
    """Compiled kernels, those of plugins too."""
    override = os.environ.get("PAYOFF_CACHE_DIR")
    return (Path(override) if override else cache_folder()) / "kernels"


def documents_folder() -> Path:
    """Where a person keeps files of their own, for what has no other place."""
    documents = Path(_DIRS.user_documents_dir)
    return documents if documents.is_dir() else Path.home()


def shared_plugin_folders(named: Sequence[str] = ()) -> tuple[Path, ...]:
    """Folders of plugins that others keep: of PAYOFF_PLUGINS, then those that settings name.

    They are read, never written.
    """
    given = [*os.environ.get("PAYOFF_PLUGINS", "").split(os.pathsep), *named]
    return tuple(dict.fromkeys(Path(place).expanduser() for place in given if place.strip()))


def plugin_folder() -> Path:
    """Where the user's plugins lie."""
    return _home("plugins", str(Path(_DIRS.user_data_dir) / "plugins"))


def program_folder() -> Path:
    """The folder that ``main.py`` and what the program brings along stand in."""
    return Path(__file__).resolve().parents[1]


MAXIMUM_RECENT = 12
MAXIMUM_READERS = 60
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentProject:
    """One line of the recent list on Home."""

    path: str
    name: str
    opened_at: str  # ISO 8601, UTC
    currency: str = "€"
    case_word: str = "case"
    case_words: str = "cases"
    headline: Headline = field(default_factory=Headline)
    is_pinned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedReader:
    """How a data file was read when it was opened last."""

    path: str
    reader: ReaderSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the user set for all projects."""

    schema: int = 1
    theme: str = "system"  # "light", "dark", "system"
    recent: tuple[RecentProject, ...] = ()
    last_folder: str = ""
    plugins_off: tuple[str, ...] = ()
    plugin_folders: tuple[str, ...] = ()  # that others keep; read only
    readers: tuple[RememberedReader, ...] = ()  # newest first
    currency: str = "€"  # chosen last: what a new project begins with
    cluster: str = ""  # address of the Dask scheduler that reads parts; empty: this computer does
    cluster_scratch: str = ""  # a folder that all its machines share; empty: the session's

    def with_recent(self, project: RecentProject) -> Settings:
        """The settings with a project at the top of the recent list (pinned ones stay)."""
        place = file_identity(project.path)
        known = [entry for entry in self.recent if file_identity(entry.path) == place]
        is_pinned = any(entry.is_pinned for entry in known or [project])
        first = replace(project, is_pinned=is_pinned)
        others = [entry for entry in self.recent if entry not in known]
        kept = sorted((first, *others), key=lambda entry: not entry.is_pinned)
        return replace(self, recent=tuple(kept[:MAXIMUM_RECENT]))

    def with_reader(self, path: str, reader: ReaderSettings) -> Settings:
        """The settings with how a file is read, remembered for the next time."""
        place = file_identity(path)
        others = tuple(entry for entry in self.readers if entry.path != place)
        # Rows are those of one export; the next under that name has others.
        first = RememberedReader(path=place, reader=replace(reader, left_out=None))
        return replace(self, readers=(first, *others)[:MAXIMUM_READERS])

    def reader_of(self, path: str) -> ReaderSettings | None:
        """How a file was read last, if it is remembered."""
        place = file_identity(path)
        return next((entry.reader for entry in self.readers if entry.path == place), None)

    def without_recent(self, path: str) -> Settings:
        """The settings with one project taken off the recent list."""
        return replace(self, recent=tuple(e for e in self.recent if e.path != path))


class SettingsStore:
    """Reads and writes the settings; a damaged file is set aside, not lost."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.settings = self._read() or Settings()

    def _read(self) -> Settings | None:
        """What the file says; None where there is none that can be read."""
        try:
            return from_plain(Settings, json.loads(self._path.read_text("utf-8")))
        except FileNotFoundError:
            return None
        except (PayoffError, ValueError, OSError) as reason:
            _log.info("settings set aside: %s", reason)
            with contextlib.suppress(OSError):
                self._path.replace(self._path.with_suffix(".damaged"))
            return None

    @property
    def path(self) -> Path:
        """Where the settings file is."""
        return self._path

    def read_again(self) -> None:
        """Take what another program has written since: another window, or a terminal."""
        self.settings = self._read() or self.settings

    def change(self, settings: Settings) -> None:
        """Take new settings and write them; a full disk costs the settings, not the session.

        What another program has written since stays, but for what is changed here.
        """
        if settings == self.settings:
            return
        changed = {
            entry.name: getattr(settings, entry.name)
            for entry in fields(Settings)
            if getattr(settings, entry.name) != getattr(self.settings, entry.name)
        }
        settings = replace(self._read() or settings, **changed)
        self.settings = settings
        content = json.dumps(to_plain(settings), indent=1).encode("utf-8")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, content)
        except OSError as reason:
            _log.info("settings could not be written: %s", reason)
