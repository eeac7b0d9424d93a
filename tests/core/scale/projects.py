"""Projects of folders of parts, and of the same rows in one file, as the window makes them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from core.document.commands import OpenData
from core.document.data.model import PARTS, MissingOutcomes, ReaderSettings
from core.document.data.results import TableSummary
from core.document.decisions.starting_matrix import starting_matrix
from core.document.model import Document
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments


def loaded(engine: LocalEngine, path: Path, kind: str | None = PARTS) -> TableSummary:
    reader = ReaderSettings(format=kind)
    found = engine.run("load", LoadArguments(path=str(path), reader=reader))
    assert isinstance(found, TableSummary)
    return found


def project(summary: TableSummary) -> Document:
    """The document that the window makes of a file that was opened."""
    assert summary.target is not None
    return OpenData(
        data=summary.data,
        roles=summary.roles,
        target=summary.target,
        split=summary.split,
        matrix=starting_matrix(summary.target, summary.columns),
        name="parts",
        missing_outcomes=MissingOutcomes.ASK,
    ).apply(Document())


def whole(engine: LocalEngine, cases: pa.Table, folder: Path) -> Document:
    """The project of the same rows in one file, held in memory."""
    path = folder / "whole.parquet"
    pq.write_table(cases, path)
    return project(loaded(engine, path, None))
