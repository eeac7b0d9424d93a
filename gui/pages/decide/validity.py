"""Whether the totals of a model may be read at all, and the one step that mends it where not."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.commands import Command, SetOldPriors
from core.document.decisions.words import void_reason
from core.document.model import OldPriorKind, OldPriors
from core.document.results import DecisionResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """Why a total is none to go by, the step that mends it, and what its button says."""

    reason: str
    mend: Command
    words: str


def invalid_of(result: DecisionResult | None, model: str | None) -> Invalid | None:
    """What is wrong with the totals of a model; None where nothing is."""
    reason = void_reason(result, model)
    if not reason or model is None:
        return None
    return Invalid(
        reason=reason,
        mend=SetOldPriors(model=model, old_priors=OldPriors(kind=OldPriorKind.CORRECTED)),
        words="Use the chances as they are in the file",
    )
