"""Expected profit as a loss: a proper score, between the hard decision and log loss."""

import numpy as np
import pytest

from payoff.errors import PayoffError
from payoff.targets import check_cases
from payoff.testing import DistributionHost
from plugins.distributions.expected_profit import EXPECTED_PROFIT
from plugins.distributions.expected_profit_classes import EXPECTED_PROFIT_CLASSES

PROBABILITIES = np.linspace(0.01, 0.99, 99)
SCORES = np.log(PROBABILITIES / (1 - PROBABILITIES))[np.newaxis]
MAILING = np.array([[0.0, -1.0], [0.0, 9.0]])  # skip or mail; break-even at 0.1


def losses(outcome, brings, scores, spec=EXPECTED_PROFIT, **parameters):
    n = scores.shape[1]
    columns = {"consequences": np.repeat(brings[np.newaxis], n, axis=0)}
    return DistributionHost(spec, np.full(n, float(outcome)), columns, parameters).losses(scores)


@pytest.mark.parametrize("truth", [0.04, 0.1, 0.3, 0.8])
@pytest.mark.parametrize("softness", [0.3, 1.0, 5.0])
def test_the_true_chance_costs_least(truth, softness):
    settings = {"softness": softness, "log_share": 0.0}
    no = losses(0, MAILING, SCORES, **settings)
    yes = losses(1, MAILING, SCORES, **settings)
    mean = (1 - truth) * no + truth * yes
    assert PROBABILITIES[np.argmin(mean)] == pytest.approx(truth, abs=1e-9)
    assert (no >= 0).all()
    assert (yes >= 0).all()


def test_true_chances_of_three_classes_cost_least():
    random = np.random.default_rng(3)
    brings = random.normal(0, 5, (3, 4))
    truth = np.array([0.2, 0.5, 0.3])
    scores = np.log(truth)[:, np.newaxis] + np.hstack(
        [np.zeros((3, 1)), 0.3 * random.normal(size=(3, 200))]
    )
    mean = sum(
        truth[k] * losses(k, brings, scores, EXPECTED_PROFIT_CLASSES, log_share=0.0)
        for k in range(3)
    )
    assert np.argmin(mean) == 0


def test_a_hard_decision_costs_what_it_forgoes():
    settings = {"softness": 0.01, "log_share": 0.0}
    mails = PROBABILITIES > 0.1 + 1e-9
    apart = np.abs(PROBABILITIES - 0.1) > 1e-9
    wasted = losses(0, MAILING, SCORES, **settings)
    np.testing.assert_allclose(wasted[apart], 1.0 * mails[apart], atol=1e-3)
    forgone = losses(1, MAILING, SCORES, **settings)
    np.testing.assert_allclose(forgone[apart], 9.0 * ~mails[apart], atol=1e-3)


def test_all_log_loss_counts_the_stakes():
    yes = losses(1, MAILING, SCORES, log_share=1.0)
    np.testing.assert_allclose(yes, -10.0 * np.log(PROBABILITIES), rtol=1e-12)


def test_two_classes_are_the_yes_or_no():
    both = np.vstack([np.zeros(99), SCORES[0]])
    for outcome in (0, 1):
        np.testing.assert_allclose(
            losses(outcome, MAILING, both, EXPECTED_PROFIT_CLASSES),
            losses(outcome, MAILING, SCORES),
            rtol=1e-10,
            atol=1e-12,
        )


def test_cases_near_the_break_even_chance_and_with_much_at_stake_count_most():
    columns = {"consequences": np.repeat(MAILING[np.newaxis], 99, axis=0)}
    host = DistributionHost(EXPECTED_PROFIT, np.zeros(99), columns, {"log_share": 0.0})
    _, curvature = host.gradients(SCORES)
    logistic = PROBABILITIES * (1 - PROBABILITIES)
    assert 0.05 < PROBABILITIES[np.argmax(curvature[0] / logistic)] < 0.25
    columns = {"consequences": 7.0 * columns["consequences"]}
    expensive = DistributionHost(EXPECTED_PROFIT, np.zeros(99), columns, {"log_share": 0.0})
    np.testing.assert_allclose(expensive.gradients(SCORES)[1], 7.0 * curvature, rtol=1e-9)


def test_what_cannot_be_learned_from_is_refused():
    outcome, weight = np.array([0.0, 1.0]), np.ones(2)
    for brings, words in (
        (np.zeros((2, 2, 2)), "Nothing is at stake"),
        (np.full((2, 2, 2), np.nan), "not known"),
    ):
        with pytest.raises(PayoffError, match=words):
            check_cases(EXPECTED_PROFIT, outcome, weight, {}, {"consequences": brings})


@pytest.mark.parametrize("spec", [EXPECTED_PROFIT, EXPECTED_PROFIT_CLASSES])
@pytest.mark.parametrize("settings", [{}, {"softness": 0.1, "log_share": 0.1}])
def test_slopes_balance_at_the_first_score(spec, settings):
    """Costs differ by case, offsets too: the constant is found, not only approached."""
    random = np.random.default_rng(4)
    classes = 2 if spec is EXPECTED_PROFIT else 3
    outcome = random.permutation(np.arange(60) % classes).astype(float)
    brings = random.normal(0.0, 5.0, (60, classes, 3))
    host = DistributionHost(spec, outcome, {"consequences": brings}, settings)
    weight = random.uniform(0.5, 2.0, 60)
    offset = 0.3 * random.normal(size=(1 if classes == 2 else 3, 60))
    start = host.initial_score(weight, offset)
    gradient, curvature = host.gradients(offset + start[:, np.newaxis])
    assert np.abs(gradient @ weight).max() < 1e-8 * (curvature @ weight).max()
