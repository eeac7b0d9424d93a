"""An evaluation experiment: its parts and how often it is run.

Words: a **subject** is what is evaluated (a model with parameters theta); an **evaluation
condition** (EC) is everything else that holds when it is used; an **evaluation system** (ES) is the
real mapping from both to the outcome measured, known in simulations only; an **evaluation model**
(EM) is a learned predictor of that outcome, used instead of a trial.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from payoff.errors import no_such

SAMPLERS = ("sigmoid", "arctan", "gaussian")
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
            raise no_such("protocol", self.protocol, PROTOCOLS)
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
