"""What an engine keeps between jobs: the result store, tables, prepared problems, plugins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from core.document.model import DataRef, Document
from core.engine.cache import ByteCache
from core.engine.options import EngineOptions
from core.engine.process import HandlerSource
from core.engine.store import ResultStore
from core.engine.wire import Blame, EngineRole

if TYPE_CHECKING:
    from core.data import LoadedTable


class Workbench:
    """State of one engine, shared by its lanes.

    Parameters
    ----------
    options : EngineOptions
        With an empty ``store_folder`` results are not kept on disk.
    role : EngineRole, optional
        None: an engine in this process that runs everything itself.
    """

    def __init__(self, options: EngineOptions, *, role: EngineRole | None = None) -> None:
        self.options = options
        self.role = role
        self.store = (
            ResultStore(Path(options.store_folder), options.store_bytes)
            if options.store_folder
            else None
        )
        self.cache = ByteCache(options.table_bytes)
        self.blamed: list[Blame] = []

    def blame(self, blame: Blame) -> None:
        self.blamed.append(blame)

    def check_route(self, kind: str, arguments: object) -> None:
        pass

    def plugin_versions(self, document: Document) -> str:
        return ""

    def warm_up_steps(self, handlers: HandlerSource) -> Iterator[Callable[[], object]]:
        yield handlers
