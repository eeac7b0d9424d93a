"""Commands of page Uplift: the experiment, its prices, and rankings made of trained models.

Which column the experiment of page Uplift is measured by.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command
from core.document.data.model import MissingOutcomes
from core.document.model import Document, Role
from core.document.uplift.model import NuChoice, UpliftModel
from payoff.errors import PayoffError


def experiment_outcome(document: Document) -> str:
    """The outcome named for the experiment, else the project's; empty where there is neither."""
    project = document.target.column if document.target is not None else ""
    return document.uplift.outcome or project


def own_outcome(document: Document) -> str:
    """The experiment's outcome where it is another column than the project's, else empty."""
    project = document.target.column if document.target is not None else ""
    return document.uplift.outcome if document.uplift.outcome != project else ""


def propensity_column(document: Document) -> str | None:
    """The column of the chances of treatment that are used: what was said, else the role's."""
    spec = document.uplift
    if spec.propensity is None and not spec.estimates_propensity:
        return document.column_of(Role.PROPENSITY)
    return spec.propensity or None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetExperiment(Command):
    """Say which column is the treatment and which levels are compared."""

    label: ClassVar[str] = "Set experiment"
    method: ClassVar[str] = "set_treatment"
    treatment: str
    treated: str = ""
    control: str = ""

    def apply(self, document: Document) -> Document:
        if self.treated and self.treated == self.control:
            raise PayoffError(
                "Treated and control are the same arm.", remedy="Choose two different arms."
            )
        changed = replace(
            document.uplift, treatment=self.treatment, treated=self.treated, control=self.control
        )
        return replace(document, uplift=changed).with_roles(document.roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpliftOutcome(Command):
    """Say which column is the outcome of the experiment, and which level counts."""

    label: ClassVar[str] = "Set outcome of the experiment"
    outcome: str
    event: str = ""

    def apply(self, document: Document) -> Document:
        changed = replace(document.uplift, outcome=self.outcome, event=self.event)
        if self.outcome != experiment_outcome(document):
            # What was said of rows without an outcome was said of the outcome before.
            changed = replace(changed, missing_outcomes=MissingOutcomes.ASK)
        return replace(document, uplift=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMissingUpliftOutcomes(Command):
    """Say what is done with rows that have no value in the experiment's own outcome."""

    label: ClassVar[str] = "Say what to do without an outcome of the experiment"
    missing_outcomes: MissingOutcomes

    def apply(self, document: Document) -> Document:
        changed = replace(document.uplift, missing_outcomes=self.missing_outcomes)
        return replace(document, uplift=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPropensity(Command):
    """Where the chance of being treated comes from: a column, an estimate, or the share ("").

    Without either, a column with the role of these chances gives them where there is one.
    Estimated chances are kept ``clip`` away from 0 and 1; None = as far as before. Those of a
    column are kept ``column_clip`` away, or refused there.
    """

    label: ClassVar[str] = "Set propensity"
    column: str | None = None
    is_estimated: bool = False
    clip: float | None = None
    column_clip: float | None = None

    def apply(self, document: Document) -> Document:
        for clip in (self.clip, self.column_clip):
            if clip is not None and not 0 <= clip < 0.5:
                raise PayoffError(
                    "Chances are kept less than 0.5 away from 0 and 1.", where=f"clip {clip:g}"
                )
        changed = replace(
            document.uplift,
            propensity=self.column,
            estimates_propensity=self.is_estimated,
            clip=document.uplift.clip if self.clip is None else self.clip,
            column_clip=self.column_clip,
        )
        return replace(document, uplift=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTrueEffect(Command):
    """Name the column of the true effect, or those of the means with and without treatment."""

    label: ClassVar[str] = "Name the true effect"
    column: str | None = None
    control: str | None = None

    def apply(self, document: Document) -> Document:
        if self.column is not None and self.column == self.control:
            raise PayoffError(
                "A column less itself is no effect.",
                remedy="Name the mean if treated and the mean if not, or the effect alone.",
            )
        changed = replace(
            document.uplift,
            true_effect=self.column,
            true_control=self.control if self.column is not None else None,
        )
        return replace(document, uplift=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDrawnByLot(Command):
    """Say whether the treatment was drawn by lot, and with which share."""

    label: ClassVar[str] = "Say how arms were drawn"
    drawn_by_lot: bool | None
    planned_share: float | None = None

    def apply(self, document: Document) -> Document:
        if self.planned_share is not None and not 0 < self.planned_share < 1:
            raise PayoffError("The planned share lies between 0 and 1.")
        changed = replace(
            document.uplift, drawn_by_lot=self.drawn_by_lot, planned_share=self.planned_share
        )
        return replace(document, uplift=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpliftPrice(Command):
    """Change one price: value, contact or redemption."""

    label: ClassVar[str] = "Set price"
    name: str
    amount: float

    @property
    def merge_key(self) -> str | None:
        return f"uplift price {self.name}"

    def apply(self, document: Document) -> Document:
        if self.name not in ("value", "contact", "redemption"):
            raise PayoffError(f"There is no price '{self.name}'.")
        if not math.isfinite(self.amount):
            raise PayoffError("A price is a finite number.")
        spec = document.uplift
        if self.name == "value":
            spec = replace(spec, value=self.amount)
        elif self.name == "contact":
            spec = replace(spec, contact=self.amount)
        else:
            spec = replace(spec, redemption=self.amount)
        return replace(document, uplift=replace(spec, follows_matrix=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowMatrix(Command):
    """Take the prices of the experiment from the decision matrix, or from the page again."""

    label: ClassVar[str] = "Choose where prices come from"
    follows_matrix: bool

    def apply(self, document: Document) -> Document:
        if self.follows_matrix and document.matrix is None:
            raise PayoffError(
                "There is no decision matrix to take prices from.",
                remedy="Choose 'Treat or not' on page Decide.",
            )
        changed = replace(document.uplift, follows_matrix=self.follows_matrix)
        return replace(document, uplift=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMostCases(Command):
    """Change how many cases can be treated at most; None = no limit."""

    label: ClassVar[str] = "Set limit"
    most_cases: int | None

    @property
    def merge_key(self) -> str | None:
        return "uplift limit"

    def apply(self, document: Document) -> Document:
        if self.most_cases is not None and self.most_cases < 1:
            raise PayoffError("At least one case must be treatable.", remedy="Leave it empty.")
        return replace(document, uplift=replace(document.uplift, most_cases=self.most_cases))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetNu(Command):
    """Choose the baseline that makes the curve less noisy."""

    label: ClassVar[str] = "Set baseline of the curve"
    nu: NuChoice | float

    def apply(self, document: Document) -> Document:
        if not isinstance(self.nu, NuChoice) and not math.isfinite(self.nu):
            raise PayoffError("The baseline nu must be a finite number.")
        return replace(document, uplift=replace(document.uplift, nu=self.nu))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddUpliftModel(Command):
    """Take a ranking made of trained models, in place of one with the same name."""

    label: ClassVar[str] = "Add uplift model"
    model: UpliftModel

    def apply(self, document: Document) -> Document:
        missing = [name for name in self.model.parts if document.trained_model(name) is None]
        if missing:
            raise PayoffError(
                f"There is no trained model '{missing[0]}'.", remedy="Train it first."
            )
        others = tuple(m for m in document.uplift.models if m.name != self.model.name)
        changed = replace(document.uplift, models=(*others, self.model))
        return replace(document, uplift=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpliftMetrics(Command):
    """Choose the metrics of the table by id; none = the usual ones."""

    label: ClassVar[str] = "Choose uplift metrics"
    metrics: tuple[str, ...]

    def apply(self, document: Document) -> Document:
        return replace(document, uplift=replace(document.uplift, metrics=self.metrics))
