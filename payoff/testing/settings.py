"""Settings of parameters for the checks: the usual ones, some within the ranges, the ends."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from payoff.parameters import Parameter, resolve_parameters
from payoff.vocabulary import ParameterKind

SEED = 20261


def settings_of(parameters: Sequence[Parameter], count: int = 5) -> list[dict[str, float]]:
    """Return the defaults, then ``count`` random settings within the ranges."""
    random = np.random.default_rng(SEED)
    drawn = [{item.name: _somewhere(item, random) for item in parameters} for _ in range(count)]
    return [resolve_parameters(parameters), *drawn]


def end_settings(parameters: Sequence[Parameter]) -> list[dict[str, float]]:
    """Return settings with one parameter at an end of its range (or each choice), others usual.

    An end that does not belong to the range is approached, an infinite one is left out.
    """
    usual = resolve_parameters(parameters)
    return [
        {**usual, item.name: value}
        for item in parameters
        for value in _ends(item)
        if value != usual[item.name]
    ]


def _somewhere(parameter: Parameter, random: np.random.Generator) -> float:
    """A value of a parameter inside its range."""
    if parameter.kind == ParameterKind.CHOICE:
        return float(random.integers(0, len(parameter.choices)))
    reach = max(1.0, abs(parameter.default))
    low = parameter.minimum if math.isfinite(parameter.minimum) else parameter.default - reach
    high = parameter.maximum if math.isfinite(parameter.maximum) else low + 3.0 * reach
    value = low + (high - low) * random.uniform(0.1, 0.9)
    return float(round(value)) if parameter.kind == ParameterKind.INTEGER else float(value)


def _ends(parameter: Parameter) -> list[float]:
    if parameter.kind == ParameterKind.CHOICE:
        return [float(place) for place in range(len(parameter.choices))]
    step = 1.0 if parameter.kind == ParameterKind.INTEGER else 1e-6
    ends = (
        (parameter.minimum, parameter.is_minimum_open, step),
        (parameter.maximum, parameter.is_maximum_open, -step),
    )
    return [end + inward * is_open for end, is_open, inward in ends if math.isfinite(end)]
