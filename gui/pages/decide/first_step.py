"""What page Decide says while something is missing, and where its button leads."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import Document
from core.questions.needs import predicts_no_amount
from gui.frame.page_list import PageId


@dataclass(frozen=True)
class FirstStep:
    """The sentence, the words of its button, and the page it opens; None = begin a matrix here."""

    sentence: str
    button: str
    page: PageId | None


def first_step(document: Document) -> FirstStep:
    """What to do before decisions can have a worth."""
    if document.data is None:
        return FirstStep(
            "Open a file with the outcome and the scores of a model to begin.",
            "Go to Home",
            PageId.HOME,
        )
    if not document.models:
        return _on_data("No column holds the chances of a model yet. Give one that role.")
    if predicts_no_amount(document):
        return _on_data("The models predict a rank in time or in lists: no amount to decide by.")
    if document.target is not None and document.matrix is None:
        return FirstStep(
            "This project does not say yet what each decision earns.",
            "Begin a decision matrix",
            None,
        )
    return _on_data("Say first which column is the outcome: then each decision gets its worth.")


def _on_data(sentence: str) -> FirstStep:
    return FirstStep(sentence, "Go to the data", PageId.DATA)
