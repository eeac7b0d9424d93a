"""Scores in points through the engine: ranks only, fitted chances, saving, applying."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from core.decisions.calibration import cross_fit
from core.document.commands import SetOldPriors, SetRole
from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import CostSpec
from core.document.decisions.model_commands import SetCalibration
from core.document.decisions.words import probabilities_sentence, probabilities_words
from core.document.files.codec import from_plain, to_plain
from core.document.history import History
from core.document.model import (
    CalibrationMethod,
    ChartMode,
    Document,
    MetricChoice,
    ModelSpec,
    OldPriorKind,
    OldPriors,
    Role,
    RoleAssignment,
)
from core.engine.local import LocalEngine
from core.engine.messages import ApplyArguments, LoadArguments, SaveArguments
from core.engine.options import EngineOptions
from core.questions.compare import CompareModels, FitCalibration
from core.questions.decide import AtDepth, Resamples, Totals
from payoff.errors import PayoffError
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("chances")


@pytest.fixture(scope="module")
def engine(home):
    return LocalEngine(EngineOptions(quarantine_path=str(home / "quarantine.json")))


def points_of(probability):
    """Points as a credit bureau writes them: 20 points double the odds against the event."""
    return np.round(600 - 20 / np.log(2) * np.log(probability / (1 - probability)), 2)


@pytest.fixture(scope="module")
def columns():
    found = scored_columns(rows=4_000)
    found["points"] = points_of(np.clip(found["p_good"], 1e-4, 1 - 1e-4))
    return found


@pytest.fixture(scope="module")
def data(home, engine, columns):
    path = write_csv(home / "points.csv", columns)
    return engine.run("load", LoadArguments(path=path, reader=ReaderSettings())).data


POINTS = RoleAssignment(column="points", role=Role.SCORE, model="points", is_reversed=True)


@pytest.fixture
def document(data):
    plain = scored_document(data)
    roles = (*(e for e in plain.roles if e.column != "p_rough"), POINTS)
    return plain.with_roles(roles)


def fitted(engine, document, method, model="points", **asked):
    result = engine.ask(document, FitCalibration(model=model, **asked))
    spec = next(o.spec for o in result.options if o.spec and o.spec.method is method)
    return SetCalibration(model=model, calibration=spec).apply(document), result


def used(columns, use="validation"):
    return np.array([value == use for value in columns["use"]])


# ------------------------------------------------------------------ ranks only


def test_a_score_ranks_as_the_chances_it_was_made_from(engine, document):
    result = engine.ask(document, CompareModels(resamples=100))
    cells = {(cell.metric, cell.model): cell.estimate for cell in result.cells}
    for metric in ("auc", "ks", "lift_at"):
        assert cells[metric, "points"].value == pytest.approx(cells[metric, "good"].value, abs=2e-3)
    for metric in ("log_loss", "brier"):
        assert np.isnan(cells[metric, "points"].value)
        assert "score without chances" in cells[metric, "points"].note
        assert np.isfinite(cells[metric, "good"].value)


def test_charts_of_chances_leave_a_score_out_and_say_so(engine, document):
    result = engine.ask(document, CompareModels(resamples=0))
    charts = {chart.kind: chart for chart in result.charts}
    for kind in ("calibration", "score_distribution"):
        assert {c.model for c in charts[kind].curves if c.model} == {"good"}
        assert any("points: a score without chances" in note for note in charts[kind].notes)
    assert {c.model for c in charts["roc"].curves if c.model} == {"good", "points"}
    (depths,) = (d for d in result.depths if d.model == "points")
    known = depths.threshold[np.isfinite(depths.threshold)]
    assert not depths.has_probabilities
    assert known.min() > 400  # points, not standings
    assert (np.diff(known) >= 0).all()  # the best have the lowest points


def test_money_of_a_score_is_profit_by_depth_only(engine, document):
    document = replace(document, metrics=(MetricChoice(metric="total_profit"),))
    result = engine.ask(document, Totals())
    good, points = (next(m for m in result.models if m.model == n) for n in ("good", "points"))
    assert points.profit == pytest.approx(good.profit, abs=30)
    assert points.best_profit == pytest.approx(good.best_profit, rel=0.02)
    assert np.isnan([points.total.value, points.expected_total, points.rule_depth]).all()
    assert np.isnan(points.expected).all()
    assert "Turn the score into chances" in points.total.note
    assert result.differences == ()  # the rule of one cannot be compared with no rule
    assert result.rule_threshold == pytest.approx(0.2)  # the reference has chances
    judged = engine.ask(document, CompareModels(resamples=0))
    notes = {cell.model: cell.estimate.note for cell in judged.cells}
    assert "score without chances" in notes["points"]


def test_the_cursor_reads_a_score_in_points(engine, document, columns):
    reading = engine.ask(document, AtDepth(depth=0.2))
    place = reading.models.index("points")
    here = np.sort(columns["points"][used(columns)])
    assert reading.threshold[place] == pytest.approx(here[int(0.2 * len(here)) - 1], abs=0.5)
    assert len(reading.differences) == 1  # at the same depth both can be compared
    drawn = engine.ask(document, Resamples(depth=0.2, resamples=50))
    assert drawn.differences == ()
    assert len(drawn.at_depth) == 1


def test_priors_leave_a_score_alone(engine, document):
    priors = replace(document, priors=(("yes", 0.05), ("no", 0.95)), cursor_depth=0.2)
    plain = engine.ask(priors, Totals())
    assert not any("'points'" in text for text in plain.warnings)
    described = SetOldPriors(
        model="points",
        old_priors=OldPriors(kind=OldPriorKind.TRAINED_AT, shares=(("yes", 0.3), ("no", 0.7))),
    ).apply(priors)
    changed = engine.ask(described, Totals())
    first, second = (next(m for m in r.models if m.model == "points") for r in (plain, changed))
    assert np.array_equal(first.threshold, second.threshold, equal_nan=True)
    assert np.array_equal(first.profit, second.profit)


def test_a_score_as_reference_leaves_the_rule_unsaid(engine, document):
    document = replace(document, reference_model="points")
    result = engine.ask(document, Totals())
    assert result.rule_threshold is None
    assert result.threshold_kind == "score"
    assert "no chance" in result.rule_text
    firm = engine.ask(replace(document, chart_mode=ChartMode.FIRM), Totals())
    points = next(m for m in firm.models if m.model == "points")
    assert np.isnan(points.profit).all()


def test_where_order_is_not_enough_a_score_is_left_out(engine, document):
    matrix = replace(document.matrix, costs=(CostSpec(column="cost"), CostSpec()))
    result = engine.ask(replace(document, matrix=matrix), Totals())
    assert [m.model for m in result.models] == ["good"]
    assert any("'points' is left out" in text for text in result.warnings)
    alone = document.with_roles(tuple(e for e in document.roles if e.column != "p_good"))
    with pytest.raises(PayoffError, match="score without chances"):
        engine.ask(replace(alone, matrix=matrix), Totals())


def test_decisions_by_the_rule_are_refused_and_by_depth_saved(engine, document, columns, home):
    path = str(home / "out.csv")
    request = SaveArguments(document=document, model="points", path=path, columns=("D",))
    with pytest.raises(PayoffError, match="score without chances"):
        engine.run("save_decisions", request)
    at = replace(document, cursor_depth=0.2)
    request = replace(request, document=at, use_cursor=True, columns=("D", "EP"))
    with pytest.raises(PayoffError, match="score without chances"):
        engine.run("save_decisions", request)
    saved = engine.run("save_decisions", replace(request, columns=("D", "CP")))
    assert "expected_total" not in dict(saved.totals)
    with open(path, encoding="utf-8") as file:
        acted = np.array([row["D_outcome"] == "Act" for row in csv.DictReader(file)])
    chosen = columns["points"][acted & used(columns)]
    assert len(chosen) == pytest.approx(0.2 * used(columns).sum(), abs=2)
    assert chosen.max() <= columns["points"][~acted].min()
    with open(path + ".record.json", encoding="utf-8") as file:
        cut = json.load(file)["cut_off"]
    assert "score is below" in cut["rule"]
    assert cut["threshold"] == pytest.approx(chosen.max(), abs=0.5)


# ------------------------------------------------------------------ fitted chances


@pytest.mark.parametrize("method", list(CalibrationMethod))
def test_rows_of_the_fit_get_their_chances_from_the_other_folds(engine, document, columns, method):
    changed, result = fitted(engine, document, method)
    here = used(columns)
    score, event = columns["points"][here], np.array(columns["outcome"])[here] == "yes"
    expected = cross_fit(score, event, np.ones(here.sum()), method, is_falling=True).probability
    judged = engine.ask(changed, CompareModels(resamples=0))
    cells = {(c.metric, c.model): c.estimate.value for c in judged.cells}
    assert cells["brier", "points"] == pytest.approx(((expected - event) ** 2).mean())
    option = next(o for o in result.options if o.spec and o.spec.method is method)
    assert option.brier.value == pytest.approx(((expected - event) ** 2).mean())
    assert result.area == pytest.approx(cells["auc", "good"], abs=2e-3)


def test_the_mean_chance_comes_true_and_the_rule_is_back(engine, document, columns):
    changed, _ = fitted(engine, document, CalibrationMethod.ISOTONIC)
    result = engine.ask(changed, Totals())
    points = next(m for m in result.models if m.model == "points")
    share = (np.array(columns["outcome"])[used(columns)] == "yes").mean()
    assert points.has_probabilities
    assert points.mean_probability_after[0] == pytest.approx(share, abs=0.003)
    assert points.total.value == pytest.approx(
        next(m for m in result.models if m.model == "good").total.value, rel=0.06
    )
    assert np.isfinite(points.rule_depth)


def test_other_rows_get_the_final_map(engine, document, columns):
    changed, _ = fitted(engine, document, CalibrationMethod.LOGISTIC)
    spec = changed.model("points").calibration
    test = replace(changed, rows_used=RowUse.TEST)
    judged = engine.ask(test, CompareModels(resamples=0))
    cells = {(c.metric, c.model): c.estimate.value for c in judged.cells}
    here = used(columns, "test")
    line = spec.maps[0].slope * columns["points"][here] + spec.maps[0].intercept
    event = np.array(columns["outcome"])[here] == "yes"
    expected = ((1 / (1 + np.exp(-line)) - event) ** 2).mean()
    assert cells["brier", "points"] == pytest.approx(expected)
    assert spec.maps[0].slope < 0  # points count the other way round
    assert (
        probabilities_words(spec, RowUse.VALIDATION, changed.data_hash) == "logistic, cross-fitted"
    )
    assert (
        probabilities_words(spec, RowUse.TEST, changed.data_hash)
        == "logistic, fitted to validation rows"
    )


def test_every_chart_names_how_chances_were_made(engine, document):
    changed, _ = fitted(engine, document, CalibrationMethod.ISOTONIC)
    result = engine.ask(changed, CompareModels(resamples=0))
    described = probabilities_sentence(
        changed.model("points"), changed.rows_used, changed.data_hash
    )
    assert "isotonic regression" in described
    assert "seed 20261" in described
    assert all(described in chart.definition for chart in result.charts)


def test_priors_correct_fitted_chances_once(engine, document, columns):
    changed, _ = fitted(engine, document, CalibrationMethod.LOGISTIC)
    settings = changed.model("points")
    share = (np.array(columns["outcome"])[used(columns)] == "yes").mean()
    assert settings.old_priors.kind is OldPriorKind.TRAINED_AT
    assert dict(settings.old_priors.shares)["yes"] == pytest.approx(share)
    priors = replace(changed, priors=(("yes", 0.05), ("no", 0.95)))
    result = engine.ask(priors, Totals())
    points = next(m for m in result.models if m.model == "points")
    assert points.mean_probability_after[0] == pytest.approx(0.05, abs=0.002)


def test_over_confident_chances_are_mended(engine, document, columns, home, data):
    sure = dict(columns)
    probability = np.clip(columns["p_good"], 1e-4, 1 - 1e-4)
    sure["p_rough"] = np.round(1 / (1 + np.exp(-3 * np.log(probability / (1 - probability)))), 9)
    path = write_csv(home / "sure.csv", sure)
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    plain = scored_document(loaded.data)
    changed, result = fitted(engine, plain, CalibrationMethod.LOGISTIC, model="rough")
    before, after = result.options[0], result.options[1]
    assert before.spec is None
    assert after.log_loss.high < before.log_loss.low
    assert result.best != 0
    assert changed.model("rough").calibration.maps[0].slope == pytest.approx(1 / 3, rel=0.1)


def test_three_classes_get_chances_that_sum_to_one(engine, home):
    draw = np.random.default_rng(4)
    table = draw.dirichlet([2.0, 1.0, 1.0], size=3_000)
    outcome = np.array(list("abc"))[
        (draw.random(3_000)[:, None] > table.cumsum(axis=1)).sum(axis=1)
    ]
    sure = table**3 / (table**3).sum(axis=1, keepdims=True)
    columns = {"outcome": outcome, **{f"p_{k}": sure[:, i] for i, k in enumerate("abc")}}
    path = write_csv(home / "three.csv", columns)
    data = engine.run("load", LoadArguments(path=path, reader=ReaderSettings())).data
    from core.document.model import TargetSpec

    target = TargetSpec(column="outcome", kind="multiclass", levels=("a", "b", "c"))
    document = Document(data=data, target=target, rows_used=RowUse.ALL).with_roles(
        (
            RoleAssignment(column="outcome", role=Role.TARGET),
            *(
                RoleAssignment(column=f"p_{k}", role=Role.POSTERIOR, model="m", level=k)
                for k in "abc"
            ),
        )
    )
    changed, result = fitted(engine, document, CalibrationMethod.ISOTONIC, model="m")
    spec = changed.model("m").calibration
    assert len(spec.maps) == 3
    assert result.options[2].brier.value < result.options[0].brier.value
    judged = engine.ask(changed, CompareModels(resamples=0))
    cells = {c.metric: c.estimate.value for c in judged.cells}
    assert cells["brier"] < 2 * result.options[0].brier.value


# ------------------------------------------------------------------ document


def test_fitted_chances_are_undone_saved_and_dropped_with_their_score(engine, document):
    changed, _ = fitted(engine, document, CalibrationMethod.BANDS)
    history = History(document)
    history.execute(SetCalibration(model="points", calibration=changed.model("points").calibration))
    assert history.document.model("points").calibration is not None
    assert from_plain(Document, json.loads(json.dumps(to_plain(changed)))) == changed
    history.undo()
    assert history.document == document
    back = SetCalibration(model="points", calibration=None).apply(changed)
    assert back.model("points") == document.model("points")
    turned = SetRole(assignment=replace(POINTS, is_reversed=False)).apply(changed)
    assert turned.model("points").calibration is None
    assert turned.model("points").old_priors == ModelSpec(name="points").old_priors


def test_chances_of_another_column_are_refused(engine, document):
    changed, _ = fitted(engine, document, CalibrationMethod.LOGISTIC)
    with pytest.raises(PayoffError, match="do not belong"):
        SetCalibration(model="good", calibration=changed.model("points").calibration).apply(
            document
        )


def test_the_rule_goes_with_the_project_to_new_cases(engine, document, columns, home):
    changed, _ = fitted(engine, document, CalibrationMethod.LOGISTIC)
    new = {"points": columns["points"][:50] + 0.005}
    path = write_csv(home / "new.csv", new)
    arguments = ApplyArguments(document=changed, model="points", path=path, reader=ReaderSettings())
    applied = engine.run("apply", arguments)
    spec = changed.model("points").calibration
    probability = 1 / (1 + np.exp(-(spec.maps[0].slope * new["points"] + spec.maps[0].intercept)))
    assert dict(applied.counts)["Act"] == int((probability > 0.2).sum())
    assert applied.expected_total == pytest.approx(
        np.where(probability > 0.2, 10 * probability - 2, 0).sum()
    )


def test_a_wrong_direction_is_said(engine, document):
    wrong = document.with_roles((*document.roles[:-1], replace(POINTS, is_reversed=False)))
    _, result = fitted(engine, wrong, CalibrationMethod.LOGISTIC)
    assert result.area < 0.5
    assert any("other way round" in text for text in result.warnings)


def test_next_months_file_keeps_direction_and_chances(engine, document, columns, home):
    from core.document.commands import OpenData

    changed, _ = fitted(engine, document, CalibrationMethod.LOGISTIC)
    later = {name: values[:1000] for name, values in columns.items()}
    path = write_csv(home / "later.csv", later)
    data = engine.run("load", LoadArguments(path=path, reader=ReaderSettings())).data
    guessed = tuple(replace(e, is_reversed=False) for e in document.roles)  # a guess gone wrong
    opened = OpenData(data=data, roles=guessed, target=document.target, split=document.split).apply(
        changed
    )
    assert opened.model("points").calibration == changed.model("points").calibration
    words = probabilities_words(
        opened.model("points").calibration, opened.rows_used, opened.data_hash
    )
    assert words == "logistic, fitted to other data"
    judged = engine.ask(opened, CompareModels(resamples=0))
    assert all("of other data" in chart.definition for chart in judged.charts)


def test_one_score_for_three_classes_is_refused(engine, document):
    from core.document.model import TargetSpec

    three = replace(
        document,
        target=TargetSpec(column="use", kind="multiclass", levels=("validation", "test", "x")),
        matrix=None,
    )
    alone = three.with_roles(tuple(e for e in three.roles if e.column != "p_good"))
    with pytest.raises(PayoffError, match="one score for 3 classes"):
        engine.ask(alone, CompareModels(resamples=0))
    with pytest.raises(PayoffError, match="one score for 3 classes"):
        engine.ask(alone, FitCalibration(model="points"))
