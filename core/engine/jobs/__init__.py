"""The jobs an engine answers: a kind, and the function of this room that does it.

A folder for each page; what jobs of several pages share stands here: from a document to arrays
(``assemble``, ``assemble_matrix``, ``scores``, ``weights``), and rows that must not count.
A module is imported when its first job comes: an engine that is asked for one page does not wait
for what the others need. What a job takes and gives is said where it is done, and in
``core.engine.messages`` and ``core.document.studies``.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from core.questions.question import questions

if TYPE_CHECKING:
    from core.engine.context import JobContext
    from core.engine.process import Handler


def _later(module: str, function: str) -> Handler:
    """A function of this room that is found when it is first called."""

    def handle(arguments: Any, context: JobContext) -> object:
        handler: Handler = getattr(import_module(f"core.engine.jobs.{module}"), function)
        return handler(arguments, context)

    return handle


PLACES: Mapping[str, tuple[str, str]] = {
    "plugin_file": ("plugins.plugin_files", "look_into_file"),
    "install_plugin": ("plugins.plugin_files", "install_file"),
    "remove_plugin": ("plugins.plugin_files", "remove_installed"),
    "preview": ("data.tables", "preview_file"),
    "load": ("data.tables", "load_file"),
    "rows": ("data.tables", "read_rows"),
    "column": ("data.tables", "describe_column"),
    "evaluate": ("compare.evaluating", "evaluate_models"),
    "decide": ("decide.deciding", "decide_cases"),
    "cursor": ("decide.deciding", "read_at_depth"),
    "resample": ("decide.deciding", "draw_resamples"),
    "save_decisions": ("decide.saving", "save_decisions"),
    "apply": ("decide.applying", "apply_rule"),
    "plugins": ("plugins.listing", "list_plugins"),
    "train": ("models.training", "train_model"),
    "explain": ("models.explaining", "explain_model"),
    "distributions": ("models.distributions", "list_distributions"),
    "read_matrix": ("decide.matrix_files", "read_matrix"),
    "write_matrix": ("decide.matrix_files", "write_matrix"),
    "reconcile": ("decide.reconciling", "reconcile_decisions"),
    "hand_over_rule": ("decide.rule_hand_over", "hand_over"),
    "experiment": ("experiments.running", "run_experiment_job"),
    "check_experiment": ("experiments.running", "check_experiment"),
    "experiment_choices": ("experiments.choices", "experiment_choices"),
    "uplift": ("uplift.page", "work_out_uplift"),
    "experiment_gaps": ("uplift.outcome_gaps", "find_experiment_gaps"),
    "save_uplift": ("uplift.saving", "save_uplift"),
    "uplift_variance": ("uplift.tabs", "study_variance"),
    "export_data": ("data.exporting", "export_data"),
    "export_cells": ("data.exporting", "export_cells"),
    "import_model": ("models.model_files", "import_model"),
    "export_onnx": ("models.model_files", "export_onnx"),
    "make_table": ("data.further_files", "make_table"),
    "second_file": ("data.further_files", "look_at_file"),
    "look_at_join": ("data.further_files", "look_at_join"),
    "overlap": ("data.further_files", "find_overlap"),
    "outcome_gaps": ("data.outcome_gaps", "find_outcome_gaps"),
    "try_expression": ("data.expressions", "try_expression"),
    "horizon_file": ("compare.survival", "write_horizon"),
    "iterations": ("experiments.iterations", "study_iterations"),
}
"""Kind of job -> module and function."""

HANDLERS: Mapping[str, Handler] = {
    **{kind: _later(*place) for kind, place in PLACES.items()},
    **{key: _later("asking", "answer_question") for key in questions()},
}
