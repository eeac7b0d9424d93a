"""The jobs an engine answers: a kind, and the function of this room that does it.

A module is imported when its first job comes: an engine that is asked for one page does not wait
for what the others need. What a job takes and gives is said where it is done, and in
``core.engine.messages`` and ``core.document.studies``.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

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
    "plugin_file": ("plugin_files", "look_into_file"),
    "install_plugin": ("plugin_files", "install_file"),
    "remove_plugin": ("plugin_files", "remove_installed"),
    "preview": ("tables", "preview_file"),
    "load": ("tables", "load_file"),
    "rows": ("tables", "read_rows"),
    "column": ("tables", "describe_column"),
    "evaluate": ("evaluating", "evaluate_models"),
    "decide": ("deciding", "decide_cases"),
    "cursor": ("deciding", "read_at_depth"),
    "resample": ("deciding", "draw_resamples"),
    "save_decisions": ("saving", "save_decisions"),
    "apply": ("applying", "apply_rule"),
    "plugins": ("listing", "list_plugins"),
    "train": ("training", "train_model"),
    "explain": ("explaining", "explain_model"),
    "distributions": ("distributions", "list_distributions"),
    "read_matrix": ("matrix_files", "read_matrix"),
    "write_matrix": ("matrix_files", "write_matrix"),
    "reconcile": ("reconciling", "reconcile_decisions"),
    "hand_over_rule": ("rule_hand_over", "hand_over"),
    "fit_chances": ("chances", "fit_chances"),
    "expect_list": ("new_cases", "expect_list"),
    "capacity": ("capacity", "work_out_capacity"),
    "cases": ("case_pages", "page_of_cases"),
    "case_page": ("case_pages", "page_of_cases"),
    "case_cloud": ("case_pages", "cloud_of_cases"),
    "swap": ("swapping", "work_out_swap"),
    "gap": ("gaps", "work_out_gap"),
    "basis": ("basis_study", "compare_ways"),
    "rankings": ("rankings", "work_out_rankings"),
    "hold_out": ("holding_out", "weigh_hold_out"),
    "break_even": ("break_even", "find_break_even"),
    "winner_map": ("winner_map", "draw_winner_map"),
    "what_if": ("what_if", "try_numbers"),
    "experiment": ("experiments", "run_experiment_job"),
    "check_experiment": ("experiments", "check_experiment"),
    "experiment_choices": ("experiment_choices", "experiment_choices"),
    "bounds": ("bounds", "bound_models"),
    "one_case": ("one_case", "explain_case"),
    "uplift": ("uplift", "work_out_uplift"),
    "uplift_metrics": ("uplift_metrics", "measure_uplift"),
    "uplift_arms": ("uplift_tabs", "compare_arms"),
    "uplift_slices": ("uplift_further", "slice_rankings"),
    "next_test": ("uplift_further", "plan_next_test"),
    "row_order": ("uplift_tabs", "audit_rows"),
    "save_uplift": ("uplift_saving", "save_uplift"),
    "uplift_variance": ("uplift_tabs", "study_variance"),
    "export_data": ("exporting", "export_data"),
    "export_cells": ("exporting", "export_cells"),
    "import_model": ("model_files", "import_model"),
    "export_onnx": ("model_files", "export_onnx"),
    "make_table": ("further_files", "make_table"),
    "second_file": ("further_files", "look_at_file"),
    "look_at_join": ("further_files", "look_at_join"),
    "overlap": ("further_files", "find_overlap"),
    "outcome_gaps": ("outcome_gaps", "find_outcome_gaps"),
    "try_expression": ("expressions", "try_expression"),
    "segments": ("segments", "judge_segments"),
    "shift": ("shifting", "compare_populations"),
    "definitions": ("defining", "compare_definitions"),
    "survival": ("survival", "survival_curves"),
    "horizon_file": ("survival", "write_horizon"),
    "quantiles": ("quantiles", "judge_quantiles"),
    "iterations": ("iterations", "study_iterations"),
}
"""Kind of job -> module and function."""

HANDLERS: Mapping[str, Handler] = {kind: _later(*place) for kind, place in PLACES.items()}
