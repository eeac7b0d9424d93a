"""Model files of XGBoost in JSON (``save_model('model.json')``).

Its rules, read exactly: a number, rounded to float32, goes left where it is below the threshold; a
nominal split sends the levels of its set right and any other level left; a missing value goes to
the default side. Covers, the weights of Shapley values, are sums of second derivatives.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from core.boosting.importers.parsed_model import (
    ForeignTree,
    ParsedModel,
    columns_of,
    reading,
    same_length,
)
from core.data import printed
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

_LOGIT, _LOG, _PLAIN = "logit", "log", "plain"
_OBJECTIVES = {
    "binary:logistic": ("bernoulli", _LOGIT),
    "binary:logitraw": ("bernoulli", _PLAIN),
    "reg:logistic": ("bernoulli", _LOGIT),
    "reg:squarederror": ("gaussian", _PLAIN),
    "reg:linear": ("gaussian", _PLAIN),
    "reg:squaredlogerror": ("gaussian", _PLAIN),
    "reg:pseudohubererror": ("huber", _PLAIN),
    "reg:absoluteerror": ("laplace", _PLAIN),
    "reg:quantileerror": ("quantile", _PLAIN),
    "count:poisson": ("poisson", _LOG),
    "reg:gamma": ("gamma", _LOG),
    "reg:tweedie": ("tweedie", _LOG),
    "multi:softprob": ("multinomial", _PLAIN),
    "multi:softmax": ("multinomial", _PLAIN),
    "survival:cox": ("coxph", _LOG),
    "rank:pairwise": ("pairwise", _PLAIN),
    "rank:ndcg": ("pairwise", _PLAIN),
    "rank:map": ("pairwise", _PLAIN),
}
Json = Mapping[str, Any]


def read_xgboost(found: Json) -> ParsedModel:
    """The model of ``Booster.save_model`` in JSON."""
    learner: Json = reading("learner", dict, found["learner"])
    trees, weights, model = reading("gradient_booster", _trees, learner)
    names = reading("learner", _names, learner)
    outputs, outputs_of = reading("learner", _outputs, learner, model, len(trees))
    codes = _codes(trees, reading("feature_types", _nominal, learner))
    levels = reading("cats", _levels, model, codes)
    read = [
        reading(f"tree {at}", _foreign, tree, codes, weight)
        for at, (tree, weight) in enumerate(zip(trees, weights, strict=True))
    ]
    objective = reading("objective", _objective, learner)
    distribution, link = _OBJECTIVES.get(objective, (None, _PLAIN))
    parameters = reading("objective", _parameters, objective, learner)
    return ParsedModel(
        program="XGBoost",
        objective=objective,
        distribution=distribution,
        parameters=parameters,
        known_objectives=tuple(_OBJECTIVES),
        columns=columns_of(names, levels),
        trees=_in_turn(read, outputs_of, outputs),
        initial=reading("base_score", _initial, learner, link, outputs),
    )


def _objective(learner: Json) -> str:
    return str(learner["objective"]["name"])


def _trees(learner: Json) -> tuple[list[Json], list[float], Json]:
    """The trees, the factor on each, and the part of the file that they stand in."""
    booster = learner["gradient_booster"]
    kind = booster["name"]
    if kind == "gblinear":
        raise PayoffError(
            "The model is linear, not made of trees.", remedy="Its coefficients say all of it."
        )
    inner = booster["gbtree"] if kind == "dart" else booster
    model = inner["model"]
    trees = list(model["trees"])
    weights = [float(w) for w in booster["weight_drop"]] if kind == "dart" else [1.0] * len(trees)
    return trees, weights, model


def _names(learner: Json) -> list[str]:
    """Names of the inputs; XGBoost's own where the training had none."""
    many = int(learner["learner_model_param"]["num_feature"])
    names = [str(name) for name in learner.get("feature_names") or []]
    if not names:
        if many > 1_000_000:
            raise ValueError(f"{counted(many, 'input')} without names")
        names = [f"f{place}" for place in range(many)]
    if len(names) != many:
        raise ValueError(f"{counted(len(names), 'name')} for {counted(many, 'input')}")
    return names


def _outputs(learner: Json, model: Json, trees: int) -> tuple[int, IntArray]:
    """Scores per case, and which of them each tree adds to."""
    parameters = learner["learner_model_param"]
    outputs = max(1, int(parameters["num_class"]), int(parameters.get("num_target", 1)))
    outputs_of = np.array(model["tree_info"], dtype=np.int64)
    if outputs_of.shape != (trees,) or (trees and not 0 <= outputs_of.min() <= outputs_of.max()):
        raise ValueError("tree_info does not fit the trees")
    if trees and int(outputs_of.max()) >= outputs:
        raise ValueError("tree_info names a class that is not there")
    return outputs, outputs_of


def _in_turn(
    trees: Sequence[ForeignTree], outputs_of: IntArray, outputs: int
) -> tuple[ForeignTree, ...]:
    """Trees of the outputs in turn; several of one class in an iteration stand behind each other
    in the file.
    """
    by_output = [np.flatnonzero(outputs_of == output) for output in range(outputs)]
    if len({len(places) for places in by_output}) > 1:
        raise PayoffError(
            "The model file is damaged.", why="Its classes have different numbers of trees."
        )
    return tuple(trees[place] for group in zip(*by_output, strict=True) for place in group)


def _initial(learner: Json, link: str, outputs: int) -> FloatArray:
    """The base score on the link scale, (K,)."""
    text = str(learner["learner_model_param"]["base_score"]).strip("[]")
    given = np.array(text.split(","), dtype=np.float32).astype(np.float64)
    if given.shape[0] not in (1, outputs) or not np.isfinite(given).all():
        raise ValueError(f"base_score is {text}")
    base: FloatArray = np.resize(given, outputs)
    if link == _LOGIT:
        if ((base <= 0.0) | (base >= 1.0)).any():
            raise ValueError(f"base_score is {text}, not a chance")
        base = np.log(base / (1.0 - base))
    elif link == _LOG:
        if (base <= 0.0).any():
            raise ValueError(f"base_score is {text}, not above 0")
        base = np.log(base)
    return base


def _parameters(name: str, learner: Json) -> dict[str, float]:
    objective = learner["objective"]
    if name == "reg:tweedie":
        return {"power": float(objective["tweedie_regression_param"]["tweedie_variance_power"])}
    if name == "reg:quantileerror":
        text = str(objective["quantile_loss_param"]["quantile_alpha"]).strip("[]()")
        quantiles = [float(part) for part in text.split(",") if part.strip()]
        if len(quantiles) > 1:
            raise PayoffError(
                "The model predicts several quantiles.",
                why="Read are models of one.",
                remedy="Train a model per quantile.",
            )
        return {"alpha": quantiles[0]}
    return {}


# ---------------------------------------------------------------- levels


def _nominal(learner: Json) -> list[int]:
    """Columns of levels, whether a split reads them or not."""
    kinds = learner.get("feature_types") or []
    return [place for place, kind in enumerate(kinds) if kind == "c"]


def _codes(trees: Sequence[Json], nominal: Sequence[int]) -> dict[int, list[int]]:
    """The codes that splits name of each nominal column, rising."""
    found: dict[int, set[int]] = {place: set() for place in nominal}
    for at, tree in enumerate(trees):
        for column, codes in reading(f"tree {at}", _named_codes, tree):
            found.setdefault(column, set()).update(codes)
    return {column: sorted(codes) for column, codes in found.items()}


def _named_codes(tree: Json) -> list[tuple[int, list[int]]]:
    """The column of each nominal split, and the codes that it names."""
    columns = tree["split_indices"]
    return [(int(columns[node]), codes) for node, codes in _right_codes(tree).items()]


def _right_codes(tree: Json) -> dict[int, list[int]]:
    """The codes that go right at each nominal split."""
    nodes = tree.get("categories_nodes", [])
    starts, sizes = tree.get("categories_segments", []), tree.get("categories_sizes", [])
    codes = tree.get("categories", [])
    found = {}
    for node, start, size in zip(nodes, starts, sizes, strict=True):
        part = [int(code) for code in codes[start : start + size]]
        if len(part) != size or (part and min(part) < 0):
            raise ValueError(f"the levels of node {node} are not all there")
        found[int(node)] = part
    return found


def _levels(model: Json, codes: dict[int, list[int]]) -> dict[int, list[str]]:
    """Printed levels of each nominal column: names where the file has them, else the codes."""
    named = (model.get("cats") or {}).get("enc") or []
    levels = {}
    for column, known in codes.items():
        names = _names_of(named[column]) if column < len(named) else []
        if names:
            if known and known[-1] >= len(names):
                raise ValueError(f"input {column} has a level without a name")
            codes[column] = list(range(len(names)))
            levels[column] = names
        else:
            levels[column] = [str(code) for code in known] or [""]
    return levels


def _names_of(entry: Json) -> list[str]:
    values = entry.get("values") or []
    if "offsets" not in entry:
        return [printed(value) for value in values]
    text = bytes(value & 255 for value in values)
    ends = entry["offsets"]
    return [text[a:b].decode("utf-8") for a, b in pairwise(ends)]


# ---------------------------------------------------------------- one tree


def _foreign(tree: Json, codes: Mapping[int, list[int]], factor: float) -> ForeignTree:
    if int(tree["tree_param"].get("size_leaf_vector", 1)) > 1:
        raise PayoffError(
            "The leaves of the model hold several numbers each.",
            why="A leaf here is one number.",
            remedy="Train it with multi_strategy='one_output_per_tree'.",
        )
    left = np.array(tree["left_children"], dtype=np.int64)
    size = left.shape[0]
    arrays: dict[str, np.ndarray[Any, Any]] = {
        "right_children": np.array(tree["right_children"], dtype=np.int64),
        "split_indices": np.array(tree["split_indices"], dtype=np.int64),
        "split_conditions": np.array(tree["split_conditions"], dtype=np.float32),
        "default_left": np.array(tree["default_left"], dtype=np.int64),
        "loss_changes": np.array(tree["loss_changes"], dtype=np.float64),
        "sum_hessian": np.array(tree["sum_hessian"], dtype=np.float64),
    }
    same_length(arrays, size)
    is_split = left >= 0
    right_codes = _right_codes(tree)
    left_levels = {}
    for node, gone in right_codes.items():
        known = codes[int(arrays["split_indices"][node])]
        left_levels[node] = np.flatnonzero(~np.isin(known, gone))
    return ForeignTree(
        feature=np.where(is_split, arrays["split_indices"], -1),
        threshold=_below_in_float32(arrays["split_conditions"]),
        left=left,
        right=arrays["right_children"],
        is_missing_left=arrays["default_left"] > 0,
        is_unseen_left=np.ones(size, dtype=bool),
        left_levels=left_levels,
        value=arrays["split_conditions"].astype(np.float64) * factor,
        gain=np.maximum(arrays["loss_changes"], 0.0),
        weight=arrays["sum_hessian"],
    )


def _below_in_float32(conditions: np.ndarray[Any, np.dtype[np.float32]]) -> FloatArray:
    """The first float64 that, rounded to float32, is not below each condition."""
    below = np.nextafter(conditions, np.float32(-math.inf)).astype(np.float64)
    exact = conditions.astype(np.float64)
    with np.errstate(invalid="ignore"):
        middle = below + (exact - below) / 2.0
    # A tie goes to the number whose last bit is 0.
    is_up = middle.astype(np.float32) == conditions
    first = np.where(is_up, middle, np.nextafter(middle, math.inf))
    return np.where(np.isfinite(first), first, exact)
