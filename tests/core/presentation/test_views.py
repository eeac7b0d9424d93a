"""Views of answers without a window: what is said, drawn and read as a table."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.document.studies.decided_cases import SwapSide
from core.presentation.charts.reading import area_words, chart_csv, chart_numbers, place_words
from core.presentation.charts.svg import chart_svg
from core.presentation.decide.swap import side_names, swaps
from core.presentation.decide.views import capacity, winners
from core.presentation.making_views import entry_key, question_of_entry, show
from core.presentation.models.explain import one_case
from core.presentation.report.keeping import pack_views, unpack_views
from core.presentation.report.page import entry_html
from core.questions.decide import Capacity, Swap, Totals
from core.questions.explain import OneCase
from tests.helpers.answers import decide as study_answers
from tests.helpers.answers.models import one_case as case_answer
from tests.helpers.answers.views import LABELS, SWAP, VIEWS, winner_answer


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


# ---------------------------------------------------------------- capacity


@pytest.mark.parametrize(
    ("asked", "title", "limits", "price", "axis"),
    [
        (
            Capacity(most_actions=2100.0),
            "Best total profit within it, gbm 2",
            "at most 2,100 customers mailed",
            "One more customer mailed would earn € 1.53",
            "customers mailed at the most",
        ),
        (
            Capacity(most_money=3360.0, price=1.6),
            "Best total profit within it, gbm 2",
            "at most € 3,360 spent",
            "One more € 1 would earn",
            "€ to spend",
        ),
        (
            Capacity(),
            "Best total profit within it, gbm 2",
            "without a limit",
            "The limit does not bind",
            "customers mailed at the most",
        ),
    ],
)
def test_capacity_says_limits_price_and_use(asked, title, limits, price, axis):
    view = capacity(study_answers.capacity(asked), LABELS)
    assert (view.title, plain(view.subtitle)) == (title, limits)
    assert plain(view.sentences[0]).startswith(price)
    (chart,) = view.charts
    assert chart.x_axis.label == axis
    names = [line.name for line in chart.series]
    assert names == ["gbm 2", "logit", "agency", "gbm 2, promised"]


def test_a_place_of_the_capacity_chart_is_read_with_its_price():
    (chart,) = capacity(study_answers.capacity(Capacity(most_actions=2100.0)), LABELS).charts
    assert chart.rests_at == 2100.0
    assert (
        plain(place_words(chart, 2100.0)) == "2,100 customers, one more: € 1.53"
    )  # as the sentence beside it


def test_a_loss_is_said_as_a_loss():
    view = capacity(
        study_answers.capacity(Capacity(most_actions=2100.0)), replace(LABELS, is_loss=True)
    )
    assert view.title == "Least total loss within it, gbm 2"
    assert view.charts[0].title == "What can the best decisions lose?"


def test_several_actions_are_no_depth_of_one():
    answer = study_answers.capacity(Capacity(most_actions=2100.0))
    (action,) = capacity(answer, LABELS).actions
    assert (action.name, action.is_possible) == ("move_cursor", True)
    assert action.value == pytest.approx(0.105)
    (action,) = capacity(replace(answer, acting=("Mail", "Call")), LABELS).actions
    assert not action.is_possible


# ---------------------------------------------------------------- winner map


def test_winners_are_named_in_the_projects_words():
    view = winners(winner_answer(), LABELS)
    assert plain(view.sentences[0]) == "Now: gbm 2, € 1,234"
    assert view.notes == ("Exact for all 3,000 rows.",)
    (table,) = view.tables
    rows = [tuple(map(plain, row)) for row in table.texts()]
    assert rows == [
        ("gbm 2", "33.3 %"),
        ("logit", "8.3 %"),
        ("mailing all", "25.0 %"),
        ("doing nothing", "33.3 %"),
    ]
    assert [cell.series for cell, _ in table.cells()] == [0, 1, None, None]


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"is_exact": False, "checked": 40, "missed": 1}, "From all 3,000 rows. Between points"),
        ({"is_exact": False, "cases": 500, "error": 2.5}, "From 500 of 3,000 rows, drawn evenly"),
        ({"warnings": ("Ties.", "More.")}, "Exact for all 3,000 rows. Ties."),
    ],
)
def test_the_note_says_how_exact_the_map_is(changes, note):
    assert winners(winner_answer(**changes), LABELS).notes[0].startswith(note)


def test_a_point_of_the_map_is_read_and_the_map_is_a_table():
    (chart,) = winners(winner_answer(), LABELS).charts
    words = plain(area_words(chart, 2, 1))
    assert words == (
        "Mail, responds € 20.00, share of responders 20.00 %:\ngbm 2, € 600\n€ 6.00 ahead of logit"
    )
    header, rows = chart_numbers(chart)
    assert header[0] == "winner"
    assert len(rows) == 12
    assert rows[6] == ("gbm 2", "20.0", "0.2", "600.0", "6.0", "logit")
    assert chart_csv(chart).count("\n") >= 12


# ---------------------------------------------------------------- one case


def test_a_case_says_what_raised_it_and_what_would_change_it():
    view = one_case(case_answer(11), LABELS)
    assert view.key == f"{case_answer(11).model}, row 12"
    assert view.sentences[view.strong].startswith("Its decision is “Mail”.")
    (chart,) = view.charts
    assert chart.steps[0].is_total
    assert chart.steps[-1].end == case_answer(11).score
    header, rows = chart_numbers(chart)
    assert header == ("step", "from", "to", "words")
    assert len(rows) == len(chart.steps)


def test_negative_values_of_a_case_have_the_sign_of_the_amounts_beside_them():
    answer = case_answer(11)
    part = replace(answer.parts[0], column="age", value="-2.16")
    code = replace(answer.parts[1], column="code", value="-A7")
    (chart,) = one_case(replace(answer, parts=(part, code)), LABELS).charts
    assert [step.name for step in chart.steps[1:3]] == ["age = −2.16", "code = -A7"]


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-6, 0.0])
def test_parts_of_a_case_are_never_all_shown_as_nothing(scale):
    answer = case_answer(11)
    parts = tuple(replace(part, amount=scale * part.amount) for part in answer.parts)
    (chart,) = one_case(replace(answer, parts=parts), LABELS).charts
    words = [step.words.strip("+−") for step in chart.steps if not step.is_total]
    largest = max(words, key=float)
    assert (float(largest) > 0.0) is (scale > 0.0)
    assert len(largest.lstrip("0.")) >= 2 * (scale > 0.0)
    assert len({len(word.partition(".")[2]) for word in words}) == 1  # one grid of decimals


# ---------------------------------------------------------------- swap set


def test_a_swap_names_four_groups_and_what_moving_is_worth():
    view = swaps(study_answers.swap(SWAP), LABELS)
    described = plain(view.sentences[0])
    assert "customers are mailed by gbm 2 only, 1,500 by logit only" in described
    assert "gbm 2 earns € 1,638 more (938 to 2,338, p < 0.001)" in described
    (chart,), (table,) = view.charts, view.tables
    assert [tile.name for tile in chart.tiles] == [
        "both",
        "only gbm 2",
        "only logit",
        "neither",
    ]
    assert chart_numbers(chart)[1][1][1] == "1,000"
    assert table.texts()[-1][0] == "all customers"
    narrow = table.without_spare()
    assert len(narrow.columns) == len(table.columns) - 1 == len(narrow.help)
    assert table.columns[2] not in narrow.columns
    assert table.columns[3:5] == ("gbm 2, €", "logit, €")


def test_two_depths_of_one_model_are_told_apart_by_their_depths():
    deep = Swap(first=SwapSide(model="gbm 2"), second=SwapSide(model="gbm 2", depth=0.3))
    names = side_names(study_answers.swap(deep))
    assert names == ("gbm 2 at its rule", "gbm 2, best 30.0%")


def test_names_of_models_and_ids_of_cases_are_spelled_as_they_are():
    assert swaps(study_answers.swap(SWAP), LABELS).title.startswith("gbm 2")
    view = one_case(replace(case_answer(3), name="k100x"), LABELS)
    assert view.title.startswith("k100x, ")
    assert view.sentences[0].startswith("k100x: ")


def test_a_smaller_loss_is_a_gain_and_written_as_less():
    view = swaps(study_answers.swap(SWAP), replace(LABELS, is_loss=True))
    only_first = view.tables[0].rows[1]
    first, second, difference = only_first[3:6]
    assert (first.text, second.text) == ("−594", "0")
    assert (plain(difference.text), difference.role) == ("−594", "gain")


# ---------------------------------------------------------------- every view


@pytest.mark.parametrize("kind", VIEWS)
def test_a_view_comes_back_from_the_project_file_as_it_was(kind):
    view = VIEWS[kind]()
    (back,) = unpack_views(json.loads(json.dumps(pack_views((view,)))))
    assert back.sentences == view.sentences
    described, kept = (entry_html(shown).text.split("<details>")[0] for shown in (view, back))
    assert kept == described


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("lines", ("<polyline", "<polygon", ">gbm 2, promised</text>", ">customers mailed")),
        ("regions", ("data:image/png;base64,", ">doing nothing</text>", "<circle")),
        ("steps", ("<rect", ">nothing known</text>", ">this case</text>")),
        ("tiles", ("<rect", ">only gbm 2</text>", ">logit: mailed</text>", ">1,000</text>")),
        ("shades", ("data:image/png;base64,", ">north</text>", ">40.0")),
        ("bars", ("<rect", ">evaluation error of a run</text>", ">no information 0.0800 →</text>")),
        ("names", ("<path", ">out of bag</text>", "<polyline")),
        ("line over shades", ("data:image/png;base64,", "<polyline", ">baseline nu</text>")),
    ],
)
def test_every_kind_of_chart_is_drawn_for_a_page(kind, parts):
    (chart,) = VIEWS[kind]().charts
    picture = chart_svg(chart).text
    assert picture.startswith("<svg")
    for part in parts:
        assert part in picture
    assert "nan" not in picture


def test_a_view_knows_the_question_that_it_answers():
    question = Capacity(most_actions=500.0)
    view = show(question, study_answers.capacity(question), LABELS)
    assert view.key == entry_key(Capacity) == "decide/capacity"
    assert question_of_entry(view.key, view) == question
    assert question_of_entry("decide/capacity", None) == Capacity()
    case = OneCase(model="gbm 1", row=11)
    view = show(case, case_answer(11), LABELS)
    assert view.key.startswith("explain/one_case ")
    assert question_of_entry(view.key, view) == case
    assert question_of_entry(view.key, None) is None  # which case it was, nothing says
    assert question_of_entry("decide/totals", None) is None
    assert Totals.facts.view == ""
