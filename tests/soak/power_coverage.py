"""How often a paired test finds a true difference with as many cases as are said to be needed.

Run: ``python -m tests.soak.power_coverage [samples] [--only metric ...]`` prints the table of
docs/evaluation.md. A pilot of 200,000 made-up cases gives the standard error; from it come the
cases that show the true difference of two models in 80 of 100; then samples of so many are drawn.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

import payoff
from core.evaluation import EvaluationProblem, EvaluationRequest, MetricRequest
from core.inference.power import times_as_many
from tests.soak.difference_coverage import METRICS, SHARES, problem_of

ASKED = ("average_profit", "auc", "brier", "log_loss", "accuracy", "ks")
PILOT, TRUE_ROWS, DRAWS, POWER = 200_000, 1_000_000, 400, 0.8
_GAIN, _LOSS = 8.0, -2.0
_CUT = 0.2


@dataclass(frozen=True, slots=True)
class Seen:
    """Cases said to be needed for 80 of 100, and the share of samples that found it."""

    cases: int
    found: float


def _judged(rows: int, share: float, metric: str, random: np.random.Generator) -> EvaluationRequest:
    """Two models of made-up cases on one metric; acting on a case brings 8 or costs 2."""
    problem = problem_of(
        rows, share, has_ties=False, kind="apart", random=random, draws=0, only=("auc",)
    )
    given = (("threshold", share),) if metric == "accuracy" else ()
    request = MetricRequest(spec=METRICS[metric], parameters=given)
    is_drawn = metric == "ks" and rows < TRUE_ROWS
    problem = replace(problem, metrics=(request,), resamples=DRAWS if is_drawn else 0)
    return EvaluationRequest(_with_money(problem), with_charts=False)


def _with_money(problem: EvaluationProblem) -> EvaluationProblem:
    assert problem.outcome is not None
    worth = np.where(problem.outcome == 0, _GAIN, _LOSS)
    models = tuple(
        replace(model, extras={"consequences": np.where(model.posteriors[0] > _CUT, worth, 0.0)})
        for model in problem.models
        if model.posteriors is not None
    )
    return replace(problem, models=models)


def found_with_cases_needed(
    metric: str, share: float, samples: int, true_rows: int = TRUE_ROWS
) -> Seen:
    """Plan by a pilot for the true difference, then draw samples of as many cases."""
    random = np.random.default_rng([20261, ASKED.index(metric), int(100 * share)])
    exact = _judged(true_rows, share, metric, random)
    (key,) = {cell.metric for cell in exact.result.cells}
    true = exact.compare("0", "1", key).estimate.value
    pilot = _judged(PILOT, share, metric, random).error_of("0", "1", key)
    times = times_as_many(abs(true) / pilot.error, pilot.units, 0.05, POWER)
    cases = math.ceil(PILOT * times)
    found = 0
    for _ in range(samples):
        pair = _judged(cases, share, metric, random).compare("0", "1", key)
        found += pair.p_value < 0.05 and pair.estimate.value * true > 0
    return Seen(cases, found / samples)


def table(samples: int, only: Sequence[str] = ()) -> Iterator[str]:
    """The lines of the table, a metric a line."""
    yield "| metric | " + " | ".join(f"{100 * share:g} % events" for share in SHARES) + " |"
    yield "|---" * (len(SHARES) + 1) + "|"
    for metric in only or ASKED:
        cells = [found_with_cases_needed(metric, share, samples) for share in SHARES]
        words = (f"{cell.cases:,} cases: {100 * cell.found:.1f}" for cell in cells)
        yield f"| {metric} | " + " | ".join(words) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.power_coverage")
    parser.add_argument("samples", nargs="?", type=int, default=2_000)
    parser.add_argument("--only", nargs="*", default=(), help="ids of metrics")
    requested = parser.parse_args()
    print(f"{requested.samples:,} samples each, payoff {payoff.__version__}\n")
    for line in table(requested.samples, requested.only):
        print(line, flush=True)


if __name__ == "__main__":
    main()
