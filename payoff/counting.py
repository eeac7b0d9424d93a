"""Counts in sentences: one row, 1,200 rows. The one place that chooses between the two words."""

from __future__ import annotations


def counted(count: float, one: str, many: str = "") -> str:
    """Return a count with its word, and what is said of it where the verb follows.

    Parameters
    ----------
    count : float
        How many there are; weighted counts are rounded to the nearest whole one.
    one, many : str
        The words for one and for several; ``many`` is ``one`` with an s where it is left out.

    Examples
    --------
    >>> counted(1, "tree"), counted(1200, "row has", "rows have")
    ('1 tree', '1,200 rows have')
    """
    number = f"{count:,.0f}"
    return f"{number} {one if number == '1' else many or one + 's'}"


def counted_of(part: float, whole: float, one: str, many: str = "", verbs: str = "") -> str:
    """Return "1 of 12 rows", with the verb that the number asks for: "has/have", "is/are".

    Parameters
    ----------
    part, whole : float
        How many of how many.
    one, many : str
        The words for one and for several of the whole; ``many`` is ``one`` with an s where it is
        left out.
    verbs : str
        The verb for one and for several, parted by a slash: for one where the part or the whole
        is one, as in "0 of 1 row has".

    Examples
    --------
    >>> counted_of(1, 12, "row", verbs="has/have"), counted_of(0, 1, "row")
    ('1 of 12 rows has', '0 of 1 row')
    """
    verb = verbs.split("/")[0 if 1 in (part, whole) else -1]
    return f"{part:,.0f} of {counted(whole, one, many)} {verb}".rstrip()
