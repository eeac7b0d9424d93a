"""Uplift: what a treatment changes, fitted directly, with a baseline that takes noise away.

Two scores: F, the effect, and nu, the baseline of V_nu. With the chance e of treatment, q that of
the arm really given, and s = t / e - (1 - t) / (1 - e), the mean of (y - nu) s given the inputs is
the effect, whatever nu. "weighted": squared error of 2 (2 t - 1) (y - nu), weighted by 1 / (2 q),
the step of the re-balanced axis of uplift curves. "transformed": squared error of (y - nu) s. Both
are one for e = 1/2; else the weighted form has less spread. ``uplift`` keeps nu one number for all
cases, ``uplift_baseline`` gives it trees of its own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import payoff
from payoff.numeric import identity_response
from payoff.types import FloatArray, StopFlag


@payoff.kernel(shape="helper")
def square_of(form: float, treatment: float, propensity: float) -> tuple[float, float]:
    """Return the factor a of y - nu and the weight: the loss is weight x (a (y - nu) - F)^2."""
    if form > 0.5:
        signed = 1.0 / propensity if treatment > 0.5 else -1.0 / (1.0 - propensity)
        return signed, 1.0
    if treatment > 0.5:
        return 2.0, 0.5 / propensity
    return -2.0, 0.5 / (1.0 - propensity)


@payoff.kernel(shape="elementwise")
def uplift_loss(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    treatment: FloatArray,
    propensity: FloatArray,
    out: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill weight x (a (y - nu) - F)^2."""
    for i in range(start, stop):
        factor, weight = square_of(parameters[0], treatment[i], propensity[i])
        miss = factor * (outcome[i] - score[1, i]) - score[0, i]
        out[i] = weight * miss * miss


@payoff.kernel(shape="elementwise")
def uplift_gradient(
    outcome: FloatArray,
    score: FloatArray,
    parameters: FloatArray,
    treatment: FloatArray,
    propensity: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    start: int,
    stop: int,
) -> None:
    """Fill half of minus the slopes by F and nu, and half of the curvatures."""
    for i in range(start, stop):
        factor, weight = square_of(parameters[0], treatment[i], propensity[i])
        miss = factor * (outcome[i] - score[1, i]) - score[0, i]
        gradient[0, i] = weight * miss
        gradient[1, i] = weight * factor * miss
        curvature[0, i] = weight
        curvature[1, i] = weight * factor * factor


@payoff.kernel(shape="whole")
def uplift_initial_score(
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    parameters: FloatArray,
    treatment: FloatArray,
    propensity: FloatArray,
    out: FloatArray,
    stop_flag: StopFlag,
) -> None:
    """Fill the best constants: two equations, a = sum of w a (y - offset) on the right."""
    mass = 0.0
    cross = 0.0
    square = 0.0
    first = 0.0
    second = 0.0
    for i in range(outcome.shape[0]):
        factor, part = square_of(parameters[0], treatment[i], propensity[i])
        part *= weight[i]
        rest = factor * (outcome[i] - offset[1, i]) - offset[0, i]
        mass += part
        cross += part * factor
        square += part * factor * factor
        first += part * rest
        second += part * factor * rest
    out[:] = 0.0
    if mass <= 0.0:
        return
    determinant = mass * square - cross * cross
    if determinant <= 1e-12 * mass * square:  # one arm only: no effect can be told
        out[1] = second / square
        return
    out[0] = (square * first - cross * second) / determinant
    out[1] = (mass * second - cross * first) / determinant


def check_arms(
    outcome: FloatArray, weight: FloatArray, parameters: payoff.Parameters, columns: payoff.Columns
) -> None:
    """Refuse treatments other than 0 and 1, one arm alone, and chances outside 0 to 1."""
    treatment, propensity = columns["treatment"], columns["propensity"]
    strange = ~((treatment == 0.0) | (treatment == 1.0))
    if strange.any():
        row = int(np.argmax(strange))
        raise payoff.PayoffError(
            f"The treatment {treatment[row]:g} is neither 0 nor 1.",
            where=f"treatment, row {row + 1}",
            why="1 stands for treated, 0 for not.",
        )
    strange = ~((propensity > 0.0) & (propensity < 1.0))
    if strange.any():
        row = int(np.argmax(strange))
        raise payoff.PayoffError(
            f"The chance of treatment {propensity[row]:g} is not between 0 and 1.",
            where=f"propensity, row {row + 1}",
            why="A case that is always or never treated says nothing of an effect.",
        )
    if np.unique(treatment[weight > 0.0]).size < 2:
        raise payoff.PayoffError(
            "All cases are in one arm.",
            where="treatment",
            why="An effect is a difference between treated and other cases.",
        )


FORM = payoff.Parameter(
    name="form",
    words="form of the squares",
    default=0.0,
    kind=payoff.ParameterKind.CHOICE,
    choices=("weighted", "transformed"),
    help="Alike where half are treated; else the weighted form is less noisy.",
)

UPLIFT = payoff.LossDistribution(
    id="uplift",
    label="Uplift",
    asks="what a treatment changes",
    help="Fits the effect of a treatment itself, with one baseline number taken off the outcome.",
    formula="mean of w / (2q) (2 (2t − 1) (y − ν) − F)², or of w (s (y − ν) − F)²",
    reference="Athey & Imbens 2015, transformed outcome; Tian and others 2014; Renaudin & Martin",
    target=payoff.TargetDomain.REAL,
    loss=uplift_loss,
    negative_gradient=uplift_gradient,
    initial_score=uplift_initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=0.5,
    n_scores=2,
    grown_scores=1,
    parameters=(FORM,),
    extras=(
        payoff.Extra.WEIGHT,
        payoff.Extra.OFFSET,
        payoff.Extra.TREATMENT,
        payoff.Extra.PROPENSITY,
    ),
    check_cases=check_arms,
)
UPLIFT_BASELINE = replace(
    UPLIFT,
    id="uplift_baseline",
    label="Uplift, baseline by trees",
    asks="what a treatment changes, where outcomes vary much",
    help="Fits the effect of a treatment, and beside it what to expect of each case either way.",
    grown_scores=0,
)
