"""The window paints before anything heavy is imported."""

from __future__ import annotations

import pytest

from tests.e2e.measure_start import first_paint
from tests.helpers.program import Program


@pytest.fixture(scope="module")
def painted(tmp_path_factory) -> dict[str, object]:
    """What one start had imported by its first picture."""
    return first_paint(str(tmp_path_factory.mktemp("start")))


def test_nothing_heavy_is_imported_before_the_first_paint(painted):
    assert painted["heavy"] == []


def test_only_home_is_built_before_the_first_paint(painted):
    rooms = painted["rooms"]
    assert "gui.pages.home" in rooms
    for later in ("gui.pages.data", "gui.pages.compare", "gui.pages.decide"):
        assert later not in rooms


def test_nothing_else_is_asked_of_the_engine_before_the_first_totals(qapp_args, tmp_path):
    program = Program(tmp_path, sample="direct-mail", warm_up=True)
    requested: list[list[str]] = []
    try:
        program.session.results.decisions_changed.connect(
            lambda result: requested.append([entry.kind for entry in program.jobs.entries.values()])
        )
        program.settle()
        assert program.session.results.decisions is not None
        assert requested[-1] == ["load", "decide.totals"]
        later = {entry.kind for entry in program.jobs.entries.values()}
        assert {"plugins", "decide.at_depth", "compare.models", "decide.resamples"} <= later
    finally:
        program.close()


@pytest.mark.parametrize("opened", [None, "not_there.csv", "no_matrix.csv"])
def test_plugins_are_listed_though_no_totals_come(qapp_args, tmp_path, opened):
    (tmp_path / "no_matrix.csv").write_text("responded,score\n" + "1,0.7\n0,0.2\n" * 30, "utf-8")
    program = Program(tmp_path, file=str(tmp_path / opened) if opened else None, warm_up=True)
    try:
        program.wait(lambda: program.session.plugins.known is not None, 100)
        assert program.session.results.decisions is None
    finally:
        program.close()
