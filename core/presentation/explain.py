"""What page Explain shows of its answers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.document.studies.models import CaseChange, CasePart, OneCaseResult
from core.document.training_results import DependenceCurve, DependenceMap, ExplainResult, Influence
from core.document.wording import format_number, format_share
from core.presentation.chart import AxisSpec, BarsSpec, Chart, SeriesSpec, ShadesSpec, StepSpec
from core.presentation.labels import Labels, predicted_words, signed_words
from core.presentation.scales import nice_step
from core.presentation.view import Table, View
from payoff.counting import counted
from payoff.types import FloatArray

MOST_NAMED = 3
MOST_STEPS = 12
NO_ADVICE = (
    "These are changes of the model's answer, no advice: changing an input in real "
    "life need not change what happens."
)


def one_case(answer: OneCaseResult, labels: Labels) -> View:
    """A case in words, the steps to its prediction, and what would change its decision."""
    del labels  # a case is spoken of by its inputs
    said = case_sentences(answer)
    changes = tuple(f"• {change_sentence(c, is_chance=answer.is_chance)}" for c in answer.changes)
    return View(
        key=f"{answer.model}, row {answer.row + 1}",
        title=f"{answer.name}, {answer.model}",
        sentences=(*said, decision_sentence(answer), *changes),
        strong=len(said),
        charts=(_steps_chart(answer),),
        notes=(NO_ADVICE,) if changes else (),
    )


def case_sentences(answer: OneCaseResult) -> tuple[str, ...]:
    """What is predicted of the case and why, a sentence each."""
    own = predicted_words(answer.prediction, is_chance=answer.is_chance)
    base = predicted_words(answer.base_prediction, is_chance=answer.is_chance)
    sentences = [
        f"{answer.name}: {answer.outputs[answer.output]} is {own}. Of a case of "
        f"which nothing is known it is {base}."
    ]
    up = [part for part in answer.parts if part.amount > 0][:MOST_NAMED]
    down = [part for part in answer.parts if part.amount < 0][:MOST_NAMED]
    if up:
        sentences.append(f"Raised most by {_named(up)}.")
    if down:
        sentences.append(f"Lowered most by {_named(down)}.")
    if answer.outcome:
        sentences.append(f"What happened: {answer.outcome}.")
    return tuple(sentences)


def _named(parts: list[CasePart]) -> str:
    return ", ".join(
        f"{part.column} = {part.value or 'missing'} ({signed_words(part.amount)})" for part in parts
    )


def change_sentence(change: CaseChange, *, is_chance: bool) -> str:
    """A change in words, with how far it goes among the cases."""
    sentence = "{} {} instead of {}: {}, at {}".format(
        change.column,
        change.new,
        change.old or "missing",
        change.decision,
        predicted_words(change.prediction, is_chance=is_chance),
    )
    if math.isnan(change.passed):
        return sentence
    return sentence + f"; {format_share(change.passed)} of the cases lie between"


def decision_sentence(answer: OneCaseResult) -> str:
    """The decision and whether one input alone could change it."""
    if not answer.decision:
        return answer.no_decision
    if not answer.changes:
        rows = counted(answer.tried_rows, "row")
        where = f"all {rows}" if answer.tried_rows == answer.rows else f"{rows} drawn"
        return (
            f"Its decision is {answer.decision}. None of the values tried for one input alone, "
            f"from {where}, would change that."
        )
    return f"Its decision is {answer.decision}. One of these changes alone would bring another:"


def _steps_chart(answer: OneCaseResult) -> Chart:
    steps = case_steps(answer)
    ends = np.array([(step.start, step.end) for step in steps])
    scale = "in log odds" if answer.is_chance else "on the model's own scale"
    return Chart(
        kind="one_case",
        title="How the prediction comes about",
        subtitle=f"{answer.outputs[answer.output]}, {scale}",
        x_axis=AxisSpec(
            label="score", quantity="number", low=float(ends.min()), high=float(ends.max())
        ),
        y_axis=AxisSpec(label="", quantity="number", low=0.0, high=float(len(steps))),
        steps=steps,
        definition=(
            "The first line is what the model says of a case of which nothing is known. "
            "Each input then adds its Shapley value: its mean effect over all orders in "
            "which the inputs could have become known. The steps add up exactly on the "
            "model's own scale (for chances the log of the odds)."
        ),
        variant=(
            "φ(j) = mean over orders of f(known before and j) − f(known before); Lundberg and "
            "others 2020, TreeSHAP, path dependent"
        ),
    )


# ---------------------------------------------------------------- a model as a whole


def explained_model(answer: ExplainResult, labels: Labels) -> View:
    """The charts that were asked for; without any, what the model uses."""
    if not (answer.curves or answer.maps):
        return _influence_view(answer)
    charts = (
        *(_curve_chart(curve, answer, labels) for curve in answer.curves),
        *(_pair_chart(pair, answer, labels) for pair in answer.maps),
    )
    names = (
        *(curve.column for curve in answer.curves),
        *("{} and {}".format(*pair.columns) for pair in answer.maps),
    )
    first = charts[0]
    return View(
        key=f"{answer.model}{'' if answer.curves else ':'} {', '.join(names)}",
        title=first.title,
        subtitle=first.subtitle,
        charts=charts,
        notes=tuple(dict.fromkeys(chart.definition for chart in charts)),
    )


def _influence_view(answer: ExplainResult) -> View:
    """Every input with its share of the influence, and what shuffling it costs where known."""
    is_shuffled = any(math.isfinite(entry.shuffled) for entry in answer.influence)
    decimals = shuffling_decimals(answer.influence)
    rows = []
    for entry in answer.influence:
        share = format_share(entry.influence / 100)
        costs = (shuffling_words(entry, decimals),) if is_shuffled else ()
        rows.append((entry.column, share, *costs))
    costs = ("Rise of the loss when shuffled",) if is_shuffled else ()
    columns = ("Input", "Influence", *costs)
    return View(
        key=answer.model,
        title=f"What {answer.model} uses",
        subtitle=answer.rows_text,
        tables=(
            Table(
                columns=columns,
                rows=tuple(rows),
                right=tuple(range(1, len(columns))),
                name="Influence of the inputs",
            ),
        ),
        notes=(*answer.notes, *(shuffling_notes(answer) if is_shuffled else ())),
    )


def shuffling_decimals(entries: tuple[Influence, ...]) -> int:
    """Decimals that leave two digits of the largest rise."""
    rises = [abs(entry.shuffled) for entry in entries if math.isfinite(entry.shuffled)]
    return min(8, max(0, 1 - math.floor(math.log10(max(rises, default=0.0) or 1.0))))


def shuffling_words(entry: Influence, decimals: int) -> str:
    """The rise of the loss, with half the range of the shuffles."""
    half = (entry.shuffled_high - entry.shuffled_low) / 2
    return f"{format_number(entry.shuffled, decimals)} ± {format_number(half, decimals)}"


def shuffling_notes(answer: ExplainResult) -> tuple[str, ...]:
    """What is to be said of importance by shuffling."""
    words = (
        "Rise of the loss when an input is shuffled, ± half of what five shuffles differ "
        "by. Inputs that tell the same stand in for each other: each then seems to cost "
        "little."
    )
    rows = f"Shuffled over {answer.shuffled_rows}." if answer.shuffled_rows else ""
    return tuple(line for line in (words, rows) if line)


def _curve_chart(curve: DependenceCurve, answer: ExplainResult, labels: Labels) -> Chart:
    """How the prediction depends on one input: a line with its band, or bars over levels."""
    at, series = answer.usual_output, labels.series_of(answer.model)
    y, low, high = curve.y[at], curve.low[at], curve.high[at]
    is_nominal = bool(curve.levels)
    bottom, top = _value_range(y, low, high, has_zero=is_nominal)
    line = SeriesSpec(
        name=answer.model,
        series=series,
        x=curve.x,
        y=y,
        low=low,
        high=high,
        is_chosen=True,
        dash=(),
    )
    bars = BarsSpec(name=answer.model, series=series, x=curve.x, y=y, offset=0.0, width=0.6)
    return Chart(
        kind=f"dependence {curve.column}",
        title=f"How does {curve.column} change the prediction?",
        subtitle=_curve_subtitle(curve, answer, labels),
        x_axis=_curve_axis(curve),
        y_axis=AxisSpec(
            label=answer.outputs[at],
            quantity="percent" if labels.levels else "number",
            low=bottom,
            high=top,
        ),
        series=() if is_nominal else (line,),
        bars=(bars,) if is_nominal else (),
        definition=_curve_definition(is_nominal=is_nominal),
        rows_text=answer.rows_text,
        rug=None if is_nominal else curve.rug,
        headroom=10,
        box_corner="beside cursor",
    )


def _curve_definition(*, is_nominal: bool) -> str:
    """What is drawn: bars over levels have neither a band nor strokes."""
    text = (
        "The mean prediction of the cases when this input is set to each value in turn and "
        "everything else stays as it is."
    )
    if is_nominal:
        return text
    return (
        f"{text} The band holds the middle 80 % of single cases: where it is wide, other inputs "
        "matter as well. Strokes at the foot show where cases lie; where there are none the curve "
        "is a guess."
    )


def _curve_subtitle(curve: DependenceCurve, answer: ExplainResult, labels: Labels) -> str:
    parts = [answer.model]
    at_missing = float(curve.at_missing[answer.usual_output])
    if curve.missing_share > 0 and math.isfinite(at_missing):
        words = predicted_words(at_missing, is_chance=bool(labels.levels))
        share = format_share(curve.missing_share)
        parts.append(f"where it is missing ({share} of cases): {words}")
    elif not curve.levels:
        parts.append("band: the middle 80 % of cases")
    return ", ".join(parts)


def _curve_axis(curve: DependenceCurve) -> AxisSpec:
    said = curve.column.replace("{", "{{").replace("}", "}}") + " {}"
    axis = AxisSpec(label=curve.column, quantity="number", low=0.0, high=1.0, said=said)
    if curve.levels:
        return replace(axis, low=-0.5, high=len(curve.levels) - 0.5, words=curve.levels)
    low, high = float(curve.x[0]), float(curve.x[-1])
    if high <= low:
        low, high = low - 0.5, high + 0.5
    return replace(axis, low=low, high=high)


def _value_range(
    y: FloatArray, low: FloatArray, high: FloatArray, *, has_zero: bool
) -> tuple[float, float]:
    """From the lowest to the highest of line and band, down to a round number below."""
    values = np.concatenate([y, low, high])
    values = values[np.isfinite(values)]
    bottom, top = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    if has_zero or (bottom > 0 and bottom < 0.4 * top):
        bottom = min(0.0, bottom)
    if top <= bottom:
        top = bottom + (abs(bottom) or 1.0) * 0.1
    step = nice_step(top - bottom, 4)
    return math.floor(bottom / step + 1e-9) * step if bottom < 0 else bottom, top


def _pair_chart(pair: DependenceMap, answer: ExplainResult, labels: Labels) -> Chart:
    """The mean prediction over two inputs at once, as shades."""
    output = answer.usual_output
    strength = float(pair.interaction[output])
    names = "{} and {}".format(*pair.columns)
    return Chart(
        kind="pair",
        title="Do two inputs act together?",
        subtitle=f"{names}, H = {strength:.2f}" if math.isfinite(strength) else names,
        x_axis=_cell_axis(pair.columns[0], pair.x, pair.x_levels),
        y_axis=_cell_axis(pair.columns[1], pair.y, pair.y_levels),
        shades=ShadesSpec(
            values=pair.values[output],
            x=pair.x,
            y=pair.y,
            series=labels.series_of(answer.model),
            quantity="percent" if labels.levels else "number",
            rug_x=None if pair.x_levels else pair.rug_x,
            rug_y=None if pair.y_levels else pair.rug_y,
        ),
        definition=(
            "The mean prediction when both inputs are set to each pair of values. Strokes "
            "at the edges show where cases lie. H is the share of the joint effect that is "
            "not the sum of two separate ones: 0 means that they do not act together. The "
            "list names it for each of the strongest other inputs."
        ),
        variant="H² = Σ (f₁₂ − f₁ − f₂)² ÷ Σ f₁₂²; Friedman and Popescu 2008",
        rows_text=answer.rows_text,
        headroom=0,
    )


def _cell_axis(column: str, places: FloatArray, levels: tuple[str, ...]) -> AxisSpec:
    """An axis whose cells have the places in their middle."""
    if levels:
        return AxisSpec(
            label=column, quantity="number", words=levels, low=0.0, high=float(len(levels))
        )
    low, high = float(places[0]), float(places[-1])
    half = (high - low) / (2 * (len(places) - 1)) if high > low else 0.5
    return AxisSpec(label=column, quantity="number", low=low - half, high=high + half)


def case_steps(answer: OneCaseResult) -> tuple[StepSpec, ...]:
    """The lines of a case: what is known of nobody, the largest parts, the rest, this case."""
    shown = answer.parts
    rest: tuple[CasePart, ...] = ()
    if len(shown) > MOST_STEPS:
        shown, rest = shown[: MOST_STEPS - 1], shown[MOST_STEPS - 1 :]
    base = predicted_words(answer.base_prediction, is_chance=answer.is_chance)
    own = predicted_words(answer.prediction, is_chance=answer.is_chance)
    at = answer.base
    steps = [StepSpec(name="nothing known", start=at, end=at, words=base, is_total=True)]
    lines = [(f"{part.column} = {part.value or 'missing'}", part.amount) for part in shown]
    if rest:
        lines.append((f"{len(rest)} others", sum(part.amount for part in rest)))
    for name, amount in lines:
        steps.append(StepSpec(name=name, start=at, end=at + amount, words=signed_words(amount)))
        at += amount
    score = answer.score
    steps.append(StepSpec(name="this case", start=score, end=score, words=own, is_total=True))
    return tuple(steps)
