"""The kit passes what is right and fails, check by check, what is made wrong on purpose."""

from dataclasses import replace

import numpy as np
import pytest

import payoff
from payoff.spec_checks import spec_problems
from payoff.testing import CheckState, check_distribution, check_matrix, check_metric, check_spec
from plugins.decision_matrices.hooks import payoff_register_decision_matrices
from plugins.decision_matrices.worded import DIRECT_MAIL
from plugins.distributions.coxph import COXPH, coxph_gradient, coxph_loss
from plugins.distributions.gaussian import Gaussian
from plugins.distributions.hooks import payoff_register_distributions
from plugins.distributions.laplace import Laplace
from plugins.distributions.poisson import Poisson
from plugins.metrics.hooks import payoff_register_metrics
from plugins.metrics.money import TOTAL_PROFIT
from plugins.metrics.numbers import mae, rmse
from plugins.metrics.probabilities import ACCURACY, BRIER, LOG_LOSS
from plugins.metrics.ranking import auc
from tests.contract.conformance import (
    WRONG_DISTRIBUTIONS,
    WRONG_MATRICES,
    WRONG_METRICS,
    doubled_gradient,
    failed,
    spoiled_leaf,
)

BUILT_IN = [
    *payoff_register_distributions(),
    *payoff_register_metrics(),
    *payoff_register_decision_matrices(),
]


# Ranking measures are steps: their lambdas are slopes of a surrogate, not of the loss.
NOT_PASSED = {
    ("pairwise", "Gradient matches the loss"),
    ("pairwise", "Gradient holds at other settings"),
    # Undefined, or perfect, for a model that predicts no event; chi-squares and log likelihoods
    # grow with the cases. Each spec says so.
    ("precision", "Direction is as stated"),
    ("specificity", "Direction is as stated"),
    ("hosmer_lemeshow", "Direction is as stated"),
    ("hosmer_lemeshow", "Doubling all weights is as stated"),
    ("hosmer_lemeshow_p", "Direction is as stated"),
    ("hosmer_lemeshow_p", "Doubling all weights is as stated"),
    ("cox_log_likelihood", "Doubling all weights is as stated"),
    ("payoff.treatment", "Acting pays for some case"),  # what pays is the effect, not the chance
}


@pytest.mark.parametrize("spec", BUILT_IN, ids=lambda spec: spec.id)
def test_built_in_specs_pass_and_expected_failures_are_those_named(spec):
    sheet = check_spec(spec)
    assert sheet.passed, f"\n{sheet}"
    expected = {
        (result.subject, result.check)
        for result in sheet
        if result.state is not CheckState.PASSED and not result.subject.startswith("gbm_")
    }
    assert expected == {pair for pair in NOT_PASSED if pair[0] == spec.id}


# ---------------------------------------------------------------- distributions


def no_care(outcome, weight, offset, parameters, out, stop_flag):
    out[0] = ((outcome - offset[0]) * weight).sum() / weight.sum()


def spoiling_loss(outcome, score, parameters, out, start, stop):
    out[start:stop] = (outcome[start:stop] - score[0, start:stop]) ** 2
    score[0, start:stop] += 1.0


@pytest.mark.parametrize("check", WRONG_DISTRIBUTIONS)
def test_each_check_of_distributions_can_fail(check):
    assert check in failed(check_distribution(replace(Gaussian, **WRONG_DISTRIBUTIONS[check])))


def test_other_ways_to_be_wrong():
    stated = replace(Gaussian, gradient_factor=1.0)
    result = check_distribution(stated).result("Gradient matches the loss")
    assert "stated" in result.found
    assert "measured" in result.found
    assert failed(check_distribution(stated)) == {"Gradient matches the loss"}
    assert "Same answer again, inputs untouched" in failed(
        check_distribution(replace(Gaussian, loss=spoiling_loss))
    )
    level = replace(Laplace, leaf_quantile=lambda parameters: 0.9)
    assert "Leaf value obeys its kind" in failed(check_distribution(level))
    newton = replace(Laplace, leaf_kind=payoff.LeafKind.LOCATION, leaf_values=spoiled_leaf)
    assert "Leaf value obeys its kind" in failed(check_distribution(newton))
    gamma = replace(Poisson, target=payoff.TargetDomain.REAL)
    assert "No missing or infinite values" not in failed(check_distribution(gamma))


def test_a_variant_for_gbm_is_checked_like_the_distribution_itself():
    wrong = replace(Gaussian, id="gbm_gaussian", negative_gradient=doubled_gradient)
    sheet = check_distribution(replace(Gaussian, gbm=wrong))
    assert failed(sheet, "gaussian") == set()
    assert "Gradient matches the loss" in failed(sheet, "gbm_gaussian")


def summed_over_rows(outcome, score, weight, parameters, *rest):
    """A Cox loss whose cases out of the bag still stand in the risk sets."""
    coxph_loss(outcome, score, np.maximum(weight, 1.0), parameters, *rest)


def halved_gradient(*arguments):
    coxph_gradient(*arguments)
    arguments[-4][:] *= 0.5


def wrong_blocks(outcome, parameters, columns):
    rows, offsets = COXPH.arrange(outcome, parameters, columns)
    return rows, offsets[:-1]


def all_blocks(*arguments):
    coxph_loss(*arguments[:-2], 0, arguments[-6].shape[0] - 1)


def counting_loss(*arguments):
    coxph_loss(*arguments)
    rows, out = arguments[-6], arguments[-4]
    out[rows] /= rows.shape[0] / out.shape[0]


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"loss": counting_loss}, "Blocks may cover part of the cases"),
        ({"loss": summed_over_rows}, "Weight 2 equals a row twice"),
        ({"negative_gradient": halved_gradient}, "Gradient matches the loss"),
        ({"arrange": wrong_blocks}, "No missing or infinite values"),
        ({"loss": all_blocks}, "Same answer again, inputs untouched"),
        ({"is_shift_free": False}, "Offsets are honoured"),
    ],
)
def test_checks_of_losses_over_blocks_can_fail(change, check):
    assert check in failed(check_distribution(replace(COXPH, gbm=None, **change)))


# ---------------------------------------------------------------- metrics


def greedy_rows(outcome, prediction, parameters, contribution, factor, start, stop):
    contribution[0] = np.abs(outcome - prediction[0])
    factor[0] = 1.0


def mean_of_draws(events, others, parameters, out, start, stop):
    out[start:stop] = np.mean(events)


def counting_groups(events, others, parameters, out, start, stop):
    auc.ranked(events, others, parameters, out, start, stop)
    out[start:stop] *= 1.0 - 1.0 / (events.shape[1] + 1000.0)


@pytest.mark.parametrize("check", WRONG_METRICS)
def test_each_check_of_metrics_can_fail(check):
    assert check in failed(check_metric(WRONG_METRICS[check]))


@pytest.mark.parametrize(
    "metric",
    [
        replace(mae, rows=greedy_rows),
        replace(auc, ranked=mean_of_draws),
        replace(auc, ranked=counting_groups),
    ],
    ids=["writes other rows", "mixes draws", "counts empty groups"],
)
def test_kernels_that_leave_their_chunk(metric):
    assert "Chunks and draws stand apart" in failed(check_metric(metric))


def test_a_curve_is_checked_as_a_curve():
    def shares(sample, parameters):
        depth = np.arange(len(sample.group_ends)) / len(sample.group_ends)
        return depth, sample.cumulative("all") / max(sample.total_weight, 1e-9)

    curve = replace(
        auc,
        form=payoff.MetricForm.GENERAL,
        area_slope=None,
        output=payoff.MetricOutput.CURVE,
        ranked=None,
        compute=shares,
        axes=payoff.CurveAxes(question="q", x="x", y="y", axis=payoff.CurveAxis.DEPTH),
    )
    assert check_metric(curve).passed, str(check_metric(curve))
    wrong = replace(curve, compute=lambda sample, parameters: 1.0)
    assert "Answer has the stated form" in failed(check_metric(wrong))


# ---------------------------------------------------------------- matrices


def wrong_words(levels, parameters):
    return [[1.0, 0.0]] * levels


@pytest.mark.parametrize("check", WRONG_MATRICES)
def test_each_check_of_matrices_can_fail(check):
    assert check in failed(check_matrix(replace(DIRECT_MAIL, **WRONG_MATRICES[check])))


def test_a_matrix_that_is_not_linear_may_say_so():
    spec = replace(
        DIRECT_MAIL,
        consequences=lambda levels, p: np.full((levels, 2), p["letter_cost"] ** 2),
        do_nothing=None,
        is_linear=False,
    )
    assert "Linear where claimed" not in failed(check_matrix(spec))


# ---------------------------------------------------------------- expected failures


def test_a_failure_with_a_reason_is_expected():
    spec = replace(
        Gaussian,
        gradient_factor=1.0,
        expected_failures=(("Gradient matches the loss", "Half the slope, as gbm has it."),),
    )
    sheet = check_distribution(spec)
    assert sheet.passed
    result = sheet.result("Gradient matches the loss")
    assert result.state is CheckState.EXPECTED_FAILURE
    assert result.reason == "Half the slope, as gbm has it."


def test_an_expected_failure_needs_a_reason_a_check_and_a_failure():
    name = "Gradient matches the loss"
    without = replace(Gaussian, expected_failures=((name, " "),))
    assert "has no reason" in check_distribution(without).failures[0].found
    passing = replace(Gaussian, expected_failures=((name, "Why not."),))
    assert "passed, though" in check_distribution(passing).result(name).found
    unknown = replace(Gaussian, expected_failures=(("Rainfall", "It is wet."),))
    assert "no such check" in check_distribution(unknown).result("Rainfall").found


# ---------------------------------------------------------------- specs


PROBLEMS = [
    (replace(Gaussian, id="Gaussian"), "small letters"),
    (replace(Gaussian, help=" "), "help is empty"),
    (replace(Gaussian, target="integers"), "target is 'integers'"),
    (replace(Gaussian, leaf_kind=payoff.LeafKind.SOLVER), "needs leaf_values"),
    (replace(Laplace, leaf_quantile=None), "needs leaf_quantile"),
    (replace(Gaussian, gradient_factor=0.0), "above 0"),
    (replace(Gaussian, initial_score=Gaussian.loss), "shape 'whole'"),
    (replace(Gaussian, loss=None), "loss is missing"),
    (replace(Gaussian, loss="loss"), "not a function"),
    (replace(Gaussian, extras=("weather",)), "extras has 'weather'"),
    (replace(Gaussian, extras=["weight"]), "must be a tuple"),
    (replace(Gaussian, n_scores=-1), "n_scores"),
    (replace(Gaussian, optional_extras=("entry",)), "optional_extras names"),
    (replace(Gaussian, check_cases=1), "check_cases is not a function"),
    (replace(Gaussian, arrange=COXPH.arrange), "loss must be a kernel of shape 'by_group'"),
    (replace(COXPH, arrange=None), "loss must be a kernel of shape 'elementwise'"),
    (replace(Gaussian, leaf_values=Gaussian.loss), "shape 'by_group' or 'whole'"),
    (replace(Gaussian, gbm=Laplace), "without variants of its own"),
    (replace(Gaussian, gbm=Poisson.gbm), "gbm differs in target"),
    (replace(Gaussian, gbm=replace(Gaussian, help="")), "gbm: LossDistribution 'gaussian'"),
    (replace(Gaussian, gbm_with_offset=Gaussian), "stands without gbm"),
    (replace(auc, ranked=None), "needs ranked"),
    (replace(rmse, combine=None), "needs combine"),
    (replace(mae, form="mean"), "form is 'mean'"),
    (replace(auc, title="Lift, {depth}"), "title names a parameter"),
    (replace(auc, output=payoff.MetricOutput.CURVE), "needs axes"),
    (replace(mae, value_range=(1.0, 0.0)), "upside down"),
    (replace(mae, n_means=2), "n_means"),
    (replace(BRIER, inputs=(payoff.Input.SCORE, payoff.Input.PROBABILITY)), "only one of"),
    (replace(auc, inputs=(payoff.Input.PREDICTIONS,)), "takes a score or probability"),
    (replace(ACCURACY, parameters=ACCURACY.parameters * 2), "same name"),
    (
        replace(ACCURACY, parameters=(replace(ACCURACY.parameters[0], default=2.0),)),
        "default of parameter 'threshold' does not fit",
    ),
    (
        replace(ACCURACY, parameters=(replace(ACCURACY.parameters[0], kind="colour"),)),
        "unknown kind",
    ),
    (
        replace(ACCURACY, parameters=(replace(ACCURACY.parameters[0], kind="choice"),)),
        "without choices",
    ),
    (replace(DIRECT_MAIL, acting="Call"), "'Call' is not among"),
    (replace(DIRECT_MAIL, do_nothing="Wait"), "'Wait' is not among"),
    (replace(DIRECT_MAIL, decisions=("Mail", "Mail")), "different names"),
    (replace(DIRECT_MAIL, costs=wrong_words), "only in a revenue matrix"),
    (replace(DIRECT_MAIL, consequences=None), "consequences is not a function"),
]


@pytest.mark.parametrize(("spec", "words"), PROBLEMS)
def test_a_spec_that_is_filled_in_wrongly_says_what(spec, words):
    assert any(words in text for text in spec_problems(spec))
    assert failed(check_spec(spec)) == {"Spec is filled in"}


@pytest.mark.parametrize("spec", [Gaussian, LOG_LOSS, TOTAL_PROFIT, rmse, DIRECT_MAIL])
def test_a_good_spec_has_no_problems(spec):
    assert spec_problems(spec) == ()


def test_rows_helper_is_the_metric_itself():
    assert payoff.is_kernel(mae.rows)
