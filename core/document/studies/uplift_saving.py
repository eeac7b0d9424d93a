"""Who is to be treated, written to a file from page Uplift."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveUpliftArguments:
    """-> SaveResult. Kind "save_uplift": every row of the data, outcome known or not.

    ``depth`` is the share of the evaluated cases that is treated; None = the best depth at the
    project's prices. Cases that tie with the last of them are all treated.
    """

    document: Document
    model: str
    path: str
    depth: float | None = None
    keep_columns: tuple[str, ...] = ()  # written along; empty = the id, or the row number
