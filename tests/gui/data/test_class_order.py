"""Page Data puts the classes of the outcome in order; undone as one step, kept in the file."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton

from core.document.data.commands import SetClassOrder
from core.document.data.opening import target_by_name
from core.document.data.results import ColumnSummary
from core.document.files.codec import from_plain, to_plain
from core.document.model import Document, TargetSpec
from gui.pages.data.targets import name_event, name_meaning
from gui.pages.data.widget import DataPage
from payoff.errors import PayoffError
from tests.helpers.factories.loaded_file import make_summary

LEVELS = ("low", "high", "middle")
ORDER = ("low", "middle", "high")
TARGET = TargetSpec(column="responded", kind="multiclass", levels=LEVELS)


@pytest.fixture
def page(session, engine, qtbot) -> DataPage:
    summary = make_summary()
    column = ColumnSummary(
        name="responded",
        kind="text",
        rows=1000,
        missing=0,
        distinct=4,
        levels=(("low", 600), ("high", 300), ("middle", 70), ("Middle", 30)),
    )
    columns = tuple(column if c.name == "responded" else c for c in summary.columns)
    job = session.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, replace(summary, columns=columns, target=TARGET))
    made = DataPage(session)
    qtbot.addWidget(made)
    made.show()
    made.select_column("responded")
    return made


def order_button(page: DataPage) -> QPushButton:
    buttons = page.roles.findChildren(QPushButton)
    return next(button for button in buttons if button.accessibleName() == "In order")


def test_the_classes_are_put_in_order_and_it_is_one_step(page, session):
    assert order_button(page).text() == "none is known…"
    dialog = page.roles.open_order()
    assert dialog.order() == ("high", "low", "middle")  # of their texts, as long as nothing is said
    assert not dialog.none.isEnabled()
    dialog.move_current(1)
    dialog.move_current(1)
    assert dialog.order() == ORDER
    assert dialog.down.isEnabled() is False
    dialog.use.click()
    assert session.project.document.target.order == ORDER
    assert session.project.document.target.event == "low"
    assert order_button(page).text() == "low < middle < high…"
    again = page.roles.open_order()
    assert again.order() == ORDER
    again.none.click()
    assert session.project.document.target.order == ()
    session.project.undo()
    assert session.project.document.target.order == ORDER
    session.project.undo()
    assert session.project.document.target.order == ()


def test_the_order_is_kept_in_the_file_and_written_as_a_line():
    command = SetClassOrder(order=ORDER)
    document = command.apply(Document(target=TARGET))
    assert from_plain(Document, to_plain(document)).target.order == ORDER
    assert command.to_script() == "project.set_class_order(['low', 'middle', 'high'])"


@pytest.mark.parametrize("order", [("low", "high"), ("low", "low", "high"), (*ORDER, "more")])
def test_an_order_that_does_not_name_each_class_once_is_refused(order):
    with pytest.raises(PayoffError, match="does not name each once"):
        SetClassOrder(order=order).apply(Document(target=TARGET))


def test_numbers_have_no_classes_to_order():
    with pytest.raises(PayoffError, match="no classes"):
        SetClassOrder(order=ORDER).apply(Document(target=TargetSpec(column="y", kind="interval")))


def test_other_classes_have_no_order_until_it_is_said():
    """An order of the former classes would refuse every figure."""
    document = Document(target=replace(TARGET, order=ORDER))
    assert name_event(document, "high").target.order == ORDER
    spelled = replace(TARGET, order=ORDER, spellings=(("Middle", "middle"),))
    wider = name_meaning(Document(target=spelled), "Middle", None)
    assert wider.target.levels == (*LEVELS, "Middle")
    assert wider.target.order == ()
    there = {"responded": ("low", "high")}
    assert target_by_name(document.target, None, there).order == ()
    same = {"responded": ("high", "low", "middle")}
    assert target_by_name(document.target, None, same).order == ORDER
