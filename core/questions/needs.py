"""What a project must have before a question can be asked of it, each said in one place.

Window, scripts, command line and engine refuse with the same words, for they ask the same needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.document.data.model import DataRef
from core.document.judging import guide_of
from core.document.model import Document, Role, TargetSpec
from core.document.studies.reconciling import carried_columns, require_carried
from core.document.uplift.commands import experiment_outcome
from payoff.errors import PayoffError


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that a project must have; called with a document it returns the refusal, or None.

    Parameters
    ----------
    word : str
        The need in a word or two, for lists: "an outcome".
    require : callable
        Raises PayoffError where a document lacks it.
    """

    word: str
    require: Callable[[Document], object]

    def __call__(self, document: Document) -> PayoffError | None:
        try:
            self.require(document)
        except PayoffError as refusal:
            return refusal
        return None


def require_data(document: Document) -> DataRef:
    """Return the data that a document names; refuse one without data."""
    if document.data is None:
        raise PayoffError("The project has no data.", remedy="Open data on page Data.")
    return document.data


def named_target(document: Document) -> TargetSpec:
    """Return the target; refuse a document without one."""
    if document.target is None:
        raise PayoffError(
            "No column is named as the outcome.", remedy="Choose the target on page Data."
        )
    return document.target


def named_classes(document: Document) -> TargetSpec:
    """Return the target of a document that decides by classes; refuse an interval target."""
    target = named_target(document)
    if not target.levels:
        raise PayoffError(
            f"The outcome '{target.column}' is a number without classes.",
            why="This is asked of classes and their chances.",
            remedy="Choose an outcome with classes, such as yes and no.",
        )
    return target


def require_any_model(document: Document) -> TargetSpec:
    """Return the target; refuse a document without one or without a model of any kind."""
    return named_target(document) if document.models else require_target(document)


def require_target(document: Document) -> TargetSpec:
    """Return the target; refuse a document without one or without a model that predicts it."""
    target = named_target(document)
    if document.outcome_models:
        return target
    if document.models:
        raise PayoffError(
            "What these models predict is the effect of a treatment, not the outcome.",
            remedy="Judge them on page Uplift, or train a model of the outcome.",
        )
    raise PayoffError(
        "No model is known.",
        remedy="Name the columns that hold a model's chances on page Data, or train a model.",
    )


def require_classes(document: Document) -> TargetSpec:
    """Return the target of a document that decides by classes; refuse one without a model."""
    require_target(document)
    return named_classes(document)


def require_trained(document: Document) -> None:
    """Refuse a document with models none of which can be asked how it works."""
    require_any_model(document)
    if all(entry.trained is None for entry in document.models):
        raise PayoffError(
            "No model of this project can be explained.",
            why="They came with the data as columns of scores; how they work is not known here.",
            remedy="Train a model on page Models.",
        )


def experiment_columns(document: Document) -> tuple[str, str]:
    """Return treatment and outcome; refuse a document that names no experiment."""
    treatment = document.uplift.treatment or document.column_of(Role.TREATMENT) or ""
    if not treatment:
        raise PayoffError(
            "No column is named as the treatment.",
            why="An effect is measured between those who were treated and those who were not.",
            remedy="Choose the treatment on page Uplift, or give a column that role on page Data.",
        )
    outcome = experiment_outcome(document)
    if not outcome:
        raise PayoffError(
            "No column is named as the outcome.", remedy="Choose the outcome on page Uplift."
        )
    if outcome == treatment:
        raise PayoffError(
            f"'{outcome}' is both treatment and outcome.", remedy="Choose another outcome."
        )
    return treatment, outcome


def require_two_models(document: Document) -> None:
    """Refuse a document with fewer than two models, which leave nothing to compare."""
    require_target(document)
    if len(document.outcome_models) < 2:
        raise PayoffError(
            "There is only one model, and nothing to compare it with.",
            remedy="Name the columns of a second model's scores on page Data, or train one.",
        )


def require_matrix(document: Document) -> None:
    """Refuse a document without a decision matrix."""
    if document.matrix is None:
        raise PayoffError(
            "No decision matrix is set.", remedy="Say what each decision earns on page Decide."
        )


def require_decisions(document: Document) -> None:
    """Refuse a document whose data bring no decisions along."""
    target, data = named_target(document), document.data
    found = {} if data is None else carried_columns(data.columns, target.column)
    require_carried(found, "" if data is None else data.path)


def predicts_no_amount(document: Document) -> bool:
    """Return whether models predict a rank and no amount: of a survival time, or a grade."""
    return _ranked_task(document) != ""


def _ranked_task(document: Document) -> str:
    task = guide_of(document).task
    return "" if task == "regression" else task


def require_decidable(document: Document) -> TargetSpec:
    """Return the target of a document that decides, by classes or by a number."""
    target, task = require_target(document), _ranked_task(document)
    if task:
        guide = guide_of(document)
        raise PayoffError(
            f"The outcome '{target.column}' is a {task} outcome.",
            why="Its models predict no amount that a decision could be read from.",
            remedy="Choose an outcome with classes, or a plain number: on page Data, give "
            f"'{guide.event or guide.group}' another role.",
        )
    return target


DATA = Need("data", require_data)
OUTCOME = Need("an outcome", named_target)
MODEL = Need("a model", require_target)
TRAINED = Need("a model trained here", require_trained)
TWO_MODELS = Need("two models", require_two_models)
CLASSES = Need("an outcome with classes", named_classes)
MATRIX = Need("a decision matrix", require_matrix)

TREATMENT = Need("a treatment and its outcome", experiment_columns)

CARRIED = Need("decisions in the file", require_decisions)

AMOUNT = Need("an outcome with classes or amounts", require_decidable)

RULE = (DATA, MODEL, AMOUNT, MATRIX)
"""What every decision needs."""
RULE_OF_CLASSES = (DATA, MODEL, CLASSES, MATRIX)
"""What decisions need that are worked out class by class."""
