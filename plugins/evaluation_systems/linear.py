"""Linear evaluation systems: z = Theta2 EC + Theta1 T(S), centred; cut at a share, or a chance."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.systems import SystemAnswer
from payoff.types import FloatArray, IntArray


def _linear_score(
    rows: payoff.SystemRows, subjects: payoff.Subjects, random: np.random.Generator
) -> tuple[FloatArray, SystemAnswer]:
    """Centred z of the rows' own subjects, its coefficients standard normal; and z of others."""
    of_condition = rows.conditions @ random.standard_normal(rows.conditions.shape[1])
    of_subject = random.standard_normal(rows.parameters)
    score = of_condition + subjects.features @ of_subject
    centre = float(score.mean())

    def other(places: IntArray, others: payoff.Subjects) -> FloatArray:
        moved: FloatArray = of_condition[places] + others.features @ of_subject - centre
        return moved

    return score - centre, other


def _draw_threshold(
    rows: payoff.SystemRows,
    subjects: payoff.Subjects,
    random: np.random.Generator,
    parameters: payoff.Parameters,
) -> payoff.DrawnSystem:
    del parameters
    score, other = _linear_score(rows, subjects, random)
    return payoff.cut_at_share(score, other, rows.event_share())


def _draw_noise(
    rows: payoff.SystemRows,
    subjects: payoff.Subjects,
    random: np.random.Generator,
    parameters: payoff.Parameters,
) -> payoff.DrawnSystem:
    """A chance sigmoid(k z + b) whose mean is the real share; the outcome is drawn by it."""
    from scipy import optimize, special

    score, other = _linear_score(rows, subjects, random)
    steep = parameters["sharpness"] / max(float(score.std()), 1e-300)
    share = rows.event_share() if rows.is_binary else 0.5
    shift = float(
        optimize.brentq(
            lambda b: float(special.expit(steep * score + b).mean()) - share, -1e3, 1e3, xtol=1e-12
        )
    )
    drawn = random.random(rows.count)
    outcome = (drawn < special.expit(steep * score + shift)).astype(np.float64)

    def answer(places: IntArray, others: payoff.Subjects) -> FloatArray:
        probability: FloatArray = special.expit(steep * other(places, others) + shift)
        return probability  # the expected outcome: what a subject causes, without the noise

    return payoff.DrawnSystem(outcome=outcome, answer=answer)


LINEAR_THRESHOLD = payoff.EvaluationSystem(
    id="linear_threshold",
    label="Linear, cut",
    help="A linear score of conditions and subject; its highest share has the outcome 1.",
    formula="1 where z = Theta2 EC + Theta1 T(S) lies in its top share, that of the real outcome",
    draw=_draw_threshold,
    needs=(payoff.SystemNeed.BINARY,),
    protocols=("aki_alert", "sepsis"),
    reference="Yan 2025 (arXiv 2503.21138v1), B.1.1",
)
LINEAR_NOISE = payoff.EvaluationSystem(
    id="linear_noise",
    label="Linear, with noise",
    help="A chance that follows a linear score of conditions and subject; the outcome is drawn.",
    formula="outcome drawn with chance sigmoid(k z + b), b so that its mean is the real one",
    draw=_draw_noise,
    protocols=("aki_alert", "sepsis", "ad_conversion"),
    parameters=(
        payoff.Parameter(
            name="sharpness",
            words="Sharpness k",
            default=1.0,
            minimum=0.0,
            is_minimum_open=True,
            help="How far chances are apart: above 1 there is less noise, below 1 more.",
        ),
    ),
    reference="Yan 2025 (arXiv 2503.21138v1), B.1.1, with a chance instead of a cut",
)
