"""What is said of the rows that a figure comes from."""

from __future__ import annotations

from core.document.data.model import RowUse
from core.document.data.row_defaults import default_rows
from core.document.model import Document, ModelSpec, SplitSpec
from core.document.results import RowsNote


def test_rows_left_out_later_change_the_words_too():
    note = RowsNote(use="all", text="All rows, 6,000 of 6,000", rows=6_000, dropped=(("of 0", 1),))
    left = note.leaving_out((("in another arm", 1_962), ("of weight 0", 3)))
    assert left.rows == 4_035
    assert left.text == "All rows, 4,035 of 6,000 (1,962 in another arm, 3 of weight 0 left out)"
    assert left.dropped == (("of 0", 1), ("in another arm", 1_962), ("of weight 0", 3))
    assert note.leaving_out(()) is note


def test_no_rows_of_a_draw_are_kept_from_a_model_that_is_not_there():
    document = Document(name="experiment")
    assert default_rows(document) is RowUse.ALL
    model = ModelSpec(name="gbm", series=0)
    assert default_rows(Document(name="scored", models=(model,))) is RowUse.TEST
    told = SplitSpec(column="use", meaning=(("a", RowUse.TRAIN), ("b", RowUse.TEST)))
    assert default_rows(Document(name="told", split=told)) is RowUse.TEST
