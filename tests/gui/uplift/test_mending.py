"""What is offered where an experiment is not valid as it stands."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.document.model import Document, Role, RoleAssignment
from core.document.studies.uplift import Check
from core.document.uplift.commands import SetPropensity
from core.document.uplift.model import UpliftSpec
from gui.pages.uplift.guard_card import mending

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
