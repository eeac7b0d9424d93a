"""Train fifty trees on the sample in the real window, decide with them, save and open again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.document.data_model import RowUse
from tests.e2e.conftest import Program

pytestmark = pytest.mark.timeout(480)  # the first training of a machine compiles
INPUTS = ("region", "age", "orders_12m", "last_order_days", "basket_mean", "newsletter")


def click(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_model_is_trained_watched_compared_decided_with_and_kept(
    program: Program, sample, tmp_path
) -> None:
    window, workspace = program.window, program.workspace
    assert workspace.open_project(str(sample))
    program.wait(lambda: workspace.summary is not None)
    window.show_page("models")
    page = window.pages["models"]
    program.wait(lambda: page.presenter.offered is not None)
    # The sample has no rows to train on: folds of the validation rows are suggested.
    draft = page.presenter.draft
    assert (draft.train_rows, draft.cv_folds) == ((RowUse.VALIDATION,), 5)
    assert draft.distribution == "bernoulli"
    page.presenter.take_draft(replace(draft, features=INPUTS, n_trees=50, cv_folds=2))
    program.wait(page.inspector.train.isEnabled)
    seen = []
    workspace.trainings.curves_changed.connect(
        lambda _name: seen.append(page.chart.learning.done if page.chart.learning else 0)
    )
    click(page.inspector.train)
    assert workspace.trainings.find("gbm 1") is not None
    program.wait(lambda: workspace.document.trained_model("gbm 1") is not None, 300)
    assert seen, "no curve was shown while it trained"
    program.settle()
    assert page.chart.learning.done == 50
    assert page.influence.bars.bars[0].share > 0.2
    trained = workspace.document.trained_model("gbm 1")
    assert trained.trees == 50
    assert {cell.model for cell in workspace.evaluation.cells} >= {"gbm 1", "logit"}
    assert "gbm 1" in {entry.model for entry in workspace.decisions.models}
    _explain(program)
    _keep(program, str(tmp_path / "kept.payoff"))


def _explain(program: Program) -> None:
    program.window.show_page("explain")
    page = program.window.pages["explain"]
    program.wait(lambda: page.chart.curve is not None and page.map.pair is not None)
    assert page.chart.curve.column == page.bars.bars[0].key
    page.choose("region")
    program.wait(lambda: page.chart.curve is not None and page.chart.curve.column == "region")
    assert page.chart.curve.levels
    program.settle()


def _keep(program: Program, path: str) -> None:
    workspace = program.workspace
    before = [cell for cell in workspace.evaluation.cells if cell.model == "gbm 1"]
    assert workspace.save_project(path)
    assert workspace.open_project(path)
    program.wait(lambda: workspace.evaluation is not None)
    program.settle()
    after = [cell for cell in workspace.evaluation.cells if cell.model == "gbm 1"]
    assert [c.estimate.value for c in after] == [c.estimate.value for c in before]
