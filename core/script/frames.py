"""Columns of pandas tables, made without an object for every cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from payoff.types import AnyArray


def text_column(codes: AnyArray, texts: Sequence[str]) -> pd.Series:
    """Texts for codes (n,) of small numbers, of the type that pandas gives texts."""
    known = pd.Series([""]).dtype
    if not isinstance(known, pd.StringDtype) or known.storage != "pyarrow":
        return pd.Series(np.asarray(texts, dtype=object)[codes])
    words = pa.array(texts, type=pa.large_string())
    cells = pa.DictionaryArray.from_arrays(pa.array(codes), words).cast(pa.large_string())
    return pd.Series(pd.array(cells, dtype=known))
