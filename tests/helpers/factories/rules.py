"""Rules of every kind, written as export folders."""

import csv

import numpy as np

from core.decisions import Rule
from core.decisions.rules.code_forms import RuleInputs, rule_parts
from core.decisions.rules.export import write_rule_folder
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import OldPriorKind


def rule(**changes):
    given = {
        "model": "m",
        "levels": ("1", "0"),
        "decisions": ("Solicit", "Ignore"),
        "kind": MatrixKind.PROFIT,
        "cells": ((15.0, 0.0), (-1.5, 0.0)),
        "acting": "Solicit",
        "do_nothing": "Ignore",
        "cost_amounts": (0.0, 0.0),
        "cost_columns": (),
        "priors": None,
        "old_kind": OldPriorKind.CORRECTED,
        "old_priors": None,
    }
    made = given | changes
    biggest = max(abs(value) for row in made["cells"] for value in row)
    return Rule(**made, tie_tolerance=biggest * 2.0**-41)


TRAINED = {
    "priors": (0.05, 0.95),
    "old_kind": OldPriorKind.TRAINED_AT,
    "old_priors": (0.24775018, 0.75224982),
}
TWO = RuleInputs(target="y", posteriors=(("1", "p"), ("0", None)))
THREE = RuleInputs(
    target='the "outcome"; all', posteriors=(("a", "p a"), ("b", "p'b"), ("c", None))
)
WHOLE = RuleInputs(target="y", posteriors=(("a", "pa"), ("b", "pb"), ("c", "pc")))
FOUR_DECISIONS = {
    "levels": ("a", "b", "c"),
    "decisions": ("left", "it's right", "=1+1", "Zürich; all"),
    "cells": ((10.0, 4.0, 0.1 + 0.2, 0.0), (-3.0, 4.0, 1e-3, 0.0), (0.0, -7.0, 2 / 3, 0.0)),
    "acting": "left",
    "do_nothing": "Zürich; all",
    "cost_amounts": (0.1, 0.0, 0.3, 0.0),
}
RULES = {
    "promotion": (rule(), TWO),
    "corrected": (rule(**TRAINED), TWO),
    "loss": (
        rule(kind=MatrixKind.LOSS, cells=((0.0, 5.0), (1.0, 0.0)), do_nothing=None, **TRAINED),
        TWO,
    ),
    "percent": (
        rule(**TRAINED),
        RuleInputs(target="y", posteriors=(("1", "p"), ("0", None)), percents=("p",)),
    ),
    "costs": (
        rule(
            kind=MatrixKind.REVENUE,
            cells=((15.0, 0.0), (0.0, 0.0)),
            cost_columns=(("Solicit", "letter"), ("Ignore", "rest")),
            **TRAINED,
        ),
        TWO,
    ),
    "amounts": (
        rule(
            cells=((-4.0, 0.0), (-4.0, 0.0)),
            shares=((1.0, 0.0), (-0.02, 0.0)),
            amount_column="basket, EUR",
            amount_scale=400.0,
            cost_columns=(("Ignore", "rest"),),
            **TRAINED,
        ),
        TWO,
    ),
    "three": (rule(**FOUR_DECISIONS), THREE),
    "three corrected": (
        rule(
            **FOUR_DECISIONS,
            priors=(0.2, 0.3, 0.5),
            old_kind=OldPriorKind.TRAINED_AT,
            old_priors=(0.4, 0.6, 0.0),
        ),
        WHOLE,
    ),
    "one decision": (
        rule(
            decisions=("Solicit",), cells=((15.0,), (-1.5,)), cost_amounts=(0.0,), do_nothing=None
        ),
        TWO,
    ),
}


def columns_for(inputs, costs=(), rows=300):
    random = np.random.default_rng(4)
    named = [column for _level, column in inputs.posteriors if column]
    shares = random.dirichlet(np.ones(len(inputs.posteriors)) * 0.7, rows).T
    made = dict(zip(named, shares, strict=False))
    for name in inputs.percents:
        made[name] = made[name] * 100.0
    return made | {name: random.uniform(0.0, 3.0, rows) for name in costs}


def own_columns(made):
    """Columns with what each case has of its own beside chances."""
    amounts = [] if made.shares is None else [made.amount_column]
    return [*(column for _decision, column in made.cost_columns), *amounts]


def written(folder, name):
    made, inputs = RULES[name]
    write_rule_folder(made, inputs, columns_for(inputs, own_columns(made)), folder)
    return rule_parts(made, inputs)


def expected_rows(folder):
    with (folder / "expected.csv").open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))
