"""An engine that a file ends while its first rows are read."""

from __future__ import annotations

import os
from collections.abc import Mapping

from core.engine.protocol import Handler


def _abort(arguments: object, context: object) -> None:
    os.abort()


def handlers() -> Mapping[str, Handler]:
    """The jobs of this engine."""
    return {"preview": _abort}
