"""How often intervals hold the true value: made-up cases drawn again and again.

Run: ``python -m tests.soak.interval_coverage [samples [task ...]] [--rows N] [--only metric ...]``
prints the table of docs/evaluation.md; tasks are binary, regression and survival, all where none is
named.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np

import payoff
from core.document.results import RowsNote
from core.evaluation import EvaluationProblem, JudgedScores, MetricRequest, assess
from plugins.metrics.hooks import payoff_register_metrics

METRICS = {spec.id: spec for spec in payoff_register_metrics()}
ROWS = 600
TRUE_ROWS = 3_000_000
DRAWS = 400
BINARY = (
    "auc",
    "gini",
    "ks",
    "partial_auc",
    "h_measure",
    "average_precision",
    "lift_at",
    "captured_at",
    "log_loss",
    "brier",
    "brier_skill",
    "accuracy",
    "balanced_accuracy",
    "precision",
    "recall",
    "specificity",
    "f_beta",
    "youden",
    "mcc",
    "kappa",
    "net_benefit",
    "calibration_slope",
    "calibration_intercept",
)
NUMBERS = (
    "rmse",
    "mse",
    "mae",
    "median_absolute_error",
    "r2",
    "explained_variance",
    "pinball",
    "pair_concordance",
)
SURVIVAL = (
    "concordance",
    "uno_concordance",
    "survival_brier",
    "survival_auc",
    "integrated_brier",
)
TRUE_CASES = {"binary": TRUE_ROWS, "regression": TRUE_ROWS, "survival": 400_000}
"""Cases that give the true values of a task."""
_PARAMETERS = {
    "lift_at": {"depth": 0.2},
    "captured_at": {"depth": 0.2},
    "precision": {"threshold": 0.3},
    "recall": {"threshold": 0.3},
    "specificity": {"threshold": 0.3},
    "survival_brier": {"time": 1.0},
    "survival_auc": {"time": 1.0},
    "integrated_brier": {"time": 1.0},
    "uno_concordance": {"until": 2.0},
}


def _requests(names: tuple[str, ...], only: Sequence[str]) -> tuple[MetricRequest, ...]:
    return tuple(
        MetricRequest(spec=METRICS[name], parameters=tuple(_PARAMETERS.get(name, {}).items()))
        for name in names
        if name in only or not only
    )


def binary_cases(rows: int, random: np.random.Generator) -> dict[str, np.ndarray]:
    """Chances that are a little too extreme, about 30 % events."""
    latent = random.normal(size=rows)
    happened = random.random(rows) < 1 / (1 + np.exp(1.0 - 1.2 * latent))
    probability = 1 / (1 + np.exp(0.9 - 1.4 * latent - random.normal(0, 0.5, rows)))
    return {"outcome": np.where(happened, 0, 1).astype(np.int32), "chance": probability}


def problem_of(
    task: str,
    rows: int,
    random: np.random.Generator,
    draws: int,
    only: Sequence[str] = (),
) -> EvaluationProblem:
    """Made-up cases of a task with the metrics that are looked at, ``only`` some where named."""
    note = RowsNote(use="all", text="made up", rows=rows)
    if task == "binary":
        cases = binary_cases(rows, random)
        probabilities = np.vstack([cases["chance"], 1 - cases["chance"]])
        return EvaluationProblem(
            kind="binary",
            models=(JudgedScores(name="m", posteriors=probabilities),),
            metrics=_requests(BINARY, only),
            rows=note,
            levels=("yes", "no"),
            outcome=cases["outcome"],
            resamples=draws,
            seed=int(random.integers(1 << 31)),
        )
    if task == "regression":
        predicted = random.normal(20.0, 5.0, rows)
        target = predicted + random.gamma(2.0, 1.5, rows) - 3.0
        extras: dict[str, np.ndarray] = {}
    else:
        predicted = random.normal(size=rows)
        time = random.exponential(np.exp(-predicted))
        censored = random.exponential(2.5, rows)
        target = np.minimum(time, censored) + 1e-9
        zeros = np.zeros(rows)
        extras = {
            "time": target,
            "event": (time <= censored).astype(float),
            "entry": zeros,
            "strata": zeros,
        }
    return EvaluationProblem(
        kind=task,
        models=(JudgedScores(name="m", prediction=predicted),),
        metrics=_requests(NUMBERS if task == "regression" else SURVIVAL, only),
        rows=note,
        target=target,
        extras=extras,
        resamples=draws,
        seed=int(random.integers(1 << 31)),
    )


def coverages(
    samples: int,
    tasks: Sequence[str] = tuple(TRUE_CASES),
    rows: int = ROWS,
    only: Sequence[str] = (),
) -> Iterator[tuple[str, str, float]]:
    """Metric, method of its interval, and the share of samples whose interval holds the truth."""
    for task in tasks:
        random = np.random.default_rng(20261)
        exact = problem_of(task, TRUE_CASES[task], random, 0, only)
        truth = {
            cell.metric: cell.estimate.value for cell in assess(exact, with_charts=False).cells
        }
        held = dict.fromkeys(truth, 0)
        method = {}
        for _ in range(samples):
            result = assess(problem_of(task, rows, random, DRAWS, only), with_charts=False)
            for cell in result.cells:
                held[cell.metric] += cell.estimate.low <= truth[cell.metric] <= cell.estimate.high
                method[cell.metric] = cell.estimate.method
        for metric, count in held.items():
            yield metric, method[metric], count / samples


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("samples", nargs="?", type=int, default=1_000)
    parser.add_argument("tasks", nargs="*", help=", ".join(TRUE_CASES))
    parser.add_argument("--rows", type=int, default=ROWS, help="cases of a sample")
    parser.add_argument("--only", nargs="*", default=(), help="names of metrics")
    requested = parser.parse_args()
    print(
        f"{requested.samples:,} samples of {requested.rows:,} cases, nominal 95 %, "
        f"payoff {payoff.__version__}"
    )
    tasks = requested.tasks or tuple(TRUE_CASES)
    for metric, method, share in coverages(
        requested.samples, tasks, requested.rows, requested.only
    ):
        print(f"| {metric} | {method} | {share:.1%} |", flush=True)


if __name__ == "__main__":
    main()
