"""Model files: a zip of JSON and npy members, each with its SHA-256; never pickle."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.boosting.inputs import InputColumn
from core.boosting.model import BoostedModel, CrossValidation
from core.boosting.settings import BoostSettings
from core.boosting.training import History
from core.boosting.trees import Forest
from core.document.files.codec import from_plain, to_plain
from core.document.files.guarded import note_read, write_file
from payoff.errors import PayoffError
from payoff.specs import LossDistribution

FORMAT = "payoff-model"
VERSION = 1
_HEAD = "model.json"
_SAME_TIME = (1980, 1, 1, 0, 0, 0)


def save_model(model: BoostedModel, path: str | Path) -> None:
    """Write a model; a crash leaves the old file or the new one.

    Raises
    ------
    PayoffError
        If the file cannot be written.
    """
    target = Path(path)
    write_file(target, model_bytes(model), verify=_verified, what="The model")


def model_bytes(model: BoostedModel) -> bytes:
    """The content of a model file; the same model gives the same bytes."""
    arrays: dict[str, np.ndarray[Any, Any]] = {
        "initial": model.initial,
        **{f"forest_{name}": array for name, array in model.forest.pieces().items()},
        "train_deviance": model.history.train_deviance,
        "valid_deviance": model.history.valid_deviance,
        "oob_improvement": model.history.oob_improvement,
    }
    crossed = model.cross_validation
    if crossed is not None:
        arrays |= {
            "cv_deviance": crossed.deviance,
            "cv_fold": crossed.fold,
            "cv_link": crossed.link,
        }
    members = {f"{name}.npy": _npy(array) for name, array in arrays.items()}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "distribution": model.distribution.id,
        "parameters": {name: to_plain(value) for name, value in model.parameters.items()},
        "settings": to_plain(model.settings),
        "columns": to_plain(model.columns),
        "classes": list(model.classes),
        "n_train": model.n_train,
        "n_rows": model.n_rows,
        "choice": model.choice,
        "old_priors": list(model.old_priors),
        "roles": dict(model.roles),
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in members.items()},
    }
    text = json.dumps(head, ensure_ascii=False, indent=1, allow_nan=False)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {_HEAD: text.encode(), **members}.items():
            archive.writestr(zipfile.ZipInfo(name, _SAME_TIME), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _npy(array: np.ndarray[Any, Any]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.ascontiguousarray(array), allow_pickle=False)
    return stream.getvalue()


def load_model(
    path: str | Path, find_distribution: Callable[[str], LossDistribution]
) -> BoostedModel:
    """Read a model file.

    Parameters
    ----------
    path : str or Path
    find_distribution : function
        ``find_distribution(id)`` returns the distribution, or raises PayoffError.

    Raises
    ------
    PayoffError
        If the file is no model, is damaged, newer than the program, or its distribution is absent.
    """
    try:
        note_read(path)
        content = Path(path).read_bytes()
    except OSError as error:
        raise PayoffError(
            "The model could not be read.", where=str(path), why=str(error)
        ) from error
    try:
        head, arrays = _verified(content)
        return _model(head, arrays, find_distribution)
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile, EOFError) as error:
        if isinstance(error, PayoffError):
            raise PayoffError(
                error.what, where=error.where or str(path), why=error.why, remedy=error.remedy
            ) from error
        raise PayoffError(
            "The file is no model, or it is damaged.", where=str(path), why=str(error)
        ) from error


def _verified(content: bytes) -> tuple[Mapping[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Head and arrays of a model file; every hash is checked."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        head = json.loads(archive.read(_HEAD))
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise PayoffError("The file is no model of this program.")
        if head["version"] > VERSION:
            raise PayoffError(
                "The model was written by a newer version of the program.",
                why=f"Its format is {head['version']}, this program reads up to {VERSION}.",
                remedy="Update the program.",
            )
        arrays = {}
        for name, wanted in head["sha256"].items():
            data = archive.read(name)
            if hashlib.sha256(data).hexdigest() != wanted:
                raise PayoffError(
                    "The model file is damaged.", why=f"'{name}' is not what was written."
                )
            arrays[name.removesuffix(".npy")] = np.load(io.BytesIO(data), allow_pickle=False)
    return head, arrays


def _model(
    head: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray[Any, Any]],
    find_distribution: Callable[[str], LossDistribution],
) -> BoostedModel:
    crossed = None
    if "cv_deviance" in arrays:
        crossed = CrossValidation(arrays["cv_deviance"], arrays["cv_fold"], arrays["cv_link"])
    forest = Forest(**{name: arrays[f"forest_{name}"] for name in Forest.__slots__})
    _check_forest(forest, len(head["columns"]))
    return BoostedModel(
        distribution=find_distribution(head["distribution"]),
        parameters={name: from_plain(float, value) for name, value in head["parameters"].items()},
        settings=from_plain(BoostSettings, head["settings"]),
        columns=tuple(from_plain(InputColumn, column) for column in head["columns"]),
        classes=tuple(head["classes"]),
        initial=arrays["initial"],
        forest=forest,
        history=History(
            arrays["train_deviance"], arrays["valid_deviance"], arrays["oob_improvement"]
        ),
        cross_validation=crossed,
        n_train=head["n_train"],
        n_rows=head["n_rows"],
        choice=head["choice"],
        old_priors=tuple(head["old_priors"]),
        roles=dict(head.get("roles", {})),  # files of the first program have none
    )


def _check_forest(forest: Forest, columns: int) -> None:
    """Refuse trees that compiled code could walk out of: children come after their parents."""
    nodes = forest.feature.shape[0]
    sizes = np.diff(forest.tree_start)
    is_sound = bool((sizes > 0).all()) and int(forest.tree_start[-1]) == nodes
    if is_sound:
        own = np.arange(nodes) - np.repeat(forest.tree_start[:-1], sizes)
        size = np.repeat(sizes, sizes)
        is_split = forest.feature >= 0
        for name in ("left", "right", "missing", "unseen"):
            child = getattr(forest, name)
            is_sound &= bool((~is_split | ((child > own) & (child < size))).all())
        is_sound &= int(forest.feature.max(initial=-1)) < columns
        is_sound &= int(forest.level_set.max(initial=-1)) < forest.level_bits.shape[0]
    if not is_sound:
        raise PayoffError("The model file is damaged.", why="Its trees do not hang together.")
