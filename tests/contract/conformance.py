"""Shared by tests of conformance."""

import math
from dataclasses import replace

import numpy as np

import payoff
from plugins.distributions.gaussian import Gaussian
from plugins.metrics.numbers import mae
from plugins.metrics.ranking import auc


def failed(sheet, subject=None):
    return {item.check for item in sheet.failures if subject in (None, item.subject)}


def doubled_gradient(outcome, score, parameters, gradient, curvature, start, stop):
    Gaussian.negative_gradient(outcome, score, parameters, gradient, curvature, start, stop)
    gradient[:, start:stop] *= 2.0


def plain_mean(outcome, weight, offset, parameters, out, stop_flag):
    out[0] = np.mean(outcome - offset[0])


def first_row(outcome, weight, offset, parameters, out, stop_flag):
    out[0] = outcome[0] - offset[0, 0]


def no_offset(outcome, weight, offset, parameters, out, stop_flag):
    out[0] = np.average(outcome, weights=weight) if weight.sum() else 0.0


def greedy_loss(outcome, score, parameters, out, start, stop):
    out[:] = (outcome - score[0]) ** 2


def spoiled_leaf(*arguments):
    arguments[-3][arguments[-2] : arguments[-1]] = 7.0


def empty_leaf(outcome, score, weight, g, h, parameters, output, rows, offsets, out, first, last):
    for leaf in range(first, last):
        cases = rows[offsets[leaf] : offsets[leaf + 1]]
        out[leaf] = np.average((outcome - score[0])[cases], weights=weight[cases])


def refuse_everything(outcome):
    raise payoff.PayoffError("No.")


def wide_link(prediction, parameters, out, start, stop):
    out[:, start:stop] = 2.0 * prediction[:, start:stop]


def exploding_loss(outcome, score, parameters, out, start, stop):
    with np.errstate(over="ignore"):
        out[start:stop] = np.exp(np.abs(score[0, start:stop]) ** 3) * outcome[start:stop] ** 0


WRONG_DISTRIBUTIONS = {
    "Target check refuses bad values": {"check_target": refuse_everything},
    "Gradient matches the loss": {"negative_gradient": doubled_gradient},
    "Leaf value obeys its kind": {"leaf_values": spoiled_leaf},
    "Weight 2 equals a row twice": {"initial_score": plain_mean},
    "Row order does not matter": {"initial_score": first_row},
    "Offsets are honoured": {"initial_score": no_offset},
    "Empty and single-row leaves": {"leaf_values": empty_leaf},
    "No missing or infinite values": {"loss": exploding_loss},
    "Response and link agree": {"link": wide_link},
    "Same answer again, inputs untouched": {"loss": greedy_loss},
}


def unweighted(sample, parameters):
    return float(np.abs(sample.outcome - sample.posteriors[0]).mean())


def first_case(sample, parameters):
    return float(abs(sample.outcome[0] - sample.posteriors[0, 0]))


def only_many(sample, parameters):
    if len(sample) < 3:
        raise IndexError("too few")
    return unweighted(sample, parameters)


def lucky(sample, parameters):
    return unweighted(sample, parameters) + np.random.default_rng().uniform()


def general(compute, **changes):
    return replace(
        mae,
        form=payoff.MetricForm.GENERAL,
        rows=None,
        compute=compute,
        random_value=None,
        **changes,
    )


WRONG_METRICS = {
    "Values lie in the stated range": replace(mae, value_range=(0.0, 0.1)),
    "Direction is as stated": replace(mae, direction=payoff.Direction.HIGHER),
    "Random and perfect values are as stated": replace(auc, random_value=0.0),
    "Weight 2 equals a row twice": general(unweighted),
    "Row order and ties do not matter": general(first_case),
    "One row, one class": general(only_many),
    "Doubling all weights is as stated": general(
        lambda sample, parameters: float(
            (sample.weight * np.abs(sample.outcome - sample.posteriors[0])).sum()
        )
    ),
    "Same answer again, inputs untouched": general(lucky),
}

WRONG_MATRICES = {
    "Shape is levels by decisions": {"consequences": lambda levels, parameters: np.zeros((2, 2))},
    "Cells are finite": {
        "consequences": lambda levels, p: np.full((levels, 2), math.nan),
    },
    "Linear where claimed": {
        "consequences": lambda levels, p: np.full((levels, 2), p["letter_cost"] ** 2),
        "do_nothing": None,
    },
    "Doing nothing brings nothing": {"do_nothing": "Mail"},
    "Words are there": {"level_words": ("responds",)},
    "Costs fit the cases": {
        "kind": payoff.ConsequenceKind.REVENUE,
        "costs": lambda n_cases, parameters, columns: np.zeros((n_cases, 2)),
    },
    "Same answer again, inputs untouched": {
        "consequences": lambda levels, p: np.full((levels, 2), np.random.default_rng().uniform()),
    },
}
