"""The record beside a file of decisions: what a later reader needs to repeat it."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from core.assembly.decide.decided_table import DecidedTable
from core.data import LoadedTable
from core.decisions.depths.cut import (
    DepthCut,
)
from core.decisions.studies.hold_out import POWER, SIGNIFICANCE, Counts, Figures, HoldOut
from core.document.decisions.words import chances_sentence
from core.document.files.codec import to_plain
from core.document.files.guarded import write_file
from core.document.model import Document, Role
from core.extensions import Registry
from payoff.version import API_VERSION, __version__

RECORD_SUFFIX = ".record.json"


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordedRule:
    """What decided: a document and one of its models, with the matrix as plain JSON values.

    ``table`` holds the rows that were decided.
    """

    document: Document
    table: LoadedTable
    model: str
    matrix: Mapping[str, Any]
    cut: DepthCut | None = None

    @property
    def id_column(self) -> str | None:
        """The column that names the cases, where the data have it."""
        column = self.document.column_of(Role.ID)
        return column if column is not None and column in self.table.kinds else None


def recorded_rule(decided: DecidedTable, registry: Registry) -> RecordedRule:
    """Return what decided a table, for its record."""
    shares = decided.matrix.shares
    return RecordedRule(
        document=decided.document,
        table=decided.table,
        model=decided.model,
        matrix={
            **to_plain(decided.matrix.spec),
            "cells": to_plain(tuple(map(tuple, decided.matrix.cells.tolist()))),
            "shares_of_amount": None if shares is None else shares.tolist(),
            "plugin_sha256": registry.content_of(decided.matrix.plugin),
        },
        cut=decided.cut,
    )


def file_record(path: str, rows: int, columns: tuple[str, ...]) -> dict[str, Any]:
    """A written file by its content: made after it was written."""
    with Path(path).open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"path": path, "sha256": digest, "rows": rows, "columns": list(columns)}


def data_record(table: LoadedTable, id_column: str | None) -> dict[str, Any]:
    """The rows that were decided: every file they come from by its content, and their ids."""
    source = table.data
    further = [{"path": entry.path, "sha256": entry.content_hash} for entry in source.recipe.files]
    return {
        "path": source.path,
        "sha256": source.own_hash,
        "files": [{"path": source.path, "sha256": source.own_hash}, *further],
        "id_column": id_column,
        "recipe": to_plain(source.recipe),
        "rows": table.rows,
    }


def versions() -> dict[str, str]:
    """What worked it out."""
    return {
        "payoff": __version__,
        "plugin_contract": ".".join(str(part) for part in API_VERSION),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def decision_record(
    rule: RecordedRule,
    file: Mapping[str, Any],
    *,
    totals: Figures,
    counts: Counts,
    warnings: tuple[str, ...],
    written: tuple[str, ...] = (),
    hold_out: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The record as plain JSON values.

    Parameters
    ----------
    rule : RecordedRule
    file : mapping
        From ``file_record``.
    totals, counts : tuples
        Of all rows.
    warnings : tuple of str
    written : tuple of str
        The decisions that were written; empty = all.
    hold_out : mapping, optional
        From ``hold_out_record``.
    """
    document = rule.document
    source = rule.table.data
    settings = document.model(rule.model)
    record = {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "project": document.name,
        "file": dict(file),
        "data": {
            **data_record(rule.table, rule.id_column),
            "rows_where": document.split.where,
        },
        "target": to_plain(document.target),
        "model": rule.model,
        "old_priors": to_plain(settings.old_priors) if settings is not None else None,
        "chances": (
            chances_sentence(settings, document.rows_used, source.rows_hash)
            if settings is not None
            else ""
        ),
        "models": [to_plain(entry) for entry in document.models],
        "roles": [to_plain(entry) for entry in document.roles],
        "priors": to_plain(document.priors),
        "matrix": dict(rule.matrix),
        "cut_off": _cut_off_record(rule.cut),
        "decisions_written": list(written) or "all",
        "seed": document.seed,
        "totals": {name: to_plain(float(value)) for name, value in totals},
        "counts": dict(counts),
        "warnings": list(warnings),
    }
    if hold_out is not None:
        record["hold_out"] = dict(hold_out)
    return record


def hold_out_record(held: HoldOut, target: str, file: Mapping[str, Any] | None) -> dict[str, Any]:
    """How a hold-out was drawn, what it costs and can show; the file of the cases kept out."""
    return {
        "share": held.share,
        "seed": held.seed,
        "chosen": held.chosen,
        "held_out": held.held,
        "column": f"HOLDOUT_{target}",
        "file": None if file is None else file["path"],
        "file_sha256": None if file is None else file["sha256"],
        "expected_forgone": to_plain(held.forgone),
        "event_rate_expected": to_plain(held.event_rate),
        "smallest_effect": to_plain(held.smallest_effect),
        "power": POWER,
        "significance": SIGNIFICANCE,
    }


def write_record(path: str, record: Mapping[str, Any]) -> str:
    """Write the record beside a file; where it stands."""
    beside = path + RECORD_SUFFIX
    text = json.dumps(record, indent=1, ensure_ascii=False)
    write_file(beside, text.encode("utf-8"), what="The record")
    return beside


def _cut_off_record(cut: DepthCut | None) -> Mapping[str, Any]:
    if cut is None:
        return {"rule": "every case gets the decision with the best expected consequence"}
    side, value = cut.side, cut.value
    if cut.points is not None:
        side, value = cut.points_side, cut.points
    return {
        "rule": f"act on the cases whose {cut.kind} is {side} the threshold",
        "depth": cut.depth,
        "threshold": to_plain(value),
    }
