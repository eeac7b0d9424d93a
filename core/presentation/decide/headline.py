"""The one big number of page Decide, what it is compared with, and its entry of the report."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from core.document.decisions.chosen_depth import DepthWorth, chosen_for
from core.document.model import ChartMode, Document
from core.document.results import CursorReading, DecisionResult, Estimate, ResampleResult
from core.document.wording import (
    NBSP,
    estimate_decimals,
    format_certainty,
    format_money,
    format_money_interval,
    format_share,
    name_in_text,
)
from core.presentation.decide import figures
from core.presentation.decide.figures import Against, DepthPoint
from core.presentation.decide.tables import DOWN, EQUAL, UP
from core.presentation.labels import Labels, short_name
from core.presentation.view import View, common_scale

MOST_LETTERS = 40  # of a rival's name in a narrow block of lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What the total is held against: the difference, and what the other way brings."""

    title: str
    against: Against
    words: str
    decimals: int = 0  # of amounts beside the total

    @property
    def interval(self) -> str:
        """The interval of the difference; empty where there is none."""
        low, high = self.against.low, self.against.high
        is_known = math.isfinite(low) and math.isfinite(high)
        return format_money_interval(low, high) if is_known else ""

    @property
    def is_certain(self) -> bool:
        """Whether the interval, where there is one, does not hold 0."""
        return not self.interval or self.against.low > 0 or self.against.high < 0

    def line(self, currency: str) -> str:
        """All of it in a line, as the card has it: "Against mailing all: ▲ +€ 500, 10 to 900"."""
        value = self.against.value
        mark = "" if value == 0 else f"{UP if value > 0 else DOWN} "
        amount = format_money(value, currency, decimals=self.decimals, sign=True)
        shown = f"{mark if self.is_certain else f'{EQUAL} '}{amount}"
        more = (part for part in (shown, self.interval, self.words) if part)
        return f"{self.title}: {', '.join(more)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalHeadline:
    """The total of the chosen model at the cursor. ``title`` holds the depth in its middle."""

    model: str
    title: tuple[str, str, str]
    figure: str
    exact: str
    estimate: Estimate  # in the page's own direction, on ``scale`` with those of the other models
    scale: tuple[float, float]
    series: int
    interval: str
    per_thousand: str
    question: str  # what the number is the answer to
    comparisons: tuple[Comparison, ...]
    currency: str
    decimals: int  # of every amount

    def view(self, wrong: str, rule: str) -> View:
        """Return its entry of the report.

        Parameters
        ----------
        wrong : str
            Why the total is none to go by; empty where it is one.
        rule : str
            The rule in words.
        """
        compared = (entry.line(self.currency) for entry in self.comparisons)
        lines = (wrong, self.interval, self.per_thousand, *compared, rule)
        return View(
            key="decide/total",
            title="".join(self.title),
            figure=self.figure,
            sentences=tuple(line for line in lines if line),
        )


def headline_of(
    document: Document,
    result: DecisionResult,
    depth: float,
    reading: CursorReading | None,
    resamples: ResampleResult | None,
) -> TotalHeadline | None:
    """Return what is said of the total at a depth; None where nothing was decided."""
    chosen = figures.profit_of(result, document.reference_model)
    if chosen is None:
        return None
    labels = Labels.of(document, result)
    points = [figures.at_depth(entry, depth, reading) for entry in result.models]
    point = next(entry for entry in points if entry.model == chosen.model)
    worth = figures.worth_of(chosen, point)
    mine = _estimate(labels, worth.estimate)
    weight = float(result.class_weight.sum())
    each = 1000 * mine.value / weight if weight > 0 else float("nan")
    money = format_money(each, labels.currency, decimals=0 if abs(each) >= 100 else 2)
    pairs = [
        *_against_all(document, result, labels, point, worth),
        *_against_rival(result, labels, points, point, reading, resamples),
    ]
    places = estimate_decimals(worth.estimate.value, *(entry.against.value for entry in pairs))
    return TotalHeadline(
        model=chosen.model,
        title=_title(document, labels, point, worth),
        figure=labels.money(worth.estimate.value, decimals=places),
        exact=f"{mine.value:,.2f}",
        estimate=mine,
        scale=common_scale(
            mine if entry is point else _estimate(labels, entry) for entry in points
        ),
        series=labels.series_of(point.model),
        interval=interval_words(worth, labels, result.holds_fixed, places),
        per_thousand=f"per 1,000 {labels.cases}: {money}",
        question=_question(document, labels, point, worth),
        comparisons=tuple(replace(entry, decimals=places) for entry in pairs),
        currency=labels.currency,
        decimals=places,
    )


def _title(
    document: Document, labels: Labels, point: DepthPoint, worth: DepthWorth
) -> tuple[str, str, str]:
    amount = "Total loss" if labels.is_loss else "Total profit"
    tail = ", cross-fitted" if worth.is_crossfitted else ""
    share, model = format_share(point.depth), point.model
    if document.chart_mode is ChartMode.FIRM:
        return f"{amount} of the best ", share, f", each its own decision, {model}{tail}"
    return f"{amount}, best ", share, f" {labels.done}, {model}{tail}"


def interval_words(worth: DepthWorth, labels: Labels, held: str, places: int) -> str:
    """The interval of the big number; where it is cross-fitted, what these rows say themselves."""
    ends = labels.interval(worth.estimate.low, worth.estimate.high)
    held = (worth.estimate.holds_fixed or held).replace(" %", f"{NBSP}%")
    text = f"{format_money_interval(*ends)}, 95{NBSP}% {held}".rstrip()
    if worth.flattered is None:
        return text
    described = "; %s on the rows that chose this depth, which flatters"
    return text + described % labels.money(worth.flattered.value, decimals=places)


def _question(document: Document, labels: Labels, point: DepthPoint, worth: DepthWorth) -> str:
    """What the big number is the answer to."""
    realised = labels.verbs.realised
    if worth.is_crossfitted:
        return (
            f"What these {labels.cases} would really have {realised} if each half of them had "
            "been decided to the depth that the other half chose."
        )
    best = format_share(point.depth)
    if document.chart_mode is ChartMode.FIRM:
        return (
            f"What these {labels.cases} would really have {realised} if each of the best {best} "
            "had got its own decision and the others none."
        )
    return (
        f"What these {labels.cases} would really have {realised} if the best {best} had been "
        f"{labels.done} and the others not."
    )


def _estimate(labels: Labels, read: DepthPoint | Estimate) -> Estimate:
    low, high = labels.interval(read.low, read.high)
    value = read.value if isinstance(read, Estimate) else read.profit
    return Estimate(value=labels.shown(value), low=low, high=high)


def _against_all(
    document: Document,
    result: DecisionResult,
    labels: Labels,
    point: DepthPoint,
    worth: DepthWorth,
) -> tuple[Comparison, ...]:
    """Against one decision for all: resting, and acting."""
    title = "Less loss than {}" if labels.is_loss else "Against {}"
    pairs = (
        (labels.resting, figures.against_resting(document, result, point, worth)),
        (labels.acting_on_all, figures.against_all(document, result, point, worth)),
    )
    return tuple(
        Comparison(
            title=title.format(name), against=against, words=_other_words(labels, name, against)
        )
        for name, against in pairs
    )


def _other_words(labels: Labels, name: str, against: Against) -> str:
    """What the other way brings: "mailing all loses € 6,400"."""
    money = format_money(abs(against.other_profit), labels.currency)
    earns = "costs" if labels.is_loss and not against.other_profit else "earns"
    verb = earns if against.other_profit >= 0 else "loses"
    return f"{name} {verb} {money}".replace(f"{labels.currency} ", f"{labels.currency}{NBSP}")


def _against_rival(
    result: DecisionResult,
    labels: Labels,
    points: list[DepthPoint],
    point: DepthPoint,
    reading: CursorReading | None,
    resamples: ResampleResult | None,
) -> tuple[Comparison, ...]:
    """Against the best of the other models at the same depth, where there is one."""
    rival = figures.best_rival(points, point.model)
    if rival is None:
        return ()
    against = figures.against_model(point, rival, reading, resamples)
    text = format_certainty(against.ahead, against.resamples, against.p_value, against.level)
    flattered = chosen_for(result.models, point.depth, (point.model, rival.model))
    if figures.decide_alike(against.value, against.low, against.high, point.profit):
        text = "the same decisions"
    elif flattered:
        described = f"these rows chose this depth for {name_in_text(flattered)}, which flatters it"
        text = f"{text}; {described}" if text else described
    title = "Less loss than {}, same depth" if labels.is_loss else "Against {}, same depth"
    name = short_name(rival.model, MOST_LETTERS)
    name = rival.model if name == short_name(point.model, MOST_LETTERS) else name
    return (Comparison(title=title.format(name_in_text(name)), against=against, words=text),)
