"""Survival over time: what is asked for, what is shown, and that chances can be saved."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QFileDialog

from core.document.studies.compare import HorizonFileResult
from gui.pages.compare.dialogs.studies import SurvivalDialog
from tests.gui.compare.survival import made_document
from tests.helpers.answers.compare import survival_result
from tests.helpers.answers.synthetic import make_document
from tests.helpers.harness import make_session


@pytest.fixture
def dialog(qtbot, jobs):
    session = make_session(document=made_document(), jobs=jobs)
    session.jobs.start()
    made = SurvivalDialog(session)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def answer(engine, kind, result):
    engine.answer(engine.last(kind).job, result)
    QCoreApplication.processEvents()


def test_curves_figures_and_another_time(dialog, engine):
    requested = engine.last("compare.survival").arguments.question
    assert (requested.model, requested.row, requested.horizon, requested.column) == (
        "hazards",
        0,
        None,
        None,
    )
    answer(engine, "compare.survival", survival_result())
    assert "45" in dialog.panel.sentences[0].text()
    assert dialog.form.editor("horizon").value() == 200.0  # which the answer took
    assert "at 200" in dialog.panel.charts[0].make_state(0.5).head
    dialog.form.editor("row").choose(2.0)
    requested = engine.last("compare.survival").arguments.question
    assert (requested.row, requested.horizon) == (1, None)
    answer(engine, "compare.survival", survival_result())
    dialog.form.editor("horizon").choose(30.0)
    assert engine.last("compare.survival").arguments.question.horizon == 30.0


def test_chances_are_saved_at_the_time_shown(dialog, engine, monkeypatch):
    opened = []

    def note(box):
        opened.append(box)

    monkeypatch.setattr(QFileDialog, "open", note)
    assert not dialog.save.isEnabled()
    answer(engine, "compare.survival", survival_result())
    dialog.save.click()
    assert opened[0].selectedFiles()[0].endswith("_by_time.csv")
    opened[0].fileSelected.emit("/tmp/by_200.csv")
    requested = engine.last("horizon_file").arguments
    assert (requested.model, requested.horizon) == ("hazards", 200.0)
    answer(
        engine,
        "horizon_file",
        HorizonFileResult(
            path="/tmp/by_200.csv",
            probability="chance_by_200",
            outcome="event_by_200",
            weight="weight_by_200",
            rows=1200,
            unknown=310,
        ),
    )
    for words in ("event_by_200", "chance_by_200", "310"):
        assert words in dialog.saved.text()


def test_without_such_a_model_one_sentence(qtbot, jobs, engine):
    session = make_session(document=make_document(), jobs=jobs)
    session.jobs.start()
    made = SurvivalDialog(session)
    qtbot.addWidget(made)
    made.show()
    assert "page Models" in made.panel.sentences[0].text()
    assert not made.panel.charts  # no empty frames below the sentence
    assert not made.form.editor("column").isEnabled()
    assert engine.of_kind("compare.survival") == []
