"""The one error that users see: what happened, where, why, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


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
    except PayoffError:
        raise
    except MemoryError as error:
        raise PayoffError(
            what, where=where, why="It asks for more memory than there is.", remedy=remedy
        ) from error
    except Exception as error:
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else ""
        why = f"{type(error).__name__}: {reason}." if reason else f"{type(error).__name__}."
        raise PayoffError(what, where=where, why=why, remedy=remedy) from error
