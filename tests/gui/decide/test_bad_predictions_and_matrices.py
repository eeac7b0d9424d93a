"""Cases 43 to 60 of the bad-input catalogue in the window: command, engine, presenter.

Each case changes a good project on page Decide, or opens a bad file in its place. What is wrong
is said in words, nothing that was loaded is lost, and the good project decides as before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from core.document.commands import Command, SetOldPriors
from core.document.data.model import RowUse
from core.document.decisions.commands import (
    RenameDecision,
    SetActing,
    SetCosts,
    SetMatrix,
    SetPriors,
)
from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.model import (
    Document,
    OldPriorKind,
    OldPriors,
    Role,
    RoleAssignment,
    TargetSpec,
)
from core.engine.local import LocalEngine
from payoff.errors import PayoffError
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load
from tests.helpers.harness import RealDecideHarness

GOOD: dict[str, list[object]] = {
    "y": [1, 0, 1, 0, 1, 0, 0, 1],
    "p": [0.9, 0.2, 0.7, 0.4, 0.6, 0.1, 0.3, 0.8],
    "cost": [1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 2.0, 2.0],
}
PLAIN = MatrixSpec(
    template="payoff.profit",
    kind=MatrixKind.PROFIT,
    levels=("1", "0"),
    decisions=("Mail", "Nothing"),
    cells=((15.0, 0.0), (-1.5, 0.0)),
    acting="Mail",
    do_nothing="Nothing",
)
REVENUE = replace(PLAIN, template="payoff.revenue", kind=MatrixKind.REVENUE)


@dataclass(frozen=True)
class Case:
    """What is done to the good project, and what is then said; ``is_refused``: no totals."""

    number: int
    parts: tuple[str, ...]
    commands: tuple[Command, ...] = ()
    columns: dict[str, list[object]] | None = None  # of a file in place of the good one
    change: Callable[[Document], Document] | None = None  # as a project brings it
    is_refused: bool = True
    asks_metrics: bool = False

    @property
    def name(self) -> str:
        return f"{self.number} {self.parts[0]}"


def cells(*rows: tuple[float, ...], **changes: object) -> SetMatrix:
    return SetMatrix(matrix=replace(PLAIN, cells=rows, **changes))


def with_p(*values: object) -> dict[str, list[object]]:
    return GOOD | {"p": list(values)}


def two_columns(document: Document) -> Document:
    """Chances of both classes in columns of their own."""
    both = RoleAssignment(column="q", role=Role.POSTERIOR, model="m", level="0")
    return document.with_roles((*document.roles, both))


def costs(*given: CostSpec) -> tuple[Command, ...]:
    return (SetMatrix(matrix=REVENUE), SetCosts(costs=given))


def trained_at(*shares: tuple[str, float]) -> SetOldPriors:
    return SetOldPriors(
        model="m", old_priors=OldPriors(kind=OldPriorKind.TRAINED_AT, shares=shares)
    )


HALF = SetPriors(priors=(("1", 0.5), ("0", 0.5)))
POSTAGE = CostSpec(column="postage")
CASES = (
    Case(
        43,
        ("scores, not chances", "column p", "data row 1", "570"),
        columns=with_p(570, 360, 510, 420, 480, 330, 390, 540),
    ),
    Case(
        43,
        ("1 of 8 values", "data row 3", "1.2"),
        is_refused=False,
        columns=with_p(0.9, 0.2, 1.2, 0.4, 0.6, 0.1, 0.3, 0.8),
    ),
    Case(
        44,
        ("data row 5", "sum 0.98"),
        change=two_columns,
        columns=GOOD | {"q": [0.1, 0.8, 0.3, 0.6, 0.38, 0.9, 0.7, 0.2]},
    ),
    Case(
        45,
        ("look like percentages", "column p"),
        columns=with_p(90.0, 20.0, 70.0, 40.0, 60.0, 10.0, 30.0, 80.0),
    ),
    Case(
        46,
        ("infinite", "row 3"),
        is_refused=False,
        asks_metrics=True,
        columns=with_p(0.9, 0.2, 0.0, 0.4, 0.6, 0.1, 0.3, 0.8),
    ),
    Case(
        47,
        ("All scores of m are equal",),
        is_refused=False,
        asks_metrics=True,
        columns=with_p(*[0.5] * 8),
    ),
    Case(
        48,
        ("no score of m", "2"),
        is_refused=False,
        columns=with_p(0.9, 0.2, 0.7, 0.4, 0.6, 0.1, "", ""),
    ),
    Case(
        49,
        ("perfect", "leakage"),
        is_refused=False,
        asks_metrics=True,
        columns=with_p(*[0.75 if y else 0.25 for y in GOOD["y"]]),
    ),
    Case(
        50,
        ("share of 0 or more", "level 1", "-0.1"),
        commands=(SetPriors(priors=(("1", -0.1), ("0", 1.1))),),
    ),
    Case(
        50,
        ("At least one prior", "levels 1, 0"),
        commands=(SetPriors(priors=(("1", 0.0), ("0", 0.0))),),
    ),
    Case(
        50,
        ("do not fit", "level 2", "no such level"),
        commands=(SetPriors(priors=(("1", 0.5), ("0", 0.3), ("2", 0.2))),),
    ),
    Case(
        50, ("do not fit", "level 0", "has no share"), commands=(SetPriors(priors=(("1", 0.5),)),)
    ),
    Case(
        50,
        ("sum to 110.0",),
        is_refused=False,
        commands=(SetPriors(priors=(("1", 0.2), ("0", 0.9))),),
    ),
    Case(
        50,
        ("has the prior 0", "its 4"),
        is_refused=False,
        commands=(SetPriors(priors=(("1", 0.0), ("0", 1.0))),),
    ),
    Case(
        51,
        ("'1'", "no training row was of that class"),
        commands=(HALF, trained_at(("1", 0.0), ("0", 1.0))),
    ),
    Case(
        51,
        ("No case is “1”", "prior"),
        is_refused=False,
        commands=(HALF,),
        columns=GOOD | {"y": [0] * 8},
    ),
    Case(
        52,
        ("level 0", "no row for it"),
        commands=(SetMatrix(matrix=replace(PLAIN, levels=("1",), cells=((15.0, 0.0),))),),
    ),
    Case(
        52,
        ("level 2", "no such level"),
        commands=(cells((15.0, 0.0), (-1.5, 0.0), (1.0, 1.0), levels=("1", "0", "2")),),
    ),
    Case(53, ("row 1", "column Nothing", "nan"), commands=(cells((15.0, np.nan), (-1.5, 0.0)),)),
    Case(53, ("row 1", "column Nothing", "inf"), commands=(cells((15.0, np.inf), (-1.5, 0.0)),)),
    Case(
        54,
        ("Doing nothing is not in the matrix",),
        is_refused=False,
        commands=(cells((15.0,), (-1.5,), decisions=("Mail",), do_nothing=None),),
    ),
    Case(
        55,
        ("said to do nothing", "profit chart"),
        is_refused=False,
        commands=(cells((15.0, 2.0), (-1.5, 1.0)),),
    ),
    Case(
        56,
        ("the same in every class", "stands first"),
        is_refused=False,
        commands=(cells((15.0, 15.0), (-1.5, -1.5)),),
    ),
    Case(
        56,
        ("“Nothing” can never win",),
        is_refused=False,
        commands=(cells((15.0, 1.0), (-1.5, -2.0)),),
    ),
    Case(
        57, ("are these losses?",), is_refused=False, commands=(cells((-15.0, 0.0), (0.0, -2.0)),)
    ),
    Case(58, ("'postage'",), commands=costs(POSTAGE, CostSpec())),
    Case(58, ("3 costs, 2 decisions", "costs"), commands=costs(CostSpec(), CostSpec(), CostSpec())),
    Case(
        58,
        ("cost missing", "1"),
        is_refused=False,
        columns=GOOD | {"cost": ["", *[1.0] * 7]},
        commands=costs(CostSpec(column="cost"), CostSpec()),
    ),
    Case(
        58,
        ("cost below 0", "row 2"),
        is_refused=False,
        columns=GOOD | {"cost": [1.0, -2.0, *[1.0] * 6]},
        commands=costs(CostSpec(column="cost"), CostSpec()),
    ),
    Case(58, ("decision", "'Phone'", "Mail, Nothing"), commands=(SetActing(acting="Phone"),)),
    Case(
        59,
        ("name of its own", "Mail, Mail"),
        commands=(RenameDecision(decision="Nothing", name="Mail"),),
    ),
    Case(
        59,
        ("nothing to decide",),
        is_refused=False,
        change=lambda d: replace(
            d,
            target=TargetSpec(column="y", kind="binary", levels=("1",)),
            matrix=replace(
                PLAIN, levels=("1",), decisions=("Mail",), cells=((5.0,),), do_nothing=None
            ),
        ),
        columns=GOOD | {"y": [1] * 8, "p": [1.0] * 8},
    ),
    Case(60, ("level 1", "Mail", "1e+300"), commands=(cells((1e300, 0.0), (-1.0, 0.0)),)),
    Case(
        60,
        ("data row 2", "column cost"),
        columns=GOOD | {"cost": [1.0, 1e300, *[1.0] * 6]},
        commands=costs(CostSpec(column="cost"), CostSpec()),
    ),
)


def project_of(document: Document) -> Document:
    roles = (
        RoleAssignment(column="y", role=Role.TARGET),
        RoleAssignment(column="p", role=Role.POSTERIOR, model="m", level="1"),
        RoleAssignment(column="cost", role=Role.COST),
    )
    return replace(
        document,
        target=TargetSpec(column="y", kind="binary", levels=("1", "0")),
        rows_used=RowUse.ALL,
        matrix=PLAIN,
    ).with_roles(roles)


@pytest.fixture(scope="module")
def good(local_engine: LocalEngine, tmp_path_factory: pytest.TempPathFactory) -> Document:
    path = write_csv(tmp_path_factory.mktemp("good") / "good.csv", GOOD)
    return project_of(Document(data=load(local_engine, path)))


def total(harness: RealDecideHarness) -> float:
    result = harness.session.results.decisions
    assert result is not None
    return result.models[0].total.value


def all_said(harness: RealDecideHarness) -> str:
    """Everything a person can read of it: messages, the linter's lines, warnings, rows used."""
    lines = [harness.said]
    result, judged = harness.session.results.decisions, harness.session.results.evaluation
    if result is not None:
        lines += [f"{entry.text} {entry.detail}" for entry in result.advice]
        lines += [*result.warnings, str(result.rows.dropped)]
    if judged is not None:
        lines += [*judged.warnings, *(cell.estimate.note for cell in judged.cells)]
    return "\n".join(lines)


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_wrong_is_said_and_nothing_is_lost(
    real_desk: RealDecideHarness, good: Document, tmp_path: Path, case: Case
) -> None:
    harness = real_desk
    harness.take(good)
    before = total(harness)
    harness.messages.clear()
    space = harness.session
    if case.asks_metrics:
        harness.answers[0].left_out = ()
    if case.columns is not None or case.change is not None:
        harness.open(write_csv(tmp_path / "bad.csv", case.columns or GOOD))
        harness.messages.clear()
        project = project_of(space.project.document)
        harness.take(project if case.change is None else case.change(project))
    for command in case.commands:
        space.project.execute(command)
        harness.settle()
    described = all_said(harness)
    missing = [part for part in case.parts if part not in described]
    assert not missing, f"{missing} not in:\n{described}"
    if case.is_refused:
        refusals = [entry for entry in harness.messages if isinstance(entry, PayoffError)]
        assert refusals
        assert any(entry.where or entry.why for entry in refusals)
        assert any(entry.remedy for entry in refusals)
    assert space.project.document.data is not None  # whatever was loaded is still there
    assert space.project.summary is not None
    assert space.project.document.data.rows == 8
    assert harness.page.stack.currentIndex() == 0  # matrix and cards, not the empty page
    harness.take(good)  # and the good project is as it was
    assert total(harness) == before
