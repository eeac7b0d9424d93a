"""A plugin's matrix by its id: in scripts, verbs, trainings and a project run without a window."""

import json

import numpy as np
import pandas as pd
import pytest

import main
import payoff
from core.document.decisions.commands import choose_template
from core.script import session
from payoff.errors import PayoffError

PLUGIN = """\
# /// payoff
# id = "org.example.mailing"
# name = "Mailing"
# version = "1.0.0"
# api = ">=1,<2"
# families = ["decision_matrices"]
# licence = "MIT"
# author = "A test"
# description = "Whom to write to."
# ///
import numpy as np

import payoff


def cells(n_levels, parameters):
    rows = np.zeros((n_levels, 2))
    rows[:, 0] = -parameters["letter"]
    rows[0, 0] = parameters["response"] - parameters["letter"]
    return rows


@payoff.hookimpl
def payoff_register_decision_matrices():
    return [
        payoff.DecisionMatrix(
            id="mailing",
            label="Mailing",
            help="Whom to write to.",
            formula="response less letter, or minus the letter",
            kind=payoff.ConsequenceKind.PROFIT,
            decisions=("Write", "Leave"),
            consequences=cells,
            acting="Write",
            do_nothing="Leave",
            level_words=("answers", "keeps silent"),
            parameters=(
                payoff.Parameter(name="response", words="an answer brings", default=10.0),
                payoff.Parameter(name="letter", words="a letter costs", default=1.0, minimum=0.0),
            ),
        )
    ]
"""
ID = "mailing(letter=2)"
WRITTEN = {
    "matrix": {1: [8.0, 0.0], 0: [-2.0, 0.0]},
    "decisions": ["Write", "Leave"],
    "acting": "Write",
    "do_nothing": "Leave",
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("PAYOFF_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(session, "_engines", {})
    folder = session.engine().workbench.plugins.folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mailing.py").write_text(PLUGIN, "utf-8")


@pytest.fixture
def cases():
    draw = np.random.default_rng(4)
    chance = draw.random(300)
    return pd.DataFrame(
        {
            "y": (draw.random(300) < chance).astype(int),
            "p": chance,
            "x": chance + 0.1 * draw.normal(size=300),
            "loan": draw.gamma(2.0, 50.0, 300),
            "three": draw.choice(list("abc"), 300),
        }
    )


def verb(tmp_path, *arguments):
    out = tmp_path / "answer.json"
    assert main.main([*map(str, arguments), "--json", str(out)]) == 0
    return json.loads(out.read_text("utf-8"))


def test_deciding_by_an_id_is_deciding_by_its_cells(cases):
    terms = {"posteriors": {1: "p"}, "target": "y"}
    named, written = (payoff.decide(cases, **terms, **w) for w in ({"matrix": ID}, WRITTEN))
    pd.testing.assert_frame_equal(named.table, written.table)
    assert named.total == written.total
    renamed = payoff.decide(cases, matrix=ID, decisions=["Act", "Wait"], **terms)
    assert renamed.total == written.total
    assert renamed.made.problem.decisions == ("Act", "Wait")
    assert renamed.made.problem.acting == "Act"
    costly = [0.5, 0.0]
    assert (
        payoff.decide(cases, matrix=ID, costs=costly, **terms).total
        == payoff.decide(cases, costs=costly, **terms, **WRITTEN).total
    )


def test_the_event_is_the_level_named_first(cases):
    event = payoff.decide(cases, matrix=ID, posteriors={1: "p"}, target="y")
    other = payoff.decide(cases.assign(q=1 - cases.p), matrix=ID, posteriors={0: "q"}, target="y")
    assert event.made.problem.levels == ("1", "0")
    assert other.made.problem.levels == ("0", "1")
    assert event.total != other.total


def test_metrics_of_money_by_an_id(cases):
    decided = payoff.decide(cases, matrix=ID, posteriors={1: "p"}, target="y")
    judged = payoff.evaluate(
        cases, outcome="y", scores="p", metrics=["total_profit"], decision={"matrix": ID}
    )
    assert judged.value("total_profit", "p") == pytest.approx(decided.total, rel=1e-12)
    with pytest.raises(PayoffError, match="Priors are those of the evaluation"):
        payoff.evaluate(
            cases, outcome="y", scores="p", decision={"matrix": ID, "priors": {1: 0.1, 0: 0.9}}
        )


def test_a_loss_in_money_by_an_id(cases):
    def trained(terms):
        return payoff.boost(
            cases,
            target="y",
            distribution="expected_profit",
            features=["x"],
            n_trees=5,
            seed=1,
            decision=terms,
        ).predict(cases, kind="link")

    kept = {name: WRITTEN[name] for name in ("matrix", "decisions")}
    np.testing.assert_array_equal(trained({"matrix": ID}), trained(kept))


def test_verbs_take_the_id(cases, tmp_path):
    cases.to_csv(tmp_path / "cases.csv", index=False)
    decided = payoff.decide(cases, matrix=ID, posteriors={1: "p"}, target="y")
    rule = ["--target", "y", "--posterior", "1=p", "--matrix", ID]
    assert verb(tmp_path, "decide", tmp_path / "cases.csv", *rule)["total"] == decided.total
    asked = ["--outcome", "y", "--score", "p", "--metric", "total_profit", "--no-intervals"]
    judged = verb(tmp_path, "evaluate", tmp_path / "cases.csv", *asked, "--matrix", ID)
    assert judged["metrics"][0]["value"] == pytest.approx(decided.total, rel=1e-12)
    cells = ["--matrix", json.dumps(WRITTEN["matrix"]), "--decisions", "Write,Leave"]
    written = verb(tmp_path, "evaluate", tmp_path / "cases.csv", *asked, *cells)
    assert written["metrics"] == judged["metrics"]


def test_a_project_with_such_a_matrix_runs(cases, tmp_path):
    cases[["y", "p"]].to_csv(tmp_path / "cases.csv", index=False)
    project = payoff.new_project(tmp_path / "cases.csv")
    info = session.engine().registry.matrix("mailing")
    project.apply(choose_template(info, project.document.target.levels))
    project.set_parameter(name="letter", value=2.0)
    total = project.totals().total[0]
    project.save(tmp_path / "cases.payoff")
    decided = payoff.decide(cases, matrix=ID, posteriors={1: "p"}, target="y")
    assert total == decided.total
    ran = verb(tmp_path, "run", tmp_path / "cases.payoff")
    assert str(total) in json.dumps(ran)
    applied = payoff.apply(tmp_path / "cases.payoff", cases)
    assert applied.total == decided.total


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"matrix": "mailin"}, "mailin"),
        ({"matrix": "mailing(stamp=2)"}, "stamp"),
        ({"matrix": "mailing(letter=-2)"}, "at least 0"),
        ({"matrix": "mailing letter"}, "does not name a matrix"),
        ({"matrix": ID, "kind": "loss"}, "is a matrix of profit, not of loss"),
        ({"matrix": ID, "decisions": ["One"]}, "2 decisions"),
        ({"matrix": ID, "target": None}, "classes are not known"),
        ({"matrix": ID, "target": "three", "posteriors": {"a": "p"}}, "3 classes"),
        ({"matrix": "payoff.credit_loans"}, "needs to know the loan"),
        ({"matrix": ID, "posteriors": None, "predicted": "p"}, "For classes"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(cases, terms, words):
    asked = {"posteriors": {1: "p"}, "target": "y", **terms}
    if terms["matrix"] == "payoff.credit_loans":
        cases = cases.drop(columns="loan")
    with pytest.raises(PayoffError) as refused:
        payoff.decide(cases, **asked)
    assert words in str(refused.value)


def test_an_amount_by_its_name_as_in_the_window(cases):
    terms = {"posteriors": {1: "p"}, "target": "y"}
    named = payoff.decide(cases, matrix="payoff.credit_loans", **terms)
    written = payoff.decide(
        cases,
        matrix={1: ["=-0.6*amount", 0], 0: ["=0.08*amount", 0]},
        amount="loan",
        decisions=["Lend", "Refuse"],
        acting="Lend",
        do_nothing="Refuse",
        **terms,
    )
    assert named.total == pytest.approx(written.total, rel=1e-12)
