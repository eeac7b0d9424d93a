"""Which model is the best by each metric, and how much of its lead may be luck."""

from __future__ import annotations

import numpy as np

from core.document.results import Selection
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import Column
from core.evaluation.compare import difference, is_level
from core.inference.intervals import holm_p_values
from payoff.types import FloatArray
from payoff.vocabulary import Direction

_NAN = float("nan")


def selections(cases: JudgedCases, columns: list[Column]) -> tuple[Selection, ...]:
    """The choice by every metric that has a direction and values of two models or more."""
    found = (_selection(cases, column) for column in columns)
    return tuple(entry for entry in found if entry is not None)


def _selection(cases: JudgedCases, column: Column) -> Selection | None:
    direction = column.metric.spec.direction
    usable = [cell for cell in column.cells if np.isfinite(cell.value)]
    if direction == Direction.NONE or len(usable) < 2:
        return None
    sign = -1.0 if direction == Direction.LOWER else 1.0
    ranked = sorted(usable, key=lambda cell: -sign * cell.value)
    winner, runner_up = ranked[0], ranked[1]
    against = [difference(cases, column, winner.model, cell.model) for cell in ranked[1:]]
    p_values = np.array([pair.p_value for pair in against], dtype=np.float64)
    is_unsure = bool(np.isnan(p_values).all())  # as of one event: resamples say nothing either
    wins, number, optimism = _wins(
        [None if is_unsure else cell.draws for cell in ranked],
        np.array([cell.value for cell in ranked]),
        np.array([cell.centre for cell in ranked]),
        sign,
    )
    return Selection(
        metric=column.metric.key,
        winner=winner.model,
        runner_up=runner_up.model,
        margin=against[0],
        wins=tuple((cell.model, float(count)) for cell, count in zip(ranked, wins, strict=True)),
        resamples=number,
        optimism=optimism,
        corrected=float(holm_p_values(p_values).max()),
    )


def _wins(
    draws: list[FloatArray | None], values: FloatArray, centres: FloatArray, sign: float
) -> tuple[FloatArray, int, float]:
    """How often each model is the best of a resample, of how many, and what choosing adds.

    The optimism is the mean, over resamples, of what the best of a resample shows there above
    what it shows on all rows. Models that are level in a resample share its win.
    """
    if any(entry is None for entry in draws):
        return np.zeros(len(draws)), 0, _NAN
    # Draws scatter around the value of their own arithmetic (bins), not around the exact one.
    drawn = np.vstack([entry for entry in draws if entry is not None])
    moved = sign * (drawn - np.where(np.isfinite(centres), centres, values)[:, None])
    moved += sign * values[:, None]
    moved = moved[:, np.isfinite(moved).all(axis=0)]
    number = moved.shape[1]
    if number == 0:
        return np.zeros(len(draws)), 0, _NAN
    is_best = is_level(moved, moved.max(axis=0))
    share = is_best / is_best.sum(axis=0)
    shown = (share * (moved - sign * values[:, None])).sum(axis=0)
    return np.round(share.sum(axis=1), 6), number, float(sign * shown.mean())
