"""The three example plugins: packed into one file, installed in the real window, and used there."""

from __future__ import annotations

import csv
import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import (
    Document,
    MetricChoice,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
    TrainedModel,
)
from core.engine.messages import (
    Ask,
    JobOutcome,
    JobState,
    LoadArguments,
    PluginsArguments,
    TrainArguments,
)
from core.extensions.authoring import pack_plugin
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from payoff.testing.checks import KERNEL_CHECKS
from tests.contract.own_metric import CODE, NAME
from tests.helpers.program import Program

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
IDS = ("blood_bank", "expected_credit_loss", "tukey_biweight")
ORDERS = ("Order none", "Order 10", "Order 20", "Order 30", "Order 40")
OWN_ENGINE = True  # for plugins, or one that ends
pytestmark = pytest.mark.timeout(900)  # a machine that compiles first


@pytest.fixture(scope="module")
def installed(program: Program, tmp_path_factory) -> Program:
    """The window with all three, installed from one file as an IT department hands it out."""
    packed = tmp_path_factory.mktemp("packed") / "bank.payoff-plugin"
    pack_plugin([EXAMPLES / name for name in IDS], packed)
    program.wait(lambda: program.session.plugins.known is not None, 250)
    program.run._arguments.file = str(packed)
    program.run._open_wanted()  # what a double click on the file comes to
    page = program.window.pages["plugins"]
    program.wait(lambda: page.dialog is not None, 120)
    QTest.mouseClick(page.dialog.install, Qt.MouseButton.LeftButton)
    program.wait(lambda: set(active(program)) == {f"org.example.{name}" for name in IDS}, 250)
    return program


def active(program: Program) -> list[str]:
    known = program.session.plugins.known.plugins
    return [p.plugin for p in known if p.plugin.startswith("org.") and p.state == "active"]


def run(program: Program, kind: str, arguments: object) -> JobOutcome:
    ended: list[JobOutcome] = []
    program.jobs.submit(kind, arguments, on_end=ended.append)
    program.wait(lambda: bool(ended), 300)
    assert ended[0].state is JobState.DONE, ended[0].error
    return ended[0].result


def document_of(program: Program, path: Path, columns: dict[str, np.ndarray]) -> Document:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(values.tolist() for values in columns.values()), strict=True))
    loaded = run(program, "load", LoadArguments(path=str(path), reader=ReaderSettings()))
    return Document(name=path.stem, data=loaded.data, rows_used=RowUse.ALL)


@pytest.mark.soak
def test_credit_loss_has_intervals_and_a_paired_comparison(installed: Program, tmp_path) -> None:
    draw = np.random.default_rng(7)
    probability = np.round(draw.beta(1.0, 6.0, 900), 4)
    rough = np.round(np.clip(probability + draw.normal(0, 0.15, 900), 0.001, 0.999), 4)
    default = (draw.random(900) < probability).astype(int)
    columns = {"default": default, "good": probability, "rough": rough}
    document = replace(
        document_of(installed, tmp_path / "loans.csv", columns),
        target=TargetSpec(column="default", kind="binary", levels=("1", "0")),
        metrics=(MetricChoice(metric="auc"), MetricChoice(metric="expected_credit_loss")),
    ).with_roles(
        (
            RoleAssignment(column="default", role=Role.TARGET),
            RoleAssignment(column="good", role=Role.POSTERIOR, model="good", level="1"),
            RoleAssignment(column="rough", role=Role.POSTERIOR, model="rough", level="1"),
        )
    )
    result = run(installed, "compare.models", Ask.of(document, CompareModels(resamples=200)))
    cells = {c.model: c.estimate for c in result.cells if c.metric == "expected_credit_loss"}
    missing, idle = 4500 * default * (1 - probability), 4500 * (1 - default) * probability * 0.08
    assert cells["good"].value == pytest.approx((missing + idle).mean(), rel=1e-9)
    assert cells["good"].low < cells["good"].value < cells["good"].high
    pair = next(p for p in result.comparisons if p.metric == "expected_credit_loss")
    assert 0 < pair.p_value <= 1


@pytest.mark.soak
def test_check_this_plugin_compiles_its_kernels(installed: Program) -> None:
    """In the engine for plugins, which may not start programs while it is in a plugin."""
    requested = PluginsArguments(check="org.example.expected_credit_loss")
    listed = run(installed, "plugins", requested).plugins
    (entry,) = (plugin for plugin in listed if plugin.plugin == requested.check)
    assert entry.state == "active", entry.why
    states = {check.check: check.state for check in entry.checks}
    assert [states[name] for name in KERNEL_CHECKS] == ["passed"] * 3


@pytest.mark.soak
def test_the_blood_bank_orders_by_the_forecast(installed: Program, tmp_path) -> None:
    draw = np.random.default_rng(8)
    need = np.round(draw.gamma(8.0, 2.5, 300))
    forecast = np.round(np.clip(need + draw.normal(0, 4.0, 300), 0, 40), 1)
    document = replace(
        document_of(installed, tmp_path / "days.csv", {"need": need, "forecast": forecast}),
        target=TargetSpec(column="need", kind="interval"),
        matrix=MatrixSpec(
            template="example.blood_bank",
            kind=MatrixKind.LOSS,
            levels=("0", "10", "20", "30", "40", "50"),
            decisions=ORDERS,
            cells=(),
            acting="Order 20",
            parameters=(("rushed", 450.0), ("expired", 210.0)),
        ),
    ).with_roles(
        (
            RoleAssignment(column="need", role=Role.TARGET),
            RoleAssignment(column="forecast", role=Role.PREDICTION, model="forecast"),
        )
    )
    result = run(installed, "decide.totals", Ask.of(document, Totals()))
    assert list(result.cells[3]) == [13_500.0, 9_000.0, 4_500.0, 0.0, 2_100.0]
    (model,) = result.models
    units = np.array([0, 10, 20, 30, 40])
    cost = [_cost(one, units) for one in forecast]
    chosen = units[np.argmin(np.array(cost), axis=1)]
    wanted = _cost(need[:, np.newaxis], chosen[:, np.newaxis]).sum()
    assert abs(model.total.value) == pytest.approx(wanted, rel=1e-6)


def _cost(need, ordered):
    return 450 * np.maximum(need - ordered, 0) + 210 * np.maximum(ordered - need, 0)


@pytest.mark.soak  # the suite grows trees by a loss from the folder in test_guide_walks
def test_trees_are_grown_with_the_biweight(installed: Program, tmp_path) -> None:
    draw = np.random.default_rng(9)
    age = draw.uniform(20, 70, 600)
    spend = np.round(0.2 * age + draw.normal(0, 1.0, 600), 3)
    spend[::25] += 500.0  # typing errors
    document = replace(
        document_of(installed, tmp_path / "spend.csv", {"age": np.round(age, 2), "spend": spend}),
        target=TargetSpec(column="spend", kind="interval"),
        split=SplitSpec(shares=(0.7, 0.3, 0.0)),
    ).with_roles(
        (
            RoleAssignment(column="spend", role=Role.TARGET),
            RoleAssignment(column="age", role=Role.INPUT),
        )
    )
    usual = TrainedModel(
        name="biweight",
        distribution="tukey_biweight",
        target="spend",
        features=("age",),
        n_trees=60,
        interaction_depth=2,
        shrinkage=0.2,
        min_cases_in_node=10,
        patience=0,
        seed=3,
    )
    result = run(installed, "train", TrainArguments(document=document, settings=usual))
    assert result.model.distribution == "tukey_biweight"
    assert result.model.n_trees == 60


@pytest.mark.soak  # the suite has it without a window in contract/test_own_metric
def test_a_newcomer_s_file_stands_in_the_compare_table_without_a_restart(
    installed: Program, sample: Path
) -> None:
    """The first path of the guide, in the window: empty file to a metric with intervals."""
    program = installed
    program.window.files.open_path(str(sample))
    program.wait(lambda: program.session.results.evaluation is not None, 200)
    program.settle()
    begun = time.perf_counter()
    (program.folder / "home" / "plugins" / NAME).write_text(CODE, "utf-8")

    def has_column() -> bool:
        result = program.session.results.evaluation
        cells = [c for c in result.cells if c.metric == "tjur_r2"] if result else []
        return bool(cells) and all(np.isfinite(c.estimate.low) for c in cells)

    program.wait(has_column, 200)
    print(
        f"\nfrom saving the file to the column with intervals: {time.perf_counter() - begun:.1f} s"
    )
    cells = [c for c in program.session.results.evaluation.cells if c.metric == "tjur_r2"]
    assert all(c.estimate.low < c.estimate.value < c.estimate.high for c in cells)
    _change_it(program, program.folder / "home" / "plugins" / NAME)


def _change_it(program: Program, place: Path) -> None:
    """The file written anew: other numbers in the table; then spoilt: the reason, and no column."""

    def values() -> list[float]:
        result = program.session.results.evaluation
        return [c.estimate.value for c in result.cells if c.metric == "tjur_r2"] if result else []

    before = values()
    changed, count = re.subn(r"(?m)^(\s+)return (.+)$", r"\1return (\2) ** 3", CODE)
    assert count == 1
    place.write_text(changed, "utf-8")
    program.wait(lambda: values() not in ([], before), 200)
    assert values() == pytest.approx([value**3 for value in before])
    posted = len(program.messages)
    place.write_text(CODE + "\nraise RuntimeError('spoilt')\n", "utf-8")
    program.wait(lambda: len(program.messages) > posted, 200)
    assert any("spoilt" in str(message) for message in program.messages[posted:])
