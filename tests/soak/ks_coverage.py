"""How often the interval of KS holds the true value, over populations whose KS is known.

Run: ``python -m tests.soak.ks_coverage [samples] [--rows N ...]`` prints a line per population and
size: the share held by the built-in limits, and by draws of the cases less twice their bias.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

import payoff
from core.inference.resampled import (
    draw_limits,
)
from payoff.types import BoolArray, FloatArray
from plugins.metrics.ks_limits import ks_limits

TRUE_ROWS = 4_000_000
DRAWS = 200

Cases = tuple[BoolArray, FloatArray]
Population = Callable[[int, np.random.Generator], Cases]


def binormal(apart: float, share: float, step: float = 0.0, spread: float = 1.0) -> Population:
    """Normal scores, those of events ``apart`` higher; rounded to ``step`` where it is given."""

    def draw(rows: int, random: np.random.Generator) -> Cases:
        event = random.random(rows) < share
        score = random.normal(size=rows) * np.where(event, spread, 1.0) + apart * event
        return event, np.round(score / step) * step if step else score

    return draw


def rounded_beta(rows: int, random: np.random.Generator) -> Cases:
    """Scores between 0 and 1 in steps of 0.05."""
    event = random.random(rows) < 0.3
    score = np.where(event, random.beta(3, 2, rows), random.beta(2, 3, rows))
    return event, np.round(score * 20.0) / 20.0


POPULATIONS: dict[str, Population] = {
    "0 apart": binormal(0.0, 0.3),
    "0.3 apart": binormal(0.3, 0.3),
    "0.3 apart, 5 % events": binormal(0.3, 0.05),
    "1 apart": binormal(1.0, 0.3),
    "1 apart, 5 % events": binormal(1.0, 0.05),
    "1 apart, rounded to halves": binormal(1.0, 0.3, step=0.5),
    "2 apart": binormal(2.0, 0.3),
    "2 apart, 5 % events": binormal(2.0, 0.05),
    "0.5 apart, events spread twice as wide": binormal(0.5, 0.3, spread=2.0),
    "beta scores with ties": rounded_beta,
}


def largest_gap(event: BoolArray, score: FloatArray) -> float:
    """KS by definition."""
    order = np.argsort(-score, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(score[order])), len(score) - 1)
    found = np.cumsum(event[order])[ends]
    others = ends + 1 - found
    return float(np.abs(found / found[-1] - others / others[-1]).max())


def drawn_limits(event: BoolArray, score: FloatArray, seed: int) -> tuple[float, float]:
    """Limits from Poisson draws of the cases, twice their bias taken off."""
    order = np.argsort(-score, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(score[order])), len(score) - 1)
    weight = np.random.default_rng(seed).poisson(1.0, (DRAWS, len(score))).astype(np.float64)
    found = np.cumsum(weight * event[order], axis=1)[:, ends]
    others = np.cumsum(weight * ~event[order], axis=1)[:, ends]
    with np.errstate(invalid="ignore"):
        gaps = np.abs(found / found[:, -1:] - others / others[:, -1:]).max(axis=1)
    value = largest_gap(event, score)
    return draw_limits(value, gaps, value, units=int(event.sum()), is_maximum=True)


def coverage(name: str, rows: int, samples: int) -> tuple[float, float]:
    """Shares of samples in which the built-in limits and the draws hold the true value."""
    population = POPULATIONS[name]
    true = 0.0 if name == "0 apart" else largest_gap(*population(TRUE_ROWS, _random(name, 0)))
    random = _random(name, rows)
    held = np.zeros(2)
    for _ in range(samples):
        event, score = population(rows, random)
        while not 2 <= event.sum() <= rows - 2:
            event, score = population(rows, random)
        sample = payoff.Sample(np.where(event, 0, 1), score, labels=("yes", "no"))
        drawn = drawn_limits(event, score, int(random.integers(1 << 31)))
        # A perfect ranking has no limits of its own: the table draws.
        own = ks_limits(sample, {}) or drawn
        for place, (low, high) in enumerate((own[:2], drawn)):
            held[place] += max(low, 0.0) <= true + 1e-12 and true - 1e-12 <= min(high, 1.0)
    return float(held[0] / samples), float(held[1] / samples)


def _random(name: str, rows: int) -> np.random.Generator:
    return np.random.default_rng([rows, *name.encode()])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.ks_coverage")
    parser.add_argument("samples", nargs="?", type=int, default=1_000)
    parser.add_argument("--rows", nargs="+", type=int, default=(150, 600))
    requested = parser.parse_args()
    print("| population | cases | built in | draws of the cases |\n|---|---|---|---|")
    for name in POPULATIONS:
        for rows in requested.rows:
            own, drawn = coverage(name, rows, requested.samples)
            print(f"| {name} | {rows:,} | {100 * own:.1f}% | {100 * drawn:.1f}% |", flush=True)


if __name__ == "__main__":
    main()
