"""A decided mailing on page Decide."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.document.results import DecisionResult
from core.engine.local import LocalEngine
from core.questions.decide import Totals
from gui.theme import LIGHT, apply_theme, current_theme
from tests.helpers.factories.decision_bases import gift_columns, gift_document
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load
from tests.helpers.harness import DecideHarness, RealDecideHarness


@pytest.fixture(autouse=True)
def english_numbers() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def harness(qtbot: QtBot, qapp: QApplication) -> DecideHarness:
    if current_theme() is not LIGHT or not qapp.styleSheet():
        apply_theme(qapp, "light")
    made = DecideHarness()
    qtbot.addWidget(made.page)
    made.page.resize(1368, 802)
    made.show()
    made.page.show()
    qtbot.waitExposed(made.page)
    return made


@pytest.fixture
def decided(harness: DecideHarness) -> DecisionResult:
    result = harness.session.results.decisions
    assert result is not None
    return result


@pytest.fixture(scope="session")
def local_engine(tmp_path_factory: pytest.TempPathFactory) -> LocalEngine:
    """The engine's handlers in this process, with the kernels of page Decide loaded."""
    engine = LocalEngine()
    path = write_csv(tmp_path_factory.mktemp("kernels") / "gifts.csv", gift_columns())
    engine.ask(gift_document(load(engine, path)), Totals())
    return engine


@pytest.fixture
def real_desk(local_engine: LocalEngine, qtbot: QtBot) -> Iterator[RealDecideHarness]:
    made = RealDecideHarness(local_engine, qtbot)
    yield made
    made.queue.close()
