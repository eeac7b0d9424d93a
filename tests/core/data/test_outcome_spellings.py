"""Several spellings of an outcome of two classes are taken as one, and shown (case 26)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import payoff
from core import data
from core.document.data.column_meaning import counted_together, spellings_in_words, spellings_of
from core.document.data.model import RowUse
from core.document.files.codec import from_plain, to_plain
from core.document.model import Document, Role, TargetSpec
from payoff.errors import PayoffError

SPELLED = ["yes", "Yes", "Y", "TRUE", "t"] * 4 + ["no", "no", "N", "False", "f"] * 8


def table_of(values: list[object]) -> data.LoadedTable:
    chance = np.linspace(0.05, 0.95, len(values))
    return data.from_data({"responded": values, "p_gbm": chance})


def document_of(table: data.LoadedTable) -> Document:
    summary = table.summary
    made = Document(data=summary.data, target=summary.target, rows_used=RowUse.ALL)
    return made.with_roles(summary.roles)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"yes": 8, "no": 20}, ()),
        ({"0": 8, "1": 3, "2": 20}, ()),
        ({"yes": 8, "no": 20, "maybe": 1}, ()),
        ({"a": 5, "A": 2, "b": 4, "c": 1}, ()),
        ({"Good": 5, "good": 9, "bad": 4}, (("Good", "good"),)),
        ({"1": 5, "yes": 2, "no": 4, "0": 9}, (("yes", "1"), ("no", "0"))),
        ({"Y": 5, "y": 5, "N": 4, "n": 9}, (("y", "Y"), ("N", "n"))),
    ],
)
def test_only_what_leaves_two_classes_is_taken_together(counts, expected):
    assert spellings_of(counts) == expected


def test_rows_are_counted_together_and_the_spellings_told():
    spellings = (("Yes", "yes"), ("Y", "yes"), ("N", "no"))
    counts = counted_together({"no": 9, "Yes": 1, "Y": 2, "yes": 4, "N": 3}, spellings)
    assert counts == {"no": 12, "yes": 7}
    assert spellings_in_words(spellings) == "'Yes' and 'Y' as 'yes'; 'N' as 'no'"


def test_case_26_five_spellings_are_one_outcome_of_two_classes_and_told():
    table = table_of(SPELLED)
    target = table.summary.target
    assert target is not None
    assert (target.kind, set(target.levels)) == ("binary", {"yes", "no"})
    assert target.event == "yes"
    assert dict(target.spellings)["Y"] == "yes"
    assert dict(target.spellings)["false"] == "no"  # True, TRUE and true are printed alike
    told = " ".join(table.summary.warnings)
    assert "'responded' is written in several ways" in told
    assert "as 'yes'" in told
    assert "Please check" in told
    codes, warnings = data.outcome_codes(table, target)
    assert codes.tolist() == [0] * 20 + [1] * 40
    assert not warnings
    rows, note = data.usable_rows(table, document_of(table))
    assert (len(rows), note.dropped) == (60, ())
    assert from_plain(TargetSpec, to_plain(target)) == target


def test_case_26_a_value_that_nobody_explained_is_refused_and_one_that_was_is_not():
    table = table_of([*SPELLED, "perhaps"])
    document = replace(document_of(table_of(SPELLED)), data=table.data)
    with pytest.raises(PayoffError, match="third value") as refused:
        data.usable_rows(table, document)
    assert "data row 61, value 'perhaps'" in refused.value.where
    target = document.target
    assert target is not None
    said = replace(target, spellings=(*target.spellings, ("perhaps", "no")))
    rows, _ = data.usable_rows(table, replace(document, target=said))
    assert len(rows) == 61
    assert data.outcome_codes(table, said)[0][60] == said.levels.index("no")


def test_case_26_a_leak_is_found_whatever_the_spelling():
    happened = np.array([1.0] * 20 + [0.0] * 40)
    values = [*SPELLED] * 3
    table = data.from_data(
        {"responded": values, "paid": np.tile(happened * 12 + 0.5, 3), "x": np.arange(180) % 7}
    )
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert roles["paid"] is Role.IGNORED
    assert roles["x"] is Role.INPUT


def test_case_26_uplift_counts_every_spelling_of_the_event():
    values = SPELLED * 4
    plain = ["yes" if n % 60 < 20 else "no" for n in range(240)]
    rest = {"treated": [int(n % 60 < 7) for n in range(240)], "s": np.arange(240) % 17 / 17}
    asked = {"outcome": "y", "treatment": "treated", "scores": "s"}
    expected = payoff.uplift({"y": plain, **rest}, **asked).effect().effect
    assert expected > 0.5
    for event in (None, "yes", "TRUE", "Y"):
        found = payoff.uplift({"y": values, **rest}, **asked, event=event)
        assert found.effect().effect == pytest.approx(expected)
    turned = payoff.uplift({"y": values, **rest}, **asked, event="N")
    assert turned.effect().effect == pytest.approx(-expected)


def test_case_26_scripts_take_the_same_spellings():
    columns = {"responded": SPELLED, "p_gbm": np.linspace(0.95, 0.05, 60)}
    found = payoff.evaluate(columns, outcome="responded", scores="p_gbm", metrics=["auc"])
    assert found.value("auc", "p_gbm") == pytest.approx(1.0)
    turned = payoff.evaluate(
        columns, outcome="responded", scores="p_gbm", metrics=["auc"], event="N"
    )
    assert turned.document.target is not None
    assert turned.document.target.event == "no"
