"""The verbs boost, predict, handover and check-handover: train, score, give a model away."""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from core import data as tables
from core.boosting import Callbacks, TreeProgress, check_export
from core.boosting.export.scoring_parts import prediction_names, score_names
from core.document.files.guarded import check_targets
from core.script.boost.boosting import boost, load_model
from core.script.boost.document import SETTINGS, model_settings
from core.script.boost.model import Model
from core.script.boost.option_texts import read_ranks
from core.script.boost.project_training import train_in_project
from core.script.boost.request import BoostRequest
from core.script.command_line.telling import Progress, tell
from core.script.options import comma_names, flag_of, given_options, options_of
from core.script.pairs import pairs_of
from core.script.projects import open_project
from core.script.session import data_of
from payoff.counting import counted_of
from payoff.errors import PayoffError

Json = dict[str, Any]

SUFFIX = ".payoffmodel"

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


def _from_options(parsed: argparse.Namespace) -> Model:
    source = parsed.data_option or parsed.data
    for value, flag in (
        (source, "--data FILE"),
        (parsed.target, "--target COLUMN"),
        (parsed.distribution, "--distribution NAME"),
    ):
        if not value:
            raise PayoffError(
                f"{flag} is missing.",
                remedy="payoff boost --data FILE --target COLUMN --distribution NAME --out FILE; "
                "or payoff boost --project FILE --out FILE.",
            )
    given = given_options(parsed, BoostRequest)
    if parsed.ordered:
        given["levels"] = given.get("levels", {}) | read_ranks(parsed.ordered)
    return boost(source, callbacks=Callbacks(on_tree=_TreeLines()), **given)


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
    given = given_options(parsed, BoostRequest)
    named = ["--data"] if parsed.data or parsed.data_option else []
    named += ["--ordered"] if parsed.ordered else []
    named += [
        flag_of(item)
        for item, _ in options_of(BoostRequest)
        if item.name in given and item.name not in SETTINGS
    ]
    if named:
        raise PayoffError(
            f"{named[0]} does not go with --project.",
            why="Data, outcome and rows are the project's, and so are such settings.",
            remedy="Leave it out, or train from --data.",
        )
    project = open_project(parsed.project)
    return train_in_project(project, parsed.model, model_settings(given), Progress())


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
    kept = comma_names(parsed.keep or "")
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
    tables.write_columns(parsed.out, columns)
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


def export_verb(parsed: argparse.Namespace) -> Json:
    """Write the hand-over folder of a model file."""
    model = load_model(parsed.model)
    folder = model.hand_over(parsed.out, data=parsed.data, n_trees=parsed.n_trees)
    if model.offset is not None:
        tell(f"the offset '{model.offset}' of the training is not in the code; the README says so")
    tell(f"wrote {folder}")
    return {"folder": str(folder), "files": sorted(path.name for path in folder.iterdir())}


def check_export_verb(parsed: argparse.Namespace) -> Json:
    """Compare another system's output with the expected results."""
    found = check_export(
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
