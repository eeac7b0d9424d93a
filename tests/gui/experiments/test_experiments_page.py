"""Page Experiments on an engine that answers when the test says so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel

from core.document.data.commands import SetRowFilter
from core.document.experiments.files import SUFFIX
from core.document.experiments.results import (
    ExperimentChoices,
    LearnerChoice,
    SystemChoice,
)
from core.document.model import Document
from core.document.report.commands import PutOnReport
from core.engine.messages import JobState
from core.presentation.experiments.views import RUNS
from gui.pages.compare.dialogs.studies import BoundsDialog
from gui.pages.experiments.part_fields import PARAMETER
from gui.pages.experiments.widget import ExperimentsPage
from gui.widgets import TextLabel
from gui.widgets.tables.cells import numbers_of
from payoff.parameters import Parameter
from payoff.vocabulary import NumberUnit, ParameterKind
from tests.helpers.answers.compare import bounds_result
from tests.helpers.answers.experiments import FACTS, make_runs
from tests.helpers.factories.loaded_file import loaded_document


class Harness:
    def __init__(self, session, engine, qtbot):
        self.session, self.engine, self.qtbot = session, engine, qtbot
        self.page = ExperimentsPage(session)
        qtbot.addWidget(self.page)
        self.page.resize(1208, 620)
        self.page.show()
        qtbot.waitExposed(self.page)

    @property
    def spec(self):
        return self.page.presenter.spec

    def click(self, button):
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def answer(self, kind, result):
        job = self.engine.last(kind).job
        with self.qtbot.waitSignal(self.session.jobs.job_ended, timeout=2000):
            self.engine.answer(job, result)

    def progress(self, result):
        job = self.engine.last("experiments.run").job
        with self.qtbot.waitSignal(self.session.jobs.job_changed, timeout=2000):
            self.engine.progress(job, 0.5, "half", result)


def count_runs(page):
    """How many runs stand in the table of runs, which is filled while it is looked at."""
    page.results.show_table(RUNS)
    return page.results.figures[RUNS].model().rowCount()


@pytest.fixture
def harness(session, engine, qtbot):
    return Harness(session, engine, qtbot)


def test_parts_are_steps_of_the_document(harness):
    page = harness.page
    assert page.parts.fits.text().startswith("3,000")
    harness.click(page.parts.samplers["arctan"])
    assert harness.spec.samplers == ("sigmoid", "gaussian")
    assert page.parts.fits.text().startswith("2,000")
    page.parts.numbers.editor("systems").choose(4.0)
    page.parts.numbers.editor("test_share").choose(0.3)
    page.mode.chosen.emit("paper")
    assert (harness.spec.systems, harness.spec.test_share, harness.spec.mode) == (4, 0.3, "paper")
    assert page.parts.learners["logistic_mse"].isChecked()
    harness.session.project.undo()
    assert harness.spec.mode == "default"
    page.protocol.setCurrentIndex(page.protocol.findData("stock_timing"))
    page.protocol.activated.emit(page.protocol.currentIndex())
    assert harness.spec.protocol == "stock_timing"
    assert not page.parts.numbers.editor("splits").isEnabled()
    assert page.parts.system.count() == 3


def test_the_projects_own_models_come_first_with_a_verdict(harness):
    """Nothing is asked while there is no model; the sentence follows the project."""
    own, project = harness.page.own, harness.session.project
    assert not harness.engine.of_kind("compare.bounds")
    assert own.verdict.text()
    assert not own.all_bounds.isEnabled()
    project.take_document(loaded_document())
    harness.qtbot.waitUntil(lambda: bool(harness.engine.of_kind("compare.bounds")))
    assert own.verdict.text() == "Being worked out…"
    harness.answer("compare.bounds", bounds_result())
    assert "the squared error of gbm 2 is at most 0.0900" in own.verdict.text()
    asked = len(harness.engine.of_kind("compare.bounds"))
    harness.page.hide()
    project.execute(SetRowFilter(where="age > 30"))
    assert len(harness.engine.of_kind("compare.bounds")) == asked
    harness.page.show()
    harness.page.on_shown()
    assert len(harness.engine.of_kind("compare.bounds")) == asked + 1
    harness.click(own.all_bounds)
    dialog = next(w for w in own.findChildren(BoundsDialog) if w.isVisible())
    dialog.close()


def test_the_last_sampler_and_learner_stay(harness):
    parts = harness.page.parts
    for name in ("sigmoid", "arctan", "gaussian"):
        harness.click(parts.samplers[name])
    assert harness.spec.samplers == ("gaussian",)
    assert parts.samplers["gaussian"].isChecked()
    harness.click(parts.learners["logistic"])
    assert parts.learners["logistic"].isChecked()


def test_rows_are_checked_and_refusals_said(harness):
    harness.qtbot.waitUntil(lambda: bool(harness.engine.of_kind("experiments.check")))
    harness.answer("experiments.check", FACTS)
    assert "600 rows, 50 columns" in harness.page.parts.facts.text()
    before = len(harness.engine.of_kind("experiments.check"))
    harness.page.presenter.take_file("/data/elaia1.csv")
    assert harness.page.parts.source.full_text() == "elaia1.csv"
    harness.qtbot.waitUntil(lambda: len(harness.engine.of_kind("experiments.check")) > before)
    assert (
        harness.engine.last("experiments.check").arguments.document.experiment.path
        == "/data/elaia1.csv"
    )
    job = harness.engine.last("experiments.check").job
    from payoff import PayoffError

    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        harness.engine.fail(job, PayoffError("The file lacks 3 columns.", where="sofa"))
    assert "lacks 3 columns" in harness.page.parts.facts.text()


def test_runs_grow_stop_and_go_on(harness):
    page = harness.page
    page.presenter.take(replace(harness.spec, systems=4, splits=5))
    harness.click(page.parts.run)
    assert not page.parts.run.isEnabled()
    assert page.results.stop.isVisible()
    assert (
        page.results.state.text() == "no model fitted yet"
    )  # it may wait: "Reading rows" was untrue
    assert page.results.histograms["sigmoid"].view.spec is None
    harness.progress(make_runs(harness.spec, 0.5))
    assert page.results.state.text().startswith("30 of 60 models")
    assert "left" not in page.results.state.text()  # the strip of jobs says how long
    assert page.results.histograms["sigmoid"].view.spec.bars[0].y.sum() == 20
    assert page.results.histograms["gaussian"].view.spec is None
    assert count_runs(page) == 30
    harness.click(page.results.stop)
    assert harness.engine.cancelled
    harness.answer("experiments.run", make_runs(harness.spec, 0.5))
    assert page.results.state.text().startswith("stopped at 30 of 60")
    assert page.parts.run.text() == "Go on"
    assert page.parts.fits.text() == "30 more evaluation models will be fitted."
    labels = page.results.histograms["gaussian"].findChildren(TextLabel)
    assert "Press Go on: every run adds a loss here." in [label.text() for label in labels]
    harness.click(page.parts.run)
    harness.answer("experiments.run", make_runs(harness.spec))
    assert page.parts.run.text() == "Run"
    assert page.parts.fits.text() == "60 evaluation models will be fitted."
    assert "60 models fitted" in page.results.state.text()
    described = page.results.verdict.full_text()
    assert (
        described == "The bound of every run (each at 95 %) lies below the loss of no information."
    )


def show_whole(harness, **parts):
    harness.page.presenter.take(replace(harness.spec, systems=4, splits=5, **parts))
    harness.click(harness.page.parts.run)
    harness.answer("experiments.run", make_runs(harness.spec))


def test_the_losses_in_view_follow_the_choices(harness):
    show_whole(harness)
    page = harness.page
    chart = page.results.histograms["sigmoid"]
    assert chart.view.spec.x_axis.label == "evaluation error of a run"
    chart.set_cursor(1.0)
    assert chart.view.state.as_text().endswith("runs at or below 100.0\u00a0%")
    page.results.error_kind.press(1)
    assert chart.view.spec.x_axis.label == "effect error of a run"
    assert chart.cursor_depth == 1.0  # it stays while its chart is drawn anew
    page.results.picture.press(1)
    assert page.results.charts.currentIndex() == 1
    page.results.violins.set_cursor(0.9)
    assert "Sigmoid 100.0\u00a0%" in page.results.violins.view.state.as_text()
    chart.enlarge_requested.emit()
    assert page.results.below.isHidden()
    assert page.results.histograms["arctan"].isHidden()
    chart.enlarge_requested.emit()
    assert not page.results.below.isHidden()


def test_what_has_run_can_stand_on_the_report(harness):
    assert harness.page.report_parts() == ()
    show_whole(harness)
    parts = {part.key: part for part in harness.page.report_parts()}
    assert list(parts) == [
        *(f"experiments/run losses {name}" for name in ("sigmoid", "arctan", "gaussian")),
        "experiments/run violins",
        "experiments/run summary",
        "experiments/run granted",
    ]
    losses = parts["experiments/run losses arctan"]
    assert losses.charts == (harness.page.results.histograms["arctan"],)
    assert losses.answered() is losses.answered()  # the report knows a chart by its object
    harness.session.project.execute(PutOnReport(kind="experiments/run losses+effect sigmoid"))
    (kept,) = [p for p in harness.page.report_parts() if "+effect" in p.key]
    assert kept.title == "Sigmoid, effect"
    assert kept.answered().charts[0].x_axis.label == "effect error of a run"
    harness.page.presenter.compare_with(make_runs(harness.spec, shift=0.01))
    beside = harness.page.report_parts()[-1].answered()
    assert beside.key == "experiments/compared"
    assert [chart.bars[0].name for chart in beside.charts] == ["compared with"] * 3
    harness.session.project.execute(PutOnReport(kind="experiments/compared"))
    assert harness.page.report_parts()[-1].answered() is beside


def test_tables(harness):
    show_whole(harness)
    page = harness.page
    assert page.results.figures["summary"].model().rowCount() == 3
    page.results.table_kind.chosen.emit("runs")
    assert page.results.tables.currentIndex() == 1
    model = page.results.figures["runs"].model()
    assert model.rowCount() == 60
    assert model.data(model.index(0, 0)) == "Sigmoid"
    assert model.data(model.index(7, 2)) == "2"
    assert model.data(model.index(0, 8)).startswith("0.02")
    (first, *_rest) = numbers_of(page.results.figures["runs"])[1]
    assert float(first[8]) == page.presenter.result.runs.bound[0]
    page.results.table_kind.chosen.emit("granted")
    granted = page.results.figures["granted"].model()
    words = [granted.index(row, 1).data() for row in range(3)]
    assert words == ["All losses lie in 0 to 1. (checked)", *FACTS.warnings, *FACTS.notes]


def test_export_and_compare(harness, tmp_path):
    show_whole(harness)
    page, presenter = harness.page, harness.page.presenter
    presenter.export(str(tmp_path / "first"))
    saved = tmp_path / f"first{SUFFIX}"
    assert saved.is_file()
    assert (tmp_path / "first.csv").read_text("utf-8").count("\n") == 61
    show_whole(harness, seed=7)
    posted = []
    harness.session.project.message_posted.connect(posted.append)
    presenter.compare_with_file(str(saved))
    grey = page.results.histograms["sigmoid"].view.spec.bars[0]
    assert (grey.series, grey.y.sum()) == (-1, 20)
    assert "They differ in: seed." in page.results.verdict.full_text()
    assert posted == []
    presenter.take(replace(harness.spec, seed=8, system="composed"))
    harness.click(page.parts.run)
    harness.answer("experiments.run", make_runs(harness.spec))
    presenter.compare_with(presenter.finished[0])
    assert "differ in 2 parts" in posted[-1]
    page._fill_compare()
    titles = [action.text() for action in page.compare_menu.actions()]
    assert any("seed 7" in title for title in titles)
    assert titles[-1] == "Nothing"
    presenter.compare_with(None)
    assert len(page.results.histograms["sigmoid"].view.spec.bars) == 1
    presenter.compare_with_file(str(tmp_path / "none"))
    assert "could not be read" in str(posted[-1])


def test_changed_parts_are_said(harness):
    show_whole(harness)
    harness.page.presenter.take(replace(harness.spec, seed=5))
    assert "the parts have changed since" in harness.page.results.state.text()


@pytest.mark.parametrize("seed", [5, None])
def test_an_experiment_that_runs_is_taken_back_with_its_project(harness, seed):
    """One of the usual parts as well, which those of the new project are equal to."""
    page = harness.page
    if seed is not None:
        page.presenter.take(replace(harness.spec, seed=seed))
    harness.click(page.parts.run)
    harness.progress(make_runs(harness.spec, 0.5))
    page.presenter.compare_with(make_runs(harness.spec))
    job = harness.engine.last("experiments.run").job
    harness.session.project.take_document(Document())
    assert job in harness.engine.cancelled
    assert not page.presenter.is_running
    assert page.parts.run.isEnabled()
    assert page.presenter.result is None
    assert page.presenter.other is None
    assert count_runs(page) == 0
    assert not page.results.state.text()


def test_what_has_run_goes_with_its_project(harness):
    show_whole(harness)
    presenter = harness.page.presenter
    assert presenter.finished
    harness.session.project.begin_document(Document())
    assert presenter.result is None
    assert presenter.finished == []
    assert count_runs(harness.page) == 0


def test_an_experiment_goes_on_while_its_project_stays(harness):
    harness.click(harness.page.parts.run)
    harness.progress(make_runs(harness.spec, 0.5))
    harness.session.project.data_changed.emit()
    assert harness.page.presenter.is_running
    assert not harness.engine.cancelled
    assert count_runs(harness.page) > 0


@pytest.mark.parametrize("button", ["Run", "Go on"])
def test_a_lost_engine_keeps_the_runs(harness, button):
    harness.click(harness.page.parts.run)
    if button == "Go on":
        harness.progress(make_runs(harness.spec, 0.5))
    posted = []
    harness.session.project.message_posted.connect(posted.append)
    job = harness.engine.last("experiments.run").job
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        harness.engine.end(job, JobState.LOST)
    words = f"engine ended while the experiment ran. The runs so far were kept: “{button}” goes on"
    assert any(words in str(entry) for entry in posted)
    assert harness.page.parts.run.text() == button
    assert harness.page.parts.run.isEnabled()


def test_everything_has_a_name_for_screen_readers(harness):
    for box in harness.page.findChildren(type(harness.page.protocol)):
        assert box.accessibleName()
    assert harness.page.findChildren(QLabel)


def test_the_page_needs_no_data(window):
    window.show_page("experiments")
    assert window.current_page == "experiments"
    page = window.pages["experiments"]
    page.presenter.take(replace(page.presenter.spec, seed=3))
    assert window.current_page == "experiments"


CHOICES = ExperimentChoices(
    protocol="aki_alert",
    systems=(
        SystemChoice(id="linear_threshold", label="Linear, cut", help="A score, cut.", formula=""),
        SystemChoice(
            id="weakest_link",
            formula="",
            label="Weakest link",
            help="The worst decides.",
            plugin="Chains",
            parameters=(
                Parameter(
                    name="share",
                    words="Fragile",
                    default=0.5,
                    minimum=0.0,
                    maximum=1.0,
                    unit=NumberUnit.PERCENT,
                ),
                Parameter(
                    name="kind",
                    words="Kind",
                    default=0.0,
                    minimum=0.0,
                    maximum=1.0,
                    kind=ParameterKind.CHOICE,
                    choices=("chain", "rope"),
                ),
            ),
        ),
    ),
    learners=(
        LearnerChoice(learner="lightgbm", label="LightGBM"),
        LearnerChoice(learner="boosting:expectile2", label="Trees, expectile", plugin="Leaning"),
    ),
)


def choose(box, data):
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


def test_learners_that_are_here_can_be_added_from_a_list(harness):
    parts = harness.page.parts
    assert not parts.learning.more.isEnabled()
    harness.qtbot.waitUntil(lambda: bool(harness.engine.of_kind("experiments.choices")))
    harness.answer("experiments.choices", CHOICES)
    assert [parts.learning.more.itemText(place) for place in range(2)] == [
        "LightGBM",
        "Trees, expectile (Leaning)",
    ]
    choose(parts.learning.more, "boosting:expectile2")
    assert harness.spec.learners == ("logistic", "boosting:expectile2")
    assert parts.learners["boosting:expectile2"].isChecked()
    assert parts.learners["boosting:expectile2"].text() == "Trees, expectile (Leaning)"
    assert parts.learning.more.count() == 1
    assert parts.learning.more.currentIndex() == -1


def asked_by_system(parts):
    rows = parts.drawing.rows
    return {n.removeprefix(PARAMETER): rows[n].widget for n in rows if n.startswith(PARAMETER)}


def test_a_third_partys_system_is_chosen_with_its_numbers(harness):
    parts = harness.page.parts
    harness.qtbot.waitUntil(lambda: bool(harness.engine.of_kind("experiments.choices")))
    assert parts.system.count() == 3  # ours, before the engine has answered
    harness.answer("experiments.choices", CHOICES)
    assert parts.system.itemText(1) == "Weakest link (Chains)"
    choose(parts.system, "weakest_link")
    assert harness.spec.system == "weakest_link"
    fields = asked_by_system(parts)
    assert list(fields) == ["share", "kind"]
    assert fields["share"].text().startswith("50")
    fields["share"].choose(0.2)
    fields["kind"].setCurrentIndex(1)
    fields["kind"].activated.emit(1)
    assert harness.spec.system_parameters == (("kind", 1.0), ("share", 0.2))
    choose(parts.system, "linear_threshold")
    assert harness.spec.system_parameters == ()
    assert asked_by_system(parts) == {}
    harness.session.project.undo()
    assert asked_by_system(parts)["share"].value() == 0.2
    harness.page.presenter.take(replace(harness.spec, system="gone", system_parameters=()))
    assert parts.system.currentText() == "gone (not here)"


def test_other_plugins_make_the_lists_anew(harness):
    harness.qtbot.waitUntil(lambda: bool(harness.engine.of_kind("experiments.choices")))
    harness.answer("experiments.choices", CHOICES)
    harness.session.plugins.changed.emit(None)
    harness.qtbot.waitUntil(lambda: len(harness.engine.of_kind("experiments.choices")) == 2)


def test_lists_made_anew_leave_a_number_that_is_being_typed(harness):
    harness.qtbot.waitUntil(lambda: bool(harness.engine.of_kind("experiments.choices")))
    harness.answer("experiments.choices", CHOICES)
    choose(harness.page.parts.system, "weakest_link")
    parts = harness.page.parts
    field = asked_by_system(parts)["share"]
    harness.page.window().activateWindow()
    field.setFocus()
    harness.qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    harness.qtbot.keyClicks(field, "3")
    harness.session.plugins.changed.emit(None)
    harness.page.presenter.refresh()  # before the engine has said what there is now
    harness.qtbot.keyClicks(field, "7")
    assert field.text() == "37"
    harness.qtbot.waitUntil(lambda: len(harness.engine.of_kind("experiments.choices")) == 2)
    harness.answer("experiments.choices", CHOICES)
    harness.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert dict(harness.spec.system_parameters)["share"] == 0.37
    QCoreApplication.processEvents()
    assert asked_by_system(parts)["share"].value() == 0.37


def test_a_number_that_goes_as_it_is_left(harness):
    """Its system went while it was typed into: leaving it takes it away."""
    harness.qtbot.waitUntil(lambda: bool(harness.engine.of_kind("experiments.choices")))
    harness.answer("experiments.choices", CHOICES)
    choose(harness.page.parts.system, "weakest_link")
    parts = harness.page.parts
    field = asked_by_system(parts)["share"]
    harness.page.window().activateWindow()
    field.setFocus()
    harness.qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    harness.qtbot.keyClicks(field, "37")
    harness.session.plugins.changed.emit(None)
    harness.page.presenter.refresh()
    harness.page.parts.numbers.editor("seed").setFocus()
    assert dict(harness.spec.system_parameters)["share"] == 0.37
    assert asked_by_system(parts) == {}
