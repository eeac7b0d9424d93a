"""The catalogue of bad data files, as far as roles, levels, joins and overlap answer it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import payoff
from core import data
from core.document.commands import OpenData
from core.document.data.model import RowUse
from core.document.model import Document, Role
from payoff.errors import PayoffError

ROWS = 120


def opened(**columns: object) -> tuple[data.LoadedTable, Document]:
    table = data.from_data(columns)
    summary = table.summary
    document = OpenData(
        data=summary.data, roles=summary.roles, target=summary.target, split=summary.split
    ).apply(Document(rows_used=RowUse.ALL))
    return table, document


def outcome(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2, ROWS)


def test_case_26_a_third_value_beside_the_outcomes_levels_is_counted():
    values = ["yes", "no"] * 59 + ["maybe", "yes"]
    table, document = opened(responded=values, p_gbm=np.linspace(0.1, 0.9, ROWS))
    assert document.target is not None
    assert set(document.target.levels) == {"yes", "no", "maybe"}
    two = data.from_data({"responded": values[:118], "p_gbm": np.linspace(0.1, 0.9, 118)})
    assert two.summary.target is not None
    codes, warnings = data.outcome_codes(table, two.summary.target)
    assert codes[118] == -1
    assert "'maybe' (1 row, first data row 119)" in warnings[0]


def test_case_26_a_third_value_of_an_outcome_of_two_classes_is_refused_with_its_rows():
    values: list[object] = ["yes", "no"] * 60
    _, document = opened(responded=values, p_gbm=np.linspace(0.1, 0.9, ROWS))
    assert document.target is not None
    assert document.target.kind == "binary"
    values[4] = values[70] = "maybe"
    values[9] = "unsure"
    changed = data.from_data({"responded": values, "p_gbm": np.linspace(0.1, 0.9, ROWS)})
    with pytest.raises(PayoffError, match="has a third value") as refused:
        data.usable_rows(changed, document)
    error = refused.value
    assert "column responded, data rows 5, 10, 71, value 'maybe'" in error.where
    assert "'maybe' in 2 rows (data rows 5, 71), 'unsure' in 1 row (data row 10)" in error.why
    assert "'yes' and 'no'" in error.why
    assert "Not known is written" in error.remedy
    use = ["to decide" if n in (4, 9, 70) else "test" for n in range(ROWS)]
    decided = data.from_data({"responded": values, "p_gbm": np.full(ROWS, 0.5), "use": use})
    split = replace(document.split, column="use")
    rows, _ = data.usable_rows(decided, replace(document, split=split, rows_used=RowUse.TEST))
    assert len(rows) == ROWS - 3  # what rows to decide hold is no outcome


def test_case_26_numbers_0_1_2_in_an_outcome_of_two_classes():
    values = [0, 1] * 60
    _, document = opened(bad=values, p_gbm=np.linspace(0.1, 0.9, ROWS))
    changed = data.from_data({"bad": [*values[:-1], 2], "p_gbm": np.linspace(0.1, 0.9, ROWS)})
    with pytest.raises(PayoffError, match=r"data row 120, value '2'"):
        data.usable_rows(changed, document)


def test_case_26_outcomes_of_more_classes_keep_them():
    table, document = opened(outcome=["a", "b", "c"] * 40, x=np.arange(ROWS) / 7)
    assert document.target is not None
    assert document.target.kind == "multiclass"
    document = replace(document, rows_used=RowUse.ALL)
    assert len(data.usable_rows(table, document)[0]) == ROWS


def test_case_27_one_class_is_told_before_anything_is_trained():
    table, _ = opened(bad=[1] * ROWS, x=np.arange(ROWS) / 7)
    assert any("needs 2 classes, found 1" in text for text in table.summary.warnings)


def test_case_28_rows_without_an_outcome_are_counted_and_left_out():
    values = outcome().tolist()
    values[5] = values[9] = None
    table, document = opened(responded=values, p_gbm=np.linspace(0.1, 0.9, ROWS))
    assert any("2 of 120 rows have no outcome" in text for text in table.summary.warnings)
    _, note = data.usable_rows(table, replace(document, rows_used=RowUse.ALL))
    assert (note.rows, note.dropped) == (ROWS - 2, (("outcome not known", 2),))


def test_case_29_constant_empty_and_repeated_columns_are_named():
    draw = np.random.default_rng(2).normal(size=ROWS)
    table, _ = opened(
        responded=outcome(), x=draw, x_again=draw.copy(), same=["a"] * ROWS, none=[None] * ROWS
    )
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert (roles["same"], roles["none"]) == (Role.IGNORED, Role.IGNORED)
    reported = " ".join(table.summary.warnings)
    assert "'x_again' holds the same values as 'x'" in reported
    assert "one value only: same" in reported


def test_case_33_ids_that_occur_again_are_counted_with_their_first_rows():
    ids = [f"K{n}" for n in range(ROWS)]
    ids[7] = ids[3]
    table, _ = opened(customer_id=ids, responded=outcome())
    (warning,) = [text for text in table.summary.warnings if "customer_id" in text]
    assert "2 rows share a value" in warning
    assert "first data rows 4 and 8" in warning


def test_case_33_rows_that_train_and_test_have_in_common_are_counted():
    found = payoff.overlap(
        {"use": ["train"] * 3 + ["test"] * 3, "x": [1.0, 2.0, 3.0, 3.0, 1.0, 9.0]}, rows="use"
    )
    (line,) = found.to_dict("records")
    assert (line["by"], line["rows"], line["first_row"], line["second_row"]) == ("row", 2, 3, 4)


def test_case_34_a_weight_is_asked_about_and_one_below_0_is_refused():
    weight = np.ones(ROWS)
    table, document = opened(responded=outcome(), weight=weight + outcome(3))
    assert any("frequency" in text for text in table.summary.warnings)
    broken, document = opened(responded=outcome(), weight=weight + outcome(3))
    broken = data.from_data({"responded": outcome(), "weight": np.where(weight > 0, -1.0, 1.0)})
    with pytest.raises(PayoffError, match="negative") as caught:
        data.frequency(broken, document)
    assert "data row 1" in caught.value.where


def test_case_42_odd_names_can_be_filtered_by_and_derived_from():
    names = ["__class__", "index", '"; DROP', "<b>x</b>", "a" * 200, "and", "two words"]
    columns = {name: np.arange(ROWS) + place for place, name in enumerate(names)}
    table = data.from_data({"responded": outcome(), **columns})
    from core.document.data.expressions import quoted

    for place, name in enumerate(names):
        inside, _ = data.row_filter(table, f"{quoted(name)} >= {ROWS - 1 + place}")
        assert inside.sum() == 1


def test_case_48_scores_in_another_order_are_joined_by_id_and_their_counts_told():
    ids = [f"K{n}" for n in range(ROWS)]
    probability = np.linspace(0.01, 0.99, ROWS)
    order = np.random.default_rng(5).permutation(ROWS)[:100]
    scores = {"customer_id": [ids[n] for n in order], "p_gbm": probability[order]}
    joined = payoff.join({"customer_id": ids, "responded": outcome()}, scores, on="customer_id")
    got = joined.table.column("p_gbm").to_pylist()
    there = set(order.tolist())
    assert got == [float(probability[n]) if n in there else None for n in range(ROWS)]
    assert (joined.report.matched, joined.report.unmatched) == (100, 20)


def test_case_49_a_column_that_is_the_outcome_is_left_out_of_the_inputs():
    happened = outcome()
    table, _ = opened(responded=happened, paid=np.where(happened == 1, 12.5, 0.0) + 0.1)
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert roles["paid"] is Role.IGNORED
