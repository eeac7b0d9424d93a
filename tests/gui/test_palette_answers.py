"""The palette answers by itself: the project's figures at once, and what a pasted number is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.presentation.known_figures import KnownFigure
from gui.session.results import Results
from tests.helpers.answers.synthetic import make_decisions
from tests.helpers.answers.synthetic.evaluation import make_evaluation
from tests.helpers.factories.loaded_file import make_summary


@pytest.fixture
def known(window, engine, qtbot, monkeypatch):
    """A window whose project has its money and metrics."""
    job = window.session.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(window.session.project.summary_changed, timeout=2000):
        engine.answer(job, make_summary())
    results = window.session.results
    monkeypatch.setattr(results, "decisions", make_decisions(2_000))
    monkeypatch.setattr(results, "evaluation", make_evaluation(2_000))
    for name in ("decisions_are_fresh", "evaluation_is_fresh"):
        monkeypatch.setattr(Results, name, property(lambda _self: True))
    return window


def lines(palette) -> list[str]:
    return [palette.list.item(row).text() for row in range(palette.list.count())]


def test_answers_stand_first_before_anything_is_typed(known, qtbot):
    palette = known.open_palette()
    money, metric, *_ = lines(palette)
    assert money.startswith("Best ")
    assert "€" in money
    leading = known.session.results.evaluation.metrics[0].title
    assert metric.startswith(f"{leading}, ")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert known.current_page == "decide"


@pytest.mark.parametrize(("width", "shown"), [(1000, 520), (1440, 648), (2560, 680)])
def test_the_palette_is_wider_in_a_wide_window(known, width, shown):
    known.resize(width, 720)
    palette = known.open_palette()
    assert palette.width() == shown
    palette.close()


def test_old_answers_are_not_offered(known, monkeypatch):
    for name in ("decisions_are_fresh", "evaluation_is_fresh"):
        monkeypatch.setattr(Results, name, property(lambda _self: False))
    palette = known.open_palette()
    assert not lines(palette)[0].startswith("Best ")
    palette.close()


def test_a_pasted_figure_is_named(known, qtbot):
    total = known.session.results.decisions.models[0]
    QApplication.clipboard().setText(f"€ {total.best_profit:,.0f}")
    palette = known.open_palette()
    qtbot.keyClick(palette.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert any(f"Total of {total.model} at its best depth" in line for line in lines(palette))
    palette.close()


def test_a_number_that_is_no_figure_says_where_others_are(known, qtbot):
    palette = known.open_palette()
    qtbot.keyClicks(palette.field, "98765.4321")
    assert lines(palette) == []
    assert palette.nothing.text().startswith("No figure shown so far reads 98765.4321")
    palette.close()


def test_figures_of_pages_are_looked_through(known, monkeypatch, qtbot):
    figure = KnownFigure(name="scikit-uplift, qini", shown="0.0732", value=0.07324, place="uplift")
    monkeypatch.setattr(known, "known_figures", lambda: (figure,))
    palette = known.open_palette()
    qtbot.keyClicks(palette.field, "0,0732")
    assert lines(palette) == ["scikit-uplift, qini: 0.0732"]
    palette.close()
