"""Thresholds, the rule in words, and the linter."""

import numpy as np
import pytest

from core.decisions import (
    DecisionProblem,
    Words,
    advise_matrix,
    analyse,
    cut_off,
    decision_regions,
    read_rule,
)
from core.decisions.advice.thresholds import dominated_pairs
from core.document.decisions.matrix_model import MatrixKind

from .cases import MAIL, THREE, WIDE, mail_problem, model

CUSTOMERS = Words(case=("customer", "customers"))
LABELS = ("responds", "does not respond")


def matrix(cells, **settings):
    settings.setdefault("levels", tuple("ab"[: len(cells)]))
    settings.setdefault("decisions", ("Mail", "Do nothing"))
    return DecisionProblem(cells=np.array(cells, dtype=float), **settings)


def test_the_rule_of_a_mailing_in_words():
    reading = read_rule(matrix(MAIL, labels=LABELS, words=CUSTOMERS))
    assert reading.text == "Mail a customer when the chance of a response is above 6.25\u00a0%."
    assert reading.reason == (
        "“Mail” brings €\u00a024.00 more than “Do nothing” for “responds” and €\u00a01.60 less "
        "for “does not respond”: 1.60 / 25.60 = 6.25\u00a0%."
    )
    assert reading.threshold == pytest.approx(0.0625)
    assert reading.side == "above"


def test_the_callers_reason_stands_before_the_fraction():
    words = Words(
        case=("customer", "customers"),
        reason="A letter costs €\u00a01.60 and a response brings €\u00a025.60",
    )
    reading = read_rule(matrix(MAIL, labels=LABELS, words=words))
    assert reading.reason == (
        "A letter costs €\u00a01.60 and a response brings €\u00a025.60: 1.60 / 25.60 = 6.25\u00a0%."
    )


def test_lending_is_right_below_a_chance():
    credit = matrix(
        [[-5000, 0], [1000, 0]],
        labels=("defaults", "pays back"),
        decisions=("Lend", "Refuse"),
        words=Words(case=("applicant", "applicants")),
    )
    reading = read_rule(credit)
    assert reading.text == (
        "Lend to an applicant when the chance of a default is below 16.67\u00a0%."
    )
    assert reading.reason.endswith("1,000 / 6,000 = 16.67\u00a0%.")
    assert reading.side == "below"


def test_labels_without_words_stand_in_quotes():
    plain = matrix(MAIL, labels=("yes", "no"), decisions=("Offer rebate", "Wait"))
    assert read_rule(plain).text == (
        "Choose “Offer rebate” for a case when the chance of “yes” is above 6.25\u00a0%."
    )


@pytest.mark.parametrize(
    ("cells", "kind", "words"),
    [
        ([[3, 1], [2, 1]], "always", "“Mail” is right for every case"),
        ([[1, 3], [1, 2]], "never", "“Do nothing” is right for every case"),
        ([[1, 1], [2, 2]], "equal", "always bring the same"),
    ],
)
def test_no_cut_off(cells, kind, words):
    problem = matrix(cells)
    cut = cut_off(problem)
    assert cut is not None
    assert (cut.kind, cut.probability) == (kind, None)
    reading = read_rule(problem)
    assert words in reading.text
    assert reading.threshold is None


def test_break_even_with_costs_and_losses():
    revenue = matrix(
        [[25.6, 0], [0, 0]], kind=MatrixKind.REVENUE, cost_amounts=np.array([1.6, 0.0])
    )
    assert cut_off(revenue).probability == pytest.approx(0.0625)
    loss = matrix([[0, 5], [1, 0]], kind=MatrixKind.LOSS)
    assert cut_off(loss).probability == pytest.approx(1 / 6)
    by_case = matrix(MAIL, cost_columns={0: np.ones(3)})
    assert cut_off(by_case) is None
    assert "differ from case to case" in read_rule(by_case).reason


def test_regions_of_three_decisions():
    problem = matrix(THREE, decisions=("Mail", "Call", "Do nothing"), labels=LABELS)
    regions = decision_regions(problem)
    assert [problem.decisions[region.decision] for region in regions] == [
        "Do nothing",
        "Mail",
        "Call",
    ]
    assert regions[0].high == pytest.approx(1.6 / 25.6)
    assert regions[1].high == pytest.approx(1.3 / 7.3)
    assert (regions[0].low, regions[-1].high) == (0.0, 1.0)
    text = read_rule(problem).reason
    assert "“Mail” from 6.25\u00a0% to 17.81\u00a0%" in text
    wide = matrix(WIDE, levels=("a", "b", "c"), decisions=("p", "q", "r", "s"))
    assert decision_regions(wide) == ()
    assert "more than two classes" in read_rule(wide).reason


def texts(advice, state="warning"):
    return [item.text for item in advice if item.state == state]


def test_dominated_and_equal_decisions_are_named():
    cells = [[5, 4, 5, 0], [1, 1, 1, 3]]
    problem = matrix(cells, decisions=("a", "b", "c", "d"))
    assert set(dominated_pairs(problem)) == {(1, 0, False), (1, 2, False), (2, 0, True)}
    found = texts(advise_matrix(problem))
    assert found[0].startswith("“b” can never win")
    assert found[1] == "“c” and “a” are the same in every class."
    assert texts(advise_matrix(matrix(MAIL)), "ok") == [
        "Both decisions can win. Neither is always worse."
    ]
    assert texts(advise_matrix(matrix(MAIL))) == []


@pytest.mark.parametrize(
    ("cells", "settings", "words"),
    [
        ([[0, -5], [-1, 0]], {"kind": MatrixKind.LOSS}, "All losses are negative"),
        ([[0, -5], [1, 0]], {"kind": MatrixKind.LOSS}, "negative loss counts as money won"),
        ([[0, -5], [-1, 0]], {}, "are these losses?"),
        ([[24, 0], [1.6, 5]], {}, "Is a minus sign missing?"),
        ([[1, 5], [5, 1]], {"decisions": ("b", "a"), "levels": ("b", "a")}, "that name is not"),
        ([[24], [-1.6]], {"decisions": ("Mail",)}, "Doing nothing is not in the matrix"),
    ],
)
def test_slips_in_a_matrix(cells, settings, words):
    assert any(words in text for text in texts(advise_matrix(matrix(cells, **settings))))


def test_acting_that_pays_for_another_class_than_the_event_is_said():
    lend = matrix([[-5, 0], [1, 0]], labels=("defaults", "pays back"), decisions=("Lend", "Refuse"))
    found = texts(advise_matrix(lend), "info")
    assert found == ["“Lend” pays for “pays back”, not for the event “defaults”."]
    losses = matrix([[5, 0], [0, 1]], kind=MatrixKind.LOSS)  # acting loses less in the second
    assert len(texts(advise_matrix(losses), "info")) == 1
    assert texts(advise_matrix(matrix(MAIL)), "info") == []
    three = matrix([[1, 0], [-1, 0], [1, 0]], levels=("a", "b", "c"))  # pays for the event too
    assert texts(advise_matrix(three), "info") == []


# ------------------------------------------------------------------ with models

ROWS = 20_000


def population(prior=0.05, seed=1):
    """Calibrated chances with the given mean, and their outcomes."""
    draw = np.random.default_rng(seed)
    probability = draw.beta(0.8, 0.8 * (1 - prior) / prior, ROWS)
    outcome = (draw.random(ROWS) > probability).astype(np.int32)
    return probability, outcome


def advice_of(probability, outcome, *, old=None, cells=MAIL, **settings):
    table = np.vstack([probability, 1.0 - probability])
    problem = mail_problem(
        table, cells, outcome=outcome, labels=LABELS, words=CUSTOMERS, **settings
    )
    return analyse(problem, (model(table, "gbm", old=old),)).advice


def retrained(probability, old, new):
    """Chances as a model trained at other shares would give them."""
    odds = probability / (1 - probability) * (new / old) / ((1 - new) / (1 - old))
    return odds / (1 + odds)


def test_good_chances_raise_no_warning():
    probability, outcome = population()
    advice = advice_of(probability, outcome, priors=np.array([0.05, 0.95]))
    assert texts(advice) == []
    assert any("agree" in text for text in texts(advice, "ok"))


def test_correction_is_reported_once_and_twice():
    probability, outcome = population()
    priors, old = np.array([0.05, 0.95]), np.array([0.25, 0.75])
    oversampled = retrained(probability, 0.05, 0.25)
    once = advice_of(oversampled, outcome, old=old, priors=priors)
    assert texts(once) == []
    assert any("once, not twice" in text for text in texts(once, "ok"))
    twice = advice_of(probability, outcome, old=old, priors=priors)
    assert texts(twice, "error") == ["gbm: the chances look corrected twice."]
    never = advice_of(oversampled, outcome, priors=priors)
    assert any("in real life respond" in text for text in texts(never))
    no_priors = advice_of(oversampled, outcome)
    assert any("of these rows respond" in text for text in texts(no_priors))
    wrong = advice_of(oversampled, outcome, old=np.array([0.6, 0.4]), priors=priors)
    assert any("after the correction" in text for text in texts(wrong))


def test_chances_that_do_not_come_true_are_named_with_their_stretch():
    probability, outcome = population(0.1)
    low = np.where(probability < 0.08, probability * 0.4, probability)
    assert any("rates low chances too low" in text for text in texts(advice_of(low, outcome)))
    high = np.where(probability > 0.12, np.minimum(probability * 1.6, 0.99), probability)
    assert any("rates high chances too high" in text for text in texts(advice_of(high, outcome)))
    all_high = np.minimum(probability * 1.9, 0.99)
    assert any("rates chances too high" in text for text in texts(advice_of(all_high, outcome)))


def test_rule_and_best_depth_that_differ():
    probability, outcome = population()
    advice = advice_of(np.minimum(probability * 4, 0.999), outcome)
    assert any("customers differ" in text for text in texts(advice))


def test_decisions_that_nobody_gets():
    probability, outcome = population()
    cells = np.array([[24.0, 40.0, 0.0], [-1.6, -39.0, 0.0]])
    squeezed = np.clip(probability, 0.0, 0.3)
    advice = advice_of(squeezed, outcome, cells=cells)
    assert "“Call” is never chosen by gbm here." in texts(advice)


def test_losses_are_lost_in_every_sentence():
    """What is 10 better in a loss matrix loses 10 less; nothing in it brings anything."""
    credit = matrix(
        [[100, 10], [0, 10]],
        kind=MatrixKind.LOSS,
        labels=("bad", "good"),
        decisions=("Lend", "Refuse"),
    )
    assert read_rule(credit).reason == (
        "“Lend” loses €\u00a010 less than “Refuse” for “good” and €\u00a090 more for “bad”: "
        "10 / 100 = 10.00\u00a0%."
    )
    worse = matrix([[3, 1], [2, 1]], kind=MatrixKind.LOSS)
    assert read_rule(worse).reason == "In no class does “Mail” lose less than “Do nothing”."
    same = matrix([[1, 1], [2, 2]], kind=MatrixKind.LOSS)
    assert "always lose the same" in read_rule(same).text


@pytest.mark.parametrize(
    ("cells", "settings", "said", "detail"),
    [
        ([[0, 0], [-5, -1]], {"kind": MatrixKind.LOSS}, "negative or zero", "positive numbers"),
        ([[-9, 5], [3, -1]], {}, "All profits on the diagonal are negative", "nothing is wrong"),
        ([[5, 5, 9], [1, 1, 0]], {"decisions": ("a", "b", "c")}, "are the same", "Of the two “a”"),
        ([[5, 1], [-1, 0]], {"do_nothing": "Do nothing"}, "not all of its amounts are 0", "begins"),
    ],
)
def test_what_the_linter_says_is_so(cells, settings, said, detail):
    (found,) = (a for a in advise_matrix(matrix(cells, **settings)) if said in a.text)
    assert detail in found.detail


def test_a_label_keeps_its_letters_and_one_case_is_one():
    table = np.full((2, 2_000), 0.5)
    outcome = np.ones(2_000, dtype=np.int32)
    outcome[:50] = 0
    problem = mail_problem(table, outcome=outcome, labels=("B2B", "other"))
    detail = next(a.detail for a in analyse(problem, (model(table),)).advice if "rates" in a.text)
    assert detail.startswith("“B2B” happens less often")
    outcome[1:50] = 1
    zero = mail_problem(table, outcome=outcome, priors=np.array([0.0, 1.0]))
    described = [a.text for a in analyse(zero, (model(table),)).advice]
    assert "“0” has the prior 0: its 1 case counts in no total." in described
