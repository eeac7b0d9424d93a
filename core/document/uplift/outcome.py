"""Which column the experiment of page Uplift is measured by."""

from __future__ import annotations

from core.document.model import Document


def experiment_outcome(document: Document) -> str:
    """The outcome named for the experiment, else the project's; empty where there is neither."""
    project = document.target.column if document.target is not None else ""
    return document.uplift.outcome or project


def own_outcome(document: Document) -> str:
    """The experiment's outcome where it is another column than the project's, else empty."""
    project = document.target.column if document.target is not None else ""
    return document.uplift.outcome if document.uplift.outcome != project else ""
