"""Names that are offered for files: what Windows refuses is not in them."""

from __future__ import annotations

import pytest

from core.document.files.guarded import file_name


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Direct mail", "Direct mail.csv"),
        ("Straße & Söhne, 2026 (v1.2)", "Straße & Söhne, 2026 (v1.2).csv"),
        ("trees: money", "trees money.csv"),  # a colon would write beside the file, unseen
        ("Mail / do nothing", "Mail do nothing.csv"),  # a slash would name a folder
        ("a\\b<c>d|e*f", "a b c d e f.csv"),
        ('Which "model" earns most?', "Which model earns most.csv"),
        ("line\nbreak\ttab", "line break tab.csv"),
        (" ends in dots... ", "ends in dots.csv"),
        ("...", "Payoff.csv"),
        ("", "Payoff.csv"),
        ("CON", "CON_.csv"),
        ("com7.txt", "com7.txt_.csv"),
        ("console", "console.csv"),
    ],
)
def test_a_name_is_one_that_every_system_takes(words, name):
    assert file_name(words, ".csv") == name
