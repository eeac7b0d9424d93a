"""Whether two evaluations may be compared at all: same rows, weights, priors, seed and event."""

from __future__ import annotations

from core.document.results import Conditions, EvaluationResult
from payoff.errors import PayoffError

_WORDS = {
    "data_hash": "the data",
    "rows": "the rows used",
    "weight": "the case weights",
    "priors": "the priors",
    "seed": "the seed of the resamples",
    "level": "the event",
}


def differing(first: Conditions, second: Conditions) -> tuple[str, ...]:
    """What is not the same in two conditions, in words."""
    return tuple(
        words for name, words in _WORDS.items() if getattr(first, name) != getattr(second, name)
    )


def require_same(first: EvaluationResult, second: EvaluationResult) -> None:
    """Refuse to compare figures that were computed under different conditions.

    Raises
    ------
    PayoffError
        Naming what differs, or that it is not known.
    """
    if first.conditions is None or second.conditions is None:
        raise PayoffError(
            "It is not known under what conditions one of the results was computed.",
            remedy="Evaluate again, all models at once.",
        )
    found = differing(first.conditions, second.conditions)
    if found:
        raise PayoffError(
            "The two results cannot be compared.",
            why=f"Not the same: {', '.join(found)}.",
            remedy="Evaluate all models together: then rows, weights, priors and draws are shared.",
        )
