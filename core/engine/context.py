"""What a job's handler is given: progress, Stop, plugins, and what outlives the job.

What an engine keeps between jobs: the result store, model files, tables, problems, plugins.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from core.assembly.context import Resources
from core.assembly.tables import ByteCache, Tables
from core.document.files.model_store import FOLDER, ModelStore
from core.engine.options import EngineOptions
from core.engine.plugin_use import MarkPlugin, mark_nothing, traced
from core.engine.plugins import EnginePlugins
from core.engine.protocol import EngineRole
from core.engine.store import ResultStore
from core.questions.lanes import Lane, LongReadError
from payoff.errors import StoppedError

if TYPE_CHECKING:
    from core.extensions import Registry


JOURNALS = "experiments"
"""The folder of journals in that of the session."""

ProgressCall = Callable[[float | None, str, object], None]


class JobResources(Resources, Protocol):
    """What outlives a job, as far as jobs use it."""

    @property
    def options(self) -> EngineOptions:
        """Folders and limits."""

    @property
    def role(self) -> EngineRole | None:
        """None: an engine in this process that runs everything itself."""

    @property
    def plugins(self) -> EnginePlugins:
        """The plugins of this engine."""

    @property
    def store(self) -> ResultStore | None:
        """Finished results; None: they are not kept."""


class JobContext:
    """One job's connection to its engine.

    Parameters
    ----------
    resources : JobResources
        Tables, problems, model files, plugins: what outlives the job.
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
        resources: JobResources,
        *,
        stop: NDArray[np.uint8] | None = None,
        on_progress: ProgressCall | None = None,
        should_stop: Callable[[], bool] | None = None,
        lane: Lane = Lane.LONG,
        mark_plugin: MarkPlugin = mark_nothing,
    ) -> None:
        self._resources = resources
        self.stop = stop if stop is not None else np.zeros(1, dtype=np.uint8)
        self.lane = lane
        self.in_plugin = traced(mark_plugin) if resources.options.trace_hooks else mark_plugin
        self.ref = ""
        self.is_kept = True  # False: the result is not for the store
        self.called: set[str] = set()  # third-party plugins that the job has called
        self._on_progress = on_progress
        self._also_stop = should_stop

    @property
    def options(self) -> EngineOptions:
        """Folders and limits of the engine."""
        return self._resources.options

    @property
    def cache(self) -> ByteCache:
        """What was worked out before, by the part of the document that it depends on."""
        return self._resources.cache

    @property
    def tables(self) -> Tables:
        """The tables that were read."""
        return self._resources.tables

    @property
    def model_store(self) -> ModelStore:
        """The files of trained models."""
        return self._resources.model_store

    @property
    def plugins(self) -> EnginePlugins:
        """The plugins of the engine, and what is remembered of them."""
        return self._resources.plugins

    @property
    def store(self) -> ResultStore | None:
        """Finished results of the session; None: they are not kept."""
        return self._resources.store

    @property
    def registry(self) -> Registry:
        """The plugins' specs; discovered at first use."""
        return self._resources.plugins.registry

    @property
    def place(self) -> Hashable:
        """Where the job is done: the lane of an engine's process, else the thread of a script."""
        return self.lane if self._resources.role is not None else threading.get_ident()

    @property
    def leaves_core(self) -> bool:
        """Whether a shorter job is to find a core free: an engine serves a window."""
        return self.lane is not Lane.QUICK and self._resources.role is not None

    def begin_long_read(self) -> None:
        """Refuse to read all rows of large data where short questions would wait for it.

        Raises
        ------
        LongReadError
        """
        if self.lane.is_short and self._resources.role is not None:
            raise LongReadError(
                "This reads all rows again.",
                why="What was made of them is no longer held.",
                remedy="Ask it again, as a long job.",
            )

    @property
    def journals(self) -> Path | None:
        """The folder in which experiments keep finished runs, so that they outlive an engine."""
        folder = self.options.store_folder
        return Path(folder) / JOURNALS if folder else None

    def marked(self, plugin: str, stage: str) -> AbstractContextManager[None]:
        """Mark a third-party plugin as in use; nothing for a built-in one (an empty id)."""
        if not plugin:
            return nullcontext()
        self.called.add(plugin)
        # A training is one long call, told to stop between trees; an experiment between runs.
        is_long = stage.startswith(("distribution ", "experiment, "))
        return self.in_plugin(plugin, stage, 0.0 if is_long else self.options.call_seconds)

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


class Workbench:
    """State of one engine, shared by its lanes.

    Parameters
    ----------
    options : EngineOptions
        With an empty ``store_folder`` results are not kept on disk, and model files only as long as
        this object lives.
    role : EngineRole, optional
        None: an engine in this process that runs everything itself.
    """

    def __init__(self, options: EngineOptions, *, role: EngineRole | None = None) -> None:
        folder = options.store_folder
        self.options = options
        self.role = role
        self.store = ResultStore(Path(folder), options.store_bytes) if folder else None
        self.model_store = _make_store(folder)
        self.cache = ByteCache(options.table_bytes)
        self.plugins = EnginePlugins(options, role, self.cache)
        plugins = self.plugins
        self.tables = Tables(
            self.cache,
            plugins.readers,
            plugins.check_reader,
            folder or None,
            refuses_changed=role is not None,  # a window shows numbers of what it has seen
        )


def _make_store(folder: str) -> ModelStore:
    """Model files in the session's folder, else in one that ends with the shelf."""
    if folder:
        return ModelStore(Path(folder) / FOLDER)
    own = tempfile.mkdtemp(prefix="payoff-models-")
    model_store = ModelStore(Path(own) / FOLDER)
    weakref.finalize(model_store, shutil.rmtree, own, ignore_errors=True)
    return model_store
