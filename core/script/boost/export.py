"""``payoff.check_handover``: does another system score as the model does?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.boosting import ExportCheck, check_export


def check_handover(
    path: str | Path,
    folder: str | Path | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    tolerance: float = 1e-9,
) -> ExportCheck:
    """Compare another system's results with those that ``Model.hand_over`` wrote, row by row.

    Parameters
    ----------
    path : str or Path
        CSV or Parquet with the key column ("row") and at least one result ("score",
        "prediction").
    folder : str or Path, optional
        The hand-over folder; left out: the folder that the file lies in.
    columns : mapping of result to column of the file, optional
    tolerance : float
        Times the size of the expected result where that is above 1.

    Returns
    -------
    HandOverCheck
        ``agrees``, ``differing_rows``, ``differences`` (file, line, row, column, value), ``worst``.
    """
    return check_export(path, folder, columns=columns, tolerance=tolerance)
