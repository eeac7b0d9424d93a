"""payoff.decide with amounts per case: formulas as cells, missing amounts, rule code."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import main
import payoff
from core.boosting import check_export
from core.questions.decide import Totals
from core.script.session import engine
from payoff import PayoffError

MATRIX = {"1": ["=-0.6*amount", 0], "0": ["=0.08*amount", 0]}


@pytest.fixture
def loans():
    draw = np.random.default_rng(5)
    probability = draw.random(500)
    return pd.DataFrame(
        {
            "BAD": (draw.random(500) < probability).astype(int),
            "p": probability,
            "LOAN": np.round(draw.lognormal(9, 0.7, 500)),
        }
    )


def decide(loans, matrix=MATRIX, **more):
    given = {"target": "BAD", "posteriors": {"1": "p"}, "amount": "LOAN"} | more
    return payoff.decide(loans, matrix=matrix, decisions=["Lend", "Refuse"], **given)


def test_shares_of_each_loan(loans):
    found = decide(loans)
    lends = loans.LOAN * (0.08 - 0.68 * loans.p) >= 0
    realised = np.where(loans.BAD == 1, -0.6, 0.08) * loans.LOAN
    assert found.totals.total == pytest.approx(realised[lends].sum())
    assert (found.table["D_BAD"] == np.where(lends, "Lend", "Refuse")).all()


def test_every_output_and_study_runs_on_shares(loans):
    found = decide(loans, outputs=("P", "I", "U", "F", "R"), costs=[25, 0])
    ranked = found.rankings()
    assert len(ranked)
    assert found.capacity(most_actions=100).points[0].profit.value is not None
    assert len(found.case_list()) == 500
    assert "LOAN" in str(found.thresholds().reading)


def test_cells_beside_the_amount_and_a_case_without_one(loans):
    loans.loc[3, "LOAN"] = np.nan
    found = decide(loans, {"1": ["=amount - 4", 0], "0": [-4, 0]})
    assert found.table["_WARN_"][3] == "C"
    assert any("1 of 500 amounts are missing" in text for text in found.warnings)
    rest = loans.drop(index=3)
    acts = rest.p * rest.LOAN >= 4
    realised = np.where(rest.BAD == 1, rest.LOAN, 0) - 4
    assert found.totals.total == pytest.approx(realised[acts].sum())


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"amount": None}, "No column says"),
        ({"matrix": {"1": ["=amount*amount", 0], "0": [0, 0]}}, "by itself"),
        ({"matrix": {"1": ["nonsense", 0], "0": [0, 0]}}, "no number"),
        ({"amount": "NOWHERE"}, "NOWHERE"),
    ],
)
def test_what_cannot_be_meant_is_refused(loans, more, words):
    with pytest.raises(PayoffError, match=words):
        decide(loans, **more)


def test_an_amount_no_cell_speaks_of_is_said(loans):
    found = decide(loans, {"1": [-1, 0], "0": [1, 0]})
    assert any("changes nothing" in text for text in found.warnings)


def test_money_made_of_amounts_in_thousands_is_said_to_be_so(loans):
    for column, count in (("LOAN (k€)", 1), ("LOAN", 0)):
        found = decide(loans.rename(columns={"LOAN": column}), amount=column)
        answer = engine().ask(found.document, Totals())
        said = [text for text in answer.warnings if "thousands" in text]
        assert len(said) == count
        assert all("derive [LOAN (k€)] * 1000" in text for text in said)


def test_rule_code_reads_the_column(loans, tmp_path):
    loans.loc[3, "LOAN"] = np.nan
    folder = tmp_path / "rule"
    matrix = {"1": ["=amount - 4", 0], "0": [-4, 0]}
    given = {"target": "BAD", "posteriors": {"1": "p"}, "amount": "LOAN"}
    payoff.export_rule(
        folder,
        loans,
        matrix=matrix,
        decisions=["Review", "Pass"],
        priors={"1": 0.1, "0": 0.9},
        old_priors="data",
        **given,
    )
    contract = json.loads((folder / "contract.json").read_text("utf-8"))
    assert "LOAN" in [entry["name"] for entry in contract["inputs"]]
    expected = pd.read_csv(folder / "expected.csv", keep_default_na=False)
    cases = [c for c in expected.columns if c in ("p", "LOAN", "row")]
    expected[cases].to_csv(tmp_path / "in.csv", index=False)
    out = tmp_path / "out.csv"
    run = [sys.executable, str(folder / "decide.py"), str(tmp_path / "in.csv"), str(out)]
    subprocess.run(run, check=True)
    assert check_export(out, folder).agrees
    done = pd.read_csv(out, keep_default_na=False)
    assert list(done["D_BAD"]) == list(expected["D_BAD"])
    assert list(done["_WARN_"]) == list(expected["_WARN_"])
    assert "C" in set(done["_WARN_"])


def test_the_command_line_takes_the_column_of_the_amounts(loans, tmp_path, capsys):
    source = tmp_path / "loans.csv"
    loans.to_csv(source, index=False)
    given = ["decide", str(source), "--target", "BAD", "--posterior", "1=p"]
    given += ["--matrix", json.dumps(MATRIX), "--decisions", "Lend,Refuse"]
    assert main.main([*given, "--amount", "LOAN"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["total"] == pytest.approx(decide(loans).totals.total)
    assert main.main(given) == 2
    assert "--amount COLUMN" in capsys.readouterr().err
