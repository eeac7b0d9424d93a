"""``payoff.decide`` on numbers and on leaves, and the tables of its result."""

import json

import numpy as np
import pandas as pd
import pytest

import payoff
from core.data import load
from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.files.project import Headline, save_project
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from main import main
from tests.helpers.shared_data import SHARED

LETTER = 0.68
GIFT = {0: [-LETTER, 0.0], 100: [100 - LETTER, 0.0]}
NAMES = ["Mail", "Leave"]


def donors():
    return pd.DataFrame(
        {
            "gift": [20.0, 0.0, 200.0, 0.0],
            "guess": [0.5, 12.0, 140.0, np.nan],
            "letter": [1.0, 1.0, 2.0, 1.0],
            "node": ["a", "a", "b", "b"],
        }
    )


def test_an_interval_target_by_hand():
    decided = payoff.decide(
        donors(), matrix=GIFT, decisions=NAMES, predicted="guess", target="gift", outputs=["P", "R"]
    )
    table = decided.table
    assert table["D_gift"].tolist() == ["Leave", "Mail", "Mail", ""]
    assert table["EP_gift"][:3].tolist() == pytest.approx([0.0, 11.32, 139.32])
    assert table["CP_gift"][:3].tolist() == pytest.approx([0.0, -LETTER, 200 - LETTER])
    assert table["BP_gift"][:3].tolist() == pytest.approx([20 - LETTER, 0.0, 200 - LETTER])
    assert table["R_gift"][:3].tolist() == pytest.approx([19.5, -12.0, 60.0])
    assert table["_WARN_"].tolist() == ["", "", "", "P"]
    assert decided.total == pytest.approx(200 - 2 * LETTER)
    assert decided.thresholds().rule == pytest.approx(LETTER)
    assert decided.counts.loc["below 100"].tolist() == [1.0, 1.0]
    low, high = decided.intervals["total"]
    assert low < decided.total < high
    assert decided.profit_chart()["cumulative_total"].iloc[-1] == pytest.approx(decided.total)
    assert decided.rankings(bins=3)["cumulative_total"].iloc[-1] == pytest.approx(decided.total)
    assert decided.decision_table()["total"].sum() == pytest.approx(decided.total)


def test_losses_of_an_interval_target_are_positive():
    losses = {knot: [-value for value in row] for knot, row in GIFT.items()}
    decided = payoff.decide(
        donors(), matrix=losses, kind="loss", decisions=NAMES, predicted="guess", target="gift"
    )
    assert decided.table["D_gift"].tolist() == ["Leave", "Mail", "Mail", ""]
    assert decided.total == pytest.approx(2 * LETTER - 200)
    assert "EL_gift" in decided.table


def test_leaves_of_a_tree_with_costs_by_case():
    decided = payoff.decide(
        donors()[:3],
        matrix={0: [0.0, 0.0], 100: [100.0, 0.0]},
        kind="revenue",
        costs=["letter", 0.0],
        decisions=NAMES,
        predicted="guess",
        target="gift",
        leaf="node",
    )
    table = decided.table
    assert table["EP_gift"].tolist() == pytest.approx([5.25, 5.25, 138.0])  # (0.5 + 12) / 2 - 1
    assert table["IC_gift"].tolist() == [1.0, 1.0, 2.0]
    assert table["ROI_gift"].tolist() == [19.0, -1.0, 99.0]


def test_all_output_columns_of_a_class():
    data = {"y": [1, 0, 1, 3], "p": [0.8, 0.2, 0.4, 1.2]}
    decided = payoff.decide(
        data,
        matrix={1: [5, 0], 0: [-1, 0]},
        posteriors={1: "p"},
        target="y",
        outputs=["P", "I", "U", "F", "R"],
    )
    table = decided.table
    assert table["I_y"].tolist() == ["1", "0", "0", ""]
    assert table["U_y"][:3].tolist() == [1.0, 0.0, 0.0]
    assert table["F_y"].tolist() == ["1", "0", "1", ""]
    assert table["R_y1"][:3].tolist() == pytest.approx([0.2, -0.2, 0.6])
    assert table["_WARN_"].tolist() == ["", "", "", "UP"]
    predicted = decided.prediction_table().set_index(["target", "outcome"])["cases"]
    assert predicted["1", "0"] == 1.0
    assert predicted.sum() == 3.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"predicted": None}, "No posterior column"),
        ({"posteriors": {1: "guess"}}, "both named"),
        ({"priors": {1: 0.5, 0: 0.5}}, "Priors need classes"),
        ({"matrix": {"low": [1, 0], 9: [2, 0]}}, "knot 'low' is not a number"),
        ({"matrix": {1: [1, 0], 1.5: [2]}}, "hole"),
        ({"matrix": {0: [1, 0], 5: [float("inf"), 0]}}, "cell"),
        ({"leaf": "tree"}, "tree"),
        ({"outputs": ["I"]}, "is a class"),
        ({"target": "node"}, "not a number|no number"),
    ],
)
def test_what_does_not_fit_is_refused(change, words):
    arguments = {"matrix": GIFT, "predicted": "guess", "target": "gift", **change}
    with pytest.raises(payoff.PayoffError, match=words):
        payoff.decide(donors(), **arguments)


def test_the_verb_decides_numbers_and_leaves(tmp_path, capsys):
    path = tmp_path / "gifts.csv"
    donors().to_csv(path, index=False)
    arguments = ["decide", str(path), "--predicted", "guess", "--target", "gift"]
    matrix = ["--matrix", '{"0": [-0.68, 0], "100": [99.32, 0]}', "--decisions", "Mail,Leave"]
    assert main([*arguments, *matrix]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["total"] == pytest.approx(200 - 2 * LETTER)
    assert answer["threshold"] == pytest.approx(LETTER)
    assert main([*arguments, *matrix, "--leaf", "node"]) == 0
    # leaf a: mean prediction 6.25, so both are mailed; b: its one known case
    assert json.loads(capsys.readouterr().out)["total"] == pytest.approx(220 - 3 * LETTER)


def test_a_project_on_a_number_decides_and_applies(tmp_path):
    path = tmp_path / "gifts.csv"
    donors()[:3].to_csv(path, index=False)
    document = gift_project(path)
    save_project(tmp_path / "gifts.payoff", document, Headline())
    project = payoff.open_project(tmp_path / "gifts.payoff")
    assert project.decide().models[0].total.value == pytest.approx(200 - 2 * LETTER)
    applied = payoff.apply(project, {"guess": [5.0, 0.1, 1.0]})
    assert applied.table["D_gift"].tolist() == ["Mail", "Leave", "Mail"]
    assert applied.expected_total == pytest.approx(6.0 - 2 * LETTER)


def gift_project(path):
    return Document(
        data=load(str(path), ReaderSettings()).data,
        target=TargetSpec(column="gift", kind="interval"),
        rows_used=RowUse.ALL,
        matrix=MatrixSpec(
            template="payoff.profit",
            kind=MatrixKind.PROFIT,
            levels=("0", "100"),
            decisions=("Mail", "Leave"),
            cells=((-LETTER, 0.0), (100 - LETTER, 0.0)),
            acting="Mail",
        ),
    ).with_roles(
        (
            RoleAssignment(column="gift", role=Role.TARGET),
            RoleAssignment(column="guess", role=Role.PREDICTION, model="guess"),
        )
    )


def test_quantiles_decide_over_the_distribution():
    """Uniform on 0 to 20 and on 0 to 40; y - 8 up to 10, then no more: means 10 and 20."""
    data = {"gift": [4.0, 30.0], "low": [0.0, 0.0], "high": [20.0, 40.0]}
    matrix = {0: [-8.0, 0.0], 10: [2.0, 0.0], 1000: [2.0, 0.0]}
    decided = payoff.decide(
        data, matrix=matrix, decisions=NAMES, quantiles={0: "low", 1: "high"}, target="gift"
    )
    # capped means: 7.5 and 8.75, so acting promises -0.5 and 0.75; at the means it was 2 and 2
    assert decided.table["D_gift"].tolist() == ["Leave", "Mail"]
    assert decided.table["EP_gift"].tolist() == pytest.approx([0.0, 0.75])
    assert decided.jensen_gap == pytest.approx({"expected": -1.25, "changed": 0.5})
    assert decided.thresholds().rule is None
    assert decided.total == pytest.approx(2.0)
    with pytest.raises(payoff.PayoffError, match="no distribution"):
        _ = payoff.decide(donors(), matrix=GIFT, predicted="guess").jensen_gap
    crossed = payoff.decide(data, matrix=matrix, quantiles={0: "high", 1: "low"}, target="gift")
    assert any("2 cases cross" in entry.text for entry in crossed.advice)


# ------------------------------------------------------------------ real data


@pytest.fixture(scope="module")
def pva():
    """PVA97NK: half of the donors scored by straight lines fitted on the other half."""
    path = SHARED / "pva97nk" / "pva97nk.csv"
    if not path.is_file():
        pytest.skip("the shared data are not here")
    table = pd.read_csv(path, dtype={"ID": str})
    table["gift"] = table["TARGET_D"].fillna(0.0)
    names = ["GiftCnt36", "GiftCntCard36", "GiftAvgLast", "GiftAvgAll", "GiftTimeLast", "PromCnt12"]
    inputs = np.column_stack([np.ones(len(table)), table[names].fillna(0.0).clip(upper=60)])
    train = np.arange(len(table)) % 2 == 0
    for score, outcome in (("guess", "gift"), ("chance", "TARGET_B")):
        weights = np.linalg.lstsq(inputs[train], table.loc[train, outcome], rcond=None)[0]
        table[score] = inputs @ weights
    table["chance"] = table["chance"].clip(0.01, 0.99)
    return table[~train].reset_index(drop=True)


@pytest.mark.shared_data
def test_pva_classes_with_the_share_of_real_life(pva):
    """5 in 100 give; a letter costs 0.68 and brings 15.62 on average."""
    decided = payoff.decide(
        pva,
        matrix={1: [14.94, 0.0], 0: [-0.68, 0.0]},
        decisions=NAMES,
        posteriors={1: "chance"},
        target="TARGET_B",
        priors={1: 0.05, 0: 0.95},
        old_priors="data",
        outputs=["I", "R"],
    )
    share = pva["TARGET_B"].mean()
    odds = pva["chance"] / (1 - pva["chance"]) * (0.05 / share) / (0.95 / (1 - share))
    mailed = odds / (1 + odds) > 0.68 / 15.62
    weight = np.where(pva["TARGET_B"] == 1, 0.05 / share, 0.95 / (1 - share))
    realised = np.where(pva["TARGET_B"] == 1, 14.94, -0.68) * mailed
    assert decided.total == pytest.approx((weight * realised).sum())
    assert decided.thresholds().rule == pytest.approx(0.68 / 15.62)
    assert 0.2 < mailed.mean() < 0.8
    table = decided.decision_table()
    assert table["total"].sum() == pytest.approx(decided.total)
    assert table["adjusted_percent"].sum() == pytest.approx(100.0)
    ranks = decided.rankings()
    assert ranks["cumulative_total"].iloc[-1] == pytest.approx(decided.total)
    assert ranks["best_lift"].iloc[0] == pytest.approx(20.0)
    assert ranks["cumulative_lift"].iloc[0] > 1.2
    assert (decided.table["I_TARGET_B"] == "0").mean() > 0.99  # with 5 % hardly any passes a half
    assert decided.total > 0


@pytest.mark.shared_data
def test_pva_gifts_with_knots(pva):
    """The amount decides: 68 cents a letter, the bank keeps 2 % of what is above 20."""
    share = pva["TARGET_B"].mean()
    pva = pva.assign(
        cases=np.where(pva["TARGET_B"] == 1, 0.05 / share, 0.95 / (1 - share)),
        mean=pva["guess"] * 0.05 / share,
    )
    knots = {0: [-0.68, 0.0], 20: [19.32, 0.0], 120: [117.32, 0.0]}
    decided = payoff.decide(
        pva,
        matrix=knots,
        decisions=NAMES,
        predicted="mean",
        target="gift",
        weight="cases",
        do_nothing="Leave",
    )
    mailed = pva["mean"] > 0.68
    kept = np.where(pva["gift"] > 20, 20 + 0.98 * (pva["gift"] - 20), pva["gift"])
    realised = (kept - 0.68) * mailed
    assert 0.2 < mailed.mean() < 0.9
    assert (decided.table["D_gift"] == "Mail").mean() == pytest.approx(mailed.mean())
    assert decided.total == pytest.approx((pva["cases"] * realised).sum())
    everyone = (pva["cases"] * (kept - 0.68)).sum()
    assert decided.total > everyone
    ranks = decided.rankings()
    assert ranks["cumulative_total"].iloc[-1] == pytest.approx(decided.total)
    assert ranks["cumulative_lift"].iloc[0] > 1.0
    assert decided.thresholds().rule == pytest.approx(0.68)
    assert decided.decision_table()["total"].sum() == pytest.approx(decided.total)


@pytest.mark.parametrize(
    "ask",
    [
        lambda found, other: found.capacity(2),
        lambda found, other: found.case_list(),
        lambda found, other: found.gap(),
        lambda found, other: found.left_on_the_table(),
        lambda found, other: found.hold_out(0.5),
        lambda found, other: found.break_even(others=[other]),
        lambda found, other: found.against(other),
        payoff.swap_set,
    ],
)
@pytest.mark.parametrize("leaf", [None, "leaf"])
def test_studies_of_classes_say_that_the_outcome_is_a_number(ask, leaf):
    draw = np.random.default_rng(2)
    cases = {"gift": draw.random(40) * 60, "guess": draw.random(40) * 60, "q": draw.random(40)}
    cases["leaf"] = ["u", "v"] * 20
    terms = {"matrix": {0: [-2, 0], 50: [10, 0]}, "target": "gift", "leaf": leaf}
    found = payoff.decide(cases, predicted="guess", **terms)
    with pytest.raises(payoff.PayoffError, match="'gift' is a number without classes"):
        ask(found, payoff.decide(cases, predicted="q", **terms))
