"""Warnings that programs act on: what they are about is said beside their words."""

from __future__ import annotations

from enum import StrEnum


class WarningCode(StrEnum):
    """What a warning is about, for whoever acts on it."""

    WEIGHT_KIND = "weight_kind"  # a column is a weight, and nobody has said of which kind
    METRIC_LEFT_OUT = "metric_left_out"  # a chosen metric is not shown


class CodedWarning(str):
    """A warning in words, with its code and the column, model or metric that it is about.

    Stored answers and JSON keep its words only: whoever asks for the code has the answer at first
    hand.
    """

    code: WarningCode
    about: str

    def __new__(cls, words: str, code: WarningCode, about: str) -> CodedWarning:
        """Return the words as a warning of a code."""
        made = super().__new__(cls, words)
        made.code, made.about = code, about
        return made

    def __reduce__(self) -> tuple[type[CodedWarning], tuple[str, WarningCode, str]]:
        return type(self), (str(self), self.code, self.about)


def is_about(warning: str, code: WarningCode, about: str | None = None) -> bool:
    """Return whether a warning has a code, and is about something where that is given."""
    if not isinstance(warning, CodedWarning) or warning.code is not code:
        return False
    return about is None or warning.about == about
