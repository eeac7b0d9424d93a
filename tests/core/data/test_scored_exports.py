"""Scored tables as programs hand them over: the outcome, the chances, and what is no chance."""

from __future__ import annotations

import datetime
import json

import numpy as np
import pytest
import xlsxwriter

from core import data
from core.document.model import Role
from tests.core.data.helpers import load_text, says
from tests.helpers.factories.files import load

ROWS = 120
DRAW = np.random.default_rng(8)
CHANCE = np.round(DRAW.beta(1.3, 3.0, ROWS), 4).clip(0.001, 0.99)
EVENT = DRAW.random(ROWS) < CHANCE
OTHER = np.round(1.0 - CHANCE, 4)
ODDS = np.log(CHANCE / OTHER)
SURE = np.maximum(CHANCE, OTHER)
CODES = EVENT.astype(int).tolist()
CALLED = (CHANCE > 0.5).astype(int).tolist()
IDS = [f"c{k}" for k in range(ROWS)]
SHARES = np.round(DRAW.dirichlet([4, 2, 1], ROWS), 4)


def words(flags: object, yes: str, no: str) -> list[str]:
    return [yes if flag else no for flag in np.asarray(flags)]


WEKA_CLASS = words(EVENT, "2:bad", "1:good")
WEKA_CALL = words(CALLED, "2:bad", "1:good")
STARRED = [("*" if p > 0.5 else "") + f"{p}" for p in CHANCE]
PLAIN = [("" if p > 0.5 else "*") + f"{1 - p:.4f}" for p in CHANCE]
CLASSES = [f"[{1 - p:.4f}, {p}]" for p in CHANCE]
LABELLED = [
    json.dumps([{"label": "1", "prob": str(p)}, {"label": "0", "prob": "0"}]) for p in CHANCE
]

#: What the file holds, the outcome, its event, its chances, columns that are left out.
FILES = {
    "Weka": (
        {
            "inst#": range(1, ROWS + 1),
            "actual": WEKA_CLASS,
            "predicted": WEKA_CALL,
            "error": ["+" if a != b else "" for a, b in zip(WEKA_CLASS, WEKA_CALL, strict=True)],
            "distribution": PLAIN,
            "": STARRED,
        },
        ("actual", "2:bad"),
        {"distribution_1": 1.0 - CHANCE, "distribution_2": CHANCE},
        ("predicted", "error"),
    ),
    "scikit-learn": (
        {"": range(ROWS), "y_test": CODES, "0": OTHER, "1": CHANCE},
        ("y_test", "1"),
        {"0": OTHER, "1": CHANCE},
        (),
    ),
    "KNIME": (
        {
            "income": words(EVENT, ">50K", "<=50K"),
            "P (income=<=50K)": OTHER,
            "P (income=>50K)": CHANCE,
            "Winner": words(CHANCE > 0.5, ">50K", "<=50K"),
        },
        ("income", ">50K"),
        {"P (income=<=50K)": OTHER, "P (income=>50K)": CHANCE},
        ("Winner",),
    ),
    "Modeler": (
        {
            "churn": words(EVENT, "T", "F"),
            "$C-churn": words(CALLED, "T", "F"),
            "$CRP-churn": CHANCE,
        },
        ("churn", "T"),
        {"$CRP-churn": CHANCE},
        ("$C-churn",),
    ),
    "Enterprise Miner": (
        {"BAD": CODES, "P_BAD1": CHANCE, "P_BAD0": OTHER, "V_BAD1": CHANCE**2, "V_BAD0": OTHER**2},
        ("BAD", "1"),
        {"P_BAD1": CHANCE, "P_BAD0": OTHER},
        ("V_BAD1", "V_BAD0"),
    ),
    "DataRobot": (
        {
            "Prediction": CHANCE,
            "PredictedLabel": CALLED,
            "Class_1.0": CHANCE,
            "Class_0.0": OTHER,
            "churn": [float(code) for code in CODES],
        },
        ("churn", "1"),
        {"Class_1.0": CHANCE, "Class_0.0": OTHER},
        ("Prediction", "PredictedLabel"),
    ),
    "Vertex": (
        {
            "churn": words(EVENT, "true", "false"),
            "churn_false_scores": OTHER,
            "churn_true_scores": CHANCE,
        },
        ("churn", "true"),
        {"churn_false_scores": OTHER, "churn_true_scores": CHANCE},
        (),
    ),
    "Dataiku": (
        {
            "target": CODES,
            "proba_0": OTHER,
            "proba_1": CHANCE,
            "prediction": CALLED,
            "prediction_correct": [a == b for a, b in zip(CODES, CALLED, strict=True)],
        },
        ("target", "1"),
        {"proba_0": OTHER, "proba_1": CHANCE},
        ("prediction", "prediction_correct"),
    ),
    "SageMaker": (
        {
            "y": words(EVENT, "yes", "no"),
            "predicted_label": words(CALLED, "yes", "no"),
            "probability": SURE,
            "probabilities": CLASSES,
            "labels": ["['no', 'yes']"] * ROWS,
        },
        ("y", "yes"),
        {"probabilities_no": 1.0 - CHANCE, "probabilities_yes": CHANCE},
        ("predicted_label", "probability"),
    ),
    "Canvas": (
        {
            "churn": words(EVENT, "left", "stayed"),
            "Probability": SURE,
            "Prediction": words(CALLED, "left", "stayed"),
            "stayed": OTHER,
            "left": CHANCE,
        },
        ("churn", "left"),
        {"stayed": OTHER, "left": CHANCE},
        ("Probability", "Prediction"),
    ),
    "CatBoost": (
        {
            "SampleId": range(ROWS),
            "Probability": CHANCE,
            "Class": CALLED,
            "Label": CODES,
        },
        ("Label", "1"),
        {"Probability": CHANCE},
        ("SampleId", "Class"),
    ),
    "Spark": (
        {
            "label": [float(code) for code in CODES],
            "rawPrediction": [f"[{-o},{o}]" for o in ODDS],
            "probability": CLASSES,
        },
        ("label", "1"),
        {"probability_0": 1.0 - CHANCE, "probability_1": CHANCE},
        ("rawPrediction_0", "rawPrediction_1"),
    ),
    "numpy": (
        {"label": CODES, "proba": [str(np.array([1 - p, p])) for p in CHANCE]},
        ("label", "1"),
        {"proba_0": 1.0 - CHANCE, "proba_1": CHANCE},
        (),
    ),
    "BigQuery": (
        {"churned": CODES, "predicted_churned_probs": LABELLED},
        ("churned", "1"),
        {"predicted_churned_probs_1": CHANCE},
        (),
    ),
    "a dictionary": (
        {
            "churn": words(EVENT, "yes", "no"),
            "p": [str({"yes": p, "no": 1 - p}) for p in CHANCE.tolist()],
        },
        ("churn", "yes"),
        {"p_yes": CHANCE, "p_no": 1.0 - CHANCE},
        (),
    ),
    "H2O's class first": (
        {
            "predict": words(CALLED, "yes", "no"),
            "no": OTHER,
            "yes": CHANCE,
            "StdErr": CHANCE / 9,
            "left": words(EVENT, "yes", "no"),
        },
        ("left", "yes"),
        {"no": OTHER, "yes": CHANCE},
        ("predict", "StdErr"),
    ),
    "CatBoost with both classes": (
        {
            "SampleId": range(ROWS),
            "RawFormulaVal:Class=1": ODDS,
            "Probability:Class=0": OTHER,
            "Probability:Class=1": CHANCE,
            "Class": CALLED,
            "Label": CODES,
        },
        ("Label", "1"),
        {"Probability:Class=1": CHANCE},
        ("RawFormulaVal:Class=1", "Class"),
    ),
    "BigQuery, the likelier class first": (
        {
            "churn": CODES,
            "predicted_churn": CALLED,
            "predicted_churn_probs_0_label": CALLED,
            "predicted_churn_probs_0_prob": SURE,
            "predicted_churn_probs_1_label": [1 - code for code in CALLED],
            "predicted_churn_probs_1_prob": 1.0 - SURE,
        },
        ("churn", "1"),
        {},
        ("predicted_churn_probs_0_prob", "predicted_churn_probs_1_prob", "predicted_churn"),
    ),
    "broom": (
        {"am": CODES, ".fitted": CHANCE, ".resid": CODES - CHANCE, ".hat": CHANCE / 9},
        ("am", "1"),
        {".fitted": CHANCE},
        (".resid", ".hat"),
    ),
    "JMP": (
        {"Bad": CODES, "Prob[1]": CHANCE, "Prob[0]": OTHER, "Most Likely Bad": CALLED},
        ("Bad", "1"),
        {"Prob[1]": CHANCE},
        ("Most Likely Bad",),
    ),
    "SPSS classes": (
        {
            "outcome": DRAW.integers(1, 4, ROWS),
            "EST1_1": SHARES[:, 0],
            "EST2_1": SHARES[:, 1],
            "EST3_1": SHARES[:, 2],
            "PCP_1": SHARES.max(axis=1),
        },
        ("outcome", ""),
        {f"EST{k + 1}_1": SHARES[:, k] for k in range(3)},
        ("PCP_1",),
    ),
}


def _table(folder, columns: dict[str, object]) -> data.LoadedTable:
    lines = ["\t".join(columns)]
    lines += ["\t".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return load_text(folder, "\n".join(lines) + "\n")


@pytest.mark.parametrize("program", FILES)
def test_an_export_is_ready_to_judge(tmp_path, program):
    columns, (outcome, event), chances, left_out = FILES[program]
    table = _table(tmp_path, columns)
    assert table.rows == ROWS
    target = table.summary.target
    assert target is not None
    assert target.column == outcome
    assert event in ("", target.event)
    found = {entry.column: entry for entry in table.summary.roles}
    for name, numbers in chances.items():
        assert found[name].role is Role.POSTERIOR, (name, found[name].reason)
        assert data.column_as_float(table, name) == pytest.approx(numbers, abs=1e-4)
    assert {found[name].role for name in left_out} <= {Role.IGNORED, Role.ID}


def test_a_chance_is_of_the_class_that_stands_beside_it(tmp_path):
    columns = {"y": CODES, "probs_0_label": [0] * ROWS, "probs_0_prob": OTHER}
    table = _table(tmp_path, columns | {"probs_1_label": [1] * ROWS, "probs_1_prob": CHANCE})
    found = {entry.column: (entry.role, entry.level) for entry in table.summary.roles}
    assert found["probs_0_prob"] == (Role.POSTERIOR, "0")
    assert found["probs_1_prob"] == (Role.POSTERIOR, "1")


def test_the_chance_of_the_predicted_class_alone_is_turned_into_no_events(tmp_path):
    columns = {"y": words(EVENT, "yes", "no"), "called": words(CALLED, "yes", "no")}
    table = _table(tmp_path, columns | {"predicted_class": columns["called"], "probability": SURE})
    found = {entry.column: entry for entry in table.summary.roles}
    assert found["probability"].role is Role.IGNORED
    says(" ".join(table.summary.warnings), 'if(predicted_class = "yes", probability, 1 - probab')


def test_a_chance_that_is_never_small_is_still_one(tmp_path):
    high = np.round(0.5 + 0.5 * CHANCE, 4)
    event = np.random.default_rng(1).random(ROWS) < high
    called = words(high > 0.7, "yes", "no")
    table = _table(tmp_path, {"y": words(event, "yes", "no"), "pred": called, "probability": high})
    found = {entry.column: entry for entry in table.summary.roles}
    assert found["probability"].role is Role.POSTERIOR


def test_a_margin_is_a_score_where_it_looks_like_log_odds(tmp_path):
    table = _table(tmp_path, {"id": IDS, "label": CODES, "margin": ODDS.round(5)})
    assert {e.column: e.role for e in table.summary.roles}["margin"] is Role.SCORE
    earned = np.round(30.0 * CHANCE - 2.0, 2)
    table = _table(tmp_path, {"id": IDS, "label": CODES, "margin": earned})
    assert {e.column: e.role for e in table.summary.roles}["margin"] is Role.INPUT


def test_expected_counts_of_two_models_name_the_outcome(tmp_path):
    mean = np.round(DRAW.gamma(2.0, 0.4, ROWS), 3)
    columns = {"meter": IDS, "outages": DRAW.poisson(mean), "expected outages model A": mean}
    table = _table(tmp_path, columns | {"expected outages model B": np.round(0.9 * mean, 3)})
    assert table.summary.target is not None
    assert table.summary.target.column == "outages"
    roles = [entry.role for entry in table.summary.roles]
    assert roles == [Role.ID, Role.TARGET, Role.PREDICTION, Role.PREDICTION]


def test_a_loan_is_an_amount_where_a_code_tells_rows_apart(tmp_path):
    loans = [1_000 + 10 * (k % 110) for k in range(ROWS)]
    table = _table(
        tmp_path, {"BAD": CODES, "LOAN": loans, "file": [f"A{k:05d}" for k in range(ROWS)]}
    )
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert (roles["LOAN"], roles["file"]) == (Role.INPUT, Role.ID)


TOTALS = [
    "Summa",
    "Celkem",
    "Razem",
    "I alt",
    "Összesen",
    "Yhteensä",
    "Totale",
    "Total geral",
    "Итого",
]


@pytest.mark.parametrize("label", TOTALS)
def test_totals_in_other_languages_are_no_cases(tmp_path, label):
    amounts = [100 + 7 * k for k in range(ROWS)]
    rows = [f"{k + 1};{amount};{CODES[k]}" for k, amount in enumerate(amounts)]
    text = "\n".join(["nr;belopp;y", *rows, f"{label};{sum(amounts)};"]) + "\n"
    table = load_text(tmp_path, text)
    assert (table.rows, table.summary.left_out) == (ROWS, 1)


def test_lakhs_and_crores_are_numbers(tmp_path):
    text = "loan\tsum\tplain\n1\t₹ 71,48,229\t1,05,000.50\n2\t₹ 5,000\t12,345.00\n3\t₹ 900\t7.25\n"
    table = load_text(tmp_path, text)
    assert data.column_as_float(table, "sum").tolist() == [7_148_229, 5_000, 900]
    assert data.column_as_float(table, "plain").tolist() == [105_000.5, 12_345, 7.25]


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("probability", Role.POSTERIOR),
        ("Ausfallwahrscheinlichkeit", Role.POSTERIOR),
        ("score", Role.SCORE),
        ("probability score", Role.SCORE),
    ],
)
def test_chances_above_a_hundred_are_thousandths_where_their_name_says_chance(tmp_path, name, role):
    table = _table(tmp_path, {"id": IDS, "fraud": CODES, name: np.round(1000 * CHANCE, 1)})
    assert {e.column: e.role for e in table.summary.roles}[name] is role
    mean = float(np.mean(data.column_as_float(table, name)))
    assert mean == pytest.approx(CHANCE.mean() * (1.0 if role is Role.POSTERIOR else 1000.0))


def test_texts_of_days_that_a_workbook_does_not_know_are_dates_among_its_dates(tmp_path):
    path = tmp_path / "births.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet, date = book.add_worksheet(), book.add_format({"num_format": "dd.mm.yyyy"})
        sheet.write_row(0, 0, ["id", "born", "died"])
        for row in range(1, 41):
            sheet.write_row(row, 0, [f"P{row}"])
            if row % 8:
                sheet.write_datetime(row, 1, datetime.datetime(1900 + row, 2, 3), date)
            else:
                sheet.write(row, 1, f"15.03.18{50 + row}")
            sheet.write(row, 2, "yes" if row % 3 else "no")
    table = load(path)
    assert table.kinds["born"] == "date"
    assert [str(day)[:10] for day in table.table.column("born").to_pylist()][6:8] == [
        "1907-02-03",
        "1858-03-15",
    ]
    says(" ".join(table.summary.warnings), "5 of 40 rows hold a text such as 15.03.1858")


def test_a_totals_row_of_amounts_with_signs_is_no_case(tmp_path):
    rows = [f"c{k};{'yes' if CODES[k] else 'no'};{CHANCE[k]:.1%};${1000 + k}" for k in range(ROWS)]
    text = "\n".join(["id;bought;chance;sales", *rows, "Grand Total;;23.4%;$1"]) + "\n"
    table = load_text(tmp_path, text)
    assert (table.rows, table.summary.left_out) == (ROWS, 1)


def test_a_german_word_for_what_happened_is_the_outcome(tmp_path):
    risk = {"zähler": IDS, "Tarifausfall": CODES, "Abschlag": CODES[::-1], "Risiko": CHANCE}
    assert _table(tmp_path, risk).summary.target.column == "Tarifausfall"


@pytest.mark.parametrize("name", ["pred_{}", "pure_premium_{}"])
def test_what_unnamed_predictions_add_up_to_is_the_outcome(tmp_path, name):
    mean = np.round(DRAW.gamma(2.0, 120.0, ROWS), 2)
    cost = np.where(DRAW.random(ROWS) < 0.3, np.round(mean / 0.3, 2), 0.0)
    columns = {
        "policy": IDS,
        "age": DRAW.integers(20, 60, ROWS),
        "cost": cost,
        name.format("glm"): mean,
    }
    table = _table(tmp_path, columns | {name.format("gbm"): np.round(1.05 * mean, 2)})
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert roles["cost"] is Role.TARGET
    assert roles[name.format("glm")] is roles[name.format("gbm")] is Role.PREDICTION
