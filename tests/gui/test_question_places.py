"""Every question is found in the palette, and leads to where the window answers it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QDialog

from core.document.model import ModelSpec
from core.document.uplift.model import UpliftSpec
from core.questions.question import Question, first_line, questions
from gui.shell.commands import ACTIONS
from gui.shell.commands.palette_entries import palette_entries
from gui.shell.commands.question_places import place_of
from gui.shell.dialogs.by_key import data_dialogs
from gui.shell.dialogs.question_list import QuestionListDialog
from tests.helpers.answers.models import TRAINED
from tests.helpers.answers.synthetic import make_document
from tests.helpers.factories.loaded_file import loaded_document

EVERY = pytest.mark.parametrize("record", questions().values(), ids=list(questions()))


def entry_of(window, record):
    entries = palette_entries(window, window.actions_by_key)
    note = f"asked on {place_of(record).title}"
    return next(e for e in entries if e.text == record.facts.title and e.note == note)


def test_the_list_begins_with_its_first_question(session, qtbot):
    """It was opened at its end: filling it had left the cursor there, which is kept in view."""
    dialog = QuestionListDialog(session)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    dialog.text.setFocus()
    bar = dialog.text.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    dialog.text.ensureCursorVisible()
    assert bar.value() == 0


class _Requested:
    """The window as questions see it: writes down where it is sent."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, ...]] = []

    def show_part(self, page, part=""):
        self.shown.append((page, part))

    def open_dialog(self, key):
        self.shown.append((key,))


@EVERY
def test_a_question_without_data_says_what_it_needs(window, record: type[Question]):
    entry = entry_of(window, record)
    first = record.why_not(window.session.project.document)
    assert entry.reason == ("" if first is None else str(first))
    assert bool(entry.reason) == bool(record.facts.needs)


@EVERY
def test_a_place_is_a_page_or_a_dialog_that_exists(record: type[Question]):
    requested, place = _Requested(), place_of(record)
    place.open(requested)
    assert len(requested.shown) == 1
    assert not place.dialog or place.dialog in data_dialogs()
    assert place.page == record.facts.page


def test_actions_that_ask_a_question_give_its_reason(window):
    asking = {spec.asks: spec for spec in ACTIONS if spec.asks}
    assert set(asking) == {
        "data.overlap",
        "decide.reconcile",
        "decide.workbook",
        "compare.chances",
    }
    without = window.session.project.document
    for key, spec in asking.items():
        assert spec.why_not(window.session) == "Open data or a project first.", key
    assert without.data is None


def part_in_front(page, part: str) -> bool:
    """Whether a page shows a part of it: its tab is in front, or its study is open."""
    dialogs = [entry for entry in page.findChildren(QDialog) if entry.isVisible()]
    current = getattr(getattr(page, "tables", None), "study", None)
    chosen = (
        getattr(current, "asks", None) is not None and current.asks.facts.key == part,
        hasattr(page, "variants") and page.variants.tab == part,
        hasattr(page, "view") and page.view.choice() == part,
    )
    return len(dialogs) == 1 or any(chosen)


def test_every_question_leads_to_its_place(window, engine, qtbot):
    """With an outcome, models (one of them trained here), a matrix and an experiment."""
    session = window.session
    document = loaded_document()
    document = replace(make_document(), data=document.data, roles=document.roles)
    document = replace(
        document,
        models=(*document.models, ModelSpec(name=TRAINED.name, trained=TRAINED)),
        uplift=UpliftSpec(treatment="segment"),
    )
    session.project.take_document(document)
    unanswered = {"uplift.next_test"}  # its dialog plans from what the page measured
    reached = []
    for key, record in questions().items():
        if record.why_not(session.project.document) is not None:
            continue
        place = place_of(record)
        entry_of(window, record).run()
        if place.dialog:
            (dialog,) = [d for d in window.findChildren(QDialog) if d.isVisible()]
            dialog.close()
        else:
            assert window.current_page == place.page, key
            page = window.pages[place.page]
            assert not place.part or key in unanswered or part_in_front(page, place.part), key
            for dialog in page.findChildren(QDialog):
                dialog.close()
        reached.append(key)
    assert len(reached) >= len(questions()) - 6, sorted(set(questions()) - set(reached))


def test_the_help_page_lists_every_question_and_leads_there(window):
    window.actions_by_key["questions"].trigger()
    (dialog,) = window.findChildren(QuestionListDialog)
    described = dialog.text.toPlainText()
    for record in questions().values():
        assert f"{record.facts.title}\n{first_line(record)}" in described.replace("\u2028", "\n")
    assert described.count("The project has no data.") == len(
        [record for record in questions().values() if record.facts.needs]
    )
    window.session.project.take_document(loaded_document())
    assert "The project has no data." not in dialog.text.toPlainText()
    assert dialog.text.verticalScrollBar().maximum() > 0
    assert dialog.text.verticalScrollBar().value() == 0, "it does not open at its top"
    dialog.text.anchorClicked.emit(QUrl("data.rows"))
    assert window.current_page == "data"
    assert not dialog.isVisible()
