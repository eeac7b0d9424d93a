"""What no source of the window may do: ask a layout for its items, or pass words through tr()."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from core.settings import program_folder
from gui.session.samples import bundled_samples
from gui.theme.icons import ICON_FOLDER
from tests.helpers.sources import nodes

ROOT = Path(__file__).resolve().parents[2]
FILES = [path for part in ("gui", "tests") for path in sorted((ROOT / part).rglob("*.py"))]


def calls(source: str) -> list[tuple[int, str, str]]:
    """Line, object and name of every method that is called, and of every base of a class."""
    found = []
    for node in nodes(source):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found.append((node.lineno, ast.unparse(node.func.value), node.func.attr))
        if isinstance(node, ast.ClassDef):
            found += [(node.lineno, node.name, ast.unparse(base)) for base in node.bases]
    return found


def holds_items(source: str) -> list[int]:
    """Lines that ask a layout for an item, or are a layout written in Python.

    PySide holds the item's wrapper as long as the layout lives, but Qt deletes the item with its
    widget. The next widget at that address is then taken for the item: it has no isVisible.
    A list has itemAt too, which answers with an item of the list.
    """
    return [
        line
        for line, owner, name in calls(source)
        if (name == "itemAt" and not owner.endswith((".list", ".table", "scene()")))
        or name in ("QLayout", "QtWidgets.QLayout")
    ]


def test_the_search_finds_what_it_is_for():
    assert holds_items("self.checks.itemAt(0).widget()") == [1]
    assert holds_items("class Flow(QLayout):\n    pass") == [1]
    assert not holds_items("self.list.itemAt(place)")


def test_no_layout_is_asked_for_its_items():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in FILES
        for line in holds_items(path.read_text(encoding="utf-8"))
    ]
    assert not found


def test_words_are_plain_strings():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in FILES
        for line, owner, name in calls(path.read_text(encoding="utf-8"))
        if name == "tr" or (name == "translate" and owner == "QCoreApplication")
    ]
    assert not found


def test_what_the_program_brings_along_is_found_wherever_a_file_of_the_window_stands():
    """By ``program_folder``: a file that counts the folders above it loses them when it moves."""
    found = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "gui").rglob("*.py"))
        if "__file__" in path.read_text(encoding="utf-8")
    ]
    assert not found
    assert program_folder() == ROOT
    assert ICON_FOLDER.is_dir()
    assert len(bundled_samples()) == len(list((ROOT / "resources" / "samples").glob("*.payoff")))


def test_dialogs_for_files_say_where_they_begin():
    """Qt begins in the working folder otherwise, which is nobody's."""
    silent = [
        f"{path.name}:{node.lineno}"
        for path in Path(ROOT, "gui").rglob("*.py")
        for node in nodes(path.read_text("utf-8"))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and re.fullmatch("get(Open|Save|Existing).*", node.func.attr)
        and (len(node.args) < 3 or isinstance(node.args[2], ast.Constant))
    ]
    assert not silent
