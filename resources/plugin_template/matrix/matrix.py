"""My plugin: whom to remind of an appointment."""

import numpy as np

import payoff


def consequences(n_levels, parameters):
    """What each decision brings, the event (the appointment is missed) in the first row."""
    cells = np.zeros((n_levels, 2))
    cells[:, 0] = -parameters["reminder"]
    cells[0, 0] += parameters["works"] * parameters["missed"]
    return cells


MATRIX = payoff.DecisionMatrix(
    id="example.my_plugin",
    label="My plugin",
    help="Whom to remind, when a reminder costs money and a missed appointment more.",
    formula="remind: works × missed if it would be missed, less the reminder; do nothing: 0",
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Remind", "Do nothing"),
    consequences=consequences,
    acting="Remind",
    do_nothing="Do nothing",
    level_words=("misses it", "comes"),
    case_word=("appointment", "appointments"),
    is_linear=False,  # a product of two parameters
    parameters=(
        payoff.Parameter(
            name="missed",
            words="a missed appointment costs",
            default=60.0,
            minimum=0.0,
            unit=payoff.NumberUnit.MONEY,
        ),
        payoff.Parameter(
            name="works",
            words="a reminder prevents it in",
            default=0.4,
            minimum=0.0,
            maximum=1.0,
            unit=payoff.NumberUnit.PERCENT,
        ),
        payoff.Parameter(
            name="reminder",
            words="a reminder costs",
            default=1.5,
            minimum=0.0,
            unit=payoff.NumberUnit.MONEY,
        ),
    ),
)


@payoff.hookimpl
def payoff_register_decision_matrices():
    """Tell Payoff of the matrix."""
    return [MATRIX]
