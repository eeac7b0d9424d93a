"""Tables as statistical programs write them, of the shapes that collections of data sets have."""

from __future__ import annotations

import numpy as np
import pytest

from core import data
from core.document.model import Role
from tests.core.data.helpers import load_text
from tests.helpers.factories.files import load, write_workbook

ROWS = range(40)


def _text(names: str, rows: list[str]) -> str:
    return "\n".join([names, *rows, ""])


@pytest.mark.parametrize("others", [("Some", "Marked"), ("<10", "10-20"), ("man.5", "auto.4")])
def test_none_is_a_class_beside_words_that_come_again(tmp_path, others):
    words = [("None", *others)[row % 3] for row in ROWS]
    table = load_text(
        tmp_path, _text("id,level,x", [f"{r},{w},{r}.5" for r, w in enumerate(words)])
    )
    assert data.column_as_text(table, "level") == words


@pytest.mark.parametrize("others", [("yes", "no"), ("12", "13"), ("2024-01-02", "2024-01-03")])
def test_none_is_missing_beside_numbers_days_and_their_opposite(tmp_path, others):
    words = [("None", *others)[row % 3] for row in ROWS]
    table = load_text(
        tmp_path, _text("id,level,x", [f"{r},{w},{r}.5" for r, w in enumerate(words)])
    )
    assert table.table["level"].null_count == words.count("None")


def test_none_is_missing_everywhere_where_a_number_is_none(tmp_path):
    rows = [f"{row},{('None', 'Some', 'Marked')[row % 3]},{row or 'None'}" for row in ROWS]
    table = load_text(tmp_path, _text("id,level,x", rows))
    assert [table.table[name].null_count for name in ("level", "x")] == [14, 1]


def test_none_is_a_class_in_a_workbook_too(tmp_path):
    words = [("None", "Some", "Marked")[row % 3] for row in ROWS]
    rows = [["id", "improved", "x"], *([row, word, row + 0.5] for row, word in enumerate(words))]
    path = write_workbook(tmp_path / "arthritis.xlsx", {"S": rows})
    assert data.column_as_text(load(path), "improved") == words


@pytest.mark.parametrize("index", ["", '"{}" '])
def test_years_and_months_above_numbers_are_names(tmp_path, index):
    months = ["201911", "201912", "202001", "202002"]
    names = " ".join(f'"{name}"' for name in ("country", "measure", *months))
    rows = [f'{index.format(row + 1)}"c{row}" "pop" {row} {row}.5 {row + 2} 7' for row in ROWS]
    table = load_text(tmp_path, _text(names, rows))
    assert table.columns[-6:] == ("country", "measure", *months)
    assert table.rows == len(ROWS)


def test_names_that_look_like_money_are_names(tmp_path):
    rows = [f"{row},{row / 7:.4f},{row / 9:.4f}" for row in ROWS]
    table = load_text(tmp_path, _text("id,CAD1,DKK2", rows))
    assert table.columns == ("id", "CAD1", "DKK2")


def test_a_space_cuts_quoted_names_with_commas(tmp_path):
    rows = [f'"Allen, Miss {row}" "yes" "f" {row} "1st"' for row in ROWS]
    text = _text('"survived" "sex" "age" "passengerClass"', rows)
    table = load_text(tmp_path, text)
    assert table.columns[1:] == ("survived", "sex", "age", "passengerClass")
    assert data.column_as_text(table, "row_name")[3] == "Allen, Miss 3"


def test_a_column_typed_by_many_hands_does_not_hide_the_marks_of_the_others(tmp_path):
    typed = ["66.75", "5,3", "5'10", "70"]
    rows = [f'"{typed[row % 4]}","{row},5"' for row in ROWS]
    table = load_text(tmp_path, _text("height,weight", rows))
    assert data.column_as_text(table, "height")[:4] == typed
    assert data.column_as_float(table, "weight")[3] == 3.5
    alone = load_text(tmp_path, _text("height,sex", [f'"{typed[row % 4]}",m' for row in ROWS]))
    assert data.column_as_text(alone, "height")[:4] == typed


def _roles(tmp_path, names: str, rows: list[str]):
    summary = load_text(tmp_path, _text(names, rows)).summary
    return {entry.column: entry.role for entry in summary.roles}


@pytest.mark.parametrize("others", [0, 6])
def test_one_of_many_shares_that_are_measured_is_no_chance(tmp_path, others):
    draw = np.random.default_rng(4)
    chance = draw.uniform(0.05, 0.6, 300)
    event = draw.uniform(size=300) < chance
    measured = draw.uniform(size=(300, others))
    rows = [
        ",".join([f"{int(event[row])}", f"{chance[row]:.4f}", *(f"{x:.4f}" for x in measured[row])])
        for row in range(300)
    ]
    names = ",".join(["Class", "V0", *(f"V{k + 1}" for k in range(others))])
    assert (_roles(tmp_path, names, rows).get("V0") is Role.POSTERIOR) == (others == 0)


@pytest.mark.parametrize(("name", "role"), [("testscore", Role.SCORE), ("pd %", Role.POSTERIOR)])
def test_a_score_up_to_100_far_from_the_share_of_events_is_no_per_cent(tmp_path, name, role):
    draw = np.random.default_rng(5)
    points = draw.uniform(30, 72, 400)
    event = draw.uniform(size=400) < (points - 20) / 120
    rows = [f"{r},{points[r]:.2f},{('low', 'high')[int(event[r])]}" for r in range(400)]
    assert _roles(tmp_path, f"id,{name},default", rows)[name] is role


def test_rows_with_gaps_right_below_the_names_of_a_sheet_are_cases(tmp_path):
    names = ["Country", "Variable", "Year", *(f"x{k}" for k in range(8))]
    gaps = [["BWA", "VA", 1960 + row, *[None] * 8] for row in range(4)]
    full = [["BWA", "VA", 1964 + row, *(row + k / 7 for k in range(8))] for row in ROWS]
    table = load(write_workbook(tmp_path / "sectors.xlsx", {"S": [names, *gaps, *full]}))
    assert (table.columns, table.rows) == (tuple(names), 4 + len(full))
