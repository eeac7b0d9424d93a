"""A project's money is that of its file."""

import pytest

import payoff
from tests.core.data.helpers import write

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
