"""Where plugins are found: built in, the user's folders, installed packages."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from payoff.manifest import MANIFEST_NAME

BUILT_IN = "built in"
USER_FOLDER = "user folder"
SHARED_FOLDER = "shared folder"
PACKAGE = "package"
ENTRY_POINT_GROUP = "payoff.plugins"
PLUGIN_SUFFIXES = (".py", ".zip", ".payoff-plugin")

_SKIPPED_FOLDERS = {"__pycache__", ".git", ".mypy_cache", ".pytest_cache"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPlugin:
    """A place that says it holds a plugin; nothing of it has been imported.

    ``package`` is the importable package of built-in and installed plugins, empty for a plugin in
    a folder (which is loaded under a name of its own).
    """

    path: Path
    source: str
    package: str = ""

    @property
    def is_third_party(self) -> bool:
        """Whether it did not come with the program."""
        return self.source != BUILT_IN

    @property
    def fallback_name(self) -> str:
        """A name for a plugin whose manifest cannot be read."""
        is_file = self.path.suffix in PLUGIN_SUFFIXES
        return self.path.stem if is_file else self.path.name


def find_built_in() -> list[FoundPlugin]:
    """The plugins that ship, one folder per family."""
    spec = importlib.util.find_spec("plugins")
    if spec is None or spec.submodule_search_locations is None:
        return []
    root = Path(next(iter(spec.submodule_search_locations)))
    return [
        FoundPlugin(path=place.parent, source=BUILT_IN, package=f"plugins.{place.parent.name}")
        for place in sorted(root.glob(f"*/{MANIFEST_NAME}"))
    ]


def find_in_folder(folder: Path, source: str = USER_FOLDER) -> list[FoundPlugin]:
    """The plugins of a folder: folders with a manifest, ``.py`` files, ``.zip`` files.

    A folder that itself holds a manifest is one plugin. Names that begin with a dot or an
    underscore are left alone.
    """
    if (folder / MANIFEST_NAME).is_file():
        return [FoundPlugin(path=folder, source=source)]
    if not folder.is_dir():
        return []
    return [
        FoundPlugin(path=place, source=source)
        for place in sorted(folder.iterdir())
        if not place.name.startswith((".", "_")) and _looks_like_plugin(place)
    ]


def find_packages() -> list[FoundPlugin]:
    """Installed packages with an entry point of group ``payoff.plugins``.

    The entry point names the package that holds ``plugin.toml``; the package is not imported.
    """
    found = []
    for entry in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP):
        package = entry.value.split(":", 1)[0].strip()
        folder = _package_folder(package, entry.dist)
        found.append(FoundPlugin(path=folder, source=PACKAGE, package=package))
    return found


def find_all(
    folders: Iterable[Path], shared: Iterable[Path] = (), *, is_safe: bool, has_packages: bool
) -> list[FoundPlugin]:
    """Everything there is, built-in plugins first, the user's own before shared ones."""
    found = find_built_in()
    if is_safe:
        return found
    for folder in folders:
        found += find_in_folder(folder)
    for folder in shared:
        with suppress(OSError):  # a disk that is away takes its plugins along, not the start
            found += find_in_folder(folder, SHARED_FOLDER)
    return found + (find_packages() if has_packages else [])


def plugin_hash(path: Path) -> str:
    """SHA-256 over the names and bytes of a plugin's files."""
    digest = hashlib.sha256()
    for place in files_of(path):
        digest.update(str(place.relative_to(path.parent)).encode() + b"\0")
        digest.update(hashlib.sha256(place.read_bytes()).digest())
    return digest.hexdigest()


def files_of(path: Path) -> list[Path]:
    """The files of a plugin, in the order of their names."""
    if path.is_file():
        return [path]
    return sorted(
        place
        for place in path.rglob("*")
        if place.is_file() and not _SKIPPED_FOLDERS.intersection(place.parts)
    )


def _looks_like_plugin(place: Path) -> bool:
    if place.is_dir():
        return place.name not in _SKIPPED_FOLDERS
    return place.suffix in PLUGIN_SUFFIXES


def _package_folder(package: str, dist: importlib.metadata.Distribution | None) -> Path:
    """The folder of an installed package, found without importing it."""
    relative = Path(*package.split("."))
    if dist is not None:
        located = Path(str(dist.locate_file(relative)))
        if (located / MANIFEST_NAME).is_file():
            return located
    # Editable installs keep their files elsewhere; asking for the top package imports nothing.
    spec = importlib.util.find_spec(package.split(".", 1)[0])
    if spec is not None and spec.submodule_search_locations:
        top = Path(next(iter(spec.submodule_search_locations)))
        return top.joinpath(*package.split(".")[1:])
    return relative
