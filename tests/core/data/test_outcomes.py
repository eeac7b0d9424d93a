"""Which column is the outcome, which value is the event, and of which class chances are."""

from __future__ import annotations

import numpy as np
import pytest

from core.assembly.models.task import task_of
from core.data import LoadedTable
from core.data.combine.made_tables import build_table
from core.document.data.model import DataRecipe, DerivedColumn, RowUse
from core.document.model import Document, Role
from core.document.uplift.model import guess_control
from payoff.vocabulary import Task
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


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("Readmit30", "Y", "N"),
        ("Died in hospital", "1", "0"),
        ("Bestellt", "Ja", "Nein"),
        ("Delinquent 90+", "Yes", "No"),
        ("Rehospitalisierung innerhalb 30 Tage", "1", "0"),
        ("Stage", "Closed Won", "Closed Lost"),
        ("Died in hospital (1=Yes, 2=No)", "1", "2"),
        ("Vital status (1: alive, 2: dead)", "2", "1"),
    ],
)
def test_what_happened_to_a_case_is_the_outcome_by_its_words(tmp_path, name, yes, no):
    said = [yes if e else no for e in EVENT]
    columns = {"id": range(ROWS), f'"{name}"': said, "side": OTHER, "sex": OTHER[::-1]}
    assert _outcome(_table(tmp_path, columns)) == (name, yes)


def test_what_a_case_had_before_is_no_outcome(tmp_path):
    said = ["Yes" if e else "No" for e in EVENT]
    table = _table(tmp_path, {"family history of death": said, "ordered before": said})
    assert _outcome(table) == ("", "")


def test_a_class_that_a_model_chose_is_no_outcome(tmp_path):
    classes = DRAW.choice(["CR", "PR", "PD"], ROWS)
    table = _table(tmp_path, {"BOR": DRAW.choice(["CR", "PR", "NE"], ROWS), "pred_class": classes})
    assert _outcome(table) == ("", "")


def test_none_is_a_class_where_a_chance_is_called_so(tmp_path):
    shares = DRAW.dirichlet([4, 2, 1], ROWS).round(3)
    offers = DRAW.choice(["None", "Card", "Loan"], ROWS)
    names = ("P_NONE", "P_CARD", "P_LOAN")
    columns = {"TAKEN": offers, **{name: shares[:, k] for k, name in enumerate(names)}}
    table = _table(tmp_path, columns)
    assert table.summary.target is not None
    assert set(table.summary.target.levels) == {"None", "Card", "Loan"}
    assert _level(table, "P_NONE") == "None"
    taken = DRAW.choice(["None", "Yes", "No"], ROWS)
    other = _table(tmp_path, {"none_left": CHANCE, "TAKEN": taken})
    assert other.table.column("TAKEN").null_count > 0


@pytest.mark.parametrize(("name", "runs_to"), [("Model A", 100), ("Predicted mortality (%)", 100)])
def test_per_cent_of_a_model_are_chances(tmp_path, name, runs_to):
    percent = (runs_to * CHANCE).round(1)
    table = _table(tmp_path, {"id": range(ROWS), "Sepsis": EVENT.astype(int), name: percent})
    assert _outcome(table) == ("Sepsis", "1")
    entry = next(entry for entry in table.summary.roles if entry.column == name)
    assert (entry.role, entry.is_percent) == (Role.POSTERIOR, True)


def test_a_column_called_pd_is_the_model_pd(tmp_path):
    table = _table(tmp_path, {"PD": CHANCE, "DefaultFlag": EVENT.astype(int)})
    assert [e.model for e in table.summary.roles if e.role is Role.POSTERIOR] == ["PD"]


@pytest.mark.parametrize(("name", "yes"), [("is_test", RowUse.TEST), ("train_flag", RowUse.TRAIN)])
def test_a_flag_says_what_rows_are_for_beside_scores(tmp_path, name, yes):
    flags = [int(k % 3 == 0) for k in range(ROWS)]
    table = _table(
        tmp_path, {"y": EVENT.astype(int), "p": CHANCE, name: flags, "fold": np.arange(ROWS) % 5}
    )
    split = table.summary.split
    assert split.column == name
    assert dict(split.meaning)["1"] is yes
    assert _roles(table)["fold"] is Role.IGNORED
    bare = _table(tmp_path, {"y": EVENT.astype(int), name: flags})
    assert bare.summary.split.column is None


@pytest.mark.parametrize(
    ("name", "arms"),
    [
        ("Gutscheingruppe", ("Kein Gutschein", "5 Euro", "10 Euro")),
        ("Training", ("true", "false")),
        ("Angeschrieben", ("ja", "nein")),
    ],
)
def test_how_cases_were_treated_is_a_treatment(tmp_path, name, arms):
    columns = {name: DRAW.choice(arms, ROWS), "Bestellt": EVENT.astype(int), "x": PUSH}
    assert _roles(_table(tmp_path, columns))[name] is Role.TREATMENT


def test_the_last_of_a_series_of_amounts_is_the_outcome_beside_a_treatment(tmp_path):
    wages = {f"Wage_{year}": (1000 * CHANCE + year).round(1) for year in (1974, 1978, 1975)}
    table = _table(tmp_path, {"Training": DRAW.choice([0, 1], ROWS), **wages})
    assert _outcome(table)[0] == "Wage_1978"


def test_conversions_are_counted(tmp_path):
    counts = DRAW.poisson(2.0, ROWS)
    table = _table(tmp_path, {"Clicks": counts * 9, "Total_Conversion": counts})
    assert table.summary.target is not None
    assert (table.summary.target.column, table.summary.target.kind) == (
        "Total_Conversion",
        "interval",
    )


def _watched(is_event_one: bool) -> tuple[np.ndarray, np.ndarray]:
    """Times and marks of cases that enter over five years; a study that ends for all at once."""
    draw = np.random.default_rng(4)
    time, end = draw.exponential(40.0, ROWS), draw.uniform(6.0, 60.0, ROWS)
    seen = time <= end
    return np.minimum(time, end).round(1), (seen == is_event_one).astype(int)


@pytest.mark.parametrize("is_event_one", [True, False])
def test_the_longest_times_say_what_cens_means(tmp_path, is_event_one):
    time, cens = _watched(is_event_one)
    table = _table(tmp_path, {"stay_months": time, "cens": cens, "risk_cox": PUSH.round(3)})
    assert _outcome(table) == ("cens", "1" if is_event_one else "0")
    reason = next(e.reason for e in table.summary.roles if e.column == "cens")
    assert "among the longest times" in reason
    roles = _roles(table)
    assert (roles["stay_months"], roles["risk_cox"]) == (Role.EXIT, Role.SCORE)


def test_cens_without_times_is_asked_about(tmp_path):
    table = _table(tmp_path, {"cens": EVENT.astype(int), "x": CHANCE})
    reason = next(e.reason for e in table.summary.roles if e.column == "cens")
    assert "whether '1' is the event or says censored is not clear" in reason


def test_codes_with_their_words_say_the_event(tmp_path):
    said = np.where(EVENT, "1:DECEASED", "0:LIVING")  # more frequent than half
    table = _table(tmp_path, {"OS_STATUS": said, "OS_MONTHS": range(ROWS)})
    assert _outcome(table) == ("OS_STATUS", "1:DECEASED")


def test_a_count_is_a_weight_where_each_row_is_a_group(tmp_path):
    rows = [(a, e, 50 + 10 * a + e) for a in range(6) for e in (0, 1)]
    names = ("age_group", "event", "count")
    columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    table = _table(tmp_path, {**columns, "pred_risk": [0.1 + row[0] / 20 for row in rows]})
    assert _roles(table)["count"] is Role.WEIGHT
    cases = {"x": PUSH.round(3), "event": EVENT.astype(int), "count": DRAW.integers(1, 9, ROWS)}
    assert _roles(_table(tmp_path, cases))["count"] is Role.INPUT


def test_models_below_one_another_are_named(tmp_path):
    models = np.where(np.arange(ROWS) % 2, "gbm", "logit")
    columns = {"model": models, "prob": CHANCE, "actual": EVENT.astype(int)}
    told = [w for w in _table(tmp_path, columns).summary.warnings if "names 2 models" in w]
    assert len(told) == 1
    assert "Use only the rows where model = " in told[0]


def test_grades_of_lists_are_numbers(tmp_path):
    columns = {
        "label": DRAW.integers(0, 5, ROWS),
        "qid": np.arange(ROWS) // 10,
        "f1": PUSH.round(3),
    }
    table = _table(tmp_path, columns)
    assert table.summary.target is not None
    assert (table.summary.target.column, table.summary.target.kind) == ("label", "interval")
    assert _roles(table)["qid"] is Role.GROUP
    del columns["qid"]
    bare = _table(tmp_path, columns).summary.target
    assert bare is not None
    assert bare.kind == "multiclass"


@pytest.mark.parametrize(
    ("unknown", "yes", "no"), [("k.A.", "ja", "nein"), ("9", "1", "0"), ("Unknown", "Yes", "No")]
)
def test_what_is_not_known_is_no_class(tmp_path, unknown, yes, no):
    said = np.where(EVENT, yes, no).astype(object)
    said[::25] = unknown
    table = _table(tmp_path, {"died": said, "p_model": CHANCE})
    target = table.summary.target
    assert target is not None
    assert (target.kind, target.levels) == ("binary", (yes, no))
    assert any(f"'{unknown}' in 'died' (16 rows)" in words for words in table.summary.warnings)
    assert _level(table, "p_model") == yes


def test_nine_among_other_grades_is_a_class(tmp_path):
    table = _table(tmp_path, {"class": np.where(EVENT, 9, np.arange(ROWS) % 4), "x": PUSH.round(3)})
    assert table.summary.target is not None
    assert "9" in table.summary.target.levels


def test_a_person_with_several_rows_is_a_cluster(tmp_path):
    columns = {"PatientNr": np.arange(ROWS) // 3, "p": CHANCE, "y": EVENT.astype(int)}
    assert _roles(_table(tmp_path, columns))["PatientNr"] is Role.CLUSTER


def test_samples_of_a_scorecard_say_what_rows_are_for(tmp_path):
    samples = np.array(["Entwicklung", "Validierung", "OOT"])[np.arange(ROWS) % 3]
    table = _table(tmp_path, {"Stichprobe": samples, "p": CHANCE, "y": EVENT.astype(int)})
    assert dict(table.summary.split.meaning)["Entwicklung"] is RowUse.TRAIN


def test_columns_kept_as_text_stay_in_their_places(tmp_path):
    columns = {"y": EVENT.astype(int), "b": [f"{k:05d}" for k in range(ROWS)], "p": CHANCE}
    table = _table(tmp_path, columns)
    assert [column.name for column in table.summary.columns] == ["y", "b", "p"]


@pytest.mark.parametrize(
    ("event", "other"),
    [("gekauft", "nicht gekauft"), ("Readmitted", "Not readmitted"), ("défaut", "pas de défaut")],
)
def test_what_was_not_so_is_not_the_event_though_it_is_rarer(tmp_path, event, other):
    said = np.where(np.arange(ROWS) % 5 > 0, event, other)
    assert _outcome(_table(tmp_path, {"outcome": said, "x": PUSH.round(3)})) == ("outcome", event)


def test_analysis_values_of_a_trial_are_times(tmp_path):
    time, censored = _watched(is_event_one=False)
    table = _table(tmp_path, {"USUBJID": range(ROWS), "AVAL": time, "CNSR": censored})
    assert _outcome(table) == ("CNSR", "0")
    assert _roles(table)["AVAL"] is Role.EXIT


LISTS = np.arange(ROWS) // 10
GRADES = np.clip(np.round(1 + PUSH), 0, 4).astype(int)


@pytest.mark.parametrize("outcome", ["label", "relevance", "rel", "note_de_pertinence"])
@pytest.mark.parametrize(
    ("name", "model"),
    [("score", "score"), ("lambdarank_score", "lambdarank"), ("pred_lgbm", "lgbm")],
)
def test_scores_of_lists_are_predictions_of_their_grades(tmp_path, outcome, name, model):
    columns = {"qid": LISTS, outcome: GRADES, "length": range(ROWS), name: PUSH.round(4)}
    table = _table(tmp_path, columns)
    target = table.summary.target
    assert target is not None
    assert (target.column, target.kind) == (outcome, "interval")
    roles = {entry.column: entry for entry in table.summary.roles}
    assert roles["qid"].role is Role.GROUP
    assert (roles[name].role, roles[name].model) == (Role.PREDICTION, model)
    document = Document(name="", target=target, roles=table.summary.roles)
    assert task_of(document) is Task.RANKING


def test_sessions_of_visitors_belong_together_and_are_no_lists_to_rank(tmp_path):
    revenue = np.round(20 * np.exp(PUSH), 2)
    columns = {"session_id": LISTS, "revenue": revenue, "predicted_revenue": revenue * 2}
    table = _table(tmp_path, columns)
    assert _roles(table)["session_id"] is Role.CLUSTER
    document = Document(name="", target=table.summary.target, roles=table.summary.roles)
    assert task_of(document) is Task.REGRESSION


ENDS = np.where(EVENT, np.where(PUSH > 1.2, 2, 1), 0)


@pytest.mark.parametrize(
    ("levels", "event", "watched"),
    [(("0", "1", "2"), "1", "0"), (("censored", "relapse", "death"), "", "censored")],
)
def test_several_ends_beside_a_time_are_competing_risks(tmp_path, levels, event, watched):
    time = np.round(np.exp(PUSH), 2)
    table = _table(tmp_path, {"time": time, "status": np.array(levels)[ENDS], "x": OTHER})
    target = table.summary.target
    assert target is not None
    assert (target.column, target.kind) == ("status", "multiclass")
    assert target.event == event if event else target.event != watched
    assert _roles(table)["time"] is Role.EXIT
    (told,) = (words for words in table.summary.warnings if "competing risks" in words)
    assert f"any other end counts as '{watched}' does" in told
    without = _table(tmp_path, {"status": np.array(levels)[ENDS], "x": OTHER})
    assert not any("competing" in words for words in without.summary.warnings)


RANKS = np.argsort(np.argsort(-CHANCE, kind="stable")) + 1


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("Rank", RANKS),
        ("Decile", (RANKS - 1) * 10 // ROWS + 1),
        ("pct", np.round(100.0 - 100.0 * RANKS / ROWS, 1)),
        ("Band", np.array(["low", "mid", "high"])[np.digitize(CHANCE, [0.25, 0.6])]),
    ],
)
def test_places_by_a_score_are_no_inputs(tmp_path, name, places):
    columns = {"Score": CHANCE, name: places, "age": DRAW.integers(18, 80, ROWS)}
    table = _table(tmp_path, {**columns, "Responded": EVENT.astype(int)})
    entry = next(entry for entry in table.summary.roles if entry.column == name)
    assert entry.role is Role.IGNORED
    assert entry.reason == "it is the place of a case by 'Score': please check"
    assert (_roles(table)["age"], _roles(table)["Score"]) == (Role.INPUT, Role.POSTERIOR)


def test_what_alone_makes_a_score_is_an_input(tmp_path):
    points = np.round(10 * PUSH).astype(int)
    chance = np.round(1 / (1 + np.exp(0.4 - 0.15 * points)), 4)
    table = _table(tmp_path, {"points": points, "PD": chance, "bad": EVENT.astype(int)})
    assert _roles(table)["points"] is Role.INPUT


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("Decile", DRAW.integers(1, 11, ROWS), Role.IGNORED),
        ("rank", DRAW.permutation(ROWS) + 1, Role.IGNORED),
        ("rank", DRAW.integers(1, 5, ROWS), Role.INPUT),  # of professors
        ("bmi_percentile", DRAW.integers(1, 100, ROWS), Role.INPUT),
    ],
)
def test_places_by_a_score_that_is_not_there(tmp_path, name, values, role):
    table = _table(tmp_path, {name: values, "bought": EVENT.astype(int)})
    assert _roles(table)[name] is role


@pytest.mark.parametrize(
    ("levels", "name"),
    [(("setosa", "virginica", "versicolor"), "species"), (("0", "1", "2"), "left_us")],
)
def test_what_a_model_chose_shows_the_outcome(tmp_path, levels, name):
    other = np.where(DRAW.random(ROWS) < 0.1, (ENDS + 1) % 3, ENDS)
    columns = {
        "shop": np.array(levels)[DRAW.integers(0, 3, ROWS)],
        name: np.array(levels)[ENDS],
        "pred_class": np.array(levels)[other],
    }
    table = _table(tmp_path, columns)
    assert _outcome(table)[0] == name
    assert _roles(table)["pred_class"] is Role.IGNORED


@pytest.mark.parametrize("name", ["Baseline score", "baseline_severity_score", "Score (baseline)"])
def test_points_when_a_study_began_are_no_scores(tmp_path, name):
    columns = {name: DRAW.integers(0, 60, ROWS), "risk_model": CHANCE, "died": EVENT.astype(int)}
    table = _table(tmp_path, columns)
    assert _roles(table)[name] is Role.INPUT
    assert _roles(table)["risk_model"] is Role.POSTERIOR
    model = _table(tmp_path, {"p_baseline": CHANCE, "died": EVENT.astype(int)})
    assert _roles(model)["p_baseline"] is Role.POSTERIOR


def test_numbers_of_several_values_called_default_are_no_outcome(tmp_path):
    channels = DRAW.choice(["Direct", "Organic Search", "Paid Social"], ROWS)
    columns = {"Session default channel group": channels, "Purchaser": EVENT.astype(int)}
    table = _table(tmp_path, {**columns, "Purchase probability": CHANCE})
    assert _outcome(table) == ("Purchaser", "1")


def test_states_of_forms_are_no_outcomes_and_no_inputs(tmp_path):
    states = {"outcome_complete": DRAW.integers(0, 3, ROWS)}
    columns = {"record_id": range(ROWS), "mortality_30d": EVENT.astype(int), **states}
    table = _table(tmp_path, {**columns, "gcs_score": DRAW.integers(3, 16, ROWS)})
    assert _outcome(table) == ("mortality_30d", "1")
    assert _roles(table)["outcome_complete"] is Role.IGNORED
    assert _outcome(_table(tmp_path, states))[0] == "outcome_complete"


def test_a_chance_named_for_a_model_counts_beside_points(tmp_path):
    columns = {"gcs_score": DRAW.integers(3, 16, ROWS), "predicted_mortality": CHANCE}
    table = _table(tmp_path, {**columns, "died": EVENT.astype(int)})
    assert _roles(table)["predicted_mortality"] is Role.POSTERIOR


def test_points_show_which_of_several_columns_is_the_outcome(tmp_path):
    columns = {"Analyst": OTHER, "SAR Filed": _either("Y", "N"), "Ticked": OTHER[::-1]}
    table = _table(tmp_path, {**columns, "Risk Score": np.round(1000 * CHANCE).astype(int)})
    assert _outcome(table) == ("SAR Filed", "Y")
    assert _roles(table)["Risk Score"] is Role.SCORE


def test_a_score_that_gives_the_outcome_away_is_told(tmp_path):
    settled = np.where(EVENT, 100, 0)
    columns = {"Stage": _either("Closed Won", "Closed Lost"), "Probability (%)": settled}
    table = _table(tmp_path, {**columns, "Einstein Score": np.round(100 * CHANCE).astype(int)})
    assert _roles(table)["Probability (%)"] is Role.IGNORED
    perfect = np.round(np.where(EVENT, 0.5 + CHANCE / 2, CHANCE / 2), 3)
    other = _table(tmp_path, {"y": EVENT.astype(int), "p_gbm": perfect})
    assert _roles(other)["p_gbm"] is Role.POSTERIOR
    assert any("it is no model's score" in words for words in other.summary.warnings)


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("y_proba_rf", "rf"),
        ("p_hat", "p hat"),
        ("PD_PCT", "PD"),
        ("Average of Score", "Score"),
        ("Sum of xgb_score", "xgb"),
    ],
)
def test_what_programs_add_to_a_name_is_no_model(tmp_path, name, model):
    columns = {"y_true": EVENT.astype(int), name: np.round(100 * CHANCE, 1)}
    found = _table(tmp_path, columns).summary.roles
    assert [e.model for e in found if e.role is Role.POSTERIOR] == [model]


def test_a_score_has_its_name_in_brackets_too(tmp_path):
    columns = {
        "Readmitted": _either("Yes", "No"),
        "Readmit score (LACE)": (20 * CHANCE).astype(int),
    }
    (entry,) = (e for e in _table(tmp_path, columns).summary.roles if e.role is Role.SCORE)
    assert entry.column == "Readmit score (LACE)"


@pytest.mark.parametrize(
    ("name", "words"),
    [("champion_decision", ("DECLINE", "APPROVE")), ("flag", ("bad", "good"))],
)
def test_decisions_and_classes_that_follow_from_a_score_are_no_inputs(tmp_path, name, words):
    columns = {"champion_score": CHANCE, name: np.where(CHANCE > 0.6, *words), "state": OTHER}
    table = _table(tmp_path, {**columns, "outcome": _either("bad", "good")})
    assert _roles(table)[name] is Role.IGNORED
    assert _roles(table)["state"] is Role.INPUT
    owner = np.where(CHANCE > 0.6, "owner", "tenant")  # what may make a score is an input
    assert _roles(_table(tmp_path, {**columns, name: EVENT, "home": owner}))["home"] is Role.INPUT


def test_the_class_of_the_highest_chance_is_no_input(tmp_path):
    shares = DRAW.dirichlet([4, 2, 1], ROWS).round(3)
    levels = np.array(["laag", "midden", "hoog"])
    drawn = levels[[DRAW.choice(3, p=row / row.sum()) for row in shares]]
    columns = {f"Kans {level}": shares[:, k] for k, level in enumerate(levels)}
    chosen = {"Werkelijke klasse": drawn, "Voorspelde klasse": levels[shares.argmax(axis=1)]}
    table = _table(tmp_path, {**columns, **chosen})
    assert _outcome(table)[0] == "Werkelijke klasse"
    assert _roles(table)["Voorspelde klasse"] is Role.IGNORED
    assert {e.model for e in table.summary.roles if e.role is Role.POSTERIOR} == {"model"}


def test_weights_of_bodies_are_no_weights_of_cases(tmp_path):
    bodies = np.round(DRAW.normal(75, 12, ROWS), 1)
    columns = {"died": EVENT.astype(int), "weight": bodies}
    assert _roles(_table(tmp_path, columns))["weight"] is Role.INPUT
    columns["weight"] = np.round(DRAW.uniform(50.0, 110.0, ROWS), 2)  # of a survey
    assert _roles(_table(tmp_path, columns))["weight"] is Role.WEIGHT
    assert _roles(_table(tmp_path, columns | {"height": bodies}))["weight"] is Role.INPUT
    named = {"died": EVENT.astype(int), "sample_weight": bodies}
    assert _roles(_table(tmp_path, named))["sample_weight"] is Role.WEIGHT
    columns["weight"] = np.round(DRAW.gamma(4.0, 90.0, ROWS), 1)  # of a survey
    assert _roles(_table(tmp_path, columns))["weight"] is Role.WEIGHT


@pytest.mark.parametrize(
    ("name", "role"), [("customer_id", Role.ID), ("amount_paid", Role.INPUT), ("uric_acid", None)]
)
def test_ids_kept_as_decimals_are_ids(tmp_path, name, role):
    values = [f"{100_000 + 7 * k}.0" for k in range(ROWS)]
    table = _table(tmp_path, {"Unnamed: 0": range(ROWS), name: values, "y": EVENT.astype(int)})
    assert _roles(table)[name] is (role or Role.INPUT)
    index = _roles(table)["Unnamed: 0"]
    assert index is (Role.IGNORED if role is Role.ID else Role.ID)


@pytest.mark.parametrize(("column", "role"), [("t", Role.EXIT), ("_t", Role.IGNORED)])
def test_times_of_stata_are_no_inputs(tmp_path, column, role):
    columns = {column: np.round(np.exp(PUSH), 2), "_d": EVENT.astype(int), "_st": [1] * ROWS}
    table = _table(tmp_path, {"dead": EVENT.astype(int), **columns, "x": PUSH.round(3)})
    assert (_roles(table)[column], _roles(table)["_d"]) == (role, Role.IGNORED)


def test_times_of_stata_are_the_outcome_where_the_file_has_no_other(tmp_path):
    columns = {"_t": np.round(np.exp(PUSH), 2), "_d": EVENT.astype(int), "_st": [1] * ROWS}
    columns |= {"_t0": [0] * ROWS, "x": PUSH.round(3), "xb_cox": -PUSH.round(3)}
    table = _table(tmp_path, columns)
    assert table.summary.split.shares == (0.0, 0.0, 1.0)  # it came with a score
    roles = _roles(table)
    assert (roles["xb_cox"], roles["x"]) == (Role.SCORE, Role.INPUT)
    assert (roles["_d"], roles["_t"]) == (Role.EVENT, Role.TARGET)
    assert (roles["_st"], roles["_t0"]) == (Role.IGNORED, Role.IGNORED)


@pytest.mark.parametrize(
    ("levels", "role"),
    [
        (("Mens E-Mail", "Womens E-Mail", "No E-Mail"), Role.TREATMENT),
        (("Brief A", "Brief B", "kein Brief"), Role.INPUT),
        (("roter Brief", "blauer Brief", "kein Brief"), Role.TREATMENT),
        (("no", "yes", "no answer"), Role.INPUT),
        (("Garage", "No garage"), Role.INPUT),
    ],
)
def test_a_level_that_denies_what_all_others_are_is_that_of_a_control_group(tmp_path, levels, role):
    columns = {"segment": DRAW.choice(levels, ROWS), "conversion": EVENT.astype(int)}
    assert _roles(_table(tmp_path, columns))["segment"] is role


def test_whether_an_entry_of_a_list_fits_is_its_grade(tmp_path):
    columns = {"query_id": [f"q{k // 6}" for k in range(ROWS)], "bm25_score": PUSH.round(3)}
    table = _table(tmp_path, columns | {"relevance": EVENT.astype(int)})
    target = table.summary.target
    assert target is not None
    assert (target.column, target.kind) == ("relevance", "interval")
    assert _roles(table)["query_id"] is Role.GROUP
    assert _roles(table)["bm25_score"] is Role.PREDICTION
    assert table.summary.split.together == "query_id"
    table = _table(tmp_path, columns | {"clicked": EVENT.astype(int)})
    assert table.summary.target is not None
    assert table.summary.target.kind == "binary"  # what somebody did


def test_points_beside_more_than_two_classes_are_left_out_and_it_is_said(tmp_path):
    ends = np.where(EVENT, "ICU", np.where(OTHER[0] == OTHER, "admitted", "discharged"))
    points = np.round(600 + 60 * PUSH)
    table = _table(tmp_path, {"outcome": ends, "triage_score": points, "age": points // 10})
    roles = _roles(table)
    assert (roles["triage_score"], roles["age"]) == (Role.IGNORED, Role.INPUT)
    told = [words for words in table.summary.warnings if "triage_score is left out" in words]
    assert len(told) == 1
    assert 'derive an outcome of two classes, such as if(outcome = "' in told[0]


def test_a_rule_that_cuts_a_score_is_not_the_outcome_of_it(tmp_path):
    points = np.round(600 + 60 * PUSH)
    columns = {"Fraud Score": points, "Rule hit": np.where(points > 640, "Yes", "No")}
    table = _table(tmp_path, columns | {"Confirmed": np.where(EVENT, "Yes", "No")})
    assert _outcome(table)[0] == "Confirmed"


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("ano", "ne"),
        ("Tak", "Nie"),
        ("evet", "hayır"),
        ("igen", "nem"),
        ("da", "nu"),
        ("sim", "não"),
    ],
)
def test_yes_is_the_event_in_more_languages(tmp_path, yes, no):
    table = _table(tmp_path, {"outcome": np.where(EVENT, no, yes), "x": PUSH.round(3)})
    assert _outcome(table) == ("outcome", yes)


def test_an_original_and_its_variations_are_arms(tmp_path):
    arms = DRAW.choice(["Original", "Variation #1"], ROWS)
    columns = {"variation_name": arms, "device": OTHER, "conversion": EVENT.astype(int)}
    table = _table(tmp_path, columns)
    assert _roles(table)["variation_name"] is Role.TREATMENT
    assert guess_control(("Variation #1", "Original")) == "Original"


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        (np.where(RANKS % 9 == 0, 9999, 300 + RANKS), "9999"),
        (np.where(RANKS % 9 == 0, -1, RANKS), "-1"),
        (np.where(RANKS % 9 == 0, 998 + RANKS % 2, RANKS % 80), "998 and 999"),
        (np.where(RANKS % 9 == 0, -1.0, np.round(CHANCE, 2)), "-1"),
    ],
)
def test_numbers_that_may_say_not_known_are_told(tmp_path, values, codes):
    rows = int((RANKS % 9 == 0).sum())
    table = _table(tmp_path, {"util": values, "bad": EVENT.astype(int)})
    (told,) = (words for words in table.summary.warnings if "not known" in words)
    assert f"{codes} in 'util' ({rows} rows)" in told
    plain = _table(tmp_path, {"util": np.abs(np.asarray(values)) % 300, "bad": EVENT.astype(int)})
    assert not any("not known" in words for words in plain.summary.warnings)


def test_shares_among_per_cent_are_told(tmp_path):
    mixed = np.where(np.arange(ROWS) % 3 == 0, np.round(CHANCE, 2), np.round(100 * CHANCE))
    table = _table(tmp_path, {"won": EVENT.astype(int), "win_probability": mixed})
    told = [words for words in table.summary.warnings if "shares in some rows" in words]
    assert len(told) == 1
    assert "if(win_probability <= 1, 100 * win_probability, win_probability)" in told[0]
    plain = _table(tmp_path, {"won": EVENT.astype(int), "win_probability": 100 * CHANCE})
    assert not any("shares in some rows" in words for words in plain.summary.warnings)


@pytest.mark.parametrize(
    "names",
    [
        ("readmitted_True_PREDICTION", "readmitted_False_PREDICTION"),
        ("confidence(True)", "confidence(False)"),
        ("proba_True", "proba_False"),
    ],
)
def test_levels_inside_names_of_chances_are_those_of_one_model(tmp_path, names):
    chances = {names[0]: CHANCE, names[1]: np.round(1.0 - CHANCE, 3)}
    table = _table(tmp_path, {"readmitted": EVENT, **chances})
    found = [e for e in table.summary.roles if e.role is Role.POSTERIOR]
    assert {(e.column, e.level) for e in found} == {(names[0], "true"), (names[1], "false")}
    assert {e.model for e in found} == {"model"}


@pytest.mark.parametrize("name", ["death_event", "DEATH_EVENT", "relapse status"])
def test_events_of_several_words_have_their_times(tmp_path, name):
    columns = {
        "time": np.round(np.exp(PUSH), 2),
        name: EVENT.astype(int),
        "cox_risk": PUSH.round(3),
    }
    table = _table(tmp_path, columns)
    assert (_roles(table)["time"], _roles(table)["cox_risk"]) == (Role.EXIT, Role.SCORE)


def test_how_often_is_a_prediction_and_no_weight(tmp_path):
    claims = DRAW.poisson(0.4, ROWS)
    columns = {"ClaimNb": claims, "GLM freq": CHANCE, "gbm_frequency": CHANCE, "call_freq": PUSH**2}
    roles = _roles(_table(tmp_path, columns))
    assert roles["GLM freq"] is roles["gbm_frequency"] is Role.PREDICTION
    assert roles["call_freq"] is Role.INPUT
    counted = _table(tmp_path, {"bad": EVENT.astype(int), "freq": DRAW.integers(1, 9, ROWS)})
    assert _roles(counted)["freq"] is Role.WEIGHT


def test_chances_of_one_class_of_three_make_it_that_class_or_not(tmp_path):
    states = np.where(
        EVENT, "Charged Off", DRAW.choice(["Fully Paid", "Fully Paid", "Current"], ROWS)
    )
    table = _table(tmp_path, {"loan_status": states, "grade": OTHER, "model_pd": CHANCE})
    target = table.summary.target
    assert target is not None
    assert (target.kind, target.levels) == ("binary", ("Charged Off", "Fully Paid"))
    assert target.spellings == (("Current", "Fully Paid"),)
    assert target.labels == ("Charged Off", "not Charged Off")
    assert _level(table, "model_pd") == "Charged Off"
    assert any("are of 'Charged Off' alone" in words for words in table.summary.warnings)
    rarest = np.where(EVENT, "<30", DRAW.choice([">30", "NO"], ROWS, p=[0.1, 0.9]))
    other = _table(tmp_path, {"readmitted": rarest, "p_lt30": CHANCE})
    assert _outcome(other) == ("readmitted", "<30")  # though '>30' is the rarest
    noise = _table(tmp_path, {"loan_status": states, "score_pd": DRAW.random(ROWS).round(3)})
    assert noise.summary.target is not None
    assert noise.summary.target.kind == "multiclass"


def test_the_same_chances_under_two_names_are_of_one_model(tmp_path):
    columns = {"BAD": EVENT.astype(int), "P_BAD1": CHANCE, "P_BAD0": np.round(1 - CHANCE, 3)}
    table = _table(tmp_path, {**columns, "EM_EVENTPROBABILITY": CHANCE, "p_gbm": CHANCE**2})
    assert _roles(table)["EM_EVENTPROBABILITY"] is Role.IGNORED
    found = {e.column for e in table.summary.roles if e.role is Role.POSTERIOR}
    assert found == {"P_BAD1", "P_BAD0", "p_gbm"}


def test_a_flag_that_may_make_a_score_and_an_arm_are_what_they_were(tmp_path):
    flag = (PUSH > 0.3).astype(int)
    chance = np.round(0.2 + 0.5 * flag + 0.1 * CHANCE, 3)
    table = _table(tmp_path, {"prior": flag, "score": chance, "bad": EVENT.astype(int)})
    assert _roles(table)["prior"] is Role.INPUT
    arms = _table(tmp_path, {"t": DRAW.integers(0, 2, ROWS), "died": EVENT.astype(int)})
    assert _roles(arms)["t"] is not Role.EXIT


@pytest.mark.parametrize(
    ("name", "outcome", "role"),
    [
        ("query", GRADES, Role.GROUP),
        ("query", DRAW.poisson(3.0, ROWS), Role.CLUSTER),  # clicks of an advertisement
        ("qid", DRAW.integers(0, 11, ROWS), Role.GROUP),
        ("group_id", GRADES, Role.CLUSTER),  # of pupils
    ],
)
def test_what_may_be_no_list_is_one_beside_grades_of_few_steps(tmp_path, name, outcome, role):
    columns = {name: LISTS, "result": outcome, "predicted_result": PUSH.round(2)}
    table = _table(tmp_path, columns)
    assert table.summary.target is not None
    assert table.summary.target.column == "result"
    assert _roles(table)[name] is role
    assert not any("gives the outcome away" in words for words in table.summary.warnings)


def test_u_beside_yes_and_no_is_not_known(tmp_path):
    said = np.where(np.arange(ROWS) % 9 == 0, "U", _either("Y", "N"))
    target = _table(tmp_path, {"churn": said, "p": CHANCE}).summary.target
    assert target is not None
    assert target.levels == ("Y", "N")
    assert target.spellings == ()


@pytest.mark.parametrize("is_rate", [False, True])
def test_a_prediction_of_another_column_is_none_of_the_outcome(tmp_path, is_rate):
    years = DRAW.uniform(0.3, 1.0, ROWS)
    often = DRAW.gamma(4.0, 0.2, ROWS)
    claims = DRAW.poisson(often * years)
    cost = np.round(claims * DRAW.gamma(9.0, 100.0, ROWS), 2)
    premium = 900.0 * often * (1.0 if is_rate else years)
    columns = {"Earned Exposure": years.round(4), "Claim Count": claims, "Incurred Loss": cost}
    columns |= {"GLM freq": often.round(5), "GLM pure premium": premium.round(2)}
    table = _table(tmp_path, columns)
    assert _roles(table)["GLM pure premium"] is Role.IGNORED
    assert _roles(table)["GLM freq"] is Role.PREDICTION
    told = " ".join(table.summary.warnings)
    assert "To judge it, make 'Incurred Loss' the outcome" in told
