"""How a metric is asked for: by its id or an alias, with parameters, as text or as a mapping."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from core.evaluation.problem import MetricRequest
from payoff.errors import PayoffError, no_such
from payoff.parameters import resolve_parameters
from payoff.specs import EvaluationMetric
from payoff.vocabulary import Task

_FORM = re.compile(r"\s*([^\s()]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_PART = re.compile(r"""\s*(\w+)\s*=\s*("[^"]*"|'[^']*'|(?:\([^()]*\)|[^,()"'])+)\s*(?:,|\Z)""")

Given = tuple[tuple[str, Any], ...]


def parse_metric(text: str) -> tuple[str, Given]:
    """Split what names a metric into its id and what is given, as ``parse_named`` does."""
    return parse_named(text, "a metric", "lift_at(depth=0.5)")


def parse_named(text: str, what: str, example: str) -> tuple[str, Given]:
    """Split ``id`` or ``id(parameter=value, ...)`` into the id and what is given.

    Values are numbers, or the words of a choice, in quotes where they hold a comma.

    Raises
    ------
    PayoffError
        Where the text has another form.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise _unread(text, what, example)
    name, inner = found.groups()
    given: list[tuple[str, Any]] = []
    place = 0
    while inner and place < len(inner):
        part = _PART.match(inner, place)
        if part is None:
            raise _unread(text, what, example)
        given.append((part[1], _value(part[2].strip())))
        place = part.end()
    return name, tuple(given)


def _value(word: str) -> object:
    if word[0] in "\"'":
        return word[1:-1]
    try:
        return float(word)
    except ValueError:
        return word


def _unread(text: str, what: str, example: str) -> PayoffError:
    return PayoffError(
        f"'{text}' does not name {what}.",
        remedy=f"Write its id, and parameters in brackets: {example}.",
    )


def find_metric(
    metrics: Iterable[EvaluationMetric], name: str, task: Task | None = None
) -> EvaluationMetric | None:
    """The metric of an id or alias; of several that share a name the one that fits the task."""
    found = [spec for spec in metrics if name == spec.id or name in spec.aliases]
    found.sort(key=lambda spec: (task is not None and task not in spec.tasks, name != spec.id))
    return found[0] if found else None


def metric_request(
    metrics: Iterable[EvaluationMetric],
    name: str,
    given: Mapping[str, Any] | Given = (),
    task: Task | None = None,
    *,
    word: str = "metric",
) -> MetricRequest:
    """A metric with parameters, checked; it keeps the names and words it was asked for by.

    Raises
    ------
    PayoffError
        For a metric or a parameter that is not there, or a value that is not possible.
    """
    offered = tuple(metrics)
    spec = find_metric(offered, name, task)
    if spec is None:
        raise no_such(word, name, _names(offered, task))
    request = MetricRequest(
        spec=spec, parameters=tuple(dict(given).items()), name="" if name == spec.id else name
    )
    try:
        resolve_parameters(spec.parameters, request.numbers)
    except PayoffError as refusal:
        where = f"metric {name}" + (f", {refusal.where}" if refusal.where else "")
        raise PayoffError(
            refusal.what, where=where, why=refusal.why, remedy=refusal.remedy
        ) from None
    return request


def _names(metrics: tuple[EvaluationMetric, ...], task: Task | None) -> list[str]:
    """Ids and aliases that fit a task, ids first."""
    fitting = [spec for spec in metrics if task is None or task in spec.tasks]
    aliases = [alias for spec in fitting for alias in spec.aliases]
    return list(dict.fromkeys([*(spec.id for spec in fitting), *aliases]))


def _settled(request: MetricRequest) -> tuple[dict[str, str], dict[str, float]]:
    """Columns and numbers of a metric, those that were not given included."""
    return request.columns, resolve_parameters(request.spec.parameters, request.numbers)


def requested(requests: Iterable[MetricRequest], text: str) -> MetricRequest:
    """The one of some requests that a text names: by its key, its parameters, or its id alone.

    Raises
    ------
    PayoffError
        Where none is named, or an id alone names several.
    """
    known = tuple(requests)
    for request in known:
        if text == request.key:
            return request
    name, given = parse_metric(text)
    of_name = [entry for entry in known if name in (entry.name, entry.spec.id, *entry.spec.aliases)]
    for request in of_name:
        requested = MetricRequest(spec=request.spec, parameters=given)
        if _settled(requested) == _settled(request):
            return request
    if len(of_name) == 1 and not given:
        return of_name[0]
    if of_name and not given:
        keys = ", ".join(entry.key for entry in of_name)
        raise PayoffError(f"'{text}' stands there several times.", remedy=f"Name one of: {keys}.")
    raise no_such("metric", text, [entry.key for entry in known], listed="Known metrics")
