"""``payoff.uplift`` of data that are read in pieces: folders of parts, batches, ``memory=``."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa

from core.assembly.pieces.opened import Pieces
from core.assembly.uplift.data import read_arms
from core.data import printed
from core.document.data.limits import UPLIFT, not_in_pieces
from core.document.studies.uplift import Area
from core.document.uplift.model import NuChoice
from core.scale.reading import OutcomeSummary
from core.scale.sources import can_be_read_again
from core.scale.uplift.cases import UpliftReading
from core.scale.uplift.draws import draw_uplift
from core.scale.uplift.rankings import (
    VARIANTS,
    StreamedUplift,
    UpliftOfSource,
    uplift_of_source,
)
from core.script.files.pieces import opened_pieces, outcome_levels, refuse_arguments
from core.script.session import REFUSE, loaded_table, target_of_counts
from core.script.uplift.request import UpliftRequest
from core.script.uplift.result import UpliftEvaluation, area_of_draws, band_of_draws
from core.uplift.experiment import checked_clip
from core.uplift.ranked.curves import JOINT_CODES
from core.uplift.ranked.resampling import DrawnCurves, error_of_signed, error_of_sums
from payoff.counting import counted
from payoff.errors import PayoffError, no_such

MOST_LEVELS = 1_000
_READABLE = frozenset(
    {"nu", "treated", "control", "rows", "validity", "area", "band", "curve", "streamed"}
)


class UpliftInPieces(UpliftEvaluation):
    """What ``payoff.uplift`` returns of data that were read in pieces.

    Areas are exact; curves, and errors of areas, are read at up to 65,536 scores. Draws read the
    rows again. What needs the cases themselves is refused.
    """

    def __init__(
        self,
        found: UpliftOfSource,
        request: UpliftRequest,
        reading: UpliftReading,
        nu: dict[str, float],
        notes: tuple[str, ...],
    ) -> None:
        self.streamed = found
        self._request, self._reading = request, reading
        self._drawn: dict[tuple[str, int, int], DrawnCurves] = {}
        self.treated, self.control = reading.treated, reading.control
        self.rows = found.rows
        self.nu = nu
        self._said = notes

    def __getattribute__(self, name: str) -> Any:
        """Refuse what is made of the cases."""
        if not name.startswith("_") and name not in _READABLE:
            raise not_in_pieces("treated cases", f"'{name}'")
        return super().__getattribute__(name)

    @property
    def validity(self) -> tuple[str, ...]:
        """How the data were read, and what was left out; the guard's checks need all cases."""
        return self._said

    def curve(
        self, variant: str, score: str, *, half_width: int = 25, confidence: float = 0.95
    ) -> pd.DataFrame:
        """Points of a joint or the generalised curve at the scores that are kept: x, y, count."""
        del half_width, confidence
        if variant not in JOINT_CODES:
            raise no_such("curve", variant, JOINT_CODES, listed="Of data read in pieces there are")
        found = self._streamed(score).curve(variant, self.nu[score])
        return pd.DataFrame({"x": found.x, "y": found.y, "count": found.count})

    def area(
        self,
        variant: str,
        score: str,
        *,
        half_width: int = 25,
        confidence: float = 0.95,
        draws: int = 0,
        seed: int = 20261,
    ) -> Area:
        """The area of a variant, plain and less that of a random one.

        Intervals are analytic; with ``draws`` above 0 those of the generalised area come from
        Poisson resamples, which read the rows again.
        """
        del half_width
        if variant not in VARIANTS:
            raise no_such("area", variant, VARIANTS, listed="Of data read in pieces there are")
        found = self._streamed(score).area(variant, self.nu[score], confidence)
        if not draws or variant != "generalised":
            return found
        return area_of_draws(found, self._draws(score, draws, seed), confidence)

    def band(
        self, score: str, *, confidence: float = 0.95, draws: int = 1000, seed: int = 20261
    ) -> pd.DataFrame:
        """The generalised curve with pointwise and uniform bands at up to 1,000 depths."""
        ranking, nu = self._streamed(score), self.nu[score]
        cuts, curve = ranking.cuts, ranking.curve("generalised", nu, ranking.cuts)
        if ranking.has_propensity:
            error = error_of_signed(cuts.signed, float(cuts.sums[:2, -1].sum()), nu)
        else:
            error = error_of_sums(cuts.sums, nu)
        drawn = self._draws(score, draws, seed)
        return band_of_draws((curve.x[1:], curve.y[1:]), error, drawn, confidence)

    def _draws(self, score: str, draws: int, seed: int) -> DrawnCurves:
        """Draws of the generalised curve, made when they are first asked for."""
        key, data = (score, draws, seed), self._request.data
        if key not in self._drawn:
            if not can_be_read_again(data):
                raise not_in_pieces("draws of batches")
            with opened_pieces(self._request, _columns(self._request)) as pieces:
                self._drawn[key] = draw_uplift(
                    pieces.source,
                    self._reading,
                    self.streamed,
                    score,
                    nu=self.nu[score],
                    draws=draws,
                    seed=seed,
                    budget=pieces.budget,
                    runner=pieces.runner,
                    progress=pieces.tell,
                    should_stop=pieces.context.should_stop,
                )
        return self._drawn[key]

    def _streamed(self, score: str) -> StreamedUplift:
        if score not in self.streamed.rankings:
            raise no_such("score", score, self.streamed.rankings)
        return self.streamed.rankings[score]


def uplift_in_pieces(request: UpliftRequest) -> UpliftEvaluation | pa.Table:
    """Rank the cases of an experiment piece by piece; never more than memory allows is held.

    Small data are given back as one table, to be judged as any other.

    Raises
    ------
    PayoffError
        For arguments that need all cases at once, with what would help; for data that cannot be
        read or judged, with file and row.
    """
    columns = _columns(request)
    with opened_pieces(request, columns) as pieces:
        if pieces.is_small:
            return pieces.as_table()
        _refuse_arguments(request)
        pieces.source.require(columns)
        reading = _reading(request, pieces)
        found = uplift_of_source(
            pieces.source,
            reading,
            pieces.folder,
            pieces.budget,
            pieces.runner,
            progress=pieces.context.progress,
            should_stop=pieces.context.should_stop,
        )
        said = (
            pieces.budget.note(found.pieces),
            *pieces.source.notes,
            *(f"{counted(rows, 'row')} left out: {reason}." for reason, rows in found.dropped),
            *found.narrow_intervals(request.weight),
        )
        nu = {name: _nu(request, ranking) for name, ranking in found.rankings.items()}
        return UpliftInPieces(found, request, reading, nu, said)


def _columns(request: UpliftRequest) -> tuple[str, ...]:
    named = (request.weight, _propensity(request), request.true_effect)
    columns = [request.outcome, request.treatment, *request.score_columns.values()]
    return *columns, *(name for name in named if name is not None), *(request.covariates or ())


def _propensity(request: UpliftRequest) -> str | None:
    """The column of chances of treatment."""
    return None if request.propensity == "estimate" else request.propensity


def _refuse_arguments(request: UpliftRequest) -> None:
    refuse_arguments(request, UPLIFT)
    if request.propensity == "estimate":
        raise not_in_pieces("estimated chances")
    if request.nu == "pointwise" or request.baseline is NuChoice.AREA:
        raise not_in_pieces("baselines of the path")


def _nu(request: UpliftRequest, ranking: StreamedUplift) -> float:
    baseline = request.baseline
    if not isinstance(baseline, NuChoice):
        return baseline
    return ranking.overall_nu() if baseline is NuChoice.OVERALL else 0.0


def _reading(request: UpliftRequest, pieces: Pieces) -> UpliftReading:
    """Arms and event, by the rules of tables in memory, from the levels of all rows."""
    named = {"treated": request.treated, "control": request.control, "event": request.event}
    printed_levels = {k: "" if v is None else printed(v) for k, v in named.items()}
    arms = outcome_levels(pieces, request.treatment, None, REFUSE, MOST_LEVELS)
    if arms.missing:
        _, file, row = arms.missing_rows[0]
        raise PayoffError(
            f"The treatment '{request.treatment}' is missing in {counted(arms.missing, 'row')}.",
            where=f"{file}, data row {row:,}",
            why="A case belongs to an effect only where its arm is known.",
            remedy="Fill it in, or leave these rows out.",
        )
    levels = pa.table({request.treatment: list(arms.levels())})
    reported = read_arms(
        loaded_table(levels),
        request.treatment,
        printed_levels["treated"],
        printed_levels["control"],
    )
    outcome = outcome_levels(pieces, request.outcome, None, request.missing_outcomes, MOST_LEVELS)
    _refuse_gaps(outcome, request)
    events = _events(request, pieces, outcome, printed_levels["event"])
    return UpliftReading(
        scores=tuple(request.score_columns.items()),
        treatment=request.treatment,
        treated=reported.treated,
        control=reported.control,
        outcome=request.outcome,
        events=events,
        has_amounts=not events and not _is_zero_or_one(outcome),
        weight=request.weight,
        propensity=_propensity(request),
        clip=checked_clip(request.clip),
    )


def _refuse_gaps(outcome: OutcomeSummary, request: UpliftRequest) -> None:
    if outcome.missing and request.missing_outcomes == REFUSE:
        rows = "; ".join(f"{file}, data row {row:,}" for _, file, row in outcome.missing_rows)
        raise PayoffError(
            f"{counted(outcome.missing, 'row')} of {outcome.rows:,} have no outcome in "
            f"'{request.outcome}'.",
            where=rows,
            why="Every number would come from the other rows only.",
            remedy="Say that they may be left out: missing_outcomes='leave_out'.",
        )


def _is_zero_or_one(outcome: OutcomeSummary) -> bool:
    """Whether a column of numbers holds no others."""
    counts = () if outcome.too_many else outcome.levels()
    return not outcome.too_many and {*map(_number_of, counts)} <= {0.0, 1.0}


def _number_of(level: str) -> float:
    return float({"true": 1.0, "false": 0.0}.get(level.lower(), level))


def _events(
    request: UpliftRequest, pieces: Pieces, outcome: OutcomeSummary, event: str
) -> tuple[str, ...]:
    """Printed levels that count as the event; none for a column of 0 and 1."""
    kind = dict(pieces.source.kinds)[request.outcome]
    if not event and kind in ("integer", "number", "boolean"):
        return ()
    counts = outcome.levels()
    if not event and len(counts) != 2:
        raise PayoffError(
            f"The outcome '{request.outcome}' is no number and has "
            f"{counted(len(counts), 'value')}.",
            remedy="Name the value that counts as the event.",
        )
    target = target_of_counts(request.outcome, counts, None, event or None)
    meant = dict(target.spellings)
    return tuple(level for level in counts if meant.get(level, level) == target.levels[0])


__all__ = ["UpliftInPieces", "uplift_in_pieces"]
