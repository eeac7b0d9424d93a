"""The main engine does without pandas: pyarrow would import it for a plain array, at 0.3 s a start.

pyarrow asks for pandas whenever it hands out or takes an array, only to know whether it got a data
frame. No job of the main engine has one: scripts do, in their own process, and third parties'
plugins may, in the engine that runs them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Refusal(MetaPathFinder):
    """Says of pandas that it is not installed."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Refuse pandas; leave every other module to those that come after."""
        if fullname == "pandas":
            raise ModuleNotFoundError("The main engine does without pandas.", name=fullname)
        return None


def do_without_pandas() -> None:
    """Refuse every import of pandas in this process from now on, where it is not imported yet."""
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _Refusal())
