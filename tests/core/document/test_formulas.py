"""Formulas in cells: what they give, what they refuse, and that they survive edits and files."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document.decisions import commands as decision_commands
from core.document.decisions.formulas import (
    evaluate_formula,
    formula_at,
    is_formula,
    names_in,
    tidy_formula,
    turned,
)
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.decisions.numbers import AddParameter, RemoveParameter, SetFormula
from core.document.files.project import Headline, pack_project, unpack_project
from core.document.history import History
from core.document.model import Document
from payoff.errors import PayoffError

VALUES = {"margin": 25.6, "letter": 1.6, "größe": 2.0}


def mailing() -> Document:
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=((24.0, 0.0), (-1.6, 0.0)),
        acting="Mail",
        parameters=(("margin", 25.6), ("letter", 1.6)),
    )
    return Document(matrix=matrix)


def followed() -> Document:
    document = SetFormula(level="1", decision="Mail", text="=margin - letter").apply(mailing())
    return SetFormula(level="0", decision="Mail", text="= -letter").apply(document)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("margin - letter", 24.0),
        ("-letter", -1.6),
        ("2 * (margin - letter) / 4", 12.0),
        ("1 - 2 - 3", -4.0),
        ("8 / 4 / 2", 1.0),
        ("2 + 3 * 4", 14.0),
        ("--3", 3.0),
        ("-(2 + 1) * 2", -6.0),
        ("1.5e2 + .5", 150.5),
        ("größe × 2 − 1", 3.0),
    ],
)
def test_a_formula_gives_what_arithmetic_gives(text: str, expected: float) -> None:
    assert evaluate_formula(text, VALUES) == pytest.approx(expected)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=6), st.data())
def test_formulas_agree_with_arithmetic_done_by_python(
    numbers: list[int], data: st.DataObject
) -> None:
    text = str(numbers[0])
    for number in numbers[1:]:
        sign = data.draw(st.sampled_from("+-*"))
        text = (
            f"({text}) {sign} ({number})" if data.draw(st.booleans()) else f"{text}{sign} {number}"
        )
    expected = eval(text)
    assert evaluate_formula(text, {}) == expected


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"),
        ("margin -", "ends too early"),
        ("(margin", "not closed"),
        ("margin letter", "goes on after its end"),
        ("margin ** 2", "where a number is due"),
        ("1,6 * 2", "Write decimals with a point"),
        ("cost + 1", "no parameter called “cost”"),
        ("1 / (letter - 1.6)", "divides by zero"),
        ("__import__('os')", "has a “'”"),
        ("9e999", "no finite number"),
        ("1" * 201, "too long"),
        ("(" * 60 + "1" + ")" * 60, "too many brackets"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(text: str, what: str) -> None:
    with pytest.raises(PayoffError) as caught:
        evaluate_formula(text, VALUES)
    assert what in str(caught.value)


def test_an_entry_with_an_equals_sign_is_a_formula() -> None:
    assert is_formula(" =margin")
    assert not is_formula("-1.6")
    assert tidy_formula(" = margin - letter ") == "margin - letter"
    assert names_in("a + b * a") == ("a", "b")


def test_one_parameter_moves_every_cell_that_follows_it() -> None:
    document = followed()
    assert document.matrix is not None
    assert document.matrix.cells == ((24.0, 0.0), (-1.6, 0.0))
    changed = decision_commands.SetParameter(name="letter", value=2.0).apply(document)
    assert changed.matrix is not None
    assert changed.matrix.cells == ((23.6, 0.0), (-2.0, 0.0))


def test_undo_takes_a_formula_back() -> None:
    history = History(mailing())
    history.execute(SetFormula(level="1", decision="Mail", text="=margin / 2"))
    assert history.document.matrix is not None
    assert history.document.matrix.cells[0][0] == 12.8
    history.undo()
    assert history.document == mailing()


def test_a_number_typed_over_a_formula_ends_it() -> None:
    edit = decision_commands.EditCell(level="1", decision="Mail", value=30.0)
    matrix = edit.apply(followed()).matrix
    assert matrix is not None
    assert formula_at(matrix, "1", "Mail") is None
    assert formula_at(matrix, "0", "Mail") == "-letter"
    assert matrix.parameters == (("margin", 25.6), ("letter", 1.6))


def test_formulas_follow_names_signs_and_columns() -> None:
    document = decision_commands.RenameDecision(decision="Mail", name="Write").apply(followed())
    assert document.matrix is not None
    assert formula_at(document.matrix, "1", "Write") == "margin - letter"
    document = decision_commands.AddDecision(decision="Call").apply(document)
    lost = decision_commands.SetMatrixKind(kind=MatrixKind.LOSS).apply(document)
    assert lost.matrix is not None
    assert lost.matrix.cells[0][0] == -24.0
    assert formula_at(lost.matrix, "1", "Write") == "-(margin - letter)"
    moved = decision_commands.SetParameter(name="letter", value=3.0).apply(lost)
    assert moved.matrix is not None
    assert moved.matrix.cells[1][0] == 3.0
    back = decision_commands.SetMatrixKind(kind=MatrixKind.PROFIT).apply(moved)
    assert back.matrix is not None
    assert formula_at(back.matrix, "1", "Write") == "margin - letter"
    gone = decision_commands.RemoveDecision(decision="Write").apply(back)
    assert gone.matrix is not None
    assert gone.matrix.formulas == ()


def test_a_refused_formula_names_cell_reason_and_remedy() -> None:
    with pytest.raises(PayoffError) as caught:
        SetFormula(level="1", decision="Mail", text="=margin - stamp").apply(mailing())
    refusal = caught.value
    assert "stamp" in refusal.what
    assert "row 1, column Mail" in refusal.where
    assert "Add the parameter" in refusal.remedy
    with pytest.raises(PayoffError, match="divides by zero"):
        decision_commands.SetParameter(name="letter", value=0.0).apply(
            SetFormula(level="1", decision="Mail", text="=margin / letter").apply(mailing())
        )


def test_parameters_are_added_and_taken_away() -> None:
    document = AddParameter(name="stamp", value=0.8).apply(mailing())
    assert document.matrix is not None
    assert document.matrix.parameters[-1] == ("stamp", 0.8)
    with pytest.raises(PayoffError, match="already"):
        AddParameter(name="stamp", value=1.0).apply(document)
    with pytest.raises(PayoffError, match="cannot be the name"):
        AddParameter(name="2nd class", value=1.0).apply(document)
    document = RemoveParameter(name="stamp").apply(document)
    assert document == mailing()
    with pytest.raises(PayoffError, match="in use"):
        RemoveParameter(name="letter").apply(followed())


def test_a_worded_template_leaves_its_parameters_to_the_formulas() -> None:
    document = mailing()
    assert document.matrix is not None
    worded = replace(document.matrix, template="payoff.direct_mail", cells=())
    document = replace(document, matrix=worded)
    cells = ((24.0, 0.0), (-1.6, 0.0))
    edit = SetFormula(level="1", decision="Mail", text="=margin / 2", resolved=cells)
    changed = edit.apply(document).matrix
    assert changed is not None
    assert changed.template == "payoff.profit"
    assert changed.cells == ((12.8, 0.0), (-1.6, 0.0))
    with pytest.raises(PayoffError, match="of its own"):
        AddParameter(name="stamp", value=1.0).apply(document)


def test_formulas_are_in_the_project_file() -> None:
    assert unpack_project(pack_project(followed(), Headline())).document == followed()


def test_turning_twice_gives_the_formula_back() -> None:
    assert turned(turned("a - b")) == "a - b"
    assert turned("-(a) + (b)") == "-(-(a) + (b))"
