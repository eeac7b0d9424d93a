"""A model as code.

What scoring code of any language needs: sides of a split, names and formulas of outputs.

A model as a Python module of its own: the standard library only, one function per tree.

A model as one SQL statement: sums of CASE expressions that any database reads.

Leaf values are added in the order of the trees, in groups of 50 because parsers limit the depth
of a sum; so the scores agree with the program's to the last few bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.boosting.inputs import InputColumn
from core.boosting.losses import responses
from core.boosting.model import BoostedModel
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray

KEY = "row"
"""The column that numbers the rows of a table of cases, unless an input has that name."""

_PROBES = np.array([[-3.0, -0.5, 0.0, 0.7, 2.5]])


@dataclass(frozen=True, slots=True)
class ResponseFormula:
    """A response as a formula of one score, ``{0}``."""

    sql: str
    python: str


_FORMULAS: tuple[tuple[Callable[[FloatArray], FloatArray], ResponseFormula], ...] = (
    (lambda f: f, ResponseFormula("{0}", "{0}")),
    (np.exp, ResponseFormula("EXP({0})", "math.exp({0})")),
    (lambda f: 1 / (1 + np.exp(-f)), ResponseFormula("1.0 / (1.0 + EXP(-({0})))", "_chance({0})")),
    (
        lambda f: 1 / (1 + np.exp(-2 * f)),
        ResponseFormula("1.0 / (1.0 + EXP(-2.0 * ({0})))", "_chance(2.0 * {0})"),
    ),
)


def response_formula(model: BoostedModel) -> ResponseFormula | None:
    """The response of one score, told by its values at a few scores; None if it is none of ours."""
    if model.n_scores > 1:
        return None
    found = responses(model.distribution, model.parameter_values, _PROBES.copy())
    for formula, code in _FORMULAS:
        if np.allclose(found, formula(_PROBES), rtol=1e-13, atol=1e-15):
            return code
    return None


def is_softmax(model: BoostedModel) -> bool:
    """Whether several scores become chances that sum to 1 in the usual way."""
    if model.n_scores < 2:
        return False
    probe = np.linspace(-1.0, 2.0, model.n_scores)[:, None]
    found = responses(model.distribution, model.parameter_values, probe.copy())
    powers = np.exp(probe)
    return bool(np.allclose(found, powers / powers.sum(), rtol=1e-13))


def has_response(model: BoostedModel) -> bool:
    """Whether predictions on the scale of the outcome have scoring code."""
    return is_softmax(model) or response_formula(model) is not None


def no_response(model: BoostedModel) -> PayoffError:
    """The refusal of a response without a formula."""
    return PayoffError(
        f"The response of {model.distribution.label} has no scoring code.",
        remedy="Take the link scale.",
    )


def score_names(model: BoostedModel) -> tuple[str, ...]:
    """Names of the link scores, one per output."""
    return _names(model, "score")


def prediction_names(model: BoostedModel) -> tuple[str, ...]:
    """Names of the predictions on the scale of the outcome, one per output."""
    return _names(model, "prediction")


def _names(model: BoostedModel, word: str) -> tuple[str, ...]:
    if model.n_scores == 1:
        return (word,)
    return tuple(f"{word}_{level}" for level in model.output_names)


def level_sides(
    model: BoostedModel, node: int, column: InputColumn
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Levels that go left and right at a nominal split."""
    bits = model.forest.level_bits[model.forest.level_set[node]]
    is_left = np.unpackbits(bits.view(np.uint8), bitorder="little")[: len(column.levels)]
    sides = list(zip(column.levels, is_left, strict=True))
    left = tuple(level for level, goes_left in sides if goes_left)
    return left, tuple(level for level, goes_left in sides if not goes_left)


DEEPEST_IN_PYTHON = 40
"""Splits inside each other in one function; Python reads up to 100 levels of indentation."""

_HEAD = '''"""Scores cases with a boosted model; needs the standard library only.

    import score
    score.link({{"column": value, ...}})       # None, NaN, "" or an absent name is a missing value
    score.response({{"column": value, ...}})

    python score.py cases.csv scores.csv
"""

import csv
import math
import os
import re
import sys

KEY = {key!r}
OUTPUTS = {outputs!r}
_PLAIN = re.compile(r"[+-]?(0|[1-9]\\d{{0,14}})(\\.\\d+)?\\Z")


def _number(case, name):
    value = case.get(name)
    if value is None or value == "" or value != value:
        return None
    return float(value)


def _level(case, name):
    """The printed form of a value: 1, 1.0 and "1" are one level."""
    value = case.get(name)
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value).strip()
    if text.casefold() in ("true", "false"):
        return text.casefold()
    if _PLAIN.match(text):
        number = float(text)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    return text or None


def _rank(case, name, levels):
    level = _level(case, name)
    return levels.index(level) if level in levels else None


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
    return [power / sum(powers) for power in powers]
"""

_MAIN = '''

def outputs(case):
    """Scores, then predictions where there are any, in the order of OUTPUTS."""
    found = []
    for function in {functions}:
        value = function(case)
        found.extend(value if isinstance(value, list) else [value])
    return found


def main(source, target):
    if os.path.exists(target) and os.path.samefile(source, target):
        sys.exit("The scores would overwrite the cases.")
    with open(source, newline="", encoding="utf-8-sig") as cases, open(
        target, "w", newline="", encoding="utf-8"
    ) as scores:
        writer = csv.writer(scores, lineterminator="\\n")
        writer.writerow([KEY, *OUTPUTS])
        for place, case in enumerate(csv.DictReader(cases), start=1):
            writer.writerow([case.get(KEY, place), *map(repr, outputs(case))])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("python score.py cases.csv scores.csv")
    main(sys.argv[1], sys.argv[2])
'''


def to_python(model: BoostedModel, key: str = KEY) -> str:
    """Source of a module with ``link(case)`` and ``response(case)``, also a program for CSV files.

    ``case`` maps column names to values; None, NaN or an absent name is a missing value. With
    several scores per case both return a list in class order. ``key`` is the column that the
    program copies from the cases to the scores; where it is absent rows are numbered.
    """
    response = _response(model)
    names = [*score_names(model), *(prediction_names(model) if response else ())]
    parts = [_HEAD.format(key=key, outputs=tuple(names))]
    for tree in range(model.forest.n_trees):
        parts += [*_Tree(model, tree).functions(), ""]
    parts += ["", _link(model), "", response or _no_response(model)]
    parts.append(_MAIN.format(functions="(link, response)" if response else "(link,)"))
    return "\n".join(parts)


def _link(model: BoostedModel) -> str:
    scores = []
    for output in range(model.n_scores):
        trees = range(output, model.forest.n_trees, model.n_scores)
        names = "".join(f"_tree_{tree}, " for tree in trees)
        scores.append(f"_sum({float(model.initial[output])!r}, ({names}), case)")
    if model.n_scores == 1:
        return f"def link(case):\n    return {scores[0]}\n"
    return "def link(case):\n    return [\n        " + ",\n        ".join(scores) + ",\n    ]\n"


def _response(model: BoostedModel) -> str:
    """Source of ``response``; empty where it has no formula."""
    formula = response_formula(model)
    if formula is not None:
        return f"def response(case):\n    return {formula.python.format('link(case)')}\n"
    return _SOFTMAX if is_softmax(model) else ""


def _no_response(model: BoostedModel) -> str:
    words = f"{model.distribution.label} has link scores only"
    return f"def response(case):\n    raise NotImplementedError({words!r})\n"


class _Tree:
    """Writes one tree; what lies deeper than a function may indent gets a function of its own."""

    def __init__(self, model: BoostedModel, number: int) -> None:
        self.model = model
        self.number = number
        self.first = int(model.forest.tree_start[number])
        self._waiting = [0]

    def functions(self) -> list[str]:
        """Lines of the tree's functions, innermost first."""
        blocks: list[list[str]] = []
        while self._waiting:
            place = self._waiting.pop()
            blocks.append([f"def {self._name(place)}(case):", *self._node(place, 1), "", ""])
        return [line for block in reversed(blocks) for line in block][:-1]

    def _name(self, place: int) -> str:
        return f"_tree_{self.number}" + (f"_{place}" if place else "")

    def _node(self, place: int, depth: int) -> list[str]:
        forest, node = self.model.forest, self.first + place
        pad = "    " * depth
        if forest.feature[node] < 0:
            return [f"{pad}return {float(forest.value[node])!r}"]
        if depth > DEEPEST_IN_PYTHON:
            self._waiting.append(place)
            return [f"{pad}return {self._name(place)}(case)"]
        column = self.model.columns[forest.feature[node]]
        left, right = int(forest.left[node]), int(forest.right[node])
        missing, unseen = int(forest.missing[node]), int(forest.unseen[node])
        read = f"{pad}x = {_reading(column)}"
        lines = [read]
        if missing not in (left, right):
            lines += [f"{pad}if x is None:", *self._node(missing, depth + 1)]
        if column.is_nominal and unseen not in (left, right):
            lines.append(f"{pad}if x is not None and x not in {column.levels!r}:")
            lines += self._node(unseen, depth + 1)
        condition = self._goes_left(node, column, missing == left, unseen == left)
        lines += [f"{pad}if {condition}:", *self._node(left, depth + 1)]
        return lines + self._node(right, depth)

    def _goes_left(
        self, node: int, column: InputColumn, is_missing_left: bool, is_unseen_left: bool
    ) -> str:
        when_missing = "x is None or" if is_missing_left else "x is not None and"
        if not column.is_nominal:
            threshold = float(self.model.forest.threshold[node])
            if math.isnan(threshold):
                return "True" if is_missing_left else "x is not None"
            return f"{when_missing} x < {threshold!r}"
        left, right = level_sides(self.model, node, column)
        listed, word = (right, "not in") if is_unseen_left else (left, "in")
        return f"{when_missing} x {word} {listed!r}"


def _reading(column: InputColumn) -> str:
    """The call that reads a column of a case."""
    if column.is_ordered:
        return f"_rank(case, {column.name!r}, {column.levels!r})"
    return f"_{'level' if column.levels else 'number'}(case, {column.name!r})"


GROUP_TREES = 50
DEEPEST_IN_SQL = 6
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
    if depth == DEEPEST_IN_SQL:
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
