"""Matrices in files: what the rows are, what is refused, and that nothing is lost on the way."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import printed
from core.decisions.matrices.fitting import advice_on, fitted_matrix, inverse_prior_cells
from core.decisions.matrices.reading import read_matrix_file
from core.decisions.matrices.writing import style_of, write_matrix_file
from core.document.decisions.matrix_model import CostSpec, MatrixKind
from core.document.model import TargetSpec
from core.document.studies.decision_files import MatrixFile, MatrixStyle, Rows
from payoff import PayoffError

MAILING = TargetSpec(
    column="respond", kind="binary", levels=("1", "0"), labels=("responds", "does not respond")
)


@pytest.fixture
def wrote(tmp_path):
    def write(text, name="matrix.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


def promotion(**changes):
    given = {
        "path": "",
        "levels": ("1", "0"),
        "decisions": ("Solicit", "Ignore"),
        "cells": ((15.0, 0.0), (-1.5, 0.0)),
        "kind": MatrixKind.PROFIT,
        "rows": Rows.ACTUAL,
        "is_stated": True,
        "style": MatrixStyle.CSV,
        "acting": "Solicit",
        "do_nothing": "Ignore",
        "priors": (("1", 0.05), ("0", 0.95)),
        "old_priors": (("1", 0.24775018), ("0", 0.75224982)),
    }
    return MatrixFile(**(given | changes))


THREE = promotion(
    levels=("a", "b", "c"),
    decisions=("left", "=1+1"),
    cells=((1.5, -2.0), (0.1 + 0.2, 1e-9), (7.0, 12345678.25)),
    kind=MatrixKind.LOSS,
    acting="left",
    do_nothing=None,
    priors=(),
    old_priors=(),
)


@pytest.mark.parametrize("style", MatrixStyle)
@pytest.mark.parametrize("matrix", [promotion(), THREE], ids=["promotion", "three"])
def test_what_is_written_reads_back_the_same(tmp_path, style, matrix):
    path = str(tmp_path / f"m.{'json' if style is MatrixStyle.JSON else 'csv'}")
    axes = write_matrix_file(path, matrix, style)
    kind = matrix.kind if style is MatrixStyle.SAS else None
    found = read_matrix_file(path, kind=kind)
    assert axes.split(",")[0] in (tmp_path / path).read_text("utf-8") or style in ("sas", "json")
    assert found.cells == matrix.cells
    assert (found.levels, found.decisions) == (matrix.levels, matrix.decisions)
    assert found.kind == matrix.kind
    assert found.rows is (Rows.DECIDED if style is MatrixStyle.PREDICTED else Rows.ACTUAL)
    assert found.is_stated
    assert found.do_nothing == matrix.do_nothing
    assert found.acting == matrix.acting
    if style in (MatrixStyle.SAS, MatrixStyle.JSON):
        assert found.priors == matrix.priors
        assert found.old_priors == matrix.old_priors
    assert found.doubts == ()


def test_costs_stand_in_their_own_row_or_in_the_cells(tmp_path):
    path = str(tmp_path / "m.csv")
    revenue = promotion(
        kind=MatrixKind.REVENUE, costs=(CostSpec(amount=1.5), CostSpec()), priors=(), old_priors=()
    )
    write_matrix_file(path, revenue, MatrixStyle.CSV)
    assert (tmp_path / "m.csv").read_text("utf-8").splitlines()[-1] == "COST OF THE DECISION,1.5,0"
    found = read_matrix_file(path)
    assert found.costs == revenue.costs
    assert found.cells == revenue.cells
    write_matrix_file(path, revenue, MatrixStyle.PREDICTED)
    assert read_matrix_file(path).cells == ((13.5, 0.0), (-3.0, 0.0))
    loss = promotion(kind=MatrixKind.LOSS, costs=revenue.costs)
    write_matrix_file(path, loss, MatrixStyle.SAS)
    assert read_matrix_file(path).cells == ((16.5, 0.0), (0.0, 0.0))
    by_case = promotion(costs=(CostSpec(column="postage"), CostSpec()))
    with pytest.raises(PayoffError, match="postage"):
        write_matrix_file(path, by_case, MatrixStyle.CSV)
    path = str(tmp_path / "m.json")
    write_matrix_file(path, by_case, MatrixStyle.JSON)
    assert read_matrix_file(path).costs == by_case.costs


def test_sas_decision_data(wrote):
    path = wrote(
        "RESPOND,COUNT,DATAPRIOR,TRAINPRIOR,DECPRIOR,Solicit,Ignore\n"
        "1,2753,0.247716,0.24775018,0.05,15,0\n"
        "0,8359,0.752284,0.75224982,0.95,-1.5,0\n"
    )
    found = read_matrix_file(path)
    assert found.style is MatrixStyle.SAS
    assert found.decisions == ("Solicit", "Ignore")
    assert found.cells == ((15.0, 0.0), (-1.5, 0.0))
    assert found.priors == (("1", 0.05), ("0", 0.95))
    assert found.old_priors == (("1", 0.24775018), ("0", 0.75224982))
    assert (found.acting, found.do_nothing) == ("Solicit", "Ignore")
    assert "metadata" in found.notes[1]
    assert read_matrix_file(path, kind=MatrixKind.LOSS).kind is MatrixKind.LOSS
    matrix, priors = fitted_matrix(found, MAILING)
    assert matrix.cells == found.cells
    assert priors == (("1", 0.05), ("0", 0.95))


@pytest.mark.parametrize(
    ("corner", "rows", "kind"),
    [
        ("ACTUAL down, DECISION across", Rows.ACTUAL, "profit"),
        ("Predicted \\ Actual, cost", Rows.DECIDED, "loss"),
        ("predicted/true", Rows.DECIDED, "profit"),
        ("true class, loss", Rows.ACTUAL, "loss"),
        ("Actual across", Rows.DECIDED, "profit"),
        ("decision", Rows.DECIDED, "profit"),
        ("revenue: class", Rows.ACTUAL, "revenue"),
    ],
)
def test_the_corner_says_what_the_axes_are(wrote, corner, rows, kind):
    found = read_matrix_file(wrote(f'"{corner}",a,b\na,1,2\nb,3,4\n'))
    assert (found.rows, found.kind, found.is_stated) == (rows, kind, True)
    assert found.cells == (((1.0, 2.0), (3.0, 4.0)) if rows is Rows.ACTUAL else ((1, 3), (2, 4)))
    assert found.doubts == ()


def test_levels_tell_rows_from_columns(wrote):
    path = wrote(";1;0\nMail;24;-1,6\nDo nothing;0;0\n")
    found = read_matrix_file(path, levels=("1", "0"))
    assert found.rows is Rows.DECIDED
    assert not found.is_stated
    assert "columns are named after the classes" in found.notes[0]
    assert (found.levels, found.decisions) == (("1", "0"), ("Mail", "Do nothing"))
    assert found.cells == ((24.0, 0.0), (-1.6, 0.0))
    words = wrote(",Mail,Do nothing\nresponds,24,0\ndoes not respond,-1.6,0\n")
    matrix, _priors = fitted_matrix(
        read_matrix_file(words, levels=MAILING.levels, labels=MAILING.labels), MAILING
    )
    assert matrix.cells == ((24.0, 0.0), (-1.6, 0.0))
    assert matrix.do_nothing == "Do nothing"


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("x,1,0\nMail,24,-1.6\nDo nothing,0,0\n", {"rows": Rows.ACTUAL}, "sounds like a decision"),
        (
            "x,1,0\nMail,24,-1.6\nLeave,0,0\n",
            {"rows": Rows.ACTUAL, "levels": ("1", "0")},
            "“1” is a class",
        ),
        ("x,1,0\nMail,24,-1.6\nLeave,0,0\n", {"rows": Rows.ACTUAL}, "brings nothing whatever"),
        ("x,good,bad\ngood,0,1\nbad,5,0\n", {"levels": ("bad", "good")}, "names no axes"),
    ],
)
def test_a_transposed_matrix_is_doubted(wrote, text, options, words):
    found = read_matrix_file(wrote(text), **options)
    assert any(words in doubt for doubt in found.doubts)
    assert all(doubt.endswith("Rows and columns may be swapped.") for doubt in found.doubts)


def test_the_linter_doubts_a_swapped_cost_matrix(wrote):
    """German credit read the wrong way round: paying back would be best refused."""
    german = TargetSpec(column="class", kind="binary", levels=("bad", "good"))
    path = wrote("ACTUAL down,bad,good\nbad,5,0\ngood,0,1\n")
    matrix, _priors = fitted_matrix(read_matrix_file(path, kind=MatrixKind.LOSS), german)
    assert any("swapped" in advice.detail for advice in advice_on(matrix, german))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("x,Mail,Nothing\n1,24,none\n0,-1.6,0\n", "line 2, row 1, column Nothing, value 'none'"),
        ("x,Mail,Nothing\n1,24,0\n0,,0\n", "line 3, row 0, column Mail, value ''"),
        ("x,Mail,Nothing\n1,24,0\n0,-1.6\n", "line 3, row 0"),
        ("x,Mail,Nothing\n1,inf,0\n0,-1.6,0\n", "line 2, row 1, column Mail, value 'inf'"),
        ("x,Mail,Mail\n1,24,0\n0,-1.6,0\n", "column 2"),
        ("x,Mail,Nothing\n1,24,0\n1.0,-1.6,0\n", "line 3, row 2"),
        ("x,Mail\n", "line 1"),
        ('{"1": [24, "x"], "0": [1, 0]}', "row 1, column 2, value 'x'"),
        ('{"1": [24, true], "0": [1, 0]}', "row 1, column 2, value True"),
        ('{"rows": "sideways", "levels": [1], "cells": [[1]]}', "value 'sideways'"),
        ('{"kind": "win", "levels": [1], "cells": [[1]]}', "value 'win'"),
        ('{"1": [24, 0], "0": [1]}', "matrix.csv"),
        ("", "matrix.csv"),
    ],
)
def test_a_refusal_names_the_place(wrote, text, where):
    with pytest.raises(PayoffError) as refused:
        read_matrix_file(wrote(text))
    assert where in refused.value.where


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(PayoffError, match="could not be read"):
        read_matrix_file(str(tmp_path / "none.csv"))
    (tmp_path / "b.csv").write_bytes(b"PK\x03\x04\x00\x00")
    with pytest.raises(PayoffError, match="no matrix"):
        read_matrix_file(str(tmp_path / "b.csv"))


def test_a_cell_as_long_as_a_book_is_refused(wrote):
    with pytest.raises(PayoffError, match="no table"):
        read_matrix_file(wrote("x,Mail\n" + "a" * 200_000 + ",1\n"))


def test_rows_that_are_no_class_are_named(wrote):
    path = wrote("ACTUAL,Mail,Nothing\n1,24,0\n2,0,0\n0,-1.6,0\n")
    with pytest.raises(PayoffError) as refused:
        fitted_matrix(read_matrix_file(path), MAILING)
    assert refused.value.where.endswith("row 2")
    path = wrote("ACTUAL,Mail,Nothing\n1,24,0\n")
    with pytest.raises(PayoffError, match="no row for the class '0'"):
        fitted_matrix(read_matrix_file(path), MAILING)


@pytest.mark.parametrize("name", ["matrix.csv", "matrix.json"])
def test_four_named_costs(wrote, name):
    costs = {"tp_cost": 4.0, "fp_cost": 5.0, "fn_cost": 120.0, "tn_cost": 0.0}
    text = (
        json.dumps(costs)
        if name.endswith("json")
        else ("tp_cost,fp_cost,fn_cost,tn_cost\n4,5,120,0\n")
    )
    found = read_matrix_file(wrote(text, name), levels=("fraud", "honest"))
    assert found.kind is MatrixKind.LOSS
    assert found.levels == ("fraud", "honest")
    assert found.cells == ((4.0, 120.0), (5.0, 0.0))
    benefit = wrote('{"tp_benefit": 24, "fp_cost": 1.6}', "b.json")
    assert read_matrix_file(benefit).cells == ((24.0, 0.0), (-1.6, 0.0))
    assert read_matrix_file(benefit).kind is MatrixKind.PROFIT


def test_the_ending_chooses_the_style():
    assert style_of("a/B.JSON") is MatrixStyle.JSON
    assert style_of("a/b.csv") is MatrixStyle.CSV


def test_inverse_priors_by_hand():
    cells = inverse_prior_cells([0.05, 0.95], ("1", "0"))
    assert cells.tolist() == [[20.0, 0.0], [0.0, pytest.approx(1 / 0.95)]]
    assert inverse_prior_cells([1, 1, 2], ("a", "b", "c")).diagonal().tolist() == [4.0, 4.0, 2.0]
    with pytest.raises(PayoffError, match="zero"):
        inverse_prior_cells([0.0, 1.0], ("1", "0"))


NAME = (
    st.text("aZü0.'\"=+-@,;\t|\\ßé ", min_size=1, max_size=8)
    .map(str.strip)
    .filter(lambda name: name and printed(name) == name and name.casefold() != "nan")
)


@st.composite
def any_matrices(draw):
    """Names with every sign that files and spreadsheets trip over, and any finite numbers."""
    names = st.lists(NAME, min_size=2, max_size=4, unique_by=str.casefold)
    levels, decisions = draw(names), draw(names)
    number = st.floats(allow_nan=False, allow_infinity=False)
    cells = tuple(tuple(draw(number) for _ in decisions) for _ in levels)
    return promotion(
        levels=tuple(levels),
        decisions=tuple(decisions),
        cells=cells,
        kind=draw(st.sampled_from(list(MatrixKind))),
        priors=(),
        old_priors=(),
    )


@settings(max_examples=80, deadline=None)
@given(any_matrices(), st.sampled_from([MatrixStyle.CSV, MatrixStyle.PREDICTED, MatrixStyle.JSON]))
def test_any_names_and_numbers_survive(tmp_path_factory, matrix, style):
    path = str(tmp_path_factory.getbasetemp() / f"any.{'json' if style == 'json' else 'csv'}")
    write_matrix_file(path, matrix, style)
    found = read_matrix_file(path)
    assert (found.levels, found.decisions) == (matrix.levels, matrix.decisions)
    assert found.cells == matrix.cells
    is_loss = matrix.kind is MatrixKind.LOSS
    assert (found.kind is MatrixKind.LOSS) == is_loss
