"""The common protocol: invariants of runs, subjects, systems and splits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, special
from sklearn.linear_model import LogisticRegression

from core.data import from_data
from core.document.experiments.spec import SAMPLERS, ExperimentSpec
from core.experiments import learners
from core.experiments.bounds import compute_error_bound
from core.experiments.learners import FitSettings, Fitted, fit_learner, logistic_coefficients
from core.experiments.protocols import GENERATORS, study_of
from core.experiments.runs import Scaling, covariance_root, draw_subjects, open_uniform
from core.experiments.study import Stream, split_rows, stream
from core.experiments.systems import systems_of
from payoff.errors import PayoffError
from tests.helpers.factories import systems as offered
from tests.helpers.factories.systems import run_experiment

SMALL = ExperimentSpec(protocol="sepsis", synthetic_rows=600, systems=2, splits=2)


def table_of(spec):
    settled = spec.settled()
    return from_data(dict(GENERATORS[spec.protocol](settled.synthetic_rows, settled.seed)))


def read(_path):
    raise AssertionError("made-up rows need no file")


def runner_of(spec, table=None):
    settled = spec.settled()
    return offered.runner_of(study_of(table or table_of(spec), settled), spec)


def test_same_seed_same_table_and_one_run_alone():
    first, second = run_experiment(SMALL, read), run_experiment(SMALL, read, workers=3)
    assert first.runs.error.tobytes() == second.runs.error.tobytes()
    assert first.runs.bound.tobytes() == second.runs.bound.tobytes()
    alone = runner_of(SMALL).run("arctan", 1, 1)[0]
    runs = first.runs
    place = np.flatnonzero((runs.sampler == 1) & (runs.system == 1) & (runs.split == 1))[0]
    assert alone.error == runs.error[place]
    assert alone.effect_error == runs.effect_error[place]
    other = run_experiment(replace(SMALL, seed=1), read)
    assert not np.array_equal(other.runs.error, runs.error)


def test_leaving_a_sampler_out_changes_no_other():
    whole = run_experiment(SMALL, read).runs
    part = run_experiment(replace(SMALL, samplers=("gaussian",)), read).runs
    assert np.array_equal(part.error, whole.error[whole.sampler == 2])


def test_order_of_the_file_changes_nothing():
    columns = dict(GENERATORS["sepsis"](600, 1))
    mixed = np.random.default_rng(0).permutation(600)
    turned = {name: np.asarray(values)[mixed] for name, values in columns.items()}
    first, second = runner_of(SMALL, from_data(columns)), runner_of(SMALL, from_data(turned))
    assert np.array_equal(first.study.ids, second.study.ids)
    ours, theirs = first.inputs("sigmoid", 0), second.inputs("sigmoid", 0)
    assert np.array_equal(ours.subjects.theta, theirs.subjects.theta)
    assert first.run("sigmoid", 0, 0) == second.run("sigmoid", 0, 0)


def test_threshold_keeps_the_real_share():
    runner = runner_of(SMALL)
    inputs = runner.inputs("gaussian", 0)
    share = runner.study.outcome.mean()
    assert inputs.system.outcome.sum() == round(600 * share)
    rows = np.arange(600)
    assert np.array_equal(inputs.system.answer(rows, inputs.subjects), inputs.system.outcome)


def test_noise_system_has_the_real_mean():
    runner = runner_of(replace(SMALL, system="linear_noise"))
    inputs = runner.inputs("sigmoid", 0)
    probability = inputs.system.answer(np.arange(600), inputs.subjects)
    assert probability.mean() == pytest.approx(runner.study.outcome.mean(), abs=1e-9)
    assert set(np.unique(inputs.system.outcome)) == {0.0, 1.0}


def test_shuffled_outcomes_teach_nothing(monkeypatch):
    runner = runner_of(replace(SMALL, synthetic_rows=3000, learners=("logistic",)))
    inputs = runner.inputs("gaussian", 0)
    shuffled = np.random.default_rng(1).permutation(inputs.system.outcome)
    monkeypatch.setitem(
        runner._inputs_by_seed,
        ("gaussian", 0),
        replace(inputs, system=replace(inputs.system, outcome=shuffled)),
    )
    found = runner.run("gaussian", 0, 0)[0]
    share = shuffled.mean()
    assert found.error == pytest.approx(share * (1 - share), rel=0.15)
    assert found.chance == pytest.approx(share * (1 - share))


def test_the_true_system_has_no_error(monkeypatch):
    runner = runner_of(SMALL)
    inputs = runner.inputs("gaussian", 0)
    outcome = inputs.system.outcome
    train, test = split_rows(runner.study, stream(SMALL.seed, Stream.SPLIT, "gaussian"), 0.2)
    scaling = Scaling(inputs.raw, train)
    known = {
        row.tobytes(): outcome[place]
        for place, row in zip(test, scaling.apply(inputs.raw, test), strict=True)
    }
    others = inputs.system.answer(
        test,
        replace(
            inputs.others, theta=inputs.others.theta[test], features=inputs.others.features[test]
        ),
    )
    for value, row in zip(others, scaling.apply(inputs.raw_others, test), strict=True):
        known[row.tobytes()] = value
    oracle = Fitted(lambda rows: np.array([known[row.tobytes()] for row in rows]))
    monkeypatch.setitem(learners.LEARNERS, "logistic", lambda *_: oracle)
    found = runner.run("gaussian", 0, 0)[0]
    assert found.error == 0.0
    assert found.effect_error == 0.0


def test_bound_fails_as_rarely_as_it_says():
    """Simulated truth: E_gen of a fixed model from many fresh rows, 1,000 test sets."""
    draw = np.random.default_rng(7)
    truth, model = np.array([1.5, -1.0, 0.5]), np.array([1.2, -0.6, 0.0])

    def losses(rows):
        x = draw.standard_normal((rows, 3))
        y = draw.random(rows) < special.expit(x @ truth)
        return (special.expit(x @ model) - y) ** 2

    general = losses(100_000).mean()
    for method in ("hoeffding", "betting", "kl"):
        failed = sum(
            compute_error_bound(losses(200), method=method).high < general for _ in range(1000)
        )
        assert failed <= 50


# ------------------------------------------------------------ subjects


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_subjects(sampler):
    found = draw_subjects(np.random.default_rng(0), 4000, 3, sampler)
    quartiles = np.quantile(found.theta, [0.25, 0.5, 0.75])
    expected = {"sigmoid": np.log(3), "arctan": 1.0, "gaussian": 0.6745}[sampler]
    assert quartiles == pytest.approx([-expected, 0.0, expected], abs=0.06)
    if sampler == "gaussian":
        assert found.features is found.theta
    else:
        assert np.abs(found.features).max() < 0.5
        form = draw_subjects(np.random.default_rng(0), 40, 3, sampler, form="theta")
        assert form.features is form.theta


def test_gaussian_covariance():
    matrix = ((2.0, 0.6), (0.6, 1.0))
    root = covariance_root(matrix, 2)
    found = draw_subjects(
        np.random.default_rng(0), 60_000, 2, "gaussian", mean=(1.0, 0.0), root=root
    )
    assert np.cov(found.theta.T) == pytest.approx(np.array(matrix), abs=0.05)
    assert found.theta.mean(axis=0) == pytest.approx([1.0, 0.0], abs=0.02)


def test_112_covariances_that_cannot_be():
    with pytest.raises(PayoffError, match="smallest eigenvalue is -1"):
        covariance_root(((1.0, 2.0), (2.0, 1.0)), 2)
    with pytest.raises(PayoffError, match="not symmetric") as refusal:
        covariance_root(((1.0, 0.5), (0.1, 1.0)), 2)
    assert "row" in refusal.value.where
    with pytest.raises(PayoffError, match="2 x 2; a subject has 3"):
        covariance_root(((1.0, 0.0), (0.0, 1.0)), 3)
    spec = replace(SMALL, samplers=("gaussian",), mean=(1.0, 2.0))
    with pytest.raises(PayoffError, match="mean has 2 values"):
        run_experiment(spec, read)


class _EndsFirst:
    """A generator whose first numbers are the ends of the interval."""

    def __init__(self):
        self.calls = 0

    def random(self, shape):
        self.calls += 1
        return np.array([[0.0, 0.5], [1.0, 0.25]]) if self.calls == 1 else np.full(shape, 0.75)


def test_113_ends_of_the_interval_are_drawn_again():
    u, redrawn = open_uniform(_EndsFirst(), (2, 2))
    assert redrawn == 2
    assert np.array_equal(u, [[0.75, 0.5], [0.75, 0.25]])
    found = draw_subjects(np.random.default_rng(1), 50_000, 4, "arctan")
    assert found.redrawn == 0
    assert np.isfinite(found.theta).all()


# ------------------------------------------------------------ splits, scaling


def test_116_splits_that_leave_nothing():
    for share in (0.0, 1.0, 0.0001):
        runner = runner_of(replace(SMALL, synthetic_rows=30))
        with pytest.raises(PayoffError):
            split_rows(runner.study, np.random.default_rng(0), share)
    with pytest.raises(PayoffError, match="class empty"):
        fit_learner("logistic", np.ones((5, 2)), np.ones(5), FitSettings())


def test_scaling_knows_the_training_rows_only():
    raw = np.array([[1.0, np.nan], [3.0, 2.0], [100.0, 4.0], [2.0, np.nan]])
    train, test = np.array([0, 1]), np.array([2, 3])
    scaling = Scaling(raw, train)
    assert scaling.mean == pytest.approx([2.0, 2.0])
    assert scaling.apply(raw, test)[:, 0] == pytest.approx([98.0, 0.0])
    assert scaling.apply(raw, test)[1, 1] == 0.0  # the training median, which is the mean here


# ------------------------------------------------------------ learners


def cases(rows=400, columns=6, seed=0, noise=1.0):
    draw = np.random.default_rng(seed)
    x = draw.standard_normal((rows, columns))
    y = (x @ draw.standard_normal(columns) + noise * draw.standard_normal(rows) > 0.4).astype(float)
    return x, y


@pytest.mark.parametrize(("columns", "noise"), [(3, 2.0), (6, 0.5), (30, 0.0)])
def test_logistic_is_that_of_scikit_learn(columns, noise):
    x, y = cases(columns=columns, noise=noise)
    peer = LogisticRegression(tol=1e-10, max_iter=10_000).fit(x, y)
    ours = logistic_coefficients(x, y, tolerance=1e-10, most_steps=1000)
    assert ours[1:] == pytest.approx(peer.coef_[0], abs=2e-6)
    assert ours[0] == pytest.approx(peer.intercept_[0], abs=2e-6)


def test_logistic_of_shares():
    x, _ = cases()
    y = np.clip(0.5 + 0.2 * x[:, 0], 0.0, 1.0)
    ours = logistic_coefficients(x, y, tolerance=1e-9)

    def objective(beta):
        score = beta[0] + x @ beta[1:]
        return np.mean(np.logaddexp(0, score) - y * score) + 0.5 / len(y) * beta[1:] @ beta[1:]

    peer = optimize.minimize(objective, np.zeros(7), method="BFGS", options={"gtol": 1e-8})
    assert ours == pytest.approx(peer.x, abs=1e-5)


def test_least_squares_of_chances_is_no_worse_than_its_start():
    x, y = cases(noise=2.0)
    plain = fit_learner("logistic", x, y, FitSettings()).predict(x)
    squares = fit_learner("logistic_mse", x, y, FitSettings())
    assert np.mean((squares.predict(x) - y) ** 2) < np.mean((plain - y) ** 2)
    assert not squares.worse_than_start


def test_linear_regression():
    x, y = cases()
    expected = np.linalg.lstsq(np.c_[np.ones(len(y)), x], y)[0]
    found = fit_learner("linear", x, y, FitSettings()).predict(np.zeros((1, 6)))
    assert found == pytest.approx(expected[:1])


@pytest.mark.parametrize("learner", ["lightgbm", "xgboost", "catboost"])
def test_outside_learners(learner):
    x, y = cases()
    if not learners.is_installed(learner):
        with pytest.raises(PayoffError, match="not installed"):
            fit_learner(learner, x, y, FitSettings())
        return
    found = fit_learner(learner, x, y, FitSettings(seed=1)).predict(x)
    assert np.mean((found - y) ** 2) < 0.1


def test_unknown_names_are_refused():
    with pytest.raises(PayoffError, match="no learner 'magic'"):
        fit_learner("magic", *cases(), FitSettings())
    for part in (
        {"protocol": "magic"},
        {"system": "trading"},
        {"bound": "clopper_pearson"},
        {"learners": ("magic",)},
        {"mode": "odd"},
        {"systems": -1},
        {"confidence": 95.0},
        {"samplers": ("uniform",)},
        {"learners": ("linear", "linear")},
    ):
        with pytest.raises(PayoffError):
            run_experiment(replace(SMALL, **part), read)


def test_kinds_of_systems_stand_in_the_protocols_with_their_labels():
    """What the window shows before the engine answers is what the plugin says."""
    from core.document.experiments.spec import PROTOCOLS, SYSTEM_LABELS

    found = {name: system.label for name, system in offered.SYSTEMS.items()}
    assert found == SYSTEM_LABELS
    for facts in PROTOCOLS.values():
        fitting = systems_of(facts, offered.SYSTEMS.values())
        assert tuple(system.id for system in fitting) == facts.systems
        for system in fitting:
            assert {need.value for need in system.needs} <= set(facts.gives)
