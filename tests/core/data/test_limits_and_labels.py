"""Cells that say more than a number: limits, marks, dashes for no cents; labels of groups."""

from __future__ import annotations

import numpy as np
import pytest
import xlsxwriter

from core import data
from core.document.data.model import ReaderSettings
from payoff import PayoffError
from tests.core.data.helpers import load_text, says, write
from tests.helpers.factories.files import load, preview, write_workbook

ROWS = 120
NUMBERS = np.round(np.random.default_rng(24).gamma(2.0, 4.0, ROWS) + 0.5, 1)


def _column(tmp_path, cells: list[str], name: str = "crp", delimiter: str = ";"):
    lines = [f"{k}{delimiter}{cell}{delimiter}{k % 2}" for k, cell in enumerate(cells)]
    return load_text(tmp_path, "\n".join([delimiter.join(("id", name, "died")), *lines]) + "\n")


def _written(instead: dict[int, str], decimal: str = ".") -> list[str]:
    """The numbers as texts, some rows with what stands in their place."""
    return [
        instead.get(k, f"{number:.1f}".replace(".", decimal)) for k, number in enumerate(NUMBERS)
    ]


@pytest.mark.parametrize(
    ("cell", "decimal", "number"),
    [
        ("<0.3", ".", 0.3),
        ("< 0,3", ",", 0.3),
        ("<=0.3", ".", 0.3),
        ("≥ 90", ".", 90.0),
        (">1000", ",", 1000.0),
        ("> 1.000,5", ",", 1000.5),
    ],
)
def test_a_limit_is_read_as_the_number_that_it_gives_and_counted(tmp_path, cell, decimal, number):
    rows = dict.fromkeys(range(0, ROWS, 10), cell)
    table = _column(tmp_path, _written(rows, decimal))
    read = data.column_as_float(table, "crp")
    assert list(read[sorted(rows)]) == [number] * len(rows)
    assert read[1] == NUMBERS[1]
    told = "'crp': 12 of 120 rows have a limit in place of a number: it is read as the limit itself"
    says(" ".join(table.summary.warnings), f"{told} ({cell})")
    says(" ".join(preview(table.path).warnings), told)
    kept = data.load(table.path, ReaderSettings(number_texts=False))
    assert kept.kinds["crp"] == "text"


def test_limits_in_a_workbook_stand_among_its_numbers(tmp_path):
    path = tmp_path / "labor.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Labor")
        sheet.write_row(0, 0, ["Fall", "CRP"])
        for k, number in enumerate(NUMBERS):
            sheet.write_row(1 + k, 0, [k, "<0,3" if k % 9 == 4 else number])
    table = load(path)
    wanted = np.where(np.arange(ROWS) % 9 == 4, 0.3, NUMBERS)
    assert list(data.column_as_float(table, "CRP")) == list(wanted)


@pytest.mark.parametrize(
    "cells",
    [
        ["<18", ">=18"],
        ["<1", "1", "2", "3", ">3"],
        ["<30", "30-50", ">50"],
    ],
)
def test_classes_that_are_limits_stay_texts(tmp_path, cells):
    table = _column(tmp_path, [cells[k % len(cells)] for k in range(ROWS)])
    assert table.kinds["crp"] == "text"


@pytest.mark.parametrize("mark", ["*", "**", " (a)", "(1)", " [b]", "†", " H", " LL", "²"])
def test_marks_behind_numbers_are_left_out_and_counted(tmp_path, mark):
    rows = {k: f"{NUMBERS[k]:.1f}{mark}" for k in range(0, ROWS, 8)}
    table = _column(tmp_path, _written(rows))
    assert list(data.column_as_float(table, "crp")) == list(NUMBERS)
    says(" ".join(table.summary.warnings), "'crp': 15 of 120 rows have a mark beside the number")


def test_a_mark_in_the_first_row_makes_it_no_second_line_of_names(tmp_path):
    text = "\n".join(["id,na,k", *(f"{k},{n} (a),{n}*" for k, n in enumerate(NUMBERS))])
    asked = [f for f in preview(write(tmp_path, text + "\n")).findings if not f.is_certain]
    assert asked == []


def test_letters_of_houses_and_other_units_are_no_marks(tmp_path):
    house = [f"{1 + k % 40}{'a' if k % 9 == 0 else ''}" for k in range(ROWS)]
    assert _column(tmp_path, house, "house").kinds["house"] == "text"


@pytest.mark.parametrize(
    ("write_amount", "delimiter"),
    [
        (lambda n: f"{n:,}".replace(",", ".") + ",-", ";"),
        (lambda n: f"{n:,}".replace(",", ".") + ",--", ";"),
        (lambda n: f"{n:,}".replace(",", "'") + ".-", ";"),
        (lambda n: f"€ {n:,}".replace(",", ".") + ",–", ";"),
    ],
)
def test_a_dash_for_no_cents_is_none(tmp_path, write_amount, delimiter):
    amounts = [37 * k + 5 for k in range(ROWS)]
    table = _column(tmp_path, [write_amount(n) for n in amounts], "Betrag", delimiter)
    assert list(data.column_as_float(table, "Betrag")) == amounts


def test_one_currency_written_in_several_ways_is_one(tmp_path):
    signs = ("€ {}", "{} €", "{} EUR", "EUR {}")
    cells = [signs[k % 4].format(f"{100 + k},50") for k in range(ROWS)]
    table = _column(tmp_path, cells, "Betrag")
    assert list(data.column_as_float(table, "Betrag")) == [100.5 + k for k in range(ROWS)]
    assert table.summary.currency == "€"


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (("€ {}", "$ {}"), "its amounts are in several units ($, €)"),
        (("{} %", "{}"), "some of its numbers have a percent sign and others have none"),
    ],
)
def test_why_signs_keep_a_column_text_is_said(tmp_path, cells, told):
    table = _column(tmp_path, [cells[k % 2].format(10 + k) for k in range(ROWS)], "amount")
    assert table.kinds["amount"] == "text"
    says(" ".join(table.summary.warnings), f"Column 'amount' is kept as text: {told}.")


@pytest.mark.parametrize(
    ("unit", "wanted"),
    [
        (" kg", "kg"),
        ("kg", "kg"),
        ("°C", "°C"),
        (" mg/l", "mg/l"),
        (" kg/m²", "kg/m²"),
        (" g", "g"),
        ("‰", "‰"),
    ],
)
@pytest.mark.parametrize("decimal", [".", ","])
def test_a_unit_in_every_cell_is_no_part_of_the_number(tmp_path, unit, wanted, decimal):
    cells = [f"{number:.1f}{unit}".replace(".", decimal) for number in NUMBERS]
    table = _column(tmp_path, cells)
    assert list(data.column_as_float(table, "crp")) == list(NUMBERS)
    assert table.summary.currency == ""
    told = f"Column 'crp' holds numbers with a unit such as {cells[0]}: read as numbers."
    says(" ".join(table.summary.warnings), told)
    assert wanted in cells[0]


@pytest.mark.parametrize(("one", "many"), [("day", "days"), ("Monat", "Monate"), ("an", "ans")])
def test_units_may_be_in_the_plural(tmp_path, one, many):
    cells = [f"{k % 9} {one if k % 9 == 1 else many}" for k in range(ROWS)]
    table = _column(tmp_path, cells)
    assert table.kinds["crp"] == "integer"


def test_ids_with_letters_behind_them_stay_texts(tmp_path):
    assert _column(tmp_path, [f"{1000 + k} AB" for k in range(ROWS)], "no").kinds["no"] == "text"
    assert _column(tmp_path, [f"{1000 + k}A" for k in range(ROWS)], "seat").kinds["seat"] == "text"


@pytest.mark.parametrize("side", ["CR", " Cr", " DR"])
def test_credits_among_debits_are_negative_and_counted(tmp_path, side):
    cells = [f"{n:.2f}{side if k % 4 == 0 else ''}" for k, n in enumerate(NUMBERS)]
    table = _column(tmp_path, cells)
    wanted = np.where(np.arange(ROWS) % 4 == 0, -NUMBERS, NUMBERS)
    assert list(data.column_as_float(table, "crp")) == list(wanted)
    says(" ".join(table.summary.warnings), "'crp': 30 of 120 rows have CR or DR behind the number")
    both = [f"{n:.2f} {('CR', 'DR')[k % 2]}" for k, n in enumerate(NUMBERS)]
    assert _column(tmp_path, both).kinds["crp"] == "text"  # which of them is negative?


def _below(tmp_path, end: str, start: str = ""):
    lines = [f"B{k % 4},{k:06d},{k}.50,{k % 2}" for k in range(40)]
    return load_text(tmp_path, start + "\n".join(["branch,account,balance,bad", *lines]) + end)


@pytest.mark.parametrize("end", ["\nT,000040\n", "\nTRAILER,42,EUR\n", "\nEOF,41"])
def test_a_trailer_that_counts_the_rows_is_no_case(tmp_path, end):
    table = _below(tmp_path, end)
    assert (table.rows, table.summary.left_out) == (40, 1)


@pytest.mark.parametrize("end", ["\nT,000039\n", "\nB4,000040,17\n", "\n40,000040\n"])
def test_a_broken_case_is_no_trailer(tmp_path, end):
    with pytest.raises(PayoffError, match="line 42"):
        _below(tmp_path, end)


def test_filters_in_several_lines_below_a_report_are_no_case(tmp_path):
    table = _below(tmp_path, '\n\n"Applied filters:\nYear is 2025\nRegion is not (Blank)"\n')
    assert (table.rows, table.summary.left_out) == (40, 1)
    says(" ".join(table.summary.warnings), "line 43 ('Applied filters: Year is 2025 Region is not")


def test_lines_of_kinds_and_roles_below_the_names_are_no_cases(tmp_path):
    lines = [f"{20 + k}\t{'NS'[k % 2]}\t0.{10 + k}\t{('no', 'yes')[k % 2]}" for k in range(40)]
    above = ["age\tregion\tscore\tbought", "continuous\tdiscrete\tcontinuous\tdiscrete"]
    path = write(tmp_path, "\n".join([*above, "\t\t\tclass", *lines]) + "\n", "cases.tab")
    table = load(path)
    assert (table.rows, table.summary.left_out) == (40, 2)
    assert table.summary.target is not None
    assert table.summary.target.levels == ("yes", "no")


@pytest.mark.parametrize("zone", [" UTC", "Z", " GMT", "UTC"])
def test_times_of_greenwich_are_dates(tmp_path, zone):
    cells = [f"2024-05-{1 + k % 28:02d} 08:{k % 60:02d}:07{zone}" for k in range(ROWS)]
    table = _column(tmp_path, cells, "created")
    assert table.kinds["created"] == "date"
    assert str(table.table.column("created")[1].as_py()).startswith("2024-05-02 08:01:07")
    other = [*cells[1:], "2024-02-30 08:00:00 UTC"]
    assert _column(tmp_path, other, "created").kinds["created"] == "text"


@pytest.mark.parametrize("zone", ["+01:00", " +0100", "+01"])
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_times_beside_their_offset_are_those_of_greenwich(tmp_path, zone, ending):
    cells = [f"2024-05-{1 + k % 28:02d} 08:{k % 60:02d}:07{zone}" for k in range(ROWS)]
    if ending == "csv":
        table = _column(tmp_path, cells, "paid at")
    else:
        rows = [["id", "paid at"], *([f"a{k}", cell] for k, cell in enumerate(cells))]
        table = load(write_workbook(tmp_path / "times.xlsx", {"S": rows}))
    assert table.kinds["paid at"] == "date"
    assert str(table.table.column("paid at")[1].as_py()).startswith("2024-05-02 07:01:07")


def test_columns_at_fixed_places_are_known_by_their_beginning(tmp_path):
    lines = [f"{k:08d} {10.5 * k:10.2f} {'YN'[k % 2]:>7}" for k in range(40)]
    path = write(tmp_path, "\n".join(["ACCOUNT     BALANCE DEFAULT", *lines]) + "\n", "cases.txt")
    table = load(path)
    assert table.columns == ("ACCOUNT", "BALANCE", "DEFAULT")
    assert (table.rows, table.data.reader.format) == (40, "fixed_width")
    plain = write(tmp_path, "name\n" + "a  b\n" * 9, "words.txt")
    assert load(plain).columns == ("name",)


def test_classes_that_are_limits_are_no_slips(tmp_path):
    cells = [("<30", ">30", "NO")[k % 3] for k in range(ROWS)]
    table = _column(tmp_path, cells, "readmitted")
    assert table.kinds["readmitted"] == "text"
    assert not any("not every cell" in words for words in table.summary.warnings)


def test_amounts_written_otherwise_than_plain_numbers_have_marks_of_their_own(tmp_path):
    lines = [f"{k};0.{10 + k};1.{100 + k},50 €;{k % 2}" for k in range(60)]
    table = load_text(tmp_path, "\n".join(["id;PD;Saldo;Ausfall", *lines]) + "\n")
    assert list(data.column_as_float(table, "PD")[:2]) == [0.10, 0.11]
    assert list(data.column_as_float(table, "Saldo")[:2]) == [1100.5, 1101.5]
    both = [f"{k};0.{10 + k};1,{100 + k};{k % 2}" for k in range(60)]
    with pytest.raises(PayoffError, match="decimal mark"):
        load_text(tmp_path, "\n".join(["id;PD;x;y", *both, "60;0,5;1;0"]) + "\n")


@pytest.mark.parametrize(
    ("names", "encoding"),
    [
        (("Zaległość", "Miesiąc spłaty", "Województwo łódzkie"), "cp1250"),
        (("Nesplaceno řádně", "Věk dlužníka", "Splátky už", "Měsíčně dražší"), "cp1250"),
        (("Nesplacel", "Příjem", "Splátka", "Město"), "cp1250"),
        (("Dochód", "Niespłacony", "Gdańsk"), "cp1250"),
        (("Oraş", "Restanţă", "Rată"), "cp1250"),
        (("férfi", "nő", "Győr", "Pécs"), "cp1250"),
        (("ügyfél", "időpont", "vevő"), "cp1250"),
        (("fő", "erdő"), "cp1250"),
        (("Müşteri", "Şehir", "Ödenmedi"), "cp1254"),
        (("Málaga", "Köln", "Göteborg", "Århus", "Forlì", "Orléans"), "cp1252"),
        (("Købt", "Sælger", "År", "Ønsker"), "cp1252"),
        (("Não", "Região", "Prêmio", "Coração"), "cp1252"),
        (("Äiti", "työ", "Åbo"), "cp1252"),
        (("Größe (m³)", "Volumen m³/h", "Fläche"), "cp1252"),
        (("Défaut", "Âge", "Région¹", "Hôtel"), "cp1252"),
        (("¿Impago?", "Año", "Número"), "cp1252"),
        (("Opções", "Põe", "Condições"), "cp1252"),
        (("Jõgi", "põld", "õpetaja"), "cp1252"),
        (("Pärnu", "Võru", "Tõrva"), "cp1252"),
        (("מספר לקוח", "גיל", "נטישה", "הסתברות נטישה"), "cp1255"),
        (("לקוח", "סכום הלוואה"), "cp1255"),
        (("Клиент", "Возраст", "Сумма"), "cp1251"),
        (("顧客ID", "年齢", "解約フラグ", "解約確率"), "euc_jp"),
        (("お客様番号", "購入"), "euc_jp"),
        (("顧客ID", "年齢", "解約フラグ"), "cp932"),
        (("顧客ID", "年齢", "解約フラグ"), "iso2022_jp"),
        (("客户编号", "是否违约", "贷款金额 ¥ ¥ ¥"), "gb18030"),
        (("N° contrat", "Résilié", "Pénalité", "Prénom"), "mac-roman"),
        (("Größe", "Kündigung", "Prämie"), "mac-roman"),
        (("Žiga", "Šimon", "Tšekki"), "cp1252"),
    ],
)
def test_words_say_which_windows_wrote_them(tmp_path, names, encoding):
    lines = [";".join(f"{k}" for _ in names) for k in range(40)]
    path = write(tmp_path, "\n".join([";".join(names), *lines]).encode(encoding))
    assert load(path).columns == names
    assert load(path).data.reader.encoding == encoding


REGIONS, PRODUCTS = ("North", "South", "East", "West"), ("Loan", "Card", "Lease")


def _pivot() -> list[list[object]]:
    rows: list[list[object]] = []
    for region in REGIONS:
        for product in PRODUCTS:
            rows += [[region, product, len(rows) + k, 5 * k + 3, k % 2] for k in range(5)]
    return rows


def _shown(rows: list[list[object]]) -> list[list[object]]:
    """Labels where they change only, as a pivot table shows them."""
    shown = [list(row) for row in rows]
    for before, row, cells in zip(rows, rows[1:], shown[1:], strict=False):
        cells[1] = "" if row[:2] == before[:2] else cells[1]
        cells[0] = "" if row[0] == before[0] else cells[0]
    return shown


def test_labels_of_a_pivot_table_are_filled_down_and_it_is_said(tmp_path):
    names = ["Region", "Product", "Customer", "Balance", "Churned"]
    text = "\n".join(";".join(map(str, row)) for row in [names, *_shown(_pivot())])
    table = load_text(tmp_path, text + "\n")
    assert table.table.column("Region").to_pylist() == [row[0] for row in _pivot()]
    assert table.table.column("Product").to_pylist() == [row[1] for row in _pivot()]
    told = "'Region' has the label of each group in its first row only, as a pivot table does"
    says(" ".join(table.summary.warnings), f"{told}: 56 empty cells have the label above")
    says(" ".join(preview(table.path).warnings), told)
    kept = data.load(table.path, ReaderSettings(number_texts=False))
    assert kept.table.column("Region").null_count == 56


def test_sums_between_the_groups_of_a_pivot_table_fill_nothing(tmp_path):
    rows: list[list[object]] = [["Region", "Customer", "Balance", "Churned"]]
    for at, region in enumerate(REGIONS):
        amounts = [100 * at + 7 * k for k in range(12)]
        rows += [["" if k else region, f"{at}{k:03d}", n, k % 2] for k, n in enumerate(amounts)]
        rows.append([f"{region} Total", "", sum(amounts), ""])
    path = write(tmp_path, "\n".join(";".join(map(str, row)) for row in rows) + "\n")
    table = load(path)
    assert table.rows == 48
    assert table.table.column("Region").to_pylist() == [r for r in REGIONS for _ in range(12)]


def test_merged_labels_of_a_workbook_are_filled_down(tmp_path):
    path = tmp_path / "merged.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Cases")
        sheet.write_row(0, 0, ["Region", "Customer", "Churned"])
        for at, region in enumerate(REGIONS):
            sheet.merge_range(1 + 10 * at, 0, 10 + 10 * at, 0, region)
            for k in range(10):
                sheet.write_row(1 + 10 * at + k, 1, [10 * at + k, k % 2])
    table = load(path)
    assert table.table.column("Region").to_pylist() == [r for r in REGIONS for _ in range(10)]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_ids_that_are_missing_here_and_there_are_not_filled(tmp_path, share):
    draw = np.random.default_rng(int(100 * share))
    ids = [f"C{k:05d}" if draw.random() < share or k == 0 else "" for k in range(ROWS)]
    lines = [f"{ids[k]};{k % 7};{k % 2}" for k in range(ROWS)]
    table = load_text(tmp_path, "\n".join(["code;x;y", *lines]) + "\n")
    assert table.table.column("code").null_count == ids.count("")


@pytest.mark.parametrize(
    "labels",
    [
        ["North", "", "", "South", "", "North"] * 10,  # a label again
        ["", "", "North", "", "", "South"] + [""] * 54,  # the first row has none
    ],
)
def test_gaps_that_are_no_groups_stay(tmp_path, labels):
    lines = [f"{label};{k % 7};{k % 2}" for k, label in enumerate(labels)]
    table = load_text(tmp_path, "\n".join(["region;x;y", *lines]) + "\n")
    assert table.table.column("region").null_count == labels.count("")


@pytest.mark.parametrize("small", [range(77, 990, 50), ()])
def test_small_numbers_beside_marks_tell_that_these_are_of_thousands(tmp_path, small):
    amounts = [*small, *range(1_038, 9_000, 211)]
    lines = [f"a{k}\t{amount:,}\t{k % 2}" for k, amount in enumerate(amounts)]
    text = "\n".join(["id\tamount\ty", *lines]) + "\n"
    if not small:  # "1,038" alone could be either
        with pytest.raises(PayoffError, match="decimal mark"):
            load_text(tmp_path, text)
        return
    assert data.column_as_float(load_text(tmp_path, text), "amount").tolist() == amounts
