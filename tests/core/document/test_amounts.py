"""Cells that follow the amount of a case: read, chosen, edited, kept in a project."""

from dataclasses import replace

import pytest

from core.document.data.column_meaning import unit_of_amount
from core.document.decisions.commands import (
    AddDecision,
    EditCell,
    SetAmount,
    SetMatrixKind,
    SetParameter,
)
from core.document.decisions.formulas import (
    amount_shares,
    evaluate_formula,
    evaluate_line,
    line_text,
    worked_out,
    written_cells,
)
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.decisions.numbers import AddParameter, SetFormula
from core.document.files.codec import from_plain, to_plain
from core.document.model import Document, TargetSpec
from payoff import PayoffError

TARGET = TargetSpec(column="BAD", kind="binary", levels=("1", "0"))


def document(**changes):
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Lend", "Refuse"),
        cells=((-1.0, 0.0), (1.0, 0.0)),
        acting="Lend",
    )
    return Document(target=TARGET, matrix=replace(matrix, **changes))


def lending():
    found = SetAmount(column="LOAN").apply(document())
    for level, text in (("1", "=-0.6*amount"), ("0", "=0.08 * amount - 4")):
        found = SetFormula(level=level, decision="Lend", text=text).apply(found)
    return found


@pytest.mark.parametrize(
    ("text", "start", "share"),
    [
        ("amount", 0.0, 1.0),
        ("-0.6*amount", 0.0, -0.6),
        ("amount/4 - 2", -2.0, 0.25),
        ("24", 24.0, 0.0),
        ("(1 - lost) * (amount + 10)", 5.0, 0.5),
        ("amount - amount", 0.0, 0.0),
    ],
)
def test_a_formula_is_a_line_in_the_amount(text, start, share):
    line = evaluate_line(text, {"lost": 0.5}, has_amount=True)
    assert (line.start, line.share) == pytest.approx((start, share))


@pytest.mark.parametrize("text", ["amount*amount", "1/amount", "(amount+1)*(2*amount)"])
def test_what_is_no_line_is_refused_in_words(text):
    with pytest.raises(PayoffError, match=r"amount") as refusal:
        evaluate_line(text, {}, has_amount=True)
    assert "straight line" in str(refusal.value)


def test_amount_needs_a_column():
    with pytest.raises(PayoffError, match="No column says"):
        evaluate_formula("amount", {})
    with pytest.raises(PayoffError, match="No column says"):
        SetFormula(level="1", decision="Lend", text="=amount").apply(document())


def test_cells_hold_what_formulas_give_at_no_amount_and_shares_the_rest():
    matrix = lending().matrix
    assert matrix.cells == ((0.0, 0.0), (-4.0, 0.0))
    assert amount_shares(matrix) == ((-0.6, 0.0), (0.08, 0.0))
    assert worked_out(matrix) == matrix


def test_a_number_typed_over_a_share_takes_its_place_even_if_it_is_what_the_cell_holds():
    matrix = EditCell(level="1", decision="Lend", value=0.0).apply(lending()).matrix
    assert [f.level for f in matrix.formulas] == ["0"]
    assert amount_shares(matrix)[0] == (0.0, 0.0)


def test_the_amount_is_not_taken_away_while_a_cell_follows_it():
    with pytest.raises(PayoffError, match="in use"):
        SetAmount(column=None).apply(lending())
    assert SetAmount(column="VALUE").apply(lending()).matrix.amount == "VALUE"
    assert SetAmount(column=None).apply(document(amount="LOAN")).matrix.amount is None


def test_the_name_stands_for_one_thing():
    named = document(parameters=(("amount", 3.0),))
    with pytest.raises(PayoffError, match="parameter called"):
        SetAmount(column="LOAN").apply(named)
    with pytest.raises(PayoffError, match="amount of the case"):
        AddParameter(name="amount", value=1.0).apply(document())


def test_an_amount_needs_classes():
    number = replace(document(), target=TargetSpec(column="GIFT", kind="interval", levels=()))
    with pytest.raises(PayoffError, match="need classes"):
        SetAmount(column="LOAN").apply(number)


def test_losses_are_shares_with_the_sign_turned():
    turned = SetMatrixKind(kind=MatrixKind.LOSS).apply(lending()).matrix
    assert amount_shares(turned) == ((0.6, 0.0), (-0.08, 0.0))
    assert turned.cells == ((0.0, 0.0), (4.0, 0.0))


def test_a_template_becomes_plain_with_its_shares_as_formulas():
    worded = document(
        template="payoff.credit_loans", cells=(), parameters=(("loss_share", 0.6),), amount="LOAN"
    )
    resolved = written_cells(((0.0, 0.0), (2.0, 0.0)), ((-0.6, 0.0), (1.0, 0.0)))
    assert resolved == (("-0.6*amount", 0.0), ("amount + 2.0", 0.0))
    matrix = AddDecision(decision="Call", resolved=resolved).apply(worded).matrix
    assert matrix.template == "payoff.profit"
    assert amount_shares(matrix) == ((-0.6, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert matrix.cells == ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    edited = EditCell(level="1", decision="Lend", value=7.0, resolved=resolved).apply(worded)
    assert amount_shares(edited.matrix) == ((0.0, 0.0), (1.0, 0.0))
    assert edited.matrix.cells == ((7.0, 0.0), (2.0, 0.0))


def test_parameters_move_shares():
    found = AddParameter(name="lost", value=0.6).apply(lending())
    found = SetFormula(level="1", decision="Lend", text="=-lost*amount").apply(found)
    moved = SetParameter(name="lost", value=0.5).apply(found)
    assert amount_shares(moved.matrix)[0][0] == -0.5


@pytest.mark.parametrize("line", [(0.0, 1.0), (3.0, -1.0), (-2.5, 0.08), (0.0, 1e-7)])
def test_a_line_is_written_so_that_it_reads_the_same(line):
    read = evaluate_line(line_text(*line), {}, has_amount=True)
    assert (read.start, read.share) == line


def test_a_project_keeps_it_and_older_ones_have_none():
    plain = to_plain(lending())
    assert from_plain(Document, plain) == lending()
    del plain["matrix"]["amount"]
    assert from_plain(Document, plain).matrix.amount is None


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        *((name, 1) for name in ("Amount €", "loan_amount", "Market", "tenure", "kilometres")),
        *((name, 1_000) for name in ("EAD (k€)", "ead_keur", "TEUR", "Betrag Tsd.", "Loan '000")),
        *((name, 1_000_000) for name in ("Umsatz in Mio. EUR", "loan (€m)", "Sales $M")),
    ],
)
def test_a_name_may_say_that_amounts_are_in_thousands(name, unit):
    assert unit_of_amount(name) == unit
