"""ROC, average precision and gains of 10,000,000 scores, against one call of scikit-learn.

Run: ``python -m tests.benchmarks.bench_curves [rows]``. Ours and the peer alternate in one process;
medians of 5 are printed as a ratio, with the memory each adds at its peak. The sort keeps its two
key buffers (16 bytes a row) from call to call: they are in the first call's peak, printed apart.
"""

from __future__ import annotations

import argparse
import statistics

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from core.evaluation import RankedSample, RankingSummary
from tests.benchmarks.harness import measure

RUNS = 5


def made(rows: int, decimals: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores, 0/1 outcomes and class codes (event 0)."""
    rng = np.random.default_rng(1)
    latent = rng.normal(size=rows)
    outcome = (rng.random(rows) < 1 / (1 + np.exp(3 - latent))).astype(np.int64)
    score = 1 / (1 + np.exp(3 - latent - rng.normal(0, 0.5, rows)))
    if decimals is not None:
        score = np.round(score, decimals)
    return score, outcome, np.where(outcome == 1, 0, 1).astype(np.int32)


def ours(score: np.ndarray, codes: np.ndarray) -> RankingSummary:
    """AUC, average precision, KS and 1,001 points of ROC and gains, from one sort."""
    return RankedSample(score, codes).summary()


def race(rows: int, decimals: int | None) -> None:
    """Print one comparison."""
    score, outcome, codes = made(rows, decimals)
    ours(score[:1000], codes[:1000])  # compiled
    _, first_peak, _ = measure(lambda: ours(score, codes))
    own_times, peer_times, own_peak, peer_peak = [], [], 0, 0
    for _ in range(RUNS):
        seconds, peak, summary = measure(lambda: ours(score, codes))
        own_times.append(seconds)
        own_peak = max(own_peak, peak)
        seconds, peak, _ = measure(lambda: roc_curve(outcome, score))
        peer_times.append(seconds)
        peer_peak = max(peer_peak, peak)
    own, peer = statistics.median(own_times), statistics.median(peer_times)
    area = abs(summary.auc - roc_auc_score(outcome, score))
    precision = abs(summary.average_precision - average_precision_score(outcome, score))
    kind = "all different" if decimals is None else f"rounded to {decimals} decimals (ties)"
    print(f"{rows:,} scores, {kind}; medians of {RUNS}")
    line = "  {:<42}{:8.3f} s   +{:,.0f} MB{}"
    first = f" (first call +{first_peak / 2**20:,.0f} MB)"
    print(line.format("ROC + average precision + gains, one call", own, own_peak / 2**20, first))
    print(line.format("sklearn.metrics.roc_curve", peer, peer_peak / 2**20, ""))
    print(f"  {peer / own:.1f}x; AUC differs by {area:.1e}, average precision by {precision:.1e}")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", nargs="?", type=int, default=10_000_000)
    rows = parser.parse_args().rows
    race(rows, None)
    race(rows, 4)


if __name__ == "__main__":
    main()
