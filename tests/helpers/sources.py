"""Sources as the tests that read them see them: each text is parsed and walked once."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


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
