"""Limits of an expected loss from losses on cases that the model has not seen.

Ten methods under one roof. Each works on losses scaled to [0, 1] and gives an upper limit; lower
limits are those of the reflected losses, two-sided ones take half the failure on each side (the
betting and PrPl-EB methods bet with ln(2/s)).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.document.experiments.results import BoundCondition, ConditionState, ErrorBound, Side
from core.experiments import closed_bounds as closed
from core.experiments.bound_kernels import largest_mean, predictable_bets
from core.experiments.losses import LossSource, check_confidence, prepare_losses
from core.inference import resampled
from core.inference.intervals import clopper_pearson_upper
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray

TOLERANCE = 1e-12  # of an end point that is searched for, in units of the range


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundMethod:
    """A method: what it is called, what it needs, and whether it keeps its promise."""

    id: str
    label: str
    is_valid: bool = True
    needs_binary: bool = False
    needs_range: bool = True
    least: int = 1  # fewest losses
    depends_on_order: bool = False
    source: str = ""


METHODS: Mapping[str, BoundMethod] = {
    entry.id: entry
    for entry in (
        BoundMethod(id="hoeffding", label="Hoeffding", source="Hoeffding 1963, theorem 2"),
        BoundMethod(id="kl", label="Chernoff-KL", source="Hoeffding 1963, theorem 1"),
        BoundMethod(
            id="empirical_bernstein",
            label="Empirical Bernstein",
            least=2,
            source="Maurer and Pontil 2009, theorem 4",
        ),
        BoundMethod(
            id="clopper_pearson",
            label="Clopper-Pearson",
            needs_binary=True,
            source="Clopper and Pearson 1934",
        ),
        BoundMethod(
            id="prpl_eb",
            label="PrPl-EB",
            depends_on_order=True,
            source="Waudby-Smith and Ramdas 2024",
        ),
        BoundMethod(
            id="betting",
            label="Betting",
            depends_on_order=True,
            source="Waudby-Smith and Ramdas 2024",
        ),
        BoundMethod(
            id="wilson", label="Wilson", is_valid=False, needs_binary=True, source="Wilson 1927"
        ),
        BoundMethod(id="student_t", label="Student t", is_valid=False, needs_range=False, least=2),
        BoundMethod(
            id="bootstrap",
            label="Bootstrap",
            is_valid=False,
            needs_range=False,
            least=2,
            source="Efron 1979",
        ),
        BoundMethod(
            id="bca",
            label="BCa bootstrap",
            is_valid=False,
            needs_range=False,
            least=2,
            source="Efron 1987",
        ),
    )
}


def default_methods(losses: FloatArray) -> tuple[str, ...]:
    """What is shown of losses: exact for 0/1, else betting beside what the source uses."""
    is_binary = bool(np.all((losses == 0.0) | (losses == 1.0)))
    return ("clopper_pearson", "hoeffding") if is_binary else ("betting", "prpl_eb", "hoeffding")


def compute_error_bound(
    losses: FloatArray,
    *,
    method: str,
    confidence: float = 0.95,
    side: Side = Side.UPPER,
    loss_range: tuple[float, float] | None = (0.0, 1.0),
    source: LossSource | None = None,
    seed: int = 0,
    resamples: int = resampled.RESAMPLES,
) -> ErrorBound:
    """Limits of the expected loss.

    Parameters
    ----------
    losses : float64 (n,)
        In the fixed order of the test rows, which two of the methods depend on.
    method : str
        One of ``METHODS``.
    confidence : float
        1 - the probability that the limits fail.
    side : Side
    loss_range : tuple of float or None
        Smallest and largest possible loss; None = unbounded, for approximate methods only.
    source : LossSource, optional
        What is known of the losses; decides refusals and the printed conditions.
    seed, resamples : int
        Of the bootstrap.

    Raises
    ------
    PayoffError
        Where no bound can be given, with the reason.
    """
    known = source or LossSource()
    spec = _method(method)
    failure = check_confidence(confidence)
    loss = prepare_losses(losses, known)
    _check_count(spec, len(loss))
    low, high = _check_range(spec, loss, loss_range)
    if known.chosen_among < 1:
        raise PayoffError(
            f"{counted(known.chosen_among, 'model was', 'models were')} compared.",
            why="It must be 1 or more.",
        )
    scaled = (loss - low) / (high - low)
    ends, note = _limits(spec, scaled, failure / known.chosen_among, Side(side), seed, resamples)
    ends = (low + ends[0] * (high - low), low + ends[1] * (high - low))
    if loss_range is not None:
        ends = (max(ends[0], low), min(ends[1], high))
    return ErrorBound(
        method=method,
        label=spec.label,
        side=Side(side),
        confidence=confidence,
        mean=float(loss.mean()),
        low=ends[0],
        high=ends[1],
        variance=float(loss.var(ddof=1)) if len(loss) > 1 else math.nan,
        n=len(loss),
        loss_range=loss_range,
        is_valid=spec.is_valid and not known.one_block,
        is_vacuous=loss_range is not None and _is_vacuous(Side(side), ends, (low, high)),
        conditions=conditions_of(spec, known, loss_range, len(losses), len(loss)),
        note=note,
    )


# ---------------------------------------------------------------- checks


def _method(method: str) -> BoundMethod:
    if method not in METHODS:
        raise no_such("bound", method, METHODS)
    return METHODS[method]


def _check_count(spec: BoundMethod, n: int) -> None:
    if n < spec.least:
        raise PayoffError(
            f"The bound {spec.label} needs {counted(spec.least, 'loss', 'losses')}.",
            why=f"There is {n}, and it has no variance.",
            remedy="Use Hoeffding, which needs none, or a larger test set.",
        )


def _check_range(
    spec: BoundMethod, loss: FloatArray, loss_range: tuple[float, float] | None
) -> tuple[float, float]:
    """The range of the loss; (0, 1) stands for "as it is" where none is declared."""
    if loss_range is None:
        if spec.needs_range:
            raise PayoffError(
                f"The bound {spec.label} needs the range of the loss.",
                why="Of a loss without a largest value no finite sample bounds the mean.",
                remedy="Declare the smallest and largest possible loss, or use student_t, "
                "bootstrap or bca, which are approximate.",
            )
        return 0.0, 1.0
    low, high = float(loss_range[0]), float(loss_range[1])
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise PayoffError(
            f"The loss cannot range from {low:g} to {high:g}.",
            remedy="Give the smallest possible loss, then the largest.",
        )
    outside = np.flatnonzero((loss < low) | (loss > high))
    if len(outside):
        place = int(outside[0])
        raise PayoffError(
            f"A loss lies outside {low:g} to {high:g}.",
            where=f"loss {place + 1:,}, value {loss[place]:g}; {len(outside):,} in all",
            why="A bound holds only for losses of a known range.",
            remedy="Declare the loss's real range, or clip predictions to it and count the clips.",
        )
    if spec.needs_binary and not np.all((loss == low) | (loss == high)):
        raise PayoffError(
            f"The bound {spec.label} is for losses that are {low:g} or {high:g}.",
            why="Some losses lie between.",
            remedy="Use betting or kl.",
        )
    return low, high


def _is_vacuous(side: Side, ends: tuple[float, float], span: tuple[float, float]) -> bool:
    is_high, is_low = ends[1] >= span[1], ends[0] <= span[0]
    if side is Side.TWO:
        return is_high and is_low
    return is_high if side is Side.UPPER else is_low


# ---------------------------------------------------------------- limits on [0, 1]


def _limits(
    spec: BoundMethod, loss: FloatArray, failure: float, side: Side, seed: int, resamples: int
) -> tuple[tuple[float, float], str]:
    """Both limits (the one that is not asked for is -inf or inf) and a remark."""
    if spec.id in ("bootstrap", "bca"):
        return _resampled(spec.id, loss, failure, side, seed, resamples)
    upper = _ORDERED.get(spec.id)
    level = math.log((2.0 if side is Side.TWO else 1.0) / failure)
    part = failure / 2.0 if side is Side.TWO else failure
    low, high = -math.inf, math.inf
    if side is not Side.LOWER:
        high = upper(loss, level) if upper else _closed(spec.id, loss, part)
    if side is not Side.UPPER:
        mirrored = 1.0 - loss
        low = 1.0 - (upper(mirrored, level) if upper else _closed(spec.id, mirrored, part))
    return (low, high), ""


def _closed(method: str, loss: FloatArray, failure: float) -> float:
    """The upper limit of a method in closed form."""
    n, mean = len(loss), float(loss.mean())
    if method == "hoeffding":
        return closed.hoeffding(mean, n, failure)
    if method == "kl":
        return closed.chernoff_kl(mean, n, failure)
    if method == "clopper_pearson":
        return clopper_pearson_upper(int(np.count_nonzero(loss > 0.5)), n, failure)
    if method == "wilson":
        return closed.wilson(mean, n, failure)
    variance = float(loss.var(ddof=1))
    if method == "student_t":
        _refuse_one_value(loss, "Student's t")
        return closed.student_t(mean, variance, n, failure)
    return closed.empirical_bernstein(mean, variance, n, failure)


def _prpl_eb(loss: FloatArray, level: float) -> float:
    bets, weighted, variance = predictable_bets(loss, level, np.empty_like(loss))
    return (weighted + level + variance) / bets


def _betting(loss: FloatArray, level: float) -> float:
    bet = np.empty_like(loss)
    predictable_bets(loss, level, bet)
    return largest_mean(loss, bet, level, TOLERANCE)


_ORDERED: Mapping[str, Callable[[FloatArray, float], float]] = {
    "prpl_eb": _prpl_eb,
    "betting": _betting,
}


def _resampled(
    method: str, loss: FloatArray, failure: float, side: Side, seed: int, resamples: int
) -> tuple[tuple[float, float], str]:
    _refuse_one_value(loss, "The bootstrap")
    means = resampled.bootstrap_means(loss, seed=seed, resamples=resamples)
    part = failure / 2.0 if side is Side.TWO else failure
    note = f"{counted(resamples, 'resample')}, seed {seed}"
    found = None
    if method == "bca":
        found = resampled.bca_limits(loss, means, part, 1.0 - part)
        if found is None:
            note += "; BCa is not defined here, percentile limits stand in"
    low, high = found or resampled.percentile_limits(means, part, 1.0 - part)
    if side is Side.UPPER:
        low = -math.inf
    if side is Side.LOWER:
        high = math.inf
    return (low, high), note


def _refuse_one_value(loss: FloatArray, method: str) -> None:
    """Refuse losses without spread to a method that reads the error of their mean from it."""
    if loss.min() == loss.max():
        raise PayoffError(
            f"{method} is not usable: all losses are the same.",
            why="Their spread is 0, as if the mean of new cases were known exactly.",
            remedy="Use clopper_pearson for losses of 0 or 1, else kl.",
        )


# ---------------------------------------------------------------- what it takes for granted


def conditions_of(
    spec: BoundMethod,
    source: LossSource,
    loss_range: tuple[float, float] | None,
    given: int,
    n: int,
) -> tuple[BoundCondition, ...]:
    """What is printed beside a bound: each condition, and whether it was checked."""
    met, assumed, broken = ConditionState.MET, ConditionState.ASSUMED, ConditionState.BROKEN
    found = [(assumed, "The model was fixed before these cases were seen.")]
    if source.one_block:
        found.append((broken, f"Losses are not independent: {source.one_block}."))
    elif source.clusters is not None:
        found.append(
            (
                assumed,
                f"{counted(n, 'cluster is', 'clusters are')} independent; "
                f"{counted(given, 'loss', 'losses')}, one mean each.",
            )
        )
    elif source.ids is not None:
        found.append(
            (met, f"No case counts twice: {counted(n, 'loss', 'losses')}, {counted(n, 'id')}.")
        )
        found.append((assumed, "Cases are independent and drawn like those to come."))
    else:
        found.append(
            (
                assumed,
                f"The {counted(n, 'case is', 'cases are')} independent and drawn like those "
                "to come.",
            )
        )
    if loss_range is not None:
        words = f"All losses lie in {loss_range[0]:g} to {loss_range[1]:g}."
        if source.clipped:
            words += (
                f" {counted(source.clipped, 'prediction was', 'predictions were')} "
                "clipped for that."
            )
        found.append((met, words))
    else:
        found.append((assumed, "The loss has no declared range: the limits are approximate."))
    if source.chosen_among > 1:
        found.append(
            (met, f"The best of {counted(source.chosen_among, 'model')}: the bound allows for it.")
        )
    if spec.depends_on_order:
        found.append((assumed, "The order of the cases was fixed beforehand: row order is used."))
    if not spec.is_valid:
        found.append((assumed, "Approximate: it can fail more often than said for few cases."))
    return tuple(BoundCondition(state=state, text=text) for state, text in found)
