"""Curves: the lines that some metrics give, their axes, and what ranked ones read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from payoff.errors import PayoffError
from payoff.groups import effective_cases
from payoff.parameters import Parameters
from payoff.sample import Sample
from payoff.types import FloatArray
from payoff.vocabulary import CurveAxis, NumberUnit

GRID_POINTS = 1_001


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveLine:
    """One line of a curve.

    Attributes
    ----------
    x, y : float64 arrays (points,)
        ``x`` never falls; NaN in ``y`` where the line is not defined.
    name : str
        Tells several lines of one model apart; names a grey line.
    low, high : float64 arrays (points,) or None
        95 % limits that the curve knows itself. None: the host draws them by resampling.
    method : str
        What those limits are: "Wilson intervals".
    note : str
        A sentence on this line that only the cases can tell, shown below the chart after the
        model's name.
    alarms : sequence of str
        What is amiss with this line, each in the few words that fit beside the cursor: "too low,
        4 % to 12 %". Empty where all is well.
    """

    x: FloatArray
    y: FloatArray
    name: str = ""
    low: FloatArray | None = None
    high: FloatArray | None = None
    method: str = ""
    note: str = ""
    alarms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveRanking:
    """What a curve of form "ranked" reads: shares within each depth, best cases first.

    The host hands over the cases as they are, M = 1,001 points, and then many resamples at once,
    (draws, M). Cases of equal score are shared in proportion; weights and priors are in.

    Attributes
    ----------
    depth : float64 array (M,)
        Share of all cases that is acted on, 0 to 1.
    found, others : float64 arrays (M,) or (draws, M)
        Share of all events, and of all other cases, among them.
    event_share : float or float64 array (draws, 1)
        Share of the event among all cases.
    cases : float
        The number of equally weighted cases that say as much; NaN for resamples.
    has_priors : bool
        Whether classes are weighted to priors, so that limits of a plain share do not hold.
    """

    depth: FloatArray
    found: FloatArray
    others: FloatArray
    event_share: Any
    cases: float = float("nan")
    has_priors: bool = False

    @classmethod
    def of(cls, sample: Sample, points: int = GRID_POINTS) -> CurveRanking:
        """Read a sample in plain numpy; the engine does the same with compiled kernels.

        Raises
        ------
        PayoffError
            If the sample has no classes, or one side has no weight.
        """
        if not sample.labels:
            raise PayoffError("A ranked curve needs a target with classes.")
        events, others = sample.cumulative("event"), sample.cumulative("others")
        if not len(events) or events[-1] <= 0 or others[-1] <= 0:
            raise PayoffError("A ranked curve needs events and other cases.")
        whole = events[-1] + others[-1]
        ends = np.append(0.0, (events + others) / whole)
        grid: FloatArray = np.linspace(0.0, 1.0, points)
        return cls(
            depth=grid,
            found=np.interp(grid, ends, np.append(0.0, events / events[-1])),
            others=np.interp(grid, ends, np.append(0.0, others / others[-1])),
            event_share=float(events[-1] / whole),
            cases=effective_cases(sample.weight),
        )


CurveBasis: TypeAlias = CurveRanking | Sample
CurveAnswer: TypeAlias = tuple[FloatArray, FloatArray] | CurveLine | Sequence[CurveLine]


@dataclass(frozen=True, kw_only=True)
class CurveAxes:
    """How a curve is drawn on page Compare and in the report.

    "{event}", "{others}" and "{cases}" in texts become the user's words.

    Attributes
    ----------
    question : str
        Heads the chart: what a reader learns from it. The metric's ``label`` stands below.
    x, y : str
        Names of the axes.
    axis : CurveAxis
        What the x axis is, and so how the shared cursor stands in it.
    x_unit, y_unit : NumberUnit
        "percent" for shares.
    x_ends, y_ends : (float, float) or None
        Fixed ends; None = from the lines.
    variant : str
        The name of the definition where tools differ: "cumulative lift".
    references : function or None
        ``references(basis, lines, parameters) -> sequence of CurveLine``: grey lines, each with a
        name. ``basis`` is the CurveRanking of a ranked curve, else the Sample, of the first model;
        ``lines`` those of all models.
    note : function or None
        ``note(line, parameters) -> str``: a sentence on a model's line, shown below the chart.
    detail : function or None
        General curves only: ``detail(samples, lines, parameters) -> str``: a sentence on these
        cases that follows the metric's ``help`` (how wide the bins are, which time is looked at).
    grid : function or None
        General curves only: ``grid(samples, parameters) -> float64 (points,)``, one place for all
        models to be read at; ``compute`` then gets it as a third argument.
    is_split : bool
        Several lines of one model: the chosen model's are shown, each with its name.
    is_banded : bool
        Whether lines without limits of their own get bands by resampling.
    """

    question: str
    x: str
    y: str
    axis: CurveAxis
    x_unit: NumberUnit = NumberUnit.PERCENT
    y_unit: NumberUnit = NumberUnit.PERCENT
    x_ends: tuple[float, float] | None = None
    y_ends: tuple[float, float] | None = None
    variant: str = ""
    references: Callable[[Any, Sequence[CurveLine], Parameters], Sequence[CurveLine]] | None = None
    note: Callable[[CurveLine, Parameters], str] | None = None
    detail: Callable[[Sequence[Sample], Sequence[CurveLine], Parameters], str] | None = None
    grid: Callable[[Sequence[Sample], Parameters], FloatArray] | None = field(default=None)
    is_split: bool = False
    is_banded: bool = True


def lines_of(answer: object, curve: str) -> tuple[CurveLine, ...]:
    """What a curve's function gave, as lines of float64.

    Parameters
    ----------
    answer : (x, y), CurveLine or sequence of CurveLine
    curve : str
        The curve's id, for messages.

    Raises
    ------
    PayoffError
        If it is none of these, lengths differ, or x falls.
    """
    if isinstance(answer, CurveLine):
        given: Sequence[object] = (answer,)
    elif isinstance(answer, tuple) and len(answer) == 2 and not isinstance(answer[0], CurveLine):
        given = (CurveLine(x=answer[0], y=answer[1]),)
    elif isinstance(answer, (tuple, list)):
        given = answer
    else:
        given = ()
    if not given or not all(isinstance(line, CurveLine) for line in given):
        raise PayoffError(
            f"The curve '{curve}' gave {type(answer).__name__}.",
            remedy="Return (x, y), or lines of payoff.CurveLine.",
        )
    return tuple(_settled(line, curve) for line in given if isinstance(line, CurveLine))


def _settled(line: CurveLine, curve: str) -> CurveLine:
    x, y = np.asarray(line.x, dtype=np.float64), np.asarray(line.y, dtype=np.float64)
    ends = [None if e is None else np.asarray(e, dtype=np.float64) for e in (line.low, line.high)]
    if x.ndim != 1 or any(e is not None and e.shape != x.shape for e in (y, *ends)) or not len(x):
        raise PayoffError(
            f"The curve '{curve}' gave x of shape {x.shape} and y of shape {y.shape}.",
            remedy="Return arrays of one length.",
        )
    if np.isnan(x).any() or (np.diff(x) < 0).any():
        raise PayoffError(
            f"The curve '{curve}' does not run from left to right.",
            why="x must be known and must not fall.",
        )
    return replace(line, x=x, y=y, low=ends[0], high=ends[1], alarms=tuple(line.alarms))


def own_words(text: str, *, event: str, others: str = "others", cases: str = "cases") -> str:
    """A text of a curve with the user's words for event, all others and cases."""
    for name, word in (("event", event), ("others", others), ("cases", cases)):
        text = text.replace("{" + name + "}", word)
    return text
