"""The built-in evaluation systems for tests of the room that only knows their contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.data import LoadedTable
from core.document.experiments.results import ExperimentResult
from core.document.experiments.spec import ExperimentSpec
from core.experiments import experiment
from core.experiments.runs import ExperimentRunner
from core.experiments.study import Study
from payoff.errors import PayoffError
from payoff.systems import EvaluationSystem
from plugins.evaluation_systems.hooks import payoff_register_evaluation_systems

SYSTEMS = {system.id: system for system in payoff_register_evaluation_systems()}


def find_system(name: str) -> EvaluationSystem:
    """A built-in system, as the registry finds it."""
    if name not in SYSTEMS:
        raise PayoffError(f"There is no evaluation system '{name}'.")
    return SYSTEMS[name]


def run_experiment(
    spec: ExperimentSpec, read: Callable[[str], LoadedTable], **more: Any
) -> ExperimentResult:
    """Run with the built-in systems."""
    return experiment.run_experiment(spec, read, find_system=find_system, **more)


def prepare(spec: ExperimentSpec, read: Callable[[str], LoadedTable]) -> Study:
    """Read and check the rows of an experiment with a built-in system."""
    return experiment.prepare(spec, read, find_system)


def runner_of(study: Study, spec: ExperimentSpec) -> ExperimentRunner:
    """A bench with the built-in system that the parts name."""
    settled = spec.settled()
    return ExperimentRunner(study, settled, find_system(settled.system))
