"""One sort per score, and sums at the ends of groups of equal scores, from which all is read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from core.document.studies.uplift import Area
from core.kernels import CHUNK_ROWS, argsort_descending, run_chunks
from core.uplift.experiment import ArmArray, Experiment
from core.uplift.ranked.area_kernels import Sums
from core.uplift.ranked.kernels import add_groups, add_signed, count_groups, pack_cases, rank_cases
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray, OrderArray

ExactArea: TypeAlias = Callable[[str, float, float], Area]
"""Variant, baseline, confidence -> area."""


class GroupSums(NamedTuple):
    """Ends of groups and the sums there, (G,) each; see the properties of a ranking."""

    ends: IntArray
    n_t: FloatArray
    n_c: FloatArray
    r_t: FloatArray
    r_c: FloatArray
    q_t: FloatArray
    q_c: FloatArray


class UpliftRanking:
    """Cases of an experiment sorted once by a score, highest first.

    Parameters
    ----------
    experiment : Experiment
    score : (n,) float64
        Predicted uplift, or anything else that ranks. No NaN.
    exact_area : callable, optional
        Of rows that are counts of cases at some ends of groups: the areas of all groups. Nothing
        that goes case by case is made of such rows.

    Attributes
    ----------
    order : (n,) uint32
        Row numbers, best first.
    packed : (n,) uint8
        A byte a case, best first: arm, event, end of a group.
    groups : int
        Number of groups of equal scores.
    is_counted : bool
        Whether cases weigh 1 and their outcome is 0/1, so that the bytes say all.
    moments : dict
        By variant and baseline: what ``core.uplift.ranked.areas`` has worked out, (6,) each.

    Raises
    ------
    PayoffError
        For a score of another length, or one that is missing.
    """

    def __init__(
        self, experiment: Experiment, score: FloatArray, exact_area: ExactArea | None = None
    ) -> None:
        score = np.ascontiguousarray(score, dtype=np.float64)
        if len(score) != len(experiment):
            raise PayoffError(
                f"{counted(len(score), 'score')} for {counted(len(experiment), 'case')}."
            )
        missing = np.isnan(score)
        if missing.any():
            raise PayoffError(
                f"The score is missing in {counted(int(missing.sum()), 'row')}.",
                where=f"row {int(np.argmax(missing)) + 1:,}",
                remedy="Leave these rows out, or score them.",
            )
        self.experiment = experiment
        self.score = score
        self.exact_area = exact_area
        self.order: OrderArray = argsort_descending(score)
        self.is_counted = not len(experiment.weight) and experiment.is_binary
        self.packed, self.groups = self._pack()
        self.moments: dict[tuple[str, float], FloatArray] = {}

    def among(self, experiment: Experiment) -> UpliftRanking:
        """The same ranking with other chances of treatment or weights of the same cases.

        Cases are not sorted again. Whether there are weights, outcomes and arms are as before.
        """
        if experiment is self.experiment:
            return self
        made = UpliftRanking.__new__(UpliftRanking)
        made.experiment, made.score, made.order = experiment, self.score, self.order
        made.exact_area = self.exact_area
        made.is_counted, made.packed, made.groups = self.is_counted, self.packed, self.groups
        made.moments = {}
        return made

    def __len__(self) -> int:
        return len(self.order)

    def _pack(self) -> tuple[ArmArray, int]:
        experiment, rows = self.experiment, len(self.order)
        codes, packed = np.empty(rows, dtype=np.uint8), np.empty(rows, dtype=np.uint8)
        run_chunks(pack_cases, (experiment.outcome, experiment.treated, codes), rows)
        counts = np.zeros(-(-rows // CHUNK_ROWS), dtype=np.int64)
        run_chunks(rank_cases, (self.order, self.score, codes, packed, counts), rows)
        return packed, int(counts.sum())

    @cached_property
    def _sums(self) -> GroupSums:
        """Made when first asked for: 40 bytes a group and more."""
        experiment, ends = self.experiment, np.empty(self.groups, dtype=np.int64)
        if self.is_counted:
            sums = np.empty((4, self.groups))
            count_groups(self.packed, ends, sums)
            return GroupSums(ends, *sums, *sums[2:])
        sums = np.empty((6, self.groups))
        arrays = (self.packed, self.order, experiment.outcome, experiment.weight)
        add_groups(*arrays, ends, sums)
        return GroupSums(ends, *sums)

    @property
    def sums(self) -> Sums:
        """n_t, n_c, r_t, r_c, q_t and q_c down to the end of each group, (G,) each."""
        return self._sums[1:]

    @property
    def ends(self) -> IntArray:
        """Position after the last row of each group, (G,)."""
        return self._sums.ends

    @property
    def n_t(self) -> FloatArray:
        """Weight of the treated cases down to each end, (G,)."""
        return self._sums.n_t

    @property
    def n_c(self) -> FloatArray:
        """Weight of the control cases down to each end, (G,)."""
        return self._sums.n_c

    @property
    def r_t(self) -> FloatArray:
        """Outcomes of the treated cases down to each end, (G,)."""
        return self._sums.r_t

    @property
    def r_c(self) -> FloatArray:
        """Outcomes of the control cases down to each end, (G,)."""
        return self._sums.r_c

    @property
    def q_t(self) -> FloatArray:
        """Squared outcomes of the treated cases down to each end, (G,)."""
        return self._sums.q_t

    @property
    def q_c(self) -> FloatArray:
        """Squared outcomes of the control cases down to each end, (G,)."""
        return self._sums.q_c

    @property
    def thresholds(self) -> FloatArray:
        """Score of each group, descending, (G,)."""
        return np.asarray(self.score[self.order[self.ends - 1]])

    @property
    def count(self) -> FloatArray:
        """Weight of all cases down to the end of each group, (G,)."""
        return np.asarray(self.n_t + self.n_c)

    @property
    def depth(self) -> FloatArray:
        """Share of the cases down to the end of each group, (G,)."""
        return np.asarray(self.count / self.count[-1])

    @cached_property
    def group_of(self) -> IntArray:
        """Number of the group of each row, (n,) in row order."""
        ranked = np.repeat(np.arange(self.groups), np.diff(self.ends, prepend=0))
        out = np.empty(len(self), dtype=np.int64)
        out[self.order] = ranked
        return out

    @cached_property
    def signed(self) -> FloatArray:
        """Sums with the chances of treatment, (9, G), each over N.

        Depth, s y, s, s^2 y, s^2, s^2 y^2, s y of the treated alone, s|s| y and s|s|.
        """
        experiment = self.experiment
        total = experiment.total
        if experiment.has_propensity:
            sums = np.empty((9, self.groups))
            arrays = (self.packed, self.order, experiment.outcome, experiment.weight)
            add_signed(*arrays, experiment.signed_weight, sums)
            return sums / total
        t, c = experiment.sizes
        up, down = total / t, total / c
        return (
            np.stack(
                [
                    0.5 * (self.n_t * up + self.n_c * down),
                    self.r_t * up - self.r_c * down,
                    self.n_t * up - self.n_c * down,
                    self.r_t * up * up + self.r_c * down * down,
                    self.n_t * up * up + self.n_c * down * down,
                    self.q_t * up * up + self.q_c * down * down,
                    self.r_t * up,
                    self.r_t * up * up - self.r_c * down * down,
                    self.n_t * up * up - self.n_c * down * down,
                ]
            )
            / total
        )

    @property
    def first_with_both(self) -> int:
        """The first group down to which both arms have cases."""
        return int(np.argmax((self.n_t > 0) & (self.n_c > 0)))
