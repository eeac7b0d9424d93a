"""The metric table without a window: its columns, and its row without a model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.presentation.compare.metrics import metric_columns, metric_entry, profit_column
from core.presentation.labels import Labels
from tests.helpers.answers.synthetic import make_decisions, make_document, make_evaluation

LABELS = Labels.of(make_document(), make_decisions())


@pytest.mark.parametrize(
    ("on_all", "nothing", "is_loss", "text", "said"),
    [
        (-500.0, 0.0, False, "0", "doing nothing"),
        (1_234.0, 0.0, False, "1,234", "mailing all"),
        (-500.0, -900.0, True, "500", "mailing all"),
    ],
)
def test_without_a_model_there_is_the_best_one_decision_for_all(
    on_all, nothing, is_loss, text, said
):
    decisions = replace(make_decisions(), act_on_all=on_all, do_nothing=nothing)
    column = profit_column(decisions, replace(LABELS, is_loss=is_loss), 0.2, None)
    assert column.no_model.text == text
    assert column.no_model.words.endswith(f"The best one decision for all: {said}.")


def test_the_row_without_a_model_stands_last_with_what_has_a_value():
    evaluation = make_evaluation()
    known = tuple(cell for cell in evaluation.no_model if cell.metric != "ks")
    evaluation = replace(evaluation, no_model=known)
    columns = metric_columns(evaluation, LABELS)
    assert [column.no_model is None for column in columns] == [False, True, False, False, False]
    view = metric_entry(evaluation, LABELS, 1, None, None, 0.2)
    assert view.tables[0].rows[-1] == ("No model", "0.500", "", "1.0", "0.1985", "0.0475")
    plain = metric_entry(replace(evaluation, no_model=()), LABELS, 1, None, None, 0.2)
    assert len(plain.tables[0].rows) == len(view.tables[0].rows) - 1


def test_bars_are_scaled_by_the_models_alone():
    evaluation = make_evaluation()
    with_row, without = (
        metric_columns(entry, LABELS) for entry in (evaluation, replace(evaluation, no_model=()))
    )
    assert [c.cells for c in with_row] == [c.cells for c in without]
