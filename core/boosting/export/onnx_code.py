"""A model as an ONNX file: one input per column, link scores and predictions as outputs.

Numbers come in as double (NaN = missing), levels as text ("" = missing). The trees are one
TreeEnsemble in double precision, so that scores agree to rounding. It knows splits of numbers into
two sides only; the rest is told by further numbers and splits:

- a nominal split reads a number of its own, 0 left, 1 right, 2 for a third child, looked up by the
  level: a missing value and an unknown level have rows of their own in the table;
- a third child of a split of numbers stands below a split that asks whether there is a number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.boosting.export import onnx_bytes as onnx
from core.boosting.export.scoring_parts import (
    ResponseFormula,
    is_softmax,
    level_sides,
    response_formula,
)
from core.boosting.inputs import InputColumn
from core.boosting.model import BoostedModel
from core.boosting.trees import Forest
from core.document.files.guarded import write_file
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray
from payoff.version import __version__

_BELOW, _UP_TO = 1, 0  # modes of a split: x < t, x <= t
_LEFT, _RIGHT, _THIRD = 0.0, 1.0, 2.0
_RESPONSES = {"{0}": "Identity", "math.exp({0})": "Exp", "_chance({0})": "Sigmoid"}


class _Child(NamedTuple):
    """Where a branch leads: the number of a split, or of a leaf."""

    number: int
    is_leaf: bool


@dataclass(slots=True)
class _Ensemble:
    """The attributes of a TreeEnsemble while they are gathered."""

    roots: list[int] = field(default_factory=list)
    feature: list[int] = field(default_factory=list)
    split: list[float] = field(default_factory=list)
    mode: list[int] = field(default_factory=list)
    missing_is_true: list[int] = field(default_factory=list)
    true: list[_Child] = field(default_factory=list)
    false: list[_Child] = field(default_factory=list)
    leaf_value: list[float] = field(default_factory=list)
    leaf_output: list[int] = field(default_factory=list)

    def add_split(self, feature: int, split: float, mode: int, *, is_missing_true: bool) -> int:
        """A split whose branches are set later; its number."""
        self.feature.append(feature)
        self.split.append(split)
        self.mode.append(mode)
        self.missing_is_true.append(int(is_missing_true))
        self.true.append(_Child(0, False))
        self.false.append(_Child(0, False))
        return len(self.feature) - 1

    def add_leaf(self, value: float, output: int) -> _Child:
        self.leaf_value.append(value)
        self.leaf_output.append(output)
        return _Child(len(self.leaf_value) - 1, True)


@dataclass(slots=True)
class _Graph:
    """The operations, constants and inputs of the file while they are gathered."""

    nodes: list[bytes] = field(default_factory=list)
    constants: list[bytes] = field(default_factory=list)
    inputs: list[bytes] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)  # what is put side by side for the trees
    place: dict[int, int] = field(default_factory=dict)  # column of numbers -> its place there
    side_place: dict[int, int] = field(default_factory=dict)  # nominal node -> its place there
    width: int = 0


def save_onnx(model: BoostedModel, path: str | Path) -> None:
    """Write a model as an ONNX file; a crash leaves the old file or the new one.

    Raises
    ------
    PayoffError
        If the file cannot be written.
    """
    write_file(Path(path), to_onnx(model), what="The ONNX file")


def to_onnx(model: BoostedModel) -> bytes:
    """The content of an ONNX file; the offset of the training is not added, as in SQL.

    Outputs are ``score`` (cases, K) on the link scale and, where the response has a formula,
    ``prediction`` (cases, K); of two classes it is the chance of the second.
    """
    graph = _Graph()
    taken = {column.name for column in model.columns}
    for place, column in enumerate(model.columns):
        _add_column(graph, model, place, column)
    ensemble = _ensemble(model.forest, graph, model.n_scores)
    if not graph.parts:
        raise PayoffError(
            "There is nothing to export.", why="The model has no split: it is one constant."
        )
    name = _free("inputs", taken)
    graph.nodes.append(onnx.node("Concat", graph.parts, name, axis=1))
    sums, initial = _free("sums", taken), _free("initial", taken)
    graph.nodes.append(_trees_node(ensemble, name, sums, model.n_scores))
    graph.constants.append(onnx.tensor(model.initial.astype(np.float64), initial))
    score = _free("score", taken)
    graph.nodes.append(onnx.node("Add", [sums, initial], score))
    outputs = [onnx.value_info(score, onnx.DOUBLE, model.n_scores)]
    prediction = _free("prediction", taken)
    if _add_response(graph, model, score, prediction, taken):
        outputs.append(onnx.value_info(prediction, onnx.DOUBLE, model.n_scores))
    return onnx.model(
        graph.nodes,
        graph.constants,
        graph.inputs,
        outputs,
        producer=("Payoff", __version__),
        text=f"{model.distribution.label}, {counted(model.n_trees, 'iteration')}",
        facts=_facts(model),
    )


def _free(name: str, taken: set[str]) -> str:
    """A name that no input has."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _facts(model: BoostedModel) -> list[tuple[str, str]]:
    facts = [
        ("distribution", model.distribution.id),
        ("missing", 'NaN for a number, "" for a text'),
    ]
    if model.output_names:
        facts.append(("outputs", "\n".join(model.output_names)))
    if "offset" in model.roles:
        facts.append(("offset not added", model.roles["offset"]))
    return facts


# ---------------------------------------------------------------- inputs


def _add_column(graph: _Graph, model: BoostedModel, place: int, column: InputColumn) -> None:
    kind = onnx.STRING if column.levels else onnx.DOUBLE
    graph.inputs.append(onnx.value_info(column.name, kind, 1))
    if not column.is_nominal:
        graph.place[place] = graph.width
        graph.width += 1
        graph.parts.append(_ranks(graph, column) if column.levels else column.name)
        return
    splits = np.flatnonzero((model.forest.feature == place) & (model.forest.level_set >= 0))
    if len(splits) == 0:
        return
    codes, single, table, sides = (
        f"{column.name}/{part}" for part in ("code", "codes", "table", "sides")
    )
    many = len(column.levels)
    keys = [*column.levels, *([] if "" in column.levels else [""])]
    graph.nodes.append(
        onnx.node(
            "LabelEncoder",
            [column.name],
            codes,
            onnx.ML,
            keys_strings=keys,
            values_int64s=[*range(many), many + 1][: len(keys)],
            default_int64=many,
        )
    )
    graph.constants.append(onnx.tensor(np.array([-1], dtype=np.int64), f"{column.name}/rows"))
    graph.nodes.append(onnx.node("Reshape", [codes, f"{column.name}/rows"], single))
    graph.constants.append(onnx.tensor(_sides(model, splits, column), table))
    graph.nodes.append(onnx.node("Gather", [table, single], sides, axis=0))
    graph.parts.append(sides)
    for split in splits:
        graph.side_place[int(split)] = graph.width
        graph.width += 1


def _ranks(graph: _Graph, column: InputColumn) -> str:
    """Levels in order as their numbers; any other text is missing."""
    single, ranks = f"{column.name}/rank", f"{column.name}/ranks"
    graph.nodes.append(
        onnx.node(
            "LabelEncoder",
            [column.name],
            single,
            onnx.ML,
            keys_strings=list(column.levels),
            values_floats=[float(rank) for rank in range(len(column.levels))],
            default_float=math.nan,
        )
    )
    graph.nodes.append(onnx.node("Cast", [single], ranks, to=onnx.DOUBLE))
    return ranks


def _sides(model: BoostedModel, splits: IntArray, column: InputColumn) -> FloatArray:
    """Per level, unknown level and missing value (rows) the side at each split (columns)."""
    forest = model.forest
    many = len(column.levels)
    table = np.empty((many + 2, len(splits)))
    for at, split in enumerate(splits):
        left = set(level_sides(model, int(split), column)[0])
        table[:many, at] = [_LEFT if level in left else _RIGHT for level in column.levels]
        table[many, at] = _side(forest, int(split), int(forest.unseen[split]))
        table[many + 1, at] = _side(forest, int(split), int(forest.missing[split]))
    return table


def _side(forest: Forest, split: int, child: int) -> float:
    if child == forest.left[split]:
        return _LEFT
    return _RIGHT if child == forest.right[split] else _THIRD


# ---------------------------------------------------------------- trees


def _ensemble(forest: Forest, graph: _Graph, outputs: int) -> _Ensemble:
    ensemble = _Ensemble()
    for tree in range(forest.n_trees):
        first = int(forest.tree_start[tree])
        root = _add_node(ensemble, forest, graph, first, 0, tree % outputs)
        if root.is_leaf:  # a tree of one leaf is a split with that leaf on both sides
            split = ensemble.add_split(0, 0.0, _UP_TO, is_missing_true=True)
            ensemble.true[split] = ensemble.false[split] = root
            root = _Child(split, False)
        ensemble.roots.append(root.number)
    return ensemble


def _add_node(
    ensemble: _Ensemble, forest: Forest, graph: _Graph, first: int, own: int, output: int
) -> _Child:
    """Add a node and all below it; trees are as deep as their settings let them, 4,096 at most."""
    top: list[_Child] = []
    waiting: list[tuple[int, int, bool]] = [(own, -1, False)]
    while waiting:
        own, parent, is_true = waiting.pop()
        node = first + own
        if forest.feature[node] < 0:
            child = ensemble.add_leaf(float(forest.value[node]), output)
        else:
            child, ends = _add_splits(ensemble, forest, graph, node)
            waiting += [(int(below), split, side) for below, split, side in ends]
        if parent < 0:
            top.append(child)
        else:
            (ensemble.true if is_true else ensemble.false)[parent] = child
    return top[0]


def _add_splits(
    ensemble: _Ensemble, forest: Forest, graph: _Graph, node: int
) -> tuple[_Child, list[tuple[int, int, bool]]]:
    """The one or two splits of a node, and what hangs on them: child, split, whether at true."""
    left, right, missing = (int(side[node]) for side in (forest.left, forest.right, forest.missing))
    if forest.level_set[node] >= 0:
        place = graph.side_place[node]
        split = ensemble.add_split(place, 0.5, _BELOW, is_missing_true=False)
        ends = [(left, split, True)]
        if not {missing, int(forest.unseen[node])} - {left, right}:
            return _Child(split, False), [*ends, (right, split, False)]
        second = ensemble.add_split(place, 1.5, _BELOW, is_missing_true=False)
        ensemble.false[split] = _Child(second, False)
        return _Child(split, False), [*ends, (right, second, True), (missing, second, False)]
    place = graph.place[int(forest.feature[node])]
    threshold = float(forest.threshold[node])
    mode, at = (_UP_TO, math.inf) if math.isnan(threshold) else (_BELOW, threshold)
    split = ensemble.add_split(place, at, mode, is_missing_true=missing == left)
    ends = [(left, split, True), (right, split, False)]
    if missing in (left, right):
        return _Child(split, False), ends
    known = ensemble.add_split(place, math.inf, _UP_TO, is_missing_true=False)
    ensemble.true[known] = _Child(split, False)
    return _Child(known, False), [*ends, (missing, known, False)]


def _trees_node(ensemble: _Ensemble, inputs: str, output: str, n_scores: int) -> bytes:
    return onnx.node(
        "TreeEnsemble",
        [inputs],
        output,
        onnx.ML,
        n_targets=n_scores,
        aggregate_function=1,
        post_transform=0,
        tree_roots=ensemble.roots,
        nodes_featureids=ensemble.feature,
        nodes_splits=np.array(ensemble.split, dtype=np.float64),
        nodes_modes=np.array(ensemble.mode, dtype=np.uint8),
        nodes_missing_value_tracks_true=ensemble.missing_is_true,
        nodes_truenodeids=[child.number for child in ensemble.true],
        nodes_trueleafs=[int(child.is_leaf) for child in ensemble.true],
        nodes_falsenodeids=[child.number for child in ensemble.false],
        nodes_falseleafs=[int(child.is_leaf) for child in ensemble.false],
        leaf_targetids=ensemble.leaf_output,
        leaf_weights=np.array(ensemble.leaf_value, dtype=np.float64),
    )


# ---------------------------------------------------------------- response


def _add_response(
    graph: _Graph, model: BoostedModel, score: str, prediction: str, taken: set[str]
) -> bool:
    """Add the prediction on the scale of the outcome where it has a formula."""
    if is_softmax(model):
        graph.nodes.append(onnx.node("Softmax", [score], prediction, axis=1))
        return True
    formula: ResponseFormula | None = response_formula(model)
    if formula is None:
        return False
    if formula.python in _RESPONSES:
        graph.nodes.append(onnx.node(_RESPONSES[formula.python], [score], prediction))
        return True
    doubled, two = _free("doubled", taken), _free("two", taken)
    graph.constants.append(onnx.tensor(np.array([2.0]), two))
    graph.nodes.append(onnx.node("Mul", [score, two], doubled))
    graph.nodes.append(onnx.node("Sigmoid", [doubled], prediction))
    return True
