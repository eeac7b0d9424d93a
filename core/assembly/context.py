"""What turning a document into arrays needs of the program around it."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from core.document.model import Document
from core.questions.lanes import Watch
from core.questions.needs import require_data

if TYPE_CHECKING:
    from core.assembly.tables import ByteCache, Tables
    from core.data import LoadedTable
    from core.document.files.model_store import ModelStore
    from core.extensions import Registry


LONG_BYTES = 256_000_000
"""A file above it takes seconds to read."""


class Resources(Protocol):
    """What outlives a piece of work."""

    @property
    def cache(self) -> ByteCache:
        """What was worked out before, by the part of the document that it depends on."""

    @property
    def tables(self) -> Tables:
        """The tables that were read."""

    @property
    def model_store(self) -> ModelStore:
        """The files of trained models."""


class AssemblyContext(Watch, Resources, Protocol):
    """One piece of work's connection to what outlives it: memory, tables, model files, plugins."""

    is_kept: bool  # False: the answer is not for a store
    stop: NDArray[np.uint8]  # (1,), nonzero once Stop was asked for: kernels read it

    @property
    def registry(self) -> Registry:
        """The plugins; discovered at first use."""

    @property
    def place(self) -> Hashable:
        """Where the work is done: at one place one piece is done after the other."""

    @property
    def leaves_core(self) -> bool:
        """Whether shorter work is to find a core free meanwhile."""

    @property
    def journals(self) -> Path | None:
        """Where experiments, and reads of parts, keep what is done; None: they keep nothing."""

    def begin_long_read(self) -> None:
        """Refuse to read all rows of large data where short questions would wait for it.

        Raises
        ------
        LongReadError
        """

    def marked(self, plugin: str, stage: str) -> AbstractContextManager[None]:
        """Mark a third-party plugin as in use; nothing for a built-in one (an empty id)."""


def table_of(document: Document, context: AssemblyContext) -> LoadedTable:
    """The document's table; refuses a document without data."""
    data = require_data(document)
    is_large = data.is_in_parts or data.size_bytes > LONG_BYTES
    if is_large and not context.tables.holds(data):
        context.begin_long_read()
    return context.tables.table(data, context)
