"""Training in a project from a script: what page Models does, with the model at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.assembly.context import table_of
from core.assembly.models.training_plan import columns_by_role
from core.document.model import Document, Role, TrainedModel
from core.document.training_results import TrainResult
from core.engine.context import JobContext, ProgressCall
from core.engine.messages import TrainArguments
from core.script.boost.boosting import load_model
from core.script.boost.document import Training
from core.script.boost.model import Model
from core.script.projects import Project, with_data_found
from core.script.session import engine
from payoff.errors import PayoffError, no_such


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
