"""A reader of a third party: routed to the engine that runs such plugins, and working there."""

from __future__ import annotations

import pytest

from core.document.data.model import ReaderSettings
from core.document.model import Document
from core.engine.context import JobContext, Workbench
from core.engine.local import LocalEngine
from core.engine.messages import Ask, LoadArguments, PreviewArguments
from core.engine.options import EngineOptions
from core.engine.protocol import EngineRole
from core.engine.runner import RouteToPlugins, check_route
from core.questions.data import TableRows
from tests.core.engine.guide_plugins import code_of, put_plugin


@pytest.fixture
def options(tmp_path) -> EngineOptions:
    """Engines with the guide's JSON lines reader in their plugin folder."""
    put_plugin(tmp_path / "plugins", "json_lines", "readers", code_of("json_lines"))
    return EngineOptions(
        plugin_folder=str(tmp_path / "plugins"), quarantine_path=str(tmp_path / "quarantine.json")
    )


@pytest.fixture
def path(tmp_path) -> str:
    place = tmp_path / "cases.jsonl"
    place.write_text('{"id": "007", "p_m": 0.25, "y": 0}\n{"id": "008", "p_m": 0.75, "y": 1}\n')
    return str(place)


def test_a_file_that_only_a_third_party_knows_is_routed(options, path):
    main = Workbench(options, role=EngineRole.MAIN).plugins
    with pytest.raises(RouteToPlugins):
        check_route("preview", PreviewArguments(path=path, reader=ReaderSettings()), main)
    check_route("preview", PreviewArguments(path="cases.csv", reader=ReaderSettings()), main)
    assert "json_lines" not in {reader.id for reader in main.registry.readers()}


def test_it_is_read_where_plugins_run_and_later_jobs_follow(options, path):
    engine = LocalEngine(options)
    summary = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    assert summary.data.reader.format == "json_lines"
    document = Document(data=summary.data)
    page = engine.ask(document, TableRows(start=0, count=5))
    assert page.rows[0] == ("007", "0.25", "0")
    main = Workbench(options, role=EngineRole.MAIN).plugins
    with pytest.raises(RouteToPlugins):
        check_route("data.rows", Ask.of(document, TableRows(start=0, count=5)), main)


def test_two_sheets_of_one_file_are_two_tables(tmp_path):
    from tests.helpers.factories.files import write_workbook

    sheets = {"A": [["x"], [1], [2]], "B": [["x"], [3], [4]]}
    path = str(write_workbook(tmp_path / "two.xlsx", sheets))
    engine = LocalEngine(EngineOptions(safe_mode=True))
    context = JobContext(engine.workbench)
    loaded = {
        part: engine.run("load", LoadArguments(path=path, reader=ReaderSettings(part=part))).data
        for part in sheets
    }
    assert loaded["A"].content_hash == loaded["B"].content_hash
    for part, first in (("A", 1), ("B", 3)):
        assert (
            engine.workbench.tables.table(loaded[part], context).table.column(0)[0].as_py() == first
        )
