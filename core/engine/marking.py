"""Markers of the third-party plugins that are in use, so that a death names its plugin."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

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
