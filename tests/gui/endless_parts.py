"""Handlers of an engine that never comes to the end of a folder of parts while a file says so.

A module of its own: the engine's process imports it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from core.data.cancellation import is_stop_wanted
from core.engine.kinds import standard_handlers
from core.engine.protocol import Handler
from payoff.errors import PayoffError, StoppedError

ENDLESS = "endless"
"""A file of this name beside the folder: no batch of its rows comes before Stop."""


def handlers() -> Mapping[str, Handler]:
    """Totals, the cursor and opening, slowed down; no metric table, which is not looked at."""
    known = standard_handlers()
    slowed = {kind: _slowed(known[kind]) for kind in ("decide.totals", "decide.at_depth", "load")}
    return {**known, **slowed, "compare.models": _refuse}


def _slowed(handler: Handler) -> Handler:
    def handle(arguments: Any, context: Any) -> object:
        data = getattr(arguments, "document", None)
        path = Path(arguments.path if data is None else data.data.path)
        if not (path.parent / ENDLESS).exists():
            return handler(arguments, context)
        if data is not None:  # what was read before is no longer held
            context.cache.keep_only(lambda key: "decided parts" not in key)
        with patch("core.scale.sources.check_stop", _until_stopped):
            return handler(arguments, context)

    return handle


def _until_stopped() -> None:
    while not is_stop_wanted():
        time.sleep(0.01)
    raise StoppedError


def _refuse(_arguments: Any, _context: Any) -> object:
    raise PayoffError("Left out here.")
