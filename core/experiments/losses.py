"""The losses a bound is asked for: what is known of them, and when no bound may be given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class LossSource:
    """Where losses come from, as far as the caller knows.

    Attributes
    ----------
    trained_on : bool
        The model was trained (or stopped) on these very rows.
    pooled_splits : int
        Random splits of one data set whose test losses are pooled; 1 = a single test set.
    ids : array (n,) or None
        What each loss belongs to; repeated ids make losses depend on each other.
    clusters : array (n,) or None
        One loss per cluster is wanted: the mean of its losses.
    chosen_among : int
        Models of which this one was the best on these rows.
    one_block : str
        Why all losses share one shock ("10 days of one market"); empty where they do not.
    clipped : int
        Predictions that had to be clipped into the declared range.
    """

    trained_on: bool = False
    pooled_splits: int = 1
    ids: np.ndarray | None = None
    clusters: np.ndarray | None = None
    chosen_among: int = 1
    one_block: str = ""
    clipped: int = 0


def check_confidence(confidence: float) -> float:
    """The failure probability that a confidence leaves."""
    if isinstance(confidence, bool) or not 0.0 < confidence < 1.0:
        guess = confidence / 100 if 1.0 < confidence < 100.0 else 0.95
        raise PayoffError(
            f"The confidence is {confidence:g}.",
            why="It must lie between 0 and 1, both left out.",
            remedy=f"Did you mean {guess:.4g}?",
        )
    return 1.0 - confidence


def prepare_losses(losses: FloatArray, source: LossSource) -> FloatArray:
    """Losses as float64, one per cluster where clusters are given; refuses what allows no bound.

    Raises
    ------
    PayoffError
        For no losses, losses that are missing, training losses, pooled splits and repeated ids.
    """
    loss = np.ascontiguousarray(losses, dtype=np.float64)
    if loss.ndim != 1 or loss.shape[0] == 0:
        raise PayoffError(
            "There are no losses.",
            why="A bound needs a test set of one case or more.",
            remedy="Give a larger test share.",
        )
    bad = np.flatnonzero(~np.isfinite(loss))
    if len(bad):
        raise PayoffError(
            "A loss is missing or infinite.", where=f"loss {bad[0] + 1:,} of {len(loss):,}"
        )
    if source.trained_on:
        raise PayoffError(
            "No bound can be given on the rows that trained the model.",
            why="Its losses there are smaller than on new cases, by an amount nobody knows.",
            remedy="Use rows that took no part in training or stopping.",
        )
    if source.pooled_splits > 1:
        raise PayoffError(
            f"No bound can be given for {source.pooled_splits} pooled splits.",
            why="Test sets of random splits share cases, so that their losses are not independent.",
            remedy="Ask for the bound of one split: its number of losses counts, not their sum.",
        )
    if source.clusters is not None:
        return _one_per_cluster(loss, np.asarray(source.clusters))
    _refuse_repeats(source.ids)
    return loss


def _one_per_cluster(loss: FloatArray, clusters: np.ndarray) -> FloatArray:
    """The mean loss of every cluster, in the order in which clusters first appear."""
    if len(clusters) != len(loss):
        raise PayoffError(
            f"{counted(len(clusters), 'cluster is', 'clusters are')} given for "
            f"{counted(len(loss), 'loss', 'losses')}."
        )
    _, first, number = np.unique(clusters, return_index=True, return_inverse=True)
    means = np.bincount(number, weights=loss) / np.bincount(number)
    ordered: FloatArray = means[np.argsort(first, kind="stable")]
    return ordered


def _refuse_repeats(ids: np.ndarray | None) -> None:
    if ids is None:
        return
    names, counts = np.unique(np.asarray(ids), return_counts=True)
    repeated = names[counts > 1]
    if len(repeated):
        raise PayoffError(
            "No bound can be given where several losses belong to one case.",
            where=f"id {repeated[0]}, {counted(int(counts[counts > 1][0]), 'loss', 'losses')}; "
            f"{counted(len(repeated), 'id is', 'ids are')} repeated",
            why="Losses of one case depend on each other.",
            remedy="Ask for one loss per id (a cluster); the number of ids then counts.",
        )
