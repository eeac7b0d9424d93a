"""ARFF files: names with and without quotes, comments, missing cells, sparse rows."""

from __future__ import annotations

import pytest

from core import data
from core.document.model import Role
from payoff import PayoffError
from tests.core.data.helpers import says, write
from tests.helpers.factories.files import load, preview

HEAD = """% of a bank
@RELATION 'german credit'

@attribute checking_status {'<0', '0<=X<200', 'no checking'}
@attribute 'credit amount' numeric
@attribute "purpose" string
@attribute class {good,bad}

@data
"""


def _text(rows: int = 60) -> str:
    cells = [
        f"'no checking',{100 + k},'it\\'s, \"one\"',{('good', 'bad')[k % 3 == 0]}"
        for k in range(rows)
    ]
    return HEAD + "% rows\n" + "\n".join([*cells[:5], "", *cells[5:]]) + "\n"


@pytest.mark.parametrize("name", ["cases.arff", "cases.txt", "cases.data"])
def test_names_and_cells_are_those_of_the_file(tmp_path, name):
    path = write(tmp_path, _text(), name)
    table = load(path)
    assert table.columns == ("checking_status", "credit amount", "purpose", "class")
    assert (table.rows, table.data.reader.format) == (60, "arff")
    assert table.table.column("checking_status")[0].as_py() == "no checking"
    assert table.table.column("purpose")[0].as_py() == 'it\'s, "one"'
    assert data.column_as_float(table, "credit amount")[:2].tolist() == [100, 101]
    assert table.summary.target is not None
    assert (table.summary.target.column, table.summary.target.event) == ("class", "bad")
    assert all(finding.is_certain for finding in preview(path).findings)


def test_a_question_mark_is_a_missing_cell(tmp_path):
    text = _text().replace(",105,", ",?,")
    column = load(write(tmp_path, text, "a.arff")).table.column("credit amount")
    assert (column.null_count, column[5].as_py()) == (1, None)


def test_sparse_rows_leave_out_zeros_and_first_classes(tmp_path):
    rows = "{1 5, 3 bad}\n{}\n{0 'no checking', 2 'a, b'}\n".replace("'a, b'", "ab") * 10
    table = load(write(tmp_path, HEAD + rows, "sparse.arff"))
    assert table.table.column("credit amount").to_pylist()[:3] == [5, 0, 0]
    assert table.table.column("class").to_pylist()[:3] == ["bad", "good", "good"]
    assert table.table.column("checking_status").to_pylist()[:3] == ["<0", "<0", "no checking"]


def test_a_row_of_too_many_cells_is_refused_by_its_line(tmp_path):
    with pytest.raises(PayoffError) as caught:
        load(write(tmp_path, _text() + "'<0',1,a,good,5\n", "a.arff"))
    says(caught.value, "too many", "line 72")


def test_a_file_that_was_cut_off_before_its_rows_is_refused(tmp_path):
    with pytest.raises(PayoffError, match="no @data"):
        load(write(tmp_path, HEAD.replace("@data", ""), "a.arff"))


def test_chances_beside_the_class_are_found(tmp_path):
    text = "@relation x\n@attribute y {0,1}\n@attribute 'P(1)' real\n@data\n"
    rows = "".join(f"{int(k % 4 == 0)},{0.2 + 0.3 * (k % 4 == 0) + k / 1000}\n" for k in range(80))
    roles = {
        entry.column: entry.role
        for entry in load(write(tmp_path, text + rows, "p.arff")).summary.roles
    }
    assert roles == {"y": Role.TARGET, "P(1)": Role.POSTERIOR}
