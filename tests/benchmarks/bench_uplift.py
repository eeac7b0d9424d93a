"""Uplift curves, areas, errors and resamples, beside scikit-uplift where it is installed.

Run: python -m tests.benchmarks.bench_uplift [ROWS]
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable

import numpy as np

from core.uplift.areas import area_of, areas_of
from core.uplift.curves import JOINT_CODES, SEPARATE_CODES, curve_of
from core.uplift.experiment import make_experiment
from core.uplift.ranking import UpliftRanking
from core.uplift.resampling import draw_curves

GRID = np.linspace(0.0, 1.0, 1_000)
REPEATS = 5


def made(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Outcome, treatment and score of a made-up experiment."""
    draw = np.random.default_rng(1)
    x = draw.random(rows)
    treated = draw.random(rows) < 0.5
    outcome = (draw.random(rows) < 0.2 + treated * 0.1 * (x - 0.3)).astype(np.float64)
    return outcome, treated, x


def median(action: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median seconds after one run to warm up."""
    action()
    seconds = []
    for _ in range(repeats):
        begun = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - begun)
    return float(np.median(seconds))


def everything(outcome: np.ndarray, treated: np.ndarray, score: np.ndarray) -> object:
    """Sort, every Table 1 variant, plain and generalised: curve, area, errors."""
    ranking = UpliftRanking(make_experiment(outcome, treated), score)
    return areas_of(ranking, (*JOINT_CODES, *SEPARATE_CODES))


def short(outcome: np.ndarray, treated: np.ndarray, score: np.ndarray) -> object:
    """Sort, Qini and AUUC, and 1,000 points of the curve."""
    ranking = UpliftRanking(make_experiment(outcome, treated), score)
    qini, auuc = (area_of(ranking, v) for v in ("qini_joint_absolute", "uplift_joint_absolute"))
    return qini, auuc, curve_of(ranking, "qini_joint_absolute").at(GRID)


def main(rows: int) -> None:
    """Print the figures."""
    outcome, treated, score = made(rows)
    ours = median(lambda: everything(outcome, treated, score))
    print(f"{rows:,} rows: every variant, area and error {ours:.3f} s")
    brief = median(lambda: short(outcome, treated, score))
    print(f"{rows:,} rows: Qini, AUUC, 1,000-point curve {brief:.3f} s")
    if rows <= 2_000_000:
        ranking = UpliftRanking(make_experiment(outcome, treated), score)
        drawn = median(lambda: draw_curves([ranking], nu=[0.0], draws=1_000, keep_heights=False), 3)
        print(f"{rows:,} rows: 1,000 resamples {drawn:.3f} s")
    try:
        from sklift.metrics import qini_auc_score, uplift_auc_score, uplift_curve
    except ImportError:
        print("scikit-uplift is not installed: no figures beside these")
        return
    arm = treated.astype(np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in (qini_auc_score, uplift_auc_score, uplift_curve):
            theirs = median(lambda call=call: call(outcome, score, arm), 3)
            print(
                f"{rows:,} rows: scikit-uplift {call.__name__} {theirs:.3f} s, "
                f"{theirs / ours:.1f} x all of ours, {theirs / brief:.1f} x the short one"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
