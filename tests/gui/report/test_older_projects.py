"""Reports of projects of every older schema, in the window: shown, and kept in the newest form."""

from __future__ import annotations

import pytest

from core.document.files.project import read_project, save_project
from core.presentation.report.keeping import unpack_views
from core.presentation.report.page import report_html
from gui.session.session import Session
from tests.helpers.factories.older_projects import KEPT, OLDER, copy_of


@pytest.mark.parametrize("schema", OLDER)
def test_the_window_shows_it_and_keeps_it_in_the_newest_form(schema, jobs, tmp_path):
    session = Session(jobs)
    refused: list[object] = []
    session.project.message_posted.connect(refused.append)
    assert session.files.open_project(str(copy_of(schema, tmp_path)))
    assert not refused
    text = session.report.text()
    shown = [entry.kind for entry in text.entries]
    assert shown == list(KEPT.get(schema, ()))
    assert all(entry.warning for entry in text.entries)  # of an older day, or not made yet
    html = report_html(text)
    assert ("€ 1,234" in html) is (schema >= 5)
    again = tmp_path / "again.payoff"
    save_project(
        again,
        session.project.document,
        session.files.headline(),
        report=session.report.packed(),
    )
    back = read_project(again)
    assert back.document == session.project.document
    assert unpack_views(back.report) == () if schema < 5 else len(back.report) == 3
