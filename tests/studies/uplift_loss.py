"""Uplift as a loss against one model per arm, where the effect of every case is known.

    python -m tests.studies.uplift_loss [WORD]

With a word only data whose name has it. Root PEHE is the root of the mean squared error of the
predicted effect; beside it the mean true effect of the 30 % with the highest predictions. All on
rows that no model has seen. Made-up data: new training data each time; IHDP: three simulations of
the trial's children, five folds each, chances of treatment estimated on the training rows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pandas as pd

import payoff
from tests.helpers.shared_data import SHARED

REPEATS, FOLDS, BEST = 8, 5, 0.3
WAYS = ("a model per arm", "uplift", "uplift, transformed", "uplift_baseline")
TREES = {"n_trees": 150, "interaction_depth": 3, "shrinkage": 0.05, "min_cases_in_node": 20}


def made_up(kind: str, rows: int, random: np.random.Generator) -> tuple[pd.DataFrame, list[str]]:
    """Inputs, treatment, its chance, outcome and true effect."""
    x = random.normal(size=(rows, 6))
    names = [f"x{k}" for k in range(6)]
    frame = pd.DataFrame(x, columns=names)
    probability = np.full(rows, 0.5)
    level, effect = 0.5 * x[:, 0], 0.5 + 0.5 * (x[:, 1] > 0)
    if kind == "strong":  # outcomes vary far more between cases than the effect does
        level = 4.0 * np.sin(2 * x[:, 0]) + 3.0 * x[:, 2] * x[:, 3]
    if kind == "uneven":
        probability = 0.05 + 0.4 / (1 + np.exp(-2 * x[:, 0]))
    treated = random.random(rows) < probability
    if kind == "yes or no":
        base = 0.1 + 0.1 / (1 + np.exp(-x[:, 0]))
        effect = 0.08 * (x[:, 1] > 0)
        outcome = (random.random(rows) < base + treated * effect).astype(float)
    else:
        outcome = level + treated * effect + random.normal(size=rows)
    frame = frame.assign(
        treated=treated.astype(int), probability=probability, y=outcome, effect=effect
    )
    return frame, names


def predicted(way: str, train: pd.DataFrame, fresh: pd.DataFrame, names: list[str]) -> np.ndarray:
    """Effects of fresh rows by one way to learn them."""
    if way == "a model per arm":
        name = "bernoulli" if set(train.y) == {0.0, 1.0} else "gaussian"
        arms = [
            payoff.boost(
                train[train.treated == arm],
                target="y",
                distribution=name,
                features=names,
                seed=1,
                **TREES,
            ).predict(fresh, kind="response")
            for arm in (1, 0)
        ]
        return arms[0] - arms[1]
    distribution, _, form = way.partition(", ")
    model = payoff.boost(
        train,
        target="y",
        distribution=distribution,
        features=names,
        treatment="treated",
        propensity="chance",
        distribution_params={"form": form or "weighted"},
        seed=1,
        **TREES,
    )
    return np.asarray(model.predict(fresh))[:, 0]


def judged(effect: np.ndarray, guess: np.ndarray) -> tuple[float, float]:
    """Root PEHE, and the mean true effect of the best cases."""
    best = np.argsort(-guess, kind="stable")[: int(BEST * len(guess))]
    return float(np.sqrt(np.mean((guess - effect) ** 2))), float(effect[best].mean())


def trial_folds() -> Iterator[tuple[pd.DataFrame, pd.DataFrame, list[str]]]:
    """IHDP: training and fresh rows of each fold of each simulation."""
    names = [f"x{k}" for k in range(1, 26)]
    for number in (1, 2, 3):
        frame = pd.read_csv(SHARED / "ihdp" / f"ihdp_npci_{number}.csv", header=None)
        frame.columns = ["treated", "y", "other", "mu0", "mu1", *names]
        frame["effect"] = frame.mu1 - frame.mu0
        fold = np.random.default_rng(number).permutation(np.arange(len(frame)) % FOLDS)
        for k in range(FOLDS):
            train = frame[fold != k].reset_index(drop=True)
            model = payoff.boost(
                train,
                target="treated",
                distribution="bernoulli",
                features=names,
                n_trees=40,
                interaction_depth=2,
                cv_folds=5,
                seed=1,
            )
            link = model.boosted.cross_validation.link[0]
            train["chance"] = np.clip(1 / (1 + np.exp(-link)), 0.05, 0.95)
            yield train, frame[fold == k], names


def draws(kind: str) -> Iterator[tuple[pd.DataFrame, pd.DataFrame, list[str]]]:
    """New training and fresh rows each time."""
    for turn in range(REPEATS):
        random = np.random.default_rng(turn)
        train, names = made_up(kind, 2_000, random)
        yield train, made_up(kind, 20_000, random)[0], names


def main() -> None:
    """Print the table of docs/uplift-as-a-loss.md."""
    word = " ".join(sys.argv[1:])
    sources = {
        "made up: half treated, plain": "plain",
        "made up: half treated, outcomes vary much": "strong",
        "made up: 5 to 45 % treated": "uneven",
        "made up: a yes or no": "yes or no",
        "IHDP": "",
    }
    print("| data | way | root PEHE | less than a model per arm | true effect of the best 30 % |")
    print("|---|---|---|---|---|")
    for name, kind in sources.items():
        if word not in name or (not kind and not SHARED.is_dir()):
            continue
        found = np.array(
            [
                [judged(fresh.effect.to_numpy(), predicted(w, train, fresh, names)) for w in WAYS]
                for train, fresh, names in (draws(kind) if kind else trial_folds())
            ]
        )
        for place, way in enumerate(WAYS):
            gain = found[:, 0, 0] - found[:, place, 0]
            half = 2.2 * gain.std(ddof=1) / np.sqrt(len(gain))
            words = f"{gain.mean():+.3f} ± {half:.3f}" if place else ""
            error, worth = found[:, place].mean(axis=0)
            print(f"| {name} | {way} | {error:.3f} | {words} | {worth:.3f} |", flush=True)


if __name__ == "__main__":
    main()
