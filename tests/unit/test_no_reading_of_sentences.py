"""No logic reads English: what a warning is about, its code says, not its words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.helpers.sources import nodes

ROOT = Path(__file__).resolve().parents[2]
READS = {"startswith", "endswith", "find", "index", "count", "partition", "removeprefix"}
PART = re.compile(r"[a-z]+[,:]? [a-z]{2,}|^[A-Z][a-z]+ [a-z]+|[a-z]{3,} ['“]")
WHOLE = re.compile(r"[a-z]+( [a-z']+){3,}|[a-z]{3}\.$")  # a value of two words is no sentence
OTHERS = {
    ("core/boosting/importers/lightgbm_files.py", "\nend of trees"): "a line of the format",
    ("core/kernels/watching.py", "Failed in"): "a compiler's message, cut short",
}
"""Words of other programs: their files and messages have no codes."""


def reads_sentences(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and words of every look for a part of a sentence in a text, or for a whole one."""
    for node in nodes(source):
        if isinstance(node, ast.Compare):
            parts = [node.left] if isinstance(node.ops[0], ast.In | ast.NotIn) else []
            whole = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            parts, whole = node.args[:1] if node.func.attr in READS else [], []
        else:
            continue
        found = [w for entry in parts if PART.search(w := _words(entry))]
        found += [w for entry in whole if WHOLE.search(w := _words(entry)) and w not in found]
        yield from ((node.lineno, words) for words in found)


def _words(node: ast.expr) -> str:
    """The fixed part of a text; empty where an expression is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_words(part) for part in node.values)
    return ""


def test_the_search_finds_what_it_is_for():
    read = [
        "if ' rows have no outcome in ' in warning: pass",
        "warning.startswith(f'{name} is taken as a weight')",
        '[text for text in warnings if text.startswith("The metric \'")]',
        "if str(refusal) == 'The project has no data.': pass",
    ]
    assert [len(list(reads_sentences(source))) for source in read] == [1] * len(read)
    for source in ("name == 'built in'", "text.startswith('=')", "kind in ('best possible', 'b')"):
        assert not list(reads_sentences(source))


def test_nothing_of_the_program_decides_by_a_sentence():
    found = {
        (str(path.relative_to(ROOT)), words): line
        for folder in ("core", "gui", "payoff", "plugins")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, words in reads_sentences(path.read_text(encoding="utf-8"))
    }
    known = set(OTHERS)
    new = [f"{place}:{line}: {words!r}" for (place, words), line in found.items()]
    assert set(found) - known == set(), "\n".join(new)
    assert known - set(found) == set(), "a reader has ended: take it off the list"
