"""``payoff.decide`` on bad scores, priors, matrices and costs: cases 43 to 60 of the catalogue."""

import numpy as np
import pytest

import payoff

CASES = {"y": [1, 0, 1, 0], "p": [0.8, 0.3, 0.6, 0.1], "q": [0.2, 0.7, 0.4, 0.9]}
MATRIX = {1: [5, 0], 0: [-1, 0]}


def decide(change=None, **settings):
    settings.setdefault("matrix", MATRIX)
    settings.setdefault("posteriors", {1: "p"})
    settings.setdefault("target", "y")
    return payoff.decide({**CASES, **(change or {})}, **settings)


def advice(decided):
    return " ".join(entry.text for entry in decided.advice)


def refusal(change=None, **settings):
    with pytest.raises(payoff.PayoffError) as caught:
        decide(change, **settings)
    return str(caught.value)


def test_43_single_values_outside_are_marked_and_named():
    decided = decide({"p": [0.8, 1.3, 0.6, 0.1]})
    assert decided.table["_WARN_"].tolist() == ["", "P", "", ""]
    assert "1 of 4 values of 'p' lie outside 0 to 1" in advice(decided)
    assert "data row 2, column p, value '1.3'" in advice(decided)


def test_43_scores_are_not_taken_for_chances():
    text = refusal({"p": [-3.0, 612.0, 540.0, 0.2]})
    assert "scores, not chances" in text
    assert "data row 1, column p, value '-3'" in text
    assert "calibrate" in text


def test_44_sums_other_than_one_are_refused_beyond_rounding():
    both = {1: "p", 0: "q"}
    assert decide({"q": [0.2 + 9e-7, 0.7, 0.4, 0.9]}, posteriors=both).total == 9.0
    text = refusal({"q": [0.2, 0.68, 0.4, 0.9]}, posteriors=both)
    assert "do not sum to 1" in text
    assert "data row 2" in text
    assert "sum 0.98" in text


def test_45_percentages_are_recognised():
    text = refusal({"p": [80.0, 30.0, 60.0, 10.0]})
    assert "percentages" in text
    assert "Divide them by 100" in text


def test_47_equal_scores_have_a_chart_whose_ties_are_shared():
    decided = decide({"p": [0.5] * 4})
    chart = decided.profit_chart(bins=4)
    assert chart["total"].tolist() == pytest.approx([2.0] * 4)  # 8 over four equal bins


def test_48_columns_of_other_lengths_are_refused():
    assert "length" in refusal({"p": [0.5, 0.4]})


@pytest.mark.parametrize(
    ("priors", "words"),
    [
        ({1: -0.2, 0: 1.2}, "prior of '1' is -0.2"),
        ({1: 0.0, 0: 0.0}, "Every prior is zero"),
        ({1: 1.0}, "level 0"),
        ({1: 0.5, 0: 0.3, 2: 0.2}, "level 2"),
        ({1: "half", 0: 0.5}, "'half', which is no number"),
        ({1: float("nan"), 0: 0.5}, "prior of '1' is missing"),
    ],
)
def test_50_impossible_priors_name_the_class(priors, words):
    assert words in refusal(priors=priors)


def test_50_priors_are_rescaled_and_a_zero_prior_ignores_its_class():
    assert decide(priors={1: 0.2, 0: 0.2}).total == decide(priors={1: 0.5, 0: 0.5}).total
    ignored = decide(priors={1: 0.0, 0: 1.0})
    assert ignored.prior_weights == {"1": 0.0, "0": 2.0}
    assert ignored.total == pytest.approx(-2.0)  # one of two is acted on, each stands for two


def test_51_a_class_that_never_trained_cannot_be_weighted_up():
    text = refusal(priors={1: 0.5, 0: 0.5}, old_priors={1: 0.0, 0: 1.0})
    assert "The prior of '1' is 0.5, but no training row" in text
    decide(priors={1: 0.0, 0: 1.0}, old_priors={1: 0.0, 0: 1.0})


def test_52_levels_that_the_matrix_lacks_are_marked_and_named():
    worded = {"matrix": {"yes": [5, 0], "no": [-1, 0]}, "posteriors": {"yes": "p"}}
    assert "no row for '0'" in refusal(matrix={1: [5, 0]})
    third = decide({"y": ["yes", "no", "never", "no"]}, **worded)
    assert third.table["_WARN_"].tolist() == ["", "", "U", ""]
    assert "'never' (1 row" in advice(third)
    other = {"y": ["Yes", "no", "Yes", "no"]}
    assert "a row 'yes', the data have 'Yes'" in refusal(other, **worded)
    cased = decide({"y": ["Yes", "no", "yes", "no"]}, **worded)
    assert cased.table["_WARN_"].tolist() == ["U", "", "", ""]
    assert "'Yes' (1 row" in advice(cased)
    assert "0, 7" in refusal(matrix={1: [5, 0], 0: [-1, 0], 7: [1, 1]})


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("five", "'five', which is no number"),
        (None, "no number"),
        (float("nan"), "is missing"),
        (float("inf"), "is infinite"),
        (1e300, "too large. (level 0, decision Leave, value 1e+300)"),
    ],
)
def test_53_and_60_cells_that_cannot_be_added_name_row_and_column(cell, words):
    text = refusal(matrix={1: [5, 0], 0: [-1, cell]}, decisions=["Mail", "Leave"])
    assert words in text
    assert "0, decision Leave" in text


def test_54_without_doing_nothing_no_zeros_are_invented():
    decided = decide(matrix={1: [5], 0: [-1]})
    assert decided.total == 8.0  # acts on every case
    assert "Doing nothing is not in the matrix" in advice(decided)


def test_55_doing_nothing_that_is_not_zero_is_explained():
    decided = decide(matrix={1: [5, 1], 0: [-1, 0]}, decisions=["Act", "Rest"], do_nothing="Rest")
    assert "“Rest” is said to do nothing, but not all of its amounts are 0" in advice(decided)
    plain = decide(decisions=["Act", "Rest"], do_nothing="Rest")
    assert "said to do nothing" not in advice(plain)


def test_56_equal_and_dominated_decisions_are_named_and_the_first_wins():
    equal = decide(matrix={1: [5, 5], 0: [-1, -1]}, decisions=["a", "b"])
    assert set(equal.table["D_y"]) == {"a"}
    assert "“b” and “a” are the same" in advice(equal)
    worse = decide(matrix={1: [5, 6], 0: [-1, 0]}, decisions=["a", "b"])
    assert "“a” can never win" in advice(worse)


def test_57_losses_in_a_profit_matrix_are_asked_about():
    assert "are these losses?" in advice(decide(matrix={1: [-5, 0], 0: [0, -1]}))


def test_58_costs():
    missing = decide({"c": [1.0, None, 1.0, 2.0]}, costs=["c", 0])
    assert missing.table["_WARN_"].tolist() == ["", "C", "", ""]
    assert "1 of 4 costs of “1” are missing" in advice(missing)
    assert "data row 2, column c" in advice(missing)
    refund = decide({"c": [1.0, -5.0, 1.0, 2.0]}, costs=["c", 0])
    assert "1 of 4 costs of “1” are below 0" in advice(refund)
    assert "no column 'none'" in refusal(costs=["none", 0])
    assert "3 costs, 2 decisions" in refusal(costs=[1, 0, 3])
    assert "one cost per decision" in refusal(costs=[float("nan"), 0])
    assert "'p, which is no number" not in refusal({"c": ["a", "b", "c", "d"]}, costs=["c", 0])


def test_59_one_cell_and_two_hundred_by_two_hundred():
    tiny = payoff.decide(
        {"y": [1, 1], "p": [1.0, 1.0]}, matrix={1: [5]}, posteriors={1: "p"}, target="y"
    )
    assert tiny.total == 10.0
    assert "there is nothing to decide" in advice(tiny)
    size = 200
    columns = {f"p{i}": np.full(size, 1 / size) for i in range(size)}
    wide = payoff.decide(
        {"y": list(range(size)), **columns},
        matrix={i: [float(i == d) for d in range(size)] for i in range(size)},
        posteriors={i: f"p{i}" for i in range(size)},
        target="y",
    )
    assert wide.total == pytest.approx(1.0)  # all tie: everybody gets the first
    assert wide.best_total == size
    assert "too many to compare" in advice(wide)
    assert "stands twice" in refusal(decisions=["a", "a"])


def test_60_numbers_that_overflow_are_refused_by_row():
    data = {"y": [1.0, 20.0, 300.0], "p": [2.0, 30.0, 1e300]}
    with pytest.raises(payoff.PayoffError, match=r"prediction of 'p' is 1e\+300. \(row 3\)"):
        payoff.decide(data, matrix={0: [0, 0], 10: [9, 0]}, predicted="p", target="y")
