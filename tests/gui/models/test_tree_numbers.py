"""Page Models: the number of trees dragged on the curves, chosen by a rule, or typed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from core.document.model import TreeRule
from core.document.studies.models import LearnedResult, TreeChoice
from tests.gui.models.steps import press
from tests.helpers.answers.models import TRAINED, curves_at
from tests.helpers.harness import ModelsHarness

TREES = TRAINED.trees


def learned(**changes) -> LearnedResult:
    """What the engine says of the trained model: most profit at tree 700."""
    curves = replace(curves_at("gbm 1", TREES, TREES), best_trees=0)
    known = {
        "model": "gbm 1",
        "curves": curves,
        "choices": (
            TreeChoice(rule=TreeRule.VALIDATION, trees=940),
            TreeChoice(rule=TreeRule.FOLDS, trees=0, why_not="The model was not cross-validated."),
            TreeChoice(rule=TreeRule.TEST, trees=700),
        ),
        "points": curves.trees,
        "loss": curves.valid + 0.001,
        "profit": 9_000.0 - np.abs(curves.trees - 700.0),
        "rows_text": "20,000 test rows",
    }
    return LearnedResult(**(known | changes))


@pytest.fixture
def learned_bench(trained_bench: ModelsHarness) -> ModelsHarness:
    trained_bench.answer("models.learning", learned())
    return trained_bench


def used(harness: ModelsHarness) -> tuple[int, TreeRule | None]:
    trained = harness.session.project.document.trained_model("gbm 1")
    assert trained is not None
    return trained.trees_used, trained.tree_rule


def asked(harness: ModelsHarness) -> int:
    return len(harness.engine.of_kind("models.learning"))


def drag(harness: ModelsHarness, tree: int) -> None:
    """Drag the cursor of the chart over a tree."""
    chart = harness.page.chart
    chart.view.pointed.emit(float(tree), 0.3)


def test_a_project_opened_again_has_its_curves(learned_bench: ModelsHarness) -> None:
    chart = learned_bench.page.chart
    spec = chart.make_spec()
    assert spec is not None
    assert [line.name for line in spec.series] == ["validation", "out of bag", "test", "training"]
    assert spec.subtitle == "1,240 trees, the first 940 are used"


def test_dragging_reads_the_profit_and_letting_go_chooses(learned_bench: ModelsHarness) -> None:
    harness, bar = learned_bench, learned_bench.page.views.bar
    assert bar.words.text().startswith("€\u00a08,760 on 20,000 test rows with 940 trees.")
    drag(harness, 700)
    state = harness.page.chart.make_state(harness.page.chart.cursor_depth)
    assert ("profit, 20,000 test rows", "€\u00a09,000") in [
        (li.name, li.value) for li in state.lines
    ]
    assert "more than with the 940 in use" in bar.words.text()
    assert used(harness) == (940, None)  # it is dragged still
    harness.page.chart.view.released.emit()
    assert used(harness) == (700, TreeRule.HAND)
    assert asked(harness) == 1  # nothing is worked out anew
    assert harness.session.project.history.undo_label == "Change number of trees"
    spec = harness.page.chart.make_spec()
    assert "by hand: tree 700" in [line.name for line in spec.baselines]
    assert "best" not in spec.subtitle
    harness.session.project.undo()
    assert used(harness) == (940, None)


def test_a_press_on_the_box_drags_where_it_names_no_line(
    learned_bench: ModelsHarness, qtbot
) -> None:
    chart = learned_bench.page.chart
    named = [hit.name for hit in chart.view.geometry_of_cursor.hits]
    assert named == ["validation", "out of bag", "test", "training"]  # those that are drawn
    box = chart.view.geometry_of_cursor.box
    at = QPoint(round(box.center().x()), round(box.bottom()) - 6)  # "best", which is no line
    with qtbot.waitSignal(chart.view.released):
        qtbot.mouseClick(chart.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chart.hidden == set()
    assert used(learned_bench)[1] is TreeRule.HAND


def test_a_number_is_typed_or_chosen_by_a_rule(learned_bench: ModelsHarness) -> None:
    harness, bar = learned_bench, learned_bench.page.views.bar
    bar.trees.choose(333)
    assert used(harness) == (333, TreeRule.HAND)
    assert bar.rule.text() == "by hand"
    rules = {action.text(): action for action in bar.menu.actions()}
    assert not rules["Folds: none"].isEnabled()
    assert rules["Folds: none"].toolTip() == "The model was not cross-validated."
    rules["Test rows: 700"].trigger()
    assert used(harness) == (700, TreeRule.TEST)
    {action.text(): action for action in bar.menu.actions()}["As trained: 940"].trigger()
    assert used(harness) == (940, None)


def test_a_loss_that_still_falls_offers_to_train_on(trained_bench: ModelsHarness) -> None:
    harness, bar = trained_bench, trained_bench.page.views.bar
    falling = np.linspace(1.0, 0.2, TREES)
    harness.answer("models.learning", learned(curves=replace(learned().curves, valid=falling)))
    assert "The validation loss still falls at the last tree." in bar.words.text()
    press(harness, bar.more)
    assert harness.trained_with().settings.n_trees == TREES + TREES // 3
    assert not bar.isVisible()


def test_training_on_leaves_a_number_by_hand_behind(learned_bench: ModelsHarness) -> None:
    harness = learned_bench
    harness.page.presenter.choose_trees(12)
    harness.page.presenter.train_on(10)
    assert harness.trained_with().settings.trees_used == 940
    assert harness.trained_with().settings.tree_rule is None


def test_a_model_without_profit_says_why(trained_bench: ModelsHarness) -> None:
    nothing = np.full(TREES, np.nan)
    trained_bench.answer(
        "models.learning", learned(profit=nothing, no_profit="No decision matrix is set.")
    )
    described = trained_bench.page.views.bar.words.text()
    assert described.startswith("There is no profit to show: No decision matrix is set.")


def test_curves_that_cannot_be_read_say_so(trained_bench: ModelsHarness) -> None:
    job = trained_bench.engine.last("models.learning").job
    with trained_bench.qtbot.waitSignal(trained_bench.session.jobs.job_ended, timeout=2000):
        trained_bench.engine.fail(job, ValueError("The file is gone."))
    assert "The file is gone." in trained_bench.page.chart._empty_text.text()
    assert not trained_bench.page.views.bar.isVisible()
