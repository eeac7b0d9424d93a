"""Page Models: a training is watched, stopped, refused; the model joins the others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from core.document.commands import AddTrainedModel, RemoveModel, RenameModel
from core.document.decisions.commands import EditCell
from core.document.results import SeenRows
from core.document.training_results import TrainResult
from core.engine.messages import JobState
from core.presentation.view import View
from core.questions.stamps import entry_stamp
from gui.session.results import comparison_key
from gui.theme import apply_theme
from payoff.errors import PayoffError
from tests.gui.models.steps import finish, press
from tests.helpers.answers.models import TRAINED, curves_at, explained, offered
from tests.helpers.answers.synthetic import make_evaluation
from tests.helpers.harness import ModelsHarness


def test_a_training_is_watched_tree_by_tree(harness: ModelsHarness) -> None:
    press(harness, harness.page.inspector.train)
    row = harness.page.models.rows()[0]
    assert (row.name, row.fraction) == ("gbm 1", 0.0)
    harness.progress(curves_at("gbm 1"))
    row = harness.page.models.rows()[0]
    assert row.fraction == pytest.approx(0.43)
    chart = harness.page.chart
    spec, state = chart.make_spec(), chart.make_state(0.43)
    assert spec is not None
    assert state is not None
    assert spec.title == "Is gbm 1 still learning?"
    assert spec.subtitle.endswith("tree 1,290 of 3,000")
    assert [entry.name for entry in spec.series] == ["validation", "out of bag", "training"]
    best = int(np.argmin(curves_at("gbm 1").valid)) + 1
    assert spec.baselines[0].x[0] == best
    assert [line.name for line in state.lines][-1] == f"best: tree {best:,}"
    assert harness.page.influence.title.title.text() == "What gbm 1 uses so far"
    assert harness.page.influence.bars.bars[-1].name == "3 others"
    assert harness.page.stop.text() == "Stop, keep 1,290 trees"


def test_the_list_says_the_share_that_the_strip_of_jobs_says(harness: ModelsHarness) -> None:
    """92 % stood beside 89 %: the curves come less often than the job tells how far it is."""
    press(harness, harness.page.inspector.train)
    harness.progress(curves_at("gbm 1"))
    job = harness.engine.last("train").job
    with harness.qtbot.waitSignal(harness.session.jobs.job_changed, timeout=2000):
        harness.engine.progress(job, 0.92, "Growing trees")
    assert (
        harness.page.models.rows()[0].fraction == harness.session.jobs.entries[job].fraction == 0.92
    )


def test_stop_keeps_the_trees(harness: ModelsHarness) -> None:
    press(harness, harness.page.inspector.train)
    harness.progress(curves_at("gbm 1"))
    press(harness, harness.page.stop)
    assert harness.engine.cancelled == [harness.engine.last("train").job]
    assert not harness.page.stop.isEnabled()
    finish(harness)
    trained = harness.session.project.document.trained_model("gbm 1")
    assert trained is not None
    assert trained.trees == 1290
    assert not harness.page.stop.isVisible()


def test_a_finished_model_joins_the_others_and_keeps_its_curves(harness: ModelsHarness) -> None:
    press(harness, harness.page.inspector.train)
    harness.progress(curves_at("gbm 1"))
    coming = harness.session.trainings.running[0].series
    finish(harness)
    spec = harness.session.project.document.model("gbm 1")
    assert spec is not None
    assert spec.series == coming
    assert dict(spec.old_priors.shares) == {"1": 0.25, "0": 0.75}
    assert harness.page.chart.learning.done == 1290
    assert harness.page.models.rows()[0].kind == "boosted trees, 1,196 trees of 4 splits"
    assert harness.page.inspector.train.text() == "Train as a new model"
    assert harness.session.project.history.undo_label == "Add trained model"


def test_the_next_model_is_measured_against_the_best_of_before(harness: ModelsHarness) -> None:
    press(harness, harness.page.inspector.train)
    finish(harness)
    press(harness, harness.page.inspector.train)
    assert harness.trained_with().settings.name == "gbm 3"  # gbm 2 came with the file
    harness.progress(curves_at("gbm 3", 400))
    rival = harness.page.chart.learning.rival
    assert rival.name == "gbm 1"
    assert rival.deviance == pytest.approx(float(curves_at("gbm 1").valid.min()))
    spec = harness.page.chart.make_spec()
    assert any("gbm 1 at its best" in line.name for line in spec.baselines)


def test_a_refused_training_says_why_and_changes_nothing(harness: ModelsHarness) -> None:
    messages = []
    harness.session.project.message_posted.connect(messages.append)
    before = harness.session.project.document
    press(harness, harness.page.inspector.train)
    job = harness.engine.last("train").job
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        harness.engine.fail(job, PayoffError("The outcome has one class only.", where="respond"))
    assert "one class only" in str(messages[0])
    assert harness.session.project.document == before
    assert harness.session.trainings.running == ()


@pytest.mark.parametrize("ending", ["refused", JobState.CANCELLED, JobState.LOST])
def test_a_training_that_kept_nothing_leaves_its_name_free(harness: ModelsHarness, ending) -> None:
    train = harness.page.inspector.train
    press(harness, train)
    assert harness.page.presenter.draft.name == "gbm 3"  # the file has a gbm 2
    job = harness.engine.last("train").job
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        if ending == "refused":
            harness.engine.fail(job, PayoffError("The outcome has one class only."))
        else:
            harness.engine.end(job, ending)
    assert harness.session.project.document.trained_model("gbm 1") is None
    assert harness.page.presenter.draft.name == "gbm 1"
    press(harness, train)
    assert harness.trained_with().settings.name == "gbm 1"


def test_settings_of_a_training_that_kept_nothing_stay(
    harness: ModelsHarness,
) -> None:
    harness.page.presenter.take_draft(replace(harness.page.presenter.draft, n_trees=20_000))
    press(harness, harness.page.inspector.train)
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        harness.engine.end(harness.engine.last("train").job, JobState.CANCELLED)
    harness.page.presenter.refresh()  # the page is come back to
    assert harness.page.presenter.draft.n_trees == 20_000


@pytest.mark.parametrize("ending", ["refused", JobState.CANCELLED, JobState.LOST])
def test_whatever_ends_a_training_leaves_the_trees_of_its_checkpoint(
    harness: ModelsHarness, ending
) -> None:
    posted: list[object] = []
    harness.session.project.message_posted.connect(posted.append)
    press(harness, harness.page.inspector.train)
    checkpoint = replace(
        harness.trained_with().settings, model_hash="c" * 64, trees=1275, trees_used=1196
    )
    harness.progress(replace(curves_at("gbm 1"), checkpoint=checkpoint))
    job = harness.engine.last("train").job
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        if ending == "refused":
            harness.engine.fail(
                job, PayoffError("The plugin's loss is not a number at tree 1,291.")
            )
        else:
            harness.engine.end(job, ending)
    trained = harness.session.project.document.trained_model("gbm 1")
    assert trained is not None
    assert trained.trees == 1275
    assert "Kept of gbm 1: the first 1,275 trees." in str(posted[-1])
    assert ("not a number at tree 1,291" in str(posted[-1])) is (ending == "refused")


def test_why_a_training_ended_is_not_said_of_the_next_one(harness: ModelsHarness) -> None:
    posted, ended = [], []
    harness.session.project.message_caused.connect(posted.append)
    harness.session.project.message_ended.connect(ended.append)
    press(harness, harness.page.inspector.train)
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        harness.engine.fail(harness.engine.last("train").job, PayoffError("The engine stopped."))
    (cause,) = [entry for entry in posted if entry]
    ended.clear()
    press(harness, harness.page.inspector.train)
    assert cause in ended


def test_the_list_shows_each_models_figure_and_its_kind(trained_bench: ModelsHarness) -> None:
    rows = {row.name: row for row in trained_bench.page.models.rows()}
    assert list(rows) == ["gbm 1", "gbm 2", "logit", "agency"]
    assert rows["gbm 1"].kind == "boosted trees, 940 trees of 4 splits"
    assert rows["logit"].kind == "scores from the file"
    assert rows["gbm 2"].is_best
    assert rows["gbm 2"].value.startswith("0.8")
    assert trained_bench.page.models.header.note.text() == "AUC, validation, 95\u00a0%"
    assert "gbm 1 was trained or stopped on" in trained_bench.page.models.note.text()


def test_a_trained_models_influence_is_asked_for_once(trained_bench: ModelsHarness) -> None:
    trained_bench.answer("explain.model", explained("gbm 1"))
    assert trained_bench.page.influence.bars.bars[0].key == "orders_12m"
    trained_bench.page.presenter.choose("logit")
    assert "came with the file" in trained_bench.page.chart._empty_text.text()
    trained_bench.page.presenter.choose("gbm 1")
    assert len(trained_bench.engine.of_kind("explain.model")) == 1


def test_the_settings_of_a_trained_model_make_a_new_one(trained_bench: ModelsHarness) -> None:
    inspector = trained_bench.page.inspector
    assert inspector.header.title.text() == "Settings of gbm 1"
    assert trained_bench.page.presenter.draft.shrinkage == TRAINED.shrinkage
    press(trained_bench, inspector.train)
    settings = trained_bench.trained_with().settings
    assert settings.name == "gbm 3"  # gbm 1 and gbm 2 are taken
    assert settings.class_shares == ()


def test_a_model_can_be_removed_and_brought_back(trained_bench: ModelsHarness) -> None:
    card = trained_bench.page.models
    menu = card.menu_of(card.rows()[0])
    assert [action.text() for action in menu.actions()] == [
        "Explain",
        "Export as ONNX…",
        "Rename…",
        "Remove",
    ]
    menu.actions()[3].trigger()
    assert trained_bench.session.project.document.model("gbm 1") is None
    trained_bench.session.project.undo()
    assert trained_bench.session.project.document.trained_model("gbm 1") == TRAINED
    menu.close()


def test_import_goes_to_data_and_explain_to_its_page(trained_bench: ModelsHarness) -> None:
    pages = []
    trained_bench.session.page_requested.connect(pages.append)
    trained_bench.page.import_scores.trigger()
    trained_bench.page.models.explain_wanted.emit("gbm 1")
    assert pages == ["data", "explain"]


def test_another_outcome_asks_for_its_distributions(harness: ModelsHarness) -> None:
    requested = len(harness.engine.of_kind("models.distributions"))
    place = harness.page.target.findText("age")
    harness.page.target.setCurrentIndex(place)
    harness.page.target.activated.emit(place)
    assert harness.session.project.document.target.column == "age"
    assert len(harness.engine.of_kind("models.distributions")) == requested + 1
    number = replace(offered().distributions[0], id="gaussian", domain="real")
    harness.answer(
        "models.distributions", replace(offered(), target="age", distributions=(number,))
    )
    assert harness.page.presenter.draft.target == "age"
    assert harness.page.presenter.draft.distribution == "gaussian"


def test_a_matrix_that_comes_or_goes_asks_for_the_distributions_again(
    harness: ModelsHarness,
) -> None:
    """Losses in money follow it; its numbers are of no matter for what fits."""
    matrix = harness.session.project.document.matrix
    assert matrix is not None
    cell = EditCell(level=matrix.levels[0], decision=matrix.decisions[0], value=9.0)
    harness.session.project.execute(cell)  # from now on it is of no template
    harness.answer("models.distributions", offered())
    requested = len(harness.engine.of_kind("models.distributions"))
    harness.session.project.execute(replace(cell, value=8.0))
    assert len(harness.engine.of_kind("models.distributions")) == requested
    summary = harness.session.project.summary
    harness.session.project.take_document(replace(harness.session.project.document, matrix=None))
    harness.session.project.summary = summary
    harness.session.project.summary_changed.emit(summary)
    assert len(harness.engine.of_kind("models.distributions")) == requested + 1


def test_nothing_is_clipped_at_the_small_size_in_the_dark(
    trained_bench: ModelsHarness, qapp: QApplication
) -> None:
    apply_theme(qapp, "dark")
    page = trained_bench.page
    page.resize(1208, 622)
    qapp.processEvents()
    assert page.width() == 1208
    assert page.chart.is_useful_size()
    assert page.chart.height() > page.panels.height()
    corner = page.grab().toImage().pixelColor(2, 2).name()
    assert corner != "#ffffff"


def test_how_a_model_learned_stays_while_other_models_come(trained_bench: ModelsHarness) -> None:
    harness = trained_bench
    session = harness.session
    spec = next(m for m in session.project.document.models if m.trained is not None)
    kind = f"models/learning {spec.name}"
    session.report.put_all((kind, "models/list"))
    stamp = entry_stamp(kind, session.project.document)
    session.report.take((View(key=kind, title="How it learned", stamp=stamp),))
    assert not session.report.is_stale(kind)
    other = replace(spec.trained, name="other", model_hash="other")
    session.project.execute(AddTrainedModel(model=other))
    assert session.report.is_stale("models/list")
    assert not session.report.is_stale(kind)
    session.project.execute(RemoveModel(model=spec.name))
    assert session.report.is_stale(kind)


def test_a_model_of_data_that_are_open_no_more_is_not_taken(harness: ModelsHarness) -> None:
    press(harness, harness.page.inspector.train)
    requested = harness.trained_with()
    job = harness.engine.last("train").job
    document = harness.session.project.document
    other = replace(document, data=replace(document.data, path="/b.csv", content_hash="b"))
    harness.session.project.mend_document(other)
    assert job in harness.engine.cancelled
    messages = []
    harness.session.project.message_posted.connect(messages.append)
    done = replace(requested.settings, model_hash="c" * 64, trees=40, trees_used=40)
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        harness.engine.answer(job, TrainResult(model=done, curves=curves_at("gbm 1"), warnings=()))
    assert harness.session.project.document.trained_model(requested.settings.name) is None
    assert "was not kept" in str(messages[0])


@pytest.mark.parametrize("taken", ["logit", "gbm 9"])
def test_a_training_whose_name_was_given_away_meanwhile_is_kept_under_another(
    trained_bench: ModelsHarness, taken: str
) -> None:
    """By a model of the file, or by one that was trained: neither is lost, nor is the new one."""
    harness, messages = trained_bench, []
    harness.session.project.message_posted.connect(messages.append)
    press(harness, harness.page.inspector.train)
    name = harness.trained_with().settings.name
    if taken != "logit":
        harness.session.project.execute(RenameModel(model="gbm 1", name=taken))
    harness.session.project.execute(RenameModel(model=taken, name=name))
    before = harness.session.project.document.model(name)
    finish(harness, name)
    assert harness.session.project.document.model(name) == before
    added = harness.session.project.document.models[-1]
    assert added.trained is not None
    assert added.trained.model_hash == "b" * 64
    assert harness.session.trainings.curves_of(added.name) is not None
    assert added.name in str(messages[-1])


def test_more_trees_take_the_place_of_the_model_they_belong_to(
    trained_bench: ModelsHarness,
) -> None:
    trained_bench.page.presenter.train_on(50)
    finish(trained_bench)
    trained = [m for m in trained_bench.session.project.document.models if m.trained is not None]
    assert [(m.name, m.trained.model_hash) for m in trained] == [("gbm 1", "b" * 64)]


def test_whom_rows_flatter_is_said_by_the_rows_and_not_by_what_they_are_called(
    trained_bench: ModelsHarness,
) -> None:
    """After another draw of the rows, those called test may have trained a model."""
    harness, note = trained_bench, trained_bench.page.models.note
    assert "gbm 1 was trained or stopped on" in note.text()
    seen = (SeenRows(model="gbm 1", how="trained", rows=5),)
    space = harness.session
    for found, described in ((seen, True), ((), False)):
        space.results._set_evaluation(
            replace(make_evaluation(), seen=found), comparison_key(space.project.document)
        )
        assert ("gbm 1 was trained or stopped on" in note.text()) is described
