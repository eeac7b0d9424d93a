"""The report in the document and in the project file: order, words, blocks, older files."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.document.files.project import (
    Headline,
    pack_project,
    read_project,
    save_project,
    unpack_project,
)
from core.document.model import Document
from core.document.report.commands import (
    MoveOnReport,
    PutOnReport,
    TakeOffReport,
    WriteOnReport,
    is_grid_entry,
    page_of,
)
from core.presentation.charts.chart import AxisSpec, Chart, SeriesSpec
from core.presentation.report.keeping import entries_by_question, pack_views, unpack_views
from core.presentation.view import Table, View
from payoff.errors import PayoffError


def chart() -> Chart:
    axis = AxisSpec(label="depth", quantity="percent", low=0.0, high=1.0)
    line = SeriesSpec(
        name="gbm",
        series=1,
        x=np.array([0.0, 0.5, 1.0]),
        y=np.array([1 / 3, np.nan, 2.0]),
        low=np.zeros(3),
        is_chosen=True,
    )
    return Chart(
        kind="gains",
        title="How many?",
        subtitle="",
        x_axis=axis,
        y_axis=axis,
        series=(line,),
        hidden=frozenset({"logit", "agency"}),
    )


def block() -> View:
    table = Table(columns=("Model", "AUC"), rows=(("gbm", "0.81\n0.79 to 0.83"),), right=(1,))
    return View(key="gains", title="How many?", tables=(table,), charts=(chart(),), stamp="ab")


def put(*kinds: str) -> Document:
    document = Document()
    for kind in kinds:
        document = PutOnReport(kind=kind).apply(document)
    return document


def kinds(document: Document) -> list[str]:
    return [item.kind for item in document.report]


def test_entries_are_put_moved_worded_and_taken_off() -> None:
    document = put("roc", "decide/total", "metrics")
    document = MoveOnReport(kind="metrics", place=0).apply(document)
    assert kinds(document) == ["metrics", "roc", "decide/total"]
    words = WriteOnReport(kind="roc", caption="Told apart", note="Well enough.")
    document = words.apply(document)
    assert document.report[1].caption == "Told apart"
    assert document.report[1].note == "Well enough."
    assert words.merge_key != WriteOnReport(kind="metrics").merge_key
    assert kinds(TakeOffReport(kind="roc").apply(document)) == ["metrics", "decide/total"]


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(PayoffError, match="no chart 'rocket 2'"):
        put("rocket 2")
    for command in (WriteOnReport(kind="roc"), MoveOnReport(kind="roc", place=0)):
        with pytest.raises(PayoffError, match="not on the report"):
            command.apply(Document())
    with pytest.raises(PayoffError, match="no place 2"):
        MoveOnReport(kind="roc", place=2).apply(put("roc", "gains"))


def test_blocks_come_back_with_seven_digits() -> None:
    (back,) = unpack_views(json.loads(json.dumps(pack_views((block(),)))))
    line = back.charts[0].series[0]
    np.testing.assert_allclose(line.y, [0.3333333, np.nan, 2.0], rtol=0, atol=0)
    assert line.low is not None
    assert line.high is None
    assert back.charts[0].hidden == {"logit", "agency"}
    assert replace(back, charts=()) == replace(block(), charts=())


def test_a_chart_with_another_unit_is_refused() -> None:
    plain = json.loads(json.dumps(pack_views((block(),))))
    plain[0]["charts"][0]["x_axis"]["quantity"] = "furlongs"
    with pytest.raises(PayoffError, match="does not fit") as refusal:
        unpack_views(plain)
    assert "quantity" in refusal.value.where


def test_a_view_of_an_older_file_had_one_table_one_chart_and_lines() -> None:
    (plain,) = json.loads(json.dumps(pack_views((block(),))))
    former = plain | {"table": plain["tables"][0], "chart": plain["charts"][0], "lines": ["so"]}
    for name in ("tables", "charts", "sentences", "notes", "interval", "actions", "asked"):
        del former[name]
    (back,) = unpack_views([former])
    assert replace(back, charts=(), notes=()) == replace(block(), charts=())
    assert back.notes == ("so",)
    (total,) = unpack_views([former | {"figure": "12"}])
    assert total.sentences == ("so",)


def test_entries_that_were_named_by_position_are_named_by_their_question() -> None:
    former = put(
        "roc",
        "decide/capacity/chart0",
        "decide/winner_map/table0",
        "decide/cases/chart0",
        "decide/at_depth/table0",
    )
    assert kinds(entries_by_question(former)) == [
        "roc",
        "decide/capacity",
        "decide/winner_map",
        "decide/case_cloud",  # what the chart of that tab showed
        "decide/at_depth/table0",  # a question without a view
    ]
    parts = (
        replace(block(), key="decide/capacity/chart0", tables=()),
        replace(block(), key="decide/capacity/table0", charts=()),
    )
    (back,) = unpack_views(json.loads(json.dumps(pack_views(parts))))
    assert back.key == "decide/capacity"
    assert (len(back.charts), len(back.tables)) == (1, 1)


def test_the_project_carries_the_report(tmp_path: Path) -> None:
    path = save_project(
        tmp_path / "x.payoff", put("gains"), Headline(), report=pack_views((block(),))
    )
    project = read_project(path)
    assert unpack_views(project.report)[0].title == "How many?"
    assert project.document.report[0].kind == "gains"


def test_a_project_without_a_report_has_no_member_for_it() -> None:
    content = pack_project(Document(), Headline())
    assert "report.json" not in zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert unpack_project(content).report == ()


def test_a_damaged_report_is_named() -> None:
    content = pack_project(put("gains"), Headline(), report=pack_views((block(),)))
    damaged = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(damaged, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data[:-9] + b" " * 9 if name == "report.json" else data)
    with pytest.raises(PayoffError, match="damaged") as refusal:
        unpack_project(damaged.getvalue())
    assert refusal.value.where == "report.json"


def test_a_study_of_page_compare_is_an_entry_that_is_kept_and_no_chart_of_its_grid() -> None:
    document = PutOnReport(kind="compare/power").apply(Document())
    assert [item.kind for item in document.report] == ["compare/power"]
    assert page_of("compare/power") == page_of("roc") == "compare"
    assert is_grid_entry("roc")
    assert is_grid_entry("metrics")
    assert not is_grid_entry("compare/power")
    with pytest.raises(PayoffError, match="no chart 'no chart'"):
        PutOnReport(kind="no chart").apply(document)
