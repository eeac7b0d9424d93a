"""What an engine keeps between jobs: the result store, tables, prepared problems, plugins."""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from core.diagnostics import CrashBook
from core.document.compare.chart_kinds import chart_kind
from core.document.data.model import MEMORY, DataRef, FileRef, ReaderSettings
from core.document.experiments.results import (
    CheckExperimentArguments,
    ExperimentArguments,
    ExperimentChoicesArguments,
)
from core.document.experiments.spec import ExperimentSpec
from core.document.files.shelf import FOLDER, ModelShelf
from core.document.model import Document
from core.document.studies.uplift_metrics import UpliftMetricsArguments
from core.document.wording import NBSP
from core.engine.cache import ByteCache
from core.engine.context import JobContext, RouteToPlugins, mark_nothing, traced
from core.engine.drawn import drawn_document
from core.engine.messages import DistributionsArguments, PluginsArguments, TrainArguments
from core.engine.options import EngineOptions, crash_book_of
from core.engine.process import HandlerSource
from core.engine.store import ResultStore
from core.engine.warming_up import Step
from core.engine.wire import Blame, EngineRole
from core.settings import (
    SettingsStore,
    cache_folder,
    plugin_folder,
    settings_path,
    state_folder,
)
from payoff.errors import PayoffError, no_such

if TYPE_CHECKING:
    from core.data import LoadedTable
    from core.extensions import Registry
    from payoff.readers import TableReader

_OWN_FORMATS = ("delimited", "parquet", MEMORY)
_OWN_ENDS = (".csv", ".tsv", ".txt", ".parquet", ".pq")
_WAITING = "checking"  # state of a third-party plugin in the engine that must not run it


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
        self.options = options
        self.role = role
        self.store = (
            ResultStore(Path(options.store_folder), options.store_bytes)
            if options.store_folder
            else None
        )
        self.shelf = self._make_shelf(options.store_folder)
        self.cache = ByteCache(options.table_bytes)
        self.blamed: list[Blame] = []
        self._registry: Registry | None = None
        self._registry_lock = threading.RLock()
        self.plugin_changes = 0  # how often plugins have become others under the jobs
        self._current = threading.local()

    def _make_shelf(self, folder: str) -> ModelShelf:
        """Model files in the session's folder, else in one that ends with the shelf."""
        if folder:
            return ModelShelf(Path(folder) / FOLDER)
        own = tempfile.mkdtemp(prefix="payoff-models-")
        shelf = ModelShelf(Path(own) / FOLDER)
        weakref.finalize(shelf, shutil.rmtree, own, ignore_errors=True)
        return shelf

    # ------------------------------------------------------------ the job in this thread

    def begin(self, context: JobContext) -> None:
        """Note which job runs in this thread, so that plugin calls are marked in its lane."""
        self._current.context = context

    def _watch(self, plugin: str, stage: str, limit: float) -> AbstractContextManager[None]:
        context: JobContext | None = getattr(self._current, "context", None)
        if context is None:
            return nullcontext()
        if limit <= 0:  # built-in plugins come without a limit and are trusted
            plain = mark_nothing(plugin, stage, limit)
            return traced(mark_nothing)(plugin, stage, 0.0) if self.options.trace_hooks else plain
        from core.extensions.records import COMPILING

        most = self.options.call_seconds if stage == COMPILING else self.options.plugin_seconds
        return context.in_plugin(plugin, stage, min(limit, most))

    # ------------------------------------------------------------ plugins

    @property
    def registry(self) -> Registry:
        """The plugins; discovered at first use, in the job that needs them."""
        with self._registry_lock:
            if self._registry is None:
                self._registry = self._discover(check_again=False)
            return self._registry

    @property
    def has_registry(self) -> bool:
        """Whether plugins have been discovered yet."""
        return self._registry is not None

    @property
    def has_foreign_code(self) -> bool:
        """Whether a third party's plugin is loaded in this process."""
        return bool(self.foreign_plugins())

    def foreign_plugins(self) -> tuple[str, ...]:
        """Ids of the third parties' plugins that are loaded in this process."""
        return self._registry.foreign() if self._registry is not None else ()

    def check_plugins_again(self) -> Registry:
        """Discover anew and forget what was remembered of plugins."""
        with self._registry_lock:
            self.blamed.clear()
            before = self._registry.contents() if self._registry is not None else {}
            self._registry = self._discover(check_again=True)
            self._follow_plugins(before)
            return self._registry

    def check_plugin_again(self, plugin: str) -> Registry:
        """Check one plugin from the start, whatever is remembered of it."""
        with self._registry_lock:
            self.blamed = [blame for blame in self.blamed if blame.plugin != plugin]
            before = self.registry.contents()
            self.registry.release(plugin)
            self._follow_plugins(before)
            return self.registry

    def _follow_plugins(self, before: dict[str, str]) -> None:
        """Forget what plugins' code has made when their files are others now; tables stay."""
        if before and before != self.registry.contents():
            self.plugin_changes += 1
            self.cache.keep_only(lambda key: isinstance(key, tuple) and key[0] == "table")

    def blame(self, blame: Blame) -> None:
        """Quarantine a plugin that ended or held an engine."""
        with self._registry_lock:
            self.blamed.append(blame)
            if self._registry is not None:
                self._registry.quarantine(blame.plugin, blame.stage, blame.why)

    def looked_at(self, arguments: PluginsArguments) -> Registry:
        """The registry after looking at plugins again, as far as that is asked for."""
        if arguments.check_again:
            return self.check_plugins_again()
        if arguments.check:
            return self.check_plugin_again(arguments.check)
        return self.registry

    def check_route(self, kind: str, arguments: object) -> None:
        """Raise RouteToPlugins in the main engine for a job that calls third-party plugins."""
        if self.role is not EngineRole.MAIN or self.options.safe_mode:
            return
        if isinstance(arguments, PluginsArguments):
            registry = self.looked_at(arguments)
            if any(entry.state == _WAITING for entry in registry.states()):
                raise RouteToPlugins
            return
        if isinstance(arguments, DistributionsArguments) and any(
            entry.state == _WAITING for entry in self.registry.states()
        ):
            raise RouteToPlugins
        if isinstance(arguments, UpliftMetricsArguments) and self._waits("metrics"):
            raise RouteToPlugins
        if isinstance(
            arguments, ExperimentArguments | CheckExperimentArguments
        ) and self._has_foreign_part(arguments.spec):
            raise RouteToPlugins
        if isinstance(arguments, ExperimentChoicesArguments) and self._waits(
            "distributions", "evaluation_systems"
        ):
            raise RouteToPlugins
        if self._needs_foreign_reader(arguments):
            raise RouteToPlugins
        document = drawn_document(arguments)
        if document is None:
            return
        losses = [entry.trained.distribution for entry in document.models if entry.trained]
        if isinstance(arguments, TrainArguments):
            losses.append(arguments.settings.distribution)
        if self._unknown_specs(kind, document, losses) and any(
            entry.state == _WAITING for entry in self.registry.states()
        ):
            raise RouteToPlugins

    def _waits(self, *families: str) -> bool:
        """Whether a third party's plugin of one of these families is there, to be run elsewhere."""
        return any(
            entry.state == _WAITING and not set(families).isdisjoint(entry.adds)
            for entry in self.registry.states()
        )

    def _has_foreign_part(self, spec: ExperimentSpec) -> bool:
        """Whether an experiment has a distribution or system that only a third party may know."""
        settled = spec.settled()
        named = {learner.partition(":")[2] for learner in settled.learners}
        own = {spec.id for spec in self.registry.distributions()}
        if named - {""} - own and self._waits("distributions"):
            return True
        systems = {system.id for system in self.registry.systems()}
        return settled.system not in systems and self._waits("evaluation_systems")

    def _needs_foreign_reader(self, arguments: object) -> bool:
        """Whether a job opens a file that only a third-party reader may know."""
        document = getattr(arguments, "document", None)
        asked = [(getattr(arguments, "path", ""), getattr(arguments, "reader", None))]
        if isinstance(document, Document) and document.data is not None:
            asked.append((document.data.path, document.data.reader))
        for path, reader in asked:
            if not isinstance(reader, ReaderSettings) or reader.format in _OWN_FORMATS:
                continue
            if reader.format is None and path.lower().endswith(_OWN_ENDS):
                continue
            readers = self.registry.readers()
            known = any(
                entry.id == reader.format if reader.format else entry.claims_name(path)
                for entry in readers
            )
            if not known and self._waits("readers"):
                return True
        return False

    def plugin_versions(self, document: Document) -> str:
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

    def _unknown_specs(self, kind: str, document: Document, losses: list[str]) -> list[str]:
        """Ids that this engine's plugins do not serve, of those a job of ``kind`` calls."""
        if kind in (
            "rows",
            "column",
            "overlap",
            "look_at_join",
            "second_file",
            "outcome_gaps",
            "experiment_gaps",
            "try_expression",
        ) or not (document.metrics or document.charts or document.matrix or losses):
            return []
        registry = self.registry
        served = {spec.id for spec in registry.distributions()} if losses else set()
        unknown = [loss for loss in losses if loss not in served]
        matrices = {spec.id for spec in registry.matrices()}
        if document.matrix is not None and document.matrix.template not in matrices:
            unknown.append(document.matrix.template)
        if kind in ("evaluate", "segments"):
            metrics = {spec.id for spec in registry.metrics()}
            unknown += [c.metric for c in document.metrics if c.metric not in metrics]
            curves = {spec.id for spec in registry.curves()}
            unknown += [k for k in document.charts if chart_kind(k) is None and k not in curves]
        return unknown

    @property
    def crash_book(self) -> CrashBook:
        """Which plugins ended an engine, and how often."""
        return crash_book_of(self.options)

    @property
    def plugin_folder(self) -> Path:
        """The user's folder of plugins."""
        named = self.options.plugin_folder
        return Path(named) if named else plugin_folder()

    @staticmethod
    def _discover_built_ins() -> Registry:
        """What ships alone, imported and known as checked; the registry proper then finds it so."""
        from core.extensions import Registry

        return Registry.discover((), safe_mode=True, cache_folder=cache_folder() / "plugins")

    def _discover(self, *, check_again: bool) -> Registry:
        from core.extensions import Registry

        options = self.options
        runs_third_party = self.role is not EngineRole.MAIN
        switched_off = SettingsStore(settings_path()).settings.plugins_off
        quarantine = (
            Path(options.quarantine_path)
            if options.quarantine_path
            else state_folder() / "quarantine.json"
        )

        def find(*, runs: bool) -> Registry:
            return Registry.discover(
                [self.plugin_folder],
                options.safe_mode,
                cache_folder=cache_folder() / "plugins",
                quarantine_path=quarantine,
                disabled={*options.plugins_off, *switched_off},
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

    # ------------------------------------------------------------ tables

    def registry_readers(self) -> Sequence[TableReader]:
        """The readers of the plugins; asked only for files that are no plain text."""
        return self.registry.readers()

    def refuse_missing_reader(self, path: str, reader: ReaderSettings | None) -> None:
        """Refuse to read a file by a reader that is not here, naming the plugin that brought it.

        Raises
        ------
        PayoffError
        """
        wanted = None if reader is None else reader.format
        if wanted is None or wanted in _OWN_FORMATS:
            return
        known = [entry.id for entry in self.registry.readers()]
        if wanted not in known:
            why = self.registry.why_missing(wanted)
            raise no_such("reader", wanted, known, where=path, why=why)

    def read(self, path: str, reader: ReaderSettings, context: JobContext) -> LoadedTable:
        """Read a file in a job, with the plugins' readers, watched for progress and Stop."""
        return self._read(path, reader, context, context.progress)

    def _read_within(self, path: str, reader: ReaderSettings, context: JobContext) -> LoadedTable:
        """Read a file as a part of a job, whose own share of work done is another one."""

        def tell(fraction: float | None, stage: str) -> None:
            done = "" if fraction is None else f", {100 * fraction:.0f}{NBSP}%"
            context.progress(None, f"Reading {Path(path).name}: {stage}{done}")

        return self._read(path, reader, context, tell)

    def _read(
        self,
        path: str,
        reader: ReaderSettings,
        context: JobContext,
        tell: Callable[[float | None, str], None],
    ) -> LoadedTable:
        from core.data import load

        self.refuse_missing_reader(path, reader)
        return load(path, reader, tell, context.should_stop, self.registry_readers)

    def table(self, data: DataRef, context: JobContext) -> LoadedTable:
        """A loaded table by its content; read again from its path when it is no longer in memory.

        A file that has changed since is read as it is now; ``changed_data`` then says so.
        """
        from core.data import listen_for_stop, make_table

        listen_for_stop(context.should_stop)
        if data.is_in_memory and self.cache.get(_table_key(data)) is None:
            raise PayoffError(
                f"The table '{data.path}' is no longer there.",
                why="It was handed over by a script, and lives as long as the answer made from it.",
                remedy="Keep the answer, or hand the table over again.",
            )

        def read() -> tuple[LoadedTable, int]:
            table = self._read_within(_where_is(data), data.reader, context)
            return table, table_bytes(table)

        def make() -> tuple[LoadedTable, int]:
            base = self.cache.get_or_make(_key(data.own_hash, data.reader), read)
            near = str(Path(data.path).parent)
            table = make_table(
                base, data.recipe, lambda file: self.further_table(file, near, context)
            )
            return table, table_bytes(table) - table_bytes(base)  # the columns of both are one

        how = read if data.recipe.is_empty else make
        table: LoadedTable = self.cache.get_or_make(_table_key(data), how)
        return table

    def further_table(self, file: FileRef, near: str, context: JobContext) -> LoadedTable:
        """The table of a further file; looked for beside the data's file when it has moved.

        Raises
        ------
        PayoffError
            If it is nowhere to be found.
        """

        def read() -> tuple[LoadedTable, int]:
            path = _where_is(as_data(file), near)
            if not Path(path).exists():
                raise PayoffError(
                    "A further file of the data is not there.",
                    where=file.path,
                    why=f"No file with the same content was found beside it or in {near} either.",
                    remedy="Put the file back, or beside the data; its name does not matter.",
                )
            table = self._read_within(path, file.reader, context)
            return table, table_bytes(table)

        table: LoadedTable = self.cache.get_or_make(_key(file.content_hash, file.reader), read)
        return table

    def keep_table(self, table: LoadedTable) -> LoadedTable:
        """Keep a table that was just loaded; of one that a script handed over, know where it is.

        Such a table lives as long as whoever was answered from it: jobs find the one returned.
        """
        data = table.summary.data
        if data.is_in_memory:
            return self.cache.hold(_table_key(data), table, data.content_hash)
        self.cache.put(_table_key(data), table, table_bytes(table))
        return table

    def data_hash(self, data: DataRef) -> str:
        """The content that results of ``data`` are computed from."""
        table: LoadedTable | None = self.cache.get(_table_key(data))
        return table.summary.data.content_hash if table is not None else data.content_hash

    def changed_data(self, data: DataRef) -> tuple[str, ...]:
        """A warning when the loaded table is not what the document saw; else nothing."""
        table: LoadedTable | None = self.cache.get(_table_key(data))
        if table is None:
            return ()
        now = table.summary.data
        changed = [data.path] if now.own_hash != data.own_hash else []
        changed += [
            there.path
            for asked, there in zip(data.recipe.files, now.recipe.files, strict=False)
            if asked.content_hash != there.content_hash
        ]
        moved = [
            f"{Path(asked.path).name} was found at {there.path}."
            for asked, there in zip(data.recipe.files, now.recipe.files, strict=False)
            if asked.content_hash == there.content_hash and asked.path != there.path
        ]
        return (
            *(
                f"{Path(path).name} has changed since it was opened; the numbers are from the "
                "file as it is now."
                for path in changed
            ),
            *moved,
        )

    # ------------------------------------------------------------ warming up

    def warm_up_steps(self, handlers: HandlerSource) -> Iterator[Step]:
        """Imports and compilations for the background, in small steps with the share done before.

        The engine for plugins imports those of others in a job only, where their marker names them;
        until then it prepares what a table of metrics needs, with the built-in ones.
        """
        yield 0.0, handlers
        if self.role is EngineRole.PLUGINS:
            from core.engine.jobs.warming.plugin_engine import plugin_engine_steps

            steps = plugin_engine_steps(self._discover_built_ins)
        else:
            from core.engine.jobs.warming.first_totals import first_steps

            for step in first_steps():
                yield 0.0, step
            yield 0.0, lambda: self.registry
            from core.engine.jobs.warming.all_kernels import warm_up_steps

            steps = warm_up_steps(lambda: self.registry)
        for number, step in enumerate(steps):
            yield number / len(steps), step


def as_data(file: FileRef) -> DataRef:
    """A further file as a data file of its own."""
    return DataRef(
        path=file.path,
        content_hash=file.content_hash,
        rows=0,
        columns=(),
        size_bytes=file.size_bytes,
        reader=file.reader,
    )


def _where_is(data: DataRef, *further: str) -> str:
    """The path of a data file, found again by its hash when it was renamed or moved nearby."""
    from core.data import find_moved

    path = Path(data.path)
    if path.exists():
        return data.path
    folders = tuple(dict.fromkeys(folder for folder in (str(path.parent), *further) if folder))
    return find_moved(data, folders) or data.path


def _table_key(data: DataRef) -> tuple[str, str, ReaderSettings]:
    """The key of a table."""
    return _key(*data.identity)


def _key(content_hash: str, reader: ReaderSettings) -> tuple[str, str, ReaderSettings]:
    return ("table", content_hash, reader)


def table_bytes(table: LoadedTable) -> int:
    """Memory that a table holds."""
    return int(table.table.nbytes)
