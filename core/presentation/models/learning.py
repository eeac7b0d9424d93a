"""What page Models shows of a training: the loss by tree on cases of each kind."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from core.document.model import TreeRule
from core.document.studies.models import LearnedResult
from core.document.training_results import TrainingCurves
from core.document.wording import format_count, format_money, format_number, name_in_text
from core.presentation.charts.chart import AxisSpec, BaselineSpec, Chart, SeriesSpec
from core.presentation.labels import Labels, TreesStyle
from core.presentation.view import Table, View
from payoff.counting import counted
from payoff.types import FloatArray

VALIDATION_DASH: tuple[float, ...] = ()
OOB_DASH = (4.0, 2.5)
TRAINING_DASH = (1.0, 1.6)
TEST_DASH = (7.0, 2.0, 1.2, 2.0)
_LAST = 0.02  # of all trees: a curve that is lowest there still falls


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """Another model of the same loss, at its best tree."""

    name: str
    series: int
    deviance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """What the chart shows of one training. Arrays have one entry per point, NaN = not known.

    ``out_of_bag`` is the deviance that the out-of-bag improvements add up to; ``best`` is the
    number of trees that is marked, counted from 1, 0 = none, and ``mark`` says what it is: only
    what rows chose that did not train is "best". ``test`` and ``profit`` are of the rows in
    ``rows_text``, NaN at numbers of trees that were not tried.
    """

    model: str
    series: int
    loss: str  # "Bernoulli deviance"
    wanted: int
    trees: FloatArray  # how many trees each point stands for
    training: FloatArray
    validation: FloatArray
    out_of_bag: FloatArray
    folds: FloatArray
    best: int = 0
    mark: str = "best"
    used: int = 0  # trees that scores come from; 0 while it grows
    is_running: bool = False
    watched: str = "validation"  # the curve that chooses the best tree
    rival: Rival | None = None
    no_model: float = math.nan  # deviance of the best constant score
    subtitle: str = ""
    test: FloatArray = field(default_factory=lambda: np.empty(0))
    profit: FloatArray = field(default_factory=lambda: np.empty(0))
    rows_text: str = ""
    no_profit: str = ""

    @property
    def done(self) -> int:
        """How many trees there are."""
        return int(self.trees[-1]) if len(self.trees) else 0

    def place_of(self, tree: int) -> int:
        """The point that is nearest to a number of trees."""
        return int(np.argmin(np.abs(self.trees - tree)))

    def curves(self) -> tuple[tuple[str, FloatArray, tuple[float, ...], bool], ...]:
        """Name, values, dash and greyness of the curves with any value."""
        every = (
            ("validation", self.validation, VALIDATION_DASH, False),
            ("folds", self.folds, VALIDATION_DASH, False),
            ("out of bag", self.out_of_bag, OOB_DASH, False),
            ("test", self.test, TEST_DASH, False),
            ("training", self.training, TRAINING_DASH, True),
        )
        return tuple(entry for entry in every if np.isfinite(entry[1]).any())

    def no_model_words(self) -> str:
        """The name of the loss without a model; of which rows, where test rows lie beside it."""
        if not np.isfinite(self.test).any():
            return "no model"
        judged = np.isfinite(self.validation).any()
        return "no model, validation rows" if judged else "no model, training rows"

    def size(self) -> float:
        """The largest value of its curves."""
        return max((float(np.nanmax(np.abs(y))) for _, y, _, _ in self.curves()), default=0.0)

    def tried(self, tree: int) -> int:
        """The number of trees nearest to one, of those whose profit, or test loss, is known."""
        for values in (self.profit, self.test):
            known = np.flatnonzero(np.isfinite(values))
            if len(known):
                return int(self.trees[known[np.argmin(np.abs(self.trees[known] - tree))]])
        return tree

    def profit_at(self, tree: int) -> float:
        """The profit with so many trees; NaN where it is not known."""
        if not len(self.profit):
            return math.nan
        known = np.flatnonzero(np.isfinite(self.profit) & (self.trees == tree))
        return float(self.profit[known[0]]) if len(known) else math.nan

    def falling(self) -> str:
        """The name of the curve that says so where it still falls at the last tree; else empty."""
        values = {name: curve for name, curve, _, _ in self.curves()}.get(self.watched)
        if self.is_running or values is None or self.done < 2:
            return ""
        lowest = float(self.trees[int(np.nanargmin(values))])
        return self.watched if lowest > self.done * (1.0 - _LAST) - 1.0 else ""

    def best_value(self) -> float:
        """The watched deviance at the best tree."""
        values = {name: curve for name, curve, _, _ in self.curves()}.get(self.watched)
        if values is None or not 1 <= self.best <= self.done:
            return math.nan
        return float(values[self.place_of(self.best)])


def deviance_words(value: float, reference: float) -> str:
    """A deviance with four digits that matter at the curve's size: 0.2965, 12.35, 1,204."""
    if not math.isfinite(value):
        return format_number(value)
    size = max(abs(value), abs(reference), 1e-12)
    decimals = min(8, max(0, 3 - math.floor(math.log10(size))))
    return format_number(value, decimals)


def learned(answer: LearnedResult, labels: Labels) -> View:
    """How a model learned, and what every rule's number of trees brings."""
    learning = kept_learning(answer, labels.series_of(answer.model), labels.trees_of(answer.model))
    charts = () if not learning.curves() else (learning_chart(learning),)
    if np.isfinite(learning.profit).any():
        charts = (*charts, profit_by_trees(learning, labels))
    return View(
        key=answer.model,
        title=f"How {name_in_text(answer.model)} learned",
        subtitle=learning.subtitle,
        sentences=tuple(filter(None, (worth_words(learning, labels), falling_words(learning)))),
        tables=(_choices_table(answer, learning, labels),),
        charts=charts,
        notes=tuple(chart.definition for chart in charts),
    )


def kept_learning(
    answer: LearnedResult, series: int, look: TreesStyle, rival: Rival | None = None
) -> Learning:
    """Return what the chart shows of a finished model."""
    curves = answer.curves
    empty = np.full(len(curves.trees), math.nan)
    places = np.searchsorted(curves.trees, answer.points)
    test, profit = empty.copy(), empty.copy()
    profit[places] = answer.profit
    if answer.are_test_rows:
        test[places] = answer.loss
    return replace(
        finished_learning(curves, series, look, rival),
        test=test,
        profit=profit,
        rows_text=answer.rows_text,
        no_profit=answer.no_profit,
    )


def finished_learning(
    curves: TrainingCurves, series: int, look: TreesStyle, rival: Rival | None = None
) -> Learning:
    """Return what the chart shows of a training that has ended, by its curves alone."""
    is_chosen = bool(look.mark) and look.used > 0
    return Learning(
        model=look.model,
        series=series,
        loss=curves.deviance_words,
        wanted=max(curves.done, 1),
        trees=curves.trees,
        training=curves.train,
        validation=curves.valid,
        out_of_bag=out_of_bag(curves),
        folds=curves.crossed,
        best=look.used if is_chosen else 0,
        mark=look.mark,
        used=look.used or curves.done,
        watched=judging_curve(curves),
        rival=rival,
        no_model=curves.no_model,
        subtitle=used_words(curves, look),
    )


def judging_curve(curves: TrainingCurves) -> str:
    """The name of the curve that tells best when to stop."""
    if np.isfinite(curves.crossed).any():
        return "folds"
    return "validation" if np.isfinite(curves.valid).any() else "out of bag"


def out_of_bag(curves: TrainingCurves) -> FloatArray:
    """The deviance that the out-of-bag improvements add up to, from the first tree's on."""
    known = np.isfinite(curves.oob)
    if not known.any() or not np.isfinite(curves.train).any():
        return np.full(len(curves.trees), math.nan)
    return np.asarray(float(curves.train[0]) - (curves.oob - curves.oob[0]))


def used_words(curves: TrainingCurves, look: TreesStyle) -> str:
    """How many trees a finished model has and uses, and what chose their number."""
    words = counted(curves.done, "tree")
    if 0 < look.used < curves.done:
        why = f", {_CHOSEN[look.mark]}" if look.mark in _CHOSEN else ""
        first = "is" if look.used == 1 else f"{format_count(look.used)} are"
        return f"{words}, the first {first} used{why}"
    loss = out_of_bag(curves)
    if look.mark or not np.isfinite(loss).any():
        return words + ", all used"
    lowest = int(curves.trees[int(np.nanargmin(loss))])
    if not 0 < lowest < curves.done:
        return words + ", all used"
    return f"{words}, all used; out of bag the loss was lowest at tree {format_count(lowest)}"


_CHOSEN = {
    "by hand": "chosen by hand",
    "out of bag": "chosen out of bag",
    "lowest on test rows": "chosen on the test rows",
}


def worth_words(learning: Learning, labels: Labels, tree: int = 0) -> str:
    """What a model brings with a number of trees, beside the number in use; empty: not known."""
    tree = tree or learning.used
    value, now = learning.profit_at(tree), learning.profit_at(learning.used)
    if not math.isfinite(value):
        return ""
    words = f"{labels.money(value)} on {learning.rows_text} with {counted(tree, 'tree')}"
    if tree == learning.used or not math.isfinite(now):
        return f"{words}."
    gap = labels.shown(value - now)
    more = f"{format_money(abs(gap), labels.currency)} {'more' if gap > 0 else 'less'} than"
    if gap == 0:
        more = "the same as"
    return f"{words}, {more} with the {format_count(learning.used)} in use."


def falling_words(learning: Learning) -> str:
    """Say that a loss still falls at the last tree; empty where it does not."""
    name = learning.falling()
    what = {"folds": "The loss of the folds", "out of bag": "The out-of-bag loss"}
    return f"{what.get(name, 'The validation loss')} still falls at the last tree." if name else ""


RULE_WORDS = {
    TreeRule.VALIDATION: "Validation rows",
    TreeRule.FOLDS: "Folds",
    TreeRule.OUT_OF_BAG: "Out of bag",
    TreeRule.TEST: "Test rows",
    TreeRule.ALL: "All trees",
}


def _choices_table(answer: LearnedResult, learning: Learning, labels: Labels) -> Table:
    """The number of trees that every rule chooses, and what it brings."""
    rows = []
    for choice in answer.choices:
        value = learning.profit_at(learning.tried(choice.trees)) if choice.trees else math.nan
        money = labels.money(value) if math.isfinite(value) else ""
        trees = format_count(choice.trees) if choice.trees else choice.why_not
        rows.append((RULE_WORDS[choice.rule], trees, money))
    return Table(
        columns=("Chosen by", "Trees", f"{labels.amount.capitalize()}, {answer.rows_text}"),
        rows=tuple(rows),
        right=(1, 2),
        name="Number of trees",
    )


def profit_by_trees(learning: Learning, labels: Labels) -> Chart:
    """What the decisions of a model bring, by the number of its trees."""
    sign = -1.0 if labels.is_loss else 1.0
    known = np.isfinite(learning.profit)
    y = sign * learning.profit[known]
    low, high = float(y.min()), float(y.max())
    room = (high - low) * 0.06 or max(abs(high), 1.0) * 0.05
    return Chart(
        kind="profit_by_trees",
        title=f"{labels.amount.capitalize()} by number of trees",
        subtitle=learning.rows_text,
        x_axis=AxisSpec(label="trees", quantity="number", low=0.0, high=float(learning.wanted)),
        y_axis=AxisSpec(
            label=labels.amount,
            quantity="money",
            low=low - room,
            high=high + room,
            currency=labels.currency,
        ),
        series=(
            SeriesSpec(name=learning.model, series=learning.series, x=learning.trees[known], y=y),
        ),
        baselines=_best_mark(learning, float(learning.wanted), low - room, high + room),
        definition=(
            f"The total {labels.amount} of the decisions on {learning.rows_text}, with the first "
            "trees of the model. A number chosen by this curve is flattered by it."
        ),
    )


def learning_chart(learning: Learning) -> Chart:
    """Is it still learning? The curves of a training with trees."""
    series = [
        SeriesSpec(
            name=name,
            series=learning.series,
            x=learning.trees,
            y=values,
            dash=dash,
            is_quiet=is_quiet,
            is_chosen=name == learning.watched,
        )
        for name, values, dash, is_quiet in learning.curves()
    ]
    wanted = float(max(learning.wanted, 2))
    low, high = _range(learning)
    if learning.rival is not None:
        series.insert(0, _rival_line(learning.rival, wanted))
    question = "Is %s still learning?" if learning.is_running else "How %s learned"
    return Chart(
        kind="learning",
        title=question % learning.model,
        subtitle=learning.subtitle,
        x_axis=AxisSpec(label="trees", quantity="number", low=0.0, high=wanted),
        y_axis=AxisSpec(
            label=f"{learning.loss}, lower is better", quantity="number", low=low, high=high
        ),
        series=tuple(series),
        baselines=(
            *_best_mark(learning, wanted, low, high),
            *_no_model_mark(learning, wanted),
            *_rival_mark(learning, wanted),
        ),
        definition=(
            "The loss after each tree. On training cases it falls on and on; on cases that did "
            "not train it turns where the model starts to learn accidents by heart. Out of "
            "bag: on the cases that a tree was not shown, as improvements added up. No model: "
            "every case gets the same best number."
        ),
        headroom=8,
    )


def _best_mark(
    learning: Learning, wanted: float, low: float, high: float
) -> tuple[BaselineSpec, ...]:
    """A line at the number of trees that was chosen, or is the best so far."""
    is_known = learning.mark != "best" or math.isfinite(learning.best_value())
    if not (is_known and 1 <= learning.best <= learning.done):
        return ()
    at = float(learning.best)
    head = "best so far" if learning.is_running else learning.mark
    mark = BaselineSpec(
        name=f"{head}: tree {format_count(at)}",
        x=np.array([at, at]),
        y=np.array([low, high]),
        label_at=at / wanted,
        side="left" if at > 0.3 * wanted else "right",
    )
    return (mark,)


def _no_model_mark(learning: Learning, wanted: float) -> tuple[BaselineSpec, ...]:
    """The loss that every case with the same best number would have."""
    if not math.isfinite(learning.no_model):
        return ()
    level = np.full(2, learning.no_model)
    line = np.array([0.0, wanted])
    name = learning.no_model_words()
    return (BaselineSpec(name=name, x=line, y=level, label_at=0.68, side="below"),)


def _rival_mark(learning: Learning, wanted: float) -> tuple[BaselineSpec, ...]:
    """A line at the other model's best, where there is one."""
    rival = learning.rival
    if rival is None:
        return ()
    words = (
        f"{name_in_text(rival.name)} at its best: {deviance_words(rival.deviance, rival.deviance)}"
    )
    line = BaselineSpec(
        name=words, x=np.array([0.0, wanted]), y=np.full(2, rival.deviance), is_dashed=False
    )
    return (line,)


def _rival_line(rival: Rival, wanted: float) -> SeriesSpec:
    return SeriesSpec(
        name=rival.name,
        series=rival.series,
        x=np.array([0.0, wanted]),
        y=np.full(2, rival.deviance),
        dash=(),
    )


def _range(learning: Learning) -> tuple[float, float]:
    """All curves, the rival and the loss without a model, with a little room below."""
    curves = [values for _, values, _, _ in learning.curves()]
    if learning.rival is not None:
        curves.append(np.array([learning.rival.deviance]))
    if math.isfinite(learning.no_model):
        curves.append(np.array([learning.no_model]))
    values = np.concatenate(curves)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = (high - low) * 0.06 or max(abs(high), 1e-6) * 0.05
    return low - room if low < 0.0 else max(0.0, low - room), high
