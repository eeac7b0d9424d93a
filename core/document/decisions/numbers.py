"""Numbers of the decision problem at other values: what-if, scenarios, and what they are called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, position, require_matrix_spec
from core.document.decisions.commands import EditCell, SetCosts, SetParameter, SetPriors
from core.document.decisions.formulas import (
    AMOUNT,
    ResolvedCells,
    formula_at,
    is_name,
    names_in,
    tidy_formula,
    with_formula,
    worked_out,
)
from core.document.decisions.matrix_model import (
    CostSpec,
    MatrixSpec,
    NumberKind,
    NumberRef,
    NumberSetting,
    Scenario,
)
from core.document.model import Document
from payoff.errors import PayoffError

Resolve = Callable[[Document], ResolvedCells]
"""Works out the cells of a document's worded template."""


def with_setting(document: Document, setting: NumberSetting, resolve: Resolve) -> Document:
    """The document with one number at another value.

    Raises
    ------
    PayoffError
        If there is no such number any more, or it cannot have this value.
    """
    number, value = setting.number, setting.value
    matrix = require_matrix_spec(document)
    if number.kind is NumberKind.PARAMETER:
        return SetParameter(name=number.name, value=value).apply(document)
    if number.kind is NumberKind.CELL:
        edit = EditCell(
            level=number.level, decision=number.decision, value=value, resolved=resolve(document)
        )
        return edit.apply(document)
    if number.kind is NumberKind.COST:
        return _with_cost(document, matrix, number, value)
    return _with_prior(document, value)


def with_settings(
    document: Document, settings: tuple[NumberSetting, ...], resolve: Resolve
) -> Document:
    """The document with several numbers at other values: parameters first, then single cells."""
    order = list(NumberKind)
    for setting in sorted(settings, key=lambda entry: order.index(entry.number.kind)):
        document = with_setting(document, setting, resolve)
    return document


def _with_cost(document: Document, matrix: MatrixSpec, number: NumberRef, value: float) -> Document:
    place = position(matrix.decisions, number.decision, "decision")
    costs = list(matrix.costs or (CostSpec(),) * len(matrix.decisions))
    if costs[place].column:
        raise PayoffError(
            f"The cost of “{number.decision}” stands in the column '{costs[place].column}'.",
            remedy="Only a constant cost can be tried at other values.",
        )
    costs[place] = CostSpec(amount=value)
    return SetCosts(costs=tuple(costs)).apply(document)


def _with_prior(document: Document, value: float) -> Document:
    if document.priors is None:
        raise PayoffError(
            "No priors are set.", remedy="Say first how common each outcome is in real life."
        )
    if not 0 <= value <= 1:
        raise PayoffError("A prior must be a share from 0 to 1.", where=f"{value:g}")
    target = document.target
    event = target.event if target is not None else document.priors[0][0]
    rest = sum(share for level, share in document.priors if level != event)
    if rest <= 0:
        raise PayoffError("The prior of the event can only move where another class is possible.")
    priors = tuple(
        (level, value if level == event else share / rest * (1 - value))
        for level, share in document.priors
    )
    return SetPriors(priors=priors).apply(document)


# ---------------------------------------------------------------- commands


@dataclass(frozen=True, slots=True, kw_only=True)
class UseNumbers(Command):
    """Write what was tried into the project, in one step.

    ``resolved`` are the cells of a worded template at these parameters (single cells may differ).
    """

    label: ClassVar[str] = "Use these numbers"
    settings: tuple[NumberSetting, ...]
    resolved: ResolvedCells = ()

    def apply(self, document: Document) -> Document:
        return with_settings(document, self.settings, lambda _document: self.resolved)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddScenario(Command):
    """Keep numbers that were tried under a name; a scenario of the same name is replaced."""

    label: ClassVar[str] = "Add scenario"
    scenario: Scenario

    def apply(self, document: Document) -> Document:
        name = self.scenario.name.strip()
        if not name or not self.scenario.settings:
            raise PayoffError(
                "The scenario cannot be added.",
                why="It has no name." if not name else "No number differs from the project's.",
            )
        added = replace(self.scenario, name=name)
        names = [entry.name for entry in document.scenarios]
        if name in names:
            kept = tuple(added if entry.name == name else entry for entry in document.scenarios)
            return replace(document, scenarios=kept)
        return replace(document, scenarios=(*document.scenarios, added))


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameScenario(Command):
    """Give a scenario another name."""

    label: ClassVar[str] = "Rename scenario"
    scenario: str
    name: str

    def apply(self, document: Document) -> Document:
        names = tuple(entry.name for entry in document.scenarios)
        position(names, self.scenario, "scenario")
        name = self.name.strip()
        if not name or (name != self.scenario and name in names):
            raise PayoffError(f"{self.name!r} cannot be the name of a scenario: empty or taken.")
        changed = tuple(
            replace(entry, name=name) if entry.name == self.scenario else entry
            for entry in document.scenarios
        )
        return replace(document, scenarios=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveScenario(Command):
    """Take a scenario away."""

    label: ClassVar[str] = "Remove scenario"
    scenario: str

    def apply(self, document: Document) -> Document:
        position(tuple(entry.name for entry in document.scenarios), self.scenario, "scenario")
        left = tuple(entry for entry in document.scenarios if entry.name != self.scenario)
        return replace(document, scenarios=left)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFormula(Command):
    """Let a cell follow named parameters: "margin - letter". ``resolved`` as in ``EditCell``.

    In a worded template its parameters stay as named ones; the other cells become plain numbers.
    """

    label: ClassVar[str] = "Edit matrix cell"
    level: str
    decision: str
    text: str
    resolved: ResolvedCells = ()

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        parameters = matrix.parameters
        position(matrix.levels, self.level, "class")
        position(matrix.decisions, self.decision, "decision")
        if not matrix.cells:
            edit = EditCell(
                level=self.level, decision=self.decision, value=0.0, resolved=self.resolved
            )
            matrix = replace(require_matrix_spec(edit.apply(document)), parameters=parameters)
        changed = with_formula(matrix, self.level, self.decision, tidy_formula(self.text))
        return replace(document, matrix=worked_out(changed))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddParameter(Command):
    """Name a number that cells may follow."""

    label: ClassVar[str] = "Add parameter"
    name: str
    value: float

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        name = self.name.strip()
        if not is_name(name):
            raise PayoffError(
                f"“{self.name}” cannot be the name of a parameter.",
                remedy="Use letters, digits and _, beginning with a letter: letter_cost.",
            )
        if name in dict(matrix.parameters):
            raise PayoffError(f"There is a parameter called “{name}” already.")
        if name == AMOUNT:
            raise PayoffError(
                f"“{AMOUNT}” is the amount of the case itself.",
                remedy="Choose its column below the matrix, or give the parameter another name.",
            )
        if not matrix.cells:
            raise PayoffError(
                "A worded matrix has parameters of its own.",
                remedy="Choose a plain matrix (profit, loss or revenue), or edit a cell first.",
            )
        changed = replace(matrix, parameters=(*matrix.parameters, (name, self.value)))
        return replace(document, matrix=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveParameter(Command):
    """Take a named parameter away; refused while a cell follows it."""

    label: ClassVar[str] = "Remove parameter"
    name: str

    def apply(self, document: Document) -> Document:
        matrix = require_matrix_spec(document)
        position(tuple(name for name, _ in matrix.parameters), self.name, "parameter")
        if not matrix.cells:
            raise PayoffError("The parameters of a worded matrix belong to it.")
        user = next((f for f in matrix.formulas if self.name in names_in(f.text)), None)
        if user is not None:
            raise PayoffError(
                f"“{self.name}” is in use.",
                where=f"row {user.level}, column {user.decision}: ={user.text}",
                remedy="Type a number into that cell first.",
            )
        left = tuple(entry for entry in matrix.parameters if entry[0] != self.name)
        return replace(document, matrix=replace(matrix, parameters=left))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPriorRange(Command):
    """Say between which shares the event's prior lies; None = it is taken as certain."""

    label: ClassVar[str] = "Change range of a prior"
    low: float | None = None
    high: float | None = None

    @property
    def merge_key(self) -> str | None:
        return "prior range"

    def apply(self, document: Document) -> Document:
        if self.low is None or self.high is None:
            return replace(document, prior_range=None)
        if document.priors is None:
            raise PayoffError(
                "No priors are set.", remedy="Say first how common each outcome is in real life."
            )
        event = document.event_share(document.priors)
        if not 0 < self.low <= event <= self.high < 1:
            raise PayoffError(
                "The range must hold the prior itself.",
                where=f"{100 * self.low:g} to {100 * self.high:g} %, prior {100 * event:g} %",
                remedy="Give shares above 0 and below 100 %, one on each side of the prior.",
            )
        return replace(document, prior_range=(self.low, self.high))


__all__ = [
    "AddParameter",
    "AddScenario",
    "RemoveParameter",
    "RemoveScenario",
    "RenameScenario",
    "SetFormula",
    "SetPriorRange",
    "UseNumbers",
    "formula_at",
    "with_setting",
    "with_settings",
]
