"""Questions from words: what a command line, or a line in a note, gives for their fields."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, replace
from enum import Enum
from typing import Any

from core.document.data.model import RowUse
from core.document.decisions.matrix_model import NumberKind, NumberRef, NumberSetting
from core.document.files.codec import from_plain
from core.document.model import Document
from core.document.scripts.form import record_of
from core.document.studies.compare import ShiftSide
from core.document.studies.decided_cases import SwapSide
from core.document.studies.moving_numbers import MapAxis
from core.questions.question import Question, question_fields
from payoff.errors import PayoffError, no_such

NUMBER = "prior, cost:DECISION, cell:LEVEL/DECISION or parameter:NAME"


def question_from_words(
    record: type[Question[Any]], words: Mapping[str, Sequence[str]], document: Document
) -> Question[Any]:
    """Return a question whose fields are given in words.

    Parameters
    ----------
    record : type of Question
    words : mapping of field to texts
        One text; of a field that takes several, each one.
    document : Document
        The project; a model that is not named is its chosen one.

    Raises
    ------
    PayoffError
        Naming the field that is missing, unknown or cannot be read.
    """
    known = {name: (hint, default) for name, hint, default, _ in question_fields(record)}
    for name in words:
        if name not in known:
            raise no_such("field", name, known, where=record.facts.key)
    values: dict[str, Any] = {}
    for name, (hint, default) in known.items():
        if name in words:
            read = _read(hint, words[name], f"{record.facts.key}, {name}")
            values[name] = _with_event(read, document)
        elif name == "model" and default is MISSING:
            values[name] = _chosen(document)
    missing = [
        name
        for name, (_, default) in known.items()
        if default is MISSING and name not in values and name != "reader"
    ]
    if missing:
        raise PayoffError(
            f"'{missing[0]}' is not given.",
            where=record.facts.key,
            remedy=f"Give --{missing[0].replace('_', '-')} {wanted(known[missing[0]][0])}.",
        )
    return record(**values)


def wanted(hint: Any) -> str:
    """Return what is to be written for a field of a type, in capitals."""
    kind = without_none(hint)
    if typing.get_origin(kind) is tuple:
        kind = typing.get_args(kind)[0]
    forms = {
        NumberSetting: "NUMBER=VALUE",
        MapAxis: "NUMBER=LOW..HIGH",
        SwapSide: "MODEL[@DEPTH or :SCENARIO]",
        ShiftSide: "USE or FILE",
        tuple[str, str]: "NAME=VALUE",
        str: "NAME",
        int: "N",
        float: "X",
        bool: "yes or no",
    }
    return forms.get(kind, "JSON")


def is_repeated(hint: Any) -> bool:
    """Return whether a field takes several values."""
    return typing.get_origin(without_none(hint)) is tuple


def _with_event(value: Any, document: Document) -> Any:
    """A prior is the event's: its level need not be written."""
    if isinstance(value, tuple):
        return tuple(_with_event(entry, document) for entry in value)
    number = getattr(value, "number", None)
    levels = document.target.levels if document.target is not None else ()
    if isinstance(number, NumberRef) and number.kind is NumberKind.PRIOR and levels:
        return replace(value, number=replace(number, level=levels[0]))
    return value


def _chosen(document: Document) -> str:
    if not document.models:
        raise PayoffError("No model is known.", remedy="Name one with --model.")
    return document.outcome_reference or document.reference_model or document.models[0].name


def without_none(hint: Any) -> Any:
    """Return a type without its None: ``float`` of ``float | None``."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        return kinds[0] if len(kinds) == 1 else hint
    return hint


def _read(hint: Any, texts: Sequence[str], where: str) -> Any:
    kind = without_none(hint)
    if typing.get_origin(kind) is tuple:
        entry = typing.get_args(kind)[0]
        return tuple(_read_one(entry, text, where) for text in texts)
    return _read_one(kind, texts[-1], where)


def _read_one(kind: Any, text: str, where: str) -> Any:
    if kind is str:
        return text
    if kind is bool:
        return _truth(text, where)
    if kind in _FORMS and text.lstrip()[:1] not in ("{", "["):
        return _FORMS[kind](text, where)
    if kind in (int, float):
        return _number(text, where, whole=kind is int)
    if isinstance(kind, type) and issubclass(kind, Enum):
        known = [entry.value for entry in kind]
        if text not in known:
            raise no_such("choice", text, known, where=where)
        return kind(text)
    try:
        plain = json.loads(text)
    except json.JSONDecodeError as reason:
        raise PayoffError(
            f"“{text}” cannot be read.", where=where, why="It is no JSON."
        ) from reason
    return record_of(kind, plain, where) if isinstance(plain, dict) else from_plain(kind, plain)


def _truth(text: str, where: str) -> bool:
    known = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if text.lower() not in known:
        raise PayoffError(f"“{text}” is neither yes nor no.", where=where)
    return known[text.lower()]


def _number(text: str, where: str, *, whole: bool = False) -> Any:
    try:
        value = float(text)
        return int(text) if whole else value
    except ValueError as reason:
        what = "a whole number" if whole else "a number"
        raise PayoffError(f"“{text}” is not {what}.", where=where) from reason


def number_from_text(text: str, where: str) -> NumberRef:
    """Return the number that a text names: prior, cost:Mail, cell:yes/Mail, parameter:price."""
    kind, _, name = text.partition(":")
    level, slash, decision = name.partition("/")
    if text == "prior":
        return NumberRef(kind=NumberKind.PRIOR)
    if kind == "cost" and name:
        return NumberRef(kind=NumberKind.COST, decision=name)
    if kind == "cell" and slash:
        return NumberRef(kind=NumberKind.CELL, level=level, decision=decision)
    if kind == "parameter" and name:
        return NumberRef(kind=NumberKind.PARAMETER, name=name)
    raise PayoffError(f"“{text}” names no number.", where=where, remedy=f"Give {NUMBER}.")


def _setting(text: str, where: str) -> NumberSetting:
    name, _, value = text.rpartition("=")
    return NumberSetting(number=number_from_text(name, where), value=_number(value, where))


def _axis(text: str, where: str) -> MapAxis:
    name, _, ends = text.rpartition("=")
    low, _, high = ends.partition("..")
    return MapAxis(
        number=number_from_text(name, where), low=_number(low, where), high=_number(high, where)
    )


def _swap_side(text: str, where: str) -> SwapSide:
    model, at, depth = text.rpartition("@")
    if at:
        return SwapSide(model=model, depth=_number(depth, where))
    model, _, scenario = text.partition(":")
    return SwapSide(model=model, scenario=scenario or None)


def _shift_side(text: str, where: str) -> ShiftSide:
    del where
    return ShiftSide(use=RowUse(text)) if text in tuple(RowUse) else ShiftSide(path=text)


def _pair(text: str, where: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise PayoffError(f"“{text}” has no '='.", where=where, remedy="Give NAME=VALUE.")
    return name, value


_FORMS: Mapping[Any, Callable[[str, str], Any]] = {
    NumberSetting: _setting,
    MapAxis: _axis,
    SwapSide: _swap_side,
    ShiftSide: _shift_side,
    tuple[str, str]: _pair,
}
