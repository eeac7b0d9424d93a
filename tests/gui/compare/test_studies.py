"""The studies of page Compare: each asks the engine the right thing and shows what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from shiboken6 import isValid

from core.document.commands import DescribeProject, SetRowsUsed
from core.document.data.commands import SetRowFilter
from core.document.data.model import RowUse
from core.document.model import SplitSpec
from core.document.plugin_results import CurveInfo, PluginsResult, PluginState
from core.document.results import (
    ChartData,
    ChartFace,
    Curve,
    Estimate,
    PairedDifference,
    SeenRows,
    Selection,
)
from core.document.studies.definitions import DefinitionRow, DefinitionsResult
from core.document.studies.segments import Segment, SegmentCell, SegmentsResult
from core.document.studies.shift import ColumnShift, ShiftResult
from core.settings import SettingsStore
from gui.pages.compare.definitions_dialog import DefinitionsDialog
from gui.pages.compare.segments_dialog import SegmentsDialog
from gui.pages.compare.selection_dialog import SelectionDialog
from gui.pages.compare.shift_dialog import ShiftDialog
from gui.pages.compare.side_by_side import SideBySideDialog
from gui.pages.compare.study_dialog import StudyDialog
from gui.plugin_watch import PluginWatch
from payoff.errors import PayoffError
from tests.gui.compare.standin import make_workspace
from tests.gui.fakes import make_preview
from tests.gui.synthetic import make_document, make_evaluation


@pytest.fixture
def workspace(jobs):
    document = make_document()
    split = SplitSpec(shares=(0.4, 0.3, 0.3))
    made = make_workspace(document=replace(document, split=split), jobs=jobs)
    made.jobs.start()
    return made


@pytest.fixture
def open_dialog(qtbot, workspace) -> Iterator[Callable[..., StudyDialog]]:
    opened: list[StudyDialog] = []

    def open_one(kind) -> StudyDialog:
        dialog = kind(workspace)
        opened.append(dialog)
        dialog.show()
        qtbot.waitExposed(dialog)
        return dialog

    yield open_one
    for dialog in opened:
        if isValid(dialog):  # taking a model closes its dialog
            dialog.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def cells(dialog):
    model = dialog.table_model
    return [
        [model.data(model.index(row, column)) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def answer(qtbot, engine, kind, result):
    engine.answer(engine.last(kind).job, result)
    QCoreApplication.processEvents()


def selection(margin=0.022, low=0.012, high=0.032, p_value=0.0004):
    pair = PairedDifference(
        first="gbm 2",
        second="logit",
        metric="auc",
        estimate=Estimate(value=margin, low=low, high=high),
        p_value=p_value,
    )
    return Selection(
        metric="auc",
        winner="gbm 2",
        runner_up="logit",
        margin=pair,
        wins=(("gbm 2", 1000), ("logit", 0), ("agency", 0)),
        resamples=1000,
        optimism=0.0021,
        corrected=p_value,
    )


def shift_result():
    column = ColumnShift(
        name="age",
        is_score=False,
        index=0.31,
        noise=0.01,
        verdict="another population",
        bins=("up to 30", "above 30"),
        then=np.array([0.5, 0.5]),
        now=np.array([0.2, 0.8]),
    )
    return ShiftResult(
        then_text="training rows, 8 of 20",
        now_text="next.csv, 9 rows",
        then_rows=8,
        now_rows=9,
        columns=(column,),
        left_out=("score of logit",),
        seconds=0.1,
    )


# ---------------------------------------------------------------- choosing


def test_the_best_by_a_metric_is_taken_with_one_step_to_undo(workspace, open_dialog, engine):
    workspace.evaluation = replace(make_evaluation(), selections=(selection(),))
    dialog = open_dialog(SelectionDialog)
    assert dialog.message.text().startswith(
        "gbm 2 is ahead of logit by 0.022 (0.012 to 0.032). Ahead of every other model"
    )
    assert cells(dialog)[0][3] == "1,000 of 1,000 (p < 0.002)"
    assert "about 0.0021" in dialog.notes.text()
    assert not engine.of_kind("compare.models")
    dialog.take_button.click()
    choice = workspace.document.choice
    assert (choice.model, choice.metric, choice.rows_used) == ("gbm 2", "auc", RowUse.VALIDATION)
    workspace.undo()
    assert workspace.document.choice is None


def is_greyed(dialog: StudyDialog) -> bool:
    assert dialog.again.isVisible() == dialog.veil.is_drawn
    return dialog.veil.is_drawn


def test_an_answer_of_the_project_before_a_change_is_greyed(workspace, open_dialog, engine, qtbot):
    dialog = open_dialog(ShiftDialog)
    answer(qtbot, engine, "compare.shift", shift_result())
    assert not is_greyed(dialog)
    workspace.execute(DescribeProject(name="Another name"))  # nothing that it reads
    assert not is_greyed(dialog)
    workspace.execute(SetRowFilter(where="p_gbm > 0.1"))
    assert is_greyed(dialog)
    assert dialog.veil.words == "Of the project before the change"
    assert cells(dialog)  # they can still be read
    workspace.undo()
    assert not is_greyed(dialog)
    workspace.execute(SetRowFilter(where="p_gbm > 0.2"))
    dialog.again.click()
    assert not is_greyed(dialog)
    assert engine.last("compare.shift").arguments.document.split.where == "p_gbm > 0.2"
    answer(qtbot, engine, "compare.shift", shift_result())
    assert not is_greyed(dialog)


def test_a_choice_of_the_project_before_a_change_is_not_taken(workspace, open_dialog):
    workspace.evaluation = replace(make_evaluation(), selections=(selection(),))
    dialog = open_dialog(SelectionDialog)
    assert dialog.take_button.isEnabled()
    workspace.execute(SetRowsUsed(rows_used=RowUse.TEST))
    assert is_greyed(dialog)
    assert not dialog.take_button.isEnabled()
    workspace.undo()
    assert dialog.take_button.isEnabled()


def test_two_sets_of_rows_follow_neither_charts_nor_the_rows_used(workspace, open_dialog):
    dialog = open_dialog(SideBySideDialog)
    workspace.execute(SetRowsUsed(rows_used=RowUse.TEST))
    assert not is_greyed(dialog)
    workspace.execute(SetRowFilter(where="p_gbm > 0.1"))
    assert is_greyed(dialog)


def test_a_lead_within_the_noise_is_said(workspace, open_dialog):
    lead = selection(margin=0.004, low=-0.006, high=0.014, p_value=0.43)
    workspace.evaluation = replace(make_evaluation(), selections=(lead,))
    dialog = open_dialog(SelectionDialog)
    assert "may be anything from" in dialog.message.text()
    assert "Not distinguishable from every other model" in dialog.message.text()


def test_models_that_are_level_are_not_called_ahead(workspace, open_dialog):
    level = replace(
        selection(margin=0.0, low=0.0, high=0.0, p_value=1.0),
        wins=(("gbm 2", 487.5), ("logit", 487.5), ("agency", 25.0)),
    )
    workspace.evaluation = replace(make_evaluation(), selections=(level,))
    dialog = open_dialog(SelectionDialog)
    assert dialog.message.text().startswith("gbm 2 and logit are level. Not distinguishable")
    assert cells(dialog)[0][3] == "487.5 of 1,000"


def test_profit_is_asked_of_the_engine(workspace, open_dialog, engine, qtbot):
    dialog = open_dialog(SelectionDialog)
    dialog.by.setCurrentIndex(dialog.by.findData("total_profit"))
    dialog.refresh()
    arguments = engine.last("compare.models").arguments
    assert [choice.metric for choice in arguments.document.metrics] == ["total_profit"]
    job = engine.last("compare.models").job
    assert workspace.jobs.entries[job].title == "Choosing by Profit by the rule"
    answer(qtbot, engine, "compare.models", replace(make_evaluation(), metrics=(), selections=()))
    assert "nothing to choose" in dialog.message.text()


# ---------------------------------------------------------------- rows side by side


def test_train_and_validation_stand_side_by_side(workspace, open_dialog, engine, qtbot):
    dialog = open_dialog(SideBySideDialog)
    uses = [asked.arguments.document.rows_used for asked in engine.of_kind("compare.models")]
    assert uses == [RowUse.TRAIN, RowUse.VALIDATION]
    jobs = [workspace.jobs.entries[asked.job] for asked in engine.of_kind("compare.models")]
    assert [job.title for job in jobs] == ["Judging training rows", "Judging validation rows"]
    seen = (SeenRows(model="gbm 2", how="trained", rows=8_000),)
    made = make_evaluation()
    best = tuple(
        replace(c, estimate=Estimate(value=c.estimate.value + 0.1, low=0.94, high=0.97))
        if (c.metric, c.model) == ("auc", "gbm 2")
        else c
        for c in made.cells
    )
    first = replace(made, cells=best, seen=seen)
    for asked, result in zip(engine.of_kind("compare.models"), (first, made), strict=True):
        engine.answer(asked.job, result)
    qtbot.waitUntil(lambda: dialog.table_model.rowCount() > 0)
    row = next(row for row in cells(dialog) if row[:2] == ["AUC", "gbm 2"])
    assert row[4] == "+0.100"
    assert "flattering: trained here" in row[5]
    assert dialog.message.text() == "Beyond the intervals: gbm 2."


# ---------------------------------------------------------------- groups


def segments_result():
    info = make_evaluation().metrics[0]
    estimate = Estimate(value=0.8, low=0.75, high=0.85)
    groups = (
        Segment(name="north", rows=900, events=60),
        Segment(name="isle", rows=40, events=2, note="only 40 customers: rough"),
    )
    models = ("gbm 2", "logit", "agency")
    x = np.linspace(0, 1, 11)
    return SegmentsResult(
        rows=make_evaluation().rows,
        column="region",
        segments=groups,
        metrics=(info,),
        cells=tuple(
            SegmentCell(segment=g.name, model=m, metric=info.metric, estimate=estimate)
            for g in groups
            for m in models
        ),
        whole=tuple(
            SegmentCell(segment="", model=m, metric=info.metric, estimate=estimate) for m in models
        ),
        chart=ChartData(
            kind="roc",
            curves=tuple(Curve(model="gbm 2", name=g.name, x=x, y=np.sqrt(x)) for g in groups),
            definition="d",
        ),
        model="gbm 2",
        warnings=("Small groups, whose figures are rough: isle.",),
        seconds=0.1,
    )


def test_figures_and_a_curve_by_group(workspace, open_dialog, engine, qtbot):
    dialog = open_dialog(SegmentsDialog)
    arguments = engine.last("compare.segments").arguments.question
    assert arguments.column == dialog.by.currentData()
    assert arguments.chart == "roc"
    answer(qtbot, engine, "compare.segments", segments_result())
    qtbot.waitUntil(lambda: dialog.table_model.rowCount() == 3)
    table = cells(dialog)
    assert [row[0] for row in table] == ["north", "isle", "all"]
    assert table[1][-1] == "only 40 customers: rough"
    assert table[0][3] == "0.800  (0.750 to 0.850)"
    assert "rough: isle" in dialog.notes.text()
    assert [entry.name for entry in dialog.chart.view.spec.series] == ["north", "isle"]
    dialog.copy()


def test_a_curve_of_a_plugin_by_group(workspace, open_dialog, engine, qtbot):
    """A third party's chart is offered, and drawn with its own words and units."""
    own = CurveInfo(
        curve="own",
        title="How many?",
        subtitle="own rate",
        help="",
        formula="",
        reference="",
        tasks=("binary",),
        axis="value",
    )
    split = replace(own, curve="two_lines", is_split=True)
    workspace.plugins = PluginsResult(plugins=(), metrics=(), templates=(), curves=(own, split))
    dialog = open_dialog(SegmentsDialog)
    kinds = [dialog.kind.itemData(row) for row in range(dialog.kind.count())]
    assert "own" in kinds
    assert "two_lines" not in kinds
    face = ChartFace(
        title="How many?",
        subtitle="own rate",
        axis="value",
        x_label="days",
        y_label="rate",
        x_unit="",
        y_unit="percent",
    )
    result = segments_result()
    x = np.linspace(0.0, 40.0, 11)
    curves = tuple(replace(curve, x=x) for curve in result.chart.curves)
    answer(
        qtbot,
        engine,
        "compare.segments",
        replace(result, chart=replace(result.chart, kind="own", curves=curves, face=face)),
    )
    spec = dialog.chart.view.spec
    assert spec.title == "How many?"
    assert spec.subtitle.startswith("own rate by region")
    assert (spec.x_axis.label, spec.x_axis.quantity, spec.x_axis.high) == ("days", "number", 40.0)
    assert (spec.y_axis.label, spec.y_axis.quantity) == ("rate", "percent")


def test_a_refusal_stands_in_the_dialog(workspace, open_dialog, engine, qtbot):
    dialog = open_dialog(SegmentsDialog)
    engine.fail(
        engine.last("compare.segments").job, PayoffError("No rows.", remedy="Choose others.")
    )
    qtbot.waitUntil(lambda: "No rows." in dialog.message.text())


# ---------------------------------------------------------------- shift


def test_shift_of_rows_and_of_a_file(workspace, open_dialog, engine, qtbot):
    dialog = open_dialog(ShiftDialog)
    arguments = engine.last("compare.shift").arguments.question
    assert (arguments.then.use, arguments.now.use) == (RowUse.TRAIN, RowUse.VALIDATION)
    answer(qtbot, engine, "compare.shift", shift_result())
    qtbot.waitUntil(lambda: dialog.table_model.rowCount() == 1)
    assert dialog.message.text() == "Shifted: age."
    assert cells(dialog)[0][-1] == "▲▲ another population"
    assert "score of logit" in dialog.notes.text()
    assert [entry.name for entry in dialog.chart.view.spec.bars] == ["training rows", "next.csv"]
    dialog.take_file(dialog.now, "/data/next.csv")
    qtbot.waitUntil(
        lambda: engine.last("compare.shift").arguments.question.now.path == "/data/next.csv"
    )
    assert dialog.now.currentText() == "next.csv"


def test_a_file_of_the_shift_is_read_as_was_said_of_it(
    workspace, open_dialog, engine, qtbot, tmp_path
):
    workspace.settings = SettingsStore(tmp_path / "settings.json")
    dialog = open_dialog(ShiftDialog)
    how = dialog.how[dialog.now]
    assert how.isHidden()
    path = str(tmp_path / "next.csv")
    dialog.take_file(dialog.now, path)
    assert how.isVisible()
    assert dialog.how[dialog.then].isHidden()
    reader = workspace.document.data.reader  # as the project's, until more is said
    assert engine.last("compare.shift").arguments.question.now.reader == reader
    settings = how.ask()
    settings.show_preview(make_preview(path, rename_repeated=True))
    settings.accept()
    asked = engine.last("compare.shift").arguments.question
    assert (asked.now.path, asked.now.reader.rename_repeated) == (path, True)
    dialog.now.setCurrentIndex(0)
    dialog.now.activated.emit(0)
    assert how.isHidden()
    assert engine.last("compare.shift").arguments.question.now.path == ""


# ---------------------------------------------------------------- definitions


def test_definitions_change_the_charts_and_name_the_causes(workspace, open_dialog, engine, qtbot):
    dialog = open_dialog(DefinitionsDialog)
    assert dialog.table_model.rowCount() == 0
    dialog.convention.setCurrentIndex(dialog.convention.findData("sas_em"))
    dialog._follow()
    assert workspace.document.convention == "sas_em"
    row = DefinitionRow(
        figure="KS",
        model="gbm 2",
        ours=0.563,
        theirs=0.551,
        decimals=3,
        cause="20 bins only",
        ours_words="every score",
        theirs_words="bin-based",
    )
    result = DefinitionsResult(convention="sas_em", rows=(row,), seconds=0.1)
    answer(qtbot, engine, "compare.definitions", result)
    qtbot.waitUntil(lambda: dialog.table_model.rowCount() == 1)
    assert cells(dialog)[0][4] == "20 bins only"
    assert "captured response" in dialog.notes.text()
    workspace.undo()
    assert workspace.document.convention == "payoff"


# ---------------------------------------------------------------- own metrics


def plugins_of(*metrics, plugins=()):
    info = make_evaluation().metrics[0]
    return PluginsResult(
        plugins=plugins,
        metrics=tuple(
            replace(info, metric=name, title=name, tasks=("binary",)) for name in metrics
        ),
        templates=(),
    )


def test_a_file_saved_in_the_plugin_folder_stands_in_the_table(workspace, engine, qtbot, tmp_path):
    watch = PluginWatch(workspace, tmp_path / "plugins", workspace)
    messages = []
    workspace.message_posted.connect(messages.append)
    watch.start()
    workspace.plugins_changed.emit(plugins_of("auc", "ks"))
    assert workspace.document.metrics == make_document().metrics
    (tmp_path / "plugins" / "mine.py").write_text("import payoff\n")
    qtbot.waitUntil(lambda: bool(engine.of_kind("plugins")))
    assert engine.last("plugins").arguments.check_again
    state = PluginState(
        plugin="own.bad",
        name="bad",
        version="1",
        source="user folder",
        state="quarantined",
        why="It divides by 0.",
    )
    result = plugins_of("auc", "ks", "mine", plugins=(state,))
    engine.answer(engine.last("plugins").job, result)
    qtbot.waitUntil(lambda: len(messages) == 2)
    assert [choice.metric for choice in workspace.document.metrics][-1] == "mine"
    assert "mine" in messages[0]
    assert "It divides by 0." in messages[1]
    workspace.undo()
    assert workspace.document.metrics == make_document().metrics
