"""The worked example of each matrix's page, with the program's own cut-offs and decisions."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.decisions import (
    CaseAmounts,
    DecisionProblem,
    ModelScores,
    cut_off,
    decide_cases,
    decision_regions,
)
from core.document.decisions.matrix_model import MatrixKind
from payoff import resolve_parameters
from payoff.spec_checks import spec_problems
from payoff.testing import check_matrix
from plugins.decision_matrices.donation import DONATION
from plugins.decision_matrices.fraud import FRAUD_AMOUNT
from plugins.decision_matrices.hooks import payoff_register_decision_matrices

SPECS = {spec.id.removeprefix("payoff."): spec for spec in payoff_register_decision_matrices()}


def cells_of(name, **given):
    spec = SPECS[name]
    return spec.consequences(len(spec.knots) or 2, resolve_parameters(spec.parameters, given))


def problem_of(name, costs=None, **given):
    spec = SPECS[name]
    return DecisionProblem(
        levels=("1", "0"),
        decisions=spec.decisions,
        cells=cells_of(name, **given),
        kind=MatrixKind(spec.kind),
        cost_columns=costs or {},
        acting=spec.acting,
        do_nothing=spec.do_nothing,
    )


def expected_at(name, probability, costs=None, **given):
    """Decision and expected consequence at a chance of the event, in the user's sense."""
    problem = problem_of(name, costs, **given)
    probabilities = np.array([[probability], [1.0 - probability]])
    decided = decide_cases(problem, ModelScores(name="m", posteriors=probabilities))
    return problem.decisions[decided.decision[0]], problem.sense * float(decided.expected[0])


def at_amount(name, probability, amount, **given):
    """Decision and expected consequence at a chance of the event, with an amount at stake."""
    spec, plain = SPECS[name], problem_of(name, **given)
    shares = spec.shares(2, resolve_parameters(spec.parameters, given))
    amounts = CaseAmounts(values=np.array([amount]), slopes=shares)
    problem = replace(plain, amounts=amounts)
    model = ModelScores(name="m", posteriors=np.array([[probability], [1.0 - probability]]))
    decided = decide_cases(problem, model)
    return problem, problem.decisions[decided.decision[0]], float(decided.expected[0])


def test_loans_are_judged_by_one_chance_and_valued_by_their_size():
    problem, decision, worth = at_amount("credit_loans", 0.10, 20_000.0)
    assert cut_off(problem).probability == pytest.approx(0.08 / 0.68)
    assert (decision, worth) == ("Lend", pytest.approx(240.0))
    assert at_amount("credit_loans", 0.10, 2_000.0)[2] == pytest.approx(24.0)
    assert at_amount("credit_loans", 0.12, 2_000.0)[1] == "Refuse"


def test_the_amount_at_stake_decides_on_a_review():
    problem, decision, worth = at_amount("fraud_stake", 0.01, 300.0)
    assert cut_off(problem) is None
    assert (decision, worth) == ("Pass", 0.0)
    assert at_amount("fraud_stake", 0.01, 2_000.0)[1:] == ("Review", pytest.approx(16.0))
    assert at_amount("fraud_stake", 0.01, 2_000.0, recovered=0.8)[2] == pytest.approx(12.0)


@pytest.mark.parametrize("name", SPECS)
def test_each_passes_the_conformance_kit(name):
    sheet = check_matrix(SPECS[name])
    assert sheet.passed, [str(entry) for entry in sheet]


@pytest.mark.parametrize("name", SPECS)
def test_each_parameter_says_what_it_is_in_which_range(name):
    for item in SPECS[name].parameters:
        assert item.words
        assert item.help
        assert item.minimum == 0.0
        if item.unit == "percent":
            assert item.maximum == 1.0


@pytest.mark.parametrize(
    ("name", "given", "kind", "probability"),
    [
        ("direct_mail", {}, "above", 1.6 / 25.6),
        ("credit", {}, "below", 1000 / 6000),
        ("churn", {}, "above", 11 / 67),
        ("maintenance", {}, "above", 10 / 510),
        ("maintenance", {"repair": 100.0}, "above", 10 / 410),
        ("inverse_priors", {}, "above", 0.05),
        ("inverse_priors", {"event_share": 0.3}, "above", 0.3),
    ],
)
def test_the_cut_off_of_the_page(name, given, kind, probability):
    cut = cut_off(problem_of(name, **given))
    assert cut.kind == kind
    assert cut.probability == pytest.approx(probability, rel=1e-14)


@pytest.mark.parametrize(
    ("name", "probability", "decision", "value"),
    [
        ("direct_mail", 0.10, "Mail", 0.96),
        ("credit", 0.10, "Lend", 400.0),
        ("churn", 0.25, "Offer", 5.75),
        ("maintenance", 0.05, "Check", 9.5),
        ("inverse_priors", 0.06, "Take as event", 1.2),
    ],
)
def test_the_value_of_the_page(name, probability, decision, value):
    found = expected_at(name, probability)
    assert found == (decision, pytest.approx(value, rel=1e-12))


def test_churn_cells_by_hand():
    np.testing.assert_allclose(cells_of("churn"), [[56.0, 0.0], [-11.0, 0.0]], rtol=1e-15)
    # Surer of the same acceptance: 60 of 200 instead of 6 of 20 decides the same.
    surer = cells_of("churn", accepted=60.0, refused=140.0)
    np.testing.assert_allclose(surer, cells_of("churn"), rtol=1e-14)


def test_churn_cells_are_the_mean_over_the_beta_distribution():
    from scipy.integrate import quad
    from scipy.stats import beta

    def profit(share):
        return beta.pdf(share, 6, 14) * (share * (200 - 10) - 1)

    mean, _error = quad(profit, 0.0, 1.0)
    assert cells_of("churn")[0, 0] == pytest.approx(mean, abs=1e-9)


def test_the_two_thresholds_of_pauker_and_kassirer():
    np.testing.assert_allclose(
        cells_of("test_and_treat"), [[100.0, 89.0, 0.0], [-20.0, -5.0, 0.0]], rtol=1e-14
    )
    regions = decision_regions(problem_of("test_and_treat"))
    names = [SPECS["test_and_treat"].decisions[region.decision] for region in regions]
    assert names == ["Wait", "Test", "Treat"]
    assert regions[0].high == pytest.approx(5 / 94, rel=1e-12)
    assert regions[1].high == pytest.approx(15 / 26, rel=1e-12)


def test_a_review_of_its_own_cost_has_its_own_cut_off():
    spec = SPECS["fraud_review"]
    values = resolve_parameters(spec.parameters)
    usual = spec.costs(2, values, {})
    np.testing.assert_array_equal(usual, [[4.0, 4.0], [0.0, 0.0]])
    own = spec.costs(2, values, {"review_cost": np.array([4.0, 30.0])})
    np.testing.assert_array_equal(own, [[4.0, 30.0], [0.0, 0.0]])
    for cost, threshold in ((4.0, 5 / 121), (30.0, 31 / 121)):
        costs = {0: np.array([cost])}
        assert expected_at("fraud_review", threshold * 0.999, costs)[0] == "Pass"
        assert expected_at("fraud_review", threshold * 1.001, costs)[0] == "Review"
    decision, value = expected_at("fraud_review", 0.1, {0: np.array([4.0])})
    assert (decision, value) == ("Review", pytest.approx(7.1))


def line(spec, value, **given):
    """The acting decision's consequence at an amount, on the line through the two knots."""
    cells = spec.consequences(len(spec.knots), resolve_parameters(spec.parameters, given))
    (low, high), column = spec.knots, spec.decisions.index(spec.acting)
    share = (value - low) / (high - low)
    return cells[0, column] + share * (cells[1, column] - cells[0, column])


def test_amounts_follow_the_straight_line():
    assert line(FRAUD_AMOUNT, 0.01 * 300) == pytest.approx(-1.0)
    assert line(FRAUD_AMOUNT, 0.01 * 2000) == pytest.approx(16.0)
    assert line(FRAUD_AMOUNT, 20.0, recovered=0.8) == pytest.approx(12.0)
    assert line(FRAUD_AMOUNT, 5000.0) == pytest.approx(4996.0)
    assert line(DONATION, 0.8) == pytest.approx(0.12)
    assert line(DONATION, 15.0) == pytest.approx(14.32)
    assert line(DONATION, 0.68 / 0.9, kept=0.9) == pytest.approx(0.0, abs=1e-14)


def test_knots_are_checked():
    assert DONATION.knots == (0.0, 100.0)
    assert not spec_problems(DONATION)
    for wrong, words in (
        ({"knots": (100.0, 0.0)}, "rise"),
        ({"knots": (0.0, math.inf)}, "finite"),
        ({"is_interval": False}, "interval"),
        ({"n_levels": 3}, "2 knots"),
    ):
        assert any(words in text for text in spec_problems(replace(DONATION, **wrong)))
