"""The smallest detectable difference on page Compare: the real engine answers."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from shiboken6 import isValid

from core.data.samples import sample_document, write_sample
from core.engine.local import LocalEngine
from core.questions.compare import DetectableDifference
from gui.pages.compare.dialogs.studies import PowerDialog
from tests.helpers.answers.synthetic import make_evaluation


@pytest.fixture(scope="module")
def real():
    return LocalEngine()


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    return sample_document(write_sample(str(tmp_path_factory.mktemp("power"))))


@pytest.fixture
def dialog(session, engine, qtbot, real, document):
    session.project.take_document(document)
    session.results.evaluation = make_evaluation()
    made = PowerDialog(session)
    made.show()
    yield made
    if isValid(made):
        made.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def answer(dialog, engine, real, qtbot):
    requested = engine.last("compare.power")
    assert isinstance(requested.arguments.question, DetectableDifference)
    with qtbot.waitSignal(dialog.session.jobs.job_ended, timeout=60_000):
        engine.answer(requested.job, real.run("compare.power", requested.arguments))
    return dialog.panel.tables[0].figures.content.texts()


def said(dialog):
    return [label.text() for label in dialog.panel.sentences]


def choose(combo, words):
    combo.setCurrentIndex(combo.findText(words))
    combo.activated.emit(combo.currentIndex())


def enter(field, text):
    field.setText(text)
    field.editingFinished.emit()


def test_every_pair_on_money_and_metrics_then_a_difference_to_plan_for(
    dialog, engine, real, qtbot, document
):
    choose(dialog.form.editor("metric"), "Total profit")
    rows = answer(dialog, engine, real, qtbot)
    pairs = len(document.models) * (len(document.models) - 1) // 2
    assert len(rows) == pairs
    assert rows[0][0] == "Total profit"
    assert rows[0][7] == "–"  # the power of an observed difference says nothing new
    assert "would usually go unnoticed" in said(dialog)[0]
    assert "“Usually” is 80" in said(dialog)[1]
    dialog.panel.tables[0].selectRow(1)
    assert rows[1][1].replace(" – ", " against ") in said(dialog)[0]
    enter(dialog.form.editor("difference"), "500")
    assert engine.last("compare.power").arguments.question.difference == 500.0
    rows = answer(dialog, engine, real, qtbot)
    assert all(row[6].endswith("500") and row[7].endswith("%") for row in rows)
    assert "500 would be found with a chance of" in said(dialog)[0]
    smallest = rows[0][5]
    enter(dialog.form.editor("power"), "95")
    assert engine.last("compare.power").arguments.question.power == 0.95
    assert answer(dialog, engine, real, qtbot)[0][5] != smallest


def test_enter_ends_the_number_and_leaves_the_dialog_open(dialog, engine, qtbot):
    dialog.form.editor("difference").setFocus()
    qtbot.keyClicks(dialog.form.editor("difference"), "500")
    qtbot.keyClick(dialog.form.editor("difference"), Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert engine.last("compare.power").arguments.question.difference == 500.0


def test_one_model_against_the_others_and_the_unit_of_the_figure(
    dialog, engine, real, qtbot, document
):
    name = document.models[1].name
    choose(dialog.form.editor("model"), name)
    choose(dialog.form.editor("metric"), "AUC")
    enter(dialog.form.editor("difference"), "0.01")
    assert dialog.form.editor("difference").accessibleName() == "To find"
    rows = answer(dialog, engine, real, qtbot)
    assert [row[1].split(" – ")[0] for row in rows] == [name] * (len(document.models) - 1)
    choose(dialog.form.editor("metric"), "Total profit")
    assert engine.last("compare.power").arguments.question.difference is None
    assert dialog.form.editor("difference").accessibleName() == f"To find, {document.currency}"
    assert dialog.form.editor("difference").placeholderText() == "as observed"
