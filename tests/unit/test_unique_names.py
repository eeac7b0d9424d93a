"""Public names are unique in core: a name that is looked for is found once."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from tests.helpers.sources import parsed, text_of

CORE = Path(__file__).parents[2] / "core"


def names_twice(folder: Path) -> dict[str, set[str]]:
    """Modules by public function or class that more than one of them defines at its top level."""
    homes: dict[str, set[str]] = defaultdict(set)
    for path in sorted(folder.rglob("*.py")):
        for node in parsed(text_of(path)).body:
            is_named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            if is_named and not node.name.startswith("_"):
                homes[node.name].add(path.relative_to(folder).as_posix())
    return {name: places for name, places in homes.items() if len(places) > 1}


def test_public_names_are_unique():
    assert not names_twice(CORE), "give one of each another name"


def test_a_name_of_two_modules_is_seen(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "one.py").write_text("class Cases: ...\ndef _own(): ...\n", encoding="utf-8")
    text = "def Cases(): ...\ndef _own(): ...\ndef other(): ...\n"
    (tmp_path / "inner" / "two.py").write_text(text, encoding="utf-8")
    assert names_twice(tmp_path) == {"Cases": {"one.py", "inner/two.py"}}
