"""Whom to treat: net gain by depth, the best depth under a constraint, and prices at which models
change places.

The smallest concave curve above an uplift curve: where marginal returns are read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.decisions.ties import TIE_FACTOR, first_best, peak
from core.document.studies.uplift import Choice, PriceAxis
from core.inference.normal import normal_interval
from core.kernels import run_chunks
from core.uplift.ranked.curves import UpliftCurve
from core.uplift.ranked.kernels import fill_folds, upper_hull
from core.uplift.ranked.ranking import UpliftRanking
from payoff.errors import PayoffError, no_such
from payoff.types import BoolArray, FloatArray, IntArray


def envelope_points(curve: UpliftCurve) -> IntArray:
    """Places of the envelope's corners among the curve's points, rising."""
    kept = np.empty(len(curve.x), dtype=np.int64)
    count = upper_hull(curve.x, curve.y, kept)
    return kept[:count]


def envelope_of(curve: UpliftCurve) -> UpliftCurve:
    """The concave envelope. Of a noisy curve it is biased upwards: it follows the lucky peaks."""
    kept = envelope_points(curve)
    return UpliftCurve(curve.x[kept], curve.y[kept], curve.count[kept], curve.skipped)


QUANTITIES = ("gain", "incremental", "return", "targeted", "spent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What one unit of the outcome is worth and what treating costs.

    Attributes
    ----------
    value : float
        Of one unit of the outcome (a visit, a purchase, an amount of money).
    contact : float
        Per treated case.
    redemption : float
        Per unit of the outcome of a treated case, paid for those who would have come anyway too.
    """

    value: float = 1.0
    contact: float = 0.0
    redemption: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Ends within which a quantity must stay: (low, high), infinite where open."""

    bounds: tuple[tuple[str, float, float], ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, tuple[float | None, float | None]]) -> Limits:
        """From a mapping of quantity to (low, high); None = open."""
        bounds = []
        for name, (low, high) in given.items():
            if name not in QUANTITIES:
                raise no_such("quantity", name, QUANTITIES)
            bounds.append(
                (name, -math.inf if low is None else low, math.inf if high is None else high)
            )
        return cls(bounds=tuple(bounds))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Offer:
    """A ranking at some prices: every quantity at (0, 0) and at the end of each group, (G + 1,)."""

    targeted: FloatArray
    incremental: FloatArray
    treated_units: FloatArray
    gain: FloatArray
    spent: FloatArray

    @property
    def mean_return(self) -> FloatArray:
        """Incremental units per treated case: the slope from the origin."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.targeted > 0, self.incremental / self.targeted, 0.0)

    def quantity(self, name: str) -> FloatArray:
        """A quantity by its name."""
        return {
            "gain": self.gain,
            "incremental": self.incremental,
            "return": self.mean_return,
            "targeted": self.targeted,
            "spent": self.spent,
        }[name]


def offer_of(ranking: UpliftRanking, prices: Prices, nu: float = 0.0) -> Offer:
    """All quantities of a ranking; counts are of the cases at hand, were the best all treated.

    ``nu`` is the baseline of the curve that is drawn: what is gained is read off that curve.
    """
    total = ranking.experiment.total
    zero = np.zeros(1)
    targeted = np.concatenate([zero, ranking.count])
    gained = ranking.signed[1] - nu * ranking.signed[2]
    incremental = np.concatenate([zero, gained * total])
    units = np.concatenate([zero, ranking.signed[6] * total])
    return _offer(targeted, incremental, units, prices)


def _offer(
    targeted: FloatArray, incremental: FloatArray, units: FloatArray, prices: Prices
) -> Offer:
    spent = prices.contact * targeted + prices.redemption * units
    return Offer(
        targeted=targeted,
        incremental=incremental,
        treated_units=units,
        gain=prices.value * incremental - spent,
        spent=spent,
    )


def choose_depth(
    ranking: UpliftRanking,
    prices: Prices,
    *,
    quantity: str = "gain",
    limits: Limits | None = None,
    seed: int = 20261,
    with_cross_fit: bool = True,
    nu: float = 0.0,
) -> Choice:
    """Formula (20): the depth with the most of one quantity while others stay within limits.

    Raises
    ------
    PayoffError
        For an unknown quantity, or limits that no depth keeps.
    """
    if quantity not in QUANTITIES:
        raise no_such("quantity", quantity, QUANTITIES)
    limits = limits or Limits()
    offer = offer_of(ranking, prices, nu)
    place = _best_place(offer, quantity, limits)
    low, high = gain_interval(ranking, prices, place, nu=nu)
    crossed = crossed_low = crossed_high = math.nan
    if with_cross_fit:
        crossed, error = cross_fitted_gain(ranking, prices, quantity, limits, seed, nu)
        crossed_low, crossed_high = normal_interval(crossed, error)
    return Choice(
        depth=float(offer.targeted[place] / offer.targeted[-1]),
        threshold=float(ranking.thresholds[place - 1]) if place else math.inf,
        targeted=float(offer.targeted[place]),
        incremental=float(offer.incremental[place]),
        gain=float(offer.gain[place]),
        gain_low=low,
        gain_high=high,
        cross_fitted=crossed,
        cross_fitted_low=crossed_low,
        cross_fitted_high=crossed_high,
        spent=float(offer.spent[place]),
        mean_return=float(offer.mean_return[place]),
        gain_of_all=float(offer.gain[-1]),
        is_nobody=place == 0,
    )


def _best_place(offer: Offer, quantity: str, limits: Limits) -> int:
    allowed = np.ones(len(offer.gain), dtype=bool)
    for name, low, high in limits.bounds:
        values = offer.quantity(name)
        allowed &= (values >= low) & (values <= high)
    if not allowed.any():
        raise PayoffError(
            "No depth keeps all limits.",
            where=", ".join(name for name, _, _ in limits.bounds),
            remedy="Widen a limit.",
        )
    return peak(np.where(allowed, offer.quantity(quantity), np.nan))


def gain_influence(
    ranking: UpliftRanking,
    prices: Prices,
    place: int,
    part: BoolArray | None = None,
    nu: float = 0.0,
) -> FloatArray:
    """What each case adds to the net gain per case of treating the groups before ``place``, (n,).

    Mean 0 over the cases; the numbers treated are taken as they are, the effect is estimated.
    With a ``part`` of the cases the gain is theirs alone, and all others add nothing.
    """
    experiment = ranking.experiment
    inside = ranking.group_of < place
    treated = experiment.treated > 0
    weight = experiment.frequency if part is None else experiment.frequency * part
    total = float(weight.sum())
    down = prices.value * (experiment.outcome - nu) * inside
    up = down - prices.redemption * experiment.outcome * inside
    if experiment.has_propensity:
        e = experiment.propensity
        values = np.where(treated, up / e, -down / (1.0 - e))
        values = values - float(weight @ values) / total
    else:
        t, c = float(weight[treated].sum()), float(weight[~treated].sum())
        mean_t = float(weight[treated] @ up[treated]) / t
        mean_c = float(weight[~treated] @ down[~treated]) / c
        share = t / total
        values = np.where(treated, (up - mean_t) / share, -(down - mean_c) / (1.0 - share))
    return np.asarray(values if part is None else values * part)


def gain_interval(
    ranking: UpliftRanking, prices: Prices, place: int, confidence: float = 0.95, nu: float = 0.0
) -> tuple[float, float]:
    """The interval of the net gain at a fixed cut-off."""
    experiment = ranking.experiment
    gain = float(offer_of(ranking, prices, nu).gain[place])
    psi = gain_influence(ranking, prices, place, nu=nu)
    error = math.sqrt(float(experiment.frequency @ psi**2))
    return normal_interval(gain, error, confidence)


def cross_fitted_gain(
    ranking: UpliftRanking,
    prices: Prices,
    quantity: str,
    limits: Limits,
    seed: int = 20261,
    nu: float = 0.0,
) -> tuple[float, float]:
    """The gain where each half of the cases is treated to the depth the other half chose.

    With its standard error, the depths taken as they are. NaN where a half lacks an arm, or keeps
    no depth within the limits.
    """
    experiment = ranking.experiment
    folds = np.empty(len(experiment), dtype=np.uint8)
    run_chunks(fill_folds, (seed, folds), len(experiment))
    offers = []
    for fold in (0, 1):
        made = _fold_offer(ranking, folds == fold, prices, nu)
        if made is None:
            return math.nan, math.nan
        offers.append(made)
    total = variance = 0.0
    whole = experiment.total
    for own, other in ((0, 1), (1, 0)):
        scale = whole / offers[own].targeted[-1]
        try:
            place = _best_place(_scaled(offers[own], scale, prices), quantity, limits)
        except PayoffError:
            return math.nan, math.nan
        total += float(offers[other].gain[place])
        psi = gain_influence(ranking, prices, place, folds == other, nu)
        variance += float(experiment.frequency @ psi**2)
    return total, math.sqrt(variance)


def _scaled(offer: Offer, scale: float, prices: Prices) -> Offer:
    """An offer of a part of the cases as if it were all of them: limits are about all."""
    return _offer(
        offer.targeted * scale, offer.incremental * scale, offer.treated_units * scale, prices
    )


def _fold_offer(
    ranking: UpliftRanking, inside: BoolArray, prices: Prices, nu: float
) -> Offer | None:
    experiment = ranking.experiment
    weight = experiment.frequency * inside
    treated = experiment.treated > 0
    t, c = float(weight[treated].sum()), float(weight[~treated].sum())
    if t <= 0 or c <= 0:
        return None
    if experiment.has_propensity:
        signed = experiment.signed_weight
    else:
        signed = np.where(treated, (t + c) / t, -(t + c) / c)

    def summed(values: FloatArray) -> FloatArray:
        by_group = np.bincount(ranking.group_of, weights=values, minlength=ranking.groups)
        return np.concatenate([[0.0], np.cumsum(by_group)])

    amount = weight * signed * experiment.outcome
    gained = amount - nu * weight * signed
    return _offer(summed(weight), summed(gained), summed(np.where(treated, amount, 0.0)), prices)


def price_axis(
    rankings: Sequence[UpliftRanking],
    prices: Prices,
    contacts: FloatArray,
    nu: Sequence[float] = (),
) -> PriceAxis:
    """Which model earns most at which price of a contact.

    The best depth at a price is always a corner of the concave envelope of gain over cases. ``nu``
    are the baselines of the rankings' curves; left out = 0. Of rankings of counts, whose cases are
    not paired, a winner is clear where its lead is beyond the sum of both errors.
    """
    nu = nu or [0.0] * len(rankings)
    shape = len(rankings), len(contacts)
    gain, depth = np.empty(shape), np.empty(shape)
    places = np.empty(shape, dtype=np.int64)
    free = Prices(value=prices.value, redemption=prices.redemption)
    for row, ranking in enumerate(rankings):
        offer = offer_of(ranking, free, nu[row])
        corners = envelope_points(UpliftCurve(offer.targeted, offer.gain, offer.targeted))
        net = offer.gain[corners][:, None] - contacts[None, :] * offer.targeted[corners][:, None]
        best = np.array([peak(column) for column in net.T], dtype=np.int64)
        places[row] = corners[best]
        gain[row] = net[best, np.arange(len(contacts))]
        depth[row] = offer.targeted[places[row]] / offer.targeted[-1]
    rounding = TIE_FACTOR * float(np.abs(gain).max(initial=0.0))
    winner = first_best(gain, rounding)
    winner[gain.max(axis=0) <= rounding] = -1
    known: dict[tuple[int, int], FloatArray] = {}  # neighbouring prices share their depths
    is_clear = np.array(
        [
            _is_clear(rankings, free, nu, gain, places, winner, price, rounding, known)
            for price in range(len(contacts))
        ]
    )
    return PriceAxis(
        prices=contacts,
        gain=gain,
        depth=depth,
        winner=winner,
        is_clear=is_clear,
        switches=_switches(contacts, winner, is_clear),
    )


def _is_clear(
    rankings: Sequence[UpliftRanking],
    prices: Prices,
    nu: Sequence[float],
    gain: FloatArray,
    places: IntArray,
    winner: IntArray,
    price: int,
    rounding: float,
    known: dict[tuple[int, int], FloatArray],
) -> bool:
    first = int(winner[price])
    if first < 0:
        return False

    def influence_of(row: int) -> FloatArray:
        key = (row, int(places[row, price]))
        if key not in known:
            for stale in [entry for entry in known if entry[0] == row]:
                del known[stale]
            known[key] = gain_influence(rankings[row], prices, key[1], nu=nu[row])
        return known[key]

    def error_of(*rows: int) -> float:
        gap = influence_of(rows[0]) - (influence_of(rows[1]) if rows[1:] else 0.0)
        return math.sqrt(float(rankings[rows[0]].experiment.frequency @ gap**2))

    is_paired = rankings[first].exact_area is None
    for other in range(len(rankings)):
        if other == first:
            continue
        lead = float(gain[first, price] - gain[other, price])
        # Of counts the cases are not paired: their pairs would not give more than the sum.
        error = error_of(first, other) if is_paired else error_of(first) + error_of(other)
        if lead <= rounding or normal_interval(lead, error)[0] <= 0:
            return False
    return True


def _switches(
    contacts: FloatArray, winner: IntArray, is_clear: np.ndarray
) -> tuple[tuple[float, float, float, int, int], ...]:
    found = []
    for place in range(1, len(contacts)):
        before, after = int(winner[place - 1]), int(winner[place])
        if before == after or after < 0 or before < 0:
            continue
        low = place - 1
        while low >= 0 and not (is_clear[low] and winner[low] == before):
            low -= 1
        high = place
        while high < len(contacts) and not (is_clear[high] and winner[high] == after):
            high += 1
        ends = (
            float(contacts[low]) if low >= 0 else math.nan,
            float(contacts[high]) if high < len(contacts) else math.nan,
        )
        middle = 0.5 * float(contacts[place - 1] + contacts[place])
        found.append((middle, *ends, before, after))
    return tuple(found)
