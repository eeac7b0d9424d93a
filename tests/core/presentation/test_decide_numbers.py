"""What is shown of numbers that move, answer by answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.results import Estimate, RowsNote
from core.document.studies.moving_numbers import (
    BreakEvenResult,
    BreakEvenRow,
    Crossing,
    ModelWhatIf,
    ScenarioOutcome,
    WhatIfResult,
)
from core.presentation.decide.numbers import (
    break_even_values,
    ends_header,
    ends_of,
    ends_tip,
    numbers_tried,
    sentence_words,
    winner_tip,
)
from core.presentation.labels import Labels, ModelStyle

WORDS = Labels(
    case="customer",
    cases="customers",
    currency="€",
    acting="Mail",
    rest="Do nothing",
    is_loss=False,
)
LOSS = replace(WORDS, is_loss=True)


def crossing(value, becomes, total, now):
    return Crossing(value=value, distance=(value - now) / abs(now), becomes=becomes, total=total)


# a letter that costs less: profit rises, and mailing all draws level at a high profit
CHEAPER = BreakEvenRow(
    kind="cell", name="Mail, silent", now=-1.6,
    beaten=(None, crossing(-0.8, "Mail", 9_000.0, -1.6)),
)  # fmt: skip
# a response that brings less: profit falls to nothing
POORER = BreakEvenRow(
    kind="cell", name="Mail, responds", now=24.0,
    beaten=(crossing(6.0, "Do nothing", 0.0, 24.0), None),
)  # fmt: skip
FEES = BreakEvenRow(
    kind="cost", name="Fee", now=2.0, zero=(None, crossing(3.0, "", 0.0, 2.0))
)  # fmt: skip
RIVAL = BreakEvenRow(
    kind="cell", name="Call", now=5.0, winner=(crossing(4.0, "logit", 800.0, 5.0), None)
)


def result(*rows, total=5_000.0, constant_total=0.0, constant="Do nothing"):
    return BreakEvenResult(
        rows=RowsNote(use="all", text="", rows=10), model="tree", winner="tree", total=total,
        constant=constant, constant_total=constant_total, pays=total > max(constant_total, 0.0),
        is_kept=False, numbers=rows, seconds=0.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "words", "said"),
    [
        (
            result(CHEAPER), WORDS,
            "tree is the best model (€ 5,000). It is needed until “Mail, silent” goes from −€ 1.60 "
            "to −€ 0.80: from there “Mail” for all is as good.",
        ),
        (
            result(POORER), WORDS,
            "tree is the best model (€ 5,000). It stops paying first if “Mail, responds” goes from "
            "€ 24.00 to € 6.00: there “Do nothing” for all is as good.",
        ),
        (
            result(FEES), WORDS,
            "tree is the best model (€ 5,000). It stops paying first if “Fee” goes from € 2.00 to "
            "€ 3.00: nothing is earned there.",
        ),
        (
            result(RIVAL), WORDS,
            "tree is the best model (€ 5,000). logit takes over first if “Call” goes to € 4.00.",
        ),
        (
            result(total=500.0, constant="Mail", constant_total=500.0), WORDS,
            "tree is the best model (€ 500). It is not needed: “Mail” for all is as good or better "
            "(€ 500).",
        ),
        (  # all lose money, the model the least: it is needed all the same
            result(total=-200.0, constant="Mail", constant_total=-900.0), WORDS,
            "tree is the best model (−€ 200).",
        ),
        (  # a loss matrix: the model costs 500, the best rule for all 800
            result(replace(POORER, beaten=(crossing(6.0, "Refuse", -800.0, 24.0), None)),
                   total=-500.0, constant="Refuse", constant_total=-800.0), LOSS,
            "tree is the best model (a loss of € 500). It is needed until “Mail, responds” goes "
            "from € 24.00 to € 6.00: from there “Refuse” for all is as good.",
        ),
        (
            result(FEES, total=-500.0, constant_total=-800.0), LOSS,
            "tree is the best model (a loss of € 500).",  # a loss of 0 says nothing of paying
        ),
        (
            result(total=-900.0, constant="Refuse", constant_total=-800.0), LOSS,
            "tree is the best model (a loss of € 900). It is not needed: “Refuse” for all is as "
            "good or better (a loss of € 800).",
        ),
        (
            result(replace(RIVAL, name="Share of “responds”")), WORDS,
            "tree is the best model (€ 5,000). logit takes over first if “Share of ‘responds’” "
            "goes to € 4.00.",
        ),
        (result(), WORDS, "tree is the best model (€ 5,000)."),
    ],
)  # fmt: skip
def test_the_sentence(found, words, said):
    assert sentence_words(found, words).replace("\u00a0", " ") == said


@pytest.mark.parametrize(
    ("row", "words", "said"),
    [
        (CHEAPER, WORDS, "−€ 0.80 (+50.0 %): the best model earns as much as “Mail” for all; total "
                         "there € 9,000"),
        (FEES, WORDS, "€ 3.00 (+50.0 %): the best model's total crosses 0; total there € 0"),
        (FEES, LOSS, "The model is better than one decision for all at every value."),
        (RIVAL, WORDS, "The model is better than one decision for all at every value."),
    ],
)  # fmt: skip
def test_both_sides_in_the_tip(row, words, said):
    assert ends_tip(row, result(row), words).replace("\u00a0", " ") == said
    assert bool(ends_of(row, words)) == said.startswith(("€", "−€"))


def test_header_and_leader():
    assert "ties at" in ends_header(result())
    assert "better from" in ends_header(result(constant_total=9_000.0))
    assert "logit earns most" in winner_tip(RIVAL, WORDS)
    assert "logit loses least" in winner_tip(RIVAL, LOSS)
    assert winner_tip(FEES, LOSS) == "The same model loses least at every value."


def test_a_row_for_each_number_has_the_nearest_change_of_each_kind():
    labels = replace(
        WORDS, models=(ModelStyle(name="tree", series=0), ModelStyle(name="logit", series=3))
    )
    flips = replace(
        CHEAPER, rule=(crossing(-1.7, "Mail", 0.0, -1.6), None), winner=RIVAL.winner, never=-30.0
    )
    view = break_even_values(replace(result(flips, POORER), warnings=("Ties.",)), labels)
    (table,) = view.tables
    first, second = [[text.replace("\u00a0", " ") for text in row] for row in table.texts()]
    assert first == [
        "Mail, silent", "−€ 1.60", "−€ 1.70", "−6.2 %", "€ 4.00", "+350 %", "logit", "−€ 0.80",
        "+50.0 %",
    ]  # fmt: skip
    assert second[2:7] == ["never", "", "never", "", "–"]
    name, *_, who, _, end = table.cells()[0]
    assert "From −€ 30.00 on" in name.exact.replace("\u00a0", " ")
    assert (who.series, end.shift) == (3, 0.5)
    assert "Mail" in end.exact
    assert view.notes == ("Decisions are made again at each value. Ties.",)


def test_far_changes_are_quiet_and_zero_has_no_share():
    far = replace(POORER, now=0.01, beaten=(None, crossing(6.0, "Do nothing", 0.0, 0.01)))
    (table,) = break_even_values(result(far, replace(far, now=0.0)), WORDS).tables
    value, _ = table.cells()[0][-2:]
    assert value.role == "quiet"
    assert table.cells()[1][-1].shift == 0.5
    kept = break_even_values(replace(result(far), is_kept=True), WORDS)
    assert kept.notes == ("Every case keeps its present decision.",)


# ---------------------------------------------------------------- what-if


def estimate(value, half=10.0):
    return Estimate(value=value, low=value - half, high=value + half)


def tried(model, now, kept, remade):
    return ModelWhatIf(
        model=model, now=estimate(now), kept=estimate(kept), remade=estimate(remade),
        kept_change=estimate(kept - now), remade_change=estimate(remade - now), moved=120.0,
    )  # fmt: skip


def tried_numbers(*scenarios):
    return WhatIfResult(
        rows=RowsNote(use="all", text="all rows, 10 rows", rows=10), numbers=(),
        models=(tried("tree", 900.0, 700.0, 750.0), tried("logit", 800.0, 600.0, 790.0)),
        rule_text="Mail above 9 %.", resolved=(), scenarios=scenarios,
        holds_fixed="if 5.0 % respond", seconds=0.0,
    )  # fmt: skip


def cells(row):
    return [cell.text.replace("\u00a0", " ") for cell in row]


def test_totals_stand_now_kept_and_made_again():
    view = numbers_tried(tried_numbers(), WORDS)
    table = view.tables[0]
    first, second = table.cells()
    assert cells(first) == ["tree", "900", "700", "−200", "750", "−150", "", "120"]
    assert (first[3].role, first[6].estimate.value) == ("loss", -150.0)
    assert [cell.is_bold for cell in (first[4], second[4])] == [False, True]
    assert table.without_spare().columns == (
        "Model",
        "Now, €",
        "Kept, €",
        "Made again, €",
        "Change",
    )
    assert view.sentences == ("Mail above 9 %.",)
    assert view.notes == ("all rows, 10 rows; intervals if 5.0 % respond.",)
    lost = numbers_tried(tried_numbers(), LOSS).tables[0].cells()[0]
    assert cells(lost)[1:4] == ["−900", "−700", "+200"]
    assert lost[3].role == "loss"


def test_scenarios_stand_below_the_project_as_it_is():
    changes = (("Mail, responds", "money", 24.0, 18.0), ("Fee", "money", 0.0, 2.0))
    bad = ScenarioOutcome(
        name="Bad year", changes=changes, kept=100.0, best_model="logit", remade=125.0
    )
    gone = ScenarioOutcome(name="Gone", changes=(), refusal="Its parameter is gone.")
    now, first, second = numbers_tried(tried_numbers(bad, gone), WORDS).tables[1].cells()
    assert cells(now) == ["As it is", "–", "900", "900", "tree"]
    described = "Mail, responds € 18.00 (−25.0 %), Fee € 2.00"
    assert cells(first) == ["Bad year", described, "100", "125", "logit"]
    assert cells(second) == ["Gone", "Its parameter is gone.", "–", "–", "–"]
    assert second[1].role == "error"
