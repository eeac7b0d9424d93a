"""What page Explain shows of its answers."""

from __future__ import annotations

import math

import numpy as np

from core.document.studies.one_case import CaseChange, CasePart, OneCaseResult
from core.document.training_results import DependenceMap
from core.document.wording import format_share
from core.presentation.chart import AxisSpec, Chart, ShadesSpec, StepSpec
from core.presentation.labels import Labels, capitalised
from core.presentation.numbers import predicted_words, signed_words
from core.presentation.view import View
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
        title=f"{capitalised(answer.name)}, {answer.model}",
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
        f"{capitalised(answer.name)}: {answer.outputs[answer.output]} is {own}. Of a case of "
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


def pair_chart(
    pair: DependenceMap, *, series: int, output: int, is_chance: bool, rows: str = ""
) -> Chart:
    """The mean prediction over two inputs at once, as shades.

    Parameters
    ----------
    pair : DependenceMap
    series : int
        Of the model.
    output : int
        Which of its outputs, from 0.
    is_chance : bool
        Whether predictions are chances.
    rows : str
        Which rows were looked at.
    """
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
            series=series,
            quantity="percent" if is_chance else "number",
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
        rows_text=rows,
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
