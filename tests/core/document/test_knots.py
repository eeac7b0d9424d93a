"""Rows of an interval matrix: names, lines between them, and the commands that change them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document.commands import OpenData, SetTarget
from core.document.data.model import DataRef
from core.document.decisions.commands import (
    AddKnot,
    MoveKnot,
    RemoveKnot,
    amounts_at,
    is_interval,
    knot_name,
)
from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.model import Document, SplitSpec, TargetSpec
from payoff.errors import PayoffError

GIFT = TargetSpec(column="gift", kind="interval")
MATRIX = MatrixSpec(
    template="payoff.profit",
    kind=MatrixKind.PROFIT,
    levels=("0", "100"),
    decisions=("Mail", "Leave"),
    cells=((-2.0, 0.0), (98.0, 0.0)),
    acting="Mail",
    costs=(CostSpec(amount=1.0), CostSpec()),
    do_nothing="Leave",
)
DOCUMENT = Document(target=GIFT, matrix=MATRIX)
CLASSES = TargetSpec(column="y", kind="binary", levels=("1", "0"))


@pytest.mark.parametrize(
    ("value", "name"), [(10.0, "10"), (2.5, "2.5"), (-0.68, "-0.68"), (0.0, "0"), (1e20, "1e+20")]
)
def test_knots_are_written_as_short_as_they_can_be(value, name):
    assert knot_name(value) == name
    assert float(name) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_knots_name_reads_back_as_the_knot(value):
    assert float(knot_name(value)) == value


def test_a_row_is_added_on_the_lines_in_rising_order():
    matrix = AddKnot(value=30).apply(DOCUMENT).matrix
    assert matrix.levels == ("0", "30", "100")
    assert matrix.cells == ((-2.0, 0.0), (28.0, 0.0), (98.0, 0.0))
    assert matrix.costs == MATRIX.costs
    beyond = AddKnot(value=200).apply(DOCUMENT).matrix
    assert beyond.levels == ("0", "100", "200")
    assert beyond.cells[2] == (198.0, 0.0)
    below = AddKnot(value=-5).apply(DOCUMENT).matrix
    assert below.cells[0] == (-7.0, 0.0)


def test_a_row_moves_with_its_amounts():
    matrix = MoveKnot(knot="0", value=150).apply(DOCUMENT).matrix
    assert matrix.levels == ("100", "150")
    assert matrix.cells == ((98.0, 0.0), (-2.0, 0.0))


def test_a_row_is_removed_and_the_last_one_stays():
    alone = RemoveKnot(knot="0").apply(DOCUMENT)
    assert (alone.matrix.levels, alone.matrix.cells) == (("100",), ((98.0, 0.0),))
    assert amounts_at(alone.matrix, alone.matrix.cells, -7.0) == (98.0, 0.0)
    with pytest.raises(PayoffError, match="at least one row"):
        RemoveKnot(knot="100").apply(alone)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (AddKnot(value=100), "row at 100 already"),
        (MoveKnot(knot="0", value=100.0), "row at 100 already"),
        (MoveKnot(knot="7", value=1.0), "no row called '7'"),
        (AddKnot(value=float("inf")), "cannot stand at inf"),
    ],
)
def test_rows_that_cannot_be_meant_are_refused(command, words):
    with pytest.raises(PayoffError, match=words):
        command.apply(DOCUMENT)


def test_rows_of_classes_do_not_move():
    document = replace(DOCUMENT, target=CLASSES, matrix=replace(MATRIX, levels=("1", "0")))
    assert not is_interval(document)
    with pytest.raises(PayoffError, match="are classes"):
        AddKnot(value=3).apply(document)


def opened(document, target, matrix=None):
    data = DataRef(path="next.csv", content_hash="x", rows=3, columns=(), size_bytes=9)
    command = OpenData(data=data, roles=(), target=target, split=SplitSpec(), matrix=matrix)
    return command.apply(document)


def test_next_months_file_keeps_the_rows_and_another_outcome_does_not():
    assert opened(DOCUMENT, GIFT).matrix == MATRIX
    assert opened(DOCUMENT, replace(GIFT, column="sum")).matrix is None
    assert opened(DOCUMENT, replace(CLASSES, column="gift")).matrix is None
    classes = replace(DOCUMENT, target=replace(CLASSES, column="gift"))
    assert opened(classes, GIFT).matrix is None


def test_naming_another_number_starts_its_rows_anew():
    other = replace(MATRIX, levels=("0", "5"))
    same = SetTarget(target=replace(GIFT, labels=("a gift",)), matrix=other).apply(DOCUMENT)
    assert same.matrix == MATRIX
    named = SetTarget(target=replace(GIFT, column="sum"), matrix=other).apply(DOCUMENT)
    assert named.matrix == other
