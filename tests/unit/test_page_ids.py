"""Pages are named by ``PageId`` wherever the window goes from one to another."""

from __future__ import annotations

import ast
from pathlib import Path

from gui.shell.page_list import PAGES, PageId
from tests.helpers.sources import nodes

ROOT = Path(__file__).resolve().parents[2]
GOING = {"show_page", "build_page", "show_part", "join_report"}
NAMES = {page.value for page in PageId}


def names_in_words(source: str) -> list[int]:
    """Lines that go to a page, look one up, or compare the page in front, by a word."""
    found = []
    for node in nodes(source):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            goes = node.func.attr in GOING or ast.unparse(node.func).endswith(
                ("page_requested.emit", "page_chosen.emit", "window.pages.get", "self.pages.get")
            )
            found += [node.lineno for entry in node.args[:1] if goes and _word(entry)]
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(".pages"):
            found += [node.lineno] if _word(node.slice) else []
        if isinstance(node, ast.Compare) and "current_page" in ast.unparse(node.left):
            found += [node.lineno] if any(map(_word, node.comparators)) else []
    return found


def _word(node: ast.expr) -> bool:
    """Whether an expression can be the word of a page."""
    if isinstance(node, ast.IfExp):
        return _word(node.body) or _word(node.orelse)
    if isinstance(node, ast.Tuple):
        return any(map(_word, node.elts))
    return isinstance(node, ast.Constant) and node.value in NAMES


def test_the_search_finds_what_it_is_for():
    assert names_in_words('self.show_page("data")') == [1]
    assert names_in_words('ws.page_requested.emit("data" if x else PageId.HOME)') == [1]
    assert names_in_words('if self.current_page in ("home", "data"): pass') == [1]
    assert names_in_words('self.pages["plugins"]') == [1]
    assert not names_in_words("self.show_page(PageId.DATA)")


def test_no_source_of_the_window_names_a_page_by_a_word():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "gui").rglob("*.py"))
        for line in names_in_words(path.read_text(encoding="utf-8"))
    ]
    assert not found


def test_every_page_stands_on_the_rail_once():
    assert [entry.key for entry in PAGES] == list(PageId)
