"""The job that hands the document's rule over to other systems."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.assembly.context import table_of
from core.assembly.decide.decided_table import (
    DecidedTable,
    decide_table,
)
from core.data import LoadedTable, column_as_float
from core.decisions import ModelScores, rule_of
from core.decisions.rules.code_forms import RuleInputs, posterior_table
from core.decisions.rules.export import named_costs, write_rule_folder
from core.document.model import Document, TargetSpec
from core.document.studies.decision_files import HandOverRuleArguments, RuleHandedOver
from core.engine.context import JobContext
from core.questions.needs import named_classes
from payoff.errors import PayoffError
from payoff.types import FloatArray


def hand_over_document(arguments: HandOverRuleArguments, context: JobContext) -> RuleHandedOver:
    """Write the folder, with examples from the document's data."""
    table = table_of(arguments.document, context)
    decided = decide_table(table, arguments.document, arguments.model, None, context)
    context.progress(None, "Writing the rule")
    return hand_over_decided(decided, arguments.folder)


def hand_over_decided(decided: DecidedTable, folder: str) -> RuleHandedOver:
    """Write the folder of the rule that decided a table."""
    document, model = decided.document, decided.model
    scores = decided.scores
    if scores.leaf is not None:
        raise PayoffError(
            f"'{model}' decides by averages of leaves.",
            why="The rule of a case is then in no formula of its own chances and costs.",
            remedy="Let it decide by each case's own score (tab Basis), or save its decisions.",
        )
    problem, names, made_up = named_costs(decided.problem, _cost_columns(decided))
    inputs, columns, notes = _inputs(decided.table, document, model, scores)
    for place, costs in problem.cost_columns.items():
        columns[names[problem.decisions[place]]] = costs
    if problem.amounts is not None:
        columns[problem.amounts.name] = problem.amounts.values
    if made_up:
        label = decided.matrix.plugin.label
        notes = (*notes, f"{', '.join(made_up)}: “{label}” works these out by case.")
    rule = rule_of(problem, scores, cost_columns=names)
    files = write_rule_folder(rule, inputs, columns, Path(folder))
    return RuleHandedOver(folder=folder, files=files, inputs=tuple(columns), notes=notes)


def _cost_columns(decided: DecidedTable) -> dict[str, str]:
    spec = decided.matrix.spec
    return {
        decision: cost.column
        for decision, cost in zip(spec.decisions, spec.costs, strict=False)
        if cost.column
    }


def _inputs(
    table: LoadedTable, document: Document, model: str, scores: ModelScores
) -> tuple[RuleInputs, dict[str, FloatArray], tuple[str, ...]]:
    """Posterior columns of a model, where they hold the chances that are really used."""
    target = named_classes(document)
    if document.trained_model(model) is not None:
        words = f"chances of “{model}”, whose trees are handed over apart"
        return _named_chances(target, scores, words)
    inputs, columns = _columns_of(table, document, model, target)
    held, used = posterior_table(inputs, columns), scores.posteriors.copy()
    for chances in (held, used):  # a case that lacks one has none
        chances[:, np.isnan(chances).any(axis=0)] = np.nan
    if not np.array_equal(held, used, equal_nan=True):
        words = f"chances of “{model}” as they are used here, not as its columns hold them"
        return _named_chances(target, scores, words)
    return inputs, columns, ()


def _columns_of(
    table: LoadedTable, document: Document, model: str, target: TargetSpec
) -> tuple[RuleInputs, dict[str, FloatArray]]:
    given = document.posterior_columns(model)
    named = {level or target.event: column for level, column in given.items()}
    percents = [entry.column for entry in document.roles if entry.is_percent]
    inputs = RuleInputs(
        target=target.column,
        posteriors=tuple((level, named.get(level)) for level in target.levels),
        percents=tuple(column for column in named.values() if column in percents),
    )
    columns = {
        column: column_as_float(table, column, role="posterior") for column in named.values()
    }
    return inputs, columns


def _named_chances(
    target: TargetSpec, scores: ModelScores, words: str
) -> tuple[RuleInputs, dict[str, FloatArray], tuple[str, ...]]:
    """Chances that stand in no column of the data, as columns P_ of their own."""
    names = {level: f"P_{target.column}{level}" for level in target.levels}
    inputs = RuleInputs(target=target.column, posteriors=tuple(names.items()))
    columns = {
        names[level]: row for level, row in zip(target.levels, scores.posteriors, strict=True)
    }
    return inputs, columns, (f"{', '.join(columns)}: {words}.",)
