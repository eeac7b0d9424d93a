"""The frozen document: everything a project says, and nothing that is computed.

All classes are frozen and hold only strings, numbers and tuples, so that a document can be
compared, hashed, kept in the history, sent to the engine and written as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

SCHEMA_VERSION = 1


class Role(StrEnum):
    """What a column is for."""

    TARGET = "target"
    POSTERIOR = "posterior"
    PREDICTION = "prediction"
    WEIGHT = "weight"
    TREATMENT = "treatment"
    COST = "cost"
    ID = "id"
    ROW_USE = "row_use"
    INPUT = "input"
    IGNORED = "ignored"


class RowUse(StrEnum):
    """What a row is for. ``ALL`` stands for every row whose outcome is known."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
    TO_DECIDE = "to_decide"
    ALL = "all"


class MatrixKind(StrEnum):
    """How the numbers of a decision matrix are meant."""

    PROFIT = "profit"
    LOSS = "loss"
    REVENUE = "revenue"


class OldPriorKind(StrEnum):
    """What is known of the class shares a model was trained at."""

    UNKNOWN = "unknown"
    TRAINED_AT = "trained_at"
    CORRECTED = "corrected"


class ChartMode(StrEnum):
    """What the profit chart does with the cases beyond the depth.

    ``ACT_ON_BEST``: the best n % get the acting decision, the others their best other decision
    (do nothing, where the matrix has no other: the implicit do-nothing).
    ``FIRM``: every case gets its own decision; cumulated best first, the last point is the total.
    """

    ACT_ON_BEST = "act_on_best"
    FIRM = "firm"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSettings:
    """How a file is read; ``None`` means "find out"."""

    format: str | None = None  # "delimited" or "parquet"
    delimiter: str | None = None
    quote: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    has_header: bool | None = None
    skip_lines: int = 0
    missing_marks: tuple[str, ...] = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None")
    column_types: tuple[tuple[str, str], ...] = ()  # column -> "number", "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRef:
    """A data file by content: the hash finds it again when it has moved."""

    path: str
    content_hash: str
    rows: int
    columns: tuple[str, ...]
    size_bytes: int
    reader: ReaderSettings = field(default_factory=ReaderSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleAssignment:
    """The role of one column. ``model`` and ``level`` only for posteriors and predictions.

    A cost column needs no decision here: the matrix names the columns its costs come from.
    """

    column: str
    role: Role
    model: str | None = None
    level: str | None = None
    reason: str = ""
    is_guess: bool = False
    is_percent: bool = False  # posteriors written as 0 to 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpec:
    """The outcome. ``levels`` in printed form, the event first; ``labels`` are the user's words."""

    column: str
    kind: str  # "binary", "multiclass", "interval"
    levels: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    @property
    def event(self) -> str:
        """The level that charts call the event: the first."""
        return self.levels[0] if self.levels else ""

    def label(self, level: str) -> str:
        """The user's word for a level."""
        if level in self.levels and len(self.labels) == len(self.levels):
            return self.labels[self.levels.index(level)]
        return level


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitSpec:
    """Where the use of rows comes from: a column, or a seeded draw.

    ``meaning`` maps the printed values of the column to row uses. ``shares`` are those of train,
    validation and test rows.
    """

    column: str | None = None
    meaning: tuple[tuple[str, RowUse], ...] = ()
    seed: int = 20261
    shares: tuple[float, float, float] = (0.0, 0.5, 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class OldPriors:
    """The class shares a model was trained at, if known."""

    kind: OldPriorKind = OldPriorKind.UNKNOWN
    shares: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """Settings of one model; its columns are in the roles. ``series`` fixes colour and dash."""

    name: str
    series: int = 0
    old_priors: OldPriors = field(default_factory=OldPriors)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSpec:
    """The cost of one decision: a constant, or a column of the data."""

    amount: float = 0.0
    column: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixSpec:
    """A decision matrix: ``cells[row][column]`` = consequence of a decision for a class.

    ``acting`` names the decision that counts as acting; depth runs by its expected advantage.
    ``template`` is the id of a decision-matrix plugin and ``parameters`` its parameters. A worded
    template has no ``cells`` here: the engine works them out and DecisionResult.cells shows them; a
    cell edited by hand turns it into the plain template of the same kind, with all its cells.
    """

    template: str
    kind: MatrixKind
    levels: tuple[str, ...]
    decisions: tuple[str, ...]
    cells: tuple[tuple[float, ...], ...]
    acting: str
    parameters: tuple[tuple[str, float], ...] = ()
    costs: tuple[CostSpec, ...] = ()  # empty, or one per decision
    do_nothing: str | None = None  # the decision that does nothing, if the matrix names one


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricChoice:
    """One column of the metric table."""

    metric: str
    parameters: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One project."""

    name: str = "Untitled"
    currency: str = "€"
    case_word: tuple[str, str] = ("case", "cases")
    data: DataRef | None = None
    roles: tuple[RoleAssignment, ...] = ()
    target: TargetSpec | None = None
    split: SplitSpec = field(default_factory=SplitSpec)
    rows_used: RowUse = RowUse.VALIDATION
    models: tuple[ModelSpec, ...] = ()
    reference_model: str | None = None
    matrix: MatrixSpec | None = None
    priors: tuple[tuple[str, float], ...] | None = None
    chart_mode: ChartMode = ChartMode.ACT_ON_BEST
    metrics: tuple[MetricChoice, ...] = ()
    seed: int = 20261
    cursor_depth: float | None = None  # None: follow the rule of the reference model

    def column_of(self, role: Role) -> str | None:
        """The first column with a role, or None."""
        return next((entry.column for entry in self.roles if entry.role is role), None)

    def columns_of(self, role: Role) -> tuple[str, ...]:
        """All columns with a role, in file order."""
        return tuple(entry.column for entry in self.roles if entry.role is role)

    def role_of(self, column: str) -> RoleAssignment | None:
        """The role of a column, or None."""
        return next((entry for entry in self.roles if entry.column == column), None)

    def model(self, name: str) -> ModelSpec | None:
        """The settings of a model, or None."""
        return next((entry for entry in self.models if entry.name == name), None)

    def posterior_columns(self, model: str) -> dict[str, str]:
        """Level -> column of a model's posteriors (one level only: the other is its complement)."""
        return {
            entry.level or "": entry.column
            for entry in self.roles
            if entry.role is Role.POSTERIOR and entry.model == model
        }

    def prediction_column(self, model: str) -> str | None:
        """The column of a model's predictions (interval targets), or None."""
        return next(
            (e.column for e in self.roles if e.role is Role.PREDICTION and e.model == model), None
        )

    def with_roles(self, roles: tuple[RoleAssignment, ...]) -> Document:
        """The document with other roles; models follow the roles and keep their settings."""
        names: list[str] = []
        for entry in roles:
            is_score = entry.role in (Role.POSTERIOR, Role.PREDICTION)
            if is_score and entry.model and entry.model not in names:
                names.append(entry.model)
        kept = {entry.name: entry for entry in self.models}
        taken = {entry.series for entry in self.models if entry.name in names}
        free = (index for index in range(10_000) if index not in taken)
        models = tuple(kept.get(name) or ModelSpec(name=name, series=next(free)) for name in names)
        reference = self.reference_model if self.reference_model in names else None
        return replace(
            self,
            roles=roles,
            models=models,
            reference_model=reference or (names[0] if names else None),
        )
