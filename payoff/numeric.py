"""Numerical helpers that kernels may call, built in and third party alike.

All are kernels of shape "helper" unless they say otherwise: plain Python that compiles.
"""

from __future__ import annotations

import math

import numpy as np

from payoff.kernels import kernel
from payoff.types import FloatArray, IntArray


@kernel(shape="helper")
def sigmoid(value: float) -> float:
    """Return 1 / (1 + exp(-value)) without overflow."""
    if value >= 0.0:
        return 1.0 / (1.0 + math.exp(-value))
    power = math.exp(value)
    return power / (1.0 + power)


@kernel(shape="helper")
def log1p_exp(value: float) -> float:
    """Return log(1 + exp(value)) without overflow; -inf gives 0, inf gives inf.

    Within four units in the last place; below -708 it is 0. Without branches and calls, and with
    polynomials in pieces that do not wait for each other: loops over it compile to vector
    instructions. exp(-|value|) is that of ``fill_exp``; log(1 + e) is twice the series of artanh,
    of 1 + e or of half of it.
    """
    size = -abs(value)
    x = size if size > -708.0 else -708.0
    power = np.floor(x * 1.4426950408889634 + 0.5)
    r = (x - power * 6.93147180369123816490e-01) - power * 1.90821492927058770002e-10
    rr = r * r
    low = (0.5 + r * (1.0 / 6.0)) + rr * (1.0 / 24.0 + r * (1.0 / 120.0))
    middle = (1.0 / 720.0 + r * (1.0 / 5_040.0)) + rr * (1.0 / 40_320.0 + r * (1.0 / 362_880.0))
    high = (1.0 / 3_628_800.0 + r * (1.0 / 39_916_800.0)) + rr * (1.0 / 479_001_600.0)
    part = 1.0 + (r + rr * (low + rr * rr * (middle + rr * rr * high)))
    bits = np.int64((np.int64(np.int32(power)) + np.int64(1023)) << np.int64(52))
    e = part * bits.view(np.float64) if size > -708.0 else 0.0
    is_far = e > 0.4142135623730951  # sqrt(2) - 1
    u = (e - 1.0 if is_far else e) / (e + 3.0 if is_far else e + 2.0)
    z = u * u
    zz = z * z
    low = (1.0 / 3.0 + z * (1.0 / 5.0)) + zz * (1.0 / 7.0 + z * (1.0 / 9.0))
    middle = (1.0 / 11.0 + z * (1.0 / 13.0)) + zz * (1.0 / 15.0 + z * (1.0 / 17.0))
    tail = low + zz * zz * (middle + zz * zz * (1.0 / 19.0 + z * (1.0 / 21.0)))
    rest = 2.0 * u * z * tail + (1.90821492927058770002e-10 if is_far else 0.0)
    more = (6.93147180369123816490e-01 if is_far else 0.0) + (2.0 * u + rest)
    return more if value <= 0.0 else value + more


@kernel(shape="helper")
def logit(probability: float) -> float:
    """Return log(chance / (1 - chance)); 0 gives -inf, 1 gives inf, outside NaN."""
    if probability <= 0.0:
        return -math.inf if probability == 0.0 else math.nan
    if probability >= 1.0:
        return math.inf if probability == 1.0 else math.nan
    return math.log(probability) - math.log1p(-probability)


@kernel(shape="helper")
def log_or_minus_infinity(value: float) -> float:
    """Return log(value); 0 gives -inf, below 0 gives NaN."""
    if value > 0.0:
        return math.log(value)
    return -math.inf if value == 0.0 else math.nan


@kernel(shape="helper")
def exp_or_infinity(value: float) -> float:
    """Return exp(value); inf where a double would overflow."""
    if value > 709.782712893384:
        return math.inf
    return math.exp(value)


@kernel(shape="helper")
def fill_exp(values: FloatArray, out: FloatArray) -> None:
    """Fill exp of each value, within two units in the last place; twice as fast as one by one.

    Above 709.4 inf, below -708 the 3e-308 of -708. ``out`` is another array: in place
    it would be slow. Range reduction by ln 2 in two parts, then the Taylor polynomial of degree 12:
    written without branches and calls, so that it compiles to vector instructions.
    """
    bits = np.empty(512, np.int64)
    scale = bits.view(np.float64)
    for block in range(0, values.shape[0], 512):
        these = values[block : block + 512]
        to = out[block : block + 512]
        for i in range(these.shape[0]):
            x = these[i]
            x = 709.7 if x > 709.7 else x
            x = -708.0 if x < -708.0 else x
            power = np.floor(x * 1.4426950408889634 + 0.5)
            r = (x - power * 6.93147180369123816490e-01) - power * 1.90821492927058770002e-10
            tail = 1.0 / 479_001_600.0
            tail = tail * r + 1.0 / 39_916_800.0
            tail = tail * r + 1.0 / 3_628_800.0
            tail = tail * r + 1.0 / 362_880.0
            tail = tail * r + 1.0 / 40_320.0
            tail = tail * r + 1.0 / 5_040.0
            tail = tail * r + 1.0 / 720.0
            tail = tail * r + 1.0 / 120.0
            tail = tail * r + 1.0 / 24.0
            tail = tail * r + 1.0 / 6.0
            tail = tail * r + 0.5
            to[i] = 1.0 + (r + r * r * tail)
            bits[i] = (np.int64(np.int32(power)) + np.int64(1023)) << np.int64(52)
        for i in range(these.shape[0]):
            to[i] *= scale[i]


@kernel(shape="helper")
def fill_log(values: FloatArray, out: FloatArray) -> None:
    """Fill log of each value, within two units in the last place; faster than one by one.

    0 gives -inf, below 0 NaN. ``out`` may be another array or ``values`` itself. The exponent is
    taken off the bits; a factor between sqrt(1/2) and sqrt(2) is left, whose log is twice the
    series of artanh((m - 1) / (m + 1)) up to degree 21: without branches and calls, so that it
    compiles to vector instructions. Odd values (0, infinite, missing) are done one by one.
    """
    given, power, factor = np.empty(512), np.empty(512), np.empty(512)
    powers, factors = power.view(np.uint64), factor.view(np.uint64)
    for block in range(0, values.shape[0], 512):
        size = min(512, values.shape[0] - block)
        odd = 0
        for i in range(size):
            x = values[block + i]
            is_plain = 2.3e-308 <= x <= 1.79e308
            given[i] = x
            factor[i] = x if is_plain else 1.0
            odd += 0 if is_plain else 1
        for i in range(size):
            # 1 less sqrt(1/2) in bits: the exponent rises where the fraction passes sqrt(2).
            exponent = (factors[i] + np.uint64(0x00095F619980C433)) >> np.uint64(52)
            # 2^52 plus a small whole number holds it in its last bits.
            powers[i] = exponent | np.uint64(0x4330000000000000)
            factors[i] = factors[i] + np.uint64(0x3FF0000000000000) - (exponent << np.uint64(52))
        for i in range(size):
            e = power[i] - 4_503_599_627_371_519.0
            s = (factor[i] - 1.0) / (factor[i] + 1.0)
            z = s * s
            tail = 1.0 / 21.0
            tail = tail * z + 1.0 / 19.0
            tail = tail * z + 1.0 / 17.0
            tail = tail * z + 1.0 / 15.0
            tail = tail * z + 1.0 / 13.0
            tail = tail * z + 1.0 / 11.0
            tail = tail * z + 1.0 / 9.0
            tail = tail * z + 1.0 / 7.0
            tail = tail * z + 1.0 / 5.0
            tail = tail * z + 1.0 / 3.0
            low = 2.0 * s * z * tail + e * 1.90821492927058770002e-10
            out[block + i] = e * 6.93147180369123816490e-01 + (2.0 * s + low)
        if odd > 0:
            for i in range(size):
                if not 2.3e-308 <= given[i] <= 1.79e308:
                    out[block + i] = log_or_minus_infinity(given[i])


@kernel(shape="helper")
def weighted_mean(values: FloatArray, weight: FloatArray) -> float:
    """Return the weighted mean of (m,) values, NaN where the weights sum to 0."""
    total = 0.0
    mass = 0.0
    for i in range(values.shape[0]):
        total += weight[i] * values[i]
        mass += weight[i]
    return total / mass if mass > 0.0 else math.nan


@kernel(shape="helper")
def value_at_weight(values: FloatArray, weight: FloatArray, target: float) -> float:
    """Return the value of (m,) values at which the cumulative weight reaches a target.

    The first in rising order; where it is reached exactly (to 1e-12 of all weight, for sums of
    scaled weights are rounded), the mean with the next value of positive weight; the largest where
    it is never reached; NaN without positive weight. Found by parting the values around pivots,
    without sorting them: time grows with m.
    """
    kept = np.empty(values.shape[0])
    mass = np.empty(values.shape[0])
    high = 0
    for i in range(values.shape[0]):
        if weight[i] > 0.0:
            kept[high] = values[i]
            mass[high] = weight[i]
            high += 1
    slack = 1e-12 * np.sum(mass[:high])
    low = 0
    before = 0.0
    pivot: float = math.nan
    following = math.nan
    place = 7
    while low < high:
        place = (place * 1_103_515_245 + 12_345) % 2_147_483_648  # any place that is not a pattern
        pivot = kept[low + place % (high - low)]
        first = low
        last = high
        less = 0.0
        same = 0.0
        k = low
        while k < last:
            if kept[k] < pivot:
                less += mass[k]
                kept[k], kept[first] = kept[first], kept[k]
                mass[k], mass[first] = mass[first], mass[k]
                first += 1
                k += 1
            elif kept[k] > pivot:
                last -= 1
                kept[k], kept[last] = kept[last], kept[k]
                mass[k], mass[last] = mass[last], mass[k]
            else:
                same += mass[k]
                k += 1
        if first > low and before + less >= target - slack:
            following = pivot
            high = first
        elif before + less + same >= target - slack:
            if before + less + same > target + slack:
                return pivot
            for j in range(last, high):
                following = kept[j] if j == last else min(following, kept[j])
            return pivot if math.isnan(following) else 0.5 * (pivot + following)
        else:
            before += less + same
            low = last
    return pivot


@kernel(shape="helper")
def weighted_quantile(values: FloatArray, weight: FloatArray, level: float) -> float:
    """Return the weighted quantile of (m,) values.

    The first value, in rising order, at which the cumulative weight reaches ``level`` times the
    sum; where it reaches it exactly, the mean with the next value of positive weight. Without
    positive weight NaN. ``level`` 0.5 is the weighted median of gbm.
    """
    return value_at_weight(values, weight, level * np.sum(weight))


@kernel(shape="helper")
def weighted_median(values: FloatArray, weight: FloatArray) -> float:
    """Return the weighted median of (m,) values; see ``weighted_quantile``."""
    return weighted_quantile(values, weight, 0.5)


@kernel(shape="helper")
def damped_newton_step(gradient: float, curvature: float, largest: float) -> float:
    """Return gradient / curvature, cut to ``largest`` in size; 0 without positive curvature."""
    if curvature <= 0.0:
        return 0.0
    return min(max(gradient / curvature, -largest), largest)


@kernel(shape="by_group")
def newton_leaf_values(
    outcome: FloatArray,
    score: FloatArray,
    weight: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
    parameters: FloatArray,
    output: int,
    rows: IntArray,
    offsets: IntArray,
    out: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill the Newton values of leaves: the rule of leaf kind "newton".

    out[g] = sum of weight x gradient over sum of weight x curvature, 0 where the divisor is 0.
    """
    for leaf in range(first_group, last_group):
        gradient_sum = 0.0
        hessian = 0.0
        for k in range(offsets[leaf], offsets[leaf + 1]):
            i = rows[k]
            gradient_sum += weight[i] * gradient[output, i]
            hessian += weight[i] * curvature[output, i]
        out[leaf] = gradient_sum / hessian if hessian > 0.0 else 0.0


@kernel(shape="elementwise")
def identity_response(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill predictions that are the scores themselves, (K, n); also its own inverse."""
    for k in range(score.shape[0]):
        for i in range(start, stop):
            out[k, i] = score[k, i]


@kernel(shape="elementwise")
def exp_response(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill predictions exp F of a loss with the log link, (K, n); infinite beyond 709."""
    for k in range(score.shape[0]):
        for i in range(start, stop):
            out[k, i] = exp_or_infinity(score[k, i])


@kernel(shape="elementwise")
def log_link(
    prediction: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the scores of predictions under the log link, (K, n): the inverse of exp_response."""
    for k in range(prediction.shape[0]):
        for i in range(start, stop):
            out[k, i] = log_or_minus_infinity(prediction[k, i])


@kernel(shape="elementwise")
def logistic_response(
    score: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill chances 1 / (1 + exp(-F)) of a loss with the logit link."""
    for i in range(start, stop):
        out[0, i] = sigmoid(score[0, i])


@kernel(shape="elementwise")
def logit_link(
    prediction: FloatArray, parameters: FloatArray, out: FloatArray, start: int, stop: int
) -> None:
    """Fill the logit of chances: the inverse of logistic_response."""
    for i in range(start, stop):
        out[0, i] = logit(prediction[0, i])
