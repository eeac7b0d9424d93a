"""Shared by tests of commands."""

from __future__ import annotations

from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import (
    Document,
    Role,
    RoleAssignment,
    TargetSpec,
)


def mailing() -> Document:
    roles = (
        RoleAssignment(column="responded", role=Role.TARGET),
        RoleAssignment(column="p_a", role=Role.POSTERIOR, model="a", level="1"),
        RoleAssignment(column="p_b", role=Role.POSTERIOR, model="b", level="1"),
        RoleAssignment(column="age", role=Role.INPUT),
    )
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=((24.0, 0.0), (-1.6, 0.0)),
        acting="Mail",
        do_nothing="Do nothing",
    )
    target = TargetSpec(column="responded", kind="binary", levels=("1", "0"))
    return Document(matrix=matrix, target=target).with_roles(roles)
