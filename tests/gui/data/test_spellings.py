"""Page Data shows what each spelling of the outcome stands for, and takes another answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QComboBox

from core.document.data.results import ColumnSummary
from core.document.model import TargetSpec
from gui.pages.data.targets import other_values, target_of
from gui.pages.data.widget import DataPage
from tests.helpers.factories.loaded_file import make_summary

LEVELS = (("no", 600), ("yes", 300), ("Yes", 70), ("N", 20), ("maybe", 10))
TARGET = TargetSpec(
    column="responded",
    kind="binary",
    levels=("yes", "no"),
    spellings=(("Yes", "yes"), ("N", "no")),
)


def spelled() -> ColumnSummary:
    return ColumnSummary(
        name="responded", kind="text", rows=1000, missing=0, distinct=5, levels=LEVELS
    )


@pytest.fixture
def page(session, engine, qtbot) -> DataPage:
    summary = make_summary()
    columns = tuple(spelled() if c.name == "responded" else c for c in summary.columns)
    job = session.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, replace(summary, columns=columns, target=TARGET))
    made = DataPage(session)
    qtbot.addWidget(made)
    made.show()
    made.select_column("responded")
    return made


def meanings(page: DataPage) -> dict[str, QComboBox]:
    found = {box.accessibleName(): box for box in page.roles.findChildren(QComboBox)}
    return {name: box for name, box in found.items() if name.endswith(" is") and "(" in name}


def choose(box: QComboBox, words: str) -> None:
    box.setCurrentIndex(box.findText(words))
    box.activated.emit(box.currentIndex())


def test_every_further_value_stands_with_its_rows_and_its_meaning(page):
    shown = {name: box.currentText() for name, box in meanings(page).items()}
    assert shown == {
        "Yes (70) is": "the same as yes",
        "N (20) is": "the same as no",
        "maybe (10) is": "",
    }


def test_a_meaning_is_given_and_changed(page):
    session = page.session
    matrix = session.project.document.matrix
    choose(meanings(page)["maybe (10) is"], "the same as no")
    target = session.project.document.target
    assert dict(target.spellings) == {"Yes": "yes", "N": "no", "maybe": "no"}
    assert target.levels == ("yes", "no")
    assert session.project.document.matrix == matrix
    session.project.undo()
    assert session.project.document.target == TARGET


def test_a_value_becomes_a_class_of_its_own(page):
    choose(meanings(page)["maybe (10) is"], "a class of its own")
    target = page.session.project.document.target
    assert (target.kind, target.levels) == ("multiclass", ("yes", "no", "maybe"))
    assert dict(target.spellings) == {"Yes": "yes", "N": "no"}
    assert page.session.project.document.matrix.levels == ("yes", "no", "maybe")


def test_a_column_named_as_the_outcome_has_its_spellings_taken_together():
    column = replace(spelled(), levels=LEVELS[:4], distinct=4)
    target = target_of(column)
    assert (target.kind, target.levels) == ("binary", ("yes", "no"))
    assert dict(target.spellings) == {"Yes": "yes", "N": "no"}
    assert sorted(other_values(target, column)) == [("N", 20), ("Yes", 70)]
    three = target_of(spelled())
    assert three.kind == "multiclass"
    assert three.spellings == ()
