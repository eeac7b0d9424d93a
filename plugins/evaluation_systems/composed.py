"""Composed evaluation systems: the subject decides, and the outcome follows the decision."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.types import FloatArray, IntArray


def _decides(rows: payoff.SystemRows, places: IntArray, subjects: payoff.Subjects) -> FloatArray:
    """D(EC) = 1 where theta phi(EC) >= 0, that is sigmoid of it >= 1/2; phi starts with 1."""
    phi = rows.conditions[places]
    score = subjects.theta[:, 0] + np.einsum("ij,ij->i", subjects.theta[:, 1:], phi)
    decided: FloatArray = (score >= 0.0).astype(np.float64)
    return decided


def _draw_composed(
    rows: payoff.SystemRows,
    subjects: payoff.Subjects,
    random: np.random.Generator,
    parameters: payoff.Parameters,
) -> payoff.DrawnSystem:
    """z = D (alpha + beta phi) + gamma phi + delta, scaled to [0, 1] or cut at the real share."""
    del parameters
    width = rows.conditions.shape[1]
    beta, gamma = random.standard_normal(width), random.standard_normal(width)
    alpha, delta = random.standard_normal(2)
    acting = alpha + rows.conditions @ beta
    resting = delta + rows.conditions @ gamma
    score = _decides(rows, np.arange(rows.count), subjects) * acting + resting

    def other(places: IntArray, others: payoff.Subjects) -> FloatArray:
        moved: FloatArray = _decides(rows, places, others) * acting[places] + resting[places]
        return moved

    if rows.is_binary:
        return payoff.cut_at_share(score, other, rows.event_share())
    low, high = float(score.min()), float(score.max())
    span = high - low if high > low else 1.0
    return payoff.DrawnSystem(
        outcome=(score - low) / span,
        answer=lambda places, others: np.clip((other(places, others) - low) / span, 0.0, 1.0),
    )


def _draw_anchor(
    rows: payoff.SystemRows,
    subjects: payoff.Subjects,
    random: np.random.Generator,
    parameters: payoff.Parameters,
) -> payoff.DrawnSystem:
    """What the advertisement brings where the subject shows it, fitted to the real outcome; else 0.

    Each system is fitted to a draw of the rows with replacement, so that systems differ as much as
    the data leave open.
    """
    del parameters
    if rows.outcome is None:
        raise payoff.PayoffError("This evaluation system needs a real outcome.")
    phi = np.hstack([np.ones((rows.count, 1)), rows.conditions])
    drawn = random.integers(0, rows.count, rows.count)
    fitted, *_ = np.linalg.lstsq(phi[drawn], rows.outcome[drawn], rcond=1e-10)
    brings = np.clip(phi @ fitted, 0.0, 1.0)
    return payoff.DrawnSystem(
        outcome=_decides(rows, np.arange(rows.count), subjects) * brings,
        answer=lambda places, others: _decides(rows, places, others) * brings[places],
    )


COMPOSED = payoff.EvaluationSystem(
    id="composed",
    label="Composed",
    help="The subject decides by its own linear rule; conditions and decision make the outcome.",
    formula="z = D (alpha + beta phi) + gamma phi + delta, cut at the real share or scaled to 0-1",
    draw=_draw_composed,
    protocols=("aki_alert", "sepsis", "ad_conversion"),
    reference="Yan 2025 (arXiv 2503.21138v1), B.3",
)
COMPOSED_ANCHOR = payoff.EvaluationSystem(
    id="composed_anchor",
    label="Composed, anchored",
    help="What showing the advertisement really brought, where the subject shows it; else nothing.",
    formula="D times a linear fit of the real outcome to the conditions, within 0 to 1",
    draw=_draw_anchor,
    needs=(payoff.SystemNeed.OUTCOME,),
    protocols=("ad_conversion",),
    reference="Yan 2025 (arXiv 2503.21138v1), B.3, tied to the real conversions",
)
