"""What third-party code may do in its engine: limits of output and memory, no other programs.

Only the engine for plugins confines itself, and only while a plugin is being called in a thread.
This catches mistakes and says so by name; it is no wall against malice.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from core.engine.marking import MarkPlugin
from core.engine.options import EngineOptions
from core.engine.sandbox.fence import WATCHED, places_changed, refused
from core.engine.sandbox.memory_use import machine_bytes
from core.settings import cache_folder, kernel_folder, plugin_folder, state_folder
from payoff.counting import counted
from payoff.errors import PayoffError

_MOST_FILES = 1024  # descriptors that a process has open at its beginning, by far
_here = threading.local()


class PluginOutput:
    """Takes what plugins print and counts it; beyond a limit the printing call is refused."""

    encoding = "utf-8"

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self.written = 0

    def write(self, text: str) -> int:
        """Count a text; nothing is shown."""
        self.written += len(text)
        if self.written > self._most and _plugin_here():
            raise PayoffError(
                "The plugin prints too much.",
                where=_plugin_here(),
                why=f"More than {counted(self._most, 'character')} in one call.",
            )
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""

    def isatty(self) -> bool:
        """Nobody looks at it."""
        return False


def own_thread() -> None:
    """Note that this thread is the engine's own: outside of plugins it may do what it likes.

    Any other thread was started by a plugin, or by a library for one, and is held to its limits.
    """
    _here.plugin = ""


def _plugin_here() -> str:
    """The third-party plugin that this thread is in, or nothing."""
    plugin: str = getattr(_here, "plugin", "a plugin's thread")
    return plugin


def _let_go_of_shared_files() -> None:
    """Point descriptors of files without a name, which are shared memory, at nothing.

    The memory stays: it is mapped already. A plugin that writes into every open file would write
    into the markers that say which plugin is at work, and into the main engine's stop bytes.
    """
    if not hasattr(os, "fork"):  # elsewhere shared memory has no descriptor
        return
    nowhere = os.open(os.devnull, os.O_RDWR)
    for place in set(range(3, _MOST_FILES)) - {nowhere}:
        with suppress(OSError):
            found = os.fstat(place)
            if stat.S_ISREG(found.st_mode) and found.st_nlink == 0:
                os.dup2(nowhere, place)
    os.close(nowhere)


class Confinement:
    """The limits of one engine for plugins; made once, before any plugin is imported.

    Parameters
    ----------
    options : EngineOptions
    """

    def __init__(self, options: EngineOptions) -> None:
        self._output = PluginOutput(options.plugin_output_bytes)
        self._plugins = _real(options.plugin_folder or plugin_folder())
        # A plugin's kernels are compiled, and kept, while the plugin is being called.
        own = (cache_folder(), kernel_folder(), state_folder())
        folders = [tempfile.gettempdir(), *map(str, own)]
        folders += [place for place in (options.store_folder, options.log_folder) if place]
        self._may_write = tuple(_real(place) for place in folders)

    def begin(self) -> None:
        """Take the process into confinement; there is no way back."""
        sys.stdout = self._output
        with suppress(OSError):  # what is written past Python goes nowhere as well
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.close(nowhere)
        _let_go_of_shared_files()
        if hasattr(os, "setpgid"):
            with suppress(OSError):  # whatever it starts ends with it
                os.setpgid(0, 0)
        _limit_memory()
        own_thread()
        sys.addaudithook(self._audit)

    def marking(self, mark: MarkPlugin) -> MarkPlugin:
        """Confine this thread while the marker names a plugin."""

        @contextmanager
        def marked(plugin: str, stage: str, limit: float) -> Iterator[None]:
            outer = _plugin_here()
            self._output.written = 0
            _here.plugin = plugin
            try:
                with mark(plugin, stage, limit):
                    yield
            finally:
                _here.plugin = outer

        return marked

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Refuse, inside a plugin, what belongs to the whole machine."""
        if event not in WATCHED or not _plugin_here():
            return
        refusal = refused(event, arguments)
        if refusal:
            raise PermissionError(f"A plugin may not {refusal} ({event}).")
        for place in places_changed(event, arguments):
            self._check_place(place)

    def _check_place(self, place: str) -> None:
        if place == os.devnull:
            return
        is_own = _lies_in(place, self._plugins)
        if is_own and "__pycache__" in Path(place).parts:
            return  # Python keeps the plugin's byte code there
        if is_own or not any(_lies_in(place, folder) for folder in self._may_write):
            raise PermissionError(f"A plugin may not write or delete files here: {place}.")


def _real(path: str | os.PathLike[str]) -> str:
    return os.path.realpath(path)


def _lies_in(place: str, folder: str) -> bool:
    place, folder = os.path.normcase(place), os.path.normcase(folder)  # where letters' case is one
    return place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)


def _limit_memory() -> None:
    """Let a request beyond the machine's whole memory fail at once, where the system can."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    whole = machine_bytes()
    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (whole, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
