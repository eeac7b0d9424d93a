"""What scoring code of any language needs: sides of a split, names and formulas of outputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.boosting.inputs import InputColumn
from core.boosting.losses import responses
from core.boosting.model import BoostedModel
from payoff.errors import PayoffError
from payoff.types import FloatArray

KEY = "row"
"""The column that numbers the rows of a table of cases, unless an input has that name."""

_PROBES = np.array([[-3.0, -0.5, 0.0, 0.7, 2.5]])


@dataclass(frozen=True, slots=True)
class ResponseFormula:
    """A response as a formula of one score, ``{0}``."""

    sql: str
    python: str


_FORMULAS: tuple[tuple[Callable[[FloatArray], FloatArray], ResponseFormula], ...] = (
    (lambda f: f, ResponseFormula("{0}", "{0}")),
    (np.exp, ResponseFormula("EXP({0})", "math.exp({0})")),
    (lambda f: 1 / (1 + np.exp(-f)), ResponseFormula("1.0 / (1.0 + EXP(-({0})))", "_chance({0})")),
    (
        lambda f: 1 / (1 + np.exp(-2 * f)),
        ResponseFormula("1.0 / (1.0 + EXP(-2.0 * ({0})))", "_chance(2.0 * {0})"),
    ),
)


def response_formula(model: BoostedModel) -> ResponseFormula | None:
    """The response of one score, told by its values at a few scores; None if it is none of ours."""
    if model.n_scores > 1:
        return None
    found = responses(model.distribution, model.parameter_values, _PROBES.copy())
    for formula, code in _FORMULAS:
        if np.allclose(found, formula(_PROBES), rtol=1e-13, atol=1e-15):
            return code
    return None


def is_softmax(model: BoostedModel) -> bool:
    """Whether several scores become chances that sum to 1 in the usual way."""
    if model.n_scores < 2:
        return False
    probe = np.linspace(-1.0, 2.0, model.n_scores)[:, None]
    found = responses(model.distribution, model.parameter_values, probe.copy())
    powers = np.exp(probe)
    return bool(np.allclose(found, powers / powers.sum(), rtol=1e-13))


def has_response(model: BoostedModel) -> bool:
    """Whether predictions on the scale of the outcome have scoring code."""
    return is_softmax(model) or response_formula(model) is not None


def no_response(model: BoostedModel) -> PayoffError:
    """The refusal of a response without a formula."""
    return PayoffError(
        f"The response of {model.distribution.label} has no scoring code.",
        remedy="Take the link scale.",
    )


def score_names(model: BoostedModel) -> tuple[str, ...]:
    """Names of the link scores, one per output."""
    return _names(model, "score")


def prediction_names(model: BoostedModel) -> tuple[str, ...]:
    """Names of the predictions on the scale of the outcome, one per output."""
    return _names(model, "prediction")


def _names(model: BoostedModel, word: str) -> tuple[str, ...]:
    if model.n_scores == 1:
        return (word,)
    return tuple(f"{word}_{level}" for level in model.output_names)


def level_sides(
    model: BoostedModel, node: int, column: InputColumn
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Levels that go left and right at a nominal split."""
    bits = model.forest.level_bits[model.forest.level_set[node]]
    is_left = np.unpackbits(bits.view(np.uint8), bitorder="little")[: len(column.levels)]
    sides = list(zip(column.levels, is_left, strict=True))
    left = tuple(level for level, goes_left in sides if goes_left)
    return left, tuple(level for level, goes_left in sides if not goes_left)
