"""The records that calls of a project and questions take: costs, scenarios' numbers, files, sides.

They live in ``core.document`` and are found there by name when first asked for; a dict with the
names of a record's fields does as well as the record.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any
from warnings import warn

FORMER_NAMES = {
    "ChanceMap": "CalibrationMap",
    "ChancesSpec": "CalibrationSpec",
}
"""Records by the names that they had in version 0.1; using one warns."""


def _records() -> dict[str, type]:
    calls: dict[str, type] = import_module("core.document.scripts.kinds").RECORDS
    requested: dict[str, type] = import_module("core.questions.catalogue").question_records()
    return {**calls, **requested}


def __getattr__(name: str) -> Any:
    """Serve a record by its name."""
    if name == "__all__":
        return __dir__()
    if name in FORMER_NAMES:
        warn(
            f"payoff.records.{name} is called {FORMER_NAMES[name]} now.",
            DeprecationWarning,
            stacklevel=2,
        )
        name = FORMER_NAMES[name]
    if name.startswith("_") or name not in _records():
        raise AttributeError(f"module 'payoff.records' has no attribute '{name}'")
    return _records()[name]


def __dir__() -> list[str]:
    return sorted(_records())
