"""What forms suggest and offer for fields of questions, from what is known of the project."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from core.document.compare.chart_kinds import chart_task, kinds_with
from core.document.compare.words import use_words
from core.document.data.model import RowUse
from core.document.data.row_defaults import uses_there
from core.document.decisions.matrix_model import MatrixKind
from core.document.experiments.results import MADE_UP_SETS, Side
from core.document.model import Document, Role
from core.document.results import DecisionResult
from core.document.studies.compare import MONEY, TOTAL, money_figures
from core.document.studies.decided_cases import BY_CHANCE, BY_EXPECTED
from core.questions.asked import Unit
from core.questions.fields import FieldOption, FormContext
from core.questions.needs import predicts_no_amount


def acting_decisions(document: Document, totals: DecisionResult) -> tuple[str, ...]:
    """Return the decisions that count as acting: all but the one that does nothing."""
    nothing = document.matrix.do_nothing if document.matrix is not None else None
    return tuple(
        name
        for name in totals.decisions
        if (name != nothing if nothing is not None else name == totals.acting)
    )


def half_of_the_rule(context: FormContext) -> float | None:
    """Return half of the cases that the chosen model's rule acts on, in two digits."""
    half = _half_of_the_rule(context)
    return None if half is None else _two_digits(half)


def half_of_its_cost(context: FormContext) -> float | None:
    """Return what half of the rule's actions may cost, in two digits."""
    half, totals = _half_of_the_rule(context), context.totals
    if half is None or totals is None:
        return None
    cells = totals.cells[:, totals.decisions.index(totals.acting)]
    is_loss = totals.kind == MatrixKind.LOSS.value
    price = max(0.0, float(cells.max() if is_loss else -cells.min())) or 1.0
    return _two_digits(half * price)


def a_tenth_better(context: FormContext) -> float | None:
    """Return a total a tenth better than what the chosen model's rule brings, in three digits."""
    totals = context.totals
    if totals is None or not totals.models:
        return None
    named = (e for e in totals.models if e.model == context.document.reference_model)
    total = next(named, totals.models[0]).total.value
    if not math.isfinite(total):
        return None
    better = total + 0.1 * abs(total)
    return float(f"{-better if totals.kind == MatrixKind.LOSS.value else better:.3g}")


def _half_of_the_rule(context: FormContext) -> float | None:
    totals, document = context.totals, context.document
    if totals is None or not totals.models:
        return None
    named = (entry for entry in totals.models if entry.model == document.reference_model)
    columns = [totals.decisions.index(name) for name in acting_decisions(document, totals)]
    return 0.5 * float(next(named, totals.models[0]).counts[:, columns].sum())


def _two_digits(value: float) -> float:
    """A number with two digits that matter."""
    if not math.isfinite(value) or value <= 0:
        return 0.0
    power = 10.0 ** max(0, math.floor(math.log10(value)) - 1)
    return max(1.0, round(value / power) * power)


def all_models(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the project's models, each with its line."""
    return tuple(
        FieldOption(value=entry.name, words=entry.name, series=entry.series)
        for entry in context.document.models
    )


def every_pair_or_one(context: FormContext) -> tuple[FieldOption, ...]:
    """Return every pair of models, or those with one of them."""
    return (FieldOption(value=None, words="every pair"), *all_models(context))


def usual_model(context: FormContext) -> str | None:
    """Return the model that the project has chosen, or its first."""
    models = context.document.models
    return context.document.reference_model or (models[0].name if models else None)


def compared_figures(context: FormContext) -> tuple[FieldOption, ...]:
    """Return all figures, those in money where there is a matrix, and the metrics of the table."""
    found = {"": "all"}
    if context.document.matrix is not None and not predicts_no_amount(context.document):
        found |= _money_words(context)
    for info in context.metrics:
        found.setdefault(info.metric, info.title)
    return choices_from(found)


def _money_words(context: FormContext) -> dict[str, str]:
    """Money by the rule in the words of the project: its total and average profit, or loss."""
    total, average = money_figures(context.document)
    name = "profit" if total == TOTAL else "loss"
    return {total: f"Total {name}", average: f"Average {name}"}


def unit_of_the_figure(context: FormContext) -> Unit:
    """Return the unit of a difference of the chosen figure; of all figures, that of the first."""
    figures = [option.value for option in compared_figures(context)]
    chosen = context.values.get("metric") or next(iter(figures[1:]), "")
    if chosen in MONEY:
        return Unit.MONEY
    units = {info.metric: info.unit for info in context.metrics}
    known = {"money": Unit.MONEY, "percent": Unit.POINTS}
    return known.get(units.get(chosen, ""), Unit.NONE)


# ---------------------------------------------------------------- groups of cases

SPLIT_KINDS = frozenset({"profit", "roi", "score_distribution", "threshold", "survival_groups"})
"""Charts that have several lines of one model as they are."""
FEW_GROUPS = 12
_NO_GROUPS = (Role.TARGET, Role.POSTERIOR, Role.SCORE, Role.PREDICTION, Role.ID)


def columns_that_group(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the columns that can make groups: inputs first, no scores and no outcome.

    Those of a few values come before dates and numbers, which make many groups of a few cases.
    """
    document = context.document
    roles = {entry.column: entry.role for entry in document.roles}
    names = document.data.columns if document.data is not None else ()
    found = [name for name in names if roles.get(name) not in _NO_GROUPS]
    columns = context.summary.columns if context.summary is not None else ()
    few = {column.name for column in columns if 2 <= column.distinct <= FEW_GROUPS}
    found.sort(key=lambda name: (roles.get(name) is not Role.INPUT, name not in few))
    return choices_from({name: name for name in found})


def figures_by_group(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the metrics of the table, and money by the rule where there is a matrix."""
    document = context.document
    found = {info.metric: info.title for info in context.metrics}
    if document.matrix is not None and document.target and document.target.levels:
        for key, words in _money_words(context).items():
            found.setdefault(key, f"{words} by the rule")
    return choices_from(found)


def charts_by_group(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the charts that have one line of a model, which groups make several."""
    split = {*SPLIT_KINDS, *(entry.id for entry in context.curves if entry.is_split)}
    kinds = kinds_with(chart_task(context.document), context.curves)
    return choices_from({e.kind: e.subtitle for e in kinds if e.kind not in split})


# ---------------------------------------------------------------- survival


def models_over_time(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the models that were trained here on times with an event."""
    return choices_from(
        {
            entry.name: entry.name
            for entry in context.document.models
            if entry.trained is not None and entry.trained.event is not None
        }
    )


def thirds_or_an_input(context: FormContext) -> tuple[FieldOption, ...]:
    """Return thirds by predicted risk, and every input that can make groups."""
    inputs = context.document.columns_of(Role.INPUT)
    return choices_from({None: "thirds by predicted risk"} | {name: name for name in inputs})


def first_row(context: FormContext) -> int:
    """Return the first row as people count them."""
    del context
    return 1


def from_nothing(row: int) -> int:
    """Return a row as scripts count them, from 0."""
    return row - 1


# ---------------------------------------------------------------- error bounds

BOUNDS = (
    "hoeffding",
    "kl",
    "empirical_bernstein",
    "clopper_pearson",
    "prpl_eb",
    "betting",
    "wilson",
    "student_t",
    "bootstrap",
    "bca",
)


def choices_from(words: Mapping[Any, str]) -> tuple[FieldOption, ...]:
    """Return the options of a choice from their values and words."""
    return tuple(FieldOption(value=value, words=described) for value, described in words.items())


def is_number_outcome(context: FormContext) -> bool:
    """Return whether the outcome has no classes."""
    target = context.document.target
    return target is None or not target.levels


def losses_of_the_outcome(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the losses that the outcome has: of classes also whether the class is wrong."""
    wrong = {} if is_number_outcome(context) else {"zero_one": "wrong class (0 or 1)"}
    return choices_from({"squared": "squared (Brier)"} | wrong)


def limits_offered(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the sides that a form offers limits on."""
    del context
    return choices_from({Side.UPPER: "upper", Side.TWO: "upper and lower"})


def usual_confidences(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the usual confidences, the most usual first."""
    del context
    return choices_from({0.95: "95 %", 0.99: "99 %", 0.9: "90 %"})


def usual_bounds_or_all(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the choice between the usual bounds and all of them."""
    del context
    return choices_from({(): "the usual ones", BOUNDS: "all ten"})


def each_row_or_a_column(context: FormContext) -> tuple[FieldOption, ...]:
    """Return what has one loss: each row, or each value of a column."""
    columns = context.summary.columns if context.summary is not None else ()
    return choices_from(
        {"": "each row is one case"} | {entry.name: entry.name for entry in columns}
    )


def range_from_nothing(largest: float) -> tuple[float, float] | None:
    """Return the range of a loss from 0 to its largest value; None where that is 0."""
    return (0.0, largest) if largest > 0 else None


def uses_of_rows(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the sets of rows that figures can be worked out on."""
    document = context.document
    return choices_from({use: use_words(use, document) for use in _uses(document)})


def first_use_of_rows(context: FormContext) -> RowUse:
    """Return the first set of rows there is: those that trained, as a rule."""
    return _uses(context.document)[0]


def second_use_of_rows(context: FormContext) -> RowUse:
    """Return the set beside it; all rows, where there is no other."""
    uses = _uses(context.document)
    return uses[1] if len(uses) > 2 else uses[-1]


def _uses(document: Document) -> tuple[RowUse, ...]:
    return *uses_there(document.split), RowUse.ALL


# ---------------------------------------------------------------- studies on made-up data


def all_sets_or_one(context: FormContext) -> tuple[FieldOption, ...]:
    """Return all made-up data sets, or one of them."""
    del context
    return choices_from({MADE_UP_SETS: "all eight"} | {(name,): name for name in MADE_UP_SETS})


def unit_of_the_outcome(context: FormContext) -> Unit:
    """Return in what a mean outcome, and an effect on it, is given."""
    return context.outcome


# ---------------------------------------------------------------- experiments

SLICES = (10, 5, 20, 100)
MOST_SEGMENTS = 30


def usual_slices(context: FormContext) -> tuple[FieldOption, ...]:
    """Return the usual numbers of slices, the most usual first."""
    del context
    return choices_from({count: str(count) for count in SLICES})


def all_cases_or_by(context: FormContext) -> tuple[FieldOption, ...]:
    """Return all cases together, or by an input of few values."""
    inputs = set(context.document.columns_of(Role.INPUT))
    columns = context.summary.columns if context.summary is not None else ()
    names = (c.name for c in columns if c.name in inputs and 2 <= c.distinct <= MOST_SEGMENTS)
    return choices_from({"": "all cases"} | {name: name for name in names})


# ---------------------------------------------------------------- decisions


def orders_of_ranking(context: FormContext) -> tuple[FieldOption, ...]:
    """Return what cases are sorted by, in the words of profits or of losses."""
    matrix = context.document.matrix
    is_loss = matrix is not None and matrix.kind is MatrixKind.LOSS
    return choices_from({by: order_words(by, is_loss=is_loss) for by in (BY_CHANCE, BY_EXPECTED)})


def order_words(by: str, *, is_loss: bool) -> str:
    """Return what cases are sorted by, in words."""
    best = "lowest expected loss first" if is_loss else "highest expected profit first"
    return best if by == BY_EXPECTED else "highest chance first"


def why_not_as_em(context: FormContext) -> str:
    """Return why there are no profits as Enterprise Miner draws them; empty where there are."""
    return "Its charts of profit are of outcomes with classes." * is_number_outcome(context)


def usual_list(context: FormContext) -> int:
    """Return the size of a list to begin with, whatever the project."""
    del context
    return 10_000


def usual_hold_out(context: FormContext) -> float:
    """Return the share that is usually kept out."""
    del context
    return 0.10


def seed_of_the_project(context: FormContext) -> int:
    """Return the seed with which the project draws."""
    return context.document.seed


def why_no_seed(context: FormContext) -> str:
    """Return why there is nothing to draw: no share is kept out."""
    return "Nothing is kept out." * (context.values.get("share") is None)
