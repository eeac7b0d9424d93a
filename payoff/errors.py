"""The one error that users see (what happened, where, why, what to do), and the end by Stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_MOST_NAMED = 80


class PayoffError(ValueError):
    """A refusal that names what, where, why and the remedy.

    Parameters
    ----------
    what : str
        One plain sentence, without an "Error:" prefix.
    where : str
        File, row, column and value, as the user knows them; may be empty.
    why : str
        The reason; may be empty.
    remedy : str
        What to do next; may be empty.

    Examples
    --------
    >>> str(PayoffError("The prior of 'yes' is negative.", where="priors, level yes"))
    "The prior of 'yes' is negative. (priors, level yes)"
    """

    def __init__(self, what: str, *, where: str = "", why: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.why = why
        self.remedy = remedy
        super().__init__(what, where, why, remedy)

    def __str__(self) -> str:
        parts = [self.what]
        if self.where:
            parts.append(f"({self.where})")
        if self.why:
            parts.append(self.why)
        if self.remedy:
            parts.append(self.remedy)
        return " ".join(parts)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.what, self.where, self.why, self.remedy)


class StoppedError(Exception):
    """Work ended early because a stop was asked for; partial results are not valid.

    Not a failure: whoever catches other exceptions lets this one pass.
    """


def no_such(
    word: str,
    name: object,
    known: Iterable[str],
    *,
    where: str = "",
    why: str = "",
    listed: str = "There are",
) -> PayoffError:
    """The refusal of a name that is not there: the nearest one first, then all there are.

    Parameters
    ----------
    word : str
        What was named: "metric", "column".
    name : object
        The name as it was given.
    known : iterable of str
        The names there are, in the order they are listed.
    where, why : str
        As in ``PayoffError``.
    listed : str
        What stands before the list.

    Examples
    --------
    >>> str(no_such("metric", "acu", ["auc", "ks"]))
    "There is no metric 'acu'. Nearest: auc. There are: auc, ks."
    """
    names = list(known)
    near = nearest(str(name), names)
    parts = [f"Nearest: {', '.join(near)}."] if near else []
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    there = f"{listed}: {', '.join(names[:_MOST_NAMED])}{more}." if names else "There is none."
    parts.append(there)
    return PayoffError(
        f"There is no {word} '{name}'.", where=where, why=why, remedy=" ".join(parts)
    )


def nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The names most like one that is not there, at most three; empty where none is like it."""
    from difflib import get_close_matches  # late: wanted only when something went wrong

    by_letters = {_letters(entry): entry for entry in reversed(list(known))}
    letters = _letters(name)
    found = get_close_matches(letters, by_letters, n=3, cutoff=0.6)
    if not found and letters:
        found = [entry for entry in reversed(by_letters) if letters in entry][:3]
    return tuple(by_letters[entry] for entry in found)


def _letters(name: str) -> str:
    """A name without the marks that are easily mistaken."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _rebuild(kind: type[PayoffError], what: str, where: str, why: str, remedy: str) -> PayoffError:
    """Rebuild an error on the other side of the engine's pipe."""
    return kind(what, where=where, why=why, remedy=remedy)


@contextmanager
def damage_refused(what: str, *, where: str = "", remedy: str = "") -> Iterator[None]:
    """Whatever reading a file's content raises inside is a refusal of that file.

    A damaged file makes its readers raise a dozen unrelated kinds of errors; which of them says
    nothing to whoever opened it. Only for code that takes content apart and does nothing else.

    Parameters
    ----------
    what : str
        One plain sentence.
    where, remedy : str
        As in ``PayoffError``.

    Raises
    ------
    PayoffError
    """
    try:
        yield
    except (PayoffError, StoppedError):
        raise
    except MemoryError as error:
        raise PayoffError(
            what, where=where, why="It asks for more memory than there is.", remedy=remedy
        ) from error
    except Exception as error:
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else ""
        why = f"{type(error).__name__}: {reason}." if reason else f"{type(error).__name__}."
        raise PayoffError(what, where=where, why=why, remedy=remedy) from error
