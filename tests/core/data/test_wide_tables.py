"""Tables of very many columns: the work grows with the cells, not with their square."""

from __future__ import annotations

import pytest

from core import data
from core.data.text import header
from core.data.text.records import Record
from tests.core.data.helpers import write


@pytest.mark.parametrize("columns", [300, 600])
def test_no_record_is_cut_anew_for_every_column(tmp_path, monkeypatch, columns):
    cut = 0
    fields = Record.fields.fget

    def counted(record: Record) -> list[bytes]:
        nonlocal cut
        cut += 1
        return fields(record)

    monkeypatch.setattr(Record, "fields", property(counted))
    names = ",".join(f"c{place}" for place in range(columns))
    rows = "".join(
        ",".join(str(row * place) for place in range(columns)) + "\n" for row in range(9)
    )
    seen = data.preview(write(tmp_path, f"{names}\n{rows}"))
    assert len(seen.columns) == columns
    assert cut < 600  # of 10 lines, whatever their width


def test_numbers_are_judged_once_each(tmp_path, monkeypatch):
    judged = 0
    judge = header.looks_numeric

    def counted(cell: str) -> bool:
        nonlocal judged
        judged += 1
        return judge(cell)

    monkeypatch.setattr(header, "looks_numeric", counted)
    text = "a,b,c\n" + "1,2,3\n\n" * 200  # every line stands apart
    data.preview(write(tmp_path, text))
    assert judged <= 3 * 200 + 50
