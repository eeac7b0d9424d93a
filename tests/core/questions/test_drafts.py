"""Forms of questions without a window: what a field holds, offers and refuses, and what follows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.model import Role
from core.questions.compare import DetectableDifference
from core.questions.decide import Capacity, GoalSeek
from core.questions.draft import QuestionDraft
from core.questions.fields import FieldKind, FormContext
from core.questions.question import question_fields, questions
from core.questions.suggestions import columns_that_group
from tests.helpers.answers.synthetic import make_decisions, make_document, make_evaluation
from tests.helpers.factories.loaded_file import loaded_document, make_summary

LIMITS = ("most_actions", "most_money", "price")
POWER = ("metric", "model", "level", "power", "difference")


@pytest.fixture
def context():
    return FormContext(
        document=make_document(),
        totals=make_decisions(),
        metrics=make_evaluation().metrics,
        done="mailed",
    )


def by_name(draft, context):
    return {field.name: field for field in draft.fields(context)}


# ------------------------------------------------------------ suggestions


def test_a_limit_begins_with_half_of_the_rule_and_its_box_is_on(context):
    found = by_name(QuestionDraft(Capacity, LIMITS), context)
    assert found["most_actions"].label == "Customers mailed at most"
    assert found["most_actions"].kind is FieldKind.WHOLE
    assert found["most_actions"].value == 2100.0  # of 4,268
    assert found["most_money"].label == "Money spent at most, €"
    assert (found["most_money"].value, found["most_money"].shown) == (None, 3300.0)
    assert found["most_money"].has_box


def test_a_suggestion_holds_until_something_is_said_or_other_data_come(context):
    draft = QuestionDraft(Capacity, LIMITS)
    assert draft.question(context).most_actions == 2100.0
    counts = [replace(entry, counts=2.0 * entry.counts) for entry in context.totals.models]
    other = replace(context, totals=replace(context.totals, models=tuple(counts)))
    assert draft.question(other).most_actions == 2100.0
    draft.forget()
    assert draft.question(other).most_actions == 4100.0
    draft.say("most_actions", 0.0)
    assert draft.question(other).most_actions == 0.0  # a limit of nothing is a limit


def test_what_is_measured_by_the_totals_is_suggested_anew_with_others(context):
    """The goal stayed a tenth above totals of other numbers, or of another model."""
    draft = QuestionDraft(GoalSeek, ("total",))
    first = draft.question(context).total
    other = replace(context.document, reference_model=context.totals.models[1].model)
    assert draft.question(replace(context, document=other)).total != first
    assert draft.question(replace(context, totals=None)).total != first  # kept while none is there
    draft.say("total", 7.0)
    assert draft.question(context).total == 7.0


def test_groups_are_offered_by_columns_of_few_values_first():
    document = loaded_document()
    columns = tuple(
        replace(c, distinct=4 if c.name == "use" else 400) for c in make_summary().columns
    )
    context = FormContext(document=document, summary=replace(make_summary(), columns=columns))
    inputs = tuple(replace(r, role=Role.INPUT) for r in document.roles)
    (first, *rest) = columns_that_group(replace(context, document=document.with_roles(inputs)))
    assert first.value == "use"
    assert [option.value for option in rest] == [c.name for c in columns if c.name != "use"]


def test_a_box_that_is_off_asks_for_nothing_and_keeps_the_number(context):
    draft = QuestionDraft(Capacity, LIMITS)
    draft.say("most_actions", 300)
    draft.say("most_actions", None)
    assert draft.question(context).most_actions is None
    assert by_name(draft, context)["most_actions"].shown == 300


def test_what_an_answer_assumed_is_shown_and_asked_only_once_it_was_said(context):
    draft = QuestionDraft(Capacity, LIMITS)
    assert not by_name(draft, context)["price"].is_offered
    draft.assume("price", 0.8, "the cost of the project")
    price = by_name(draft, context)["price"]
    assert (price.is_offered, price.shown, price.help) == (True, 0.8, "the cost of the project")
    assert draft.question(context).price is None
    draft.say("price", 2.0)
    assert draft.question(context).price == 2.0
    draft.assume("price", None)
    assert draft.question(context).price is None  # every action has a price of its own


# ------------------------------------------------------------ one field follows another


def test_a_difference_is_in_the_unit_of_its_figure_and_goes_with_it(context):
    draft = QuestionDraft(DetectableDifference, POWER)
    assert by_name(draft, context)["difference"].label == "To find, €"  # of all: of the first
    draft.say("difference", 500.0)
    assert draft.question(context).difference == 500.0
    plain = next(info.metric for info in context.metrics if not info.unit)
    draft.say("metric", plain)
    assert by_name(draft, context)["difference"].label == "To find"
    assert draft.question(context).difference is None
    shares = tuple(replace(info, unit="percent") for info in context.metrics)
    found = by_name(draft, replace(context, metrics=shares))["difference"]
    assert (found.label, found.factor) == ("To find, points", 100.0)


def test_a_choice_that_is_gone_gives_way_to_the_first(context):
    draft = QuestionDraft(DetectableDifference, POWER)
    draft.say("model", "logit")
    assert draft.question(context).model == "logit"
    left = tuple(entry for entry in context.document.models if entry.name != "logit")
    fewer = replace(context, document=replace(context.document, models=left))
    assert draft.question(fewer).model is None
    words = [option.words for option in by_name(draft, fewer)["model"].options]
    assert words == ["every pair", *(entry.name for entry in left)]


def test_without_a_matrix_no_figure_is_in_money(context):
    plain = replace(context, document=replace(context.document, matrix=None))
    found = by_name(QuestionDraft(DetectableDifference, POWER), plain)
    assert "Total profit" not in [option.words for option in found["metric"].options]
    assert found["difference"].label == "To find"


# ------------------------------------------------------------ all questions


@pytest.mark.parametrize("key", questions())
def test_every_field_can_be_shown_by_a_form(key, context):
    """Whatever a project has or lacks, each field has a label, and its default is in its range."""
    record = questions()[key]
    names = [name for name, *_ in question_fields(record)]
    for place in (context, FormContext()):
        for field in QuestionDraft(record, names).fields(place):
            assert field.label, field.name
            assert "{" not in field.label, field.name
            if isinstance(field.value, int | float) and field.kind is not FieldKind.YES:
                assert field.lowest <= field.value <= field.highest, field.name


def test_help_and_documents_say_unit_range_and_choices():
    words = {name: entry.words() for name, _, _, entry in question_fields(DetectableDifference)}
    assert words["power"].startswith("Power (share, usually 0.5 to 0.999, how often a test finds")
    assert (
        words["difference"]
        == "To find (0 or more, a difference to plan for, left out: as observed)"
    )
    words = {name: entry.words() for name, _, _, entry in question_fields(Capacity)}
    assert words["price"] == "One case acted on costs (money, 0 or more)"
