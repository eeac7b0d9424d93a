"""The engine's process, started before the window's own modules are imported.

Its imports and the window's take a second each, on two cores side by side. What the engine says
before the window listens is kept for it.
"""

from __future__ import annotations

import threading
from argparse import Namespace
from collections.abc import Callable

from core.engine.client import EngineClient
from core.engine.options import EngineOptions
from core.settings import plugin_folder, state_folder

OnEvent = Callable[[object], None]


class FirstEngine:
    """A started engine that waits for its window.

    Parameters
    ----------
    arguments : Namespace
        Those of the window: ``safe_mode``, ``only_plugins``, ``trace_hooks``.
    """

    def __init__(self, arguments: Namespace) -> None:
        self._lock = threading.Lock()
        self._listener: OnEvent | None = None
        self._unheard: list[object] = []
        self._client = EngineClient(self._hear, options=choices_from(arguments))
        self._client.start()

    def listened_to_by(self, on_event: OnEvent) -> EngineClient:
        """The engine, whose events go to ``on_event`` from now on; those so far come first.

        Nothing was submitted yet, so at most news of compiled kernels wait.
        """
        with self._lock:
            for event in self._unheard:
                on_event(event)
            self._listener = on_event
        return self._client

    def _hear(self, event: object) -> None:
        with self._lock:
            if self._listener is None:
                self._unheard.append(event)
            else:
                self._listener(event)


def choices_from(arguments: Namespace) -> EngineOptions:
    """What a window's arguments mean for its engines."""
    return EngineOptions(
        plugin_folder=str(plugin_folder()),
        safe_mode=bool(arguments.safe_mode),
        only_plugins=_ids(getattr(arguments, "only_plugins", "")),
        trace_hooks=bool(getattr(arguments, "trace_hooks", False)),
        log_folder=str(state_folder()),
    )


def _ids(text: str) -> tuple[str, ...]:
    """The ids of a list with commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())
