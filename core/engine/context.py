"""What a job's handler is given: progress, Stop, the marker of plugins, and the workbench."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.engine.messages import Lane
from payoff.errors import StoppedError

if TYPE_CHECKING:
    from core.engine.workbench import Workbench

ProgressCall = Callable[[float | None, str, object], None]
MarkPlugin = Callable[[str, str, float], AbstractContextManager[None]]
_log = logging.getLogger("payoff.plugins")


class RouteToPlugins(Exception):  # noqa: N818 - not an error: the other engine must run the job
    """Raised in the main engine by a job that would call third-party plugins."""


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


class JobContext:
    """One job's connection to its engine.

    Parameters
    ----------
    workbench : Workbench
        Tables, problems, plugins, result store: what outlives the job.
    stop : (1,) uint8 array
        Nonzero once Stop was asked for; kernels read it while they run.
    on_progress : callable, optional
        Takes fraction (None = unknown), stage and a partial result (or None).
    should_stop : callable, optional
        A second source of Stop (scripts).
    lane : Lane
        A long job leaves the quick lane a core.
    mark_plugin : callable, optional
        ``(plugin, stage, limit) -> context manager`` noting the plugin in use.
    """

    def __init__(
        self,
        workbench: Workbench,
        *,
        stop: NDArray[np.uint8] | None = None,
        on_progress: ProgressCall | None = None,
        should_stop: Callable[[], bool] | None = None,
        lane: Lane = Lane.LONG,
        mark_plugin: MarkPlugin = mark_nothing,
    ) -> None:
        self.workbench = workbench
        self.stop = stop if stop is not None else np.zeros(1, dtype=np.uint8)
        self.lane = lane
        self.in_plugin = traced(mark_plugin) if workbench.options.trace_hooks else mark_plugin
        self.ref = ""
        self.is_kept = True  # False: the result is not for the store
        self.called: set[str] = set()  # third-party plugins that the job has called
        self._on_progress = on_progress
        self._also_stop = should_stop

    def marked(self, plugin: str, stage: str) -> AbstractContextManager[None]:
        """Mark a third-party plugin as in use; nothing for a built-in one (an empty id)."""
        if not plugin:
            return nullcontext()
        self.called.add(plugin)
        # A training is one long call, told to stop between trees; an experiment between runs.
        is_long = stage.startswith(("distribution ", "experiment, "))
        limit = 0.0 if is_long else self.workbench.options.call_seconds
        return self.in_plugin(plugin, stage, limit)

    def should_stop(self) -> bool:
        """True once the job is to end."""
        if self.stop[0] == 0 and self._also_stop is not None and self._also_stop():
            self.stop[0] = 1
        return bool(self.stop[0])

    def check(self) -> None:
        """Raise StoppedError once the job is to end."""
        if self.should_stop():
            raise StoppedError

    def progress(self, fraction: float | None, stage: str, partial: object = None) -> None:
        """Say how far the job is; raises StoppedError once it is to end."""
        self.check()
        if self._on_progress is not None:
            self._on_progress(fraction, stage, partial)
