"""The plugins of an engine: found when they are first needed, watched, blamed, found anew."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from core.assembly.tables import ByteCache
from core.diagnostics import CrashBook
from core.document.data.model import MEMORY, PARTS, ReaderSettings
from core.document.model import Document
from core.engine.kinds import EVERY_FAMILY
from core.engine.messages import PluginsArguments
from core.engine.options import EngineOptions, crash_book_of
from core.engine.plugin_use import MarkPlugin, mark_nothing, traced
from core.engine.protocol import Blame, EngineRole
from core.settings import (
    SettingsStore,
    cache_folder,
    plugin_folder,
    settings_path,
    shared_plugin_folders,
    state_folder,
)
from payoff.errors import no_such

if TYPE_CHECKING:
    from core.extensions import Registry
    from payoff.readers import TableReader

_WAITING = "checking"  # state of a third-party plugin in the engine that must not run it

OWN_FORMATS = ("delimited", "parquet", MEMORY, PARTS)
"""Formats that are read without a plugin."""


class EnginePlugins:
    """What an engine knows of plugins, shared by its lanes.

    Parameters
    ----------
    options : EngineOptions
    role : EngineRole, optional
        The main engine imports no plugin of third parties. None: an engine in this process.
    cache : ByteCache
        Loses what plugins' code has made when their files have become others.
    """

    def __init__(self, options: EngineOptions, role: EngineRole | None, cache: ByteCache) -> None:
        self.options = options
        self.role = role
        self.blamed: list[Blame] = []
        self.changes = 0  # how often plugins have become others under the jobs
        self._cache = cache
        self._registry: Registry | None = None
        self._lock = threading.RLock()
        self._current = threading.local()

    # ------------------------------------------------------------ the job in this thread

    def begin(self, mark: MarkPlugin) -> None:
        """Note how the job of this thread marks plugins, so that loading them is marked so too."""
        self._current.mark = mark

    def _watch(self, plugin: str, stage: str, limit: float) -> AbstractContextManager[None]:
        mark: MarkPlugin | None = getattr(self._current, "mark", None)
        if mark is None:
            return nullcontext()
        if limit <= 0:  # built-in plugins come without a limit and are trusted
            plain = mark_nothing(plugin, stage, limit)
            return traced(mark_nothing)(plugin, stage, 0.0) if self.options.trace_hooks else plain
        from core.extensions.records import COMPILING

        most = self.options.call_seconds if stage == COMPILING else self.options.plugin_seconds
        return mark(plugin, stage, min(limit, most))

    # ------------------------------------------------------------ what is there

    @property
    def registry(self) -> Registry:
        """The plugins; discovered at first use, in the job that needs them."""
        with self._lock:
            if self._registry is None:
                self._registry = self._discover(check_again=False)
            return self._registry

    @property
    def is_found(self) -> bool:
        """Whether plugins have been discovered yet."""
        return self._registry is not None

    def readers(self) -> Sequence[TableReader]:
        """The readers of the plugins; asked only for files that are no plain text."""
        return self.registry.readers()

    def check_reader(self, path: str, reader: ReaderSettings | None) -> None:
        """Refuse to read a file by a reader that is not here, naming the plugin that brought it.

        Raises
        ------
        PayoffError
        """
        wanted = None if reader is None else reader.format
        if wanted is None or wanted in OWN_FORMATS:
            return
        known = [entry.id for entry in self.registry.readers()]
        if wanted not in known:
            why = self.registry.why_missing(wanted)
            raise no_such("reader", wanted, known, where=path, why=why)

    def third_party(self) -> tuple[str, ...]:
        """Ids of the third parties' plugins that are loaded in this process."""
        return self._registry.third_party() if self._registry is not None else ()

    @property
    def leaves_third_party(self) -> bool:
        """Whether jobs that call third parties' plugins are left to the other engine."""
        return self.role is EngineRole.MAIN and not self.options.safe_mode

    def waits(self, *families: str) -> bool:
        """Whether a third party's plugin of one of these families is there, to be run elsewhere."""
        return any(
            entry.state == _WAITING
            and (EVERY_FAMILY in families or not set(families).isdisjoint(entry.adds))
            for entry in self.registry.states()
        )

    def versions_of(self, document: Document) -> str:
        """Content hashes of the plugins a document's results depend on."""
        registry = self.registry
        known = {spec.id: spec for spec in registry.metrics()}
        metrics = [known[c.metric] for c in document.metrics if c.metric in known]
        stamps = {registry.content_of(spec) for spec in metrics or known.values()}
        stamps |= {
            registry.content_of(spec)
            for spec in registry.curves()
            if not registry.is_third_party(spec) or spec.id in document.charts
        }
        losses = {spec.id: spec for spec in registry.distributions()}
        trained = [entry.trained for entry in document.models if entry.trained is not None]
        stamps |= {
            registry.content_of(losses[entry.distribution])
            for entry in trained
            if entry.distribution in losses
        }
        matrices = {spec.id: spec for spec in registry.matrices()}
        if document.matrix is not None and document.matrix.template in matrices:
            stamps.add(registry.content_of(matrices[document.matrix.template]))
        return " ".join(sorted(stamps))

    # ------------------------------------------------------------ looked at again, blamed

    def check_again(self) -> Registry:
        """Discover anew and forget what was remembered of plugins."""
        with self._lock:
            self.blamed.clear()
            before = self._registry.contents() if self._registry is not None else {}
            self._registry = self._discover(check_again=True)
            self._follow_plugins(before)
            return self._registry

    def check_one_again(self, plugin: str) -> Registry:
        """Check one plugin from the start, whatever is remembered of it."""
        with self._lock:
            self.blamed = [blame for blame in self.blamed if blame.plugin != plugin]
            before = self.registry.contents()
            self.registry.release(plugin)
            self._follow_plugins(before)
            return self.registry

    def _follow_plugins(self, before: dict[str, str]) -> None:
        """Forget what plugins' code has made when their files are others now; tables stay."""
        if before and before != self.registry.contents():
            self.changes += 1
            self._cache.keep_only(lambda key: isinstance(key, tuple) and key[0] == "table")

    def blame(self, blame: Blame) -> None:
        """Quarantine a plugin that ended or held an engine."""
        with self._lock:
            self.blamed.append(blame)
            if self._registry is not None:
                self._registry.quarantine(blame.plugin, blame.stage, blame.why)

    def looked_at(self, arguments: PluginsArguments) -> Registry:
        """The registry after looking at plugins again, as far as that is asked for."""
        if arguments.check_again:
            return self.check_again()
        if arguments.check:
            return self.check_one_again(arguments.check)
        return self.registry

    # ------------------------------------------------------------ where they are

    @property
    def crash_book(self) -> CrashBook:
        """Which plugins ended an engine, and how often."""
        return crash_book_of(self.options)

    @property
    def folder(self) -> Path:
        """The user's folder of plugins."""
        named = self.options.plugin_folder
        return Path(named) if named else plugin_folder()

    @staticmethod
    def discover_built_ins() -> Registry:
        """What ships alone, imported and known as checked; the registry proper then finds it so."""
        from core.extensions import Registry

        return Registry.discover((), safe_mode=True, cache_folder=cache_folder() / "plugins")

    def _discover(self, *, check_again: bool) -> Registry:
        from core.extensions import Registry

        options = self.options
        runs_third_party = self.role is not EngineRole.MAIN
        settings = SettingsStore(settings_path()).settings
        quarantine = (
            Path(options.quarantine_path)
            if options.quarantine_path
            else state_folder() / "quarantine.json"
        )

        def find(*, runs: bool) -> Registry:
            return Registry.discover(
                [self.folder],
                options.safe_mode,
                cache_folder=cache_folder() / "plugins",
                quarantine_path=quarantine,
                shared=shared_plugin_folders(settings.plugin_folders),
                disabled={*options.plugins_off, *settings.plugins_off},
                runs_third_party=runs,
                check_again=check_again,
                watch=self._watch,
                only=options.only_plugins,
                crashed=self.crash_book.disabled(),
            )

        if self.blamed:  # remembered before anything of these plugins is imported again
            looked_at = find(runs=False)
            for blame in self.blamed:
                looked_at.quarantine(blame.plugin, blame.stage, blame.why)
            if not runs_third_party:
                return looked_at
        return find(runs=runs_third_party)
