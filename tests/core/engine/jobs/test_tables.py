"""Tables are read, stopped, found again and named when they are gone."""

import numpy as np
import pytest

from core.document.data.model import DataChangedError, ReaderSettings
from core.document.studies.data import MakeTableArguments
from core.engine.context import JobContext, Workbench
from core.engine.jobs.data import load_file, make_table
from core.engine.local import LocalEngine
from core.engine.messages import (
    LoadArguments,
    PreviewArguments,
)
from core.engine.options import EngineOptions
from core.engine.protocol import EngineRole
from core.questions.data import ColumnByClass, TableRows
from core.questions.decide import Totals
from payoff.errors import PayoffError, StoppedError
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv


def test_preview_and_load_agree_on_columns(engine, loaded):
    preview = engine.run(
        "preview", PreviewArguments(path=loaded.data.path, reader=ReaderSettings())
    )
    assert preview.columns == loaded.data.columns
    assert loaded.data.rows == 2_000


def test_rows_and_column(engine, document, columns):
    page = engine.ask(document, TableRows(start=10, count=3))
    assert [row[0] for row in page.rows] == columns["case_id"][10:13]
    detail = engine.ask(document, ColumnByClass(column="p_good"))
    assert detail.summary.rows == 2_000
    np.testing.assert_allclose(detail.by_level.sum(axis=1), 1.0)


def test_load_reports_progress_and_can_be_stopped(engine, loaded):
    stages = []
    arguments = LoadArguments(path=loaded.data.path, reader=ReaderSettings())
    engine.run("load", arguments, lambda fraction, stage, partial: stages.append(stage))
    assert stages
    with pytest.raises(StoppedError):
        engine.run("load", arguments, should_stop=lambda: True)


def test_a_table_is_read_again_when_it_is_no_longer_in_memory(loaded, document):
    fresh = LocalEngine(EngineOptions())
    page = fresh.ask(document, TableRows(start=0, count=1))
    assert page.rows[0][0] == "c000000"


def test_a_renamed_file_is_found_and_a_changed_one_is_named(home, columns):
    path = home / "moving.csv"
    write_csv(path, columns)
    first = LocalEngine(EngineOptions())
    loaded = first.run("load", LoadArguments(path=str(path), reader=ReaderSettings()))
    document = scored_document(loaded.data)
    path.rename(home / "moved.csv")
    assert LocalEngine(EngineOptions()).ask(document, Totals()).models
    (home / "moved.csv").unlink()
    write_csv(path, scored_columns(seed=99))
    result = LocalEngine(EngineOptions()).ask(document, Totals())
    assert "has changed" in result.warnings[0]


def test_a_window_is_refused_numbers_of_a_file_that_it_has_not_seen(tmp_path):
    """The engine of a window may begin anew, or let a table go, while the file is replaced."""
    path = write_csv(tmp_path / "cases.csv", scored_columns(rows=300))
    options = EngineOptions()
    first = JobContext(Workbench(options, role=EngineRole.MAIN))
    data = load_file(LoadArguments(path=path, reader=ReaderSettings()), first).data
    write_csv(tmp_path / "cases.csv", scored_columns(rows=200, seed=99))
    assert first.tables.table(data, first).rows == 300  # still in memory
    again = JobContext(Workbench(options, role=EngineRole.MAIN))
    for _time in range(2):  # nor is it kept as what it is not
        with pytest.raises(DataChangedError, match="has changed since it was opened"):
            again.tables.table(data, again)
    told = make_table(MakeTableArguments(data=data), again)
    assert (told.data.rows, told.data.content_hash == data.content_hash) == (200, False)
    assert again.tables.table(told.data, again).rows == 200
    write_csv(tmp_path / "cases.csv", scored_columns(rows=300))  # the former one is back
    later = JobContext(Workbench(options, role=EngineRole.MAIN))
    assert later.tables.table(data, later).rows == 300


def test_case_35_a_deleted_file_is_named_and_what_is_in_memory_stays(tmp_path, columns):
    path = tmp_path / "deleted.csv"  # alone: a twin beside it would be found by content
    write_csv(path, columns)
    first = LocalEngine(EngineOptions())
    document = scored_document(
        first.run("load", LoadArguments(path=str(path), reader=ReaderSettings())).data
    )
    path.unlink()
    assert first.ask(document, TableRows(start=0, count=1)).rows
    with pytest.raises(PayoffError) as caught:
        LocalEngine(EngineOptions()).ask(document, TableRows(start=0, count=1))
    assert str(path) in str(caught.value)
