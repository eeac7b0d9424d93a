"""The verbs boost, predict, handover and verify-export: train, score, give a model away.

The verb study: the two studies of boosting on made-up data, as tables.

Training in a project from a script: what page Models does, with the model at the end.

The verbs import-model and export-onnx: models from other programs, and for them.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from core import data as tables
from core.assembly.context import table_of
from core.assembly.decide.workbook import changes_in
from core.assembly.experiments import RATES
from core.assembly.models.training_plan import columns_by_role
from core.boosting import Callbacks, TreeProgress, check_export
from core.boosting.export.code_forms import prediction_names, score_names
from core.document.experiments.results import MADE_UP_SETS, SHRINKAGE, IterationResult
from core.document.files.guarded import check_targets, write_file
from core.document.files.spreadsheet import csv_text
from core.document.model import Document, Role, TrainedModel
from core.document.training_results import TrainResult
from core.engine.context import JobContext, ProgressCall
from core.engine.messages import TrainArguments
from core.presentation.decide.lists import workbook_changes
from core.presentation.labels import Labels
from core.questions.experiments import BoostingIterations
from core.script.boost.boosting import boost, load_model
from core.script.boost.document import SETTINGS, Training, model_settings
from core.script.boost.exchange import import_model
from core.script.boost.model import Model
from core.script.boost.request import BoostRequest, read_ranks
from core.script.command_line.answering import Progress, tell
from core.script.files.in_parts import ScoredParts, predict_to_parts
from core.script.files.pieces import watched_by
from core.script.options import comma_names, flag_of, given_options, options_of, pairs_of
from core.script.projects import Project, open_project, with_data_found
from core.script.session import data_of, engine
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError, no_such

__all__ = [
    "RATES",
    "study_verb",
]


Json = dict[str, Any]
Rows = list[tuple[Any, ...]]


def study_verb(parsed: argparse.Namespace) -> Json:
    """Run a study and write its table."""
    question = BoostingIterations(
        study=parsed.study,
        sets=tuple(parsed.set) or MADE_UP_SETS,
        rows=parsed.rows,
        trees=parsed.trees,
        draws=parsed.draws,
        rate=parsed.shrinkage,
        seed=parsed.seed,
    )

    def reported(_fraction: float | None, _stage: str, so_far: object) -> None:
        if isinstance(so_far, IterationResult):
            tell(f"{so_far.done} of {so_far.wanted}")

    result = engine().ask(Document(), question, reported)
    tell(f"{result.done} of {result.wanted}")
    heads, rows, found = _lines(result) if parsed.study == SHRINKAGE else _rules(result)
    if parsed.out:
        _write(Path(parsed.out), heads, rows)
        tell(f"wrote {parsed.out}")
    return found


def _lines(result: IterationResult) -> tuple[tuple[str, ...], Rows, Json]:
    """A row for each iteration: the mean over draws with its 95 % limits."""
    rows: Rows = []
    found: Json = {}
    for curve in result.curves:
        found.setdefault(curve.data, []).append(
            {
                "shrinkage": curve.shrinkage,
                "best": curve.best,
                "best_low": curve.best_low,
                "best_high": curve.best_high,
                "deviance": curve.least,
                "low": curve.least_low,
                "high": curve.least_high,
            }
        )
        values = zip(curve.deviance, curve.low, curve.high, strict=True)
        rows += [
            (curve.data, curve.shrinkage, tree, *map(float, at))
            for tree, at in enumerate(values, 1)
        ]
    return ("data", "shrinkage", "iteration", "deviance", "low", "high"), rows, found


def _rules(result: IterationResult) -> tuple[tuple[str, ...], Rows, Json]:
    """A row for each rule and data set: the mean over draws with its ends."""
    rows = [
        (name, rule.method, *map(float, at))
        for rule in result.rules
        for name, *at in zip(rule.data, rule.share, rule.share_low, rule.share_high, strict=True)
    ]
    found = {
        rule.method: {
            "quarter": rule.quarter,
            "median": rule.median,
            "three_quarters": rule.three_quarters,
            "low": rule.low,
            "high": rule.high,
            "trees": rule.trees,
        }
        for rule in result.rules
    }
    return ("data", "method", "share of the best", "least draw", "largest draw"), rows, found


def _write(path: Path, heads: tuple[str, ...], rows: Rows) -> None:
    content = csv_text([heads, *rows], "\r\n").encode("utf-8")
    write_file(path, content, what="The table")


def train_in_project(
    project: Project,
    model: str | None,
    changes: Mapping[str, Any],
    watch: ProgressCall | None = None,
) -> Model:
    """Train one of a project's models anew, or a first one, on its data and rows.

    Parameters
    ----------
    model : str, optional
        Whose settings; left out: those of the first trained model, else the usual ones.
    changes : mapping
        Fields of ``TrainedModel`` that are to be different.
    watch : callable, optional
        Told of the progress.

    Returns
    -------
    Model
        Its ``document`` is the project's with the model in it.
    """
    document = with_data_found(project.document, project.path.parent)
    settings = _settings(document, model, changes, str(project.path))
    arguments = TrainArguments(document=document, settings=settings)
    result: TrainResult = engine().run("train", arguments, watch)
    trained = result.model
    workbench = engine().workbench
    grown = load_model(workbench.model_store.path(trained.model_hash)).boosted
    boosted = replace(
        grown.first_trees(trained.trees_used, trained.choice), roles=columns_by_role(trained)
    )
    training = Training(
        document=document,
        settings=trained,
        class_shares=trained.class_shares,
        source=table_of(document, JobContext(workbench)),
    )
    return Model(boosted, warnings=result.warnings, training=training)


def _settings(
    document: Document, model: str | None, changes: Mapping[str, Any], where: str
) -> TrainedModel:
    """The settings of one of the project's models, or the usual ones, with what is changed."""
    target = document.target
    if target is None:
        raise PayoffError("The project names no outcome.", where=where)
    known = {entry.name: entry.trained for entry in document.models if entry.trained is not None}
    if model is not None and model not in known:
        raise no_such("trained model", model, known, where=where)
    base = known.get(model) if model is not None else next(iter(known.values()), None)
    distribution = changes.get("distribution")
    if base is None and distribution is None:
        raise PayoffError(
            "The project has no trained model to take the settings from.",
            where=where,
            remedy="Name a distribution: --distribution bernoulli.",
        )
    if base is None:
        inputs = tuple(entry.column for entry in document.roles if entry.role == Role.INPUT)
        base = TrainedModel(
            name="trees", distribution=str(distribution), target=target.column, features=inputs
        )
    if distribution not in (None, base.distribution):
        base = replace(base, distribution_params=())
    fresh = replace(base.as_it_ended, model_hash="", trees=0, trees_used=0, choice="", seconds=0.0)
    return replace(fresh, **changes)


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
    """Score a file and write the scores; a folder of parts into another folder."""
    if os.path.isdir(parsed.data):
        return _predict_parts(parsed)
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


def _predict_parts(parsed: argparse.Namespace) -> Json:
    if parsed.add_offset:
        raise PayoffError("Offsets are not added to folders of parts.", where="--add-offset")
    with watched_by(Progress()):
        found = predict_to_parts(
            parsed.model,
            parsed.data,
            parsed.out,
            kind=parsed.kind,
            n_trees=parsed.n_trees,
            keep=comma_names(parsed.keep or ""),
            dask=parsed.cluster,
        )
    return parts_json(found)


def parts_json(found: ScoredParts) -> Json:
    """What a run from parts to parts wrote."""
    for warning in found.warnings:
        tell(warning)
    if found.kept:
        tell(f"{counted(found.kept, 'file')} of the run that was cut short are kept")
    tell(f"wrote {found.folder}")
    return asdict(found)


# ---------------------------------------------------------------- export, verify-export


def export_verb(parsed: argparse.Namespace) -> Json:
    """Write the export folder of a model file."""
    model = load_model(parsed.model)
    folder = model.export(parsed.out, data=parsed.data, n_trees=parsed.n_trees)
    if model.offset is not None:
        tell(f"the offset '{model.offset}' of the training is not in the code; the README says so")
    tell(f"wrote {folder}")
    return {"folder": str(folder), "files": sorted(path.name for path in folder.iterdir())}


def check_export_verb(parsed: argparse.Namespace) -> Json:
    """Compare another system's output with the expected results, or read a workbook back."""
    if parsed.file.lower().endswith((".xlsx", ".xlsm")):
        return _check_workbook(parsed.file)
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


def _check_workbook(path: str) -> Json:
    """Say what was changed in a decision workbook since it was written."""
    found = changes_in(path, engine().workbench.tables.find_readers)
    view = workbook_changes(found, Labels())
    for sentence in (*view.sentences, *view.notes):
        tell(sentence)
    for table in view.tables:
        for row in range(len(table.rows)):
            cells = [table.cell(row, column).words for column in range(len(table.columns))]
            tell("; ".join(f"{n}: {c}" for n, c in zip(table.columns, cells, strict=True)))
    return {**asdict(found), "are_any": found.are_any}


def import_model_verb(parsed: argparse.Namespace) -> Json:
    """Read a model file of another program and write ours."""
    path = model_path(parsed.out)
    model = import_model(
        parsed.file,
        distribution=parsed.distribution,
        classes=parsed.classes.split(",") if parsed.classes else (),
        columns=dict(pairs_of(parsed.column, "--column")),
    )
    model.save(path)
    tell(f"wrote {path}")
    return {
        "file": str(path),
        "distribution": model.boosted.distribution.id,
        "trees": model.n_trees,
        "classes": list(model.classes),
        "inputs": [column.name for column in model.boosted.columns],
    }


def export_onnx_verb(parsed: argparse.Namespace) -> Json:
    """Write a model file as ONNX."""
    model = load_model(parsed.model)
    out = Path(parsed.out)
    if out.is_dir() or not out.parent.is_dir():
        raise PayoffError("The file cannot be written there.", where=str(out))
    model.save_onnx(out, n_trees=parsed.n_trees)
    if model.offset is not None:
        tell(f"the offset '{model.offset}' of the training is not in the file")
    tell(f"wrote {out}")
    return {"file": str(out), "outputs": list(model.boosted.output_names) or ["score"]}
