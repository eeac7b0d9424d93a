"""What roles leave open is asked on page Compare, once; the answer is a role."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.model import Role, RoleAssignment, WeightKind
from gui.pages.compare.questions import open_question
from gui.pages.compare.widget import ComparePage
from tests.helpers.factories.loaded_file import make_summary
from tests.helpers.harness import make_session


def with_id(summary, distinct, rows=1000):
    columns = tuple(
        replace(column, distinct=distinct, rows=rows) if column.name == "customer_id" else column
        for column in summary.columns
    )
    return replace(summary, columns=columns)


@pytest.fixture
def session(jobs):
    session = make_session(jobs=jobs)
    summary = with_id(make_summary(), 400)
    session.project.summary = summary
    weight = RoleAssignment(column="w", role=Role.WEIGHT)
    roles = (*session.project.document.roles, summary.roles[0], weight)
    session.project.take_document(replace(session.project.document, roles=roles))
    session.project.summary = summary
    return session


def test_weight_first_then_rows_that_belong_together(session, qtbot):
    page = ComparePage(session)
    qtbot.addWidget(page)
    page.refresh()
    assert "“w”" in page.question.text.full_text()
    page.question.buttons[1].click()
    assert session.project.document.role_of("w").weight_kind is WeightKind.SAMPLING
    assert "400 different values in 1,000 rows" in page.question.text.full_text()
    page.question.buttons[0].click()
    assert session.project.document.column_of(Role.CLUSTER) == "customer_id"
    assert page.question.isHidden()
    session.project.undo()
    assert not page.question.isHidden()
    page.question.buttons[1].click()
    assert session.project.document.column_of(Role.CLUSTER) is None
    assert page.question.isHidden()  # said: the id is an id


def test_a_column_named_as_an_id_that_repeats_was_taken_for_an_input(session):
    document = session.project.document
    known = document.role_of("customer_id")
    for name, is_requested in (("household_id", True), ("HouseholdNo", False), ("age", False)):
        entry = replace(known, column=name, role=Role.INPUT)
        described = replace(document.role_of("w"), weight_kind=WeightKind.FREQUENCY)
        columns = (replace(session.project.summary.columns[0], name=name, distinct=400, rows=1000),)
        summary = replace(session.project.summary, columns=columns)
        requested = open_question(replace(document, roles=(entry, described)), summary)
        assert (requested is not None) == is_requested


@pytest.mark.parametrize("distinct", [-1, 1, 990, 1000])
def test_an_id_that_hardly_repeats_is_no_question(session, distinct):
    document = session.project.document
    described = replace(document.role_of("w"), weight_kind=WeightKind.FREQUENCY)
    document = replace(document, roles=(*document.roles[:-1], described))
    assert open_question(document, with_id(session.project.summary, distinct)) is None
    assert open_question(document, session.project.summary) is not None
