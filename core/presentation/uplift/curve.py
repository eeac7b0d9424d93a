"""What treating the best brings, by depth, with the lines that it is judged by.

The words of an experiment: its units, amounts for each case, money.

Whom to treat at these prices, and what that earns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

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
    NumberText,
    estimate_decimals,
    format_money,
    format_money_interval,
    format_number,
    format_points,
    format_share,
    name_in_text,
    small_decimals,
)
from core.presentation.charts.chart import AxisSpec, BaselineSpec, Chart, SeriesSpec
from core.presentation.charts.scales import extent
from core.presentation.labels import Labels
from core.presentation.view import Cell, Table, View
from payoff.counting import counted
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftWords:
    """What charts and tables call things."""

    outcome: str  # "visit"
    units: str  # "visits", or "spend" for amounts
    case: str
    cases: str
    currency: str
    is_binary: bool
    series: tuple[tuple[str, int], ...] = ()  # of each ranking: its colour and dash
    arms: tuple[tuple[str, str], ...] = ()  # of each arm: the file's word for it

    @classmethod
    def of(cls, answer: UpliftResult, labels: Labels) -> UpliftWords:
        """Return the words of an experiment in those of its project."""
        name = answer.outcome.replace("_", " ")
        return cls(
            outcome=name,
            units=_plural(name) if answer.is_binary else name,
            case=labels.case,
            cases=labels.cases,
            currency=labels.currency,
            is_binary=answer.is_binary,
            series=tuple((entry.model, labels.series_of(entry.model)) for entry in answer.models),
            arms=tuple((code, labels.arm(code)) for code in (answer.treated, answer.control)),
        )

    def series_of(self, model: str) -> int:
        """The series of a ranking."""
        return dict(self.series).get(model, 0)

    def arm(self, code: str) -> str:
        """An arm in the file's words."""
        return dict(self.arms).get(code, code)

    def money(self, value: float, *beside: float) -> str:
        """An amount of money, with the digits that it shares with those ``beside`` it."""
        places = estimate_decimals(value, *beside)
        return format_money(value, self.currency, decimals=places)

    @property
    def worth(self) -> str:
        """What stands above the price of one: "A visit is worth"."""
        name = self.outcome if len(self.outcome) <= 12 else f"{self.outcome[:11]}…"
        if not self.is_binary:
            return f"1 of {name} is worth"
        if self.units == self.outcome:  # "bought": no word for one of them
            return f"“{name}” is worth"
        return f"{'An' if name[:1].lower() in 'aeio' else 'A'} {name} is worth"


_NOUNS = (
    "visit",
    "response",
    "purchase",
    "conversion",
    "click",
    "order",
    "claim",
    "reply",
    "sale",
    "donation",
    "outcome",
    "event",
    "default",
    "booking",
    "renewal",
    "subscription",
    "signup",
    "lead",
    "contract",
    "trial",
    "death",
    "readmission",
    "complication",
    "cancellation",
    "complaint",
    "payment",
    "application",
    "registration",
    "download",
    "install",
    "answer",
    "gift",
    "relapse",
    "recovery",
    "admission",
    "infection",
    "upgrade",
    "referral",
    "appointment",
    "call",
    "case",
)
"""English words of which there are several: others, "bought" or "bestellt", have no s of plural."""


def _plural(name: str) -> str:
    """Several of an outcome: visits, replies; a word that is none of the known nouns stays."""
    if name.lower().split(" ")[-1] not in _NOUNS:
        return name
    if name[-1:] == "y" and name[-2:-1] not in tuple("aeiou "):
        return f"{name[:-1]}ies"
    return f"{name}s"


def unit_words(value: float) -> NumberText:
    """Units of the outcome, with as many decimals as they need."""
    if not math.isfinite(value):
        return format_number(value)
    size = abs(value)
    return format_number(value, 0 if size >= 100 else 1 if size >= 10 else small_decimals(value))


def per_case(value: float, *, is_binary: bool) -> NumberText:
    """An amount for each case: points of a hundred for 0/1, the amount for numbers."""
    return (
        format_points(value) if is_binary else format_number(value, small_decimals(value, least=3))
    )


WHOLE, LIMITS, OTHER_ROWS = "whole", "limits", "rows"
"""Of the curve: bands of the whole curve, perfect and maximal lines, rows of another use."""


def curve(
    answer: UpliftResult, model: UpliftModelResult, words: UpliftWords, options: tuple[str, ...]
) -> View:
    """Extra units of the outcome if the best n % are treated, one ranking in front."""
    chart = curve_chart(answer, model, words, options)
    return View(
        title=chart.title,
        subtitle=chart.subtitle,
        charts=(chart,),
        notes=(*chart.notes, chart.definition),
    )


def curve_title(words: UpliftWords) -> str:
    """What the chart of the gain is called."""
    return f"Extra {words.units} if the best n % are treated"


def curve_chart(
    answer: UpliftResult, model: UpliftModelResult, words: UpliftWords, options: tuple[str, ...]
) -> Chart:
    """The chart of every ranking's gain by depth."""
    is_whole = WHOLE in options
    series = tuple(
        curve_line(
            entry,
            series=words.series_of(entry.model),
            is_whole=is_whole,
            is_chosen=entry is model,
        )
        for entry in answer.models
    )
    grey, notes = _grey_lines(answer, model, options)
    lines = [line for s in series for line in (s.y, s.low, s.high) if line is not None]
    low, high = tight_extent([*lines, *(entry.y for entry in grey)])
    bands = f"bands {'whole curve' if is_whole else 'each depth'}, 95 %"
    return Chart(
        kind="uplift",
        title=curve_title(words),
        subtitle=f"{answer.rows.text}, {bands}",
        x_axis=AxisSpec(
            label=f"share of {words.cases} treated, highest predicted uplift first",
            quantity="percent",
            low=0.0,
            high=1.0,
            first_word="best cases",
            last_word="all",
        ),
        y_axis=AxisSpec(label=f"Extra {words.units}", quantity="number", low=low, high=high),
        series=series,
        baselines=(*_plain_lines(float(model.incremental[-1])), *grey),
        definition=(
            "Down to a depth, what the treated bring more than the control cases, were all of "
            "these cases treated: the sum of outcomes, each divided by the chance of its arm, "
            "treated less control. Cases of equal score share a straight line."
        ),
        variant=f"generalised, formulas (25) and (26); {bands.replace('bands', 'bands:', 1)}",
        notes=notes,
        rows_text=answer.rows.text,
        headroom=10,
        box_corner="bottom right",
    )


def curve_line(
    model: UpliftModelResult, *, series: int = 0, is_whole: bool = False, is_chosen: bool = False
) -> SeriesSpec:
    """A ranking's gain by depth, exact at its best depth, which lies between drawn points."""
    is_wide = is_whole and bool(np.isfinite(model.low_all).any())
    low, high = (model.low_all, model.high_all) if is_wide else (model.low, model.high)
    best, x = model.choice.depth, model.depth
    lines = [x, model.incremental, low, high]
    if math.isfinite(best) and 0.0 < best < 1.0 and np.abs(x - best).min() >= SAME:
        place = int(np.searchsorted(x, best))
        exact = (best, model.choice.incremental, *(np.interp(best, x, y) for y in (low, high)))
        lines = [np.insert(y, place, at) for y, at in zip(lines, exact, strict=True)]
    return SeriesSpec(
        name=model.model,
        series=series,
        x=lines[0],
        y=lines[1],
        low=lines[2],
        high=lines[3],
        is_chosen=is_chosen,
    )


def gained_at(model: UpliftModelResult, depth: float) -> float:
    """Extra units at a depth, as the chart draws them."""
    line = curve_line(model)
    return float(np.interp(depth, line.x, line.y))


def _plain_lines(end: float) -> tuple[BaselineSpec, BaselineSpec]:
    """Treating at random, and treating nobody."""
    ends = np.array([0.0, 1.0])
    return (
        BaselineSpec(name="at random", x=ends, y=np.array([0.0, end]), label_at=0.4, side="below"),
        BaselineSpec(
            name="nobody",
            x=ends,
            y=np.zeros(2),
            is_dashed=False,
            label_at=1.0,
            side="below",
            needs_margin=True,
        ),
    )


def _grey_lines(
    answer: UpliftResult, model: UpliftModelResult, options: tuple[str, ...]
) -> tuple[tuple[BaselineSpec, ...], tuple[str, ...]]:
    """Lines that are asked for, and what each of them is."""
    lines, notes = [], []
    for entry in answer.references if LIMITS in options else ():
        is_perfect = entry.key == "perfect"
        lines.append(
            BaselineSpec(
                name="perfect" if is_perfect else "maximal, nobody put off",
                x=entry.depth,
                y=entry.incremental,
                is_dashed=False,
                label_at=0.5 if is_perfect else 0.62,
            )
        )
        notes.append(curve_note(entry.key))
    other = model.other
    if OTHER_ROWS in options and other is not None:
        lines.append(
            BaselineSpec(
                name=f"{model.model} on {row_use_name(other.use)}",
                x=other.depth,
                y=other.incremental,
                is_dashed=False,
                label_at=0.72,
                side="below",
                needs_margin=True,
            )
        )
        notes.append(curve_note(other.use))
    return tuple(lines), tuple(notes)


def row_use_name(use: str) -> str:
    """Rows of a use: training rows, validation rows, test rows."""
    names = {"train": "training rows", "validation": "validation rows", "test": "test rows"}
    return names[use]


def curve_note(key: str) -> str:
    """What a grey line is."""
    if key == "perfect":
        return (
            "Perfect: treated with the outcome first, control cases with it last. It reads the "
            "outcome, so no model reaches it; scikit-uplift's perfect Qini curve times N / |T|."
        )
    if key == "maximal":
        return (
            "Maximal: what is to be expected at best if the treatment puts nobody off. Those whom "
            "it moves are as large a share as the effect of all, and come first; scikit-uplift's "
            "negative_effect=False, on depths of both arms."
        )
    return (
        f"On {row_use_name(key)}: the same ranking there, scaled to as many cases. Tight "
        "validation (Radcliffe) is where both curves agree."
    )


def tight_extent(lines: list[FloatArray]) -> tuple[float, float]:
    """Ends of the axis that hold all lines; a dip of 3 % below zero earns no room of its own."""
    values = np.concatenate([line[np.isfinite(line)] for line in lines] or [np.zeros(1)])
    low, high = min(0.0, float(values.min(initial=0.0))), float(values.max(initial=0.0))
    if high <= low:
        return -1.0, 1.0
    return (low if low < -0.03 * high else 0.0), max(high, 0.0)


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
    model = name_in_text(model)
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
    if choice.is_nobody:
        return f"Treating all earns {words.money(choice.gain_of_all)}."
    worth = answer.price_used[0] * choice.incremental
    described = (worth, choice.spent, choice.gain_of_all)
    brought, spent, gained = (words.money(value, *described) for value in described)
    made = (
        f"On these rows: {unit_words(choice.incremental)} extra {words.units} bring "
        f"{brought}, treating costs {spent}."
    )
    of_all = f"Treating all earns {gained}."
    return made if choice.depth > 1.0 - SAME else f"{made} {of_all}"


def best_table(answer: UpliftResult, words: UpliftWords) -> Table:
    """Every model at its own best depth."""
    estimates = [gain_of(model.choice).estimate for model in answer.models]
    gains = tuple(estimate.value for estimate in estimates)
    best = max(gains, default=0.0)
    rows = tuple(
        (
            Cell(text=model.model, is_left=True, series=words.series_of(model.model)),
            Cell(text=format_share(model.choice.depth)),
            Cell(text=words.money(estimate.value, *gains), is_bold=estimate.value == best),
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
        subtitle="on these rows",
        x_axis=AxisSpec(
            label=f"cost per contact, {words.currency}",
            quantity="money",
            low=0.0,
            high=float(prices.prices[-1]),
            template=f"{words.currency}{NBSP}{{}} a contact",
        ),
        y_axis=AxisSpec(
            label="best net gain",
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
