"""``payoff.verify_export`` and ``payoff.import_model``.

``payoff.verify_export``: does another system score as the model does?

``payoff.import_model``: boosted trees that LightGBM or XGBoost trained, as a model of ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.boosting import ExportCheck, check_export, read_third_party_model
from core.script.boost.model import Model
from core.script.session import engine


def verify_export(
    path: str | Path,
    folder: str | Path | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    tolerance: float = 1e-9,
) -> ExportCheck:
    """Compare another system's results with those that ``Model.export`` wrote, row by row.

    Parameters
    ----------
    path : str or Path
        CSV or Parquet with the key column ("row") and at least one result ("score",
        "prediction").
    folder : str or Path, optional
        The export folder; left out: the folder that the file lies in.
    columns : mapping of result to column of the file, optional
    tolerance : float
        Times the size of the expected result where that is above 1.

    Returns
    -------
    HandOverCheck
        ``agrees``, ``differing_rows``, ``differences`` (file, line, row, column, value), ``worst``.
    """
    return check_export(path, folder, columns=columns, tolerance=tolerance)


def import_model(
    path: str | Path,
    *,
    distribution: str | None = None,
    classes: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
) -> Model:
    """Read a model file of LightGBM (text, JSON) or XGBoost (JSON): score with it, explain it.

    Its link scores are those of the program that trained it, its contributions too. It saves,
    hands over and exports as any other model; it cannot be continued.

    Parameters
    ----------
    path : str or Path
        What ``Booster.save_model("model.txt")`` or ``dump_model`` of LightGBM, or
        ``Booster.save_model("model.json")`` of XGBoost wrote.
    distribution : str, optional
        What the model is to count as where its objective has no counterpart here; "gaussian" leaves
        scores as they are.
    classes : sequence of str, optional
        Names of the classes 0, 1 ...; left out: "0", "1" ...
    columns : mapping of str to str, optional
        Names of inputs in the file ("Column_0") to names in your data.

    Raises
    ------
    PayoffError
        If the file is no such model, is damaged (naming the tree), or holds what cannot be told
        exactly: linear leaves, zeros for missing, several numbers a leaf, an unknown objective.
    """
    found = read_third_party_model(
        path,
        engine().registry.distribution,
        distribution=distribution,
        classes=tuple(map(str, classes)),
        columns=columns,
    )
    return Model(found.boosted)
