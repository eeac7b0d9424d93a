"""Sums of ranked cases by arm, as metrics of the task "uplift" read them: whole, and resampled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from core.uplift.ranking import UpliftRanking
from core.uplift.resampling import drawn_sums, group_cuts
from payoff.arm_sums import with_shares
from payoff.types import FloatArray, IntArray


class ArmSums:
    """Implements ``core.evaluation.problem.RankedSums`` over rankings of one experiment."""

    def __init__(self, rankings: Sequence[UpliftRanking]) -> None:
        self.rankings = tuple(rankings)
        self._cuts = tuple(group_cuts(ranking) for ranking in rankings)

    def whole(self, model: int, *, has_propensity: bool) -> FloatArray:
        """Sums at the end of every group, (rows, 1, groups)."""
        return _sums(self.rankings[model], None, has_propensity)

    def binned(self, model: int, *, has_propensity: bool) -> FloatArray:
        """Sums at the ends of bins, (rows, 1, bins)."""
        return _sums(self.rankings[model], self._cuts[model], has_propensity)

    def draws(
        self,
        draws: int,
        seed: int,
        *,
        has_propensity: bool,
        should_stop: Callable[[], bool],
        step: Callable[[float], None],
    ) -> Iterator[tuple[int, list[FloatArray]]]:
        """Resampled sums of every model, (rows, lanes, bins), all models on the same draws."""
        known = self.rankings[0].experiment.has_propensity
        blocks = drawn_sums(
            self.rankings,
            self._cuts,
            draws,
            seed,
            additional=6 if has_propensity and known else 0,
            should_stop=should_stop,
            step=step,
        )
        for first, by_model in blocks:
            found = []
            for sums in by_model:
                arms = np.ascontiguousarray(sums.transpose(1, 2, 0))
                if has_propensity and not known:
                    arms = with_shares(arms)
                elif has_propensity:
                    arms[4:] /= (arms[0, :, -1:] + arms[1, :, -1:])[np.newaxis]
                found.append(arms)
            yield first, found


def _sums(ranking: UpliftRanking, cuts: IntArray | None, has_propensity: bool) -> FloatArray:
    places = slice(None) if cuts is None else cuts
    arms = np.stack([ranking.n_t, ranking.n_c, ranking.r_t, ranking.r_c])[:, np.newaxis]
    if not has_propensity:
        return np.ascontiguousarray(arms[:, :, places])
    if not ranking.experiment.has_propensity:
        return with_shares(np.ascontiguousarray(arms[:, :, places]))
    signed = ranking.signed
    additional = np.stack([signed[row] for row in (0, 1, 2, 3, 4, 6)])[:, np.newaxis]
    return np.ascontiguousarray(np.concatenate([arms, additional])[:, :, places])
