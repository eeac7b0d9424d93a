"""A count in a sentence chooses its word by `payoff.counting`, so that "1 trees" cannot be said."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from payoff.counting import counted, counted_of
from tests.helpers.sources import nodes

ROOT = Path(__file__).resolve().parents[2]

NOUNS = [
    "actions",
    "arms",
    "arrays",
    "bins",
    "blocks",
    "calculations",
    "cases",
    "cells",
    "characters",
    "checks",
    "classes",
    "clusters",
    "columns",
    "costs",
    "counts",
    "crashes",
    "customers",
    "days",
    "degrees",
    "decimals",
    "decisions",
    "depths",
    "dimensions",
    "donors",
    "draws",
    "entries",
    "errors",
    "events",
    "features",
    "fields",
    "files",
    "folds",
    "groups",
    "ids",
    "inputs",
    "intervals",
    "iterations",
    "keys",
    "kernels",
    "knots",
    "leaves",
    "levels",
    "lines",
    "lists",
    "losses",
    "metrics",
    "members",
    "models",
    "names",
    "nodes",
    "numbers",
    "others",
    "outcomes",
    "pages",
    "parameters",
    "patients",
    "places",
    "points",
    "predictions",
    "predictors",
    "probabilities",
    "propensities",
    "quantiles",
    "questions",
    "records",
    "repeats",
    "resamples",
    "rows",
    "runs",
    "scores",
    "settings",
    "sheets",
    "shuffles",
    "signs",
    "slices",
    "slots",
    "specs",
    "splits",
    "stocks",
    "subjects",
    "systems",
    "tables",
    "terms",
    "texts",
    "threads",
    "treatments",
    "trees",
    "units",
    "values",
    "variables",
    "weights",
    "words",
]
NOT_SHOWN = {
    "core/data/identity.py",  # what is hashed
    "core/kernels/sorting.py",  # billions of rows; its kernels are compiled anew when it changes
}
NO_COUNTS = re.compile(  # a name stands before the word, or a decimal number
    r"Judging %s rows|Share of %s rows|%s runs from|One %s %s costs|%s points|\{\} points"
)
FOLLOWS = re.compile(rf"[ \u00a0](?:more |other |different )?(?:{'|'.join(NOUNS)})\b(?!-)")
CASES = re.compile(
    r"\.cases\b|case\[1\]|case_words?\[1\]|\.case_words\b|rows_words|_WORDS\[|^\{(?:many|several)\}$",
    re.I,
)
COUNTS = re.compile(r"^(?:len|format_count)\(|(?:^|[._])(?:count|rows|cases)$")
CONSTANT = re.compile(r"[A-Z_0-9]+(\[.*\])?$|\w+\.[A-Z_]+$")
WORDS = re.compile(
    r"name|label|word|caption|done$|\bcase\b|plugin|kind|text|repr|join|title|column$|path|unit|head|\bshape\b"
    r"|\bcode\b|tool|dtype|described|what|which|layer|model$|theirs|option|second|same|points"
)


def plurals_in_strings(text: str) -> list[str]:
    """Find "%s rows" and "{} rows" in a text that is filled in later."""
    return [] if NO_COUNTS.search(text) else re.findall(rf"(?:%[sd]|\{{\}}){FOLLOWS.pattern}", text)


def _source(part: ast.expr) -> str:
    """A part of an f-string as it is written: a value in braces, of which the test may speak."""
    return f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue) else ""


def plural_after_a_value(source: str) -> list[tuple[int, str]]:
    """Find "{count} rows", "{count} {words.cases}" and "%s rows" in a file: line and text."""
    found = []
    for node in nodes(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += [(node.lineno, text) for text in plurals_in_strings(node.value)]
        if not isinstance(node, ast.JoinedStr):
            continue
        for place, (value, after) in enumerate(zip(node.values, node.values[1:], strict=False)):
            if not isinstance(value, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            described = ast.unparse(value.value)
            follows = FOLLOWS.match(str(after.value))
            if described.startswith("counted"):
                continue
            is_count = COUNTS.search(described) or not WORDS.search(described)
            if follows and not CONSTANT.match(described) and is_count:
                found.append((node.lineno, f"{{{described}}}{follows.group()}"))
            word = "".join(_source(part) for part in node.values[place + 2 : place + 3])
            if after.value == " " and CASES.search(word) and is_count:
                found.append((node.lineno, f"{{{described}}} {word}"))
    return found


def test_the_words_for_one_and_for_several():
    assert [counted(n, "tree") for n in (0, 1, 2, 1200)] == [
        "0 trees",
        "1 tree",
        "2 trees",
        "1,200 trees",
    ]
    assert counted(1, "loss is", "losses are") == "1 loss is"
    assert counted_of(1, 12, "row", verbs="has/have") == "1 of 12 rows has"
    assert counted_of(0, 1, "leaf", "leaves", verbs="is/are") == "0 of 1 leaf is"
    assert counted_of(0, 2, "leaf", "leaves", verbs="is/are") == "0 of 2 leaves are"


def test_the_search_finds_what_it_is_for():
    assert plural_after_a_value('f"{len(rows):,} rows"') == [(1, "{len(rows)} rows")]
    assert plural_after_a_value('f"{count(n)} {words.cases} a"')
    assert plural_after_a_value('tr("%s trees of %s")')
    assert plural_after_a_value('f"{head.rows:,} {entry.case_words}"'), (
        "a count, whatever its place"
    )
    assert plural_after_a_value('f"{len(rest)} others"')
    assert not plural_after_a_value("f\"{counted(n, 'row')} of {MOST} rows\"")


def test_no_sentence_writes_a_plural_after_a_count_of_its_own():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {described}"
        for part in ("core", "gui", "payoff", "plugins")
        for path in sorted((ROOT / part).rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in NOT_SHOWN
        for line, described in plural_after_a_value(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)
