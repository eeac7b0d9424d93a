"""Shared by tests of goal seek."""

from __future__ import annotations

from dataclasses import replace

from core.document.decisions.matrix_model import (
    CostSpec,
    MatrixKind,
    MatrixSpec,
)


def mailing(document):
    matrix = MatrixSpec(
        template="payoff.direct_mail",
        kind=MatrixKind.PROFIT,
        levels=("yes", "no"),
        decisions=("Mail", "Do nothing"),
        cells=(),
        acting="Mail",
        parameters=(("response_value", 10.0), ("letter_cost", 2.0)),
        do_nothing="Do nothing",
    )
    return replace(document, matrix=matrix)


def costly(document):
    matrix = replace(document.matrix, costs=(CostSpec(amount=0.5), CostSpec()))
    return replace(document, matrix=matrix, priors=(("yes", 0.25), ("no", 0.75)))
