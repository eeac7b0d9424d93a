"""Bounds on page Compare: the real engine answers, conditions and refusals are printed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from shiboken6 import isValid

from core.data.samples import sample_document, write_sample
from core.document.experiments.results import Side
from core.engine.local import LocalEngine
from core.questions.compare import ErrorBounds
from core.questions.suggestions import BOUNDS
from gui.pages.compare.dialogs.studies import BoundsDialog


@pytest.fixture(scope="module")
def real():
    return LocalEngine()


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    return sample_document(write_sample(str(tmp_path_factory.mktemp("bounds"))))


@pytest.fixture
def dialog(session, engine, qtbot, real, document):
    session.project.take_document(document)
    made = BoundsDialog(session)
    made.show()
    yield made
    if isValid(made):
        made.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def answer(dialog, engine, real, qtbot):
    asked = engine.last("compare.bounds")
    assert isinstance(asked.arguments.question, ErrorBounds)
    with qtbot.waitSignal(dialog.session.jobs.job_ended, timeout=30_000):
        engine.answer(asked.job, real.run("compare.bounds", asked.arguments))
    return dialog.panel.tables[0].figures.content.texts()


def choose(combo, words):
    combo.setCurrentIndex(combo.findText(words))
    combo.activated.emit(combo.currentIndex())


def test_bounds_of_every_model_with_their_conditions(dialog, engine, real, qtbot, document):
    rows = answer(dialog, engine, real, qtbot)
    assert {row[0] for row in rows} == {model.name for model in document.models}
    assert any(row[1].startswith("Hoeffding") and "valid" in row[7] for row in rows)
    assert all(float(row[4]) > float(row[3]) for row in rows)
    said = dialog.panel.notes.text()
    assert "✓" in said
    assert "taken for granted" in said
    choose(dialog.form.editor("side"), "upper and lower")
    choose(dialog.form.editor("methods"), "all ten")
    choose(dialog.form.editor("loss"), "wrong class (0 or 1)")
    assert engine.last("compare.bounds").arguments.question.side is Side.TWO
    rows = answer(dialog, engine, real, qtbot)
    assert len(rows) == len(BOUNDS) * len(document.models)
    assert {row[7].split(",")[0] for row in rows} == {"valid", "approximate"}


def test_the_cases_needed_for_a_margin(dialog, engine, real, qtbot):
    rows = answer(dialog, engine, real, qtbot)
    assert {row[6] for row in rows} == {"—"}
    dialog.form.editor("margin").setText("0.01")
    dialog.form.editor("margin").editingFinished.emit()
    assert engine.last("compare.bounds").arguments.question.margin == 0.01
    rows = answer(dialog, engine, real, qtbot)
    (needed, *_) = [row[6] for row in rows if row[1].startswith("Hoeffding")]
    assert needed == "20,472"  # three models are compared: ln(3 / 0.05) / (2 * 0.01^2)


def test_repeated_ids_are_refused_with_the_reason(dialog, engine, real, qtbot, document):
    roles = tuple(
        entry if entry.column != "region" else type(entry)(column="region", role=entry.role.ID)
        for entry in document.roles
        if entry.column != "customer_id"
    )
    dialog.session.project.take_document(document.with_roles(roles))
    dialog.refresh()
    rows = answer(dialog, engine, real, qtbot)
    assert [row[1] for row in rows] == [""] * 3, rows
    assert all("several losses belong to one case" in row[7] for row in rows), rows
