"""One sort per score, and sums at the ends of groups of equal scores, from which all is read."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from core.kernels import CHUNK_ROWS, argsort_descending, run_chunks
from core.uplift.experiment import ArmArray, Experiment
from core.uplift.kernels import add_groups, add_signed, count_groups, pack_cases, rank_cases
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray, OrderArray


class UpliftRanking:
    """Cases of an experiment sorted once by a score, highest first.

    Parameters
    ----------
    experiment : Experiment
    score : (n,) float64
        Predicted uplift, or anything else that ranks. No NaN.

    Attributes
    ----------
    order : (n,) uint32
        Row numbers, best first.
    ends : (G,) int64
        Position after the last row of each group of equal scores.
    n_t, n_c, r_t, r_c, q_t, q_c : (G,) float64
        Weight, outcome and squared outcome of the treated and the control cases down to each end.

    Raises
    ------
    PayoffError
        For a score of another length, or one that is missing.
    """

    def __init__(self, experiment: Experiment, score: FloatArray) -> None:
        score = np.ascontiguousarray(score, dtype=np.float64)
        if len(score) != len(experiment):
            raise PayoffError(f"{len(score):,} scores for {len(experiment):,} cases.")
        missing = np.isnan(score)
        if missing.any():
            raise PayoffError(
                f"The score is missing in {int(missing.sum()):,} rows.",
                where=f"row {int(np.argmax(missing)) + 1:,}",
                remedy="Leave these rows out, or score them.",
            )
        self.experiment = experiment
        self.score = score
        self.order: OrderArray = argsort_descending(score)
        self.packed, groups = self._pack()
        self.ends: IntArray = np.empty(groups, dtype=np.int64)
        self._fill(groups)

    def __len__(self) -> int:
        return len(self.order)

    def _pack(self) -> tuple[ArmArray, int]:
        experiment, rows = self.experiment, len(self.order)
        codes, packed = np.empty(rows, dtype=np.uint8), np.empty(rows, dtype=np.uint8)
        run_chunks(pack_cases, (experiment.outcome, experiment.treated, codes), rows)
        counts = np.zeros(-(-rows // CHUNK_ROWS), dtype=np.int64)
        run_chunks(rank_cases, (self.order, self.score, codes, packed, counts), rows)
        return packed, int(counts.sum())

    def _fill(self, groups: int) -> None:
        experiment = self.experiment
        if experiment.is_binary and not len(experiment.weight):
            sums = np.empty((4, groups))
            count_groups(self.packed, self.ends, sums)
            self.q_t, self.q_c = sums[2], sums[3]
        else:
            sums = np.empty((6, groups))
            arrays = (self.packed, self.order, experiment.outcome, experiment.weight)
            add_groups(*arrays, self.ends, sums)
            self.q_t, self.q_c = sums[4], sums[5]
        self.n_t, self.n_c, self.r_t, self.r_c = sums[0], sums[1], sums[2], sums[3]

    @property
    def groups(self) -> int:
        """Number of groups of equal scores."""
        return len(self.ends)

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
        """Sums with the chances of treatment, (7, G), each over N.

        Depth, s y, s, s^2 y, s^2, s^2 y^2, and s y of the treated alone.
        """
        experiment = self.experiment
        total = experiment.total
        if experiment.has_propensity:
            sums = np.empty((7, self.groups))
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
                ]
            )
            / total
        )

    @property
    def first_with_both(self) -> int:
        """The first group down to which both arms have cases."""
        return int(np.argmax((self.n_t > 0) & (self.n_c > 0)))

    @property
    def first_with_control(self) -> int:
        """The first group down to which there are control cases."""
        return int(np.argmax(self.n_c > 0))
