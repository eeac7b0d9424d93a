"""What page Explain shows of its answers."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np

from core.document.studies.models import (
    CaseChange,
    CaseCurve,
    CaseInput,
    CasePart,
    CaseWhatIfResult,
    OneCaseResult,
)
from core.document.training_results import DependenceCurve, DependenceMap, ExplainResult, Influence
from core.document.wording import format_number, format_share, join_words, name_in_text
from core.presentation.charts.chart import (
    AxisSpec,
    BarsSpec,
    Chart,
    PointsSpec,
    SeriesSpec,
    ShadesSpec,
    StepSpec,
)
from core.presentation.charts.scales import nice_step
from core.presentation.labels import Labels, predicted_words, signed_words
from core.presentation.view import Cell, Table, View
from payoff.counting import counted
from payoff.types import FloatArray

_NEGATIVE = re.compile(r"-\d[\d.,]*(?:e[+-]?\d+)?")
MOST_NAMED = 3
MOST_STEPS = 12
_MOST_PLACES = 8
NO_ADVICE = (
    "These are changes of the model's answer, no advice: changing an input in real "
    "life need not change what happens."
)


def one_case(answer: OneCaseResult, labels: Labels) -> View:
    """A case in words, the steps to its prediction, and what would change its decision."""
    described = case_sentences(answer, labels)
    is_probability = answer.is_probability
    changes = tuple(
        f"• {change_sentence(entry, labels, is_probability=is_probability)}"
        for entry in answer.changes
    )
    return View(
        key=f"{answer.model}, row {answer.row + 1}",
        title=f"{answer.name}, {answer.model}",
        sentences=(*described, decision_sentence(answer), *changes),
        strong=len(described),
        charts=(_steps_chart(answer, labels),),
        notes=(NO_ADVICE,) if changes else (),
    )


def case_sentences(answer: OneCaseResult, labels: Labels) -> tuple[str, ...]:
    """What is predicted of the case and why, a sentence each."""
    own = predicted_words(answer.prediction, is_probability=answer.is_probability)
    base = predicted_words(answer.base_prediction, is_probability=answer.is_probability)
    sentences = [
        f"{answer.name}: {answer.outputs[answer.output]} is {own}. Of a case of "
        f"which nothing is known it is {base}."
    ]
    up = [part for part in answer.parts if part.amount > 0][:MOST_NAMED]
    down = [part for part in answer.parts if part.amount < 0][:MOST_NAMED]
    places = _places(answer)
    if up:
        sentences.append(f"Raised most by {_named(up, labels, places)}.")
    if down:
        sentences.append(f"Lowered most by {_named(down, labels, places)}.")
    if answer.outcome:
        sentences.append(f"What happened: {answer.outcome}.")
    return tuple(sentences)


def _places(answer: OneCaseResult) -> int:
    """Decimals of the parts: two, and more where the largest would have no two digits."""
    largest = max((abs(part.amount) for part in answer.parts), default=0.0)
    is_small = 0.0 < largest < 0.095
    return min(_MOST_PLACES, 1 - math.floor(math.log10(largest))) if is_small else 2


def _named(parts: list[CasePart], labels: Labels, places: int) -> str:
    return ", ".join(
        f"{part.column} = {_value(part.column, part.value, labels)} "
        f"({signed_words(part.amount, places)})"
        for part in parts
    )


def change_sentence(change: CaseChange, labels: Labels, *, is_probability: bool) -> str:
    """A change in words, with how far it goes among the cases."""
    new, old = (_value(change.column, at, labels) for at in (change.new, change.old))
    predicted = predicted_words(change.prediction, is_probability=is_probability)
    sentence = f"{change.column} {new} instead of {old}: {change.decision}, at {predicted}"
    if math.isnan(change.passed):
        return sentence
    return sentence + f"; {format_share(change.passed)} of the cases lie between"


def decision_sentence(answer: OneCaseResult) -> str:
    """The decision and whether one input alone could change it."""
    if not answer.decision:
        return answer.no_decision
    decision = f"Its decision is “{answer.decision}”."
    if not answer.changes:
        return f"{decision} {no_change_sentence(answer)}"
    return f"{decision} One of these changes alone would bring another:"


def no_change_sentence(answer: OneCaseResult | CaseWhatIfResult) -> str:
    """That no input alone would change the decision, and which of its values were tried."""
    rows = counted(answer.tried_rows, "row")
    where = f"all {rows}" if answer.tried_rows == answer.rows else f"{rows} drawn"
    return f"None of the values tried for one input alone, from {where}, would change that."


def _steps_chart(answer: OneCaseResult, labels: Labels) -> Chart:
    steps = case_steps(answer, labels)
    ends = np.array([(step.start, step.end) for step in steps])
    scale = "in log odds" if answer.is_probability else "on the model's own scale"
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
            "model's own scale (for chances the log of the odds). Colours of gain and loss follow "
            "the decision matrix: a step towards a class for which it pays less is no gain."
        ),
        variant=(
            "φ(j) = mean over orders of f(known before and j) − f(known before); Lundberg and "
            "others 2020, TreeSHAP, path dependent"
        ),
    )


# ---------------------------------------------------------------- a case with other inputs


def case_what_if(answer: CaseWhatIfResult, labels: Labels) -> View:
    """A case with inputs at other values: what is predicted, decided and earned, and why."""
    moved = answer.moved
    about = [f"{entry.column} = {entry.tried or 'missing'}" for entry in moved]  # a key: codes
    before = predicted_words(answer.before.prediction, is_probability=answer.is_probability)
    what = answer.outputs[answer.output]
    tables = (_money_table(answer, labels), _others_table(answer, labels))
    described = (
        verdict_sentence(answer, labels),
        moved_sentence(moved, labels),
        _flip_sentence(answer, labels),
    )
    charts: tuple[Chart, ...] = (_steps_chart(_as_case(answer), labels),)
    if answer.curve is not None:
        charts = (*charts, case_curve_chart(answer, answer.curve, labels))
    return View(
        key=", ".join((f"{answer.model}, row {answer.row + 1}", *about)),
        title=f"{answer.name}, {answer.model}",
        subtitle=f"{what}, {before} as it is" if moved else what,
        figure=predicted_words(answer.now.prediction, is_probability=answer.is_probability),
        sentences=tuple(line for line in described if line),
        strong=0,
        tables=tuple(table for table in tables if table.rows),
        charts=charts,
        notes=(NO_ADVICE, f"Sliders run {answer.rows_text}."),
    )


def moved_sentence(moved: tuple[CaseInput, ...], labels: Labels) -> str:
    """What has been changed of the case."""
    if not moved:
        return "Nothing is changed: this is the case as it is in the data."
    described = [
        "{} from {} to {}".format(
            entry.column, *(_value(entry.column, at, labels) for at in (entry.own, entry.tried))
        )
        for entry in moved
    ]
    return f"Changed: {join_words(described)}."


def _value(column: str, text: str, labels: Labels) -> str:
    """A value of an input; numbers have the sign that amounts beside them have."""
    words = labels.value(column, text) if text else "missing"
    return f"−{words[1:]}" if _NEGATIVE.fullmatch(words) else words


def verdict_sentence(answer: CaseWhatIfResult, labels: Labels) -> str:
    """What is decided with the inputs tried, beside what is decided as the case is."""
    before, now = answer.before, answer.now
    if not now.decision:
        return answer.no_decision
    money = now.money[answer.decisions.index(now.decision)]
    verb = labels.verbs.brings
    brings = f"which {verb} {labels.money(money)} on average"
    if before.decision == now.decision:
        stays = "stays" if answer.moved else "is"
        return f"Its decision {stays} “{now.decision}”, {brings}."
    if not before.decision:
        return f"Its decision becomes “{now.decision}”, {brings}."
    return f"Its decision becomes “{now.decision}” instead of “{before.decision}”, {brings}."


def _flip_sentence(answer: CaseWhatIfResult, labels: Labels) -> str:
    """The smallest change of one input that brings another decision, where it was looked for."""
    if not answer.is_searched:
        return ""
    if not answer.flips:
        return no_change_sentence(answer)
    first = change_sentence(answer.flips[0], labels, is_probability=answer.is_probability)
    return f"The smallest change that brings another decision: {first}."


def _money_table(answer: CaseWhatIfResult, labels: Labels) -> Table:
    """What each decision brings for this case, as it is and as it is tried."""
    rows = []
    for place, name in enumerate(answer.decisions):
        cells = [
            Cell(
                text=labels.money(verdict.money[place]) if verdict.money else "",
                is_bold=verdict.decision == name,
            )
            for verdict in (answer.before, answer.now)
        ]
        mark = "✓ " if answer.now.decision == name else ""
        rows.append((Cell(text=f"{mark}{name}", is_left=True, is_bold=bool(mark)), *cells))
    return Table(
        name=f"What each decision {labels.verbs.brings} for this {labels.case}",
        columns=("Decision", "As it is", "Now"),
        rows=tuple(rows),
    )


def _others_table(answer: CaseWhatIfResult, labels: Labels) -> Table:
    """The other models that predict the same, as the case is and as it is tried."""
    rows = []
    for other in answer.others:
        before, now = (
            predicted_words(verdict.prediction, is_probability=answer.is_probability)
            for verdict in (other.before, other.now)
        )
        name = Cell(text=other.model, is_left=True, series=labels.series_of(other.model))
        rows.append((name, Cell(text=before), Cell(text=now), Cell(text=other.now.decision)))
    return Table(
        name="Other models of the same outcome",
        columns=("Other model", "As it is", "Now", "Decision"),
        rows=tuple(rows),
    )


def _as_case(answer: CaseWhatIfResult) -> OneCaseResult:
    """The case tried, as the steps to its prediction read it."""
    return OneCaseResult(
        model=answer.model,
        row=answer.row,
        rows=answer.rows,
        name=answer.name,
        outputs=answer.outputs,
        output=answer.output,
        base=answer.base,
        score=answer.now.score,
        base_prediction=answer.base_prediction,
        prediction=answer.now.prediction,
        is_probability=answer.is_probability,
        level=answer.level,
        parts=answer.parts,
    )


def case_curve_chart(answer: CaseWhatIfResult, curve: CaseCurve, labels: Labels) -> Chart:
    """The prediction of the one case over an input, with the case on it."""
    facts = next(entry for entry in answer.inputs if entry.column == curve.column)
    series, is_nominal = labels.series_of(answer.model), bool(curve.levels)
    axis = _curve_axis(curve, labels)
    bottom, top = _value_range(curve.y, curve.y, curve.y, has_zero=is_nominal)
    now = (facts.tried_value, answer.now.prediction)
    own = (facts.own_value, _value_at(curve, facts.own_value))
    points = [("at its own value", -1, own, 7.0), ("now", series, now, 8.0)]
    missing = predicted_words(curve.at_missing, is_probability=answer.is_probability)
    line = SeriesSpec(
        name=answer.name, series=series, x=curve.x, y=curve.y, is_chosen=True, dash=()
    )
    bars = BarsSpec(name=answer.name, series=series, x=curve.x, y=curve.y, offset=0.0, width=0.6)
    return Chart(
        kind=f"case {curve.column}",
        title=f"{curve.column} of {answer.name}",
        subtitle=f"everything else as it is now; missing: {missing}",
        x_axis=axis,
        y_axis=AxisSpec(
            label=answer.outputs[answer.output],
            quantity="percent" if answer.is_probability else "number",
            low=bottom,
            high=top,
        ),
        series=() if is_nominal else (line,),
        bars=(bars,) if is_nominal else (),
        points=tuple(
            PointsSpec(name=name, series=of, x=np.array([x]), y=np.array([y]), size=size)
            for name, of, (x, y), size in points
            if math.isfinite(x) and math.isfinite(y) and x >= axis.low
        ),
        definition=(
            "The prediction of this one case when this input is set to each value and its other "
            "inputs stay as they are tried: its line in a plot of individual conditional "
            "expectation (ICE). Between two thresholds of the trees the line is level."
        ),
        rests_at=facts.tried_value if math.isfinite(facts.tried_value) else None,
        headroom=10,
        box_corner="beside cursor",
    )


def _value_at(curve: CaseCurve, x: float) -> float:
    """What the curve says at a value: at a jump what stands right of it."""
    if math.isnan(x):
        return curve.at_missing
    place = int(np.searchsorted(curve.x, x, side="right")) - 1
    if curve.levels:
        place = int(x)
    return float(curve.y[place]) if 0 <= place < len(curve.y) else math.nan


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
        title=f"What {name_in_text(answer.model)} uses",
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
        x_axis=_curve_axis(curve, labels),
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
        words = predicted_words(at_missing, is_probability=bool(labels.levels))
        share = format_share(curve.missing_share)
        parts.append(f"where it is missing ({share} of cases): {words}")
    elif not curve.levels:
        parts.append("band: the middle 80 % of cases")
    return ", ".join(parts)


def _curve_axis(curve: DependenceCurve | CaseCurve, labels: Labels) -> AxisSpec:
    described = curve.column.replace("{", "{{").replace("}", "}}") + " {}"
    axis = AxisSpec(label=curve.column, quantity="number", low=0.0, high=1.0, template=described)
    if curve.levels:
        words = labels.values(curve.column, curve.levels)
        return replace(axis, low=-0.5, high=len(words) - 0.5, words=words)
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
        x_axis=_cell_axis(pair.columns[0], pair.x, pair.x_levels, labels),
        y_axis=_cell_axis(pair.columns[1], pair.y, pair.y_levels, labels),
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


def _cell_axis(
    column: str, places: FloatArray, levels: tuple[str, ...], labels: Labels
) -> AxisSpec:
    """An axis whose cells have the places in their middle."""
    if levels:
        words, high = labels.values(column, levels), float(len(levels))
        return AxisSpec(label=column, quantity="number", words=words, low=0.0, high=high)
    low, high = float(places[0]), float(places[-1])
    half = (high - low) / (2 * (len(places) - 1)) if high > low else 0.5
    return AxisSpec(label=column, quantity="number", low=low - half, high=high + half)


def case_steps(answer: OneCaseResult, labels: Labels) -> tuple[StepSpec, ...]:
    """The lines of a case: what is known of nobody, the largest parts, the rest, this case."""
    shown, places = answer.parts, _places(answer)
    rest: tuple[CasePart, ...] = ()
    if len(shown) > MOST_STEPS:
        shown, rest = shown[: MOST_STEPS - 1], shown[MOST_STEPS - 1 :]
    base = predicted_words(answer.base_prediction, is_probability=answer.is_probability)
    own = predicted_words(answer.prediction, is_probability=answer.is_probability)
    at = answer.base
    steps = [StepSpec(name="nothing known", start=at, end=at, words=base, is_total=True)]
    lines = [
        (f"{part.column} = {_value(part.column, part.value, labels)}", part.amount)
        for part in shown
    ]
    if rest:
        lines.append((counted(len(rest), "other"), sum(part.amount for part in rest)))
    for name, amount in lines:
        role = labels.rise_role(answer.level, amount)
        words = signed_words(amount, places)
        steps.append(StepSpec(name=name, start=at, end=at + amount, words=words, role=role))
        at += amount
    score = answer.score
    steps.append(StepSpec(name="this case", start=score, end=score, words=own, is_total=True))
    return tuple(steps)
