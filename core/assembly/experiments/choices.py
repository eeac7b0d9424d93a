"""The lists of page Experiments: evaluation systems and learners that are here."""

from __future__ import annotations

from core.assembly.context import AssemblyContext
from core.assembly.experiments.running import named_experiment
from core.document.experiments.results import (
    ExperimentChoices,
    LearnerChoice,
    SystemChoice,
)
from core.document.experiments.spec import LEARNER_LABELS, PROTOCOLS
from core.document.model import Document
from core.experiments.learners import OUTSIDE, OWN_TREES, is_installed
from core.experiments.systems import systems_of
from core.extensions import Registry
from core.questions.experiments import ExperimentParts
from payoff.facts import facts_of
from payoff.specs import LossDistribution, Spec
from payoff.systems import EvaluationSystem
from payoff.vocabulary import Extra, SystemNeed, TargetDomain


def experiment_choices(
    document: Document, question: ExperimentParts, context: AssemblyContext
) -> ExperimentChoices:
    """What fits a protocol; programs that are not installed are left out."""
    del question
    spec, registry = named_experiment(document), context.registry
    facts = spec.facts
    return ExperimentChoices(
        protocol=spec.protocol,
        systems=tuple(_system(entry, registry) for entry in systems_of(facts, registry.systems())),
        learners=(*_outside(), *_trees(spec.protocol, registry)),
    )


def _owner(spec: Spec, registry: Registry) -> str:
    """The name of the third party's plugin that a spec is from; empty for ours."""
    if not registry.is_third_party(spec):
        return ""
    record = registry.owner(spec)
    return record.manifest.name if record.manifest is not None else record.plugin


def _system(spec: EvaluationSystem, registry: Registry) -> SystemChoice:
    return facts_of(spec, SystemChoice, plugin=_owner(spec, registry))


def _outside() -> list[LearnerChoice]:
    """Other programs' trees, where they are installed."""
    return [
        LearnerChoice(
            learner=name, label=LEARNER_LABELS[name], help=f"{OUTSIDE[name]}, 100 trees, as it is."
        )
        for name in OUTSIDE
        if is_installed(name)
    ]


def _trees(protocol: str, registry: Registry) -> list[LearnerChoice]:
    """Boosted trees with every distribution that outcomes in 0 to 1 can be fitted with."""
    is_binary = SystemNeed.BINARY.value in PROTOCOLS[protocol].gives
    return [
        LearnerChoice(
            learner=f"{OWN_TREES}:{spec.id}",
            label=f"{LEARNER_LABELS[OWN_TREES]}, {spec.label}",
            help=spec.help,
            plugin=_owner(spec, registry),
        )
        for spec in registry.distributions()
        if _can_learn(spec, is_binary=is_binary)
    ]


def _can_learn(spec: LossDistribution, *, is_binary: bool) -> bool:
    """Whether a distribution takes such outcomes, gives one number, and needs no further column."""
    domains = {TargetDomain.REAL, TargetDomain.COUNTS}
    if is_binary:
        domains.add(TargetDomain.BINARY)
    needed = set(spec.extras) - {*spec.optional_extras, Extra.WEIGHT, Extra.OFFSET}
    return spec.target in domains and spec.n_scores == 1 and not needed
