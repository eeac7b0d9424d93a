"""Survival over time: what is asked for, what is shown, and that chances can be saved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from core.document.model import ModelSpec, TrainedModel
from core.document.results import RowsNote
from core.document.studies.survival import HorizonFileResult, SurvivalGroup, SurvivalResult
from gui.pages.compare.survival_dialog import SurvivalDialog
from tests.gui.compare.standin import make_workspace
from tests.gui.synthetic import make_document


def made_result(with_case=True) -> SurvivalResult:
    times = np.linspace(0.0, 400.0, 201)
    groups = tuple(
        SurvivalGroup(
            name=name,
            cases=120 + place,
            predicted=np.exp(-times * rate),
            observed=np.exp(-times * rate * 1.1),
            low=np.exp(-times * rate * 1.3),
            high=np.exp(-times * rate * 0.9),
            at_horizon=(0.8 - 0.2 * place, 0.78 - 0.2 * place),
        )
        for place, (name, rate) in enumerate(
            zip(("lowest third", "middle third", "highest third"), (5e-4, 2e-3, 5e-3), strict=True)
        )
    )
    return SurvivalResult(
        model="hazards",
        rows=RowsNote(use="test", text="test rows, 360 of 1,200", rows=360),
        times=times,
        horizon=200.0,
        groups=groups,
        case=np.exp(-times * 3e-3) if with_case else np.empty(0),
        case_chance=0.45 if with_case else float("nan"),
        brier=0.16,
        brier_constant=0.24,
        auc=0.78,
    )


def made_document():
    trained = TrainedModel(
        name="hazards", distribution="coxph", target="days", features=("age",), event="died"
    )
    document = make_document()
    return replace(document, models=(*document.models, ModelSpec(name="hazards", trained=trained)))


@pytest.fixture
def dialog(qtbot, jobs):
    workspace = make_workspace(document=made_document(), jobs=jobs)
    workspace.jobs.start()
    made = SurvivalDialog(workspace)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def answer(engine, kind, result):
    engine.answer(engine.last(kind).job, result)
    QCoreApplication.processEvents()


def test_curves_figures_and_another_time(dialog, engine):
    asked = engine.last("compare.survival").arguments.question
    assert (asked.model, asked.row, asked.horizon, asked.column) == ("hazards", 0, None, None)
    answer(engine, "compare.survival", made_result())
    assert "45" in dialog.message.text()
    assert "0.160" in dialog.notes.text()
    assert dialog.table_model.rowCount() == 3
    assert dialog.horizon.value() == 200.0
    spec = dialog.chart.make_spec()
    assert [entry.name for entry in spec.series][-1] == "this case"
    assert len(spec.series) == 7
    assert "at 200" in dialog.chart.make_state(0.5).head
    dialog.row.value_committed.emit(1.0)
    assert len(engine.of_kind("compare.survival")) == 2
    answer(engine, "compare.survival", made_result(with_case=False))
    assert len(dialog.chart.make_spec().series) == 6


def test_chances_are_saved_at_the_time_shown(dialog, engine):
    assert not dialog.save.isEnabled()
    answer(engine, "compare.survival", made_result())
    dialog.save_to("/tmp/by_200.csv")
    asked = engine.last("horizon_file").arguments
    assert (asked.model, asked.horizon) == ("hazards", 200.0)
    answer(
        engine,
        "horizon_file",
        HorizonFileResult(
            path="/tmp/by_200.csv",
            chance="chance_by_200",
            outcome="event_by_200",
            weight="weight_by_200",
            rows=1200,
            unknown=310,
        ),
    )
    for words in ("event_by_200", "chance_by_200", "310"):
        assert words in dialog.message.text()


def test_without_such_a_model_one_sentence(qtbot, jobs, engine):
    workspace = make_workspace(document=make_document(), jobs=jobs)
    workspace.jobs.start()
    made = SurvivalDialog(workspace)
    qtbot.addWidget(made)
    made.show()
    assert "page Models" in made.message.text()
    assert not made.chart.isVisible()  # no empty frames below the sentence
    assert not made.table.isVisible()
    assert not made.groups.isEnabled()
    assert engine.of_kind("compare.survival") == []
