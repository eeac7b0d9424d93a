"""Shared by tests of project."""

from __future__ import annotations

from dataclasses import replace

from core.document.data.model import DataRef
from core.document.files.project import (
    Headline,
)
from core.document.model import Document
from tests.core.document.commands import mailing

HEADLINE = Headline(best_model="a", profit=12294.0, low=11626.0, high=12963.0, rows=20000)


def full() -> Document:
    ref = DataRef(path="/d/x.csv", content_hash="ab", rows=3, columns=("y", "p"), size_bytes=9)
    return replace(mailing(), data=ref, priors=(("1", 0.05), ("0", 0.95)), cursor_depth=0.213)
