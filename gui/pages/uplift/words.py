"""The words of page Uplift: outcomes, amounts, and what a ranking is made of. No widgets."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.document.model import Document
from core.document.studies.uplift import ArmEffect, Effect, NamedFigure, UpliftResult
from core.document.wording import (
    MINUS,
    NBSP,
    format_interval,
    format_money,
    format_number,
    format_p_value,
    format_share,
)
from payoff.counting import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftWords:
    """What charts and tables call things."""

    outcome: str  # "visit"
    units: str  # "visits", or "spend" for amounts
    case: str
    cases: str
    currency: str
    is_binary: bool

    @classmethod
    def of(cls, document: Document, result: UpliftResult) -> UpliftWords:
        """From the project's own words."""
        name = result.outcome.replace("_", " ")
        plural = name if name.endswith(("s", "ed", "ght")) else f"{name}s"
        return cls(
            outcome=name,
            units=plural if result.is_binary else name,
            case=document.case_word[0],
            cases=document.case_word[1],
            currency=document.currency,
            is_binary=result.is_binary,
        )

    def amount(self, value: float) -> str:
        """Units of the outcome, with as many decimals as they need."""
        if not math.isfinite(value):
            return format_number(value)
        size = abs(value)
        return format_number(value, 0 if size >= 100 else 1 if size >= 10 else 2)

    def money(self, value: float) -> str:
        """An amount of money."""
        return format_money(value, self.currency)


def points(value: float, decimals: int = 2) -> str:
    """A share as points of a hundred."""
    return format_number(100.0 * value, decimals)


def effect_words(effect: Effect, words: UpliftWords, *, is_adjusted: bool) -> str:
    """ "visit 18.3 % of Mens E-Mail, 10.6 % of No E-Mail: +7.66 points (7.00 to 8.32)"."""
    low, high = effect.low, effect.high
    if is_adjusted:
        if words.is_binary:
            ends = f"{points(low)} to {points(high)}"
            return f"adjusted for the inputs {points(effect.effect)} points ({ends})"
        ends = format_interval(low, high, 2)
        return f"adjusted for the inputs {words.amount(effect.effect)} ({ends})"
    if words.is_binary:
        return "{}: {} of {}, {} of {}; effect {} points ({} to {}), {}".format(
            words.outcome,
            format_share(effect.mean),
            effect.arm,
            format_share(effect.control_mean),
            "control",
            points(effect.effect),
            points(low),
            points(high),
            format_p_value(effect.p_value),
        )
    return "mean {}: {} of {}, {} of {}; effect {} ({} to {}), {}".format(
        words.outcome,
        words.amount(effect.mean),
        effect.arm,
        words.amount(effect.control_mean),
        "control",
        words.amount(effect.effect),
        words.amount(low),
        words.amount(high),
        format_p_value(effect.p_value),
    )


def next_test_words(effect: ArmEffect, words: UpliftWords) -> str:
    """How many cases the next test needs."""
    if effect.next_test <= 0:
        return ""
    return (
        f"half this effect would be found with {counted(effect.next_test, words.case, words.cases)}"
    )


def truth_words(result: UpliftResult, words: UpliftWords) -> str:
    """The mean of the true effects, where a column tells them."""
    if not math.isfinite(result.true_effect):
        return ""
    mean = points(result.true_effect) if words.is_binary else words.amount(result.true_effect)
    return f"true effect {mean} on average"


def recognised(text: str, figures: tuple[NamedFigure, ...]) -> tuple[NamedFigure, ...]:
    """The figures that a number pasted from another tool may be, to the digits it has."""
    plain = text.strip().replace(MINUS, "-").replace(NBSP, "").replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        return ()
    mantissa = plain.lower().split("e")[0].lstrip("-")
    decimals = len(mantissa.split(".")[1]) if "." in mantissa else 0
    exponent = int(plain.lower().split("e")[1]) if "e" in plain.lower() else 0
    reach = 0.5000001 * 10.0 ** (exponent - decimals)
    return tuple(
        figure
        for figure in figures
        if math.isfinite(figure.value) and abs(figure.value - value) <= reach
    )
