"""What page Decide shows of its answers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.document.studies.decided_cases import (
    ACTIONS,
    MONEY,
    NO_COST,
    CapacityCurve,
    CapacityPoint,
    CapacityResult,
    GapResult,
)
from core.document.studies.moving_numbers import TriedNumber, WinnerMapResult
from core.document.wording import (
    NBSP,
    format_count,
    format_money,
    format_money_interval,
    format_number,
    format_share,
    join_words,
)
from core.presentation.charts.chart import (
    CONSTANT,
    AsideSpec,
    AxisSpec,
    Chart,
    RegionsSpec,
    SeriesSpec,
)
from core.presentation.charts.scales import extent
from core.presentation.decide.profit import best_cases_axis
from core.presentation.labels import Labels, capitalised, setting_words
from core.presentation.view import Action, Cell, Table, View
from payoff.counting import counted, counted_of
from payoff.types import FloatArray

# ---------------------------------------------------------------- capacity


def capacity(answer: CapacityResult, labels: Labels) -> View:
    """Two limits: the best total within them, what one more would earn, and total by capacity."""
    point = answer.point(labels.chosen) or answer.points[0]
    free = answer.free[answer.points.index(point)]
    amount = "Least total loss within it" if labels.is_loss else "Best total profit within it"
    ends = labels.interval(point.profit.low, point.profit.high)
    is_one_action = len(answer.acting) == 1
    return View(
        title=f"{amount}, {point.model}",
        subtitle=_limit_words(answer, labels),
        figure=labels.money(point.profit.value),
        interval=f"{format_money_interval(*ends)}, 95{NBSP}% {point.profit.holds_fixed}".rstrip(),
        sentences=(
            price_sentence(answer, labels, point),
            use_sentence(answer, labels, point, free),
        ),
        charts=(_capacity_chart(answer, labels),),
        actions=(
            Action(
                name="move_cursor",
                label="Use this depth",
                value=point.depth,
                help=f"Move the cursor to {format_share(point.depth)}"
                if is_one_action
                else "Several decisions count as actions: these are no depth of one of them",
                is_possible=is_one_action,
            ),
        ),
    )


def action_word(acting: tuple[str, ...], labels: Labels) -> str:
    """What an action does to a case: "mailed"; "acted on" where several decisions are actions."""
    return labels.done if len(acting) < 2 else "acted on"


def _limit_words(answer: CapacityResult, labels: Labels) -> str:
    """The limits: "at most 500 letters mailed, at most € 1,000 spent"."""
    parts = []
    if answer.most_actions is not None:
        done = action_word(answer.acting, labels)
        parts.append(f"at most {counted(answer.most_actions, labels.case, labels.cases)} {done}")
    if answer.most_money is not None:
        parts.append(f"at most {format_money(answer.most_money, labels.currency)} spent")
    return ", ".join(parts) or "without a limit"


def price_sentence(result: CapacityResult, labels: Labels, point: CapacityPoint) -> str:
    """What one more action or unit of money would earn."""
    done = action_word(result.acting, labels)
    if point.binding == "none":
        return (
            f"The limit does not bind: one more {labels.case} {done} is expected to gain nothing."
        )
    parts = []
    if point.action_price > 0 or point.binding == ACTIONS:
        earned = labels.verbs.gains(format_money(point.action_price, labels.currency, decimals=2))
        parts.append(f"One more {labels.case} {done} would {earned}")
    if point.money_price > 0 or point.binding == MONEY:
        earned = labels.verbs.gains(format_money(point.money_price, labels.currency, decimals=2))
        unit = format_money(1.0, labels.currency)
        head = "one more" if parts else "One more"
        parts.append(f"{head} {unit} would {earned}")
    text = ", ".join(parts)
    if math.isfinite(point.realised_price):
        came = format_money(point.realised_price, labels.currency, decimals=2)
        text += f"; around here it really {'saved' if labels.is_loss else 'brought'} {came}"
    return text + "."


def use_sentence(
    result: CapacityResult, labels: Labels, point: CapacityPoint, free: CapacityPoint
) -> str:
    """How much is used, of what, and what the limit costs."""
    several = len(result.acting) > 1
    done = action_word(result.acting, labels)
    if several:
        shares = [f"{name} {format_count(count)}" for name, count in point.counts if count > 0]
        used = join_words(shares)
    else:
        used = counted_of(point.actions, result.cases, labels.case, labels.cases) + f" {done}"
        used += f" ({format_share(point.depth)})"
    text = f"{used}, {_spent_words(result, point, labels)}."
    expected = format_money(labels.shown(point.expected), labels.currency)
    text += f" The chances promise {expected}."
    lost = free.profit.value - point.profit.value
    if point.binding != "none":
        verb = "costs" if lost >= 0 else "saves"
        text += f" The limit {verb} {format_money(abs(lost), labels.currency)}"
        text += f" against none ({format_count(free.actions)} {done})."
    is_described = not result.price_reason.startswith(NO_COST)  # else it stands beside the money
    if result.price is not None and is_described and point.binding in (MONEY, "both"):
        text += f" Price of an action: {result.price_reason}."
    return text


def _spent_words(result: CapacityResult, point: CapacityPoint, labels: Labels) -> str:
    """The money used: spent where costs are known or a price was typed, else what may be lost."""
    money = format_money(point.money, labels.currency)
    if result.price_reason.startswith(NO_COST):
        return f"{money} at stake ({result.price_reason})"
    return f"{money} spent"


def _with_limit(answer: CapacityResult, curve: CapacityCurve) -> CapacityCurve:
    """The curve through what was worked out at the limit, so that both read the same there.

    Of two limits the curve follows one alone, and the point lies beside it.
    """
    point, at = answer.point(curve.model), answer.limit
    has_two = answer.most_actions is not None and answer.most_money is not None
    if point is None or at is None or has_two or not 0.0 <= at <= curve.capacity[-1]:
        return curve
    others = curve.capacity != at
    place = int(np.searchsorted(curve.capacity[others], at))
    price = point.money_price if answer.resource != ACTIONS else point.action_price

    def through(line: FloatArray, value: float) -> FloatArray:
        return np.insert(line[others], place, value)

    return replace(
        curve,
        capacity=through(curve.capacity, at),
        profit=through(curve.profit, point.profit.value),
        low=through(curve.low, point.profit.low),
        high=through(curve.high, point.profit.high),
        expected=through(curve.expected, point.expected),
        price=through(curve.price, price),
    )


def _capacity_chart(answer: CapacityResult, labels: Labels) -> Chart:
    """The best profit that a number of actions, or an amount of money, can bring."""
    curves = tuple(_with_limit(answer, curve) for curve in answer.curves)
    chosen = [curve for curve in curves if curve.model == labels.chosen]
    series = (
        *(_capacity_line(curve, labels) for curve in curves),
        *(_expected_line(curve, labels) for curve in chosen),
    )
    bounds = [(entry.y, entry.low, entry.high) for entry in series]
    low, high = extent([line for lines in bounds for line in lines if line is not None])
    is_money = answer.resource != ACTIONS
    one = format_money(1.0, labels.currency) if is_money else "one"
    is_both = answer.most_actions is not None and answer.most_money is not None
    return Chart(
        kind="capacity",
        title=f"What can the best decisions {labels.verbs.bring}?",
        subtitle=f"{'by the number alone' if is_both else 'at most so much'}, bands 95 %",
        x_axis=_resource_axis(answer, labels),
        y_axis=AxisSpec(
            label=capitalised(f"total {labels.amount}"),
            quantity="money",
            currency=labels.currency,
            low=low,
            high=high,
        ),
        series=series,
        definition=(
            "For each limit the best decisions are chosen by what the chances promise per "
            "action, or per unit of money: the most worthwhile first, until the limit is "
            "used up. The line is what these decisions really "
            f"{labels.verbs.realised}. Where it is flat, no "
            "further case is worth acting on."
        ),
        variant=answer.holds_fixed,
        rows_text=answer.rows.text,
        headroom=16,
        box_corner="bottom right",
        asides=tuple(
            AsideSpec(
                words=f"{one} more: {{}}", x=curve.capacity, y=curve.price, currency=labels.currency
            )
            for curve in chosen
        ),
        rests_at=answer.limit,
    )


def _resource_axis(answer: CapacityResult, labels: Labels) -> AxisSpec:
    high = max(float(curve.capacity[-1]) for curve in answer.curves) or 1.0
    if answer.resource != ACTIONS:
        return AxisSpec(
            label=f"{labels.currency} to spend",
            quantity="money",
            currency=labels.currency,
            low=0.0,
            high=high,
        )
    return AxisSpec(
        label=f"{labels.cases} {action_word(answer.acting, labels)} at the most",
        quantity="number",
        counts=(labels.case, labels.cases),
        low=0.0,
        high=high,
    )


def _capacity_line(curve: CapacityCurve, labels: Labels) -> SeriesSpec:
    low, high = (curve.high, curve.low) if labels.is_loss else (curve.low, curve.high)
    sign = -1.0 if labels.is_loss else 1.0
    return SeriesSpec(
        name=curve.model,
        series=labels.series_of(curve.model),
        x=curve.capacity,
        y=sign * curve.profit,
        low=sign * low,
        high=sign * high,
        is_chosen=curve.model == labels.chosen,
    )


def _expected_line(curve: CapacityCurve, labels: Labels) -> SeriesSpec:
    """What the chances of the chosen model promise of the same decisions."""
    return SeriesSpec(
        name=f"{curve.model}, promised",
        series=labels.series_of(curve.model),
        x=curve.capacity,
        y=(-1.0 if labels.is_loss else 1.0) * curve.expected,
        dash=(2.0, 2.0),
        is_quiet=True,
    )


# ---------------------------------------------------------------- winner map


def winners(answer: WinnerMapResult, labels: Labels) -> View:
    """The best model or constant rule at every setting of two numbers."""
    names = tuple(
        name if place < answer.models else _constant_words(name, labels)
        for place, name in enumerate(answer.names)
    )
    marks = tuple(
        labels.series_of(name) if place < answer.models else CONSTANT
        for place, name in enumerate(answer.names)
    )
    note = [_exactness_words(answer, labels), *answer.warnings[:1]]
    across, up = capitalised(answer.x.name), answer.y.name
    return View(
        title="Winner map",
        subtitle=f"{across} against {up}",
        sentences=(f"Now: {names[answer.now_winner]}, {labels.money(answer.now_profit)}",),
        tables=(_winner_table(answer, names, marks),),
        charts=(_winner_chart(answer, labels, names, marks),),
        notes=(" ".join(note),),
    )


def _winner_chart(
    answer: WinnerMapResult, labels: Labels, names: tuple[str, ...], marks: tuple[int, ...]
) -> Chart:
    sign = -1.0 if labels.is_loss else 1.0
    return Chart(
        kind="winner_map",
        title="Who wins where?",
        subtitle=f"{capitalised(answer.x.name)} against {answer.y.name}",
        x_axis=_number_axis(answer.x, labels),
        y_axis=_number_axis(answer.y, labels),
        regions=RegionsSpec(
            numbers=(answer.x.name, answer.y.name),
            names=names,
            series=marks,
            region=answer.winner,
            second=answer.second,
            value=sign * answer.profit,
            margin=answer.margin,
            now=(answer.x.now, answer.y.now),
            currency=labels.currency,
        ),
        definition=(
            "Two numbers take every value of their ranges, all others stay as they are. At "
            "each point decisions are made again, and the colour names what is best: a "
            "model, or one decision for all cases, which needs no model. The colour is "
            "the stronger the clearer it wins. The filled point is where you are now."
        ),
        variant=(
            "max over m of Σᵢ Fᵢ w Q(Tᵢ, Dₘ(i; x, y); x, y); generalises cost curves "
            "(Drummond and Holte, 2006)"
        ),
        rows_text=answer.rows.text,
        headroom=0,
    )


def _number_axis(axis: TriedNumber, labels: Labels) -> AxisSpec:
    unit = labels.currency if axis.unit == "money" else ""
    label = capitalised(axis.name)
    return AxisSpec(
        label=f"{label}, {unit}" if unit else label,
        quantity="percent" if axis.unit == "share" else "number",
        currency=unit,
        low=axis.low,
        high=axis.high,
    )


def _winner_table(answer: WinnerMapResult, names: tuple[str, ...], marks: tuple[int, ...]) -> Table:
    """Who wins how much of the map."""
    counts = np.bincount(answer.winner.ravel(), minlength=len(names))
    rows = []
    for place, (name, mark) in enumerate(zip(names, marks, strict=True)):
        role = "text" if counts[place] else "quiet"
        series = mark if mark != CONSTANT else None
        is_now = place == answer.now_winner
        first = Cell(text=name, is_left=True, series=series, role=role, is_bold=is_now)
        share = format_share(counts[place] / answer.winner.size)
        rows.append((first, Cell(text=share, role=role)))
    return Table(
        name="Who wins how much of the map",
        columns=("Wins here", "Share of map"),
        rows=tuple(rows),
    )


def _exactness_words(answer: WinnerMapResult, labels: Labels) -> str:
    """How exact the map is: for all rows, or from a part of them and of the points."""
    rows = counted(answer.rows.rows, "row")
    if answer.is_exact:
        return f"Exact for all {rows}."
    parts = [f"From all {rows}."]
    if answer.cases < answer.rows.rows:
        error = setting_words(answer.error, "money", labels.currency)
        parts = [
            f"From {format_count(answer.cases)} of {rows}, drawn evenly: a margin "
            f"is right within {error} (95 %)."
        ]
    if answer.checked:
        checks = counted_of(answer.missed, answer.checked, "check")
        parts.append(f"Between points worked out: {checks} had another winner.")
    return " ".join(parts)


def _constant_words(name: str, labels: Labels) -> str:
    """A constant rule in words: mailing all, doing nothing."""
    if name == labels.acting:
        return labels.acting_on_all
    return labels.all_get(name)


# ---------------------------------------------------------------- gap


def gap(answer: GapResult, labels: Labels) -> View:
    """What the chances promised and what came in, what was left, what better ranking earns."""
    return View(
        title=f"Expected against realised, {answer.model}",
        sentences=(answer.verdict[0], where_words(answer, labels)),
        state="ok" if answer.is_kept else "warning",
        tables=(left_rows(answer, labels),),
        charts=(_gap_chart(answer, labels),),
        notes=(auc_words(answer, labels),),
    )


def _gap_chart(answer: GapResult, labels: Labels) -> Chart:
    """Two lines of one model over the depth; the band belongs to the promise."""
    sign = -1.0 if labels.is_loss else 1.0
    low, high = (answer.high, answer.low) if labels.is_loss else (answer.low, answer.high)
    bottom, top = extent([sign * line for line in (answer.realised, low, high)])
    series = labels.series_of(answer.model)
    return Chart(
        kind="gap",
        title="Do the chances keep their promise?",
        subtitle=answer.model,
        x_axis=best_cases_axis(labels),
        y_axis=AxisSpec(
            label=capitalised(f"total {labels.amount}"),
            quantity="money",
            currency=labels.currency,
            low=bottom,
            high=top,
        ),
        series=(
            SeriesSpec(
                name="promised",
                series=series,
                x=answer.depth,
                y=sign * answer.expected,
                low=sign * low,
                high=sign * high,
                dash=(5.0, 3.0),
                is_quiet=True,
            ),
            SeriesSpec(
                name=labels.verbs.came_in,
                series=series,
                x=answer.depth,
                y=sign * answer.realised,
                is_chosen=True,
                dash=(),
            ),
        ),
        definition=(
            "The dashed line adds up what the chances promise of acting on the best n %, the "
            f"full line what that really {labels.verbs.realised}. If the chances "
            "are right, the full line lies "
            "within the band at 95 of 100 depths looked at one at a time."
        ),
        variant=answer.holds_fixed,
        rows_text=answer.rows.text,
        headroom=10,
        box_corner="top right",
        asides=(
            AsideSpec(
                words="gap {}",
                x=answer.depth,
                y=sign * (answer.realised - answer.expected),
                currency=labels.currency,
                has_sign=True,
            ),
        ),
        rests_at=answer.rule_depth,
    )


def foresight_words(missed: float, best: float, labels: Labels) -> str:
    """What perfect foresight would have added: "€ 52 less than the best possible, € 940".

    More is missed than it would bring where money was lost: it is no part of it.
    """
    amount = format_money(missed, labels.currency)
    if labels.is_loss:
        return f"{amount} above the least possible, {labels.money(best)}"
    return f"{amount} less than the best possible, {labels.money(best)}"


def where_words(result: GapResult, labels: Labels) -> str:
    """Promise and outcome at the rule, the gap's interval, and where it is largest."""
    expected = labels.money(result.rule_expected)
    came = labels.money(result.rule_realised)
    gap = result.rule_gap
    ends = format_money_interval(*labels.interval(gap.low, gap.high))
    text = f"At the rule {expected} promised, {came} {labels.verbs.came_in}; gap {ends}, 95{NBSP}%"
    text = f"{text} {result.holds_fixed}.".replace(" .", ".")
    return " ".join((text, *result.verdict[1:]))


def left_words(result: GapResult, labels: Labels) -> str:
    """How much perfect foresight would have brought beyond what came in."""
    left = foresight_words(result.left_total, result.best_total, labels)
    return f"Left on the table: {left}"


def left_rows(result: GapResult, labels: Labels) -> Table:
    """What was lost by class and decision: cases and money."""
    header: list[str] = [f"If the {labels.case}…"]
    for name in result.decisions:
        header += [name, labels.currency]
    rows = []
    for place, level in enumerate(result.levels):
        cells = [Cell(text=labels.level(level))]
        for decision in range(len(result.decisions)):
            cells += _left_cells(result.left_cases[place, decision], result.left[place, decision])
        rows.append(tuple(cells))
    total = [Cell(text=f"all {labels.cases}", is_bold=True)]
    for decision in range(len(result.decisions)):
        sums = result.left_cases[:, decision].sum(), result.left[:, decision].sum()
        total += _left_cells(*sums, is_bold=True)
    rows.append(tuple(total))
    return Table(
        name="Left on the table",
        title=left_words(result, labels),
        columns=tuple(header),
        rows=tuple(rows),
    )


def _left_cells(cases: float, lost: float, *, is_bold: bool = False) -> list[Cell]:
    role = "loss" if lost > 0.005 else "quiet"
    return [
        Cell(text=format_count(cases), role="text" if cases > 0 else "quiet", is_bold=is_bold),
        Cell(text=format_money(lost, "", decimals=0), role=role, is_bold=is_bold),
    ]


def auc_words(result: GapResult, labels: Labels) -> str:
    """What better ranking would earn, and what that rests on."""
    worth = result.auc
    if not math.isfinite(worth.per_point):
        return f"The worth of better ranking cannot be told: {worth.method}."
    earned = labels.verbs.gains(f"about {format_money(worth.per_point, labels.currency)}")
    auc = format_number(worth.auc, 3)
    text = f"One more point of AUC ({auc} to {format_number(worth.auc + 0.01, 3)}) would {earned}."
    text += f" Assumed: {worth.method}"
    if math.isfinite(worth.model_profit):
        best = "least loss" if labels.is_loss else "best profit"
        text += f", whose {best} would be {labels.money(worth.model_profit)}; "
        text += f"the model's is {labels.money(result.best_profit)}"
    return text + "."
