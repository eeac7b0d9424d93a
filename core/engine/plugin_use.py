"""Plugins in use.

Markers of the third-party plugins that are in use, so that a death names its plugin.

What programs tell each other of plugins: that jobs use them, or that their files change.

A window holds a shared lock while jobs use plugins; whoever changes the plugin folder holds it
alone. A second lock is the turn: who waits for a change holds it, and long jobs elsewhere do not
begin before that change has been made.
"""

from __future__ import annotations

import hashlib
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from core.document.files.locks import OsLock
from core.engine.options import EngineOptions
from core.settings import plugin_folder, state_folder

MarkPlugin = Callable[[str, str, float], AbstractContextManager[None]]
"""Takes plugin, stage and limit in seconds."""
_log = logging.getLogger("payoff.plugins")


def mark_nothing(plugin: str, stage: str, limit: float) -> AbstractContextManager[None]:
    """The marker of an engine in which nobody looks at markers."""
    del plugin, stage, limit
    return nullcontext()


def traced(mark: MarkPlugin) -> MarkPlugin:
    """Log every call into a plugin with its stage and time, on standard error too."""

    @contextmanager
    def marked(plugin: str, stage: str, limit: float) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            with mark(plugin, stage, limit):
                yield
        finally:
            words = f"plugin {plugin}: {stage}, {1000 * (time.perf_counter() - begun):.1f} ms"
            _log.info(words)
            if sys.__stderr__ is not None:
                print(words, file=sys.__stderr__)

    return marked


class PluginLock:
    """One program's hold on a plugin folder. Not safe for threads by itself.

    Parameters
    ----------
    options : EngineOptions
        Names the plugin folder, and by the file of quarantined plugins the state folder.
    """

    def __init__(self, options: EngineOptions) -> None:
        folder = Path(options.plugin_folder) if options.plugin_folder else plugin_folder()
        named = options.quarantine_path
        state = Path(named).parent if named else state_folder()
        mark = hashlib.sha256(str(folder.absolute()).encode()).hexdigest()[:12]
        self._use = OsLock(state / f"plugins-{mark}.lock")
        self._change = OsLock(state / f"plugins-{mark}.lock")
        self._turn = OsLock(state / f"plugins-{mark}.turn")

    def begin_use(self, *, keeps_turn: bool) -> bool:
        """Note that a job uses plugins; False while another program changes them.

        ``keeps_turn``: a change that waits elsewhere comes first.
        """
        if keeps_turn and not self._is_turn_free():
            return False
        return self._use.try_take(is_shared=True)

    def end_use(self) -> None:
        """Note that no job of this program uses plugins."""
        self._use.release()

    def begin_change(self) -> bool:
        """Keep all others from using plugins; False while their jobs run. The turn is kept."""
        return self._turn.try_take(is_shared=False) and self._change.try_take(is_shared=False)

    def end_change(self) -> None:
        """Note that the files are as they are to be, or that the change was given up."""
        self._change.release()
        self._turn.release()

    def _is_turn_free(self) -> bool:
        if self._turn.is_held:
            return True
        is_free = self._turn.try_take(is_shared=True)
        self._turn.release()
        return is_free
