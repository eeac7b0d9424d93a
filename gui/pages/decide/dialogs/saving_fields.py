"""What is written of the decisions, as fields of forms: by which rule, which columns and cases.

No widgets: what is asked goes in, its fields come out, and what it is after one was filled in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from core.document.model import Document, Role
from core.document.wording import format_share
from core.engine.messages import SaveArguments
from core.presentation.decide.columns import column_name, column_words
from core.presentation.labels import Labels
from core.questions.fields import FieldKind, FieldOption, FormField
from core.questions.suggestions import choices_from
from gui.pages.decide.words import needs_probabilities

Ticked: TypeAlias = Literal["columns", "decisions", "keep_columns"]
"""Parts of what is asked that are lists of names."""


def default_request(document: Document) -> SaveArguments:
    """Return what is asked at first: each case's decision with what it promises, by the rule."""
    model = document.outcome_reference
    requested = SaveArguments(
        document=document,
        model=model,
        path="",
        decisions=offered(document, "decisions"),
        keep_columns=document.columns_of(Role.ID),
    )
    return with_rule(requested, "model", model)


def offered(document: Document, what: Ticked) -> tuple[str, ...]:
    """Return all names of a list, in their order."""
    if what == "columns":
        return tuple(column_words(Labels.of(document)))
    if what == "decisions":
        return document.matrix.decisions if document.matrix is not None else ()
    return document.data.columns if document.data is not None else ()


def rule_fields(requested: SaveArguments, depth: float) -> tuple[FormField, ...]:
    """Return model and way to decide; a score without chances has but the cursor."""
    document = requested.document
    reason = needs_probabilities(document, requested.model)
    share = f"The best {format_share(depth)} are {Labels.of(document).done}."
    described = share if requested.use_cursor else "Each case gets its own best decision."
    ways = {True: "By the cursor"} if reason else {False: "By the rule", True: "By the cursor"}
    return (
        FormField(
            name="model",
            label="Model",
            kind=FieldKind.CHOICE,
            value=requested.model,
            options=tuple(
                FieldOption(value=entry.name, words=entry.name, series=entry.series)
                for entry in document.outcome_models
            ),
        ),
        FormField(
            name="use_cursor",
            label="Decide",
            kind=FieldKind.CHOICE,
            value=requested.use_cursor,
            options=choices_from(ways),
            is_in_sight=True,
            note=f"{described} {reason}".strip(),
            is_urgent=bool(reason),
        ),
    )


def with_rule(requested: SaveArguments, name: str, value: Any) -> SaveArguments:
    """Return what is asked after model or way was chosen, without what the model cannot give."""
    requested = replace(requested, **{name: value})
    if not needs_probabilities(requested.document, requested.model):
        return requested
    kept = tuple(letters for letters in requested.columns if letters not in ("EP", "P"))
    return replace(requested, use_cursor=True, columns=kept)


def column_fields(requested: SaveArguments) -> tuple[FormField, ...]:
    """Return the columns that can be written, with the reason where one cannot."""
    document, labels = requested.document, Labels.of(requested.document)
    no_probabilities = needs_probabilities(document, requested.model)
    has_cost = document.matrix is not None and bool(document.matrix.costs)
    no_cost = "" if has_cost else "There is no extra cost per case."
    reasons = {"IC": no_cost, "ROI": no_cost, "EP": no_probabilities, "P": no_probabilities}
    return tuple(
        replace(
            _box(
                letters, letters in requested.columns, f"{column_name(letters, labels)}   {words}"
            ),
            why_not=reasons.get(letters, ""),
        )
        for letters, words in column_words(labels).items()
    )


def name_fields(requested: SaveArguments, what: Ticked) -> tuple[FormField, ...]:
    """Return a box for each decision, or each column of the data."""
    return tuple(
        _box(name, name in getattr(requested, what)) for name in offered(requested.document, what)
    )


def ticked(requested: SaveArguments, what: Ticked, name: str, is_on: bool) -> SaveArguments:
    """Return what is asked after a box was ticked or not; names stay in their order."""
    chosen: Iterable[str] = getattr(requested, what)
    names = {*chosen, name} if is_on else {*chosen} - {name}
    kept = tuple(entry for entry in offered(requested.document, what) if entry in names)
    changes: dict[str, Any] = {what: kept}
    return replace(requested, **changes)


def why_nothing(requested: SaveArguments) -> str:
    """Return why nothing would be written, or an empty text."""
    if not requested.columns:
        return "Choose at least one column to write."
    if not requested.decisions and offered(requested.document, "decisions"):
        return "Choose at least one decision."
    return ""


def _box(name: str, is_on: bool, label: str = "") -> FormField:
    return FormField(name=name, label=label or name, kind=FieldKind.YES, value=is_on)
