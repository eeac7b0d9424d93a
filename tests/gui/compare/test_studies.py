"""The studies of page Compare: each asks the engine the right thing and shows what it answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from shiboken6 import isValid

from core.document.commands import DescribeProject, SetRowsUsed
from core.document.data.commands import SetRowFilter
from core.document.data.model import RowUse
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import SplitSpec
from core.document.plugin_results import CurveInfo, PluginsResult, PluginState
from core.document.results import (
    Estimate,
    PluginChart,
    SeenRows,
)
from core.document.studies.compare import RowSetsResult
from core.questions.suggestions import figures_by_group
from core.settings import SettingsStore
from gui.pages.compare.dialogs.selection_dialog import SelectionDialog
from gui.pages.compare.dialogs.shift_dialog import ShiftDialog
from gui.pages.compare.dialogs.studies import DefinitionsDialog, RowsDialog, SegmentsDialog
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.pages.compare.widget import ComparePage
from gui.session.plugin_watch import PluginWatch
from payoff.errors import PayoffError
from tests.helpers.answers.compare import (
    column_shift,
    definitions_result,
    segments_result,
    selection,
    shift_result,
)
from tests.helpers.answers.synthetic import make_document, make_evaluation
from tests.helpers.factories.loaded_file import make_preview
from tests.helpers.forms import choose_data
from tests.helpers.harness import make_session


@pytest.fixture
def session(jobs):
    document = make_document()
    split = SplitSpec(shares=(0.4, 0.3, 0.3))
    made = make_session(document=replace(document, split=split), jobs=jobs)
    made.jobs.start()
    return made


@pytest.fixture
def open_dialog(qtbot, session) -> Iterator[Callable[..., StudyDialog]]:
    opened: list[StudyDialog] = []

    def open_one(kind) -> StudyDialog:
        dialog = kind(session)
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
    return [list(row) for row in dialog.panel.tables[0].figures.content.texts()]


def said(dialog):
    return dialog.panel.sentences[0].text()


def answer(qtbot, engine, kind, result):
    engine.answer(engine.last(kind).job, result)
    QCoreApplication.processEvents()


# ---------------------------------------------------------------- choosing


def test_the_best_by_a_metric_is_taken_with_one_step_to_undo(session, open_dialog, engine):
    session.results.evaluation = replace(make_evaluation(), selections=(selection(),))
    dialog = open_dialog(SelectionDialog)
    assert said(dialog).startswith(
        "gbm 2 is ahead of logit by 0.022 (0.012 to 0.032). Ahead of every other model"
    )
    assert cells(dialog)[0][3] == "1,000 of 1,000 (p < 0.002)"
    assert "about 0.0021" in dialog.panel.notes.text()
    assert not engine.of_kind("compare.models")
    dialog.take_button.click()
    choice = session.project.document.choice
    assert (choice.model, choice.metric, choice.rows_used) == ("gbm 2", "auc", RowUse.VALIDATION)
    session.project.undo()
    assert session.project.document.choice is None


def is_greyed(dialog: StudyDialog) -> bool:
    assert dialog.again.isVisible() == dialog.veil.is_drawn
    return dialog.veil.is_drawn


def test_an_answer_of_the_project_before_a_change_is_greyed(session, open_dialog, engine, qtbot):
    dialog = open_dialog(ShiftDialog)
    answer(qtbot, engine, "compare.shift", shift_result())
    assert not is_greyed(dialog)
    session.project.execute(DescribeProject(name="Another name"))  # nothing that it reads
    assert not is_greyed(dialog)
    session.project.execute(SetRowFilter(where="p_gbm > 0.1"))
    assert is_greyed(dialog)
    assert dialog.veil.words == "Of the project before the change"
    assert cells(dialog)  # they can still be read
    session.project.undo()
    assert not is_greyed(dialog)
    session.project.execute(SetRowFilter(where="p_gbm > 0.2"))
    dialog.again.click()
    assert not is_greyed(dialog)
    assert engine.last("compare.shift").arguments.document.split.where == "p_gbm > 0.2"
    answer(qtbot, engine, "compare.shift", shift_result())
    assert not is_greyed(dialog)


def test_a_choice_of_the_project_before_a_change_is_not_taken(session, open_dialog):
    session.results.evaluation = replace(make_evaluation(), selections=(selection(),))
    dialog = open_dialog(SelectionDialog)
    assert dialog.take_button.isEnabled()
    session.project.execute(SetRowsUsed(rows_used=RowUse.TEST))
    assert is_greyed(dialog)
    assert not dialog.take_button.isEnabled()
    session.project.undo()
    assert dialog.take_button.isEnabled()


def test_two_sets_of_rows_follow_neither_charts_nor_the_rows_used(session, open_dialog):
    dialog = open_dialog(RowsDialog)
    session.project.execute(SetRowsUsed(rows_used=RowUse.TEST))
    assert not is_greyed(dialog)
    session.project.execute(SetRowFilter(where="p_gbm > 0.1"))
    assert is_greyed(dialog)


def test_profit_is_asked_of_the_engine(session, open_dialog, engine, qtbot):
    dialog = open_dialog(SelectionDialog)
    choose_data(dialog.form.editor("metric"), "total_profit")
    arguments = engine.last("compare.models").arguments
    assert [choice.metric for choice in arguments.document.metrics] == ["total_profit"]
    job = engine.last("compare.models").job
    assert session.jobs.entries[job].title == "Choosing by Profit by the rule"
    answer(qtbot, engine, "compare.models", replace(make_evaluation(), metrics=(), selections=()))
    assert "nothing to choose" in said(dialog)


def test_a_project_of_losses_chooses_by_its_loss(session, open_dialog, engine):
    matrix = replace(session.project.document.matrix, kind=MatrixKind.LOSS)
    session.project.history.reset(replace(session.project.document, matrix=matrix))
    dialog = open_dialog(SelectionDialog)
    choose_data(dialog.form.editor("metric"), "total_loss")
    arguments = engine.last("compare.models").arguments
    assert [choice.metric for choice in arguments.document.metrics] == ["total_loss"]
    words = [option.words for option in figures_by_group(session.form_context())]
    assert words[-2:] == ["Total loss by the rule", "Average loss by the rule"]


# ---------------------------------------------------------------- rows side by side


def test_train_and_validation_stand_side_by_side(session, open_dialog, engine, qtbot):
    dialog = open_dialog(RowsDialog)
    question = engine.last("compare.rows").arguments.question
    assert (question.first, question.second) == (RowUse.TRAIN, RowUse.VALIDATION)
    seen = (SeenRows(model="gbm 2", how="trained", rows=8_000),)
    made = make_evaluation()
    best = tuple(
        replace(c, estimate=Estimate(value=c.estimate.value + 0.1, low=0.94, high=0.97))
        if (c.metric, c.model) == ("auc", "gbm 2")
        else c
        for c in made.cells
    )
    first = replace(made, cells=best, seen=seen, rows=replace(made.rows, use="train"))
    both = RowSetsResult(names=("Training", "Validation"), first=first, second=made)
    answer(qtbot, engine, "compare.rows", both)
    row = next(row for row in cells(dialog) if row[:2] == ["AUC", "gbm 2"])
    assert row[4] == "+0.100"
    assert "flattering: trained here" in row[5]
    assert said(dialog) == "Beyond the intervals: gbm 2."


# ---------------------------------------------------------------- groups


def test_figures_and_a_curve_by_group(session, open_dialog, engine, qtbot):
    dialog = open_dialog(SegmentsDialog)
    arguments = engine.last("compare.segments").arguments.question
    assert arguments.column == dialog.form.editor("column").currentData()
    assert arguments.chart == "roc"
    answer(qtbot, engine, "compare.segments", segments_result())
    table = cells(dialog)
    assert [row[0] for row in table] == ["north", "isle", "all"]
    assert table[1][-1] == "only 40 customers: rough"
    assert table[0][3] == "0.800  (0.750 to 0.850)"
    assert "rough: isle" in dialog.panel.notes.text()
    assert [entry.name for entry in dialog.panel.charts[0].view.spec.series] == ["north", "isle"]
    dialog.copy()


def test_a_curve_of_a_plugin_by_group(session, open_dialog, engine, qtbot):
    """A third party's chart is offered, and drawn with its own words and units."""
    own = CurveInfo(
        id="own",
        title="How many?",
        label="own rate",
        help="",
        formula="",
        reference="",
        tasks=("binary",),
        axis="value",
    )
    split = replace(own, id="two_lines", is_split=True)
    session.plugins.known = PluginsResult(plugins=(), metrics=(), templates=(), curves=(own, split))
    dialog = open_dialog(SegmentsDialog)
    kind = dialog.form.editor("chart")
    kinds = [kind.itemData(row) for row in range(kind.count())]
    assert "own" in kinds
    assert "two_lines" not in kinds
    plugin_chart = PluginChart(
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
        replace(
            result,
            chart=replace(result.chart, kind="own", curves=curves, plugin_chart=plugin_chart),
        ),
    )
    spec = dialog.panel.charts[0].view.spec
    assert spec.title == "How many?"
    assert spec.subtitle.startswith("own rate by region")
    assert (spec.x_axis.label, spec.x_axis.quantity, spec.x_axis.high) == ("days", "number", 40.0)
    assert (spec.y_axis.label, spec.y_axis.quantity) == ("rate", "percent")


def test_a_refusal_stands_in_the_dialog(session, open_dialog, engine, qtbot):
    dialog = open_dialog(SegmentsDialog)
    engine.fail(
        engine.last("compare.segments").job, PayoffError("No rows.", remedy="Choose others.")
    )
    qtbot.waitUntil(lambda: "No rows." in said(dialog))


# ---------------------------------------------------------------- shift


def test_shift_of_rows_and_of_a_file(session, open_dialog, engine, qtbot):
    dialog = open_dialog(ShiftDialog)
    arguments = engine.last("compare.shift").arguments.question
    assert (arguments.then.use, arguments.now.use) == (RowUse.TRAIN, RowUse.VALIDATION)
    answer(qtbot, engine, "compare.shift", shift_result())
    assert said(dialog) == "Shifted: age."
    assert cells(dialog)[0][-1] == "▲▲ another population"
    assert "score of logit" in dialog.panel.notes.text()
    assert [entry.name for entry in dialog.panel.charts[0].view.spec.bars] == [
        "training rows",
        "next.csv",
    ]
    dialog.take_file("now", "/data/next.csv")
    qtbot.waitUntil(
        lambda: engine.last("compare.shift").arguments.question.now.path == "/data/next.csv"
    )
    assert dialog.form.editor("now").currentText() == "next.csv"


def test_a_file_of_the_shift_is_read_as_was_said_of_it(
    session, open_dialog, engine, qtbot, tmp_path
):
    session.settings = SettingsStore(tmp_path / "settings.json")
    dialog = open_dialog(ShiftDialog)
    how = dialog.how["now"]
    assert how.isHidden()
    path = str(tmp_path / "next.csv")
    dialog.take_file("now", path)
    assert how.isVisible()
    assert dialog.how["then"].isHidden()
    reader = session.project.document.data.reader  # as the project's, until more is said
    assert engine.last("compare.shift").arguments.question.now.reader == reader
    settings = how.ask()
    settings.show_preview(make_preview(path, rename_repeated=True))
    settings.accept()
    requested = engine.last("compare.shift").arguments.question
    assert (requested.now.path, requested.now.reader.rename_repeated) == (path, True)
    choose_data(dialog.form.editor("now"), RowUse.TRAIN)
    assert how.isHidden()
    assert engine.last("compare.shift").arguments.question.now.path == ""


# ---------------------------------------------------------------- definitions


def test_definitions_change_the_charts_and_name_the_causes(session, open_dialog, engine, qtbot):
    dialog = open_dialog(DefinitionsDialog)
    assert not dialog.panel.tables
    choose_data(dialog.form.editor("convention"), "sas_em")
    assert session.project.document.convention == "sas_em"
    answer(qtbot, engine, "compare.definitions", definitions_result())
    assert cells(dialog)[0][4] == "20 bins only"
    assert "captured response" in dialog.panel.notes.text()
    session.project.undo()
    assert session.project.document.convention == "payoff"


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


def test_a_file_saved_in_the_plugin_folder_stands_in_the_table(session, engine, qtbot, tmp_path):
    watch = PluginWatch(session, tmp_path / "plugins", session)
    messages = []
    session.project.message_posted.connect(messages.append)
    watch.start()
    session.plugins.changed.emit(plugins_of("auc", "ks"))
    assert session.project.document.metrics == make_document().metrics
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
    assert [choice.metric for choice in session.project.document.metrics][-1] == "mine"
    assert "mine" in messages[0]
    assert "It divides by 0." in messages[1]
    session.project.undo()
    assert session.project.document.metrics == make_document().metrics


# ---------------------------------------------------------------- the report


def test_an_open_study_goes_on_the_report_and_off_it(session, engine, qtbot):
    page = ComparePage(session)
    qtbot.addWidget(page)
    dialog = page.studies.compare_populations()
    assert dialog.reporting.isHidden()
    answer(qtbot, engine, "compare.shift", shift_result())
    dialog.reporting.click()
    assert [item.kind for item in session.project.document.report] == ["compare/shift"]
    kept = shown_on_compare(session)
    assert kept is dialog.panel.view
    assert json.loads(kept.asked)["now"]["use"] == "validation"
    assert dialog.reporting.text() == "Take off the report"
    session.project.execute(SetRowFilter(where="p_gbm > 0.1"))  # the answer is of other rows
    assert dialog.reporting.isHidden()
    assert shown_on_compare(session) is None
    session.project.undo()
    dialog.reporting.click()
    assert not session.project.document.report
    dialog.close()


def test_the_column_that_is_looked_at_is_the_one_on_the_report(session, engine, qtbot):
    page = ComparePage(session)
    qtbot.addWidget(page)
    dialog = page.studies.compare_populations()
    income = column_shift("income", verdict="stable", index=0.02)
    answer(qtbot, engine, "compare.shift", shift_result(column_shift(), income))
    dialog.reporting.click()
    assert dialog.panel.charts[0].chart.title == "age"
    dialog.panel.tables[0].selectRow(1)
    assert dialog.panel.charts[0].chart.title == "income"
    kept = shown_on_compare(session)
    assert kept.charts[0].title == "income"
    assert json.loads(kept.asked)["column"] == "income"
    assert [item.kind for item in session.project.document.report] == ["compare/shift"]
    dialog.close()


def shown_on_compare(session):
    """The view of the shift that page Compare offers."""
    parts = session.report.parts("compare")
    found = (part.answered() for part in parts if part.key == "compare/shift")
    return next(found, None)
