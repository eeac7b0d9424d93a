"""Metrics as scripts and the command line ask for them, as choices of the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from core.document.model import MetricChoice
from core.evaluation.naming import parse_metric
from payoff.errors import PayoffError

Given: TypeAlias = Mapping[str, Any]
MetricRequests: TypeAlias = (
    str | Sequence[str | tuple[str, Given]] | Mapping[str, Given | Sequence[Given] | None]
)
"""``"auc"``, ``"lift_at(depth=0.5)"``, a list of such or of (id, parameters), or a mapping of ids
to parameters; a list of parameters there asks for as many variants."""

_FORMS = 'Write "auc", "lift_at(depth=0.5)", ("lift_at", {"depth": 0.5}) or {"lift_at": {...}}.'


def metric_choices(metrics: MetricRequests | None) -> tuple[MetricChoice, ...]:
    """What is asked for, one choice per metric and set of parameters.

    Raises
    ------
    PayoffError
        Where an entry has none of the forms.
    """
    if metrics is None:
        return ()
    if isinstance(metrics, str):
        metrics = [metrics]
    pairs = _of_mapping(metrics) if isinstance(metrics, Mapping) else map(_pair, metrics)
    return tuple(
        MetricChoice(metric=name, parameters=tuple(_plain(given).items())) for name, given in pairs
    )


def _of_mapping(metrics: Mapping[str, Any]) -> Iterator[tuple[str, Given]]:
    for name, requested in metrics.items():
        for given in (
            requested if isinstance(requested, (list, tuple)) and requested else [requested]
        ):
            yield _pair((name, given or {}))


def _pair(entry: Any) -> tuple[str, Given]:
    if isinstance(entry, str):
        name, reported = parse_metric(entry)
        return name, dict(reported)
    if isinstance(entry, tuple | list) and len(entry) == 2 and isinstance(entry[0], str):
        given = entry[1] or {}
        if isinstance(given, Mapping):
            name, reported = parse_metric(entry[0])
            return name, {**dict(reported), **given}
    raise PayoffError(f"{entry!r} does not name a metric.", remedy=_FORMS)


def _plain(given: Given) -> dict[str, Any]:
    """Parameters as a document holds them: floats, or the words of choices."""
    return {str(name): _value(value) for name, value in given.items()}


def _value(value: Any) -> Any:
    is_number = isinstance(value, int | float | np.integer | np.floating)
    return float(value) if is_number and not isinstance(value, bool) else value
