"""A model as code that runs without the program: SQL, or plain Python.

Both add the same leaf values in the same order of trees (SQL in groups of 50, because parsers
limit the depth of a sum), so they agree with the program to the last few bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from core.boosting.inputs import InputColumn
from core.boosting.losses import responses
from core.boosting.model import BoostedModel
from payoff.errors import PayoffError
from payoff.types import FloatArray

GROUP_TREES = 50

_PROBES = np.array([[-3.0, -0.5, 0.0, 0.7, 2.5]])
_RESPONSES: tuple[tuple[Callable[[FloatArray], FloatArray], str, str], ...] = (
    (lambda f: f, "{0}", "{0}"),
    (np.exp, "EXP({0})", "math.exp({0})"),
    (lambda f: 1 / (1 + np.exp(-f)), "1.0 / (1.0 + EXP(-({0})))", "_chance({0})"),
    (lambda f: 1 / (1 + np.exp(-2 * f)), "1.0 / (1.0 + EXP(-2.0 * ({0})))", "_chance(2.0 * {0})"),
)


def to_sql(model: BoostedModel, table: str = "cases", kind: str = "link") -> str:
    """A SELECT that gives every row of a table its score.

    Parameters
    ----------
    model : BoostedModel
    table : str
        Name of the table; its columns are called as the model's.
    kind : str
        "link", or "response" where that is a formula of one score.

    Raises
    ------
    PayoffError
        If the response has no formula.
    """
    lines = []
    for output in range(model.n_scores):
        groups: list[list[str]] = [[_number(float(model.initial[output]))]]
        for tree in range(output, model.forest.n_trees, model.n_scores):
            if len(groups[-1]) == GROUP_TREES:
                groups.append([])
            groups[-1].append(_sql_node(model, int(model.forest.tree_start[tree]), 0))
        score = "\n + ".join("(" + "\n + ".join(group) + ")" for group in groups)
        if kind == "response":
            score = _response_formula(model)[0].format(score)
        lines.append(f"{score} AS {_quoted(_score_name(model, output))}")
    return "SELECT\n" + ",\n".join(lines) + f"\nFROM {_quoted(table)}\n"


def to_python(model: BoostedModel) -> str:
    """Source of a module with ``link(case)`` and ``response(case)``.

    ``case`` maps column names to values; None, NaN or an absent name is a missing value. With
    several scores per case both return a list in class order.
    """
    parts = [_PYTHON_HEAD]
    for tree in range(model.forest.n_trees):
        parts.append(f"def _tree_{tree}(case):")
        parts += _python_node(model, int(model.forest.tree_start[tree]), 0, 1)
        parts.append("\n")
    scores = []
    for output in range(model.n_scores):
        trees = range(output, model.forest.n_trees, model.n_scores)
        names = ", ".join(f"_tree_{tree}" for tree in trees)
        scores.append(f"_sum({float(model.initial[output])!r}, ({names},), case)")
    if model.n_scores == 1:
        parts.append(f"def link(case):\n    return {scores[0]}\n\n")
        parts.append(
            f"def response(case):\n    return {_response_formula(model)[1].format('link(case)')}"
        )
    else:
        parts.append(
            "def link(case):\n    return [\n        " + ",\n        ".join(scores) + "\n    ]\n\n"
        )
        parts.append(_SOFTMAX if _is_softmax(model) else _no_response(model))
    return "\n".join(parts) + "\n"


_PYTHON_HEAD = '''"""Scores cases with a boosted model; standard library only."""

import math


def _value(case, name):
    value = case.get(name)
    return None if value is None or value != value else value


def _chance(score):
    if score >= 0.0:
        return 1.0 / (1.0 + math.exp(-score))
    power = math.exp(score)
    return power / (1.0 + power)


def _sum(total, trees, case):
    for tree in trees:
        total += tree(case)
    return total


'''

_SOFTMAX = """def response(case):
    scores = link(case)
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]"""


def _number(value: float) -> str:
    return f"({value!r})" if value < 0 else repr(value)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(level: str) -> str:
    return "'" + level.replace("'", "''") + "'"


def _score_name(model: BoostedModel, output: int) -> str:
    return "score" if model.n_scores == 1 else f"score_{model.classes[output]}"


def _sides(model: BoostedModel, node: int, column: InputColumn) -> tuple[list[str], list[str]]:
    """Levels that go left and right at a nominal split."""
    bits = model.forest.level_bits[model.forest.level_set[node]]
    is_left = np.unpackbits(bits.view(np.uint8), bitorder="little")[: len(column.levels)]
    left = [level for level, side in zip(column.levels, is_left, strict=True) if side]
    right = [level for level, side in zip(column.levels, is_left, strict=True) if not side]
    return left, right


def _sql_node(model: BoostedModel, first: int, place: int) -> str:
    forest, node = model.forest, first + place
    if forest.feature[node] < 0:
        return _number(float(forest.value[node]))
    column = model.columns[forest.feature[node]]
    name = _quoted(column.name)
    left, right = int(forest.left[node]), int(forest.right[node])
    missing, unseen = int(forest.missing[node]), int(forest.unseen[node])
    start = "CASE"
    if missing not in (left, right):
        start += f" WHEN {name} IS NULL THEN {_sql_node(model, first, missing)}"
    condition = _sql_left(model, node, column, missing == left, unseen == left)
    if column.is_nominal and unseen not in (left, right):
        known = ", ".join(_text(level) for level in column.levels)
        start += (
            f" WHEN CAST({name} AS VARCHAR) NOT IN ({known}) THEN {_sql_node(model, first, unseen)}"
        )
    left_code, right_code = _sql_node(model, first, left), _sql_node(model, first, right)
    return f"{start} WHEN {condition} THEN {left_code} ELSE {right_code} END"


def _sql_left(
    model: BoostedModel, node: int, column: InputColumn, is_missing_left: bool, is_unseen_left: bool
) -> str:
    """The condition under which a row goes left."""
    name = _quoted(column.name)
    also = f" OR {name} IS NULL" if is_missing_left else ""
    if not column.is_nominal:
        threshold = float(model.forest.threshold[node])
        value = _sql_rank(column) if column.levels else name
        if math.isnan(threshold):
            return f"{name} IS NOT NULL{also}"
        return f"{value} < {_number(threshold)}{also}"
    left, right = _sides(model, node, column)
    text = f"CAST({name} AS VARCHAR)"
    if is_unseen_left:
        listed = ", ".join(_text(level) for level in right)
        inside = f"{text} NOT IN ({listed})" if right else f"{name} IS NOT NULL"
    else:
        listed = ", ".join(_text(level) for level in left)
        inside = f"{text} IN ({listed})" if left else "1 = 0"
    return f"{inside}{also}"


def _sql_rank(column: InputColumn) -> str:
    """The rank of an ordered level as a number."""
    cases = " ".join(f"WHEN {_text(level)} THEN {i}" for i, level in enumerate(column.levels))
    return f"CASE CAST({_quoted(column.name)} AS VARCHAR) {cases} END"


def _python_node(model: BoostedModel, first: int, place: int, depth: int) -> list[str]:
    forest, node = model.forest, first + place
    pad = "    " * depth
    if forest.feature[node] < 0:
        return [f"{pad}return {float(forest.value[node])!r}"]
    column = model.columns[forest.feature[node]]
    left, right = int(forest.left[node]), int(forest.right[node])
    missing, unseen = int(forest.missing[node]), int(forest.unseen[node])
    lines = [f"{pad}x = _value(case, {column.name!r})"]
    if missing not in (left, right):
        lines.append(f"{pad}if x is None:")
        lines += _python_node(model, first, missing, depth + 1)
        lines.append(f"{pad}x = _value(case, {column.name!r})")
    if column.is_nominal and unseen not in (left, right):
        lines.append(f"{pad}if str(x) not in {set(column.levels)!r}:")
        lines += _python_node(model, first, unseen, depth + 1)
    condition = _python_left(model, node, column, missing == left, unseen == left)
    lines.append(f"{pad}if {condition}:")
    lines += _python_node(model, first, left, depth + 1)
    lines += _python_node(model, first, right, depth)
    return lines


def _python_left(
    model: BoostedModel, node: int, column: InputColumn, is_missing_left: bool, is_unseen_left: bool
) -> str:
    when_missing = "x is None or" if is_missing_left else "x is not None and"
    if not column.is_nominal:
        threshold = float(model.forest.threshold[node])
        if math.isnan(threshold):
            return "x is None or x is not None" if is_missing_left else "x is not None"
        value = f"{list(column.levels)!r}.index(str(x))" if column.levels else "x"
        return f"{when_missing} {value} < {threshold!r}"
    left, right = _sides(model, node, column)
    listed, word = (right, "not in") if is_unseen_left else (left, "in")
    return f"{when_missing} str(x) {word} {tuple(listed)!r}"


def _response_formula(model: BoostedModel) -> tuple[str, str]:
    """SQL and Python of the response, told by its values at a few scores."""
    if model.n_scores == 1:
        found = responses(model.distribution, model.parameter_values, _PROBES.copy())
        for formula, sql, python in _RESPONSES:
            if np.allclose(found, formula(_PROBES), rtol=1e-13, atol=1e-15):
                return sql, python
    raise PayoffError(
        f"The response of {model.distribution.label} has no scoring code.",
        remedy="Take the link scale.",
    )


def _is_softmax(model: BoostedModel) -> bool:
    probe = np.linspace(-1.0, 2.0, model.n_scores)[:, None]
    found = responses(model.distribution, model.parameter_values, probe.copy())
    powers = np.exp(probe)
    return bool(np.allclose(found, powers / powers.sum(), rtol=1e-13))


def _no_response(model: BoostedModel) -> str:
    return (
        "def response(case):\n"
        f"    raise NotImplementedError({model.distribution.label!r} ' has link scores only')"
    )
