"""A project's money is that of its file."""

import pytest
import xlsxwriter

import payoff
from tests.core.data.helpers import write
from tests.helpers.factories.files import load

CASES = {
    "signs in cells": ("amount", ["£71.34", "£1,200.00", "£18.50"], "£"),
    "a code in cells": ("amount", ["71,34 EUR", "1.200,00 EUR", "18,50 EUR"], "€"),
    "Swiss francs": ("amount", ["Fr. 71.34", "Fr. 1'200.00", "Fr. 18.50"], "CHF"),
    "a sign in a name": ("Loan (£)", ["71.34", "1200", "18.5"], "£"),
    "a code in a name": ("profit_usd", ["71.34", "1200", "18.5"], "$"),
    "a code behind small letters": ("LoanSEK", ["71.34", "1200", "18.5"], "SEK"),
    "cells before names": ("profit_usd", ["£71.34", "£1,200.00", "£18.50"], "£"),
    "no code of money": ("neurology", ["71.34", "1200", "18.5"], "€"),
}


@pytest.mark.parametrize(("name", "cells", "currency"), CASES.values(), ids=CASES)
def test_a_new_project_has_the_currency_of_its_file(tmp_path, name, cells, currency):
    lines = [f"id;{name};bad", *(f"K{i};{cells[i % 3]};{i % 2}" for i in range(60))]
    made = payoff.new_project(write(tmp_path, "\n".join(lines)))
    assert made.document.currency == currency


def test_two_currencies_say_nothing(tmp_path):
    lines = ["id;loan_usd;fee_gbp;bad", *(f"K{i};{i * 7};{i * 3};{i % 2}" for i in range(60))]
    made = payoff.new_project(write(tmp_path, "\n".join(lines)))
    assert made.document.currency == "€"


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Wartezeit (Sek.)", ["71", "120", "18"]),  # seconds
        ("CHF", ["0", "1", "1"]),  # congestive heart failure
        ("CAD", ["1", "0", "1"]),  # coronary artery disease
    ],
)
def test_a_time_or_an_answer_is_no_money(tmp_path, name, cells):
    lines = [f"id;{name};bad", *(f"K{i};{cells[i % 3]};{i % 2}" for i in range(60))]
    made = payoff.new_project(write(tmp_path, "\n".join(lines)))
    assert made.document.currency == "€"


@pytest.mark.parametrize(
    ("shown", "currency"),
    [
        ("#,##0.00 [$£-809]", "£"),
        ("[$CHF-807] #,##0", "CHF"),
        ("#,##0.00\\ [$USD]", "$"),
        ('_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', "$"),
        ('#,##0 "Kč"', "Kč"),
        ("#,##0.00", ""),
        ("[$-409]0.00", ""),
    ],
)
@pytest.mark.parametrize("left", [0, 3])
def test_the_format_of_a_workbooks_numbers_tells_its_currency(tmp_path, shown, currency, left):
    path = str(tmp_path / "book.xlsx")
    with xlsxwriter.Workbook(path) as book:
        sheet, money = book.add_worksheet(), book.add_format({"num_format": shown})
        if left:  # a small table beside it
            for row in range(4):
                sheet.write_row(row, 0, ["a", row])
        sheet.write_row(0, left, ["id", "size", "bad", "score"])
        for row in range(1, 60):
            sheet.write_row(row, left, [row + 1000, None, row % 2, 0.2 + row / 100])
            sheet.write(row, left + 1, row * 37 % 101 + 0.5, money)
    summary = load(path).summary
    assert summary.currency == currency
    reasons = {entry.column: entry.reason for entry in summary.roles}
    assert ("an amount in " in reasons["size"]) == bool(currency)
    assert "an amount" not in reasons["score"]


def test_formats_of_two_currencies_say_nothing_of_the_project(tmp_path):
    path = str(tmp_path / "book.xlsx")
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for at, name in enumerate(("id", "one", "two", "bad")):
            sheet.write(0, at, name)
        for row in range(1, 60):
            sheet.write_row(row, 0, [row, "", "", row % 2])
            sheet.write(row, 1, row * 7.5, book.add_format({"num_format": "$#,##0"}))
            sheet.write(row, 2, row * 8.5, book.add_format({"num_format": "£#,##0"}))
    assert load(path).summary.currency == ""
