"""A loaded file as the engine describes it: summary, rows, preview, and the document on it."""

from __future__ import annotations

from dataclasses import replace

from core.document.data.model import DataRef, ReaderSettings, RowUse
from core.document.data.results import (
    ColumnSummary,
    PreviewResult,
    ReaderFinding,
    RowsPage,
    TableSummary,
)
from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec

COLUMNS = ("customer_id", "age", "use", "responded", "p_gbm", "p_logit")


def make_summary(path: str = "/data/mail.csv", rows: int = 1000) -> TableSummary:
    """A loaded file: an outcome, two models' chances, a column of row use."""
    columns = (
        ColumnSummary(name="customer_id", kind="text", rows=rows, missing=0, distinct=-1),
        ColumnSummary(
            name="age",
            kind="integer",
            rows=rows,
            missing=rows // 10,
            distinct=60,
            minimum=18,
            maximum=90,
            mean=44.5,
            standard_deviation=12.0,
            histogram=(1, 4, 9, 4, 1),
            edges=(18, 32, 46, 61, 75, 90),
        ),
        _levels("use", {"validation": rows // 2, "test": rows - rows // 2}),
        _levels("responded", {"0": rows - rows // 20, "1": rows // 20}, kind="integer"),
        _probability("p_gbm", rows),
        _probability("p_logit", rows),
    )
    roles = (
        RoleAssignment(column="customer_id", role=Role.ID, reason="all different", is_guess=True),
        RoleAssignment(column="age", role=Role.INPUT, reason="nothing says more", is_guess=True),
        RoleAssignment(column="use", role=Role.ROW_USE, reason="its values", is_guess=True),
        RoleAssignment(column="responded", role=Role.TARGET, reason="its name", is_guess=True),
        RoleAssignment(column="p_gbm", role=Role.POSTERIOR, model="gbm", level="1"),
        RoleAssignment(column="p_logit", role=Role.POSTERIOR, model="logit", level="1"),
    )
    return TableSummary(
        data=DataRef(path=path, content_hash="abc", rows=rows, columns=COLUMNS, size_bytes=64_000),
        columns=columns,
        roles=roles,
        target=TargetSpec(column="responded", kind="binary", levels=("1", "0")),
        split=SplitSpec(
            column="use", meaning=(("validation", RowUse.VALIDATION), ("test", RowUse.TEST))
        ),
        warnings=(),
        seconds=0.1,
    )


def _levels(name: str, counts: dict[str, int], kind: str = "text") -> ColumnSummary:
    ordered = tuple(sorted(counts.items(), key=lambda item: -item[1]))
    return ColumnSummary(
        name=name,
        kind=kind,
        rows=sum(counts.values()),
        missing=0,
        distinct=len(counts),
        levels=ordered,
        histogram=tuple(count for _, count in ordered),
    )


def _probability(name: str, rows: int) -> ColumnSummary:
    return ColumnSummary(
        name=name,
        kind="number",
        rows=rows,
        missing=0,
        distinct=-1,
        minimum=0.001,
        maximum=0.9,
        mean=0.05,
        standard_deviation=0.07,
        histogram=(90, 8, 2),
        edges=(0.0, 0.3, 0.6, 0.9),
    )


def make_page(start: int, count: int, columns: int = len(COLUMNS)) -> RowsPage:
    """Rows whose cells say where they stand."""
    rows = tuple(
        tuple(f"r{row}c{column}" for column in range(columns))
        for row in range(start, start + count)
    )
    return RowsPage(start=start, rows=rows)


def make_preview(path: str, **settings: object) -> PreviewResult:
    """The first rows of a semicolon file, with a reason for each finding."""
    found = ReaderSettings(
        format="delimited",
        delimiter=";",
        quote='"',
        decimal=",",
        encoding="cp1252",
        has_header=True,
    )
    return PreviewResult(
        path=path,
        size_bytes=240_000_000,
        settings=replace(found, **settings),
        findings=(
            ReaderFinding(setting="delimiter", value=";", reason="41 of 41 lines have 3 fields"),
            ReaderFinding(setting="encoding", value="cp1252", reason="bytes fit", is_certain=False),
        ),
        columns=("name", "age", "score"),
        column_types=("text", "integer", "number"),
        rows=(("Anna", "37", "0,5"), ("Bo", "41", "0,25")),
        row_estimate=1_000_000,
        memory_estimate_bytes=310_000_000,
    )


def loaded_document() -> Document:
    """The document that opening ``make_summary`` leads to, without a matrix."""
    summary = make_summary()
    document = Document(name="mail", data=summary.data, target=summary.target, split=summary.split)
    return document.with_roles(summary.roles)
