"""The settings of the next model as fields of forms: ranges, choices, and what follows from what.

No widgets: a draft goes in, its fields come out. A field is named as in ``TrainedModel``, but for
``judge``, which stands for rows and folds together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.document.data.model import RowUse
from core.document.model import Document, Role, TrainedModel
from core.document.training_results import DistributionInfo
from core.questions.fields import FieldKind, FormField, parameter_field
from core.questions.suggestions import choices_from
from gui.pages.models.next_model.draft import (
    FOLDS,
    JUDGED_FOLDS,
    JUDGED_NOTHING,
    JUDGED_VALIDATION,
    judged_on,
    uses_of,
)
from gui.pages.models.next_model.extra_columns import extra_columns_of
from gui.pages.models.words import rows_words
from gui.widgets.help_button import HelpText
from payoff.counting import counted

PARAMETER = "parameter "  # before the name of a distribution's own
MOST_FOLDS = 50
OFFSET_HELP = HelpText(
    title="Offset",
    text=(
        "A number that is added to each case's score before the trees learn, such as the log "
        "of the exposure of a count. It must be known for every case that is scored."
    ),
)
LEVELS_HELP = HelpText(
    title="Rare levels",
    text=(
        "The mean of a level (a category) that few rows have is mostly chance. It is drawn towards "
        "the mean of all rows, the more so the fewer rows tell it apart; so a column of many "
        "levels does not learn accidents by heart. Off: every mean is taken as it is."
    ),
    formula="h / (h + noise / spread)",
    reference="DerSimonian and Laird 1986",
)
_LEVEL_PENALTIES = {1.0: "automatic", 0.5: "shrunk half", 2.0: "shrunk twice", 0.0: "off, as gbm"}


def growing_fields(draft: TrainedModel) -> tuple[FormField, ...]:
    """How the trees grow."""
    splits = draft.interaction_depth
    together = f"Up to {counted(splits, 'input')} can act together."
    return (
        _whole("n_trees", "Trees, at most", draft, 1, 100_000, step=100.0),
        replace(
            _whole("interaction_depth", "Splits per tree", draft, 1, 256),
            note=together if splits > 1 else "Each input acts by itself.",
        ),
        FormField(
            name="shrinkage",
            label="Learning rate",
            value=draft.shrinkage,
            lowest=0.0001,
            highest=1.0,
            decimals=3,
            step=0.01,
            note="Small steps: slower, usually better.",
        ),
        _whole("min_cases_in_node", "Smallest leaf", draft, 1, 1_000_000, step=5.0),
        FormField(
            name="bag_fraction",
            label="Share drawn per tree",
            value=draft.bag_fraction,
            lowest=0.01,
            highest=1.0,
            decimals=0,
            unit="%",
            factor=100.0,
        ),
    )


def stopping_fields(
    draft: TrainedModel, watches: tuple[tuple[str, str], ...]
) -> tuple[FormField, ...]:
    """When to stop; ``watches`` are the figures that can say it, by key."""
    judge = judged_on(draft)
    why_not = "" if judge == JUDGED_VALIDATION else "Only where validation rows judge the training"
    figures = watches or (("deviance", "Loss"),)
    if draft.watch not in [key for key, _ in figures]:
        draft = replace(draft, watch=figures[0][0])
    judges = {
        JUDGED_VALIDATION: "Validation",
        JUDGED_FOLDS: counted(draft.cv_folds or FOLDS, "fold"),
        JUDGED_NOTHING: "Nothing",
    }
    return (
        _choice("judge", "Judged on", judge, judges),
        replace(
            _choice(
                "watch",
                "Watch",
                draft.watch,
                {key: _headed(described) for key, described in figures},
            ),
            why_not=why_not,
        ),
        replace(
            _whole("patience", "Patience, trees", draft, 0, 100_000, step=10.0),
            why_not=why_not,
            note=_patience_words(draft, judge),
        ),
    )


def weight_fields(draft: TrainedModel, document: Document) -> tuple[FormField, ...]:
    """Weights of the rows, and the seed."""
    named = (draft.weight, *document.columns_of(Role.WEIGHT))
    columns: dict[str | None, str] = {None: "All alike"} | {name: name for name in named if name}
    return (
        _choice("weight", "Weights", draft.weight, columns),
        _whole("seed", "Seed", draft, 0, 2**53),
    )


def level_field(draft: TrainedModel, *, has_categories: bool) -> FormField:
    """How much means of rare categories are shrunk."""
    words = _LEVEL_PENALTIES | {
        value: f"shrunk {value:g} times"
        for value in (draft.level_penalty,)
        if value not in _LEVEL_PENALTIES
    }
    why_not = "" if has_categories else "No input is a column of levels"
    if draft.gbm_compatible:
        why_not = "R's gbm takes every mean as it is"
    return replace(
        _choice("level_penalty", "Rare levels", draft.level_penalty, words),
        why_not=why_not,
        explained=LEVELS_HELP,
        help=LEVELS_HELP.text,
    )


def row_fields(draft: TrainedModel, document: Document) -> tuple[FormField, ...]:
    """Which rows train, and what missing values do."""
    uses = (*uses_of(document), RowUse.ALL)
    learns = draft.train_rows[0] if len(draft.train_rows) == 1 else RowUse.ALL
    sides = {"learned_side": "better side", "third_child": "own branch"}
    return (
        _choice("train_rows", "Learns from", learns, {use: rows_words((use,)) for use in uses}),
        replace(
            _whole("cv_folds", "Folds", draft, 0, MOST_FOLDS),
            note=(
                "0: no folds. With folds every row that trains is scored by trees that did not "
                "see it."
            ),
        ),
        replace(
            _choice("missing", "Missing values", draft.missing, sides),
            note="At each split to the side that fits best, or to a branch of their own.",
        ),
    )


def own_fields(
    draft: TrainedModel, document: Document, info: DistributionInfo | None
) -> tuple[FormField, ...]:
    """Further columns of a distribution, the offset, and the distribution's own parameters."""
    target = document.target.column if document.target is not None else ""
    names = (entry.column for entry in document.roles if entry.column != target)
    columns: dict[str | None, str] = {None: "none"} | {name: name for name in names}
    additional = [(entry.name, entry.caption, entry.help()) for entry in extra_columns_of(info)]
    given = dict(draft.distribution_params)
    return (
        *(
            replace(
                _choice(name, label, getattr(draft, name), columns),
                explained=about,
                help=about.text,
            )
            for name, label, about in (*additional, ("offset", "Offset", OFFSET_HELP))
        ),
        *(
            replace(
                parameter_field(entry, given.get(entry.name), by_word=True),
                name=PARAMETER + entry.name,
            )
            for entry in (info.parameters if info is not None else ())
        ),
    )


def with_setting(draft: TrainedModel, name: str, value: object) -> TrainedModel:
    """Return the draft with a setting of the rows or of the distribution changed."""
    if name == "train_rows":
        use = RowUse(str(value))
        stop = tuple(entry for entry in draft.stop_rows if entry is not use)
        return replace(draft, train_rows=(use,), stop_rows=() if use is RowUse.ALL else stop)
    if name.startswith(PARAMETER):
        own = name.removeprefix(PARAMETER)
        kept = tuple(entry for entry in draft.distribution_params if entry[0] != own)
        number = value if isinstance(value, str) else float(value)  # type: ignore[arg-type]  # a number of its field
        return replace(draft, distribution_params=(*kept, (own, number)))
    if name == "cv_folds" and value == 1:  # one fold is none
        value = 0
    return replace(draft, **{name: value})  # type: ignore[arg-type]  # a field's own name


def _whole(
    name: str, label: str, draft: TrainedModel, least: int, most: int, *, step: float = 1.0
) -> FormField:
    return FormField(
        name=name,
        label=label,
        kind=FieldKind.WHOLE,
        value=getattr(draft, name),
        lowest=least,
        highest=most,
        step=step,
    )


def _choice(name: str, label: str, value: object, words: Mapping[Any, str]) -> FormField:
    return FormField(
        name=name, label=label, kind=FieldKind.CHOICE, value=value, options=choices_from(words)
    )


def _headed(words: str) -> str:
    return words.capitalize() if words.islower() else words


def _patience_words(draft: TrainedModel, judge: str) -> str:
    if judge == JUDGED_FOLDS:
        return "Every row is scored by trees that did not see it; the folds choose how many."
    if judge == JUDGED_NOTHING:
        return "All trees are kept; nothing warns of learning by heart."
    if draft.patience == 0:
        return "All trees are grown; the best number of them is used."
    return f"No gain for {counted(draft.patience, 'tree')} ends the training."
