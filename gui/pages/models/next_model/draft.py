"""The settings of the next model: where they start, and what is said of them. No widgets."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from core.document.data.model import RowUse
from core.document.data.results import ColumnSummary, TableSummary
from core.document.model import Document, Role, TrainedModel
from core.document.plugin_results import PluginsResult
from gui.session.training import next_name
from payoff.counting import counted
from payoff.vocabulary import Task

FIRST_TREES = 1000
FOLDS = 5
JUDGED_VALIDATION = "validation"
JUDGED_FOLDS = "folds"
JUDGED_NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputChoice:
    """One column as an input: whether it is offered, and the reason where it is not."""

    column: str
    kind: str
    is_offered: bool
    is_first_choice: bool
    reason: str = ""


def next_series(document: Document) -> int:
    """The colour that the next model will get: the first that no model has."""
    taken = {entry.series for entry in document.models}
    return next(number for number in range(10_000) if number not in taken)


def input_choices(document: Document, summary: TableSummary | None) -> tuple[InputChoice, ...]:
    """Every column of the file as an input, in file order."""
    target = document.target.column if document.target is not None else ""
    columns = summary.columns if summary is not None else ()
    return tuple(_choice_of(column, document, target) for column in columns)


def _choice_of(column: ColumnSummary, document: Document, target: str) -> InputChoice:
    entry = document.role_of(column.name)
    role = entry.role if entry is not None else Role.IGNORED
    reasons = {
        Role.POSTERIOR: "a score of another model",
        Role.SCORE: "a score of another model",
        Role.PREDICTION: "a score of another model",
        Role.ID: "names the case",
        Role.ROW_USE: "says what the row is for",
        Role.WEIGHT: "the weight",
        Role.IGNORED: "ignored on page Data",
        Role.COST: "a cost of the decision",
        Role.TREATMENT: "the treatment",
        Role.PROPENSITY: "the chance of being treated",
    }
    reason, is_offered = reasons.get(role, ""), True
    if column.name == target or role is Role.TARGET:
        reason, is_offered = "what is predicted", False
    elif column.distinct == 1 and not column.missing:
        reason, is_offered = "the same in every row", False
    elif column.rows and column.missing == column.rows:
        reason, is_offered = "empty in every row", False
    return InputChoice(
        column=column.name,
        kind=column.kind,
        is_offered=is_offered,
        is_first_choice=is_offered and role is Role.INPUT,
        reason=reason,
    )


def uses_of(document: Document) -> tuple[RowUse, ...]:
    """The kinds of rows with a known outcome that the document has."""
    order = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST)
    split = document.split
    if split.column is not None:
        found = {use for _, use in split.meaning}
    else:
        found = {use for use, share in zip(order, split.shares, strict=True) if share > 0}
    return tuple(use for use in order if use in found)


def first_draft(
    document: Document, summary: TableSummary | None, plugins: PluginsResult | None
) -> TrainedModel:
    """Settings to start from.

    Training rows train and validation rows say when to stop. A file without training rows (scores
    were made elsewhere) trains on the validation rows in folds: every row is then scored by trees
    that did not see it, and the test rows stay untouched.
    """
    target = document.target
    uses = uses_of(document)
    task = target.kind if target is not None and target.levels else Task.REGRESSION.value
    inputs = tuple(
        choice.column for choice in input_choices(document, summary) if choice.is_first_choice
    )
    draft = TrainedModel(
        name=next_name(tuple(entry.name for entry in document.models)),
        distribution=plugins.usual_loss(task) if plugins is not None else "",
        target=target.column if target is not None else "",
        features=inputs,
        n_trees=FIRST_TREES,
        weight=document.column_of(Role.WEIGHT),
        seed=document.seed,
    )
    if RowUse.TRAIN in uses:
        if RowUse.VALIDATION in uses:
            return draft
        return replace(draft, stop_rows=(), cv_folds=FOLDS)
    rows = RowUse.VALIDATION if RowUse.VALIDATION in uses else RowUse.ALL
    return replace(draft, train_rows=(rows,), stop_rows=(), cv_folds=FOLDS)


def fresh_copy(model: TrainedModel, names: tuple[str, ...]) -> TrainedModel:
    """The settings of a trained model as those of a new one: its results are left out."""
    blank = TrainedModel(name="", distribution="", target="", features=())
    filled = (
        "model_hash",
        "trees",
        "trees_used",
        "choice",
        "tree_rule",
        "as_trained",
        "data_hash",
        "split",
        "trained_rows",
        "program",
        "stopped_rows",
        "class_shares",
        "seconds",
    )
    return replace(
        model, name=next_name(names), **{field: getattr(blank, field) for field in filled}
    )


def begun_again(
    draft: TrainedModel, begun: TrainedModel, fresh: TrainedModel, columns: tuple[str, ...]
) -> TrainedModel:
    """Return the settings a new model starts with now, with what a person had changed before.

    Parameters
    ----------
    draft, begun : TrainedModel
        The settings as they are, and as they were before a person changed any.
    fresh : TrainedModel
        What a new model starts with now.
    columns : tuple of str
        The columns there are: a setting that names another one is that of ``fresh``.
    """
    changed = {
        item.name: getattr(draft, item.name)
        for item in fields(draft)
        if item.name not in ("name", "features")
        and getattr(draft, item.name) != getattr(begun, item.name)
    }
    lost = [
        name for name in _NAMING if changed.get(name) is not None and changed[name] not in columns
    ]
    if lost:
        kept = {name: value for name, value in changed.items() if name not in lost}
        return replace(fresh, **kept)
    taken = {getattr(draft, name) for name in _NAMING}
    stay = [name for name in draft.features if name in fresh.features or name not in begun.features]
    new = [name for name in fresh.features if name not in (*begun.features, *stay)]
    features = tuple(name for name in (*stay, *new) if name not in taken)
    return replace(fresh, **changed, features=features)


_NAMING = ("weight", "offset", "event", "entry", "strata", "upper", "group")


def judged_on(draft: TrainedModel) -> str:
    """Which cases say when to stop."""
    if draft.cv_folds > 1:
        return JUDGED_FOLDS
    return JUDGED_VALIDATION if draft.stop_rows else JUDGED_NOTHING


def with_judge(draft: TrainedModel, judge: str, document: Document) -> TrainedModel:
    """The draft with other cases saying when to stop."""
    if judge == JUDGED_FOLDS:
        return replace(draft, stop_rows=(), cv_folds=draft.cv_folds or FOLDS)
    if judge == JUDGED_NOTHING:
        return replace(draft, stop_rows=(), cv_folds=0)
    free = [use for use in uses_of(document) if use not in draft.train_rows]
    return replace(draft, stop_rows=tuple(free[:1]), cv_folds=0)


def settings_words(draft: TrainedModel) -> str:
    """ "3,000 trees": short enough for the bar of steps; the rest stands in the panel beside."""
    return counted(draft.n_trees, "tree")


def is_imported(trained: TrainedModel) -> bool:
    """Whether a model came as a model file of another program."""
    return bool(trained.program)


def why_not_ready(document: Document, draft: TrainedModel) -> str:
    """Why training cannot begin, or an empty text."""
    if document.target is None:
        return "Choose the target above first."
    if not draft.features:
        return "Choose at least one input."
    if not draft.distribution:
        return "Choose what to predict."
    return ""
