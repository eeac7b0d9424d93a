"""The bank's workbook let go on the window: what it holds and what it earns, nothing asked."""

from __future__ import annotations

import re
import time

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.document.decisions.commands import SetParameter
from gui.pages.data.reading.import_dialog import ImportDialog
from tests.e2e.dropping import drop
from tests.helpers.factories.bank_book import write_bank_book
from tests.helpers.program import Program


def test_the_banks_workbook_is_answered_when_it_is_dropped(home: Program, tmp_path):
    path = write_bank_book(tmp_path / "bank.xlsx")
    began = time.perf_counter()
    drop(home.window, path)
    dialogs = home.window.findChildren(ImportDialog)
    assert len(dialogs) == 1
    home.wait(dialogs[0]._load.isEnabled)  # whatever the file answers is not asked
    dialogs[0].accept()
    home.wait(lambda: home.window.current_page == "decide")
    page = home.window.pages["decide"]
    home.wait(lambda: page.opening.text() != "", 110)  # kernels may have to be compiled first
    print(f"\nthe workbook answered {time.perf_counter() - began:.1f} s after it was dropped")
    read, assumed = page.opening.text().split("\n")
    assert read.startswith("2 models, 3 outcomes, loan amounts, 1 totals row left out. Lend to ")
    figures = re.search(
        r"Lend to ([\d,]+) of 4,000 by scorecard: €\s([\d,]+) \(([\d,]+) to ([\d,]+)\)\.$", read
    )
    assert figures is not None, read
    cases, total, low, high = (int(figure.replace(",", "")) for figure in figures.groups())
    assert 1_000 < cases < 4_000
    assert low < total < high
    assert assumed == (
        "Assumed until you say otherwise: lending “good” earns 5\u00a0% of “loan amount”, "
        "“default” loses 45\u00a0% of it and “late” is even."
    )
    home.settle()
    home.picture("bank-workbook")
    assert not home.session.results.outcomes.is_waiting
    home.window.show_page("home")
    card = home.window.pages["home"].continue_card
    assert card.line.text() == read
    assert card.name.text() == "bank"
    home.picture("bank-workbook-home")
    QTest.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert home.window.current_page == "decide"
    home.session.project.execute(SetParameter(name="margin", value=0.06))
    home.wait(lambda: page.opening.text() == "")
