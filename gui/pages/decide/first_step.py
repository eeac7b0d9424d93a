"""What page Decide says while something is missing, and where its button leads."""

from __future__ import annotations

from core.document.model import Document, Role
from core.questions.needs import predicts_no_amount
from gui.pages.first_step import FirstStep, step_to_model
from gui.session.training import Trainings
from gui.shell.page_list import PageId


def first_step(document: Document, trainings: Trainings) -> FirstStep:
    """What to do before decisions can have a worth; its own act is to begin a matrix."""
    if document.data is None:
        return FirstStep(
            "Open a file with the outcome and the scores of a model to begin.",
            "Go to Home",
            PageId.HOME,
        )
    to_model = step_to_model(document, trainings)
    if to_model is not None:
        return to_model
    if predicts_no_amount(document) and document.column_of(Role.EVENT) is not None:
        return FirstStep(
            "A risk over time is no amount to decide by; chances of the event by one time are. "
            "Studies > Survival over time on page Compare saves them beside the data.",
            "Go to Compare",
            PageId.COMPARE,
        )
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
