"""Train in the real window, decide with the model, save and open again: chances and quantiles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.assembly.cases import cases_of
from core.document.data.model import RowUse
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.files.project import Headline, read_project, save_project
from core.engine.context import JobContext
from core.engine.local import LocalEngine
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document
from tests.helpers.program import Program

pytestmark = pytest.mark.timeout(480)  # the first training of a machine compiles
INPUTS = ("region", "age", "orders_12m", "last_order_days", "basket_mean", "newsletter")


def click(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_model_is_trained_watched_compared_decided_with_and_kept(
    program: Program, sample, tmp_path
) -> None:
    window, session = program.window, program.session
    assert session.files.open_project(str(sample))
    program.wait(lambda: session.project.summary is not None)
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
    session.trainings.curves_changed.connect(
        lambda _name: seen.append(page.chart.learning.done if page.chart.learning else 0)
    )
    click(page.inspector.train)
    assert session.trainings.find("gbm 1") is not None
    program.wait(lambda: session.project.document.trained_model("gbm 1") is not None, 300)
    assert seen, "no curve was shown while it trained"
    program.settle()
    assert page.chart.learning.done == 50
    assert page.influence.bars.bars[0].share > 0.2
    trained = session.project.document.trained_model("gbm 1")
    assert trained.trees == 50
    assert {cell.model for cell in session.results.evaluation.cells} >= {"gbm 1", "logit"}
    assert "gbm 1" in {entry.model for entry in session.results.decisions.models}
    _explain(program)
    _keep(program, str(tmp_path / "kept.payoff"))


def _explain(program: Program) -> None:
    program.window.show_page("explain")
    page = program.window.pages["explain"]
    program.wait(lambda: page.presenter.curve() is not None and page.pairs.view.spec is not None)
    assert page.presenter.curve().column == page.influence.bars.bars[0].key
    page.presenter.choose("region")
    program.wait(
        lambda: page.presenter.curve() is not None and page.presenter.curve().column == "region"
    )
    assert page.presenter.curve().levels
    program.settle()


def _keep(program: Program, path: str) -> None:
    session = program.session
    before = [cell for cell in session.results.evaluation.cells if cell.model == "gbm 1"]
    assert session.files.save_project(path)
    assert session.files.open_project(path)
    program.wait(lambda: session.results.evaluation is not None)
    program.settle()
    after = [cell for cell in session.results.evaluation.cells if cell.model == "gbm 1"]
    assert [c.estimate.value for c in after] == [c.estimate.value for c in before]


def _amounts(folder):
    """A project whose outcome is an amount, with two decisions by it."""
    path = write_csv(folder / "amounts.csv", raw_columns(800))
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("0", "2", "6"),
        decisions=("Few", "Many"),
        cells=((4.0, -8.0), (3.0, 2.0), (2.0, 7.0)),
        acting="Many",
        do_nothing="Few",
    )
    document = raw_document(load(LocalEngine(), path), "amount", matrix=matrix)
    return str(save_project(folder / "amounts.payoff", document, Headline()))


def _quantiles_elsewhere(path):
    """The predicted quantiles of a project file in an engine that has seen nothing before."""
    engine = LocalEngine()
    document = read_project(path, engine.workbench.model_store).document
    return cases_of(document, JobContext(engine.workbench)).spreads["gbm 1"]


def test_a_model_of_several_quantiles_is_kept_and_decides_as_before(
    program: Program, tmp_path
) -> None:
    session = program.session
    assert session.files.open_project(_amounts(tmp_path))
    program.wait(lambda: session.project.summary is not None)
    program.window.show_page("models")
    page = program.window.pages["models"]
    program.wait(lambda: page.presenter.offered is not None)
    page.presenter.take_draft(
        replace(
            page.presenter.draft,
            distribution="multi_quantile",
            distribution_params=(("quantiles", 5.0),),
            n_trees=60,
            shrinkage=0.1,
            cv_folds=0,
        )
    )
    program.wait(page.inspector.train.isEnabled)
    click(page.inspector.train)
    program.wait(lambda: session.project.document.trained_model("gbm 1") is not None, 300)
    program.settle()
    decided, judged = session.results.decisions, session.results.evaluation
    assert [entry.model for entry in decided.models] == ["gbm 1"]
    path = str(tmp_path / "kept.payoff")
    assert session.files.save_project(path)
    assert session.files.open_project(path)
    program.wait(
        lambda: session.results.decisions is not None and session.results.evaluation is not None
    )
    program.settle()
    assert session.project.document.trained_model("gbm 1").distribution == "multi_quantile"
    assert session.results.evaluation.cells == judged.cells
    again, before = session.results.decisions.models[0], decided.models[0]
    assert again.total == before.total
    np.testing.assert_array_equal(again.counts, before.counts)
    np.testing.assert_array_equal(again.expected, before.expected)
    assert (before.counts.sum(axis=0) > 0.0).all()  # both decisions are made
    spread = _quantiles_elsewhere(path)
    assert spread.values.shape[0] == 5
    assert (np.diff(spread.values, axis=0) >= 0.0).all()
