"""A decided mailing on page Decide."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.document.results import DecisionResult
from gui.theme import LIGHT, apply_theme, current_theme
from tests.gui.decide.standin import Desk


@pytest.fixture(autouse=True)
def english_numbers() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication) -> Desk:
    if current_theme() is not LIGHT or not qapp.styleSheet():
        apply_theme(qapp, "light")
    made = Desk()
    qtbot.addWidget(made.page)
    made.page.resize(1368, 802)
    made.show()
    made.page.show()
    qtbot.waitExposed(made.page)
    return made


@pytest.fixture
def decided(desk: Desk) -> DecisionResult:
    result = desk.workspace.decisions
    assert result is not None
    return result
