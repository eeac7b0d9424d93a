"""A model as an ONNX file: one input per column, link scores and predictions as outputs.

Numbers come in as double (NaN = missing), levels as text ("" = missing). The trees are one
TreeEnsemble in double precision, so that scores agree to rounding. It knows splits of numbers into
two sides only; the rest is told by further numbers and splits:

- a nominal split reads a number of its own, 0 left, 1 right, 2 for a third child, looked up by the
  level: a missing value and an unknown level have rows of their own in the table;
- a third child of a split of numbers stands below a split that asks whether there is a number.

The few messages of ONNX that a model needs, written as protocol buffers.

Field numbers are those of ``onnx.proto`` (IR version 10). Written by hand: the format of a file is
small, and the packages that know all of it are large.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from core.boosting.export.code_forms import (
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

IR_VERSION = 10
OPSET = 21
ML_OPSET = 5
ML = "ai.onnx.ml"

_TENSOR_TYPES = {"uint8": 2, "int64": 7, "float64": 11}
STRING, DOUBLE = 8, 11
Attribute: TypeAlias = (
    "int | float | Sequence[int] | Sequence[str] | Sequence[float] | np.ndarray[Any, Any]"
)


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers in two's complement
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def integer_field(field: int, value: int) -> bytes:
    """A whole number as a field."""
    return _varint(field << 3) + _varint(value)


def block(field: int, content: bytes | str) -> bytes:
    """A text, raw bytes or a message as a field."""
    data = content.encode() if isinstance(content, str) else content
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _packed(field: int, values: Iterable[int]) -> bytes:
    return block(field, b"".join(_varint(value) for value in values))


def tensor(values: np.ndarray[Any, Any], name: str = "") -> bytes:
    """A tensor of uint8, int64 or float64."""
    dims = b"".join(integer_field(1, size) for size in values.shape)
    kind = integer_field(2, _TENSOR_TYPES[values.dtype.name])
    raw = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes()
    return dims + kind + (block(8, name) if name else b"") + block(9, raw)


def _attribute(name: str, value: Attribute) -> bytes:
    head = block(1, name)
    if isinstance(value, np.ndarray):
        return head + block(5, tensor(value)) + integer_field(20, 4)
    if isinstance(value, float):
        return head + _varint(2 << 3 | 5) + np.float32(value).tobytes() + integer_field(20, 1)
    if isinstance(value, int):
        return head + integer_field(3, value) + integer_field(20, 2)
    if len(value) and isinstance(value[0], str):
        return head + b"".join(block(9, str(text)) for text in value) + integer_field(20, 8)
    if len(value) and isinstance(value[0], float):
        floats = np.asarray(value, dtype="<f4").tobytes()
        return head + block(7, floats) + integer_field(20, 6)
    return head + _packed(8, (int(entry) for entry in value)) + integer_field(20, 7)


def onnx_node(
    kind: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: Attribute
) -> bytes:
    """One operation of the graph, as its message: kind, inputs, output, attributes."""
    parts = [block(1, name) for name in inputs]
    parts += [block(2, output), block(3, output), block(4, kind)]
    parts += [block(5, _attribute(name, value)) for name, value in attributes.items()]
    return b"".join(parts) + (block(7, domain) if domain else b"")


def value_info(name: str, kind: int, width: int) -> bytes:
    """An input or output of ``width`` columns and any number of rows."""
    dims = block(1, block(2, "cases")) + block(1, integer_field(1, width))
    shape = integer_field(1, kind) + block(2, dims)
    return block(1, name) + block(2, block(1, shape))


def onnx_model(
    nodes: Sequence[bytes],
    constants: Sequence[bytes],
    inputs: Sequence[bytes],
    outputs: Sequence[bytes],
    *,
    producer: tuple[str, str],
    text: str,
    facts: Sequence[tuple[str, str]],
) -> bytes:
    """The content of a model file."""
    graph = b"".join(
        [
            *(block(1, entry) for entry in nodes),
            block(2, "payoff"),
            *(block(5, entry) for entry in constants),
            *(block(11, entry) for entry in inputs),
            *(block(12, entry) for entry in outputs),
        ]
    )
    opsets = [integer_field(2, OPSET), block(1, ML) + integer_field(2, ML_OPSET)]
    return b"".join(
        [
            integer_field(1, IR_VERSION),
            block(2, producer[0]),
            block(3, producer[1]),
            block(6, text),
            block(7, graph),
            *(block(8, entry) for entry in opsets),
            *(block(14, block(1, key) + block(2, value)) for key, value in facts),
        ]
    )


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
    graph.nodes.append(onnx_node("Concat", graph.parts, name, axis=1))
    sums, initial = _free("sums", taken), _free("initial", taken)
    graph.nodes.append(_trees_node(ensemble, name, sums, model.n_scores))
    graph.constants.append(tensor(model.initial.astype(np.float64), initial))
    score = _free("score", taken)
    graph.nodes.append(onnx_node("Add", [sums, initial], score))
    outputs = [value_info(score, DOUBLE, model.n_scores)]
    prediction = _free("prediction", taken)
    if _add_response(graph, model, score, prediction, taken):
        outputs.append(value_info(prediction, DOUBLE, model.n_scores))
    return onnx_model(
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
    kind = STRING if column.levels else DOUBLE
    graph.inputs.append(value_info(column.name, kind, 1))
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
        onnx_node(
            "LabelEncoder",
            [column.name],
            codes,
            ML,
            keys_strings=keys,
            values_int64s=[*range(many), many + 1][: len(keys)],
            default_int64=many,
        )
    )
    graph.constants.append(tensor(np.array([-1], dtype=np.int64), f"{column.name}/rows"))
    graph.nodes.append(onnx_node("Reshape", [codes, f"{column.name}/rows"], single))
    graph.constants.append(tensor(_sides(model, splits, column), table))
    graph.nodes.append(onnx_node("Gather", [table, single], sides, axis=0))
    graph.parts.append(sides)
    for split in splits:
        graph.side_place[int(split)] = graph.width
        graph.width += 1


def _ranks(graph: _Graph, column: InputColumn) -> str:
    """Levels in order as their numbers; any other text is missing."""
    single, ranks = f"{column.name}/rank", f"{column.name}/ranks"
    graph.nodes.append(
        onnx_node(
            "LabelEncoder",
            [column.name],
            single,
            ML,
            keys_strings=list(column.levels),
            values_floats=[float(rank) for rank in range(len(column.levels))],
            default_float=math.nan,
        )
    )
    graph.nodes.append(onnx_node("Cast", [single], ranks, to=DOUBLE))
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
    return onnx_node(
        "TreeEnsemble",
        [inputs],
        output,
        ML,
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
        graph.nodes.append(onnx_node("Softmax", [score], prediction, axis=1))
        return True
    formula: ResponseFormula | None = response_formula(model)
    if formula is None:
        return False
    if formula.python in _RESPONSES:
        graph.nodes.append(onnx_node(_RESPONSES[formula.python], [score], prediction))
        return True
    doubled, two = _free("doubled", taken), _free("two", taken)
    graph.constants.append(tensor(np.array([2.0]), two))
    graph.nodes.append(onnx_node("Mul", [score, two], doubled))
    graph.nodes.append(onnx_node("Sigmoid", [doubled], prediction))
    return True
