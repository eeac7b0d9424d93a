"""The job that writes who gets which decision, with a record beside the file.

The record beside a file of decisions: what a later reader needs to repeat it.
"""

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
from numpy.typing import NDArray

from core import data
from core.assembly.cases import data_warnings, prior_warnings
from core.assembly.context import table_of
from core.assembly.decide.decided_table import (
    DecidedTable,
    cursor_cut_off,
    decide_table,
    with_hold_out,
)
from core.data import LoadedTable
from core.decisions import case_columns
from core.decisions.depths.cut import (
    DepthCut,
)
from core.decisions.passes.case_values import (
    IDLE,
)
from core.decisions.passes.model_state import reason_why_not
from core.decisions.studies.hold_out import (
    POWER,
    SIGNIFICANCE,
    Counts,
    Figures,
    HoldOut,
    planned_columns,
)
from core.decisions.studies.outputs import LETTERS, output_columns, with_input_marks
from core.document.decisions.matrix_model import MatrixKind
from core.document.decisions.words import probabilities_sentence
from core.document.files.codec import to_plain
from core.document.files.guarded import check_targets, write_file
from core.document.model import Document, Role
from core.document.results import SaveResult
from core.engine.context import JobContext
from core.engine.messages import SaveArguments
from core.extensions import Registry
from core.questions.needs import named_target
from payoff.errors import PayoffError, no_such
from payoff.types import AnyArray
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
    additional = [
        {"path": entry.path, "sha256": entry.content_hash} for entry in source.recipe.files
    ]
    return {
        "path": source.path,
        "sha256": source.own_hash,
        "files": [{"path": source.path, "sha256": source.own_hash}, *additional],
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
            probabilities_sentence(settings, document.rows_used, source.rows_hash)
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


COLUMN_LETTERS = ("D", "EP", "CP", "BP", "IC", "ROI", *LETTERS)


def save_decisions(arguments: SaveArguments, context: JobContext) -> SaveResult:
    """Decide every row of the document's data and write the chosen columns and decisions."""
    table = table_of(arguments.document, context)
    cut = (
        cursor_cut_off(arguments.document, arguments.model, context)
        if arguments.use_cursor
        else None
    )
    decided = decide_table(table, arguments.document, arguments.model, cut, context)
    warnings = data_warnings(arguments.document, decided.cases, context)
    return write_decisions(
        decided, arguments, (*warnings, *prior_warnings(arguments.document)), context
    )


def write_decisions(
    decided: DecidedTable,
    arguments: SaveArguments,
    warnings: tuple[str, ...],
    context: JobContext,
) -> SaveResult:
    """Write the file and its record; the record is written last."""
    _check_choices(decided, arguments)
    if arguments.hold_out > 0:
        seed = decided.document.seed if arguments.hold_out_seed is None else arguments.hold_out_seed
        decided = with_hold_out(decided, arguments.hold_out, seed)
    context.progress(None, "Choosing rows")
    names = decided.names
    kept = np.isin(names, arguments.decisions) if arguments.decisions else np.ones(len(names), bool)
    scored = _scored_columns(decided, arguments.columns)
    if arguments.decisions and not kept.any():
        warnings = (*warnings, "No case has one of the chosen decisions: the file has no rows.")
    columns = {
        **kept_columns(decided.document, decided.table, arguments.keep_columns),
        **scored,
    }
    context.progress(None, f"Writing {Path(arguments.path).name}")
    _write_rows(arguments.path, columns, kept)
    rows = int(kept.sum())
    held = decided.hold_out
    record = decision_record(
        recorded_rule(decided, context.registry),
        file_record(arguments.path, rows, tuple(columns)),
        totals=decided.totals,
        counts=decided.counts,
        warnings=warnings,
        written=arguments.decisions,
        hold_out=None if held is None else _hold_out(decided, held, arguments, columns),
    )
    record_path = write_record(arguments.path, record)
    return SaveResult(
        path=arguments.path,
        record_path=record_path,
        rows=rows,
        columns=tuple(columns),
        totals=decided.totals,
        warnings=warnings,
    )


def _write_rows(
    path: str, columns: Mapping[str, AnyArray | list[str]], kept: NDArray[np.bool_]
) -> None:
    data.write_columns(path, {name: _filtered(values, kept) for name, values in columns.items()})


def hold_out_path(path: str) -> str:
    """The file of the cases kept out, beside a file that holds chosen decisions only."""
    whole = Path(path)
    return str(whole.with_name(f"{whole.stem}.holdout{whole.suffix}"))


def _hold_out(
    decided: DecidedTable,
    held: HoldOut,
    arguments: SaveArguments,
    columns: Mapping[str, AnyArray | list[str]],
) -> dict[str, Any]:
    """The hold-out for the record. Those kept out of chosen decisions get a file of their own.

    A list of chosen decisions is acted on as it is, so nobody who is kept out may stand in it.
    """
    target = named_target(decided.document).column
    if not arguments.decisions:
        return hold_out_record(held, target, None)
    path = hold_out_path(arguments.path)
    _write_rows(path, columns, held.is_held)
    return hold_out_record(held, target, file_record(path, held.held, tuple(columns)))


def _check_choices(decided: DecidedTable, arguments: SaveArguments) -> None:
    unknown = [name for name in arguments.columns if name not in COLUMN_LETTERS]
    if unknown or not arguments.columns:
        raise PayoffError(
            f"There is no column '{unknown[0]}'." if unknown else "No column is chosen.",
            remedy=f"Choose among {', '.join(COLUMN_LETTERS)}.",
        )
    expected = [name for name in arguments.columns if name in ("EP", "P")]
    if expected and not decided.has_probabilities:
        raise PayoffError(
            reason_why_not(decided.model), remedy="Save D, CP or BP, which need no chances."
        )
    known = {*decided.problem.decisions, IDLE}
    strange = [name for name in arguments.decisions if name not in known]
    if strange:
        raise no_such("decision", strange[0], decided.problem.decisions, listed="Known decisions")
    for name in arguments.keep_columns:
        decided.table.require_column(name)
    apart = [hold_out_path(arguments.path)] if arguments.hold_out > 0 else []
    check_targets([arguments.path, arguments.path + RECORD_SUFFIX, *apart])


def _scored_columns(decided: DecidedTable, letters: tuple[str, ...]) -> dict[str, AnyArray]:
    """The chosen columns by name, and _WARN_ where a case has a mark.

    D_, EP_/EL_, CP_/CL_, BP_/BL_, IC_, ROI_ and the further outputs P_, I_, U_, F_, R_; those that
    need an outcome are left out where it is not known.
    """
    name = named_target(decided.document).column
    every = case_columns(decided.problem, decided.decided, name)
    every[f"D_{name}"] = decided.names
    every["_WARN_"] = with_input_marks(every["_WARN_"], decided.lacks_input)
    loss = decided.matrix.spec.kind is MatrixKind.LOSS
    chosen: dict[str, AnyArray] = {}
    for letter in letters:
        if letter in LETTERS:
            chosen |= _extra_columns(decided, letter, name)
            continue
        prefix = f"{letter[0]}L" if loss and letter in ("EP", "CP", "BP") else letter
        column = f"{prefix}_{name}"
        if column in every:
            chosen[column] = every[column]
    if decided.hold_out is not None:
        planned = planned_columns(decided.problem, decided.hold_out.planned, name)
        chosen[f"HOLDOUT_{name}"] = decided.hold_out.is_held.astype(np.int64)
        chosen |= {c: v for c, v in planned.items() if decided.has_probabilities or "_D_" in c}
    if np.any(every["_WARN_"] != ""):
        chosen["_WARN_"] = every["_WARN_"]
    return chosen


def _extra_columns(decided: DecidedTable, letter: str, target: str) -> dict[str, AnyArray]:
    """P_, I_, U_, F_ or R_; nothing where they have no meaning for these rows."""
    problem = decided.problem
    if letter in ("F", "R") and problem.outcome is None:
        return {}
    if problem.is_interval and letter not in ("P", "R"):
        return {}
    return output_columns(problem, decided.scores, decided.decided, target, (letter,))


def kept_columns(
    document: Document, table: LoadedTable, names: tuple[str, ...]
) -> dict[str, AnyArray | list[str]]:
    """Columns of the data to write along: the chosen ones, else the id, else the row number."""
    identity = document.column_of(Role.ID)
    if not names and identity is not None and identity in table.kinds:
        names = (identity,)
    if not names:
        return {"row": np.arange(1, table.rows + 1, dtype=np.int64)}
    return {name: _column_as_it_is(table, name) for name in names}


def _column_as_it_is(table: LoadedTable, name: str) -> AnyArray | list[str]:
    """A column for writing: whole numbers stay whole, text stays text, missing stays missing."""
    column = table.require_column(name)
    if table.kinds[name] == "integer" and column.null_count == 0:
        return np.asarray(column.to_numpy())
    if table.kinds[name] == "number":
        return data.column_as_float(table, name)
    return data.column_as_text(table, name)


def _filtered(values: AnyArray | list[str], kept: NDArray[np.bool_]) -> AnyArray | list[str]:
    if bool(kept.all()):
        return values
    if isinstance(values, list):
        return [values[place] for place in np.flatnonzero(kept)]
    return values[kept]
