"""Expected profit as a loss against log loss with the decision rule, on rows no model has seen.

    python -m tests.studies.profit_loss [WORD]

With a word only lines of the table that have it.
Both learn the same way (the same trees, folds and seeds) and both decide by the same rule from
their chances. Real data: five folds, twice; the difference is a mean over cases, its interval from
the spread of the cases' differences, so it is that of these finished models. Made-up data: new
training data each time; the interval is over the repetitions, and the true chances are known.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import payoff
from tests.helpers.shared_data import SHARED

FOLDS, ROUNDS, REPEATS = 5, 2, 10
TREES = {
    "60 stumps": {"n_trees": 60, "interaction_depth": 1},
    "200 trees of 3 splits": {"n_trees": 200, "interaction_depth": 3, "shrinkage": 0.05},
}


@dataclass(frozen=True, kw_only=True)
class Task:
    """A data set with the terms of its decision."""

    name: str
    frame: pd.DataFrame
    target: str
    features: list[str]
    terms: dict[str, Any]


def fitted(task: Task, frame: pd.DataFrame, in_money: bool, trees: dict[str, Any]) -> payoff.Model:
    """A model of the task's outcome by either loss."""
    several = len(task.terms["matrix"]) > 2
    name = (
        ("multinomial", "expected_profit_classes") if several else ("bernoulli", "expected_profit")
    )
    return payoff.boost(
        frame,
        target=task.target,
        distribution=name[in_money],
        features=task.features,
        decision=task.terms if in_money else None,
        min_cases_in_node=20,
        seed=1,
        **trees,
    )


def realised(task: Task, frame: pd.DataFrame, probabilities: np.ndarray, shares: Any) -> np.ndarray:
    """What each case brings under the rule, weighted to the priors where there are any."""
    levels = list(task.terms["matrix"])
    columns = {f"chance {level}": probabilities[:, k] for k, level in enumerate(levels)}
    terms = dict(task.terms)
    if "priors" in terms:
        terms["old_priors"] = shares
    decided = payoff.decide(
        frame.assign(**columns),
        target=task.target,
        posteriors={level: f"chance {level}" for level in levels},
        **terms,
    )
    table = decided.table
    realised = table[f"CP_{task.target}"].to_numpy()
    weight = frame[task.target].astype(str).map(decided.prior_weights).to_numpy()
    return realised * weight


def probabilities_of(model: payoff.Model, frame: pd.DataFrame, levels: list[str]) -> np.ndarray:
    """Chances (n, levels) in the order of the matrix."""
    found = model.predict(frame, kind="response")
    if found.ndim == 1:
        found = np.column_stack([1 - found, found])
    return found[:, [list(model.classes).index(level) for level in levels]]


def differences(task: Task, trees: dict[str, Any]) -> tuple[float, float, float, float]:
    """Profit per case by log loss, and the gain of the loss in money with its 95 % interval."""
    levels, n = list(task.terms["matrix"]), len(task.frame)
    realised_value = np.zeros((2, ROUNDS, n))
    for turn in range(ROUNDS):
        fold = np.random.default_rng(turn).permutation(np.arange(n) % FOLDS)
        for k in range(FOLDS):
            train, fresh = task.frame[fold != k], task.frame[fold == k]
            shares = train[task.target].astype(str).value_counts(normalize=True).to_dict()
            for in_money in (False, True):
                model = fitted(task, train, in_money, trees)
                probabilities = probabilities_of(model, fresh, levels)
                realised_value[int(in_money), turn, fold == k] = realised(
                    task, fresh, probabilities, shares
                )
    mean = realised_value.mean(axis=1)
    gain = mean[1] - mean[0]
    half = 1.96 * gain.std(ddof=1) / np.sqrt(n)
    return mean[0].mean(), gain.mean(), gain.mean() - half, gain.mean() + half


def donations() -> Task:
    """PVA97NK: a letter of 0.68 against the usual gift; 5 % answer, half of the file does."""
    frame = pd.read_csv(SHARED / "pva97nk" / "pva97nk.csv", dtype={"ID": str, "DemCluster": str})
    drop = {"TARGET_B", "TARGET_D", "ID", "DemCluster"}
    return Task(
        name="PVA97NK, letters",
        frame=frame,
        target="TARGET_B",
        features=[name for name in frame.columns if name not in drop],
        terms={"matrix": {"1": [14.62, 0.0], "0": [-0.68, 0.0]}, "priors": {"1": 0.05, "0": 0.95}},
    )


def german() -> Task:
    """German credit: a bad loan granted costs five times a good one refused (its own matrix)."""
    path = SHARED / "german_credit" / "german.data"
    frame = pd.read_csv(path, sep=r"\s+", header=None)
    frame.columns = [f"a{k}" for k in range(1, 21)] + ["bad"]
    frame["bad"] = (frame["bad"] == 2).astype(int)
    return Task(
        name="German credit, 5 : 1",
        frame=frame,
        target="bad",
        features=[f"a{k}" for k in range(1, 21)],
        terms={"matrix": {"1": [0.0, -5.0], "0": [-1.0, 0.0]}, "decisions": ["refuse", "grant"]},
    )


def home_loans() -> Task:
    """HMEQ: a loan earns 12 % of its amount, or loses 45 % of it."""
    frame = pd.read_csv(SHARED / "hmeq" / "hmeq.csv")
    return Task(
        name="HMEQ, by amount",
        frame=frame,
        target="BAD",
        features=[name for name in frame.columns if name != "BAD"],
        terms={
            "matrix": {"1": ["=-0.45*amount", 0.0], "0": ["=0.12*amount", 0.0]},
            "amount": "LOAN",
        },
    )


def made_up(kind: str, rows: int, random: np.random.Generator) -> pd.DataFrame:
    """Six inputs; "local": near break-even other inputs matter than elsewhere; "plain": a line."""
    frame = pd.DataFrame(random.normal(size=(rows, 6)), columns=list("abcdef"))
    f = -2.5 + frame.a + 0.7 * frame.b - 0.5 * frame.c
    if kind == "local":
        swing = 3.5 + 2.0 * np.sin(4.0 * frame.b) + 1.5 * frame.c * frame.d
        f = -3.0 + np.where(frame.a > 0, swing, 0.8 * frame.e)
    frame["chance"] = 1.0 / (1.0 + np.exp(-f))
    frame["answer"] = (random.random(rows) < frame.chance).astype(int)
    if kind == "three":
        frame["answer"] += frame.answer * (random.random(rows) < 1 / (1 + np.exp(-2 * frame.d)))
    return frame


def true_gain(kind: str, rows: int, trees: dict[str, Any]) -> tuple[float, float, float, float]:
    """As ``differences``, over new training data, counted by the true chances where known."""
    matrix = {"1": [10.0, 0.0], "0": [-1.0, 0.0]}
    if kind == "three":
        matrix = {"2": [20.0, 3.0, 0.0], "1": [-4.0, 4.0, 0.0], "0": [-2.0, -1.0, 0.0]}
    earned = np.zeros((2, REPEATS))
    for turn in range(REPEATS):
        random = np.random.default_rng(100 + turn)
        train, fresh = made_up(kind, rows, random), made_up(kind, 40_000, random)
        task = Task(
            name=kind,
            frame=train,
            target="answer",
            features=list("abcdef"),
            terms={"matrix": matrix},
        )
        for in_money in (False, True):
            model = fitted(task, train, in_money, trees)
            probabilities = probabilities_of(model, fresh, list(matrix))
            if kind == "three":
                earned[int(in_money), turn] = realised(task, fresh, probabilities, None).mean()
            else:
                acts = 11.0 * probabilities[:, 0] > 1.0
                earned[int(in_money), turn] = (acts * (11.0 * fresh.chance - 1.0)).mean()
    gain = earned[1] - earned[0]
    half = 2.26 * gain.std(ddof=1) / np.sqrt(REPEATS)  # t, 9 degrees of freedom
    return earned[0].mean(), gain.mean(), gain.mean() - half, gain.mean() + half


def rows_of_table(word: str) -> Iterator[tuple[str, str, tuple[float, float, float, float]]]:
    """Each line of the table as it is finished."""
    tasks: tuple[Callable[[], Task], ...] = (donations, german, home_loans)
    for make in tasks if SHARED.is_dir() else ():
        task = make()
        for words, trees in TREES.items():
            if word not in f"{task.name}, {words}":
                continue
            yield task.name, words, differences(task, trees)
    for kind, name, rows in (
        ("local", "made up: other inputs near break-even", 4_000),
        ("plain", "made up: one straight line", 4_000),
        ("plain", "made up: one straight line, few rows", 1_000),
        ("three", "made up: three classes", 4_000),
    ):
        for words, trees in TREES.items():
            if word not in f"{name}, {words}":
                continue
            yield name, words, true_gain(kind, rows, trees)


def main() -> None:
    """Print the table of docs/profit-as-a-loss.md."""
    print("| data | trees | per case, log loss | gain of the loss in money | 95 % interval |")
    print("|---|---|---|---|---|")
    for name, words, (base, gain, low, high) in rows_of_table(" ".join(sys.argv[1:])):
        print(
            f"| {name} | {words} | {base:.3f} | {gain:+.4f} | {low:+.4f} to {high:+.4f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
