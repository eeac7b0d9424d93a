"""Cases 43 to 60 of the bad-input catalogue: predictions, priors, decision matrices.

E = refused, naming file, row, column or level; W = done with a warning; A = asked or proposed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import payoff
from core import data as tables
from core.document.model import Role
from core.script.session import loaded_table

CASES = pd.DataFrame(
    {
        "y": [1, 0, 1, 0, 1, 0, 0, 1],
        "p": [0.9, 0.2, 0.7, 0.4, 0.6, 0.1, 0.3, 0.8],
        "cost": [1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 2.0, 2.0],
    }
)
MATRIX = {1: [15.0, 0.0], 0: [-1.5, 0.0]}


def decide(data: Any = CASES, **changes: Any) -> payoff.Decisions:
    options: dict[str, Any] = {
        "target": "y",
        "posteriors": {1: "p"},
        "matrix": MATRIX,
        "decisions": ["Mail", "Nothing"],
    }
    return payoff.decide(data, **(options | changes))


def judge(data: Any = CASES, **changes: Any) -> Any:
    options: dict[str, Any] = {"outcome": "y", "scores": "p", "intervals": False}
    return payoff.evaluate(data, **(options | changes))


def refusal(call: Any, *parts: str) -> payoff.PayoffError:
    """The call is refused, and the message has all parts."""
    with pytest.raises(payoff.PayoffError) as caught:
        call()
    text = str(caught.value)
    missing = [part for part in parts if part not in text]
    assert not missing, f"{missing} not in: {text}"
    return caught.value


def said(decided: Any) -> str:
    return " ".join([*(line.text for line in decided.advice), *decided.warnings])


def test_case_43_a_probability_beyond_1_is_refused_with_row_and_value() -> None:
    slip = CASES.assign(p=[0.9, 0.2, 1.2, 0.4, 0.6, 0.1, 0.3, 0.8])
    error = refusal(lambda: judge(slip), "data row 3", "column p", "'1.2'")
    assert "score in points" in error.remedy  # offered: scores, not probabilities
    points = CASES.assign(p=CASES["p"] * 300 + 300)
    refusal(lambda: decide(points), "data row 1", "scores, not chances", "calibrate")


def test_case_43_deciding_marks_a_single_slip_and_says_so() -> None:
    decided = decide(CASES.assign(p=[0.9, 0.2, 1.2, 0.4, 0.6, 0.1, 0.3, 0.8]))
    assert decided.cases.warnings.tolist() == ["", "", "P", "", "", "", "", ""]
    assert "1 of 8 values" in said(decided)
    assert "data row 3" in said(decided)


def test_case_44_chances_that_do_not_sum_to_1_are_refused_with_row_and_sum() -> None:
    data = CASES.assign(q=1 - CASES["p"])
    data.loc[4, "q"] -= 0.02
    both = {1: "p", 0: "q"}
    refusal(lambda: judge(data, scores={"m": both}), "data row 5", "sum 0.98")
    refusal(lambda: decide(data, posteriors=both), "data row 5", "sum 0.98")
    tiny = CASES.assign(q=1 - CASES["p"] + 1e-7)
    assert decide(tiny, posteriors=both).total == decide().total


def test_case_45_percentages_are_detected() -> None:
    percent = CASES.assign(p=100 * CASES["p"])
    refusal(lambda: judge(percent), "look like percentages", "in percent")
    refusal(lambda: decide(percent), "look like percentages", "Divide")
    guessed = next(entry for entry in loaded_table(percent).summary.roles if entry.column == "p")
    assert guessed.role is Role.POSTERIOR
    assert guessed.is_percent  # proposed, with "please check"
    assert "please check" in guessed.reason


def test_case_46_a_chance_of_0_for_what_happened_is_infinite_at_its_row() -> None:
    certain = CASES.assign(p=[0.9, 0.2, 0.0, 0.4, 0.6, 0.1, 0.3, 0.8])
    judged = judge(certain, metrics=["log_loss", "brier"])
    assert judged.value("log_loss", "p") == np.inf
    note = next(c.estimate.note for c in judged.result.cells if c.metric == "log_loss")
    assert "infinite" in note
    assert "row 3" in note
    assert np.isfinite(judged.value("brier", "p"))


def test_case_47_equal_scores_rank_nothing() -> None:
    judged = judge(CASES.assign(p=0.5), metrics=["auc", "ks"])
    assert judged.value("auc", "p") == 0.5
    assert judged.value("ks", "p") == 0.0
    curve = judged.curve("roc", "p")
    assert curve[["x", "y"]].to_numpy().tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert any("All scores of p are equal" in text for text in judged.warnings)


def test_case_48_columns_of_other_lengths_are_refused_with_counts() -> None:
    short = {"y": [1, 0, 1], "p": [0.1, 0.2]}
    refusal(lambda: judge(short), "length 3", "length 2")
    refusal(lambda: decide(short), "length 3", "length 2")


def test_case_49_a_perfect_score_is_suspected() -> None:
    judged = judge(CASES.assign(p=CASES["y"] * 0.5 + 0.25), metrics=["auc"])
    assert judged.value("auc", "p") == 1.0
    assert any("perfect" in text and "leakage" in text for text in judged.warnings)


@pytest.mark.parametrize(
    ("priors", "parts"),
    [
        ({1: -0.1, 0: 1.1}, ("'1'", "-0.1")),
        ({1: 0.5}, ("level 0",)),
        ({1: 0.5, 0: 0.3, 2: 0.2}, ("level 2",)),
        ({1: "half", 0: 0.5}, ("level 1", "'half'")),
        ({1: 0.0, 0: 0.0}, ("zero",)),
    ],
)
def test_case_50_impossible_priors_are_refused_by_class(
    priors: dict[Any, Any], parts: tuple[str, ...]
) -> None:
    refusal(lambda: decide(priors=priors), *parts)


def test_case_50_priors_are_scaled_and_a_zero_prior_ignores_its_class() -> None:
    """As SAS Enterprise Miner scales them; the sum is named."""
    scaled = decide(priors={1: 0.2, 0: 0.9})
    assert "sum to 110.0" in said(scaled)
    assert scaled.total == pytest.approx(decide(priors={1: 2 / 11, 0: 9 / 11}).total)
    nothing = decide(priors={1: 0.0, 0: 1.0})
    assert "“1” has the prior 0: its 4" in said(nothing)
    assert nothing.prior_weights["1"] == 0.0


def test_case_51_a_class_without_rows_cannot_be_weighted_up() -> None:
    refusal(
        lambda: decide(priors={1: 0.5, 0: 0.5}, old_priors={1: 0.0, 0: 1.0}),
        "'1'",
        "no training row was of that class",
    )
    absent = decide(CASES.assign(y=0), priors={1: 0.5, 0: 0.5})
    assert np.isnan(absent.total)
    assert "No case is “1”" in said(absent)


def test_case_52_a_matrix_must_have_the_levels_of_the_target() -> None:
    refusal(lambda: decide(matrix={1: [15.0, 0.0]}), "no row for '0'")
    refusal(lambda: decide(matrix=MATRIX | {2: [1.0, 1.0]}), "0, 2")
    words = CASES.assign(y=CASES["y"].map({1: "yes", 0: "no"}))
    refusal(
        lambda: decide(
            words, matrix={"Yes": [15.0, 0.0], "no": [-1.5, 0.0]}, posteriors={"Yes": "p"}
        ),
        "'Yes'",
        "'yes'",
    )


@pytest.mark.parametrize(
    ("cell", "word"), [("dear", "'dear'"), (np.nan, "missing"), (np.inf, "infinite")]
)
def test_case_53_cells_that_are_no_numbers_are_refused_by_row_and_column(
    cell: Any, word: str
) -> None:
    refusal(lambda: decide(matrix={1: [15.0, cell], 0: [-1.5, 0.0]}), "level 1", "Nothing", word)


def test_case_54_no_zeros_are_invented_for_a_missing_do_nothing() -> None:
    """One decision: doing nothing is implicit and said so. Two: the other one is the rest."""
    alone = decide(matrix={1: [15.0], 0: [-1.5]}, decisions=["Mail"])
    assert "Doing nothing is not in the matrix" in said(alone)
    assert alone.thresholds().is_do_nothing_implicit
    both = decide(matrix={1: [15.0, 4.0], 0: [-1.5, 1.0]}, decisions=["Mail", "Call"])
    analysed = both._analysis()
    assert analysed.do_nothing == pytest.approx(4 * 4.0 + 4 * 1.0)  # what “Call” for all brings
    assert analysed.models[0].profit[0] == pytest.approx(20.0)


def test_case_55_a_do_nothing_that_does_something_is_warned_of() -> None:
    decided = decide(matrix={1: [15.0, 2.0], 0: [-1.5, 1.0]}, do_nothing="Nothing")
    line = next(a for a in decided.advice if "said to do nothing" in a.text)
    assert "profit chart" in line.detail
    assert "said to do nothing" not in said(decide(do_nothing="Nothing"))


def test_case_56_equal_and_dominated_decisions_are_named_and_the_first_wins_ties() -> None:
    equal = decide(matrix={1: [15.0, 15.0], 0: [-1.5, -1.5]})
    line = next(a for a in equal.advice if "the same in every class" in a.text)
    assert "stands first" in line.detail
    assert set(equal.table["D_y"]) == {"Mail"}
    assert "“Nothing” can never win" in said(decide(matrix={1: [15.0, 1.0], 0: [-1.5, -2.0]}))


def test_case_57_a_profit_matrix_of_losses_is_asked_about() -> None:
    assert "are these losses?" in said(decide(matrix={1: [-15.0, 1.0], 0: [1.0, -2.0]}))
    assert "are these losses?" in said(decide(matrix={1: [-15.0, 0.0], 0: [0.0, -2.0]}))
    assert "losses" not in said(decide())


def test_case_58_costs_missing_negative_unknown() -> None:
    missing = decide(CASES.assign(cost=[np.nan, *[1.0] * 7]), kind="revenue", costs=["cost", 0])
    assert missing.cases.warnings[0] == "C"
    assert "1 of 8 costs of “Mail” are missing" in said(missing)
    negative = decide(CASES.assign(cost=[1.0, -2.0, *[1.0] * 6]), kind="revenue", costs=["cost", 0])
    line = next(a for a in negative.advice if "cost below 0" in a.text)
    assert "row 2" in line.detail
    refusal(lambda: decide(kind="revenue", costs=["postage", 0]), "'postage'")
    refusal(lambda: decide(kind="revenue", costs=[1, 0, 3]), "3 costs, 2 decisions")
    text = CASES.assign(cost=["a"] * 8)
    refusal(lambda: decide(text, kind="revenue", costs=["cost", 0]), "data row 1", "column cost")


def test_case_59_small_and_large_matrices_and_doubled_names() -> None:
    single = decide(
        CASES.assign(y=1, p=1.0), matrix={1: [5.0]}, decisions=["Take"], posteriors={1: "p"}
    )
    assert single.total == 40.0
    assert "nothing to decide" in said(single)
    refusal(lambda: decide(decisions=["Mail", "Mail"]), "'Mail' stands twice")
    draw = np.random.default_rng(1)
    size = 200
    probabilities = draw.dirichlet(np.ones(size), size=500)
    outcome = draw.integers(0, size, 500)
    wide = pd.DataFrame(probabilities, columns=[f"p{i}" for i in range(size)]).assign(y=outcome)
    decided = payoff.decide(
        wide,
        target="y",
        posteriors={i: f"p{i}" for i in range(size)},
        matrix={i: np.eye(size)[i].tolist() for i in range(size)},
    )
    assert decided.total == float((probabilities.argmax(axis=1) == outcome).sum())
    assert "too many to compare" in said(decided)  # of the profit chart only


def test_case_60_amounts_that_overflow_are_refused() -> None:
    refusal(lambda: decide(matrix={1: [1e300, 0.0], 0: [-1.0, 0.0]}), "level 1", "Mail", "1e+300")
    refusal(lambda: decide(CASES.assign(w=1e300), weight="w"), "data row 1", "column w", "1e+300")
    huge = CASES.assign(cost=[1.0, 1e300, *[1.0] * 6])
    refusal(lambda: decide(huge, kind="revenue", costs=["cost", 0]), "data row 2", "column cost")
    assert tables.from_data(huge).rows == 8  # reading them is no fault
