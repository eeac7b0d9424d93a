"""Uplift curves, areas, errors and resamples, beside scikit-uplift where it is installed.

Run: python -m tests.benchmarks.bench_uplift [ROWS [REPEATS]]
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable

import numpy as np

from core.uplift.experiment import make_experiment
from core.uplift.ranked.areas import areas_of
from core.uplift.ranked.curves import JOINT_CODES, SEPARATE_CODES, heights_at
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.resampling import draw_curves
from payoff.types import FloatArray

GRID = np.linspace(0.0, 1.0, 1_000)
REPEATS = 3


def made(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Outcome, treatment and score of a made-up experiment."""
    draw = np.random.default_rng(1)
    x = draw.random(rows)
    treated = draw.random(rows) < 0.5
    outcome = (draw.random(rows) < 0.2 + treated * 0.1 * (x - 0.3)).astype(np.float64)
    return outcome, treated, x


def seconds_of(action: Callable[[], object]) -> tuple[float, float]:
    """Seconds, and processor seconds over all threads, of one run."""
    begun, used = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - begun, time.process_time() - used


def medians(actions: dict[str, Callable[[], object]], repeats: int) -> dict[str, FloatArray]:
    """Median seconds and processor seconds of each action, the actions taking turns.

    One round to warm up goes before. In turns, so that none of them has memory, a machine or a
    moment of its own.
    """
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in actions}
    for turn in range(repeats + 1):
        for name, action in actions.items():
            taken = seconds_of(action)
            if turn:
                found[name].append(taken)
    return {name: np.median(np.array(runs), axis=0) for name, runs in found.items()}


def everything(outcome: np.ndarray, treated: np.ndarray, score: np.ndarray) -> object:
    """Sort, every Table 1 variant, plain and generalised: curve, area, errors."""
    ranking = UpliftRanking(make_experiment(outcome, treated), score)
    return areas_of(ranking, (*JOINT_CODES, *SEPARATE_CODES))


def short(outcome: np.ndarray, treated: np.ndarray, score: np.ndarray) -> object:
    """Sort, Qini and AUUC, and 1,000 points of the curve."""
    ranking = UpliftRanking(make_experiment(outcome, treated), score)
    areas = areas_of(ranking, ("qini_joint_absolute", "uplift_joint_absolute"))
    return areas, heights_at(ranking, "qini_joint_absolute", GRID)


def theirs(
    outcome: np.ndarray, treated: np.ndarray, score: np.ndarray
) -> dict[str, Callable[[], object]]:
    """scikit-uplift's two areas and its curve at 1,000 depths, where it is installed."""
    try:
        from sklift.metrics import qini_auc_score, qini_curve, uplift_auc_score
    except ImportError:
        return {}
    arm = treated.astype(np.int64)

    def curve() -> object:
        x, y = qini_curve(outcome, score, arm)
        return np.interp(GRID * len(score), x, y)

    return {
        "scikit-uplift qini_auc_score": lambda: qini_auc_score(outcome, score, arm),
        "scikit-uplift uplift_auc_score": lambda: uplift_auc_score(outcome, score, arm),
        "scikit-uplift qini_curve": curve,
    }


def main(rows: int, repeats: int) -> None:
    """Print the figures."""
    warnings.simplefilter("ignore")
    data = made(rows)
    ours: dict[str, Callable[[], object]] = {
        "Payoff, Qini, AUUC, 1,000-point curve": lambda: short(*data),
        "Payoff, every variant, area and error": lambda: everything(*data),
    }
    others = theirs(*data)
    found = medians({**others, **ours}, repeats)
    for name, (seconds, used) in found.items():
        print(f"{rows:,} rows: {name} {seconds:.3f} s ({used:.2f} s of processors)")
    for name in ours if others else ():
        one, all_three = found["scikit-uplift qini_auc_score"], sum(found[n] for n in others)
        single, three = one / found[name], all_three / found[name]
        print(
            f"{name}: {single[0]:.1f} x faster than qini_auc_score alone, {three[0]:.1f} x than "
            f"the three calls; by processor time {single[1]:.1f} x and {three[1]:.1f} x"
        )
    if rows <= 2_000_000:
        ranking = UpliftRanking(make_experiment(*data[:2]), data[2])

        def draws() -> object:
            return draw_curves([ranking], nu=[0.0], draws=1_000, keep_heights=False)

        print(f"{rows:,} rows: 1,000 resamples {medians({'draws': draws}, 3)['draws'][0]:.3f} s")


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(given[0] if given else 1_000_000, given[1] if len(given) > 1 else REPEATS)
