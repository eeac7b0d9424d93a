"""Public functions and classes are not called by words that the vocabulary replaced."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.helpers.sources import nodes

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("core", "gui", "payoff", "plugins")


def _banned() -> dict[str, str]:
    """The last table of docs/glossary.md: a word, and what to use instead."""
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    table = text.split("## Words that code does not use\n", 1)[1].split("|---|---|\n", 1)[1]
    rows = (line.strip("|").split("|", 1) for line in table.strip().splitlines())
    return {word.strip(): instead.strip() for word, instead in rows}


BANNED = _banned()


def parts(name: str) -> set[str]:
    """The words of an identifier, in small letters."""
    return {part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def defined(source: str) -> Iterator[str]:
    """Public functions, classes and methods of a module."""
    for node in nodes(source):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def banned(source: str) -> set[str]:
    """Public names of a module that hold a word of the table."""
    return {name for name in defined(source) if parts(name) & BANNED.keys()}


def all_banned() -> set[str]:
    """Public names of the product that hold a word of the table."""
    return {
        name
        for layer in LAYERS
        for path in sorted((ROOT / layer).rglob("*.py"))
        for name in banned(path.read_text("utf-8"))
    }


def test_public_names_are_words_of_the_vocabulary():
    found = sorted(all_banned())
    assert not found, f"docs/glossary.md has the words to use: {found}"


def test_a_banned_word_is_seen():
    source = "class ChanceTable: ...\ndef brought_in(): ...\ndef _told(): ...\ndef surface(): ...\n"
    assert banned(source) == {"ChanceTable", "brought_in"}
