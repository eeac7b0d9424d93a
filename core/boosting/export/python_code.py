"""A model as a Python module of its own: the standard library only, one function per tree."""

from __future__ import annotations

import math

from core.boosting.export.scoring_parts import (
    KEY,
    is_softmax,
    level_sides,
    prediction_names,
    response_formula,
    score_names,
)
from core.boosting.inputs import InputColumn
from core.boosting.model import BoostedModel

DEEPEST = 40
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
        if depth > DEEPEST:
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
