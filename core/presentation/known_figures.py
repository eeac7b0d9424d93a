"""Figures of a project that are known by now, and which of them a number from elsewhere may be."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from core.document.compare.words import metric_interval, metric_value
from core.document.results import NO_MODEL, DecisionResult, EvaluationResult
from core.document.studies.uplift import UpliftResult
from core.document.wording import MINUS, NBSP, format_share, name_in_text
from core.presentation.labels import Labels, number_words

_NUMBER = re.compile(r"-?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?\Z", re.I)
_GROUPED = re.compile(r"-?[1-9]\d{0,2}(?:([,.'’ ])\d{3})(?:\1\d{3})*(?:[.,]\d+)?\Z")
_SIGNS = re.compile(r"^[€$£¥]|[€$£¥]$|\b(?:EUR|USD|GBP|CHF)\b", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFigure:
    """A figure that the program shows somewhere.

    ``place`` is where: "compare", "decide", "uplift". ``is_share``: it may be written in per cent.
    """

    name: str
    shown: str
    value: float
    place: str
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What a written number may mean: its value, give or take half a unit of its last digit."""

    value: float
    reach: float

    def fits(self, value: float) -> bool:
        """Whether a value would be written so."""
        return math.isfinite(value) and abs(value - self.value) <= self.reach * 1.0000002


def readings(text: str) -> tuple[Reading, ...]:
    """Return what a pasted number may mean; empty for what is no number.

    A comma may part decimals or thousands; a share may be in per cent.

    >>> [(r.value, r.reach) for r in readings("1,234")]
    [(1.234, 0.0005), (1234.0, 0.5)]
    """
    plain = _SIGNS.sub("", text.strip().replace(MINUS, "-").replace(NBSP, " ")).strip()
    factor = 0.01 if plain.endswith("%") else 1.0
    plain = plain.removesuffix("%").strip().removeprefix("+")
    found = []
    if _NUMBER.match(plain):
        found.append(_reading(plain.replace(",", ".")))
    grouped = _GROUPED.match(plain)
    if grouped:
        found.append(_reading(plain.replace(grouped[1], "").replace(",", ".")))
    return tuple(Reading(one.value * factor, one.reach * factor) for one in found)


def _reading(plain: str) -> Reading:
    mantissa, _, exponent = plain.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return Reading(float(plain), 0.5 * 10.0 ** (int(exponent or 0) - decimals))


def matching(text: str, figures: tuple[KnownFigure, ...]) -> tuple[KnownFigure, ...]:
    """Return the figures that would be written as a text, to the digits that it has."""
    known = readings(text)
    return tuple(
        figure
        for figure in figures
        if any(
            reading.fits(value)
            for reading in known
            for value in (figure.value, *((100.0 * figure.value,) if figure.is_share else ()))
        )
    )


def metric_figures(answer: EvaluationResult) -> tuple[KnownFigure, ...]:
    """Return every metric of every model, and of none."""
    infos = {info.metric: info for info in answer.metrics}
    return tuple(
        KnownFigure(
            name=f"{infos[cell.metric].title}, {cell.model or NO_MODEL}",
            shown=_with_ends(
                metric_value(infos[cell.metric], cell.estimate.value),
                metric_interval(infos[cell.metric], cell.estimate.low, cell.estimate.high)
                if math.isfinite(cell.estimate.low)
                else "",
            ),
            value=cell.estimate.value,
            place="compare",
            is_share=infos[cell.metric].unit == "percent",
        )
        for cell in (*answer.cells, *answer.no_model)
        if cell.metric in infos and math.isfinite(cell.estimate.value)
    )


def decision_figures(answer: DecisionResult, labels: Labels) -> tuple[KnownFigure, ...]:
    """Return the totals of every model: by its rule, at its best depth, and the best possible."""
    found = []
    for model in answer.models:
        name_of = name_in_text(model.model)
        amounts = (
            (f"Total of {name_of} by the rule", model.total.value),
            (f"Total of {name_of} at its best depth", model.best_profit),
            ("The same, cross-fitted", model.best_profit_crossfitted.value),
            ("Best possible total, with every outcome known", model.best_total),
            (f"Mean per {labels.case}, {model.model}", model.average.value),
        )
        shares = (
            (f"Best depth of {name_of}", model.best_depth),
            (f"Depth of {name_of} by the rule", model.rule_depth),
        )
        found += [
            KnownFigure(
                name=name.replace("The same", f"Best total of {name_of}"),
                shown=labels.money(value),
                value=labels.shown(value),
                place="decide",
            )
            for name, value in amounts
        ]
        found += [
            KnownFigure(
                name=name, shown=format_share(value), value=value, place="decide", is_share=True
            )
            for name, value in shares
        ]
    known = {(entry.name, entry.value): entry for entry in found if math.isfinite(entry.value)}
    return tuple(known.values())


def ranking_figures(answer: UpliftResult) -> tuple[KnownFigure, ...]:
    """Return what libraries for uplift print for each ranking."""
    return tuple(
        KnownFigure(
            name=f"{figure.tool}, {figure.name}, of {model.model}",
            shown=number_words(figure.value),
            value=figure.value,
            place="uplift",
        )
        for model in answer.models
        for figure in model.named
        if math.isfinite(figure.value)
    )


def leading_figure(answer: EvaluationResult) -> KnownFigure | None:
    """Return the first metric of the table with a direction, of the model that it puts first."""
    directed = {info.metric: info for info in answer.metrics if info.direction != "none"}
    best = next((cell for cell in answer.cells if cell.metric in directed and cell.is_best), None)
    if best is None:
        return None
    name = f"{directed[best.metric].title}, {best.model}"
    return next((entry for entry in metric_figures(answer) if entry.name == name), None)


def _with_ends(value: str, ends: str) -> str:
    return f"{value} ({ends})" if ends else value
