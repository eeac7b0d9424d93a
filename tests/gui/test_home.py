"""Page Home: open, continue, recent with profit and trouble, samples, empty states."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QScrollArea

from core.document.files.project import Headline, save_project
from core.settings import RecentProject
from gui.pages.home import widget as home_widget
from gui.pages.home.recent_model import DATA, INTERVAL, MODEL, NAME, PROFIT, WHERE
from gui.pages.home.widget import HomePage
from gui.session.samples import Sample
from gui.theme import LIGHT
from tests.helpers.factories.loaded_file import loaded_document

HEADLINE = Headline(
    best_model="gbm 2",
    profit=12294.0,
    low=11626.0,
    high=12963.0,
    depth=0.213,
    rows=20000,
    curve=(0.0, 9000.0, 12294.0, 6000.0, -6400.0),
)


def recent(path: str, name: str, headline: Headline = HEADLINE, **fields) -> RecentProject:
    return RecentProject(
        path=path,
        name=name,
        opened_at="2025-11-18T09:12:00+00:00",
        case_words="customers",
        headline=headline,
        **fields,
    )


@pytest.fixture
def projects(tmp_path) -> list[str]:
    """Two projects: the data of the first are there, those of the second are gone."""
    data = tmp_path / "mail.csv"
    data.write_text("a\n1\n")
    document = loaded_document()
    here = replace(document, data=replace(document.data, path=str(data)))
    gone = replace(document, data=replace(document.data, path="/gone/away.csv"))
    return [
        str(save_project(tmp_path / "one.payoff", here, HEADLINE)),
        str(save_project(tmp_path / "two.payoff", gone, HEADLINE)),
    ]


@pytest.fixture
def page(session, settings, qtbot):
    """Builds the page with a recent list."""

    def build(*entries: RecentProject) -> HomePage:
        settings.change(replace(settings.settings, recent=tuple(entries)))
        made = HomePage(session)
        qtbot.addWidget(made)
        made.resize(1368, 800)
        made.show()
        return made

    return build


def cell(page: HomePage, row: int, column: int, role=Qt.ItemDataRole.DisplayRole):
    return page.recent.index(row, column).data(role)


def test_empty_home_says_what_to_do_next(page):
    made = page()
    assert made.no_recent.isVisible()
    assert not made.table.isVisible()
    assert not made.continue_card.isVisible()
    assert not made.clear.isVisible()


def test_recent_shows_name_place_model_profit_interval_and_data(page, projects):
    made = page(recent(projects[0], "Spring mailing"))
    assert cell(made, 0, NAME) == "Spring mailing"
    assert cell(made, 0, WHERE) == projects[0].rsplit("/", 1)[0]
    assert cell(made, 0, MODEL) == "gbm 2"
    assert cell(made, 0, PROFIT) == "▲ +€\u00a012,294"
    assert cell(made, 0, INTERVAL) == "11,626 to 12,963"
    assert cell(made, 0, DATA) == "20,000 customers"
    colour = cell(made, 0, PROFIT, Qt.ItemDataRole.ForegroundRole)
    assert colour.name().upper() == LIGHT.gain


def test_profit_that_may_be_nothing_is_marked_and_quiet(page, projects):
    unsure = replace(HEADLINE, profit=-640.0, low=-2310.0, high=1050.0)
    made = page(recent(projects[0], "Churn", unsure))
    assert cell(made, 0, PROFIT) == "≈ \u2212€\u00a0640"
    colour = cell(made, 0, PROFIT, Qt.ItemDataRole.ForegroundRole)
    assert colour.name().upper() == LIGHT.quiet


def test_a_row_in_trouble_offers_to_find_its_file(page, projects, qtbot):
    shown = page(recent(projects[0], "One"), recent(projects[1], "Two"))
    shown.find_files()
    assert shown.table.indexWidget(shown.recent.index(0, DATA)) is None
    holder = shown.table.indexWidget(shown.recent.index(1, DATA))
    (button,) = holder.findChildren(QPushButton)
    assert button.accessibleName() == "Find the file of Two"
    with qtbot.waitSignal(shown.find_wanted, timeout=2000) as wanted:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert wanted.args == [projects[1]]


def test_moved_data_and_moved_projects_are_told_apart(page, projects):
    made = page(
        recent(projects[0], "One"), recent(projects[1], "Two"), recent("/gone/p.payoff", "Three")
    )
    made.find_files()
    assert [cell(made, row, DATA) for row in range(3)] == [
        "20,000 customers",
        "data file moved",
        "project file moved",
    ]


def test_click_opens_the_project(page, projects, qtbot):
    made = page(recent(projects[0], "One"), recent(projects[1], "Two"))
    spot = made.table.visualRect(made.recent.index(1, NAME)).center()
    with qtbot.waitSignal(made.path_wanted, timeout=1000) as wanted:
        qtbot.mouseClick(made.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert wanted.args == [projects[1]]


def test_enter_opens_the_project(page, projects, qtbot):
    made = page(recent(projects[0], "One"))
    made.table.setCurrentIndex(made.recent.index(0, NAME))
    with qtbot.waitSignal(made.path_wanted, timeout=1000):
        qtbot.keyClick(made.table, Qt.Key.Key_Return)


def test_pinned_projects_stand_first_and_survive_clearing(page, projects, settings, qtbot):
    made = page(recent(projects[0], "One"), recent(projects[1], "Two"))
    spot = made.table.visualRect(made.recent.index(1, 0)).center()
    qtbot.mouseClick(made.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert [entry.name for entry in settings.settings.recent] == ["Two", "One"]
    qtbot.mouseClick(made.clear, Qt.MouseButton.LeftButton)
    assert [entry.name for entry in settings.settings.recent] == ["Two"]
    assert made.recent.rowCount() == 1


def test_continue_shows_the_last_project_with_its_curve(page, projects, qtbot):
    older = replace(recent(projects[1], "Older"), opened_at="2024-01-01T00:00:00+00:00")
    made = page(older, recent(projects[0], "Spring mailing"))
    card = made.continue_card
    assert card.name.text() == "Spring mailing"
    assert "21.3\u00a0%" in card.line.text()
    assert "€\u00a012,294" in card.line.text()
    assert card.curve.isVisible()
    with qtbot.waitSignal(made.path_wanted, timeout=1000) as wanted:
        qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert wanted.args == [projects[0]]


def test_a_project_of_losses_shows_its_losses(page, projects):
    """Page Decide draws them downwards; the small picture showed the profit instead."""
    losses = replace(HEADLINE, is_loss=True)
    made = page(recent(projects[0], "Late payers", losses))
    assert "a loss of" in made.continue_card.line.text()
    (curve,) = made.continue_card.curve.curves
    assert curve == tuple(-value for value in HEADLINE.curve)


def test_the_project_that_is_open_comes_before_the_one_that_was(page, projects, session, qtbot):
    made = page(recent(projects[0], "Spring mailing"))
    session.files.open_sample(projects[0])
    card = made.continue_card
    assert card.heading.text() == "The project that is open"
    assert card.name.text() == session.project.document.name
    assert not card.curve.isVisible()  # nothing is worked out yet
    with qtbot.waitSignal(session.page_requested, timeout=1000) as requested:
        qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert requested.args == ["decide"]
    session.files.new_project()
    assert card.heading.text() == "Continue where you stopped"
    assert card.name.text() == "Spring mailing"


def test_project_without_totals_has_no_curve(page, projects):
    made = page(recent(projects[0], "New", Headline(rows=10)))
    assert not made.continue_card.curve.isVisible()
    assert cell(made, 0, PROFIT) == ""


def test_open_buttons_ask_the_window(page, qtbot):
    made = page()
    with qtbot.waitSignal(made.open_data_wanted, timeout=1000):
        qtbot.mouseClick(made.open_data.button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(made.open_project_wanted, timeout=1000):
        qtbot.mouseClick(made.open_project.button, Qt.MouseButton.LeftButton)


@pytest.fixture
def sample(projects, monkeypatch) -> Sample:
    class Here(Sample):
        @property
        def path(self):
            from pathlib import Path

            return Path(projects[0])

    made = Here("direct-mail", "Direct mail", "Whom to write to?", "20,000 rows")
    monkeypatch.setattr(home_widget, "bundled_samples", lambda: (made,))
    monkeypatch.setattr(home_widget, "sample_path", lambda key: projects[0])
    return made


def test_sample_opens_as_a_project_without_a_file(page, sample, session, qtbot):
    made = page()
    card = made.sample_cards["direct-mail"]
    with qtbot.waitSignal(session.page_requested, timeout=1000) as requested:
        qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert requested.args == ["decide"]
    assert session.project.document.data is not None
    assert session.files.project_path is None


@pytest.mark.parametrize("size", [(1368, 800), (1208, 620)])
def test_nothing_scrolls_sideways(page, projects, sample, size):
    made = page(*(recent(path, f"Project {i}") for i, path in enumerate(projects)))
    made.resize(*size)
    area = made.findChild(QScrollArea)
    assert area.widget().minimumSizeHint().width() <= size[0]
    widths = sum(made.table.columnWidth(c) for c in range(made.recent.columnCount()))
    assert widths <= made.table.viewport().width()


def test_a_project_that_has_gone_is_looked_for_where_it_is_opened(page, qtbot):
    shown = page(recent("/gone/p.payoff", "Three"))
    with qtbot.waitSignal(shown.find_wanted, timeout=2000) as wanted:
        shown.continue_card.button.click()
    assert wanted.args == ["/gone/p.payoff"]
    with qtbot.waitSignal(shown.find_wanted, timeout=2000):
        shown.table.activated.emit(shown.recent.index(0, NAME))
