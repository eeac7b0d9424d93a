"""Model files of LightGBM, text (``save_model``) and JSON (``dump_model``).

Its rules, read exactly: a number goes left where ``x <= threshold``; a missing value goes to the
default side where the column had missing values in training, else it counts as 0; a nominal split
sends the levels of its set left, any other level and missing values right.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.boosting.importers.parsed_model import (
    ForeignTree,
    ParsedModel,
    columns_of,
    damaged,
    number_after,
    reading,
    same_length,
)
from core.data import printed
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

_DISTRIBUTIONS = {
    "binary": "bernoulli",
    "cross_entropy": "bernoulli",
    "xentropy": "bernoulli",
    "regression": "gaussian",
    "regression_l1": "laplace",
    "huber": "huber",
    "fair": "gaussian",
    "mape": "laplace",
    "quantile": "quantile",
    "poisson": "poisson",
    "gamma": "gamma",
    "tweedie": "tweedie",
    "multiclass": "multinomial",
    "lambdarank": "pairwise",
    "rank_xendcg": "pairwise",
}
_NO_MISSING, _ZERO_MISSING, _NAN_MISSING = 0, 1, 2
_MISSING_WORDS = {"None": _NO_MISSING, "Zero": _ZERO_MISSING, "NaN": _NAN_MISSING}
_TINY = 1e-35  # what LightGBM takes for 0


@dataclass(slots=True)
class _Head:
    """What stands before the trees."""

    names: list[str]
    objective: str
    outputs: int
    is_averaged: bool
    nominal: dict[int, list[int]]  # column -> codes that the training had
    categories: list[list[Any]] | None  # of the nominal columns of a data frame, in their order


@dataclass(slots=True)
class _RawTree:
    """A tree in LightGBM's numbering: splits 0 .., leaves -1, -2 ..; S splits, S + 1 leaves."""

    feature: IntArray
    threshold: FloatArray
    left: IntArray
    right: IntArray
    is_nominal: BoolArray
    is_default_left: BoolArray
    missing: IntArray
    gain: FloatArray
    split_weight: FloatArray
    leaf_value: FloatArray
    leaf_weight: FloatArray
    codes: dict[int, list[int]] = field(default_factory=dict)  # nominal split -> codes that go left


def is_lightgbm_text(text: str) -> bool:
    """Whether a file is the text of ``save_model``."""
    return text.lstrip()[:64].split("\n", 1)[0].strip() == "tree"


# ---------------------------------------------------------------- text


def read_lightgbm_text(text: str) -> ParsedModel:
    """The model in the text of ``Booster.save_model``."""
    body, end, after = text.partition("\nend of trees")
    if not end:
        raise PayoffError("The model file is damaged.", why="'end of trees' is missing: it is cut.")
    parts = body.split("\nTree=")
    head = reading("head", _text_head, _entries(parts[0]), after)
    trees = [reading(f"tree {at}", _text_tree, _entries(part)) for at, part in enumerate(parts[1:])]
    return _parsed(head, trees)


def _entries(part: str) -> dict[str, str]:
    pairs = (line.partition("=") for line in part.splitlines())
    return {name.strip(): value for name, _, value in pairs} | {"": part}


def _text_head(entries: Mapping[str, str], after: str) -> _Head:
    names = entries["feature_names"].split()
    infos = entries["feature_infos"].split()
    if len(names) != int(entries["max_feature_idx"]) + 1 or len(infos) != len(names):
        raise ValueError("the numbers of feature_names and feature_infos differ")
    nominal = {
        place: [int(code) for code in info.split(":")]
        for place, info in enumerate(infos)
        if not info.startswith("[") and info != "none"
    }
    mark = "pandas_categorical:"
    line = next((row for row in after.splitlines() if row.startswith(mark)), mark + "null")
    return _Head(
        names=names,
        objective=entries.get("objective", ""),
        outputs=int(entries["num_tree_per_iteration"]),
        is_averaged="\naverage_output" in entries[""],
        nominal=nominal,
        categories=json.loads(line.removeprefix(mark)),
    )


def _text_tree(entries: Mapping[str, str]) -> _RawTree:
    if int(entries.get("is_linear", "0")):
        raise _no_linear()
    leaves = int(entries["num_leaves"])

    def whole(name: str) -> IntArray:
        return np.array(entries[name].split(), dtype=np.int64)

    def real(name: str) -> FloatArray:
        return np.array(entries[name].split(), dtype=np.float64)

    if leaves == 1:
        weight = real("leaf_count") if entries.get("leaf_count", "").split() else np.zeros(1)
        return _leaf_alone(float(entries["leaf_value"]), float(weight[0]))
    kind = whole("decision_type")
    tree = _RawTree(
        feature=whole("split_feature"),
        threshold=real("threshold"),
        left=whole("left_child"),
        right=whole("right_child"),
        is_nominal=(kind & 1) > 0,
        is_default_left=(kind & 2) > 0,
        missing=(kind >> 2) & 3,
        gain=real("split_gain"),
        split_weight=real("internal_count"),
        leaf_value=real("leaf_value"),
        leaf_weight=real("leaf_count"),
    )
    if tree.is_nominal.any():
        starts, words = whole("cat_boundaries"), np.array(entries["cat_threshold"].split(), "u4")
        for split in np.flatnonzero(tree.is_nominal):
            place = int(tree.threshold[split])
            row = words[starts[place] : starts[place + 1]]
            bits = np.unpackbits(row.view(np.uint8), bitorder="little")
            tree.codes[int(split)] = np.flatnonzero(bits).tolist()
    return tree


def _leaf_alone(value: float, weight: float) -> _RawTree:
    none = np.zeros(0, dtype=np.int64)
    return _RawTree(
        none,
        np.zeros(0),
        none,
        none,
        none > 0,
        none > 0,
        none,
        np.zeros(0),
        np.zeros(0),
        np.array([value]),
        np.array([weight]),
    )


def _no_linear() -> PayoffError:
    return PayoffError(
        "The model has linear leaves.",
        why="A leaf here is one number.",
        remedy="Train it without linear_tree.",
    )


# ---------------------------------------------------------------- JSON


def read_lightgbm_json(found: Mapping[str, Any]) -> ParsedModel:
    """The model of ``Booster.dump_model``.

    Thresholds stand there with one digit less than in the text: a value within 1e-15 of one may
    fall on its other side.
    """
    head = reading("head", _json_head, found)
    entries: list[Any] = reading("head", list, found["tree_info"])
    trees = [reading(f"tree {at}", _json_tree, entry) for at, entry in enumerate(entries)]
    return _parsed(head, trees)


def _json_head(found: Mapping[str, Any]) -> _Head:
    names = [str(name) for name in found["feature_names"]]
    infos = found["feature_infos"]
    nominal = {
        place: [int(code) for code in infos[name]["values"]]
        for place, name in enumerate(names)
        if name in infos and infos[name]["values"]
    }
    return _Head(
        names=names,
        objective=str(found.get("objective", "")),
        outputs=int(found["num_tree_per_iteration"]),
        is_averaged=bool(found.get("average_output", False)),
        nominal=nominal,
        categories=found.get("pandas_categorical"),
    )


def _json_tree(entry: Mapping[str, Any]) -> _RawTree:
    root = entry["tree_structure"]
    if "split_feature" not in root:
        return _leaf_alone(float(root["leaf_value"]), float(root.get("leaf_count", 0)))
    splits: list[tuple[Mapping[str, Any], list[int]]] = []
    leaves: list[Mapping[str, Any]] = []
    waiting: list[tuple[Mapping[str, Any], int, int]] = [(root, -1, 0)]
    while waiting:
        node, parent, side = waiting.pop()
        if "leaf_coeff" in node:
            raise _no_linear()
        if "split_feature" in node:
            number = len(splits)
            splits.append((node, [0, 0]))
            waiting += [(node["right_child"], number, 1), (node["left_child"], number, 0)]
        else:
            leaves.append(node)
            number = -len(leaves)
        if parent >= 0:
            splits[parent][1][side] = number
    nodes = [node for node, _ in splits]
    is_nominal = np.array([node["decision_type"] == "==" for node in nodes])
    tree = _RawTree(
        feature=np.array([node["split_feature"] for node in nodes], dtype=np.int64),
        threshold=np.array(
            [0.0 if node["decision_type"] == "==" else node["threshold"] for node in nodes], "f8"
        ),
        left=np.array([children[0] for _, children in splits], dtype=np.int64),
        right=np.array([children[1] for _, children in splits], dtype=np.int64),
        is_nominal=is_nominal,
        is_default_left=np.array([bool(node["default_left"]) for node in nodes]),
        missing=np.array([_MISSING_WORDS[node["missing_type"]] for node in nodes]),
        gain=np.array([node["split_gain"] for node in nodes], dtype=np.float64),
        split_weight=np.array([node["internal_count"] for node in nodes], dtype=np.float64),
        leaf_value=np.array([leaf["leaf_value"] for leaf in leaves], dtype=np.float64),
        leaf_weight=np.array([leaf["leaf_count"] for leaf in leaves], dtype=np.float64),
    )
    for split in np.flatnonzero(is_nominal):
        tree.codes[int(split)] = [int(code) for code in nodes[split]["threshold"].split("||")]
    return tree


# ---------------------------------------------------------------- both


def _parsed(head: _Head, trees: Sequence[_RawTree]) -> ParsedModel:
    words = head.objective.split()
    name = words[0] if words else ""
    options = dict(word.split(":", 1) for word in words[1:] if ":" in word)
    codes = _codes(head, trees)
    levels = reading("pandas_categorical", _levels, head, codes)
    scale = _scale(name, words, options, head, len(trees))
    parameters = reading("objective", _parameters, name, options)
    return ParsedModel(
        program="LightGBM",
        objective=name or "none",
        distribution=_DISTRIBUTIONS.get(name),
        parameters=parameters,
        known_objectives=tuple(_DISTRIBUTIONS),
        columns=columns_of(head.names, levels),
        trees=tuple(
            reading(f"tree {at}", _foreign, tree, head.names, codes, scale)
            for at, tree in enumerate(trees)
        ),
        initial=np.zeros(head.outputs),
    )


def _scale(
    name: str, words: Sequence[str], options: Mapping[str, str], head: _Head, trees: int
) -> float:
    """What leaf values are multiplied by: the slope of the chance, the mean of a random forest."""
    if "sqrt" in words:
        raise PayoffError(
            "The model predicts the root of the outcome.",
            why="There is no distribution with a squared response here.",
            remedy="Train it without reg_sqrt.",
        )
    scale = float(options.get("sigmoid", 1.0)) if name == "binary" else 1.0
    return scale / (trees / head.outputs) if head.is_averaged and trees else scale


def _parameters(name: str, options: Mapping[str, str]) -> dict[str, float]:
    if name == "quantile" and "alpha" in options:
        return {"alpha": float(options["alpha"])}
    if name == "tweedie" and "tweedie_variance_power" in options:
        return {"power": float(options["tweedie_variance_power"])}
    return {}


def _codes(head: _Head, trees: Sequence[_RawTree]) -> dict[int, list[int]]:
    """The codes of each nominal column, rising; those of the file's head and of every split."""
    found: dict[int, set[int]] = {place: set(codes) for place, codes in head.nominal.items()}
    for at, tree in enumerate(trees):
        if int(tree.feature.max(initial=-1)) >= len(head.names):
            raise damaged(at, f"It reads input {int(tree.feature.max()) + 1} of {len(head.names)}.")
        for split, codes in tree.codes.items():
            found.setdefault(int(tree.feature[split]), set()).update(codes)
    return {place: sorted(code for code in codes if code >= 0) for place, codes in found.items()}


def _levels(head: _Head, codes: dict[int, list[int]]) -> dict[int, list[str]]:
    """Printed levels of each nominal column; of a data frame the names that its codes stand for."""
    if not head.categories:
        return {place: [str(code) for code in known] for place, known in codes.items()}
    nominal = sorted(codes)
    if len(head.categories) != len(nominal):
        raise PayoffError(
            "It cannot be told which levels belong to which input.",
            why=f"The file names the levels of {counted(len(head.categories), 'input')}, and "
            f"{len(nominal)} have levels: one of them had the same value in every row.",
            remedy="Leave inputs of one value out and train it again.",
        )
    levels = {}
    for place, names in zip(nominal, head.categories, strict=True):
        if codes[place] and codes[place][-1] >= len(names):
            raise ValueError(f"'{head.names[place]}' has a level without a name")
        codes[place] = list(range(len(names)))
        levels[place] = [printed(name) for name in names]
    return levels


def _foreign(
    tree: _RawTree, names: Sequence[str], codes: Mapping[int, list[int]], scale: float
) -> ForeignTree:
    """The tree with splits first, then leaves, in one numbering."""
    splits, leaves = tree.feature.shape[0], tree.leaf_value.shape[0]
    per_split = {
        name: getattr(tree, name)
        for name in ("threshold", "left", "right", "missing", "gain", "split_weight")
    }
    same_length(per_split, splits)
    if tree.leaf_weight.shape[0] != leaves or leaves != splits + 1:
        raise ValueError(
            f"{counted(splits, 'split has', 'splits have')} {counted(leaves, 'leaf', 'leaves')}"
        )
    zero_left = tree.threshold >= 0.0
    _refuse_zeros(tree, names)
    is_left = np.where(tree.missing == _NAN_MISSING, tree.is_default_left, zero_left)
    padding = np.zeros(leaves, dtype=np.int64)
    places = {place: {code: at for at, code in enumerate(known)} for place, known in codes.items()}
    left_levels = {
        split: np.array([places[int(tree.feature[split])][code] for code in found], dtype=np.int64)
        for split, found in tree.codes.items()
    }

    def joined(children: IntArray) -> IntArray:
        own = np.where(children < 0, splits - 1 - children, children)
        return np.concatenate([own, padding])

    return ForeignTree(
        feature=np.concatenate([tree.feature, padding - 1]),
        threshold=np.concatenate([number_after(tree.threshold), np.zeros(leaves)]),
        left=joined(tree.left),
        right=joined(tree.right),
        is_missing_left=np.concatenate([is_left & ~tree.is_nominal, padding > 0]),
        is_unseen_left=np.zeros(splits + leaves, dtype=bool),
        left_levels=left_levels,
        value=np.concatenate([np.zeros(splits), tree.leaf_value * scale]),
        gain=np.concatenate([np.maximum(tree.gain, 0.0), np.zeros(leaves)]),
        weight=np.concatenate([tree.split_weight, tree.leaf_weight]),
    )


def _refuse_zeros(tree: _RawTree, names: Sequence[str]) -> None:
    """Refuse splits that send zeros to another side than their value would."""
    is_zero = (tree.missing == _ZERO_MISSING) & ~tree.is_nominal
    zero_left = tree.threshold >= 0.0
    is_split_between = np.abs(tree.threshold) < _TINY
    moved = is_zero & ((tree.is_default_left != zero_left) | is_split_between)
    if moved.any():
        name = names[int(tree.feature[int(np.argmax(moved))])]
        raise PayoffError(
            f"The model takes zeros of '{name}' for missing.",
            why="A split here has one side for every number.",
            remedy="Train it without zero_as_missing.",
        )
