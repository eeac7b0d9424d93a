"""Every metric that scikit-learn has too, beside it.

Run: ``python -m tests.benchmarks.bench_twins [rows]``. Ours is what the table runs
for a cell: the ranking where one is needed (it then serves every metric of rankings), the value
and, of means, the interval. Both run by turns; the smallest time of each counts, so that what else
the machine does spoils neither. Each line gives seconds and, behind a stroke, seconds of processor
of all threads together, and how many times faster ours is by each; the last lines name those that
are slower.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from sklearn import metrics as peer

from core.data.cancellation import never_stop
from core.document.results import RowsNote
from core.evaluation import EvaluationProblem, JudgedScores, MetricRequest
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import measure_rows
from core.evaluation.general import measure_general
from core.evaluation.host import MetricsHost
from core.evaluation.problem import call_unmarked
from payoff.deviance import deviance_metric
from payoff.vocabulary import MetricForm
from plugins.distributions.gamma import Gamma
from plugins.distributions.poisson import Poisson
from plugins.distributions.tweedie import Tweedie
from plugins.metrics.hooks import payoff_register_metrics
from tests.benchmarks.bench_curves import made
from tests.benchmarks.harness import print_aim

FEWEST, MOST, BUDGET = 4, 40, 3.0
"""Runs of each pair, and the seconds after which no further one begins."""
Taken: TypeAlias = tuple[float, float]
"""Seconds, and seconds of processor."""
METRICS = {spec.id: spec for spec in payoff_register_metrics()}
METRICS.update(
    (spec.id, spec) for spec in map(deviance_metric, (Poisson, Gamma, Tweedie)) if spec is not None
)


@dataclass(frozen=True)
class Twin:
    """One metric: its name, its parameters, and the call of scikit-learn."""

    metric: str
    theirs: Callable[[], float]
    parameters: tuple[tuple[str, float], ...] = ()


def _note(rows: int) -> RowsNote:
    return RowsNote(use="all", text="made up", rows=rows)


def classes_of_two(rows: int) -> tuple[EvaluationProblem, list[Twin]]:
    """Chances of an event."""
    score, outcome, codes = made(rows, None)
    says = score >= 0.5
    problem = EvaluationProblem(
        kind="binary",
        models=(JudgedScores(name="m", posteriors=np.vstack([score, 1 - score])),),
        metrics=(),
        rows=_note(rows),
        levels=("yes", "no"),
        outcome=codes,
    )
    return problem, [
        Twin("auc", lambda: peer.roc_auc_score(outcome, score)),
        Twin("partial_auc", lambda: peer.roc_auc_score(outcome, score, max_fpr=0.1)),
        Twin("average_precision", lambda: peer.average_precision_score(outcome, score)),
        Twin("log_loss", lambda: peer.log_loss(outcome, score)),
        Twin("brier", lambda: peer.brier_score_loss(outcome, score)),
        Twin("brier_skill", lambda: peer.d2_brier_score(outcome, score)),
        Twin("accuracy", lambda: peer.accuracy_score(outcome, says)),
        Twin("balanced_accuracy", lambda: peer.balanced_accuracy_score(outcome, says)),
        Twin("youden", lambda: peer.balanced_accuracy_score(outcome, says, adjusted=True)),
        Twin("precision", lambda: peer.precision_score(outcome, says)),
        Twin("recall", lambda: peer.recall_score(outcome, says)),
        Twin("specificity", lambda: peer.recall_score(outcome, says, pos_label=0)),
        Twin("f_beta", lambda: peer.fbeta_score(outcome, says, beta=1.0)),
        Twin("mcc", lambda: peer.matthews_corrcoef(outcome, says)),
        Twin("kappa", lambda: peer.cohen_kappa_score(outcome, says)),
    ]


def classes_of_three(rows: int) -> tuple[EvaluationProblem, list[Twin]]:
    """Chances of three classes."""
    random = np.random.default_rng(1)
    codes = random.integers(0, 3, rows).astype(np.int32)
    probabilities = random.uniform(0.1, 1.0, (3, rows))
    probabilities /= probabilities.sum(axis=0)
    table, says = np.ascontiguousarray(probabilities.T), probabilities.argmax(axis=0)
    problem = EvaluationProblem(
        kind="multiclass",
        models=(JudgedScores(name="m", posteriors=probabilities),),
        metrics=(),
        rows=_note(rows),
        levels=("a", "b", "c"),
        outcome=codes,
    )

    def area(averaged: str, average: str) -> float:
        return float(peer.roc_auc_score(codes, table, multi_class=averaged, average=average))

    return problem, [
        Twin("macro_auc", lambda: area("ovr", "macro")),
        Twin("weighted_auc", lambda: area("ovr", "weighted")),
        Twin("hand_till", lambda: area("ovo", "macro")),
        Twin("log_loss", lambda: peer.log_loss(codes, table)),
        Twin("brier", lambda: peer.brier_score_loss(codes, table)),
        Twin("accuracy", lambda: peer.accuracy_score(codes, says)),
        Twin("balanced_accuracy", lambda: peer.balanced_accuracy_score(codes, says)),
        Twin("mcc", lambda: peer.matthews_corrcoef(codes, says)),
        Twin(
            "kappa",
            lambda: peer.cohen_kappa_score(codes, says, weights="quadratic"),
            (("weights", 2.0),),
        ),
    ]


def numbers(rows: int) -> tuple[EvaluationProblem, list[Twin]]:
    """Predicted numbers, all above 0."""
    random = np.random.default_rng(1)
    target, predicted = random.gamma(4.0, 2.5, rows), random.gamma(4.0, 2.5, rows)
    problem = EvaluationProblem(
        kind="regression",
        models=(JudgedScores(name="m", prediction=predicted),),
        metrics=(),
        rows=_note(rows),
        target=target,
    )
    both = (target, predicted)
    return problem, [
        Twin("mse", lambda: peer.mean_squared_error(*both)),
        Twin("rmse", lambda: peer.root_mean_squared_error(*both)),
        Twin("mae", lambda: peer.mean_absolute_error(*both)),
        Twin("median_absolute_error", lambda: peer.median_absolute_error(*both)),
        Twin("r2", lambda: peer.r2_score(*both)),
        Twin("explained_variance", lambda: peer.explained_variance_score(*both)),
        Twin("pinball", lambda: peer.mean_pinball_loss(*both)),
        Twin("pinball_skill", lambda: peer.d2_pinball_score(*both)),
        Twin("mape", lambda: peer.mean_absolute_percentage_error(*both)),
        Twin("poisson_deviance", lambda: peer.mean_poisson_deviance(*both)),
        Twin("gamma_deviance", lambda: peer.mean_gamma_deviance(*both)),
        Twin("tweedie_deviance", lambda: peer.mean_tweedie_deviance(*both, power=1.5)),
    ]


def lists(rows: int) -> tuple[EvaluationProblem, list[Twin]]:
    """Lists of 20 cases with grades 0 to 4."""
    random = np.random.default_rng(1)
    number = rows // 20
    grade = random.integers(0, 5, (number, 20)).astype(float)
    score = random.normal(size=(number, 20))
    problem = EvaluationProblem(
        kind="ranking",
        models=(JudgedScores(name="m", prediction=score.ravel()),),
        metrics=(),
        rows=_note(number * 20),
        target=grade.ravel(),
        extras={"group": np.repeat(np.arange(number), 20)},
    )
    hits = (grade > 0).astype(int)
    return problem, [
        Twin("ndcg", lambda: peer.ndcg_score(grade, score)),
        Twin("map", lambda: peer.label_ranking_average_precision_score(hits, score)),
    ]


def timed(call: Callable[[], float]) -> tuple[Taken, float]:
    """What a call takes, and its value."""
    begun, cpu = time.perf_counter(), time.process_time()
    value = call()
    return (time.perf_counter() - begun, time.process_time() - cpu), value


def ranked(problem: EvaluationProblem) -> tuple[Taken, float]:
    """A metric of a ranking, the sort with it."""
    cases = JudgedCases(problem)

    def call() -> float:
        host = MetricsHost(cases, calling=call_unmarked, should_stop=never_stop)
        host.measure(problem.metrics, lambda part, text: None)
        return host.columns[0].cells[0].value

    return timed(call)


def cell(problem: EvaluationProblem) -> tuple[Taken, float]:
    """A metric that needs no ranking by the event's chance."""
    cases, bound, model = JudgedCases(problem), BoundMetric(problem.metrics[0]), problem.models[0]
    bound.sample(cases, model)
    if bound.spec.form == MetricForm.GENERAL:
        return timed(lambda: measure_general(cases, bound, model))
    return timed(lambda: measure_rows(cases, bound, model)[0].value)


def smallest(taken: list[Taken]) -> Taken:
    """Smallest seconds, and smallest seconds of processor."""
    return min(wall for wall, _ in taken), min(cpu for _, cpu in taken)


def measured(problem: EvaluationProblem, twin: Twin) -> tuple[Taken, Taken, float]:
    """What ours and the twin take, run by turns; the distance of their values."""
    request = MetricRequest(spec=METRICS[twin.metric], parameters=twin.parameters)
    requested = replace(problem, metrics=(request,))
    run = ranked if request.spec.form == MetricForm.RANKED else cell
    ours: list[Taken] = []
    theirs: list[Taken] = []
    _, value = run(requested)  # compiles
    other, spent = float("nan"), 0.0
    while len(ours) < FEWEST or (len(ours) < MOST and spent < BUDGET):
        ours.append(run(requested)[0])
        taken, other = timed(twin.theirs)
        theirs.append(taken)
        spent += ours[-1][0] + taken[0]
    return smallest(ours), smallest(theirs), abs(value - other)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--only", nargs="*", default=(), help="names of metrics")
    requested = parser.parse_args()
    rows, only = requested.rows, set(requested.only)
    slower: dict[str, list[str]] = {"seconds": [], "seconds of processor": []}
    print(f"{rows:,} rows; milliseconds / of processor, the smallest of {FEWEST} to {MOST} runs")
    for make in (classes_of_two, classes_of_three, numbers, lists):
        problem, twins = make(rows)
        print(make.__name__.replace("_", " "))
        for twin in twins:
            if only and twin.metric not in only:
                continue
            ours, theirs, gap = measured(problem, twin)
            mine, other = (f"{wall * 1e3:8.1f} /{cpu * 1e3:8.1f}" for wall, cpu in (ours, theirs))
            times = [second / first for first, second in zip(ours, theirs, strict=True)]
            print(
                f"  {twin.metric:<22}{mine}  scikit-learn {other}"
                f"{times[0]:7.1f}x /{times[1]:6.1f}x  they differ by {gap:.0e}"
            )
            for names, ratio in zip(slower.values(), times, strict=True):
                if ratio < 1.0:
                    names.append(twin.metric)
    for what, names in slower.items():
        found = ", ".join(names) or "none"
        print_aim(f"metrics slower than scikit-learn's, by {what}", "none", found, not names)


if __name__ == "__main__":
    main()
