"""Options of a verb that are fields of a request: flags, words and readers beside the field.

A field of a request says with ``option`` how it is given on the command line, or with
``no_option`` why it is not. The verb's arguments, their help and what was given are made from that.

NAME=VALUE options of the command line: each name once, because only one value could count.
"""

from __future__ import annotations

import argparse
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, get_type_hints

from core.data.levels import printed
from payoff.errors import PayoffError

Reader = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """How a field is given on the command line.

    Attributes
    ----------
    words : str
        Its help.
    flag : str
        Empty: the field's name.
    form : str
        What is to be written behind it: "COLUMN", "NAME=VALUE"; empty for numbers and switches.
    choices : tuple of str
        The words that may be written; empty = any.
    read : callable, optional
        Makes the field's value of the text, or of all texts where the option is repeated.
    is_repeated : bool
        Whether it may be given several times.
    """

    words: str
    flag: str = ""
    form: str = ""
    choices: tuple[str, ...] = ()
    read: Reader | None = None
    is_repeated: bool = False


def option(default: Any, words: str, **more: Any) -> Any:
    """Return a field of a request that the command line has an option for (see ``Option``).

    ``default`` is ``MISSING`` where the field must be given.
    """
    return field(default=default, metadata={"option": Option(words=words, **more)})


def no_option(why: str, default: Any = MISSING) -> Any:
    """Return a field of a request that no option gives, and the reason."""
    return field(default=default, metadata={"no_option": why})


def options_of(record: type) -> Iterator[tuple[Field[Any], Option]]:
    """Yield every field of a request that has an option, with it."""
    for item in fields(record):
        known = item.metadata.get("option")
        if known is not None:
            yield item, known


def flag_of(item: Field[Any]) -> str:
    """Return the flag of a field: "--trees"."""
    known: Option = item.metadata["option"]
    return known.flag or f"--{item.name.replace('_', '-')}"


def add_options(parser: argparse.ArgumentParser, record: type) -> None:
    """Add the options of a request to a verb; what is not given is None."""
    hints = get_type_hints(record)
    for item, known in options_of(record):
        kind = _plain(hints[item.name])
        given: dict[str, Any] = {"dest": item.name, "help": known.words, "default": None}
        if kind is bool and item.default is None:
            given["action"] = argparse.BooleanOptionalAction
        elif kind is bool:
            given |= {"action": "store_const", "const": True}
        elif known.choices:
            given["choices"] = known.choices
        else:
            given["metavar"] = known.form or "N"
            if known.is_repeated:
                given["action"] = "append"
            elif known.read is None and kind in (int, float):
                given["type"] = kind
        parser.add_argument(flag_of(item), **given)


def given_options(parsed: argparse.Namespace, record: type) -> dict[str, Any]:
    """Return the fields that options gave, by name."""
    found = {}
    for item, known in options_of(record):
        text = getattr(parsed, item.name)
        if text is not None:
            found[item.name] = text if known.read is None else known.read(text)
    return found


def _plain(hint: Any) -> Any:
    """A type without None; of several the first."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return next(part for part in typing.get_args(hint) if part is not type(None))
    return hint


def comma_names(text: str) -> list[str]:
    """Return names that commas part."""
    return [name.strip() for name in text.split(",") if name.strip()]


def lists_in(texts: Sequence[str]) -> list[list[str]]:
    """Return names that commas part, a list for each text."""
    return [comma_names(text) for text in texts]


def pairs_of(
    entries: Sequence[str], option: str, form: str = "NAME=VALUE", *, may_be_bare: bool = False
) -> list[tuple[str, str]]:
    """Options as pairs of name and value.

    Parameters
    ----------
    entries : sequence of str
    option : str
        For messages: ``--priors``.
    form : str
        How an entry is written, for the remedy.
    may_be_bare : bool
        An entry without "=" is its own name.

    Raises
    ------
    PayoffError
        Where one has no "=", or a name (1 and 1.0 are one) stands twice.
    """
    pairs: list[tuple[str, str]] = []
    known: set[str] = set()
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not equals and not may_be_bare:
            raise PayoffError(f"{option} {entry} has no '='.", remedy=f"{option} {form}")
        if printed(name) in known:
            raise PayoffError(
                f"{option} names '{name}' twice.",
                where=" ".join(entries),
                why="Only one of them could count.",
                remedy="Name it once.",
            )
        known.add(printed(name))
        pairs.append((name, value if equals else name))
    return pairs
