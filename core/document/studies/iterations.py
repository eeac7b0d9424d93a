"""The two studies of boosting: shrinkage against iterations, and rules that choose iterations."""

from __future__ import annotations

from dataclasses import dataclass

from payoff.types import FloatArray

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
