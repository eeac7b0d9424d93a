"""Model files: a zip of JSON and npy members, each with its SHA-256; never pickle."""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.boosting.inputs import InputColumn
from core.boosting.model import BoostedModel, CrossValidation
from core.boosting.settings import BoostSettings
from core.boosting.training import TrainingHistory
from core.boosting.trees import Forest
from core.document.files.codec import from_plain, to_plain
from core.document.files.guarded import note_read, write_file
from core.document.wording import gone_words
from payoff.counting import counted
from payoff.errors import PayoffError, damage_refused
from payoff.specs import LossDistribution
from payoff.unpacking import check_unpacked

FORMAT = "payoff-model"
VERSION = 1
_HEAD = "model.json"
_SAME_TIME = (1980, 1, 1, 0, 0, 0)


def save_model(model: BoostedModel, path: str | Path, *, plugin: str = "") -> None:
    """Write a model; a crash leaves the old file or the new one.

    ``plugin`` is the id of the plugin that brought its distribution, to be named where that is
    missing one day.

    Raises
    ------
    PayoffError
        If the file cannot be written.
    """
    target = Path(path)
    write_file(target, model_bytes(model, plugin), verify=_verified, what="The model")


def model_bytes(model: BoostedModel, plugin: str = "") -> bytes:
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
        **({"plugin": plugin} if plugin else {}),
        "parameters": {name: to_plain(value) for name, value in model.parameters.items()},
        "settings": to_plain(model.settings),
        "columns": to_plain(model.columns),
        "classes": list(model.classes),
        "n_train": model.n_train,
        "n_rows": model.n_rows,
        "choice": model.choice,
        "old_priors": list(model.old_priors),
        "roles": dict(model.roles),
        **({"no_model": model.no_model} if math.isfinite(model.no_model) else {}),
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


def read_model(
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
    where = str(path)
    try:
        with damage_refused("The file is no model, or it is damaged.", where=where):
            head, arrays = _verified(content)
            return _model(head, arrays, find_distribution)
    except PayoffError as error:
        raise PayoffError(
            error.what, where=error.where or where, why=error.why, remedy=error.remedy
        ) from error


def _verified(content: bytes) -> tuple[Mapping[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Head and arrays of a model file; every hash is checked."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        declared = sum(member.file_size for member in archive.infolist())
        check_unpacked("", len(content), declared)
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
            arrays[name.removesuffix(".npy")] = _array_of(data, name)
    return head, arrays


def _array_of(data: bytes, name: str) -> np.ndarray[Any, Any]:
    """An array whose bytes are all there: its head alone may ask for any amount of memory."""
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    read_head = np.lib.format.read_array_header_1_0
    if version != (1, 0):
        read_head = np.lib.format.read_array_header_2_0
    shape, _, kind = read_head(stream)
    if kind.hasobject or math.prod(shape) * kind.itemsize != len(data) - stream.tell():
        raise PayoffError(
            "The model file is damaged.", why=f"'{name}' has not as many values as it says."
        )
    stream.seek(0)
    array: np.ndarray[Any, Any] = np.load(stream, allow_pickle=False)
    return array


def _model(
    head: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray[Any, Any]],
    find_distribution: Callable[[str], LossDistribution],
) -> BoostedModel:
    settings = {"level_penalty": 0.0, **head["settings"]}  # models of before shrank no levels
    plain = from_plain(ModelHead, {**head, "settings": settings})
    columns = plain.columns
    forest = Forest(
        **{
            name: _typed(arrays, f"forest_{name}", kind, dimensions)
            for name, (kind, dimensions) in _FOREST_KINDS.items()
        }
    )
    _check_forest(forest, columns)
    initial = _typed(arrays, "initial", np.float64, 1)
    if not len(initial) or forest.n_trees % len(initial):
        raise PayoffError("The model file is damaged.", why="Its trees do not fit its scores.")
    return BoostedModel(
        distribution=_distribution(plain, find_distribution),
        parameters={
            str(name): from_plain(float, value) for name, value in head["parameters"].items()
        },
        settings=plain.settings,
        columns=columns,
        classes=plain.classes,
        initial=initial,
        forest=forest,
        history=TrainingHistory(
            *(_typed(arrays, name, np.float64, 1) for name in _HISTORY),
        ),
        cross_validation=_crossed(arrays, len(initial)),
        n_train=plain.n_train,
        n_rows=plain.n_rows,
        choice=plain.choice,
        old_priors=plain.old_priors,
        roles={  # files of the first program have none
            str(role): from_plain(str, column) for role, column in head.get("roles", {}).items()
        },
        no_model=from_plain(float, head.get("no_model", math.nan)),
    )


def _distribution(
    head: ModelHead, find_distribution: Callable[[str], LossDistribution]
) -> LossDistribution:
    """The distribution of a model; where it is missing, the plugin that brought it is named."""
    try:
        return find_distribution(head.distribution)
    except PayoffError as refusal:
        if refusal.why or not head.plugin:
            raise
        remedy = f"Install it again (page Plugins). {refusal.remedy}"
        raise PayoffError(refusal.what, why=gone_words(head.plugin), remedy=remedy) from refusal


@dataclass(frozen=True, slots=True)
class ModelHead:
    """What the head of a model file says, by kind."""

    distribution: str
    settings: BoostSettings
    columns: tuple[InputColumn, ...]
    classes: tuple[str, ...]
    n_train: int
    n_rows: int
    choice: str
    old_priors: tuple[float, ...]
    plugin: str = ""


_HISTORY = ("train_deviance", "valid_deviance", "oob_improvement")
_FOREST_KINDS: Mapping[str, tuple[type[np.generic], int]] = {
    "tree_start": (np.int64, 1),
    "feature": (np.int32, 1),
    "threshold": (np.float64, 1),
    "left": (np.int32, 1),
    "right": (np.int32, 1),
    "missing": (np.int32, 1),
    "unseen": (np.int32, 1),
    "value": (np.float64, 1),
    "gain": (np.float64, 1),
    "weight": (np.float64, 1),
    "level_set": (np.int32, 1),
    "level_bits": (np.uint64, 2),
}


def _crossed(arrays: Mapping[str, np.ndarray[Any, Any]], scores: int) -> CrossValidation | None:
    if "cv_deviance" not in arrays:
        return None
    fold = _typed(arrays, "cv_fold", np.int64, 1)
    link = _typed(arrays, "cv_link", np.float64, 2)
    if link.shape != (scores, len(fold)):
        raise PayoffError("The model file is damaged.", why="Its folds do not fit its scores.")
    return CrossValidation(_typed(arrays, "cv_deviance", np.float64, 1), fold, link)


def _typed(
    arrays: Mapping[str, np.ndarray[Any, Any]], name: str, kind: type[np.generic], dimensions: int
) -> Any:
    """An array as compiled code expects it; it would not look again."""
    array = arrays[name]
    if array.dtype != kind or array.ndim != dimensions:
        raise PayoffError(
            "The model file is damaged.",
            why=f"'{name}' holds {array.dtype} of {counted(array.ndim, 'dimension')}.",
        )
    return np.ascontiguousarray(array)


def _check_forest(forest: Forest, columns: Sequence[InputColumn]) -> None:
    """Refuse trees that compiled code could walk out of: children come after their parents."""
    nodes = forest.feature.shape[0]
    sizes = np.diff(forest.tree_start)
    is_sound = len(forest.tree_start) > 0 and int(forest.tree_start[0]) == 0
    is_sound = is_sound and bool((sizes > 0).all()) and int(forest.tree_start[-1]) == nodes
    is_sound &= all(
        len(getattr(forest, name)) == nodes
        for name, (_, dimensions) in _FOREST_KINDS.items()
        if name != "tree_start" and dimensions == 1
    )
    if is_sound:
        own = np.arange(nodes) - np.repeat(forest.tree_start[:-1], sizes)
        size = np.repeat(sizes, sizes)
        is_split = forest.feature >= 0
        for name in ("left", "right", "missing", "unseen"):
            child = getattr(forest, name)
            is_sound &= bool((~is_split | ((child > own) & (child < size))).all())
        is_sound &= int(forest.feature.max(initial=-1)) < len(columns)
        is_sound &= int(forest.level_set.max(initial=-1)) < forest.level_bits.shape[0]
        is_sound = is_sound and _are_level_sets_sound(forest, columns)
    if not is_sound:
        raise PayoffError("The model file is damaged.", why="Its trees do not hang together.")


def _are_level_sets_sound(forest: Forest, columns: Sequence[InputColumn]) -> bool:
    """Whether splits of nominal columns name a set of levels that has a bit for each."""
    split = forest.feature >= 0
    most = np.array([len(c.levels) if c.is_nominal else 0 for c in columns], dtype=np.int64)
    if not split.any():
        return True
    levels = most[forest.feature[split]]
    is_covered = levels <= 64 * forest.level_bits.shape[1]
    return bool(((levels == 0) | (is_covered & (forest.level_set[split] >= 0))).all())
