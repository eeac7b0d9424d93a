"""Rules that hold for the tests themselves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.helpers.sources import nodes, text_of

TESTS = Path(__file__).resolve().parents[1]
HELPERS = TESTS / "helpers"
OF_THE_WINDOW = ("forms", "harness", "layout_audit", "pauses", "program", "typing_sites")
WINDOW = (
    "gui",
    "tests.gui",
    "tests.e2e",
    "PySide6",
    "pyqtgraph",
    "pytestqt",
    *(f"tests.helpers.{name}" for name in OF_THE_WINDOW),
)


def imported(path: Path) -> Iterator[str]:
    """Modules that a file imports by their whole names, late and relative imports too."""
    package = path.relative_to(TESTS.parent).parts[:-1]
    for node in nodes(text_of(path)):
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*above, *filter(None, (node.module,))))
            yield module
            yield from (f"{module}.{entry.name}" for entry in node.names)
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
    assert not found, "what tests share is a module of its own, beside them or in helpers:\n" + (
        "\n".join(sorted(found))
    )


def test_imports_are_found_however_they_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(__name__ + ".TESTS", tmp_path / "tests")
    folder = tmp_path / "tests" / "core"
    folder.mkdir(parents=True)
    file = folder / "test_one.py"
    file.write_text("from .test_two import a\nfrom ..gui import test_b\nfrom . import test_c\n")
    assert {"tests.core.test_two", "tests.gui.test_b", "tests.core.test_c"} <= set(imported(file))


def test_neither_tests_of_core_nor_the_helpers_they_share_need_the_window():
    shared = [path for path in HELPERS.rglob("*.py") if path.stem not in OF_THE_WINDOW]
    found = {
        f"{path.relative_to(TESTS)}: {module}"
        for path in (*(TESTS / "core").rglob("*.py"), *shared)
        for module in imported(path)
        if f"{module}.".startswith(tuple(f"{part}." for part in WINDOW))
    }
    assert not found, "what needs the window:\n" + "\n".join(sorted(found))
    for name in OF_THE_WINDOW:  # the search finds them where they are
        assert any(
            f"{entry}.".startswith(("gui.", "PySide6."))
            for entry in imported(HELPERS / f"{name}.py")
        )


def test_what_runs_in_the_long_run_only_is_listed():
    page = (TESTS.parent / "docs" / "soak.md").read_text("utf-8")
    marked = [
        path
        for path in TESTS.rglob("test_*.py")
        if re.search(r"pytest\.mark\.(soak|every_nth)|richest\(", path.read_text("utf-8"))
    ]
    names = {path.relative_to(TESTS.parent).as_posix() for path in marked if path != Path(__file__)}
    assert "tests/soak/test_save_faults.py" in names  # the search finds them where they are
    assert not {name for name in names if f"`{name}`" not in page}
