"""What the numbers of the rule bring beside the former ones, figured out again with numpy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.commands import EditCell, SetPriors
from core.engine.messages import LoadArguments
from core.presentation.decide.numbers import ghost_words, moved_words, rule_change
from core.presentation.labels import Labels
from core.questions.decide import RuleChange, Totals
from payoff.errors import PayoffError
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv

COLUMNS = scored_columns(rows=1_500)
CHANCE = np.array(COLUMNS["p_good"])
EVENT = np.array(COLUMNS["outcome"]) == "yes"


@pytest.fixture(scope="module")
def former(engine, tmp_path_factory):
    path = write_csv(tmp_path_factory.mktemp("scored") / "scored.csv", COLUMNS)
    data = engine.run("load", LoadArguments(path=path, reader=ReaderSettings())).data
    return scored_document(data, reference_model="good", rows_used=RowUse.ALL)


def gain(document, value):
    return EditCell(level="yes", decision="Act", value=value).apply(document)


def by_hand(cells, probability=CHANCE, weight=1.0):
    """Which cases are acted on, and what each brings."""
    acts = probability * cells[0] + (1 - probability) * cells[1] > 0
    return acts, weight * np.where(acts, np.where(EVENT, *cells), 0.0)


def plain(words):
    return words.replace("\u00a0", " ")


@pytest.mark.parametrize("now", [5.0, 8.5, 12.0, 0.5])
def test_totals_the_paired_difference_and_the_cases_are_those_of_numpy(engine, former, now):
    document = gain(former, now)
    answer = engine.ask(document, RuleChange(matrix=former.matrix))
    entry = answer.models[0]
    (was, before), (acts, after) = by_hand((8.0, -2.0)), by_hand((now, -2.0))
    difference = after - before
    error = 1.959963984540054 * difference.std(ddof=1) * np.sqrt(len(difference))
    assert entry.model == "good"
    assert entry.now.value == pytest.approx(before.sum(), abs=1e-9)
    assert entry.remade.value == pytest.approx(after.sum(), abs=1e-9)
    assert entry.remade_change.value == pytest.approx(difference.sum(), abs=1e-9)
    assert entry.remade_change.low == pytest.approx(difference.sum() - error, rel=1e-3)
    assert entry.moved == np.count_nonzero(was != acts)
    kept = np.where(was, np.where(EVENT, now, -2.0), 0.0)
    assert entry.kept.value == pytest.approx(kept.sum(), abs=1e-9)


def test_its_totals_are_those_of_the_rule_before_and_now(engine, former):
    document = gain(former, 11.0)
    answer = engine.ask(document, RuleChange(matrix=former.matrix))
    totals = [
        [entry.total.value for entry in engine.ask(requested, Totals()).models]
        for requested in (former, document)
    ]
    assert [entry.now.value for entry in answer.models] == pytest.approx(totals[0], abs=1e-9)
    assert [entry.remade.value for entry in answer.models] == pytest.approx(totals[1], abs=1e-9)


def test_nothing_changes_where_nothing_was_changed(engine, former):
    entry = engine.ask(former, RuleChange(matrix=former.matrix)).models[0]
    assert (entry.remade_change.value, entry.kept_change.value, entry.moved) == (0.0, 0.0, 0.0)


def test_former_shares_weigh_the_former_total(engine, former):
    document = SetPriors(priors=(("yes", 0.1), ("no", 0.9))).apply(former)
    entry = engine.ask(document, RuleChange(matrix=former.matrix)).models[0]
    weight = np.where(EVENT, 0.1 / EVENT.mean(), 0.9 / (1 - EVENT.mean()))
    _, before = by_hand((8.0, -2.0))
    _, after = by_hand((8.0, -2.0), weight=weight)
    assert entry.now.value == pytest.approx(before.sum(), abs=1e-9)
    assert entry.remade.value == pytest.approx(after.sum(), abs=1e-6)


def test_other_decisions_cannot_be_compared(engine, former):
    other = replace(former.matrix, decisions=("Call", "Wait"), acting="Call")
    with pytest.raises(PayoffError, match="cannot be compared case by case"):
        engine.ask(former, RuleChange(matrix=other))


def test_sentences_and_figures(engine, former):
    document = gain(former, 9.0)
    answer = engine.ask(document, RuleChange(matrix=former.matrix))
    (was, before), (acts, after) = by_hand((8.0, -2.0)), by_hand((9.0, -2.0))
    labels = Labels.of(document)
    view = rule_change(answer, labels)
    moved = np.count_nonzero(was != acts)
    assert plain(view.figure) == f"+€ {after.sum() - before.sum():,.0f}"
    assert plain(view.sentences[0]) == (
        f"€ {after.sum():,.0f} instead of € {before.sum():,.0f} by the rule of good, on the same "
        f"cases; {moved} cases change."
    )
    kept = np.where(was, np.where(EVENT, 9.0, -2.0), 0.0).sum() - before.sum()
    assert plain(view.sentences[1]).startswith(f"+€ {kept:,.0f} comes from the numbers, ")
    assert view.tables[0].rows[0][5].text == f"{moved}"
    totals = [engine.ask(requested, Totals()) for requested in (former, document)]
    assert plain(ghost_words(*totals, answer, labels)) == (
        f"+€ {after.sum() - before.sum():,.0f}, {moved} cases change"
    )
    assert plain(ghost_words(*totals, None, labels)) == f"+€ {after.sum() - before.sum():,.0f}"
    elsewhere = plain(ghost_words(*totals, answer, labels, is_elsewhere=True))
    assert elsewhere.startswith(f"+€ {after.sum() - before.sum():,.0f} by the rule")


def test_a_difference_that_may_be_nothing_says_so(engine, former):
    """A letter that costs nearly as much: few cases move, by chance up or down."""
    document = EditCell(level="no", decision="Act", value=-2.02).apply(gain(former, 8.05))
    answer = engine.ask(document, RuleChange(matrix=former.matrix))
    labels, found = Labels.of(document), answer.models[0].remade_change
    totals = [engine.ask(requested, Totals()) for requested in (former, document)]
    assert ("may be 0" in ghost_words(*totals, answer, labels)) == (found.low <= 0 <= found.high)


def test_one_case_and_no_case_are_counted_in_words():
    labels = Labels(case="customer", cases="customers")
    assert moved_words(0.0, labels) == "no customer changes"
    assert moved_words(1.0, labels) == "1 customer changes"
    assert moved_words(1212.0, labels) == "1,212 customers change"
