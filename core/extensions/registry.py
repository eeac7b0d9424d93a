"""The registry: every plugin with its state, every spec of the active ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.diagnostics import PluginCrash
from core.document.plugin_results import PluginState
from core.extensions import finding
from core.extensions.describe import metric_info
from core.extensions.memory import JsonMemory
from core.extensions.plugin_lifecycle import PluginStages
from core.extensions.records import ACTIVE, PluginRecord, Watch, unwatched
from core.extensions.spec_index import served, why_missing
from payoff.errors import PayoffError
from payoff.readers import TableReader
from payoff.specs import DecisionMatrix, EvaluationMetric, LossDistribution, Spec
from payoff.systems import EvaluationSystem
from payoff.testing.results import ConformanceSheet
from payoff.vocabulary import Task


@dataclass(kw_only=True)
class Registry(PluginStages):
    """Everything the program knows of plugins.

    Make one with ``Registry.discover``. Specs of quarantined plugins are not served.
    """

    is_safe: bool = False

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

    def brought_by(self, spec: Spec) -> str:
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


__all__ = ["PluginRecord", "Registry", "Watch", "metric_info"]
