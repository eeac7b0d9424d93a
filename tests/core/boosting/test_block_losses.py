"""Losses over blocks: one named tuple, or the arrays of contract 1.0, to the last digit alike."""

import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location

import numpy as np
import pytest

import payoff
from core.boosting import BoostSettings, TrainingCases, fit
from payoff.spec_checks import spec_problems
from payoff.testing import check_spec
from plugins.distributions.gaussian import Gaussian
from tests.helpers.factories.boosting import mixed_inputs, signal

TUPLE = """\
import numpy as np

import payoff
from payoff.numeric import identity_response


@payoff.kernel(shape="by_group", takes_cases=True)
def loss(cases, out, factor, first_group, last_group):
    outcome, score, rows, offsets = cases.outcome, cases.score, cases.rows, cases.offsets
    for block in range(first_group, last_group):
        for k in range(offsets[block], offsets[block + 1]):
            miss = outcome[rows[k]] - score[0, rows[k]]
            out[rows[k]] = cases.parameters[0] * miss * miss
            factor[rows[k]] = 1.0 / (1.0 + cases.group[rows[k]])


@payoff.kernel(shape="by_group", takes_cases=True)
def negative_gradient(cases, gradient, curvature, first_group, last_group):
    outcome, score, rows, offsets = cases.outcome, cases.score, cases.rows, cases.offsets
    scale = 2.0 * cases.parameters[0]
    for block in range(first_group, last_group):
        for k in range(offsets[block], offsets[block + 1]):
            share = 1.0 / (1.0 + cases.group[rows[k]])
            gradient[0, rows[k]] = scale * share * (outcome[rows[k]] - score[0, rows[k]])
            curvature[0, rows[k]] = scale * share


@payoff.kernel(shape="whole", takes_cases=True)
def initial_score(cases, out, stop_flag):
    total = 0.0
    whole = 0.0
    for i in range(cases.outcome.shape[0]):
        share = cases.weight[i] / (1.0 + cases.group[i])
        total += share * (cases.outcome[i] - cases.score[0, i])
        whole += share
    out[0] = total / whole if whole > 0.0 else 0.0


@payoff.kernel(shape="SOLVER", takes_cases=True)
def leaf_values(cases, output, leaf_rows, leaf_offsets, LAST):
    for leaf in range(FIRST, STOP):
        total = 0.0
        whole = 0.0
        for k in range(leaf_offsets[leaf], leaf_offsets[leaf + 1]):
            i = leaf_rows[k]
            total += cases.weight[i] * cases.gradient[0, i]
            whole += cases.weight[i] * cases.curvature[0, i]
        out[leaf] = total / whole if whole > 0.0 else 0.0


def by_group(outcome, parameters, columns):
    rows = np.lexsort((np.arange(outcome.shape[0]), columns["group"]))
    ends = np.flatnonzero(np.diff(columns["group"][rows])) + 1
    return rows, np.concatenate([[0], ends, [outcome.shape[0]]])


LOSS = payoff.LossDistribution(
    id="NAME",
    label="Grouped squares",
    help="Squared error, less of later groups.",
    formula="share of the group times (y - F) squared",
    target=payoff.TargetDomain.REAL,
    loss=loss,
    negative_gradient=negative_gradient,
    initial_score=initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.LOCATION,
    leaf_values=leaf_values,
    gradient_factor=1.0,
    parameters=(payoff.Parameter(name="scale", words="a square counts", default=0.7, minimum=0.1),),
    extras=(payoff.Extra.WEIGHT, payoff.Extra.OFFSET, payoff.Extra.GROUP),
    arrange=by_group,
)


@payoff.hookimpl
def payoff_register_distributions():
    return [LOSS]
"""
TAKEN_OUT = "outcome, score, rows, offsets = cases.outcome, cases.score, cases.rows, cases.offsets"
ARRAYS = {
    "loss(cases, ": "loss(outcome, score, weight, parameters, group, rows, offsets, ",
    "negative_gradient(cases, ": "negative_gradient(\n    outcome, score, weight, parameters, "
    "group, rows, offsets, ",
    "initial_score(cases, ": "initial_score(outcome, weight, score, parameters, group, ",
    "leaf_values(cases, ": "leaf_values(\n    outcome, score, weight, gradient, curvature, "
    "parameters, group, ",
    f"    {TAKEN_OUT}\n": "",
    ", takes_cases=True": "",
    "cases.": "",
}
SOLVERS = {
    "by_group": ("out, first_group, last_group", "first_group", "last_group"),
    "whole": ("min_cases, out, stop_flag", "0", "leaf_offsets.shape[0] - 1"),
}


def source(name, shape, *, is_old):
    """The code of the loss: of one tuple, or as plugins of contract 1.0 have it."""
    last, first, stop = SOLVERS[shape]
    text = TUPLE.replace("NAME", name).replace("SOLVER", shape).replace("LAST", last)
    text = text.replace("FIRST", first).replace("STOP", stop)
    if not is_old:
        return text
    if shape == "whole":
        last = f"block_rows, block_offsets, {last}"
        text = text.replace(
            "leaf_offsets, min_cases", "leaf_offsets, block_rows, block_offsets, min_cases"
        )
    for new, old in ARRAYS.items():
        text = text.replace(new, old)
    return text


def made(tmp_path, name, shape, *, is_old):
    path = tmp_path / f"{name}.py"
    path.write_text(source(name, shape, is_old=is_old), "utf-8")
    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    sys.modules[name] = module  # kernels kept on disk are found by their module
    spec.loader.exec_module(module)
    return module.LOSS


def grouped_cases(rows=400):
    draw = np.random.default_rng(5)
    inputs = mixed_inputs(rows)
    return TrainingCases(
        inputs=inputs,
        outcome=signal(inputs) + draw.normal(size=rows),
        weight=draw.uniform(0.5, 2.0, rows),
        offset=0.1 * draw.normal(size=rows),
        group=np.sort(draw.integers(0, 30, rows)),
        n_train=300,
    )


@pytest.mark.parametrize("shape", ["by_group", "whole"])
def test_a_loss_of_contract_1_0_trains_to_the_last_digit_as_one_of_a_tuple(tmp_path, shape):
    cases, settings = grouped_cases(), BoostSettings(n_trees=12, interaction_depth=2, seed=3)
    old = made(tmp_path, f"old_{shape}", shape, is_old=True)
    new = made(tmp_path, f"new_{shape}", shape, is_old=False)
    assert "takes_cases" not in source("old", shape, is_old=True)
    first, second = (fit(cases, loss, {}, settings) for loss in (old, new))
    assert first.forest.n_trees == 12
    for name in ("train_deviance", "valid_deviance"):
        found, wanted = getattr(first.history, name), getattr(second.history, name)
        np.testing.assert_array_equal(found, wanted)
    assert first.history.valid_deviance[-1] < first.history.valid_deviance[0]


@pytest.mark.parametrize("is_old", [True, False])
def test_the_kit_checks_both_forms(tmp_path, is_old):
    sheet = check_spec(made(tmp_path, f"kit_{is_old}".lower(), "by_group", is_old=is_old))
    assert sheet.passed, f"\n{sheet}"


def test_only_losses_over_blocks_take_cases():
    mark = payoff.kernel(shape="elementwise", takes_cases=True)
    single = replace(Gaussian, loss=mark(lambda *cases: None))
    assert any("takes cases" in problem for problem in spec_problems(single))
