"""What active plugins serve: their specs by family and id, and whose each is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from core.extensions.records import PluginRecord, spec_family_of
from payoff.deviance import deviance_metric
from payoff.errors import no_such
from payoff.readers import TableReader
from payoff.specs import DecisionMatrix, EvaluationMetric, LossDistribution, Spec
from payoff.systems import EvaluationSystem

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
