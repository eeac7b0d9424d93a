"""The view One case: asked for when opened, in words, steps that add up, changes."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from core.presentation.labels import Labels
from core.presentation.models.explain import (
    MOST_STEPS,
    NO_ADVICE,
    case_sentences,
    case_steps,
    change_sentence,
    decision_sentence,
)
from core.questions.explain import OneCase
from gui.pages.explain.widget import ExplainPage
from tests.helpers.answers.models import one_case
from tests.helpers.fake_engine import FakeEngine


def answer(page: ExplainPage, engine: FakeEngine, qtbot: QtBot) -> OneCase:
    requested = engine.last("explain.one_case")
    question = requested.arguments.question
    assert isinstance(question, OneCase)
    with qtbot.waitSignal(page.session.jobs.job_ended, timeout=2000):
        engine.answer(requested.job, one_case(question.row))
    return question


def test_a_case_is_asked_for_when_the_view_opens_and_again_for_another_row(
    page: ExplainPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    assert engine.of_kind("explain.one_case") == []
    page.choose_view("case")
    assert page.stack.currentWidget() is page.case
    assert answer(page, engine, qtbot).row == 0
    assert "14.2\u00a0%" in page.case.panel.sentences[0].text()
    page.chooser.row.setValue(12)
    assert answer(page, engine, qtbot).row == 11
    assert page.case.view is not None
    assert page.case.view.key.endswith("row 12")
    assert len(engine.of_kind("explain.one_case")) == 2
    page.choose_view("model")
    assert page.stack.currentIndex() == 0
    page.choose_view("case")
    assert len(engine.of_kind("explain.one_case")) == 2  # what is known is not asked for again


def test_words_name_what_raised_and_lowered_it_and_what_would_change_the_decision() -> None:
    result = one_case(3)
    words = " ".join(case_sentences(result, Labels()))
    assert "Raised most by orders_12m = 9 (+0.81)" in words
    assert "Lowered most by last_order = 300 (−0.42)" in words
    assert "tenure = missing" in words
    change = result.changes[0]
    assert change_sentence(change, Labels(), is_probability=True) == (
        "orders_12m 3 instead of 9: Skip, at 4.1\u00a0%; 12.0\u00a0% of the cases lie between"
    )
    level = replace(change, passed=math.nan)
    assert "lie between" not in change_sentence(level, Labels(), is_probability=True)
    assert decision_sentence(replace(result, changes=())).startswith("Its decision is “Mail”. No")
    assert decision_sentence(replace(result, decision="", no_decision="None.")) == "None."


def test_codes_stand_beside_the_words_of_the_file() -> None:
    codes = (("orders_12m", (("9", "nine and more"), ("3", "three"))),)
    labels = Labels(codes=codes)
    result = one_case(3)
    assert "orders_12m = nine and more (9) (+0.81)" in " ".join(case_sentences(result, labels))
    change = change_sentence(result.changes[0], labels, is_probability=True)
    assert change.startswith("orders_12m three (3) instead of nine and more (9): Skip")
    assert any(step.name == "orders_12m = nine and more (9)" for step in case_steps(result, labels))


def test_steps_lead_from_base_to_score_with_small_ones_summed_up() -> None:
    result = one_case(3)
    steps = case_steps(result, Labels())
    assert (steps[0].end, steps[-1].end) == (result.base, result.score)
    assert steps[-2].end == pytest.approx(result.score)
    many = tuple(replace(result.parts[0], column=f"x{i}", amount=0.01) for i in range(40))
    long = case_steps(replace(result, parts=many, score=result.base + 0.4), Labels())
    assert len(long) == MOST_STEPS + 2
    assert long[-2].name == "29 others"
    assert long[-2].end == pytest.approx(result.base + 0.4)


def test_a_case_without_a_decision_says_why(
    page: ExplainPage, engine: FakeEngine, qtbot: QtBot
) -> None:
    page.choose_view("case")
    requested = engine.last("explain.one_case")
    bare = replace(one_case(0), decision="", no_decision="No decisions are set up.", changes=())
    with qtbot.waitSignal(page.session.jobs.job_ended, timeout=2000):
        engine.answer(requested.job, bare)
    assert page.case.view is not None
    assert page.case.view.sentences[page.case.view.strong] == "No decisions are set up."
    assert page.case.panel.notes.text() != NO_ADVICE


@pytest.mark.parametrize(
    ("tried", "words"), [(10_000, "from all 10,000 rows,"), (5_000, "from 5,000 rows drawn,")]
)
def test_nothing_found_names_what_was_tried(tried, words) -> None:
    """A draw of the rows was tried, not every value that the data hold."""
    result = replace(one_case(3), changes=(), tried_rows=tried)
    described = decision_sentence(result)
    assert described.startswith(
        "Its decision is “Mail”. None of the values tried for one input alone, "
    )
    assert words in described
