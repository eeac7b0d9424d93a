"""NAME=VALUE options of the command line: each name once, because only one value could count."""

from __future__ import annotations

from collections.abc import Sequence

from core.data.levels import printed
from payoff.errors import PayoffError


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
