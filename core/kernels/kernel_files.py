"""Compiled code on disk: one file for each function and signature, written whole or not at all.

numba keeps an index beside numbered files. Two processes that compile the same function for
different arguments at the same time both write the index, and one entry is lost, or both take the
same number. Without an index there is nothing to lose: the name of a file follows from what it
holds, and the file says what it holds.
"""

from __future__ import annotations

import hashlib
import pickle
import uuid
from pathlib import Path
from typing import Any

import numba
from numba.core.serialize import dumps

ENDING = ".nbc"
READ = ".read"
"""Ending of the mark beside a file that a build's second run has read."""


class KernelFiles:
    """The compiled forms of one function.

    Parameters
    ----------
    folder : Path
        Need not be there until something is saved.
    base : str
        What names of files begin with: the function, its line, the version of Python.
    stamp : str
        What must be unchanged for a file to be used; see ``core.kernels.cache.source_stamp``.
    """

    def __init__(self, folder: Path, base: str, stamp: str) -> None:
        self._folder = folder
        self._base = base
        self._made_for = (numba.__version__, stamp)

    def load(self, key: Any) -> Any:
        """What was saved under a key; None where nothing was, or for other sources.

        Raises
        ------
        Exception
            Of any kind, where the file is damaged.
        """
        try:
            content = self._place(key).read_bytes()
        except FileNotFoundError:
            return None
        made_for, found, data = pickle.loads(content)
        if made_for != self._made_for or pickle.loads(found) != key:
            return None
        return pickle.loads(data)

    def save(self, key: Any, data: Any) -> None:
        """Keep data under a key, in place of what is there.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        # numba's own way to pickle what it makes; a reader of another version stops at made_for.
        content = pickle.dumps((self._made_for, dumps(key), dumps(data)), protocol=-1)
        written = self._folder / f"{self._base}.{uuid.uuid4().hex[:16]}.tmp"
        try:
            written.write_bytes(content)
            written.replace(self._place(key))
        except BaseException:
            written.unlink(missing_ok=True)
            raise

    def mark_read(self, key: Any) -> None:
        """Note beside a key's file that it was read."""
        self._place(key).with_suffix(READ).touch()

    def flush(self) -> None:
        """Delete all of them."""
        for path in self._folder.glob(f"{self._base}.*{ENDING}"):
            path.unlink(missing_ok=True)

    def _place(self, key: Any) -> Path:
        """Where a key's data lie. Keys of one text share a place; the file tells them apart."""
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return self._folder / f"{self._base}.{digest}{ENDING}"
