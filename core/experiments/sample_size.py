"""How many cases a bound needs to come within a margin of the mean loss."""

from __future__ import annotations

import math
from collections.abc import Callable

from core.document.experiments.results import Side
from core.experiments import closed_bounds as closed
from core.experiments.losses import check_confidence
from core.inference.intervals import clopper_pearson_upper
from payoff.errors import PayoffError

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
        return lambda n: closed.hoeffding(0.0, n, failure)
    if method in ("kl", "clopper_pearson", "wilson"):
        if mean is None or not 0.0 <= mean <= 1.0:
            raise PayoffError(
                f"The number of cases for '{method}' depends on the loss to come.",
                remedy="Give expected_loss, within the range of the loss.",
            )
        known = mean
        if method == "clopper_pearson":
            return lambda n: clopper_pearson_upper(math.ceil(known * n), n, failure) - known
        limit = closed.chernoff_kl if method == "kl" else closed.wilson
        return lambda n: limit(known, n, failure) - known
    if method in ("empirical_bernstein", "student_t"):
        if sd is None or sd < 0.0:
            raise PayoffError(
                f"The number of cases for '{method}' depends on how much losses differ.",
                remedy="Give expected_sd, the standard deviation of the losses.",
            )
        form = closed.empirical_bernstein if method == "empirical_bernstein" else closed.student_t
        spread = sd * sd
        return lambda n: form(0.0, spread, n, failure) if n > 1 else math.inf
    raise PayoffError(
        f"The number of cases for '{method}' cannot be worked out beforehand.",
        remedy=f"There are: {', '.join(PLANNED)}.",
    )
