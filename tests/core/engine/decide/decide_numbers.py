"""Shared by tests of decide numbers."""

from dataclasses import replace

import numpy as np

from core.document.data.model import RowUse
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import Document, Role, RoleAssignment, TargetSpec

ROWS = 600

GIFTS = MatrixSpec(
    template="payoff.profit",
    kind=MatrixKind.PROFIT,
    levels=("0", "100"),
    decisions=("Mail", "Leave"),
    cells=((-4.0, 0.0), (96.0, 0.0)),
    acting="Mail",
    do_nothing="Leave",
)


def gift_columns(seed=5):
    draw = np.random.default_rng(seed)
    guess = np.round(draw.gamma(1.5, 5.0, ROWS), 2)
    gift = np.where(draw.random(ROWS) < 0.5, np.round(guess * 2 * draw.random(ROWS), 2), 0.0)
    rough = np.round(guess + draw.normal(0, 6, ROWS), 2)
    return {
        "donor": np.arange(ROWS) + 1,
        "gift": gift,
        "guess": guess,
        "rough": rough,
        "letter": np.round(draw.uniform(1, 6, ROWS), 2),
    }


def gift_document(data, **changes):
    roles = (
        RoleAssignment(column="donor", role=Role.ID),
        RoleAssignment(column="gift", role=Role.TARGET),
        RoleAssignment(column="guess", role=Role.PREDICTION, model="guess"),
        RoleAssignment(column="rough", role=Role.PREDICTION, model="rough"),
        RoleAssignment(column="letter", role=Role.COST),
    )
    document = Document(
        data=data,
        target=TargetSpec(column="gift", kind="interval"),
        rows_used=RowUse.ALL,
        case_word=("donor", "donors"),
        matrix=GIFTS,
    ).with_roles(roles)
    return replace(document, **changes)
