"""How the charts behind Charts... look: words, axes and lines of each kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.document.compare.chart_kinds import ChartKind
from core.document.results import ChartFace
from core.presentation.chart import Corner, Quantity, Side
from core.presentation.labels import Labels
from payoff.vocabulary import CurveAxis

Words = Callable[[Labels], str]


def acted_words(look: Labels, group: str) -> str:
    """A group that the cursor takes in: "responders mailed"; only found where acting avoids it."""
    return f"{group} found" if look.is_by_event else f"{group} {look.done}"


def among_words(look: Labels, group: str) -> str:
    """A group among those taken in: "responders among those mailed".

    Where acting avoids the event, those with the highest chances are the ones not acted on.
    """
    within = "the highest chances" if look.is_by_event else f"those {look.done}"
    return f"{group} among {within}"


def depth_words(look: Labels) -> str:
    """The axis of depths, counted from the highest chance of the event."""
    if look.is_by_event:
        return f"{look.cases} by chance"
    return f"{look.cases} {look.done}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherLook:
    """What a kind's axes say and where its limits come from.

    ``x`` and ``y`` limits: fixed ends, or None = from the curves. ``is_split``: the chosen model
    alone, one line per name.
    """

    x_words: Words
    y_words: Words
    x_quantity: Quantity = "percent"
    y_quantity: Quantity = "percent"
    x_ends: tuple[float, float] | None = (0.0, 1.0)
    y_ends: tuple[float, float] | None = None
    corner: Corner = "top right"
    baselines: tuple[tuple[str, float, Side, bool], ...] = ()
    is_split: bool = False


def _advantage(look: Labels) -> str:
    """Depths in the order of the decisions, whichever end of the chances that is."""
    return f"{look.cases} {look.done}"


def _chance(_look: Labels) -> str:
    return "predicted chance"


def _said(words: str) -> Words:
    return lambda _look: words


_PREDICTED = FurtherLook(
    x_words=_said("predicted"),
    y_words=_said("observed"),
    x_quantity="number",
    y_quantity="number",
    x_ends=None,
    corner="top left",
)
_PLACES = FurtherLook(
    x_words=_said("places"), y_words=_said("precision"), x_quantity="number", x_ends=None
)
_TIMES = FurtherLook(x_words=_said("time"), y_words=_said("AUC"), x_quantity="number", x_ends=None)

LOOKS: dict[str, FurtherLook] = {
    "precision_recall": FurtherLook(
        x_words=lambda look: f"{acted_words(look, look.event)} (recall)",
        y_words=lambda look: among_words(look, look.event),
        y_ends=(0.0, 1.0),
        baselines=(("random", 0.3, "above", True),),
    ),
    "response": FurtherLook(
        x_words=depth_words,
        y_words=lambda look: f"share of {look.event}",
        baselines=(("random", 0.5, "below", True),),
    ),
    "ks": FurtherLook(
        x_words=depth_words,
        y_words=lambda look: f"{look.event} less others",
    ),
    "lorenz": FurtherLook(
        x_words=lambda look: f"{look.cases}, lowest first",
        y_words=lambda look: f"share of {look.event}",
        y_ends=(0.0, 1.0),
        corner="top left",
        baselines=(("even", 0.62, "left", True), ("best possible", 0.5, "above", False)),
    ),
    "smooth_calibration": FurtherLook(
        x_words=_chance,
        y_words=lambda look: look.happened,
        x_ends=None,
        baselines=(("exact", 0.9, "right", True),),
        corner="top left",
    ),
    "threshold": FurtherLook(
        x_words=_chance, y_words=_said("share"), x_ends=None, y_ends=(0.0, 1.0), is_split=True
    ),
    "net_benefit": FurtherLook(
        x_words=_said("chance at which acting just pays"),
        y_words=_said("net benefit per case"),
        x_ends=None,
        y_quantity="number",
        baselines=(("act on all", 0.1, "left", True), ("act on none", 0.9, "above", False)),
    ),
    "cost": FurtherLook(
        x_words=_said("weight of missing an event"),
        y_words=_said("expected cost"),
        y_quantity="number",
        y_ends=(0.0, 0.5),
        x_quantity="number",
        baselines=(("all or none", 0.5, "above", True),),
    ),
    "roi": FurtherLook(
        x_words=_advantage,
        y_words=_said("return on what is spent"),
        baselines=(("pays back", 0.9, "above", False),),
    ),
    "predicted_observed": replace(_PREDICTED, baselines=(("exact", 0.8, "right", True),)),
    "residuals": replace(
        _PREDICTED,
        y_words=_said("observed less predicted"),
        baselines=(("no error", 0.9, "above", False),),
    ),
    "error_share": FurtherLook(
        x_words=_said("missed by at most"),
        y_words=lambda look: f"share of {look.cases}",
        x_quantity="number",
        x_ends=None,
        y_ends=(0.0, 1.0),
        corner="bottom right",
    ),
    "quantile_calibration": FurtherLook(
        x_words=lambda look: f"{look.cases}, highest predicted first",
        y_words=_said("observed at or below predicted"),
        y_ends=(0.0, 1.0),
        baselines=(("a half", 0.9, "above", True),),
    ),
    "precision_at": _PLACES,
    "recall_at": replace(_PLACES, y_words=_said("recall"), corner="bottom right"),
    "ndcg_at": replace(_PLACES, y_words=_said("nDCG"), y_quantity="number", corner="bottom right"),
    "survival_groups": replace(
        _TIMES, y_words=_said("without the event"), y_ends=(0.0, 1.0), is_split=True
    ),
    "time_auc": replace(_TIMES, y_quantity="number", baselines=(("random", 0.9, "above", True),)),
    "risk_calibration": FurtherLook(
        x_words=lambda look: f"{look.cases}, highest risk first",
        y_words=_said("with the event"),
        baselines=(("all cases", 0.8, "above", True),),
    ),
}


def look_of_face(face: ChartFace, grey: tuple[str, ...]) -> FurtherLook:
    """The look of a plugin's curve, from what its axes say."""
    is_depth = face.axis in (CurveAxis.DEPTH, CurveAxis.LOWEST)
    return FurtherLook(
        x_words=_said(face.x_label),
        y_words=_said(face.y_label),
        x_quantity="percent" if face.x_unit == "percent" else "number",
        y_quantity="percent" if face.y_unit == "percent" else "number",
        x_ends=face.x_ends or ((0.0, 1.0) if is_depth else None),
        y_ends=face.y_ends,
        baselines=tuple((name, 0.7, "above", True) for name in grey),
        is_split=face.is_split,
    )


def kind_of_face(kind: str, face: ChartFace) -> ChartKind:
    """The catalogue's entry of a plugin's curve."""
    return ChartKind(
        kind=kind,
        title=face.title,
        subtitle=face.subtitle,
        axis=CurveAxis(face.axis),
        tasks=(),
    )
