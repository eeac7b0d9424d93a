"""The AKI protocol beside the same loop with scikit-learn, and all bounds for 1,000,000 losses.

Both sides see the same subjects, systems and splits, and fit logistic regression by log loss with
the same penalty, tolerance (1e-4) and cap (100 steps). Ours also works out bounds and effects.
Timed are 6 of the 3,000 fits; ``--whole`` then runs all of ours once.

Run: python -m tests.benchmarks bench_experiments
"""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np
from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from core.data import load
from core.document.experiments.results import Side
from core.document.experiments.spec import SAMPLERS, ExperimentSpec
from core.experiments.bounds import METHODS, compute_error_bound
from core.experiments.experiment import Journal, run_all
from core.experiments.learners import MOST_STEPS, TOLERANCE
from core.experiments.runs import ExperimentRunner
from core.experiments.study import Stream, split_rows, stream
from tests.benchmarks.harness import alternate, print_aim, print_machine, print_race
from tests.helpers.factories.systems import prepare, run_experiment, runner_of

SYSTEMS, SPLITS = 1, 2
TARGET = 2.0
BUDGET = 2.0  # seconds for all bounds
LOSSES = 1_000_000


def peer_run(
    runner: ExperimentRunner, sampler: str, system: int, split: int, tolerance: float = TOLERANCE
) -> float:
    """One run with scikit-learn: scale, fit, predict, mean squared error."""
    inputs = runner.inputs(sampler, system)
    draw = stream(runner.spec.seed, Stream.SPLIT, sampler, system, split)
    train, test = split_rows(runner.study, draw, runner.spec.test_share)
    scaler = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    x = scaler.fit_transform(inputs.raw[train])
    outcome = inputs.system.outcome
    most = MOST_STEPS if tolerance == TOLERANCE else 10_000
    model = LogisticRegression(tol=tolerance, max_iter=most).fit(x, outcome[train])
    probability = model.predict_proba(scaler.transform(inputs.raw[test]))[:, 1]
    return float(np.mean((probability - outcome[test]) ** 2))


def race_runs(spec: ExperimentSpec) -> None:
    """Ours and scikit-learn's loop, plain and on two threads."""
    settled = spec.settled()
    runner = runner_of(prepare(spec, load), settled)
    places = [
        (sampler, system, split)
        for sampler in SAMPLERS
        for system in range(SYSTEMS)
        for split in range(SPLITS)
    ]

    def ours() -> None:
        run_all(runner, Journal(None, ""), on_progress=lambda _: None, should_stop=lambda: False)

    def peer() -> None:
        for place in places:
            peer_run(runner, *place)

    def peer_on_threads() -> None:
        with threadpool_limits(1):  # a thread of BLAS for each of the two
            Parallel(n_jobs=2, backend="threading")(delayed(peer_run)(runner, *p) for p in places)

    record = runner.run("gaussian", 0, 0)[0]
    exact = peer_run(runner, "gaussian", 0, 0, 1e-9)
    theirs = peer_run(runner, "gaussian", 0, 0)
    print(
        f"E_emp of one run: ours {record.error:.6f}, scikit-learn {theirs:.6f}, "
        f"scikit-learn at a tolerance of 1e-9 {exact:.6f}"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        timings = alternate(
            {
                "ours, with bounds and effects": ours,
                "scikit-learn, plain loop": peer,
                "scikit-learn, joblib, 2 threads": peer_on_threads,
            }
        )
    rows, width = runner.inputs("gaussian", 0).raw.shape
    print_race(
        f"AKI protocol: {len(places)} fits, {round(0.8 * rows):,} x {width}, log loss",
        timings,
        TARGET,
    )
    least = min(timing.median for timing in timings[1:]) / timings[0].median
    print(f"  against the faster of both loops: {least:.1f}x")
    print(f"  3,000 fits at this pace: {timings[0].median / len(places) * 3000:.0f} s")


def time_bounds() -> None:
    """Every method once, two-sided, on a million losses."""
    losses = np.random.default_rng(1).beta(0.5, 5.0, LOSSES)
    binary = (losses > 0.3).astype(np.float64)
    compute_error_bound(losses[:100], method="betting")  # compiled before the clock runs
    print(f"\nAll bounds, two-sided, {LOSSES:,} losses")
    total = 0.0
    for method, spec in METHODS.items():
        begun = time.perf_counter()
        found = compute_error_bound(
            binary if spec.needs_binary else losses, method=method, side=Side.TWO
        )
        spent = time.perf_counter() - begun
        total += spent
        print(f"  {spec.label:<22} {spent:7.4f} s   {found.low:.6f} to {found.high:.6f}")
    what = f"all bounds, two-sided, of {LOSSES:,} losses"
    print_aim(what, f"under {BUDGET:g} s", f"{total:.2f} s", total < BUDGET)


def main() -> None:
    print_machine()
    race_runs(ExperimentSpec(systems=SYSTEMS, splits=SPLITS))
    time_bounds()
    if "--whole" in sys.argv:
        begun = time.perf_counter()
        found = run_experiment(ExperimentSpec(), load)
        print(f"\nall {found.done:,} fits of ours: {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
