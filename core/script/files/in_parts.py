"""``payoff.apply_to_parts`` and ``payoff.predict_to_parts``: from a folder of parts to another."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from core.assembly.pieces.opened import open_rows
from core.boosting.export.code_forms import prediction_names, score_names
from core.data import content_hash, needed_columns
from core.document.files.codec import to_plain
from core.document.files.guarded import make_folder
from core.engine.context import JobContext
from core.kernels.cluster import ClusterRunner
from core.kernels.task_runners import InlineRunner
from core.scale.reading import refuse_full_posteriors
from core.scale.scoring import MakeColumns, ScoredParts, score_parts
from core.scale.sources import memory_budget, why_not_written
from core.script.boost.boosting import load_model
from core.script.boost.model import Model
from core.script.files.pieces import current_watcher
from core.script.projects import Project, apply, chosen_model, open_project
from core.script.session import engine, reporting_reader
from payoff.errors import PayoffError, no_such

KINDS = ("link", "response", "both")


def apply_to_parts(
    rule: str | Path | Project,
    data: Any,
    save: str | os.PathLike[str],
    *,
    model: str | None = None,
    keep: Sequence[str] = (),
    dask: Any = None,
) -> ScoredParts:
    """Decide any number of new cases by a project's rule, from parts to parts.

    The folder gets a Parquet file for each run of rows, with ``row`` (its number in the whole, from
    1), the columns of ``keep`` and those that ``payoff.apply`` gives, and at last ``_record.json``.
    A run that was cut short goes on when it is asked again.

    Parameters
    ----------
    rule : path of a project, or an opened project
    data : path of a folder of parts or of a Parquet file, Arrow batches, or a Dask DataFrame
    save : path
        A new or an empty folder, or that of the same run.
    model : str, optional
        Left out = the project's chosen model.
    keep : names
        Columns of the data to write along.
    dask : text or distributed.Client, optional
        Where the files are made: the address of a Dask scheduler, "local" for processes of this
        computer, or a client; left out: this process. All machines see ``data`` and ``save``.

    Raises
    ------
    PayoffError
        As ``payoff.apply``, naming the part; for a rule that depends on all cases, and a folder
        that holds something else.
    """
    project = rule if isinstance(rule, Project) else open_project(rule)
    document = project.document
    chosen = chosen_model(document, model)
    refuse_full_posteriors(document)
    if document.data is not None and document.data.recipe.derived:
        raise PayoffError(
            "The project has derived columns.",
            where=str(project.path),
            why="Those of some rows may depend on all of them.",
            remedy="Write them into the data, and open those.",
        )
    columns = needed_columns(document, (chosen,))

    plain = repr(to_plain(document)).encode()
    run = {"apply": hashlib.sha256(plain).hexdigest(), "model": chosen}
    is_here = dask is None
    held: Project | bytes = project if is_here else Path(project.path).read_bytes()
    make = DecideColumns(project=held, model=chosen)
    return _to_parts(data, columns, keep, make, save, run, dask)


def predict_to_parts(
    model: str | Path | Model,
    data: Any,
    save: str | os.PathLike[str],
    *,
    kind: str = "response",
    n_trees: int | None = None,
    keep: Sequence[str] = (),
    dask: Any = None,
) -> ScoredParts:
    """Score any number of cases by a trained model, from parts to parts, as ``apply_to_parts``.

    Parameters
    ----------
    model : path of a model file, or a model
    data, save, keep, dask
        As of ``apply_to_parts``.
    kind : {"response", "link", "both"}
    n_trees : int, optional
        The first trees only.

    Raises
    ------
    PayoffError
        For a column that is missing or no number where it should be, and a folder that holds
        something else.
    """
    if kind not in KINDS:
        raise no_such("kind", kind, KINDS)
    loaded = model if isinstance(model, Model) else load_model(model)
    columns = tuple(column.name for column in loaded.boosted.columns)
    content, file = _content_of(loaded)
    run = {"predict": content, "kind": kind, "trees": n_trees or loaded.n_trees}
    make = PredictColumns(model=file, kind=kind, n_trees=n_trees)
    return _to_parts(data, columns, keep, make, save, run, dask)


def _content_of(model: Model) -> tuple[str, bytes]:
    """What tells a model apart, the hash of its file; and the file."""
    with tempfile.TemporaryDirectory(prefix="payoff-model-") as folder:
        path = Path(folder) / "model.payoffmodel"
        model.save(path)
        return content_hash(str(path)), path.read_bytes()


@dataclass(frozen=True, slots=True)
class PredictColumns:
    """Scores of a batch of rows by a model, whose file it holds: so it can be sent to a worker."""

    model: bytes
    kind: str
    n_trees: int | None

    def __call__(self, table: pa.Table) -> pa.Table:
        """New columns, a row each."""
        loaded = _opened_model(self.model)
        found: dict[str, Any] = {}
        for each in ("link", "response") if self.kind == "both" else (self.kind,):
            names = (score_names if each == "link" else prediction_names)(loaded.boosted)
            scores = np.atleast_2d(loaded.predict(table, each, self.n_trees).T)
            found |= dict(zip(names, scores, strict=True))
        return pa.table(found)


@dataclass(frozen=True, slots=True)
class DecideColumns:
    """Decisions of a batch of rows by a project, or by its file, which can be sent to a worker."""

    project: Project | bytes
    model: str

    def __call__(self, table: pa.Table) -> pa.Table:
        """New columns, a row each."""
        held = self.project
        project = _opened_project(held) if isinstance(held, bytes) else held
        return _arrow(apply(project, table, model=self.model, check=False).table)


@lru_cache(maxsize=2)
def _opened_model(content: bytes) -> Model:
    with tempfile.TemporaryDirectory(prefix="payoff-model-") as folder:
        path = Path(folder) / "model.payoffmodel"
        path.write_bytes(content)
        return load_model(path)


@lru_cache(maxsize=2)
def _opened_project(content: bytes) -> Project:
    with tempfile.TemporaryDirectory(prefix="payoff-project-") as folder:
        path = Path(folder) / "rule.payoff"
        path.write_bytes(content)
        return open_project(path)


def _arrow(table: pd.DataFrame) -> pa.Table:
    """The columns as Arrow, plain strings in place of pandas' objects."""
    made = pa.Table.from_pandas(table, preserve_index=False).replace_schema_metadata(None)
    # Categories are those of one batch: files hold the texts themselves.
    kinds = [f.type.value_type if pa.types.is_dictionary(f.type) else f.type for f in made.schema]
    return made.cast(pa.schema(list(zip(made.column_names, kinds, strict=True))))


def _to_parts(
    data: Any,
    columns: tuple[str, ...],
    keep: Sequence[str],
    make: MakeColumns,
    save: str | os.PathLike[str],
    run: dict[str, Any],
    cluster: Any,
) -> ScoredParts:
    context = JobContext(engine().workbench, on_progress=current_watcher())
    where = InlineRunner() if cluster is None else ClusterRunner(cluster)
    place = Path(save)
    if cluster is not None:  # what workers write lies beside the result, which all machines see
        make_folder(place)
    beside = None if cluster is None else place.absolute().parent
    made = tempfile.TemporaryDirectory(prefix=".payoff-scale-", dir=beside)
    with made as folder, where as runner:
        source = open_rows(
            data,
            (*columns, *keep),
            Path(folder),
            runner,
            context,
            budget=memory_budget(None),
            reader=reporting_reader(),
        )
        source.require((*columns, *keep))
        if isinstance(runner, ClusterRunner):
            runner.check_files([str(place)], why_not_written)
        return score_parts(
            source,
            columns,
            tuple(keep),
            make,
            save,
            run=run,
            runner=runner,
            progress=context.progress,
            should_stop=context.should_stop,
        )


__all__ = ["ScoredParts", "apply_to_parts", "predict_to_parts"]
