"""What is shown of one model's cases: ranked, by averages, one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.presentation.decide_cases import rankings
from core.presentation.labels import Labels, ModelLook
from core.questions.decide import Rankings
from tests.gui.decide import study_answers

LABELS = Labels(
    models=(ModelLook(name="gbm 2", series=2),),
    chosen="gbm 2",
    levels=(("1", "responds"), ("0", "does not respond")),
    case="customer",
    cases="customers",
    acting="Mail",
)


def plain(texts):
    return [text.replace("\u00a0", " ") for text in texts]


# ---------------------------------------------------------------- rankings


def ranked(**asked):
    return study_answers.rankings(Rankings(model="gbm 2", **asked))


def test_rankings_stand_beside_predicted_classes():
    view = rankings(ranked(), LABELS)
    first, second = view.tables
    last = plain(first.texts()[-1])
    assert last == ["100 %", "5,000", "0.50", "100.0", "0.10", "0", "10,000", "10,400"]
    assert first.columns[-1] == "Expected so far"
    assert plain(second.texts()[0]) == ["responds", "200", "800", "20.0 %"]
    assert plain(second.texts()[-1]) == ["all customers", "500", "19,500", "94.5 %"]
    assert view.charts == ()
    assert "weighted to the priors" in view.notes[0]
    assert view.subtitle == "highest chance first"
    by_loss = rankings(ranked(by="expected"), replace(LABELS, is_loss=True))
    assert by_loss.subtitle == "lowest expected loss first"


def test_profits_as_enterprise_miner_draws_them():
    view = rankings(ranked(as_em=True), LABELS)
    (table,), (chart,), (note,) = view.tables, view.charts, plain(view.notes)
    assert plain(table.texts()[-1])[-1] == "30,000"
    assert "ends at € 30,000, the total is € 10,000" in note
    assert "not at € 0.50" in note
    assert [(line.name, line.series) for line in chart.series] == [
        ("Payoff", 2),
        ("as SAS EM", 2),
        ("base", -1),
        ("base as SAS EM", -1),
    ]


def test_a_number_has_a_mean_and_no_predicted_class():
    answer = ranked(as_em=True)
    names = tuple("value" if name == "response" else name for name in answer.names)
    nothing = np.zeros((0, 0))
    view = rankings(replace(answer, names=names, predicted=nothing, adjusted=nothing), LABELS)
    (table,) = view.tables
    assert table.columns[2] == "Mean"
    assert (view.charts, view.notes) == ((), ("validation data, 20,000 rows.",))
