"""What page Models offers: distributions, inputs, rows, figures to watch.

The small picture of a distribution: what a case costs by its score.

What is looked at before a training: faults of outcome and inputs, each with what mends it.

Rows of the filter count. Nothing of it forbids training.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.input_columns import MOST_LEVELS
from core.assembly.models.loss_terms import NEEDS_MATRIX, ON_PAGE_UPLIFT, reads_effect, reads_money
from core.assembly.models.task import inputs_served, task_of, task_of_domain
from core.assembly.models.training_plan import NEEDED, TARGET_WORDS, needs_of, reason_by_kind
from core.data import LoadedTable
from core.data.roles.names import has_word
from core.data.roles.words import COUNT_NAMES
from core.document.data.model import RowUse
from core.document.data.results import ColumnSummary
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from core.document.training_results import (
    DistributionInfo,
    DistributionsResult,
    InputInfo,
    LossLine,
    Mending,
    TrainingCheck,
)
from core.extensions import Registry
from core.questions.explain import Distributions
from core.questions.needs import named_target
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.facts import facts_of
from payoff.parameters import parameter_array, resolve_parameters
from payoff.specs import LossDistribution
from payoff.targets import check_target
from payoff.types import BoolArray, FloatArray
from payoff.vocabulary import Direction, Extra, TargetDomain, Task

POINTS = 81
REACH = 4.0  # scores from -4 to 4: chances from 2 % to 98 %
_HOST = (Extra.WEIGHT, Extra.OFFSET)
_OUTCOMES = {
    TargetDomain.REAL: (0.0,),
    TargetDomain.COUNTS: (0.0, 3.0),
    TargetDomain.POSITIVE: (0.3, 3.0),
}


def loss_lines(spec: LossDistribution, target: TargetSpec) -> tuple[LossLine, ...]:
    """A line per outcome, at the parameters' defaults; none where cases depend on each other.

    A number has one line, over the error; a plugin whose kernel fails here has no picture (its
    conformance is checked elsewhere).
    """
    if spec.arrange is not None or any(extra not in _HOST for extra in spec.extras):
        return ()
    score = np.linspace(-REACH, REACH, POINTS)
    lines = []
    for words, outcome in _outcomes(spec, target):
        y = _losses(spec, outcome, score)
        if y is None:
            return ()
        lines.append(LossLine(words=words, x=score, y=y))
    return tuple(lines)


def _outcomes(spec: LossDistribution, target: TargetSpec) -> tuple[tuple[str, float], ...]:
    """What the lines stand for, in words, and the outcome that the loss gets."""
    if spec.target is TargetDomain.BINARY:
        if len(target.levels) != 2:
            return (("yes", 1.0), ("no", 0.0))
        return tuple(zip(map(target.label, target.levels), (1.0, 0.0), strict=True))
    if spec.target is TargetDomain.CLASSES:
        return (("this class", 0.0), ("another", 1.0))
    return tuple((f"{value:g}", value) for value in _OUTCOMES.get(spec.target, ()))


def _losses(spec: LossDistribution, outcome: float, score: FloatArray) -> FloatArray | None:
    """The loss at each score; with several scores per case the first moves and the rest are 0.

    Several quantiles move together.
    """
    scores = np.zeros((spec.n_scores or 2, POINTS))
    scores[: None if spec.quantile_levels is not None else 1] = score
    parameters = parameter_array(spec.parameters, resolve_parameters(spec.parameters, {}))
    out = np.full(POINTS, np.nan)
    try:
        with np.errstate(all="ignore"):
            spec.loss(np.full(POINTS, outcome), scores, parameters, out, 0, POINTS)
    except Exception:  # a plugin's kernel may raise anything; the page does without its picture
        return None
    return out if np.isfinite(out).all() else None


FEWEST = 30  # rows, below which columns may go together by chance
SAME_ZEROS = 0.995
"""Share of the rows in which a consequence is 0 where the count is, and not where it is not."""

_EXPOSURE = re.compile(r"(?:^|_)(?:exposures?|exposed|at_risk|person_years|policy_years)(?:_|\d|$)")
_FOLLOW_UP = re.compile(
    r"(?:^|_)(?:follow_?up|time_to_\w+|days_to_\w+|months_to_\w+|survival_time|time_at_risk|"
    r"observed_(?:days|months|years|time)|os_(?:days|months)|tte)(?:_|\d|$)"
)


def training_checks(table: LoadedTable, document: Document) -> tuple[TrainingCheck, ...]:
    """Return what to look at before a training of the project's outcome."""
    target = document.target
    if target is None:
        return ()
    found = data.rows_inside(table, document)
    inside = np.ones(table.rows, dtype=bool) if found is None else found[0]
    checks = [*_follow_up(document, target)]
    if target.levels:
        codes = data.outcome_codes(table, target)[0][inside]
        return (*_constant(target, codes[codes >= 0].astype(np.float64)), *checks)
    outcome = data.column_as_float(table, target.column, role="target")
    inside = inside & ~np.isnan(outcome)
    checks += _constant(target, outcome[inside])
    if document.column_of(Role.EVENT) is not None:
        checks += _zero_times(document, target, outcome[inside])
    elif _are_counts(outcome[inside]):
        checks += _of_counts(table, document, outcome, inside)
    return tuple(checks)


def _constant(target: TargetSpec, outcome: FloatArray) -> list[TrainingCheck]:
    if len(outcome) == 0 or np.ptp(outcome) > 0:
        return []
    return [
        TrainingCheck(
            code="constant_outcome",
            column=target.column,
            text=f"'{target.column}' is the same in all {counted(len(outcome), 'row')} that "
            "count: there is nothing to learn. Widen the row filter, or choose another outcome.",
            mending=Mending.ROWS,
            stops=True,
        )
    ]


def _zero_times(document: Document, target: TargetSpec, time: FloatArray) -> list[TrainingCheck]:
    zeros = int((time <= 0.0).sum())
    if zeros == 0:
        return []
    where = f"`{target.column}` > 0"
    whole = f"({document.split.where}) and {where}" if document.split.where else where
    return [
        TrainingCheck(
            code="zero_times",
            column=target.column,
            text=f"{counted(zeros, 'case has', 'cases have')} a time of 0 or less: nothing is seen "
            "of them. Leave them out.",
            mending=Mending.ROWS,
            expression=whole,
        )
    ]


def _follow_up(document: Document, target: TargetSpec) -> list[TrainingCheck]:
    return [
        TrainingCheck(
            code="follow_up_time",
            column=name,
            text=f"'{name}' sounds like a time that ends with the outcome: it is not known when a "
            "new case is scored. Leave it out of the inputs.",
            mending=Mending.INPUT,
        )
        for name in document.columns_of(Role.INPUT)
        if name != target.column and _FOLLOW_UP.search(_folded(name))
    ]


def _of_counts(
    table: LoadedTable, document: Document, outcome: FloatArray, inside: BoolArray
) -> list[TrainingCheck]:
    """Look at inputs beside a count: its exposure, and what only follows from it."""
    checks = []
    for name in document.columns_of(Role.INPUT):
        if table.kinds[name] not in ("integer", "number"):
            continue
        values = data.column_as_float(table, name, role="input")
        if _EXPOSURE.search(_folded(name)) and bool((values[inside] > 0.0).all()):
            checks.append(
                TrainingCheck(
                    code="unlogged_exposure",
                    column=name,
                    text=f"'{name}' says how long a case was exposed. Its logarithm belongs in the "
                    "offset: twice as long, twice as many.",
                    mending=Mending.OFFSET,
                    expression=f"log(`{name}`)",
                )
            )
        elif _follows(values[inside], outcome[inside]):
            checks.append(
                TrainingCheck(
                    code="consequence",
                    column=name,
                    text=f"'{name}' is 0 or missing where '{_name(document)}' is 0, and not "
                    "elsewhere: it follows from it. Leave it out of the inputs.",
                    mending=Mending.INPUT,
                )
            )
    return checks


def _follows(values: FloatArray, counts: FloatArray) -> bool:
    """Whether a column is something exactly where a count is above 0."""
    happened = counts > 0.0
    if min(int(happened.sum()), int((~happened).sum())) < FEWEST:
        return False
    is_something = ~np.isnan(values) & (values != 0.0)
    agreed = is_something == happened
    return bool(min(agreed[happened].mean(), agreed[~happened].mean()) >= SAME_ZEROS)


def _are_counts(outcome: FloatArray) -> bool:
    return len(outcome) > 0 and bool(((outcome >= 0.0) & (outcome == np.floor(outcome))).all())


def _name(document: Document) -> str:
    return document.target.column if document.target is not None else ""


def _folded(name: str) -> str:
    """Return a column's name with words apart by underscores, in small letters."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold()
    return re.sub(r"[\s.\-]+", "_", apart)


SMALL_COUNT, OFTEN_NONE = 5.0, 0.05  # the mean of small counts, and the share of none
_USED = {Extra.ENTRY: "entry", Extra.STRATA: "strata", Extra.UPPER: "upper"}
_USES = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST, RowUse.TO_DECIDE)


def list_distributions(
    document: Document, question: Distributions, context: AssemblyContext
) -> DistributionsResult:
    """Every distribution with whether it fits, every column as an input, rows by use."""
    del question
    target = named_target(document)
    table = table_of(document, context)
    registry = context.registry
    found = data.rows_inside(table, document)
    inside = None if found is None else found[0]
    outcome = None
    if not target.levels:
        values = data.column_as_float(table, target.column, role="target")
        outcome = values[~np.isnan(values) if inside is None else inside & ~np.isnan(values)]
    order = data.known_order(table, target) if target.levels else ()
    return DistributionsResult(
        target=target.column,
        distributions=_with_count_first(
            [
                replace(
                    _info(spec, target, outcome, order, document),
                    watches=_watches(document, target, spec, registry),
                )
                for spec in registry.distributions()
            ],
            outcome if _may_count(document) else None,
        ),
        inputs=tuple(
            _input(document, column, _levels(table, document, column, context))
            for column in _summaries(table, document, context)
        ),
        rows=_rows(table, document),
        outcome=_class_rows(table, target, inside),
        checks=training_checks(table, document),
    )


def _with_count_first(
    infos: list[DistributionInfo], outcome: FloatArray | None
) -> tuple[DistributionInfo, ...]:
    """The distributions; of an outcome of small counts one for counts is what to choose first.

    Claims or calls of a case, mostly none or a few: the plainest one, without parameters to set.
    """
    counts = [info for info in infos if info.fits and info.domain == TargetDomain.COUNTS.value]
    if outcome is None or not counts or not _are_small_counts(outcome):
        return tuple(infos)
    first = min(counts, key=lambda info: len(info.parameters))
    return tuple(replace(info, is_usual=info is first) for info in infos)


def _may_count(document: Document) -> bool:
    """Whether a number may be a count by its name, or an exposure beside it: grades are none."""
    columns = document.data.columns if document.data is not None else ()
    is_named = has_word(_name(document), COUNT_NAMES)
    beside = any(_EXPOSURE.search(_folded(name)) for name in columns)
    return task_of(document) is Task.REGRESSION and (is_named or beside)


def _are_small_counts(outcome: FloatArray) -> bool:
    """Whether numbers count what seldom happens: whole, often 0, small in the mean."""
    is_small = _are_counts(outcome) and float(outcome.mean()) < SMALL_COUNT
    return is_small and float((outcome == 0.0).mean()) >= OFTEN_NONE


def _info(
    spec: LossDistribution,
    target: TargetSpec,
    outcome: FloatArray | None,
    order: tuple[str, ...],
    document: Document,
) -> DistributionInfo:
    reason = ON_PAGE_UPLIFT if reads_effect(spec) else reason_by_kind(spec, target, order)
    if not reason and outcome is not None:
        reason = _reason_by_values(spec, target, outcome)
    if not reason:
        reason = _unserved(spec, document.matrix is not None)
    return facts_of(
        spec,
        DistributionInfo,
        target_words=TARGET_WORDS[spec.target],
        fits=not reason,
        reason=reason,
        is_usual=not reason and task_of(document) in spec.usual_for,
        needs=needs_of(spec),
        uses=tuple(_USED[extra] for extra in spec.extras if extra in _USED),
        picture=loss_lines(spec, target),
        domain=spec.target.value,
        predicts_quantiles=spec.quantile_levels is not None,
    )


def _reason_by_values(spec: LossDistribution, target: TargetSpec, outcome: FloatArray) -> str:
    """Why the values of a number cannot be fitted: the least of them says it."""
    if len(outcome) == 0:
        return f"'{target.column}' has no value."
    try:
        check_target(spec, outcome)
    except PayoffError:
        return (
            f"It fits {TARGET_WORDS[spec.target]}; '{target.column}' goes from "
            f"{outcome.min():g} to {outcome.max():g}."
        )
    return ""


def _unserved(spec: LossDistribution, has_matrix: bool) -> str:
    """Why a distribution is not trained in the window: it reads what is not there."""
    known = {Extra.WEIGHT, Extra.OFFSET, Extra.CONSEQUENCES, *NEEDED, *spec.optional_extras}
    if reads_money(spec) and not has_matrix:
        return NEEDS_MATRIX
    if spec.score_names is not None and spec.quantile_levels is None:
        return "It predicts several numbers for each case; scripts train it."
    strange = [extra.value for extra in spec.extras if extra not in known]
    return f"It needs a column for '{strange[0]}'." if strange else ""


# ---------------------------------------------------------------- inputs and rows


def _summaries(
    table: LoadedTable, document: Document, context: AssemblyContext
) -> tuple[ColumnSummary, ...]:
    """The columns over the rows that can train: those inside the row filter."""

    def make() -> tuple[tuple[ColumnSummary, ...], int]:
        found = data.rows_inside(table, document)
        columns = data.summarise_rows(table, None if found is None else found[0])
        return columns, 1_000 * len(columns)

    key = ("columns inside", table.identity, document.split.where)
    columns: tuple[ColumnSummary, ...] = context.cache.get_or_make(key, make)
    return columns


def _class_rows(
    table: LoadedTable, target: TargetSpec, inside: BoolArray | None
) -> tuple[tuple[str, int], ...]:
    """Rows of each level of the outcome inside the row filter."""
    if not target.levels:
        return ()
    codes, _ = data.outcome_codes(table, target)
    is_counted = codes >= 0 if inside is None else inside & (codes >= 0)
    counts = np.bincount(codes[is_counted], minlength=len(target.levels))
    return tuple(zip(target.levels, counts.tolist(), strict=True))


def _levels(
    table: LoadedTable, document: Document, column: ColumnSummary, context: AssemblyContext
) -> int:
    """Return the number of levels of a column of texts inside the row filter, 0 for any other.

    They are counted where its summary has stopped counting.
    """
    if column.kind != "text":
        return 0
    if column.distinct >= 0:
        return column.distinct

    def make() -> tuple[int, int]:
        values, found = table.require_column(column.name), data.rows_inside(table, document)
        if found is not None:
            values = values.filter(pa.array(found[0]))
        return pc.count_distinct(values).as_py(), 8

    key = ("levels inside", table.identity, document.split.where, column.name)
    found: int = context.cache.get_or_make(key, make)
    return found


def _input(document: Document, column: ColumnSummary, levels: int) -> InputInfo:
    is_nominal = column.kind == "text"
    role = document.role_of(column.name)
    known = column.rows - column.missing
    reason = _reason_no_input(column, levels, role)
    is_sparse = levels > known // 2 and levels > data.FEW_LEVELS
    return InputInfo(
        column=column.name,
        kind="nominal" if is_nominal else "number",
        can_train=not reason,
        reason=reason,
        is_usual=not reason and not is_sparse and (role is None or role.role is Role.INPUT),
        missing=column.missing,
        levels=levels,
        note="" if reason else data.sparse_levels_words(column.name, levels, known),
    )


def _reason_no_input(column: ColumnSummary, levels: int, role: RoleAssignment | None) -> str:
    if role is not None and role.role is Role.TARGET:
        return "It is the outcome itself."
    if column.kind == "date":
        return "Trees cannot split dates; turn it into days or months."
    if column.missing >= column.rows:
        return "It has no value."
    if column.distinct == 1 and column.missing == 0:
        return "It is the same in every row."
    if levels > data.FEW_LEVELS and levels >= column.rows - column.missing:
        return "It is different in every row."
    if levels > MOST_LEVELS:
        return f"It has more than {MOST_LEVELS:,} levels."
    return ""


def _rows(table: LoadedTable, document: Document) -> tuple[tuple[str, int], ...]:
    uses = data.row_uses(table, document)
    return tuple((use.value, int((uses == data.ROW_USE_CODES[use]).sum())) for use in _USES)


def _watches(
    document: Document, target: TargetSpec, distribution: LossDistribution, registry: Registry
) -> tuple[tuple[str, str], ...]:
    """What early stopping may watch: the deviance, realised profit, every metric that fits."""
    watches = [("deviance", "deviance")]
    if target.levels and document.matrix is not None:
        watches.append(("profit", "realised profit"))
    task = Task(target.kind) if target.levels else task_of_domain(distribution.target)
    for spec in registry.metrics():
        is_served = task in spec.tasks and set(spec.inputs) <= inputs_served(task)
        if is_served and not spec.columns and spec.direction != Direction.NONE:
            watches.append((spec.id, spec.label))
    return tuple(watches)
