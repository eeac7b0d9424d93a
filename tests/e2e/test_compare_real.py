"""Page Compare on real data: HMEQ with models trained here, PVA97NK with the share of real life."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.document.commands import SetOldPriors, SetRowsUsed, SetSplit
from core.document.compare.chart_kinds import kinds_of
from core.document.compare.commands import SetCharts
from core.document.data.model import RowUse
from core.document.decisions.commands import SetPriors
from core.document.model import OldPriorKind, OldPriors, Role
from tests.e2e.compare import rows_of
from tests.e2e.opening import open_file
from tests.e2e.real_data import out_of_fold, unexpected
from tests.helpers.forms import choose_data
from tests.helpers.program import Program
from tests.helpers.shared_data import SHARED

pytestmark = [
    pytest.mark.soak,
    pytest.mark.shared_data,
    pytest.mark.timeout(400),  # real window and engine; a cold machine compiles first
]


def train(home: Program, **settings: object) -> str:
    home.window.show_page("models")
    presenter = home.window.pages["models"].presenter
    home.wait(lambda: presenter.offered is not None)
    presenter.begin()
    presenter.take_draft(replace(presenter.draft, n_trees=40, shrinkage=0.1, **settings))
    presenter.train()
    (running,) = home.session.trainings.running
    home.wait(lambda: not home.session.trainings.running, 240)
    home.settle()
    return running.name


def test_hmeq_rows_that_stopped_a_model_flatter_it(home: Program) -> None:
    open_file(home, SHARED / "hmeq" / "hmeq.csv")
    space = home.session
    if space.project.document.target is None or space.project.document.target.column != "BAD":
        home.give_role("BAD", Role.TARGET)
    split = replace(space.project.document.split, shares=(0.4, 0.3, 0.3))
    space.project.execute(SetSplit(split=split))
    assert space.project.document.rows_used is RowUse.TEST
    home.settle()
    stopped = train(home, interaction_depth=4)
    other = train(home, interaction_depth=1)
    home.window.show_page("compare")
    home.settle()
    page = home.window.pages["compare"]
    assert space.results.evaluation.rows.use == "test"
    assert space.results.evaluation.seen == ()
    space.project.execute(SetRowsUsed(rows_used=RowUse.VALIDATION))
    home.settle()
    assert {(s.model, s.how) for s in space.results.evaluation.seen} == {
        (stopped, "stopped"),
        (other, "stopped"),
    }
    assert "all alike" in page.warning.full_text()
    tip = page.table.metrics.index(0, 1).data()
    assert tip
    dialog = page.studies.compare_rows()
    home.settle()
    auc = {row[1]: row for row in rows_of(dialog) if row[0] == "AUC"}
    assert "trained here" in auc[stopped][5]
    assert auc[stopped][4].startswith("+")  # better on the rows it knows
    dialog.close()
    space.project.execute(SetRowsUsed(rows_used=RowUse.TEST))
    home.settle()
    dialog = page.studies.by_group()
    choose_data(dialog.form.editor("column"), "JOB")
    home.settle()
    groups = [row[0] for row in rows_of(dialog)]
    assert {"Other", "Office", "Mgr", "missing", "all"} <= set(groups)
    assert "rough" in dialog.panel.notes.text()  # Sales and Self are few
    dialog.close()
    assert not unexpected(home)


def test_pva_with_priors_every_chart_and_totals_by_group(home: Program, tmp_path: Path) -> None:
    table = pd.read_csv(SHARED / "pva97nk" / "pva97nk.csv", dtype={"ID": str})
    inputs = table.drop(columns=["TARGET_B", "TARGET_D", "ID"])
    for name in inputs:
        if pd.api.types.is_numeric_dtype(inputs[name]):
            inputs[name] = inputs[name].fillna(inputs[name].median())
        else:
            inputs[name] = inputs[name].fillna("none")
    for name, probability in out_of_fold(inputs, table["TARGET_B"].to_numpy(int)).items():
        table[f"p_{name}"] = np.round(probability, 6)
    path = tmp_path / "pva_scored.csv"
    table.to_csv(path, index=False)
    open_file(home, path)
    space = home.session
    space.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    space.project.execute(SetPriors(priors=(("1", 0.05), ("0", 0.95))))
    for model in space.project.document.models:
        halves = OldPriors(kind=OldPriorKind.TRAINED_AT, shares=(("1", 0.5), ("0", 0.5)))
        space.project.execute(SetOldPriors(model=model.name, old_priors=halves))
    space.project.execute(SetCharts(charts=tuple(entry.kind for entry in kinds_of("binary"))))
    home.window.show_page("compare")
    home.settle()
    page = home.window.pages["compare"]
    for chart in page.grid.charts():
        assert chart.view.spec is not None, page.grid.kind_of(chart)
    response = next(c for c in space.results.evaluation.charts if c.kind == "response")
    for curve in response.curves:
        if curve.model:
            assert curve.y[-1] == pytest.approx(0.05)
    dialog = page.studies.by_group()
    column = next(name for name in table.columns if name.lower().startswith("statuscat"))
    choose_data(dialog.form.editor("column"), column)
    home.settle()
    choose_data(dialog.form.editor("metric"), "total_profit")
    totals = [
        float(row[3].split("  ")[0].replace(",", "").replace("−", "-")) for row in rows_of(dialog)
    ]
    assert sum(totals[:-1]) == pytest.approx(totals[-1], abs=len(totals))
    dialog.close()
    assert not unexpected(home)
