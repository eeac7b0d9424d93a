"""The handlers of all kinds of jobs, found by their names.

A module is imported when its first job comes: an engine that is asked for one page does not wait
for what the others need.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from core.engine.kinds import JobKind, every_kind, resolve
from core.engine.protocol import Handler


def _later(kind: JobKind) -> Handler:
    """A handler that is found when it is called."""

    def handle(arguments: Any, context: Any) -> object:
        handler: Handler = resolve(kind.place)
        return handler(arguments, context)

    return handle


@cache
def standard_handlers() -> Mapping[str, Handler]:
    """The handlers of all kinds by key; finding the questions imports their records."""
    return {kind.key: _later(kind) for kind in every_kind()}
