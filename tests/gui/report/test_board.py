"""The board page: one A4 page as PDF and HTML, by one key, without touching the report."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QPageSize

from core.document.report.commands import BOARD
from core.presentation.report.page import report_html
from gui.pages.report.paper import lay_out
from gui.shell.commands import printing
from gui.shell.commands.table import ACTIONS
from tests.helpers.harness import make_session


@pytest.fixture
def opened(monkeypatch, tmp_path):
    found = []

    class Services:
        @staticmethod
        def openUrl(url):
            found.append(url.toLocalFile())
            return True

    monkeypatch.setattr(printing, "state_folder", lambda: tmp_path)
    monkeypatch.setattr(printing, "QDesktopServices", Services)
    return found


def test_one_key_makes_one_page(jobs, opened, tmp_path):
    session = make_session(jobs=jobs)
    action = next(entry for entry in ACTIONS if entry.key == "print_board")
    assert action.shortcut == "Ctrl+Shift+B"
    printing.print_board(session)
    path = tmp_path / printing.FOLDER / "board.pdf"
    assert opened == [str(path)]
    assert path.read_bytes().startswith(b"%PDF")
    html = path.with_suffix(".html").read_text("utf-8")
    for head in ("Question", "Answer", "Money", "How sure", "Checked", "Open"):
        assert head in html
    assert not session.project.document.report


def test_it_stays_on_one_page_however_much_is_said(jobs):
    session = make_session(jobs=jobs)
    decisions = session.results.decisions
    long = tuple(f"Warning {place}: {'much is said of these rows, ' * 5}" for place in range(30))
    session.results.decisions = replace(decisions, warnings=long)
    text = session.report.own_page(BOARD)
    assert lay_out(text, QPageSize(QPageSize.PageSizeId.A4)).page_count == 1
    figure = text.entries[0].block.figure
    assert figure in report_html(text)


def test_it_waits_for_figures_under_way(jobs, opened):
    session = make_session(jobs=jobs)
    decided, session.results.decisions = session.results.decisions, None
    printing.print_board(session)
    assert opened == []
    session.results.decisions = decided
    session.results.decisions_changed.emit(decided)
    assert len(opened) == 1
