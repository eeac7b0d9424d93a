"""Page Explain over a document with a trained model."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gui.pages.explain.widget import ExplainPage
from gui.session.session import Session
from tests.helpers.answers.models import document_with_inputs, summary_of


@pytest.fixture
def page(session: Session, qtbot: QtBot) -> ExplainPage:
    document = document_with_inputs()
    session.project.take_document(document)
    session.project.summary = summary_of(document)
    page = ExplainPage(session)
    qtbot.addWidget(page)
    page.resize(1368, 802)
    page.show()
    qtbot.waitExposed(page)
    return page
