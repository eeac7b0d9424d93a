"""How a piece of work ends that is told to stop."""

from __future__ import annotations


class JobStopped(Exception):  # noqa: N818 - not an error: the user asked for it
    """Raised inside a piece of work once Stop was seen."""
