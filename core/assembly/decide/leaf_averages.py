"""Averages of leaves over the evaluated rows, for cases that are decided by them elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.assembly.cases import Cases, cases_of, model_scores
from core.assembly.context import AssemblyContext, table_of
from core.assembly.matrix import decision_problem, matrix_of
from core.decisions import ModelScores
from core.decisions.per_case_values import leaf_means
from core.document.model import Document


def with_leaf_means(
    scores: ModelScores, cases: Cases, document: Document, context: AssemblyContext
) -> ModelScores:
    """A model whose leaves have the averages of the evaluated rows; others come back as they are.

    A leaf without evaluated rows decides nothing.
    """
    if scores.leaf is None:
        return scores
    alone = replace(
        document,
        models=tuple(entry for entry in document.models if entry.name == scores.name),
        reference_model=scores.name,
    )
    evaluated = cases_of(alone, context)
    matrix, table = matrix_of(alone, context), table_of(alone, context)
    problem = decision_problem(alone, evaluated, matrix, table, context)
    (then,) = model_scores(alone, evaluated)
    assert then.leaf is not None  # the same document says so
    means = leaf_means(problem, then, then.leaf)
    known = {
        name: place
        for place, name in enumerate(evaluated.bases[scores.name].leaf_names[: means.shape[1]])
    }
    names = cases.bases[scores.name].leaf_names
    # One place more: cases of a leaf that is not known, and -1, find nothing there.
    places = np.array([known.get(name, -1) for name in (*names, "")], dtype=np.int64)
    leaf = replace(scores.leaf, code=places[scores.leaf.code], means=means)
    return replace(scores, leaf=leaf)
