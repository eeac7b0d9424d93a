"""What is shown of an experiment on made-up outcomes.

The words of page Experiments: losses, how far a run is, its verdict, the names of its cards.

The tables of page Experiments: by method, run by run, what is taken for granted, compared.

The losses of runs as pictures: a histogram for each sampling method, all of them as violins.

What is shown of an experiment: the cards of its runs, its rows, another one beside it.

The runs have several views; ``Labels.part`` says which one is shown (``RunsCard``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from core.document.experiments.files import differing_parts
from core.document.experiments.results import (
    DataFacts,
    ExperimentPair,
    ExperimentResult,
    GroupSummary,
    RunTable,
)
from core.document.experiments.spec import ExperimentSpec, learner_label
from core.document.wording import NumberText, format_count, format_seconds
from core.presentation.charts.chart import (
    AsideSpec,
    AxisSpec,
    BarsSpec,
    BaselineSpec,
    Chart,
    PointsSpec,
    SeriesSpec,
)
from core.presentation.labels import Labels
from core.presentation.view import AnyTable, Table, View
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError
from payoff.types import FloatArray

LOSSES, VIOLINS, SUMMARY, GRANTED = "losses", "violins", "summary", "granted"
RUNS = "runs"
EFFECT = "effect"
"""Of losses and violins: the error of differences between two subjects."""

SAMPLER_WORDS = {"sigmoid": "Sigmoid", "arctan": "Arctan", "gaussian": "Gaussian"}
BOUNDS = (
    ("betting", "Betting"),
    ("hoeffding", "Hoeffding"),
    ("kl", "Chernoff-KL"),
    ("empirical_bernstein", "Empirical Bernstein"),
    ("prpl_eb", "PrPl-EB"),
    ("student_t", "Student t (approximate)"),
    ("bca", "BCa bootstrap (approximate)"),
)


# ---------------------------------------------------------------- words


def error_words(value: float) -> NumberText:
    """A loss with four decimals; a dash where it is not known."""
    return NumberText("–" if not math.isfinite(value) else f"{value:.4f}", value)


def share_words(value: float) -> NumberText:
    """A share in percent; a dash where it is not known."""
    words = f"{100 * value:.0f} %"
    if not math.isfinite(value):
        words = "–"
    elif 0.0 < value < 0.005:
        words = "under 1 %"
    elif 0.995 <= value < 1.0:
        words = "over 99 %"
    return NumberText(words, value)


def experiment_title(spec: ExperimentSpec) -> str:
    """An experiment in a few words, for lists."""
    settled = spec.settled()
    size = (
        f"{counted(settled.systems, 'system')}, {counted(settled.splits, 'split')}, seed "
        f"{settled.seed}"
    )
    reading = "paper mode" if spec.is_paper else "default mode"
    return f"{settled.facts.label}, {reading}, {size}"


def progress_words(result: ExperimentResult, is_running: bool) -> str:
    """How far an experiment is."""
    done = counted_of(result.done, result.wanted, "model")
    if result.is_whole:
        return f"{counted(result.done, 'model')} fitted in {format_seconds(result.seconds)}"
    return done if is_running else f"stopped at {done}"


# ---------------------------------------------------------------- the runs


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsCard:
    """Which view of the runs: "losses+effect sigmoid logistic", "violins logistic", "summary".

    Attributes
    ----------
    card : str
    is_effect : bool
        Whether losses are of the difference between two subjects.
    sampler : str
        Of a histogram.
    learner : str
        Left out: the first.
    """

    card: str = ""
    is_effect: bool = False
    sampler: str = ""
    learner: str = ""

    @classmethod
    def read(cls, part: str) -> RunsCard:
        """Return it from the part of a report's key."""
        name, _, rest = part.partition(" ")
        card, _, option = name.partition("+")
        sampler, _, learner = rest.partition(" ") if card == LOSSES else ("", "", rest)
        return cls(card=card, is_effect=option == EFFECT, sampler=sampler, learner=learner)

    def __str__(self) -> str:
        name = f"{self.card}+{EFFECT}" if self.is_effect else self.card
        return " ".join(part for part in (name, self.sampler, self.learner) if part)


def verdict_of(result: ExperimentResult | None) -> str:
    """One sentence: in how many runs the bound lies below the loss of no information.

    Each run has a bound of its own, at the confidence that was chosen; why one lies above is not
    known.
    """
    if result is None or not result.done:
        return ""
    if result.bound_note:
        return result.bound_note.split(".")[0] + "."
    shares = [group.below_chance for group in result.groups if math.isfinite(group.below_chance)]
    if not shares:
        return ""
    lowest, held = min(shares), share_words(result.spec.settled().confidence)
    if lowest >= 1.0:
        return f"The bound of every run (each at {held}) lies below the loss of no information."
    if max(shares) <= 0.0:
        return (
            f"The bound of no run (each at {held}) lies below the loss of no information; more "
            "test rows would bring bounds nearer to the errors."
        )
    least, most = share_words(lowest), share_words(max(shares))
    share = least if least == most else f"{least} to {most}"
    return f"The bound lies below the loss of no information in {share} of runs (each at {held})."


def difference_words(result: ExperimentResult, other: ExperimentResult) -> str:
    """What an experiment is compared with, and the parts in which both differ."""
    parts = differing_parts(result, other)
    if not parts:
        return f"With {experiment_title(other.spec)}: no part differs."
    mark = "Not to be put down to one part. " if len(parts) > 1 else ""
    return f"{mark}They differ in: {', '.join(parts)}."


def summary_table(result: ExperimentResult | None) -> Table:
    """One row per sampling method and learner."""
    columns = (
        "Method",
        "Learner",
        "Runs",
        "Error",
        "From",
        "To",
        "Largest bound",
        "No information",
        "Bound below it",
        "Effect error",
        "Effect bound",
    )
    rows = tuple(_summary(group) for group in result.groups) if result is not None else ()
    return Table(columns=columns, rows=rows, right=tuple(range(2, 11)), name="By method")


def _summary(group: GroupSummary) -> tuple[str, ...]:
    return (
        SAMPLER_WORDS.get(group.sampler, group.sampler),
        learner_label(group.learner),
        format_count(group.runs),
        error_words(group.mean),
        error_words(group.lowest),
        error_words(group.highest),
        error_words(group.bound),
        error_words(group.chance),
        share_words(group.below_chance),
        error_words(group.effect_mean),
        error_words(group.effect_bound),
    )


class RunRows(Sequence[tuple[str, ...]]):
    """The cells of runs, each row made when it is looked at: there may be tens of thousands."""

    def __init__(self, runs: RunTable) -> None:
        self._runs = runs
        self._counts = (runs.n_train, runs.n_test)
        self._losses = (runs.error, runs.variance, runs.bound, runs.chance)
        self._effects = (runs.effect_error, runs.effect_bound)
        self._last: tuple[int, tuple[str, ...]] = (-1, ())

    def __len__(self) -> int:
        return self._runs.count

    @overload
    def __getitem__(self, place: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> list[tuple[str, ...]]: ...
    def __getitem__(self, place: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(place, slice):
            return [self._row(at) for at in range(*place.indices(len(self)))]
        at = range(len(self))[place]
        if at != self._last[0]:  # a row is read cell by cell
            self._last = at, self._row(at)
        return self._last[1]

    def _row(self, at: int) -> tuple[str, ...]:
        runs = self._runs
        return (
            SAMPLER_WORDS.get(runs.samplers[int(runs.sampler[at])], ""),
            learner_label(runs.learners[int(runs.learner[at])]),
            format_count(int(runs.system[at]) + 1),
            format_count(int(runs.split[at]) + 1),
            *(format_count(int(values[at])) for values in self._counts),
            *(error_words(float(values[at])) for values in (*self._losses, *self._effects)),
            format_count(int(runs.clipped[at])),
        )


def runs_table(result: ExperimentResult | None) -> AnyTable:
    """One row per fitted evaluation model."""
    columns = (
        "Method",
        "Learner",
        "System",
        "Split",
        "Training rows",
        "Test rows",
        "Error",
        "Variance",
        "Bound",
        "No information",
        "Effect error",
        "Effect bound",
        "Clipped",
    )
    rows = RunRows(result.runs) if result is not None else ()
    return AnyTable(columns=columns, rows=rows, right=tuple(range(2, 13)), name="Runs")


def granted_table(result: ExperimentResult | None, facts: DataFacts | None) -> Table:
    """Conditions of the bounds, warnings of the rows, and how the source was read."""
    rows: list[tuple[str, ...]] = []
    if result is not None:
        rows += [("Bound", line) for line in result.conditions]
    if facts is not None:
        rows += [("Warning", line) for line in facts.warnings]
        rows += [("Reading", line) for line in facts.notes]
    name = "What is taken for granted"
    return Table(columns=("About", name), rows=tuple(rows), name="What it takes for granted")


def compared_table(result: ExperimentResult | None, other: ExperimentResult | None) -> Table:
    """Mean errors of both experiments by method and learner."""
    if result is None or other is None:
        sentence = "Choose “Compare with” above to lay another experiment beside this one."
        return Table(columns=("Comparison",), rows=((sentence,),), name="Comparison")
    columns = (
        "Method",
        "Learner",
        "Error here",
        "Error there",
        "Difference",
        "Effect error here",
        "Effect error there",
        "Difference",
    )
    theirs = {(group.sampler, group.learner): group for group in other.groups}
    rows = []
    for group in result.groups:
        match = theirs.get((group.sampler, group.learner))
        there = (match.mean, match.effect_mean) if match is not None else (math.nan, math.nan)
        rows.append(
            (
                SAMPLER_WORDS.get(group.sampler, group.sampler),
                learner_label(group.learner),
                error_words(group.mean),
                error_words(there[0]),
                _signed(group.mean - there[0]),
                error_words(group.effect_mean),
                error_words(there[1]),
                _signed(group.effect_mean - there[1]),
            )
        )
    return Table(columns=columns, rows=tuple(rows), right=tuple(range(2, 8)), name="Comparison")


def _signed(value: float) -> NumberText:
    if not math.isfinite(value):
        return NumberText("–", value)
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return NumberText(f"{sign}{abs(value):.4f}", value)


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


def runs(answer: ExperimentResult, labels: Labels) -> View:
    """The card that ``labels.part`` names; left out: the verdict, all losses and both tables."""
    name = RunsCard.read(labels.part)
    if name.card == SUMMARY:
        return _table_view(answer, "Losses by method", summary_table(answer))
    if name.card == GRANTED:
        return _table_view(answer, "What it takes for granted", granted_table(answer, answer.data))
    if name.card == VIOLINS:
        return _chart_view(violin_chart(answer, loss_groups(answer, name), name.is_effect))
    if name.card == LOSSES:
        return _chart_view(loss_chart(answer, find_loss_group(answer, name), name.is_effect))
    groups = (group for group in loss_groups(answer, name) if len(group.losses))
    return View(
        title=experiment_title(answer.spec),
        sentences=tuple(line for line in (verdict_of(answer),) if line),
        tables=(summary_table(answer), granted_table(answer, answer.data)),
        charts=tuple(loss_chart(answer, group, name.is_effect) for group in groups),
    )


def _chart_view(chart: Chart) -> View:
    return View(
        title=chart.title, subtitle=chart.subtitle, charts=(chart,), notes=(chart.definition,)
    )


def _table_view(answer: ExperimentResult, title: str, table: Table) -> View:
    verdict = verdict_of(answer)
    return View(
        title=title,
        subtitle=experiment_title(answer.spec),
        tables=(table,),
        notes=(verdict,) if verdict else (),
    )


def check(answer: DataFacts, labels: Labels) -> View:
    """What was found in the rows of an experiment, and how they were read."""
    del labels
    words = (
        f"{counted(answer.rows, 'row')}, {counted(answer.conditions, 'column')} of conditions, "
        f"{counted(answer.parameters, 'parameter')} a subject"
    )
    if math.isfinite(answer.prevalence):
        words += f", mean outcome {answer.prevalence:.3f}"
    return View(
        title="Rows of the experiment",
        sentences=(f"{words}.",),
        tables=(granted_table(None, answer),),
    )


# ---------------------------------------------------------------- another experiment beside it


def comparison(answer: ExperimentPair, labels: Labels) -> View:
    """Another experiment's losses in grey, and the differences as a table.

    ``labels.part`` says of which learner, and whether of the effect.
    """
    here, there, name = answer.here, answer.there, RunsCard.read(labels.part)
    groups = (group for group in loss_groups(here, name, there) if len(group.losses))
    return View(
        title="Comparison",
        subtitle=experiment_title(here.spec),
        sentences=(difference_words(here, there),),
        tables=(compared_table(here, there),),
        charts=tuple(loss_chart(here, group, name.is_effect) for group in groups),
    )
