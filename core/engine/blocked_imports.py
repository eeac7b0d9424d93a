"""Libraries that the main engine does without: others only look whether they are there.

pyarrow would import pandas for a plain array, at 0.3 s a start, only to know whether it got a data
frame. numba would import scipy's linear algebra (and with it numpy's f2py and test tools) with its
first kernel, at 0.15 s, for kernels that multiply matrices. No job of the main engine has a data
frame, and no kernel of the program calls linear algebra. Scripts do both, in their own process, and
third parties' plugins may, in the engine that runs them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from threading import get_ident
from types import ModuleType

_LOOKS_FOR_LINEAR_ALGEBRA = "numba.np.arraymath"


class _WithoutPandas(MetaPathFinder):
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


class _WithoutLinearAlgebraInKernels(MetaPathFinder):
    """Says to numba, once, that scipy's linear algebra is not installed; then gets out of the way.

    The job that needs it for itself imports it as ever, also while numba is being imported in
    another thread.
    """

    def __init__(self) -> None:
        self._thread: int | None = None

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Refuse the import that comes out of numba's module of array functions."""
        if fullname == _LOOKS_FOR_LINEAR_ALGEBRA:
            self._thread = get_ident()
        elif fullname == "scipy.linalg" and self._thread == get_ident():
            sys.meta_path.remove(self)
            raise ModuleNotFoundError("No kernel calls it.", name=fullname)
        return None


def import_leanly() -> None:
    """From now on import neither pandas nor, for kernels, linear algebra; what is there stays."""
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _WithoutPandas())
    if _LOOKS_FOR_LINEAR_ALGEBRA not in sys.modules:
        sys.meta_path.insert(0, _WithoutLinearAlgebraInKernels())
