"""Draws of the curves on the common grid of depths, and the pointwise bands from them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.evaluation.passes import shares_at
from core.evaluation.ranking import DEPTH_GRID, GRID_POINTS
from payoff.types import FloatArray

KEPT_BYTES = 192 * 2**20  # with many classes fewer draws are kept, never less than 200
FEWEST_KEPT = 200
LIMITS = (0.025, 0.975)

KeptArray: TypeAlias = NDArray[np.float32]


class BandDraws:
    """Class shares by depth of one model's draws, kept in single precision.

    Parameters
    ----------
    classes : int
    draws : int
        Draws to come.
    """

    def __init__(self, classes: int, draws: int) -> None:
        most = max(KEPT_BYTES // (4 * classes * GRID_POINTS), FEWEST_KEPT)
        self.kept = min(draws, most)
        self._shares: KeptArray = np.full((classes, self.kept, GRID_POINTS), np.nan, np.float32)
        self._blocks: list[tuple[int, FloatArray, FloatArray]] = []
        self.event_share: FloatArray = np.full(self.kept, np.nan)

    def add(self, first: int, events: FloatArray, others: FloatArray, classes: FloatArray) -> None:
        """Keep the draws ``first`` onward.

        Parameters
        ----------
        events, others : (L, B) float64
            Cumulative weights, prior weights applied: their sum is the depth.
        classes : (K, L, B) float64
            Cumulative case weights per class.
        """
        number = min(events.shape[0], self.kept - first)
        if number <= 0:
            return
        shares = np.empty((classes.shape[0], events.shape[0], GRID_POINTS))
        shares_at(events + others, classes, DEPTH_GRID, shares)
        self._shares[:, first : first + number] = shares[:, :number]
        self._blocks.append((first, events[:number], others[:number]))
        whole = events[:number, -1] + others[:number, -1]
        with np.errstate(invalid="ignore", divide="ignore"):
            self.event_share[first : first + number] = events[:number, -1] / whole

    def share_draws(self, weight: FloatArray) -> tuple[KeptArray, KeptArray]:
        """Draws of the shares of the event and of all others among the best, (kept, M) each.

        Parameters
        ----------
        weight : (K,) float64
            What each class counts for among the others.
        """
        others = weight[1:] / weight[1:].sum()
        mixed = np.tensordot(others, np.nan_to_num(self._shares[1:]), axes=1)
        return self._shares[0], mixed.astype(np.float32)

    def class_share_band(self) -> tuple[FloatArray, FloatArray]:
        """Pointwise 95 % limits of the share of each class among the best, (K, M) each."""
        return _limits(self._shares)

    def whole_share_band(self, centre: FloatArray) -> tuple[FloatArray, FloatArray]:
        """95 % limits that hold for all depths at once, of the event's share (M,) around it."""
        return simultaneous_limits(self._shares[0], centre)

    def whole_sensitivity_band(
        self, false_alarms: FloatArray, centre: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """The same for the share of events at given shares of others."""
        return simultaneous_limits(self._sensitivity(false_alarms)[0], centre)

    def _sensitivity(self, false_alarms: FloatArray) -> KeptArray:
        drawn: KeptArray = np.full((1, self.kept, len(false_alarms)), np.nan, np.float32)
        for first, events, others in self._blocks:
            shares = np.empty((1, len(events), len(false_alarms)))
            shares_at(others, events[np.newaxis], false_alarms, shares)
            drawn[:, first : first + len(events)] = shares
        return drawn


def simultaneous_limits(drawn: KeptArray, centre: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Limits that 95 % of whole drawn curves stay within, (M,) each, cut at 0 and 1.

    Each draw's largest distance from the mean draw, in standard errors of the point, is found; the
    95 % point of those distances is the half width everywhere, in standard errors (sup-t band,
    Montiel Olea and Plagborg-Moller 2019).

    Parameters
    ----------
    drawn : (draws, M) array
    centre : (M,) float64 array
        The curve of the data as they are.
    """
    whole = ~np.isnan(drawn).any(axis=1)
    if np.count_nonzero(whole) < 2:
        empty = np.full(len(centre), np.nan)
        return empty, empty.copy()
    curves = drawn[whole].astype(np.float64)
    spread = curves.std(axis=0, ddof=1)
    moves = spread > 1e-9
    if not moves.any():
        return centre.copy(), centre.copy()
    far = np.abs(curves[:, moves] - curves[:, moves].mean(axis=0)) / spread[moves]
    half = float(np.quantile(far.max(axis=1), LIMITS[1] - LIMITS[0])) * spread
    return np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0)


def _limits(drawn: KeptArray) -> tuple[FloatArray, FloatArray]:
    """Quantiles over draws (axis 1); draws without a class are left out."""
    whole = ~np.isnan(drawn[:, :, -1]).any(axis=0)
    if not whole.any():
        empty = np.full((drawn.shape[0], drawn.shape[2]), np.nan)
        return empty, empty.copy()
    low, high = np.quantile(drawn[:, whole], LIMITS, axis=1)
    return low.astype(np.float64), high.astype(np.float64)
