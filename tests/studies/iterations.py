"""Two studies of boosting with their pictures: shrinkage, and the rules that choose iterations.

    python -m tests.studies.iterations FOLDER [shrinkage|choosing] [--draws 10]

Writes ``shrinkage.png`` (error on fresh cases by iterations, three made-up data sets,
mean and standard deviation over draws) and
``choosing.png`` (share of the best rule's gain over 13 data sets) into FOLDER and prints the tables
of docs/iterations.md. Eight data sets are the made-up ones of the verb ``payoff study``; five real
files, at most 1,500 cases of each, come from where PAYOFF_SHARED_DATA says.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from core.boosting import BoostSettings, TrainingCases
from core.experiments.iterations import (
    MADE_UP,
    METHODS,
    Chosen,
    ShrinkageLine,
    made_up_cases,
    rule_outcomes,
    study_choosing,
    study_shrinkage,
)
from core.script.boost.document import plan_boost
from core.script.boost.request import BoostRequest
from core.script.command_line.boosting_verbs import RATES
from core.script.session import engine
from payoff.specs import LossDistribution
from payoff.types import FloatArray
from tests.helpers.shared_data import SHARED
from tests.studies.iteration_pictures import Line, draw_boxes, draw_lines

SETTINGS = BoostSettings(
    n_trees=500,
    interaction_depth=3,
    shrinkage=0.03,
    min_cases_in_node=10,
    bag_fraction=0.5,
    keeps_train_deviance=False,
    seed=1,
)
ROWS, LONG = 1000, 2000
SHOWN = ("Friedman 1", "two clouds", "counts")
tell = partial(print, file=sys.stderr, flush=True)

Sets = dict[str, tuple[TrainingCases, LossDistribution]]


def real_files() -> Iterator[tuple[str, pd.DataFrame, str, str]]:
    """Name, table, outcome, distribution."""
    names = [f"A{k}" for k in range(20)] + ["bad"]
    credit = pd.read_csv(SHARED / "german_credit" / "german.data", sep=" ", names=names)
    yield "German credit", credit.assign(bad=credit["bad"] - 1), "bad", "bernoulli"
    homes = pd.read_csv(SHARED / "hmeq" / "hmeq.csv")
    yield "HMEQ", homes, "BAD", "bernoulli"
    visits = pd.read_csv(SHARED / "hillstrom" / "hillstrom.csv").drop(
        columns=["conversion", "spend"]
    )
    yield "Hillstrom: visit", visits, "visit", "bernoulli"
    trial = pd.read_csv(SHARED / "ihdp" / "ihdp_npci_1.csv", header=None).drop(columns=[2, 3, 4])
    trial.columns = [f"v{name}" for name in trial.columns]
    yield "IHDP", trial, "v1", "gaussian"
    ads = pd.read_csv(SHARED / "kag_ads" / "KAG_conversion_data.csv")
    ads = ads.drop(columns=["ad_id", "fb_campaign_id", "Approved_Conversion"])
    yield "ads: conversions", ads, "Total_Conversion", "poisson"


def data_sets() -> Sets:
    """Every data set by name."""
    find = engine().registry.distribution
    sets: Sets = {
        name: (made_up_cases(name, ROWS, 1), find(kind)) for name, (kind, _) in MADE_UP.items()
    }
    if not SHARED.is_dir():
        return sets
    for name, frame, target, kind in real_files():
        some = frame.sample(min(len(frame), 1500), random_state=1)
        requested = BoostRequest(data=some, target=target, distribution=kind)
        sets[name] = (plan_boost(requested).plan.cases, find(kind))
    return sets


def shrinkage(folder: Path, draws: int) -> None:
    """The first figure: the smaller the steps, the lower and the later the least error."""
    print(f"{draws} draws: least deviance, mean and standard deviation; best iteration, median")
    print("| data | shrinkage | best iteration | deviance there | against 0.1 |")
    print("|---|---|---|---|---|")
    panels = []
    for name in SHOWN:
        spec = engine().registry.distribution(MADE_UP[name][0])
        found = []
        for draw in range(draws):
            tell(f"{name}, draw {draw + 1} of {draws}")
            cases = replace(made_up_cases(name, 2 * ROWS, 1 + draw), n_train=ROWS)
            settings = replace(SETTINGS, n_trees=LONG, seed=SETTINGS.seed + draw)
            found.append(study_shrinkage(cases, spec, settings, RATES))
        by_rate = list(zip(*found, strict=True))
        plain = np.array([line.least for line in by_rate[RATES.index(0.1)]])
        for rate, lines in zip(RATES, by_rate, strict=True):
            print(f"| {name} | {rate:g} | {_best_words(lines)} | {_least_words(lines, plain)} |")
        panels.append(
            (name, [_mean_line(rate, lines) for rate, lines in zip(RATES, by_rate, strict=True)])
        )
    draw_lines(panels, "iterations", "deviance of fresh cases", folder / "shrinkage.png")


def _best_words(lines: tuple[ShrinkageLine, ...]) -> str:
    """Median and ends of the best iterations."""
    best = sorted(line.best for line in lines)
    late = sum(number == LONG for number in best)
    words = f"{np.median(best):.0f} ({best[0]} to {best[-1]})"
    return words + (f", {late} times not yet" if late else "")


def _least_words(lines: tuple[ShrinkageLine, ...], plain: FloatArray) -> str:
    """Mean and spread of the least deviances, and of their difference, in pairs, from others."""
    least = np.array([line.least for line in lines])
    gap = least - plain
    return (
        f"{least.mean():.4f} ± {least.std(ddof=1):.4f} | {gap.mean():+.4f} ± {gap.std(ddof=1):.4f}"
    )


def _mean_line(rate: float, lines: tuple[ShrinkageLine, ...]) -> Line:
    """The mean of several draws, and one standard deviation on each side."""
    table = np.array([line.deviance for line in lines])
    return Line(f"shrinkage {rate:g}", table.mean(axis=0), table.std(axis=0, ddof=1))


def choosing(folder: Path, draws: int) -> None:
    """The second figure: what each rule keeps of the best rule's gain."""
    found = study_choosing(data_sets(), SETTINGS, draws, tell)
    print(f"{draws} draws: share of the best rule's gain, mean and standard deviation")
    print(f"| data | {' | '.join(METHODS)} |\n|---|{'---|' * len(METHODS)}")
    shares = {method: _by_data(found, method) for method in METHODS}
    for name in dict.fromkeys(entry.data for entry in found):
        cells = [
            f"{shares[method][name].mean():.3f} ± {shares[method][name].std(ddof=1):.3f}"
            for method in METHODS
        ]
        print(f"| {name} | {' | '.join(cells)} |")
    print("| rule | quarter | median | three quarters | 95 % limits of the median | iterations |")
    print("|---|---|---|---|---|---|")
    for rule in rule_outcomes(found, SETTINGS.seed):
        points = f"{rule.quarter:.3f} | {rule.median:.3f} | {rule.three_quarters:.3f}"
        limits = f"{rule.low:.3f} to {rule.high:.3f}"
        print(f"| {rule.method} | {points} | {limits} | {rule.trees:.0f} |")
    boxes = {
        method: np.array([values.mean() for values in by.values()]) for method, by in shares.items()
    }
    draw_boxes(boxes, "share of the best rule's gain", folder / "choosing.png")


def _by_data(found: tuple[Chosen, ...], method: str) -> dict[str, FloatArray]:
    """The shares of each data set's draws, where any rule gained."""
    shares: dict[str, list[float]] = {}
    for entry in found:
        if entry.method == method and np.isfinite(entry.share):
            shares.setdefault(entry.data, []).append(entry.share)
    return {name: np.array(values) for name, values in shares.items()}


def main() -> None:
    """Run one study or both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("studies", nargs="*", default=["shrinkage", "choosing"])
    parser.add_argument("--draws", type=int, default=10, help="at least 2")
    requested = parser.parse_args()
    for name in requested.studies:
        {"shrinkage": shrinkage, "choosing": choosing}[name](requested.folder, requested.draws)


if __name__ == "__main__":
    main()
