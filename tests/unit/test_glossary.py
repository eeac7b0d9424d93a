"""docs/glossary.md: one word per thing, in order, and the words that modules are not called by."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("core", "gui", "payoff", "plugins")


def rows(title: str) -> list[tuple[str, str]]:
    """Both cells of every row of the table below a title."""
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8").split(f"{title}\n", 1)[1]
    table = text.split("|---|---|\n", 1)[1].split("\n\n", 1)[0]
    cells = (line.strip("|").split("|", 1) for line in table.splitlines())
    return [(first.strip(), second.strip()) for first, second in cells]


def module_names() -> set[str]:
    """What packages and modules of the product are called."""
    paths = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return {name for path in paths for name in (path.stem, path.parent.name)}


def test_words_stand_once_and_in_order():
    words = [word for word, _ in rows("# Glossary")]
    assert [word for word, times in Counter(words).items() if times > 1] == []
    assert words == sorted(words, key=str.casefold)
    assert all(meaning for _, meaning in rows("# Glossary"))


def test_modules_are_called_by_the_words_of_the_vocabulary():
    names = module_names()
    described = rows("## Names of modules")
    assert described
    assert [former for former, _ in described if former in names] == []
    assert [word for _, word in described if word not in names] == []
