"""Every named check of the kit fails on a plugin that was broken on purpose for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import payoff
from core.extensions import Registry, check_plugin_files
from payoff.testing import check_distribution, check_matrix, check_metric
from payoff.testing.catalogue import FAMILY_CHECKS, KERNEL_CHECKS, PLUGIN_CHECKS, SPEC_CHECK
from payoff.testing.meanings import MEANINGS, sheet_lines, verdict
from plugins.decision_matrices.fraud import FRAUD_REVIEW
from plugins.decision_matrices.worded import DIRECT_MAIL
from plugins.distributions.gaussian import Gaussian
from plugins.metrics.numbers import mae
from plugins.metrics.thresholds import net_benefit
from tests.contract.conformance import (
    WRONG_DISTRIBUTIONS,
    WRONG_MATRICES,
    WRONG_METRICS,
    failed,
    general,
)
from tests.contract.promises import BROKEN_PROMISES
from tests.helpers.factories.plugins import metric_code, write_plugin

# ---------------------------------------------------------------- losses


def bent_down(outcome, score, parameters, gradient, curvature, start, stop):
    Gaussian.negative_gradient(outcome, score, parameters, gradient, curvature, start, stop)
    curvature[:, start:stop] = -1.0


def wave(score, parameters, out, start, stop):
    out[:, start:stop] = np.sin(score[:, start:stop])


def a_bit_high(outcome, weight, offset, parameters, out, stop_flag):
    out[0] = 1.3 * np.average(outcome - offset[0], weights=weight)


def right_by_default_only(outcome, score, parameters, gradient, curvature, start, stop):
    Gaussian.negative_gradient(outcome, score, parameters, gradient, curvature, start, stop)
    gradient[:, start:stop] *= parameters[0]


def counting_the_weightless(outcome, weight, offset, parameters, out, stop_flag):
    out[0] = np.mean(outcome) + 0.0 * weight.sum()


def shrunken(outcome, weight, offset, parameters, out, stop_flag):
    out[0] = (weight * (outcome - offset[0])).sum() / (weight.sum() + 1.0)


def greedy_gradient(outcome, score, parameters, gradient, curvature, start, stop):
    Gaussian.negative_gradient(outcome, score, parameters, gradient, curvature, 0, outcome.shape[0])


SIZE = payoff.Parameter(name="size", words="size", default=1.0, minimum=0.0, maximum=9.0)
BROKEN_LOSSES = {
    "Curvature is never negative": {"negative_gradient": bent_down},
    "Predictions stay in their range": {"response_low": 0.0},
    "A higher score never turns the prediction back": {"response": wave},
    "Initial score is the best constant": {"initial_score": a_bit_high},
    "Gradient holds at other settings": {
        "negative_gradient": right_by_default_only,
        "parameters": (SIZE,),
    },
    "Cases of weight 0 do not count": {"initial_score": counting_the_weightless},
    "The unit of the weights does not matter": {"initial_score": shrunken},
    "Some rows alone give the same gradient": {"negative_gradient": greedy_gradient},
    "Words are there": {"parameters": (replace(SIZE, words=" "),)},
}


@pytest.mark.parametrize("check", BROKEN_LOSSES)
def test_a_broken_loss_is_caught_by_the_named_check(check):
    assert check in failed(check_distribution(replace(Gaussian, **BROKEN_LOSSES[check])))


# ---------------------------------------------------------------- metrics


def as_list(sample, parameters):
    return [1.0, 2.0]


def sometimes_undefined(sample, parameters):
    return np.nan


def mean_over_rows(sample, parameters):
    return float(np.abs(sample.outcome - sample.posteriors[0]).mean())


def overflowing(sample, parameters):
    return 1e9 if parameters["size"] == 9.0 else 1.0


def lost_without_spread(sample, parameters):
    if len(np.unique(sample.posteriors[0])) == 1:
        raise ZeroDivisionError("no spread")
    return 1.0


def spoiling(sample, parameters):
    sample.weight[0] += 1.0
    return 1.0


def greedy_rows(outcome, prediction, parameters, contribution, factor, start, stop):
    mae.rows(outcome, prediction, parameters, contribution, factor, 0, outcome.shape[0])


BROKEN_METRICS = {
    "Answer has the stated form": general(as_list),
    "Ordinary cases give a number": general(sometimes_undefined),
    "Cases of weight 0 do not count": general(mean_over_rows),
    "Ends of the parameters' ranges work": general(
        overflowing, parameters=(SIZE,), value_range=(0.0, 1e6)
    ),
    "Equal predictions are no trouble": general(lost_without_spread),
    "Chunks and draws stand apart": replace(mae, rows=greedy_rows),
    "The sample is left as it was": general(spoiling),
    "Words are there": replace(
        net_benefit, parameters=tuple(replace(item, words="") for item in net_benefit.parameters)
    ),
}


@pytest.mark.parametrize("check", BROKEN_METRICS)
def test_a_broken_metric_is_caught_by_the_named_check(check):
    assert check in failed(check_metric(BROKEN_METRICS[check]))


# ---------------------------------------------------------------- matrices

KEPT = np.zeros((5, 2))


def one_table(levels, parameters):
    table = KEPT[:levels]
    if not table.any():
        table[0, 0] = 1.0 + sum(parameters.values())
    return table


def by_place(n_cases, parameters, columns):
    return np.vstack([np.arange(n_cases, dtype=float), np.zeros(n_cases)])


def only_with_column(n_cases, parameters, columns):
    return np.vstack([columns["review_cost"], np.zeros(n_cases)])


def never_worth_it(levels, parameters):
    cells = np.zeros((levels, 2))
    cells[:, 0] = -1.0 - sum(parameters.values())
    return cells


def infinite_at_zero(levels, parameters):
    cells = np.zeros((levels, 2))
    with np.errstate(divide="ignore"):
        cells[:, 0] = 1.0 / np.float64(next(iter(parameters.values())))
    return cells


def constant_shares(levels, parameters):
    return np.ones((levels, 2))


BROKEN_MATRICES = {
    "Ends of the parameters' ranges work": replace(
        DIRECT_MAIL, consequences=infinite_at_zero, is_linear=False
    ),
    "Every parameter matters": replace(
        DIRECT_MAIL, parameters=(*DIRECT_MAIL.parameters, replace(SIZE, name="idle"))
    ),
    "Columns may be missing": replace(FRAUD_REVIEW, costs=only_with_column),
    "Costs follow their cases": replace(FRAUD_REVIEW, costs=by_place),
    "No two decisions are alike": replace(
        DIRECT_MAIL, consequences=lambda levels, parameters: np.zeros((levels, 2))
    ),
    "Acting pays for some case": replace(DIRECT_MAIL, consequences=never_worth_it),
    "Every answer is a fresh one": replace(DIRECT_MAIL, consequences=one_table),
    "Shares of the amount fit the matrix": replace(
        DIRECT_MAIL, amount=payoff.MatrixColumn(name="a", words="amount"), shares=constant_shares
    ),
}


@pytest.mark.parametrize("check", BROKEN_MATRICES)
def test_a_broken_matrix_is_caught_by_the_named_check(check):
    KEPT[:] = 0.0
    assert check in failed(check_matrix(BROKEN_MATRICES[check]))


# ---------------------------------------------------------------- whole plugins

CHANGED_SEED = metric_code(imports="import numpy as np\nnp.random.seed(1)\n")
BROKEN_PLUGINS = {
    "Manifest is valid": {"version": "not a number"},
    "Id is free": {"plugin": "payoff.mine"},
    "Contract version fits": {"api": ">=2,<3"},
    "Imports": {"code": metric_code(imports="import a_package_that_is_not_there\n")},
    "Hooks answer as announced": {"code": metric_code().replace("_metrics()", "_metriks()")},
    "Leaves the program as it was": {"code": CHANGED_SEED},
    "Names are not taken": {"code": metric_code("mae")},  # by what ships
    "Spec is filled in": {"code": metric_code().replace('label="Own miss"', 'label=" "')},
}


@pytest.mark.parametrize("check", BROKEN_PLUGINS)
def test_a_broken_plugin_is_caught_by_the_named_check(tmp_path, check):
    changes = dict(BROKEN_PLUGINS[check])
    folder = write_plugin(tmp_path / "own", changes.pop("code", None), **changes)
    sheet = check_plugin_files(folder)
    assert [item.check for item in sheet.failures] == [check]
    before = [item.check for item in sheet if not item.found]
    assert set(before) <= set(PLUGIN_CHECKS) | {SPEC_CHECK}
    assert "Not fit for use: 1 of" in sheet_lines(sheet)[0]


def test_a_name_that_it_has_twice_is_refused(tmp_path):
    code = metric_code().replace("    return [", "    return 2 * [")
    (failure,) = check_plugin_files(write_plugin(tmp_path / "own", code)).failures
    assert (failure.check, "twice" in failure.found) == ("Names are not taken", True)


def test_a_name_that_another_plugin_has_is_refused_with_both(tmp_path):
    folders = [
        write_plugin(tmp_path / name, plugin=f"org.example.{name}") for name in ("one", "two")
    ]
    first, second = Registry.discover(folders, has_packages=False).states()[-2:]
    assert first.state == "active"
    assert [item.check for item in second.checks if item.state == "failed"] == [
        "Names are not taken"
    ]
    assert "org.example.one" in second.why


# ---------------------------------------------------------------- the kit as a whole


def test_there_are_more_than_forty_named_checks_over_the_three_families():
    families = ("plugin", "distributions", "metrics", "decision_matrices")
    named = {name for family in families for name in FAMILY_CHECKS[family]}
    assert len(named) >= 45
    assert sum(len(FAMILY_CHECKS[family]) for family in families) >= 55


def test_every_check_has_a_plugin_that_was_broken_for_it():
    broken = {
        "plugin": set(BROKEN_PLUGINS),
        "distributions": set(BROKEN_LOSSES)
        | set(WRONG_DISTRIBUTIONS)
        | set(BROKEN_PROMISES)
        | {"Blocks may cover part of the cases"},
        "metrics": set(BROKEN_METRICS) | set(WRONG_METRICS),
        "decision_matrices": set(BROKEN_MATRICES) | set(WRONG_MATRICES),
    }
    for family, names in broken.items():
        assert set(FAMILY_CHECKS[family]) - names == set(), family


def test_every_check_says_what_it_asks_in_words_without_jargon():
    known = {name for names in FAMILY_CHECKS.values() for name in names} | set(KERNEL_CHECKS)
    assert set(MEANINGS) == known
    assert [name for name in known if not MEANINGS[name].endswith(".")] == []


def test_the_sheet_can_be_read_by_people_who_do_not_program():
    sheet = check_metric(replace(mae, direction=payoff.Direction.HIGHER))
    lines = sheet_lines(sheet)
    assert lines[0].startswith("mae: Not fit for use: 1 of 17 checks failed")
    at = lines.index("  mae: Direction is as stated")
    assert lines[at + 1] == "    asks:  Better models really get the better value."
    assert verdict(check_metric(mae)) == "Fit for use: 17 of 17 checks passed."
