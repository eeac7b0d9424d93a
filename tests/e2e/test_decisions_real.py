"""Money on real data in the window: a loan per case, gifts as the outcome, a promotion with a cost.

One session per data set; every total on screen is worked out again with numpy from the file.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import KFold, cross_val_predict

from core.document.commands import SetRowsUsed
from core.document.data.model import RowUse
from core.document.decisions.commands import SetMatrix
from core.document.decisions.formulas import amount_shares
from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.model import Role
from core.document.wording import format_money
from gui.pages.data.targets import name_target
from gui.pages.decide.studies.break_even import BreakEvenStudy
from gui.pages.decide.studies.capacity import CapacityStudy
from gui.pages.decide.studies.what_if import WhatIfStudy
from gui.pages.decide.studies.winner_map import WinnerMapStudy
from tests.e2e.decision_studies import opened
from tests.e2e.opening import open_file
from tests.e2e.real_data import (
    check_numbers,
    out_of_fold,
    unexpected,
)
from tests.helpers.program import Program
from tests.helpers.shared_data import SHARED

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.timeout(300),  # real window and engine; a cold machine compiles first
]


def type_cell(program: Program, row: int, text: str) -> None:
    """Into the first column of the matrix, as a person does."""
    model = program.window.pages["decide"].earns.matrix.matrix_model
    assert model.setData(model.index(row, 1), text, Qt.ItemDataRole.EditRole)
    program.settle()


def total_of(program: Program, name: str):
    found = next(m for m in program.session.results.decisions.models if m.model == name)
    assert found.total.low < found.total.value < found.total.high
    return found


def lending(table: pd.DataFrame, probability: np.ndarray, lost: float, won: float) -> float:
    """What is brought by lending where the loan is expected to bring more than nothing."""
    lends = won * (1 - probability) - lost * probability >= 0
    realised = np.where(table["BAD"] == 1, -lost, won) * table["LOAN"]
    return float(realised[lends].sum())


@pytest.mark.soak
def test_hmeq_with_the_loan_of_each_case(home: Program, tmp_path: Path) -> None:
    table = pd.read_csv(SHARED / "hmeq" / "hmeq.csv")
    inputs = table.drop(columns=["BAD"])
    for name in inputs:
        is_number = pd.api.types.is_numeric_dtype(inputs[name])
        inputs[name] = inputs[name].fillna(inputs[name].median() if is_number else "none")
    scored = {n: np.round(c, 6) for n, c in out_of_fold(inputs, table["BAD"].to_numpy()).items()}
    path = tmp_path / "hmeq_scored.csv"
    table.assign(**{f"p_{n}": c for n, c in scored.items()}).to_csv(path, index=False)
    open_file(home, path)
    space = home.session
    assert space.project.document.target.column == "BAD"
    assert space.project.document.target.event == "1"
    space.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    home.window.show_page("decide")
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Lend", "Refuse"),
        cells=((0.0, 0.0), (0.0, 0.0)),
        acting="Lend",
        do_nothing="Refuse",
    )
    space.project.execute(SetMatrix(matrix=matrix))
    home.settle()
    line = home.window.pages["decide"].earns.amount
    line.column.setCurrentIndex(line.column.findData("LOAN"))
    line.column.activated.emit(line.column.currentIndex())
    type_cell(home, 0, "=-0.6*amount")
    type_cell(home, 1, "=0.08*amount")
    assert space.project.document.matrix.amount == "LOAN"
    assert amount_shares(space.project.document.matrix) == ((-0.6, 0.0), (0.08, 0.0))
    for name, probability in scored.items():
        assert total_of(home, name).total.value == pytest.approx(
            lending(table, probability, 0.6, 0.08)
        )
    result = space.results.decisions
    assert result.act_on_all == pytest.approx(lending(table, np.zeros(len(table)), 0.6, 0.08))
    assert "11.76" in result.rule_text  # 0.08 / 0.68, whatever the loan is
    check_numbers(home)
    check_amount_studies(home, table, scored)
    home.look("hmeq")
    check_saved(home, tmp_path / "hmeq_decided.csv", "CP_BAD")
    assert not unexpected(home)


def check_amount_studies(home: Program, table: pd.DataFrame, scored: dict[str, np.ndarray]) -> None:
    """The tabs that move numbers, with a loan per case."""
    best = max(lending(table, probability, 0.6, 0.08) for probability in scored.values())
    what_if = opened(home, WhatIfStudy)
    home.wait(lambda: what_if.result is not None, 200)
    for model in what_if.result.models:
        wanted = lending(table, scored[model.model], 0.6, 0.08)
        assert model.now.value == pytest.approx(wanted)
        assert model.remade.value == pytest.approx(wanted)  # nothing is tried yet
    home.look("hmeq-what-if")
    break_even = opened(home, BreakEvenStudy)
    home.wait(lambda: break_even.answer is not None)
    rows = {(row.level, row.decision): row for row in break_even.answer.numbers}
    lost = rows["1", "Lend"]
    assert lost.unit == "share"
    assert lost.now == -0.6
    assert break_even.answer.total == pytest.approx(best)
    turn = next(crossing for crossing in lost.winner + lost.beaten if crossing is not None)
    assert -1e6 < turn.value < 1e6
    drawn = opened(home, WinnerMapStudy)
    home.wait(lambda: drawn.answer is not None)
    assert drawn.answer.now_profit == pytest.approx(best)
    assert drawn.answer.cases == len(table)  # every case was looked at
    assert drawn.answer.error == 0.0
    capacity = opened(home, CapacityStudy)
    home.wait(lambda: capacity.view is not None)


def check_saved(home: Program, out: Path, column: str) -> None:
    """The saved decisions bring what page Decide says."""
    dialog = home.window.pages["decide"].open_save()
    dialog.columns.editor("CP").click()
    dialog.file.set_text(str(out))
    dialog.accept()
    home.wait(out.is_file)
    home.settle()
    with out.open(encoding="utf-8", newline="") as file:
        realised = sum(float(row[column]) for row in csv.DictReader(file))
    space = home.session
    shown = total_of(home, space.project.document.reference_model)
    assert realised == pytest.approx(shown.total.value)
    number = home.window.pages["decide"].headline.number.text()
    assert number == format_money(shown.total.value, space.project.document.currency)


@pytest.mark.soak
def test_pva_gifts_as_the_outcome(home: Program, tmp_path: Path) -> None:
    table = pd.read_csv(SHARED / "pva97nk" / "pva97nk.csv", dtype={"ID": str})
    table["TARGET_D"] = table["TARGET_D"].fillna(0.0)  # empty: nothing was given
    gift = table["TARGET_D"].to_numpy()
    inputs = table.drop(columns=["TARGET_B", "TARGET_D", "ID"]).select_dtypes("number")
    model = HistGradientBoostingRegressor(max_iter=60, max_leaf_nodes=8, random_state=20261)
    folds = KFold(5, shuffle=True, random_state=20261)
    predicted = np.round(cross_val_predict(model, inputs, gift, cv=folds), 4)
    path = tmp_path / "pva_gifts.csv"
    table.drop(columns="TARGET_B").assign(pred_boosting=predicted).to_csv(path, index=False)
    open_file(home, path)
    space = home.session
    summary = next(column for column in space.project.summary.columns if column.name == "TARGET_D")
    assert space.project.execute(name_target(space.project.document, summary))
    if space.project.document.role_of("pred_boosting").role is not Role.PREDICTION:
        home.give_role("pred_boosting", Role.PREDICTION)
    space.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    home.window.show_page("decide")
    home.settle()
    matrix = replace(
        space.project.document.matrix,
        levels=("0", "100"),
        decisions=("Solicit", "Leave"),
        cells=((-0.68, 0.0), (99.32, 0.0)),
        acting="Solicit",
        do_nothing="Leave",
    )
    space.project.execute(SetMatrix(matrix=matrix))
    home.settle()
    result = space.results.decisions
    assert result.rows.rows == len(table)
    chosen = predicted >= 0.68
    (found,) = result.models
    assert found.total.value == pytest.approx(float((gift - 0.68)[chosen].sum()))
    assert found.expected_total == pytest.approx(float((predicted - 0.68)[chosen].sum()))
    assert result.act_on_all == pytest.approx(float((gift - 0.68).sum()))  # 200 is beyond the knots
    assert found.best_total == pytest.approx(float(np.maximum(gift - 0.68, 0.0).sum()))
    assert "above 0.68" in result.rule_text
    assert home.window.pages["decide"].tables.check_holds
    home.look("pva-gifts")
    check_saved(home, tmp_path / "pva_decided.csv", "CP_TARGET_D")
    assert not unexpected(home)


@pytest.mark.soak
def test_starbucks_promotion_at_fifteen_cents(home: Program, tmp_path: Path) -> None:
    table = pd.read_csv(SHARED / "starbucks_promo" / "training.csv")
    table = table[table["Promotion"] == "Yes"].drop(columns="Promotion").reset_index(drop=True)
    inputs = table.drop(columns=["ID", "purchase"])
    bought = table["purchase"].to_numpy()
    scored = {n: np.round(c, 6) for n, c in out_of_fold(inputs, bought).items()}
    path = tmp_path / "promotion_scored.csv"
    table.assign(**{f"p_{n}": c for n, c in scored.items()}).to_csv(path, index=False)
    open_file(home, path)
    space = home.session
    assert space.project.document.target.column == "purchase"
    space.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    home.window.show_page("decide")
    matrix = MatrixSpec(
        template="payoff.revenue",
        kind=MatrixKind.REVENUE,
        levels=("1", "0"),
        decisions=("Send", "Leave"),
        cells=((10.0, 0.0), (0.0, 0.0)),
        acting="Send",
        do_nothing="Leave",
        costs=(CostSpec(amount=0.15), CostSpec()),
    )
    space.project.execute(SetMatrix(matrix=matrix))
    home.settle()
    result = space.results.decisions
    assert result.rule_threshold == pytest.approx(0.015)
    for name, probability in scored.items():
        sent = probability >= 0.015
        spent = 0.15 * float(sent.sum())
        earned = 10.0 * float(bought[sent].sum()) - spent
        shown = total_of(home, name)
        assert shown.total.value == pytest.approx(earned)
        assert shown.roi == pytest.approx(earned / spent)
    assert result.act_on_all == pytest.approx(10.0 * bought.sum() - 0.15 * len(table))
    check_numbers(home)
    home.look("promotion")
    check_saved(home, tmp_path / "promotion_decided.csv", "CP_purchase")
    assert not unexpected(home)
