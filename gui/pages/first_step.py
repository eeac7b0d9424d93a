"""What a page says while no model can be judged there, and where its button leads."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import Document
from gui.session.training import Trainings
from gui.shell.page_list import PageId


@dataclass(frozen=True)
class FirstStep:
    """The sentence, the words of its button, and the page it opens; None = the page's own act."""

    sentence: str
    button: str
    page: PageId | None


def step_to_model(document: Document, trainings: Trainings) -> FirstStep | None:
    """What leads to a model that predicts the outcome; None where there is one."""
    if document.outcome_models:
        return None
    names = [entry.name for entry in trainings.running]
    if names:
        learning = f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} still learning."
        sentence = f"{learning} To stop and keep the trees, see Models."
        return FirstStep(sentence, "Models", PageId.MODELS)
    if document.models:
        sentence = "What these models predict is the effect of a treatment: page Uplift judges it."
        return FirstStep(sentence, "Go to Uplift", PageId.UPLIFT)
    sentence = "There is no model yet. Train one, or say on page Data which columns hold scores."
    return FirstStep(sentence, "Train a model", PageId.MODELS)
