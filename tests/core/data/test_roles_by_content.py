"""Roles that contents show: rows that sum to 1, two values, time and event, counts, exposures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.commands import SetRole
from core.document.data.column_meaning import ExposureKind, exposure_kind
from core.document.decisions.starting_matrix import find_loan_amount
from core.document.model import Document, Role, RoleAssignment
from core.document.uplift.commands import SetExperiment
from tests.core.data.helpers import load_text

ROWS = 200
DRAW = np.random.default_rng(3)
CHANCE = np.round(DRAW.beta(1.3, 4.0, ROWS), 4).clip(0.002, 0.97)
EVENT = DRAW.random(ROWS) < CHANCE

SEGMENTS = tuple(f"Segment {number:02d}" for number in range(1, 26))


def _table(tmp_path, columns: dict[str, object], decimal: str = "."):
    """A file of columns; its numbers have the decimal mark of its country."""
    names = list(columns)
    rows = zip(*columns.values(), strict=True)
    cells = [";".join(str(cell).replace(".", decimal) for cell in row) for row in rows]
    return load_text(tmp_path, "\n".join([";".join(names), *cells]) + "\n")


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize(
    ("levels", "names"),
    [
        (("low", "mid", "high"), ("m1 low", "m1 mid", "m1 high")),
        (("niedrig", "mittel", "hoch"), ("P(niedrig)", "P(mittel)", "P(hoch)")),
        (("faible", "moyen", "élevé"), ("proba_faible", "proba_moyen", "proba_élevé")),
        (SEGMENTS, tuple(f"P_{name}" for name in SEGMENTS)),
    ],
)
def test_columns_named_by_levels_that_sum_to_1_are_chances(tmp_path, levels, names, decimal):
    shares = np.round(
        np.random.default_rng(4).dirichlet([4, 2, 1, *[1] * (len(levels) - 3)], ROWS), 4
    )
    kinds = np.random.default_rng(5).choice(levels, ROWS)
    columns = {"x": kinds, **{name: shares[:, k] for k, name in enumerate(names)}}
    table = _table(tmp_path, columns, decimal)
    target = table.summary.target
    assert target is not None
    assert (target.column, target.kind) == ("x", "multiclass")
    roles = {entry.column: (entry.role, entry.level) for entry in table.summary.roles}
    wanted = {name: (Role.POSTERIOR, level) for name, level in zip(names, levels, strict=True)}
    assert {name: roles[name] for name in names} == wanted


@pytest.mark.parametrize(
    ("yes", "no"), [("ja", "nein"), ("oui", "non"), ("1", "0"), ("won", "lost"), ("J", "N")]
)
def test_the_only_two_valued_column_beside_chances_is_the_outcome(tmp_path, yes, no):
    table = _table(
        tmp_path, {"c1": [yes if e else no for e in EVENT], "c2": CHANCE, "c3": range(ROWS)}
    )
    target = table.summary.target
    assert target is not None
    assert (target.column, target.event) == ("c1", yes)


@pytest.mark.parametrize(
    ("time", "event"),
    [
        ("months", "died"),
        ("survival time (months)", "Event"),
        ("Überlebenszeit in Tagen", "verstorben"),
        ("Beobachtung Monate", "Ereignis"),
        ("suivi (mois)", "décès"),
        ("durée en jours", "événement"),
        ("Survival months", "Vital status recode (study cutoff used)"),
        ("ftime", "fstatus"),
    ],
)
def test_a_time_with_its_unit_beside_an_event_is_survival(tmp_path, time, event):
    followed = np.round(np.random.default_rng(6).exponential(20.0, ROWS) + 0.1, 1)
    table = _table(tmp_path, {time: followed, event: EVENT.astype(int)})
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert roles == {time: Role.EXIT, event: Role.TARGET}
    (warning,) = (line for line in table.summary.warnings if "was watched" in line)
    assert f"make '{time}' the outcome: '1' in '{event}' then says" in warning


@pytest.mark.parametrize(
    ("name", "levels", "is_outcome"),
    [
        ("Issue du crédit", ("Défaut", "Remboursé", "En retard"), True),
        ("how it went", ("charged off", "fully paid", "current"), True),
        ("previous loan", ("default", "repaid", "current"), False),
        ("quality", ("bad", "good", "fair"), False),
        ("status", ("default", "refused", "no answer"), True),
    ],
)
def test_ends_of_loans_are_an_outcome_under_any_name(tmp_path, name, levels, is_outcome):
    ends = [levels[k % 3] for k in range(ROWS)]
    target = _table(tmp_path, {"k": [f"L{k}" for k in range(ROWS)], name: ends}).summary.target
    assert (target is not None) is is_outcome
    assert target is None or (target.column, target.event) == (name, levels[0])
    assert target is None or set(target.levels) == set(levels)


def test_an_answer_that_is_none_does_not_hide_the_outcome_of_a_score(tmp_path):
    bought = ["NSP" if k % 25 == 0 else "oui" if e else "non" for k, e in enumerate(EVENT)]
    target = _table(tmp_path, {"Rachat": bought, "Score": CHANCE}).summary.target
    assert target is not None
    assert (target.column, target.levels) == ("Rachat", ("oui", "non"))


@pytest.mark.parametrize("name", ["risk", "class", "response"])
def test_fractions_under_an_outcomes_name_are_the_chances_of_another_column(tmp_path, name):
    table = _table(tmp_path, {"age": DRAW.integers(20, 60, ROWS), "sepsis": EVENT, name: CHANCE})
    assert table.summary.target is not None
    assert table.summary.target.column == "sepsis"
    assert table.summary.roles[2].role is Role.POSTERIOR


def test_what_an_outcome_is_worth_is_not_the_outcome_beside_a_score(tmp_path):
    worth = np.round(40.0 + 30.0 * DRAW.random(ROWS), 2)
    columns = {"resp": EVENT.astype(int), "score": CHANCE, "profit_if_response": worth}
    target = _table(tmp_path, columns).summary.target
    assert target is not None
    assert target.column == "resp"


def test_what_chances_leave_of_1_is_no_input(tmp_path):
    columns = {"Y": EVENT.astype(int), "scores_1": np.round(1.0 - CHANCE, 4), "scores_2": CHANCE}
    roles = [entry.role for entry in _table(tmp_path, columns).summary.roles]
    assert roles == [Role.TARGET, Role.IGNORED, Role.POSTERIOR]


@pytest.mark.parametrize("name", ["proba_percentile", "score decile", "PD rank"])
def test_the_place_by_a_score_is_no_chance(tmp_path, name):
    place = np.argsort(np.argsort(CHANCE)) * 100 // ROWS
    table = _table(tmp_path, {"churn": EVENT.astype(int), "proba": CHANCE, name: place})
    assert table.summary.roles[2].role is Role.IGNORED


def test_names_of_surveys_folds_and_loans_are_known(tmp_path):
    draw = np.random.default_rng(7)
    columns = {
        "wtssall": np.round(draw.gamma(4.0, 0.25, ROWS), 4),
        "id": [f"Fold{1 + k % 10:02d}" for k in range(ROWS)],
        "loan_amnt": draw.integers(1_000, 9_000, ROWS),
        "default": EVENT.astype(int),
    }
    table = _table(tmp_path, columns)
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert (roles["wtssall"], roles["id"]) == (Role.WEIGHT, Role.IGNORED)
    assert find_loan_amount(table.summary.columns) == "loan_amnt"


@pytest.mark.parametrize(
    ("count", "exposure"),
    [
        ("claims", "Exposure"),
        ("Number of claims", "earned years"),
        ("Schadenanzahl", "Jahreseinheiten"),
        ("Nombre de sinistres", "Exposition"),
    ],
)
@pytest.mark.parametrize("is_log", [False, True])
def test_counts_and_exposures_are_told_by_their_values(tmp_path, count, exposure, is_log):
    years = np.round(np.random.default_rng(8).uniform(0.05, 1.0, ROWS), 3)
    shown = np.round(np.log(years), 5) if is_log else years
    claims = np.random.default_rng(9).poisson(2.0 * years)
    table = _table(tmp_path, {count: claims, exposure: shown})
    target = table.summary.target
    assert target is not None
    assert (target.column, target.kind) == (count, "interval")
    kind = ExposureKind.LOGARITHM if is_log else ExposureKind.PLAIN
    assert exposure_kind(table.column_summary(exposure)) is kind
    entry = next(e for e in table.summary.roles if e.column == exposure)
    assert entry.role is Role.IGNORED
    assert ("not its logarithm" in entry.reason) is not is_log


@pytest.mark.parametrize(
    ("group", "control"),
    [
        ("cell", "Control"),
        ("Zelle", "Kontrolle"),
        ("bras", "témoin"),
        ("skupina", "kontrolní"),
    ],
)
def test_a_control_group_names_a_treatment(tmp_path, group, control):
    arms = np.random.default_rng(10).choice([control, "x"], ROWS)
    table = _table(tmp_path, {group: arms, "bought": EVENT.astype(int)})
    roles = {entry.column: entry.role for entry in table.summary.roles}
    assert roles == {group: Role.TREATMENT, "bought": Role.TARGET}


@pytest.mark.parametrize(
    ("outcome", "yes", "no", "amount"),
    [
        ("nákup", "ano", "ne", "útrata"),
        ("zakup", "tak", "nie", "kwota"),
        ("vásárlás", "igen", "nem", "összeg"),
        ("Abandoned", "Yes", "No", "Importe"),
        ("SLA breached", "Y", "N", "omzet"),
    ],
)
def test_outcomes_and_amounts_have_names_in_further_languages(tmp_path, outcome, yes, no, amount):
    draw = np.random.default_rng(3)
    columns = {
        "queue": draw.choice(["a", "b"], ROWS),
        amount: draw.gamma(2.0, 50.0, ROWS).round(2),
        outcome: np.where(EVENT, yes, no),
    }
    table = _table(tmp_path, columns)
    roles = {entry.column: entry for entry in table.summary.roles}
    assert (table.summary.target.column, table.summary.target.event) == (outcome, yes)
    assert "amount" in roles[amount].reason


@pytest.mark.parametrize("name", ["rule hit", "Alert triggered", "Regel", "Treffer"])
def test_what_a_rule_says_of_a_score_is_no_input(tmp_path, name):
    """A model that was given it would be judged by its own answers."""
    flags = {"fraud": EVENT.astype(int), "score": CHANCE, name: np.where(CHANCE > 0.4, "Y", "N")}
    found = next(e for e in _table(tmp_path, flags).summary.roles if e.column == name)
    assert found.role is Role.IGNORED
    assert "cut at one point" in found.reason
    flags[name] = np.where(np.random.default_rng(2).random(ROWS) < CHANCE, "Y", "N")
    found = next(e for e in _table(tmp_path, flags).summary.roles if e.column == name)
    assert found.role is Role.INPUT


@pytest.mark.parametrize("name", ["rate", "Interest Rate", "ltv", "debt_ratio"])
def test_a_rate_that_ranks_the_outcome_is_no_model(tmp_path, name):
    """A loan's interest follows its risk: taken as a chance, it answered what to lend at once."""
    kinds = np.where(EVENT, "bad", "good")
    for column, role in ((name, Role.INPUT), ("tool b", Role.POSTERIOR)):
        table = _table(tmp_path, {"outcome": kinds, column: CHANCE})
        found = next(entry for entry in table.summary.roles if entry.column == column)
        assert found.role is role


@pytest.mark.parametrize(
    ("score", "treatment", "arms"),
    [
        ("Uplift score", "treated", ("1", "0")),
        ("upliftScore", "Gruppe", ("Gutschein", "Kontrollgruppe")),
        ("Behandlungseffekt", "Behandlung", ("ja", "nein")),
        ("effet du traitement", "traitement", ("oui", "non")),
        ("uplift_gbm", "voucher_group", ("voucher", "control")),
        ("uplift skóre", "skupina", ("dopis", "kontrola")),
    ],
)
@pytest.mark.parametrize("low", [-0.05, 0.01])
def test_a_predicted_effect_beside_a_treatment_ranks_as_it_is(
    tmp_path, score, treatment, arms, low
):
    draw = np.random.default_rng(8)
    effect = np.round(draw.uniform(low, 0.2, ROWS), 4)
    event = draw.random(ROWS) < 0.5 - effect  # the higher the effect, the fewer events
    columns = {
        "bought": event.astype(int),
        treatment: draw.choice(arms, ROWS),
        score: effect,
        "age": draw.integers(20, 70, ROWS),
    }
    roles = {entry.column: entry for entry in _table(tmp_path, columns).summary.roles}
    assert roles[treatment].role is Role.TREATMENT
    assert roles[score].role is Role.SCORE
    assert not roles[score].is_reversed


def test_a_true_effect_and_an_effect_without_a_treatment_are_no_predictions(tmp_path):
    draw = np.random.default_rng(8)
    columns = {
        "bought": EVENT.astype(int),
        "treated": draw.integers(0, 2, ROWS),
        "true_uplift": np.round(draw.normal(0.1, 0.05, ROWS), 4),
        "age": draw.integers(20, 70, ROWS),
    }
    roles = {entry.column: entry.role for entry in _table(tmp_path, columns).summary.roles}
    assert roles["true_uplift"] is not Role.SCORE
    del columns["treated"]
    columns["price_uplift"] = columns.pop("true_uplift")
    roles = {entry.column: entry.role for entry in _table(tmp_path, columns).summary.roles}
    assert roles["price_uplift"] is not Role.SCORE


@pytest.mark.parametrize("said", ["role", "page Uplift"])
@pytest.mark.parametrize("effect", ["cate", "uplift_score"])
def test_a_predicted_effect_ranks_as_soon_as_somebody_names_the_treatment(tmp_path, effect, said):
    """No name tells that column 5 says who was treated; until somebody does, it is an input."""
    draw = np.random.default_rng(8)
    columns = {
        "bought": EVENT.astype(int),
        "column 5": draw.integers(0, 2, ROWS),
        effect: np.round(draw.normal(0.1, 0.05, ROWS), 4),
        "age": draw.integers(20, 70, ROWS),
    }
    summary = _table(tmp_path, columns).summary
    document = Document(data=summary.data, target=summary.target).with_roles(summary.roles)
    assert document.role_of(effect).role is Role.INPUT
    assert document.models == ()
    treatment = RoleAssignment(column="column 5", role=Role.TREATMENT)
    name = SetRole(assignment=treatment) if said == "role" else SetExperiment(treatment="column 5")
    named = name.apply(document)
    assert named.role_of(effect).role is Role.SCORE
    assert [entry.name for entry in named.models] == [effect.replace("_", " ")]
    assert named.outcome_models == ()
    back = SetRole(assignment=replace(treatment, role=Role.INPUT)).apply(named)
    assert back.is_experiment is (said != "role")
    assert (back.role_of(effect).role is Role.INPUT) is (said == "role")


@pytest.mark.parametrize(
    ("name", "step", "role"),
    [("patno", 1, Role.ID), ("IDpol", 1.0, Role.ID), ("dose", 5, Role.INPUT)],
)
def test_a_column_that_numbers_the_rows_is_no_input(tmp_path, name, step, role):
    columns = {
        name: np.arange(101, 101 + step * ROWS, step),
        "dead": EVENT.astype(int),
        "age": np.random.default_rng(2).integers(40, 80, ROWS),
    }
    roles = {entry.column: entry.role for entry in _table(tmp_path, columns).summary.roles}
    assert roles[name] is role
    assert roles["age"] is Role.INPUT


def test_a_german_chance_of_the_outcome_is_called_as_its_model_is(tmp_path):
    other = np.round(np.sqrt(CHANCE) * 0.8, 4)
    columns = {
        "Ausfall": np.where(EVENT, "J", "N"),
        "Ausfallwahrscheinlichkeit Scorekarte": CHANCE,
        "Ausfallwahrscheinlichkeit_Agentur": other,
    }
    table = _table(tmp_path, columns, ",")
    models = [(e.role, e.model, e.level) for e in table.summary.roles if e.model]
    assert models == [(Role.POSTERIOR, "Scorekarte", "J"), (Role.POSTERIOR, "Agentur", "J")]


@pytest.mark.parametrize("name", ["SCHUFA-Score", "Credit score", "score_bureau"])
def test_points_to_100_that_fall_where_the_event_happened_are_no_per_cent_of_it(tmp_path, name):
    """A bureau's 94.7 of 100 is no chance of 94.7 % that a loan defaults."""
    points = np.round(100.0 * (1.0 - 0.3 * CHANCE), 1)
    columns = {
        "default": np.where(EVENT, "yes", "no"),
        name: points,
        "PD of B (%)": np.round(100.0 * CHANCE, 2),
    }
    table = _table(tmp_path, columns)
    roles = {entry.column: entry for entry in table.summary.roles}
    assert (roles[name].role, roles[name].is_reversed) == (Role.SCORE, True)
    assert roles["PD of B (%)"].role is Role.POSTERIOR
    assert roles["PD of B (%)"].is_percent
    assert any("higher = less likely" in warning for warning in table.summary.warnings)


@pytest.mark.parametrize("is_far", [True, False])
def test_whole_points_far_from_the_share_of_the_event_are_no_per_cent_of_it(tmp_path, is_far):
    """So many illnesses of 17 are no chance of so many per cent to die."""
    share = np.round(100.0 * CHANCE).astype(int)
    columns = {
        "died": np.where(EVENT, "yes", "no"),
        "elx_score": np.round(17.0 * CHANCE).astype(int) if is_far else share,
    }
    summary = _table(tmp_path, columns).summary
    role = next(entry for entry in summary.roles if entry.column == "elx_score")
    assert role.role is (Role.SCORE if is_far else Role.POSTERIOR)
    assert not role.is_reversed
    assert any(("are read as percent" in words) is not is_far for words in summary.warnings)


@pytest.mark.parametrize("form", ["zero", "missing", "flag"])
def test_what_is_there_only_where_a_number_is_not_0_gives_it_away(tmp_path, form):
    """The amount of claims beside their number, the date of an order beside what was spent."""
    draw = np.random.default_rng(9)
    claims = draw.poisson(0.3, ROWS)
    amount = np.round(draw.gamma(1.2, 900.0, ROWS), 2)
    given = {
        "zero": np.where(claims > 0, amount, 0.0),
        "missing": [value if has else "" for value, has in zip(amount, claims > 0, strict=True)],
        "flag": np.where(claims > 0, "with", "without"),
    }
    columns = {
        "ClaimNb": claims,
        "beside it": given[form],
        "age": draw.integers(18, 80, ROWS),
        "earlier claims": draw.poisson(0.3, ROWS),
    }
    table = _table(tmp_path, columns)
    roles = {entry.column: entry for entry in table.summary.roles}
    assert table.summary.target.column == "ClaimNb"
    assert roles["beside it"].role is Role.IGNORED
    assert "says in which rows the outcome is 0" in roles["beside it"].reason
    assert roles["age"].role is Role.INPUT
    assert roles["earlier claims"].role is Role.INPUT


@pytest.mark.parametrize(
    ("time", "event", "predicted"),
    [
        ("survival_months", "died", "predicted_survival_months"),
        ("Follow-up (months)", "OS status", "Predicted survival (months)"),
        ("Beobachtungszeit (Monate)", "verstorben", "vorhergesagte Monate"),
        ("mois", "décès", "survie prévu (mois)"),
    ],
)
def test_a_predicted_time_beside_an_event_is_a_score_where_longer_is_less_likely(
    tmp_path, time, event, predicted
):
    shown = np.round(40 - 30 * CHANCE, 1)
    followed = np.round(np.random.default_rng(6).gamma(4.0, 9.0, ROWS) + 1, 1)
    columns = {predicted: shown, time: followed, event: EVENT.astype(int)}
    table = _table(tmp_path, columns)
    roles = {entry.column: entry for entry in table.summary.roles}
    assert table.summary.target.column == event
    assert (roles[predicted].role, roles[predicted].is_reversed) == (Role.SCORE, True)
    assert "predicted time" in roles[predicted].reason
    assert roles[time].role is not Role.SCORE
    assert any(warning.startswith(predicted) for warning in table.summary.warnings)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Model A score", "Model B (%)"),
        ("Model A score", "Model B"),
        ("Score Modell A", "Modell B (%)"),
        ("score_model_glm", "model_xgb %"),
    ],
)
def test_a_model_named_as_another_ones_score_has_a_score_too(tmp_path, first, second):
    columns = {
        first: CHANCE,
        second: np.round(100 * CHANCE, 2),
        "Model age": DRAW.integers(1, 60, ROWS),
        "bought": EVENT.astype(int),
    }
    roles = {entry.column: entry for entry in _table(tmp_path, columns).summary.roles}
    assert roles[first].role is Role.POSTERIOR
    assert (roles[second].role, roles[second].is_percent) == (Role.POSTERIOR, True)
    assert roles["Model age"].role is Role.INPUT


def test_predictions_per_unit_of_exposure_are_told_by_their_sum(tmp_path):
    draw = np.random.default_rng(8)
    rate, exposure = draw.gamma(2.0, 0.2, 2_000), draw.uniform(0.05, 1.0, 2_000).round(3)
    claims = draw.poisson(rate * exposure)
    columns = {"ClaimNb": claims, "Exposure": exposure, "pred_freq": rate.round(4)}
    told = [w for w in _table(tmp_path, columns).summary.warnings if "per unit of exposure" in w]
    assert len(told) == 1
    assert "Derive pred_freq * Exposure" in told[0]
    columns["pred_freq"] = (rate * exposure).round(4)
    words = _table(tmp_path, columns).summary.warnings
    assert not any("per unit of exposure" in w for w in words)
