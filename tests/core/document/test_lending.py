"""A lender's starting matrix: proposed from loan amounts and words of a loan's end, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.data.results import ColumnSummary
from core.document.decisions.formulas import amount_shares
from core.document.decisions.starting_matrix import (
    assumed_lending,
    find_loan_amount,
    starting_matrix,
)
from core.document.model import TargetSpec

CLASSES = TargetSpec(column="status", kind="multiclass", levels=("default", "good", "late"))


def _column(name: str, mean: float = 9_000.0, distinct: int = 300) -> ColumnSummary:
    return ColumnSummary(
        name=name, kind="number", rows=300, missing=0, distinct=distinct, minimum=0.0, mean=mean
    )


@pytest.mark.parametrize(
    "name",
    ["loan amount", "Kreditbetrag", "Darlehenssumme", "Montant du prêt", "credit_amount", "EAD"],
)
def test_a_loans_amount_is_known_by_its_name(name):
    assert find_loan_amount([_column("age", 44.0), _column(name)]) == name


@pytest.mark.parametrize(
    "column",
    [
        _column("credit score"),
        _column("amount"),
        _column("loan amount", 3.0),
        _column("loan limit"),
    ],
)
def test_other_numbers_are_no_loans(column):
    assert find_loan_amount([column]) is None


@pytest.mark.parametrize(
    "target",
    [
        CLASSES,
        TargetSpec(column="Ausfall", kind="binary", levels=("ja", "nein")),
        TargetSpec(column="Défaut", kind="binary", levels=("oui", "non")),
        TargetSpec(column="bad_flag", kind="binary", levels=("1", "0")),
        TargetSpec(column="Status", kind="multiclass", levels=("Ausfall", "bezahlt", "verspätet")),
    ],
)
def test_a_lenders_matrix_is_proposed_and_said_to_be_assumed(target):
    matrix = starting_matrix(target, [_column("loan amount")])
    assert (matrix.acting, matrix.do_nothing, matrix.amount) == ("Lend", "Decline", "loan amount")
    lend = [row[0] for row in amount_shares(matrix)]
    assert lend == [-0.45, 0.05, 0.0][: len(lend)]
    said = assumed_lending(matrix, target)
    assert said.startswith("Assumed until you say otherwise: lending “")
    changed = replace(matrix, parameters=(("margin", 0.06), ("loss", 0.45)))
    assert assumed_lending(changed, target) == ""


@pytest.mark.parametrize(
    ("target", "amount"),
    [
        (CLASSES, "basket"),
        (TargetSpec(column="responded", kind="binary", levels=("1", "0")), "loan amount"),
        (TargetSpec(column="status", kind="binary", levels=("late", "good")), "loan amount"),
    ],
)
def test_what_is_no_lending_claims_nothing(target, amount):
    assert starting_matrix(target, [_column(amount)]).acting == "Act"
