"""Parameters that several matrices ask for: amounts of money and shares."""

from __future__ import annotations

import payoff


def amount(name: str, words: str, default: float, help_text: str) -> payoff.Parameter:
    """An amount of money, 0 or more."""
    return payoff.Parameter(
        name=name,
        words=words,
        default=default,
        minimum=0.0,
        unit=payoff.NumberUnit.MONEY,
        help=help_text,
    )


def share(name: str, words: str, default: float, help_text: str) -> payoff.Parameter:
    """A share between 0 and 1, shown in per cent."""
    return payoff.Parameter(
        name=name,
        words=words,
        default=default,
        minimum=0.0,
        maximum=1.0,
        unit=payoff.NumberUnit.PERCENT,
        help=help_text,
    )
