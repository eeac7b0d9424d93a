"""Naming another outcome: what becomes of the old one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core import data
from core.document.data.results import ColumnSummary
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from gui.pages.data.targets import name_target, take_target, target_of
from tests.core.data.helpers import load_text

MONTHS = ColumnSummary(name="months", kind="number", rows=300, missing=0, distinct=290)


def _trial(levels: tuple[str, ...], role: Role = Role.EXIT, **target: object) -> Document:
    return Document(
        name="trial",
        target=TargetSpec(column="end", kind="binary", levels=levels, **target),
        roles=(
            RoleAssignment(column="months", role=role),
            RoleAssignment(column="end", role=Role.TARGET),
        ),
    )


@pytest.mark.parametrize(("role", "before"), [(Role.EXIT, Role.EVENT), (Role.INPUT, Role.IGNORED)])
def test_an_event_whose_time_becomes_the_outcome_says_whether_it_was_seen(role, before):
    document = _trial(("1", "0"), role)
    changed = name_target(document, MONTHS).apply(document)
    assert changed.target == TargetSpec(column="months", kind="interval")
    assert changed.column_of(Role.TARGET) == "months"
    entry = changed.role_of("end")
    assert entry is not None
    assert entry.role is before  # a former outcome may give the new one away: it is no input


class _Session:
    """A project whose derived columns come at once."""

    def __init__(self, document: Document, column: ColumnSummary) -> None:
        self.derived: list[str] = []
        self.project = SimpleNamespace(
            document=document,
            summary=SimpleNamespace(columns=(MONTHS, column)),
            execute=self._execute,
            finish_editing=lambda: None,
        )
        self.tables = SimpleNamespace(derive=self._derive)

    def _execute(self, command) -> None:
        self.project.document = command.apply(self.project.document)

    def _derive(self, column, on_end, *, page) -> None:
        self.derived.append(column.text)
        new = RoleAssignment(column=column.name, role=Role.INPUT)
        self.project.document = self.project.document.with_roles(
            (*self.project.document.roles, new)
        )
        on_end(None)


@pytest.mark.parametrize(
    ("values", "event", "other", "spellings", "seen"),
    [
        ("01101", "0", "1", (), "10010"),  # 1 = censored
        (("dead", "alive", "Dead"), "dead", "alive", (("Dead", "dead"),), "101"),
        (("lost", 'found "it"', "lost"), 'found "it"', "lost", (), "010"),
        (("true", "false", "false"), "false", "true", (), "011"),
        ("21221", "2", "1", (), "10110"),
    ],
)
def test_events_that_are_not_written_1_and_0_get_a_column_that_says_so(
    tmp_path, values, event, other, spellings, seen
):
    cells = [str(value).replace('"', '""') for value in values]
    table = load_text(tmp_path, "end,x\n" + "".join(f'"{cell}",1\n' for cell in cells))
    column = next(c for c in table.summary.columns if c.name == "end")
    session = _Session(_trial((event, other), spellings=spellings), column)
    take_target(session, MONTHS)
    document, (text,) = session.project.document, session.derived
    assert document.column_of(Role.EVENT) == f"end is {event}"
    former = document.role_of("end")
    assert former is not None
    assert former.role is Role.IGNORED
    made = data.evaluate_expression(table, text).as_column().to_pylist()
    assert "".join(str(int(value)) for value in made) == seen


def test_events_written_1_and_0_are_read_as_they_are():
    column = ColumnSummary(name="end", kind="integer", rows=300, missing=0, distinct=2)
    session = _Session(_trial(("1", "0")), column)
    take_target(session, MONTHS)
    assert session.derived == []
    assert session.project.document.column_of(Role.EVENT) == "end"


@pytest.mark.parametrize(
    ("name", "levels", "event"),
    [
        ("Ausfall", (("nein", 90), ("ja", 10)), "ja"),
        ("loan", (("Fully Paid", 20), ("Charged Off", 80)), "Charged Off"),
        ("kind", (("a", 50), ("b", 40), ("c", 10)), "c"),
    ],
)
def test_the_event_of_a_column_that_a_person_chooses_is_guessed_as_when_a_file_is_opened(
    name, levels, event
):
    column = ColumnSummary(
        name=name, kind="text", rows=100, missing=0, distinct=len(levels), levels=levels
    )
    assert target_of(column).event == event
