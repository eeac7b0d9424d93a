"""Real money in the window: loans of their own size, gifts as numbers, a promotion that costs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, cross_val_predict

from core.document.commands import SetMatrix, SetRowsUsed
from core.document.model import MatrixKind, MatrixSpec, Role, RowUse
from gui.pages.data.targets import name_target
from tests.e2e.conftest import Program
from tests.e2e.shared import SHARED
from tests.e2e.test_real_data import (
    check_numbers,
    give_role,
    look,
    open_file,
    out_of_fold,
    unexpected,
)

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not SHARED.is_dir(), reason="no shared data here"),
]


@pytest.fixture(scope="module")
def home(program: Program) -> Program:
    program.settle()
    return program


def filled(inputs: pd.DataFrame) -> pd.DataFrame:
    """Missing numbers by the median, missing words by a word."""
    inputs = inputs.copy()
    for name in inputs:
        is_number = pd.api.types.is_numeric_dtype(inputs[name])
        inputs[name] = inputs[name].fillna(inputs[name].median() if is_number else "none")
    return inputs


def matrix(levels: tuple[str, ...], acting: str, rest: str, cells: tuple[float, float]):
    return MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=levels,
        decisions=(acting, rest),
        cells=((cells[0], 0.0), (cells[1], 0.0)),
        acting=acting,
        do_nothing=rest,
    )


def type_into(program: Program, row: int, column: int, text: str) -> None:
    """Into a cell of the matrix, as a person does."""
    model = program.window.pages["decide"].earns.matrix.matrix_model
    assert model.setData(model.index(row, column), text, Qt.ItemDataRole.EditRole)
    program.settle()


def test_hmeq_with_the_loan_of_each_applicant(home: Program, tmp_path: Path):
    table = pd.read_csv(SHARED / "hmeq" / "hmeq.csv")
    scored = out_of_fold(filled(table.drop(columns="BAD")), table["BAD"].to_numpy(int))
    for name, chance in scored.items():
        table[f"p_{name}"] = np.round(chance, 6)
    path = tmp_path / "hmeq_scored.csv"
    table.to_csv(path, index=False)
    open_file(home, path)
    space = home.workspace
    assert space.document.target.column == "BAD"
    space.execute(SetRowsUsed(rows_used=RowUse.ALL))
    space.execute(SetMatrix(matrix=matrix(("1", "0"), "Lend", "Refuse", (-1.0, 1.0))))
    home.window.show_page("decide")
    home.settle()
    line = home.window.pages["decide"].earns.amount
    place = line.column.findData("LOAN")
    line.column.setCurrentIndex(place)
    line.column.activated.emit(place)
    home.settle()
    type_into(home, 0, 1, "=-0.6*amount")
    type_into(home, 1, 1, "=0.08*amount")
    result, loan = space.decisions, table["LOAN"].to_numpy(float)
    is_bad = table["BAD"].to_numpy() == 1
    for model in result.models:
        chance = table[f"p_{model.model}"].to_numpy()
        lends = -0.6 * chance + 0.08 * (1 - chance) >= -1e-12
        brought = np.where(is_bad, -0.6, 0.08) * loan
        assert model.total.value == pytest.approx(float(brought[lends].sum()))
    assert result.act_on_all == pytest.approx(float(brought.sum()))
    assert result.rule_threshold == pytest.approx(0.08 / 0.68)
    assert "whatever LOAN is" in result.rule_text
    check_numbers(home)
    look(home, "hmeq_loans")
    type_into(home, 0, 1, "=-0.6*amount - 500")
    assert space.decisions.rule_threshold is None
    assert "depends on LOAN" in space.decisions.rule_reason
    check_numbers(home)
    assert not unexpected(home)


def test_pva_gifts_as_numbers_with_knots(home: Program, tmp_path: Path):
    table = pd.read_csv(SHARED / "pva97nk" / "pva97nk.csv", dtype={"ID": str})
    table["TARGET_D"] = table["TARGET_D"].fillna(0.0)
    numbers = table.drop(columns=["TARGET_B", "TARGET_D", "ID"]).select_dtypes("number")
    folds = KFold(5, shuffle=True, random_state=20261)
    gift = table["TARGET_D"].to_numpy(float)
    guess = cross_val_predict(LinearRegression(), filled(numbers), gift, cv=folds)
    part = pd.DataFrame({"TARGET_D": gift, "gift_linear": np.round(guess, 4)})
    path = tmp_path / "pva_gifts.csv"
    part.to_csv(path, index=False)
    open_file(home, path)
    space = home.workspace
    column = next(c for c in space.summary.columns if c.name == "TARGET_D")
    if space.document.target is None or space.document.target.column != "TARGET_D":
        assert space.execute(name_target(space.document, column))
    if space.document.role_of("gift_linear").role is not Role.PREDICTION:
        give_role(home, "gift_linear", Role.PREDICTION)
    space.execute(SetRowsUsed(rows_used=RowUse.ALL))
    knots = matrix(("0", "100"), "Solicit", "Leave", (-0.68, 99.32))
    space.execute(SetMatrix(matrix=knots))
    home.window.show_page("decide")
    home.settle()
    assert not home.window.pages["decide"].earns.amount.isVisible()
    result = space.decisions
    chosen = part["gift_linear"].to_numpy() >= 0.68
    assert result.models[0].total.value == pytest.approx(float((gift - 0.68)[chosen].sum()))
    assert result.act_on_all == pytest.approx(float((gift - 0.68).sum()))
    assert result.rule_threshold == pytest.approx(0.68)
    look(home, "pva_gifts")
    assert not unexpected(home)


def test_a_promotion_that_costs_fifteen_cents(home: Program, tmp_path: Path):
    table = pd.read_csv(SHARED / "starbucks_promo" / "training.csv")
    table = table[table["Promotion"] == "Yes"].reset_index(drop=True)
    inputs = table[[f"V{i}" for i in range(1, 8)]]
    scored = out_of_fold(inputs, table["purchase"].to_numpy(int))
    part = pd.DataFrame({"purchase": table["purchase"]})
    for name, chance in scored.items():
        part[f"p_{name}"] = np.round(chance, 6)
    path = tmp_path / "promoted.csv"
    part.to_csv(path, index=False)
    open_file(home, path)
    space = home.workspace
    assert space.document.target.column == "purchase"
    assert space.document.target.event == "1"
    space.execute(SetRowsUsed(rows_used=RowUse.ALL))
    space.execute(SetMatrix(matrix=matrix(("1", "0"), "Promote", "Leave", (9.85, -0.15))))
    home.settle()
    result = space.decisions
    bought = part["purchase"].to_numpy() == 1
    for model in result.models:
        chance = part[f"p_{model.model}"].to_numpy()
        sent = 10.0 * chance - 0.15 >= -1e-12
        brought = np.where(bought, 9.85, -0.15)
        assert model.total.value == pytest.approx(float(brought[sent].sum()))
    assert result.rule_threshold == pytest.approx(0.015)
    check_numbers(home)
    look(home, "promotion")
    assert not unexpected(home)
