"""Page Models on an engine that answers when the test says so."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gui.session.session import Session
from tests.helpers.answers.models import document_with_inputs
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.harness import ModelsHarness, open_models


@pytest.fixture
def harness(session: Session, engine: FakeEngine, qtbot: QtBot) -> ModelsHarness:
    """Three imported models, none trained here yet."""
    return open_models(session, engine, qtbot, document_with_inputs(has_trained=False))


@pytest.fixture
def trained_bench(session: Session, engine: FakeEngine, qtbot: QtBot) -> ModelsHarness:
    """A trained model beside the imported ones."""
    return open_models(session, engine, qtbot, document_with_inputs())
