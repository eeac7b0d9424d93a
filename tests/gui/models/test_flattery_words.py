"""What the foot of the list of models says of figures that flatter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.model import ModelSpec, RowUse, TrainedModel
from core.document.results import SeenRows
from gui.pages.models.words import flattery_note
from tests.helpers.harness import make_document


@pytest.mark.parametrize(
    ("use", "remedy"),
    [
        (RowUse.VALIDATION, "use test rows for the final word."),
        (RowUse.TEST, "rows that it has not seen have the final word."),
    ],
)
def test_whom_test_rows_flatter_is_not_sent_to_test_rows(use, remedy):
    """As when trees are chosen by hand along the curve of the test rows."""
    document = replace(make_document(), rows_used=use)
    seen = (SeenRows(model="gbm 2", how="stopped", rows=600),)
    note = flattery_note(document, 1, seen)
    assert note.endswith(f"which flatters it; {remedy}")


def test_a_model_of_an_effect_does_not_predict_the_outcome():
    document = make_document()
    column = document.target.column
    trees = TrainedModel(
        name="uplift gbm",
        distribution="uplift",
        target=column,
        features=("age",),
        effect_of=("arm", "mail", "none"),
    )
    effect = ModelSpec(name="uplift gbm", trained=trees)
    assert flattery_note(replace(document, models=(effect,)), 1, ()) == ""
    both = replace(document, models=(document.models[0], effect))
    assert flattery_note(both, 2, ()).startswith(f"Models of the outcome predict {column} on")
