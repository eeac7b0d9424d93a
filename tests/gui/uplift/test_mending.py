"""What is offered where an experiment is not valid as it stands."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QPushButton

from core.document.model import Document, Role, RoleAssignment
from core.document.studies.uplift import Check
from core.document.uplift.commands import SetPropensity
from core.document.uplift.model import UpliftSpec
from core.presentation.charts.chart import AxisSpec, Chart
from core.presentation.view import View
from gui.pages.uplift.action_card import ActionCard
from gui.pages.uplift.guard_card import mending
from gui.pages.uplift.options_menu import propensity_choices
from gui.pages.uplift.widget import RIGHT
from gui.theme import apply_theme
from gui.widgets.scrolled import scrolled

ESTIMATE = SetPropensity(is_estimated=True)


@pytest.mark.parametrize(
    ("state", "failed", "has_probabilities", "lot", "columns", "step"),
    [
        ("ok", (), False, None, {}, None),
        ("warning", (), False, None, {"x": Role.INPUT}, None),
        ("error", ("predictable",), False, None, {"x": Role.INPUT}, ESTIMATE),
        ("error", ("score",), False, None, {"e": Role.PROPENSITY}, SetPropensity(column="e")),
        ("error", (), False, False, {"x": Role.INPUT}, ESTIMATE),
        ("error", ("predictable",), False, None, {}, None),  # nothing to estimate from
        ("error", ("share",), False, True, {"x": Role.INPUT}, None),  # lost or doubled cases
        ("error", ("overlap",), True, None, {"x": Role.INPUT}, None),
    ],
)  # fmt: skip
def test_an_invalid_experiment_offers_what_mends_it(
    state, failed, has_probabilities, lot, columns, step
):
    document = Document(
        uplift=UpliftSpec(drawn_by_lot=lot),
        roles=tuple(RoleAssignment(column=name, role=role) for name, role in columns.items()),
    )
    checks = tuple(Check(key=key, title=key, state="error", value="") for key in failed)
    guard = SimpleNamespace(state=state, checks=checks)
    found = SimpleNamespace(guard=guard, has_propensity=has_probabilities)
    offer = mending(found, document)
    assert (None if offer is None else offer[1]) == step


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (UpliftSpec(), "e"),  # the column with that role
        (UpliftSpec(propensity=""), "the share"),
        (UpliftSpec(estimates_propensity=True), "estimated"),
    ],
)
def test_the_chances_that_are_used_are_the_ones_shown(spec, words):
    document = Document(uplift=spec, roles=(RoleAssignment(column="e", role=Role.PROPENSITY),))
    session = SimpleNamespace(project=SimpleNamespace(document=document))
    choices = propensity_choices(session)
    assert [choice.button_words for choice in choices if choice.is_on] == [words]
    for choice in choices:  # each can be chosen, and is then the one in use
        session.project.document = choice.command.apply(document)
        (on,) = (entry for entry in propensity_choices(session) if entry.is_on)
        assert on.button_words == choice.button_words


@pytest.mark.parametrize("words", [28, 34, 40, 46, 52, 58, 64, 70, 76])
def test_no_sentence_of_the_column_is_cut_where_it_scrolls(qtbot, qapp, words):
    """The least height of the column counted its frame's border as room for words."""
    apply_theme(qapp, "light")
    ground = "What treating would bring cannot be read off it at all. " * 3
    card = ActionCard(QPushButton("Prices: written here"))
    area = scrolled(card)
    area.setFixedWidth(RIGHT)
    area.resize(RIGHT, 300)
    qtbot.addWidget(area)
    card.show_prices(UpliftSpec(), "€", "“bought” is worth")
    sentences = (ground[: 2 * words], ground[:words], ground)
    view = View(
        title="Net gain", figure="€ 50.01", interval=ground, state="error", sentences=sentences
    )
    chart = Chart(
        kind="uplift prices",
        title="Which model wins?",
        subtitle="",
        x_axis=AxisSpec(label="x", quantity="number", low=0.0, high=1.0),
        y_axis=AxisSpec(label="y", quantity="number", low=0.0, high=1.0),
    )
    area.show()
    card.show_gain(replace(view, charts=(chart,)), "")
    for _ in range(5):
        qapp.processEvents()
    for label in card.panel.sentences:
        assert label.height() >= label.heightForWidth(label.width())
