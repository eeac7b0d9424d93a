"""What is shown of one model's cases: ranked, by averages, one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.document.studies.decided_cases import HONEST, SCORE
from core.presentation.decide.cases import basis, case_cloud, score_rankings
from core.presentation.labels import Labels, ModelStyle
from core.questions.decide import Basis, Rankings
from tests.helpers.answers import decide as study_answers

LABELS = Labels(
    models=(ModelStyle(name="gbm 2", series=2),),
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
    view = score_rankings(ranked(), LABELS)
    first, second = view.tables
    last = plain(first.texts()[-1])
    assert last == ["100 %", "5,000", "0.50", "100.0", "0.10", "0", "10,000", "10,400"]
    assert first.columns[-1] == "Expected so far"
    assert plain(second.texts()[0]) == ["responds", "200", "800", "20.0 %"]
    assert plain(second.texts()[-1]) == ["all customers", "500", "19,500", "94.5 %"]
    assert view.charts == ()
    assert "weighted to the priors" in view.notes[0]
    assert view.subtitle == "highest chance first"
    by_loss = score_rankings(ranked(by="expected"), replace(LABELS, is_loss=True))
    assert by_loss.subtitle == "lowest expected loss first"


def test_profits_as_enterprise_miner_draws_them():
    view = score_rankings(ranked(as_em=True), LABELS)
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
    view = score_rankings(replace(answer, names=names, predicted=nothing, adjusted=nothing), LABELS)
    (table,) = view.tables
    assert table.columns[2] == "Mean"
    assert (view.charts, view.notes) == ((), ("validation data, 20,000 rows.",))


# ---------------------------------------------------------------- basis


def test_ways_to_decide_stand_below_each_other_with_the_jensen_gap():
    view = basis(study_answers.basis(Basis(model="gbm 2")), LABELS)
    (table,), (described,), (note,) = view.tables, plain(view.sentences), plain(view.notes)
    assert [row[0].text for row in table.cells()] == [
        "each customer's own score",
        "the mean of its quantiles",
        "averaged over its quantiles",
    ]
    assert [row[0].is_bold for row in table.cells()] == [False, False, True]
    first = "each customer's own score,4,200,9,000,7,000,6,800,,,"
    assert ",".join(plain(table.texts()[0])) == first
    assert plain(table.texts()[2])[4:] == ["7,400", "+600", "550 to 650", "400"]
    assert table.cells()[2][5].role == "gain"
    assert described.startswith(
        "Averaging decides 400 of 20,000 customers otherwise (2.0 %): +€ 600"
    )
    assert "Jensen gap: at the mean its decisions seem to bring € 8,800" in described
    assert "quantiles of 10.0 %, 50.0 % and 90.0 %" in note
    assert "3 customers cross" in note


def test_leaves_have_no_gap_and_without_averages_there_is_no_table():
    answer = study_answers.basis(Basis(model="gbm 2"))
    own, _, averaged = answer.lines
    lines = (own, replace(averaged, way=HONEST))
    leaves = replace(answer, lines=lines, leaves=5, levels=(), crossed=0, used=HONEST)
    view = basis(leaves, LABELS)
    assert "Jensen" not in view.sentences[0]
    assert "5 leaves; new customers" in view.notes[0]
    assert view.tables[0].texts()[1][0] == "its leaf's average of outcomes"
    view = basis(replace(answer, lines=(), used=SCORE), LABELS)
    assert (view.tables, view.notes) == ((), ())
    assert "by its own score" in view.sentences[0]


# ---------------------------------------------------------------- own break-evens


def test_own_break_evens_are_drawn_and_weighed_against_one_for_all():
    view = case_cloud(study_answers.cloud(None), LABELS)
    (chart,), (described,) = view.charts, plain(view.sentences)
    assert "21.3 % of customers are mailed" in described
    assert "the mean 25.0 %, it would be 18.7 %" in described
    assert "promise € 812 more; they really brought € 640 more" in described
    assert [(group.series, len(group.x)) for group in chart.points] == [(-1, 171), (2, 29)]
    assert chart.rests_at == 0.25
    assert "above the diagonal" in chart.definition


def test_without_own_break_evens_the_reason_is_given():
    view = case_cloud(study_answers.no_cloud(None), LABELS)
    assert view.sentences == ("All share one break-even chance.",)
    assert view.charts == ()
