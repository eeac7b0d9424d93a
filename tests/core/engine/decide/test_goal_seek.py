"""The job behind tab Goal seek: its values, written into the project, bring what is wanted."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import (
    MatrixKind,
    NumberKind,
    NumberSetting,
)
from core.document.decisions.numbers import UseNumbers
from core.engine.messages import LoadArguments
from core.presentation.decide.numbers import wanted_total
from core.presentation.labels import Labels
from core.questions.decide import GoalSeek, Totals
from core.questions.fields import FormContext
from core.questions.suggestions import a_tenth_better
from payoff.errors import PayoffError
from tests.helpers.factories.goal_seek import costly, mailing
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv

COLUMNS = scored_columns(rows=1_500)


@pytest.fixture(scope="module")
def document(engine, tmp_path_factory):
    path = write_csv(tmp_path_factory.mktemp("scored") / "scored.csv", COLUMNS)
    data = engine.run("load", LoadArguments(path=path, reader=ReaderSettings())).data
    return scored_document(data, reference_model="good", rows_used=RowUse.ALL)


def losing(document):
    cells = tuple(tuple(-value for value in row) for row in document.matrix.cells)
    return replace(document, matrix=replace(document.matrix, kind=MatrixKind.LOSS, cells=cells))


def chosen(engine, document):
    return engine.ask(document, Totals()).models[0]


def plain(words):
    return words.replace("\u00a0", " ")


@pytest.mark.parametrize("factor", [0.9, 1.1])
@pytest.mark.parametrize("change", [lambda document: document, mailing, costly, losing])
def test_each_value_used_alone_brings_the_total_wanted(engine, document, change, factor):
    changed = change(document)
    sign = -1.0 if changed.matrix.kind is MatrixKind.LOSS else 1.0
    now = chosen(engine, changed).total.value
    wanted = now + (factor - 1.0) * abs(now)
    answer = engine.ask(changed, GoalSeek(total=sign * wanted))
    assert answer.total == pytest.approx(now, rel=1e-12)
    assert any(row.is_exact and row.value != row.now for row in answer.numbers)
    for row in answer.numbers:
        if row.is_within_reach:
            setting = NumberSetting(number=row.number, value=row.value)
            used = UseNumbers(settings=(setting,), resolved=answer.resolved).apply(changed)
            there = chosen(engine, used).total.value
            assert there == pytest.approx(row.total, rel=1e-9)
            if row.is_exact:
                assert there == pytest.approx(wanted, rel=1e-9)


def test_parameters_costs_and_the_events_share_have_rows(engine, document):
    worded = engine.ask(mailing(document), GoalSeek(total=1.0))
    assert [row.number.kind for row in worded.numbers[:2]] == [NumberKind.PARAMETER] * 2
    costs = engine.ask(costly(document), GoalSeek(total=1.0))
    assert [row.number.kind for row in costs.numbers[-2:]] == [NumberKind.COST, NumberKind.PRIOR]


def test_perfect_foresight_is_that_of_the_totals(engine, document):
    totals = engine.ask(document, Totals())
    now = totals.models[0].total.value
    wanted = now + 0.5 * (totals.perfect_total - now)
    answer = engine.ask(document, GoalSeek(total=wanted))
    assert answer.perfect == pytest.approx(totals.perfect_total, rel=1e-12)
    assert answer.share == pytest.approx(0.5)


def test_what_is_said_and_shown(engine, document):
    labels = Labels.of(document)
    now = chosen(engine, document).total.value
    answer = engine.ask(document, GoalSeek(total=now + 100.0))
    view = wanted_total(answer, labels)
    assert plain(view.sentences[0]).startswith(
        f"€ {now + 100:,.0f} instead of € {now:,.0f} by the rule of good: +€ 100. Shortest way: "
    )
    assert "of what perfect foresight" in view.sentences[1]
    last = view.tables[0].rows[-1]
    assert last[2].text == f"{100 * answer.share:.1f}\u00a0%"
    reached = wanted_total(engine.ask(document, GoalSeek(total=now)), labels)
    assert plain(reached.sentences[0]) == f"€ {now:,.0f}: the rule of good brings it as it is."
    assert len(reached.tables[0].rows) == len(answer.numbers)


def test_what_no_model_and_no_number_brings_is_said(engine, document):
    changed, labels = costly(document), Labels.of(document)
    answer = engine.ask(changed, GoalSeek(total=1e6))
    view = wanted_total(answer, labels)
    assert "No model brings it with these numbers" in view.sentences[1]
    cost, share = view.tables[0].rows[-3:-1]
    for row, found in ((cost, answer.numbers[-2]), (share, answer.numbers[-1])):
        assert row[2].text == "not within reach"
        assert row[4].text == f"at most {labels.money(found.total)}"
    assert view.tables[0].rows[-1][4].text == f"at most {labels.money(answer.perfect)}"


def test_a_loss_is_wanted_as_a_loss(engine, document):
    changed = losing(document)
    labels, now = Labels.of(changed), chosen(engine, changed).total.value
    answer = engine.ask(changed, GoalSeek(total=-now - 50.0))
    assert answer.wanted == pytest.approx(now + 50.0)
    assert "a loss of" in wanted_total(answer, labels).sentences[0].lower()


def test_a_tenth_better_is_suggested(engine, document):
    for requested in (document, losing(document)):
        totals = engine.ask(requested, Totals())
        found = a_tenth_better(FormContext(document=requested, totals=totals))
        now = totals.models[0].total.value
        shown = -found if requested.matrix.kind is MatrixKind.LOSS else found
        assert shown == pytest.approx(now + 0.1 * abs(now), rel=0.01)


@pytest.mark.parametrize("total", [math.nan, math.inf])
def test_what_is_no_amount_is_refused(engine, document, total):
    with pytest.raises(PayoffError, match="cannot be wanted"):
        engine.ask(document, GoalSeek(total=total))
