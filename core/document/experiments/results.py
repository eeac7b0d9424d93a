"""What is said of an evaluation experiment: its rows, what can be chosen, its runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.document.experiments.spec import ExperimentSpec
from payoff.facts import SpecFacts
from payoff.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTable:
    """One row per fitted evaluation model, sorted by sampler, system, split, learner.

    ``sampler`` and ``learner`` are places in the names beside them. Losses are squared errors on
    the test rows; ``effect_...`` those of the difference between two subjects under the same
    condition, in 0 to 4. ``chance`` is the loss of predicting the mean outcome.
    """

    samplers: tuple[str, ...]
    learners: tuple[str, ...]
    sampler: IntArray
    system: IntArray
    split: IntArray
    learner: IntArray
    n_train: IntArray
    n_test: IntArray
    error: FloatArray
    variance: FloatArray
    bound: FloatArray
    chance: FloatArray
    effect_error: FloatArray
    effect_variance: FloatArray
    effect_bound: FloatArray
    clipped: IntArray
    worse_than_start: IntArray  # 1: minimising squared error ended above where it began

    @property
    def count(self) -> int:
        """How many evaluation models were fitted: an entry each in every array."""
        return len(self.error)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSummary:
    """The runs of one sampler and learner."""

    sampler: str
    learner: str
    runs: int
    mean: float
    lowest: float
    highest: float
    bound: float  # the largest bound of a run
    chance: float  # mean loss of predicting the mean outcome
    below_chance: float  # share of the runs whose bound lies below it
    effect_mean: float
    effect_lowest: float
    effect_highest: float
    effect_bound: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFacts:
    """What was found in the rows of an experiment."""

    source: str
    rows: int
    conditions: int  # columns after one-hot coding
    parameters: int  # of a subject
    prevalence: float  # mean of the real outcome; NaN where there is none
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # readings of the text that were taken


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemChoice(SpecFacts):
    """An evaluation system that fits a protocol."""

    plugin: str = ""  # a third party's; empty = it came with Payoff


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerChoice:
    """A learner that can be added to those of a protocol."""

    learner: str
    label: str
    help: str = ""
    plugin: str = ""  # a third party's; empty = it came with Payoff


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentChoices:
    """The evaluation systems and learners that can be chosen here."""

    protocol: str
    systems: tuple[SystemChoice, ...]
    learners: tuple[LearnerChoice, ...]

    def system_of(self, name: str) -> SystemChoice | None:
        """A system by its name."""
        return next((entry for entry in self.systems if entry.id == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResult:
    """All runs so far. ``wanted`` runs are ``done`` where the experiment is whole."""

    spec: ExperimentSpec
    data: DataFacts
    runs: RunTable
    groups: tuple[GroupSummary, ...]
    done: int
    wanted: int
    seconds_left: float = 0.0  # NaN: not known yet
    seconds: float = 0.0
    bound_note: str = ""  # why no bound is valid; empty where it is
    conditions: tuple[str, ...] = ()
    versions: tuple[str, ...] = field(default=())

    @property
    def is_whole(self) -> bool:
        """Whether every run is done."""
        return self.done >= self.wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentPair:
    """The runs of an experiment, and those of another one beside it."""

    here: ExperimentResult
    there: ExperimentResult
