"""Whom to treat at these prices, and what that earns."""

from __future__ import annotations

import math

import numpy as np

from core.document.decisions.chosen_depth import SAME, gain_of
from core.document.studies.uplift import (
    ERROR,
    Choice,
    UpliftModelResult,
    UpliftResult,
)
from core.document.wording import (
    NBSP,
    format_money_interval,
    format_share,
)
from core.presentation.chart import AxisSpec, BaselineSpec, Chart, SeriesSpec
from core.presentation.scales import extent
from core.presentation.table import Cell, Table
from core.presentation.uplift.words import UpliftWords, unit_words
from core.presentation.view import View
from payoff.counting import counted


def gain(answer: UpliftResult, model: UpliftModelResult, words: UpliftWords) -> View:
    """The net gain of a ranking at its best depth, every ranking's best, and who wins when."""
    invalid = invalid_words(answer)
    label, interval = _gain_kind(model.choice, words)
    if invalid:
        label = "Not a net gain to go by"
    described = (invalid, advice_words(model.choice, model.model, words))
    sentences = (*described, detail_words(answer, model.choice, words))
    return View(
        title=f"{label}, {model.model}",
        figure=words.money(gain_of(model.choice).estimate.value),
        interval=interval.replace(" %", f"{NBSP}%"),
        sentences=tuple(line for line in sentences if line),
        state="error" if invalid else "",
        tables=(best_table(answer, words),),
        charts=() if answer.prices is None else (price_chart(answer, words),),
    )


def _gain_kind(choice: Choice, words: UpliftWords) -> tuple[str, str]:
    """What the large figure is, and its interval."""
    worth = gain_of(choice)
    ends = format_money_interval(worth.estimate.low, worth.estimate.high)
    if choice.is_nobody:
        return "Expected net gain", "nobody is treated, nothing is spent"
    if worth.flattered is not None:
        return "Expected net gain, cross-fitted", (
            f"{ends}, 95 %; on the rows that chose the depth "
            f"{words.money(worth.flattered.value)}, which flatters"
        )
    return "Net gain on these rows", (
        f"{ends}, 95 %; the depth was chosen on the same rows, which flatters"
    )


def invalid_words(answer: UpliftResult) -> str:
    """Why no gain of this experiment may be read, in a sentence; empty where it may."""
    if answer.guard.state != ERROR:
        return ""
    return f"{answer.guard.headline} What treating would bring cannot be read off it."


def advice_words(choice: Choice, model: str, words: UpliftWords) -> str:
    """Whom to treat, in a sentence."""
    if choice.is_nobody:
        return f"Treat nobody: at these prices no depth of {model} pays."
    if gain_of(choice).estimate.value <= 0:
        return (
            f"No depth of {model} is known to pay: the best on these rows, "
            f"{format_share(choice.depth)}, gains nothing where each half of them is treated to "
            "the depth that the other half chose."
        )
    is_all_better = gain_of(choice).estimate.value <= choice.gain_of_all <= choice.gain
    if is_all_better and choice.depth <= 1.0 - SAME:  # under a limit all of them are no choice
        return (
            f"No depth of {model} is known to earn more than treating all: the best on these rows, "
            f"{format_share(choice.depth)}, earns less where each half of them is treated to the "
            "depth that the other half chose."
        )
    described = counted(choice.targeted, words.case, words.cases)
    if choice.depth > 1.0 - SAME:
        return f"Treat all {described}: no ranking is needed at these prices."
    return f"Treat the best {format_share(choice.depth)} by {model}: {described}."


def detail_words(answer: UpliftResult, choice: Choice, words: UpliftWords) -> str:
    """Where the gain comes from, and what treating all would earn; counted on these rows."""
    of_all = f"Treating all earns {words.money(choice.gain_of_all)}."
    if choice.is_nobody:
        return of_all
    worth = words.money(answer.price_used[0] * choice.incremental)
    made = (
        f"On these rows: {unit_words(choice.incremental)} extra {words.units} bring "
        f"{worth}, treating costs {words.money(choice.spent)}."
    )
    return made if choice.depth > 1.0 - SAME else f"{made} {of_all}"


def best_table(answer: UpliftResult, words: UpliftWords) -> Table:
    """Every model at its own best depth."""
    estimates = [gain_of(model.choice).estimate for model in answer.models]
    best = max((e.value for e in estimates), default=0.0)
    rows = tuple(
        (
            Cell(text=model.model, is_left=True, series=words.series_of(model.model)),
            Cell(text=format_share(model.choice.depth)),
            Cell(text=words.money(estimate.value), is_bold=estimate.value == best),
            Cell(text=format_money_interval(estimate.low, estimate.high), role="quiet"),
        )
        for model, estimate in zip(answer.models, estimates, strict=True)
    )
    crossed = "Cross-fitted: each half of the cases treated to the depth the other half chose"
    return Table(
        columns=("At these prices", "Best depth", "Net gain", "95 %"),
        rows=rows,
        help=("", "", crossed, crossed),
        name="Best depth of each model",
    )


def price_chart(answer: UpliftResult, words: UpliftWords) -> Chart:
    """The best net gain of each model over the price of a contact."""
    assert answer.prices is not None
    prices = answer.prices.axis
    low, high = extent(list(prices.gain))
    return Chart(
        kind="uplift prices",
        title="Which model wins at which price?",
        subtitle="",
        x_axis=AxisSpec(
            label=f"cost per contact, {words.currency}",
            quantity="money",
            low=0.0,
            high=float(prices.prices[-1]),
            said=f"{words.currency}{NBSP}{{}} a contact",
        ),
        y_axis=AxisSpec(
            label="best net gain, these rows",
            quantity="money",
            low=low,
            high=high,
            currency=words.currency,
        ),
        series=tuple(
            SeriesSpec(
                name=model.model,
                series=words.series_of(model.model),
                x=prices.prices,
                y=prices.gain[place],
            )
            for place, model in enumerate(answer.models)
        ),
        baselines=_unclear_line(answer, words, low, high),
        definition=(
            "At every price each model is taken to its own best depth. Where the winner is not "
            "better than every other by more than chance (paired, 95 %), there is no clear "
            "winner; a best depth picked on these rows flatters all models."
        ),
        notes=tuple(switch_words(answer, words)),
        rows_text=answer.rows.text,
        headroom=10,
        box_corner="top right",
        rests_at=answer.price_used[1],
    )


def _unclear_line(
    answer: UpliftResult, words: UpliftWords, low: float, high: float
) -> tuple[BaselineSpec, ...]:
    """A dashed line from where on no model wins clearly."""
    if answer.prices is None or len(answer.models) < 2:
        return ()
    prices = answer.prices.axis
    clear = np.flatnonzero(prices.is_clear)
    start = float(prices.prices[clear[-1]]) if len(clear) else 0.0
    if start >= float(prices.prices[-1]):
        return ()
    name = "no clear winner"
    if len(clear):
        name = f"no clear winner from {words.money(start)}"
    return (
        BaselineSpec(name=name, x=np.array([start, start]), y=np.array([low, high]), side="right"),
    )


def switch_words(answer: UpliftResult, words: UpliftWords) -> list[str]:
    """Where the winner changes, each with its interval, or that none is clear."""
    if answer.prices is None:
        return []
    out = []
    for switch in answer.prices.switches:
        price = words.money(switch.price)
        if math.isnan(switch.low) or math.isnan(switch.high):
            out.append(
                f"About {price} {switch.after} would pass {switch.before}; no clear winner there."
            )
        else:
            out.append(
                f"{switch.before} wins up to {words.money(switch.low)}, "
                f"{switch.after} from {words.money(switch.high)} on (switch near "
                f"{price})."
            )
    return out
