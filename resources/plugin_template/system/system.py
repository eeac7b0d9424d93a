"""My plugin: outcomes that rise with a linear score and level off."""

import numpy as np

import payoff


def level_off(score, steepness):
    """Return a share between 0 and 1."""
    return 1.0 / (1.0 + np.exp(-steepness * np.clip(score, -30.0, 30.0)))


def draw(rows, subjects, random, parameters):
    """Draw the weights of conditions and subject, and say what comes of each row.

    ``rows.conditions`` is (rows, columns), ``subjects.features`` (rows, parameters of a subject).
    All chance comes from ``random``.
    """
    steepness = parameters["steepness"]
    of_condition = rows.conditions @ random.standard_normal(rows.conditions.shape[1])
    of_subject = random.standard_normal(rows.parameters)
    score = of_condition + subjects.features @ of_subject
    middle, spread = score.mean(), score.std()

    def answer(places, others):
        """Return what would come of other subjects under the conditions of some rows."""
        moved = of_condition[places] + others.features @ of_subject
        return level_off((moved - middle) / spread, steepness)

    outcome = level_off((score - middle) / spread, steepness)
    return payoff.DrawnSystem(outcome=outcome, answer=answer)


SYSTEM = payoff.EvaluationSystem(
    id="my_plugin",
    label="My plugin",
    help="A linear score of conditions and subject that levels off towards 0 and 1.",
    formula="outcome = 1 / (1 + exp(-steepness z)), z = Theta2 EC + Theta1 T(S)",
    draw=draw,
    protocols=("aki_alert", "sepsis", "ad_conversion"),
    parameters=(
        payoff.Parameter(
            name="steepness",
            words="Steepness",
            default=1.0,
            minimum=0.1,
            maximum=10.0,
            help="How quickly the outcome goes from 0 to 1.",
        ),
    ),
)


@payoff.hookimpl
def payoff_register_evaluation_systems():
    """Tell Payoff of the system."""
    return [SYSTEM]
