"""Shared by tests of bases."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np

import payoff
from core.document.data.model import RowUse
from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.model import Document, Role, RoleAssignment, TargetSpec

ROWS = 400

BENT = MatrixSpec(  # a gift counts up to 20: the line bends there
    template="payoff.profit",
    kind=MatrixKind.PROFIT,
    levels=("0", "20", "100"),
    decisions=("Mail", "Leave"),
    cells=((-6.0, 0.0), (14.0, 0.0), (14.0, 0.0)),
    acting="Mail",
    do_nothing="Leave",
)

QUANTILES = ((0.1, "q10"), (0.5, "q50"), (0.9, "q90"))


def gift_columns():
    """Gifts of a skewed distribution whose quantiles are known, and its mean as a prediction."""
    draw = np.random.default_rng(11)
    scale = draw.uniform(1.0, 14.0, ROWS)
    gift = scale * draw.exponential(size=ROWS)
    return {
        "donor": np.arange(ROWS) + 1,
        "gift": np.round(gift, 3),
        "guess": np.round(scale, 3),
        **{
            f"q{round(100 * level)}": np.round(-scale * np.log(1.0 - level), 3)
            for level in (0.1, 0.5, 0.9)
        },
    }


def gift_document(data):
    roles = (
        RoleAssignment(column="donor", role=Role.ID),
        RoleAssignment(column="gift", role=Role.TARGET),
        RoleAssignment(column="guess", role=Role.PREDICTION, model="guess"),
    )
    return Document(
        data=data,
        target=TargetSpec(column="gift", kind="interval"),
        rows_used=RowUse.ALL,
        matrix=BENT,
    ).with_roles(roles)


def by_script():
    return payoff.decide(
        gift_columns(),
        matrix={0: [-6, 0], 20: [14, 0], 100: [14, 0]},
        decisions=["Mail", "Leave"],
        target="gift",
        predicted="guess",
        quantiles=dict(QUANTILES),
    )


def read(path):
    with Path(path).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def leaf_columns():
    """Five leaves with a chance each, and a cost of the case."""
    draw = np.random.default_rng(7)
    leaf = draw.integers(0, 5, ROWS)
    probability = np.array([0.05, 0.2, 0.3, 0.5, 0.8])[leaf]
    return {
        "chance": probability,
        "sold": np.where(draw.random(ROWS) < probability, "yes", "no"),
        "leaf": [f"leaf {number}" for number in leaf],
        "visit": np.round(draw.uniform(0.5, 9.0, ROWS), 2),
    }


def leaf_document(data, **changes):
    roles = (
        RoleAssignment(column="sold", role=Role.TARGET),
        RoleAssignment(column="chance", role=Role.POSTERIOR, model="tree", level="yes"),
        RoleAssignment(column="visit", role=Role.COST),
    )
    matrix = MatrixSpec(
        template="payoff.revenue",
        kind=MatrixKind.REVENUE,
        levels=("yes", "no"),
        decisions=("Visit", "Leave"),
        cells=((15.0, 0.0), (0.0, 0.0)),
        costs=(CostSpec(column="visit"), CostSpec()),
        acting="Visit",
        do_nothing="Leave",
    )
    document = Document(
        data=data,
        target=TargetSpec(column="sold", kind="binary", levels=("yes", "no")),
        rows_used=RowUse.ALL,
        matrix=matrix,
    ).with_roles(roles)
    return replace(document, **changes)


def visits_by_script(**changes):
    return payoff.decide(
        leaf_columns(),
        matrix={"yes": [15, 0], "no": [0, 0]},
        kind="revenue",
        decisions=["Visit", "Leave"],
        target="sold",
        posteriors={"yes": "chance"},
        costs=["visit", 0],
        **changes,
    )
