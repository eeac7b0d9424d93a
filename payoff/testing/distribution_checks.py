"""Checks of loss distributions."""

from __future__ import annotations

import numpy as np

from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters
from payoff.specs import LossDistribution
from payoff.targets import check_target
from payoff.testing.cases import (
    BAD_TARGETS,
    CLASSES,
    extra_columns,
    target_values,
    values_by_class,
)
from payoff.testing.checks import Check, CheckFailedError, require, require_close
from payoff.testing.formula_places import formula_place
from payoff.testing.host import DistributionHost
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Extra, LeafKind, TargetDomain

SEED = 20261
ROWS = 40


def scores_of(distribution: LossDistribution) -> int:
    """Scores per case in the checks."""
    return distribution.n_scores or CLASSES


def made_up(distribution: LossDistribution, rows: int = ROWS, seed: int = SEED) -> DistributionHost:
    """Random cases of the distribution's domain."""
    random = np.random.default_rng(seed)
    outcome = target_values(distribution.target, rows, random)
    columns = extra_columns(rows, random)
    if distribution.target == TargetDomain.TIME_EVENT:
        columns["entry"] = 0.6 * random.uniform(0.0, 1.0, rows) * outcome
    if Extra.CONSEQUENCES in distribution.extras:
        columns["consequences"] = values_by_class(distribution.target, rows, random)
    return DistributionHost(distribution, outcome, columns)


def random_scores(host: DistributionHost, seed: int = SEED + 1) -> FloatArray:
    """Scores of ordinary size, off the kinks at outcome = score, (K, n)."""
    random = np.random.default_rng(seed)
    score = random.normal(0.0, 1.0, (scores_of(host.distribution), host.size))
    near = np.abs(score - host.outcome) < 0.01
    return np.where(near, score + 0.05, score)


def _target_check(distribution: LossDistribution) -> str:
    good = target_values(distribution.target, 12, np.random.default_rng(SEED))
    check_target(distribution, good)
    bad_values = BAD_TARGETS[distribution.target]
    for bad in bad_values:
        wrong = good.copy()
        wrong[7] = bad
        try:
            check_target(distribution, wrong)
        except PayoffError:
            continue
        raise CheckFailedError(f"{bad:g} is accepted")
    return f"{len(bad_values)} of {len(bad_values)}"


def _gradient(distribution: LossDistribution) -> str:
    return compare_gradient(made_up(distribution))


def compare_gradient(host: DistributionHost) -> str:
    """Hold the stated gradient of random scores against finite differences of the loss."""
    distribution = host.distribution
    score = random_scores(host)
    weight = np.random.default_rng(SEED + 9).uniform(0.5, 2.0, host.size)
    stated, _ = host.gradients(score, weight)
    measured = -distribution.gradient_factor * _slopes(host, score, weight)
    gap = np.abs(stated - measured) / np.maximum(1.0, np.abs(measured))
    worst = np.unravel_index(int(np.argmax(np.where(np.isnan(gap), np.inf, gap))), gap.shape)
    of_loss = measured[worst] + 0.0  # no "-0"
    if not gap[worst] < 1e-5:
        place = step_place(host, score, int(worst[1]))
        raise CheckFailedError(f"{stated[worst]:.4g} stated, {of_loss:.4g} measured{place}")
    return f"within {gap[worst]:.0e}"


def step_place(host: DistributionHost, score: FloatArray, case: int) -> str:
    """Return the line of the formula from which a case's gradient and curvature come, or ""."""
    if host.has_blocks:
        return ""
    room = np.empty_like(score), np.empty_like(score)
    given = (host.outcome, score, host.parameters, *host.extras, *room)
    return formula_place(host.distribution.negative_gradient, *given, case, case + 1)


def _slopes(host: DistributionHost, score: FloatArray, weight: FloatArray) -> FloatArray:
    """Finite differences of the loss by each score, per unit of weight, (K, n)."""
    gradients = np.empty_like(score)
    for k in range(score.shape[0]):
        width = 1e-5 * np.maximum(1.0, np.abs(score[k]))
        if not host.has_blocks:
            up, down = score.copy(), score.copy()
            up[k] += width
            down[k] -= width
            gradients[k] = (host.losses(up) - host.losses(down)) / (up[k] - down[k])
            continue
        for i in range(host.size):
            up, down = score.copy(), score.copy()
            up[k, i] += width[i]
            down[k, i] -= width[i]
            change = weight @ (host.losses(up, weight) - host.losses(down, weight))
            gradients[k, i] = change / (weight[i] * (up[k, i] - down[k, i]))
    return gradients


def leaves_of(rows: int) -> tuple[IntArray, IntArray]:
    """Return rows and offsets of three leaves: 1, 12 and all other rows."""
    order = np.random.default_rng(SEED + 2).permutation(rows).astype(np.int64)
    return order, np.array([0, 1, 13, rows], dtype=np.int64)


def _leaf_rule(distribution: LossDistribution) -> str:
    host = made_up(distribution)
    score = random_scores(host)
    weight = np.random.default_rng(SEED + 3).uniform(0.5, 2.0, host.size)
    rows, offsets = leaves_of(host.size)
    for output in range(score.shape[0]):
        values = host.leaf_values(score, weight, rows, offsets, output)
        require(np.isfinite(values).all(), f"leaf value {values[~np.isfinite(values)][:1]}")
        for leaf in range(3):
            cases = rows[offsets[leaf] : offsets[leaf + 1]]
            _check_leaf(host, score, weight, cases, output, float(values[leaf]))
    return f"obeys '{distribution.leaf_kind}'"


def _check_leaf(
    host: DistributionHost,
    score: FloatArray,
    weight: FloatArray,
    cases: IntArray,
    output: int,
    value: float,
) -> None:
    kind = host.distribution.leaf_kind

    def total(shift: float) -> float:
        """Sum the weighted loss with the leaf's scores moved."""
        moved = score.copy()
        moved[output, cases] += shift
        losses = weight * host.losses(moved, weight)
        return float(losses.sum() if host.has_blocks else losses[cases].sum())

    slack = 1e-9 * max(1.0, abs(total(0.0)))
    if kind == LeafKind.NEWTON:
        gradient, curvature = host.gradients(score, weight)
        hessian = (weight * curvature[output])[cases].sum()
        step = (weight * gradient[output])[cases].sum() / hessian if hessian > 0 else 0.0
        require_close(value, step, "Newton value")
    elif kind == LeafKind.LOCATION:
        for shift in (-1e-3, 1e-3):
            require(total(value) <= total(value + shift) + slack, f"{value + shift:.6g} is better")
    elif kind == LeafKind.QUANTILE:
        _check_quantile(host, score, weight, cases, value)
    small = 0.1 * value if kind in (LeafKind.NEWTON, LeafKind.SOLVER) else value
    require(total(small) <= total(0.0) + slack, "the leaf value raises the loss")


def _check_quantile(
    host: DistributionHost, score: FloatArray, weight: FloatArray, cases: IntArray, value: float
) -> None:
    distribution = host.distribution
    assert distribution.leaf_quantile is not None
    level = distribution.leaf_quantile(resolve_parameters(distribution.parameters))
    residual = host.outcome[cases] - score[0, cases]
    mass = weight[cases].sum()
    below = weight[cases][residual < value - 1e-12].sum() / mass
    up_to = weight[cases][residual <= value + 1e-12].sum() / mass
    require(
        below <= level + 1e-9 and up_to >= level - 1e-9,
        f"{below:.3f} to {up_to:.3f} of the weight lies below, {level:g} wanted",
    )


def _weight_twice(distribution: LossDistribution) -> str:
    if not distribution.is_weight_exact:
        return "not claimed"
    host = made_up(distribution, rows=21)
    weight = np.random.default_rng(SEED + 4).integers(0, 4, host.size)
    weight[:2] = (2, 1)
    repeated = np.repeat(np.arange(host.size), weight)
    many = host.chosen(repeated)
    offset = _offsets(distribution, host.size)
    ones = np.ones(repeated.size)
    found = require_close(
        host.initial_score(weight.astype(float), offset),
        many.initial_score(ones, np.ascontiguousarray(offset[:, repeated])),
        "initial score",
    )
    score = random_scores(host)
    first, last = np.array([0, host.size]), np.array([0, repeated.size])
    for output in range(score.shape[0]):
        value = host.leaf_values(score, weight.astype(float), np.arange(host.size), first, output)
        twin = many.leaf_values(
            np.ascontiguousarray(score[:, repeated]), ones, np.arange(repeated.size), last, output
        )
        found = require_close(value, twin, "leaf value")
    twin_score = np.ascontiguousarray(score[:, repeated])
    require_close(host.deviance(score, weight.astype(float)), many.deviance(twin_score), "deviance")
    return found


def _offsets(distribution: LossDistribution, rows: int) -> FloatArray:
    shape = (scores_of(distribution), rows)
    if Extra.OFFSET not in distribution.extras:
        return np.zeros(shape)
    return np.random.default_rng(SEED + 5).normal(0.0, 0.5, shape)


def _row_order(distribution: LossDistribution) -> str:
    host = made_up(distribution)
    random = np.random.default_rng(SEED + 6)
    weight, shuffle = random.uniform(0.5, 2.0, host.size), random.permutation(host.size)
    shuffled = host.chosen(shuffle)
    offset, score = _offsets(distribution, host.size), random_scores(host)
    require_close(
        host.losses(score, weight)[shuffle],
        shuffled.losses(score[:, shuffle].copy(), weight[shuffle]),
        "loss",
    )
    found = require_close(
        host.initial_score(weight, offset),
        shuffled.initial_score(weight[shuffle], np.ascontiguousarray(offset[:, shuffle])),
        "initial score",
    )
    whole, rows = np.array([0, host.size]), np.arange(host.size)
    for output in range(score.shape[0]):
        require_close(
            host.leaf_values(score, weight, rows, whole, output),
            host.leaf_values(score, weight, shuffle.astype(np.int64), whole, output),
            "leaf value",
        )
    return found


def _offset_honoured(distribution: LossDistribution) -> str:
    if Extra.OFFSET not in distribution.extras:
        return "no offsets claimed"
    host = made_up(distribution)
    weight = np.random.default_rng(SEED + 7).uniform(0.5, 2.0, host.size)
    zero = np.zeros((scores_of(distribution), host.size))
    plain = host.initial_score(weight, zero)
    moved = host.initial_score(weight, zero + 0.7)
    wanted = plain if distribution.is_shift_free else plain - 0.7
    found = require_close(moved, wanted, "initial score with offset 0.7", tolerance=1e-7)
    if distribution.is_shift_free:
        score = random_scores(host)
        require_close(host.losses(score + 0.7), host.losses(score), "loss of scores moved by 0.7")
    offset = _offsets(distribution, host.size)
    start = host.initial_score(weight, offset)

    def total(shift: FloatArray) -> float:
        """Sum the weighted loss at the start plus a shift."""
        return float((weight * host.losses(offset + (start + shift)[:, np.newaxis], weight)).sum())

    best = total(np.zeros_like(start))
    for shift in 0.01 * np.vstack([np.eye(start.size), -np.eye(start.size)]):
        require(best <= total(shift) + 1e-9, "the initial score is not the best constant")
    return found


def _edge_sizes(distribution: LossDistribution) -> str:
    one = made_up(distribution, rows=1)
    score = random_scores(one)
    require(np.isfinite(one.losses(score)).all(), "the loss of a single row is not finite")
    start = one.initial_score(np.ones(1), np.zeros_like(score))
    require(np.isfinite(start).all(), "the initial score of a single row is not finite")
    host = made_up(distribution, rows=6)
    same = host.chosen(np.full(6, int(np.argmin(host.outcome))))
    start = same.initial_score(np.ones(6), np.zeros((scores_of(distribution), 6)))
    require(np.isfinite(start).all(), "the initial score of equal targets is not finite")
    weight = np.array([0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
    offsets = np.array([0, 0, 2, 3, 6], dtype=np.int64)
    for output in range(score.shape[0]):
        values = same.leaf_values(random_scores(same), weight, np.arange(6), offsets, output)
        require(np.isfinite(values).all(), f"leaf values {values} of empty and small leaves")
    return "empty, weightless, single-row leaves; one row; equal targets"


def _all_finite(distribution: LossDistribution) -> str:
    host = made_up(distribution, rows=200)
    for size in (1.0, 20.0):
        spread = np.random.default_rng(SEED + 8).uniform(-size, size, (1, host.size))
        score = np.repeat(spread, scores_of(distribution), axis=0)
        gradient, curvature = host.gradients(score)
        for words, values in (
            ("loss", host.losses(score)),
            ("gradient", gradient),
            ("curvature", curvature),
            ("prediction", host.responses(score)),
        ):
            require(np.isfinite(values).all(), f"a {words} is not finite at scores up to {size:g}")
    return counted(2 * host.size, "case")


def _response_and_link(distribution: LossDistribution) -> str:
    host = made_up(distribution)
    score = random_scores(host)
    predicted = host.responses(score)
    return require_close(host.responses(host.links(predicted)), predicted, "response of link")


def _repeatable(distribution: LossDistribution) -> str:
    host = made_up(distribution)
    score = random_scores(host)
    outcome, kept = host.outcome.copy(), score.copy()
    first, again = host.losses(score), host.losses(score)
    require_close(again, first, "second call", tolerance=0.0)
    host.gradients(score)
    require(
        np.array_equal(host.outcome, outcome) and np.array_equal(score, kept),
        "an input was changed",
    )
    part, cases = _part_of_losses(host, score)
    written = np.flatnonzero(~np.isnan(part))
    require(np.array_equal(written, cases), "positions outside start and stop are written")
    return require_close(part[cases], first[cases], "chunk", tolerance=0.0)


def _part_of_losses(host: DistributionHost, score: FloatArray) -> tuple[FloatArray, IntArray]:
    """Losses of one chunk, or of the first block alone, and the cases that should be filled."""
    if not host.has_blocks:
        part = np.full(host.size, np.nan)
        host.distribution.loss(host.outcome, score, host.parameters, *host.extras, part, 5, 9)
        return part, np.arange(5, 9)
    rows, offsets = host.blocks
    out, factor = host.block_losses(score, None, 1)
    return out * factor, np.unique(rows[offsets[0] : offsets[1]])


def _part_of_cases(distribution: LossDistribution) -> str:
    """Blocks of the last 25 cases alone, within the arrays of all."""
    host = made_up(distribution)
    if not host.has_blocks:
        return "no blocks"
    score, first = random_scores(host), 15
    part = host.chosen(np.arange(first, host.size))
    rows, offsets = part.blocks
    host.blocks = rows + first, offsets
    part_score = np.ascontiguousarray(score[:, first:])
    require_close(host.losses(score)[first:], part.losses(part_score), "loss")
    found, wanted = host.gradients(score), part.gradients(part_score)
    require_close(found[1][:, first:], wanted[1], "curvature")
    return require_close(found[0][:, first:], wanted[0], "gradient")


DISTRIBUTION_CHECKS: tuple[Check[LossDistribution], ...] = (
    Check("Target check refuses bad values", _target_check),
    Check("Gradient matches the loss", _gradient),
    Check("Leaf value obeys its kind", _leaf_rule),
    Check("Weight 2 equals a row twice", _weight_twice),
    Check("Row order does not matter", _row_order),
    Check("Offsets are honoured", _offset_honoured),
    Check("Empty and single-row leaves", _edge_sizes),
    Check("No missing or infinite values", _all_finite),
    Check("Response and link agree", _response_and_link),
    Check("Blocks may cover part of the cases", _part_of_cases),
    Check("Same answer again, inputs untouched", _repeatable),
)
