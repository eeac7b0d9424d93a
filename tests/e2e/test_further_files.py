"""Scores in one file and outcomes in another, in the real window: joined, filtered, derived,
trained on, decided with, saved and opened again."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton

from core.document.data.model import RowUse
from tests.helpers.program import Program

pytestmark = pytest.mark.timeout(480)  # the first training of a machine compiles
LATER = ("responded", "amount")
INPUTS = ("region", "age", "orders_12m", "basket_mean", "spent_per_order")


def cut(sample: Path, folder: Path) -> tuple[Path, Path]:
    """The sample as it arrives: scores now, outcomes later in another order, ids spelt anew."""
    with (sample.parent / "direct_mail.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    scores, outcomes = folder / "scores.csv", folder / "outcomes.csv"
    with scores.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, [key for key in rows[0] if key not in LATER])
        out.writeheader()
        out.writerows({k: v for k, v in row.items() if k not in LATER} for row in rows)
    with outcomes.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, ["id", *LATER])
        out.writeheader()
        for row in reversed(rows[100:]):
            out.writerow({"id": row["customer_id"].lower(), **{k: row[k] for k in LATER}})
    return scores, outcomes


def opened_dialog(program: Program, key: str) -> QDialog:
    program.window.open_dialog(key)
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()]
    return found[-1]


def test_outcomes_are_joined_rows_filtered_a_column_derived_and_a_model_trained(
    program: Program, sample: Path, tmp_path: Path
) -> None:
    scores, outcomes = cut(sample, tmp_path)
    session, window = program.session, program.window
    session.files.open_data(str(scores))
    program.wait(lambda: session.project.summary is not None)
    assert session.project.document.target is None
    page = window.pages["data"]
    join_outcomes(program, outcomes)
    assert session.project.document.target.column == "responded"
    assert len(session.project.document.models) == 3
    allow_missing_outcomes(program)
    derive(program)
    filter_rows(program, page)
    program.settle()
    assert session.results.evaluation.rows.text.startswith("test rows where age >= 40, ")
    assert "where age >= 40" in session.results.decisions.rows.text
    sort_and_search(program, page)
    window.show_page("compare")
    program.settle()
    program.picture("compare-filtered")
    window.show_page("decide")
    program.settle()
    program.picture("decide-filtered")
    train(program)
    keep(program, str(tmp_path / "kept.payoff"))


def allow_missing_outcomes(program: Program) -> None:
    """The rows without a partner have no outcome: nothing is computed before that is allowed."""
    notice = program.window.outcome_question.notice
    program.wait(notice.isVisible)
    assert "100 of 20,000 rows have no outcome in “responded”" in notice.text.text()
    assert program.session.results.evaluation is None
    assert program.session.results.decisions is None
    program.picture("outcomes-asked")
    button = next(b for b in notice.findChildren(QPushButton) if b.text() == "Leave them out")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    program.wait(lambda: program.session.results.evaluation is not None)
    assert not notice.isVisible()


def join_outcomes(program: Program, outcomes: Path) -> None:
    dialog = opened_dialog(program, "add_columns")
    dialog.file.take(str(outcomes))
    program.wait(lambda: dialog.second is not None)
    pair = dialog.key.pairs[0]
    pair.own.setCurrentText("customer_id")
    pair.other.setCurrentText("id")
    pair.own.activated.emit(pair.own.currentIndex())
    program.wait(lambda: dialog.report is not None)
    assert dialog.report.matched == 0
    assert not dialog.add.isEnabled()
    assert dialog.case.isVisible()  # K100001 and k100001
    program.picture("join-nothing", dialog)
    QTest.mouseClick(dialog.case, Qt.MouseButton.LeftButton, pos=dialog.case.rect().center())
    if not dialog.case.isChecked():
        dialog.case.click()
    program.wait(lambda: dialog.report is not None and dialog.report.matched == 19_900)
    assert dialog.report.unmatched == 100
    assert dialog.spellings.isVisible()
    program.picture("join-matched", dialog)
    dialog.add.click()
    program.wait(lambda: "responded" in session_columns(program))
    program.settle()


def session_columns(program: Program) -> tuple[str, ...]:
    return program.session.project.document.data.columns


def derive(program: Program) -> None:
    dialog = opened_dialog(program, "derive_column")
    dialog.name.setText("spent_per_order")
    dialog.text.setText("ratio(basket_mean, orders_12m)")
    program.wait(lambda: dialog.found is not None)
    assert dialog.found.lost[0][0] == "division by zero"
    program.picture("derive", dialog)
    dialog.add.click()
    program.wait(lambda: "spent_per_order" in session_columns(program))
    program.settle()


def filter_rows(program: Program, page) -> None:
    bar = page.look
    bar.filter.setFocus()
    QTest.keyClicks(bar.filter, "age >= ")
    program.wait(lambda: "ends too early" in bar.note.text())
    QTest.keyClicks(bar.filter, "40")
    program.wait(lambda: bar.note.text().startswith("True for "))
    QTest.keyClick(bar.filter, Qt.Key.Key_Return)
    assert program.session.project.document.split.where == "age >= 40"
    program.settle()
    bar.only.setChecked(True)
    program.wait(lambda: 0 < page.model.rowCount() < 20_000)
    page.column.repaint()
    for width, height in ((1440, 900), (1280, 720)):
        program.window.resize(width, height)
        program.settle()
        program.picture(f"data-filtered-{width}")
    program.window.resize(1440, 900)
    assert program.session.project.history.undo_label == "Filter rows"


def sort_and_search(program: Program, page) -> None:
    page.table.sort_by("age", is_falling=True)
    program.wait(lambda: page.model.index(0, 2).data() == "80" or page.model.index(0, 2).data())
    oldest = int(page.model.index(0, 2).data())
    page.table.freeze(("customer_id", "age"))
    program.settle()
    assert page.table.pinned.isVisible()
    program.picture("data-sorted")
    page.look.search.setText("K10000")
    program.wait(lambda: 0 < page.model.rowCount() < 10)
    assert oldest >= int(page.model.index(0, 2).data())
    page.look.search.clear()
    page.table.sort_by("")
    program.settle()


def train(program: Program) -> None:
    session, window = program.session, program.window
    window.show_page("models")
    page = window.pages["models"]
    program.wait(lambda: page.presenter.offered is not None)
    draft = replace(page.presenter.draft, features=INPUTS, n_trees=30, cv_folds=2)
    page.presenter.take_draft(draft)
    program.wait(page.inspector.train.isEnabled)
    QTest.mouseClick(page.inspector.train, Qt.MouseButton.LeftButton)
    program.wait(lambda: session.project.document.trained_model("gbm 1") is not None, 300)
    program.settle()
    trained = session.project.document.trained_model("gbm 1")
    assert trained.split.where == "age >= 40"
    assert trained.trained_rows == 6_988  # validation rows of 40 and more with an outcome
    assert session.project.document.rows_used is RowUse.TEST  # which it has not seen
    assert "gbm 1" in {entry.model for entry in session.results.decisions.models}


def keep(program: Program, path: str) -> None:
    session = program.session
    before = {m.model: m.profit.tolist() for m in session.results.decisions.models}
    assert session.files.save_project(path)
    document = session.project.document
    assert session.files.open_project(path)
    program.wait(lambda: session.results.decisions is not None)
    program.settle()
    assert session.project.document == document
    assert {m.model: m.profit.tolist() for m in session.results.decisions.models} == before
    session.tables.take_away("spent_per_order")
    program.wait(lambda: "spent_per_order" not in session_columns(program))
    # a model that was trained with the column cannot score without it
    assert session.project.document.trained_model("gbm 1") is None
    session.project.undo()
    assert session.project.document.trained_model("gbm 1") is not None
    program.settle()
