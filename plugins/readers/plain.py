"""The two formats that the host reads itself: nothing has to be unpacked or turned around."""

from __future__ import annotations

from payoff import ReaderForm, TableReader

DELIMITED = TableReader(
    id="delimited",
    label="Delimited text (CSV)",
    help="Text with a comma, semicolon, tab, bar or blank between the cells.",
    form=ReaderForm.DELIMITED,
    suffixes=(".csv", ".tsv", ".txt", ".tab", ".dat", ".data", ".asc"),
    settings=("has_header", "skip_lines", "missing_marks", "encoding"),
    reference="RFC 4180",
)

PARQUET = TableReader(
    id="parquet",
    label="Parquet",
    help="Columns with their types; a large file opens at once, columns are read when needed.",
    form=ReaderForm.PARQUET,
    suffixes=(".parquet", ".pq"),
    marks=(b"PAR1",),
    reference="https://parquet.apache.org/docs/file-format",
)
