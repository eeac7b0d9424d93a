"""Two studies of boosting with their pictures: shrinkage, and the rules that choose iterations.

    python -m tests.studies.iterations FOLDER [shrinkage|choosing]

Writes ``shrinkage.png`` (error on fresh cases by iterations, three made-up data sets) and
``choosing.png`` (share of the best rule's gain over 13 data sets) into FOLDER and prints the tables
of docs/iterations.md. Eight data sets are the made-up ones of the verb ``payoff study``; five real
files, at most 1,500 cases of each, come from where PAYOFF_SHARED_DATA says.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from core.boosting import BoostSettings, Cases
from core.experiments.iteration_data import MADE_UP, made_up_cases
from core.experiments.iteration_studies import (
    METHODS,
    Chosen,
    medians,
    study_choosing,
    study_shrinkage,
)
from core.script.boosting_cases import cases_of, feature_names
from core.script.boosting_studies import RATES
from core.script.session import data_of, engine
from payoff.specs import LossDistribution
from tests.shared import SHARED
from tests.studies.iteration_pictures import Line, draw_boxes, draw_lines

SETTINGS = BoostSettings(
    n_trees=500, interaction_depth=3, shrinkage=0.03, min_cases_in_node=10, bag_fraction=0.5,
    keeps_train_deviance=False, seed=1,
)  # fmt: skip
ROWS, DRAWS, LONG = 1000, 1, 2000
SHOWN = ("Friedman 1", "two clouds", "counts")

Sets = dict[str, tuple[Cases, LossDistribution]]


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
        table, roles = data_of(some), {"target": target}
        inputs = feature_names(table, None, roles)
        sets[name] = (cases_of(table, find(kind), inputs, roles, {}, 1.0)[0], find(kind))
    return sets


def shrinkage(folder: Path) -> None:
    """The first figure: the smaller the steps, the lower and the later the least error."""
    print("| data | shrinkage | best iteration | deviance there |\n|---|---|---|---|")
    panels = []
    for name in SHOWN:
        spec = engine().registry.distribution(MADE_UP[name][0])
        cases = replace(made_up_cases(name, 2 * ROWS, 1), n_train=ROWS)
        lines = study_shrinkage(cases, spec, replace(SETTINGS, n_trees=LONG), RATES)
        for line in lines:
            late = "+" if line.best == LONG else ""
            print(f"| {name} | {line.shrinkage:g} | {line.best}{late} | {line.least:.4f} |")
        panels.append(
            (name, [Line(f"shrinkage {line.shrinkage:g}", line.deviance) for line in lines])
        )
    draw_lines(panels, "iterations", "deviance of fresh cases", folder / "shrinkage.png")


def choosing(folder: Path) -> None:
    """The second figure: what each rule keeps of the best rule's gain."""
    tell = partial(print, file=sys.stderr, flush=True)
    found = study_choosing(data_sets(), SETTINGS, DRAWS, tell)
    print(f"| data | {' | '.join(METHODS)} |\n|---|{'---|' * len(METHODS)}")
    shares = {method: _by_data(found, method) for method in METHODS}
    for name in dict.fromkeys(entry.data for entry in found):
        cells = [f"{shares[method][name]:.3f}" for method in METHODS]
        print(f"| {name} | {' | '.join(cells)} |")
    for method, points in medians(found).items():
        print(method, "quarter, median, three quarters:", ", ".join(f"{p:.3f}" for p in points))
    trees = {m: np.mean([e.trees for e in found if e.method == m]) for m in METHODS}
    print("mean iterations:", ", ".join(f"{m} {n:.0f}" for m, n in trees.items()))
    boxes = {method: np.array(list(by.values())) for method, by in shares.items()}
    draw_boxes(boxes, "share of the best rule's gain", folder / "choosing.png")


def _by_data(found: tuple[Chosen, ...], method: str) -> dict[str, float]:
    names = dict.fromkeys(entry.data for entry in found)
    return {
        name: float(np.nanmean([e.share for e in found if (e.data, e.method) == (name, method)]))
        for name in names
    }


def main() -> None:
    """Run one study or both."""
    folder = Path(sys.argv[1])
    wanted = sys.argv[2:] or ["shrinkage", "choosing"]
    if "shrinkage" in wanted:
        shrinkage(folder)
    if "choosing" in wanted:
        choosing(folder)


if __name__ == "__main__":
    main()
