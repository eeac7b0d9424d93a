"""What a person does with a further file, step by step."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.document.commands import OpenData
from core.document.data.commands import (
    AddColumns,
    AddRows,
    ChangeTable,
)
from core.document.data.model import (
    DataRef,
    FileRef,
    JoinSpec,
    ReaderSettings,
    RowUse,
)
from core.document.data.opening import roles_beside, with_join
from core.document.data.results import TableSummary
from core.document.model import Document
from core.document.studies.data import (
    MakeTableArguments,
    SecondFile,
    SecondFileArguments,
)
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments
from core.questions.compare import CompareModels

ROWS = 400


def write(path: Path, columns: dict[str, list[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(columns)
        out.writerows(zip(*columns.values(), strict=True))
    return path


def cases(first: int, count: int, seed: int) -> dict[str, list[object]]:
    draw = np.random.default_rng(seed)
    chance = draw.uniform(0.02, 0.98, count).round(6)
    happened = (draw.uniform(size=count) < chance).astype(int)
    return {
        "customer_id": [f"{n:05d}" for n in range(first, first + count)],
        "age": draw.integers(18, 80, count).tolist(),
        "region": draw.choice(["N", "S"], count).tolist(),
        "p_gbm": chance.tolist(),
        "responded": happened.tolist(),
    }


def opened(engine: LocalEngine, path: Path) -> Document:
    summary = engine.run("load", LoadArguments(path=str(path), reader=ReaderSettings()))
    return taken(Document(), summary, OpenData)


def taken(document: Document, summary: TableSummary, command: type[OpenData]) -> Document:
    made = command(
        data=summary.data,
        roles=roles_beside(document, summary) if document.roles else summary.roles,
        target=document.target or summary.target,
        split=document.split if document.data and command is not AddRows else summary.split,
    )
    return made.apply(document)


def look(engine: LocalEngine, document: Document, path: Path) -> SecondFile:
    arguments = SecondFileArguments(document=document, path=str(path), reader=ReaderSettings())
    found: SecondFile = engine.run("second_file", arguments)
    return found


def change(
    engine: LocalEngine, document: Document, made: DataRef, command: type[ChangeTable]
) -> Document:
    return taken(document, engine.run("make_table", MakeTableArguments(data=made)), command)


def outcome_join(file: FileRef, **settings: bool) -> JoinSpec:
    return JoinSpec(
        file=file, keys=(("customer_id", "id"),), columns=(("responded", "responded"),), **settings
    )


def with_outcome(engine: LocalEngine, folder: Path) -> Document:
    document = opened(engine, folder / "scores.csv")
    found = look(engine, document, folder / "outcomes.csv")
    join = outcome_join(found.file, ignores_zeros=True)
    assert document.data is not None
    return change(engine, document, with_join(document.data, join), AddColumns)


def auc(engine: LocalEngine, document: Document) -> tuple[float, str, int]:
    document = replace(document, rows_used=RowUse.ALL)
    result = engine.ask(document, CompareModels(resamples=0))
    cell = next(cell for cell in result.cells if cell.metric == "auc")
    return cell.estimate.value, result.rows.text, result.rows.rows
