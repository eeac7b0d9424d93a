"""How numbers are written: money, shares, counts, intervals. One place for window and report.

Non-breaking spaces stand inside amounts and percentages; a real minus sign is used. Everything
here is for reading; files get plain numbers.
"""

from __future__ import annotations

import math

from payoff.counting import counted

NBSP = "\u00a0"
MINUS = "\u2212"
UNDEFINED = "–"


class NumberText(str):
    """A number as it is written for reading, or an interval, with the numbers behind it.

    Tables are copied and exported with these. Stored, sent or joined to other words it is a text.

    >>> format_share(0.21).numbers
    (0.21,)
    """

    numbers: tuple[float, ...]

    def __new__(cls, words: str, *numbers: float) -> NumberText:
        """Return words that know their numbers: one, or the ends of an interval."""
        made = super().__new__(cls, words)
        made.numbers = numbers
        return made

    def __reduce__(self) -> tuple[type[NumberText], tuple[str | float, ...]]:
        return type(self), (str(self), *self.numbers)


def name_in_text(name: str) -> str:
    """A model's name as a sentence writes it: in quotes where it is made of several words.

    Or of one that sentences use themselves.

    >>> name_in_text("gbm 2"), name_in_text("with gene test"), name_in_text("model")
    ('gbm 2', '“with gene test”', '“model”')
    """
    words = [part for part in name.split() if any(letter.isalpha() for letter in part)]
    return f"“{name}”" if len(words) > 1 or name.casefold() in _WORDS_OF_SENTENCES else name


_WORDS_OF_SENTENCES = ("model", "score", "prediction", "chance", "probability", "risk", "class")


def format_number(value: float, decimals: int = 2) -> NumberText:
    """A number with thousands separators: 12,340.50.

    >>> format_number(-1234.5, 1)
    '−1,234.5'
    """
    if math.isnan(value):
        return NumberText(UNDEFINED, value)
    if math.isinf(value):
        return NumberText("∞" if value > 0 else f"{MINUS}∞", value)
    text = f"{abs(value):,.{decimals}f}"
    is_zero = float(text.replace(",", "")) == 0
    return NumberText(f"{MINUS}{text}" if value < 0 and not is_zero else text, value)


MOST_DECIMALS = 5  # of a small number; what is smaller is as good as nothing


def small_decimals(*values: float, least: int = 2) -> int:
    """Decimals of numbers that are read together: the largest of them keeps two digits.

    >>> small_decimals(0.015), small_decimals(0.05), small_decimals(7.66), small_decimals(2e-9)
    (3, 2, 2, 2)
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if largest < 0.5 * 10.0**-MOST_DECIMALS:
        return least
    needed = min(MOST_DECIMALS, 1 - math.floor(math.log10(largest)))
    while needed > least and round(largest, needed) == round(largest, needed - 1):
        needed -= 1  # 0.050 says no more than 0.05
    return max(least, needed)


def format_points(value: float, decimals: int | None = None) -> NumberText:
    """A share as points of a hundred: two decimals, more where it is small."""
    points = 100.0 * value
    return format_number(points, small_decimals(points) if decimals is None else decimals)


def format_count(value: float) -> NumberText:
    """A count: 4,268. Weighted counts are rounded to the nearest whole case."""
    return format_number(float(value), 0)


def format_money(
    value: float, currency: str = "€", *, decimals: int | None = None, sign: bool = False
) -> NumberText:
    """An amount with its currency sign: € 12,294 or −€ 1.60; ``sign`` writes the plus too.

    Amounts of 1,000 and more have no decimals, smaller ones two unless they are whole.
    """
    if math.isnan(value):
        return NumberText(UNDEFINED, value)
    text = format_number(abs(value), money_decimals(value) if decimals is None else decimals)
    is_zero = text.strip("0.,") == ""
    mark = "" if is_zero else MINUS if value < 0 else "+" if sign else ""
    return NumberText(f"{mark}{currency}{NBSP}{text}" if currency else f"{mark}{text}", value)


def money_decimals(value: float) -> int:
    """Decimals of an amount: none from 1,000 on or where it is whole to the cent, else two.

    Less than ten cents keep two digits, so that a contact for a quarter of a cent is not for free.
    """
    if not math.isfinite(value) or abs(value) >= 1000 or _is_whole(value):
        return 0
    return small_decimals(value)


def _is_whole(value: float) -> bool:
    """Whether an amount is whole to the cent; less than a cent is no zero."""
    return value == 0.0 or round(value, 2) == round(value) != 0


WHOLE = 100.0
"""From here on estimated amounts have no cents."""


def estimate_decimals(*values: float) -> int:
    """Decimals of estimated amounts that are read together, in a column or a sentence.

    The largest of them decides: none from 100 on or where all are whole to the cent, else two, or
    as many as leave it two digits.
    """
    sizes = [abs(value) for value in values if math.isfinite(value)]
    if not sizes or max(sizes) >= WHOLE or all(_is_whole(size) for size in sizes):
        return 0
    return small_decimals(*sizes)


def format_share(share: float, decimals: int | None = None) -> NumberText:
    """A share as a percentage: one decimal, two digits below 1 %.

    >>> format_share(0.213) == "21.3\u00a0%"
    True
    """
    if math.isnan(share):
        return NumberText(UNDEFINED, share)
    percent = 100 * share
    places = decimals
    if places is None:
        places = small_decimals(percent) if 0 < abs(percent) < 1 else 1
    return NumberText(f"{format_number(percent, places)}{NBSP}%", share)


def format_threshold(probability: float) -> NumberText:
    """A chance used as a cut-off: two decimals (6.25 %), more where it is tiny."""
    if math.isnan(probability):
        return NumberText(UNDEFINED, probability)
    percent = abs(100 * probability)
    decimals = 2 if percent >= 1 or percent == 0 else min(12, 1 - math.floor(math.log10(percent)))
    return format_share(probability, decimals)


def format_score(score: float) -> NumberText:
    """A score in points as a cut-off: about four digits."""
    if math.isnan(score):
        return NumberText(UNDEFINED, score)
    size = abs(score)
    return format_number(score, 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 1 else 4)


def format_interval(low: float, high: float, decimals: int = 3) -> NumberText:
    """An interval: 0.841 to 0.877."""
    words = f"{format_number(low, decimals)} to {format_number(high, decimals)}"
    return NumberText(words, low, high)


def format_money_interval(low: float, high: float) -> NumberText:
    """An interval of money, without the currency sign: 11,626 to 12,963; cents only below 100."""
    if math.isnan(low) or math.isnan(high):
        return NumberText(UNDEFINED, low, high)
    decimals = estimate_decimals(low, high)
    if (
        0 < high - low < 0.1 and max(abs(low), abs(high)) < WHOLE
    ):  # of an average: cents would say nothing of it
        decimals = 1 - math.floor(math.log10(high - low))
    return format_interval(low, high, decimals)


def format_short(value: float) -> NumberText:
    """A short form for narrow places: 1.28 M, 12.3 k, 640."""
    for limit, suffix in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= limit:
            divisor = 1e3 if suffix == "k" else limit
            text = format_number(value / divisor, 2 if suffix != "k" else 1)
            return NumberText(f"{text}{NBSP}{suffix}", value)
    return format_number(value, money_decimals(value))


def format_p_value(p_value: float) -> NumberText:
    """A p-value: p = 0.031, p < 0.001."""
    if math.isnan(p_value):
        return NumberText(f"p {UNDEFINED}", p_value)
    return NumberText("p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}", p_value)


def format_ahead(ahead: int, resamples: int, p_value: float = math.nan, level: int = 0) -> str:
    """How often the first was ahead; never "100 %" or "all" without a p-value.

    Draws in which both are equal are no sign that one is behind: their p-value says so. That of the
    resamples is said only where the difference's own, which few cases may make larger, does not
    contradict it.

    >>> format_ahead(1000, 1000)
    'ahead in 1,000 of 1,000 resamples (p < 0.002)'
    >>> format_ahead(20, 1000, level=970)
    'ahead in 20, level in 970 of 1,000 resamples'
    """
    if resamples <= 0:
        return ""
    if level == resamples:
        return f"level in all {counted(resamples, 'resample')}"
    also = f", level in {level:,}" if level else ""
    text, least = f"ahead in {ahead:,}{also} of {counted(resamples, 'resample')}", 2 / resamples
    if (ahead == resamples or not ahead + level) and not p_value > least:
        return f"{text} (p < {least:.3g})"
    return text if math.isnan(p_value) else f"{text} ({format_p_value(p_value)})"


def format_certainty(ahead: int, resamples: int, p_value: float, level: int = 0) -> str:
    """How sure a difference is: resamples and p-value, the p-value alone, or nothing."""
    if resamples > 0:
        return format_ahead(ahead, resamples, p_value, level)
    return "" if math.isnan(p_value) else format_p_value(p_value)


def format_bytes(size: float) -> str:
    """A size in memory or on disk: 229 MB."""
    for limit, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        if size >= limit:
            return f"{size / limit:,.{1 if size < 10 * limit else 0}f}{NBSP}{unit}"
    return f"{size:,.0f}{NBSP}bytes"


def format_seconds(seconds: float) -> str:
    """A duration: 0.8 s, 12 s, 2:05."""
    if seconds < 10:
        return f"{seconds:.1f}{NBSP}s"
    if seconds < 60:
        return f"{seconds:.0f}{NBSP}s"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def gone_words(plugin: str, last: str = "") -> str:
    """That a plugin is not here; ``last`` says where it was.

    >>> gone_words("org.example.own")
    'The plugin org.example.own, which brought it, is not installed.'
    """
    return f"The plugin {plugin}, which brought it, is not installed{last}."


def join_words(words: tuple[str, ...] | list[str]) -> str:
    """A list in a sentence: a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


_EVENT_NOUNS = {
    "responds": "a response",
    "defaults": "a default",
    "buys": "a purchase",
    "donates": "a donation",
    "churns": "leaving",
    "leaves": "leaving",
    "fails": "a failure",
    "pays back": "paying back",
}


def event_noun(label: str) -> str:
    """After "the chance of": "a response", or the level's label in quotes."""
    return _EVENT_NOUNS.get(label.lower(), f"“{label}”")


def share_that(share: str, label: str) -> str:
    """A share of cases with an outcome: "5.0 % respond", or "5.0 % are “yes”".

    >>> share_that("5.0 %", "responds")
    '5.0 % respond'
    """
    if label.lower() not in _EVENT_NOUNS:
        return f"{share} are “{label}”"
    first, _, rest = label.partition(" ")
    return f"{share} {first.removesuffix('s')} {rest}".rstrip()
