"""A model as one SQL statement: sums of CASE expressions that any database reads.

Leaf values are added in the order of the trees, in groups of 50 because parsers limit the depth
of a sum; so the scores agree with the program's to the last few bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.boosting.export.scoring_parts import (
    has_response,
    level_sides,
    no_response,
    prediction_names,
    response_formula,
    score_names,
)
from core.boosting.inputs import InputColumn
from core.boosting.model import BoostedModel
from payoff.errors import no_such

GROUP_TREES = 50
DEEPEST = 6
"""CASE inside CASE: SQLite before 3.46 parses about 15 levels, and planners slow down with them."""
KINDS = ("link", "response", "both")


def to_sql(
    model: BoostedModel, table: str = "cases", kind: str = "link", keys: Sequence[str] = ()
) -> str:
    """A SELECT that gives every row of a table its score.

    Parameters
    ----------
    model : BoostedModel
    table : str
        Name of the table; its columns are called as the model's. A missing value is NULL.
    kind : str
        "link" (columns ``score``, or ``score_<class>``), "response" (``prediction``), or "both".
    keys : sequence of str
        Columns of the table to select along.

    Raises
    ------
    PayoffError
        If the response has no formula.
    """
    if kind not in KINDS:
        raise no_such("kind", kind, KINDS)
    names = score_names(model)
    chosen = [_quoted(key) for key in keys]
    scores = [f"{_score(model, output)} AS {_quoted(name)}" for output, name in enumerate(names)]
    inner = "SELECT\n" + ",\n".join([*chosen, *scores]) + f"\nFROM {_quoted(table)}\n"
    if kind == "link":
        return inner
    if not has_response(model):
        raise no_response(model)
    shown = [*chosen, *(_quoted(name) for name in names if kind == "both"), *_predictions(model)]
    return f"WITH scored AS (\n{inner})\nSELECT {', '.join(shown)}\nFROM scored\n"


def _score(model: BoostedModel, output: int) -> str:
    groups: list[list[str]] = [[_number(float(model.initial[output]))]]
    for tree in range(output, model.forest.n_trees, model.n_scores):
        if len(groups[-1]) == GROUP_TREES:
            groups.append([])
        groups[-1].append(_node(model, int(model.forest.tree_start[tree]), 0))
    return "\n + ".join("(" + "\n + ".join(group) + ")" for group in groups)


def _predictions(model: BoostedModel) -> list[str]:
    """Formulas of the predictions over the columns of scores."""
    scores = [_quoted(name) for name in score_names(model)]
    names = [_quoted(name) for name in prediction_names(model)]
    formula = response_formula(model)
    if formula is not None:
        return [f"{formula.sql.format(scores[0])} AS {names[0]}"]
    # Differences of scores: no power of a large score that could overflow to infinity over itself.
    return [
        f"1.0 / ({' + '.join(f'EXP({other} - {own})' for other in scores)}) AS {name}"
        for own, name in zip(scores, names, strict=True)
    ]


def _number(value: float) -> str:
    """A number with its exponent: without one, some databases read a decimal, which is rounded."""
    text = repr(value) if "e" in repr(value) else f"{value!r}e0"
    return f"({text})" if value < 0 else text


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(level: str) -> str:
    return "'" + level.replace("'", "''") + "'"


def _listed(levels: Sequence[str]) -> str:
    return ", ".join(_text(level) for level in levels)


def _value(column: InputColumn) -> str:
    """The expression that a split reads; NULL where the model sees a missing value."""
    name = _quoted(column.name)
    if not column.is_ordered:
        return name
    ranks = " ".join(f"WHEN {_text(level)} THEN {i}" for i, level in enumerate(column.levels))
    return f"CASE CAST({name} AS VARCHAR) {ranks} END"


def _node(model: BoostedModel, first: int, place: int, depth: int = 0) -> str:
    """A subtree as nested CASE; below ``DEEPEST`` as one CASE with a line per leaf."""
    forest, node = model.forest, first + place
    if forest.feature[node] < 0:
        return _number(float(forest.value[node]))
    if depth == DEEPEST:
        *cases, (_, otherwise) = _leaves(model, first, place, ())
        lines = " ".join(f"WHEN {' AND '.join(path)} THEN {value}" for path, value in cases)
        return f"CASE {lines} ELSE {otherwise} END"
    turns, right = _turns(model, first, place)
    lines = " ".join(
        f"WHEN {condition} THEN {_node(model, first, child, depth + 1)}"
        for condition, child in turns
    )
    return f"CASE {lines} ELSE {_node(model, first, right, depth + 1)} END"


def _leaves(
    model: BoostedModel, first: int, place: int, path: tuple[str, ...]
) -> list[tuple[tuple[str, ...], str]]:
    """Leaves of a subtree in the order of their turns, each with the conditions of its path.

    "Else" needs no condition: whoever meets an earlier turn has found a leaf there already.
    """
    node = first + place
    if model.forest.feature[node] < 0:
        return [(path, _number(float(model.forest.value[node])))]
    turns, right = _turns(model, first, place)
    found = []
    for condition, child in turns:
        found += _leaves(model, first, child, (*path, f"({condition})"))
    return found + _leaves(model, first, right, path)


def _turns(model: BoostedModel, first: int, place: int) -> tuple[list[tuple[str, int]], int]:
    """Conditions of a split in turn, each with its child, and the child of all others."""
    forest, node = model.forest, first + place
    column = model.columns[forest.feature[node]]
    left, right = int(forest.left[node]), int(forest.right[node])
    missing, unseen = int(forest.missing[node]), int(forest.unseen[node])
    turns = []
    if missing not in (left, right):
        turns.append((f"{_value(column)} IS NULL", missing))
    if column.is_nominal and unseen not in (left, right):
        known = _listed(column.levels)
        turns.append((f"CAST({_quoted(column.name)} AS VARCHAR) NOT IN ({known})", unseen))
    turns.append((_goes_left(model, node, column, missing == left, unseen == left), left))
    return turns, right


def _goes_left(
    model: BoostedModel, node: int, column: InputColumn, is_missing_left: bool, is_unseen_left: bool
) -> str:
    """The condition under which a row goes left."""
    value = _value(column)
    also = f" OR {value} IS NULL" if is_missing_left else ""
    if not column.is_nominal:
        threshold = float(model.forest.threshold[node])
        if math.isnan(threshold):
            return f"{value} IS NOT NULL{also}"
        return f"{value} < {_number(threshold)}{also}"
    left, right = level_sides(model, node, column)
    text = f"CAST({value} AS VARCHAR)"
    if is_unseen_left:
        inside = f"{text} NOT IN ({_listed(right)})" if right else f"{value} IS NOT NULL"
    else:
        inside = f"{text} IN ({_listed(left)})" if left else "1 = 0"
    return f"{inside}{also}"
