"""Names of public data sets and of systems that everybody exports from: roles as they are meant."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.data import LoadedTable
from core.document.data.model import RowUse
from core.document.model import Role
from core.document.uplift.model import guess_control
from tests.core.data.helpers import load_text
from tests.helpers.factories.files import load

ROWS = 120
DRAW = np.random.default_rng(41)
CHANCE = np.round(DRAW.beta(1.3, 3.0, ROWS), 4).clip(0.003, 0.97)
EVENT = DRAW.random(ROWS) < CHANCE
CODES = EVENT.astype(int)
AGE = DRAW.integers(18, 85, ROWS)
MANY = DRAW.permutation(range(708_000_000, 708_010_000))[:ROWS]
ARM = DRAW.integers(0, 2, ROWS)
AGES = np.random.default_rng(3).permutation(ROWS)
CODES_OF_FILES = [f"A{k:04d}" for k in range(ROWS)]


def _table(folder, columns: dict[str, object]) -> LoadedTable:
    lines = ["\t".join(columns)]
    lines += ["\t".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return load_text(folder, "\n".join(lines) + "\n")


def _roles(table: LoadedTable) -> dict[str, Role]:
    return {entry.column: entry.role for entry in table.summary.roles}


@pytest.mark.parametrize(
    ("columns", "role"),
    [
        ({"RowNumber": range(1, ROWS + 1), "CustomerId": MANY}, {"RowNumber": Role.IGNORED}),
        ({"CLIENTNUM": MANY}, {}),
        ({"subject_id": range(ROWS), "hadm_id": MANY}, {"subject_id": Role.IGNORED}),
        ({"subject_id": MANY, "hadm_id": MANY[::-1]}, {"subject_id": Role.ID}),
        ({"id": MANY, "loan": MANY[::-1]}, {"id": Role.ID, "loan": Role.INPUT}),
        (
            {"file": [f"A{k:04d}" for k in range(ROWS)], "LOAN": 700 + 97 * AGES},
            {"LOAN": Role.INPUT},
        ),
        ({"msno": [f"ugx0+Cj{k:03X}OMz=" for k in range(ROWS)]}, {}),
    ],
)
def test_of_several_ids_one_tells_cases_apart_and_none_is_an_input(tmp_path, columns, role):
    found = _roles(_table(tmp_path, {**columns, "age": AGE, "churn": CODES}))
    assert {name: found[name] for name in role} == role
    assert [found[name] for name in columns].count(Role.ID) == 1
    assert found["age"] is Role.INPUT


@pytest.mark.parametrize("name", ["wt.loss", "birth_weight", "Weight change"])
def test_what_a_weight_did_is_no_weight_of_cases(tmp_path, name):
    values = np.round(DRAW.gamma(2.0, 4.0, ROWS), 1)
    found = _roles(_table(tmp_path, {"time": AGE, "status": CODES, name: values}))
    assert found[name] is Role.INPUT


def test_a_dummy_of_the_other_arm_is_no_input(tmp_path):
    columns = {"treatment": ARM, "control": 1 - ARM, "flag": ARM[::-1], "converted": CODES}
    found = _roles(_table(tmp_path, columns))
    assert (found["treatment"], found["control"]) == (Role.TREATMENT, Role.IGNORED)
    assert found["flag"] is Role.INPUT


def test_partitions_of_sas_say_what_rows_are_for(tmp_path):
    part = DRAW.integers(0, 3, ROWS)
    table = _table(tmp_path, {"BAD": CODES, "_PartInd_": part, "P_BAD1": CHANCE})
    assert _roles(table)["_PartInd_"] is Role.ROW_USE
    uses = {"0": RowUse.VALIDATION, "1": RowUse.TRAIN, "2": RowUse.TEST}
    assert dict(table.summary.split.meaning) == uses


def _either(yes: object, no: object) -> np.ndarray:
    return np.where(EVENT, yes, no)


FLAGS = DRAW.integers(0, 2, (4, ROWS))
POINTS = (800 - 400 * CHANCE).astype(int)
ANSWER = DRAW.choice(["Yes", "No"], ROWS)
QUESTION = "Did you buy the product in the last month?"


@pytest.mark.parametrize(
    ("columns", "outcome", "event"),
    [
        ({"": range(1, ROWS + 1), "SeriousDlqin2yrs": CODES, "age": AGE}, "SeriousDlqin2yrs", "1"),
        ({"age": AGE, "heart_disease": FLAGS[0], "bmi": AGE, "stroke": CODES}, "stroke", "1"),
        ({"Age": AGE, "ExerciseAngina": FLAGS[0], "HeartDisease": CODES}, "HeartDisease", "1"),
        (
            {"prevalentStroke": FLAGS[0], "diabetes": FLAGS[1], "TenYearCHD": CODES},
            "TenYearCHD",
            "1",
        ),
        (
            {"Diabetes_binary": CODES, "BMI": AGE, "Stroke": FLAGS[0], "Income": AGE},
            "Diabetes_binary",
            "1",
        ),
        ({"age": AGE, "sex": ANSWER, "income": _either(">50K", "<=50K")}, "income", ">50K"),
        (
            {"Weekend": ANSWER, "ExitRates": CHANCE, "Revenue": _either("TRUE", "FALSE")},
            "Revenue",
            "true",
        ),
        ({"Bankrupt?": CODES, "flag": FLAGS[0], "ROA": AGE}, "Bankrupt?", "1"),
        ({"Married": ANSWER, "Loan_Status": _either("Y", "N")}, "Loan_Status", "Y"),
        ({"credit.policy": FLAGS[0], "not.fully.paid": CODES, "fico": AGE}, "not.fully.paid", "1"),
        (
            {"LowDoc": ANSWER, "MIS_Status": _either("CHGOFF", "P I F"), "x": AGE},
            "MIS_Status",
            "CHGOFF",
        ),
        ({"default": ANSWER, "loan": ANSWER, "deposit": _either("yes", "no")}, "deposit", "yes"),
        (
            {
                "Age": AGE,
                "Class": DRAW.choice(["Eco", "Eco Plus", "Business"], ROWS),
                "Delay": AGE,
                "satisfaction": _either("satisfied", "neutral or dissatisfied"),
            },
            "satisfaction",
            "satisfied",
        ),
        ({"awards_won?": FLAGS[0], "age": AGE, "is_promoted": CODES}, "is_promoted", "1"),
        (
            {"age": AGE, QUESTION: _either("Yes", "No"), "Do you own a car?": ANSWER},
            QUESTION,
            "Yes",
        ),
        (
            {"Edad": AGE, "¿Compró usted el producto?": _either("Sí", "No")},
            "¿Compró usted el producto?",
            "Sí",
        ),
        (
            {"Haben Sie das gekauft?": _either("Ja", "Nein"), "Geschlecht": ANSWER},
            "Haben Sie das gekauft?",
            "Ja",
        ),
        (
            {"Policy": MANY, "Claim Made (Y/N)": _either("Y", "N"), "Zone": ANSWER},
            "Claim Made (Y/N)",
            "Y",
        ),
        (
            {
                "Stage": np.where(FLAGS[0], _either("Closed Won", "Closed Lost"), "Negotiation"),
                "Partner": ANSWER,
                "Amount": AGE,
            },
            "Stage",
            "Closed Won",
        ),
        (
            {"顧客ID": MANY, "契約種別": ANSWER, "解約フラグ": CODES, "解約確率": CHANCE},
            "解約フラグ",
            "1",
        ),
        ({"性別": ANSWER, "購入": _either("はい", "いいえ"), "スコア": CHANCE}, "購入", "はい"),
        (
            {"GB": np.where(FLAGS[0] * FLAGS[1], "I", _either("B", "G")), "PD_neu": CHANCE},
            "GB",
            "B",
        ),
        ({"RainToday": ANSWER, "RainTomorrow": _either("Yes", "No")}, "RainTomorrow", "Yes"),
        ({"Group": _either("Case", "Control"), "CRP": AGE}, "Group", "Case"),
        ({"Gruppe": _either("Fall", "Kontrolle"), "Marker": AGE}, "Gruppe", "Fall"),
        ({"v1": _either("spam", "ham"), "length": AGE}, "v1", "spam"),
        ({"level": CHANCE, "left": CODES, "department": ANSWER}, "left", "1"),
        ({"x": AGE, "Дефолт": _either("нет", "да"), "y1": AGE}, "Дефолт", "да"),
    ],
)
def test_the_outcome_of_files_that_everybody_knows(tmp_path, columns, outcome, event):
    target = _table(tmp_path, columns).summary.target
    assert target is not None
    assert (target.column, target.event) == (outcome, event)


@pytest.mark.parametrize(
    "columns",
    [
        {"age": AGE, "diabetes": FLAGS[0], "stroke": FLAGS[1], "bmi": AGE},
        {"age": AGE, "family history of cancer": FLAGS[0]},
        {"YrSold": 2008 + FLAGS[0], "area": AGE},
        {"MSSubClass": 20 + 40 * FLAGS[0], "area": AGE},
        {"city": AGE, "newsletter": ANSWER},
        {"limit": AGE, "age group": _either("<65", ">=65"), "x": AGE},
        {"age": AGE, "Did you ever order before?": ANSWER},
        {"age": AGE, "smoking_status": ANSWER},
    ],
)
def test_what_may_be_an_input_is_no_outcome(tmp_path, columns):
    assert _table(tmp_path, columns).summary.target is None


def test_chances_of_japan_are_of_their_outcome(tmp_path):
    columns = {"顧客ID": MANY, "契約種別": ANSWER, "解約フラグ": CODES, "解約確率": CHANCE}
    found = _roles(_table(tmp_path, columns))
    assert list(found.values()) == [Role.ID, Role.INPUT, Role.TARGET, Role.POSTERIOR]


@pytest.mark.parametrize("time", ["OS.time", "rfstime", "lenfol", "surv_time", "PFS_TIME"])
def test_times_of_registers_are_when_watching_ended(tmp_path, time):
    found = _roles(_table(tmp_path, {"age": AGE, time: 10 + AGE, "status": CODES}))
    assert (found[time], found["age"]) == (Role.EXIT, Role.INPUT)


def test_an_id_with_several_rows_each_is_a_cluster(tmp_path):
    columns = {"id": [1 + k // 2 for k in range(ROWS)], "age": AGE, "status": CODES}
    assert _roles(_table(tmp_path, columns))["id"] is Role.CLUSTER


@pytest.mark.parametrize("name", ["T", "W"])
def test_letters_of_causal_models_are_treatments_and_no_weights(tmp_path, name):
    found = _roles(_table(tmp_path, {"Y": CODES, name: ARM, "X1": AGE}))
    assert list(found.values()) == [Role.TARGET, Role.TREATMENT, Role.INPUT]
    weights = _roles(_table(tmp_path, {"Y": CODES, "w": 1 + ARM, "X1": AGE}))
    assert weights["w"] is Role.WEIGHT


@pytest.mark.parametrize("scale", [1, 100])
def test_dummies_and_shares_of_other_things_are_no_chances_of_classes(tmp_path, scale):
    region = DRAW.choice(["North", "South"], ROWS)
    north = (region == "North").astype(int)
    dummies = {"region": region, "region_North": scale * north, "region_South": scale * (1 - north)}
    table = _table(tmp_path, {**dummies, "churn": CODES})
    assert table.summary.target is not None
    assert table.summary.target.column == "churn"
    assert Role.POSTERIOR not in _roles(table).values()
    assert _table(tmp_path, {**dummies, "age": AGE}).summary.target is None
    tv = 20 + np.arange(ROWS) % 37
    shares = {"channel": np.resize(["TV", "Radio"], ROWS), "TV %": tv, "Radio %": 100 - tv}
    found = _roles(_table(tmp_path, {**shares, "converted": CODES}))
    assert (found["converted"], found["TV %"]) == (Role.TARGET, Role.INPUT)


@pytest.mark.parametrize(
    ("name", "levels"),
    [
        ("Gruppe", ["ZG", "KG"]),
        ("TG_CG", ["TG", "CG"]),
        ("Kanal", ["Brief", "kein Kontakt"]),
        ("cell", ["exposed", "holdout"]),
    ],
)
def test_arms_in_short_and_by_what_was_not_done(tmp_path, name, levels):
    arms = DRAW.choice(levels, ROWS)
    found = _roles(
        _table(tmp_path, {name: arms, "unit": DRAW.choice(["kg", "lb"], ROWS), "y": CODES})
    )
    assert (found[name], found["unit"]) == (Role.TREATMENT, Role.INPUT)
    assert guess_control(levels) == levels[1]


@pytest.mark.parametrize(
    ("columns", "roles"),
    [
        (
            {"Durée de suivi (mois)": AGE, "Décès (0/1)": CODES},
            {"Durée de suivi (mois)": Role.EXIT},
        ),
        (
            {"Fraud_Flag": _either("Y", "N"), "model_score_v1": (999 * CHANCE).astype(int)},
            {"model_score_v1": Role.SCORE},
        ),
        ({"Selhání": CODES, "Skóre": POINTS}, {"Skóre": Role.SCORE}),
        ({"Дефолт": CODES, "Скор": POINTS}, {"Скор": Role.SCORE}),
        ({"default": CODES, "scorecard": POINTS}, {"scorecard": Role.SCORE}),
        ({"ever_default": FLAGS[0], "default_12m": CODES}, {"default_12m": Role.TARGET}),
        ({"ever_default": CODES, "age": AGE}, {"ever_default": Role.TARGET}),
        ({"bad": CODES, "churn_prob_v2": CHANCE}, {"churn_prob_v2": Role.POSTERIOR}),
        (
            {"log_exposure": np.round(np.log(CHANCE), 3), "nclaims": FLAGS.sum(axis=0) // 2},
            {"nclaims": Role.TARGET, "log_exposure": Role.IGNORED},
        ),
        ({"y": CODES, "Gewichtungsfaktor": AGE / 50}, {"Gewichtungsfaktor": Role.WEIGHT}),
    ],
)
def test_further_roles_by_names(tmp_path, columns, roles):
    found = _roles(_table(tmp_path, columns))
    assert {name: found[name] for name in roles} == roles


def test_months_and_quarters_of_stata_are_dates(tmp_path):
    months = pd.date_range("1959-11-01", periods=ROWS, freq="MS")
    frame = pd.DataFrame({"y": CODES, "m": months, "q": months})
    path = tmp_path / "months.dta"
    frame.to_stata(path, convert_dates={"m": "tm", "q": "tq"}, write_index=False)
    table = load(path)
    assert table.kinds == {"y": "integer", "m": "date", "q": "date"}
    assert [str(day) for day in table.table.column("m").to_pylist()] == months.strftime(
        "%Y-%m-%d"
    ).tolist()
    assert str(table.table.column("q")[4].as_py()) == "1960-01-01"


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("nps_score", range(11), Role.INPUT),
        ("avg_training_score", range(40, 100), Role.INPUT),
        ("quality score", range(1, 21), Role.INPUT),
        ("LACE score", range(20), Role.SCORE),
        ("lace_score", [f"{k}.0" for k in range(20)], Role.SCORE),
        ("risk score (%)", range(20), Role.POSTERIOR),
    ],
)
def test_points_of_short_scales_are_no_chances(tmp_path, name, values, role):
    points = np.resize(values, ROWS)
    rare = np.arange(ROWS) % 14 == 0  # as many as the points were per cent
    found = _roles(_table(tmp_path, {"id": MANY, name: points, "churned": rare.astype(int)}))
    assert found[name] is role


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("blood_group", ["A", "B"], Role.INPUT),
        ("risk group", ["A", "B", "C"], Role.INPUT),
        ("test group", ["A", "B"], Role.TREATMENT),
        ("variant", ["A", "B"], Role.TREATMENT),
        ("holdout", [0, 1], Role.TREATMENT),
        ("is_control", [0, 1], Role.TREATMENT),
    ],
)
def test_lettered_groups_and_those_held_out(tmp_path, name, values, role):
    columns = {"id": MANY, name: DRAW.choice(values, ROWS), "converted": CODES}
    assert _roles(_table(tmp_path, columns))[name] is role
    assert (guess_control(["0", "1"], "holdout"), guess_control(["0", "1"], "y")) == (None, "0")


@pytest.mark.parametrize(
    ("name", "role"),
    [("vehicle_weight", Role.INPUT), ("final_weight", Role.WEIGHT), ("wt_2019", Role.WEIGHT)],
)
def test_weights_of_things_are_no_weights_of_cases(tmp_path, name, role):
    values = DRAW.integers(100, 4_000, ROWS)
    assert _roles(_table(tmp_path, {"id": MANY, name: values, "claim": CODES}))[name] is role
    often = {"recency": AGE, "frequency": DRAW.integers(1, 9, ROWS), "churn": CODES}
    assert _roles(_table(tmp_path, often))["frequency"] is Role.INPUT


def test_a_hazard_is_no_chance_in_per_cent(tmp_path):
    hazard = np.round(CHANCE / (1.0 - CHANCE), 3)
    columns = {"time": AGE, "status": CODES, "risk_score": hazard, "risk (%)": 100 * CHANCE}
    found = _roles(_table(tmp_path, columns))
    assert (found["risk_score"], found["risk (%)"]) == (Role.SCORE, Role.POSTERIOR)


def test_points_beside_several_classes_and_numbers_of_rows_are_no_scores(tmp_path):
    ends = np.where(FLAGS[0], "Current", _either("Chargedoff", "Completed"))
    columns = {"LoanStatus": ends, "ProsperScore": DRAW.integers(1, 12, ROWS), "rate": CHANCE}
    assert _roles(_table(tmp_path, columns))["ProsperScore"] is Role.IGNORED
    columns = {"Lp.": range(1, ROWS + 1), "wiek": AGE, "rezygnacja": _either("tak", "nie")}
    assert _roles(_table(tmp_path, columns))["Lp."] is Role.ID


@pytest.mark.parametrize("name", ["chance_of_offer", "Probability of offer", "propensity_offer"])
def test_the_chance_of_a_treatment_is_none_of_the_outcome(tmp_path, name):
    columns = {"id": MANY, "offer": ARM, name: CHANCE, "bought": CODES, "p_bought": CHANCE[::-1]}
    found = _roles(_table(tmp_path, columns))
    assert (found["offer"], found[name]) == (Role.TREATMENT, Role.PROPENSITY)
    assert found["p_bought"] is Role.POSTERIOR
