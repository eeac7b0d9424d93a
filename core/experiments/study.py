"""The rows of an experiment as arrays: conditions, real outcome, ids, and how they are split.

Random streams of an experiment: each run has its own, by its place and the master seed alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from core.document.experiments.results import DataFacts
from core.document.experiments.spec import SAMPLERS
from core.experiments.market import Market
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray


class Stream(IntEnum):
    """What a stream is drawn for."""

    SUBJECTS = 0
    OTHER_SUBJECTS = 1
    SYSTEM = 2
    SPLIT = 3
    LEARNER = 4
    ROWS = 5


def stream(
    master: int, purpose: Stream, sampler: str = "", system: int = 0, split: int = 0
) -> np.random.Generator:
    """The generator of a purpose; ``SeedSequence(master)`` spawned at that place.

    A sampler's number is its place among all samplers, so that leaving one out changes no other.
    """
    method = SAMPLERS.index(sampler) if sampler else len(SAMPLERS)
    key = (int(purpose), method, system, split)
    return np.random.default_rng(np.random.SeedSequence(master, spawn_key=key))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Study:
    """Rows in the order of their ids, so that the order of the file changes nothing.

    Attributes
    ----------
    names : tuple of str
        Columns of ``conditions``.
    conditions : float64 (n, p)
        Numbers and one-hot columns; missing = NaN, filled per split with the training part's
        median.
    outcome : float64 (n,) or None
        The real outcome in [0, 1]; shapes the evaluation system.
    ids : array (n,)
    parameters : int
        Parameters of a subject.
    facts : DataFacts
    test : bool (n,) or None
        Which rows test, where time splits them; None = drawn at random.
    blocks : int64 (n,) or None
        Which rows share a shock (the days of one market); None = all are independent.
    market : Market or None
        Prices behind the rows (stock timing).
    scale : float
        What an outcome of 1 stands for in the file's units.
    """

    names: tuple[str, ...]
    conditions: FloatArray
    outcome: FloatArray | None
    ids: np.ndarray
    parameters: int
    facts: DataFacts
    test: BoolArray | None = None
    blocks: IntArray | None = None
    market: Market | None = None
    scale: float = 1.0
    standard: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "standard", standardised(self.conditions))

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.conditions.shape[0])


def standardised(conditions: FloatArray) -> FloatArray:
    """Conditions with gaps filled by the median, mean 0 and variance 1 over the whole table.

    For the evaluation system only, which is defined over all rows; what a learner sees is scaled by
    its training part.
    """
    if conditions.shape[1] == 0:
        return conditions.copy()
    filled = conditions.copy()
    for place in np.flatnonzero(np.isnan(conditions).any(axis=0)):
        column = filled[:, place]
        known = column[~np.isnan(column)]
        column[np.isnan(column)] = np.median(known) if len(known) else 0.0
    spread = filled.std(axis=0)
    spread[spread <= 0.0] = 1.0
    result: FloatArray = (filled - filled.mean(axis=0)) / spread
    return result


def split_rows(
    study: Study, draw: np.random.Generator, test_share: float
) -> tuple[IntArray, IntArray]:
    """Training and test rows, each in row order.

    Raises
    ------
    PayoffError
        If one of them would be empty.
    """
    n = study.rows
    if study.test is not None:
        test = study.test
    else:
        if not 0.0 < test_share < 1.0:
            raise PayoffError(
                f"The test share is {test_share:g}.", why="It must lie between 0 and 1."
            )
        count = round(n * test_share)
        test = np.zeros(n, dtype=bool)
        test[draw.permutation(n)[:count]] = True
    train_rows, test_rows = np.flatnonzero(~test), np.flatnonzero(test)
    if len(train_rows) < 2 or len(test_rows) == 0:
        raise PayoffError(
            f"The split leaves {counted(len(train_rows), 'row')} to train and "
            f"{len(test_rows):,} to test.",
            where=f"test share {test_share:g} of {counted(n, 'row')}",
            remedy="Give another share, or more rows.",
        )
    return train_rows.astype(np.int64), test_rows.astype(np.int64)
