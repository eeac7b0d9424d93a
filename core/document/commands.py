"""Every change a user can make, as a named, replayable command.

A command is a frozen record with ``apply(document) -> document``. ``merge_key`` joins the steps of
one drag or one field being typed into a single undo step. ``to_script`` prints the call that
repeats it, made of the record's own fields; ``method`` names that call where the class's own name
would not do.

The command that changes the parts of the project's experiment.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.data.model import DataRef, MissingOutcomes, RowUse
from core.document.data.opening import rows_beside, split_beside, what_stays
from core.document.data.row_defaults import default_rows, drawn_together, following_default
from core.document.decisions.matrix_model import MatrixSpec
from core.document.experiments.spec import ExperimentSpec
from core.document.model import (
    ChartMode,
    Document,
    ModelSpec,
    OldPriorKind,
    OldPriors,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
    TrainedModel,
)
from core.document.report.renaming import report_renamed
from core.document.scripts.form import call_of
from core.document.uplift.model import UpliftSpec
from payoff.errors import PayoffError

LONGEST_CURRENCY = 6
"""Letters of a currency's sign or code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One change of the document."""

    label: ClassVar[str] = "Change"
    method: ClassVar[str] = ""

    @property
    def merge_key(self) -> str | None:
        """Commands that follow each other with the same key become one undo step."""
        return None

    def apply(self, document: Document) -> Document:
        """The document after the change; raises PayoffError if it cannot be made."""
        raise TypeError(f"{type(self).__name__} does not say what it changes.")

    def to_script(self) -> str:
        """The Python call that repeats the change on an open project."""
        return call_of(self).text


def require_matrix_spec(document: Document) -> MatrixSpec:
    """The matrix, or a refusal that says how to get one."""
    if document.matrix is None:
        raise PayoffError(
            "There is no decision matrix yet.",
            why="The outcome has not been named.",
            remedy="Open data and name the target column first.",
        )
    return document.matrix


def position(names: tuple[str, ...], name: str, what: str) -> int:
    """Index of a name, or a refusal that lists the names there are."""
    if name not in names:
        raise PayoffError(
            f"There is no {what} called {name!r}.",
            why=f"There are: {', '.join(names)}.",
            remedy="Choose one of them.",
        )
    return names.index(name)


# ---------------------------------------------------------------- project and data


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenData(Command):
    """Take a loaded file with its guessed roles.

    Matrix, priors and what is known of the models are kept for the same outcome with the same
    levels: next month's file. Another outcome starts anew. ``missing_outcomes`` None: what was said
    of rows without an outcome stays; whoever opens another file asks anew.
    """

    label: ClassVar[str] = "Open data"
    data: DataRef
    roles: tuple[RoleAssignment, ...]
    target: TargetSpec | None
    split: SplitSpec
    matrix: MatrixSpec | None = None
    name: str | None = None
    missing_outcomes: MissingOutcomes | None = None

    def apply(self, document: Document) -> Document:
        kept = what_stays(document, self.target)
        opened = replace(
            document,
            data=self.data,
            target=self.target,
            split=split_beside(document, self.split, self.data.columns),
            rows_used=rows_beside(document, self.split),
            matrix=document.matrix if kept.has_matrix else self.matrix,
            priors=document.priors if kept.has_matrix else None,
            prior_range=document.prior_range if kept.has_matrix else None,
            scenarios=document.scenarios if kept.has_matrix else (),
            models=document.models if kept.has_models else (),
            uplift=self._uplift(document) if kept.has_models else UpliftSpec(),
            name=self.name or document.name,
            missing_outcomes=self.missing_outcomes or document.missing_outcomes,
            cursor_depth=None,
        )
        opened = opened.with_roles(document.with_known_directions(self.roles))
        if kept.has_models:
            return following_default(document, opened)
        return replace(opened, rows_used=default_rows(opened))

    def _uplift(self, document: Document) -> UpliftSpec:
        """The experiment as it was; of rows without an outcome of its own it is asked as ever."""
        described = self.missing_outcomes or document.uplift.missing_outcomes
        return replace(document.uplift, missing_outcomes=described)


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeProject(Command):
    """Change the project's name, the sign of its money, what a row is called; None = stays.

    ``seed`` is that of intervals by resampling.
    """

    label: ClassVar[str] = "Change project settings"
    method: ClassVar[str] = "describe"
    name: str | None = None
    currency: str | None = None
    case_word: tuple[str, str] | None = None  # one customer, many customers
    seed: int | None = None

    def apply(self, document: Document) -> Document:
        name = document.name if self.name is None else self.name.strip()
        if not name:
            raise PayoffError("A project needs a name.")
        currency = document.currency if self.currency is None else self.currency.strip()
        if len(currency) > LONGEST_CURRENCY:
            raise PayoffError(
                f"The currency '{currency}' is too long.",
                why="It stands before every amount.",
                remedy=f"Use its sign or its code, {LONGEST_CURRENCY} letters at most.",
            )
        words = document.case_word if self.case_word is None else self.case_word
        one, many = (word.strip() for word in words)
        if not one or not many:
            raise PayoffError(
                "Rows need a word for one and a word for many.", remedy="Such as case and cases."
            )
        seed = document.seed if self.seed is None else self.seed
        return replace(document, name=name, currency=currency, case_word=(one, many), seed=seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRole(Command):
    """Give one column another role."""

    label: ClassVar[str] = "Change role"
    assignment: RoleAssignment

    def apply(self, document: Document) -> Document:
        if document.role_of(self.assignment.column) is None:
            raise PayoffError(f"There is no column called {self.assignment.column!r}.")
        roles = tuple(
            self.assignment if entry.column == self.assignment.column else entry
            for entry in document.roles
        )
        return drawn_together(document.with_roles(roles))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRoles(Command):
    """Give several columns one role that needs no further word; what was said of them before goes.

    Chances, scores and predictions belong to a model each: ``SetRole`` names it.
    """

    label: ClassVar[str] = "Change roles"
    role: Role
    columns: tuple[str, ...]

    def apply(self, document: Document) -> Document:
        if self.role in (Role.POSTERIOR, Role.SCORE, Role.PREDICTION):
            raise PayoffError(
                f"The role {self.role} needs a model.",
                remedy="Name it with the role of one column.",
            )
        for column in self.columns:
            if document.role_of(column) is None:
                raise PayoffError(f"There is no column called {column!r}.")
        named = set(self.columns)
        roles = (
            RoleAssignment(column=entry.column, role=self.role) if entry.column in named else entry
            for entry in document.roles
        )
        return drawn_together(document.with_roles(tuple(roles)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTarget(Command):
    """Name the outcome, its event and the words for its levels; the matrix follows the levels."""

    label: ClassVar[str] = "Change target"
    target: TargetSpec
    matrix: MatrixSpec | None = None
    roles: tuple[RoleAssignment, ...] | None = None  # the columns' roles, where they change too

    def apply(self, document: Document) -> Document:
        before, after = document.target, self.target
        same_levels = before is not None and before.levels == after.levels
        if before is not None and not after.levels:  # knots belong to the numbers of one column
            same_levels = same_levels and before.column == after.column
        is_another = before is not None and before.column != after.column
        uplift = document.uplift
        if before is not None and is_another and uplift.outcome == before.column:
            # The experiment keeps its outcome, and with it what was said of rows without one.
            uplift = replace(uplift, missing_outcomes=document.missing_outcomes)
        changed = replace(
            document,
            target=self.target,
            uplift=uplift,
            # What was said of rows without an outcome was said of the outcome before.
            missing_outcomes=MissingOutcomes.ASK if is_another else document.missing_outcomes,
            matrix=document.matrix if same_levels else self.matrix,
            priors=document.priors if same_levels else None,
            prior_range=document.prior_range if same_levels else None,
            scenarios=document.scenarios if same_levels else (),
        )
        # Trained models leave with their target, imported ones with their roles.
        return changed.with_roles(document.roles if self.roles is None else self.roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSplit(Command):
    """Say where the use of rows comes from."""

    label: ClassVar[str] = "Change row use"
    split: SplitSpec

    def apply(self, document: Document) -> Document:
        if abs(sum(self.split.shares) - 1) > 1e-9 or min(self.split.shares) < 0:
            raise PayoffError("The shares of train, validation and test rows must add up to 100 %.")
        return following_default(document, replace(document, split=self.split))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRowsUsed(Command):
    """Choose the rows every number comes from."""

    label: ClassVar[str] = "Choose rows"
    rows_used: RowUse

    def apply(self, document: Document) -> Document:
        return replace(document, rows_used=self.rows_used)


# ---------------------------------------------------------------- models and metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class SetReferenceModel(Command):
    """Choose the model that others are compared with."""

    label: ClassVar[str] = "Choose model"
    model: str

    def apply(self, document: Document) -> Document:
        position(tuple(entry.name for entry in document.models), self.model, "model")
        return replace(document, reference_model=self.model)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameModel(Command):
    """Give a model another name; it keeps its colour."""

    label: ClassVar[str] = "Rename model"
    model: str
    name: str

    def apply(self, document: Document) -> Document:
        names = tuple(entry.name for entry in document.models)
        position(names, self.model, "model")
        if not self.name.strip() or (self.name != self.model and self.name in names):
            raise PayoffError(f"{self.name!r} cannot be the name of a model: empty or taken.")
        reference, choice = document.reference_model, document.choice
        if choice is not None and choice.model == self.model:
            choice = replace(choice, model=self.name)
        return replace(
            document,
            models=tuple(
                entry.renamed(self.name) if entry.name == self.model else entry
                for entry in document.models
            ),
            roles=tuple(
                replace(entry, model=self.name) if entry.model == self.model else entry
                for entry in document.roles
            ),
            reference_model=self.name if reference == self.model else reference,
            choice=choice,
            uplift=document.uplift.with_part_renamed(self.model, self.name),
            report=report_renamed(document, self.model, self.name),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTrainedModel(Command):
    """Take a trained model beside the others; one of the same name that was trained is replaced.

    What it was trained at is known: the weighted class shares of its training rows.
    """

    label: ClassVar[str] = "Add trained model"
    method: ClassVar[str] = "train"
    model: TrainedModel

    def apply(self, document: Document) -> Document:
        model = self.model
        if not model.name.strip() or not model.model_hash:
            raise PayoffError(
                "The model cannot be added.",
                why="It has no name." if model.model_hash else "It has not been trained.",
            )
        present = document.model(model.name)
        if present is not None and present.trained is None:
            raise PayoffError(
                f"There is a model called '{model.name}' in the data already.",
                remedy="Give the trained model another name.",
            )
        taken = {entry.series for entry in document.models}
        series = next(index for index in range(10_000) if index not in taken)
        shares = model.class_shares
        added = ModelSpec(
            name=model.name,
            series=present.series if present is not None else series,
            old_priors=OldPriors(
                kind=OldPriorKind.TRAINED_AT if shares else OldPriorKind.UNKNOWN, shares=shares
            ),
            trained=model,
        )
        others = tuple(added if entry.name == model.name else entry for entry in document.models)
        models = others if present is not None else (*others, added)
        reference, choice = document.reference_model or model.name, document.choice
        if present is None and choice is not None and choice.model == model.name:
            choice = None  # that one bore the name before and is gone
        changed = replace(document, models=models, reference_model=reference, choice=choice)
        return following_default(document, changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveModel(Command):
    """Take a model out of the project; the columns of an imported one are ignored from now on."""

    label: ClassVar[str] = "Remove model"
    model: str

    def apply(self, document: Document) -> Document:
        position(tuple(entry.name for entry in document.models), self.model, "model")
        roles = tuple(
            RoleAssignment(column=entry.column, role=Role.IGNORED)
            if entry.model == self.model
            else entry
            for entry in document.roles
        )
        left = tuple(entry for entry in document.models if entry.name != self.model)
        return replace(document, models=left).with_roles(roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOldPriors(Command):
    """Say at which class shares a model was trained."""

    label: ClassVar[str] = "Change what a model was trained at"
    model: str
    old_priors: OldPriors

    @property
    def merge_key(self) -> str | None:
        return f"old priors {self.model}"

    def apply(self, document: Document) -> Document:
        position(tuple(entry.name for entry in document.models), self.model, "model")

        def changed(entry: ModelSpec) -> ModelSpec:
            return replace(entry, old_priors=self.old_priors) if entry.name == self.model else entry

        return replace(document, models=tuple(changed(entry) for entry in document.models))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetChartMode(Command):
    """Choose what the profit chart does with cases beyond the depth."""

    label: ClassVar[str] = "Change profit chart"
    mode: ChartMode

    def apply(self, document: Document) -> Document:
        return replace(document, chart_mode=self.mode)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveCursor(Command):
    """Put the shared cursor at a depth; None = at the rule of the chosen model."""

    label: ClassVar[str] = "Move cursor"
    depth: float | None

    @property
    def merge_key(self) -> str | None:
        return "cursor"

    def apply(self, document: Document) -> Document:
        depth = None if self.depth is None else min(1.0, max(0.0, self.depth))
        return replace(document, cursor_depth=depth)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetExperimentSpec(Command):
    """Take other parts; nothing is run by it. A protocol that is not known is refused."""

    label: ClassVar[str] = "Change the experiment"
    method: ClassVar[str] = "set_experiment"
    experiment: ExperimentSpec

    def apply(self, document: Document) -> Document:
        _ = self.experiment.facts
        return replace(document, experiment=self.experiment)
