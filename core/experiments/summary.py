"""From single runs to the table and what is said of each sampler and learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.document.experiments.results import GroupSummary, RunTable
from core.document.experiments.spec import ExperimentSpec
from core.experiments.runs import RunKey, RunRecord

_WHOLE = ("n_train", "n_test", "clipped", "worse_than_start")
_NUMBERS = (
    "error",
    "variance",
    "bound",
    "chance",
    "effect_error",
    "effect_variance",
    "effect_bound",
)


def run_table(spec: ExperimentSpec, records: Mapping[RunKey, RunRecord]) -> RunTable:
    """The runs in the order of sampler, system, split and learner, whatever order they ended in."""
    place = {name: index for index, name in enumerate(spec.samplers)}
    learner = {name: index for index, name in enumerate(spec.learners)}
    known = [r for r in records.values() if r.key.sampler in place and r.key.learner in learner]
    known.sort(
        key=lambda r: (place[r.key.sampler], r.key.system, r.key.split, learner[r.key.learner])
    )
    whole: dict[str, Any] = {
        name: np.array([getattr(r, name) for r in known], np.int64) for name in _WHOLE
    }
    numbers: dict[str, Any] = {
        name: np.array([getattr(r, name) for r in known], float) for name in _NUMBERS
    }
    return RunTable(
        samplers=spec.samplers,
        learners=spec.learners,
        sampler=np.array([place[r.key.sampler] for r in known], np.int64),
        system=np.array([r.key.system for r in known], np.int64),
        split=np.array([r.key.split for r in known], np.int64),
        learner=np.array([learner[r.key.learner] for r in known], np.int64),
        **whole,
        **numbers,
    )


def summarise_runs(runs: RunTable) -> tuple[GroupSummary, ...]:
    """One summary per sampler and learner that has runs."""
    found = []
    for sampler, name in enumerate(runs.samplers):
        for learner, learned in enumerate(runs.learners):
            mine = (runs.sampler == sampler) & (runs.learner == learner)
            if mine.any():
                found.append(_summary(runs, mine, name, learned))
    return tuple(found)


def _summary(runs: RunTable, mine: np.ndarray, sampler: str, learner: str) -> GroupSummary:
    error, effect = runs.error[mine], runs.effect_error[mine]
    bound, effect_bound = runs.bound[mine], runs.effect_bound[mine]
    known = np.isfinite(bound)
    return GroupSummary(
        sampler=sampler,
        learner=learner,
        runs=int(mine.sum()),
        mean=float(error.mean()),
        lowest=float(error.min()),
        highest=float(error.max()),
        bound=float(bound[known].max()) if known.any() else float("nan"),
        chance=float(runs.chance[mine].mean()),
        below_chance=float(np.mean(bound[known] < runs.chance[mine][known]))
        if known.any()
        else float("nan"),
        effect_mean=float(effect.mean()),
        effect_lowest=float(effect.min()),
        effect_highest=float(effect.max()),
        effect_bound=float(effect_bound[known].max()) if known.any() else float("nan"),
    )
