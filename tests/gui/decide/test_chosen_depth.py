"""Where the peak of the same rows is the answer, the cross-fitted figure stands large."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.document.data.model import RowUse
from core.document.decisions.chosen_depth import (
    chosen_for,
    estimate_at,
    is_chosen_here,
    worth_at,
)
from core.document.files.project import Headline
from core.document.results import Estimate
from core.presentation.compare.metrics import profit_column
from core.presentation.decide import figures
from core.presentation.decide.headline import interval_words
from core.presentation.labels import Labels
from gui.pages.decide.headline import BLOCK, MAIN, HeadlineCard
from gui.pages.home.cards import amount_words, headline_words
from gui.session.headline import headline_of
from tests.helpers.answers.synthetic import make_decisions, make_document, make_reading
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv

READ = Estimate(value=69.0, low=-10.0, high=148.0)
HONEST = Estimate(value=12.0, low=-70.0, high=94.0, holds_fixed="if 5.0 % respond")
UNKNOWN = Estimate(value=math.nan, low=math.nan, high=math.nan)


def profit(**changes):
    known = {"best_depth": 0.66, "rule_depth": 0.2, "best_profit_crossfitted": HONEST}
    return replace(make_decisions().models[0], **(known | changes))


@pytest.mark.parametrize(
    ("changes", "depth", "value", "flattered"),
    [
        ({}, 0.66, 12.0, 69.0),  # the peak of these rows
        ({}, 0.65, 69.0, None),  # a depth the user put there
        ({"rule_depth": 0.66}, 0.66, 69.0, None),  # the rule chose it, not these rows
        ({"rule_depth": math.nan, "has_probabilities": False}, 0.66, 12.0, 69.0),  # only ranks
        ({"best_depth": 0.0}, 0.0, 69.0, None),  # nobody: nothing to flatter
        ({"best_depth": 1.0}, 1.0, 12.0, 69.0),  # everybody, where the rule says less
        ({"best_depth": math.nan}, 0.66, 69.0, None),  # no profits at all
        ({"best_profit_crossfitted": UNKNOWN}, 0.66, 69.0, None),
    ],
)
def test_the_rule(changes, depth, value, flattered):
    found = worth_at(profit(**changes), depth, READ)
    assert found.estimate.value == value
    assert (found.flattered.value if found.flattered else None) == flattered
    assert found.is_crossfitted == (flattered is not None)
    assert found.less(10.0).value == value - 10.0


@pytest.mark.parametrize(
    ("is_loss", "words"),
    [
        (False, "−70 to 94, 95 % if 5.0 % respond; € 69 on the rows that chose this depth"),
        (True, "−94 to 70, 95 % if 5.0 % respond; −€ 69 on the rows that chose this depth"),
    ],
)
def test_the_interval_is_that_of_the_figure(is_loss, words):
    described = replace(Labels.of(make_document()), is_loss=is_loss)
    text = interval_words(worth_at(profit(), 0.66, READ), described, "if 1.0 % respond", 0)
    assert text.replace("\u00a0", " ").startswith(words)


def decisions_at_the_peak():
    """Totals whose peak, chosen on these rows, promises 5 times what it keeps."""
    result = make_decisions()
    models = []
    for entry in result.models:
        kept = entry.best_profit / 5
        honest = Estimate(value=kept, low=kept - 900.0, high=kept + 900.0)
        models.append(replace(entry, best_profit_crossfitted=honest))
    return replace(result, models=tuple(models))


def test_headline_and_home_say_the_cross_fitted_figure(qtbot):
    result = decisions_at_the_peak()
    first = result.models[0]
    document, depth = make_document(), first.best_depth
    assert is_chosen_here(first, depth)
    kept = first.best_profit_crossfitted.value

    card = HeadlineCard()
    qtbot.addWidget(card)
    card.show_result(document, result, depth, make_reading(depth), None)
    described = Labels.of(document, result)
    assert card.number.text() == described.money(kept)
    assert "cross-fitted" in card.title.text()
    against = card.blocks[1].amount.accessibleName()
    assert against == described.money(kept - result.act_on_all, sign=True)

    head = headline_of(document, result, depth)
    chosen = next(entry for entry in result.models if entry.model == head.best_model)
    assert head.is_crossfitted == is_chosen_here(chosen, depth)
    alone = headline_of(document, replace(result, models=result.models[:1]), depth)
    assert (alone.profit, alone.is_crossfitted) == (pytest.approx(kept), True)


def test_a_long_name_is_whole_in_the_title_where_the_card_is_wide(qtbot):
    name = "Scorecard of the agency 2026, retrained in the spring"
    result, document = make_decisions(), make_document()
    models = tuple(replace(e, model=name if e.model == "gbm 2" else e.model) for e in result.models)
    known = tuple(replace(e, name=name if e.name == "gbm 2" else e.name) for e in document.models)
    card = HeadlineCard()
    qtbot.addWidget(card)
    card.resize(2400, 120)
    card.show_result(
        replace(document, models=known, reference_model=name),
        replace(result, models=models),
        0.2,
        None,
        None,
    )
    assert name in card.title.text()
    for width in (1300, 900, 640):  # its column does not take the room of the others
        card.resize(width, 120)
        qtbot.waitUntil(lambda: name not in card.title.text())
        assert "mailed" in card.title.text()
        assert card.title.natural_width() < width * MAIN / (MAIN + 3 * BLOCK)


def test_a_column_of_all_models_holds_one_kind_of_figure():
    """The first model's was the cross-fitted one, beside plain ones and their differences."""
    result, look = decisions_at_the_peak(), Labels.of(make_document(), make_decisions())
    depth = result.models[0].best_depth
    cells = profit_column(result, look, depth, None).cells
    read = [estimate_at(entry, depth).value for entry in result.models]
    assert [cell.estimate.value for cell in cells] == pytest.approx(read)
    kept = f"{result.models[0].best_profit_crossfitted.value:,.0f}"
    assert f"chose this depth for it, which flatters; cross-fitted {kept}" in cells[0].words
    assert "flatters" not in cells[1].words


def test_the_model_for_which_these_rows_chose_a_depth():
    first = profit()
    second = replace(first, model="logit", best_depth=0.4)
    models = (first.model, "logit")
    assert chosen_for((first, second), 0.66, models) == first.model
    assert chosen_for((first, second), 0.4, models) == "logit"
    assert chosen_for((first, second), 0.5, models) == ""
    assert chosen_for((first, second), 0.66, ("logit",)) == ""


def test_the_best_rival_is_compared_with_a_word_on_the_choice(qtbot):
    card, document, result = HeadlineCard(), make_document(), make_decisions()
    qtbot.addWidget(card)
    first = result.models[0]
    result = replace(result, models=(replace(first, best_depth=0.66), *result.models[1:]))
    card.show_result(document, result, 0.66, None, None)
    assert "chose this depth for gbm 2, which flatters it" in card.blocks[2].words.text()
    card.show_result(document, result, 0.6, None, None)
    assert "flatters" not in card.blocks[2].words.text()


def test_elsewhere_nothing_changes():
    result = decisions_at_the_peak()
    point = figures.at_depth(result.models[0], 0.213, make_reading(0.213))
    assert figures.worth_of(result.models[0], point).estimate.value == point.profit


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (Headline(profit=12_294.0, depth=0.2), "€ 12,294"),
        (Headline(profit=12.0, depth=0.2, is_crossfitted=True), "€ 12, cross-fitted"),
        (Headline(profit=-400.0, depth=0.2, is_loss=True), "a loss of € 400"),
        (Headline(depth=0.2), ""),
    ],
)
def test_amounts_of_home(head, words):
    assert amount_words(head).replace("\u00a0", " ") == words
    assert bool(headline_words(head, "€")) == bool(words)


def test_the_first_total_is_the_one_that_stays(real_desk, tmp_path):
    """Nothing is read off the chart's grid before the engine has read the rule's depth."""
    columns = scored_columns(rows=1_511)
    real_desk.open(write_csv(tmp_path / "scored.csv", columns))
    space = real_desk.session
    seen = []

    def note(result):
        if result is not None:
            said = real_desk.page.headline.said
            seen.append((said.exact, [one.against.value for one in said.comparisons]))

    space.results.decisions_changed.connect(note)  # after the page, which is there already
    document = scored_document(space.project.document.data, reference_model="good")
    real_desk.take(replace(document, rows_used=RowUse.ALL))
    chosen = space.results.chosen_profit()
    assert chosen.rule_depth not in chosen.depth
    last = real_desk.page.headline.said
    assert {exact for exact, _rest in seen} == {last.exact} == {f"{chosen.total.value:,.2f}"}
    assert seen[-1][1] == [one.against.value for one in last.comparisons]
