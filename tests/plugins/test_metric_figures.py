"""Figures of the metrics: published, by R, scikit-learn, lifelines and scikit-survival, by hand."""

import json
import math

import numpy as np
import pytest
from sklearn import metrics as peer

from payoff import PayoffError, Sample, Task
from plugins.metrics.tables import kappa_of, matthews_of
from tests.plugins.metric_figures import BIRTHS, GOLDEN, METRICS, value
from tests.plugins.published import A, B, binary, numbers

TIMES = json.loads((GOLDEN / "survival.json").read_text("utf-8"))


# ---------------------------------------------------------------- two classes


@pytest.mark.parametrize(
    ("metric", "data", "parameters", "wanted"),
    [
        ("partial_auc", A, {"false_alarms": 0.5}, 2 / 3),
        ("partial_auc", A, {"false_alarms": 0.5, "standard": "as it is"}, 0.25),
        ("h_measure", B, {}, 0.3840248842),
        ("h_measure", B, {"severity": 1}, 0.3699596774),
        ("h_measure", B, {"severity": 2}, 0.3808802659),
        ("h_measure", A, {}, 0.5),
        ("h_measure", A, {"severity": 1}, 0.5),
        ("brier_reliability", B, {}, 0.1005),
        ("brier_resolution", B, {}, 0.14),
        ("brier_uncertainty", B, {}, 0.24),
        ("calibration_error", B, {"bins": 5}, 0.20),
        ("calibration_error", B, {"bins": 5, "norm": 1}, 0.45),
        ("calibration_error", B, {"bins": 5, "norm": 2}, 0.2209826539),
        ("calibration_error", B, {"bins": 10}, 0.26),
        ("brier_skill", ([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), {}, 0.85),
    ],
)
def test_published_figures_of_two_classes(metric, data, parameters, wanted):
    assert value(metric, binary(*data), **parameters) == pytest.approx(wanted, abs=1e-9)


def test_bins_of_equal_count_share_out_equal_chances():
    """B in pairs of rows: 0.24 in file order; the two chances 0.15 and 0.35 lie across no edge
    that matters, since tied cases are shared out evenly: by hand.
    """
    found = value("calibration_error", binary(*B), bins=5, edges="equal count")
    # Pairs (0.05, half of the two at 0.15 ...): weight, events, chance of each fifth.
    events = np.array([0.5, 0.5 + 0.5, 0.5 + 1.0, 1.0, 2.0])
    probabilities = np.array([0.05 + 0.15, 0.15 + 0.35, 0.35 + 0.55, 0.65 + 0.75, 0.85 + 0.95])
    assert found == pytest.approx(np.abs(events - probabilities).sum() / 10, abs=1e-12)


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ([[20, 5], [10, 15]], 0.4),
        ([[45, 15], [25, 15]], 0.1304347826),
        ([[25, 35], [5, 35]], 0.2592592593),
    ],
)
def test_published_kappas(table, wanted):
    assert kappa_of(np.array(table, float), 0) == pytest.approx(wanted, abs=1e-9)


def test_published_correlations_and_degenerate_tables():
    sample = binary([1, 1, 1, 0], [0.9, 0.1, 0.9, 0.9])
    assert value("mcc", sample) == pytest.approx(-1 / 3, abs=1e-9)
    assert matthews_of(np.array([[6.0, 2.0], [1.0, 3.0]])) == pytest.approx(0.4780914437, abs=1e-9)
    counts = np.repeat([0, 1, 2, 3], [6, 2, 1, 3])  # TP, FN, FP, TN
    sample = binary(np.isin(counts, [0, 1]), np.where(np.isin(counts, [0, 2]), 0.9, 0.1))
    assert value("balanced_accuracy", sample) == pytest.approx(0.75, abs=1e-12)
    only = binary([1, 0], [0.9, 0.8])
    assert value("mcc", only) == 0.0
    assert "0 ÷ 0" in METRICS["mcc"].remark(only, {"threshold": 0.5})
    assert math.isnan(value("kappa", binary([1, 1], [0.9, 0.8])))


def test_thresholds_against_scikit_learn_with_weights():
    random = np.random.default_rng(3)
    happened = random.integers(0, 2, 300)
    probability = np.round(np.clip(0.3 * happened + random.uniform(0.05, 0.65, 300), 0, 1), 2)
    weight = random.uniform(0.1, 3.0, 300)
    sample, says = binary(happened, probability, weight), probability >= 0.4
    given = {"sample_weight": weight}
    wanted = {
        "precision": peer.precision_score(happened, says, **given),
        "recall": peer.recall_score(happened, says, **given),
        "specificity": peer.recall_score(1 - happened, ~says, **given),
        "balanced_accuracy": peer.balanced_accuracy_score(happened, says, **given),
        "mcc": peer.matthews_corrcoef(happened, says, **given),
        "kappa": peer.cohen_kappa_score(happened, says, **given),
    }
    for metric, answer in wanted.items():
        assert value(metric, sample, threshold=0.4) == pytest.approx(answer, rel=1e-12), metric
    f_two = peer.fbeta_score(happened, says, beta=2.0, **given)
    assert value("f_beta", sample, threshold=0.4, beta=2.0) == pytest.approx(f_two, rel=1e-12)
    sides = wanted["recall"] + wanted["specificity"] - 1
    assert value("youden", sample, threshold=0.4) == pytest.approx(sides, rel=1e-12)
    plain = binary(happened, probability)
    part = peer.roc_auc_score(happened, probability, max_fpr=0.3)
    assert value("partial_auc", plain, false_alarms=0.3) == pytest.approx(part, rel=1e-12)
    skill = peer.d2_brier_score(happened, probability, sample_weight=weight)
    assert value("brier_skill", sample) == pytest.approx(skill, rel=1e-12)
    gain = np.average(np.where(says, np.where(happened == 1, 1.0, -2 / 3), 0.0), weights=weight)
    assert value("net_benefit", sample, threshold=0.4) == pytest.approx(gain, rel=1e-12)


def test_hosmer_and_lemeshow_by_every_quantile_of_r():
    sample = binary(BIRTHS["low"], BIRTHS["chance"])
    for kind, wanted in BIRTHS["hosmer_lemeshow"].items():
        found = value("hosmer_lemeshow", sample, quantile=f"R type {kind}")
        assert found == pytest.approx(wanted, abs=BIRTHS["tolerance"]), kind
    p_value = value("hosmer_lemeshow_p", sample, rows="the model was fitted on")
    assert p_value == pytest.approx(BIRTHS["p_type_7_df_8"], abs=1e-9)
    parameters = {"groups": 10.0, "quantile": 0.0, "rows": 0.0}
    remark = METRICS["hosmer_lemeshow"].remark
    assert remark(sample, parameters) == "10 groups; 10 degrees of freedom."
    few = binary([0, 1, 1, 0], [0.2, 0.2, 0.8, 0.8])
    assert math.isnan(value("hosmer_lemeshow", few))
    assert "at least 3" in remark(few, parameters)


def test_calibration_line_is_that_of_r():
    sample = binary(BIRTHS["drawn"], BIRTHS["chance"])
    close = {"abs": BIRTHS["tolerance"]}
    assert value("calibration_slope", sample) == pytest.approx(BIRTHS["slope"], **close)
    held = value("calibration_intercept", sample)
    assert held == pytest.approx(BIRTHS["intercept_slope_1"], **close)
    along = value("calibration_intercept", sample, slope="fitted along")
    assert along == pytest.approx(BIRTHS["intercept_fitted_along"], **close)
    with pytest.raises(PayoffError, match="exactly 0"):
        value("calibration_slope", binary([1, 0], [0.0, 0.2]))
    assert math.isnan(value("calibration_slope", binary([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])))


# ---------------------------------------------------------------- more classes


def test_several_classes_against_scikit_learn():
    random = np.random.default_rng(9)
    outcome = random.integers(0, 4, 400)
    raw = random.uniform(0.1, 1.0, (4, 400)) + 0.5 * (np.arange(4)[:, None] == outcome)
    probabilities = np.round(raw / raw.sum(axis=0), 2)
    probabilities[3] = 1.0 - probabilities[:3].sum(axis=0)
    weight, says = random.uniform(0.5, 2.0, 400), probabilities.argmax(axis=0)
    plain = Sample(outcome, prediction=probabilities, labels=tuple("abcd"))
    sample = plain.reweighted(weight)
    given = {"sample_weight": weight}
    for power, name in ((0, None), (1, "linear"), (2, "quadratic")):
        kappa = peer.cohen_kappa_score(outcome, says, weights=name, **given)
        assert value("kappa", sample, weights=power) == pytest.approx(kappa, rel=1e-12)
    mcc = peer.matthews_corrcoef(outcome, says, **given)
    assert value("mcc", sample) == pytest.approx(mcc, rel=1e-12)
    balanced = peer.balanced_accuracy_score(outcome, says, **given)
    assert value("balanced_accuracy", sample) == pytest.approx(balanced, rel=1e-12)
    area = peer.roc_auc_score(outcome, probabilities.T, multi_class="ovo")
    assert value("hand_till", plain) == pytest.approx(area, rel=1e-12)
    weighted = peer.roc_auc_score(outcome, probabilities.T, multi_class="ovr", average="weighted")
    assert value("weighted_auc", plain) == pytest.approx(weighted, rel=1e-12)


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("outcome", "prediction", "level", "wanted"),
    [
        ([1, 2, 3], [0, 2, 3], 0.1, 1 / 30),
        ([1, 2, 3], [1, 2, 4], 0.1, 0.3),
        ([1, 2, 3], [0, 2, 3], 0.9, 0.3),
        ([1, 2, 3], [1, 2, 4], 0.9, 1 / 30),
    ],
)
def test_published_quantile_losses(outcome, prediction, level, wanted):
    found = value("pinball", numbers(outcome, prediction), level=level)
    assert found == pytest.approx(wanted, abs=1e-9)


def test_numbers_against_scikit_learn():
    random = np.random.default_rng(4)
    outcome = random.normal(50.0, 3.0, 200)
    predicted = outcome + random.normal(0.5, 2.0, 200)
    weight = random.uniform(0.1, 3.0, 200)
    sample, given = numbers(outcome, predicted, weight), {"sample_weight": weight}
    wanted = {
        "mse": peer.mean_squared_error(outcome, predicted, **given),
        "r2": peer.r2_score(outcome, predicted, **given),
        "explained_variance": peer.explained_variance_score(outcome, predicted, **given),
        "mape": peer.mean_absolute_percentage_error(outcome, predicted, **given),
    }
    for metric, answer in wanted.items():
        assert value(metric, sample) == pytest.approx(answer, rel=1e-11), metric
    plain = numbers(outcome, predicted)
    median = peer.median_absolute_error(outcome, predicted)
    assert value("median_absolute_error", plain) == pytest.approx(median, rel=1e-12)
    assert value("pinball_skill", numbers([1, 2, 3], [1, 3, 3]), level=0.9) == pytest.approx(2 / 3)
    size = 0.5 * (np.abs(outcome) + np.abs(predicted))
    smape = np.average(np.abs(outcome - predicted) / size, weights=weight)
    assert value("smape", sample) == pytest.approx(smape, rel=1e-12)
    assert value("smape", numbers([0.0, 1.0], [0.0, 1.0])) == 0.0
    with pytest.raises(PayoffError, match="outcome is 0") as refused:
        value("mape", numbers([1.0, 0.0], [1.0, 1.0]))
    assert "case 2" in refused.value.where


def test_pairs_of_numbers_are_kendalls():
    random = np.random.default_rng(5)
    outcome, predicted = random.integers(0, 6, 60), random.integers(0, 5, 60)
    weight = random.uniform(0.1, 2.0, 60)
    above = np.sign(outcome[:, None] - outcome) * np.sign(predicted[:, None] - predicted)
    pairs = np.where(outcome[:, None] != outcome, np.outer(weight, weight), 0.0)
    wanted = (pairs * (above + 1) / 2).sum() / pairs.sum()
    found = value("pair_concordance", numbers(outcome, predicted, weight))
    assert found == pytest.approx(wanted, rel=1e-12)


def quantiles(outcome, weight=None, **columns):
    roles = {f"quantile {level}": np.array(column, float) for level, column in columns["at"]}
    return Sample(np.array(outcome, float), np.zeros(len(outcome)), weight=weight, roles=roles)


def test_sets_of_quantiles():
    one = quantiles([1.0, 5.0, 2.0], at=[("0.5", [2.0, 2.0, 2.0])])
    assert value("crps", one) == pytest.approx((1 + 3 + 0) / 3)  # a point: its MAE
    columns = [("0.1", [0, 0, 0, 0]), ("0.5", [1, 1, 1, 1]), ("0.9", [2, 2, 4, 2])]
    sample = quantiles([0.0, 1.0, 5.0, 2.5], weight=[1.0, 2.0, 1.0, 1.0], at=columns)
    assert value("interval_coverage", sample) == pytest.approx(3 / 5)
    assert value("interval_width", sample) == pytest.approx((2 + 4 + 4 + 2) / 5)
    with pytest.raises(PayoffError, match=r"quantile 0\.05 is not predicted"):
        value("interval_coverage", sample, share=0.9)
    with pytest.raises(PayoffError, match="predicts no quantiles"):
        value("crps", numbers([1.0], [1.0]))
    with pytest.raises(PayoffError, match="below a lower one"):
        value("crps", quantiles([1.0], at=[("0.1", [2.0]), ("0.9", [1.0])]))


def test_many_quantiles_of_a_normal_give_its_closed_form():
    """CRPS of N(0, 1) at 0 is 2 phi(0) - 1 / sqrt(pi)."""
    from scipy.stats import norm

    levels = (np.arange(2000) + 0.5) / 2000
    sample = quantiles([0.0], at=[(repr(level), [norm.ppf(level)]) for level in levels.tolist()])
    wanted = 2 / math.sqrt(2 * math.pi) - 1 / math.sqrt(math.pi)
    assert value("crps", sample) == pytest.approx(wanted, abs=1e-6)


# ---------------------------------------------------------------- lists


def lists(grade, score, group, weight=None):
    return Sample(
        np.array(grade, float),
        score,
        task=Task.RANKING,
        weight=weight,
        roles={"group": np.array(group)},
    )


def test_first_places_of_lists():
    sample = lists([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1], [0] * 6)
    assert value("precision_at", sample, places=3) == pytest.approx(2 / 3)
    assert value("recall_at", sample, places=3) == pytest.approx(2 / 3)
    assert value("precision_at", sample, places=10) == pytest.approx(0.3)
    tied = lists([1, 0, 1, 0], [2, 1, 1, 1], [0] * 4)  # the second place is any of three
    assert value("precision_at", tied, places=2) == pytest.approx((1 + 1 / 3) / 2)
    nothing = lists([1, 0, 0, 0], [2, 1, 2, 1], [0, 0, 1, 1])
    assert value("recall_at", nothing, places=1) == 1.0
    assert "1 of 2 lists" in METRICS["recall_at"].remark(nothing, {"places": 1.0})
    label_ranking = lists([1, 0, 0, 0, 0, 1], [0.75, 0.5, 1, 1, 0.2, 0.1], [0, 0, 0, 1, 1, 1])
    assert value("map", label_ranking) == pytest.approx(0.4166666667, abs=1e-9)  # LRAP


def test_expected_reciprocal_rank_by_hand():
    """Grades 3, 2, 4 of a scale to 4: R = 7/16, 3/16, 15/16."""
    sample = lists([3, 2, 4], [3, 2, 1], [0, 0, 0])
    first, second, third = 7 / 16, 3 / 16, 15 / 16
    wanted = first + (1 - first) * second / 2 + (1 - first) * (1 - second) * third / 3
    assert value("err", sample) == pytest.approx(wanted, rel=1e-12)
    assert value("err", sample, highest=5.0) < wanted
    with pytest.raises(PayoffError, match="above the highest"):
        value("err", sample, highest=3.0)


# ---------------------------------------------------------------- survival


def lives(risk, time, event, weight=None, **roles):
    zeros = np.zeros(len(time))
    columns = {
        "time": np.array(time, float),
        "event": np.array(event, float),
        "entry": zeros,
        "strata": zeros,
        **roles,
    }
    return Sample(time, risk, weight=weight, task=Task.SURVIVAL, roles=columns)


def test_concordance_of_r_and_lifelines():
    sample = lives(TIMES["risk"], TIMES["time"], TIMES["event"])
    close = {"abs": TIMES["tolerance"]}
    for peer_name in ("harrell_lifelines", "harrell_sksurv"):
        assert value("concordance", sample) == pytest.approx(TIMES[peer_name], **close)
    assert value("uno_concordance", sample) == pytest.approx(TIMES["uno_r"], **close)
    until = value("uno_concordance", sample, until=TIMES["tau"])
    assert until == pytest.approx(TIMES["uno_sksurv"], abs=1e-9)
    tied = lives(TIMES["risk"], TIMES["rounded"], TIMES["event"], TIMES["weight"])
    assert value("uno_concordance", tied) == pytest.approx(TIMES["uno_r_rounded_weights"], **close)
    tiny = lives([5, 3, 4, 4, 1], [1, 2, 3, 4, 5], [1, 0, 1, 1, 0])
    assert value("uno_concordance", tiny) == pytest.approx(0.9047619048, abs=1e-9)
    assert METRICS["uno_concordance"].remark(tiny, {"until": 0.0}) == "Events up to time 4 count."


def test_scores_at_times_are_those_of_scikit_survival():
    roles = {
        f"survival {time:g}": np.array(probability)
        for time, probability in zip(TIMES["times"], TIMES["survival"], strict=True)
    }
    sample = lives(TIMES["risk"], TIMES["time"], TIMES["event"], **roles)
    for place, time in enumerate(TIMES["times"]):
        brier, area = TIMES["brier_sksurv"][place], TIMES["auc_sksurv"][place]
        assert value("survival_brier", sample, time=time) == pytest.approx(brier, abs=1e-9)
        assert value("survival_auc", sample, time=time) == pytest.approx(area, abs=1e-9)
    last = TIMES["times"][-1]
    found = value("integrated_brier", sample, time=last)
    assert found == pytest.approx(TIMES["ibs_sksurv"], abs=1e-9)
    remark = METRICS["survival_brier"].remark
    assert "own chances" in remark(sample, {"time": last})
    assert "Cox model" in remark(sample, {"time": 0.0})


@pytest.mark.parametrize(
    ("ties", "beta", "wanted"),
    [
        ("Breslow", math.log((3 + math.sqrt(33)) / 2), -3.824749505),
        ("Breslow", 0.0, -4.564348191),
        ("Efron", 1.676857486, -3.358974840),
        ("Efron", 0.0, -4.276666119),
    ],
)
def test_partial_likelihood_of_therneau_and_grambsch(ties, beta, wanted):
    cover = np.array([0, 1, 1, 1, 0, 0])
    sample = lives(beta * cover, [9, 1, 1, 6, 6, 8], [1, 1, 0, 1, 1, 0])
    assert value("cox_log_likelihood", sample, ties=ties) == pytest.approx(wanted, abs=1e-8)


def test_partial_likelihood_of_r_with_weights_and_ties():
    tied = lives(TIMES["risk"], TIMES["rounded"], TIMES["event"], TIMES["weight"])
    for ties in ("Breslow", "Efron"):
        wanted = TIMES[f"cox_{ties.lower()}_rounded_weights"]
        assert value("cox_log_likelihood", tied, ties=ties) == pytest.approx(wanted, abs=1e-8)


def test_chances_that_are_right_are_calibrated_at_a_time():
    random = np.random.default_rng(11)
    hazard = np.exp(random.normal(0, 0.7, 20_000))
    time, censored = random.exponential(1 / hazard), random.exponential(3.0, 20_000)
    seen, event = np.minimum(time, censored), (time <= censored).astype(float)
    right = lives(hazard, seen, event, **{"survival 0.5": np.exp(-0.5 * hazard)})
    wrong = lives(hazard, seen, event, **{"survival 0.5": np.exp(-0.8 * hazard)})
    assert value("survival_calibration", right, time=0.5) < 0.015
    assert value("survival_calibration", wrong, time=0.5) > 0.05
    made = value("survival_calibration", lives(np.log(hazard), seen, event), time=0.5)
    assert made < 0.015  # the Cox model of the risk finds them again


def test_no_event_no_pair_and_wrong_times():
    with pytest.raises(PayoffError, match="time is -1"):
        value("concordance", lives([1, 2], [-1, 4], [1, 0], entry=np.array([-2.0, 0.0])))
    with pytest.raises(PayoffError, match="event mark is 2"):
        value("uno_concordance", lives([1, 2], [3, 4], [1, 2]))
    censored = lives([1, 2], [3, 4], [0, 0])
    last = lives([1, 2], [3, 4], [0, 1])
    tied = lives([1, 2, 3], [5, 5, 5], [1, 1, 1])
    for sample in (censored, last, tied):
        assert math.isnan(value("concordance", sample))
        assert math.isnan(value("uno_concordance", sample))
    say = METRICS["concordance"].remark
    assert say(censored, {}).startswith("No event")
    assert say(last, {}).startswith("No pair")
    assert math.isnan(value("cox_log_likelihood", censored))
    breslow = 6 - 3 * math.log(math.exp(1) + math.exp(2) + math.exp(3))
    assert value("cox_log_likelihood", tied) == pytest.approx(breslow, rel=1e-12)
