"""Words of page Experiments."""

from __future__ import annotations

import math

from core.document.experiments.results import ExperimentResult
from core.document.experiments.spec import ExperimentSpec
from core.document.studies.iterations import SHRINKAGE
from core.document.wording import format_seconds
from payoff.counting import counted, counted_of

SAMPLER_WORDS = {"sigmoid": "Sigmoid", "arctan": "Arctan", "gaussian": "Gaussian"}
BOUNDS = (
    ("betting", "Betting"),
    ("hoeffding", "Hoeffding"),
    ("kl", "Chernoff-KL"),
    ("empirical_bernstein", "Empirical Bernstein"),
    ("prpl_eb", "PrPl-EB"),
    ("student_t", "Student t (approximate)"),
    ("bca", "BCa bootstrap (approximate)"),
)


def loss_words(value: float) -> str:
    """A loss with four decimals; a dash where it is not known."""
    return "–" if not math.isfinite(value) else f"{value:.4f}"


def share_words(value: float) -> str:
    """A share in percent; a dash where it is not known."""
    if not math.isfinite(value):
        return "–"
    if 0.0 < value < 0.005:
        return "under 1 %"
    if 0.995 <= value < 1.0:
        return "over 99 %"
    return f"{100 * value:.0f} %"


def title_of(spec: ExperimentSpec) -> str:
    """An experiment in a few words, for lists."""
    settled = spec.settled()
    size = (
        f"{counted(settled.systems, 'system')}, {counted(settled.splits, 'split')}, seed "
        f"{settled.seed}"
    )
    reading = "paper mode" if spec.is_paper else "default mode"
    return f"{settled.facts.label}, {reading}, {size}"


def progress_words(result: ExperimentResult, is_running: bool) -> str:
    """How far an experiment is."""
    done = counted_of(result.done, result.wanted, "model")
    if is_running and math.isfinite(result.seconds_left):
        return f"{done}, {format_seconds(result.seconds_left)} left"
    if result.is_whole:
        return f"{counted(result.done, 'model')} fitted in {format_seconds(result.seconds)}"
    return done if is_running else f"stopped at {done}"


def study_title(study: str) -> str:
    """What a study of boosting is called."""
    if study == SHRINKAGE:
        return "Shrinkage against iterations"
    return "Which rule finds the number of iterations?"
