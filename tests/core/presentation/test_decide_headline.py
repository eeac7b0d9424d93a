"""The big number of page Decide: what it says, and its entry of the report."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.model import ChartMode
from core.presentation.decide.headline import headline_of
from core.presentation.decide.profit import profit_cursor
from core.presentation.decide.tables import figures_view, with_short_heads
from core.presentation.labels import Labels
from tests.helpers.answers.synthetic import make_decisions, make_document, make_reading

AGENCY = "logistic regression of the agency"


def said(document=None, result=None, depth=0.213):
    made = headline_of(
        document or make_document(), result or make_decisions(), depth, make_reading(depth), None
    )
    assert made is not None
    return made


def plain(text):
    return text.replace("\u00a0", " ")


def test_the_title_holds_the_depth_in_its_middle():
    assert [plain(part) for part in said().title] == [
        "Total profit, best ",
        "21.3 %",
        " mailed, gbm 2",
    ]
    firm = said(replace(make_document(), chart_mode=ChartMode.FIRM))
    assert plain("".join(firm.title)).startswith("Total profit of the best 21.3 %, each its own")
    loss = said(result=replace(make_decisions(), kind="loss"))
    assert loss.title[0] == "Total loss, best "
    assert loss.comparisons[0].title == "Less loss than doing nothing"


def test_the_entry_of_the_report_says_all_of_the_card():
    view = said().view("", "Mail above 6 %.")
    assert view.key == "decide/total"
    assert plain(view.title) == "Total profit, best 21.3 % mailed, gbm 2"
    assert view.figure.startswith("€")
    lines = [plain(line) for line in view.sentences]
    assert lines[1].startswith("per 1,000 customers: €")
    assert lines[2].startswith("Against doing nothing: ▲ +€ ")
    assert lines[3].endswith("mailing all loses € 6,400")
    assert lines[4].startswith("Against logit, same depth: ")
    assert lines[-1] == "Mail above 6 %."
    assert said().view("It is void.", "").sentences[0] == "It is void."


def test_one_model_has_no_rival():
    result = make_decisions()
    alone = said(result=replace(result, models=result.models[:1]))
    assert len(alone.comparisons) == 2
    assert headline_of(make_document(), replace(result, models=()), 0.2, None, None) is None


@pytest.mark.parametrize(("low", "high", "mark"), [(-5.0, 9.0, "≈ +"), (1.0, 9.0, "▲ +")])
def test_an_interval_that_holds_nothing_is_marked(low, high, mark):
    first = said().comparisons[0]
    shown = replace(first, against=replace(first.against, value=4.0, low=low, high=high))
    assert f": {mark}€" in shown.line("€")
    assert shown.is_certain == (low > 0)


def test_amounts_of_the_card_have_the_same_digits():
    made = make_decisions()
    models = tuple(
        replace(entry, profit=0.004 * entry.profit, low=0.004 * entry.low, high=0.004 * entry.high)
        for entry in made.models
    )
    shown = headline_of(make_document(), replace(made, models=models), 0.213, None, None)
    assert shown is not None
    lines = [plain(entry.line("€")).split(": ")[1].split(", ")[0] for entry in shown.comparisons]
    assert 1.0 < shown.estimate.value < 100.0  # alone it would have cents
    assert "." not in shown.figure
    assert shown.decimals == 0
    assert not any("." in line for line in lines)


def test_a_rival_of_several_words_is_quoted():
    made = make_decisions()
    models = tuple(replace(entry, model=f"with {entry.model} scores") for entry in made.models)
    shown = headline_of(make_document(), replace(made, models=models), 0.213, None, None)
    assert shown is not None
    assert shown.comparisons[-1].title == "Against “with logit scores”, same depth"


@pytest.mark.parametrize(("advantage", "shown"), [(0.055, "0.055"), (12.3, "12.30")])
def test_the_advantage_has_the_same_digits_in_chart_and_table(advantage, shown):
    document, result = make_document(), make_decisions()
    models = tuple(
        replace(entry, threshold=entry.threshold * 0.0 + advantage) for entry in result.models
    )
    result = replace(result, models=models, threshold_kind="advantage")
    cursor = profit_cursor(result, Labels.of(document, result), 0.2, is_long=True)
    assert cursor is not None
    assert plain(cursor.note) == f"advantage above € {shown}"
    view = figures_view(document, result, 0.2, None, None, is_by_rule=False, is_narrow=True)
    assert view is not None
    assert str(view.tables[1].rows[0][1].text) == shown


def test_a_long_name_of_a_model_is_short_only_where_there_is_no_room():
    """On paper and in wide windows there is."""
    name = "Scorecard of the agency 2026, retrained in the spring"
    found, document = make_decisions(), make_document()

    def renamed(entries, field):
        return tuple(
            replace(e, **{field: name}) if getattr(e, field) == "gbm 2" else e for e in entries
        )

    result = replace(found, models=renamed(found.models, "model"))
    document = replace(document, models=renamed(document.models, "name"), reference_model=name)
    shown = headline_of(document, result, 0.2, None, None)
    assert shown is not None
    assert "".join(shown.title).endswith(f" mailed, {name}")
    view = figures_view(document, result, 0.2, None, None, is_by_rule=False)
    assert view.tables[1].columns[-1] == f"To {name}"
    own, models = with_short_heads(document, result, view.tables)
    assert own.columns[0] == "Scorecard of the agency…"
    assert models.columns[-1] == "To Scorecard o…"
    assert models.rows[0][0].text == name


@pytest.mark.parametrize(
    ("own", "rival", "shown"),
    [
        ("gbm", "logistic regression of the agency, last winter", f"{AGENCY}, last…"),
        ("gbm", AGENCY, ""),
        (f"{AGENCY}, last winter", f"{AGENCY}, last summer", ""),
    ],
)
def test_a_long_name_of_a_rival_is_short_where_it_tells_it_from_the_model(own, rival, shown):
    result, document = make_decisions(), make_document()
    names = {"gbm 2": own, "logit": rival}
    models = tuple(replace(e, model=names.get(e.model, e.model)) for e in result.models)
    known = tuple(replace(e, name=names.get(e.name, e.name)) for e in document.models)
    made = said(
        replace(document, models=known, reference_model=own), replace(result, models=models[:2])
    )
    assert made.comparisons[-1].title == f"Against “{shown or rival}”, same depth"
