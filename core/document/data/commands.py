"""Commands on the data: a row filter, columns and rows of further files, derived columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command, OpenData
from core.document.data.expressions import column_names
from core.document.data.model import DataRecipe, DataRef, MissingOutcomes, SharedIds
from core.document.data.opening import roles_by_name, what_stays, with_recipe
from core.document.data.row_defaults import default_rows
from core.document.model import Document, WeightKind
from core.document.uplift.model import UpliftSpec
from payoff.errors import PayoffError


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRowFilter(Command):
    """Use only the rows for which a condition is true; an empty one uses all."""

    label: ClassVar[str] = "Filter rows"
    where: str

    def apply(self, document: Document) -> Document:
        where = self.where.strip()
        if where and document.data is not None:
            lacking = [c for c in column_names(where) if c not in document.data.columns]
            if lacking:
                raise PayoffError(
                    f"The row filter names a column that is not there: '{lacking[0]}'.",
                    where=where,
                    remedy="Texts stand in quotes; names with spaces in [brackets].",
                )
        return replace(document, split=replace(document.split, where=where), cursor_depth=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSharedIds(Command):
    """Say what is done with evaluated rows that have the id of a training row."""

    label: ClassVar[str] = "Say what rows in common do"
    shared_ids: SharedIds

    def apply(self, document: Document) -> Document:
        return replace(document, shared_ids=self.shared_ids, cursor_depth=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMissingOutcomes(Command):
    """Say whether rows without an outcome may be left out."""

    label: ClassVar[str] = "Say what rows without an outcome do"
    missing_outcomes: MissingOutcomes

    def apply(self, document: Document) -> Document:
        return replace(document, missing_outcomes=self.missing_outcomes, cursor_depth=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetClassOrder(Command):
    """Say in which order the classes of the outcome stand: low, middle, high; empty takes it back.

    Metrics that count how far a class was missed, and models of classes in an order, go by it.
    """

    label: ClassVar[str] = "Order the classes"
    order: tuple[str, ...]

    def apply(self, document: Document) -> Document:
        target = document.target
        if target is None or not target.levels:
            raise PayoffError(
                "There are no classes to put in order.",
                why="No column of classes is the outcome.",
                remedy="Name the outcome on page Data first.",
            )
        if self.order and sorted(self.order) != sorted(target.levels):
            raise PayoffError(
                f"The order of the classes of '{target.column}' does not name each once.",
                where=f"order {', '.join(self.order)}",
                remedy=f"The classes are: {', '.join(target.levels)}.",
            )
        return replace(document, target=replace(target, order=self.order))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetWeightKind(Command):
    """Say what a weight means: rows that were seen so often, or rows that stand for others."""

    label: ClassVar[str] = "Say what the weight means"
    column: str
    kind: WeightKind

    def apply(self, document: Document) -> Document:
        roles = tuple(
            replace(entry, weight_kind=self.kind) if entry.column == self.column else entry
            for entry in document.roles
        )
        return replace(document, roles=roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceData(OpenData):
    """Take another file in the place of the project's; what was said about the data goes.

    Made of a new document and what is the project's own: its names, how pages show things, roles of
    columns by their names, and for the same outcome with the same levels the matrix with its
    prices, scenarios and priors. Trained models stay where they fit. Notes on the report, which
    were written below other figures, go.
    """

    label: ClassVar[str] = "Replace the data"

    def apply(self, document: Document) -> Document:
        kept = what_stays(document, self.target)
        replaced = Document(
            name=document.name,
            currency=document.currency,
            case_word=document.case_word,
            seed=document.seed,
            chart_mode=document.chart_mode,
            metrics=document.metrics,
            charts=document.charts,
            convention=document.convention,
            report=tuple(replace(item, note="") for item in document.report),
            data=self.data,
            target=self.target,
            split=self.split,
            matrix=document.matrix if kept.has_matrix else self.matrix,
            priors=document.priors if kept.has_matrix else None,
            prior_range=document.prior_range if kept.has_matrix else None,
            scenarios=document.scenarios if kept.has_matrix else (),
            models=document.models if kept.has_models else (),
            reference_model=document.reference_model if kept.has_models else None,
            missing_outcomes=MissingOutcomes.ASK,
            uplift=_prices_of(document.uplift),
        )
        replaced = replaced.with_roles(roles_by_name(document, self.roles))
        return replace(replaced, rows_used=default_rows(replaced))


def _prices_of(uplift: UpliftSpec) -> UpliftSpec:
    """An experiment of which nothing is said but what treating is worth and costs."""
    return UpliftSpec(
        missing_outcomes=MissingOutcomes.ASK,
        value=uplift.value,
        contact=uplift.contact,
        redemption=uplift.redemption,
        follows_matrix=uplift.follows_matrix,
        nu=uplift.nu,
        metrics=uplift.metrics,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTable(OpenData):
    """Take the same file with other columns or rows made of it.

    Matrix, priors and models stay as far as they fit, as for next month's file.
    """

    label: ClassVar[str] = "Change the table"

    def apply(self, document: Document) -> Document:
        _refuse_lost_filter(document, self.data)
        # What follows is OpenData; super() does not know a class that slots made anew.
        return OpenData.apply(self, document)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddColumns(ChangeTable):
    """Set columns of another file beside the rows with the same key."""

    label: ClassVar[str] = "Add columns from another file"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRows(ChangeTable):
    """Take the rows of further files, each with its use."""

    label: ClassVar[str] = "Add rows from another file"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeriveColumn(ChangeTable):
    """Work a column out from others."""

    label: ClassVar[str] = "Derive a column"


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeAway(ChangeTable):
    """Take a derived column, or what was added from a file, away again."""

    label: ClassVar[str] = "Take columns away"


def _refuse_lost_filter(document: Document, data: DataRef) -> None:
    where = document.split.where
    lost = [name for name in column_names(where) if name not in data.columns] if where else []
    if lost:
        raise PayoffError(
            f"The row filter needs the column '{lost[0]}'.",
            where=where,
            remedy="Change or clear the row filter first.",
        )


# ---------------------------------------------------------------- what is asked of the engine


def without_column(data: DataRef, column: str) -> DataRef:
    """The data without a derived column, or without the whole join that a column came with.

    Raises
    ------
    PayoffError
        If the column stands in the file itself, or a derived column needs it.
    """
    recipe = data.recipe
    joins = tuple(j for j in recipe.joins if column not in {name for _, name in j.columns})
    derived = tuple(entry for entry in recipe.derived if entry.name != column)
    gone = {column, *_names(recipe)} - {*_names(replace(recipe, joins=joins, derived=derived))}
    if joins == recipe.joins and derived == recipe.derived:
        raise PayoffError(
            f"The column '{column}' stands in the file.",
            remedy="Give it the role Ignored if it is not to be used.",
        )
    for entry in derived:
        needed = gone.intersection(column_names(entry.text))
        if needed:
            raise PayoffError(
                f"The derived column '{entry.name}' needs '{sorted(needed)[0]}'.",
                remedy=f"Take '{entry.name}' away first.",
            )
    return with_recipe(data, replace(recipe, joins=joins, derived=derived))


def _names(recipe: DataRecipe) -> set[str]:
    joined = {name for join in recipe.joins for _, name in join.columns}
    return joined | {entry.name for entry in recipe.derived}
