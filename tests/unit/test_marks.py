"""Marks that silence a checker, and tests that are skipped, say why beside them."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.sources import nodes, text_of

ROOT = Path(__file__).resolve().parents[2]
OF_THE_CHECKOUT = ("core", "docs", "gui", "installer", "payoff", "plugins", "resources", "tests")
TYPED = ("core", "gui", "payoff", "plugins")
"""What mypy reads; it names a mark there that nothing needs, as ruff does everywhere."""
CODES = r"[A-Z]+\d+(, ?[A-Z]+\d+)*"
MARK = re.compile(rf"# ?(noqa: ?{CODES}|noqa\b|type: ?ignore(\[[\w, -]+\])?|pragma: ?no \w+)")
SKIPPED_AT_ONCE = ("pytest.skip", "pytest.xfail")
SKIPS = (*SKIPPED_AT_ONCE, *(f"pytest.mark.{name}" for name in ("skip", "skipif", "xfail")))


def sources() -> Iterator[Path]:
    yield ROOT / "main.py"
    for folder in OF_THE_CHECKOUT:
        yield from sorted((ROOT / folder).rglob("*.py"))


def marks(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, mark and the reason beside it of every mark."""
    if MARK.search(text) is None:
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            found = list(MARK.finditer(token.string))
            reason = MARK.sub("", token.string).strip(" #-:")
            yield from ((token.start[0], mark.group(), reason) for mark in found)


def skips(text: str) -> Iterator[tuple[int, bool]]:
    """Line of every test or part of one that may be left out, and whether it says why."""
    if "skip" not in text and "xfail" not in text:
        return
    for node in nodes(text):
        name = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
        if name in SKIPS:
            yield node.lineno, False
        if isinstance(node, ast.Call) and ast.unparse(node.func) in SKIPS:
            is_named = any(word.arg == "reason" for word in node.keywords)
            is_first = ast.unparse(node.func) in SKIPPED_AT_ONCE and bool(node.args)
            yield node.func.lineno, is_named or is_first


def silent_skips(text: str) -> list[int]:
    """Lines of those that do not say why."""
    found = list(skips(text))
    said = {line for line, is_said in found if is_said}
    wanted = {line for line, is_said in found if not is_said}
    return sorted(wanted - said)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import a  # noqa: F401\n", ""),
        ("import a  # noqa: F401, E402\n", ""),
        ("import a  # noqa: F401  listens\n", "listens"),
        ("a = b  # type: ignore[arg-type, index]\n", ""),
        ("a = b  # type: ignore[index]  # a list\n", "a list"),
        ("if a:  # pragma: no cover\n    pass\n", ""),
    ],
)
def test_a_reason_is_what_stands_beside_a_mark(text, reason):
    assert [found for *_, found in marks(text)] == [reason]


def test_a_text_is_no_mark():
    assert not list(marks('"""Read it:  # noqa"""\n'))


def test_every_mark_says_why():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {mark}"
        for path in sources()
        for line, mark, reason in marks(text_of(path))
        if not reason
    ]
    assert not found, "write beside it why it is there:\n" + "\n".join(found)


def test_nothing_is_hidden_from_a_checker_that_does_not_look():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources()
        if path.relative_to(ROOT).parts[0] not in TYPED
        for line, mark, _ in marks(text_of(path))
        if "type" in mark
    ]
    assert not found, "mypy does not read these:\n" + "\n".join(found)


def test_a_skip_without_a_reason_is_seen():
    assert silent_skips("@pytest.mark.skipif(a)\ndef test(): ...\n") == [1]
    assert silent_skips("@pytest.mark.skip\ndef test(): ...\n") == [1]
    assert silent_skips("pytest.skip()\n") == [1]
    assert not silent_skips("@pytest.mark.skipif(\n    a, reason='b')\ndef test(): ...\n")
    assert not silent_skips("pytest.skip('not here')\n")


def test_every_skip_says_why():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line in silent_skips(text_of(path))
    ]
    assert not found, "give a reason:\n" + "\n".join(found)
