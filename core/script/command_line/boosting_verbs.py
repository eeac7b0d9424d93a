"""The verbs boost, predict, handover and check-handover: train, score, give a model away."""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from core import data as tables
from core.assembly.models.training_plan import columns_by_role
from core.boosting import Callbacks, TreeProgress, check_hand_over
from core.boosting.handing_over.scoring_parts import prediction_names, score_names
from core.document.files.guarded import check_targets
from core.document.model import Role, TrainedModel
from core.engine.messages import TrainArguments
from core.script.boost.boosting import boost, load_model
from core.script.boost.model import Model
from core.script.command_line.pairs import pairs_of
from core.script.command_line.telling import Progress, tell
from core.script.projects import open_project, with_data_found
from core.script.session import data_of, engine
from payoff.counting import counted_of
from payoff.errors import PayoffError

Json = dict[str, Any]

SUFFIX = ".payoffmodel"
ROLES = ("weight", "offset", "group", "event", "entry", "strata")
NUMBERS = (
    "n_trees",
    "interaction_depth",
    "shrinkage",
    "min_cases_in_node",
    "bag_fraction",
    "max_depth",
    "column_fraction",
    "cv_folds",
    "max_bins",
    "l2",
    "seed",
)
"""Settings that a training from options and one from a project share, by the same names."""

NOT_IN_PROJECTS = (
    "data",
    "data_option",
    "target",
    "train_fraction",
    "threads",
    "levels",
    "ordered",
)


# ---------------------------------------------------------------- boost


def boost_verb(parsed: argparse.Namespace) -> Json:
    """Train a model and write its file."""
    path = model_path(parsed.out)
    began = time.monotonic()
    model = _from_project(parsed) if parsed.project else _from_options(parsed)
    if parsed.choose:
        model = _chosen(model, parsed.choose)
    for warning in model.warnings:
        tell(warning)
    model.save(path)
    tell(f"wrote {path}")
    return _model_json(model) | {"file": str(path), "seconds": time.monotonic() - began}


def model_path(out: str) -> Path:
    """Where the model goes; looked at before hours of training."""
    path = Path(out)
    path = path if path.suffix else path.with_suffix(SUFFIX)
    if not path.parent.is_dir():
        raise PayoffError("The folder does not exist.", where=str(path.parent))
    if path.is_dir():
        raise PayoffError("This is a folder, not a file.", where=str(path))
    check_targets([path])
    return path


def _given(parsed: argparse.Namespace, names: tuple[str, ...]) -> Json:
    """The options that were given, by name."""
    return {name: getattr(parsed, name) for name in names if getattr(parsed, name) is not None}


def _from_options(parsed: argparse.Namespace) -> Model:
    source = parsed.data_option or parsed.data
    for value, option in (
        (source, "--data FILE"),
        (parsed.target, "--target COLUMN"),
        (parsed.distribution, "--distribution NAME"),
    ):
        if not value:
            raise PayoffError(
                f"{option} is missing.",
                remedy="payoff boost --data FILE --target COLUMN --distribution NAME --out FILE; "
                "or payoff boost --project FILE --out FILE.",
            )
    more = ("train_fraction", "missing", "early_stopping")
    return boost(
        source,
        target=parsed.target,
        distribution=parsed.distribution,
        distribution_params=_parameters(parsed.param),
        features=_names(parsed.inputs),
        monotone={name: _sign(sign) for name, sign in pairs_of(parsed.monotone, "--monotone")},
        levels=_levels(parsed),
        gbm_compatible=parsed.gbm_compatible,
        threads=parsed.threads,
        callbacks=Callbacks(on_tree=_TreeLines()),
        **_given(parsed, (*NUMBERS, *ROLES, *more)),
    )


class _TreeLines:
    """Says on stderr how far the training is, at most every half second."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, progress: TreeProgress) -> bool:
        now = time.monotonic()
        if progress.done in (1, progress.wanted) or now - self._last >= 0.5:
            self._last = now
            parts = [f"tree {progress.done:,} of {progress.wanted:,}"]
            for word, value in (
                ("training", progress.train_deviance),
                ("judging", progress.valid_deviance),
            ):
                if not np.isnan(value):
                    parts.append(f"{word} deviance {value:.6g}")
            tell(", ".join(parts))
        return False


def _from_project(parsed: argparse.Namespace) -> Model:
    """Train on a project's data, with its rows for training and for judging."""
    for name in NOT_IN_PROJECTS:
        if getattr(parsed, name):
            option = name.removesuffix("_option").replace("_", "-")
            raise PayoffError(
                f"--{option} does not go with --project.",
                why="Data, outcome and rows are the project's, and so are such settings.",
                remedy="Leave it out, or train from --data.",
            )
    project = open_project(parsed.project)
    document = with_data_found(project.document, project.path.parent)
    inputs = [entry.column for entry in document.roles if entry.role == Role.INPUT]
    settings = _project_settings(parsed, project.document.models, document.target, inputs)
    arguments = TrainArguments(document=document, settings=settings)
    result = engine(safe_mode=parsed.safe_mode).run("train", arguments, Progress())
    trained: TrainedModel = result.model
    shelf = engine(safe_mode=parsed.safe_mode).workbench.shelf
    model = load_model(shelf.path(trained.model_hash)).boosted
    model = replace(
        model.first_trees(trained.trees_used, trained.choice), roles=columns_by_role(trained)
    )
    return Model(model, warnings=result.warnings)


def _project_settings(
    parsed: argparse.Namespace, models: Any, target: Any, inputs: list[str]
) -> TrainedModel:
    """The settings of one of the project's models, or the usual ones, changed by the options."""
    if target is None:
        raise PayoffError("The project names no outcome.", where=parsed.project)
    known = {entry.name: entry.trained for entry in models if entry.trained is not None}
    if parsed.model is not None and parsed.model not in known:
        raise PayoffError(
            f"The project has no trained model called '{parsed.model}'.",
            where=parsed.project,
            why=f"There are: {', '.join(known)}." if known else "It has none.",
        )
    base = known.get(parsed.model) if parsed.model else next(iter(known.values()), None)
    if base is None and parsed.distribution is None:
        raise PayoffError(
            "The project has no trained model to take the settings from.",
            where=parsed.project,
            remedy="Name a distribution: --distribution bernoulli.",
        )
    if base is None:
        base = TrainedModel(
            name="trees",
            distribution=parsed.distribution,
            target=target.column,
            features=tuple(inputs),
        )
    given = _given(parsed, (*NUMBERS, "missing", "distribution", *ROLES))
    if parsed.gbm_compatible:
        given["gbm_compatible"] = True
    if parsed.distribution not in (None, base.distribution):
        given["distribution_params"] = ()
    if parsed.inputs:
        given["features"] = tuple(_names(parsed.inputs) or ())
    if parsed.param:
        given["distribution_params"] = tuple(_parameters(parsed.param).items())
    if parsed.monotone:
        pairs = pairs_of(parsed.monotone, "--monotone")
        given["monotone"] = tuple((name, _sign(sign)) for name, sign in pairs)
    if parsed.early_stopping is not None:
        given["patience"] = parsed.early_stopping
    return replace(base, model_hash="", trees=0, trees_used=0, choice="", seconds=0.0, **given)


def _chosen(model: Model, method: str) -> Model:
    trees = model.best_iteration(method)
    tell(f"{counted_of(trees, model.n_trees, 'tree')}, chosen by {method}")
    return replace(model, boosted=model.boosted.first_trees(trees, method))


def _model_json(model: Model) -> Json:
    boosted, history = model.boosted, model.boosted.history
    valid = history.valid_deviance
    return {
        "distribution": boosted.distribution.id,
        "trees": model.n_trees,
        "chosen_by": boosted.choice,
        "training_rows": boosted.n_train,
        "judging_rows": boosted.n_rows - boosted.n_train,
        "classes": list(model.classes),
        "training_deviance": float(history.train_deviance[-1]) if model.n_trees else None,
        "judging_deviance": float(valid[-1]) if model.n_trees else None,
        "relative_influence": model.relative_influence(),
        "roles": dict(model.roles),
        "warnings": list(model.warnings),
    }


# ---------------------------------------------------------------- predict


def predict_verb(parsed: argparse.Namespace) -> Json:
    """Score a file and write the scores."""
    model = load_model(parsed.model)
    table = data_of(parsed.data)
    check_targets([parsed.out])
    kept = _names(parsed.keep) or []
    columns: dict[str, Any] = {"row": np.arange(1, table.rows + 1)}
    columns |= {name: table.require_column(name) for name in kept}
    kinds = ("link", "response") if parsed.kind == "both" else (parsed.kind,)
    for kind in kinds:
        names = (score_names if kind == "link" else prediction_names)(model.boosted)
        scores = model.predict(table, kind, parsed.n_trees, add_offset=parsed.add_offset)
        columns |= dict(zip(names, np.atleast_2d(scores.T), strict=True))
    clash = set(kept) & ({"row"} | set(columns) - set(kept))
    if clash:
        raise PayoffError(f"The column '{min(clash)}' is the name of a result.", where="--keep")
    tables.write_table(parsed.out, columns)
    unseen = model.unseen_levels(table)
    for name, levels in unseen.items():
        tell(f"levels of '{name}' that the model does not know: {', '.join(levels)}")
    if model.offset is not None and not parsed.add_offset:
        tell(f"the offset '{model.offset}' of the training is not added; --add-offset adds it")
    tell(f"wrote {parsed.out}")
    results = [name for name in columns if name not in kept and name != "row"]
    return {
        "file": parsed.out,
        "rows": table.rows,
        "columns": results,
        "means": {name: float(np.mean(columns[name])) for name in results},
        "unknown_levels": unseen,
    }


# ---------------------------------------------------------------- handover, check-handover


def handover_verb(parsed: argparse.Namespace) -> Json:
    """Write the hand-over folder of a model file."""
    model = load_model(parsed.model)
    folder = model.hand_over(parsed.out, data=parsed.data, n_trees=parsed.n_trees)
    if model.offset is not None:
        tell(f"the offset '{model.offset}' of the training is not in the code; the README says so")
    tell(f"wrote {folder}")
    return {"folder": str(folder), "files": sorted(path.name for path in folder.iterdir())}


def check_handover_verb(parsed: argparse.Namespace) -> Json:
    """Compare another system's output with the expected results."""
    found = check_hand_over(
        parsed.file,
        parsed.folder,
        columns=dict(pairs_of(parsed.column, "--column")),
        tolerance=parsed.tolerance,
    )
    for sentence in found.sentences:
        tell(sentence)
    if found.not_compared:
        tell(f"not in the file, so not compared: {', '.join(found.not_compared)}")
    return asdict(found)


# ---------------------------------------------------------------- options


def _names(text: str | None) -> list[str] | None:
    return [name.strip() for name in text.split(",") if name.strip()] if text else None


def _parameters(entries: list[str]) -> dict[str, float | str]:
    """Parameters of a distribution: numbers, or names of choices."""
    found: dict[str, float | str] = {}
    for name, value in pairs_of(entries, "--param"):
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = value
    return found


def _sign(text: str) -> int:
    words = {"-1": -1, "0": 0, "1": 1, "+1": 1, "falling": -1, "rising": 1}
    if text not in words:
        raise PayoffError(
            f"--monotone {text} is no direction.", why=f"There are: {', '.join(words)}."
        )
    return words[text]


def _levels(parsed: argparse.Namespace) -> Json:
    nominal = {name: value.split(",") for name, value in pairs_of(parsed.levels, "--levels")}
    ranks = pairs_of(parsed.ordered, "--ordered")
    return nominal | {name: {"ordered": value.split(",")} for name, value in ranks}
