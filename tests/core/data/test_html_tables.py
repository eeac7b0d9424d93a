"""Tables of web pages, as portals save them under the name of a workbook."""

from __future__ import annotations

import pytest

from core import data
from payoff import PayoffError
from tests.core.data.helpers import says, write
from tests.helpers.factories.files import load, preview

ROWS = 40
TOP = "<html><head><style>td{mso:1}</style></head><body>"
MENU = "<table><tr><td>Home</td><td>Log out</td></tr><tr><td>Help</td><td>Back</td></tr></table>"


def _page(rows: list[str], before: str = "", after: str = "") -> str:
    return f"{TOP}{before}<table border=1>{''.join(rows)}</table>{after}</body></html>"


def _rows() -> list[str]:
    names = "<tr><th>Konto<th>Saldo<br>EUR<th>PD</th><th>Ausfall</th></tr>"
    cells = [
        f"<tr><td>{k:05d}</td><td x:num>1.{100 + k},50&nbsp;&euro;<td>0,{10 + k}</td>"
        f"<td><b>{('nein', 'ja')[k % 2]}</b></td></tr>\n"
        for k in range(ROWS)
    ]
    return [names, *cells]


@pytest.mark.parametrize("name", ["report.xls", "report.html", "report.csv"])
def test_the_largest_table_of_a_page_is_read(tmp_path, name):
    title = "<tr><td colspan=4>Stand M&auml;rz</td></tr>"
    path = write(tmp_path, _page([title, *_rows()], before=MENU), name)
    table = load(path)
    assert table.columns == ("Konto", "Saldo EUR", "PD", "Ausfall")
    assert (table.rows, table.data.reader.format) == (ROWS, "html_table")
    assert list(data.column_as_float(table, "Saldo EUR")[:2]) == [1100.5, 1101.5]
    assert list(data.column_as_float(table, "PD")[:2]) == [0.10, 0.11]
    assert table.table.column("Konto")[7].as_py() == "00007"
    says(" ".join(table.summary.warnings), "A page with 2 tables: the one with the most rows")
    assert preview(path).columns == table.columns


def test_a_table_inside_a_cell_is_one_of_its_own(tmp_path):
    inner = _page(_rows()).removeprefix(TOP).removesuffix("</body></html>")
    outer = f"{TOP}<table><tr><td>menu</td><td>{inner}</td></tr></table></body></html>"
    assert load(write(tmp_path, outer, "nested.xls")).rows == ROWS


@pytest.mark.parametrize(
    "page",
    [
        f"{TOP}<h1>Session expired</h1></body></html>",
        f"{TOP}<table><tr><td>Log in again</td></tr></table></body></html>",
    ],
)
def test_a_page_without_rows_of_data_is_refused_as_what_it_is(tmp_path, page):
    with pytest.raises(PayoffError, match="web page") as caught:
        load(write(tmp_path, page, "cases.csv"))
    says(caught.value, "error or log-in page", "download the data again")


@pytest.mark.parametrize(
    ("said", "encoding"),
    [
        ('<meta charset="windows-1250">', "cp1250"),
        ('<META content="text/html; charset=ISO-8859-2" http-equiv=Content-Type>', "iso8859-2"),
        ("<meta charset=windows-1251>", "cp1251"),
    ],
)
def test_a_page_says_itself_what_it_is_written_in(tmp_path, said, encoding):
    town = "Казань" if encoding == "cp1251" else "Děčín"
    rows = [f"<tr><td>{k}<td>{town}</tr>" for k in range(ROWS)]
    page = _page(["<tr><th>id<th>town</tr>", *rows]).replace("<head>", f"<head>{said}")
    (tmp_path / "page.xls").write_bytes(page.encode(encoding))
    table = load(str(tmp_path / "page.xls"))
    assert set(table.table.column("town").to_pylist()) == {town}
    assert "please check" not in " ".join(table.summary.warnings)


def test_a_page_that_names_no_encoding_there_is_is_read_as_windows_wrote_it(tmp_path):
    page = _page(_rows(), before="Stand März").replace("<head>", "<head><meta charset=nonsense>")
    (tmp_path / "page.xls").write_bytes(page.encode("cp1252"))
    table = load(str(tmp_path / "page.xls"))
    says(" ".join(table.summary.warnings), "please check its accents")


def _cell(value: object, more: str = "") -> str:
    kind = "String" if isinstance(value, str) else "Number"
    return f'<Cell{more}><Data ss:Type="{kind}">{value}</Data></Cell>'


@pytest.mark.parametrize("prefix", ["", "ss:"])
def test_an_xml_workbook_of_old_excel_is_read(tmp_path, prefix):
    rows = [
        [f"{k:05d}", "" if k % 3 else 7.5, 0.1 + k / 100, "yes" if k % 2 else "no"]
        for k in range(9)
    ]
    lines = ["<Row>" + "".join(map(_cell, ("id", "limit", "PD", "Default"))) + "</Row>"]
    for row in rows:
        cells = [_cell(row[0]), _cell(row[1]), _cell(row[2]), _cell(row[3])]
        if row[1] == "":  # blank cells are left out, the next says where it stands
            cells[1:3] = [
                _cell(row[2], ' ss:Index="3"') + "<Comment><ss:Data>check</ss:Data></Comment>"
            ]
        lines.append("<Row>" + "".join(cells) + "</Row>")
    top = '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns:ss="x">'
    text = f'{top}<Worksheet ss:Name="S"><Table>{"".join(lines)}</Table></Worksheet></Workbook>'
    for tag in ("Workbook", "Worksheet", "Table", "Row", "Cell", "Data"):
        text = text.replace(f"<{tag}", f"<{prefix}{tag}").replace(f"</{tag}", f"</{prefix}{tag}")
    table = load(write(tmp_path, text, "export.xls"))
    assert (table.columns, table.rows) == (("id", "limit", "PD", "Default"), 9)
    assert table.table.column("id")[4].as_py() == "00004"
    assert data.column_as_float(table, "PD").tolist() == [row[2] for row in rows]
    assert table.column_summary("limit").missing == 6
