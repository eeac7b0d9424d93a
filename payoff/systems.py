"""Evaluation systems: the true mapping from subject and condition to the outcome of an experiment.

An experiment draws a subject (a linear model with parameters theta) for every row, and systems that
say what comes of each. A system is drawn from its own random stream and then fixed: ``outcome`` is
what is measured of the rows' own subjects, ``answer`` what would come of other subjects under the
same conditions. The fifth family, beside those of ``payoff.specs`` and ``payoff.readers``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from payoff.errors import PayoffError
from payoff.facts import SpecFacts
from payoff.parameters import Parameters
from payoff.types import BoolArray, FloatArray, IntArray
from payoff.vocabulary import SystemNeed, TradePrice


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subjects:
    """One subject per row.

    Attributes
    ----------
    theta : float64 (n, d)
        Parameters.
    features : float64 (n, d)
        T(S), what an evaluation model sees of them.
    redrawn : int
        Uniform numbers that were 0 or 1 and were drawn again.
    """

    theta: FloatArray
    features: FloatArray
    redrawn: int = 0


class Earned(Protocol):
    """What subjects earn by trading and the most capital they had tied up, both in currency.

    ``earned(rows, theta) -> float64 (rows,), float64 (rows,)``.
    """

    def __call__(
        self,
        rows: IntArray,
        theta: FloatArray,
        *,
        cost: float = 0.0,
        price: TradePrice = TradePrice.OPEN,
    ) -> tuple[FloatArray, FloatArray]:
        """Earnings, and the most capital tied up."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prices:
    """The market behind rows of stocks.

    Attributes
    ----------
    returns : float64 (n,)
        What buying on the first day and selling on the last brings, in currency.
    in_train : bool (n,)
        Rows that come before the days that are judged.
    earned : function
        ``earned(rows, theta, cost=0.0, price="open")``: what linear subjects earn on rows by their
        own buying and selling, and the most capital they had tied up; they see the days before
        only.
    """

    returns: FloatArray
    in_train: BoolArray
    earned: Earned


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemRows:
    """The rows of an experiment as a system sees them.

    Attributes
    ----------
    names : tuple of str
        Columns of ``conditions``.
    conditions : float64 (n, p)
        Gaps filled, mean 0 and variance 1 over all rows.
    parameters : int
        Parameters of a subject (d).
    outcome : float64 (n,) or None
        The real outcome in 0 to 1, where there is one.
    prices : Prices or None
    is_paper : bool
        Whether ambiguous points are read as the source has them.
    """

    names: tuple[str, ...]
    conditions: FloatArray
    parameters: int
    outcome: FloatArray | None = None
    prices: Prices | None = None
    is_paper: bool = False

    @property
    def count(self) -> int:
        """Number of rows."""
        return int(self.conditions.shape[0])

    @property
    def is_binary(self) -> bool:
        """Whether the real outcome is 0 or 1 in every row."""
        outcome = self.outcome
        return outcome is not None and bool(np.all((outcome == 0.0) | (outcome == 1.0)))

    def event_share(self) -> float:
        """The mean of the real outcome; refused where it is the same in every row."""
        if self.outcome is None:
            raise PayoffError("This evaluation system needs a real outcome.")
        share = float(self.outcome.mean())
        if not 0.0 < share < 1.0:
            raise PayoffError(
                f"The real outcome is {share:g} in every row.",
                why="A class is empty, so that there is nothing to tell apart.",
                remedy="Choose another outcome column.",
            )
        return share

    def market(self) -> Prices:
        """The prices; refused where there are none."""
        if self.prices is None:
            raise PayoffError("This evaluation system needs prices.")
        return self.prices


SystemAnswer: TypeAlias = Callable[[IntArray, Subjects], FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnSystem:
    """One evaluation system that was drawn.

    Attributes
    ----------
    outcome : float64 (n,)
        What is measured of the rows' own subjects, in 0 to 1.
    answer : function
        ``answer(rows, subjects) -> float64 (rows,)``: the outcome to be expected of a subject per
        row, in 0 to 1; without the noise, where there is any.
    note : str
        What a reader has to know; may be empty.
    """

    outcome: FloatArray
    answer: SystemAnswer
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class EvaluationSystem(SpecFacts):
    """A kind of evaluation system.

    Attributes
    ----------
    id, label, help, formula : str
        Name in scripts and project files; words for the list; one plain sentence; how the outcome
        comes about.
    draw : function
        ``draw(rows: SystemRows, subjects: Subjects, random: numpy Generator, parameters) ->
        DrawnSystem``. All probability comes from ``random``, so that a run can be repeated.
    needs : tuple of SystemNeed
        What the rows must have.
    protocols : tuple of str
        The protocols it is offered for; empty = all whose rows have what it needs.
    parameters : tuple of Parameter
        ``draw`` receives their values by name.
    reference : str
    expected_failures : tuple of (str, str)
        Names of conformance checks that fail for a good reason, each with the reason.
    """

    draw: Callable[[SystemRows, Subjects, np.random.Generator, Parameters], DrawnSystem]
    needs: tuple[SystemNeed, ...] = ()
    protocols: tuple[str, ...] = ()
    expected_failures: tuple[tuple[str, str], ...] = ()


def cut_at_share(score: FloatArray, answer: SystemAnswer, share: float) -> DrawnSystem:
    """Turn a score into a system of zeros and ones.

    Parameters
    ----------
    score : float64 (n,)
        Of the rows' own subjects.
    answer : function
        The score of other subjects: ``answer(rows, subjects)``.
    share : float
        Exactly this share of the rows, rounded to whole rows, has the outcome 1: the highest
        scores, ties in the order of the rows.
    """
    events = round(len(score) * share)
    order = np.argsort(-score, kind="stable")
    outcome = np.zeros(len(score))
    outcome[order[:events]] = 1.0
    limit = score[order[events - 1]] if events else np.inf
    return DrawnSystem(
        outcome=outcome,
        answer=lambda rows, subjects: (answer(rows, subjects) >= limit).astype(np.float64),
    )
