"""The scored sample in plain numpy, and with priors."""

from dataclasses import replace

import numpy as np

from core.document.model import ModelSpec, OldPriorKind, OldPriors


def used(columns, use="validation"):
    return np.array([value == use for value in columns["use"]])


def own_profit(columns, rows, model="p_good"):
    """Total profit of each case's own decision: act where 8 p - 2 (1 - p) > 0, that is p > 0.2."""
    acts = columns[model][rows] > 0.2
    event = np.array(columns["outcome"])[rows] == "yes"
    return float(np.where(acts, np.where(event, 8.0, -2.0), 0.0).sum())


def with_priors(document, kind, shares=(("yes", 0.5), ("no", 0.5))):
    models = (ModelSpec(name="good", old_priors=OldPriors(kind=kind, shares=shares)),)
    models += (
        ModelSpec(name="rough", series=1, old_priors=OldPriors(kind=OldPriorKind.CORRECTED)),
    )
    return replace(document, models=models, priors=(("no", 0.9), ("yes", 0.1)))
