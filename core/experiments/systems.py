"""Evaluation systems: the true mapping from subject and condition to the outcome, in [0, 1].

A system is drawn from its own random stream and then fixed: ``outcome`` is what is measured of the
study's subjects, ``answer`` what would be measured of other subjects under the same conditions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from core.experiments.market import traded
from core.experiments.study import Study
from core.experiments.subjects import Subjects
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

SYNTHETIC_SHARE = 0.85
"""Share of the rows (or of each amount) that the stock experiment replaces."""

Answer = Callable[[IntArray, Subjects], FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnSystem:
    """One evaluation system.

    Attributes
    ----------
    outcome : float64 (n,)
        In [0, 1].
    answer : function
        ``answer(rows, subjects) -> float64 (rows,)`` with a subject per row.
    note : str
        What a reader has to know; may be empty.
    """

    outcome: FloatArray
    answer: Answer
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSettings:
    """Settings of a kind of system."""

    kind: str
    sharpness: float = 1.0
    is_paper: bool = False


SystemMaker = Callable[[Study, Subjects, np.random.Generator, SystemSettings], DrawnSystem]


def draw_system(
    study: Study, subjects: Subjects, draw: np.random.Generator, settings: SystemSettings
) -> DrawnSystem:
    """Draw a system of a kind; refuses a kind that is not known."""
    if settings.kind not in SYSTEMS:
        raise PayoffError(
            f"There is no evaluation system '{settings.kind}'.",
            remedy=f"There are: {', '.join(sorted(SYSTEMS))}.",
        )
    return SYSTEMS[settings.kind](study, subjects, draw, settings)


def event_share(study: Study) -> float:
    """The share of real events that a 0/1 system keeps."""
    if study.outcome is None:
        raise PayoffError("This evaluation system needs a real outcome.")
    share = float(study.outcome.mean())
    if not 0.0 < share < 1.0:
        raise PayoffError(
            f"The real outcome is {share:g} in every row.",
            why="A class is empty, so that there is nothing to tell apart.",
            remedy="Choose another outcome column.",
        )
    return share


def _linear_score(
    study: Study, subjects: Subjects, draw: np.random.Generator
) -> tuple[FloatArray, Answer]:
    """Centred z = Theta2 EC + Theta1 T(S), its coefficients standard normal; and z of others."""
    of_condition = study.standard @ draw.standard_normal(study.standard.shape[1])
    of_subject = draw.standard_normal(study.parameters)
    score = of_condition + subjects.features @ of_subject
    centre = float(score.mean())

    def other(rows: IntArray, others: Subjects) -> FloatArray:
        moved: FloatArray = of_condition[rows] + others.features @ of_subject - centre
        return moved

    return score - centre, other


def _linear_threshold(
    study: Study, subjects: Subjects, draw: np.random.Generator, settings: SystemSettings
) -> DrawnSystem:
    """1 where z lies in its top share, which is that of the real events; ties by row id."""
    del settings
    score, other = _linear_score(study, subjects, draw)
    return _cut(score, other, event_share(study))


def _cut(score: FloatArray, other: Answer, share: float) -> DrawnSystem:
    events = round(len(score) * share)
    order = np.argsort(-score, kind="stable")
    outcome = np.zeros(len(score))
    outcome[order[:events]] = 1.0
    limit = score[order[events - 1]] if events else np.inf
    return DrawnSystem(
        outcome=outcome,
        answer=lambda rows, others: (other(rows, others) >= limit).astype(np.float64),
    )


def _linear_noise(
    study: Study, subjects: Subjects, draw: np.random.Generator, settings: SystemSettings
) -> DrawnSystem:
    """A chance sigmoid(k z + b) whose mean is the real share; the outcome is drawn by it."""
    score, other = _linear_score(study, subjects, draw)
    if not settings.sharpness > 0.0:
        raise PayoffError(f"The sharpness is {settings.sharpness:g}.", why="It must be above 0.")
    steep = settings.sharpness / max(float(score.std()), 1e-300)
    share = event_share(study) if _is_binary(study) else 0.5
    shift = float(
        optimize.brentq(
            lambda b: float(special.expit(steep * score + b).mean()) - share, -1e3, 1e3, xtol=1e-12
        )
    )
    drawn = draw.random(study.rows)
    outcome = (drawn < special.expit(steep * score + shift)).astype(np.float64)

    def answer(rows: IntArray, others: Subjects) -> FloatArray:
        chance: FloatArray = special.expit(steep * other(rows, others) + shift)
        return chance  # the expected outcome: what a subject causes, without the noise

    return DrawnSystem(outcome=outcome, answer=answer)


def _is_binary(study: Study) -> bool:
    outcome = study.outcome
    return outcome is not None and bool(np.all((outcome == 0.0) | (outcome == 1.0)))


def _decides(study: Study, rows: IntArray, subjects: Subjects) -> FloatArray:
    """D(EC) = 1 where theta phi(EC) >= 0, that is sigmoid of it >= 1/2; phi starts with 1."""
    phi = study.standard[rows]
    score = subjects.theta[:, 0] + np.einsum("ij,ij->i", subjects.theta[:, 1:], phi)
    decided: FloatArray = (score >= 0.0).astype(np.float64)
    return decided


def _composed(
    study: Study, subjects: Subjects, draw: np.random.Generator, settings: SystemSettings
) -> DrawnSystem:
    """z = D (alpha + beta phi) + gamma phi + delta, scaled to [0, 1] or cut at the real share."""
    del settings
    width = study.standard.shape[1]
    beta, gamma = draw.standard_normal(width), draw.standard_normal(width)
    alpha, delta = draw.standard_normal(2)
    acting = alpha + study.standard @ beta
    resting = delta + study.standard @ gamma
    rows = np.arange(study.rows)
    score = _decides(study, rows, subjects) * acting + resting

    def other(places: IntArray, others: Subjects) -> FloatArray:
        moved: FloatArray = _decides(study, places, others) * acting[places] + resting[places]
        return moved

    if _is_binary(study):
        return _cut(score, other, event_share(study))
    low, high = float(score.min()), float(score.max())
    span = high - low if high > low else 1.0
    return DrawnSystem(
        outcome=(score - low) / span,
        answer=lambda places, others: np.clip((other(places, others) - low) / span, 0.0, 1.0),
    )


def _composed_anchor(
    study: Study, subjects: Subjects, draw: np.random.Generator, settings: SystemSettings
) -> DrawnSystem:
    """What the advertisement brings where the subject shows it, fitted to the real outcome; else 0.

    Each system is fitted to a draw of the rows with replacement, so that systems differ as much as
    the data leave open.
    """
    del settings
    if study.outcome is None:
        raise PayoffError("This evaluation system needs a real outcome.")
    phi = np.hstack([np.ones((study.rows, 1)), study.standard])
    drawn = draw.integers(0, study.rows, study.rows)
    fitted, *_ = np.linalg.lstsq(phi[drawn], study.outcome[drawn], rcond=1e-10)
    brings = np.clip(phi @ fitted, 0.0, 1.0)
    rows = np.arange(study.rows)
    return DrawnSystem(
        outcome=_decides(study, rows, subjects) * brings,
        answer=lambda places, others: _decides(study, places, others) * brings[places],
    )


# ---------------------------------------------------------------- stock timing


def _by_rank(amounts: FloatArray, train: np.ndarray) -> Callable[[FloatArray], FloatArray]:
    """The training part's empirical distribution function."""
    known = np.sort(amounts[train])

    def rank(values: FloatArray) -> FloatArray:
        placed: FloatArray = np.searchsorted(known, values, side="right") / len(known)
        return placed

    return rank


def _synthetic(
    study: Study, subjects: Subjects, draw: np.random.Generator, settings: SystemSettings
) -> tuple[FloatArray, Answer]:
    """g(EC) + Theta1 T(S) with g fitted to the real returns of the training rows."""
    market = study.market
    if market is None:
        raise PayoffError("This evaluation system needs prices.")
    phi = np.hstack([np.ones((study.rows, 1)), study.standard])
    train = market.in_train
    fitted, *_ = np.linalg.lstsq(phi[train], market.returns[train], rcond=1e-8)
    base = phi @ fitted
    of_subject = draw.standard_normal(study.parameters)
    if not settings.is_paper:  # as much spread as the real returns have, else they would not count
        part = subjects.features @ of_subject
        of_subject *= float(market.returns[train].std()) / max(float(part.std()), 1e-300)

    def other(rows: IntArray, others: Subjects) -> FloatArray:
        moved: FloatArray = base[rows] + others.features @ of_subject
        return moved

    return base + subjects.features @ of_subject, other


def _mix_rows(
    study: Study, subjects: Subjects, draw: np.random.Generator, settings: SystemSettings
) -> DrawnSystem:
    """Reading A: 85 % of the rows have a synthetic outcome, the others keep their real return."""
    market = study.market
    score, other = _synthetic(study, subjects, draw, settings)
    assert market is not None
    changed = np.zeros(study.rows, dtype=bool)
    count = round(SYNTHETIC_SHARE * study.rows)
    changed[draw.permutation(study.rows)[:count]] = True
    amount = np.where(changed, score, market.returns)
    rank = _by_rank(amount, market.in_train)

    def answer(rows: IntArray, others: Subjects) -> FloatArray:
        return rank(np.where(changed[rows], other(rows, others), market.returns[rows]))

    note = f"{study.rows - count:,} of {study.rows:,} rows keep their real return: they carry no "
    note += "information on the subject."
    return DrawnSystem(outcome=rank(amount), answer=answer, note=note)


def _mix_amounts(
    study: Study, subjects: Subjects, draw: np.random.Generator, settings: SystemSettings
) -> DrawnSystem:
    """Reading B: every outcome is 0.85 times synthetic plus 0.15 times real."""
    market = study.market
    score, other = _synthetic(study, subjects, draw, settings)
    assert market is not None
    rest = (1.0 - SYNTHETIC_SHARE) * market.returns
    amount = SYNTHETIC_SHARE * score + rest
    rank = _by_rank(amount, market.in_train)
    return DrawnSystem(
        outcome=rank(amount),
        answer=lambda rows, others: rank(SYNTHETIC_SHARE * other(rows, others) + rest[rows]),
    )


def _trading(
    study: Study, subjects: Subjects, draw: np.random.Generator, settings: SystemSettings
) -> DrawnSystem:
    """What the subject's own decisions earn at real prices."""
    del draw, settings
    market = study.market
    if market is None:
        raise PayoffError("This evaluation system needs prices.")
    amount, _ = traded(market, np.arange(study.rows, dtype=np.int64), subjects.theta)
    rank = _by_rank(amount, market.in_train)
    return DrawnSystem(
        outcome=rank(amount),
        answer=lambda rows, others: rank(traded(market, rows, others.theta)[0]),
        note="The system is the market itself: every draw differs by its subjects only.",
    )


SYSTEMS: dict[str, SystemMaker] = {
    "linear_threshold": _linear_threshold,
    "linear_noise": _linear_noise,
    "composed": _composed,
    "composed_anchor": _composed_anchor,
    "mix_rows": _mix_rows,
    "mix_amounts": _mix_amounts,
    "trading": _trading,
}
"""Kinds of evaluation systems by name."""
