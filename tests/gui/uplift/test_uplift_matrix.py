"""Profit of an uplift by the matrix editor of page Decide: cells typed there price page Uplift."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from core.document.decisions.commands import SetMatrix
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.studies.uplift import SaveUpliftArguments
from core.document.wording import MINUS
from gui.pages.decide.widget import DecidePage
from tests.helpers.factories.decision_bases import read

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile

PLAIN = MatrixSpec(
    template="payoff.profit",
    kind=MatrixKind.PROFIT,
    levels=("1", "0"),
    decisions=("Mail", "Leave alone"),
    cells=((0.0, 0.0), (0.0, 0.0)),
    acting="Mail",
)


def test_cells_typed_on_decide_say_whom_to_treat(harness, qtbot, tmp_path):
    """Whoever buys brings 10, mailed or not; a letter costs 1.50, and 2 more if it sells."""
    harness.answer()
    decide = DecidePage(harness.session)
    qtbot.addWidget(decide)
    harness.session.project.execute(SetMatrix(matrix=PLAIN))
    model = decide.earns.matrix.matrix_model
    for row, column, text in ((0, 1, "6.5"), (0, 2, "10"), (1, 1, f"{MINUS}1.5")):
        assert model.setData(model.index(row, column), text, Qt.ItemDataRole.EditRole)
    menu = harness.page.prices.menu()
    menu.aboutToShow.emit()
    follow = next(a for a in menu.actions() if a.text() == "From the decision matrix")
    seen = len(harness.engine.of_kind("uplift.page"))
    follow.trigger()
    harness.next_answer(seen)
    assert harness.page.result.price_used == (10.0, 1.5, 2.0)
    choice = harness.page.result.models[0].choice
    assert 0 < choice.depth < 1  # those left alone would have bought too
    out = str(tmp_path / "treat.csv")
    requested = SaveUpliftArguments(
        document=harness.session.project.document, model="uplift", path=out
    )
    harness.real.run("save_uplift", requested)
    rows = [row for row in read(out) if row["U_bought"]]
    treated = np.array([row["D_arm"] == "mail" for row in rows])
    score = np.array([float(row["U_bought"]) for row in rows])
    assert treated.any()
    assert score[treated].min() > score[~treated].max()  # the others are left alone
    seen = len(harness.engine.of_kind("uplift.page"))
    cell = model.index(1, 1)
    assert model.setData(cell, f"{MINUS}9", Qt.ItemDataRole.EditRole)  # a letter costs 9
    harness.next_answer(seen)
    dearer = harness.page.result.models[0].choice
    assert dearer.depth < choice.depth
