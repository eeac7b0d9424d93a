"""Sources as the tests that read them see them: each text is parsed and walked once."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def text_of(path: Path) -> str:
    """The source in a file."""
    return path.read_text(encoding="utf-8")


@cache
def parsed(source: str) -> ast.Module:
    """The tree of a source; nobody changes it."""
    return ast.parse(source)


@cache
def nodes(source: str) -> tuple[ast.AST, ...]:
    """Every node of a source, in the order of ``ast.walk``."""
    return tuple(ast.walk(parsed(source)))


def files_that_say(
    words: Iterable[str], *packages: str
) -> Iterator[tuple[str, tuple[ast.AST, ...]]]:
    """Place and nodes of every file of packages whose text has one of the words."""
    wanted = tuple(words)
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = text_of(path)
            if any(word in text for word in wanted):
                yield path.relative_to(ROOT).as_posix(), nodes(text)
