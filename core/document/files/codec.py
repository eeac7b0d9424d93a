"""Frozen records to and from plain JSON values; the one codec of project file and result store.

Records carry no class names on disk: the reader says which class it expects and the annotations
of its fields say the rest, so that nothing in a file can choose what is built.
"""

from __future__ import annotations

import math
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from core.document.made import is_kept
from payoff.counting import counted
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from payoff.types import AnyArray

T = TypeVar("T")
Plain = Any
StoreArray: TypeAlias = "Callable[[AnyArray], Plain]"
FetchArray: TypeAlias = "Callable[[Plain], AnyArray]"

_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def to_plain(value: object, store_array: StoreArray | None = None) -> Plain:
    """Turn records, tuples, enums and numbers into what ``json.dumps`` takes.

    ``store_array`` keeps an array elsewhere and returns its plain handle; without it arrays are
    refused. NaN and infinities become the strings of JSON's extension, so that the file stays JSON.
    """
    if value is None or (isinstance(value, bool | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"number": _special_name(value)}
    if isinstance(value, int):
        return value
    if _is_of_numpy(value, "generic"):
        return to_plain(cast(Any, value).item(), store_array)
    if _is_of_numpy(value, "ndarray"):
        if store_array is None:
            raise TypeError("an array where only plain values belong")
        return store_array(cast(Any, value))
    if isinstance(value, tuple | list | frozenset):
        entries = sorted(value) if isinstance(value, frozenset) else value
        return [to_plain(entry, store_array) for entry in entries]
    if is_dataclass(value) and not isinstance(value, type):
        return {
            item.name: to_plain(getattr(value, item.name), store_array) for item in fields(value)
        }
    raise TypeError(f"{type(value).__name__} has no plain form")


def from_plain(expected: type[T], plain: Plain, fetch_array: FetchArray | None = None) -> T:
    """Build ``expected`` from plain values; unknown fields are skipped, missing ones default.

    Raises PayoffError naming the field when a value does not fit its annotation.
    """
    return cast(T, _build(expected, plain, fetch_array, expected.__name__))


def _is_of_numpy(value: object, kind: str) -> bool:
    """Whether a value is numpy's; settings are read before numpy is imported, and hold none."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, getattr(numpy, kind))


def _special_name(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


@cache
def _hints(record: type) -> Mapping[str, Any]:
    return get_type_hints(record)


@cache
def _kept(record: Any) -> frozenset[str]:
    """The fields that every file holds though records can be made without them."""
    return frozenset(item.name for item in fields(record) if is_kept(item))


def _build(expected: Any, plain: Plain, fetch: FetchArray | None, where: str) -> Any:
    origin = get_origin(expected)
    if origin in (Union, types.UnionType):
        return _build_union(expected, plain, fetch, where)
    if origin is tuple:
        return _build_tuple(expected, plain, fetch, where)
    if origin is frozenset:
        kind = types.GenericAlias(tuple, (get_args(expected)[0], ...))
        return frozenset(_build_tuple(kind, plain, fetch, where))
    if origin is Literal:
        if not any(plain == word and type(plain) is type(word) for word in get_args(expected)):
            raise _misfit(where, plain, "one of " + ", ".join(map(str, get_args(expected))))
        return plain
    if _is_array_type(origin) or _is_array_type(expected):
        if fetch is None:
            raise _misfit(where, plain, "an array")
        return fetch(plain)
    if isinstance(expected, type) and is_dataclass(expected):
        return _build_record(expected, plain, fetch, where)
    if isinstance(expected, type) and issubclass(expected, Enum):
        return _build_enum(expected, plain, where)
    return _build_scalar(expected, plain, where)


def _is_array_type(expected: object) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and expected is numpy.ndarray


def _build_union(expected: Any, plain: Plain, fetch: FetchArray | None, where: str) -> Any:
    choices = [choice for choice in get_args(expected) if choice is not type(None)]
    if plain is None and len(choices) < len(get_args(expected)):
        return None
    for choice in choices[:-1]:
        try:
            return _build(choice, plain, fetch, where)
        except PayoffError:
            continue
    return _build(choices[-1], plain, fetch, where)


def _build_tuple(expected: Any, plain: Plain, fetch: FetchArray | None, where: str) -> Any:
    if not isinstance(plain, list):
        raise _misfit(where, plain, "a list")
    parts = get_args(expected)
    if len(parts) == 2 and parts[1] is Ellipsis:
        parts = (parts[0],) * len(plain)
    if len(parts) != len(plain):
        raise _misfit(where, plain, counted(len(parts), "value"))
    return tuple(
        _build(part, entry, fetch, f"{where}[{index}]")
        for index, (part, entry) in enumerate(zip(parts, plain, strict=True))
    )


def _build_record(expected: type, plain: Plain, fetch: FetchArray | None, where: str) -> Any:
    if not isinstance(plain, dict):
        raise _misfit(where, plain, "a record")
    if not _kept(expected) <= plain.keys():
        raise _misfit(where, sorted(plain), "all required fields")
    hints = _hints(expected)
    values = {
        item.name: _build(hints[item.name], plain[item.name], fetch, f"{where}.{item.name}")
        for item in fields(expected)
        if item.name in plain
    }
    try:
        return expected(**values)
    except PayoffError:
        raise
    except TypeError as reason:
        raise _misfit(where, sorted(plain), "all required fields") from reason
    except (ValueError, ArithmeticError, LookupError) as reason:
        raise _misfit(where, sorted(plain), "values that belong together") from reason


def _build_enum(expected: type[Enum], plain: Plain, where: str) -> Enum:
    try:
        return expected(plain)
    except (ValueError, TypeError) as reason:
        known = ", ".join(str(member.value) for member in expected)
        raise _misfit(where, plain, f"one of {known}") from reason


def _build_scalar(expected: Any, plain: Plain, where: str) -> Any:
    if expected is float:
        name = plain.get("number") if isinstance(plain, dict) else None
        if isinstance(name, str) and name in _SPECIAL:
            return _SPECIAL[name]
        if isinstance(plain, int | float) and not isinstance(plain, bool):
            try:
                return float(plain)
            except OverflowError:
                raise _misfit(where, plain, "a number") from None
    elif expected in (int, str, bool):
        if type(plain) is expected:
            return plain
    elif expected in (Any, object) and not isinstance(plain, dict | list):
        return plain
    raise _misfit(where, plain, getattr(expected, "__name__", str(expected)))


def _misfit(where: str, plain: Plain, wanted: str) -> PayoffError:
    shown = repr(plain) if not isinstance(plain, int) or abs(plain) < 1 << 256 else "a huge number"
    return PayoffError(
        "A saved value does not fit.",
        where=f"{where}, value {shown[:80]}",
        why=f"Expected {wanted}.",
        remedy="The file was changed by another program or is damaged; open a backup.",
    )


__all__ = ["FetchArray", "Plain", "StoreArray", "from_plain", "to_plain"]
