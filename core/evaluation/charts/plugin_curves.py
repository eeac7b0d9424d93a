"""Curves of plugins as charts: lines of every model, grey lines, notes, and bands by resampling.

What charts of classes share: why a model is not there, and other tools' definitions.

Draws of the curves on the common grid of depths, and the pointwise bands from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.document.compare.chart_kinds import CHART_WORDS, SAS_EM, SKLEARN, R
from core.document.results import ChartData, Curve, PluginChart
from core.evaluation.binding import BoundMetric, MetricRefusal
from core.evaluation.cases import JudgedCases
from core.evaluation.columns import Measured
from core.evaluation.general import GENERAL_DRAWS, resamples
from core.evaluation.host import MetricsHost
from core.evaluation.problem import JudgedScores, MetricRequest, StepCall, wanted_curves
from core.evaluation.ranked.passes import shares_at
from core.evaluation.ranked.ranking import DEPTH_GRID, GRID_POINTS
from payoff.counting import counted
from payoff.curves import (
    CurveAxes,
    CurveBasis,
    CurveLine,
    CurveRanking,
    lines_of,
    own_words,
)
from payoff.groups import effective_cases
from payoff.sample import Sample
from payoff.types import FloatArray
from payoff.vocabulary import CONVENTION

_NO_PROBABILITIES = "{model}: a score without chances; turn it into chances to see it here."
_BINS = {SAS_EM: 20, R: 10}


def no_probabilities_note(model: str) -> str:
    """Why a model is not in a chart of chances."""
    return _NO_PROBABILITIES.format(model=model)


def with_convention(chart: ChartData, convention: str) -> ChartData:
    """The chart named as another tool does, with the cause of the difference."""
    words = CHART_WORDS.get((convention, chart.kind))
    if words is None:
        return chart
    name, cause = words
    return replace(chart, variant=name, definition=f"{chart.definition} {cause}")


def depths_of(kind: str, convention: str) -> FloatArray | None:
    """The depths at which a tool reads a chart of depths; None: everywhere."""
    if (convention, kind) not in CHART_WORDS or convention not in _BINS:
        return None
    number = _BINS[convention]
    return np.asarray(np.arange(1, number + 1, dtype=np.float64) / number)


KEPT_BYTES = 192 * 2**20  # with many classes fewer draws are kept, never less than 200
FEWEST_KEPT = 200
LIMITS = (0.025, 0.975)

KeptArray: TypeAlias = NDArray[np.float32]


class BandDraws:
    """Class shares by depth of one model's draws, kept in single precision.

    Parameters
    ----------
    classes : int
    draws : int
        Draws to come.
    """

    def __init__(self, classes: int, draws: int) -> None:
        most = max(KEPT_BYTES // (4 * classes * GRID_POINTS), FEWEST_KEPT)
        self.kept = min(draws, most)
        self._shares: KeptArray = np.full((classes, self.kept, GRID_POINTS), np.nan, np.float32)
        self._blocks: list[tuple[int, FloatArray, FloatArray]] = []
        self.event_share: FloatArray = np.full(self.kept, np.nan)

    def add(self, first: int, events: FloatArray, others: FloatArray, classes: FloatArray) -> None:
        """Keep the draws ``first`` onward.

        Parameters
        ----------
        events, others : (L, B) float64
            Cumulative weights, prior weights applied: their sum is the depth.
        classes : (K, L, B) float64
            Cumulative case weights per class.
        """
        number = min(events.shape[0], self.kept - first)
        if number <= 0:
            return
        shares = np.empty((classes.shape[0], events.shape[0], GRID_POINTS))
        shares_at(events + others, classes, DEPTH_GRID, shares)
        self._shares[:, first : first + number] = shares[:, :number]
        self._blocks.append((first, events[:number], others[:number]))
        whole = events[:number, -1] + others[:number, -1]
        with np.errstate(invalid="ignore", divide="ignore"):
            self.event_share[first : first + number] = events[:number, -1] / whole

    def share_draws(self, weight: FloatArray) -> tuple[KeptArray, KeptArray]:
        """Draws of the shares of the event and of all others among the best, (kept, M) each.

        Parameters
        ----------
        weight : (K,) float64
            What each class counts for among the others.
        """
        others = weight[1:] / weight[1:].sum()
        mixed = np.tensordot(others, np.nan_to_num(self._shares[1:]), axes=1)
        return self._shares[0], mixed.astype(np.float32)

    def class_share_band(self) -> tuple[FloatArray, FloatArray]:
        """Pointwise 95 % limits of the share of each class among the best, (K, M) each."""
        return _drawn_limits(self._shares)

    def whole_share_band(self, centre: FloatArray) -> tuple[FloatArray, FloatArray]:
        """95 % limits that hold for all depths at once, of the event's share (M,) around it."""
        return simultaneous_limits(self._shares[0], centre)

    def whole_sensitivity_band(
        self, false_alarms: FloatArray, centre: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """The same for the share of events at given shares of others."""
        return simultaneous_limits(self._sensitivity(false_alarms)[0], centre)

    def _sensitivity(self, false_alarms: FloatArray) -> KeptArray:
        drawn: KeptArray = np.full((1, self.kept, len(false_alarms)), np.nan, np.float32)
        for first, events, others in self._blocks:
            shares = np.empty((1, len(events), len(false_alarms)))
            shares_at(others, events[np.newaxis], false_alarms, shares)
            drawn[:, first : first + len(events)] = shares
        return drawn


def simultaneous_limits(drawn: KeptArray, centre: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Limits that 95 % of whole drawn curves stay within, (M,) each, cut at 0 and 1.

    Each draw's largest distance from the mean draw, in standard errors of the point, is found; the
    95 % point of those distances is the half width everywhere, in standard errors (sup-t band,
    Montiel Olea and Plagborg-Moller 2019).

    Parameters
    ----------
    drawn : (draws, M) array
    centre : (M,) float64 array
        The curve of the data as they are.
    """
    whole = ~np.isnan(drawn).any(axis=1)
    if np.count_nonzero(whole) < 2:
        empty = np.full(len(centre), np.nan)
        return empty, empty.copy()
    curves = drawn[whole].astype(np.float64)
    spread = curves.std(axis=0, ddof=1)
    moves = spread > 1e-9
    if not moves.any():
        return centre.copy(), centre.copy()
    far = np.abs(curves[:, moves] - curves[:, moves].mean(axis=0)) / spread[moves]
    half = float(np.quantile(far.max(axis=1), LIMITS[1] - LIMITS[0])) * spread
    return np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0)


def _drawn_limits(drawn: KeptArray) -> tuple[FloatArray, FloatArray]:
    """Quantiles over draws (axis 1); draws without a class are left out."""
    whole = ~np.isnan(drawn[:, :, -1]).any(axis=0)
    if not whole.any():
        empty = np.full((drawn.shape[0], drawn.shape[2]), np.nan)
        return empty, empty.copy()
    low, high = np.quantile(drawn[:, whole], LIMITS, axis=1)
    return low.astype(np.float64), high.astype(np.float64)


Band = tuple[FloatArray, FloatArray]

_STEPPED = {(SKLEARN, "precision_recall")}
_FEWEST = 20  # draws, below which a band says nothing


@dataclass(slots=True, eq=False)
class _Drawn:
    """One model's lines of a curve; ``note`` says why there are none."""

    model: JudgedScores
    lines: tuple[CurveLine, ...] = ()
    note: str = ""
    draws: int = 0


class PluginCurves:
    """Draws the curve plugins of a problem that are wanted.

    Parameters
    ----------
    host : MetricsHost
        Measured already: its rankings are read, its guard stands around every call.
    """

    def __init__(self, host: MetricsHost) -> None:
        self.guard = host.guard
        self.cases: JudgedCases = host.cases
        self.rankings = host.rankings
        convention = self.cases.problem.convention
        wanted = wanted_curves(self.cases.problem)
        bound = [BoundMetric(_by_convention(request, convention)) for request in wanted]
        self._bound = {metric.spec.id: metric for metric in bound}
        self._drawn: dict[str, list[_Drawn]] = {}
        self._references: dict[str, tuple[CurveLine, ...]] = {}
        self._details: dict[str, str] = {}
        for metric in bound:
            self.guard.check_stop()
            self._drawn[metric.spec.id] = self._measured(metric)
            self._references[metric.spec.id] = self._grey(metric)
            self._details[metric.spec.id] = self._detail(metric)

    def __contains__(self, kind: str) -> bool:
        return kind in self._bound

    def _is_ranked(self, metric: BoundMetric) -> bool:
        return metric.spec.trace is not None and self.cases.has_classes

    # ------------------------------------------------------------ lines

    def _measured(self, metric: BoundMetric) -> list[_Drawn]:
        found = []
        refused = Measured(model="")
        grid = None if self._is_ranked(metric) else self._grid(metric, refused)
        for place, model in enumerate(self.cases.problem.models):
            drawn, cell = _Drawn(model), Measured(model=model.name, note=refused.note)
            self.guard.call(metric, cell, partial(metric.check, self.cases, model))
            if not cell.note:
                call = partial(self._lines, metric, place, grid)
                drawn.lines = self.guard.call(metric, cell, call) or ()
            drawn.note = cell.note
            if cell.note and not model.has_probabilities:
                drawn.note = no_probabilities_note(model.name)
            found.append(drawn)
        return found

    def _grid(self, metric: BoundMetric, refused: Measured) -> FloatArray | None:
        """The places at which a curve reads all models, where it names some."""
        axes = _axes(metric)
        samples = [] if axes.grid is None else self._samples(metric)
        if axes.grid is None or not samples:
            return None
        return self.guard.call(metric, refused, partial(axes.grid, samples, metric.parameters))

    def _detail(self, metric: BoundMetric) -> str:
        """What a curve says of these cases beside its help."""
        axes = _axes(metric)
        lines = [line for entry in self._drawn[metric.spec.id] for line in entry.lines]
        if axes.detail is None or self._is_ranked(metric) or not lines:
            return ""
        call = partial(axes.detail, self._samples(metric), lines, metric.parameters)
        return self.guard.call(metric, Measured(model=""), call) or ""

    def _samples(self, metric: BoundMetric) -> list[Sample]:
        models = [model for model in self.cases.problem.models if model.has_probabilities]
        return [metric.sample(self.cases, model) for model in models]

    def _lines(
        self, metric: BoundMetric, place: int, grid: FloatArray | None
    ) -> tuple[CurveLine, ...]:
        with np.errstate(invalid="ignore", divide="ignore"):
            if self._is_ranked(metric):
                return lines_of(
                    metric.trace(self._ranking(place), metric.parameters), metric.spec.id
                )
            sample = metric.sample(self.cases, self.cases.problem.models[place])
            return _computed(metric, sample, grid)

    def _ranking(self, place: int) -> CurveRanking:
        """The shares of the cases as they are, on the common grid of depths."""
        cases, summary = self.cases, self.rankings[place].summary
        weight = cases.class_weight
        others = weight[1:] @ np.nan_to_num(summary.class_share[1:]) / weight[1:].sum()
        return CurveRanking(
            depth=summary.depth,
            found=summary.class_share[0],
            others=np.asarray(others),
            event_share=float(weight[0] / weight.sum()),
            cases=effective_cases(cases.weight) if len(cases.weight) else float(len(cases)),
            has_priors=cases.priors is not None,
        )

    def _grey(self, metric: BoundMetric) -> tuple[CurveLine, ...]:
        axes, drawn = _axes(metric), self._drawn[metric.spec.id]
        lines = tuple(line for entry in drawn for line in entry.lines)
        if axes.references is None or not lines:
            return ()
        place = next(index for index, entry in enumerate(drawn) if entry.lines)
        basis: CurveBasis
        if self._is_ranked(metric):
            basis = self._ranking(place)
        else:
            basis = metric.sample(self.cases, drawn[place].model)
        call = partial(axes.references, basis, lines, metric.parameters)
        found = self.guard.call(metric, Measured(model=""), call)
        return lines_of(tuple(found), metric.spec.id) if found else ()

    # ------------------------------------------------------------ bands

    def use_bands(self, bands: Sequence[BandDraws]) -> None:
        """Give ranked curves bands from draws of the rankings, one set per model."""
        for metric in self._bound.values():
            if not self._is_ranked(metric) or not _axes(metric).is_banded or not bands:
                continue
            for place, drawn in enumerate(self._drawn[metric.spec.id]):
                if len(drawn.lines) == 1 and drawn.lines[0].low is None:
                    self._band_of(metric, drawn, place, bands[place])

    def _band_of(self, metric: BoundMetric, drawn: _Drawn, place: int, band: BandDraws) -> None:
        (line,) = drawn.lines
        events, others = band.share_draws(self.cases.class_weight)
        basis = replace(
            self._ranking(place),
            found=events.astype(np.float64),
            others=others.astype(np.float64),
            event_share=band.event_share[:, np.newaxis],
            cases=float("nan"),
        )

        def trace() -> Band | None:
            """All draws at once, read at the places of the line."""
            with np.errstate(invalid="ignore", divide="ignore"):
                answer = metric.trace(basis, metric.parameters)
            x, y = (answer.x, answer.y) if isinstance(answer, CurveLine) else answer
            return _limits(_read_at(line.x, np.asarray(x), np.asarray(y), is_open=False))

        found = self.guard.call(metric, Measured(model=""), trace)
        if found is not None:
            drawn.lines = (replace(line, low=found[0], high=found[1]),)
            drawn.draws = band.kept

    def draw(self, draws: int, step: StepCall) -> None:
        """Give general curves without limits of their own bands, from at most 200 resamples."""
        for metric in self._bound.values():
            if self._is_ranked(metric) or not _axes(metric).is_banded:
                continue
            bare = [
                drawn
                for drawn in self._drawn[metric.spec.id]
                if any(line.low is None for line in drawn.lines)
            ]
            if not bare or self.cases.units_of(metric.spec.unit) is None:
                continue
            grid = self._grid(metric, Measured(model=""))
            for drawn in bare:
                self._draw_general(metric, drawn, grid, min(draws, GENERAL_DRAWS), step)

    def _draw_general(
        self,
        metric: BoundMetric,
        drawn: _Drawn,
        grid: FloatArray | None,
        number: int,
        step: StepCall,
    ) -> None:
        cases = self.cases
        units = cases.units_of(metric.spec.unit)
        assert units is not None
        found: list[list[FloatArray]] = [[] for _ in drawn.lines]
        text = f"Resampling the curve {metric.spec.label}, {counted(number, 'draw')}"
        samples = resamples(self.guard, cases, metric, drawn.model, units, number)
        for draw, sample in enumerate(samples):
            step((draw + 1) / number, text)
            if sample is None:
                continue
            call = partial(_computed, metric, sample, grid)
            lines = self.guard.call(metric, Measured(model=""), call) or ()
            for place, (line, of_draw) in enumerate(zip(drawn.lines, lines, strict=False)):
                found[place].append(
                    _read_at(line.x, of_draw.x, of_draw.y[np.newaxis], is_open=True)[0]
                )
        banded = []
        for line, values in zip(drawn.lines, found, strict=True):
            limits = _limits(np.array(values)) if line.low is None and values else None
            banded.append(line if limits is None else replace(line, low=limits[0], high=limits[1]))
        drawn.lines, drawn.draws = tuple(banded), number

    # ------------------------------------------------------------ charts

    def chart(self, kind: str, *, event: str) -> ChartData:
        """The chart of a curve under the problem's convention."""
        metric, convention = self._bound[kind], self.cases.problem.convention
        axes, curves, notes = _axes(metric), [], []
        words = partial(own_words, event=event, cases=self.cases.problem.case_word[1])
        for drawn in self._drawn[kind]:
            if drawn.note:
                is_reported = drawn.note.startswith(f"{drawn.model.name}:")
                notes.append(drawn.note if is_reported else f"{drawn.model.name}: {drawn.note}")
            for line in drawn.lines:
                shown = line
                if self._is_ranked(metric):
                    shown = _as_convention(line, kind, convention)
                curves.append(_curve(drawn.model.name, shown))
                notes += [f"{drawn.model.name}: {line.note}"] if line.note else []
                if axes.note is not None:
                    call = partial(axes.note, shown, metric.parameters)
                    described = self.guard.call(metric, Measured(model=""), call)
                    notes += [f"{drawn.model.name}: {described}"] if described else []
        curves += [_curve("", line) for line in self._references[kind]]
        chart = ChartData(
            kind=kind,
            curves=tuple(curves),
            definition=" ".join(
                part
                for part in (words(metric.spec.help), self._details[kind], self._bands(kind))
                if part
            ),
            variant=axes.variant,
            notes=tuple(dict.fromkeys(notes)),
            plugin_chart=_plugin_chart(metric, axes, words),
        )
        return with_convention(chart, convention)

    def _bands(self, kind: str) -> str:
        """What the bands are, in one sentence."""
        drawn = [entry for entry in self._drawn[kind] if entry.lines]
        methods = {line.method for entry in drawn for line in entry.lines if line.low is not None}
        draws = max((entry.draws for entry in drawn), default=0)
        if draws:
            fixed = self.cases.holds_fixed()
            return (
                f"Bands: pointwise 95 %, {draws:,} Poisson bootstrap draws"
                f"{f', {fixed}' if fixed else ''}."
            )
        if methods - {""}:
            return f"Bands: pointwise 95 % {', '.join(sorted(methods - {''}))}."
        is_waiting = any(line.low is None for entry in drawn for line in entry.lines)
        is_waiting = is_waiting and _axes(self._bound[kind]).is_banded
        return "Bands follow with the resamples." if is_waiting else ""


def _by_convention(request: MetricRequest, convention: str) -> MetricRequest:
    """The request with the convention that the user chose, where the curve knows it."""
    for item in request.spec.parameters:
        if item.name == CONVENTION and convention in item.choices:
            return replace(request, parameters=(*request.parameters, (CONVENTION, convention)))
    return request


def _axes(metric: BoundMetric) -> CurveAxes:
    if metric.spec.axes is None:
        raise MetricRefusal(f"The plugin of '{metric.spec.id}' does not say what its axes are.")
    return metric.spec.axes


def _computed(
    metric: BoundMetric, sample: Sample, grid: FloatArray | None
) -> tuple[CurveLine, ...]:
    more = () if grid is None else (grid,)
    return lines_of(metric.compute(sample, metric.parameters, *more), metric.spec.id)


def _curve(model: str, line: CurveLine) -> Curve:
    return Curve(
        model=model,
        x=line.x,
        y=line.y,
        low=line.low,
        high=line.high,
        name=line.name,
        alarms=line.alarms,
    )


def _plugin_chart(metric: BoundMetric, axes: CurveAxes, words: Callable[[str], str]) -> PluginChart:
    return PluginChart(
        title=words(axes.question),
        subtitle=metric.spec.label,
        axis=str(axes.axis),
        x_label=words(axes.x),
        y_label=words(axes.y),
        x_unit=str(axes.x_unit),
        y_unit=str(axes.y_unit),
        x_ends=axes.x_ends,
        y_ends=axes.y_ends,
        is_split=axes.is_split,
    )


def _read_at(at: FloatArray, x: FloatArray, y: FloatArray, *, is_open: bool) -> FloatArray:
    """Draws of a curve read at the places of the line of the data, (draws, points).

    Beyond its ends a draw is undefined where ``is_open``, else as at its end.
    """
    if x.ndim == 1 and x.shape == at.shape and np.array_equal(x, at):
        return y
    read = np.full((len(y), len(at)), np.nan)
    end = np.nan if is_open else None
    for draw, (row, value) in enumerate(zip(np.broadcast_to(x, y.shape), y, strict=True)):
        known = np.isfinite(row) & np.isfinite(value)
        if known.any():
            read[draw] = np.interp(at, row[known], value[known], left=end, right=end)
    return read


def _limits(drawn: FloatArray) -> Band | None:
    """Pointwise 95 % limits over draws; NaN where fewer than 20 draws are defined."""
    whole = drawn[np.isfinite(drawn).all(axis=1)]
    if len(whole) >= max(_FEWEST, len(drawn) // 2):
        low, high = np.quantile(whole, LIMITS, axis=0)
        return low, high
    known = np.isfinite(drawn).sum(axis=0)
    limits = np.full((2, drawn.shape[1]), np.nan)
    enough = known >= _FEWEST
    if not enough.any():
        return None
    limits[:, enough] = np.nanquantile(drawn[:, enough], LIMITS, axis=0)
    return limits[0], limits[1]


def _as_convention(line: CurveLine, kind: str, convention: str) -> CurveLine:
    """The line where another tool reads it, or in the steps in which it draws it."""
    if (convention, kind) in _STEPPED:
        return _stepped(line)
    depths = depths_of(kind, convention)
    if depths is None:
        return line
    at = np.append(0.0, depths) if line.x[0] == 0.0 else depths

    def read(values: FloatArray | None) -> FloatArray | None:
        return None if values is None else np.interp(at, line.x, values)

    y = read(line.y)
    assert y is not None
    return replace(line, x=at, y=y, low=read(line.low), high=read(line.high))


def _stepped(line: CurveLine) -> CurveLine:
    """Points doubled into steps: the precision of a recall holds back to the recall before it."""

    def twice(values: FloatArray | None) -> FloatArray | None:
        return None if values is None else np.repeat(values, 2)

    x = np.append(0.0, np.repeat(line.x, 2)[:-1])
    return replace(line, x=x, y=np.repeat(line.y, 2), low=twice(line.low), high=twice(line.high))
