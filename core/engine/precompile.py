"""The engine's background work after its start: imports, and kernels that are not there yet.

The window hears how far it is only where something has to be compiled: kernels that came with the
program, or that an earlier start kept, are read within a second or two and nobody need know.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator

from core.engine.messages import WarmUp
from core.engine.plugins import EnginePlugins
from core.engine.preparing import kernels_compiled
from core.engine.protocol import EngineRole, HandlerSource

Step = tuple[float, Callable[[], object]]
"""Share of the work that is done before it, and what to do."""

_CHECK_SECONDS = 0.25
_PAUSE_SECONDS = 0.05


def warm_up(
    steps: Iterable[Step],
    *,
    is_busy: Callable[[], bool],
    tell: Callable[[WarmUp], None],
    compiled: Callable[[], int] | None = None,
) -> None:
    """Do the steps one after the other while the engine is at rest, and say how far that is.

    Parameters
    ----------
    steps : iterable of (float, callable)
        Taken one by one. Finding a step imports modules: that too waits as long as jobs run.
    is_busy : callable
        Whether a job runs, or the next is about to come.
    tell : callable
        Gets a WarmUp whenever further kernels had to be compiled, and one that is done at the end
        if there were any. Kernels that a job compiles meanwhile count too.
    compiled : callable, optional
        How many kernels this process had to compile so far.
    """
    news = _News(tell, compiled or kernels_compiled)
    news.start()
    try:
        waiting = iter(steps)
        while True:
            while is_busy():
                time.sleep(_PAUSE_SECONDS)
            found = next(waiting, None)
            if found is None:
                return
            news.share, step = found
            step()
    finally:
        news.end()


def warm_up_steps(plugins: EnginePlugins, handlers: HandlerSource) -> Iterator[Step]:
    """Imports and compilations for the background, in small steps with the share done before.

    The engine for plugins imports those of others in a job only, where their marker names them;
    until then it prepares what a table of metrics needs, with the built-in ones.
    """
    yield 0.0, handlers
    if plugins.role is EngineRole.PLUGINS:
        from core.engine.jobs.precompiling.plugin_engine import plugin_engine_steps

        steps = plugin_engine_steps(plugins.discover_built_ins)
    else:
        from core.engine.jobs.precompiling.first_totals import first_steps

        for step in first_steps():
            yield 0.0, step
        yield 0.0, lambda: plugins.registry
        from core.engine.jobs.precompiling.all_kernels import kernel_steps as all_steps

        steps = all_steps(lambda: plugins.registry)
    for number, step in enumerate(steps):
        yield number / len(steps), step


class _News:
    """Looks a few times a second whether further kernels were compiled."""

    def __init__(self, tell: Callable[[WarmUp], None], compiled: Callable[[], int]) -> None:
        self.share = 0.0
        self._tell = tell
        self._compiled = compiled
        self._reported = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="warm-up news", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Stop looking; the last news says that all is done."""
        self._is_over.set()
        self._thread.join()
        if self._reported or self._compiled():
            self._tell(WarmUp(share=1.0, compiled=self._compiled()))

    def _watch(self) -> None:
        while not self._is_over.wait(_CHECK_SECONDS):
            count = self._compiled()
            if count > self._reported:
                self._reported = count
                self._tell(WarmUp(share=self.share, compiled=count))
