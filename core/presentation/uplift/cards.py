"""What page Uplift shows of its experiment: is it valid, what does treating bring, whom to treat.

One answer has several cards; ``Labels.part`` says which one is shown (``CardName``).

Radcliffe's six criteria, a column for each ranking.

Whether the experiment can be trusted, what treating brings on average, the next test.

One ranking in every definition of its area, and numbers that other tools print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from core.document.studies.uplift import (
    ArmEffect,
    Check,
    Effect,
    NamedFigure,
    UpliftModelResult,
    UpliftResult,
    Validity,
)
from core.document.wording import (
    NBSP,
    NumberText,
    format_interval,
    format_number,
    format_p_value,
    format_points,
    format_share,
    small_decimals,
)
from core.presentation.charts.chart import AxisSpec, Chart, SeriesSpec
from core.presentation.known_figures import readings
from core.presentation.labels import Labels
from core.presentation.uplift.curve import (
    UpliftWords,
    curve,
    gain,
    gained_at,
    per_case,
    unit_words,
)
from core.presentation.view import Cell, State, Table, View
from payoff.counting import counted
from payoff.errors import PayoffError


def criteria(
    answer: UpliftResult, model: UpliftModelResult, words: UpliftWords, depth: float
) -> View:
    """Radcliffe's six criteria, a column per model; one of them is read at a depth."""
    return View(
        title="Six criteria",
        tables=(criteria_table(answer, words, depth),),
    )


def criteria_table(answer: UpliftResult, words: UpliftWords, depth: float) -> Table:
    """The six rows; bold marks the best model of a row."""
    models = answer.models
    found = [model.criteria for model in models]
    at_cursor = [gained_at(model, depth) for model in models]
    is_binary = words.is_binary
    lines: list[tuple[str, list[float], Sequence[str]]] = [
        (
            "Area, points" if is_binary else "Area, a case",
            [c.qini for c in found],
            [per_case(c.qini, is_binary=is_binary) for c in found],
        ),
        (
            "Falls by tenths",
            [float(c.falls) for c in found],
            [NumberText(f"{c.falls} of {c.steps}", c.falls) for c in found],
        ),
        (f"Peak, {words.units}", [c.peak for c in found], [unit_words(c.peak) for c in found]),
        (f"At {format_share(depth)}", at_cursor, [unit_words(value) for value in at_cursor]),
        (
            _agreement_label(answer),
            [c.agreement for c in found],
            [format_number(c.agreement, 2) for c in found],
        ),
        ("Spread", [c.spread for c in found], [_three_digits(c.spread) for c in found]),
    ]
    rows = [_criterion(*line) for line in lines]
    return Table(
        columns=("Criterion", *(model.model for model in models)),
        rows=(*rows, *_truth_rows(answer)),
        name="Six criteria",
    )


def _criterion(label: str, values: list[float], texts: Sequence[str]) -> tuple[Cell, ...]:
    """A row with the highest value in bold, where they differ."""
    known = [value for value in values if math.isfinite(value)]
    best = max(known) if len(known) > 1 and np.ptp(known) > 0 else None
    cells = (
        Cell(text=text, is_bold=best is not None and value == best)
        for value, text in zip(values, texts, strict=True)
    )
    return (Cell(text=label, is_left=True, exact=label), *cells)


def _three_digits(value: float) -> NumberText:
    return NumberText(f"{value:.3g}", value)


def _agreement_label(answer: UpliftResult) -> str:
    """Names the rows that the tenths are compared with."""
    other = next((model.other for model in answer.models if model.other is not None), None)
    return "As in training" if other is None or other.use == "train" else "As held out"


def _truth_rows(answer: UpliftResult) -> list[tuple[Cell, ...]]:
    """The error against the true effects, lowest in bold, where they are known."""
    if not math.isfinite(answer.true_effect):
        return []
    mean = per_case(answer.true_effect, is_binary=answer.is_binary)
    exact = (
        "Error of the predicted effect of a case against its true effect, in units of "
        f"the outcome; mean true effect {mean}"
    )
    rows = []
    for label, values in (
        ("PEHE", [model.pehe for model in answer.models]),
        ("PEHE, root", [model.pehe_root for model in answer.models]),
    ):
        least = min(values) if len(values) > 1 and np.ptp(values) > 0 else None
        cells = (
            Cell(text=_three_digits(value), is_bold=value == least, exact=exact) for value in values
        )
        rows.append((Cell(text=label, is_left=True, exact=exact), *cells))
    return rows


_SIGNS = {"ok": ("✓", "gain"), "warning": ("⚠", "loss"), "error": ("✗", "error")}
_STATES: dict[str, State] = {"ok": "ok", "warning": "warning", "error": "error"}


def _sign(check: Check) -> Cell:
    """How a check ended; a figure that nothing was asked of has passed nothing."""
    text, role = _SIGNS[check.state]
    if not check.is_test and check.state == "ok":
        text, role = "–", "quiet"
    return Cell(text=text, role=role, is_left=True)


def validity(answer: UpliftResult, words: UpliftWords) -> View:
    """The verdict, its checks, the effect without a model, and the share treated by depth."""
    guard = answer.guard
    rows = tuple(
        (
            _sign(check),
            Cell(text=check.title, is_left=True),
            Cell(text=check.value, is_left=True, is_bold=True),
            Cell(text=check.detail, is_left=True, role="quiet"),
        )
        for check in guard.checks
    )
    columns = ("", "Check", "Found", "What it says")
    return View(
        title=guard.headline,
        subtitle=answer.rows.text,
        state=_STATES[guard.state],
        sentences=tuple(line for line in (guard.advice, effect_sentence(answer, words)) if line),
        tables=(Table(columns=columns, rows=rows, name="Checks of the experiment"),),
        charts=(balance_chart(guard),) if len(guard.balance_share) else (),
    )


def effect_sentence(answer: UpliftResult, words: UpliftWords) -> str:
    """What treating brings without a model, adjusted too, and what would find half of it."""
    pieces = ["Without a model: " + effect_words(answer.effects[0].effect, words)]
    if len(answer.effects) > 1:
        pieces.append(adjusted_words(answer.effects[1].effect, words))
    pieces += [truth_words(answer), next_test_words(answer.effects[0], words)]
    return "; ".join(piece for piece in pieces if piece)


_POINTS = " points"  # of an effect, which is not a count


def effect_words(effect: Effect, words: UpliftWords) -> str:
    """ "visit: 18.3 % of “mail”, 10.6 % of “none”; effect 7.66 points (7 to 8.32), p < 0.001"."""
    head, unit = ("", _POINTS) if words.is_binary else ("mean ", "")
    mean: Callable[[float], str] = format_share if words.is_binary else unit_words
    number: Callable[[float], str] = points_beside(effect) if words.is_binary else unit_words
    return (
        f"{head}{words.outcome}: {mean(effect.mean)} of “{words.arm(effect.arm)}”, "
        f"{mean(effect.control_mean)} of “{words.arm(effect.control)}”; "
        f"effect {number(effect.effect)}{unit} ({number(effect.low)} to {number(effect.high)}), "
        f"{format_p_value(effect.p_value)}"
    )


def points_beside(effect: Effect) -> Callable[[float], str]:
    """Say an effect and its interval in points, with decimals that all three need."""
    decimals = small_decimals(*(100 * end for end in (effect.effect, effect.low, effect.high)))
    return partial(format_points, decimals=decimals)


def adjusted_words(effect: Effect, words: UpliftWords) -> str:
    """The effect adjusted for the inputs, with its interval."""
    if words.is_binary:
        number = points_beside(effect)
        ends = f"{number(effect.low)} to {number(effect.high)}"
        return f"adjusted for the inputs {number(effect.effect)}{_POINTS} ({ends})"
    ends = format_interval(effect.low, effect.high, 2)
    return f"adjusted for the inputs {unit_words(effect.effect)} ({ends})"


def next_test_words(effect: ArmEffect, words: UpliftWords) -> str:
    """How many cases the next test needs."""
    if effect.next_test <= 0:
        return ""
    return (
        f"half this effect would be found with {counted(effect.next_test, words.case, words.cases)}"
    )


def truth_words(answer: UpliftResult) -> str:
    """The mean of the true effects, where a column holds them."""
    if not math.isfinite(answer.true_effect):
        return ""
    mean = format_points(answer.true_effect) if answer.is_binary else unit_words(answer.true_effect)
    return f"true effect {mean} on average"


def balance_chart(guard: Validity) -> Chart:
    """The share treated in a moving window along the ranking, and where it should stay."""
    low, high = guard.balance_low, guard.balance_high
    share = guard.balance_share
    ends = np.array([0.0, 1.0])
    return Chart(
        kind="uplift_balance",
        title="Share treated along the ranking",
        subtitle="band: where chance alone keeps 95 of 100 windows",
        x_axis=AxisSpec(
            label="share of cases, highest predicted uplift first",
            quantity="percent",
            low=0.0,
            high=1.0,
        ),
        y_axis=AxisSpec(
            label="share treated",
            quantity="percent",
            low=min(float(share.min()), low),
            high=max(float(share.max()), high),
        ),
        series=(
            SeriesSpec(
                name="by chance",
                series=0,
                x=ends,
                y=np.full(2, 0.5 * (low + high)),
                low=np.full(2, low),
                high=np.full(2, high),
                is_quiet=True,
                is_chosen=True,
                dash=(),
            ),
            SeriesSpec(name="share treated", series=2, x=guard.balance_depth, y=share, dash=()),
        ),
        headroom=8,
    )


def variants(model: UpliftModelResult, words: UpliftWords) -> View:
    """One ranking in every definition of the area, and which of them may be read here."""
    name = "One ranking in every definition"
    return View(
        title=f"{name}, {model.model}",
        tables=(variant_table(model, words),),
    )


def variant_table(model: UpliftModelResult, words: UpliftWords) -> Table:
    """Name, who uses it, how far above random, valid here?"""
    rows = []
    for row in model.variants:
        measured = row.measured
        is_first, is_points = row.key == "generalised", row.unit == "points"
        if is_points:
            value = per_case(measured.minus_random, is_binary=words.is_binary)
            unit = "points" if words.is_binary else "a case"
        else:
            value, unit = unit_words(measured.minus_random), words.units
        error = measured.standard_error_minus_random * (100 if is_points else 1)
        exact = f"{row.formula}; area {measured.area:.6g}"
        if math.isfinite(error):
            exact += f"; standard error {error:.3g}"
        described = f"{'✓' if row.is_valid else '⚠'} {row.validity}"
        role = "text" if row.is_valid else "loss"
        rows.append(
            (
                Cell(text=row.name, is_left=True, is_bold=is_first, exact=exact),
                Cell(text=row.used_by, is_left=True, role="quiet", exact=exact),
                Cell(
                    text=NumberText(f"{value}{NBSP}{unit}", *value.numbers),
                    is_bold=is_first,
                    exact=exact,
                ),
                Cell(text=described, is_left=True, role=role, exact=exact),
            )
        )
    header = ("Variant", "As in", "Above random", "Valid here?")
    return Table(columns=header, rows=tuple(rows), name="One ranking in every definition")


def recognised(text: str, figures: tuple[NamedFigure, ...]) -> tuple[NamedFigure, ...]:
    """The figures that a number pasted from another tool may be, to the digits it has."""
    known = readings(text)
    return tuple(
        figure for figure in figures if any(reading.fits(figure.value) for reading in known)
    )


def recognised_words(text: str, figures: tuple[NamedFigure, ...]) -> str:
    """What a number pasted from another tool is, in words."""
    found = recognised(text, figures)
    if found:
        return "; ".join(f"{figure.tool}, {figure.name}: {figure.formula}" for figure in found)
    return (
        "No figure that other tools print for this ranking reads so: another outcome, other rows, "
        "or ties in another order."
    )


VALIDITY, CURVE, GAIN, VARIANTS, CRITERIA = "validity", "curve", "gain", "variants", "criteria"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardName:
    """Which card is shown, how, and of which ranking: "curve+whole two models"."""

    card: str = ""
    options: tuple[str, ...] = ()
    model: str = ""

    @classmethod
    def read(cls, part: str) -> CardName:
        """Return it from the part of a report's key."""
        name, _, model = part.partition(" ")
        card, *options = name.split("+")
        return cls(card=card, options=tuple(options), model=model)

    def __str__(self) -> str:
        return f"{'+'.join((self.card, *self.options))} {self.model}".rstrip()


def experiment_card(answer: UpliftResult, labels: Labels) -> View:
    """The card that ``labels.part`` names; left out: all of them, of one ranking."""
    name = CardName.read(labels.part)
    words = UpliftWords.of(answer, labels)
    if name.card == VALIDITY or not (answer.models or name.card):
        return validity(answer, words)
    model = ranking_of(answer, name.model or labels.chosen, is_named=bool(name.model))
    depth = model.choice.depth if labels.depth is None else labels.depth
    cards: dict[str, Callable[[], View]] = {
        CURVE: lambda: curve(answer, model, words, name.options),
        GAIN: lambda: gain(answer, model, words),
        VARIANTS: lambda: variants(model, words),
        CRITERIA: lambda: criteria(answer, model, words, depth),
    }
    if name.card in cards:
        return cards[name.card]()
    return _in_one(validity(answer, words), *(card() for card in cards.values()))


def ranking_of(answer: UpliftResult, name: str, *, is_named: bool = False) -> UpliftModelResult:
    """Return a ranking by its name; the first where none is named and there is none of that name.

    Raises
    ------
    PayoffError
        Where there is no ranking, or none of the name that is named.
    """
    found = next((model for model in answer.models if model.model == name), None)
    if found is None and (is_named or not answer.models):
        raise PayoffError("No such ranking is in the experiment.", where=name)
    return found or answer.models[0]


def _in_one(first: View, *others: View) -> View:
    """All cards in one: the verdict, the figure, and all that is said, drawn and listed."""
    views = (first, *others)
    figured = next(view for view in others if view.figure)
    return replace(
        first,
        figure=figured.figure,
        interval=figured.interval,
        sentences=tuple(line for view in views for line in view.sentences),
        tables=tuple(table for view in views for table in view.tables),
        charts=tuple(chart for view in views for chart in view.charts),
        notes=tuple(line for view in views for line in view.notes),
    )
