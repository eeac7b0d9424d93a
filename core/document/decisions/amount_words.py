"""The verbs of money: what a decision brings in a project of profits, and loses in one of losses.

Amounts in results are profits, higher is better. A sentence about a loss matrix turns them round:
a gain of 5 is 5 less that was lost. Window, report and engine take their verbs from here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AmountWords:
    """How sentences speak of the money of one project."""

    is_loss: bool

    @property
    def name(self) -> str:
        """The amount itself: "profit" or "loss"."""
        return "loss" if self.is_loss else "profit"

    @property
    def bring(self) -> str:
        """After "would": "bring" or "lose"."""
        return "lose" if self.is_loss else "bring"

    @property
    def brings(self) -> str:
        """What a decision does: "brings" or "loses"."""
        return "loses" if self.is_loss else "brings"

    @property
    def earns(self) -> str:
        """What a model does: "earns" or "loses"."""
        return "loses" if self.is_loss else "earns"

    @property
    def realised(self) -> str:
        """What it did: "brought" or "lost"."""
        return "lost" if self.is_loss else "brought"

    @property
    def came_in(self) -> str:
        """What happened to the money: "came in" or "was lost"."""
        return "was lost" if self.is_loss else "came in"

    def more(self, gain: float) -> str:
        """Whether a gain is more or less of the amount: a gain is less that was lost."""
        return "less" if (gain < 0) != self.is_loss else "more"

    def gains(self, amount: str) -> str:
        """After "would": a gain of an amount, "earn € 5" or "save € 5"."""
        return f"{'save' if self.is_loss else 'earn'} {amount}"
