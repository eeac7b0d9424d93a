"""What the tests of data read in pieces share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.assembly.pieces import opened, table
from core.document.data import model


@pytest.fixture(scope="module")
def few_rows_are_held() -> Iterator[None]:
    """A tenth of the rows of the program are held as one table, so that a tenth is read in pieces.

    With the program's own limit: ``test_evaluate_in_pieces.py``, and in other files the tests of
    more different scores than have a cell of their own.
    """
    few = model.HELD_ROWS // 10
    with pytest.MonkeyPatch.context() as patch:
        for module in (model, opened, table):
            patch.setattr(module, "HELD_ROWS", few)
        yield
