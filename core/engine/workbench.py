"""What an engine keeps between jobs: the result store, model files, tables, problems, plugins."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

from core.assembly.cache import ByteCache
from core.assembly.tables import Tables
from core.document.files.model_store import FOLDER, ModelStore
from core.engine.options import EngineOptions
from core.engine.plugins import EnginePlugins
from core.engine.protocol import EngineRole
from core.engine.store import ResultStore


class Workbench:
    """State of one engine, shared by its lanes.

    Parameters
    ----------
    options : EngineOptions
        With an empty ``store_folder`` results are not kept on disk, and model files only as long as
        this object lives.
    role : EngineRole, optional
        None: an engine in this process that runs everything itself.
    """

    def __init__(self, options: EngineOptions, *, role: EngineRole | None = None) -> None:
        folder = options.store_folder
        self.options = options
        self.role = role
        self.store = ResultStore(Path(folder), options.store_bytes) if folder else None
        self.model_store = _make_store(folder)
        self.cache = ByteCache(options.table_bytes)
        self.plugins = EnginePlugins(options, role, self.cache)
        self.tables = Tables(self.cache, self.plugins.readers, self.plugins.check_reader)


def _make_store(folder: str) -> ModelStore:
    """Model files in the session's folder, else in one that ends with the shelf."""
    if folder:
        return ModelStore(Path(folder) / FOLDER)
    own = tempfile.mkdtemp(prefix="payoff-models-")
    model_store = ModelStore(Path(own) / FOLDER)
    weakref.finalize(model_store, shutil.rmtree, own, ignore_errors=True)
    return model_store
