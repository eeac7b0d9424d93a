"""Whether the totals of a model may be read at all, and the one step that mends it where not."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from core.document.commands import Command, SetOldPriors
from core.document.model import OldPriorKind, OldPriors
from core.document.results import DecisionResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """Why a total is none to go by, the step that mends it, and what its button says."""

    reason: str
    mend: Command
    words: str


def invalid_of(result: DecisionResult | None, model: str | None) -> Invalid | None:
    """What is wrong with the totals of a model; None where nothing is.

    The red advice about a model is one: its chances were corrected to the priors twice.
    """
    advice = result.advice if result is not None else ()
    for entry in advice:
        if entry.state == "error" and model and entry.model == model:
            said = _tr("%s Its totals and decisions rest on chances that are wrong.") % entry.text
            return Invalid(
                reason=said,
                mend=SetOldPriors(model=model, old_priors=OldPriors(kind=OldPriorKind.CORRECTED)),
                words=_tr("Use the chances as they are in the file"),
            )
    return None


def _tr(text: str) -> str:
    return QCoreApplication.translate("Decide", text)
