"""A window that waits for nothing but what is typed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields

from gui.pauses import PAUSES, Pauses


def leave_out_pauses() -> None:
    """For the rest of this process; a test of a pause gives it a length of its own.

    What is typed counts after its pause still: each key would count by itself.
    """
    for field in fields(PAUSES):
        if field.name != "typed":
            setattr(PAUSES, field.name, 0)


@contextmanager
def usual_pauses() -> Iterator[None]:
    """For windows made meanwhile: their pauses are those of the program."""
    usual = Pauses()
    before = {field.name: getattr(PAUSES, field.name) for field in fields(PAUSES)}
    for name in before:
        setattr(PAUSES, name, getattr(usual, name))
    try:
        yield
    finally:
        for name, pause in before.items():
            setattr(PAUSES, name, pause)
