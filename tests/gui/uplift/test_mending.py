"""What is offered where an experiment is not valid as it stands."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.document.model import Document, Role, RoleAssignment
from core.document.studies.uplift import Check
from core.document.uplift.commands import SetPropensity
from core.document.uplift.model import UpliftSpec
from gui.pages.uplift.guard_card import mending
from gui.pages.uplift.options_menu import propensity_choices

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
