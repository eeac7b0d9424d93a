"""A model as one SQL statement: sums of CASE expressions that any database reads.

Leaf values are added in the order of the trees, in groups of 50 because parsers limit the depth
of a sum; so the scores agree with the program's to the last few bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.boosting.inputs import InputColumn
from core.boosting.model import BoostedModel
from core.boosting.scoring_parts import (
    has_response,
    level_sides,
    no_response,
    prediction_names,
    response_formula,
    score_names,
)
from payoff.errors import PayoffError

GROUP_TREES = 50
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
        raise PayoffError(f"There is no kind '{kind}'.", why=f"There are: {', '.join(KINDS)}.")
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
    return f"({value!r})" if value < 0 else repr(value)


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


def _node(model: BoostedModel, first: int, place: int) -> str:
    forest, node = model.forest, first + place
    if forest.feature[node] < 0:
        return _number(float(forest.value[node]))
    column = model.columns[forest.feature[node]]
    left, right = int(forest.left[node]), int(forest.right[node])
    missing, unseen = int(forest.missing[node]), int(forest.unseen[node])
    start = "CASE"
    if missing not in (left, right):
        start += f" WHEN {_value(column)} IS NULL THEN {_node(model, first, missing)}"
    if column.is_nominal and unseen not in (left, right):
        text = f"CAST({_quoted(column.name)} AS VARCHAR)"
        known = _listed(column.levels)
        start += f" WHEN {text} NOT IN ({known}) THEN {_node(model, first, unseen)}"
    condition = _goes_left(model, node, column, missing == left, unseen == left)
    left_code, right_code = _node(model, first, left), _node(model, first, right)
    return f"{start} WHEN {condition} THEN {left_code} ELSE {right_code} END"


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
