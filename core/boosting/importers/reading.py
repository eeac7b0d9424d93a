"""Model files of other programs read as models of ours, to score and to explain them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.boosting.importers.lightgbm_files import (
    is_lightgbm_text,
    read_lightgbm_json,
    read_lightgbm_text,
)
from core.boosting.importers.parsed_model import ForeignTree, ParsedModel, forest_of
from core.boosting.importers.xgboost_files import read_xgboost
from core.boosting.model import BoostedModel
from core.boosting.settings import MOST_SPLITS, BoostSettings
from core.boosting.training import TrainingHistory
from core.document.files.guarded import note_read
from payoff.counting import counted
from payoff.errors import PayoffError, damage_refused
from payoff.parameters import resolve_parameters
from payoff.specs import LossDistribution
from payoff.vocabulary import TargetDomain

_MOST_BYTES = 2_000_000_000
_REMEDY = (
    "Write it as text or JSON: booster.save_model('model.txt') of LightGBM, "
    "booster.save_model('model.json') of XGBoost."
)


@dataclass(frozen=True, slots=True)
class ForeignModel:
    """A model read from another program's file, and which program that was."""

    boosted: BoostedModel
    program: str
    notes: tuple[str, ...] = ()


def read_foreign_model(
    path: str | Path,
    find_distribution: Callable[[str], LossDistribution],
    *,
    distribution: str | None = None,
    classes: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
) -> ForeignModel:
    """Read a model file of LightGBM (text or JSON) or XGBoost (JSON).

    Parameters
    ----------
    path : str or Path
    find_distribution : function
        ``find_distribution(id)`` returns the distribution, or raises PayoffError.
    distribution : str, optional
        What the model is to count as, where its objective has no counterpart here.
    classes : sequence of str
        Names of the classes 0, 1 ...; left out: "0", "1" ...
    columns : mapping of str to str, optional
        Names of inputs in the file to names in your data.

    Raises
    ------
    PayoffError
        If the file cannot be read, is no such model, is damaged, or holds what cannot be told
        exactly here; naming the tree.
    """
    try:
        with damage_refused("The model file is damaged."):
            parsed = _parsed(_text(Path(path)))
            parsed = _renamed(parsed, columns or {})
            model = _boosted(parsed, find_distribution, distribution, tuple(classes))
    except PayoffError as error:
        where = f"{path}, {error.where}" if error.where else str(path)
        raise PayoffError(error.what, where=where, why=error.why, remedy=error.remedy) from error
    return ForeignModel(model, parsed.program, parsed.notes)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise PayoffError("The model file is larger than 2 GB.")
        note_read(path)
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise PayoffError("The model file could not be read.", why=str(error)) from error
    except UnicodeDecodeError as error:
        raise PayoffError(
            "The file is no model in text or JSON.", why="It is binary.", remedy=_REMEDY
        ) from error


def _parsed(text: str) -> ParsedModel:
    if is_lightgbm_text(text):
        return read_lightgbm_text(text)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PayoffError(
            "The file is no model of LightGBM or XGBoost.",
            why=f"It begins neither with 'tree' nor as JSON: {error}",
            remedy=_REMEDY,
        ) from error
    if isinstance(found, dict) and "tree_info" in found:
        return read_lightgbm_json(found)
    if isinstance(found, dict) and "learner" in found:
        return read_xgboost(found)
    raise PayoffError(
        "The file is no model of LightGBM or XGBoost.",
        why="It has neither 'tree_info' nor 'learner'.",
        remedy=_REMEDY,
    )


def _renamed(parsed: ParsedModel, names: Mapping[str, str]) -> ParsedModel:
    known = [column.name for column in parsed.columns]
    lost = [name for name in names if name not in known]
    if lost:
        raise PayoffError(
            f"The model has no input '{lost[0]}'.", why=f"It has: {', '.join(known[:12])}."
        )
    columns = tuple(replace(c, name=names.get(c.name, c.name)) for c in parsed.columns)
    taken = [column.name for column in columns]
    twice = next((name for name in taken if taken.count(name) > 1), None)
    if twice is not None:
        raise PayoffError(f"Two inputs of the model are called '{twice}'.")
    return replace(parsed, columns=columns)


def _boosted(
    parsed: ParsedModel,
    find_distribution: Callable[[str], LossDistribution],
    wanted: str | None,
    classes: tuple[str, ...],
) -> BoostedModel:
    name = wanted or parsed.distribution
    if name is None:
        raise PayoffError(
            f"The objective '{parsed.objective}' has no counterpart here.",
            why=f"Read are: {', '.join(parsed.known_objectives)}.",
            remedy="Say what it counts as, and read its scores on the link scale: "
            "distribution='gaussian' changes none.",
        )
    spec = find_distribution(name)
    outputs = parsed.initial.shape[0]
    given: dict[str, object] = dict(parsed.parameters) if wanted is None else {}
    values = resolve_parameters(spec.parameters, given)
    _check_outputs(spec, values, outputs)
    n_trees = len(parsed.trees) // outputs
    if n_trees < 1 or n_trees * outputs != len(parsed.trees):
        raise PayoffError(
            "The model file is damaged.",
            why=(
                f"It has {counted(len(parsed.trees), 'tree')} for {counted(outputs, 'score')} "
                "per case."
            ),
        )
    cases = round(float(parsed.trees[0].weight[0]))
    splits = min(_most_splits(parsed.trees), MOST_SPLITS)
    nothing = np.full(n_trees, np.nan)
    return BoostedModel(
        distribution=spec,
        parameters=values,
        settings=BoostSettings(n_trees=n_trees, interaction_depth=splits),
        columns=parsed.columns,
        classes=_classes(spec, classes, outputs),
        initial=parsed.initial,
        forest=forest_of(parsed.trees, parsed.columns),
        history=TrainingHistory(nothing, nothing, nothing),
        cross_validation=None,
        n_train=cases,
        n_rows=cases,
    )


def _check_outputs(spec: LossDistribution, values: Mapping[str, Any], outputs: int) -> None:
    wanted = spec.n_scores
    if spec.score_names is not None:
        wanted = len(spec.score_names(values))
    fits = (
        outputs > 1
        if wanted is None or spec.target == TargetDomain.CLASSES
        else (outputs == wanted)
    )
    if not fits:
        raise PayoffError(
            f"The model has {counted(outputs, 'score')} per case, which do not fit {spec.label}.",
            remedy="Name another distribution.",
        )


def _most_splits(trees: Sequence[ForeignTree]) -> int:
    return max(1, *(int((tree.feature >= 0).sum()) for tree in trees))


def _classes(spec: LossDistribution, given: tuple[str, ...], outputs: int) -> tuple[str, ...]:
    if spec.target not in (TargetDomain.BINARY, TargetDomain.CLASSES):
        if given:
            raise PayoffError(f"{spec.label} has no classes.", remedy="Leave classes out.")
        return ()
    many = 2 if spec.target == TargetDomain.BINARY else outputs
    if given and (len(given) != many or len(set(given)) != many):
        raise PayoffError(
            f"{counted(len(given), 'class is', 'classes are')} named.",
            why=f"The model has {many} different ones.",
        )
    return given or tuple(str(place) for place in range(many))
