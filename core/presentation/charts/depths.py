"""Reading curves at the cursor: interpolation on the grid of depths, and nothing else.

Where the cursor stands in a chart, and what is read there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.document.compare.chart_kinds import CHART_WORDS
from core.document.results import (
    ChartData,
    CursorReading,
    Curve,
    DecisionResult,
    EvaluationResult,
    ModelDepths,
)
from core.document.wording import (
    format_count,
    format_number,
    format_score,
    format_share,
    format_threshold,
)
from core.presentation.labels import Labels
from payoff.counting import counted
from payoff.types import FloatArray

_WHOLE = 1e-6  # of a case: rounding


def value_at(x: FloatArray, y: FloatArray, at: float) -> float:
    """The value of a rising-x curve at a point."""
    return float(np.interp(at, x, y))


def depth_of_threshold(depths: ModelDepths, threshold: float) -> float:
    """The depth at which cases down to this threshold are acted on; thresholds fall with depth."""
    known = np.isfinite(depths.threshold)
    if not known.any():
        return 0.0
    falling = depths.threshold[known]
    return float(np.interp(-threshold, -falling, depths.depth[known]))


def chart_of_kind(result: EvaluationResult, kind: str) -> ChartData | None:
    """The chart of a kind, or None."""
    return next((chart for chart in result.charts if chart.kind == kind), None)


def ranking_of_model(result: EvaluationResult, model: str) -> ModelDepths | None:
    """One model's ranking, or that of the first model."""
    found = next((entry for entry in result.depths if entry.model == model), None)
    return found or (result.depths[0] if result.depths else None)


_CONVENTION_NAMES = frozenset(name for name, _ in CHART_WORDS.values())


def shown_subtitle(chart: ChartData, usual: str) -> str:
    """The field's word for a chart; another tool's word where its definition is followed."""
    return chart.variant if chart.variant in _CONVENTION_NAMES else usual


def model_curves(chart: ChartData) -> list[Curve]:
    """The curves of models, in the engine's order."""
    return [curve for curve in chart.curves if curve.model]


@dataclass(frozen=True, slots=True, eq=False)
class ExactPoint:
    """What the engine read at one depth, as the charts of an evaluation count it.

    ``share`` is (models, classes): the share of each class within. Where acting takes the lowest
    chances first, everything is turned round to count from the highest.
    """

    depth: float
    models: tuple[str, ...]
    levels: tuple[str, ...]
    cases: FloatArray
    threshold: FloatArray
    share: FloatArray

    @classmethod
    def of_charts(
        cls, reading: CursorReading, decisions: DecisionResult, labels: Labels
    ) -> ExactPoint | None:
        """The same for charts by the event's chance; None where acting does not follow it."""
        if decisions.threshold_kind == "advantage" and labels.is_apart:
            return None
        return cls.of(reading, decisions, is_reversed=labels.is_reversed)

    @classmethod
    def of(
        cls, reading: CursorReading, decisions: DecisionResult, *, is_reversed: bool
    ) -> ExactPoint:
        """The reading of some totals, from the end that the evaluation counts from."""
        rows = float(np.sum(decisions.class_counts))
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.asarray(reading.class_cases / decisions.class_weight, dtype=np.float64)
        cases = np.asarray(reading.cases, dtype=np.float64)
        return cls(
            1.0 - reading.depth if is_reversed else reading.depth,
            reading.models,
            decisions.levels,
            rows - cases if is_reversed else cases,
            reading.threshold,
            1.0 - share if is_reversed else share,
        )


@dataclass(frozen=True, slots=True, eq=False)
class DepthReader:
    """Reads a model's ranking at depths: exactly where the engine has, else off the grid.

    The engine ranks by the advantage of acting, an evaluation by the chance of its event. A column
    of costs or a third class tells the two apart: an exact value is taken only where it lies
    between the neighbouring points of the grid.
    """

    result: EvaluationResult
    exact: ExactPoint | None = None

    def share(self, depths: ModelDepths, at: float) -> float:
        """The share of the event's cases within a depth."""
        curve = np.nan_to_num(depths.class_share[_event_row(self.result)])
        row = self._row(depths, at)
        if row is None or self.exact is None or self.result.level not in self.exact.levels:
            return value_at(depths.depth, curve, at)
        found = float(self.exact.share[row, self.exact.levels.index(self.result.level)])
        return between(depths.depth, curve, at, found)

    def others(self, depths: ModelDepths, at: float) -> float:
        """The share of all other cases within a depth."""
        curve = other_share_curve(self.result, depths)
        row, exact = self._row(depths, at), self.exact
        if row is None or exact is None or set(exact.levels) != set(self.result.class_levels):
            return value_at(depths.depth, curve, at)
        weight = np.array(self.result.class_weight, dtype=np.float64)
        weight[_event_row(self.result)] = 0.0
        order = [exact.levels.index(level) for level in self.result.class_levels]
        found = float(weight @ exact.share[row, order]) / max(float(weight.sum()), 1e-300)
        return between(depths.depth, curve, at, found)

    def whole_shares(self, depths: ModelDepths, at: float) -> tuple[float, float]:
        """The shares of the event's and of all other cases above the cursor, by whole cases.

        A depth lies between two cases as a rule, and a curve gives part of the next one there.
        """
        event = _event_row(self.result)
        weight = np.asarray(self.result.class_weight, dtype=np.float64)
        totals = float(weight[event]), float(np.delete(weight, event).sum())
        shares = self.share(depths, at), self.others(depths, at)
        is_counted = bool((weight == np.round(weight)).all()) and sum(totals) == depths.cases[-1]
        if not is_counted:  # weights or priors: no case counts 1
            return shares
        found, alarms = (
            np.floor(share * total + _WHOLE) / max(total, 1.0)
            for share, total in zip(shares, totals, strict=True)
        )
        return float(found), float(alarms)

    def cases(self, depths: ModelDepths, at: float) -> float:
        """The number of cases within a depth."""
        row = self._row(depths, at)
        if row is None or self.exact is None:
            return value_at(depths.depth, depths.cases, at)
        return between(depths.depth, depths.cases, at, float(self.exact.cases[row]))

    def threshold(self, depths: ModelDepths, at: float) -> float:
        """The chance of the last case within a depth."""
        row = self._row(depths, at)
        if row is None or self.exact is None:
            return value_at(depths.depth, depths.threshold, at)
        return between(depths.depth, depths.threshold, at, float(self.exact.threshold[row]))

    def _row(self, depths: ModelDepths, at: float) -> int | None:
        exact = self.exact
        if exact is None or depths.model not in exact.models or abs(exact.depth - at) > 1e-9:
            return None
        return exact.models.index(depths.model)


def between(x: FloatArray, y: FloatArray, at: float, exact: float) -> float:
    """The exact value if the curve allows it there, else the curve's own."""
    right = min(max(int(np.searchsorted(x, at)), 1), len(x) - 1)
    around = y[max(right - 2, 0) : right + 2]
    low, high = float(np.min(around)), float(np.max(around))
    slack = 1e-9 * max(1.0, abs(low), abs(high))
    return exact if low - slack <= exact <= high + slack else value_at(x, y, at)


def other_share_curve(result: EvaluationResult, depths: ModelDepths) -> FloatArray:
    """The share of all other classes' cases within each depth, classes weighted as they count."""
    weight = np.array(result.class_weight, dtype=np.float64)
    weight[_event_row(result)] = 0.0
    total = float(weight.sum())
    if total <= 0:
        return np.zeros_like(depths.depth)
    return np.asarray(weight @ np.nan_to_num(depths.class_share) / total, dtype=np.float64)


def _event_row(result: EvaluationResult) -> int:
    levels = result.class_levels
    return levels.index(result.level) if result.level in levels else 0


def depth_head(look: Labels, depth: float, cases: float, *, is_long: bool = False) -> str:
    """The first words of a read-out: "Best 21.3 %: 4,268 customers", or rows that have weights.

    ``depth`` counts from the highest chance; where that is the worst end, it says "Highest".
    """
    word = "Highest" if look.is_by_event else "Best"
    is_named = is_long or look.counted != (look.case, look.cases)
    number = counted(cases, *look.counted) if is_named else format_count(round(cases))
    return f"{word} {format_share(depth)}: {number}"


def threshold_words(threshold: float, *, is_upper: bool = False) -> str:
    """The threshold in words: "chance above 6.25 %", or below where the lowest come first."""
    side = "below" if is_upper else "above"
    return f"chance {side} {format_threshold(threshold)}" if np.isfinite(threshold) else ""


def prediction_words(prediction: float) -> str:
    """The same of a predicted number: "prediction above 12.3"."""
    if not np.isfinite(prediction):
        return ""
    size = abs(prediction)
    decimals = 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 1 else 3
    return f"prediction above {format_number(prediction, decimals)}"


def score_words(score: float, *, is_upper: bool = False) -> str:
    """The same of a score without chances: "score above 612.3"."""
    side = "below" if is_upper else "above"
    return f"score {side} {format_score(score)}" if np.isfinite(score) else ""


def cut_words(depths: ModelDepths | None, threshold: float) -> str:
    """A model's threshold in words, a chance or a score."""
    if depths is None or depths.has_probabilities:
        return threshold_words(threshold)
    return score_words(threshold, is_upper=is_rising(depths.threshold))


def is_rising(threshold: FloatArray) -> bool:
    """Do thresholds rise with depth, because the lowest chances are acted on first?"""
    known = threshold[np.isfinite(threshold)]
    return len(known) > 1 and bool(known[-1] > known[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLine:
    """One entry of a read-out: sample, name and value; ``series`` -1 is grey, None no sample."""

    name: str
    value: str
    series: int | None
    is_chosen: bool = False
    is_bar: bool = False
    is_hidden: bool = False
    dash: tuple[float, ...] | None = None
    is_quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A mark where the cursor meets a curve."""

    x: float
    y: float
    series: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorState:
    """Where the cursor stands in one chart and what is read there.

    ``x`` None: the chart's x is neither depth nor threshold, only rings are shown. ``head`` and
    ``note`` are the first line of flag or box.
    """

    x: float | None
    head: str
    note: str
    lines: tuple[ReadingLine, ...]
    rings: tuple[Ring, ...] = ()
    pin: float | None = None
    pin_rings: tuple[Ring, ...] = ()

    def as_text(self) -> str:
        """The read-out as one sentence, for screen readers and tool tips."""
        parts = [part for part in (self.head, self.note) if part]
        values = [f"{line.name} {line.value}".strip() for line in self.lines if not line.is_hidden]
        return ", ".join([*parts, *values])
