"""Acting only where a predicted effect pays, through the matrix editor, by the real engine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.document.data.model import RowUse
from core.document.decisions.formulas import amount_shares
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from core.engine.messages import SaveArguments
from tests.helpers.factories.decision_bases import read
from tests.helpers.factories.scored import write_csv
from tests.helpers.harness import RealDecideHarness

ROWS = 300


def columns() -> dict[str, object]:
    draw = np.random.default_rng(4)
    probability = draw.uniform(0.05, 0.6, ROWS)
    return {
        "bought": np.where(draw.random(ROWS) < probability, "yes", "no"),
        "chance": np.round(probability, 4),
        "effect": np.round(draw.normal(0.01, 0.05, ROWS), 4),
    }


def document_of(document: Document) -> Document:
    roles = (
        RoleAssignment(column="bought", role=Role.TARGET),
        RoleAssignment(column="chance", role=Role.POSTERIOR, model="chance", level="yes"),
        RoleAssignment(column="effect", role=Role.INPUT),
    )
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("yes", "no"),
        decisions=("Treat", "Leave"),
        cells=((0.0, 0.0), (0.0, 0.0)),
        acting="Treat",
        do_nothing="Leave",
    )
    return Document(
        data=document.data,
        target=TargetSpec(column="bought", kind="binary", levels=("yes", "no")),
        rows_used=RowUse.ALL,
        matrix=matrix,
    ).with_roles(roles)


def is_typed(matrix: MatrixSpec | None, row: int) -> bool:
    return matrix is not None and amount_shares(matrix)[row][0] == 10.0


def test_only_those_are_treated_whose_effect_pays(
    real_desk: RealDecideHarness, qtbot: QtBot, tmp_path: Path
) -> None:
    """One who comes brings 10, a contact costs 0.15: treat where the effect is above 0.015."""
    given = columns()
    real_desk.open(write_csv(tmp_path / "promotion.csv", given))
    real_desk.take(document_of(real_desk.session.project.document))
    space, card = real_desk.session, real_desk.page.earns
    line = card.amount.column
    line.setCurrentIndex(line.findData("effect"))
    line.activated.emit(line.currentIndex())
    model = card.matrix.matrix_model
    for row in (0, 1):
        cell = model.index(row, 1)  # beside the class
        model.setData(cell, "=10*amount - 0.15", Qt.ItemDataRole.EditRole)
        qtbot.waitUntil(lambda row=row: is_typed(space.project.document.matrix, row))
    real_desk.settle()
    result = space.results.decisions
    assert result is not None
    effect = np.asarray(given["effect"])
    treated = 10 * effect > 0.15
    assert result.models[0].rule_cases == treated.sum()
    assert result.models[0].total.value == pytest.approx((10 * effect - 0.15)[treated].sum())
    described = [entry.text for entry in result.advice]
    assert any("“Treat” brings follows effect, whatever happens" in text for text in described)
    out = str(tmp_path / "out.csv")
    space.jobs.submit(
        "save_decisions",
        SaveArguments(
            document=space.project.document,
            model="chance",
            path=out,
            columns=("D",),
            use_cursor=False,
        ),
    )
    decided = [row["D_bought"] == "Treat" for row in read(out)]
    assert decided == treated.tolist()
