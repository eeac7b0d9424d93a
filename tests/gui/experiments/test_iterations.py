"""The two studies of boosting in the window: asked for, growing, stopped, shown."""

import pytest

from core.document.experiments.results import CHOOSING, MADE_UP_SETS, SHRINKAGE
from gui.pages.experiments.widget import ExperimentsPage
from tests.helpers.answers.experiments import lines, rules


@pytest.fixture
def open_study(session, engine, qtbot):
    page = ExperimentsPage(session)
    qtbot.addWidget(page)

    def make(study):
        dialog = page.open_study(study)
        qtbot.addWidget(dialog)
        return dialog

    return make


def end(session, engine, qtbot, job, result):
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(job, result)


def test_the_page_offers_both_studies(session, qtbot):
    page = ExperimentsPage(session)
    qtbot.addWidget(page)
    words = [action.text() for action in page.studies.menu().actions()]
    assert words == [
        "Shrinkage against iterations…",
        "Which rule finds the number of iterations?…",
    ]


def test_shrinkage_runs_grows_and_ends(open_study, session, engine, qtbot):
    dialog = open_study(SHRINKAGE)
    dialog.form.editor("rows").choose(300.0)
    dialog.run()
    job = engine.last("experiments.iterations")
    assert (job.arguments.question.study, job.arguments.question.rows) == (SHRINKAGE, 300)
    assert job.arguments.question.sets == MADE_UP_SETS
    assert dialog.stop_button.isVisible()
    with qtbot.waitSignal(session.jobs.job_changed, timeout=2000):
        engine.progress(job.job, 0.3, "3 of 6 draws of data", lines(2))
    qtbot.waitUntil(lambda: dialog.bar.value() == 2, timeout=2000)
    assert dialog.state.text().startswith("2 of 6")
    spec = dialog.chart.view.spec
    assert [entry.name for entry in spec.series][:2] == ["shrinkage 0.3", "shrinkage 0.1"]
    assert spec.series[0].low is not None
    end(session, engine, qtbot, job.job, lines(6))
    assert not dialog.stop_button.isVisible()
    assert dialog.run_button.isEnabled()
    dialog.shown.setCurrentIndex(1)
    dialog.shown.activated.emit(1)
    assert dialog.chart.view.spec.title == "counts"
    assert dialog.table.model().rowCount() == 10


def test_stop_keeps_what_is_done(open_study, session, engine, qtbot):
    dialog = open_study(CHOOSING)
    dialog.run()
    job = engine.last("experiments.iterations").job
    dialog.stop()
    assert job in engine.cancelled
    end(session, engine, qtbot, job, rules(3))
    assert dialog.state.text().startswith("3 of 6")
    assert dialog.chart.view.spec.x_axis.words[3] == "5 folds"
    dialog.chart.set_cursor(1.0)
    state = dialog.chart.view.state
    assert state.head == "5 folds"
    page = dialog.parent()
    (part,) = page.report_parts()
    assert part.key == "experiments/iterations choosing"
    assert part.answered() is dialog.view
    assert page.report_document() is session.project.document
    assert "99.0" in state.lines[0].value
