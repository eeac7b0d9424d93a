"""Each sample on Home is one click from its result, with nothing asked on the way."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from gui.session.samples import bundled_samples
from tests.helpers.program import Program

pytestmark = pytest.mark.timeout(400)  # real window and engine; a cold machine compiles first
SHOWN = [sample for sample in bundled_samples() if not sample.is_lesson]
FIRST = {sample.page: sample for sample in reversed(SHOWN)}  # the first that leads to each page


@pytest.mark.parametrize(
    "sample",
    [
        pytest.param(sample, marks=() if sample in FIRST.values() else pytest.mark.soak)
        for sample in SHOWN
    ],
    ids=[sample.key for sample in SHOWN],
)
def test_a_click_leads_to_the_result(home: Program, sample) -> None:
    window, session = home.window, home.session
    session.project.history.mark_saved()
    window.show_page("home")
    card = window.pages["home"].sample_cards[sample.key]
    QTest.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert window.current_page == sample.page
    assert session.project.document.name == sample.title
    if sample.page == "decide":
        home.wait(
            lambda: session.results.decisions is not None and session.results.decisions_are_fresh,
            110,
        )
        assert session.results.decisions.models[0].total.value > 0
    elif sample.page == "compare":
        home.wait(lambda: session.results.evaluation is not None, 110)
        assert {cell.model for cell in session.results.evaluation.cells} == {
            model.name for model in session.project.document.models
        }
    else:
        page = window.pages["uplift"]
        home.wait(lambda: page.result is not None and len(page.result.models) == 2, 110)
    home.settle()
    home.look(f"sample-{sample.key}")
    assert not session.results.outcomes.is_waiting
    assert not [one for one in window.findChildren(QDialog) if one.isVisible()]
    assert not window.messages.isVisible(), home.messages
