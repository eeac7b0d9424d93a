"""The words of page Experiments: losses, how far a run is, its verdict, the names of its cards."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.document.experiments.files import differing_parts
from core.document.experiments.results import ExperimentResult
from core.document.experiments.spec import ExperimentSpec
from core.document.wording import NumberText, format_seconds
from payoff.counting import counted, counted_of

LOSSES, VIOLINS, SUMMARY, GRANTED = "losses", "violins", "summary", "granted"
RUNS = "runs"
EFFECT = "effect"
"""Of losses and violins: the error of differences between two subjects."""

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


# ---------------------------------------------------------------- words


def error_words(value: float) -> NumberText:
    """A loss with four decimals; a dash where it is not known."""
    return NumberText("–" if not math.isfinite(value) else f"{value:.4f}", value)


def share_words(value: float) -> NumberText:
    """A share in percent; a dash where it is not known."""
    words = f"{100 * value:.0f} %"
    if not math.isfinite(value):
        words = "–"
    elif 0.0 < value < 0.005:
        words = "under 1 %"
    elif 0.995 <= value < 1.0:
        words = "over 99 %"
    return NumberText(words, value)


def experiment_title(spec: ExperimentSpec) -> str:
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
    if result.is_whole:
        return f"{counted(result.done, 'model')} fitted in {format_seconds(result.seconds)}"
    return done if is_running else f"stopped at {done}"


# ---------------------------------------------------------------- the runs


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsCard:
    """Which view of the runs: "losses+effect sigmoid logistic", "violins logistic", "summary".

    Attributes
    ----------
    card : str
    is_effect : bool
        Whether losses are of the difference between two subjects.
    sampler : str
        Of a histogram.
    learner : str
        Left out: the first.
    """

    card: str = ""
    is_effect: bool = False
    sampler: str = ""
    learner: str = ""

    @classmethod
    def read(cls, part: str) -> RunsCard:
        """Return it from the part of a report's key."""
        name, _, rest = part.partition(" ")
        card, _, option = name.partition("+")
        sampler, _, learner = rest.partition(" ") if card == LOSSES else ("", "", rest)
        return cls(card=card, is_effect=option == EFFECT, sampler=sampler, learner=learner)

    def __str__(self) -> str:
        name = f"{self.card}+{EFFECT}" if self.is_effect else self.card
        return " ".join(part for part in (name, self.sampler, self.learner) if part)


def verdict_of(result: ExperimentResult | None) -> str:
    """One sentence: in how many runs the bound lies below the loss of no information.

    Each run has a bound of its own, at the confidence that was chosen; why one lies above is not
    known.
    """
    if result is None or not result.done:
        return ""
    if result.bound_note:
        return result.bound_note.split(".")[0] + "."
    shares = [group.below_chance for group in result.groups if math.isfinite(group.below_chance)]
    if not shares:
        return ""
    lowest, held = min(shares), share_words(result.spec.settled().confidence)
    if lowest >= 1.0:
        return f"The bound of every run (each at {held}) lies below the loss of no information."
    if max(shares) <= 0.0:
        return (
            f"The bound of no run (each at {held}) lies below the loss of no information; more "
            "test rows would bring bounds nearer to the errors."
        )
    least, most = share_words(lowest), share_words(max(shares))
    share = least if least == most else f"{least} to {most}"
    return f"The bound lies below the loss of no information in {share} of runs (each at {held})."


def difference_words(result: ExperimentResult, other: ExperimentResult) -> str:
    """What an experiment is compared with, and the parts in which both differ."""
    parts = differing_parts(result, other)
    if not parts:
        return f"With {experiment_title(other.spec)}: no part differs."
    mark = "Not to be put down to one part. " if len(parts) > 1 else ""
    return f"{mark}They differ in: {', '.join(parts)}."
