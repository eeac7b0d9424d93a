"""Metrics and their intervals, beside scikit-learn, lifelines and their own time limits.

Run: ``python -m tests.benchmarks.bench_metrics [sheet | draws | general | pairs ...``.

sheet    the whole binary sheet of one model at 10,000,000 rows against one call of ``roc_curve``
draws    1,000 resamples of AUC, average precision, Brier and profit with bands, 1,000,000 rows
general  200 resamples of a third party's metric at 1,000,000 rows, beyond the metric's own time
pairs    Harrell's C at 100,000 rows against lifelines (where installed), else counting all pairs
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
from sklearn import metrics as peer

import payoff
from core.data.cancellation import never_stop
from core.document.results import RowsNote
from core.evaluation import EvaluationProblem, JudgedScores, MetricRequest, assess
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases
from core.evaluation.host import MetricsHost
from core.evaluation.problem import call_unmarked
from core.kernels import argsort_descending, group_ends
from payoff import Sample, Task
from plugins.metrics.hooks import payoff_register_metrics
from tests.benchmarks.bench_curves import made
from tests.benchmarks.harness import print_aim

METRICS = {spec.id: spec for spec in payoff_register_metrics()}
SHEET = tuple(name for name, spec in METRICS.items() if Task.BINARY in spec.tasks)
"""Every metric of two classes."""


def seconds(call: Callable[[], object], runs: int = 3) -> float:
    """Median time of a few calls."""
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def binary_problem(rows: int, names: tuple[str, ...], draws: int = 0) -> EvaluationProblem:
    """One model's chances with the named metrics."""
    score, outcome, codes = made(rows, None)
    realised = np.where(score > 0.1, np.where(outcome == 1, 24.0, -1.6), 0.0)
    probabilities = np.vstack([score, 1.0 - score])
    return EvaluationProblem(
        kind="binary",
        models=(
            JudgedScores(name="m", posteriors=probabilities, extras={"consequences": realised}),
        ),
        metrics=tuple(MetricRequest(spec=METRICS[name]) for name in names),
        rows=RowsNote(use="all", text="made up", rows=rows),
        levels=("yes", "no"),
        outcome=codes,
        resamples=draws,
    )


def measured(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds and seconds of processor of one call: the second is right on a busy machine too."""
    begun, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - begun, time.process_time() - cpu


def sheet(rows: int = 10_000_000) -> None:
    """The binary sheet against one call of scikit-learn."""
    assess(binary_problem(2_000, SHEET))
    problem = binary_problem(rows, SHEET)
    score, outcome, _ = made(rows, None)

    def values() -> None:
        host = MetricsHost(JudgedCases(problem), calling=call_unmarked, should_stop=never_stop)
        host.measure(problem.metrics, lambda part, text: None)

    print(f"{rows:,} rows, seconds and seconds of processor")
    theirs = measured(lambda: peer.roc_curve(outcome, score))
    print("  sklearn roc_curve, one call  {:8.2f} {:8.2f}".format(*theirs))
    for name, call in (("values and intervals", values), ("charts too", lambda: assess(problem))):
        ours = measured(call)
        ratio = f"{theirs[0] / ours[0]:.2f}x"
        print(f"  {len(SHEET)} metrics, {name:<20}{ours[0]:8.2f} {ours[1]:8.2f}  {ratio}")
        if call is values:
            what = f"all {len(SHEET)} metrics of two classes, {rows:,} rows"
            times = theirs[0] / ours[0]
            print_aim(what, "2 x one roc_curve", f"{times:.1f} x", times >= 2.0)


def draws(rows: int = 1_000_000) -> None:
    """1,000 resamples with bands."""
    names = ("auc", "average_precision", "brier", "total_profit")
    assess(binary_problem(2_000, names, 64))
    problem = binary_problem(rows, names, 1_000)
    assess(problem)
    cpu = time.process_time()
    ours = seconds(lambda: assess(problem), 1)
    cpu = time.process_time() - cpu
    score, outcome, _ = made(rows, None)
    weight = np.random.default_rng(1).poisson(1.0, rows)

    def naive() -> None:
        peer.roc_auc_score(outcome, score, sample_weight=weight)
        peer.average_precision_score(outcome, score, sample_weight=weight)
        peer.brier_score_loss(outcome, score, sample_weight=weight)

    once = seconds(naive, 1)
    print(f"{rows:,} rows, 1,000 resamples with bands  {ours:7.2f} s, {cpu:.2f} s of processor")
    print(f"  scikit-learn, 1,000 x one   {1_000 * once:7.0f} s  {1_000 * once / ours:.0f}x")
    what = f"1,000 resamples with bands, {rows:,} rows"
    print_aim(what, "under 3 s", f"{ours:.2f} s", ours < 3.0)


def third_party(sample: payoff.Sample, parameters: payoff.Parameters) -> float:
    """What somebody might write: the weighted mean chance of the events."""
    is_event = sample.outcome == 0
    return float(sample.score[is_event] @ sample.weight[is_event] / sample.class_weight[0])


def general(rows: int = 1_000_000) -> None:
    """A third party's metric."""
    spec = payoff.EvaluationMetric(
        id="own",
        label="Own",
        help="Mean chance of events.",
        formula="mean",
        reference="",
        direction=payoff.Direction.HIGHER,
        inputs=(payoff.Input.PROBABILITY,),
        tasks=(Task.BINARY,),
        form=payoff.MetricForm.GENERAL,
        compute=third_party,
    )
    from dataclasses import replace

    problem = replace(
        binary_problem(rows, (), 200), metrics=(MetricRequest(spec=spec),), resamples=200
    )
    small = replace(binary_problem(2_000, (), 40), metrics=(MetricRequest(spec=spec),))
    assess(small, with_charts=False)
    cases = JudgedCases(problem)
    sample = cases.sample(problem.models[0])
    alone = seconds(lambda: third_party(sample, {}))
    whole = seconds(lambda: assess(problem, with_charts=False), 1)
    none = seconds(lambda: assess(replace(problem, resamples=0), with_charts=False), 1)
    print(f"{rows:,} rows, 200 resamples of a plain numpy metric  {whole - none:6.2f} s")
    print(f"  the metric itself, 200 times                     {200 * alone:6.2f} s")
    beyond = whole - none - 200 * alone
    what = f"200 resamples of a plain numpy metric, {rows:,} rows, beyond its own time"
    print_aim(what, "under 5 s", f"{beyond:.2f} s", beyond < 5.0)


def pairs(rows: int = 100_000) -> None:
    """Harrell's C."""
    random = np.random.default_rng(1)
    risk = random.normal(size=rows)
    time_to = random.exponential(np.exp(-risk)) + 1e-6
    event = (random.random(rows) < 0.6).astype(float)
    zeros = np.zeros(rows)
    roles = {"time": time_to, "event": event, "entry": zeros, "strata": zeros}
    bound = BoundMetric(MetricRequest(spec=METRICS["concordance"]))

    def ours(size: int = rows) -> float:
        part = {name: column[:size] for name, column in roles.items()}
        order = argsort_descending(risk[:size])  # as the program sorts
        sample = Sample(
            time_to[:size],
            risk[:size],
            task=Task.SURVIVAL,
            roles=part,
            order=order,
            group_ends=group_ends(order, risk[:size]),
        )
        return float(bound.compute(sample, {}))

    ours(1_000)
    fast, half = seconds(ours), seconds(lambda: ours(rows // 2))
    print(f"{rows:,} rows: Harrell's C {fast:.3f} s, half the rows {half:.3f} s")
    try:
        from lifelines.utils import concordance_index
    except ImportError:
        print("  lifelines is not installed: no peer")
        return
    begun = time.perf_counter()
    found = concordance_index(time_to, -risk, event)
    slow = time.perf_counter() - begun
    print(f"  peer {slow:.2f} s, {slow / fast:.0f}x; they differ by {abs(found - ours()):.1e}")
    what = f"Harrell's C, {rows:,} rows"
    print_aim(what, "50 x lifelines", f"{slow / fast:.0f} x", slow / fast >= 50.0)


PARTS = {"sheet": sheet, "draws": draws, "general": general, "pairs": pairs}


def main() -> None:
    """Run the parts asked for, or all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", metavar="part")
    for name in parser.parse_args().parts or PARTS:
        print(name)
        PARTS[name]()


if __name__ == "__main__":
    main()
