"""What turning a document into arrays needs of the program around it."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from core.document.model import Document
from core.questions.watch import Watch
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.assembly.cache import ByteCache
    from core.assembly.tables import Tables
    from core.data import LoadedTable
    from core.document.files.shelf import ModelShelf
    from core.extensions import Registry


class AssemblyContext(Watch, Protocol):
    """One piece of work's connection to what outlives it: memory, tables, model files, plugins."""

    is_kept: bool  # False: the answer is not for a store

    @property
    def cache(self) -> ByteCache:
        """What was worked out before, by the part of the document that it depends on."""

    @property
    def tables(self) -> Tables:
        """The tables that were read."""

    @property
    def shelf(self) -> ModelShelf:
        """The files of trained models."""

    @property
    def registry(self) -> Registry:
        """The plugins; discovered at first use."""

    @property
    def place(self) -> Hashable:
        """Where the work is done: at one place one piece is done after the other."""

    @property
    def leaves_core(self) -> bool:
        """Whether shorter work is to find a core free meanwhile."""

    def marked(self, plugin: str, stage: str) -> AbstractContextManager[None]:
        """Mark a third-party plugin as in use; nothing for a built-in one (an empty id)."""


def table_of(document: Document, context: AssemblyContext) -> LoadedTable:
    """The document's table; refuses a document without data."""
    if document.data is None:
        raise PayoffError("No data is open.", remedy="Open a data file first.")
    return context.tables.table(document.data, context)
