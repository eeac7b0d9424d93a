"""Limits of an expected loss from losses on cases that the model has not seen.

Ten methods under one roof. Each works on losses scaled to [0, 1] and gives an upper limit; lower
limits are those of the reflected losses, two-sided ones take half the failure on each side (the
betting and PrPl-EB methods bet with ln(2/s)).

Kernels of the bounds that depend on the order of the losses (Waudby-Smith and Ramdas 2024).

Bounds of a mean in closed form, for losses in [0, 1]: their mean, variance and number suffice.

Every function gives an **upper** limit that fails with probability ``failure`` at most. Lower
limits are those of 1 - loss, reflected; two-sided ones are asked for at half the failure.

How many cases a bound needs to come within a margin of the mean loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from core.document.experiments.results import BoundCondition, ConditionState, ErrorBound, Side
from core.experiments.losses import LossSource, check_confidence, prepare_losses
from core.inference import resampled
from core.inference.intervals import clopper_pearson_upper, student_point
from core.inference.normal import normal_quantile
from core.kernels import own_kernel
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.intervals import wilson_interval
from payoff.types import FloatArray

BLOCK = 64  # factors multiplied before a logarithm: none of them leaves [0.5, 7]


@own_kernel
def predictable_bets(loss: FloatArray, level: float, bet: FloatArray) -> tuple[float, float, float]:
    """Fill the bets of a fixed sample size and sum what PrPl-EB needs of them.

    Parameters
    ----------
    loss : float64 (n,)
        In [0, 1], in their fixed order.
    level : float
        ln(1/s) one-sided, ln(2/s) two-sided.
    bet : float64 (n,)
        Filled: sqrt(2 level / (n s²)), s² of the losses before, regularised.

    Returns
    -------
    tuple of float
        Sum of capped bets, of capped bets times losses, and of (loss - mean before)² psi(bet).
    """
    n = loss.shape[0]
    total, spread, mean = 0.5, 0.25, 0.5
    sum_bet, sum_weighted, sum_variance = 0.0, 0.0, 0.0
    for place in range(n):
        variance = spread / (place + 1.0)
        bet[place] = math.sqrt(2.0 * level / (n * variance))
        capped = min(bet[place], 0.5)
        x = loss[place]
        sum_bet += capped
        sum_weighted += capped * x
        sum_variance += (x - mean) ** 2 * (-math.log1p(-capped) - capped)
        total += x
        mean = total / (place + 2.0)
        spread += (x - mean) ** 2
    return sum_bet, sum_weighted, sum_variance


@own_kernel
def log_capital_below(loss: FloatArray, bet: FloatArray, mean: float) -> float:
    """Log of the wealth of betting that the mean lies below ``mean``: K- of the source.

    Rises with ``mean``. Factors are multiplied in fixed blocks, so that the answer is always the
    same.
    """
    n = loss.shape[0]
    most = 0.5 / (1.0 - mean) if mean < 1.0 else np.inf
    log_wealth = 0.0
    for start in range(0, n, BLOCK):
        product = 1.0
        for place in range(start, min(n, start + BLOCK)):
            product *= 1.0 - min(bet[place], most) * (loss[place] - mean)
        log_wealth += math.log(product)
    return log_wealth


@own_kernel
def largest_mean(loss: FloatArray, bet: FloatArray, level: float, tolerance: float) -> float:
    """The largest mean that the bets do not refute: log K- below ``level``; 1 if none is refuted.

    Found between the sample mean and 1 by halving; the answer is rounded towards 1.
    """
    low, high = 0.0, 1.0
    if log_capital_below(loss, bet, 1.0 - 1e-12) < level:
        return 1.0
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        if log_capital_below(loss, bet, middle) < level:
            low = middle
        else:
            high = middle
    return high


def hoeffding(mean: float, n: int, failure: float) -> float:
    """Hoeffding 1963, theorem 2: mean + sqrt(ln(1/s) / 2n)."""
    return mean + math.sqrt(math.log(1.0 / failure) / (2.0 * n))


def divergence(a: float, b: float) -> float:
    """The Kullback-Leibler divergence of two chances of one event."""
    value: float = float(special.rel_entr(a, b) + special.rel_entr(1.0 - a, 1.0 - b))
    return value


def chernoff_kl(mean: float, n: int, failure: float) -> float:
    """Hoeffding 1963, theorem 1: the largest q with kl(mean, q) <= ln(1/s)/n."""
    room = math.log(1.0 / failure) / n
    if mean >= 1.0:
        return 1.0
    if mean <= 0.0:
        return -math.expm1(-room)
    top = math.nextafter(1.0, 0.0)
    if divergence(mean, top) <= room:
        return 1.0
    found: float = optimize.brentq(lambda q: divergence(mean, q) - room, mean, top, xtol=1e-15)
    return found


def empirical_bernstein(mean: float, variance: float, n: int, failure: float) -> float:
    """Maurer and Pontil 2009, theorem 4; ``variance`` with divisor n - 1."""
    level = math.log(2.0 / failure)
    return mean + math.sqrt(2.0 * variance * level / n) + 7.0 * level / (3.0 * (n - 1))


def wilson(mean: float, n: int, failure: float) -> float:
    """Wilson 1927, for 0/1 losses; approximate."""
    z = -normal_quantile(failure)
    return float(wilson_interval(np.array([mean]), np.array([float(n)]), z=z)[1][0])


def student_t(mean: float, variance: float, n: int, failure: float) -> float:
    """The textbook interval of a mean; approximate, and poor for few skewed losses."""
    return mean - student_point(n - 1, failure) * math.sqrt(variance / n)


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
        return hoeffding(mean, n, failure)
    if method == "kl":
        return chernoff_kl(mean, n, failure)
    if method == "clopper_pearson":
        return clopper_pearson_upper(int(np.count_nonzero(loss > 0.5)), n, failure)
    if method == "wilson":
        return wilson(mean, n, failure)
    variance = float(loss.var(ddof=1))
    if method == "student_t":
        _refuse_one_value(loss, "Student's t")
        return student_t(mean, variance, n, failure)
    return empirical_bernstein(mean, variance, n, failure)


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


MOST = 10**12

PLANNED = ("hoeffding", "kl", "empirical_bernstein", "clopper_pearson", "wilson", "student_t")


def cases_needed(
    margin: float,
    *,
    method: str = "hoeffding",
    confidence: float = 0.95,
    side: Side = Side.UPPER,
    loss_range: tuple[float, float] = (0.0, 1.0),
    chosen_among: int = 1,
    expected_loss: float | None = None,
    expected_sd: float | None = None,
) -> int:
    """The smallest number of losses at which the limit lies within ``margin`` of the mean.

    Parameters
    ----------
    margin : float
        In units of the loss.
    method : str
        Hoeffding needs no guess; kl, clopper_pearson and wilson need ``expected_loss``, empirical
        Bernstein and Student t ``expected_sd``.

    Raises
    ------
    PayoffError
        For a margin that is not positive, a missing guess, or a method that cannot be planned.
    """
    span = loss_range[1] - loss_range[0]
    if not (math.isfinite(margin) and margin > 0.0 and span > 0.0):
        raise PayoffError(f"The margin is {margin:g}.", why="It must be above 0.")
    failure = check_confidence(confidence) / max(1, chosen_among)
    if side is Side.TWO:
        failure /= 2.0
    mean = None if expected_loss is None else (expected_loss - loss_range[0]) / span
    sd = None if expected_sd is None else expected_sd / span
    width = _width(method, mean, sd, failure)
    wanted = margin / span
    low, high = 1, 2  # the width at ``low`` is too large, or low = 1
    while width(high) > wanted:
        low, high = high, high * 2
        if high > MOST:
            raise PayoffError("No sample of a trillion cases reaches this margin.")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if width(middle) <= wanted else (middle, high)
    return low if width(low) <= wanted else high


def _width(
    method: str, mean: float | None, sd: float | None, failure: float
) -> Callable[[int], float]:
    """The distance from the mean to the upper limit, by the number of losses."""
    if method == "hoeffding":
        return lambda n: hoeffding(0.0, n, failure)
    if method in ("kl", "clopper_pearson", "wilson"):
        if mean is None or not 0.0 <= mean <= 1.0:
            raise PayoffError(
                f"The number of cases for '{method}' depends on the loss to come.",
                remedy="Give expected_loss, within the range of the loss.",
            )
        known = mean
        if method == "clopper_pearson":
            return lambda n: clopper_pearson_upper(math.ceil(known * n), n, failure) - known
        limit = chernoff_kl if method == "kl" else wilson
        return lambda n: limit(known, n, failure) - known
    if method in ("empirical_bernstein", "student_t"):
        if sd is None or sd < 0.0:
            raise PayoffError(
                f"The number of cases for '{method}' depends on how much losses differ.",
                remedy="Give expected_sd, the standard deviation of the losses.",
            )
        form = empirical_bernstein if method == "empirical_bernstein" else student_t
        spread = sd * sd
        return lambda n: form(0.0, spread, n, failure) if n > 1 else math.inf
    raise PayoffError(
        f"The number of cases for '{method}' cannot be worked out beforehand.",
        remedy=f"There are: {', '.join(PLANNED)}.",
    )
