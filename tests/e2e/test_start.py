"""The window paints before anything heavy is imported."""

from __future__ import annotations

from tests.e2e.measure_start import first_paint


def test_nothing_heavy_is_imported_before_the_first_paint(tmp_path):
    found = first_paint(str(tmp_path))
    assert found["heavy"] == []


def test_only_home_is_built_before_the_first_paint(tmp_path):
    rooms = first_paint(str(tmp_path))["rooms"]
    assert "gui.pages.home" in rooms
    for later in ("gui.pages.data", "gui.pages.compare", "gui.pages.decide"):
        assert later not in rooms
