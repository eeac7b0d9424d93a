"""The losses of runs as pictures: a histogram for each sampling method, all of them as violins."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.document.experiments.results import ExperimentResult
from core.presentation.chart import (
    AsideSpec,
    AxisSpec,
    BarsSpec,
    BaselineSpec,
    Chart,
    PointsSpec,
    SeriesSpec,
)
from core.presentation.experiments.words import (
    SAMPLER_WORDS,
    RunsCard,
    error_words,
    experiment_title,
)
from payoff.errors import PayoffError
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class LossGroup:
    """The losses of one sampling method and learner, and the lines beside them."""

    name: str
    series: int
    losses: FloatArray
    bound: float  # the largest of a run; NaN where none is valid
    chance: float  # NaN: not drawn
    other: FloatArray | None = None  # of the experiment compared with

    @property
    def mean(self) -> float:
        """Mean of the losses; NaN without any."""
        return float(self.losses.mean()) if len(self.losses) else math.nan


def loss_groups(
    answer: ExperimentResult, name: RunsCard, other: ExperimentResult | None = None
) -> tuple[LossGroup, ...]:
    """The losses of one learner, a group per sampling method, ``other``'s beside them."""
    table = answer.runs
    learner = name.learner or table.learners[0]
    place = table.learners.index(learner) if learner in table.learners else 0
    found = []
    for number, sampler in enumerate(table.samplers):
        mine = (table.sampler == number) & (table.learner == place)
        losses, bounds = (
            (table.effect_error, table.effect_bound)
            if name.is_effect
            else (table.error, table.bound)
        )
        known = bounds[mine][np.isfinite(bounds[mine])]
        has_probability = not name.is_effect and bool(mine.any())
        found.append(
            LossGroup(
                name=SAMPLER_WORDS[sampler],
                series=number,
                losses=losses[mine],
                bound=float(known.max()) if len(known) else math.nan,
                chance=float(table.chance[mine].mean()) if has_probability else math.nan,
                other=_other_losses(other, sampler, learner, name.is_effect),
            )
        )
    return tuple(found)


def find_loss_group(answer: ExperimentResult, name: RunsCard) -> LossGroup:
    """Return the losses of a card's method; raises PayoffError where no run of it is there."""
    samplers = answer.runs.samplers
    found = loss_groups(answer, name)
    place = samplers.index(name.sampler) if name.sampler in samplers else -1
    if place < 0 or not len(found[place].losses):
        raise PayoffError("No run of this method is in the experiment.", where=name.sampler)
    return found[place]


def _other_losses(
    other: ExperimentResult | None, sampler: str, learner: str, is_effect: bool
) -> FloatArray | None:
    if other is None or sampler not in other.runs.samplers:
        return None
    table = other.runs
    place = table.learners.index(learner) if learner in table.learners else 0
    mine = (table.sampler == table.samplers.index(sampler)) & (table.learner == place)
    losses = table.effect_error if is_effect else table.error
    return np.asarray(losses[mine])


# ---------------------------------------------------------------- charts of losses

BINS = 24  # at most
HEADROOM = 1.32  # room above the bars for the names of two lines
_MARGIN = 0.6  # share of the axis that a name with its number takes at the least size
_FAR = 2.2  # bounds within which the no-information loss is drawn to scale


def loss_chart(answer: ExperimentResult, group: LossGroup, is_effect: bool) -> Chart:
    """The losses of one method as bars, with the lines of mean, bound and no information."""
    right, is_far = x_end(group)
    edges = _edges(group)
    counts = np.histogram(group.losses, edges)[0].astype(np.float64)
    middle, width = (edges[1:] + edges[:-1]) / 2, 0.92 * float(edges[1] - edges[0])
    bars = [BarsSpec(name="runs", series=group.series, x=middle, y=counts, offset=0.0, width=width)]
    if group.other is not None and len(group.other):
        others = np.histogram(group.other, edges)[0] * (len(group.losses) / len(group.other))
        grey = BarsSpec(
            name="compared with", series=-1, x=middle, y=others, offset=0.0, width=width
        )
        bars.insert(0, grey)
    top = HEADROOM * max(3.0, *(float(entry.y.max()) for entry in bars))
    return Chart(
        kind=f"losses {group.name}",
        title=group.name,
        subtitle=f"mean {error_words(group.mean)}, the full line",
        x_axis=_loss_axis(right, is_effect),
        y_axis=AxisSpec(label="runs", quantity="number", low=0.0, high=top),
        bars=tuple(bars),
        baselines=tuple(_lines(group, right, top, is_far)),
        definition=_definition(is_effect),
        rows_text=experiment_title(answer.spec),
        headroom=6,
        box_corner="top right",
        asides=(_at_or_below("runs at or below", group),),
    )


def _loss_axis(right: float, is_effect: bool) -> AxisSpec:
    words = "effect error of a run" if is_effect else "evaluation error of a run"
    return AxisSpec(label=words, quantity="number", low=0.0, high=right)


def _at_or_below(name: str, group: LossGroup) -> AsideSpec:
    """The share of the runs at or below a loss: a step at each of them."""
    steps = np.arange(len(group.losses) + 1) / len(group.losses)
    return AsideSpec(
        name=name,
        quantity="percent",
        series=group.series,
        x=np.repeat(np.sort(group.losses), 2),
        y=np.repeat(steps, 2)[1:-1],
    )


def _lines(group: LossGroup, right: float, top: float, is_far: bool) -> list[BaselineSpec]:
    """Each line ends below the name of the one to its right, so that no name is crossed."""
    lines = list(upright("", group.mean, right, top / HEADROOM, is_dashed=False))
    is_outer = math.isfinite(group.chance) and group.bound > group.chance
    if math.isfinite(group.bound):
        words = f"largest bound {error_words(group.bound)}"
        height = top if is_outer else 0.88 * top
        lines += upright(words, group.bound, right, height, left=is_outer)
    if math.isfinite(group.chance):
        at = right if is_far else group.chance
        words = "no information"
        if at > _MARGIN * right:
            words = f"{words} {error_words(group.chance)}"
        height = 0.88 * top if is_outer else top
        lines += upright(f"{words} →" if is_far else words, at, right, height, left=True)
    return lines


def violin_chart(answer: ExperimentResult, shown: Iterable[LossGroup], is_effect: bool) -> Chart:
    """The losses of all methods below each other, every line to scale."""
    groups = [group for group in shown if len(group.losses)]
    if not groups:
        raise PayoffError("No run of this experiment has ended.")
    highest = [float(group.losses.max()) for group in groups]
    highest += [v for group in groups for v in (group.bound, group.chance) if math.isfinite(v)]
    right = 1.12 * max(highest) or 1.0
    places = range(len(groups) - 1, -1, -1)  # the first method on top
    pairs = list(zip(places, groups, strict=True))
    return Chart(
        kind="violins of losses",
        title="How far were the evaluation models off?",
        subtitle="dot: mean; dashes: largest bound of a run, then no information",
        x_axis=_loss_axis(right, is_effect),
        y_axis=AxisSpec(
            label="",
            quantity="number",
            low=-0.6,
            high=len(groups) - 0.4,
            words=tuple(group.name for group in reversed(groups)),
        ),
        series=tuple(_violin_line(group, place) for place, group in pairs),
        points=tuple(
            PointsSpec(
                name=group.name,
                series=group.series,
                x=np.array([group.mean]),
                y=np.array([float(place)]),
                size=9.0,
            )
            for place, group in pairs
        ),
        baselines=tuple(line for place, group in pairs for line in _marks(group, place, right)),
        definition=_definition(is_effect),
        rows_text=experiment_title(answer.spec),
        headroom=4,
        box_corner="top right",
        asides=tuple(_at_or_below(group.name, group) for group in groups),
    )


def _violin_line(group: LossGroup, place: int) -> SeriesSpec:
    x, half = violin(group.losses)
    level = np.full(len(x), float(place))
    return SeriesSpec(
        name=group.name,
        series=group.series,
        x=x,
        y=level,
        low=level - half,
        high=level + half,
        is_chosen=True,
        dash=(),
    )


def _marks(group: LossGroup, place: int, right: float) -> list[BaselineSpec]:
    marks: list[BaselineSpec] = []
    for words, value in (("bound", group.bound), ("no information", group.chance)):
        if math.isfinite(value):
            name = f"{words} {error_words(value)}"
            left = value > 0.7 * right
            marks += upright(name, value, right, place + 0.42, left=left, foot=place - 0.42)
    return marks


def x_end(group: LossGroup) -> tuple[float, bool]:
    """The right end of a histogram, and whether the no-information loss lies beyond it.

    Losses far below it would else be pressed into a corner.
    """
    highest = float(group.losses.max())
    if group.other is not None and len(group.other):
        highest = max(highest, float(group.other.max()))
    near = max(highest, group.bound if math.isfinite(group.bound) else 0.0)
    if math.isfinite(group.chance) and group.chance <= _FAR * near:
        return 1.12 * max(near, group.chance), False
    return (1.35 * near or 1.0), math.isfinite(group.chance)


def _edges(group: LossGroup) -> FloatArray:
    """Edges of bars over the losses of both experiments."""
    values = group.losses if group.other is None else np.concatenate([group.losses, group.other])
    low, high = float(values.min()), float(values.max())
    if high <= low:
        low, high = low - 5e-4, high + 5e-4
    bins = min(BINS, max(6, round(2.0 * len(group.losses) ** 0.5)))
    edges: FloatArray = np.linspace(max(0.0, low), high, bins + 1)
    return edges


def upright(
    name: str,
    at: float,
    right: float,
    top: float,
    *,
    is_dashed: bool = True,
    left: bool = False,
    foot: float = 0.0,
) -> tuple[BaselineSpec, ...]:
    """An upright line, drawn once so that its dashes stay apart, and its name near the top."""
    ends = np.array([top, foot])
    line = BaselineSpec(name="", x=np.full(2, at), y=ends, is_dashed=is_dashed)
    label = BaselineSpec(
        name=name,
        x=np.array([at]),
        y=np.array([top]),
        label_at=at / right,
        side="left" if left or at > 0.62 * right else "right",
    )
    return (line, label) if name else (line,)


def violin(losses: FloatArray, points: int = 90) -> tuple[FloatArray, FloatArray]:
    """A smooth density of losses (x, half width up to 0.4) by Gaussian kernels."""
    spread = float(losses.std()) if len(losses) > 1 else 0.0
    width = max(1.06 * spread * len(losses) ** -0.2, 1e-4 * max(1e-3, float(losses.max())))
    x = np.linspace(losses.min() - 2.5 * width, losses.max() + 2.5 * width, points)
    x = np.maximum(x, 0.0)
    density = np.exp(-0.5 * ((x[:, None] - losses[None, :]) / width) ** 2).sum(axis=1)
    half: FloatArray = 0.4 * density / density.max()
    return x, half


def _definition(is_effect: bool) -> str:
    if is_effect:
        return (
            "The mean squared error of an evaluation model for the difference between two subjects "
            "under the same condition, one value per run. Differences lie in -1 to 1, so that the "
            "loss can be up to 4 and its bound is wider. The true difference is known here because "
            "the evaluation system is made up."
        )
    return (
        "The mean squared error of an evaluation model on the test rows, one value per run. The "
        "bound of a run lies above the error to be expected on new cases at the chosen confidence; "
        "the largest of all runs is drawn. No information: always predicting the mean outcome."
    )
