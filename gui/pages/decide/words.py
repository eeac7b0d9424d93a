"""Words of page Decide beside the project's labels."""

from __future__ import annotations

from core.document.model import Document


def needs_probabilities(document: Document, model: str | None = None) -> str:
    """Why something that needs chances is greyed; empty where the model has chances."""
    name = model or document.reference_model or ""
    if not document.is_rank_only(name):
        return ""
    return (
        "“%s” is a score without chances: it ranks cases, but no rule and no expected profit "
        "follow from it. Turn the score into chances first."
    ).replace("%s", name)
