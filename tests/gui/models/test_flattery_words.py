"""What the foot of the list of models says of figures that flatter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.model import RowUse
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
