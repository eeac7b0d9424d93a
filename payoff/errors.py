"""The one error that users see: what happened, where, why, and what to do."""

from __future__ import annotations


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
