"""Matrices through the script functions: read, decide, write, read again."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import payoff

CASES = pd.DataFrame({"y": [1, 0, 0, 1], "p": [0.2, 0.05, 0.12, 0.01]})


def test_a_matrix_of_sas_decides_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "decdata.csv"
    path.write_text(
        "RESPOND,COUNT,TRAINPRIOR,DECPRIOR,Solicit,Ignore\n1,2,0.5,0.05,15,0\n0,2,0.5,0.95,-1.5,0\n"
    )
    found = payoff.read_matrix(path)
    assert found.matrix == {"1": [15.0, 0.0], "0": [-1.5, 0.0]}
    assert (found.kind, found.rows) == ("profit", "actual")
    assert found.priors == {"1": 0.05, "0": 0.95}
    decided = payoff.decide(CASES, target="y", posteriors={1: "p"}, **found.arguments())
    by_hand = payoff.decide(
        CASES,
        target="y",
        posteriors={1: "p"},
        matrix={1: [15, 0], 0: [-1.5, 0]},
        decisions=["Solicit", "Ignore"],
        priors={1: 0.05, 0: 0.95},
        old_priors={1: 0.5, 0: 0.5},
    )
    pd.testing.assert_frame_equal(decided.table, by_hand.table)
    assert decided.total == by_hand.total


def test_rows_are_predicted_where_the_caller_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cost.csv"
    path.write_text("cost,1,0\n1,0,1.5\n0,15,0\n")
    found = payoff.read_matrix(path, rows="predicted", kind="loss")
    assert found.matrix == {"1": [0.0, 15.0], "0": [1.5, 0.0]}
    assert found.doubts == ()
    assert payoff.read_matrix(path, levels=[1, 0]).doubts
    with pytest.raises(payoff.PayoffError, match="rows='sideways'"):
        payoff.read_matrix(path, rows="sideways")


@pytest.mark.parametrize("style", ["csv", "predicted", "json"])
def test_writing_and_reading_keep_every_number(tmp_path: Path, style: str) -> None:
    matrix = {"a": [0.1, 1 / 3], "b": [-1e-7, 2.0], "c": [5.0, 0.0]}
    path = payoff.write_matrix(tmp_path / "m", matrix, decisions=["x", "y"], style=style)
    found = payoff.read_matrix(path)
    assert found.matrix == matrix
    assert found.decisions == ["x", "y"]
    again = payoff.write_matrix(tmp_path / "n.json", found)
    assert payoff.read_matrix(again).matrix == matrix


def test_costs_and_refusals(tmp_path: Path) -> None:
    matrix = {1: [15.0, 0.0], 0: [0.0, 0.0]}
    path = payoff.write_matrix(tmp_path / "m.json", matrix, kind="revenue", costs=["letter", 0.0])
    assert payoff.read_matrix(path).arguments()["costs"] == ["letter", 0.0]
    with pytest.raises(payoff.PayoffError, match="hole"):
        payoff.write_matrix(tmp_path / "m.csv", {1: [1.0], 0: [1.0, 2.0]})
    with pytest.raises(payoff.PayoffError, match="style"):
        payoff.write_matrix(tmp_path / "m.csv", matrix, style="xml")
    with pytest.raises(payoff.PayoffError, match="Costs do not fit"):
        payoff.write_matrix(tmp_path / "m.csv", matrix, costs=[1.0])


def test_inverse_priors_cut_at_the_prior() -> None:
    matrix = payoff.inverse_prior_matrix({1: 0.05, 0: 0.95})
    assert matrix["1"] == [20.0, 0.0]
    decided = payoff.decide(CASES, target="y", posteriors={1: "p"}, matrix=matrix)
    assert decided.thresholds().rule == pytest.approx(0.05, rel=1e-12)
