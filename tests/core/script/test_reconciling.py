"""Decisions of another program, made here by plain numpy under one assumption, and their cause."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import main
import payoff
from core.questions.decide import Reconcile

MATRIX = np.array([[15.0, 0.0], [-1.5, 0.0]])
NAMES = np.array(["Solicit", "Ignore"])
PRIORS, OLD = np.array([0.05, 0.95]), np.array([0.25, 0.75])


def cases(rows: int = 400) -> pd.DataFrame:
    random = np.random.default_rng(11)
    probability = np.round(random.beta(2, 6, rows), 6)
    probability[:4] = 1.5 / 16.5
    return pd.DataFrame({"y": (random.random(rows) < probability).astype(int), "p": probability})


def corrected(probability: np.ndarray, times: int = 1) -> np.ndarray:
    table = np.vstack([probability, 1 - probability])
    for _ in range(times):
        table = table * (PRIORS / OLD)[:, np.newaxis]
        table = table / table.sum(axis=0)
    return table


def theirs(
    data: pd.DataFrame,
    calibration: np.ndarray | None = None,
    matrix: np.ndarray = MATRIX,
    costs: tuple[float, float] = (0.0, 0.0),
    *,
    last: bool = False,
) -> pd.DataFrame:
    """What another program writes, by the definitions."""
    calibration = corrected(data["p"].to_numpy(), 0) if calibration is None else calibration
    values = matrix.T @ calibration - np.array(costs)[:, np.newaxis]
    chosen = 1 - values[::-1].argmax(axis=0) if last else values.argmax(axis=0)
    row = 1 - data["y"].to_numpy()
    real = matrix[row] - np.array(costs)
    found = data.copy()
    found["D_Y"] = NAMES[chosen]
    found["EP_Y"] = values[chosen, np.arange(len(data))]
    found["CP_Y"] = real[np.arange(len(data)), chosen]
    found["BP_Y"] = real.max(axis=1)
    if any(costs):
        found["IC_Y"] = np.array(costs)[chosen]
    return found


def ours(data: pd.DataFrame | str, **changes: Any) -> Any:
    given: dict[str, Any] = {
        "target": "y",
        "posteriors": {1: "p"},
        "matrix": {1: [15.0, 0.0], 0: [-1.5, 0.0]},
        "decisions": ["Solicit", "Ignore"],
    }
    return payoff.reconcile(data, **(given | changes))


CORRECTED = {"priors": {1: 0.05, 0: 0.95}, "old_priors": {1: 0.25, 0: 0.75}}


def test_equal_decisions_agree() -> None:
    found = ours(theirs(cases()).iloc[4:])  # without ties that rounding could decide
    assert found.agrees
    assert found.different == 0
    assert [entry.column for entry in found.columns] == ["D_Y", "EP_Y", "CP_Y", "BP_Y"]
    assert found.sentences == ("All 396 rows agree in D_Y, EP_Y, CP_Y, BP_Y (tolerance 1e-06).",)
    assert found.causes == ()


def test_differing_rows_are_counted_and_shown_with_their_place(tmp_path: Path) -> None:
    data = theirs(cases()).iloc[4:]
    data["EP_Y"] = data["EP_Y"].astype(float)
    data.iloc[2, data.columns.get_loc("EP_Y")] += 0.5
    data.iloc[9, data.columns.get_loc("D_Y")] = "Phone"
    path = tmp_path / "scored.csv"
    data.to_csv(path, index=False)
    found = ours(str(path))
    by_letter = {entry.letter: entry for entry in found.columns}
    assert found.different == 2
    assert by_letter["EP"].different == 1
    assert by_letter["EP"].equal == 395
    assert by_letter["EP"].largest == pytest.approx(0.5)
    (first,) = by_letter["EP"].first
    assert first.row == 3
    assert "scored.csv, line 4, data row 3, column EP_Y" in first.where
    assert by_letter["D"].first[0].theirs == "“Phone”"
    assert any("“Phone”" in cause.text for cause in found.causes)


def test_rows_of_a_condition_are_compared_at_their_place_at_either_door(tmp_path: Path) -> None:
    data = theirs(cases()).iloc[4:].assign(part=np.arange(396) % 3)
    data.iloc[7, data.columns.get_loc("EP_Y")] += 0.5  # part 1: the third row of three
    path = tmp_path / "scored.csv"
    data.to_csv(path, index=False)
    found = ours(str(path), rows="part = 1")
    assert (found.rows, found.different) == (132, 1)
    (entry,) = [entry for entry in found.columns if entry.different]
    assert "scored.csv, line 9, data row 8, column EP_Y" in entry.first[0].where
    given = {"target": "y", "posteriors": {1: "p"}, "decisions": ["Solicit", "Ignore"]}
    matrix = {1: [15.0, 0.0], 0: [-1.5, 0.0]}
    decided = payoff.decide(str(path), matrix=matrix, rows="part = 1", **given)
    assert decided.ask(Reconcile(model="p")) == found


@pytest.mark.parametrize(
    ("made", "arguments", "words"),
    [
        (theirs, CORRECTED, "without our correction"),
        (lambda d: theirs(d, corrected(d["p"].to_numpy(), 2)), CORRECTED, "twice"),
        (lambda d: theirs(d, matrix=-MATRIX), {}, "signs are turned round"),
        (lambda d: theirs(d, matrix=MATRIX.T), {}, "rows and columns"),
        (lambda d: theirs(d, np.vstack([1 - d["p"], d["p"]])), {}, "chance of the other class"),
        (lambda d: theirs(d, matrix=np.eye(2)), {}, "most likely class"),
        (theirs, {"costs": [1.0, 0.0]}, "leaves the costs"),
        (
            lambda d: theirs(d, costs=(-1.0, -0.1)),
            {"costs": [1.0, 0.1]},
            "sign is turned round",
        ),
        (lambda d: theirs(d, costs=(1.0, 0.0)), {}, "Solicit 1, Ignore 0"),
        (
            lambda d: theirs(d).assign(EP_Y=lambda t: t["EP_Y"].round(2)),
            {},
            "with 2 decimals",
        ),
    ],
)
def test_the_cause_is_named_and_explains_every_row(made: Any, arguments: Any, words: str) -> None:
    data = made(cases().iloc[4:])
    found = ours(
        data.drop(columns=["IC_Y"]) if "costs" in arguments and "IC_Y" in data else data,
        **arguments,
    )
    assert not found.agrees
    assert found.causes[0].left == 0, found.sentences
    assert words in found.causes[0].text
    assert any("That explains every row." in line for line in found.sentences)


def test_ties_that_go_to_the_later_decision_are_named() -> None:
    data = pd.DataFrame({"y": [1, 0, 1, 0], "p": [0.5, 0.5, 0.9, 0.1]})
    matrix = np.array([[1.0, 0.0], [-1.0, 0.0]])
    found = ours(theirs(data, matrix=matrix, last=True), matrix={1: [1.0, 0.0], 0: [-1.0, 0.0]})
    assert found.different == 2
    assert found.causes[0].text.startswith("In ties the file's later decision wins")
    assert found.causes[0].left == 0


def test_rounding_noise_in_ties_is_named() -> None:
    """A later decision better by one unit in the last place wins where there is no tolerance."""
    probability = np.float64(0.5) - np.spacing(0.25)
    data = pd.DataFrame({"y": [1, 0, 1], "p": [probability, 0.9, 0.1]})
    matrix = np.array([[1.0, 0.0], [-1.0, 0.0]])
    found = ours(theirs(data, matrix=matrix), matrix={1: [1.0, 0.0], 0: [-1.0, 0.0]})
    assert found.different == 1
    assert any("without a tolerance" in cause.text for cause in found.causes)


def test_corrected_from_the_shares_of_the_rows() -> None:
    data = cases().iloc[4:]
    share = data["y"].mean()
    table = np.vstack([data["p"], 1 - data["p"]])
    table = table * (PRIORS / np.array([share, 1 - share]))[:, np.newaxis]
    found = ours(theirs(data, table / table.sum(axis=0)), priors={1: 0.05, 0: 0.95})
    assert found.causes[0].left == 0
    assert "from the class shares of these rows" in found.causes[0].text


def test_what_nothing_explains_is_said() -> None:
    data = theirs(cases())
    random = np.random.default_rng(5)
    data["EP_Y"] += random.normal(size=len(data))
    found = ours(data)
    assert found.causes == ()
    assert "None of the usual causes" in found.sentences[-1]


def test_losses_and_special_missing_values_of_sas(tmp_path: Path) -> None:
    """EL_ is a loss; I and M are SAS's infinite returns, a point is missing."""
    lines = ["y,p,D_y,EL_y,CL_y,ROI_y"]
    lines += ["bad,0.5,bad,0.5,0,.", "good,0.1,good,0.5,0,.", "bad,0.1,good,0.5,5,M"]
    path = tmp_path / "loss.csv"
    path.write_text("\n".join(lines) + "\n")
    found = payoff.reconcile(
        path,
        target="y",
        posteriors={"bad": "p"},
        matrix={"bad": [0.0, 5.0], "good": [1.0, 0.0]},
        decisions=["bad", "good"],
        kind="loss",
    )
    assert found.agrees
    assert [entry.letter for entry in found.columns] == ["D", "EP", "CP"]
    path.write_text("\n".join([*lines[:1], "bad,0.5,bad,0.7,0,oops"]) + "\n")
    with pytest.raises(payoff.PayoffError) as refused:
        payoff.reconcile(
            path,
            target="y",
            posteriors={"bad": "p"},
            kind="loss",
            matrix={"bad": [0.0, 5.0], "good": [1.0, 0.0]},
        )
    assert "line 2" in refused.value.where
    assert "column ROI_y" in refused.value.where


def test_returns_are_compared_with_infinities(tmp_path: Path) -> None:
    data = pd.DataFrame(
        {
            "y": [1, 0, 1, 0],
            "p": [0.9, 0.9, 0.01, 0.01],
            "D_y": ["Solicit", "Solicit", "Ignore", "Ignore"],
            "IC_y": [2.0, 2.0, 0.0, 0.0],
            "ROI_y": ["4", "-1", "I", "."],
        }
    )
    given = {"matrix": {1: [10.0, 1.0], 0: [0.0, 0.0]}, "kind": "revenue", "costs": [2.0, 0.0]}
    found = ours(data, **given)
    assert found.agrees, found.sentences
    data.loc[2, "ROI_y"] = "M"
    assert ours(data, **given).different == 1


def test_columns_may_have_other_names_and_none_is_refused() -> None:
    data = theirs(cases()).iloc[4:].rename(columns={"D_Y": "choice", "EP_Y": "worth"})
    found = ours(data[["y", "p", "choice", "worth"]], columns={"D": "choice", "EP": "worth"})
    assert found.agrees
    with pytest.raises(payoff.PayoffError, match="carries no decisions"):
        ours(data[["y", "p"]])
    with pytest.raises(payoff.PayoffError, match="no result 'Q'"):
        ours(data, columns={"Q": "worth"})


def test_the_verb_says_it_and_ends_with_three(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, matrix = tmp_path / "scored.csv", tmp_path / "matrix.csv"
    theirs(cases().iloc[4:]).to_csv(path, index=False)
    payoff.write_matrix(matrix, {1: [15, 0], 0: [-1.5, 0]}, decisions=["Solicit", "Ignore"])
    rule = ["reconcile", str(path), "--target", "y", "--posterior", "1=p", "--matrix", str(matrix)]
    assert main.main(rule) == 0
    described = capsys.readouterr()
    assert json.loads(described.out)["agrees"] is True
    assert "Rows are what really happens" in described.err
    wrong = ["--priors", "1=0.05", "--priors", "0=0.95", "--old-priors", "data"]
    assert main.main([*rule, *wrong]) == 3
    answer = json.loads(capsys.readouterr().out)
    assert answer["causes"][0]["left"] == 0
    assert "without our correction" in answer["causes"][0]["text"]


def test_several_causes_are_named_in_order() -> None:
    """Priors are not corrected there, and ties go to the later decision."""
    data = cases()
    data.loc[:3, "p"] = 0.5
    even = np.array([[1.0, 0.0], [-1.0, 0.0]])
    matrix = {1: [1.0, 0.0], 0: [-1.0, 0.0]}
    found = ours(theirs(data, matrix=even, last=True), matrix=matrix, **CORRECTED)
    first, second = found.causes
    assert "without our correction" in first.text
    assert first.left == 4
    assert not first.is_additional
    assert second.text.startswith("In ties")
    assert second.left == 0
    assert second.is_additional
    assert any(
        line.startswith("Likely as well") and "Together they explain every row" in line
        for line in found.sentences
    )


def test_two_causes_of_which_none_helps_alone() -> None:
    """The other class's chance, and no costs: either alone leaves every expected profit another."""
    data = cases().iloc[4:]
    found = ours(theirs(data, np.vstack([1 - data["p"], data["p"]])), costs=[1.0, 0.5])
    assert found.different == 396
    assert found.causes[0].left > 356  # of 396: alone it would not be named
    assert found.causes[1].left == 0
    texts = " ".join(cause.text for cause in found.causes)
    assert "chance of the other class" in texts
    assert "leaves the costs" in texts


def test_the_question_knows_the_columns_that_are_named_and_refuses_as_the_script_does(
    tmp_path: Path,
) -> None:
    """A file whose columns have other names carries decisions for whoever names them."""
    data = theirs(cases()).iloc[4:].rename(columns={"D_Y": "choice", "EP_Y": "worth"})
    path = tmp_path / "scored.csv"
    data[["y", "p", "choice", "worth"]].to_csv(path, index=False)
    given: Any = {
        "target": "y",
        "posteriors": {1: "p"},
        "matrix": {1: [15.0, 0.0], 0: [-1.5, 0.0]},
        "decisions": ["Solicit", "Ignore"],
    }
    decided = payoff.decide(path, **given)
    named = {"D": "choice", "EP": "worth"}
    question = Reconcile(model="p", columns=tuple(named.items()))
    found = payoff.reconcile(path, columns=named, **given)
    assert decided.ask(question) == found
    assert found.agrees
    with pytest.raises(payoff.PayoffError, match="carries no decisions"):
        decided.ask(Reconcile(model="p"))
    for wrong in ({"tolerance": -1.0}, {"columns": {"D": "nothing"}}, {"columns": {"Q": "worth"}}):
        refusals = []
        requested = {"tolerance": 1e-6, "columns": named} | wrong
        with pytest.raises(payoff.PayoffError) as refused:
            payoff.reconcile(path, **requested, **given)
        refusals.append(str(refused.value))
        record = Reconcile(
            model="p", columns=tuple(requested["columns"].items()), tolerance=requested["tolerance"]
        )
        with pytest.raises(payoff.PayoffError) as refused:
            decided.ask(record)
        assert refusals == [str(refused.value)]


def test_decisions_about_a_number_are_compared_at_either_door() -> None:
    data = pd.DataFrame({"y": [1.0, 5.0, 9.0, 2.0], "p": [2.0, 4.0, 8.0, 1.0]})
    given: Any = {
        "target": "y",
        "predicted": "p",
        "matrix": {0: [0.0, 1.0], 10: [5.0, -1.0]},
        "decisions": ["Ask", "Leave"],
    }
    table = payoff.decide(data, **given).table.drop(columns="_WARN_")
    found = payoff.reconcile(data.join(table), **given)
    assert found.agrees
    assert [entry.letter for entry in found.columns] == ["D", "EP", "CP", "BP"]
    assert payoff.decide(data.join(table), **given).ask(Reconcile(model="p")) == found
