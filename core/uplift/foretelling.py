"""Whether columns foretell who was treated: a permutation test of two cheap learners.

Where the treatment was drawn by lot, any other dealing of the same labels was as likely. So what
the learners make of the labels as they are is held against what they make of labels dealt anew,
and no assumption on columns, learners or sizes is needed. One learner is a ridge plane of the
columns (Hotelling's T-squared, shrunk), the other 40 trees whose splits are drawn without looking
at the labels, whose leaves are compared as a chi-square test does: it sees what is curved or needs
two columns. Both are quadratic in the labels, so that a dealing costs one product.

The p-value is that of the better of the two, made good for having looked at both. Far tails are
those of Pearson's type III curve through the moments of the dealings (Winkler and others, 2016).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import gammaincc, ndtr

from core.inference.delong import weighted_auc
from core.inference.normal import normal_reach
from core.uplift.experiment import Experiment
from payoff.types import BoolArray, FloatArray, IntArray

MOST_CASES = 10_000
MOST_COLUMNS = 300
FEWEST_CASES = 20
"""Of each arm: fewer can hardly show anything."""
_DEALINGS = 1000
_TREES, _DEPTH, _TRIES = 40, 3, 5
_FEWEST_IN_LEAF, _LEAVES = 5, 50
_FOLDS, _SHRINKAGE, _RANKED = 5, 0.1, 60
_FLAT = 0.02  # a skewness below this is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictability:
    """How well the treatment can be told.

    ``auc`` of cases that the learner did not see, with an interval as wide as chance alone makes
    it; ``p_value`` of the columns saying nothing.
    """

    auc: float
    low: float
    high: float
    p_value: float


class CaseSample(NamedTuple):
    """The cases that are looked at: places of their rows, and weights where rows are no counts."""

    places: IntArray
    weight: FloatArray  # (m,), all 1 where weights are counts


def case_sample(experiment: Experiment, seed: int) -> CaseSample:
    """All cases, or a draw of many; a row of weight 2 is two of them, but for sampling weights."""
    draw = np.random.default_rng([seed, 1])
    weight = experiment.frequency
    if experiment.is_sampled:
        places = np.arange(len(experiment))
        if len(places) > MOST_CASES:
            places = np.sort(draw.choice(len(places), MOST_CASES, replace=False))
        return CaseSample(places, weight[places] / weight[places].mean())
    ends = np.cumsum(weight).astype(np.int64)
    chosen = np.arange(ends[-1])
    if len(chosen) > MOST_CASES:
        chosen = np.sort(draw.choice(int(ends[-1]), MOST_CASES, replace=False, shuffle=False))
    places = np.searchsorted(ends, chosen, side="right")
    return CaseSample(places, np.ones(len(places)))


def foretold(
    columns: FloatArray, treated: BoolArray, *, weight: FloatArray | None = None, seed: int = 20261
) -> Predictability | None:
    """How far columns foretell the treatment.

    Parameters
    ----------
    columns : (n, p) float64
        Finite numbers.
    treated : (n,) bool
    weight : (n,) float64, optional
        Sampling weights, which stay with their rows.
    seed : int
        Of dealings, trees and folds.

    Returns
    -------
    Predictability, or None where an arm has too few cases or no column varies
    """
    n = len(treated)
    if min(int(treated.sum()), n - int(treated.sum())) < FEWEST_CASES:
        return None
    w = np.ones(n) if weight is None else weight
    draw = np.random.default_rng([seed, 2])
    x = _standardised(columns, w, draw)
    if not x.shape[1]:
        return None
    leaves = _leaves(x, draw)
    labels = np.tile(treated.astype(np.float64), (_DEALINGS + 1, 1))
    draw.permuted(labels[1:], axis=1, out=labels[1:])
    labels -= (labels @ w / w.sum())[:, np.newaxis]
    labels *= w
    of_trees = ((labels @ leaves) ** 2 / (w @ leaves)).sum(axis=1)
    p_value = _of_better(tails(_plane(x, w, labels)), tails(of_trees))
    leaves -= w @ leaves / w.sum()
    both = np.hstack([x / np.sqrt(x.shape[1]), leaves * (2.0 / np.sqrt(_TREES))])
    areas = _unseen_areas(both, w, labels[: _RANKED + 1], draw)
    reach = normal_reach() * float(areas[1:].std())
    auc = float(areas[0])
    return Predictability(
        auc=_settled(auc),
        low=_settled(max(auc - reach, 0.0)),
        high=_settled(min(auc + reach, 1.0)),
        p_value=_settled(p_value),
    )


def _settled(value: float) -> float:
    """A figure without its last digits, which the order moves in which threads add up."""
    return float(f"{value:.9g}")


def _standardised(columns: FloatArray, w: FloatArray, draw: np.random.Generator) -> FloatArray:
    """Columns of mean 0 and sd 1, those that vary; of very many, random mixtures."""
    size = np.abs(columns).max(axis=0, initial=0.0)
    scaled = columns / np.where(size > 0, size, 1.0)
    centred = scaled - w @ scaled / w.sum()
    spread = np.sqrt(w @ centred**2 / w.sum())
    varies = spread > 1e-9
    x = np.asarray(centred[:, varies] / spread[varies])
    if x.shape[1] <= MOST_COLUMNS:
        return x
    mixed = x @ draw.choice((-1.0, 1.0), (x.shape[1], MOST_COLUMNS))
    return np.asarray(mixed / np.sqrt(w @ mixed**2 / w.sum()))


def _plane(x: FloatArray, w: FloatArray, labels: FloatArray) -> FloatArray:
    """Of every dealing how far the arms' means are apart, in the spread of the columns, shrunk."""
    sums = labels @ x
    spread = (x.T * w) @ x / w.sum() + np.eye(x.shape[1])
    return np.asarray((sums * np.linalg.solve(spread, sums.T).T).sum(axis=1))


def _leaves(x: FloatArray, draw: np.random.Generator) -> FloatArray:
    """(n, L) 0/1: in which leaf of each tree a case is; the splits look at columns alone."""
    n = len(x)
    fewest = max(_FEWEST_IN_LEAF, n // _LEAVES)
    found = []
    for _ in range(_TREES):
        waiting = [(np.arange(n), 0)]
        while waiting:
            rows, depth = waiting.pop()
            parts = _split(x, rows, fewest, draw) if depth < _DEPTH else None
            if parts is not None:
                waiting += [(part, depth + 1) for part in parts]
                continue
            leaf = np.zeros(n)
            leaf[rows] = 1.0
            found.append(leaf)
    return np.column_stack(found)


def _split(
    x: FloatArray, rows: IntArray, fewest: int, draw: np.random.Generator
) -> tuple[IntArray, IntArray] | None:
    """Cases of a node parted at a case's value of a column, both drawn; None: too few to part."""
    if len(rows) < 2 * fewest:
        return None
    for _ in range(_TRIES):
        values = x[rows, draw.integers(x.shape[1])]
        is_below = values <= values[draw.integers(len(rows))]
        if fewest <= np.count_nonzero(is_below) <= len(rows) - fewest:
            return rows[is_below], rows[~is_below]
    return None


def tails(draws: FloatArray) -> FloatArray:
    """How likely something as large is, for each, by the moments of all but the first."""
    dealt = draws[1:]
    spread = dealt.std(ddof=1)
    if not spread > 0:
        return np.ones(len(draws))
    z = (draws - dealt.mean()) / spread
    skew = float(np.mean(((dealt - dealt.mean()) / spread) ** 3))
    if skew < _FLAT:
        return np.asarray(ndtr(-z))
    shape = 4.0 / skew**2
    return np.asarray(gammaincc(shape, np.maximum(shape + z * np.sqrt(shape), 0.0)))


def _of_better(first: FloatArray, second: FloatArray) -> float:
    """The p-value of the better of two: as of one to two independent looks, by the dealings."""
    better = np.minimum(np.minimum(first, second), 1.0 - 1e-12)
    looks = float(np.clip(1.0 / np.mean(-np.log1p(-better[1:])), 1.0, 2.0))
    return float(-np.expm1(looks * np.log1p(-better[0])))


def _unseen_areas(
    x: FloatArray, w: FloatArray, labels: FloatArray, draw: np.random.Generator
) -> FloatArray:
    """AUC of every dealing by ridge planes that did not see the case."""
    n = len(x)
    order = draw.permutation(n)
    x, w, labels = x[order], w[order], np.ascontiguousarray(labels[:, order])
    whole, sums = (x.T * w) @ x, labels @ x
    reported = np.empty_like(labels)
    edges = np.linspace(0, n, _FOLDS + 1).astype(int)
    for own in itertools.starmap(slice, itertools.pairwise(edges)):
        part = x[own]
        spread = whole - (part.T * w[own]) @ part
        spread[np.diag_indices_from(spread)] += _SHRINKAGE * n
        slopes = np.linalg.solve(spread, (sums - labels[:, own] @ part).T)
        reported[:, own] = (part @ slopes).T
    return np.array(
        [weighted_auc(score, own > 0, w) for score, own in zip(reported, labels, strict=True)]
    )
