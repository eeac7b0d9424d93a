"""How often intervals of values and of paired differences hold the truth, and tests err.

Run: ``python -m tests.soak.difference_coverage [samples] [--rows N ...] [--only metric ...]``
prints the table of docs/evaluation.md. Two models judge the same cases: once one is better, once
both are equally good. Cases come with and without ties, with 5 and 30 % events.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

import payoff
from core.document.results import RowsNote
from core.evaluation import EvaluationProblem, EvaluationRequest, JudgedScores, MetricRequest
from payoff.types import FloatArray
from plugins.metrics.hooks import payoff_register_metrics

METRICS = {spec.id: spec for spec in payoff_register_metrics()}
TRUE_ROWS = 1_000_000
DRAWS = 1_000
SHARES = {0.3: -1.05, 0.05: -3.45}
"""Share of events, and the intercept that gives it."""

NOISE = {"equal": (0.6, 0.6), "apart": (0.4, 1.4)}
"""How far each model's score lies off the latent one."""

_CUT = {"threshold": 0.0}  # stands for the share of events
ASKED: tuple[tuple[str, dict[str, float]], ...] = (
    ("auc", {}),
    ("ks", {}),
    ("partial_auc", {}),
    ("h_measure", {}),
    ("average_precision", {}),
    ("lift_at", {"depth": 0.2}),
    ("captured_at", {"depth": 0.1}),
    ("log_loss", {}),
    ("brier", {}),
    ("brier_skill", {}),
    ("accuracy", _CUT),
    ("balanced_accuracy", _CUT),
    ("precision", _CUT),
    ("recall", _CUT),
    ("specificity", _CUT),
    ("f_beta", _CUT),
    ("youden", _CUT),
    ("mcc", _CUT),
    ("kappa", _CUT),
    ("net_benefit", _CUT),
    ("calibration_error", {}),
    ("calibration_slope", {}),
    ("calibration_intercept", {}),
)


@dataclass(slots=True)
class Counts:
    """What was counted of a metric: shares of samples, NaN where none counted."""

    value: list[bool] = field(default_factory=list)
    difference: list[bool] = field(default_factory=list)
    found: list[bool] = field(default_factory=list)
    contradictions: int = 0

    def percent(self, name: str) -> float:
        """A share in per cent."""
        held: list[bool] = getattr(self, name)
        return 100.0 * float(np.mean(held)) if held else float("nan")


def problem_of(
    rows: int,
    share: float,
    *,
    has_ties: bool,
    kind: str,
    random: np.random.Generator,
    draws: int,
    only: Sequence[str],
) -> EvaluationProblem:
    """Cases with two models of them, and at least two events."""
    intercept = SHARES[share]
    while True:
        latent = random.normal(size=rows)
        event = random.random(rows) < 1.0 / (1.0 + np.exp(-intercept - 1.2 * latent))
        models = tuple(
            _model(str(place), latent, noise, intercept, random, has_ties=has_ties)
            for place, noise in enumerate(NOISE[kind])
        )
        if 2 <= event.sum() <= rows - 2:
            break
    return EvaluationProblem(
        kind="binary",
        models=models,
        metrics=tuple(
            MetricRequest(spec=METRICS[name], parameters=_parameters(given, share))
            for name, given in ASKED
            if name in only or not only
        ),
        rows=RowsNote(use="all", text="made up", rows=rows),
        levels=("yes", "no"),
        outcome=np.where(event, 0, 1).astype(np.int32),
        resamples=draws,
        seed=int(random.integers(1 << 31)),
    )


def _parameters(given: dict[str, float], share: float) -> tuple[tuple[str, float], ...]:
    return tuple((name, value or share) for name, value in given.items())


def _model(
    name: str,
    latent: FloatArray,
    noise: float,
    intercept: float,
    random: np.random.Generator,
    *,
    has_ties: bool,
) -> JudgedScores:
    score = latent + random.normal(0.0, noise, len(latent))
    if has_ties:
        score = np.round(2.0 * score) / 2.0
    probability = 1.0 / (1.0 + np.exp(-intercept - 0.1 - 1.32 / (1.0 + noise**2) * score))
    return JudgedScores(name=name, posteriors=np.vstack([probability, 1.0 - probability]))


def counted(
    rows: int,
    share: float,
    *,
    has_ties: bool,
    samples: int,
    only: Sequence[str] = (),
    true_rows: int = TRUE_ROWS,
) -> dict[str, Counts]:
    """Both kinds of pairs of models, drawn again and again: counts by metric."""
    counts: dict[str, Counts] = {}
    for kind in NOISE:
        random = np.random.default_rng([20261, rows, int(100 * share), int(has_ties)])
        settings = {"has_ties": has_ties, "kind": kind, "random": random, "only": only}
        exact = EvaluationRequest(
            problem_of(true_rows, share, draws=0, **settings), with_charts=False
        )
        truth = {(cell.metric, cell.model): cell.estimate.value for cell in exact.result.cells}
        for _ in range(samples):
            drawn = EvaluationRequest(
                problem_of(rows, share, draws=DRAWS, **settings), with_charts=False
            )
            for metric in dict.fromkeys(cell.metric for cell in drawn.result.cells):
                _count(drawn, metric, kind, truth, counts.setdefault(metric, Counts()))
    return counts


def _count(
    drawn: EvaluationRequest,
    metric: str,
    kind: str,
    truth: dict[tuple[str, str], float],
    counts: Counts,
) -> None:
    for cell in drawn.result.cells:
        if cell.metric == metric and np.isfinite(cell.estimate.low):
            true = truth[metric, cell.model]
            counts.value.append(cell.estimate.low <= true <= cell.estimate.high)
    pair = drawn.compare("0", "1", metric)
    low, high = pair.estimate.low, pair.estimate.high
    if not np.isfinite(low):
        return
    counts.contradictions += (pair.p_value < 0.05) == (low <= 0.0 <= high)
    if kind == "equal":
        counts.found.append(pair.p_value < 0.05)
    else:
        true = truth[metric, "0"] - truth[metric, "1"]
        counts.difference.append(low <= true <= high)


def table(
    samples: int,
    rows: Sequence[int],
    only: Sequence[str] = (),
    shares: Sequence[float] = tuple(SHARES),
) -> Iterator[str]:
    """The lines of the table, a metric a line, without and with ties in each cell."""
    settings = list(product(rows, shares))
    heads = [f"{size:,} cases, {100 * share:g} % events" for size, share in settings]
    yield "| metric | " + " | ".join(heads) + " |"
    yield "|---" * (len(settings) + 1) + "|"
    found = [
        [
            counted(size, share, has_ties=has_ties, samples=samples, only=only)
            for has_ties in (False, True)
        ]
        for size, share in settings
    ]
    contradictions = 0
    for name in dict.fromkeys(key.split("(")[0] for key in found[0][0]):
        cells = []
        for both in found:
            parts = [
                next(c for key, c in each.items() if key.split("(")[0] == name) for each in both
            ]
            contradictions += sum(part.contradictions for part in parts)
            cells.append(
                ", ".join(
                    "/".join(
                        f"{part.percent(what):.0f}" for what in ("value", "difference", "found")
                    )
                    for part in parts
                )
            )
        yield f"| {name} | " + " | ".join(cells) + " |"
    yield f"\n{contradictions:,} intervals contradict their p-value."


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.difference_coverage")
    parser.add_argument("samples", nargs="?", type=int, default=400)
    parser.add_argument("--rows", nargs="+", type=int, default=(150, 1_000))
    parser.add_argument("--only", nargs="*", default=(), help="ids of metrics")
    parser.add_argument("--shares", nargs="+", type=float, default=tuple(SHARES), choices=SHARES)
    requested = parser.parse_args()
    print(f"{requested.samples:,} samples each, payoff {payoff.__version__}\n")
    for line in table(requested.samples, requested.rows, requested.only, requested.shares):
        print(line, flush=True)


if __name__ == "__main__":
    main()
