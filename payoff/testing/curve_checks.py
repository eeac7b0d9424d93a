"""What is checked of curves beside the checks of every metric."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from payoff.counting import counted
from payoff.curves import CurveBasis, CurveLine, CurveRanking, lines_of
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters
from payoff.sample import Sample
from payoff.specs import EvaluationMetric
from payoff.testing.checks import require, require_close
from payoff.testing.host import curve_lines

_WORD = re.compile(r"\{(\w*)\}")
_KNOWN_WORDS = {"event", "others", "cases"}


def curve_form(metric: EvaluationMetric, sample: Sample) -> str:
    """Lines run from left to right, hold their own limits, and the grey lines have names."""
    values = resolve_parameters(metric.parameters)
    try:
        lines = curve_lines(metric, sample, values)
    except PayoffError as error:
        require(False, str(error))
    for line in lines:
        for low, high in ((line.low, line.y), (line.y, line.high)):
            if low is not None and high is not None:
                known = np.isfinite(low) & np.isfinite(high)
                is_above = (low > high + 1e-9)[known]
                require(not is_above.any(), f"limits of '{line.name}' do not hold the line")
    names = [line.name for line in lines]
    require(len(set(names)) == len(names), "two lines have the same name")
    grey: tuple[CurveLine, ...] = ()
    if metric.axes is not None and metric.axes.references is not None:
        basis: CurveBasis = sample
        if metric.trace is not None and sample.labels:
            basis = CurveRanking.of(sample.against_rest(0) if len(sample.labels) > 2 else sample)
        given = tuple(metric.axes.references(basis, lines, values))
        grey = lines_of(given, metric.id) if given else ()
        require(all(line.name.strip() for line in grey), "a grey line has no name")
    _require_sentences(metric, sample, lines)
    points = sum(len(line.x) for line in lines)
    return f"{counted(len(lines), 'line')} of {counted(points, 'point')}, {len(grey)} grey ones"


def _require_sentences(
    metric: EvaluationMetric, sample: Sample, lines: tuple[CurveLine, ...]
) -> None:
    """What a curve says of its lines and of these cases is text."""
    values = resolve_parameters(metric.parameters)
    described: list[object] = [line.note for line in lines]
    axes = metric.axes
    if axes is not None and axes.note is not None:
        described += [axes.note(line, values) for line in lines]
    if axes is not None and axes.detail is not None and metric.trace is None:
        described.append(axes.detail([sample], lines, values))
    wrong = [entry for entry in described if not isinstance(entry, str)]
    require(not wrong, f"a sentence is {type(wrong[0]).__name__ if wrong else ''}, not text")


def curve_draws(metric: EvaluationMetric, sample: Sample) -> str:
    """All resamples at once give each the line that it gives alone."""
    basis = sample.against_rest(0) if len(sample.labels) > 2 else sample
    other = basis.reweighted(basis.weight * (1.0 + np.arange(len(basis)) % 3))
    alone = [CurveRanking.of(one) for one in (basis, other)]
    together = replace(
        alone[0],
        found=np.stack([one.found for one in alone]),
        others=np.stack([one.others for one in alone]),
        event_share=np.array([[one.event_share] for one in alone]),
        cases=float("nan"),
    )
    values = resolve_parameters(metric.parameters)
    assert metric.trace is not None
    answer = metric.trace(together, values)
    given = (answer.x, answer.y) if isinstance(answer, CurveLine) else tuple(answer)
    found = ""
    for draw, one in enumerate(alone):
        (line,) = lines_of(metric.trace(one, values), metric.id)
        for ours, theirs in zip(given, (line.x, line.y), strict=True):
            values_of = np.asarray(ours, dtype=np.float64)
            row = values_of[draw] if values_of.ndim == 2 else values_of
            require(row.shape == theirs.shape, f"two draws at once give shape {row.shape}")
            found = require_close(row, theirs, "two draws at once")
    return found


def curve_words(metric: EvaluationMetric) -> str:
    """Texts name only words that the host fills in."""
    assert metric.axes is not None
    texts = (metric.help, metric.axes.question, metric.axes.x, metric.axes.y)
    strange = [word for text in texts for word in _WORD.findall(text) if word not in _KNOWN_WORDS]
    require(not strange, f"the word {{{strange[0] if strange else ''}}} is not known")
    return counted(len(texts), "text")
