"""Columns of each case: their names in files, their words, and the cells of the list of cases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.presentation.decide.columns import (
    case_list_columns,
    case_text,
    column_name,
    column_words,
    mark_words,
)
from core.presentation.labels import Labels
from core.questions.decide import CasesOneByOne
from tests.helpers.answers import decide as study_answers

LABELS = Labels(
    outcome="responded",
    happened="responds",
    levels=(("1", "responds"), ("0", "does not respond")),
    case="customer",
    cases="customers",
    identity="customer_no",
)
LOSS = replace(LABELS, is_loss=True)
NUMBER = replace(LABELS, levels=())
PAGE = study_answers.cases(CasesOneByOne(model="gbm 2"))


@pytest.mark.parametrize(
    ("letters", "labels", "name"),
    [
        ("EP", LABELS, "EP_responded"),
        ("EP", LOSS, "EL_responded"),
        ("BP", LOSS, "BL_responded"),
        ("ROI", LOSS, "ROI_responded"),
        ("D", Labels(), "D_target"),
    ],
)
def test_a_column_is_named_as_in_the_file(letters: str, labels: Labels, name: str) -> None:
    assert column_name(letters, labels) == name


def test_words_say_profit_or_loss_and_a_number_has_no_classes() -> None:
    assert column_words(LABELS)["EP"] == "expected profit of the decision"
    assert column_words(LOSS)["CP"] == "loss that the decision really brought"
    assert "less than 0 for a loss" in column_words(LOSS)["ROI"]
    assert list(column_words(LABELS)) == ["D", "EP", "CP", "BP", "IC", "ROI", "P", "I", "F", "R"]
    assert list(column_words(NUMBER)) == ["D", "EP", "CP", "BP", "IC", "ROI", "P", "R"]
    assert column_words(NUMBER)["P"] == "the prediction"


def test_the_list_has_the_columns_that_there_is_something_in() -> None:
    keys = [column.key for column in case_list_columns(PAGE, LABELS)]
    assert keys == [
        "id",
        "chance",
        "decision",
        "expected",
        "gap",
        "outcome",
        "computed",
        "best",
        "marks",
    ]
    rows = len(PAGE.ids)
    more = replace(PAGE, roi=np.ones(rows), break_even=np.ones(rows))
    keys = [column.key for column in case_list_columns(more, LABELS)]
    assert keys[-3:] == ["roi", "break_even", "marks"]


def test_heads_explain_themselves_by_the_words_of_the_file() -> None:
    columns = {column.key: column for column in case_list_columns(PAGE, LOSS)}
    assert columns["id"].head == "customer_no"
    assert columns["chance"].help == "Chance of “responds”"
    assert columns["expected"].help == "Expected loss of the decision (EL_responded)"
    assert columns["computed"].help == "Loss that the decision really brought (CL_responded)"


def test_cells_are_in_the_sense_of_the_project() -> None:
    assert case_text(PAGE, 0, "id", LABELS) == PAGE.ids[0]
    assert case_text(PAGE, 0, "chance", LABELS) == "50.00\u00a0%"
    assert case_text(PAGE, 0, "expected", LABELS) == "11.20"
    assert case_text(PAGE, 0, "expected", LOSS) == "−11.20"
    assert case_text(PAGE, 0, "gap", LOSS) == "11.20"  # how far ahead, whatever the sense
    assert case_text(PAGE, 0, "computed", LOSS) == "1.60"
    unknown = replace(PAGE, best=np.full(len(PAGE.ids), np.nan))
    assert case_text(unknown, 0, "best", LABELS) == "–"


def test_marks_are_told_in_words() -> None:
    assert mark_words("PC") == (
        "In no total: its chance is missing or not between 0 and 1, its cost is missing."
    )
    assert mark_words("") == ""
