"""Outcomes, posteriors, splits and the rows used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import data
from core.data.splits import ROW_USE_CODES, draw_uses, draw_whole, hash_rows, uses_in_order
from core.document.data.model import MissingOutcomes, RowUse
from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec
from payoff import PayoffError


def binary(column: str = "y", levels: tuple[str, ...] = ("1", "0")) -> TargetSpec:
    return TargetSpec(column=column, kind="binary", levels=levels)


@pytest.mark.parametrize(
    "values",
    [[1, 0, None, 1], [1.0, 0.0, None, 1.0], ["1", "0", None, "1"], ["1.0", "0", "", "1.0"]],
)
@pytest.mark.parametrize("levels", [("1", "0"), ("1.0", "0.0")])
def test_levels_match_by_printed_form(values, levels):
    codes, warnings = data.outcome_codes(data.from_data({"y": values}), binary(levels=levels))
    assert codes.tolist() == [0, 1, -1, 0]
    assert codes.dtype == np.int32
    assert not warnings


def test_true_matches_only_true():
    table = data.from_data({"y": [True, False, True]})
    assert data.outcome_codes(table, binary(levels=("True", "False")))[0].tolist() == [0, 1, 0]
    codes, warnings = data.outcome_codes(table, binary())
    assert codes.tolist() == [-1, -1, -1]
    assert "'true' (2 rows, first data row 1)" in warnings[0]


def test_clashes_are_refused():
    with pytest.raises(PayoffError, match=r"'1' and '1.0'"):
        data.outcome_codes(data.from_data({"y": ["1", "1.0", "0"]}), binary())
    with pytest.raises(PayoffError, match="print alike"):
        data.outcome_codes(data.from_data({"y": [1, 0]}), binary(levels=("1", "1.0")))


@pytest.mark.parametrize("value", ["007", "1e5", "12345678901234567890", " x", "1,5"])
def test_printed_form_keeps_codes(value):
    assert data.printed(value) == value.strip()


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=200, deadline=None)
def test_printed_form_of_a_number_reads_back(number):
    assert float(data.printed(number)) == number


def scored_document(*columns: tuple[str, str | None, str], **more: object) -> Document:
    roles = tuple(
        RoleAssignment(column=name, role=Role.POSTERIOR, model=model, level=level)
        for name, level, model in columns
    )
    return Document(target=binary(), **more).with_roles(roles)


def test_posteriors_and_complement():
    table = data.from_data({"y": [1, 0, 1], "p": [0.25, None, 1.0]})
    for level, row in (("1", 0), ("0", 1), (None, 0)):
        found = data.posteriors(table, scored_document(("p", level, "m")), "m")
        assert found.shape == (2, 3)
        assert found.flags.c_contiguous
        assert found[row].tolist()[::2] == [0.25, 1.0]
        assert found[1 - row].tolist()[::2] == [0.75, 0.0]
        assert np.isnan(found[:, 1]).all()


def test_posteriors_need_every_level():
    table = data.from_data({"y": ["a", "b", "c"], "p": [0.1, 0.2, 0.3]})
    document = scored_document(("p", "a", "m"))
    three = TargetSpec(column="y", kind="multiclass", levels=("a", "b", "c"))
    with pytest.raises(PayoffError, match="no column for level 'b'"):
        data.posteriors(table, Document(target=three, roles=document.roles), "m")
    with pytest.raises(PayoffError, match="'a', which is no level"):
        data.posteriors(table, document, "m")
    with pytest.raises(PayoffError, match="no posterior column"):
        data.posteriors(table, document, "other")


def test_one_level_of_three_is_what_the_others_leave():
    table = data.from_data({"y": ["a", "b", "c"], "p": [0.1, 0.2, 0.3], "q": [0.9, 0.3, 0.2]})
    document = scored_document(("p", "a", "m"), ("q", "c", "m"))
    three = TargetSpec(column="y", kind="multiclass", levels=("a", "b", "c"))
    found = data.posteriors(table, replace(document, target=three), "m")
    np.testing.assert_allclose(found, [[0.1, 0.2, 0.3], [0.0, 0.5, 0.5], [0.9, 0.3, 0.2]])


def test_draw_is_stratified_seeded_and_golden():
    strata = np.repeat(np.array([0, 1], dtype=np.int32), [100, 900])
    spec = SplitSpec(seed=7, shares=(0.5, 0.3, 0.2))
    uses = draw_uses(1000, strata, spec)
    assert np.bincount(uses[:100]).tolist() == [50, 30, 20]
    assert np.bincount(uses[100:]).tolist() == [450, 270, 180]
    assert np.array_equal(uses, draw_uses(1000, strata, spec))
    other = draw_uses(1000, strata, SplitSpec(seed=8, shares=spec.shares))
    assert 0.4 < np.mean(uses != other) < 0.8
    # splitmix64 finaliser: values worked out with Python's integers.
    assert hash_rows(3, 7).tolist() == [python_hash(row, 7) for row in (1, 2, 3)]


def python_hash(row: int, seed: int) -> int:
    mask = (1 << 64) - 1

    def mix(value: int) -> int:
        value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & mask
        value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & mask
        return value ^ (value >> 31)

    return mix(mix((row * 0x9E3779B97F4A7C15) & mask) ^ mix(seed & mask))


@pytest.mark.parametrize("shares", [(0, 0, 0), (-1, 1, 1), (float("nan"), 1, 1)])
def test_shares_are_checked(shares):
    with pytest.raises(PayoffError, match="shares"):
        draw_uses(10, np.zeros(10, dtype=np.int32), SplitSpec(shares=shares))
    with pytest.raises(PayoffError, match="shares"):
        uses_in_order(np.ones(10, dtype=bool), SplitSpec(shares=shares, in_order=True))


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ((0.39, 0.61, 0.0), [0, 0, 0, 1, 1, 1, 1, 1, 1, 1]),
        ((1.0, 0.0, 0.0), [0] * 10),
        ((0.1 + 0.2, 0.3, 0.4), [0, 0, 0, 1, 1, 1, 2, 2, 2, 2]),
        ((0.0, 0.0, 1.0), [2] * 10),
    ],
)
def test_rows_are_cut_as_they_stand(shares, expected):
    table = data.from_data({"y": [1, 0] * 5})
    document = Document(target=binary(), split=SplitSpec(shares=shares, in_order=True))
    assert data.row_uses(table, document).tolist() == expected


def test_rows_in_order_are_counted_inside_the_filter():
    table = data.from_data({"y": [1, 0, 1, None, 0, 1, 0, 1], "x": [1, 9, 2, 3, 9, 4, 5, 6]})
    split = SplitSpec(shares=(0.5, 0.5, 0.0), in_order=True, where="x < 9")
    document = Document(target=binary(), split=split)
    left_out, to_decide = 254, 3
    found = data.row_uses(table, document).tolist()
    assert found == [0, left_out, 0, to_decide, left_out, 1, 1, 1]
    train, judge = data.checked_rows(table, document, (RowUse.TRAIN,), (RowUse.VALIDATION,))
    assert train.tolist() == data.rows_with_use(table, document, (RowUse.TRAIN,)).tolist() == [0, 2]
    assert judge.tolist() == [5, 6, 7]
    requested = replace(document, missing_outcomes=MissingOutcomes.ASK)
    with pytest.raises(PayoffError, match="1 of 8 rows has no outcome"):
        data.checked_rows(table, requested, (RowUse.TRAIN,))


def test_rows_used_and_their_note():
    table = data.from_data(
        {
            "y": [1, 0, None, 1, 0, 5, 1, 0],
            "use": ["valid", "valid", "valid", "test", "odd", "valid", "valid", "valid"],
            "w": [1, 1, 1, 1, 1, 1, 0, 2],
            "p": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, None],
        }
    )
    document = scored_document(
        ("p", "1", "m"), split=SplitSpec(column="use"), rows_used=RowUse.VALIDATION
    )
    assert document.target is not None  # of two classes a third value would be refused
    document = replace(document, target=replace(document.target, kind="multiclass"))
    weighted = document.with_roles((*document.roles, RoleAssignment(column="w", role=Role.WEIGHT)))
    rows, note = data.usable_rows(table, document)
    assert rows.tolist() == [0, 1, 6, 7]
    assert note.text == "validation rows, 4 of 8"
    assert dict(note.dropped) == {
        "outcome not known": 1,
        "outcome is none of the levels": 1,
        "use of the row not known": 1,
    }
    rows, note = data.usable_rows(table, weighted, None, ("m",))
    assert rows.tolist() == [0, 1]
    assert dict(note.dropped)["weight 0"] == 1
    assert dict(note.dropped)["no score of m"] == 1
    assert note.lacking == (("m", 1),)
    rows, note = data.usable_rows(table, document, RowUse.ALL)
    assert rows.tolist() == [0, 1, 3, 4, 6, 7]
    assert note.text == "all rows with a known outcome, 6 of 8"
    rows, _ = data.usable_rows(table, document, RowUse.TO_DECIDE)
    assert rows.tolist() == [2, 5]
    with pytest.raises(PayoffError, match="no training rows"):
        data.usable_rows(table, document, RowUse.TRAIN)


def test_meaning_of_a_use_column_is_the_users():
    table = data.from_data({"y": [1, 0, 1], "part": ["a", "b", "c"]})
    split = SplitSpec(column="part", meaning=(("a", RowUse.TEST), ("b", RowUse.TRAIN)))
    uses = data.row_uses(table, Document(target=binary(), split=split))
    assert uses.tolist() == [2, 0, data.UNKNOWN_USE]


def test_column_detail_by_class():
    draw = np.random.RandomState(4)
    outcome = draw.randint(0, 2, 4000)
    table = data.from_data(
        {
            "y": outcome,
            "x": draw.normal(size=4000) + outcome,
            "s": list(np.array(["u", "v"])[outcome]),
            "few": draw.randint(0, 3, 4000),
        }
    )
    document = Document(target=binary())
    for column in ("x", "s", "few", "y"):
        detail = data.column_detail(table, document, column)
        assert detail.levels == ("1", "0")
        assert detail.by_level.sum(axis=1) == pytest.approx([1, 1])
    detail = data.column_detail(table, document, "s")
    first = detail.bins.index("v")
    assert detail.by_level[:, first].tolist() == [1.0, 0.0]
    assert data.column_detail(table, document, "few").bins == ("0", "1", "2")
    shares = data.column_detail(table, document, "x").by_level
    assert shares[0, -1] > shares[1, -1]
    assert data.column_detail(table, Document(), "x").levels == ("all rows",)


def test_bins_of_a_column_name_the_values_that_are_in_them():
    """The first and the last hold what lies beyond; "100,000 to 100,400" had 368 of 4,000 ids."""
    ids = np.arange(100_000, 104_000)
    detail = data.column_detail(data.from_data({"id": ids, "y": ids % 2}), Document(), "id")
    first, *middle, last = detail.bins
    cut, end = float(first.removeprefix("below ")), float(last.removesuffix(" and more"))
    assert detail.by_level[0, 0] == pytest.approx((ids < cut).mean())
    assert detail.by_level[0, -1] == pytest.approx((ids >= end).mean())
    for share, words in zip(detail.by_level[0, 1:-1], middle, strict=True):
        low, high = map(float, words.split(" to "))
        assert share == pytest.approx(((ids >= low) & (ids < high)).mean())


def test_summaries():
    table = data.from_data(
        {
            "x": [1.0, 2.0, None, 4.0],
            "s": ["b", "a", "b", None],
            "big": [1e308, -1e308, 0.0, 1.0],
        }
    )
    summary = table.column_summary("x")
    assert (summary.missing, summary.distinct) == (1, 3)
    assert (summary.minimum, summary.maximum) == (1.0, 4.0)
    assert summary.mean == pytest.approx(7 / 3)
    assert summary.standard_deviation == pytest.approx(np.std([1, 2, 4], ddof=1))
    assert sum(summary.histogram) == 3
    assert table.column_summary("s").levels == (("b", 2), ("a", 1))
    assert sum(table.column_summary("big").histogram) == 4


def test_unknown_column_is_named():
    table = data.from_data({"a": [1], "b": [2]})
    with pytest.raises(PayoffError, match=r"no column 'c'.*Columns are: a, b"):
        data.column_as_float(table, "c")


def test_what_belongs_together_is_drawn_as_one():
    lists = np.repeat(np.arange(400), np.arange(400) % 9 + 1).astype(np.int32)
    mixed = np.random.default_rng(3).permutation(lists)
    split = SplitSpec(shares=(0.5, 0.2, 0.3), together="query")
    uses = draw_whole(mixed, split)
    assert all(len(np.unique(uses[mixed == one])) == 1 for one in range(400))
    shares = [
        float(np.mean(uses == ROW_USE_CODES[use]))
        for use in (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST)
    ]
    assert shares == pytest.approx(split.shares, abs=9 / len(mixed))
    assert not np.array_equal(uses, draw_whole(mixed, replace(split, seed=5)))
    everything = replace(split, shares=(0.0, 0.0, 1.0))
    assert set(draw_whole(mixed, everything)) == {ROW_USE_CODES[RowUse.TEST]}


def test_rows_that_belong_to_nothing_are_drawn_by_themselves():
    codes = np.full(1_000, -1, dtype=np.int32)
    uses = draw_whole(codes, SplitSpec(shares=(0.5, 0.0, 0.5)))
    assert np.mean(uses == ROW_USE_CODES[RowUse.TRAIN]) == pytest.approx(0.5, abs=0.01)


def test_the_use_of_rows_tears_no_list_apart():
    rows = {"query": [f"q{k // 5}" for k in range(300)], "grade": [k % 3 for k in range(300)]}
    table = data.from_data(rows)
    target = TargetSpec(column="grade", kind="interval")
    whole = Document(target=target, split=SplitSpec(together="query"))
    uses = data.row_uses(table, whole).reshape(60, 5)
    assert (uses == uses[:, :1]).all()
    torn = data.row_uses(table, replace(whole, split=SplitSpec())).reshape(60, 5)
    assert not (torn == torn[:, :1]).all()  # as projects have it that were saved before
