"""Names of files that every system takes, Windows too."""

from __future__ import annotations

import re

DEVICES = frozenset({"con", "prn", "aux", "nul"}) | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)
}
"""What Windows keeps for itself, in any case of letters and with any ending."""
_REFUSED = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')


def file_name(words: str, ending: str = "") -> str:
    """Make a file's name of the name of a project, a model or a table.

    Windows refuses some signs; a colon would make it write into a hidden part of another file.

    Examples
    --------
    >>> file_name("Mail: yes/no?", ".csv")
    'Mail yes no.csv'
    """
    plain = " ".join(_REFUSED.sub(" ", words).split()).strip(". ") or "Payoff"
    is_kept = plain.partition(".")[0].rstrip().lower() in DEVICES
    return f"{plain}_{ending}" if is_kept else f"{plain}{ending}"
