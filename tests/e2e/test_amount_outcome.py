"""An amount as the outcome, in the real window: rows that are numbers, edited, saved, applied."""

import csv
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.document.commands import DescribeProject, SetRowsUsed
from core.document.data.model import RowUse
from core.document.model import Role
from gui.pages.data.targets import name_target
from tests.e2e.opening import open_file
from tests.helpers.program import Program

ROWS = 2_000


def gifts(path: Path, seed: int = 3, *, has_outcome: bool = True) -> dict[str, np.ndarray]:
    """A made-up appeal: what was given, and what two models thought would be."""
    draw = np.random.default_rng(seed)
    usual = draw.gamma(2.0, 8.0, ROWS)
    probability = 1 / (1 + np.exp(-(draw.normal(-1.2, 1.0, ROWS))))
    gift = np.where(
        draw.random(ROWS) < probability, np.round(usual * draw.uniform(0.6, 1.4, ROWS)), 0
    )
    columns = {
        "donor": np.arange(1, ROWS + 1),
        "gift": np.round(gift, 2),
        "amount_trees": np.round(usual * probability, 2),
        "amount_linear": np.round(0.5 * usual * probability + 2.0 + draw.normal(0, 1.5, ROWS), 2),
    }
    if not has_outcome:
        del columns["gift"]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(values.tolist() for values in columns.values()), strict=True))
    return columns


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("gifts") / "appeal.csv"


@pytest.fixture(scope="module")
def columns(path):
    return gifts(path)


@pytest.fixture(scope="module")
def home(program: Program, path, columns) -> Program:
    program.settle()
    open_file(program, path)
    space = program.session
    summary = next(column for column in space.project.summary.columns if column.name == "gift")
    assert space.project.execute(name_target(space.project.document, summary))
    for name in ("amount_trees", "amount_linear"):
        if space.project.document.role_of(name).role is not Role.PREDICTION:
            program.give_role(name, Role.PREDICTION)
    space.project.execute(SetRowsUsed(rows_used=RowUse.ALL))
    space.project.execute(DescribeProject(case_word=("donor", "donors")))
    space.project.execute(DescribeProject(name="Appeal"))
    program.window.show_page("decide")
    program.settle()
    return program


def total(columns, cost, amounts="amount_trees"):
    """Every donor whose predicted gift reaches the cost is written to: acting wins ties."""
    chosen = columns[amounts] >= cost
    return float((columns["gift"] - cost)[chosen].sum())


def type_text(program: Program, row: int, column: int, text: str) -> bool:
    """Into the matrix, as a person does; whether it was taken."""
    view = program.window.pages["decide"].earns.matrix
    index = view.matrix_model.index(row, column)
    is_taken = view.matrix_model.setData(index, text, Qt.ItemDataRole.EditRole)
    program.settle()
    return is_taken


def test_the_page_opens_on_a_matrix_of_numbers(home: Program, columns):
    document, result = home.session.project.document, home.session.results.decisions
    page = home.window.pages["decide"]
    assert page.stack.currentIndex() == 0
    assert not page.priors.isVisible()
    assert page.earns.row_button.isVisible()
    assert [float(knot) for knot in document.matrix.levels] == sorted(
        float(knot) for knot in document.matrix.levels
    )
    cost = -document.matrix.cells[0][0]
    assert result.models[0].total.value == pytest.approx(total(columns, cost))
    assert page.tables.check_holds


def test_typing_a_cost_moves_the_rule_and_the_totals(home: Program, columns):
    top = float(home.session.project.document.matrix.levels[-1])
    type_text(home, 0, 1, "-2.5")
    type_text(home, 1, 1, f"{top - 2.5}")
    result = home.session.results.decisions
    assert result.rule_text == "Choose “Act” for a donor when the predicted gift is above 2.50."
    assert result.models[0].total.value == pytest.approx(total(columns, 2.5))
    home.look("gifts")


def test_rows_are_added_moved_and_removed(home: Program, columns):
    page, space = home.window.pages["decide"], home.session
    before = space.results.decisions.models[0].total.value
    page.earns.add_row()  # on the line: nothing changes
    home.settle()
    assert len(space.project.document.matrix.levels) == 3
    assert space.results.decisions.models[0].total.value == pytest.approx(before)
    type_text(home, 1, 0, "20")
    type_text(home, 1, 1, "12.5")  # of what is above, less is kept
    assert space.project.document.matrix.levels[1] == "20"
    knots = [float(knot) for knot in space.project.document.matrix.levels]
    amounts = [cells[0] for cells in space.project.document.matrix.cells]
    chosen = np.interp(columns["amount_trees"], knots, amounts) >= 0
    wanted = np.interp(columns["gift"], knots, amounts)[chosen].sum()
    assert columns["gift"].max() < knots[-1]
    assert space.results.decisions.models[0].total.value == pytest.approx(wanted)
    assert "20 and more" in space.results.decisions.levels or "20 to" in " ".join(
        space.results.decisions.levels
    )
    assert not type_text(home, 1, 0, "much")
    assert "“much” is not a number" in page.earns.problem.text()
    type_text(home, 1, 0, space.project.document.matrix.levels[0])
    assert len(space.project.document.matrix.levels) == 3  # refused: there is a row already
    home.look("bent")
    page.earns.remove_row("20")
    home.settle()
    assert len(space.project.document.matrix.levels) == 2
    assert space.results.decisions.models[0].total.value == pytest.approx(before)


def test_decisions_are_saved_and_the_rule_applied_to_another_file(
    home: Program, columns, tmp_path: Path
):
    assert "above 2.50" in home.session.results.decisions.rule_text
    dialog = home.window.pages["decide"].open_save()
    assert {"P", "R"} <= set(dialog.columns.rows)
    assert "I" not in dialog.columns.rows
    for key in ("CP", "P", "R"):
        dialog.columns.editor(key).click()
    out = tmp_path / "decided.csv"
    dialog.file.set_text(str(out))
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    home.wait(out.exists)
    home.settle()
    rows = read(out)
    chosen = columns["amount_trees"] >= 2.5
    assert [row["D_gift"] for row in rows] == np.where(chosen, "Act", "Do nothing").tolist()
    realised = sum(float(row["CP_gift"]) for row in rows)
    assert realised == pytest.approx(total(columns, 2.5))
    other = gifts(tmp_path / "next.csv", seed=8, has_outcome=False)
    applied = home.window.pages["decide"].open_apply()
    applied.path.setText(str(tmp_path / "next.csv"))
    applied.look()
    home.settle()
    acted = other["amount_trees"] >= 2.5
    wanted = (other["amount_trees"] - 2.5)[acted].sum()
    assert applied.applied.expected_total == pytest.approx(wanted)
    assert not any("Classes" in text for text in applied.checks.texts)
    assert "amount_trees" in applied.checks.texts[0]
    applied.close()


def test_the_project_opens_again_with_its_rows(home: Program, tmp_path: Path):
    space = home.session
    matrix, value = space.project.document.matrix, space.results.decisions.models[0].total.value
    project = tmp_path / "Appeal.payoff"
    space.files.save_project(str(project))
    home.settle()
    space.files.open_project(str(project))
    home.wait(lambda: space.project.summary is not None)
    home.settle()
    assert space.project.document.matrix == matrix
    assert space.results.decisions.models[0].total.value == pytest.approx(value)
