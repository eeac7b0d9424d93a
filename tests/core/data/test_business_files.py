"""Files as banks and hospitals send them: signs, totals, titles, covers, names of classes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import xlsxwriter

import payoff
from core import data
from core.data.text import number_texts
from core.document.data.model import ReaderSettings
from core.document.files.project import MIGRATIONS
from core.document.model import Document, Role
from core.script.session import engine
from payoff.errors import PayoffError
from tests.core.data.helpers import load_text, refusal, says, write
from tests.helpers.factories.files import load, readers, write_workbook

ROWS = 60
LEVELS = ("good", "late", "default")


def _made() -> dict[str, np.ndarray]:
    draw = np.random.default_rng(5)
    outcome = draw.choice(LEVELS, ROWS, p=[0.6, 0.25, 0.15])
    return {
        "outcome": outcome,
        "amount": draw.integers(5, 400, ROWS) * 100,
        "a": draw.dirichlet([6, 2, 1], ROWS),
        "b": draw.dirichlet([5, 3, 1], ROWS),
        "score": np.clip(0.1 + 0.5 * (outcome == "default") + draw.normal(0, 0.1, ROWS), 0.01, 0.9),
    }


MADE = _made()


def _grouped(number: float, decimal: str, thousands: str, digits: int = 2) -> str:
    text = f"{number:,.{digits}f}"
    return text.replace(",", "_").replace(".", decimal).replace("_", thousands)


#: Decimal mark, thousands mark, what stands between a number and its sign, yes and no.
SPELLINGS = {
    "english": (".", ",", "", "yes", "no"),
    "german": (",", ".", " ", "ja", "nein"),
    "french": (",", "\u202f", "\u00a0", "oui", "non"),
    "swiss": (".", "'", " ", "ja", "nein"),
}


@pytest.mark.parametrize("currency", ["€", "$", "CHF", "EUR"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_percentages_and_amounts_are_numbers(tmp_path, spelling, currency):
    decimal, thousands, gap, yes, no = SPELLINGS[spelling]
    lines = ["id;amount;bad;pd"]
    for row in range(ROWS):
        amount = _grouped(MADE["amount"][row], decimal, thousands)
        share = _grouped(100 * MADE["score"][row], decimal, thousands)
        cell = f"{currency}{gap}{amount}" if currency == "$" else f"{amount}{gap}{currency}"
        described = yes if MADE["outcome"][row] == "default" else no
        lines.append(f"{row};{cell};{described};{share}{gap}%")
    table = data.load(write(tmp_path, "\n".join(lines) + "\n"))
    np.testing.assert_array_equal(data.column_as_float(table, "amount"), MADE["amount"])
    wanted = [float(f"{100 * value:.2f}e-2") for value in MADE["score"]]
    assert data.column_as_float(table, "pd").tolist() == wanted
    assert table.summary.target is not None
    assert table.summary.target.event == yes
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert roles["pd"] is Role.POSTERIOR
    described = [text for text in table.summary.warnings if "percentages" in text]
    assert len(described) == 1
    assert "shares" in described[0]
    kept = data.load(table.path, ReaderSettings(number_texts=False))
    assert kept.kinds["pd"] == "text"


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["(1,200.50)", "30", "7.25"], [-1200.5, 30.0, 7.25]),
        (["12-", "30", "7.5"], [-12.0, 30.0, 7.5]),
        (["\u22125", "16", "7"], [-5.0, 16.0, 7.0]),
        (["-4 %", "0", "12.5 %"], [-0.04, 0.0, 0.125]),
        (["€ -4", "€ 1,250", "€ 3"], [-4.0, 1250.0, 3.0]),
        ([" $-   ", "$1,200.00", "($30.50)"], [0.0, 1200.0, -30.5]),
        (["- €", "1.200,00 €", "3,50 €"], [0.0, 1200.0, 3.5]),
        (["%12,5", "%3", "%99,1"], [0.125, 0.03, 0.991]),
        (["$62K", "$1.3M", "$999"], [62e3, 1.3e6, 999.0]),
        (["3,6 Tsd. €", "1,25 Mio. €", "350 T€"], [3600.0, 1.25e6, 350e3]),
        (["15 622,24 руб.", "1 000,00 руб.", "5,00 руб."], [15622.24, 1000.0, 5.0]),
        (["1,234,000원", "56,000원", "700원"], [1234000.0, 56000.0, 700.0]),
        (["Rp 5.232.880", "Rp 7.760.320", "Rp 12"], [5232880.0, 7760320.0, 12.0]),
        (["79,2 кг", "81 кг", "60,5 кг"], [79.2, 81.0, 60.5]),
        (["￥１，２３４", "￥５６", "￥７"], [1234.0, 56.0, 7.0]),
        (["۱۲۳۴", "۵۶", "۷"], [1234.0, 56.0, 7.0]),
        (["1\u2009234,5", "2\u2009000,0", "12,5"], [1234.5, 2000.0, 12.5]),
    ],
)
def test_signs_of_bookkeeping_are_read(tmp_path, cells, numbers):
    table = load_text(tmp_path, "v;w\n" + "".join(f"{cell};x\n" for cell in cells))
    assert data.column_as_float(table, "v").tolist() == numbers


@pytest.mark.parametrize(
    "cells",
    [
        ["€ 4", "$ 5", "€ 7"],
        ["12 %", "0.5", "7 %"],
        ["(12", "13", "14"],
        ["+49 171", "+49 30", "+43 55"],
        ["1.2.3", "1.2.4", "2.0.0"],
        ["4 kg", "5 lb", "6 kg"],
        ["4 m", "5 mm", "6 m"],
        ["€ 4", "oops", "€ 7"],
        ["3M", "6M", "12M"],
        ["$1.2T", "$3.4T", "$5T"],
    ],
)
def test_what_is_no_number_stays_text(tmp_path, cells):
    table = load_text(tmp_path, "v;w\n" + "".join(f"{cell};x\n" for cell in cells))
    assert data.column_as_text(table, "v") == cells


@pytest.mark.parametrize("mark", [",", "."])
@pytest.mark.parametrize("small", [True, False])
def test_thousands_alone_are_told_by_small_numbers_beside_them(tmp_path, mark, small):
    numbers = [1_234 + 777 * k for k in range(30)] + [985, 40] * small
    rows = [[f"{n:,}".replace(",", mark), k % 2] for k, n in enumerate(numbers)]
    table = load(write_workbook(tmp_path / "t.xlsx", {"S": [["sales", "y"], *rows]}))
    if small:
        assert data.column_as_float(table, "sales").tolist() == numbers
    else:
        assert table.kinds["sales"] == "text"
        says(" ".join(table.summary.warnings), f"1{mark}234 could have decimals or thousands")


def test_thousands_in_the_name_and_in_the_cells_are_not_counted_twice(tmp_path):
    table = load_text(tmp_path, "Umsatz (T€);y\n350 T€;1\n12 T€;0\n")
    assert table.kinds["Umsatz (T€)"] == "text"


def test_each_column_may_have_marks_of_its_own_where_thousands_tell_them(tmp_path):
    lines = [f"{k};{_grouped(900.5 + k, ',', '.')};{0.01 * k:.2f}" for k in range(1, 200)]
    table = load_text(tmp_path, "\n".join(["n;amount;pd", *lines]) + "\n")
    assert data.column_as_float(table, "amount").tolist() == [900.5 + k for k in range(1, 200)]
    assert data.column_as_float(table, "pd").tolist() == [round(0.01 * k, 2) for k in range(1, 200)]
    lines = [f"{k};{0.5 + k};{k},25" for k in range(20)]
    says(refusal(tmp_path, "\n".join(["n;amount;pd", *lines]) + "\n"), "decimal mark is not clear")


@pytest.mark.parametrize(
    ("name", "cells", "read"),
    [
        ("id", ['="007"', '="012"'], ["007", "012"]),
        ("note", ['="a"', "b"], ['="a"', "b"]),
        ("Survival months", ["0012", "0107"], [12, 107]),
        ("Age at diagnosis", ["045", "101"], [45, 101]),
        ("zip code", ["0012", "0107"], ["0012", "0107"]),
        ("months", ["0012", "107"], ["0012", "107"]),
    ],
)
def test_formulas_around_texts_and_zeros_in_front_of_measures_are_taken_off(
    tmp_path, name, cells, read
):
    table = load_text(tmp_path, f"{name}\ty\n" + "".join(f"{cell}\t1\n" for cell in cells))
    assert table.table.column(name).to_pylist() == read


@pytest.mark.parametrize(
    ("cells", "plain", "numbers"),
    [
        (["$2.785", "$3.401", "$2.999"], "0.5", [2.785, 3.401, 2.999]),
        (["1,859 €", "1,909 €", "1,799 €"], "0,5", [1.859, 1.909, 1.799]),
        (["$2,785", "$3,401", "$2,999"], "0.5", [2785.0, 3401.0, 2999.0]),
        (["2.785 €", "3.401 €", "2.999 €"], "0,5", [2785.0, 3401.0, 2999.0]),
        (["$2.785", "$31.401", "$999"], "0.5", [2785.0, 31401.0, 999.0]),
    ],
)
def test_prices_of_three_decimals_are_read_by_the_marks_of_their_file(
    tmp_path, cells, plain, numbers
):
    table = load_text(tmp_path, "v;w\n" + "".join(f"{cell};{plain}\n" for cell in cells))
    assert data.column_as_float(table, "v").tolist() == numbers


@pytest.mark.parametrize(
    ("dress", "odd", "numbers"),
    [
        ("{} €", ["-1.234,5 €", "(7,25 €)", "2,1 Tsd. €", "- €"], [-1234.5, -7.25, 2100.0, 0.0]),
        ("{} %", ["0,5%", "-1 %", "1.234,5 %"], [0.005, -0.01, 12.345]),
        ("{}", ["<0,5", "12,5*", "1.250,75-"], [0.5, 12.5, -1250.75]),
    ],
)
def test_many_different_amounts_are_read_at_once_as_they_are_one_by_one(
    tmp_path, monkeypatch, dress, odd, numbers
):
    plain = [1000.5 + 3 * row for row in range(30_000)]
    cells = [dress.format(_grouped(number, ",", ".")) for number in plain]
    taken: list[str] = []
    apart = number_texts._undress
    monkeypatch.setattr(
        number_texts, "_undress", lambda cell, *of: (taken.append(cell), apart(cell, *of))[1]
    )
    lines = "".join(f"{cell};x\n" for cell in [*cells, *odd])
    table = load_text(tmp_path, f"v;w\n{lines}", decimal=",")
    share = 100.0 if "%" in dress else 1.0
    assert data.column_as_float(table, "v") == pytest.approx(
        [*(n / share for n in plain), *numbers]
    )
    assert len(taken) < len(cells)  # of the first texts and the odd ones, a few times each
    monkeypatch.setattr(number_texts, "_MANY", 10**9)
    again = load_text(tmp_path, f"v;w\n{lines}", decimal=",")
    assert again.table.column("v").equals(table.table.column("v"))


def test_one_grouped_number_far_down_is_a_number(tmp_path):
    text = "v;w\n" + "1234.5;x\n" * 3_000 + "1,234.5;x\n"
    table = load_text(tmp_path, text, decimal=".")
    assert table.kinds["v"] == "number"
    assert set(data.column_as_float(table, "v").tolist()) == {1234.5}


def test_any_word_in_a_column_of_numbers_is_offered_as_a_mark(tmp_path):
    text = "v\n" + "".join(f"{i}.5\n" for i in range(100)) + "n/a?\nn/a?\n"
    path = write(tmp_path, text)
    offered = [f for f in data.preview(path).findings if f.setting == "missing_marks"]
    assert [(f.value, f.is_certain) for f in offered] == [("n/a?", False)]
    assert "holds numbers except for" in offered[0].reason
    assert any("missing marks" in text for text in data.load(path).summary.warnings)
    described = load_text(tmp_path, text, missing_marks=("", "n/a?"))
    assert described.column_summary("v").missing == 2


TOTALS = {
    "english": ("Total", lambda v: v.sum()),
    "german": ("Summe", lambda v: v.sum()),
    "french": ("Total général", lambda v: v.sum()),
    "mean": ("Durchschnitt", lambda v: v.mean()),
    "colon": ("Grand total:", lambda v: v.sum()),
}


@pytest.mark.parametrize("place", ["id", "outcome"])
@pytest.mark.parametrize("kind", TOTALS)
def test_totals_below_a_table_are_no_cases(tmp_path, kind, place):
    label, figure = TOTALS[kind]
    rows = [f"{i + 1},{MADE['outcome'][i]},{MADE['amount'][i]},0.5" for i in range(ROWS)]
    total = f"{label if place == 'id' else ''},{label if place == 'outcome' else ''}"
    table = load_text(
        tmp_path,
        "id,outcome,amount,x\n" + "\n".join([*rows, f"{total},{figure(MADE['amount']):g},"]) + "\n",
    )
    assert table.rows == ROWS
    assert table.kinds["id"] == "integer"
    assert data.preview(table.path).settings.left_out == (ROWS + 1,)
    assert table.summary.target is not None
    assert sorted(table.summary.target.levels) == sorted(LEVELS)
    described = [text for text in table.summary.warnings if "left out" in text]
    assert len(described) == 1
    assert f"line {ROWS + 2} ('{label}')" in described[0]
    everything = data.load(table.path, ReaderSettings(left_out=()))
    assert everything.rows == ROWS + 1
    assert everything.identity != table.identity


def _loans(first: str = "", last: tuple[str, ...] = ()) -> str:
    """A German file of loans with a row above, and rows below, that are no cases."""
    rows = [
        f"K{1000 + i};{'ja' if MADE['outcome'][i] == 'default' else 'nein'};"
        f"{_grouped(MADE['amount'][i], ',', '.')} €;{100 * MADE['score'][i]:.0f} %"
        for i in range(ROWS)
    ]
    lines = ["Kundennr;Ausfall;Kreditbetrag;PD", *([first] if first else []), *rows, *last]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "first", ["Summe;;1.234,00 €;", ";;EUR;%", ";j/n;;", "Text;ja/nein;in EUR;in %"]
)
def test_totals_and_units_above_the_rows_are_no_cases(tmp_path, first):
    table = load_text(tmp_path, _loans(first))
    assert table.rows == ROWS
    assert (table.kinds["Kreditbetrag"], table.kinds["PD"]) == ("integer", "number")
    assert table.summary.left_out == 1
    assert any("line 2 (" in text and "left out" in text for text in table.summary.warnings)
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert (roles["Ausfall"], roles["PD"]) == (Role.TARGET, Role.POSTERIOR)


def test_a_count_of_the_rows_right_below_them_is_no_case(tmp_path):
    lines = [f"{k};{k % 2};0,{10 + k}" for k in range(30)]
    table = load_text(tmp_path, "\n".join(["n;y;p", *lines, "Anzahl Datensätze: 30"]) + "\n")
    assert (table.rows, table.summary.left_out) == (30, 1)


def test_totals_counts_and_a_source_below_one_another_are_no_cases(tmp_path):
    total = f";Summe;{_grouped(MADE['amount'].sum(), ',', '.')} €;"
    below = (total, f";Anzahl: {ROWS};;", "Quelle: Kreditsystem;;;")
    table = load_text(tmp_path, _loans(last=below))
    assert (table.rows, table.summary.left_out) == (ROWS, 3)
    assert table.summary.target is not None
    assert table.summary.target.levels == ("ja", "nein")


def test_a_first_row_with_a_word_of_its_own_is_a_case(tmp_path):
    table = load_text(tmp_path, "a;b;c\n" + "x;1;2\n" * 9)
    assert table.rows == 9
    table = load_text(tmp_path, "a;unit\n" + "".join(f"{i};EUR\n" for i in range(9)))
    assert table.rows == 9


def test_a_dash_among_percentages_is_named_as_what_keeps_them_text(tmp_path):
    text = _loans().splitlines()
    text[7] = text[7].rsplit(";", 1)[0] + ";-"
    table = load_text(tmp_path, "\n".join(text) + "\n")
    assert table.kinds["PD"] == "text"
    described = [text for text in table.summary.warnings if "'PD' is read as text" in text]
    assert len(described) == 1
    assert "If '-' stands for a missing value" in described[0]
    marked = load_text(tmp_path, "\n".join(text) + "\n", missing_marks=("", "-"))
    assert marked.kinds["PD"] == "number"


@pytest.mark.parametrize(
    ("bad", "good"), [("B", "G"), ("schlecht", "gut"), ("Default", "Non-default")]
)
def test_two_levels_that_say_a_result_are_the_outcome(tmp_path, bad, good):
    rows = [
        f"{bad if MADE['outcome'][i] == 'default' else good};{500 - i};{i % 7}" for i in range(ROWS)
    ]
    table = load_text(tmp_path, "GB_flag;score;x\n" + "\n".join(rows) + "\n")
    target = table.summary.target
    assert target is not None
    assert (target.column, target.event) == ("GB_flag", bad)


def test_a_class_called_total_and_a_last_row_are_cases(tmp_path):
    rows = "".join(f"{i},{'Total' if i % 3 == 0 else 'Part'},{i}\n" for i in range(31))
    table = load_text(tmp_path, "id,kind,x\n" + rows)
    assert table.rows == 31
    last = load_text(tmp_path, "id,x,y\n" + "1,2,3\n" * 20 + "21,,\n")
    assert last.rows == 21
    words = load_text(tmp_path, "name,word\n" + "a,b\n" * 20 + "all,b\n")
    assert words.rows == 21


def test_rows_can_be_left_out_by_hand_and_places_are_those_of_the_file(tmp_path):
    text = "a,b\n" + "".join(f"{i},{i}.5\n" for i in range(1, 9)) + "9,x\n"
    table = load_text(tmp_path, text, left_out=(2, 5))
    assert data.column_as_float(table, "a").tolist() == [1, 3, 4, 6, 7, 8, 9]
    with pytest.raises(PayoffError, match="line 10") as refusal:
        data.column_as_float(table, "b")
    assert "'x'" in str(refusal.value)
    with pytest.raises(PayoffError, match="no data row 40"):
        load_text(tmp_path, text, left_out=(40,))
    mended = load_text(tmp_path, text, left_out=(9,))
    assert mended.kinds["b"] == "number"  # as if the row had never been there


def test_a_padded_title_of_several_cells_is_no_header_above_a_blank_line(tmp_path):
    for blank in ("", ";;;"):
        head = ["Report;Loans;;", "Period;01.01.2025;31.03.2025;", blank, "n;default;PD;amount"]
        lines = [f"{k};{k % 2};0,{10 + k};5,5" for k in range(40)]
        table = load_text(tmp_path, "\n".join([*head, *lines]) + "\n")
        assert (table.rows, table.columns) == (40, ("n", "default", "PD", "amount"))
    table = load_text(tmp_path, "\n".join([head[1], head[3], *lines]) + "\n")
    assert (table.rows, table.columns) == (40, ("n", "default", "PD", "amount"))
    cells = [line.split(";") for line in (head[1], head[3])]
    cells += [[f"K{k}", k % 2, 0.5, 5.5] for k in range(40)]
    table = load(write_workbook(tmp_path / "u.xlsx", {"S": cells}))
    assert (table.rows, table.columns) == (40, ("n", "default", "PD", "amount"))
    assert data.load(table.path, table.data.reader, find_readers=readers).columns == table.columns
    cells = [line.split(";") for line in head] + [[f"K{k}", k % 2, 0.5, 5.5] for k in range(40)]
    table = load(write_workbook(tmp_path / "t.xlsx", {"S": cells}))
    assert (table.rows, table.columns) == (40, ("n", "default", "PD", "amount"))


def test_a_padded_title_is_no_header(tmp_path):
    head = "Scored customers;;;;\nExported 2026-03-01;;;;\n;;;;\n"
    rows = "".join(
        f"{i};{int(MADE['outcome'][i] == 'default')};{MADE['amount'][i]};0.2;0.{i + 10}\n"
        for i in range(ROWS)
    )
    table = load_text(tmp_path, f"{head}id;outcome;amount;p_a;p_b\n{rows}")
    assert table.columns == ("id", "outcome", "amount", "p_a", "p_b")
    assert table.rows == ROWS
    assert table.data.reader.skip_lines == 3


def _book(
    folder: Path, *, cover: bool, title: bool, total: bool, percent: bool, second: bool = False
) -> str:
    path = str(folder / "bank.xlsx")
    with xlsxwriter.Workbook(path) as book:
        if cover:
            front = book.add_worksheet("Cover")
            front.write(1, 1, "Bank of Somewhere")
            front.write(4, 1, "Confidential")
        sheet = book.add_worksheet("Data")
        top = 0
        if title:
            sheet.write(0, 0, "Scored loans")
            top = 2
        names = ["loan id", "status", "loan amount"]
        names += [f"{model} {level}" for model in "AB" for level in LEVELS]
        sheet.write_row(top, 0, names)
        for row in range(ROWS):
            probabilities = [*MADE["a"][row], *MADE["b"][row]]
            shown = [f"{100 * v:.2f} %" if percent else round(float(v), 6) for v in probabilities]
            head = [f"L{row:05d}", str(MADE["outcome"][row]), int(MADE["amount"][row])]
            sheet.write_row(top + 1 + row, 0, [*head, *shown])
        if total:
            sheet.write_row(top + 1 + ROWS, 0, ["Total", "", int(MADE["amount"].sum())])
        if second:
            other = book.add_worksheet("More")
            for row in range(8):
                other.write_row(row, 0, ["k", "v"] if row == 0 else [row, row])
    return path


def _load_book(path: str, reader: ReaderSettings | None = None) -> data.LoadedTable:
    return data.load(path, reader, find_readers=engine().workbench.tables.find_readers)


@pytest.mark.parametrize("percent", [False, True])
@pytest.mark.parametrize("total", [False, True])
@pytest.mark.parametrize("title", [False, True])
@pytest.mark.parametrize("cover", [False, True])
def test_the_banks_workbook_needs_no_question(tmp_path, cover, title, total, percent):
    path = _book(tmp_path, cover=cover, title=title, total=total, percent=percent)
    table = _load_book(path)
    assert table.rows == ROWS
    target = table.summary.target
    assert target is not None
    assert (target.column, target.kind) == ("status", "multiclass")
    probabilities = [entry for entry in table.summary.roles if entry.role is Role.POSTERIOR]
    assert {(entry.model, entry.level) for entry in probabilities} == {
        (model, level) for model in "AB" for level in LEVELS
    }
    assert table.summary.split.shares == (0.0, 0.0, 1.0)  # every row is evaluated
    summary = table.summary
    document = Document(
        name="bank", data=summary.data, roles=summary.roles, target=target, split=summary.split
    )
    found = data.posteriors(table, document, "A")
    np.testing.assert_allclose(found.sum(axis=0), 1.0, rtol=0, atol=1e-15)
    order = [LEVELS.index(level) for level in target.levels]
    np.testing.assert_allclose(found, MADE["a"].T[order], atol=1e-4 if percent else 2e-6)


def test_which_of_two_tables_is_meant_is_still_asked(tmp_path):
    path = _book(tmp_path, cover=True, title=False, total=False, percent=False, second=True)
    with pytest.raises(PayoffError, match="Which sheet"):
        _load_book(path)
    assert _load_book(path, ReaderSettings(part="More")).columns == ("k", "v")


@pytest.mark.parametrize("digits", [2, 3, 4, 6])
def test_rounded_chances_are_scaled_and_that_is_said(tmp_path, digits):
    lines = ["status,P_good,P_late,P_default"]
    for row in range(ROWS):
        shown = ",".join(f"{value:.{digits}f}" for value in MADE["a"][row])
        lines.append(f"{MADE['outcome'][row]},{shown}")
    path = write(tmp_path, "\n".join(lines) + "\n")
    table = data.load(path)
    assert any(f"rounded to {digits} digits" in text for text in table.summary.warnings)
    columns = {level: f"P_{level}" for level in LEVELS}
    matrix = {level: [1.0, 0.0] for level in LEVELS}
    decided = payoff.decide(path, target="status", posteriors=columns, matrix=matrix)
    assert np.isfinite(decided.total)


def test_chances_that_are_wrong_are_refused_by_the_digits_they_have(tmp_path):
    rows = "good,0.50,0.30,0.20\nlate,0.50,0.30,0.10\ndefault,0.25,0.25,0.50\n" * 5
    path = write(tmp_path, "status,P_good,P_late,P_default\n" + rows)
    with pytest.raises(PayoffError, match="do not sum to 1") as refusal:
        payoff.decide(
            path,
            target="status",
            posteriors={level: f"P_{level}" for level in LEVELS},
            matrix={level: [1.0, 0.0] for level in LEVELS},
        )
    assert "sum 0.9" in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "cell", "model"),
    [
        ("PD_promille", "{:.1f}", "PD"),
        ("pd (‰)", "{:.1f}", "pd"),
        ("gbm prob in ‰", "{:.1f}", "gbm"),
        ("PD", "{:.1f} ‰", "PD"),
        ("PD", "{:.0f}0 bps", "PD"),
        ("Ausfallwahrscheinlichkeit Promille", "{:.0f}", "Ausfall"),
    ],
)
def test_chances_in_thousandths_are_read_as_shares(tmp_path, name, cell, model):
    draw = np.random.default_rng(4)
    chance = np.round(draw.beta(1.0, 6.0, 200), 3).clip(0.001)
    event = draw.random(200) < chance
    cells = [cell.format(1000 * p) for p in chance]
    lines = [f"{k};{c};{int(e)}" for k, (c, e) in enumerate(zip(cells, event, strict=True))]
    table = load_text(tmp_path, "\n".join([f"id;{name};default", *lines]) + "\n")
    assert data.column_as_float(table, name) == pytest.approx(chance)
    role = next(entry for entry in table.summary.roles if entry.column == name)
    assert (role.role, role.model, role.is_percent) == (Role.POSTERIOR, model, False)
    says(" ".join(table.summary.warnings), "basis points" if "bps" in cell else "thousandths")


@pytest.mark.parametrize(
    ("name", "rare", "is_percent"),
    [("PD (%)", 1.0, True), ("PD_pct", 4.0, True), ("PD (%)", 100.0, False), ("PD", 1.0, False)],
)
def test_small_chances_are_per_cent_where_their_name_says_so_and_the_event_is_rare(
    tmp_path, name, rare, is_percent
):
    draw = np.random.default_rng(5)
    chance = draw.beta(1.0, 3.0, 3_000) * rare / 100.0
    event = draw.random(3_000) < chance
    shown = np.round(chance * 100.0 if rare < 100.0 else chance, 4)
    lines = [f"{k};{p};{int(e)}" for k, (p, e) in enumerate(zip(shown, event, strict=True))]
    table = load_text(tmp_path, "\n".join([f"id;{name};default", *lines]) + "\n")
    role = next(entry for entry in table.summary.roles if entry.column == name)
    assert (role.role, role.is_percent) == (Role.POSTERIOR, is_percent)


@pytest.mark.parametrize("name", ["promille", "alcohol (‰)", "pd"])
def test_other_thousandths_are_numbers_as_they_stand(tmp_path, name):
    lines = [f"{k};{0.3 + k}" for k in range(40)]
    table = load_text(tmp_path, "\n".join([f"id;{name}", *lines]) + "\n")
    assert data.column_as_float(table, name)[0] == 0.3


def test_what_numbers_show_is_guessed_where_names_say_nothing(tmp_path):
    rows = "".join(
        f"{7 * i},{'won' if MADE['outcome'][i] == 'default' else 'lost'},{MADE['score'][i]:.4f}\n"
        for i in range(ROWS)
    )
    table = load_text(tmp_path, "c1,c2,c3\n" + rows)
    target = table.summary.target
    assert target is not None
    assert (target.column, target.event) == ("c2", "won")
    roles = {entry.column: entry for entry in table.summary.roles}
    assert (roles["c3"].role, roles["c3"].level) == (Role.POSTERIOR, "won")
    assert "please check" in roles["c3"].reason
    plain = load_text(tmp_path, "c1,c2\n" + "".join(f"{i},{'uv'[i % 2]}\n" for i in range(40)))
    assert plain.summary.target is None  # two values alone are no outcome


def test_one_class_leaves_the_event_to_its_opposite(tmp_path):
    rows = "".join(f"{i},no,0.{10 + i}\n" for i in range(ROWS))
    table = load_text(tmp_path, "id,bad,p_a\n" + rows)
    target = table.summary.target
    assert target is not None
    assert target.levels == ("yes", "no")
    assert any("needs 2 classes" in text for text in table.summary.warnings)


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        ("months,died", {"months": Role.EXIT, "died": Role.TARGET}),
        ("days,death", {"days": Role.EXIT, "death": Role.TARGET}),
        ("x,claims", {"claims": Role.TARGET}),
    ],
)
def test_survival_and_counts_are_known_by_name_and_content(tmp_path, names, wanted):
    top = 4 if "claims" in names else 2
    rows = "".join(f"{1 + i / 7:.2f},{i * i % 11 % top}\n" for i in range(ROWS))
    table = load_text(tmp_path, f"{names}\n{rows}")
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert {name: roles[name] for name in wanted} == wanted
    if "claims" in names:
        assert table.summary.target is not None
        assert table.summary.target.kind == "interval"


def test_older_projects_read_their_files_as_they_did():
    reader = {"missing_marks": [""], "skip_lines": 0, "delimiter": ";"}
    plain = {"data": {"reader": reader, "recipe": {"rows": [{"file": {"reader": dict(reader)}}]}}}
    step = json.loads(json.dumps(MIGRATIONS[5](plain)))
    assert step["data"]["reader"]["number_texts"] is False
    assert step["data"]["reader"]["left_out"] == []
    assert step["data"]["recipe"]["rows"][0]["file"]["reader"]["left_out"] == []


def test_a_mark_in_a_tenth_of_the_numbers_is_named(tmp_path):
    lines = [f"K{i};{'k.A.' if i % 8 == 0 else i % 11}" for i in range(80)]
    path = write(tmp_path, "\n".join(["id;NPS", *lines]))
    table = data.load(path)
    assert table.kinds["NPS"] == "text"
    assert any(
        "'NPS' is read as text" in words and "'k.A.'" in words for words in table.summary.warnings
    )
    marks = [f.value for f in data.preview(path).findings if f.setting == "missing_marks"]
    assert marks == ["k.A."]
