"""Which column is the outcome, which value is the event, and of which class chances are."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import LoadedTable
from core.data.combine.made_tables import build_table
from core.document.data.model import DataRecipe, DerivedColumn, RowUse
from core.document.model import Role
from tests.core.data.helpers import load_text

ROWS = 400
DRAW = np.random.default_rng(20261)
PUSH = DRAW.normal(size=ROWS)
CHANCE = np.round(1 / (1 + np.exp(0.4 - 1.5 * PUSH)), 3).clip(0.002, 0.998)
EVENT = DRAW.random(ROWS) < CHANCE
OTHER = DRAW.choice(["north", "south"], ROWS)


def _table(tmp_path, columns: dict[str, object]) -> LoadedTable:
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    return load_text(tmp_path, "\n".join(lines) + "\n")


def _roles(table: LoadedTable) -> dict[str, Role]:
    return {entry.column: entry.role for entry in table.summary.roles}


def _outcome(table: LoadedTable) -> tuple[str, str]:
    target = table.summary.target
    return ("", "") if target is None else (target.column, target.event)


def _level(table: LoadedTable, column: str) -> str | None:
    return next(entry.level for entry in table.summary.roles if entry.column == column)


def _either(yes: object, no: object) -> np.ndarray:
    return np.where(EVENT, yes, no)


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [("censored", 0, 1), ("Censored", "No", "Yes"), ("zensiert", "nein", "ja")],
)
def test_of_a_censored_case_no_event_was_seen(tmp_path, name, yes, no):
    table = _table(tmp_path, {"months": np.round(np.exp(PUSH), 2), name: _either(yes, no)})
    assert _outcome(table) == (name, str(yes))
    (warning,) = table.summary.warnings
    assert f"'{yes}' in '{name}' then says that the event was seen" in warning


@pytest.mark.parametrize(
    ("outcome", "yes", "no", "scored", "event", "of"),
    [
        ("outcome", "good", "bad", "score", "bad", "good"),  # words say the event: it stays
        ("repaid", 0, 1, "pd_model", "1", "0"),
        ("label", "ok", "nok", "model_probability", "ok", "ok"),  # they do not: chances do
        ("outcome", 1, 0, "p_gbm", "1", "1"),
    ],
)
def test_chances_are_of_the_class_that_they_rank(tmp_path, outcome, yes, no, scored, event, of):
    table = _table(tmp_path, {"x": OTHER, outcome: _either(yes, no), scored: CHANCE})
    assert _outcome(table) == (outcome, event)
    assert _level(table, scored) == of
    is_turned = any(f"taken as the chance of '{of}'" in line for line in table.summary.warnings)
    assert is_turned == (of != event)


def test_chances_named_for_the_outcome_stay_its_own_even_where_they_are_bad(tmp_path):
    table = _table(tmp_path, {"churn": _either(0, 1), "churn_probability": CHANCE})
    assert (_outcome(table), _level(table, "churn_probability")) == (("churn", "1"), "1")


def test_a_score_that_goes_with_nothing_is_not_turned_round(tmp_path):
    draw = np.random.default_rng(7)
    score, event = np.round(draw.normal(size=ROWS), 3), draw.random(ROWS) < 0.4
    score = -score if score[event].mean() > score[~event].mean() else score
    table = _table(tmp_path, {"bad": event.astype(int), "risk_score": score})
    (entry,) = (entry for entry in table.summary.roles if entry.role is Role.SCORE)
    assert not entry.is_reversed


@pytest.mark.parametrize(
    ("name", "values", "event"),
    [
        ("Left", _either("Left", "Stayed"), "Left"),
        ("Deal", _either("Won", "Lost"), "Won"),
        ("Returned?", _either("returned", "kept"), "returned"),
        ("churn_next_90d", _either(1, 0), "1"),
        ("Status next quarter", np.where(PUSH > 1, "Leave", _either("Stay", "Downgrade")), "Leave"),
        (
            "loan_status",
            np.where(PUSH > 1, "Current", _either("Charged Off", "Fully Paid")),
            "Charged Off",
        ),
    ],
)
def test_values_and_what_lies_ahead_say_outcome(tmp_path, name, values, event):
    table = _table(tmp_path, {"region": OTHER, name: values, "x": np.round(PUSH, 3)})
    assert _outcome(table) == (name, event)


@pytest.mark.parametrize(
    "columns",
    [
        {"Baja": _either("Sí", "No"), "Probabilidad de baja": CHANCE},
        {"escalated": _either("TRUE", "FALSE"), "model_score": CHANCE},
        {"repaid": _either(0, 1), "pd_model": CHANCE},
    ],
)
def test_of_two_columns_of_two_values_a_score_shows_the_outcome(tmp_path, columns):
    table = _table(tmp_path, {"region": OTHER, **columns})
    assert _outcome(table)[0] == next(iter(columns))


@pytest.mark.parametrize("name", ["Status now", "marital_status", "region", "post_code"])
def test_what_says_nothing_of_an_end_is_no_outcome(tmp_path, name):
    table = _table(tmp_path, {name: _either("A", "B"), "x": np.round(PUSH, 3)})
    assert table.summary.target is None


def test_a_stage_on_the_way_to_the_outcome_is_no_input(tmp_path):
    visit = EVENT | (PUSH > 0.5)
    columns = {"visit": visit.astype(int), "conversion": EVENT.astype(int), "newbie": OTHER}
    table = _table(tmp_path, columns)
    assert _roles(table) == {
        "visit": Role.IGNORED,
        "conversion": Role.TARGET,
        "newbie": Role.INPUT,
    }
    assert any("visit gives the outcome away" in line for line in table.summary.warnings)


def test_what_a_model_chose_and_how_sure_it_was_are_no_inputs(tmp_path):
    sure = np.round(np.maximum(CHANCE, 1 - CHANCE), 3)
    chosen = np.where(CHANCE > 0.5, "cat", "dog")
    columns = {"truth": _either("cat", "dog"), "m1_label": chosen, "m1_confidence": sure}
    table = _table(tmp_path, columns)
    assert {_roles(table)[name] for name in ("m1_label", "m1_confidence")} == {Role.IGNORED}
    event = _outcome(table)[1]
    formula = f'if(m1_label = "{event}", m1_confidence, 1 - m1_confidence)'
    assert any(formula in line for line in table.summary.warnings)


@pytest.mark.parametrize(
    ("actual", "predicted"),
    [
        ("Actual sales", ("Forecast LY", "Forecast ML")),
        ("Loss ratio", ("Model loss ratio",)),
        ("ClaimCount", ("ExpectedClaims_GLM",)),
    ],
)
def test_forecasts_show_the_number_that_they_are_of(tmp_path, actual, predicted):
    count = np.random.default_rng(1).poisson(2 + np.exp(PUSH))
    numbers = count if actual == "ClaimCount" else np.round(count + CHANCE, 2)
    columns = {actual: numbers, "week": np.arange(ROWS) % 52}
    columns |= {name: np.round(2 + np.exp(PUSH) + k, 3) for k, name in enumerate(predicted)}
    table = _table(tmp_path, columns)
    target = table.summary.target
    assert target is not None
    assert (target.column, target.kind) == (actual, "interval")
    assert {_roles(table)[name] for name in predicted} == {Role.PREDICTION}


def test_the_amount_earned_is_the_outcome_of_an_experiment_that_names_none(tmp_path):
    columns = {
        "experiment_group": _either("A", "B"),
        "revenue_before": np.round(np.exp(PUSH), 2),
        "revenue": np.round(np.exp(1 - PUSH), 2),
    }
    table = _table(tmp_path, columns)
    assert _roles(table)["experiment_group"] is Role.TREATMENT
    assert _outcome(table)[0] == "revenue"


def test_numbers_that_all_differ_are_no_classes(tmp_path):
    table = load_text(tmp_path, "branch,response\n" + "".join(f"b{k},{k}.5\n" for k in range(12)))
    assert table.summary.target is not None
    assert table.summary.target.kind == "interval"


def test_what_is_told_of_guesses_is_told_once_of_a_table_with_more_columns(tmp_path):
    columns = {"visit": EVENT.astype(int), "months": np.round(np.exp(PUSH), 2)}
    table = _table(tmp_path, columns | {"died": _either(1, 0), "risk score": 200 * CHANCE})
    recipe = DataRecipe(derived=(DerivedColumn(name="years", text="months / 12"),))
    made = build_table(table, recipe, lambda _file: table)
    assert table.summary.guesses
    assert len(set(made.summary.warnings)) == len(made.summary.warnings)
    assert {*table.summary.warnings} <= {*made.summary.warnings}


def test_a_part_of_a_composite_outcome_is_no_input(tmp_path):
    death = EVENT & (PUSH > 0.2)
    columns = {"death14": death.astype(int), "composite_outcome": EVENT.astype(int)}
    table = _table(tmp_path, columns | {"site": OTHER})
    assert _roles(table)["death14"] is Role.IGNORED
    assert _roles(table)["site"] is Role.INPUT
    assert any("where it is 1, the event always happened" in w for w in table.summary.warnings)


def test_test_rows_without_any_outcome_are_to_be_decided(tmp_path):
    outcome = [str(int(event)) if k < 300 else "" for k, event in enumerate(EVENT)]
    use = ["train" if k < 300 else "test" for k in range(ROWS)]
    table = _table(tmp_path, {"dataset": use, "x": np.round(PUSH, 3), "Survived": outcome})
    meaning = dict(table.summary.split.meaning)
    assert meaning == {"train": RowUse.TRAIN, "test": RowUse.TO_DECIDE}
    assert any("No row of 'test' in 'dataset' has an outcome" in w for w in table.summary.warnings)
    known = _table(tmp_path, {"dataset": use, "x": np.round(PUSH, 3), "Survived": _either(1, 0)})
    assert dict(known.summary.split.meaning)["test"] is RowUse.TEST


@pytest.mark.parametrize("names", [("p_treat", "p_control"), ("prob_mail", "prob_control")])
def test_chances_in_each_arm_are_no_ranking_by_themselves(tmp_path, names):
    columns = {"group": np.where(OTHER == "north", "Mail", "Control"), "purchase": _either(1, 0)}
    columns |= {names[0]: CHANCE, names[1]: np.round(CHANCE * 0.9, 3)}
    table = _table(tmp_path, columns)
    assert {_roles(table)[name] for name in names} == {Role.IGNORED}
    assert any(f"derive {names[0]} - {names[1]}" in line for line in table.summary.warnings)


@pytest.mark.parametrize("name", ["Chance to pay", "Kans op vertrek", "Probability of loss"])
def test_what_a_chance_is_of_is_no_name_of_a_model(tmp_path, name):
    table = _table(tmp_path, {"id": range(ROWS), "ended": _either("yes", "no"), name: CHANCE})
    (entry,) = (entry for entry in table.summary.roles if entry.role is Role.POSTERIOR)
    assert (entry.column, entry.model) == (name, "model")
