"""Shared by tests of weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd


def flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number and word of an answer."""
    if isinstance(value, pd.DataFrame):
        value = {str(column): value[column].to_numpy() for column in value}
    elif dataclasses.is_dataclass(value):
        value = {entry.name: getattr(value, entry.name) for entry in dataclasses.fields(value)}
    if isinstance(value, dict):
        for name, entry in value.items():
            yield from flat(entry, f"{path}.{name}")
    elif isinstance(value, list | tuple):
        yield f"{path}.length", len(value)
        for place, entry in enumerate(value):
            yield from flat(entry, f"{path}[{place}]")
    else:
        yield path, value


def assert_same(first: Any, second: Any, where: str) -> None:
    for (path, value), (other_path, other_value) in zip(flat(first), flat(second), strict=True):
        assert path == other_path, where
        one, other = np.asarray(value), np.asarray(other_value)
        assert one.shape == other.shape, where + path
        if one.dtype.kind in "fiub":
            np.testing.assert_allclose(
                one.astype(float), other.astype(float), rtol=1e-9, atol=1e-10, err_msg=where + path
            )
        else:
            assert (one == other).all(), f"{where}{path}: {one} {other}"
