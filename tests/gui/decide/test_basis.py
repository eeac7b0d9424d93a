"""The tab Basis: decisions averaged over quantiles and over leaves, by the real engine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox

from core.document.decisions.commands import SetMatrix
from core.document.decisions.matrix_model import DecisionBasis
from gui.pages.data.dialogs.quantile_columns import QuantileColumnsDialog
from gui.pages.decide.studies.basis import BasisStudy
from gui.pages.decide.studies.basis_choice import COLUMNS, LEAF, NONE
from tests.helpers.factories.decision_bases import (
    BENT,
    QUANTILES,
    by_script,
    gift_columns,
    gift_document,
    leaf_columns,
    leaf_document,
    visits_by_script,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.harness import RealDecideHarness


@pytest.fixture
def harness(real_desk: RealDecideHarness) -> RealDecideHarness:
    real_desk.page.show()
    real_desk.qtbot.waitExposed(real_desk.page)
    return real_desk


def basis_tab(harness: RealDecideHarness) -> BasisStudy:
    tabs = harness.page.tables.tabs
    study = next(w for i in range(tabs.count()) if isinstance(w := tabs.widget(i), BasisStudy))
    tabs.setCurrentWidget(study)
    harness.qtbot.waitUntil(lambda: study.is_current)
    return study


def choose(study: BasisStudy, harness: RealDecideHarness, key: str) -> None:
    source = study.choice.source
    source.setCurrentIndex(source.findData(key))
    source.activated.emit(source.currentIndex())
    harness.settle()
    harness.qtbot.waitUntil(lambda: study.is_current)


def model_basis(harness: RealDecideHarness) -> DecisionBasis | None:
    return harness.session.project.document.models[0].basis


def test_gifts_are_decided_over_their_quantiles(harness: RealDecideHarness, tmp_path: Path) -> None:
    harness.open(write_csv(tmp_path / "gifts.csv", gift_columns()))
    space = harness.session
    assert space.project.document.data is not None
    harness.take(gift_document(space.project.document.data))
    study = basis_tab(harness)
    assert "by its own score" in study.panel.sentences[0].text()
    assert not study.panel.tables
    assert not study.choice.use.isVisible()
    choose(study, harness, COLUMNS)  # their names say the levels
    assert model_basis(harness) == DecisionBasis(quantiles=QUANTILES)
    rows = study.panel.tables[0].figures.content.rows
    assert [row[0].is_bold for row in rows] == [False, False, True]
    script = by_script()
    assert rows[2][4].text == f"{script.total:,.0f}"
    assert space.results.decisions is not None
    assert space.results.decisions.models[0].total.value == pytest.approx(script.total)
    study.choice.use.click()  # back to the own prediction; the table stays to be compared
    harness.settle()
    harness.qtbot.waitUntil(lambda: study.is_current)
    assert space.results.decisions.models[0].total.value != pytest.approx(script.total)
    assert [row[0].is_bold for row in study.panel.tables[0].figures.content.rows] == [
        True,
        False,
        False,
    ]
    space.project.undo()
    space.project.undo()
    harness.settle()
    assert model_basis(harness) is None


def test_levels_of_columns_are_typed_and_a_refusal_stays_in_the_dialog(
    harness: RealDecideHarness, tmp_path: Path
) -> None:
    columns = gift_columns()
    names = {"q10": "low", "q50": "mid", "q90": "high"}
    renamed = {names.get(name, name): values for name, values in columns.items()}
    harness.open(write_csv(tmp_path / "gifts.csv", renamed))
    space = harness.session
    assert space.project.document.data is not None
    harness.take(gift_document(space.project.document.data))
    study = basis_tab(harness)
    dialog = study.open_columns()
    assert isinstance(dialog, QuantileColumnsDialog)
    rows = [dialog.table.item(row, 0).text() for row in range(dialog.table.rowCount())]
    assert rows == ["guess", "low", "mid", "high"]
    dialog.accept()
    assert "No column has a level" in dialog.lines.texts[0]
    dialog.table.item(1, 1).setText("ten")
    dialog.accept()
    assert "“ten” is no level" in dialog.lines.texts[0]
    assert "column low" in dialog.lines.texts[0]
    dialog.table.item(1, 1).setText("10 %")
    dialog.accept()
    assert "One quantile is no distribution" in dialog.lines.texts[0]
    assert model_basis(harness) is None
    dialog.table.item(3, 1).setText("90")
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    buttons.accepted.emit()
    harness.settle()
    basis = model_basis(harness)
    assert basis is not None
    assert basis.quantiles == ((0.1, "low"), (0.9, "high"))


def test_leaves_of_a_column_decide_together(harness: RealDecideHarness, tmp_path: Path) -> None:
    harness.open(write_csv(tmp_path / "visits.csv", leaf_columns()))
    space = harness.session
    assert space.project.document.data is not None
    harness.take(leaf_document(space.project.document.data))
    study = basis_tab(harness)
    keys = [study.choice.source.itemData(i) for i in range(study.choice.source.count())]
    assert keys == [NONE, f"{LEAF}leaf"]
    choose(study, harness, f"{LEAF}leaf")
    assert space.results.decisions is not None
    by_leaf = visits_by_script(leaf="leaf")
    assert space.results.decisions.models[0].total.value == pytest.approx(by_leaf.total)
    assert "5 leaves" in study.panel.notes.text()
    assert (
        "decides by averages over the leaves"
        in harness.page.meaning.accessibleName()
        + " ".join(line.text for line in space.results.decisions.advice)
    )
    study.choice.honest.click()
    harness.settle()
    honest = visits_by_script(leaf="leaf", leaf_honest=True)
    assert space.results.decisions.models[0].total.value == pytest.approx(honest.total)
    choose(study, harness, NONE)
    assert space.results.decisions.models[0].total.value == pytest.approx(visits_by_script().total)


def test_a_refusal_stands_beside_the_choice(harness: RealDecideHarness, tmp_path: Path) -> None:
    """A project whose quantile column is gone: said what is missing, and another can be chosen."""
    columns = gift_columns()
    harness.open(write_csv(tmp_path / "gifts.csv", columns))
    space = harness.session
    assert space.project.document.data is not None
    document = gift_document(space.project.document.data)
    lost = DecisionBasis(quantiles=((0.1, "q10"), (0.9, "gone")))
    models = tuple(replace(entry, basis=lost) for entry in document.models)
    harness.take(replace(document, models=models))
    assert "gone" in harness.said
    study = next(
        w
        for i in range(harness.page.tables.tabs.count())
        if isinstance(w := harness.page.tables.tabs.widget(i), BasisStudy)
    )
    assert study.view is None
    assert study.choice.isEnabled()
    space.project.execute(SetMatrix(matrix=BENT))
    assert space.project.document.data is not None
