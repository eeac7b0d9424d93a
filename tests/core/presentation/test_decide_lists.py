"""What is shown of lists of decisions: kept out, expected, brought along by a file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.data.results import RowsPage
from core.document.decisions.matrix_model import CostSpec
from core.document.results import Advice, Estimate
from core.document.studies.decision_files import ListResult
from core.presentation.decide.lists import (
    applied,
    applied_lines,
    decisions_in_file,
    expected_list,
    kept_out,
)
from core.presentation.labels import Labels, four_digits, setting_words
from core.questions.decide import HoldOutPlan
from tests.helpers.answers import decide as study_answers
from tests.helpers.answers.decide import applied as applied_answer
from tests.helpers.answers.synthetic import make_document

LABELS = Labels(happened="responds", case="customer", cases="customers", acting="Mail")
LOSS = replace(LABELS, is_loss=True)


def plain(texts):
    return [text.replace("\u00a0", " ") for text in texts]


@pytest.mark.parametrize(
    ("share", "labels", "cost", "effect"),
    [
        (
            0.1,
            LABELS,
            "427 of 4,268 chosen customers are kept out: € 1,119 of expected profit forgone.",
            "the smallest effect this could show is 5.14 percentage points (power 80 %, two-sided",
        ),
        (0.1, LOSS, "€ 1,119 of expected loss not saved.", "With 17.3 % “responds” expected"),
        (0.01, LABELS, "43 of 4,268", "too few to show any effect on “responds”"),
    ],
)
def test_a_hold_out_costs_and_can_show(share, labels, cost, effect):
    answer = study_answers.hold_out(HoldOutPlan(model="gbm 2", share=share))
    first, second = plain(kept_out(answer, labels).sentences)
    assert cost in first
    assert effect in second


def test_a_list_is_expected_to_bring():
    answer = ListResult(
        cases=50_000,
        total=Estimate(value=61_000.0, low=60_000.0, high=62_000.0, holds_fixed="if 5 % respond"),
        counts=(("Mail", Estimate(value=10_000.0, low=9_500.0, high=10_500.0)),),
        source="validation rows",
        rule="By its rule.",
        warnings=("Few rows.",),
    )
    total, mailed, scaled = plain(expected_list(answer, LABELS).sentences)
    described = "€ 61,000 (60,000 to 62,000, 95 % if 5 % respond)"
    assert total == f"Expected total profit of 50,000 customers: {described}"
    assert mailed == "Expected Mail: 10,000 (20.0 %), 9,500 to 10,500"
    assert scaled == "Scaled from validation rows; it holds for cases like them. By its rule."
    assert expected_list(answer, LABELS).notes == ("Few rows.",)
    lost = plain(expected_list(answer, LOSS).sentences)[0]
    assert "total loss of 50,000 customers: −€ 61,000 (−62,000 to −60,000" in lost


def test_columns_rows_and_the_cause_of_a_difference():
    view = decisions_in_file(study_answers.DIFFERENT, LABELS)
    assert (view.state, view.title) == ("warning", "Decisions in the file against gbm 2")
    first, cause = view.sentences
    assert "10 of 1,000 rows differ" in first
    assert "corrected twice" in cause
    assert "That explains every row." in cause
    columns, rows = view.tables
    assert [row[2].text for row in columns.cells()] == ["10", "0"]
    (row,) = rows.cells()
    assert [cell.text for cell in row] == ["7", "D_respond", "“Ignore”", "“Mail”"]
    assert row[0].exact == "line 8"


def test_files_that_agree_have_no_rows_to_show():
    agreed = replace(
        study_answers.DIFFERENT, different=0, columns=study_answers.DIFFERENT.columns[1:], causes=()
    )
    view = decisions_in_file(agreed, LABELS)
    assert view.state == "ok"
    assert "All 1,000 rows agree in EP_respond" in view.sentences[0]
    assert len(view.tables) == 1


# ---------------------------------------------------------------- the rule on another file


def test_what_was_checked_of_a_file_is_said_line_by_line():
    answer = replace(
        applied_answer(realised=1600.0), checks=(Advice(state="error", text="Other people."),)
    )
    document = make_document()
    matrix = replace(document.matrix, costs=(CostSpec(column="postage"), CostSpec()))
    lines = applied_lines(answer, replace(document, matrix=matrix), "gbm 2")
    assert [(line.state, line.text) for line in lines] == [
        ("ok", "All columns that the rule reads are there: p_gbm and postage."),
        ("ok", "Classes as in this project: responds and does not respond."),
        ("ok", "3,000 customers."),
        ("ok", "The outcome is known there too."),
        ("error", "Other people."),
        ("warning", "2 rows have no chance of gbm 2: they are not decided."),
    ]


def test_totals_elsewhere_are_named_as_expected_or_realised():
    totals, first = applied(applied_answer(realised=-1600.0), LABELS).tables
    assert [tuple(plain(row)) for row in totals.texts()] == [
        ("Expected total profit, from the chances", "€ 1,750"),
        ("Realised total profit, from the outcome", "−€ 1,600"),
        ("Mail", "620 (20.7 %)"),
        ("Do nothing", "2,380 (79.3 %)"),
    ]
    assert first.columns == ("customer", "D_respond", "EP_respond")
    assert first.texts()[0] == ("1", "Mail", "3.20")
    lost = applied(applied_answer(), LOSS).tables[0].texts()
    assert plain(lost[0]) == ["Expected total loss, from the chances", "−€ 1,750"]
    assert len(lost) == 3  # without an outcome nothing is realised


def test_a_preview_reads_chances_as_shares():
    answer = replace(
        applied_answer(),
        preview=RowsPage(start=0, rows=(("1", "0.0625", "Mail", ""),)),
        preview_columns=("customer", "P_respond1", "D_respond", "EP_respond"),
    )
    assert plain(applied(answer, LABELS).tables[1].texts()[0]) == ["1", "6.25 %", "Mail", ""]
    bare = applied(replace(answer, preview=RowsPage(start=0, rows=())), LABELS)
    assert len(bare.tables) == 1


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (-0.5, "−0.5"),
        (-0.00032714, "−0.0003271"),
        (1_234_567.8, "1,234,568"),
        (-2e6, "−2,000,000"),
        (0.001, "0.001"),
    ],
)
def test_numbers_of_any_size_are_written_as_people_write_them(number, words):
    assert (four_digits(number), four_digits(number).numbers) == (words, (number,))


@pytest.mark.parametrize(
    ("number", "words"),
    [(-0.001, "−€~0.001"), (24.0, "€~24.00"), (2.5e6, "€~2,500,000"), (0.0, "€~0.00")],
)
def test_numbers_of_the_matrix_in_sentences_are_no_others(number, words):
    assert setting_words(number, "", "€") == words.replace("~", "\u00a0")
