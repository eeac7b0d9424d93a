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
from core.presentation.decide_columns import column_name, column_words
from core.presentation.labels import Labels
from core.questions.fields import FieldKind, FieldOption, FormField
from core.questions.suggestions import choices_from
from gui.pages.decide.words import needs_chances

Ticked: TypeAlias = Literal["columns", "decisions", "keep_columns"]
"""Parts of what is asked that are lists of names."""


def first_asked(document: Document) -> SaveArguments:
    """Return what is asked at first: each case's decision with what it promises, by the rule."""
    model = document.reference_model or (document.models[0].name if document.models else "")
    asked = SaveArguments(
        document=document,
        model=model,
        path="",
        decisions=offered(document, "decisions"),
        keep_columns=document.columns_of(Role.ID),
    )
    return with_rule(asked, "model", model)


def offered(document: Document, what: Ticked) -> tuple[str, ...]:
    """Return all names of a list, in their order."""
    if what == "columns":
        return tuple(column_words(Labels.of(document)))
    if what == "decisions":
        return document.matrix.decisions if document.matrix is not None else ()
    return document.data.columns if document.data is not None else ()


def rule_fields(asked: SaveArguments, depth: float) -> tuple[FormField, ...]:
    """Return model and way to decide; a score without chances has but the cursor."""
    document = asked.document
    reason = needs_chances(document, asked.model)
    share = f"The best {format_share(depth)} are {Labels.of(document).done}."
    said = share if asked.use_cursor else "Each case gets its own best decision."
    ways = {True: "By the cursor"} if reason else {False: "By the rule", True: "By the cursor"}
    return (
        FormField(
            name="model",
            label="Model",
            kind=FieldKind.CHOICE,
            value=asked.model,
            options=tuple(
                FieldOption(value=entry.name, words=entry.name, series=entry.series)
                for entry in document.models
            ),
        ),
        FormField(
            name="use_cursor",
            label="Decide",
            kind=FieldKind.CHOICE,
            value=asked.use_cursor,
            options=choices_from(ways),
            is_in_sight=True,
            note=f"{said} {reason}".strip(),
            is_urgent=bool(reason),
        ),
    )


def with_rule(asked: SaveArguments, name: str, value: Any) -> SaveArguments:
    """Return what is asked after model or way was chosen, without what the model cannot give."""
    asked = replace(asked, **{name: value})
    if not needs_chances(asked.document, asked.model):
        return asked
    kept = tuple(letters for letters in asked.columns if letters not in ("EP", "P"))
    return replace(asked, use_cursor=True, columns=kept)


def column_fields(asked: SaveArguments) -> tuple[FormField, ...]:
    """Return the columns that can be written, with the reason where one cannot."""
    document, labels = asked.document, Labels.of(asked.document)
    no_chances = needs_chances(document, asked.model)
    has_cost = document.matrix is not None and bool(document.matrix.costs)
    no_cost = "" if has_cost else "There is no extra cost per case."
    reasons = {"IC": no_cost, "ROI": no_cost, "EP": no_chances, "P": no_chances}
    return tuple(
        replace(
            _box(letters, letters in asked.columns, f"{column_name(letters, labels)}   {words}"),
            why_not=reasons.get(letters, ""),
        )
        for letters, words in column_words(labels).items()
    )


def name_fields(asked: SaveArguments, what: Ticked) -> tuple[FormField, ...]:
    """Return a box for each decision, or each column of the data."""
    return tuple(_box(name, name in getattr(asked, what)) for name in offered(asked.document, what))


def ticked(asked: SaveArguments, what: Ticked, name: str, is_on: bool) -> SaveArguments:
    """Return what is asked after a box was ticked or not; names stay in their order."""
    chosen: Iterable[str] = getattr(asked, what)
    names = {*chosen, name} if is_on else {*chosen} - {name}
    kept = tuple(entry for entry in offered(asked.document, what) if entry in names)
    changes: dict[str, Any] = {what: kept}
    return replace(asked, **changes)


def why_nothing(asked: SaveArguments) -> str:
    """Return why nothing would be written, or an empty text."""
    if not asked.columns:
        return "Choose at least one column to write."
    if not asked.decisions and offered(asked.document, "decisions"):
        return "Choose at least one decision."
    return ""


def _box(name: str, is_on: bool, label: str = "") -> FormField:
    return FormField(name=name, label=label or name, kind=FieldKind.YES, value=is_on)
