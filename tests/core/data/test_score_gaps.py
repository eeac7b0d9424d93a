"""Rows that one model has no score for: left out for all, counted by who lacks them, and said."""

from __future__ import annotations

from dataclasses import replace

from core import data
from core.document.data.model import RowUse
from core.document.model import Document
from tests.core.data.helpers import load_text

LINES = ["y,p_a,p_b,p_c"] + [
    f"{row % 2},0.{10 + row},0.{30 + row},0.5{row % 7}" for row in range(40)
]


def _document(text: str, tmp_path) -> tuple[data.LoadedTable, Document]:
    table = load_text(tmp_path, text)
    summary = table.summary
    document = Document(data=summary.data, target=summary.target, split=summary.split)
    return table, replace(document.with_roles(summary.roles), rows_used=RowUse.TEST)


def _without(places: dict[int, tuple[int, ...]]) -> str:
    lines = list(LINES)
    for row, columns in places.items():
        cells = lines[row].split(",")
        for column in columns:
            cells[column] = ""
        lines[row] = ",".join(cells)
    return "\n".join(lines) + "\n"


def test_a_lacking_score_names_its_model_and_each_row_is_counted_once(tmp_path):
    text = _without({3: (2,), 4: (2,), 9: (1, 2), 12: (3,)})
    table, document = _document(text, tmp_path)
    assert [model.name for model in document.models] == ["a", "b", "c"]
    rows, note = data.usable_rows(table, document, None, ("a", "b", "c"))
    assert len(rows) == 36
    assert note.dropped == (
        ("no score of b: left out for all models", 2),
        ("no score of a and b: left out for all models", 1),
        ("no score of c: left out for all models", 1),
    )
    assert note.lacking == (("a", 1), ("b", 3), ("c", 1))
    assert data.lacking_in_words(note) == (
        "Rows without a score are left out for every model, so that all are judged on the same 36: "
        "of a (1 row), b (3 rows) and c (1 row). A model whose columns are set to Ignored costs no "
        "rows."
    )
    _, note = data.usable_rows(table, document, None, ("b",))
    assert note.dropped == (("no score of b", 3),)


def test_nothing_is_said_where_no_score_is_lacking(tmp_path):
    table, document = _document(_without({}), tmp_path)
    _, note = data.usable_rows(table, document, None, ("a", "b", "c"))
    assert (note.dropped, note.lacking, data.lacking_in_words(note)) == ((), (), "")
