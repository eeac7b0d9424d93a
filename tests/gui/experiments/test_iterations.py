"""The two studies of boosting in the window: asked for, growing, stopped, shown."""

from dataclasses import replace

import numpy as np
import pytest

from core.document.studies.iterations import (
    CHOOSING,
    MADE_UP_SETS,
    SHRINKAGE,
    IterationResult,
    RuleOutcome,
    ShrinkageCurve,
)
from gui.pages.experiments import ExperimentsPage
from gui.pages.experiments.iteration_dialog import rule_rows, shrinkage_rows

TREES = np.arange(1.0, 201.0)


def curve(data="Friedman 1", shrinkage=0.1, draws=3):
    deviance = 2.0 + 6.0 * np.exp(-TREES * shrinkage) + 0.3 * shrinkage * TREES / 50
    half = 0.1 + 0.3 * np.exp(-TREES * shrinkage)
    return ShrinkageCurve(
        data=data,
        shrinkage=shrinkage,
        draws=draws,
        deviance=deviance,
        low=deviance - half,
        high=deviance + half,
        best=float(np.argmin(deviance) + 1),
        best_low=20,
        best_high=200,
        least=float(deviance.min()),
        least_low=float(deviance.min()) - 0.1,
        least_high=float(deviance.min()) + 0.1,
    )


def lines(done=2):
    rates = (0.3, 0.1, 0.03, 0.01, 0.003)
    curves = tuple(curve(data, rate) for data in ("Friedman 1", "counts") for rate in rates)
    return IterationResult(study=SHRINKAGE, done=done, wanted=6, curves=curves)


def rule(method, median):
    share = np.clip(median + np.linspace(-0.1, 0.05, 8), 0.0, 1.0)
    return RuleOutcome(
        method=method,
        data=MADE_UP_SETS,
        share=share,
        share_low=share - 0.02,
        share_high=np.minimum(1.0, share + 0.02),
        quarter=median - 0.04,
        median=median,
        three_quarters=median + 0.02,
        low=median - 0.06,
        high=min(1.0, median + 0.03),
        trees=208.4,
    )


def rules(done=6):
    found = (
        rule("test, 33 %", 0.97),
        rule("test, 20 %", 0.975),
        rule("out of bag", 0.93),
        rule("5 folds", 0.99),
    )
    return IterationResult(study=CHOOSING, done=done, wanted=6, rules=found)


@pytest.fixture
def open_study(workspace, engine, qtbot):
    page = ExperimentsPage(workspace)
    qtbot.addWidget(page)

    def make(study):
        dialog = page.open_study(study)
        qtbot.addWidget(dialog)
        return dialog

    return make


def end(workspace, engine, qtbot, job, result):
    with qtbot.waitSignal(workspace.jobs.job_ended, timeout=2000):
        engine.answer(job, result)


def test_the_page_offers_both_studies(workspace, qtbot):
    page = ExperimentsPage(workspace)
    qtbot.addWidget(page)
    words = [action.text() for action in page.studies.menu().actions()]
    assert words == [
        "Shrinkage against iterations…",
        "Which rule finds the number of iterations?…",
    ]


def test_shrinkage_runs_grows_and_ends(open_study, workspace, engine, qtbot):
    dialog = open_study(SHRINKAGE)
    dialog.form.editor("rows").choose(300.0)
    dialog.run()
    job = engine.last("experiments.iterations")
    assert (job.arguments.question.study, job.arguments.question.rows) == (SHRINKAGE, 300)
    assert job.arguments.question.sets == MADE_UP_SETS
    assert dialog.stop_button.isVisible()
    with qtbot.waitSignal(workspace.jobs.job_changed, timeout=2000):
        engine.progress(job.job, 0.3, "3 of 6 draws of data", lines(2))
    qtbot.waitUntil(lambda: dialog.bar.value() == 2, timeout=2000)
    assert dialog.state.text().startswith("2 of 6")
    spec = dialog.lines.view.spec
    assert [entry.name for entry in spec.series][:2] == ["shrinkage 0.3", "shrinkage 0.1"]
    assert spec.series[0].low is not None
    end(workspace, engine, qtbot, job.job, lines(6))
    assert not dialog.stop_button.isVisible()
    assert dialog.run_button.isEnabled()
    dialog.shown.setCurrentIndex(1)
    dialog.shown.activated.emit(1)
    assert dialog.lines.view.spec.title == "counts"
    assert dialog.table_model.rowCount() == 10


def test_stop_keeps_what_is_done(open_study, workspace, engine, qtbot):
    dialog = open_study(CHOOSING)
    dialog.run()
    job = engine.last("experiments.iterations").job
    dialog.stop()
    assert job in engine.cancelled
    end(workspace, engine, qtbot, job, rules(3))
    assert dialog.state.text().startswith("3 of 6")
    assert dialog.rules.view.spec.x_axis.words[3] == "5 folds"
    state = dialog.rules.make_state(1.0)
    assert state.head == "5 folds"
    assert "99.0" in state.lines[0].value


def test_rows_say_the_limits_and_what_is_not_yet_reached():
    late = replace(curve(shrinkage=0.003), best=200.0)
    head, rows = shrinkage_rows((curve(), late, curve(draws=1)))
    assert len(head) == len(rows[0]) == 6
    assert rows[1][2] == "not yet at 200"
    assert rows[2][5] == "–"
    _, table = rule_rows(rules().rules)
    assert [row[0] for row in table] == ["test, 33 %", "test, 20 %", "out of bag", "5 folds"]
    assert table[0][4] == "208"
