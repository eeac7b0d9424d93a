"""An evaluation experiment: its parts, its runs, and what the engine says of both.

Words: a **subject** is what is evaluated (a model with parameters theta); an **evaluation
condition** (EC) is everything else that holds when it is used; an **evaluation system** (ES) is the
real mapping from both to the outcome measured, known in simulations only; an **evaluation model**
(EM) is a learned predictor of that outcome, used instead of a trial.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

SAMPLERS = ("sigmoid", "arctan", "gaussian")
MODES = ("default", "paper")
FORMS = ("auto", "theta", "uniform")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolFacts:
    """What a protocol offers and starts with; paper mode differs where the text is ambiguous."""

    id: str
    label: str
    about: str
    case_word: str
    rows: int  # of the generator
    systems: tuple[str, ...]  # our kinds of evaluation systems that fit, the usual one first
    gives: tuple[str, ...]  # what a system finds in the rows; words of payoff.SystemNeed
    learners: tuple[str, ...]
    paper_learners: tuple[str, ...]
    draws: int  # evaluation systems drawn
    splits: int
    paper_system: str = ""
    test_share: float = 0.2
    is_split_by_time: bool = False


PROTOCOLS: Mapping[str, ProtocolFacts] = {
    entry.id: entry
    for entry in (
        ProtocolFacts(
            id="aki_alert",
            label="AKI alert",
            about="Alerts of acute kidney injury: does the patient live after 14 days? "
            "Conditions as in the ELAIA-1 trial.",
            case_word="patients",
            rows=6030,
            systems=("linear_threshold", "linear_noise", "composed"),
            gives=("outcome", "binary"),
            learners=("logistic",),
            paper_learners=("logistic_mse",),
            draws=50,
            splits=20,
        ),
        ProtocolFacts(
            id="sepsis",
            label="Sepsis",
            about="The same protocol on stays with suspected infection. The data of MIMIC-IV may "
            "not be passed on: bring your own file, or use made-up stays.",
            case_word="stays",
            rows=4000,
            systems=("linear_threshold", "linear_noise", "composed"),
            gives=("outcome", "binary"),
            learners=("logistic",),
            paper_learners=("logistic_mse",),
            draws=50,
            splits=20,
        ),
        ProtocolFacts(
            id="stock_timing",
            label="Stock timing",
            about="When to buy and sell a share: trained on the first 70 days, judged on the last "
            "10. All shares meet the same market, so that no bound is valid.",
            case_word="stocks",
            rows=300,
            systems=("mix_rows", "mix_amounts", "trading"),
            gives=("prices",),
            learners=("linear", "boosting"),
            paper_learners=("linear", "boosting"),
            draws=20,
            splits=1,
            is_split_by_time=True,
        ),
        ProtocolFacts(
            id="ad_conversion",
            label="Ad conversion",
            about="Which advertisement to show: the subject decides, and the outcome follows the "
            "decision.",
            case_word="advertisements",
            rows=1143,
            systems=("composed_anchor", "composed", "linear_noise"),
            gives=("outcome",),
            learners=("linear", "logistic", "logistic_mse", "boosting", "boosting:poisson"),
            paper_learners=("linear", "logistic", "logistic_mse", "boosting", "boosting:poisson"),
            draws=5,
            splits=20,
            paper_system="composed",
        ),
    )
}

SYSTEM_LABELS: Mapping[str, str] = {
    "linear_threshold": "Linear, cut",
    "linear_noise": "Linear, with noise",
    "composed": "Composed",
    "composed_anchor": "Composed, anchored",
    "mix_rows": "85 % synthetic rows",
    "mix_amounts": "85 % synthetic amounts",
    "trading": "Own trades",
}

LEARNER_LABELS: Mapping[str, str] = {
    "logistic": "Logistic regression, log loss",
    "logistic_mse": "Logistic regression, squared error",
    "linear": "Linear regression",
    "boosting": "Boosted trees",
    "boosting:poisson": "Boosted trees, Poisson",
    "xgboost": "XGBoost",
    "lightgbm": "LightGBM",
    "catboost": "CatBoost",
}


def learner_label(learner: str) -> str:
    """A learner's name as shown."""
    kind, _, distribution = learner.partition(":")
    return LEARNER_LABELS.get(learner) or f"{LEARNER_LABELS.get(kind, kind)}, {distribution}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentSpec:
    """The parts of an experiment; what is empty or 0 is the protocol's own.

    ``path`` empty = made-up rows of the same shape. ``subject_form``: T(S) is "theta", or "uniform"
    (u - 1/2 for sigmoid and arctan, theta for gaussian), which is what "auto" means.
    """

    protocol: str = "aki_alert"
    mode: str = "default"
    path: str = ""
    synthetic_rows: int = 0
    samplers: tuple[str, ...] = ()
    subject_form: str = "auto"
    mean: tuple[float, ...] = ()  # of gaussian subjects; empty = 0
    covariance: tuple[tuple[float, ...], ...] = ()  # empty = the identity
    system: str = ""
    sharpness: float = 1.0  # of the chance in "linear_noise": its parameter of that name
    system_parameters: tuple[tuple[str, float], ...] = ()  # by name; others are the usual ones
    learners: tuple[str, ...] = ()
    systems: int = 0
    splits: int = 0
    test_share: float = 0.0
    seed: int = 20261
    confidence: float = 0.95
    bound: str = ""
    outcome: str = ""
    columns: tuple[str, ...] = ()
    missing_flags: bool = False
    slot_days: int = 0  # stock timing: days of a slot; 0 = 10, in paper mode one slot of 70 days

    @property
    def is_paper(self) -> bool:
        """Whether ambiguous points are read as the paper's text has them."""
        return self.mode == "paper"

    @property
    def facts(self) -> ProtocolFacts:
        """What the protocol offers; refuses an unknown one."""
        if self.protocol not in PROTOCOLS:
            raise PayoffError(
                f"There is no protocol '{self.protocol}'.",
                remedy=f"There are: {', '.join(PROTOCOLS)}.",
            )
        return PROTOCOLS[self.protocol]

    def settled(self) -> ExperimentSpec:
        """The same with every empty part filled in."""
        facts = self.facts
        system = self.system or (self.is_paper and facts.paper_system) or facts.systems[0]
        learners = facts.paper_learners if self.is_paper else facts.learners
        given = dict(self.system_parameters)
        if self.sharpness != 1.0:
            given.setdefault("sharpness", self.sharpness)
        return replace(
            self,
            synthetic_rows=0 if self.path else self.synthetic_rows or facts.rows,
            samplers=tuple(self.samplers) or SAMPLERS,
            system=system,
            sharpness=1.0,
            system_parameters=tuple(sorted(given.items())),
            learners=tuple(self.learners) or learners,
            systems=self.systems or facts.draws,
            splits=1 if facts.is_split_by_time else self.splits or facts.splits,
            test_share=self.test_share or facts.test_share,
            bound=self.bound or ("hoeffding" if self.is_paper else "betting"),
            slot_days=self.slot_days or (0 if self.is_paper else 10),
        )

    @property
    def fits(self) -> int:
        """Models that will be fitted."""
        whole = self.settled()
        return len(whole.samplers) * whole.systems * whole.splits * len(whole.learners)


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
        """Fitted models."""
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
class ExperimentArguments:
    """-> ExperimentResult. Kind "experiment"; partial results are of the same kind.

    Stop keeps the runs that are done. ``journal`` is a file that keeps every finished run; empty =
    one in the session's folder, so that an experiment goes on after the engine was lost.
    ``backend``: "threads", "processes" or "dask" (at ``address``).
    """

    spec: ExperimentSpec
    journal: str = ""
    backend: str = "threads"
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckExperimentArguments:
    """-> DataFacts. Kind "check_experiment": read and check the rows only."""

    spec: ExperimentSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentChoicesArguments:
    """-> ExperimentChoices. Kind "experiment_choices": what plugins and programs here offer."""

    protocol: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemParameter:
    """A number that an evaluation system asks for."""

    name: str
    words: str
    default: float
    minimum: float
    maximum: float
    unit: str = ""  # "", "money", "percent"
    is_whole: bool = False
    choices: tuple[str, ...] = ()
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemChoice:
    """An evaluation system that fits a protocol."""

    system: str
    label: str
    help: str
    formula: str = ""
    reference: str = ""
    parameters: tuple[SystemParameter, ...] = ()
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
        return next((entry for entry in self.systems if entry.system == name), None)


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
