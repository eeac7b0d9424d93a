"""Makes the bundled samples again: ``python -m resources.samples.make``.

The data come from the seeded generators ``core.data.samples`` and ``core.data.samples``
(``docs/data.md`` says how they are drawn). The project beside them names the data by a path
relative to itself; its headline, which Home shows, is computed by the engine, and so are the models
of the trial. The same program makes the same bytes, but for the time.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from core.data.samples import (
    SAMPLE_PROJECTS,
    TRIAL_MODELS,
    SampleProject,
    sample_document,
    write_sample,
)
from core.document.commands import AddTrainedModel
from core.document.files.project import Headline, save_project
from core.document.model import Document, TrainedModel
from core.engine.local import LocalEngine
from core.engine.messages import TrainArguments
from core.questions.compare import CompareModels, Survival
from core.questions.decide import AtDepth, Totals
from core.questions.uplift import Uplift
from core.uplift.toys import TOY_SAMPLES, toy_document, write_toy
from gui.session.headline import CURVE_POINTS, headline_of

FOLDER = Path(__file__).resolve().parent
PROJECT = "direct-mail.payoff"


def make_samples(folder: Path = FOLDER) -> Path:
    """Write data and project; returns the project's path."""
    data = write_sample(str(folder))
    document = sample_document(data)
    headline = compute_headline(document)
    return save_project(folder / PROJECT, relative(document), headline)


def make_toys(folder: Path = FOLDER) -> tuple[Path, ...]:
    """Write the three toy examples of uplift; returns the paths of their projects."""
    made = []
    for sample in TOY_SAMPLES:
        document = toy_document(sample, write_toy(sample, str(folder)))
        project = folder / f"{sample.key}.payoff"
        made.append(save_project(project, relative(document), compute_toy_headline(document)))
    return tuple(made)


def make_projects(folder: Path = FOLDER) -> tuple[Path, ...]:
    """Write the samples of five trades; returns the paths of their projects."""
    made = []
    for sample in SAMPLE_PROJECTS:
        engine = LocalEngine()
        document = whole_document(sample, sample.write(str(folder)), engine)
        headline = headline_by_page(document, engine)
        project, shelf = folder / f"{sample.key}.payoff", engine.workbench.shelf
        made.append(save_project(project, relative(document), headline, shelf))
    return tuple(made)


def whole_document(sample: SampleProject, path: str, engine: LocalEngine) -> Document:
    """The document of a sample, its models trained where it brings none."""
    document = sample.document(path)
    if document.models:
        return document
    for name, features in TRIAL_MODELS.items():
        asked = TrainedModel(
            name=name,
            distribution="coxph",
            target="months",
            event="relapsed",
            features=features,
            n_trees=150,
            interaction_depth=2,
            seed=20264,
        )
        found = engine.run("train", TrainArguments(document=document, settings=asked))
        document = AddTrainedModel(model=replace(found.model, seconds=0.0)).apply(document)
    return document


def headline_by_page(document: Document, engine: LocalEngine) -> Headline:
    """What Home shows: money where the project has a matrix, else what its page is about."""
    if document.matrix is not None:
        return compute_headline(document)
    if document.uplift.treated:
        return compute_toy_headline(document)
    metrics = engine.ask(document, CompareModels(resamples=0))
    first = metrics.cells[0].metric
    values = {cell.model: cell.estimate.value for cell in metrics.cells if cell.metric == first}
    best = max(values, key=lambda name: values[name])
    assert document.data is not None
    trained = any(entry.trained is not None for entry in document.models)
    return Headline(
        best_model=best,
        rows=document.data.rows,
        saved_at=datetime.now(UTC).isoformat(timespec="seconds"),
        curve=_relapse_curve(document, best, engine) if trained else _gains(document, best),
    )


def _relapse_curve(document: Document, model: str, engine: LocalEngine) -> tuple[float, ...]:
    """The share without a relapse over time, of the third of patients at the highest risk."""
    result = engine.ask(document, Survival(model=model))
    worst = min(result.groups, key=lambda group: group.at_horizon[1])
    is_known = np.isfinite(worst.observed)  # to the last patient who was still observed
    times, observed = result.times[is_known], worst.observed[is_known]
    grid = np.linspace(0.0, float(times[-1]), CURVE_POINTS)
    share = np.interp(grid, [0.0, *times], [1.0, *observed])
    return tuple(float(value) for value in share)


def _gains(document: Document, model: str) -> tuple[float, ...]:
    """The share of all claims in the policies of which a model expects most."""
    columns = next(one for one in SAMPLE_PROJECTS if one.title == document.name).draw()
    role = next(entry for entry in document.roles if entry.model == model)
    order = np.argsort(-np.asarray(columns[role.column]), kind="stable")
    found = np.cumsum(np.asarray(columns["claims"])[order])
    grid = np.linspace(0.0, 1.0, CURVE_POINTS)
    share = np.interp(grid, np.linspace(0.0, 1.0, len(found) + 1), [0, *(found / found[-1])])
    return tuple(float(value) for value in share)


def compute_toy_headline(document: Document) -> Headline:
    """The model with the higher net uplift, and its curve of extra sales."""
    result = LocalEngine().ask(document, Uplift(draws=0))
    best = max(result.models, key=lambda model: model.area.value)
    grid = np.linspace(0.0, 1.0, CURVE_POINTS)
    assert document.data is not None
    return Headline(
        best_model=best.model,
        depth=float(best.criteria.peak_depth),
        rows=document.data.rows,
        saved_at=datetime.now(UTC).isoformat(timespec="seconds"),
        curve=tuple(float(v) for v in np.interp(grid, best.depth, best.incremental)),
    )


def relative(document: Document) -> Document:
    """The document with its data named relative to the project."""
    assert document.data is not None
    return replace(document, data=replace(document.data, path=Path(document.data.path).name))


def compute_headline(document: Document) -> Headline:
    """Best model and its profit where the rule of the first model ends."""
    engine = LocalEngine()
    decisions = engine.ask(document, Totals())
    depth = decisions.models[0].rule_depth
    reading = engine.ask(document, AtDepth(depth=depth))
    return headline_of(document, decisions, depth, reading)


if __name__ == "__main__":
    print(make_samples(), *make_toys(), *make_projects())
