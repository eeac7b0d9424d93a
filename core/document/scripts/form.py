"""Records as Python text and calls, and calls as records: one form for every command and question.

``text_of`` writes a record as the call that makes it, ``call_of`` a command as the method call that
repeats it, ``built`` takes what such a call was given and makes the record. All three read nothing
but the record's own fields. Texts are written by ``repr``: nothing in a project is ever code.
"""

from __future__ import annotations

import inspect
import math
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from core.document.files.codec import from_plain, to_plain
from core.document.made import is_kept, is_made
from payoff.errors import PayoffError

T = TypeVar("T")
WIDTH = 100
_STEP = "    "


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def hints_of(kind: type) -> Mapping[str, Any]:
    """The types of a record's fields."""
    return _hints(kind)


def described_fields(kind: type) -> tuple[Field[Any], ...]:
    """The fields of a record that a person says: all but those that the program fills in."""
    return tuple(item for item in fields(kind) if item.init and not is_made(item))


def is_required(item: Field[Any]) -> bool:
    """Whether a field has to be given."""
    return item.default is MISSING and item.default_factory is MISSING


def spread_field(kind: type) -> Field[Any] | None:
    """The field of a command whose own fields its call takes: the first one that is a record."""
    for item in described_fields(kind):
        if isinstance(hints_of(kind)[item.name], type) and is_dataclass(hints_of(kind)[item.name]):
            return item
    return None


def call_fields(kind: type) -> tuple[tuple[Field[Any], type], ...]:
    """The arguments of a command's call, each with the record that it is a field of."""
    spread = spread_field(kind)
    found: list[tuple[Field[Any], type]] = []
    for item in described_fields(kind):
        if item is spread:
            inner = hints_of(kind)[item.name]
            found += [(part, inner) for part in described_fields(inner)]
        else:
            found.append((item, kind))
    return tuple(sorted(found, key=lambda entry: not is_required(entry[0])))


def method_name(kind: type) -> str:
    """What a command is called in scripts: ``SetPriors`` is ``set_priors``, unless it says else."""
    name: str = getattr(kind, "method", "")
    return name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()


# ---------------------------------------------------------------- records as text


@dataclass(frozen=True, slots=True)
class Text:
    """A record as Python text, and the names of the records that it makes."""

    text: str
    records: frozenset[str]


def call_of(command: object, *, name: str = "", everything: bool = False) -> Text:
    """The call that repeats a command.

    Parameters
    ----------
    command : record
    name : str
        What is called; left out: the project's method.
    everything : bool
        Also with what the program filled in.
    """
    kind = type(command)
    spread = spread_field(kind)
    inner = getattr(command, spread.name) if spread is not None else None
    parts: list[_Part] = []
    for place, (item, owner) in enumerate(call_fields(kind)):
        value = getattr(command if owner is kind else inner, item.name)
        if is_required(item) or value != default_of(item):
            word = item.name if place or not is_required(item) else ""
            parts.append((word, _node(hints_of(owner)[item.name], value, everything)))
    head = (name or f"project.{method_name(kind)}") + "("
    names = {found for _, part in parts for found in _names_in(part)}
    return Text(_written((head, parts, ")"), "", 0), frozenset(names))


def text_of(record: object, prefix: str = "") -> Text:
    """A record as the call that makes it, without fields that are as they usually are.

    Parameters
    ----------
    record : record
    prefix : str
        Stands before the name of the record: ``payoff.questions.``.
    """
    head, parts, tail = _record(record, everything=False)
    names = {found for _, part in parts for found in _names_in(part)}
    return Text(_written((prefix + head, parts, tail), "", 0), frozenset(names))


def _names_in(node: _Node) -> Iterator[str]:
    """The records that a node makes."""
    if not isinstance(node, str):
        opening, parts, _ = node
        if opening.endswith("("):
            yield opening[:-1]
        for _, part in parts:
            yield from _names_in(part)


_Part = tuple[str, Any]  # a name, or an empty text, and a node
_Node = str | tuple[str, list[_Part], str]  # a word, or parts between brackets


def default_of(item: Field[Any]) -> Any:
    """What a field is where it is not given."""
    return item.default_factory() if item.default_factory is not MISSING else item.default


def _record(record: object, everything: bool) -> tuple[str, list[_Part], str]:
    kind = type(record)
    items = fields(record) if everything else described_fields(kind)  # type: ignore[arg-type]  # a record is a dataclass
    parts = [
        (item.name, _node(hints_of(kind)[item.name], getattr(record, item.name), everything))
        for item in items
        if is_required(item) or getattr(record, item.name) != default_of(item)
    ]
    return f"{kind.__name__}(", parts, ")"


def _node(expected: Any, value: object, everything: bool) -> _Node:
    """A value with its brackets; names with a value each are written as a dict."""
    if isinstance(value, Enum):
        return repr(value.value)
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if is_dataclass(value) and not isinstance(value, type):
        return _record(value, everything)
    if not isinstance(value, tuple):
        return _plain(value)
    expected = _tuple_of(expected)
    entry = _pair_of(expected)
    if entry is not None and value and len({name for name, _ in value}) == len(value):
        named = [(repr(str(name)) + ": ", _node(entry, part, everything)) for name, part in value]
        return "{", named, "}"
    if entry is not None and not value:
        return "{", [], "}"
    kinds = _part_types(expected, len(value))
    parts = [("", _node(kind, part, everything)) for kind, part in zip(kinds, value, strict=True)]
    return "[", parts, "]"


def _plain(value: object) -> str:
    if value is None or type(value) in (str, int, float, bool):
        return repr(value)
    raise TypeError(f"{type(value).__name__} has no form in a script")


def _head(name: str) -> str:
    return name if not name or name.endswith(": ") else f"{name}="


def _flat(node: _Node, name: str) -> str:
    """A node on one line."""
    if isinstance(node, str):
        return _head(name) + node
    opening, parts, closing = node
    inner = ", ".join(_flat(part, part_name) for part_name, part in parts)
    return _head(name) + opening + inner + closing


def _written(node: _Node, name: str, depth: int, taken: int = 0) -> str:
    """A node on one line where it fits, else its parts on lines of their own.

    ``taken`` letters stand on its line besides.
    """
    head = _head(name)
    if isinstance(node, str):
        return head + node
    room = WIDTH - len(_STEP) * depth - 1 - taken
    opening, parts, closing = node
    line = _flat(node, name)
    if len(line) <= room:
        return line
    if len(parts) == 1 and parts[0][0] == "" and not isinstance(parts[0][1], str):
        around = len(head + opening + closing)
        return head + opening + _written(parts[0][1], "", depth, taken + around) + closing
    inner = "\n" + _STEP * (depth + 1)
    if all(isinstance(part, str) for _, part in parts) and opening == "[":
        lines = _filled([_flat(part, "") for _, part in parts], room + taken - len(_STEP))
    else:
        lines = [_written(part, part_name, depth + 1) for part_name, part in parts]
    return head + opening + inner + ("," + inner).join(lines) + ",\n" + _STEP * depth + closing


def _filled(words: list[str], room: int) -> list[str]:
    """Words with as many on a line as fit."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]}, {word}" if lines[-1] else word
        if len(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


# ---------------------------------------------------------------- calls as records


def built(kind: type[T], given: Mapping[str, Any], call: str = "") -> T:
    """The record that was described by values as a person writes them.

    Lists and dicts stand for tuples, words for their enumerations, dicts for records.

    Parameters
    ----------
    kind : type
        A command, a question, or another record.
    given : mapping of str to value
        By the names of ``call_fields``.
    call : str
        The name of the call, for refusals.

    Raises
    ------
    PayoffError
        Naming the argument that is not known or does not fit.
    """
    call = call or kind.__name__
    known = call_fields(kind)
    _refuse_unknown(call, given, [item.name for item, _ in known])
    missing = [i.name for i, _ in known if is_required(i) and i.name not in given]
    if missing:
        raise PayoffError(f"{call}() needs the argument '{missing[0]}'.")
    spread = spread_field(kind)
    plain: dict[str, Any] = {}
    inner = {} if spread is None else _blanks(hints_of(kind)[spread.name])
    for item, owner in known:
        if item.name in given:
            into = plain if owner is kind else inner
            into[item.name] = _plain_for(hints_of(owner)[item.name], given[item.name], call)
    if spread is not None:
        plain[spread.name] = inner
    try:
        return from_plain(kind, plain)
    except PayoffError as refusal:
        where = refusal.where.replace(f"{kind.__name__}.", "", 1)
        remedy = f"help({call}) says what it takes."
        raise PayoffError(
            f"{call}() was given what does not fit.", where=where, why=refusal.why, remedy=remedy
        ) from refusal


def as_described(record: T) -> T:
    """Return a record as it is meant: its lists and dicts as tuples and records, words as choices.

    Raises
    ------
    PayoffError
        Naming the field that does not fit.
    """
    return record_of(type(record), record)


def record_of(kind: type[T], given: object, where: str = "") -> T:
    """Return a record from a dict of its fields, or from a record as a person writes one.

    Raises
    ------
    PayoffError
        Naming the field that is not known or does not fit.
    """
    where = where or kind.__name__
    plain = _plain_record(kind, given, where)
    try:
        return from_plain(kind, plain)
    except PayoffError as refusal:
        what = f"{where} was given what does not fit."
        raise PayoffError(what, where=refusal.where, why=refusal.why) from refusal


def records_within(expected: Any) -> Iterator[type]:
    """Yield the records that a type is made of, itself among them."""
    if isinstance(expected, type) and is_dataclass(expected):
        yield expected
        for item in fields(expected):  # also what was filled in: it may be given whole
            yield from records_within(hints_of(expected)[item.name])
    for part in get_args(expected):
        yield from records_within(part)


def _refuse_unknown(call: str, given: Iterable[str], known: list[str]) -> None:
    unknown = [name for name in given if name not in known]
    if unknown:
        raise PayoffError(
            f"{call}() has no argument '{unknown[0]}'.", why=f"There are: {', '.join(known)}."
        )


def _plain_for(expected: Any, value: object, call: str) -> Any:
    """A value as the codec takes it: what it is to become says what a dict means."""
    if isinstance(value, Enum):
        return value.value
    if _is_record(value) or isinstance(value, Mapping):
        record = _record_of(expected)
        if record is not None:
            return _plain_record(record, value, call)
        if isinstance(value, Mapping):
            value = tuple(value.items())
    if isinstance(value, list | tuple):
        kinds = _part_types(_tuple_of(expected), len(value))
        return [_plain_for(kind, part, call) for kind, part in zip(kinds, value, strict=True)]
    try:
        return to_plain(value)
    except TypeError as reason:
        raise PayoffError(f"{call}() was given what does not fit.", why=f"{reason}.") from reason


def _plain_record(record: type, value: object, call: str) -> dict[str, Any]:
    if isinstance(value, Mapping):
        known = [item.name for item in described_fields(record)]
        _refuse_unknown(f"{call}: {record.__name__}", value, known)
        given = {**_blanks(record), **value}
    else:
        given = {item.name: getattr(value, item.name) for item in fields(value)}  # type: ignore[arg-type]  # as above
    hints = hints_of(record)
    return {
        name: _plain_for(hints[name], part, call) for name, part in given.items() if name in hints
    }


def _blanks(record: type) -> dict[str, Any]:
    """What the program fills in, before it does: files hold it always, calls never."""
    return {i.name: to_plain(default_of(i)) for i in fields(record) if is_kept(i)}


def _is_record(value: object) -> bool:
    return is_dataclass(value) and not isinstance(value, type)


# ---------------------------------------------------------------- signatures


class _Shown:
    """A default as a signature shows it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature_of(kind: type, *, is_method: bool = False) -> inspect.Signature:
    """The arguments of a command's method, or of a record, as a person gives them.

    Parameters
    ----------
    kind : type
    is_method : bool
        The record's first field needs no name where it has to be given.
    """
    arguments = call_fields(kind) if is_method else tuple((f, kind) for f in described_fields(kind))
    shown = []
    for place, (item, owner) in enumerate(arguments):
        is_first = is_method and place == 0 and is_required(item)
        expected = hints_of(owner)[item.name]
        usual: object = inspect.Parameter.empty
        if not is_required(item):
            usual = _Shown(_written(_node(expected, default_of(item), False), "", 0))
        kinds = inspect.Parameter
        way = kinds.POSITIONAL_OR_KEYWORD if is_first else kinds.KEYWORD_ONLY
        shown.append(
            inspect.Parameter(item.name, way, default=usual, annotation=type_text(expected))
        )
    return inspect.Signature(shown)


def type_text(expected: Any) -> str:
    """A type in the words of a script: choices as their words, tuples as lists and dicts."""
    choices = _choices(expected)
    if len(choices) > 1 or type(None) in get_args(expected):
        texts = [type_text(choice) for choice in choices]
        return " | ".join([*texts, "None"] if type(None) in get_args(expected) else texts)
    if get_origin(expected) is tuple:
        named = _pair_of(expected)
        if named is not None:
            return f"dict[str, {type_text(named)}]"
        parts = [type_text(part) for part in get_args(expected) if part is not Ellipsis]
        return f"list[{', '.join(parts)}]"
    if isinstance(expected, type) and issubclass(expected, Enum):
        return " | ".join(repr(member.value) for member in expected)
    return str(getattr(expected, "__name__", expected))


# ---------------------------------------------------------------- types


def _choices(expected: Any) -> list[Any]:
    if get_origin(expected) in (Union, types.UnionType):
        return [choice for choice in get_args(expected) if choice is not type(None)]
    return [expected]


def _record_of(expected: Any) -> type | None:
    """The record that a type stands for, None aside."""
    found = [choice for choice in _choices(expected) if is_dataclass(choice)]
    return found[0] if found and isinstance(found[0], type) else None


def _tuple_of(expected: Any) -> Any:
    """The tuple that a type stands for, None aside."""
    found = [choice for choice in _choices(expected) if get_origin(choice) is tuple]
    return found[0] if found else object


def _part_types(expected: Any, count: int) -> tuple[Any, ...]:
    """The types of a tuple's entries."""
    parts = get_args(expected)
    if len(parts) == 2 and parts[1] is Ellipsis:
        return (parts[0],) * count
    return parts if len(parts) == count else (object,) * count


def _pair_of(expected: Any) -> Any:
    """The type of the values where a tuple holds pairs of a name and a value; else None."""
    parts = get_args(expected)
    if len(parts) != 2 or parts[1] is not Ellipsis or get_origin(parts[0]) is not tuple:
        return None
    pair = get_args(parts[0])
    is_named = len(pair) == 2 and pair[0] is str and pair[1] is not Ellipsis
    return pair[1] if is_named else None
