"""Naming another outcome: what becomes of the old one."""

from __future__ import annotations

import pytest

from core.document.data.results import ColumnSummary
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from gui.pages.data.targets import name_target


@pytest.mark.parametrize(("role", "before"), [(Role.EXIT, Role.EVENT), (Role.INPUT, Role.INPUT)])
def test_an_event_whose_time_becomes_the_outcome_says_whether_it_was_seen(role, before):
    document = Document(
        name="trial",
        target=TargetSpec(column="death", kind="binary", levels=("1", "0")),
        roles=(
            RoleAssignment(column="months", role=role),
            RoleAssignment(column="death", role=Role.TARGET),
        ),
    )
    months = ColumnSummary(name="months", kind="number", rows=300, missing=0, distinct=290)
    changed = name_target(document, months).apply(document)
    assert changed.target == TargetSpec(column="months", kind="interval")
    assert changed.column_of(Role.TARGET) == "months"
    entry = changed.role_of("death")
    assert entry is not None
    assert entry.role is before
