"""Columns of many levels beside LightGBM: loss on fresh cases over rows, levels and use.

    python -m tests.studies.levels [--family bernoulli] [--rows 1000 ...] [--levels 10 ...]
        [--weights] [--repeats 3] [--seed 100] [--sides LightGBM payoff ...]

Useful: one column whose levels have effects; useless: nine columns that mean nothing. Both beside
40 numbers, of which five matter, and alone. Levels differ in size. Prints one row per cell:
the loss of fresh cases by Payoff without the nominal columns ("without": a constant where there are
no others), by LightGBM with its own settings for categories, by Payoff, and by Payoff without
shrinking (``level_penalty=0``); then by how much Payoff's loss is above LightGBM's, with the
standard error of that over the draws.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from core.boosting import BoostSettings, InputColumn, Inputs, TrainingCases, fit
from payoff.types import FloatArray
from plugins.distributions.hooks import payoff_register_distributions

LOSSES = {item.id: item for item in payoff_register_distributions()}
FAMILIES = ("bernoulli", "gaussian", "poisson", "multinomial", "coxph")
PEERS = {
    "bernoulli": "binary",
    "gaussian": "regression",
    "poisson": "poisson",
    "multinomial": "multiclass",
}
ROWS = (1_000, 2_000, 5_000, 20_000, 100_000)
LEVELS = (10, 100, 300, 900, 2_000, 10_000)
FRESH = 10_000
NUMBERS = 40
USELESS = 9
TREES, SPLITS, RATE, LEAST = 100, 7, 0.1, 20


@dataclass(frozen=True)
class Cell:
    """One place of the grid."""

    family: str
    rows: int
    levels: int
    is_useful: bool
    is_beside: bool
    is_weighted: bool


@dataclass(frozen=True)
class Drawn:
    """Cases that train and fresh ones, one below the other."""

    numbers: FloatArray
    codes: FloatArray
    outcome: FloatArray
    weight: FloatArray | None
    extras: dict[str, FloatArray]


def draw(cell: Cell, seed: int) -> Drawn:
    """Draw cases of a cell; the number of cases of a level falls with its rank."""
    random = np.random.default_rng(seed)
    rows = cell.rows + FRESH
    numbers = random.normal(size=(rows, NUMBERS if cell.is_beside else 0))
    size = 1.0 / (np.arange(cell.levels) + 0.2 * cell.levels)
    columns = 1 if cell.is_useful else USELESS
    codes = random.choice(cell.levels, size=(rows, columns), p=size / size.sum())
    score = np.zeros(rows)
    if cell.is_beside:
        score += numbers[:, 0] + 0.7 * numbers[:, 1] * numbers[:, 2] + 0.5 * np.abs(numbers[:, 3])
        score += 0.5 * (numbers[:, 4] > 0)
    if cell.is_useful:
        score += random.normal(size=cell.levels)[codes[:, 0]]
    outcome, extras = outcomes(cell.family, score, random)
    weight = random.integers(1, 5, rows).astype(float) if cell.is_weighted else None
    return Drawn(numbers, codes.astype(float), outcome, weight, extras)


def outcomes(
    family: str, score: FloatArray, random: np.random.Generator
) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Draw outcomes of a family at scores."""
    rows = len(score)
    if family == "bernoulli":
        return (random.random(rows) < 1 / (1 + np.exp(0.5 - score))).astype(float), {}
    if family == "gaussian":
        return score + random.normal(0, 2, rows), {}
    if family == "poisson":
        return random.poisson(np.exp(0.5 * score - 1)).astype(float), {}
    if family == "multinomial":
        other = random.logistic(0, 1, rows)
        return np.digitize(score + other, [-0.7, 0.9]).astype(float), {}
    time_ = random.exponential(np.exp(-score))
    end = random.exponential(1.5, rows)
    event = (time_ <= end).astype(float)
    return np.minimum(time_, end) + 1e-9, {"event": event}


def cases_of(cell: Cell, drawn: Drawn, part: slice) -> TrainingCases:
    """The cases of a part as boosting takes them."""
    names = tuple(f"l{place:05d}" for place in range(cell.levels))
    columns = [InputColumn(name=f"x{place}") for place in range(drawn.numbers.shape[1])]
    columns += [
        InputColumn(name=f"c{place}", levels=names) for place in range(drawn.codes.shape[1])
    ]
    arrays = [*drawn.numbers[part].T, *drawn.codes[part].T]
    inputs = Inputs(tuple(columns), tuple(np.ascontiguousarray(array) for array in arrays))
    return TrainingCases(
        inputs=inputs,
        outcome=drawn.outcome[part],
        weight=None if drawn.weight is None else drawn.weight[part],
        extras={name: values[part] for name, values in drawn.extras.items()},
        n_classes=3 if cell.family == "multinomial" else 1,
        counts_cases=False,
    )


Scores = FloatArray
"""Link scores (K, n) of the fresh cases."""


def ours(cell: Cell, drawn: Drawn, **more: Any) -> Scores:
    """Train Payoff; the scores of the fresh cases."""
    settings = BoostSettings(
        n_trees=TREES,
        interaction_depth=SPLITS,
        shrinkage=RATE,
        min_cases_in_node=LEAST,
        keeps_train_deviance=False,
        **more,
    )
    model = fit(cases_of(cell, drawn, slice(cell.rows)), LOSSES[cell.family], {}, settings)
    return model.link(cases_of(cell, drawn, slice(cell.rows, None)).inputs)


def peer(cell: Cell, drawn: Drawn) -> Scores | None:
    """Train LightGBM; the scores of the fresh cases, None for a loss that it has not."""
    import lightgbm

    if cell.family not in PEERS:
        return None
    matrix = np.hstack([drawn.numbers, drawn.codes])
    names = list(range(drawn.numbers.shape[1], matrix.shape[1]))
    settings: dict[str, Any] = {
        "objective": PEERS[cell.family],
        "num_leaves": SPLITS + 1,
        "learning_rate": RATE,
        "min_data_in_leaf": LEAST,
        "bagging_fraction": 0.5,
        "bagging_freq": 1,
        "num_threads": 1,
        "verbose": -1,
    }
    if cell.family == "multinomial":
        settings["num_class"] = 3
    part = slice(cell.rows)
    data = lightgbm.Dataset(
        matrix[part],
        drawn.outcome[part],
        weight=None if drawn.weight is None else drawn.weight[part],
        categorical_feature=names,
        params=settings,
    )
    found = lightgbm.train(settings, data, TREES).predict(matrix[cell.rows :], raw_score=True)
    return np.atleast_2d(np.asarray(found).T)


def mean_loss(cell: Cell, drawn: Drawn, score: Scores) -> float:
    """Weighted mean loss of the fresh cases at scores."""
    from core.boosting.losses import BoundLoss

    cases = cases_of(cell, drawn, slice(cell.rows, None))
    bound = BoundLoss(LOSSES[cell.family], {}, cases)
    weight = np.ones(FRESH) if cases.weight is None else cases.weight
    if bound.has_blocks:
        total, mass = bound.block_loss(score, weight, bound.train_blocks)
        return total / mass
    losses = np.empty(FRESH)
    bound.losses(np.ascontiguousarray(score), losses)
    return float(np.average(losses, weights=weight))


def constant(cell: Cell, drawn: Drawn) -> Scores:
    """The best constant score of the training cases, for the fresh ones."""
    from core.boosting.losses import BoundLoss

    cases = cases_of(cell, drawn, slice(cell.rows))
    bound = BoundLoss(LOSSES[cell.family], {}, cases)
    weight = np.ones(cell.rows) if cases.weight is None else cases.weight
    first = bound.initial(weight, np.zeros((bound.n_scores, cell.rows)))
    return np.repeat(first[:, np.newaxis], FRESH, axis=1)


def without(cell: Cell, drawn: Drawn) -> Scores:
    """Train Payoff without the nominal columns; a constant where there are no others."""
    return (
        ours(cell, replace(drawn, codes=drawn.codes[:, :0]))
        if cell.is_beside
        else constant(cell, drawn)
    )


def area(cell: Cell, drawn: Drawn, score: Scores) -> float:
    """AUC of the fresh cases, for outcomes of yes and no."""
    from scipy.stats import rankdata

    happened = drawn.outcome[cell.rows :] > 0
    ranks = rankdata(score[0])
    ones = happened.sum()
    return float((ranks[happened].sum() - ones * (ones + 1) / 2) / (ones * (FRESH - ones)))


SIDES: dict[str, Callable[[Cell, Drawn], Scores | None]] = {
    "without": without,
    "LightGBM": peer,
    "payoff": ours,
    "unshrunk": lambda cell, drawn: ours(cell, drawn, level_penalty=0.0),
}


def measured(cell: Cell, sides: list[str], repeats: int, seed: int) -> dict[str, FloatArray]:
    """Loss, AUC and seconds (draws, 3) of every side."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for repeat in range(repeats):
        drawn = draw(cell, seed + repeat)
        for name in sides:
            began = time.process_time()
            score = SIDES[name](cell, drawn)
            if score is None:
                continue
            seconds = time.process_time() - began
            auc = area(cell, drawn, score) if cell.family == "bernoulli" else np.nan
            found.setdefault(name, []).append((mean_loss(cell, drawn, score), auc, seconds))
    return {name: np.array(values) for name, values in found.items()}


def excess_words(found: dict[str, FloatArray]) -> str:
    """By how much Payoff's loss is above LightGBM's, and the standard error over the draws."""
    if "LightGBM" not in found or "payoff" not in found:
        return "-"
    over = found["payoff"][:, 0] - found["LightGBM"][:, 0]
    error = over.std(ddof=1) / np.sqrt(len(over)) if len(over) > 1 else np.nan
    return f"{over.mean():+.4f} ± {error:.4f}"


def cells(given: argparse.Namespace) -> Iterator[Cell]:
    """The grid asked for."""
    for family, rows, levels, is_useful, is_beside in product(
        given.family, given.rows, given.levels, (True, False), (True, False)
    ):
        if levels <= rows:
            yield Cell(family, rows, levels, is_useful, is_beside, given.weights)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", nargs="*", default=["bernoulli"], choices=FAMILIES)
    parser.add_argument("--rows", nargs="*", type=int, default=ROWS)
    parser.add_argument("--levels", nargs="*", type=int, default=LEVELS)
    parser.add_argument("--weights", action="store_true")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=100, help="of the first draw")
    parser.add_argument("--sides", nargs="*", default=list(SIDES), choices=SIDES)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(
        "family | rows | levels | columns | "
        + " | ".join(f"{n}: loss AUC s" for n in given.sides)
        + " | payoff - LightGBM"
    )
    for cell in cells(given):
        found = measured(cell, given.sides, given.repeats, given.seed)
        shown = " | ".join(
            "{:.4f} {:.3f} {:.2f}".format(*found[name].mean(axis=0)) if name in found else "- - -"
            for name in given.sides
        )
        kind = ("useful" if cell.is_useful else "useless") + (" + 40" if cell.is_beside else "")
        place = f"{cell.family} | {cell.rows} | {cell.levels} | {kind}"
        print(f"{place} | {shown} | {excess_words(found)}", flush=True)


if __name__ == "__main__":
    main()
