"""How a model is grown: every setting, checked in one place."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

from payoff.errors import PayoffError

EXACT_CELLS = 150_000
"""Rows times columns up to which ``Precision.AUTO`` searches every distinct value in float64."""

MOST_SPLITS = 4096
MOST_BINS = 65_535


class MissingPolicy(StrEnum):
    """Where cases with a missing value go at a split."""

    LEARNED_SIDE = "learned_side"
    THIRD_CHILD = "third_child"


class Precision(StrEnum):
    """Which arithmetic grows the trees.

    AUTO takes EXACT up to 150,000 cells (rows times columns) and for ``gbm_compatible``, else
    HISTOGRAM. HISTOGRAM adds gradients rounded to 11 bits (24 where every case bends alike) into
    255 bins, and float64 instead where few cases carry nearly all of the gradient or there are
    more than 255 bins.
    """

    AUTO = "auto"
    EXACT = "exact"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoostSettings:
    """Settings of boosting; the names of gbm where gbm has them.

    Attributes
    ----------
    n_trees : int
        Iterations; with K scores per case each grows K trees.
    interaction_depth : int
        Splits per tree, grown best first.
    max_depth : int
        Deepest split, 0 = unlimited.
    shrinkage : float
        Factor on every leaf value.
    min_cases_in_node : int
        Fewest cases (not weight) left and right of a split.
    bag_fraction : float
        Share of the training cases (or groups) drawn for each tree, without replacement.
    column_fraction : float
        Share of the columns drawn for each tree.
    l2 : float
        Added to the divisor of a Newton leaf and of the split gain; in units of scaled weight.
    level_penalty : float
        How much means of levels are shrunk by their counts: 1 by the noise found, 0 not at all.
    missing : MissingPolicy
    max_bins : int
        Distinct values that histograms tell apart; above 255 bins take two bytes.
    monotone : tuple of int
        Per column -1, 0 or 1; empty = no constraint. Holds globally except under gbm_compatible.
    interactions : tuple of tuple of int
        Sets of column numbers that may stand on one path; empty = all.
    precision : Precision
    gbm_compatible : bool
        R gbm's arithmetic: exact splits by squared error, third child, its ties, local monotone.
    is_group_bagged : bool
        Draw whole groups instead of rows.
    keeps_train_deviance : bool
        Whether the deviance of the training cases is computed after every tree.
    seed : int
    """

    n_trees: int = 100
    interaction_depth: int = 1
    max_depth: int = 0
    shrinkage: float = 0.1
    min_cases_in_node: int = 10
    bag_fraction: float = 0.5
    column_fraction: float = 1.0
    l2: float = 0.0
    level_penalty: float = 1.0
    missing: MissingPolicy = MissingPolicy.LEARNED_SIDE
    max_bins: int = 255
    monotone: tuple[int, ...] = ()
    interactions: tuple[tuple[int, ...], ...] = ()
    precision: Precision = Precision.AUTO
    gbm_compatible: bool = False
    is_group_bagged: bool = False
    keeps_train_deviance: bool = True
    seed: int = field(default=0)

    def __post_init__(self) -> None:
        _check_whole("n_trees", self.n_trees, 1, 10_000_000)
        _check_whole("interaction_depth", self.interaction_depth, 1, MOST_SPLITS)
        _check_whole("max_depth", self.max_depth, 0, MOST_SPLITS)
        _check_whole("min_cases_in_node", self.min_cases_in_node, 1, 2**31 - 1)
        _check_whole("max_bins", self.max_bins, 2, MOST_BINS)
        _check_whole("seed", self.seed, 0, 2**63 - 1)
        _check_share("shrinkage", self.shrinkage)
        _check_share("bag_fraction", self.bag_fraction)
        _check_share("column_fraction", self.column_fraction)
        if not (math.isfinite(self.l2) and self.l2 >= 0.0):
            raise PayoffError(f"l2 is {self.l2:g}.", why="It must be 0 or more.")
        if not (math.isfinite(self.level_penalty) and self.level_penalty >= 0.0):
            raise PayoffError(
                f"level_penalty is {self.level_penalty:g}.", why="It must be 0 or more."
            )
        for sign in self.monotone:
            if sign not in (-1, 0, 1):
                raise PayoffError(
                    f"A monotone constraint is {sign}.",
                    why="It must be -1 (falling), 0 (free) or 1 (rising).",
                )

    @property
    def is_third_child(self) -> bool:
        """Whether missing values get a child of their own."""
        return self.gbm_compatible or self.missing == MissingPolicy.THIRD_CHILD


def _check_whole(name: str, value: int, least: int, most: int) -> None:
    if isinstance(value, bool) or value != int(value) or not least <= value <= most:
        raise PayoffError(
            f"{name} is {value}.", why=f"It must be a whole number from {least:,} to {most:,}."
        )


def _check_share(name: str, value: float) -> None:
    if not (math.isfinite(value) and 0.0 < value <= 1.0):
        raise PayoffError(f"{name} is {value:g}.", why="It must be above 0 and at most 1.")
