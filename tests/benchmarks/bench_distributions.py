"""Every loss distribution beside gaussian: seconds per tree grown on the same inputs.

    python -m tests.benchmarks.bench_distributions [rows] [--only uplift aft]

100,000 x 20, 30 iterations of 30 splits; the figure is the whole fit, its checks and its first
score too. Aim: at most twice the time of gaussian per tree, four times for coxph and pairwise.
Multinomial grows a tree per class and iteration, multi_quantile one per level, uplift_baseline two;
nine levels together are set against nine fits of one quantile.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from core.boosting import BoostSettings, TrainingCases, fit, inputs_of_matrix
from payoff.specs import LossDistribution
from payoff.testing.cases import values_by_class
from payoff.vocabulary import Extra
from plugins.distributions.hooks import payoff_register_distributions
from tests.benchmarks.harness import add_clock, clock_of, print_aim, print_machine

COLUMNS, ITERATIONS, SPLITS, REPEATS, CLASSES = 20, 30, 30, 5, 3
AIMS = {"coxph": 4.0, "pairwise": 4.0}
TREES = {
    "multinomial": CLASSES,
    "expected_profit_classes": CLASSES,
    "multi_quantile": 9,
    "uplift_baseline": 2,
}
FORMS = {
    "aft": ("shape", ("lognormal", "loglogistic", "weibull")),
    "uplift": ("form", ("weighted", "transformed")),
    "uplift_baseline": ("form", ("weighted", "transformed")),
}
"""Losses of several forms: the parameter, and its values."""


def outcome_for(domain: str, score: Any, random: Any) -> tuple[Any, dict[str, Any]]:
    """An outcome of a distribution's range, and what else its cases need."""
    rows = score.shape[0]
    if domain == "binary":
        return (random.random(rows) < 1 / (1 + np.exp(-score))).astype(float), {}
    if domain == "classes":
        noisy = score + random.normal(0, 0.3, rows)
        return np.digitize(noisy, [-0.7, 0.7]).astype(float), {"n_classes": CLASSES}
    if domain == "counts":
        return random.poisson(np.exp(score / 2)).astype(float), {}
    if domain == "grades":
        grades = np.clip(np.round(score + random.normal(0, 0.5, rows)), 0, 4)
        return grades, {"group": np.sort(np.arange(rows) % (rows // 20))}
    if domain in ("positive", "time_event"):
        times = random.gamma(2.0, np.exp(score / 2)) + 0.01
        return times, {"extras": {"event": (random.random(rows) < 0.7).astype(float)}}
    return score + random.normal(0, 0.5, rows), {}


def cases_for(spec: LossDistribution, inputs: Any, score: Any, random: Any) -> TrainingCases:
    """Cases of a distribution's range with every further column that it reads."""
    outcome, more = outcome_for(spec.target, score, random)
    rows = score.shape[0]
    if Extra.CONSEQUENCES in spec.extras:
        more["extras"] = {"consequences": values_by_class(spec.target, rows, random)}
    if Extra.TREATMENT in spec.extras:
        probability = 0.3 + 0.4 * random.random(rows)
        treated = (random.random(rows) < probability).astype(float)
        outcome = outcome + treated * np.sin(score)
        more["extras"] = {"treatment": treated, "propensity": probability}
    return TrainingCases(inputs=inputs, outcome=outcome, **more)


def per_tree(
    spec: LossDistribution,
    parameters: dict[str, object],
    cases: TrainingCases,
    clock: Callable[[], float],
) -> float:
    """Median seconds per tree grown; a first training, which may compile, is left out."""
    settings = BoostSettings(
        n_trees=ITERATIONS,
        interaction_depth=SPLITS,
        bag_fraction=1.0,
        precision="histogram",
        keeps_train_deviance=False,
    )
    trees = ITERATIONS * TREES.get(spec.id, 1)
    taken = []
    for _ in range(REPEATS + 1):
        began = clock()
        fit(cases, spec, parameters, settings)
        taken.append(clock() - began)
    return statistics.median(taken[1:]) / trees


def forms_of(spec: LossDistribution) -> Iterator[tuple[str, dict[str, object]]]:
    """Each form of a loss: how it is printed, and its parameters."""
    name, values = FORMS.get(spec.id, ("", ()))
    for value in values:
        yield f"{spec.id}, {value}", {name: value}
    if not values:
        yield spec.id, {}


def main() -> None:
    """Print milliseconds per tree and ratios to gaussian."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=100_000)
    parser.add_argument("--only", nargs="*", default=[], help="names beside gaussian")
    add_clock(parser)
    requested = parser.parse_args()
    clock = clock_of(requested)
    rows = requested.rows
    print_machine()
    random = np.random.default_rng(3)
    matrix = random.normal(size=(rows, COLUMNS)).astype(np.float32)
    score = matrix[:, 0] + matrix[:, 1] * matrix[:, 2] + np.sin(2 * matrix[:, 3])
    inputs = inputs_of_matrix(matrix)
    print(f"\n{rows:,} x {COLUMNS}, {SPLITS} splits; milliseconds per tree, medians of {REPEATS}")
    known = {item.id: item for item in payoff_register_distributions()}
    seconds: dict[str, float] = {}
    chosen = requested.only or [name for name in known if name != "gaussian"]
    for name in ["gaussian", *chosen]:
        cases = cases_for(known[name], inputs, score, random)
        for label, parameters in forms_of(known[name]):
            seconds[label] = per_tree(known[name], parameters, cases, clock)
            ratio, aim = seconds[label] / seconds["gaussian"], AIMS.get(name, 2.0)
            print(f"  {label:<29} {1000 * seconds[label]:8.2f} ms  {ratio:5.2f}x", flush=True)
            if label != "gaussian":
                what = f"a tree by the loss {label}"
                print_aim(what, f"at most {aim:g} x gaussian", f"{ratio:.2f} x", ratio <= aim)
    if {"quantile", "multi_quantile"} <= seconds.keys():
        times = 9 * seconds["multi_quantile"] / seconds["quantile"]
        what = "nine quantiles in one model"
        print_aim(what, "below 9 x one quantile", f"{times:.2f} x", times < 9.0)


if __name__ == "__main__":
    main()
