"""The bank's workbook let go on the window: what it holds and what it earns, nothing asked."""

from __future__ import annotations

import re
import time

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.document.decisions.commands import SetParameter
from gui.pages.data.reading.import_dialog import ImportDialog
from tests.e2e.dropping import drop
from tests.helpers.factories.bank_book import BankCases, write_bank_book
from tests.helpers.program import Program


def opening_of(program: Program) -> str:
    """Load the file that the program asks about, and what page Decide then says of it."""
    dialogs = [one for one in program.window.findChildren(ImportDialog) if one.isVisible()]
    assert len(dialogs) == 1
    program.wait(dialogs[0]._load.isEnabled)  # whatever the file answers is not asked
    dialogs[0].accept()
    program.wait(lambda: program.window.current_page == "decide")
    page = program.window.pages["decide"]
    program.wait(lambda: page.opening.text() != "", 110)  # kernels may have to be compiled first
    return page.opening.text()


def check_opening(said: str, made: BankCases) -> str:
    """Compare what is said with the sums of numpy; the first line."""
    read, assumed = said.split("\n")
    cases, total = made.lend()
    assert 1_000 < cases < 4_000
    words = "2 models, 3 outcomes, loan amounts, 1 totals row left out. "
    figures = re.fullmatch(
        rf"{words}Lend to {cases:,} of 4,000 by scorecard: €\s{total:,.0f} "
        r"\(([\d,]+) to ([\d,]+)\)\.",
        read,
    )
    assert figures is not None, (read, cases, total)
    low, high = (int(figure.replace(",", "")) for figure in figures.groups())
    assert low < total < high
    assert assumed == (
        "Assumed until you say otherwise: lending “paid” earns 5\u00a0% of “loan amount”, "
        "“default” loses 45\u00a0% of it and “late” is even."
    )
    return read


def test_the_banks_workbook_is_answered_when_it_is_dropped(home: Program, tmp_path):
    path = tmp_path / "bank.xlsx"
    made = write_bank_book(path)
    began = time.perf_counter()
    drop(home.window, path)
    described = opening_of(home)
    print(f"\nthe workbook answered {time.perf_counter() - began:.1f} s after it was dropped")
    read = check_opening(described, made)
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
    page = home.window.pages["decide"]
    home.session.project.execute(SetParameter(name="margin", value=0.06))
    home.wait(lambda: page.opening.text() == "")


def test_the_banks_workbook_is_answered_when_the_program_is_started_with_it(tmp_path):
    path = tmp_path / "bank.xlsx"
    made = write_bank_book(path, seed=25)
    began = time.perf_counter()
    started = Program(tmp_path, file=str(path))
    try:
        started.wait(
            lambda: any(one.isVisible() for one in started.window.findChildren(ImportDialog))
        )
        check_opening(opening_of(started), made)
        print(f"\nthe workbook answered {time.perf_counter() - began:.1f} s after the start")
    finally:
        started.close()
