"""A model as the text of LightGBM, which its ``Booster`` reads, scores and explains.

Splits of numbers go left where ``x < t`` here and where ``x <= t`` there, so each threshold is the
last number before it. The start score stands in the leaves of the first iteration. Nominal splits
send levels by their set; there a missing value always goes right, so a split whose missing values
go left is turned round. A level that the model does not know goes with the missing ones.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.boosting.inputs import InputColumn
from core.boosting.model import BoostedModel
from core.boosting.trees import Forest, Node32
from core.document.files.guarded import write_file
from payoff.errors import PayoffError
from payoff.vocabulary import TargetDomain

_OBJECTIVES = {
    "bernoulli": "binary sigmoid:1",
    "gaussian": "regression",
    "laplace": "regression_l1",
    "huber": "huber",
    "poisson": "poisson",
    "gamma": "gamma",
}
_NOMINAL, _DEFAULT_LEFT, _MISSING_IS_NAN = 1, 2, 8
_WORD = 32  # bits of a word of a nominal split
_EVERY_NUMBER = float(np.finfo(np.float64).max)


def save_lightgbm(model: BoostedModel, path: str | Path) -> None:
    """Write a model as a text file that LightGBM reads.

    Raises
    ------
    PayoffError
        As ``lightgbm_text``, or if the file cannot be written.
    """
    text = lightgbm_text(model)
    write_file(Path(path), text.encode("utf-8"), what="The model file")


def lightgbm_text(model: BoostedModel) -> str:
    """The text of ``Booster.save_model`` for a model.

    Losses that LightGBM does not have are written without an objective: it then gives link scores.

    Raises
    ------
    PayoffError
        For missing values with a branch of their own, which LightGBM does not have.
    """
    outputs = model.n_scores
    head = [
        "tree",
        "version=v4",
        f"num_class={outputs}",
        f"num_tree_per_iteration={outputs}",
        "label_index=0",
        f"max_feature_idx={len(model.columns) - 1}",
        *_objective(model),
        f"feature_names={' '.join(_names(model.columns))}",
        f"feature_infos={' '.join(map(_info, model.columns))}",
    ]
    trees = [
        _Writer(model.forest, model.columns, tree).text(_start(model, tree))
        for tree in range(model.forest.n_trees)
    ]
    if not trees:
        trees = [_stump(tree, float(start)) for tree, start in enumerate(model.initial)]
    levels = [list(column.levels) for column in model.columns if column.is_nominal]
    tail = ["end of trees", "", "parameters:", "end of parameters", ""]
    return (
        "\n\n".join(["\n".join(head), *trees])
        + "\n\n"
        + "\n".join([*tail, f"pandas_categorical:{json.dumps(levels or None)}", ""])
    )


def _start(model: BoostedModel, tree: int) -> float:
    """What the leaves of a tree hold besides: the start score in the first iteration."""
    return float(model.initial[tree]) if tree < model.n_scores else 0.0


def _objective(model: BoostedModel) -> list[str]:
    spec = model.distribution
    if spec.id == "quantile":
        return [f"objective=quantile alpha:{model.parameters['alpha']:g}"]
    if spec.id == "tweedie":
        return [f"objective=tweedie tweedie_variance_power:{model.parameters['power']:g}"]
    if spec.id == "multinomial" and spec.target is TargetDomain.CLASSES:
        return [f"objective=multiclass num_class:{model.n_scores}"]
    known = _OBJECTIVES.get(spec.id)
    return [f"objective={known}"] if known else []


def _names(columns: Sequence[InputColumn]) -> list[str]:
    """Names without blanks, which part the words of the file; doubled ones get a number."""
    found: list[str] = []
    for column in columns:
        name = plain = "_".join(column.name.split()) or "_"
        number = 1
        while name in found:
            number += 1
            name = f"{plain}_{number}"
        found.append(name)
    return found


def _info(column: InputColumn) -> str:
    """The codes of a nominal column; of a number only that it is one."""
    if not column.is_nominal:
        return "[-inf:inf]"
    return ":".join(map(str, range(len(column.levels)))) or "none"


def _stump(tree: int, value: float) -> str:
    return "\n".join(
        [
            f"Tree={tree}",
            "num_leaves=1",
            "num_cat=0",
            "split_feature=",
            "split_gain=",
            "threshold=",
            "decision_type=",
            "left_child=",
            "right_child=",
            f"leaf_value={value!r}",
            "leaf_weight=",
            "leaf_count=",
            "internal_value=",
            "internal_weight=",
            "internal_count=",
            "is_linear=0",
            "shrinkage=1",
        ]
    )


class _Writer:
    """One tree, renumbered: splits 0, 1 .., leaves -1, -2 .., both in the order of their nodes."""

    def __init__(self, forest: Forest, columns: Sequence[InputColumn], tree: int) -> None:
        self._forest, self._columns, self._tree = forest, columns, tree
        self._first = int(forest.tree_start[tree])
        self._stop = int(forest.tree_start[tree + 1])
        feature = forest.feature[self._first : self._stop]
        self._splits, self._leaves = self._reached(feature)
        self._number = {node: place for place, node in enumerate(self._splits)}
        self._number |= {node: -1 - place for place, node in enumerate(self._leaves)}

    def _reached(self, feature: Node32) -> tuple[list[int], list[int]]:
        """Splits and leaves that a case can come to."""
        waiting, splits, leaves = [0], [], []
        while waiting:
            node = waiting.pop()
            if feature[node] < 0:
                leaves.append(node)
                continue
            splits.append(node)
            waiting += [self._at("right", node), self._at("left", node)]
        return splits, leaves

    def _at(self, name: str, node: int) -> int:
        return int(getattr(self._forest, name)[self._first + node])

    def _value(self, name: str, node: int) -> float:
        return float(getattr(self._forest, name)[self._first + node])

    def text(self, start: float) -> str:
        """The block of the tree; ``start`` is added to every leaf."""
        if not self._splits:
            return _stump(self._tree, start + self._value("value", 0))
        kinds, thresholds, children = [], [], []
        bounds, words = [0], []
        for node in self._splits:
            kind, threshold, sides, bits = self._split(node, len(bounds) - 1)
            kinds.append(kind)
            thresholds.append(threshold)
            children.append([self._number[side] for side in sides])
            if bits is not None:
                words += bits
                bounds.append(len(words))
        columns = [self._at("feature", node) for node in self._splits]
        parts: dict[str, Sequence[object]] = {
            "Tree": [self._tree],
            "num_leaves": [len(self._leaves)],
            "num_cat": [len(bounds) - 1],
            "split_feature": columns,
            "split_gain": [self._value("gain", node) for node in self._splits],
            "threshold": thresholds,
            "decision_type": kinds,
            "left_child": [pair[0] for pair in children],
            "right_child": [pair[1] for pair in children],
            "leaf_value": [start + self._value("value", node) for node in self._leaves],
            "leaf_weight": [self._value("weight", node) for node in self._leaves],
            "leaf_count": self._counts(self._leaves),
            "internal_value": [start + self._value("value", node) for node in self._splits],
            "internal_weight": [self._value("weight", node) for node in self._splits],
            "internal_count": self._counts(self._splits),
        }
        if len(bounds) > 1:
            parts |= {"cat_boundaries": bounds, "cat_threshold": words}
        parts |= {"is_linear": [0], "shrinkage": [1]}
        return "\n".join(f"{name}={' '.join(map(repr, row))}" for name, row in parts.items())

    def _counts(self, nodes: list[int]) -> list[int]:
        return [round(self._value("weight", node)) for node in nodes]

    def _split(
        self, node: int, number: int
    ) -> tuple[int, float, tuple[int, int], list[int] | None]:
        """Kind, threshold (of a nominal split its number), children, words of its levels."""
        left, right, missing = (self._at(name, node) for name in ("left", "right", "missing"))
        column = self._columns[self._at("feature", node)]
        if missing not in (left, right):
            raise PayoffError(
                f"Missing values of '{column.name}' have a branch of their own.",
                why="A split of LightGBM has two sides.",
                remedy="Train with missing='learned_side'.",
            )
        if not column.is_nominal:
            limit = self._value("threshold", node)
            last = _EVERY_NUMBER if np.isnan(limit) else float(np.nextafter(limit, -np.inf))
            kind = _MISSING_IS_NAN + (_DEFAULT_LEFT if missing == left else 0)
            return kind, last, (left, right), None
        row = self._forest.level_bits[self._at("level_set", node)]
        bits = np.unpackbits(row.view(np.uint8), bitorder="little")[: len(column.levels)]
        if missing == left:  # missing values go right there: turn the split round
            bits, left, right = 1 - bits, right, left
        padded = np.zeros(-(-len(bits) // _WORD) * _WORD, dtype=np.uint8)
        padded[: len(bits)] = bits
        words = np.packbits(padded, bitorder="little").view("<u4").tolist()
        return _NOMINAL + _MISSING_IS_NAN, number, (left, right), words
