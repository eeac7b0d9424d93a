"""The frozen document: everything a project says, and nothing that is computed.

All classes are frozen and hold only strings, numbers and tuples, so that a document can be
compared, hashed, kept in the history, sent to the engine and written as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from core.document.data.model import BadValues, DataRef, MissingOutcomes, RowUse, SharedIds
from core.document.decisions.matrix_model import DecisionBasis, MatrixSpec, Scenario
from core.document.experiments.spec import ExperimentSpec
from core.document.made import made
from core.document.uplift.model import UpliftSpec, names_effect

SCHEMA_VERSION = 8
CROSS_VALIDATION = "cross-validation"
"""What chose the number of trees where models of folds did."""


class Role(StrEnum):
    """What a column is for."""

    TARGET = "target"
    POSTERIOR = "posterior"
    SCORE = "score"  # any real number: it ranks cases, and says no chance
    PREDICTION = "prediction"
    WEIGHT = "weight"
    TREATMENT = "treatment"
    PROPENSITY = "propensity"
    COST = "cost"
    ID = "id"
    ROW_USE = "row_use"
    CLUSTER = "cluster"  # rows that belong together: a household, a hospital
    GROUP = "group"  # a list that is ranked by itself: a query
    EVENT = "event"  # survival: whether the event was seen
    ENTRY = "entry"  # survival: when a case came under observation
    EXIT = "exit"  # survival: when the observation of a case ended
    INPUT = "input"
    IGNORED = "ignored"


class OldPriorKind(StrEnum):
    """What is known of the class shares a model was trained at."""

    UNKNOWN = "unknown"
    TRAINED_AT = "trained_at"
    CORRECTED = "corrected"


class CalibrationMethod(StrEnum):
    """How scores become chances.

    ``LOGISTIC``: a logistic curve, with Platt's smoothed targets. ``ISOTONIC``: the best rising
    curve. ``BANDS``: bands of equal size, each with the share that was observed.
    """

    LOGISTIC = "logistic"
    ISOTONIC = "isotonic"
    BANDS = "bands"


class ChartMode(StrEnum):
    """What the profit chart does with the cases beyond the depth.

    ``ACT_ON_BEST``: the best n % get the acting decision, the others their best other decision
    (do nothing, where the matrix has no other: the implicit do-nothing).
    ``FIRM``: every case gets its own decision; cumulated best first, the last point is the total.
    """

    ACT_ON_BEST = "act_on_best"
    FIRM = "firm"


class WeightKind(StrEnum):
    """What a weight says. Values are the same; intervals differ.

    ``FREQUENCY``: a row of weight 3 stands for three equal cases that were seen. ``SAMPLING``: it
    is one case that was seen, and stands for three of the population.
    """

    FREQUENCY = "frequency"
    SAMPLING = "sampling"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleAssignment:
    """The role of one column. ``model`` only for posteriors, scores and predictions.

    ``level`` only for posteriors.

    A cost column needs no decision here: the matrix names the columns its costs come from.
    """

    column: str
    role: Role
    model: str | None = None
    level: str | None = None
    reason: str = made("")
    is_guess: bool = made(False)
    is_percent: bool = False  # posteriors written as 0 to 100
    is_reversed: bool = False  # scores: the higher, the less likely the event
    weight_kind: WeightKind | None = None  # weights: None = not said yet, taken as a frequency

    @classmethod
    def guess(
        cls,
        column: str,
        role: Role,
        reason: str,
        *,
        model: str | None = None,
        level: str | None = None,
        is_percent: bool = False,
        is_reversed: bool = False,
    ) -> RoleAssignment:
        """Make an assignment that the program guessed, with why."""
        return cls(
            column=column,
            role=role,
            model=model,
            level=level,
            reason=reason,
            is_guess=True,
            is_percent=is_percent,
            is_reversed=is_reversed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpec:
    """The outcome. ``levels`` in printed form, the event first; ``labels`` are the user's words.

    ``spellings`` are further values of the column, each with the level that it stands for.
    ``order`` holds the levels in their own order where a person said it: low, middle, high.
    """

    column: str
    kind: str  # "binary", "multiclass", "interval"
    levels: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    spellings: tuple[tuple[str, str], ...] = ()
    order: tuple[str, ...] = ()

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
    """Where the use of rows comes from: a column, a seeded draw, or the order of the rows.

    ``meaning`` maps the printed values of the column to row uses. ``shares`` are those of train,
    validation and test rows. Rows for which the condition ``where`` is not true are used for
    nothing; the draw is the same with and without it. Rows of one value of the column ``together``
    are drawn as one: a list, a patient. With ``in_order`` nothing is drawn: of the rows for which
    the condition is true the first train, the last test.
    """

    column: str | None = None
    meaning: tuple[tuple[str, RowUse], ...] = ()
    seed: int = 20261
    shares: tuple[float, float, float] = (0.0, 0.5, 0.5)
    where: str = ""  # an expression over columns; empty = all rows
    in_order: bool = False  # shares of the rows as they stand in the file
    together: str | None = None  # a column whose values no draw tears apart


@dataclass(frozen=True, slots=True, kw_only=True)
class OldPriors:
    """The class shares a model was trained at, if known."""

    kind: OldPriorKind = OldPriorKind.UNKNOWN
    shares: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelOrder:
    """The levels of a column in code order, in printed form, where a training is told them.

    An input is then read by level, numbers too; other values are unknown to the model. With
    ``is_ordered`` the levels of an input are ranks: it is split like a number. Of the outcome it is
    the order of the classes in the model.
    """

    column: str
    levels: tuple[str, ...]
    is_ordered: bool = False


class TreeRule(StrEnum):
    """What the number of trees of a trained model is chosen by, once it is trained.

    ``HAND``: a person; ``VALIDATION``, ``FOLDS``, ``TEST``: the lowest loss of these rows;
    ``OUT_OF_BAG``: the highest summed improvement; ``ALL``: every tree there is.
    """

    HAND = "hand"
    VALIDATION = "validation"
    FOLDS = "cross-validation"
    OUT_OF_BAG = "out of bag"
    TEST = "test"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedModel:
    """Boosted trees trained here: every setting, and where the trees are kept.

    The fields from ``model_hash`` on are filled in by the training; a request leaves them alone.
    The settings have gbm's names (``core.boosting.settings`` says what each does).
    """

    name: str
    distribution: str  # id of a distribution plugin
    target: str
    features: tuple[str, ...]
    distribution_params: tuple[tuple[str, float | str], ...] = ()
    n_trees: int = 1000  # the most trees; early stopping may end sooner
    interaction_depth: int = 4
    shrinkage: float = 0.05
    min_cases_in_node: int = 10
    bag_fraction: float = 0.5
    cv_folds: int = 0  # 0 = no cross-validation
    patience: int = 50  # trees without improvement on the stopping rows; 0 = never stop early
    watch: str = "deviance"  # what improves: "deviance", "profit", or the id of a metric
    missing: str = "learned_side"  # or "third_child"
    max_bins: int = 255
    l2: float = 0.0
    level_penalty: float = 1.0  # how much means of levels are shrunk by their counts; 0 = not
    monotone: tuple[tuple[str, int], ...] = ()  # column -> -1 falling, 1 rising
    interactions: tuple[tuple[str, ...], ...] = ()  # columns that may stand on one path; () = all
    max_depth: int = 0  # deepest split; 0 = any
    column_fraction: float = 1.0  # share of the inputs that each tree is given
    precision: str = "auto"  # or "exact", "histogram"
    gbm_compatible: bool = False  # the arithmetic of R's gbm
    levels: tuple[LevelOrder, ...] = ()  # of columns whose levels are told, not found
    weight: str | None = None
    offset: str | None = None
    event: str | None = None  # survival: the column that says whether the event was seen
    entry: str | None = None  # survival: the time at which a case came under observation
    strata: str | None = None  # survival: cases are compared within its levels only
    upper: str | None = None  # survival: the latest time at which the event may have happened
    group: str | None = None  # ranking: the column that names the groups
    bag_groups: bool | None = None  # draw whole groups; None = where there are groups
    effect_of: tuple[str, str, str] | None = None  # learns an effect: column, treated, control arm
    propensity: str | None = None  # of an effect: the column of the chance of being treated
    only: tuple[str, str] | None = None  # column and level: rows with another level do not train
    seed: int = 20261
    train_rows: tuple[RowUse, ...] = (RowUse.TRAIN,)
    stop_rows: tuple[RowUse, ...] = (RowUse.VALIDATION,)  # empty = no rows judge the training
    # ---- filled in by the training
    model_hash: str = made("")  # SHA-256 of the model file
    plugin: str = made("")  # id of the plugin that brought the distribution; empty: it ships
    trees: int = made(0)  # iterations grown
    trees_used: int = made(0)  # iterations that scores come from
    choice: str = made("")  # what chose them: "deviance of the validation rows", "cross-validation"
    tree_rule: TreeRule | None = made(None)  # chose them after the training; None = the training
    as_trained: tuple[int, str] | None = made(None)  # what the training used, and why, before that
    chosen_among: tuple[str, SplitSpec] | None = made(None)  # hash and split of the rows then
    data_hash: str = made("")
    split: SplitSpec | None = made(None)  # what said which rows trained
    trained_rows: int = made(0)
    stopped_rows: int = made(0)
    class_shares: tuple[tuple[str, float], ...] = made(())  # weighted, of the training rows
    seconds: float = made(0.0)
    program: str = made("")  # that trained it and wrote its file; empty = this one
    matrix: MatrixSpec | None = made(None)  # where it learned from money, or money stopped it
    priors: tuple[tuple[str, float], ...] | None = made(None)  # beside that, or beside its metric

    @property
    def has_folds(self) -> bool:
        """Whether models of folds judge the rows that trained it.

        A training that was stopped before them has none, though they were wanted.
        """
        return self.cv_folds > 1 and self.as_it_ended.choice == CROSS_VALIDATION

    @property
    def as_it_ended(self) -> TrainedModel:
        """The model as its training left it, whatever number of trees was chosen afterwards."""
        if self.as_trained is None:
            return self
        trees, choice = self.as_trained
        return replace(
            self,
            trees_used=trees,
            choice=choice,
            tree_rule=None,
            as_trained=None,
            chosen_among=None,
        )

    @property
    def as_it_was_chosen(self) -> TrainedModel:
        """The model with data and split of the choice of its trees in place of its training's."""
        if self.chosen_among is None:
            return self
        rows, split = self.chosen_among
        return replace(self, data_hash=rows, split=split)

    def with_trees(self, trees: int, rule: TreeRule, document: Document) -> TrainedModel:
        """Return the model with its first trees, chosen after the training, beside a document."""
        ended = self.as_it_ended
        return replace(
            ended,
            trees_used=trees,
            choice="" if rule is TreeRule.ALL else rule.value,
            tree_rule=rule,
            as_trained=(ended.trees_used, ended.choice),
            chosen_among=(document.data_hash, document.settled_split),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationMap:
    """The chance of one class by the score.

    Logistic: 1 / (1 + exp(-(``slope`` x score + ``intercept``))). Isotonic: straight lines between
    the points (``scores``, ``probabilities``), level beyond them. Bands: ``scores`` are the inner
    edges, so there is one more of ``probabilities``; a score on an edge belongs to the band above.
    """

    slope: float = 0.0
    intercept: float = 0.0
    scores: tuple[float, ...] = ()
    probabilities: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationSpec:
    """How a model's scores become chances, and what was fitted.

    The rows of the fit get chances from folds that do not contain them; all other rows, new cases
    too, get them from ``maps``, which all rows of the fit made.
    """

    method: CalibrationMethod
    is_reversed: bool = False  # the higher the score, the less likely the event
    folds: int = 5
    seed: int = 20261
    bands: int = 10
    rows: RowUse = RowUse.VALIDATION  # whose outcomes the chances are fitted to
    # ---- filled in by the fit
    maps: tuple[CalibrationMap, ...] = made(())  # of the event; of every class with more than two
    columns: tuple[str, ...] = made(())  # the scores; empty for a model trained here
    model_hash: str = made("")  # of a model trained here
    class_shares: tuple[tuple[str, float], ...] = made(())  # weighted, of the rows of the fit
    data_hash: str = made("")
    fitted_rows: int = made(0)
    split: SplitSpec | None = made(None)  # what said which rows they are
    weight: str | None = made(None)
    before: OldPriors = made(OldPriors())  # of the scores themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """Settings of one model. ``series`` fixes colour and dash.

    An imported model has its columns in the roles; a trained one has ``trained`` instead.
    ``calibration``: its scores are turned into chances; None = its chances are taken as they stand.
    ``basis``: decisions are averaged over quantiles or leaves; None = each case's own score.
    """

    name: str
    series: int = made(0)
    old_priors: OldPriors = field(default_factory=OldPriors)
    trained: TrainedModel | None = None
    calibration: CalibrationSpec | None = None
    basis: DecisionBasis | None = None

    def renamed(self, name: str) -> ModelSpec:
        """The same model under another name."""
        trained = replace(self.trained, name=name) if self.trained is not None else None
        return replace(self, name=name, trained=trained)

    @property
    def without_fits(self) -> ModelSpec:
        """The model without what was fitted to its scores, or stands on its one tree."""
        bare = self
        if self.calibration is not None:
            bare = replace(bare, calibration=None, old_priors=self.calibration.before)
        if self.basis is not None and self.basis.has_own_leaves:
            bare = replace(bare, basis=None)
        return bare


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricChoice:
    """One column of the metric table; the value of a choice may be its word."""

    metric: str
    parameters: tuple[tuple[str, float | str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportItem:
    """Something put on the report: a chart of page Compare by its kind, else ``page/part``."""

    kind: str
    note: str = ""  # the user's own words below it
    caption: str = ""  # the user's own title; empty = its own


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model taken because it was the best by a metric: those rows flatter it from then on."""

    model: str
    metric: str
    rows_used: RowUse
    data_hash: str = made("", is_kept=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Everything that a project says, and nothing that is computed."""

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
    scenarios: tuple[Scenario, ...] = ()
    prior_range: tuple[float, float] | None = None  # of the event's prior, where it is not certain
    shared_ids: SharedIds = SharedIds.REFUSE  # of evaluated rows and training rows
    missing_outcomes: MissingOutcomes = MissingOutcomes.LEAVE_OUT  # as projects without a word do
    bad_values: BadValues = BadValues.REFUSE  # chances outside 0 to 1, weights below 0 ...
    uplift: UpliftSpec = field(default_factory=UpliftSpec)
    experiment: ExperimentSpec | None = None  # the parts on page Experiments, once changed there
    charts: tuple[str, ...] = ()  # on page Compare, in order; empty = the usual ones of the task
    convention: str = "payoff"  # whose definitions the charts follow: a key of chart_kinds
    report: tuple[ReportItem, ...] = ()  # what was put on the report, in order
    choice: ModelChoice | None = None  # the reference was chosen as the best on some rows

    def range_beside(
        self, priors: tuple[tuple[str, float], ...] | None
    ) -> tuple[float, float] | None:
        """The range of the event's prior beside other priors; one that misses theirs goes."""
        if self.prior_range is None or not priors:
            return None
        low, high = self.prior_range
        return self.prior_range if low <= self.event_share(priors) <= high else None

    def event_share(self, priors: tuple[tuple[str, float], ...]) -> float:
        """The event's share of priors that need not sum to 1."""
        event = self.target.event if self.target is not None else ""
        given = dict(priors)
        total = sum(given.values())
        return given.get(event, priors[0][1]) / total if total > 0 else float("nan")

    @property
    def row_word(self) -> tuple[str, str]:
        """What a number of rows is counted in: the cases, unless a row can stand for several."""
        return self.case_word if self.column_of(Role.WEIGHT) is None else ("row", "rows")

    @property
    def data_hash(self) -> str:
        """The content of the data's rows, or an empty text without data."""
        return self.data.rows_hash if self.data is not None else ""

    @property
    def settled_split(self) -> SplitSpec:
        """The split with its column named, so that later changes of roles do not touch it."""
        column = self.split.column or self.column_of(Role.ROW_USE)
        return replace(self.split, column=column)

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

    @property
    def outcome_models(self) -> tuple[ModelSpec, ...]:
        """The models that predict the outcome; those of an effect predict what treating changes."""
        return tuple(entry for entry in self.models if not self._predicts_effect(entry))

    @property
    def outcome_reference(self) -> str:
        """The reference model where it predicts the outcome, else the first that does, or ""."""
        names = [entry.name for entry in self.outcome_models]
        if self.reference_model in names:
            return self.reference_model or ""
        return names[0] if names else ""

    def _predicts_effect(self, entry: ModelSpec) -> bool:
        """Whether a model learned an effect, or its column is named so beside a treatment."""
        if entry.trained is not None:
            return entry.trained.effect_of is not None
        score = self.score_role(entry.name)
        return self.is_experiment and score is not None and names_effect(score.column)

    @property
    def is_experiment(self) -> bool:
        """Whether a column says who was treated: by its role, or chosen on page Uplift."""
        return self.column_of(Role.TREATMENT) is not None or bool(self.uplift.treatment)

    def _with_effects(self) -> Document:
        """Columns that were guessed to be predicted effects: scores beside a treatment alone.

        Such a guess names its model where it is an input too.
        """
        role = Role.SCORE if self.is_experiment else Role.INPUT
        roles = tuple(
            replace(entry, role=role)
            if entry.is_guess
            and entry.role in (Role.SCORE, Role.INPUT)
            and entry.model is not None
            and names_effect(entry.column)
            else entry
            for entry in self.roles
        )
        return replace(self, roles=roles)

    def posterior_columns(self, model: str) -> dict[str, str]:
        """Level -> column of a model's posteriors (one level only: the other is its complement)."""
        return {
            entry.level or "": entry.column
            for entry in self.roles
            if entry.role is Role.POSTERIOR and entry.model == model
        }

    def score_role(self, model: str) -> RoleAssignment | None:
        """The role of a model's column of scores in points, or None."""
        return next((e for e in self.roles if e.role is Role.SCORE and e.model == model), None)

    def is_rank_only(self, model: str) -> bool:
        """Whether a model only ranks cases: a score without chances."""
        entry = self.model(model)
        has_probabilities = entry is not None and entry.calibration is not None
        return not has_probabilities and self.score_role(model) is not None

    def without_rankers(self) -> Document:
        """The document without models that only rank; for what every model needs chances for."""
        models = tuple(entry for entry in self.models if not self.is_rank_only(entry.name))
        if len(models) == len(self.models):
            return self
        names = {entry.name for entry in models}
        reference = self.reference_model if self.reference_model in names else None
        return replace(
            self,
            models=models,
            reference_model=reference or (models[0].name if models else None),
        )

    def prediction_column(self, model: str) -> str | None:
        """The column of a model's predictions (interval targets), or None."""
        return next(
            (e.column for e in self.roles if e.role is Role.PREDICTION and e.model == model), None
        )

    def trained_model(self, name: str) -> TrainedModel | None:
        """What a trained model was trained with; None for an imported or unknown one."""
        entry = self.model(name)
        return entry.trained if entry is not None else None

    def with_roles(self, roles: tuple[RoleAssignment, ...]) -> Document:
        """The document with other roles; imported models follow them and keep their settings.

        Trained models stay where their target is the outcome and their inputs are there. Columns
        that were guessed to be predicted effects rank cases where there is a treatment.
        """
        roles = replace(self, roles=roles)._with_effects().roles
        names: list[str] = []
        for entry in roles:
            is_score = entry.role in (Role.POSTERIOR, Role.SCORE, Role.PREDICTION)
            if is_score and entry.model and entry.model not in names:
                names.append(entry.model)
        columns = {entry.column for entry in roles}
        kept = {entry.name: entry for entry in self.models if entry.trained is None}
        trained = tuple(entry for entry in self.models if self._still_fits(entry, columns))
        names = [name for name in names if name not in {entry.name for entry in trained}]
        staying = [*trained, *(kept[name] for name in names if name in kept)]
        taken = {entry.series for entry in staying}
        free = (index for index in range(10_000) if index not in taken)
        imported = (kept.get(name) or ModelSpec(name=name, series=next(free)) for name in names)
        models = (*imported, *trained)
        names = [entry.name for entry in models]
        reference = self.reference_model if self.reference_model in names else None
        changed = replace(
            self,
            roles=roles,
            models=models,
            reference_model=reference or (names[0] if names else None),
        )
        return replace(
            changed, models=tuple(changed._with_fitting_probabilities(m) for m in models)
        )

    def _with_fitting_probabilities(self, entry: ModelSpec) -> ModelSpec:
        """A model without chances that were fitted to other scores or another outcome."""
        probabilities = entry.calibration
        if probabilities is None:
            return entry
        levels = tuple(level for level, _ in probabilities.class_shares)
        fits = (
            self.target is not None
            and levels == self.target.levels
            and probabilities.columns == self.score_columns(entry.name)
            and probabilities.model_hash == (entry.trained.model_hash if entry.trained else "")
            and probabilities.is_reversed == self.is_score_reversed(entry.name)
        )
        return entry if fits else replace(entry, calibration=None, old_priors=probabilities.before)

    def score_columns(self, model: str) -> tuple[str, ...]:
        """The columns that chances or points of an imported model stand in, in file order."""
        return tuple(
            entry.column
            for entry in self.roles
            if entry.role in (Role.POSTERIOR, Role.SCORE) and entry.model == model
        )

    def with_known_directions(
        self, roles: tuple[RoleAssignment, ...]
    ) -> tuple[RoleAssignment, ...]:
        """Roles of another file with the directions of scores that are known already."""
        known = {entry.column: entry for entry in self.roles if entry.role is Role.SCORE}
        return tuple(
            replace(entry, is_reversed=known[entry.column].is_reversed)
            if entry.role is Role.SCORE and entry.column in known
            else entry
            for entry in roles
        )

    def is_score_reversed(self, model: str) -> bool:
        """Whether a higher score of a model means a less likely event."""
        entry = self.score_role(model)
        return entry is not None and entry.is_reversed

    def _still_fits(self, entry: ModelSpec, columns: set[str]) -> bool:
        """Whether a trained model can score a table with these columns for the present outcome."""
        trained = entry.trained
        if trained is None or self.target is None or trained.target != self.target.column:
            return False
        known = {level for level, _ in trained.class_shares}
        return columns >= set(trained.features) and known == set(self.target.levels)
