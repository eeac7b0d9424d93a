"""The verb ``plugins``: list, install, remove, turn on and off."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.document.files.codec import to_plain
from core.document.plugin_results import (
    InstallPluginArguments,
    PluginOffering,
    RemovePluginArguments,
)
from core.engine.messages import PluginsArguments
from core.engine.plugin_use import PluginLock
from core.script.command_line.telling import tell
from core.script.session import engine
from core.settings import SettingsStore, plugin_folder, settings_path
from payoff.errors import PayoffError, no_such

Json = dict[str, Any]
_LOOK_AGAIN_SECONDS = 0.1

RIGHTS = "Plugins run with your own rights: install only what you trust."


def plugins_verb(parsed: argparse.Namespace) -> Json:
    """``payoff plugins [install FILE ... | remove ID ... | on ID ... | off ID ...]``."""
    if parsed.action == "list" and parsed.names:
        raise PayoffError("'list' takes no names.")
    if parsed.action != "list" and not parsed.names:
        raise PayoffError(
            f"'{parsed.action}' needs a name.", remedy=f"payoff plugins {parsed.action} NAME"
        )
    if parsed.action == "install":
        with _nobody_else_at_work(is_patient=not parsed.no_wait):
            return {"installed": [to_plain(one) for path in parsed.names for one in _install(path)]}
    if parsed.action == "remove":
        with _nobody_else_at_work(is_patient=not parsed.no_wait):
            for plugin in parsed.names:
                engine().run("remove_plugin", RemovePluginArguments(plugin=plugin))
                tell(f"removed {plugin}")
        return {"removed": parsed.names}
    if parsed.action in ("on", "off"):
        return {"off": _switch(parsed.names, is_on=parsed.action == "on")}
    result = engine(safe_mode=parsed.safe_mode).run("plugins", PluginsArguments())
    plain: Json = to_plain(result)
    return {**plain, "folder": str(plugin_folder())}  # last: a terminal shows the end of it


@contextmanager
def _nobody_else_at_work(*, is_patient: bool) -> Iterator[None]:
    """Wait until no window's job uses plugins, and keep such jobs from starting meanwhile.

    Raises
    ------
    PayoffError
        If one does and nobody wants to wait.
    """
    lock = PluginLock(engine().workbench.options)
    try:
        if not lock.begin_change():
            if not is_patient:
                raise PayoffError(
                    "Plugins are at work in a window of Payoff.",
                    where=str(plugin_folder()),
                    why="A job there may read files of its plugins at any time.",
                    remedy="Leave out --no-wait to wait for its end, or press Stop there. Nothing "
                    "was changed.",
                )
            tell(
                "Plugins are at work in a window of Payoff: waiting until that has ended. Stop in "
                "the window ends it sooner; Ctrl+C here gives up, and nothing is changed."
            )
            while not lock.begin_change():
                time.sleep(_LOOK_AGAIN_SECONDS)
        yield
    finally:
        lock.end_change()


def _install(path: str) -> tuple[PluginOffering, ...]:
    arguments = InstallPluginArguments(path=str(Path(path).absolute()))
    found = engine().run("install_plugin", arguments)
    words = {"update": "updated", "same": "installed again", "older": "replaced by an older one"}
    for entry in found.plugins:
        tell(f"{words.get(entry.change, 'installed')}: {entry.name} {entry.version}")
        if not entry.is_listed:
            tell(f"  its files carry no hashes ({entry.plugin})")
    tell(RIGHTS)
    return tuple(found.plugins)


def _switch(names: list[str], *, is_on: bool) -> list[str]:
    """Turn plugins on or off for all later starts; those that are off."""
    known = {entry.plugin for entry in engine().run("plugins", PluginsArguments()).plugins}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise no_such("plugin", unknown[0], sorted(known))
    store = SettingsStore(settings_path())
    off = set(store.settings.plugins_off)
    off = off - set(names) if is_on else off | set(names)
    store.change(replace(store.settings, plugins_off=tuple(sorted(off))))
    return sorted(off)
