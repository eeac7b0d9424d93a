"""What a designer would object to, on every page of the real window at 1280 x 720.

Nothing that is said is cut, nothing scrolls sideways, controls in a row are of one height, every
control has a name for a screen reader, shows that it has the keyboard, and is reached in order.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from gui.session.samples import sample_path
from gui.shell.dialogs.by_key import data_dialogs, early_dialogs, open_dialog
from tests.e2e.keyboard import activate
from tests.e2e.places import COMPARE_DIALOGS, UPLIFT_TABS
from tests.helpers import layout_audit
from tests.helpers.program import Program

pytestmark = pytest.mark.timeout(400)  # every page; a cold machine compiles first

SMALL = (1280, 720)
CHART_LABELS = 3
# The rows of a file have as many columns as the file; runs of an experiment have thirteen.
MAY_SCROLL = ("RowsView < Card < DataPage", "_FrozenColumns")
# A frozen first column stands over the cell that has the focus, and shows it there.
MAY_BE_BLIND = ("RowsView < Card < DataPage",)
# Where a recent project lies is shortened in its middle; the tool tip has it whole.
MAY_BE_CUT = ("WeightedTable",)
# A path may be longer than the field that it is typed into, which scrolls.
PATHS = (f"field '{Path.home().anchor}",)


@pytest.fixture(scope="module")
def small(home: Program, sample) -> Program:
    """The program on the sample, in a small window."""
    home.session.files.open_project(str(sample))
    home.wait(lambda: home.session.project.summary is not None)
    home.settle()
    home.window.resize(*SMALL)
    return home


def findings(program: Program, window: QWidget | None = None) -> list[str]:
    """What is found once nothing moves any more: a line of the strip may just have changed."""
    found: list[str] = []
    for _ in range(CHART_LABELS):
        program.settle()
        activate(program, window)
        for _ in range(5):  # what a layout does may ask for another round of layouts
            program.app.processEvents()
        looked = layout_audit.findings(window or program.window)
        found = [line for line in looked if not _is_meant(line)]
        if not found:
            break
    return found


def _is_meant(line: str) -> bool:
    kind = line.partition(":")[0]
    meant = {"sideways": MAY_SCROLL, "blind_focus": MAY_BE_BLIND, "cut_cells": MAY_BE_CUT}
    meant["cut_texts"] = PATHS
    return any(words in line for words in meant.get(kind, ()))


@pytest.mark.parametrize(
    "page", ["home", "data", "models", "compare", "explain", "experiments", "report", "plugins"]
)
def test_a_page_of_the_sample(small: Program, page: str) -> None:
    small.window.show_page(page)
    assert small.window.current_page == page
    assert not findings(small)


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("place", range(11))
def test_a_tab_of_page_decide(small: Program, place: int) -> None:
    small.window.show_page("decide")
    tabs = small.window.pages["decide"].tables.tabs
    assert tabs.count() == 11
    tabs.setCurrentIndex(place)
    assert not findings(small), tabs.tabText(place)


def test_messages_leave_the_page_its_room(small: Program) -> None:
    """Messages lie over page Decide, which keeps its size and all its cards in reach."""
    window = small.window
    window.show_page("decide")
    page = window.pages["decide"]
    page.tables.tabs.setCurrentIndex(0)
    small.settle()
    before = page.height()
    window.outcome_question.notice.show_text("12 of 20,000 rows have no outcome. " * 2)
    window.show_message(ValueError("Column 'age' has text in row 17."))
    small.settle()
    assert page.height() == before
    assert not findings(small)
    for card in (page.earns, page.priors, page.costs):
        assert card.height() >= card.minimumSizeHint().height()
    window.notice.dismiss()
    assert window.outcome_question.notice.isVisible()
    window.outcome_question.notice.dismiss()
    assert not window.messages.isVisible()


@pytest.mark.parametrize("page", ["data", "models", "compare", "decide", "uplift", "plugins"])
def test_tab_goes_through_the_head_of_a_page_from_left_to_right(small: Program, page: str) -> None:
    small.window.show_page(page)
    small.settle()
    shown = small.window.pages[page]
    activate(small)
    order = layout_audit.tab_order(shown, small.window.rail.buttons["plugins"])
    head = [place for place, entry in enumerate(order) if shown.header.isAncestorOf(entry)]
    assert len(head) > 1
    assert head == list(range(len(head))), "the head's controls do not come first"
    across = [order[place].mapTo(shown, order[place].rect().topLeft()).x() for place in head]
    assert across == sorted(across)


@pytest.mark.parametrize("key", [*early_dialogs(), *data_dialogs()])
def test_a_dialog(small: Program, key: str) -> None:
    dialog = open_dialog(key, small.session, small.window)
    try:
        assert not findings(small, dialog)
        described = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
        plain = [
            label.text()
            for label in dialog.findChildren(QLabel)
            if label.isVisible() and label.textFormat() is Qt.TextFormat.PlainText
        ]
        assert described
        assert not [text for text in plain if "<span" in text or "&#" in text]
    finally:
        dialog.close()


@pytest.mark.parametrize("study", COMPARE_DIALOGS)
def test_a_dialog_of_page_compare(small: Program, study: str) -> None:
    small.window.show_page("compare")
    small.settle()
    dialog = getattr(small.window.pages["compare"].studies, study)()
    try:
        assert not findings(small, dialog)
    finally:
        dialog.close()


@pytest.mark.parametrize("page", ["data", "models", "compare"])
def test_a_page_with_three_outcomes(home: Program, page: str) -> None:
    _open_sample(home, "loans", "Loans")
    home.window.show_page(page)
    if page == "data":
        home.window.show_column("scorecard_default")
    assert not findings(home)


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("place", range(11))
def test_a_tab_with_three_outcomes(home: Program, place: int) -> None:
    _open_sample(home, "loans", "Loans")
    home.window.show_page("decide")
    tabs = home.window.pages["decide"].tables.tabs
    tabs.setCurrentIndex(place)
    assert not findings(home), tabs.tabText(place)


def _open_sample(program: Program, key: str, title: str) -> None:
    """Open a sample in the small window, unless it is open."""
    if program.session.project.document.name != title:
        path = sample_path(key)
        assert path is not None
        assert program.session.files.open_sample(path)  # what is unsaved is not asked about
        program.wait(lambda: program.session.project.summary is not None)
    program.window.resize(*SMALL)


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("tab", UPLIFT_TABS)
def test_a_tab_of_page_uplift(home: Program, tab: str) -> None:
    _open_sample(home, "toy-observational", "Treated by choice")
    home.window.show_page("uplift")
    page = home.window.pages["uplift"]
    home.wait(lambda: page.result is not None)
    page.variants.show_tab(tab)
    assert not findings(home)
