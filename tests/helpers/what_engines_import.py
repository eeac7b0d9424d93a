"""Imported once by the process that engines of tests are forked from.

Not pandas: whether an engine has it or does without is what it settles at its start.
"""

import importlib

import numba
import pyarrow

from core.engine import worker
from core.engine.kinds import every_kind

__all__ = ["numba", "pyarrow", "worker"]

for place in {kind.place for kind in every_kind()}:
    importlib.import_module(place.partition(":")[0])
