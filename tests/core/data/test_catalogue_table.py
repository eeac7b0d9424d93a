"""The table of bad-input cases in docs/data.md names all 42, and only tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).resolve()
TESTS = HERE.parents[2]
PAGE = HERE.parents[3] / "docs" / "data.md"


def table() -> str:
    page = PAGE.read_text(encoding="utf-8")
    start = page.index("## The bad-input catalogue, case by case")
    return page[start : page.index("## The sample", start)]


def test_all_cases_are_in_the_table():
    cells = [line.split("|")[1] for line in table().splitlines() if line.startswith("| ")]
    numbers = {int(number) for cell in cells for number in re.findall(r"\d+", cell)}
    assert numbers == set(range(1, 43))


def test_every_test_that_the_table_names_is_there():
    known = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    names = re.findall(r"`(test_\w+)`", table())
    assert len(names) > 50
    assert [name for name in names if f"def {name}(" not in known] == []
    files = re.findall(r"`((?:tests/)?[\w/]*test_\w+\.py)`", table())
    places = (HERE.parent, TESTS.parent)
    assert [f for f in files if not any((place / f).exists() for place in places)] == []
