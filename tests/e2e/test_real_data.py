"""Real data in the window: files opened, roles right or put right, numbers finite and checked."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.document.commands import SetOldPriors, SetRowsUsed
from core.document.data.model import RowUse
from core.document.decisions.commands import SetMatrix, SetPriors
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import OldPriorKind, OldPriors, Role
from tests.e2e.opening import open_file
from tests.e2e.real_data import check_numbers, out_of_fold, unexpected
from tests.helpers.program import Program
from tests.helpers.shared_data import SHARED

pytestmark = [
    pytest.mark.soak,
    pytest.mark.shared_data,
    pytest.mark.timeout(240),  # real window and engine; a cold machine compiles first
]


def look(program: Program, name: str) -> None:
    """Every page is painted; a picture is kept where asked."""
    for page in ("data", "compare", "decide"):
        program.window.show_page(page)
        program.settle()
        program.picture(f"{name}-{page}")
    assert program.window.pages["decide"].tables.check_holds


def test_german_credit_with_a_loss_of_five_to_one(home: Program, tmp_path: Path):
    names = [f"a{index}" for index in range(1, 21)]
    table = pd.read_csv(SHARED / "german_credit" / "german.data", sep=" ", names=[*names, "class"])
    table["class"] = np.where(table["class"] == 2, "bad", "good")
    scored = out_of_fold(table[names], (table["class"] == "bad").to_numpy(int))
    for name, probability in scored.items():
        table[f"p_{name}_bad"] = np.round(probability, 6)
        table[f"p_{name}_good"] = np.round(1.0 - probability, 6)
    path = tmp_path / "german_scored.csv"
    table.to_csv(path, index=False, quoting=csv.QUOTE_MINIMAL)
    open_file(home, path)
    space = home.session
    assert space.project.document.target is not None
    assert space.project.document.target.column == "class"
    assert space.project.document.target.event == "bad"
    assert {m.name for m in space.project.document.models} == {"logistic", "boosting"}
    assert set(space.project.document.posterior_columns("logistic")) == {"bad", "good"}
    space.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    matrix = MatrixSpec(
        template="payoff.loss",
        kind=MatrixKind.LOSS,
        levels=space.project.document.target.levels,
        decisions=("Refuse", "Lend"),
        cells=((0.0, 5.0), (1.0, 0.0)),
        acting="Refuse",
        do_nothing="Lend",
    )
    space.project.execute(SetMatrix(matrix=matrix))
    home.settle()
    result = space.results.decisions
    assert result.rows.rows == 1000
    assert result.class_counts.tolist() == [300, 700]
    assert result.rule_threshold == pytest.approx(1 / 6)
    check_numbers(home)
    for (
        model
    ) in space.results.decisions.models:  # refusing all loses 0.7 a case, lending to all 1.5
        assert 0.35 < -model.total.value / 1000 < 0.7
    look(home, "german")
    assert "Loss" in home.window.pages["decide"].chart.view.spec.title
    assert not unexpected(home)


def test_pva_donors_with_the_share_of_real_life(home: Program, tmp_path: Path):
    table = pd.read_csv(SHARED / "pva97nk" / "pva97nk.csv", dtype={"ID": str})
    inputs = table.drop(columns=["TARGET_B", "TARGET_D", "ID"])
    for name in inputs:
        if pd.api.types.is_numeric_dtype(inputs[name]):
            inputs[name] = inputs[name].fillna(inputs[name].median())
        else:
            inputs[name] = inputs[name].fillna("none")
    scored = out_of_fold(inputs, table["TARGET_B"].to_numpy(int))
    for name, probability in scored.items():
        table[f"p_{name}"] = np.round(probability, 6)
    path = tmp_path / "pva_scored.csv"
    table.to_csv(path, index=False)
    open_file(home, path)
    space = home.session
    assert space.project.document.target.column == "TARGET_B"
    assert space.project.document.target.event == "1"
    assert {m.name for m in space.project.document.models} == {"logistic", "boosting"}
    space.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Solicit", "Leave"),
        cells=((15.14, 0.0), (-0.68, 0.0)),
        acting="Solicit",
        do_nothing="Leave",
    )
    space.project.execute(SetMatrix(matrix=matrix))
    space.project.execute(SetPriors(priors=(("1", 0.05), ("0", 0.95))))
    for model in space.project.document.models:
        halves = OldPriors(kind=OldPriorKind.TRAINED_AT, shares=(("1", 0.5), ("0", 0.5)))
        space.project.execute(SetOldPriors(model=model.name, old_priors=halves))
    home.settle()
    result = space.results.decisions
    assert result.class_weight[0] / result.class_weight.sum() == pytest.approx(0.05)
    for model in result.models:
        assert model.mean_probability_before[0] > 0.4
        assert model.mean_probability_after[0] == pytest.approx(0.05, abs=0.01)
        assert result.act_on_all <= model.total.value
        assert not model.warnings
    assert "5.0" in result.holds_fixed
    check_numbers(home)
    look(home, "pva")
    assert not unexpected(home)


def test_hillstrom_with_its_treatment(home: Program, tmp_path: Path):
    table = pd.read_csv(SHARED / "hillstrom" / "hillstrom.csv")
    inputs = table.drop(columns=["visit", "conversion", "spend", "segment"])
    scored = out_of_fold(inputs, table["visit"].to_numpy(int))
    for name, probability in scored.items():
        table[f"p_{name}"] = np.round(probability, 6)
    path = tmp_path / "hillstrom_scored.csv"
    table.to_csv(path, index=False)
    open_file(home, path)
    space = home.session
    home.give_role("visit", Role.TARGET)  # "conversion" could be the outcome as well
    home.give_role("segment", Role.TREATMENT)
    home.settle()
    assert space.project.document.target.column == "visit"
    assert space.project.document.column_of(Role.TREATMENT) == "segment"
    assert {m.name for m in space.project.document.models} == {"logistic", "boosting"}
    space.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    home.settle()
    assert space.results.decisions.rows.rows == 64_000
    assert space.results.decisions.class_counts.tolist() == [9394, 54606]
    check_numbers(home)
    look(home, "hillstrom")
    assert not unexpected(home)
