"""Views of page Uplift without a window: answers, and what is said, drawn and listed of them."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest

from core.document.model import Document
from core.document.report.commands import PutOnReport
from core.document.results import Estimate, RowsNote
from core.document.studies.uplift import (
    Area,
    ArmEffect,
    ArmRow,
    ArmsResult,
    Check,
    Choice,
    Criteria,
    Effect,
    ModelSlices,
    NamedFigure,
    NextTestResult,
    OrderRange,
    OtherRows,
    PriceAxis,
    PriceResult,
    RankingSlices,
    Rate,
    RateFigure,
    ReferenceCurve,
    RowOrderModel,
    RowOrderResult,
    RowOrderRow,
    RowTies,
    SliceBalance,
    SlicesResult,
    UpliftModelResult,
    UpliftResult,
    Validity,
    VariantRow,
)
from core.presentation.charts.reading import area_words, place_words
from core.presentation.charts.svg import chart_svg
from core.presentation.labels import Labels, ModelStyle
from core.presentation.making_views import by_question, part_of, question_of_entry, show
from core.presentation.report.keeping import entries_by_question
from core.presentation.uplift.cards import CardName, experiment_card, recognised, recognised_words
from core.presentation.uplift.curve import (
    UpliftWords,
    advice_words,
    curve_line,
    detail_words,
    gain,
    gained_at,
    invalid_words,
    switch_words,
    unit_words,
)
from core.presentation.uplift.tabs import arms, next_test, order_table, row_order, slices, variance
from core.questions.uplift import Uplift
from payoff.errors import PayoffError
from tests.helpers.answers.uplift import variance_study

WORDS = UpliftWords(
    outcome="visit", units="visits", case="customer", cases="customers", currency="€",
    is_binary=True,
)  # fmt: skip
LABELS = Labels(case="customer", cases="customers")
NOTHING = np.zeros(0)
SURE = Estimate(value=0.02, low=0.0, high=0.04)


def plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("−", "-")


def choice(**changes) -> Choice:
    known = Choice(
        depth=0.2, targeted=200.0, threshold=0.1, incremental=16.9, gain=69.0,
        gain_low=-10.0, gain_high=148.0, cross_fitted=12.0, spent=100.0,
        mean_return=0.1, gain_of_all=-40.0, is_nobody=False, cross_fitted_low=-70.0,
        cross_fitted_high=94.0,
    )  # fmt: skip
    return replace(known, **changes)


@pytest.mark.parametrize(
    ("name", "is_binary", "worth", "units"),
    [
        ("visit", True, "A visit is worth", "visits"),
        ("order", True, "An order is worth", "orders"),
        ("reply", True, "A reply is worth", "replies"),
        ("bought", True, "“bought” is worth", "bought"),
        ("paid", True, "“paid” is worth", "paid"),
        ("spend", False, "1 of spend is worth", "spend"),
        ("y", True, "“y” is worth", "y"),
        ("Bestellt", True, "“Bestellt” is worth", "Bestellt"),
        ("claim_event", True, "A claim event is worth", "claim events"),
    ],
)
def test_an_outcome_is_named_by_a_word_that_fits_the_sentence(name, is_binary, worth, units):
    words = UpliftWords.of(replace(result(), outcome=name, is_binary=is_binary), LABELS)
    assert (words.worth, words.units) == (worth, units)


NOBODY = choice(depth=0.0, targeted=0.0, incremental=0.0, gain=0.0, is_nobody=True, spent=0.0)
ALL = choice(depth=1.0, targeted=1_000.0, gain=80.0, gain_of_all=80.0)
UNKNOWN = choice(cross_fitted=math.nan, cross_fitted_low=math.nan, cross_fitted_high=math.nan)


def validity(state="ok", checks=(), share=NOTHING) -> Validity:
    return Validity(
        state=state, headline="Who was treated was no accident.", advice="", checks=checks,
        balance_depth=np.linspace(0.1, 0.9, len(share)), balance_share=share, balance_low=0.4,
        balance_high=0.6,
    )  # fmt: skip


def model(found: Choice, name="tree", **changes) -> UpliftModelResult:
    grid = np.array([0.0, 0.5, 1.0])
    gained = grid * 40.0
    known = UpliftModelResult(
        model=name, area=SURE, minus_random=SURE, nu=0.0,
        depth=grid, incremental=gained, low=gained - 4, high=gained + 4, low_all=gained - 8,
        high_all=gained + 8, treated_units=gained, threshold=grid, slices=NOTHING,
        criteria=Criteria(
            qini=0.02, qini_low=0.01, qini_high=0.03, falls=7, steps=9, isotonic_gap=0.0,
            peak=41.0, peak_depth=0.9, at_depth=8.0, impact=8.0, agreement=math.nan, spread=0.3,
        ),
        choice=found, variants=(), named=(),
    )  # fmt: skip
    return replace(known, **changes)


def effect(value=0.0766, **changes) -> Effect:
    known = Effect(
        arm="mail", control="no mail", cases=500.0, control_cases=480.0, mean=0.183,
        control_mean=0.106, effect=value, low=value - 0.01, high=value + 0.01,
        standard_error=0.005, p_value=0.0001, relative=0.7, method="difference of means",
    )  # fmt: skip
    return replace(known, **changes)


def result(state="ok", failed=(), has_propensity=False, models=(), **changes) -> UpliftResult:
    checks = tuple(Check(key=key, title=key, state="error", value="", detail="") for key in failed)
    known = UpliftResult(
        rows=RowsNote(use="all", text="all rows", rows=1000), treatment="arm", treated="mail",
        control="no mail", outcome="visit", event="1", is_binary=True, cases=1000.0,
        treated_cases=520.0, control_cases=480.0, guard=validity(state, checks),
        effects=(ArmEffect(effect=effect(), next_test=1695),), models=models, differences=(),
        prices=None, price_used=(10.0, 0.5, 0.0), has_propensity=has_propensity, draws=32,
        seconds=0.1,
    )  # fmt: skip
    return replace(known, **changes)


@pytest.mark.parametrize(
    ("found", "figure", "label", "interval"),
    [
        (
            choice(),
            "€ 12",
            "cross-fitted",
            "-70 to 94, 95 %; on the rows that chose the depth € 69",
        ),
        (NOBODY, "€ 0", "Expected net gain", "nobody is treated, nothing is spent"),
        (ALL, "€ 12", "cross-fitted", "on the rows that chose the depth € 80"),
        (UNKNOWN, "€ 69", "on these rows", "-10 to 148, 95 %; the depth was chosen on the same"),
    ],
)
def test_the_cross_fitted_gain_stands_large(found, figure, label, interval):
    described = gain(result(), model(found), WORDS)
    assert plain(described.figure) == figure
    assert label in described.title
    assert interval in plain(described.interval)
    assert described.state == ""


@pytest.mark.parametrize(
    ("found", "advice", "detail"),
    [
        (choice(), "Treat the best 20.0 % by tree: 200 customers.", "Treating all earns −€ 40."),
        (NOBODY, "Treat nobody: at these prices no depth of tree pays.", "all earns −€ 40."),
        (
            replace(choice(), cross_fitted=-16.0),
            "No depth of tree is known to pay: the best on these rows, 20.0 %, gains nothing where "
            "each half of them is treated to the depth that the other half chose.",
            "all earns −€ 40.",
        ),
        (
            replace(choice(), gain_of_all=30.0),
            "No depth of tree is known to earn more than treating all: the best on these rows, "
            "20.0 %, earns less where each half of them is treated to the depth that the other "
            "half chose.",
            "all earns € 30.",
        ),
        (  # under a limit, which treating all would break
            replace(choice(), gain_of_all=90.0),
            "Treat the best 20.0 % by tree: 200 customers.",
            "all earns € 90.",
        ),
        (ALL, "Treat all 1,000 customers: no ranking is needed at these prices.", "costs € 100."),
    ],
)  # fmt: skip
def test_nobody_and_all_are_said_as_such(found, advice, detail):
    assert advice_words(found, "tree", WORDS).replace("\u00a0", " ") == advice
    assert detail_words(result(), found, WORDS).replace("\u00a0", " ").endswith(detail)


def test_an_invalid_experiment_says_why_before_anything_else():
    found = result("error", ("predictable",))
    described = gain(found, model(choice()), WORDS)
    assert described.state == "error"
    assert described.sentences[described.strong] == invalid_words(found)
    assert described.sentences[0].startswith("Who was treated was no accident.")
    assert "Not a net gain" in described.title
    assert invalid_words(result("warning")) == ""
    assert gain(result("warning"), model(choice()), WORDS).state == ""


def test_the_curve_and_the_advice_say_the_same_at_the_best_depth():
    found = model(choice(depth=0.2003, incremental=8.5))
    line = curve_line(found, is_whole=True)
    assert line.x.tolist() == [0.0, 0.2003, 0.5, 1.0]
    assert line.y[1] == 8.5
    assert line.low[1] == pytest.approx(0.2003 * 40 - 8)
    assert gained_at(found, 0.2003) == 8.5
    assert 8.5 < gained_at(found, 0.25) < 20.0
    assert curve_line(model(NOBODY)).x.tolist() == [0.0, 0.5, 1.0]


# ---------------------------------------------------------------- cards of the page


def two_models(**changes) -> UpliftResult:
    axis = PriceAxis(
        prices=np.array([0.0, 1.0, 2.0]),
        gain=np.array([[90.0, 40.0, 0.0], [80.0, 50.0, 10.0]]),
        depth=np.zeros((2, 3)),
        winner=np.array([0, 1, 1]),
        is_clear=np.array([True, True, False]),
        switches=((0.5, 0.25, 0.75, 0, 1), (1.5, math.nan, math.nan, 1, 0)),
    )
    other = OtherRows(
        use="train", cases=900.0, depth=np.array([0.0, 1.0]), incremental=np.array([0.0, 44.0]),
        minus_random=SURE,
    )  # fmt: skip
    line = ReferenceCurve(
        key="perfect", depth=np.array([0.0, 0.5, 1.0]), incremental=np.array([0.0, 90.0, 40.0])
    )
    known = {
        "models": (
            model(choice(), other=other),
            model(choice(cross_fitted=30.0), "two models"),
        ),
        "prices": PriceResult(models=("tree", "two models"), axis=axis),
        "references": (line,),
    }
    return result(**(known | changes))


def test_the_verdict_has_its_checks_the_effect_and_the_share_along_the_ranking():
    checks = (
        Check(key="share", title="Share treated", state="ok", value="52 %", detail="as planned"),
        Check(key="score", title="Along", state="warning", value="drifts"),
        Check(key="plan", title="Nothing planned", state="ok", value="no plan", is_test=False),
    )
    guard = validity("warning", checks, np.array([0.5, 0.45, 0.65]))
    view = show(Uplift(), two_models(guard=guard), LABELS, "validity")
    assert view.key == "uplift/page validity"
    assert view.state == "warning"
    assert view.sentences == (
        "Without a model: visit: 18.3\u00a0% of “mail”, 10.6\u00a0% of “no mail”; "
        "effect 7.66 points "
        "(6.66 to 8.66), p < 0.001; half this effect would be found with 1,695 customers",
    )
    assert view.tables[0].texts() == (
        ("✓", "Share treated", "52 %", "as planned"),
        ("⚠", "Along", "drifts", ""),
        ("–", "Nothing planned", "no plan", ""),
    )
    (chart,) = view.charts
    band, share = chart.series
    assert (band.low[0], band.high[1]) == (0.4, 0.6)
    assert (chart.y_axis.low, chart.y_axis.high) == (0.4, 0.65)
    assert share.y.tolist() == [0.5, 0.45, 0.65]


CODED = replace(LABELS, treatment="arm", codes=(("arm", (("1", "Control"), ("2", "Voucher"))),))


def test_arms_are_named_in_the_file_s_words():
    coded = effect(arm="2", control="1")
    answer = result(treated="2", control="1", effects=(ArmEffect(effect=coded, next_test=1695),))
    (sentence,) = show(Uplift(), answer, CODED, "validity").sentences
    assert "18.3\u00a0% of “Voucher (2)”, 10.6\u00a0% of “Control (1)”" in sentence
    row = ArmRow(
        outcome="visit", is_binary=True, segment="", effect=coded, adjusted=None, p_value=0.5
    )
    answer = ArmsResult(control="1", rows=(row,), segment="", segment_p_value=0.5, warnings=())
    (table,) = arms(answer, CODED).tables
    assert table.columns[3] == "Control (1)"
    assert table.texts()[0][0] == "Voucher (2)"


def test_the_curve_has_the_lines_that_are_asked_for():
    view = show(Uplift(), two_models(), LABELS, "curve two models")
    (chart,) = view.charts
    assert [line.is_chosen for line in chart.series] == [False, True]
    assert [line.name for line in chart.baselines] == ["at random", "nobody"]
    assert chart.series[0].low[0] == -4.0
    view = show(Uplift(), two_models(), LABELS, "curve+whole+limits+rows tree")
    (wide,) = view.charts
    assert wide.series[0].low[0] == -8.0
    assert "whole curve" in wide.subtitle
    assert [line.name for line in wide.baselines[2:]] == ["perfect", "tree on training rows"]
    assert wide.y_axis.high == 90.0  # the axis makes room for it
    assert [note.partition(":")[0] for note in view.notes[:2]] == ["Perfect", "On training rows"]


def test_the_gain_has_every_best_depth_and_who_wins_at_which_price():
    view = experiment_card(two_models(), replace(LABELS, part="gain two models"))
    assert plain(view.figure) == "€ 30"
    rows = [tuple(map(plain, row)) for row in view.tables[0].texts()]
    assert [row[:3] for row in rows] == [
        ("tree", "20.0 %", "€ 12"),
        ("two models", "20.0 %", "€ 30"),
    ]
    assert [row[2].is_bold for row in view.tables[0].cells()] == [False, True]
    (chart,) = view.charts
    assert chart.rests_at == 0.5
    assert plain(place_words(chart, 1.25)) == "€ 1.25 a contact"
    assert plain(chart.baselines[0].name) == "no clear winner from € 1"
    assert [plain(text) for text in switch_words(two_models(), WORDS)] == [
        "tree wins up to € 0.25, two models from € 0.75 on (switch near € 0.50).",
        "About € 1.50 tree would pass two models; no clear winner there.",
    ]


@pytest.mark.parametrize(("depth", "row"), [(None, "At 20.0 %"), (0.5, "At 50.0 %")])
def test_a_criterion_is_read_at_the_cursor_or_at_the_best_depth(depth, row):
    view = experiment_card(two_models(), replace(LABELS, part="criteria tree", depth=depth))
    texts = [tuple(map(plain, line)) for line in view.tables[0].texts()]
    assert [line[0] for line in texts] == [
        "Area, points", "Falls by tenths", "Peak, visits", row, "As in training", "Spread"
    ]  # fmt: skip
    assert texts[3][1] == ("16.9" if depth is None else "20.0")
    assert not any(cell.is_bold for line in view.tables[0].cells() for cell in line)  # all equal


def test_the_error_against_true_effects_is_listed_where_they_are_known():
    first, second = two_models().models
    known = (replace(first, pehe=0.09, pehe_root=0.3), replace(second, pehe=0.04, pehe_root=0.2))
    view = experiment_card(
        two_models(models=known, true_effect=0.05), replace(LABELS, part="criteria tree")
    )
    rows = view.tables[0].cells()
    assert [(row[0].text, row[2].text, row[2].is_bold) for row in rows[6:]] == [
        ("PEHE", "0.04", True),
        ("PEHE, root", "0.2", True),
    ]


def test_definitions_say_whether_they_may_be_read():
    measured = Area(
        area=0.05, minus_random=0.0416, end=0.1, standard_error=0.01,
        standard_error_minus_random=0.005, standard_error_end=0.01, low=0.0, high=0.1,
        low_minus_random=0.0, high_minus_random=0.1, method="formula",
    )  # fmt: skip
    row = VariantRow(
        key="generalised", name="Net uplift", used_by="(25)", formula="f", unit="points",
        measured=measured, is_valid=True, validity="yes",
    )  # fmt: skip
    bad = replace(row, key="old", unit="units", is_valid=False, validity="only at 50 %")
    answer = two_models(models=(model(choice(), variants=(row, bad)),))
    (table,) = experiment_card(answer, replace(LABELS, part="variants tree")).tables
    texts = [tuple(map(plain, line)) for line in table.texts()]
    assert texts == [
        ("Net uplift", "(25)", "4.16 points", "✓ yes"),
        ("Net uplift", "(25)", "0.042 visits", "⚠ only at 50 %"),
    ]
    assert table.cell(0, 2).exact == "f; area 0.05; standard error 0.5"
    assert table.cell(1, 3).role == "loss"


def test_all_cards_in_one_and_none_without_a_ranking():
    whole = show(Uplift(), two_models(), replace(LABELS, chosen="two models"))
    assert whole.key == "uplift/page"
    assert plain(whole.figure) == "€ 30"
    assert [chart.kind for chart in whole.charts] == ["uplift", "uplift prices"]
    assert len(whole.tables) == 4
    assert experiment_card(result(), LABELS).figure == ""
    with pytest.raises(PayoffError, match="No such ranking"):
        experiment_card(result(), replace(LABELS, part="curve"))
    with pytest.raises(PayoffError, match="No such ranking"):
        experiment_card(two_models(), replace(LABELS, part="curve gone"))


def test_a_card_is_named_by_its_key():
    name = CardName(card="curve", options=("whole", "rows"), model="a b+c")
    assert CardName.read(str(name)) == name
    assert CardName.read("validity") == CardName(card="validity")
    assert part_of(f"uplift/page {name}") == str(name)
    assert question_of_entry(f"uplift/page {name}", None) == Uplift()
    assert by_question("uplift/total") == by_question("uplift/prices") == "uplift/page gain"
    assert by_question("uplift/order") == "uplift/row_order"
    assert by_question("uplift/slices") == "uplift/slices"


def test_entries_of_older_projects_become_one_with_their_notes():
    document = Document()
    for kind, note in (("total", "Ours."), ("curve", ""), ("depths", ""), ("prices", "Theirs.")):
        document = PutOnReport(kind=f"uplift/{kind}", note=note).apply(document)
    kept = entries_by_question(document).report
    assert [(item.kind, item.note) for item in kept] == [
        ("uplift/page gain", "Ours.\nTheirs."),
        ("uplift/page curve", ""),
    ]
    assert entries_by_question(entries_by_question(document)).report == kept


def test_a_pasted_number_is_recognised_to_its_digits():
    figures = (
        NamedFigure(tool="causalml", name="auuc_score", value=0.6182, formula="sum / n"),
        NamedFigure(tool="pylift", name="Q", value=math.nan, formula="", note="fails"),
    )
    assert recognised(" 0,618", figures) == figures[:1]
    assert recognised("6.18e-1", figures) == figures[:1]
    assert recognised("0.617", figures) == recognised("abc", figures) == ()
    assert recognised_words("0.62", figures) == "causalml, auuc_score: sum / n"
    assert recognised_words("5", figures).startswith("No figure")


@pytest.mark.parametrize(
    ("value", "said"), [(601.3, "601"), (16.94, "16.9"), (1.234, "1.23"), (math.nan, "–")]
)
def test_units_have_the_decimals_they_need(value, said):
    assert unit_words(value) == said


# ---------------------------------------------------------------- tabs


def sliced(name="tree", share=(0.5, 0.5)) -> ModelSlices:
    two = np.array([40.0, 60.0])
    found = RankingSlices(
        treated=two, control=two, rate_treated=np.array([0.2, 0.1]),
        rate_control=np.array([0.1, 0.1]), uplift=np.array([0.1, math.nan]),
        standard_error=np.array([0.02, 0.02]), mean_score=np.array([0.9, 0.1]),
        weighted_average=0.05, weighted_error=0.01,
    )  # fmt: skip
    balance = SliceBalance(
        share=np.array(share), low=np.array([0.4, 0.4]), high=np.array([0.6, 0.6])
    )
    rate = Rate(
        weighting="autoc", value=0.012, standard_error=0.004, low=0.0, high=0.02, p_value=0.003
    )
    figure = RateFigure(name="AUTOC", tool="grf", formula="mean of TOC", rate=rate)
    return ModelSlices(model=name, slices=found, balance=balance, rates=(figure,))


def test_slices_of_a_ranking_with_their_balance_and_rate():
    answer = SlicesResult(
        count=2, draws=50, is_binary=True, models=(sliced(share=(0.7, 0.5)), sliced("noise")),
        warnings=("Few cases.",),
    )  # fmt: skip
    view = slices(answer, replace(LABELS, part="tree"))
    assert view.sentences == (
        "RATE (AUTOC): 1.20 points, standard error 0.40, p = 0.003. "
        "The share treated leaves its band in 1 slice.",
    )
    (table,) = view.tables
    assert table.rows[0][1].text == "⚠ 70.0"
    assert [row[0].text for row in table.rows] == [
        "1 (best)",
        "2 (last)",
        "Weighted average",
        "RATE: AUTOC",
    ]
    assert [row[5].is_bold for row in table.rows] == [True, False, True, True]
    assert view.notes == ("Few cases.",)
    whole = slices(answer, LABELS)
    assert [table.title for table in whole.tables] == ["tree", "noise"]
    assert whole.sentences[1].startswith("noise: RATE")
    with pytest.raises(PayoffError):
        slices(answer, replace(LABELS, part="gone"))


def test_arms_are_held_against_the_control_arm():
    plain_row = ArmRow(
        outcome="net_spend", segment="", effect=effect(1.25), adjusted=effect(1.2), p_value=0.02,
        is_binary=False,
    )  # fmt: skip
    row = replace(plain_row, outcome="visit", segment="age: old", is_binary=True, adjusted=None)
    answer = ArmsResult(
        control="no mail", rows=(plain_row, row), segment="age", segment_p_value=0.4, warnings=()
    )
    view = arms(answer, LABELS)
    assert view.title == "Each arm against the control arm, by age"
    texts = view.tables[0].texts()
    assert texts[0][:2] == ("mail", "net spend")
    assert texts[0][4:] == ("1.250", "1.240 to 1.260", "1.200", "0.020")
    assert texts[1][0] == "mail, age: old"
    assert texts[1][4:7] == ("125.00", "124.00 to 126.00", "")
    assert "500 customers" in view.tables[0].cell(0, 0).exact


def order_of(*spans, tied=3) -> RowOrderResult:
    rows = tuple(
        RowOrderRow(
            model="m",
            figure=OrderRange(
                tool="causalml", name="auuc_score(x)", exact=106.8, as_filed=106.8, low=low,
                high=high, worst=90.0, best=120.0,
            ),
        )
        for low, high in spans
    )  # fmt: skip
    ties = RowTies(tied=tied, cases=10, groups=1, shuffles=20)
    return RowOrderResult(models=(RowOrderModel(model="m", ties=ties),), rows=rows)


def test_a_figure_that_moves_below_what_is_shown_is_not_marked():
    """ "106.8 to 106.8" was in the colour of a warning."""
    made = order_table(order_of((106.801, 106.803), (106.8, 106.8), (106.2, 107.1)))
    assert [(row[-1].text, row[-1].role) for row in made.rows] == [
        ("within rounding of 106.8", "quiet"),
        ("does not move", "quiet"),
        ("106.2 to 107.1", "loss"),
    ]


@pytest.mark.parametrize(
    ("tied", "said"), [(3, "m: 3 of 10 cases tie; 20 shuffles of them."), (0, "m: no ties, so")]
)
def test_ties_are_counted(tied, said):
    assert row_order(order_of((1.0, 2.0), tied=tied), LABELS).sentences[0].startswith(said)


@pytest.mark.parametrize(
    ("is_binary", "found"), [(True, "find 4.00 points?"), (False, "find 0.04?")]
)
def test_the_next_test_says_cases_of_both_arms(is_binary, found):
    answer = NextTestResult(
        effect=0.04, cases=1695, treated=848, control=847, seen=effect(0.08), found_now=0.05,
        cases_now=2685.0, ladder=((0.02, 6777), (0.04, 1695)), is_binary=is_binary,
    )  # fmt: skip
    view = next_test(answer, LABELS)
    assert view.title.endswith(found)
    assert view.figure == "1,695 customers"
    assert view.interval == "848 treated and 847 control"
    assert "A test of its size (2,685 customers)" in view.sentences[0]
    rows = view.tables[0].cells()
    assert [row[1].text for row in rows] == ["25\u00a0%", "50\u00a0%"]
    assert [row[0].is_bold for row in rows] == [False, True]


def test_the_noise_of_the_area_is_shades_with_the_line_of_theory():
    view = variance(variance_study(), LABELS)
    assert view.tables[0].texts()[1] == (
        "30\u00a0%",
        "2.00",
        "1.00",
        "4.00",
        "2.00",
        "1.00",
        "4.00",
    )
    (chart,) = view.charts
    assert chart.shades.line.tolist() == [0.25, 0.5]
    assert (chart.x_axis.low, chart.x_axis.high) == (-0.25, 1.25)
    assert plain(area_words(chart, 2, 1)) == "baseline nu 1, base rate 30.0 %: 16"
    picture = chart_svg(chart).text
    assert picture.count("<polyline") == 1
    assert "squared points" in picture


def test_colours_are_the_project_s_and_no_part_of_an_answer():
    looks = (ModelStyle(name="tree", series=4),)
    labels = replace(LABELS, models=looks, rankings=(ModelStyle(name="two models", series=2),))
    (chart,) = show(Uplift(), two_models(), labels, "curve tree").charts
    assert {line.name: line.series for line in chart.series} == {"tree": 4, "two models": 2}
    assert "series" not in {entry.name for entry in fields(UpliftModelResult)}
