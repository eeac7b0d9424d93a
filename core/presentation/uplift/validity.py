"""Whether the experiment can be trusted, what treating brings on average, the next test."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from core.document.studies.uplift import (
    ArmEffect,
    Check,
    Effect,
    UpliftResult,
    Validity,
)
from core.document.wording import (
    format_interval,
    format_p_value,
    format_share,
)
from core.presentation.chart import AxisSpec, Chart, SeriesSpec
from core.presentation.table import Cell, Table
from core.presentation.uplift.words import UpliftWords, points, unit_words
from core.presentation.view import State, View
from payoff.counting import counted

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


def effect_words(effect: Effect, words: UpliftWords) -> str:
    """ "visit: 18.3 % of mail, 10.6 % of control; effect 7.66 points (7.00 to 8.32), p < 0.001"."""
    head, unit = ("", " points") if words.is_binary else ("mean ", "")
    mean: Callable[[float], str] = format_share if words.is_binary else unit_words
    number: Callable[[float], str] = points if words.is_binary else unit_words
    return (
        f"{head}{words.outcome}: {mean(effect.mean)} of {effect.arm}, "
        f"{mean(effect.control_mean)} of control; effect {number(effect.effect)}{unit} "
        f"({number(effect.low)} to {number(effect.high)}), {format_p_value(effect.p_value)}"
    )


def adjusted_words(effect: Effect, words: UpliftWords) -> str:
    """The effect adjusted for the inputs, with its interval."""
    if words.is_binary:
        ends = f"{points(effect.low)} to {points(effect.high)}"
        return f"adjusted for the inputs {points(effect.effect)} points ({ends})"
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
    mean = points(answer.true_effect) if answer.is_binary else unit_words(answer.true_effect)
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
