"""Models that cannot be read any more cost their own figures only: the others are judged."""

from __future__ import annotations

from dataclasses import replace

from core.assembly.context import AssemblyContext
from core.assembly.models.trained import boosted_model
from core.document.model import Document
from payoff.errors import PayoffError


def without_effects(document: Document) -> Document:
    """The document without models of an effect: they predict no outcome (page Uplift judges)."""
    staying = document.outcome_models
    if len(staying) == len(document.models):
        return document
    names = [entry.name for entry in staying]
    reference = document.reference_model if document.reference_model in names else None
    reference = reference or (names[0] if names else None)
    return replace(document, models=staying, reference_model=reference)


def without_lost_models(
    document: Document, context: AssemblyContext
) -> tuple[Document, tuple[str, ...]]:
    """The document without trained models that cannot be read, and a warning for each of them.

    The result is then not kept: the file may be back for the next job.

    Raises
    ------
    PayoffError
        Of the first such model, where no model is left.
    """
    document = without_effects(document)
    lost: dict[str, PayoffError] = {}
    for entry in document.models:
        if entry.trained is None:
            continue
        try:
            boosted_model(entry.trained, context)
        except PayoffError as refusal:
            lost[entry.name] = refusal
    if not lost:
        return document, ()
    staying = tuple(entry for entry in document.models if entry.name not in lost)
    if not staying:
        raise next(iter(lost.values()))
    context.is_kept = False
    reference = document.reference_model
    if reference is None or reference in lost:
        reference = staying[0].name
    warnings = tuple(
        " ".join(part for part in (f"'{name}' is left out.", e.what, e.why, e.remedy) if part)
        for name, e in lost.items()
    )
    return replace(document, models=staying, reference_model=reference), warnings
