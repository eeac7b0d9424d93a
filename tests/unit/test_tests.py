"""Rules that hold for the tests themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
WINDOW = ("gui", "tests.gui", "tests.e2e", "PySide6", "pyqtgraph", "pytestqt")


def imported(path: Path) -> Iterator[str]:
    """Modules that a file imports, late ones too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{entry.name}" for entry in node.names)
        elif isinstance(node, ast.Import):
            yield from (entry.name for entry in node.names)


def is_test(module: str) -> bool:
    """Whether a module is one of tests."""
    path = TESTS.parent.joinpath(*module.split(".")).with_suffix(".py")
    return module.startswith("tests.") and path.name.startswith("test_") and path.exists()


def test_no_file_imports_a_module_of_tests():
    found = {
        f"{path.relative_to(TESTS)}: {module}"
        for path in TESTS.rglob("*.py")
        for module in imported(path)
        if is_test(module)
    }
    assert not found, "what tests share stands in a module of its own beside them:\n" + "\n".join(
        sorted(found)
    )


def test_neither_tests_of_core_nor_the_answers_they_share_need_the_window():
    files = [path for part in ("core", "answers") for path in (TESTS / part).rglob("*.py")]
    found = {
        f"{path.relative_to(TESTS)}: {module}"
        for path in files
        for module in imported(path)
        if f"{module}.".startswith(tuple(f"{part}." for part in WINDOW))
    }
    assert not found, "what both share stands in tests/answers:\n" + "\n".join(sorted(found))
    window = {module for path in (TESTS / "gui").rglob("*.py") for module in imported(path)}
    assert window >= {
        "PySide6.QtCore",
        "tests.answers.synthetic",
    }  # the search finds them where they are
