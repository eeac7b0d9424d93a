"""How many units of platelets to order for tomorrow: too few must be rushed, too many expire.

The outcome is a number, tomorrow's demand. The rows of the matrix are values of the demand; in
between the costs run in straight lines, which is exact because every bend is a row.
"""

import numpy as np

import payoff

ORDERS = (0, 10, 20, 30, 40)
DEMANDS = (*ORDERS, 50)  # beyond the largest order too: from there the costs run on straight


def consequences(n_levels, parameters):
    """Cost of each order at each demand: units rushed in, units that expire."""
    demand = np.array(DEMANDS, dtype=float)[:, np.newaxis]
    ordered = np.array(ORDERS, dtype=float)[np.newaxis, :]
    missing = np.maximum(demand - ordered, 0.0)
    left_over = np.maximum(ordered - demand, 0.0)
    return parameters["rushed"] * missing + parameters["expired"] * left_over


BLOOD_BANK = payoff.DecisionMatrix(
    id="example.blood_bank",
    label="Blood bank",
    help="How many units to order, when missing ones must be rushed in and others expire.",
    formula="rushed × max(demand − order, 0) + expired × max(order − demand, 0)",
    reference="The newsvendor of Arrow, Harris & Marschak 1951",
    kind=payoff.ConsequenceKind.LOSS,
    decisions=tuple(f"Order {units}" if units else "Order none" for units in ORDERS),
    consequences=consequences,
    acting="Order 20",
    level_words=tuple(f"{units} units are needed" for units in DEMANDS),
    case_word=("day", "days"),
    is_interval=True,
    knots=tuple(float(units) for units in DEMANDS),
    n_levels=len(DEMANDS),
    parameters=(
        payoff.Parameter(
            name="rushed",
            words="a unit rushed in costs",
            default=450.0,
            minimum=0.0,
            unit=payoff.NumberUnit.MONEY,
        ),
        payoff.Parameter(
            name="expired",
            words="a unit that expires costs",
            default=210.0,
            minimum=0.0,
            unit=payoff.NumberUnit.MONEY,
        ),
    ),
)


@payoff.hookimpl
def payoff_register_decision_matrices():
    """Tell Payoff of the matrix."""
    return [BLOOD_BANK]
