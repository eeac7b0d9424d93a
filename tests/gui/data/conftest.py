"""A file of customers, opened on page Data."""

from __future__ import annotations

import pytest

from gui.pages.data.widget import DataPage
from gui.widgets.tables.paged_model import PAGE
from tests.helpers.factories.loaded_file import make_page, make_summary


@pytest.fixture
def opened(session, engine, qtbot):
    job = session.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, make_summary(rows=100_000))
    return session


@pytest.fixture
def page(opened, engine, qtbot) -> DataPage:
    made = DataPage(opened)
    qtbot.addWidget(made)
    made.resize(1368, 800)
    made.show()
    qtbot.waitExposed(made)
    qtbot.waitUntil(lambda: bool(engine.of_kind("data.rows")), timeout=2000)
    with qtbot.waitSignal(made.model.dataChanged, timeout=2000):
        engine.answer(engine.last("data.rows").job, make_page(0, PAGE))
    return made
