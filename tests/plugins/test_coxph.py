"""Cox's partial likelihood: published values, R's survival, and what the censored must not do."""

from dataclasses import replace

import numpy as np
import pytest

from payoff.errors import PayoffError
from payoff.targets import check_cases
from payoff.testing import DistributionHost, check_distribution
from plugins.distributions.coxph import COXPH
from tests.plugins.gbm_steps import COLUMNS, GOLDEN

SURVIVAL = GOLDEN["survival"]
TIES = ("breslow", "efron")


def host_of(time, event, ties="breslow", **columns):
    columns = {"event": np.asarray(event, dtype=float), **columns}
    return DistributionHost(COXPH, np.asarray(time, dtype=float), columns, {"ties": ties})


def log_likelihood(host, score, weight=None):
    """The log partial likelihood that the losses of the events add up to."""
    weight = np.ones(host.size) if weight is None else weight
    return -0.5 * float(weight @ host.losses(np.atleast_2d(score).astype(float), weight))


# Therneau & Grambsch, Modeling Survival Data, appendix E: test data 1 without the missing row.
TIME_1, EVENT_1 = [9, 1, 1, 6, 6, 8], [1, 1, 0, 1, 1, 0]
X_1 = np.array([0.0, 1, 1, 1, 0, 0])


@pytest.mark.parametrize(
    ("ties", "slope", "at_zero", "at_best"),
    [
        ("breslow", 1.475284915, -4.564348191, -3.824749505),
        ("efron", 1.676857486, -4.276666119, -3.358974840),
    ],
)
def test_the_small_data_of_therneau_and_grambsch(ties, slope, at_zero, at_best):
    host = host_of(TIME_1, EVENT_1, ties)
    assert log_likelihood(host, 0.0 * X_1) == pytest.approx(at_zero, abs=1e-9)
    assert log_likelihood(host, slope * X_1) == pytest.approx(at_best, abs=1e-9)
    gradient, _ = host.gradients(slope * X_1[np.newaxis])
    assert gradient[0] @ X_1 == pytest.approx(0.0, abs=1e-8)  # the slope is best


@pytest.mark.parametrize(
    ("ties", "slope", "at_zero", "at_best"),
    [
        ("breslow", 1.509191413, -93.98505048, -86.37962207),
        ("efron", 1.572125149, -93.18427, -85.00842458),
    ],
)
def test_remission_of_leukaemia(ties, slope, at_zero, at_best):
    data = GOLDEN["gehan"]
    assert [-slope, at_zero, at_best] == pytest.approx(data[ties], abs=1e-6)
    host = host_of(data["time"], data["event"], ties)
    treated = np.array(data["treated"], dtype=float)
    assert log_likelihood(host, 0.0 * treated) == pytest.approx(at_zero, abs=1e-5)
    assert log_likelihood(host, -slope * treated) == pytest.approx(at_best, abs=1e-7)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("has_entry", [False, True])
@pytest.mark.parametrize("has_strata", [False, True])
def test_weights_strata_and_left_truncation_as_in_r(ties, has_entry, has_strata):
    columns = {}
    if has_entry:
        columns["entry"] = np.array(SURVIVAL["entry"])
    if has_strata:
        columns["strata"] = np.array(SURVIVAL["strata"])
    name = {
        (False, False): "plain",
        (True, False): "truncated",
        (False, True): "strata",
        (True, True): "truncated_strata",
    }[has_entry, has_strata]
    host = host_of(COLUMNS["time"], COLUMNS["event"], ties, **columns)
    found = log_likelihood(host, SURVIVAL["score"], COLUMNS["weight"])
    assert found == pytest.approx(SURVIVAL[ties][name], abs=1e-9)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("has_entry", [False, True])
def test_gradients_are_the_martingale_residuals_of_r(ties, has_entry):
    columns = {"entry": np.array(SURVIVAL["entry"])} if has_entry else {}
    host = host_of(COLUMNS["time"], COLUMNS["event"], ties, **columns)
    gradient, expected = host.gradients(np.array([SURVIVAL["score"]]), COLUMNS["weight"])
    name = "truncated_residuals" if has_entry else "residuals"
    np.testing.assert_allclose(gradient[0], SURVIVAL[ties][name], atol=1e-9)
    np.testing.assert_allclose(expected[0], COLUMNS["event"] - gradient[0], atol=1e-12)


def test_efron_passes_the_kit_too_but_for_weights():
    (ties,) = COXPH.parameters
    efron = replace(COXPH, gbm=None, parameters=(replace(ties, default=1.0),))
    failures = check_distribution(efron).failures
    assert {item.check for item in failures} == {"Weight 2 equals a row twice"}


def test_a_case_without_weight_or_not_yet_entered_is_in_no_risk_set():
    time, event = np.array([1.0, 2, 3, 4]), np.array([1.0, 1, 0, 1])
    score, weight = np.array([[0.2, -0.4, 1.0, 0.3]]), np.array([1.0, 1, 0, 1])
    without = host_of(time[[0, 1, 3]], event[[0, 1, 3]]).losses(score[:, [0, 1, 3]])
    np.testing.assert_allclose(host_of(time, event).losses(score, weight)[[0, 1, 3]], without)
    # The third case enters after all events before its end: it adds nothing either.
    entered = host_of(time, event, entry=np.array([0.0, 0, 2.5, 0]))
    np.testing.assert_allclose(entered.losses(score)[[0, 1, 3]], without)


@pytest.mark.parametrize("has_entry", [False, True])
@pytest.mark.parametrize("ties", TIES)
def test_blocks_may_cover_some_of_the_cases_only(ties, has_entry):
    """A host arranges training and validation rows apart, in the same arrays."""
    columns = {"strata": np.array(SURVIVAL["strata"])}
    if has_entry:
        columns["entry"] = np.array(SURVIVAL["entry"])
    score = np.array([SURVIVAL["score"]])
    whole = host_of(COLUMNS["time"], COLUMNS["event"], ties, **columns)
    for first, last in ((0, 20), (20, 60)):
        part = whole.chosen(np.arange(first, last))
        rows, offsets = part.blocks
        whole.blocks = rows + first, offsets
        for found, wanted in zip(
            (*whole.losses_and_factors(score), *whole.gradients(score)),
            (*part.losses_and_factors(score[:, first:last]), *part.gradients(score[:, first:last])),
            strict=True,
        ):
            np.testing.assert_array_equal(found[..., first:last], wanted)


def test_far_scores_stay_finite():
    host = host_of(COLUMNS["time"], COLUMNS["event"], "efron", entry=np.array(SURVIVAL["entry"]))
    score = np.linspace(-900.0, 900.0, host.size)[np.newaxis]
    for values in (host.losses(score), *host.gradients(score)):
        assert np.isfinite(values).all()
    weight = np.where(score[0] > 0.0, 0.0, 1.0)  # those out of the bag lie far above
    for values in host.gradients(score, weight):
        assert np.isfinite(values).all()


def test_one_newton_step_of_two_leaves_is_nearly_the_joint_one():
    """Events over expected events: the step that gbm takes by solving for all leaves at once."""
    random = np.random.default_rng(4)
    time = random.exponential(np.repeat([1.0, 1.5], 200))
    columns = {"event": (random.uniform(size=400) < 0.7).astype(float)}
    host, fixed = (DistributionHost(spec, time, columns) for spec in (COXPH, COXPH.gbm))
    rows, offsets = np.arange(400), np.array([0, 200, 400])
    zero, ones = np.zeros((1, 400)), np.ones(400)
    own = host.leaf_values(zero, ones, rows, offsets, 0)
    joint = fixed.leaf_values(zero, ones, rows, offsets, 0)
    assert joint[1] == 0.0
    assert joint[0] > 0.3
    assert own[0] - own[1] == pytest.approx(joint[0], rel=0.05)


def test_gbm_leaves_with_too_few_cases_stay_at_zero():
    host = DistributionHost(COXPH.gbm, COLUMNS["time"], COLUMNS)
    rows, offsets = np.arange(60), np.array([0, 3, 30, 60])
    values = host.leaf_values(np.zeros((1, 60)), np.ones(60), rows, offsets, 0, min_cases=5)
    assert values[0] == 0.0
    assert values[2] == 0.0
    assert values[1] != 0.0
    alone = host.leaf_values(np.zeros((1, 60)), np.ones(60), rows, np.array([0, 60]), 0)
    assert alone.tolist() == [0.0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"event": np.array([1.0, 2.0, 0.0])}, "row 2"),
        ({"entry": np.array([0.0, 0.0, 3.0])}, "row 3"),
        ({"entry": np.array([-1.0, 0.0, 0.0])}, "row 1"),
        ({"event": np.zeros(3)}, "censored"),
    ],
)
def test_cases_that_cannot_be_fitted_are_refused(change, words):
    columns = {"event": np.array([1.0, 0, 1]), "entry": np.zeros(3), "strata": np.zeros(3)}
    time = np.array([1.0, 2.0, 3.0])
    check_cases(COXPH, time, np.ones(3), {"ties": 0.0}, columns)
    with pytest.raises(PayoffError, match=words):
        check_cases(COXPH, time, np.ones(3), {"ties": 0.0}, {**columns, **change})


def test_an_absent_event_column_is_named():
    with pytest.raises(PayoffError, match="'event'"):
        DistributionHost(COXPH, np.ones(3))
