"""What window and engine say to each other about files that hold plugins."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginOffering:
    """One plugin of a file.

    ``change``: "new", "update", "same" or "older" beside ``installed_version``. ``is_listed``: its
    files are listed with their hashes, and are unchanged. ``packages``: what it brings along.
    """

    plugin: str
    name: str
    version: str
    licence: str
    author: str
    description: str
    families: tuple[str, ...]
    files: int
    size_bytes: int
    is_listed: bool
    packages: tuple[str, ...]
    change: str
    installed_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewPluginArguments:
    """-> PluginOfferings: what a file would install; nothing of it is run. Kind "plugin_file"."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallPluginArguments:
    """-> PluginOfferings: what was installed. Kind "install_plugin"."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovePluginArguments:
    """-> PluginOfferings, empty. Kind "remove_plugin"."""

    plugin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginsAtWork:
    """Why installing or removing waits: jobs that may be using plugins, by their titles.

    ``is_elsewhere``: those of another window, whose titles are not known here. Sent as the
    partial result of "install_plugin" and "remove_plugin".
    """

    jobs: tuple[str, ...]
    is_elsewhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginOfferings:
    """The plugins of a file, in its order, and the folder they go to."""

    folder: str
    plugins: tuple[PluginOffering, ...] = ()
