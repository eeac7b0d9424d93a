"""Makes the bundled samples again: ``python -m resources.samples.make``.

The data come from the seeded generator ``core.data.samples`` (``docs/data.md`` says how they are
drawn). The project beside them names the data by a path relative to itself; its headline, which
Home shows, is computed by the engine. The same program makes the same bytes, but for the time.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from core.data.samples import sample_document, write_sample
from core.document.files.project import Headline, save_project
from core.document.model import Document
from core.engine.local import LocalEngine
from core.questions.decide import AtDepth, Totals
from core.questions.uplift import Uplift
from core.uplift.toy_samples import TOY_SAMPLES, toy_document, write_toy
from gui.headline import CURVE_POINTS, headline_of

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
    print(make_samples(), *make_toys())
