"""The registry: every plugin with its state, every spec of the active ones.

Specs as the records that the window shows.

What active plugins serve: their specs by family and id, and whose each is.

The way of a plugin: from a file that was found, stage by stage, to active or quarantined.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar

from core.diagnostics import PluginCrash
from core.document.plugin_results import CurveInfo, MetricInfo, PluginState
from core.document.wording import gone_words
from core.extensions import finding, loading
from core.extensions.finding import FoundPlugin
from core.extensions.process_state import ProcessState
from core.extensions.records import (
    ACTIVE,
    API,
    API_CHECK,
    CALL_LIMIT,
    CHECKING,
    CHECKS_OF_STAGES,
    COMPILE_LIMIT,
    COMPILING,
    CONFORMANCE,
    DOES_NOT_FIT,
    ENABLED,
    ID_CHECK,
    IMPORT,
    MANIFEST,
    NAMES_CHECK,
    OFF,
    QUARANTINED,
    REGISTER,
    RESERVED_PREFIX,
    SPECS,
    STATE_CHECK,
    Fault,
    JsonMemory,
    PluginRecord,
    Watch,
    exception_words,
    failure_words,
    fault_from_json,
    fault_to_json,
    sheet_from_json,
    sheet_to_json,
    spec_family_of,
    unwatched,
    way_so_far,
)
from core.extensions.shared_code import SHARED_CODE, replaced_words
from payoff.counting import counted
from payoff.curves import own_words
from payoff.deviance import deviance_metric
from payoff.errors import PayoffError, no_such
from payoff.facts import facts_of
from payoff.manifest import read_manifest
from payoff.parameters import resolve_parameters
from payoff.readers import TableReader
from payoff.spec_checks import spec_problems
from payoff.specs import DecisionMatrix, EvaluationMetric, LossDistribution, Spec, metric_title
from payoff.systems import EvaluationSystem
from payoff.testing.catalogue import SPEC_CHECK
from payoff.testing.conformance import KIT_VERSION, check_spec
from payoff.testing.results import ConformanceSheet, joined
from payoff.version import API_VERSION
from payoff.vocabulary import Task

__all__ = [
    "PluginRecord",
    "Registry",
    "Watch",
    "metric_info",
]


def metric_info(
    spec: EvaluationMetric, parameters: Mapping[str, object] | None = None, *, key: str = ""
) -> MetricInfo:
    """Describe a column of the metric table; ``key`` names the column, else it is the id."""
    values = resolve_parameters(spec.parameters, parameters)
    return facts_of(
        spec,
        MetricInfo,
        metric=key or spec.id,
        title=metric_title(spec, values),
        direction=str(spec.direction),
        unit=str(spec.number_unit),
        tasks=tuple(str(task) for task in spec.tasks),
    )


def curve_info(spec: EvaluationMetric) -> CurveInfo:
    """Describe a curve as the dialog of charts offers it."""
    axes = spec.axes
    assert axes is not None  # the spec's checks ask for them
    return facts_of(
        spec,
        CurveInfo,
        title=own_words(axes.question, event="event"),
        help=own_words(spec.help, event="event"),
        tasks=tuple(str(task) for task in spec.tasks),
        axis=str(axes.axis),
        is_split=axes.is_split,
    )


AnySpec = TypeVar("AnySpec", bound=Spec)


@dataclass(kw_only=True)
class SpecIndex:
    """Specs by id, a shelf for each kind; ids are unique on a shelf."""

    metrics: dict[str, EvaluationMetric] = field(default_factory=dict)
    curves: dict[str, EvaluationMetric] = field(default_factory=dict)
    distributions: dict[str, LossDistribution] = field(default_factory=dict)
    matrices: dict[str, DecisionMatrix] = field(default_factory=dict)
    readers: dict[str, TableReader] = field(default_factory=dict)
    systems: dict[str, EvaluationSystem] = field(default_factory=dict)
    _owners: dict[tuple[str, str], PluginRecord] = field(default_factory=dict)

    def owner(self, spec: Spec) -> PluginRecord:
        """The plugin that a served spec is from."""
        return self._owners[spec_family_of(spec), spec.id]

    def serve(self, record: PluginRecord) -> None:
        """Put the specs of a plugin on their shelves, with the deviances of its distributions."""
        for spec in _with_deviances(record.specs):
            self._put(spec)
            self._owners[spec_family_of(spec), spec.id] = record

    def _put(self, spec: Spec) -> None:
        if isinstance(spec, EvaluationMetric):
            specs = self.curves if spec_family_of(spec) == "curve" else self.metrics
            specs[spec.id] = spec
        elif isinstance(spec, LossDistribution):
            self.distributions[spec.id] = spec
        elif isinstance(spec, TableReader):
            self.readers[spec.id] = spec
        elif isinstance(spec, EvaluationSystem):
            self.systems[spec.id] = spec
        else:
            self.matrices[spec.id] = spec

    def withdraw(self, record: PluginRecord) -> None:
        """Take the specs of a plugin from their shelves."""
        gone = [key for key, owner in self._owners.items() if owner is record]
        specs_by_family: dict[str, dict[str, Any]] = {
            "metric": self.metrics,
            "distribution": self.distributions,
            "matrix": self.matrices,
            "reader": self.readers,
            "system": self.systems,
            "curve": self.curves,
        }
        for key in gone:
            del self._owners[key]
            specs_by_family[key[0]].pop(key[1])

    def clashes(self, record: PluginRecord, specs: tuple[Spec, ...]) -> list[str]:
        """Say which ids of a plugin are taken, or are there twice."""
        problems = []
        seen: set[tuple[str, str]] = set()
        for spec in _with_deviances(specs):
            key = (spec_family_of(spec), spec.id)
            if key in self._owners:
                other = self._owners[key].plugin
                problems.append(f"'{spec.id}' is in {other} already, and in {record.plugin}.")
            elif key in seen:
                problems.append(f"'{spec.id}' is registered twice.")
            seen.add(key)
        return problems


class KnownPlugins(Protocol):
    """The plugins that are there, and what is remembered of others."""

    records: list[PluginRecord]

    def whereabouts(self, spec_id: str) -> str:
        """Which plugin once brought a spec, and what became of it, as a sentence."""


def served(specs: dict[str, AnySpec], spec_id: str, word: str, plugins: KnownPlugins) -> AnySpec:
    """Return a spec of a shelf.

    Parameters
    ----------
    specs : dict
    spec_id : str
    word : str
        What it is called in a refusal: "metric".
    plugins : KnownPlugins
        One of them may have the spec, but be in quarantine; one that is gone may have had it.

    Raises
    ------
    PayoffError
        If the shelf has no such spec.
    """
    if spec_id in specs:
        return specs[spec_id]
    why = why_missing(spec_id, plugins)
    raise no_such(word, spec_id, sorted(specs), why=why, listed="Known")


def why_missing(spec_id: str, plugins: KnownPlugins) -> str:
    """Why a spec that some plugin has, or had, is not served, and what to do about it.

    Empty where none is known.
    """
    for record in plugins.records:
        if any(spec.id == spec_id for spec in record.specs):
            why = f"The plugin {record.plugin} is in quarantine: {record.why}"
            return f"{why.rstrip('. ')}. Update it, or try it again, on page Plugins."
    return plugins.whereabouts(spec_id)


def _with_deviances(specs: tuple[Spec, ...]) -> list[Spec]:
    """The specs, and the deviance metric of each distribution."""
    derived = [deviance_metric(spec) for spec in specs if isinstance(spec, LossDistribution)]
    return [*specs, *(metric for metric in derived if metric is not None)]


Result = TypeVar("Result")


class _StageFailed(Exception):  # noqa: N818 - the end of a plugin's way, not an error
    """A plugin does not go on to the next stage; its record says why."""


def _is_users() -> bool:
    """Whether an interruption can be the user's Ctrl+C, which only the main thread hears."""
    return threading.current_thread() is threading.main_thread()


@dataclass(kw_only=True)
class Registry:
    """Everything the program knows of plugins.

    Make one with ``Registry.discover``. Specs of quarantined plugins are not served.

    Attributes
    ----------
    records : list of PluginRecord
        In the order in which they were added.
    watch : Watch
        Context manager around every call of plugin code.
    runs_third_party : bool
        False where third-party code must not run: such plugins stop before their import.
    disabled, only : frozenset of str
        Ids that are turned off; ids beyond which no third party's plugin is taken (empty = all).
    crashed : mapping of id to PluginCrash
        Plugins that ended an engine so often that they stay off.
    unpack_folder : Path, optional
        Where archives are unpacked.
    checks, faults : JsonMemory
        Sheets and reasons of quarantine, remembered by content.
    specs_by_family : Shelves
    """

    is_safe: bool = False

    records: list[PluginRecord] = field(default_factory=list)
    watch: Watch = unwatched
    runs_third_party: bool = True
    disabled: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()
    crashed: Mapping[str, PluginCrash] = field(default_factory=dict)
    unpack_folder: Path | None = None
    checks: JsonMemory = field(default_factory=lambda: JsonMemory(None))
    faults: JsonMemory = field(default_factory=lambda: JsonMemory(None))
    specs_by_family: SpecIndex = field(default_factory=SpecIndex)

    def add(
        self, found: FoundPlugin, *, check_again: bool = False, is_requested: bool = False
    ) -> PluginRecord:
        """Lead one plugin through its stages and return its record.

        ``is_requested``: somebody wants to see the checks of just this one.
        """
        record = PluginRecord(found=found)
        self.records.append(record)
        begun = time.perf_counter()
        with suppress(_StageFailed):
            self._advance(record, check_again=check_again, is_requested=is_requested)
        if record.sheet is None and record.failing:
            record.sheet = way_so_far(record)
        record.seconds = time.perf_counter() - begun
        return record

    def quarantine(self, plugin: str, stage: str, why: str, trace: str = "") -> None:
        """Withdraw a plugin (it hung, crashed or failed while it was used) and remember it."""
        for record in self.records:
            if record.plugin == plugin:
                self.specs_by_family.withdraw(record)
                self._fail(record, stage, why, trace)

    def release(self, plugin: str) -> PluginRecord | None:
        """Try a quarantined plugin again from the start."""
        for position, record in enumerate(self.records):
            if record.plugin == plugin:
                self.specs_by_family.withdraw(record)
                self.faults.forget(plugin)
                del self.records[position]
                again = self.add(record.found, check_again=True, is_requested=True)
                self.records.insert(position, self.records.pop())
                return again
        return None

    def whereabouts(self, spec_id: str) -> str:
        """Which plugin once brought a spec that is not served, and what became of it.

        From what is remembered of the checks of third parties' plugins; empty where nothing is.
        """
        for plugin, value in self.checks.values().items():
            sheet = sheet_from_json(value)
            if sheet is None or " " in plugin or all(r.subject != spec_id for r in sheet):
                continue
            record = next((one for one in self.records if one.plugin == plugin), None)
            if record is not None and record.state != ACTIVE:
                states = {OFF: "off", QUARANTINED: "in quarantine", DOES_NOT_FIT: "of no use here"}
                how = states.get(record.state, "not ready")
                why = f"The plugin {plugin} is {how}: {record.why}".rstrip(": .")
                return f"{why}. Turn it on, or update it, on page Plugins."
            if record is None:
                place = value.get("path") if isinstance(value, dict) else None
                last = f"; it was last loaded from {place}" if place else ""
                return f"{gone_words(plugin, last)} Install it again, on page Plugins."
            return f"The plugin {plugin} brought it once, and does no more: it has changed since."
        return ""

    # ------------------------------------------------------------ stages

    def _advance(self, record: PluginRecord, *, check_again: bool, is_requested: bool) -> None:
        self._guarded(record, MANIFEST, lambda: self._read(record))
        self._check_identity(record)
        if check_again:
            self.faults.forget(record.plugin)
            self.checks.forget(record.plugin)
        self._check_permission(record)
        loading.offer_packages(record.found.path)  # before the guard: the path is ours to change
        if record.found.is_third_party:
            SHARED_CODE.begin()
        specs = self._guarded(record, IMPORT, lambda: self._import(record))
        self._check_shared_code(record)
        self._check_specs(record, specs)
        record.specs = specs
        self._check_conformance(record, is_requested=is_requested)
        self.specs_by_family.serve(record)
        record.state, record.stage = ACTIVE, ""

    def _read(self, record: PluginRecord) -> None:
        record.manifest = read_manifest(record.found.path)
        record.content = finding.plugin_hash(record.found.path)

    def _check_identity(self, record: PluginRecord) -> None:
        """Refuse a reserved id and an id that is taken; both places are named."""
        place = record.found.path
        if record.found.is_third_party and record.plugin.startswith(RESERVED_PREFIX):
            why = f"The id '{record.plugin}' is reserved ({place})."
            self._fail(record, MANIFEST, why, check=ID_CHECK)
            raise _StageFailed
        for other in self.records:
            if other is not record and other.manifest and other.plugin == record.plugin:
                self._fail(
                    record,
                    MANIFEST,
                    f"The id '{record.plugin}' is taken: {other.found.path} and {place}.",
                    is_remembered=False,
                    check=ID_CHECK,
                )
                raise _StageFailed

    def _check_permission(self, record: PluginRecord) -> None:
        """Stop a plugin that does not fit, is off, is known as faulty, or is not ours to run."""
        manifest = record.manifest
        assert manifest is not None
        if not manifest.fits():
            here = ".".join(str(number) for number in API_VERSION)
            record.state, record.stage = DOES_NOT_FIT, API
            record.why = f"It needs plugin contract {manifest.api}; here is {here}."
            record.failing = API_CHECK
            raise _StageFailed
        if record.plugin in self.disabled:
            self._leave_off(record, "Turned off by you.")
        if self.only and record.found.is_third_party and record.plugin not in self.only:
            self._leave_off(record, "Left out: this start asked for other plugins only.")
        crash = self.crashed.get(record.plugin)
        if crash is not None:
            self._leave_off(
                record,
                f"Off after {counted(crash.count, 'crash', 'crashes')}. The last one: {crash.why}",
            )
        fault = fault_from_json(self.faults.get(record.plugin, record.content))
        if fault is not None:
            record.state, record.stage = QUARANTINED, fault.stage
            record.why, record.traceback = fault.why, fault.traceback
            raise _StageFailed
        if record.found.is_third_party and not self.runs_third_party:
            record.state, record.stage = CHECKING, ENABLED
            record.why = "Checked in a process of its own when it is first needed."
            raise _StageFailed

    @staticmethod
    def _leave_off(record: PluginRecord, why: str) -> NoReturn:
        record.state, record.stage, record.why = OFF, ENABLED, why
        raise _StageFailed

    def _import(self, record: PluginRecord) -> tuple[Spec, ...]:
        assert record.manifest is not None
        folder = loading.plugin_files(record.found, record.content, self.unpack_folder)
        module = loading.import_entry(record.found, record.manifest, folder)
        record.stage = REGISTER
        return loading.register(module, record.manifest)

    def _check_specs(self, record: PluginRecord, specs: tuple[Spec, ...]) -> None:
        problems = self._guarded(
            record, SPECS, lambda: [text for spec in specs for text in spec_problems(spec)]
        )
        clashes = self.specs_by_family.clashes(record, specs)
        if problems or clashes:
            check = SPEC_CHECK if problems else NAMES_CHECK
            self._fail(record, SPECS, " ".join([*problems, *clashes]), check=check)
            raise _StageFailed

    def _check_conformance(self, record: PluginRecord, *, is_requested: bool) -> None:
        """The sheet of a plugin: remembered, or made now; of what ships when it is asked for.

        What ships was checked before it did, by this kit; to run it again would cost the first
        start of every version seconds, and every engine that has to be back at once.
        """
        stamp = f"{record.content}-{KIT_VERSION}-{API_VERSION[0]}.{API_VERSION[1]}"
        sheet = sheet_from_json(self.checks.get(record.plugin, stamp))
        if sheet is None and not record.found.is_third_party and not is_requested:
            record.sheet = way_so_far(record)
            return
        if sheet is None:
            sheet = self._guarded(
                record,
                CONFORMANCE,
                lambda: joined(record.plugin, [check_spec(spec) for spec in record.specs]),
            )
            if sheet.passed and record.found.is_third_party:
                kernels = self._kernel_sheet(record, stamp, is_requested=is_requested)
                sheet = joined(record.plugin, [sheet, *kernels])
            self._check_shared_code(record)
            remembered = {**sheet_to_json(sheet), "path": str(record.found.path)}
            self.checks.put(record.plugin, stamp, remembered)
        record.sheet = joined(record.plugin, [way_so_far(record), sheet])
        if not sheet.passed:
            self._fail(record, CONFORMANCE, failure_words(sheet.failures), is_remembered=False)
            raise _StageFailed

    def _check_shared_code(self, record: PluginRecord) -> None:
        """Quarantine a plugin in whose import or checks code of the whole process was replaced."""
        replaced = SHARED_CODE.restore() if record.found.is_third_party else []
        if replaced:
            why = f"It changed {replaced_words(replaced)}. It has been put back."
            self._fail(record, record.stage, why, is_remembered=False, check=STATE_CHECK)
            raise _StageFailed

    def _kernel_sheet(
        self, record: PluginRecord, stamp: str, *, is_requested: bool
    ) -> tuple[ConformanceSheet, ...]:
        """The checks of compiled kernels: made when somebody asks, remembered for these files.

        Looking at all plugins again does not forget them: it would take a plugin back whose kernels
        do not compile.
        """
        key = f"{record.plugin} kernels"
        if is_requested:
            made = joined(record.plugin, self._kernel_sheets(record))
            self.checks.put(key, stamp, sheet_to_json(made))
            return (made,)
        known = sheet_from_json(self.checks.get(key, stamp))
        return (known,) if known is not None else ()

    def _kernel_sheets(self, record: PluginRecord) -> tuple[ConformanceSheet, ...]:
        """The checks of compiled kernels: they take seconds, so only when somebody asks."""
        # Imported here: the compiler takes a second, and few starts ask.
        from core.extensions.kernel_sheets import compiled_sheets, kept_sheets

        sheets = self._guarded(
            record, COMPILING, lambda: compiled_sheets(record.specs), limit=COMPILE_LIMIT
        )
        if not sheets or not all(sheet.passed for sheet in sheets):
            return sheets
        folder = loading.plugin_files(record.found, record.content, self.unpack_folder)
        return (*sheets, *kept_sheets(record.specs, record.found, folder))

    # ------------------------------------------------------------ small things

    def _guarded(
        self,
        record: PluginRecord,
        stage: str,
        call: Callable[[], Result],
        *,
        limit: float = CALL_LIMIT,
    ) -> Result:
        """Run plugin code under the watch; whatever it raises ends in the record."""
        record.stage = stage
        is_third_party = record.found.is_third_party
        before = ProcessState.capture() if is_third_party else None
        try:
            with self.watch(record.plugin, stage, limit if is_third_party else 0.0):
                answer = call()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and _is_users():
                raise
            why = str(error) if isinstance(error, PayoffError) else exception_words(error)
            trace = "" if stage == MANIFEST else traceback.format_exc()
            if before is not None:
                before.restore()
                SHARED_CODE.restore()
            check = CHECKS_OF_STAGES.get(record.stage, "")
            self._fail(record, record.stage, why, trace, is_remembered=False, check=check)
            raise _StageFailed from None
        changed = before.restore() if before is not None else []
        if changed:
            SHARED_CODE.restore()
            why = f"It changed {', '.join(changed)}, which belong to the whole program."
            self._fail(record, record.stage, why, is_remembered=False, check=STATE_CHECK)
            raise _StageFailed
        return answer

    def _fail(
        self,
        record: PluginRecord,
        stage: str,
        why: str,
        trace: str = "",
        *,
        is_remembered: bool = True,
        check: str = "",
    ) -> None:
        record.state, record.stage, record.failing = QUARANTINED, stage, check
        record.why, record.traceback = why, trace
        if is_remembered and record.content:
            fault = Fault(stage=stage, why=why, traceback=trace)
            self.faults.put(record.plugin, record.content, fault_to_json(fault))

    @classmethod
    def discover(
        cls,
        folders: Iterable[Path] = (),
        safe_mode: bool = False,
        *,
        shared: Iterable[Path] = (),
        cache_folder: Path | None = None,
        quarantine_path: Path | None = None,
        disabled: Collection[str] = (),
        runs_third_party: bool = True,
        has_packages: bool = True,
        check_again: bool = False,
        watch: Watch = unwatched,
        only: Collection[str] = (),
        crashed: Mapping[str, PluginCrash] | None = None,
    ) -> Registry:
        """Find, read, import and check every plugin; never raises for a plugin's fault.

        Parameters
        ----------
        folders : iterable of Path
            Folders with third-party plugins (or folders that are one).
        safe_mode : bool
            Built-in plugins only.
        shared : iterable of Path
            Folders of plugins that others keep; read only.
        cache_folder : Path, optional
            Where passed checks and unpacked archives are kept; None = not beyond the process.
        quarantine_path : Path, optional
            JSON file that remembers quarantined plugins by content.
        disabled : collection of str
            Plugin ids that the user turned off.
        runs_third_party : bool
            False in the engine that must not run third-party code: such plugins stop before
            their import, in state "checking".
        has_packages : bool
            Whether installed packages are searched for plugins.
        check_again : bool
            Forget what is remembered.
        watch : callable
            Context manager around every call of plugin code; see ``Watch``.
        only : collection of str
            Of all third-party plugins only these ids; empty = all.
        crashed : mapping of id to PluginCrash, optional
            Plugins that ended an engine so often that they stay off.
        """
        memory = cache_folder / "conformance.json" if cache_folder else None
        registry = cls(
            watch=watch,
            is_safe=safe_mode,
            runs_third_party=runs_third_party,
            disabled=frozenset(disabled),
            unpack_folder=cache_folder / "unpacked" if cache_folder else None,
            checks=JsonMemory(memory),
            faults=JsonMemory(quarantine_path),
            only=frozenset(only),
            crashed=dict(crashed or {}),
        )
        for found in finding.find_all(
            [Path(folder) for folder in folders],
            shared,
            is_safe=safe_mode,
            has_packages=has_packages,
        ):
            registry.add(found, check_again=check_again)
        return registry

    # ------------------------------------------------------------ what is asked

    def states(self) -> tuple[PluginState, ...]:
        """Every plugin that was found, built-in ones first."""
        return tuple(record.public() for record in self.records)

    def metric(self, spec_id: str) -> EvaluationMetric:
        """Return an evaluation metric; refuses an unknown id with PayoffError."""
        return served(self.specs_by_family.metrics, spec_id, "metric", self)

    def why_missing(self, spec_id: str) -> str:
        """Why a spec that some plugin has is not served; empty where none has it."""
        return why_missing(spec_id, self)

    def metrics(self) -> tuple[EvaluationMetric, ...]:
        """All metrics that give a number, deviances of distributions included."""
        return tuple(self.specs_by_family.metrics.values())

    def curves(self) -> tuple[EvaluationMetric, ...]:
        """All metrics that give a curve."""
        return tuple(self.specs_by_family.curves.values())

    def distribution(self, spec_id: str | Task) -> LossDistribution:
        """Return a loss by its id, or the usual one of a task; refuses an unknown id."""
        if isinstance(spec_id, Task):
            usual = (spec for spec in self.distributions() if spec_id in spec.usual_for)
            found = next(usual, None)
            if found is None:
                raise PayoffError(f"No plugin that is on has a loss for the task '{spec_id}'.")
            return found
        return served(self.specs_by_family.distributions, spec_id, "distribution", self)

    def distributions(self) -> tuple[LossDistribution, ...]:
        """All loss distributions."""
        return tuple(self.specs_by_family.distributions.values())

    def matrix(self, spec_id: str) -> DecisionMatrix:
        """Return a decision matrix; refuses an unknown id with PayoffError."""
        return served(self.specs_by_family.matrices, spec_id, "decision matrix", self)

    def matrices(self) -> tuple[DecisionMatrix, ...]:
        """All decision matrices."""
        return tuple(self.specs_by_family.matrices.values())

    def readers(self) -> tuple[TableReader, ...]:
        """All readers, built-in ones first."""
        return tuple(self.specs_by_family.readers.values())

    def system(self, spec_id: str) -> EvaluationSystem:
        """Return an evaluation system; refuses an unknown id with PayoffError."""
        return served(self.specs_by_family.systems, spec_id, "evaluation system", self)

    def systems(self) -> tuple[EvaluationSystem, ...]:
        """All evaluation systems, built-in ones first."""
        return tuple(self.specs_by_family.systems.values())

    def owner(self, spec: Spec) -> PluginRecord:
        """The plugin that a served spec is from."""
        return self.specs_by_family.owner(spec)

    def plugin_of(self, spec: Spec) -> str:
        """The id of the plugin to name where a spec is missing one day; empty for what ships."""
        record = self.owner(spec)
        return record.plugin if record.found.is_third_party else ""

    def is_third_party(self, spec: Spec) -> bool:
        """Whether a spec's code did not come with the program and belongs in the second engine."""
        return self.owner(spec).found.is_third_party

    def third_party(self) -> tuple[str, ...]:
        """Ids of the third parties' plugins that are active: their code runs in this process."""
        return tuple(
            record.plugin
            for record in self.records
            if record.found.is_third_party and record.state == ACTIVE
        )

    def content_of(self, spec: Spec) -> str:
        """SHA-256 of the files of a spec's plugin: part of what a stored result depends on."""
        return self.owner(spec).content

    def contents(self) -> dict[str, str]:
        """SHA-256 of the files of every plugin, by id: another one is another plugin."""
        return {record.plugin: record.content for record in self.records}

    def sheet(self, plugin: str) -> ConformanceSheet | None:
        """The conformance sheet of a plugin, if it came that far."""
        return next((record.sheet for record in self.records if record.plugin == plugin), None)
