"""What is said of an evaluation experiment, of a mean loss and of the two studies of boosting.

What is said of an evaluation experiment: its rows, what can be chosen, its runs.

What is said of a mean loss: limits, how they were found, and what they take for granted.

The two studies of boosting: shrinkage against iterations, and rules that choose iterations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

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


class Side(StrEnum):
    """Which limits are asked for; a one-sided limit is closer than either of two."""

    UPPER = "upper"
    LOWER = "lower"
    TWO = "two"


class ConditionState(StrEnum):
    """How far a condition of a bound is known to hold."""

    MET = "met"
    ASSUMED = "assumed"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundCondition:
    """One thing that a bound takes for granted, and whether it was checked."""

    state: ConditionState
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorBound:
    """Limits of the expected loss from the mean of ``n`` losses.

    ``is_valid``: the limits fail at most as often as said, whatever the losses follow. Otherwise
    they are approximate. ``is_vacuous``: the limit says no more than the loss's range does.
    """

    method: str
    label: str
    side: Side
    confidence: float
    mean: float
    low: float
    high: float
    variance: float
    n: int
    loss_range: tuple[float, float] | None
    is_valid: bool
    is_vacuous: bool
    conditions: tuple[BoundCondition, ...]
    note: str = ""
    needed: int = 0  # losses at which the margin would be the one asked for; 0 = not worked out

    @property
    def margin(self) -> float:
        """How far the asked-for limit lies from the mean; the farther one of two."""
        above, below = self.high - self.mean, self.mean - self.low
        if self.side is Side.TWO:
            return max(above, below)
        return above if self.side is Side.UPPER else below


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBounds:
    """The bounds of one model, or the reason why it has none."""

    model: str
    mean: float
    n: int
    bounds: tuple[ErrorBound, ...]
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundsResult:
    """The expected loss of every model of a document."""

    loss: str
    rows_text: str
    models: tuple[ModelBounds, ...]
    warnings: tuple[str, ...] = ()
    no_model: float = float("nan")  # mean loss of one prediction for all, the best on these rows


SHRINKAGE, CHOOSING = "shrinkage", "choosing"
MADE_UP_SETS = (
    "Friedman 1",
    "Friedman 2",
    "Friedman 3",
    "a straight line",
    "steps",
    "two clouds",
    "rings",
    "counts",
)
"""Names of the made-up data sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShrinkageCurve:
    """One data set at one shrinkage: deviance of fresh cases by iterations, over all draws.

    ``deviance`` (T,) is the mean over draws, ``low`` and ``high`` 95 % limits of it by Student's t
    (NaN for one draw). ``best`` is the median over draws of the iteration of the least deviance,
    ``best_low`` and ``best_high`` its ends; ``least`` the mean of the least deviances with limits.
    """

    data: str
    shrinkage: float
    draws: int
    deviance: FloatArray
    low: FloatArray
    high: FloatArray
    best: float
    best_low: int
    best_high: int
    least: float
    least_low: float
    least_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOutcome:
    """What one rule keeps of the best rule's gain: a mean over draws for each data set.

    ``low`` and ``high`` are 95 % limits of the median, by resampling data sets and their draws;
    ``share_low`` and ``share_high`` the least and the largest share of a draw, by data set.
    """

    method: str
    data: tuple[str, ...]
    share: FloatArray
    share_low: FloatArray
    share_high: FloatArray
    quarter: float
    median: float
    three_quarters: float
    low: float
    high: float
    trees: float  # mean number of iterations chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationResult:
    """What a study has found so far: ``done`` of ``wanted`` pieces of work.

    ``curves`` of "shrinkage", data sets in order and large shrinkages first; ``rules`` of
    "choosing".
    """

    study: str
    done: int
    wanted: int
    curves: tuple[ShrinkageCurve, ...] = ()
    rules: tuple[RuleOutcome, ...] = ()
