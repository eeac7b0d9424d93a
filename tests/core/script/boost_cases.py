"""Trainings of every kind, small: what ``payoff.boost`` and page Models have to agree about."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

ROWS = 480
NUMBERS = ["a", "b", "c"]
INPUTS = [*NUMBERS, "town", "grade_of_house"]


@cache
def make_table() -> pd.DataFrame:
    """Numbers, texts, missing values, and an outcome of every kind."""
    random = np.random.default_rng(11)
    table = pd.DataFrame(random.normal(size=(ROWS, 3)), columns=NUMBERS)
    table["town"] = random.choice(["Bern", "Basel", "Genf", "Zug"], ROWS)
    table["grade_of_house"] = random.choice(["low", "middle", "high"], ROWS)
    table.loc[::7, "b"] = np.nan
    table.loc[3::11, "town"] = None
    score = table.a + np.where(table.c > 0, 1.0, -0.5) * table.b.fillna(0.3)
    score = score + (table.town == "Genf")
    noise = random.normal(size=ROWS)
    table["number"] = score + 0.5 * noise
    table["amount"] = np.exp(0.4 * score + 0.3 * noise)
    table["count"] = random.poisson(np.exp(0.4 * score))
    table["flag"] = (score + noise > 0.2).astype(int)
    table["answer"] = np.where(table.flag == 1, "yes", "no")
    table["is_true"] = table.flag == 1
    table["kind"] = np.where(table.flag == 0, "none", np.where(table.c > 0, "big", "small"))
    table["level"] = np.digitize(score + noise, [-1.0, 0.5, 1.5]) + 7  # 7 to 10
    table["size"] = pd.Categorical.from_codes(
        table.level - 7, ["small", "fair", "large", "huge"], ordered=True
    )
    table["plain_size"] = table["size"].astype(str)
    table["weight"] = random.uniform(0.5, 2.0, ROWS)
    table["exposure"] = random.uniform(-0.5, 0.5, ROWS)
    table["time"] = random.exponential(np.exp(-0.5 * score)) + 0.01
    table["latest"] = table.time * random.choice([1.0, 1.5], ROWS)
    table["event"] = random.integers(0, 2, ROWS)
    table["entry"] = table.time * random.uniform(0.0, 0.6, ROWS)
    table["clinic"] = random.choice(["north", "south"], ROWS)
    table["query"] = [f"q{place // 8}" for place in range(ROWS)]
    table["grade"] = np.digitize(score + noise, [-1.0, 0.5, 1.5])
    table["treated"] = random.integers(0, 2, ROWS)
    table["chance"] = random.uniform(0.3, 0.7, ROWS)
    table["price"] = random.choice([0.2, 3.0], ROWS)
    return table


MONEY = {"1": [10.0, 0.0], "0": [-1.0, 0.0]}
THREE = {"big": [9.0, 1.0, 0.0], "small": [-1.0, 3.0, 0.0], "none": [-2.0, -1.0, 0.0]}
RANK = {"target": "grade", "distribution": "pairwise", "group": "query", "features": NUMBERS}
COX = {"target": "time", "distribution": "coxph", "event": "event", "features": INPUTS}
EFFECT = {"target": "number", "distribution": "uplift", "treatment": "treated", "features": NUMBERS}
YES = {"target": "answer", "distribution": "bernoulli", "features": INPUTS}
SIZE = {"target": "plain_size", "distribution": "ordinal", "features": INPUTS}
NUMBER = {"target": "number", "distribution": "gaussian", "features": INPUTS}
SIZES = ["small", "fair", "large", "huge"]

TRAININGS: Mapping[str, dict[str, Any]] = {
    "plain": NUMBER,
    "judged": NUMBER | {"train_fraction": 0.7, "interaction_depth": 3},
    "judged by an odd share": NUMBER | {"train_fraction": 0.333},
    "laplace": NUMBER | {"distribution": "laplace", "weight": "weight", "train_fraction": 0.8},
    "huber": NUMBER | {"distribution": "huber", "interaction_depth": 2},
    "quantiles": NUMBER
    | {"distribution": "multi_quantile", "distribution_params": {"quantiles": 5, "lowest": 0.1}},
    "counts": {"target": "count", "distribution": "poisson", "features": INPUTS},
    "offset": {
        "target": "count",
        "distribution": "poisson",
        "features": INPUTS,
        "offset": "exposure",
        "weight": "weight",
        "train_fraction": 0.75,
    },
    "gamma": {"target": "amount", "distribution": "gamma", "features": INPUTS},
    "tweedie": {
        "target": "amount",
        "distribution": "tweedie",
        "distribution_params": {"power": 1.3},
        "features": INPUTS,
    },
    "yes": YES | {"interaction_depth": 3},
    "zero and one": YES | {"target": "flag"},
    "true and false": YES | {"target": "is_true", "train_fraction": 0.6},
    "said order of two": YES | {"levels": {"answer": ["yes", "no"]}},
    "adaboost": YES | {"distribution": "adaboost"},
    "folds": YES | {"cv_folds": 4, "train_fraction": 0.75, "weight": "weight"},
    "stopped early": YES | {"n_trees": 120, "train_fraction": 0.6, "early_stopping": 8},
    "classes": {"target": "kind", "distribution": "multinomial", "features": INPUTS, "cv_folds": 2},
    "classes in said order": {
        "target": "kind",
        "distribution": "multinomial",
        "features": INPUTS,
        "levels": {"kind": ["small", "none", "big"]},
    },
    "classes of two": {"target": "flag", "distribution": "multinomial", "features": INPUTS},
    "ordered numbers": {"target": "level", "distribution": "ordinal", "features": INPUTS},
    "ordered column": {"target": "size", "distribution": "ordinal", "features": INPUTS},
    "ordered by texts": SIZE,
    "ordered as said": SIZE | {"levels": {"plain_size": SIZES}, "train_fraction": 0.8},
    "cox": COX | {"train_fraction": 0.8},
    "cox with entry": COX | {"entry": "entry", "strata": "clinic", "weight": "weight"},
    "cox with folds": COX | {"cv_folds": 3, "distribution_params": {"ties": "breslow"}},
    "time": {
        "target": "time",
        "distribution": "aft",
        "event": "event",
        "features": INPUTS,
        "train_fraction": 0.8,
    },
    "time between": {
        "target": "time",
        "distribution": "aft",
        "event": "event",
        "upper": "latest",
        "features": INPUTS,
    },
    "lists": RANK | {"train_fraction": 0.8},
    "lists in folds": RANK | {"cv_folds": 3},
    "lists without bags of groups": RANK | {"bag_groups": False},
    "bags of groups": NUMBER | {"group": "query", "bag_groups": True},
    "groups in folds": YES | {"group": "query", "bag_groups": False, "cv_folds": 3},
    "effect": EFFECT | {"train_fraction": 0.8},
    "effect by chance": EFFECT | {"propensity": "chance", "weight": "weight"},
    "effect on an answer": EFFECT | {"target": "flag", "distribution": "uplift_baseline"},
    "money": YES
    | {"target": "flag", "distribution": "expected_profit", "decision": {"matrix": MONEY}},
    "money with costs": YES
    | {
        "target": "flag",
        "distribution": "expected_profit",
        "decision": {"matrix": MONEY, "costs": ["price", 0.0], "priors": {"1": 0.2, "0": 0.8}},
        "weight": "weight",
        "train_fraction": 0.7,
    },
    "money by amount": YES
    | {
        "distribution": "expected_profit",
        "decision": {
            "matrix": {"yes": ["=0.1*amount", 0], "no": ["=-0.02*amount", 0]},
            "amount": "amount",
        },
    },
    "money of three": {
        "target": "kind",
        "distribution": "expected_profit_classes",
        "features": NUMBERS,
        "decision": {"matrix": THREE, "priors": {"big": 0.1, "small": 0.2, "none": 0.7}},
        "cv_folds": 2,
    },
    "third child": YES | {"missing": "third_child", "interaction_depth": 3},
    "ordered input": YES
    | {"levels": {"grade_of_house": {"ordered": ["low", "middle", "high"]}, "town": ["Zug"]}},
    "codes as levels": YES
    | {"features": ["a", "grade"], "levels": {"grade": [0, 1, 2]}, "interaction_depth": 2},
    "directions": YES | {"monotone": {"a": 1, "c": -1}, "interaction_depth": 3},
    "which act together": YES
    | {"interactions": [["a", "b"], ["c", "town"]], "max_depth": 2}
    | {"interaction_depth": 4},
    "some columns": YES | {"column_fraction": 0.5, "l2": 1.5, "bag_fraction": 1.0},
    "exact": YES | {"precision": "exact", "max_bins": 20},
    "histogram": YES | {"precision": "histogram", "max_bins": 100, "interaction_depth": 4},
    "as gbm": YES | {"gbm_compatible": True, "interaction_depth": 2, "min_cases_in_node": 5},
    "every column": {"target": "number", "distribution": "gaussian", "weight": "weight"},
    "some rows": YES | {"rows": "a > -1 and kind != 'small'", "train_fraction": 0.7},
    "some rows of classes": {
        "target": "kind",
        "distribution": "multinomial",
        "features": INPUTS,
        "rows": "town != 'Zug' and kind != 'none'",
    },
}


def arguments_of(name: str) -> dict[str, Any]:
    """The arguments of a training by its name."""
    return {"n_trees": 25, "seed": 5} | TRAININGS[name]
