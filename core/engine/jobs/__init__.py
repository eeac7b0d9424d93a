"""The handlers of all job kinds: ``HANDLERS[kind](arguments, context) -> result``.

Each imports what it needs when it first runs, so that a preview does not wait for the metrics. The
records of their arguments come with a job: here they are only named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.document.error_bounds import BoundsArguments, BoundsResult
    from core.document.experiments import (
        CheckExperimentArguments,
        DataFacts,
        ExperimentArguments,
        ExperimentChoices,
        ExperimentChoicesArguments,
        ExperimentResult,
    )
    from core.document.results import (
        ApplyResult,
        ColumnDetail,
        CursorReading,
        DecisionResult,
        EvaluationResult,
        PluginsResult,
        PreviewResult,
        ResampleResult,
        RowsPage,
        SaveResult,
        TableSummary,
    )
    from core.document.studies.applying import ListArguments, ListResult
    from core.document.studies.basis import BasisArguments, BasisResult
    from core.document.studies.break_even import BreakEvenArguments, BreakEvenResult
    from core.document.studies.capacity import CapacityArguments, CapacityResult
    from core.document.studies.cases import (
        CaseCloud,
        CaseCloudArguments,
        CasesArguments,
        CasesPage,
    )
    from core.document.studies.chances import ChancesArguments, ChancesResult
    from core.document.studies.definitions import DefinitionsArguments, DefinitionsResult
    from core.document.studies.gap import GapArguments, GapResult
    from core.document.studies.hold_out import HoldOutArguments, HoldOutResult
    from core.document.studies.iterations import IterationArguments, IterationResult
    from core.document.studies.joining import (
        JoinArguments,
        JoinReport,
        MakeTableArguments,
        Overlap,
        OverlapArguments,
        SecondFile,
        SecondFileArguments,
    )
    from core.document.studies.looking import ExpressionResult, TryArguments
    from core.document.studies.matrix_files import (
        MatrixImport,
        MatrixWritten,
        ReadMatrixArguments,
        WriteMatrixArguments,
    )
    from core.document.studies.model_files import (
        ExportOnnxArguments,
        ImportModelArguments,
        ModelImported,
        OnnxWritten,
    )
    from core.document.studies.one_case import OneCaseArguments, OneCaseResult
    from core.document.studies.plugin_files import (
        InstallPluginArguments,
        LookIntoPluginArguments,
        PluginOfferings,
        RemovePluginArguments,
    )
    from core.document.studies.quantiles import QuantilesArguments, QuantilesResult
    from core.document.studies.rankings import RankingsArguments, RankingsResult
    from core.document.studies.reconciling import ReconcileArguments, Reconciliation
    from core.document.studies.rule_hand_over import HandOverRuleArguments, RuleHandedOver
    from core.document.studies.segments import SegmentsArguments, SegmentsResult
    from core.document.studies.shift import ShiftArguments, ShiftResult
    from core.document.studies.survival import (
        HorizonFileArguments,
        HorizonFileResult,
        SurvivalArguments,
        SurvivalResult,
    )
    from core.document.studies.swap import SwapArguments, SwapSet
    from core.document.studies.table_export import (
        ExportCellsArguments,
        ExportDataArguments,
        TableExported,
    )
    from core.document.studies.uplift import UpliftArguments, UpliftResult
    from core.document.studies.uplift_further import (
        NextTestArguments,
        NextTestResult,
        SlicesArguments,
        SlicesResult,
    )
    from core.document.studies.uplift_metrics import UpliftMetricsArguments, UpliftMetricsResult
    from core.document.studies.uplift_saving import SaveUpliftArguments
    from core.document.studies.uplift_tabs import (
        ArmsArguments,
        ArmsResult,
        RowOrderArguments,
        RowOrderResult,
        VarianceArguments,
        VarianceResult,
    )
    from core.document.studies.what_if import WhatIfArguments, WhatIfResult
    from core.document.studies.winner_map import WinnerMapArguments, WinnerMapResult
    from core.document.training_results import DistributionsResult, ExplainResult, TrainResult
    from core.engine.context import JobContext
    from core.engine.messages import (
        ApplyArguments,
        ColumnArguments,
        CursorArguments,
        DecideArguments,
        DistributionsArguments,
        EvaluateArguments,
        ExplainArguments,
        LoadArguments,
        PluginsArguments,
        PreviewArguments,
        ResampleArguments,
        RowsArguments,
        SaveArguments,
        TrainArguments,
    )
    from core.engine.process import Handler


def _preview(arguments: PreviewArguments, context: JobContext) -> PreviewResult:
    from core.engine.jobs.tables import preview_file

    return preview_file(arguments, context)


def _load(arguments: LoadArguments, context: JobContext) -> TableSummary:
    from core.engine.jobs.tables import load_file

    return load_file(arguments, context)


def _rows(arguments: RowsArguments, context: JobContext) -> RowsPage:
    from core.engine.jobs.tables import read_rows

    return read_rows(arguments, context)


def _column(arguments: ColumnArguments, context: JobContext) -> ColumnDetail:
    from core.engine.jobs.tables import describe_column

    return describe_column(arguments, context)


def _evaluate(arguments: EvaluateArguments, context: JobContext) -> EvaluationResult:
    from core.engine.jobs.evaluating import evaluate_models

    return evaluate_models(arguments, context)


def _decide(arguments: DecideArguments, context: JobContext) -> DecisionResult:
    from core.engine.jobs.deciding import decide_cases

    return decide_cases(arguments, context)


def _cursor(arguments: CursorArguments, context: JobContext) -> CursorReading:
    from core.engine.jobs.deciding import read_at_depth

    return read_at_depth(arguments, context)


def _resample(arguments: ResampleArguments, context: JobContext) -> ResampleResult:
    from core.engine.jobs.deciding import draw_resamples

    return draw_resamples(arguments, context)


def _save_decisions(arguments: SaveArguments, context: JobContext) -> SaveResult:
    from core.engine.jobs.saving import save_decisions

    return save_decisions(arguments, context)


def _apply(arguments: ApplyArguments, context: JobContext) -> ApplyResult:
    from core.engine.jobs.applying import apply_rule

    return apply_rule(arguments, context)


def _plugins(arguments: PluginsArguments, context: JobContext) -> PluginsResult:
    from core.engine.jobs.listing import list_plugins

    return list_plugins(arguments, context)


def _train(arguments: TrainArguments, context: JobContext) -> TrainResult:
    from core.engine.jobs.training import train_model

    return train_model(arguments, context)


def _explain(arguments: ExplainArguments, context: JobContext) -> ExplainResult:
    from core.engine.jobs.explaining import explain_model

    return explain_model(arguments, context)


def _distributions(arguments: DistributionsArguments, context: JobContext) -> DistributionsResult:
    from core.engine.jobs.distributions import list_distributions

    return list_distributions(arguments, context)


def _read_matrix(arguments: ReadMatrixArguments, context: JobContext) -> MatrixImport:
    from core.engine.jobs.matrix_files import read_matrix

    return read_matrix(arguments, context)


def _write_matrix(arguments: WriteMatrixArguments, context: JobContext) -> MatrixWritten:
    from core.engine.jobs.matrix_files import write_matrix

    return write_matrix(arguments, context)


def _reconcile(arguments: ReconcileArguments, context: JobContext) -> Reconciliation:
    from core.engine.jobs.reconciling import reconcile_decisions

    return reconcile_decisions(arguments, context)


def _hand_over_rule(arguments: HandOverRuleArguments, context: JobContext) -> RuleHandedOver:
    from core.engine.jobs.rule_hand_over import hand_over

    return hand_over(arguments, context)


def _fit_chances(arguments: ChancesArguments, context: JobContext) -> ChancesResult:
    from core.engine.jobs.chances import fit_chances

    return fit_chances(arguments, context)


def _expect_list(arguments: ListArguments, context: JobContext) -> ListResult:
    from core.engine.jobs.new_cases import expect_list

    return expect_list(arguments, context)


def _capacity(arguments: CapacityArguments, context: JobContext) -> CapacityResult:
    from core.engine.jobs.capacity import work_out_capacity

    return work_out_capacity(arguments, context)


def _cases(arguments: CasesArguments, context: JobContext) -> CasesPage:
    from core.engine.jobs.case_pages import page_of_cases

    return page_of_cases(arguments, context)


def _case_cloud(arguments: CaseCloudArguments, context: JobContext) -> CaseCloud:
    from core.engine.jobs.case_pages import cloud_of_cases

    return cloud_of_cases(arguments, context)


def _swap(arguments: SwapArguments, context: JobContext) -> SwapSet:
    from core.engine.jobs.swapping import work_out_swap

    return work_out_swap(arguments, context)


def _basis(arguments: BasisArguments, context: JobContext) -> BasisResult:
    from core.engine.jobs.basis_study import compare_ways

    return compare_ways(arguments, context)


def _gap(arguments: GapArguments, context: JobContext) -> GapResult:
    from core.engine.jobs.gaps import work_out_gap

    return work_out_gap(arguments, context)


def _rankings(arguments: RankingsArguments, context: JobContext) -> RankingsResult:
    from core.engine.jobs.rankings import work_out_rankings

    return work_out_rankings(arguments, context)


def _hold_out(arguments: HoldOutArguments, context: JobContext) -> HoldOutResult:
    from core.engine.jobs.holding_out import weigh_hold_out

    return weigh_hold_out(arguments, context)


def _break_even(arguments: BreakEvenArguments, context: JobContext) -> BreakEvenResult:
    from core.engine.jobs.break_even import find_break_even

    return find_break_even(arguments, context)


def _winner_map(arguments: WinnerMapArguments, context: JobContext) -> WinnerMapResult:
    from core.engine.jobs.winner_map import draw_winner_map

    return draw_winner_map(arguments, context)


def _what_if(arguments: WhatIfArguments, context: JobContext) -> WhatIfResult:
    from core.engine.jobs.what_if import try_numbers

    return try_numbers(arguments, context)


def _experiment(arguments: ExperimentArguments, context: JobContext) -> ExperimentResult:
    from core.engine.jobs.experiments import run_experiment_job

    return run_experiment_job(arguments, context)


def _check_experiment(arguments: CheckExperimentArguments, context: JobContext) -> DataFacts:
    from core.engine.jobs.experiments import check_experiment

    return check_experiment(arguments, context)


def _experiment_choices(
    arguments: ExperimentChoicesArguments, context: JobContext
) -> ExperimentChoices:
    from core.engine.jobs.experiment_choices import experiment_choices

    return experiment_choices(arguments, context)


def _bounds(arguments: BoundsArguments, context: JobContext) -> BoundsResult:
    from core.engine.jobs.bounds import bound_models

    return bound_models(arguments, context)


def _one_case(arguments: OneCaseArguments, context: JobContext) -> OneCaseResult:
    from core.engine.jobs.one_case import explain_case

    return explain_case(arguments, context)


def _uplift_metrics(arguments: UpliftMetricsArguments, context: JobContext) -> UpliftMetricsResult:
    from core.engine.jobs.uplift_metrics import measure_uplift

    return measure_uplift(arguments, context)


def _uplift_slices(arguments: SlicesArguments, context: JobContext) -> SlicesResult:
    from core.engine.jobs.uplift_further import slice_rankings

    return slice_rankings(arguments, context)


def _next_test(arguments: NextTestArguments, context: JobContext) -> NextTestResult:
    from core.engine.jobs.uplift_further import plan_next_test

    return plan_next_test(arguments, context)


def _uplift_arms(arguments: ArmsArguments, context: JobContext) -> ArmsResult:
    from core.engine.jobs.uplift_tabs import compare_arms

    return compare_arms(arguments, context)


def _save_uplift(arguments: SaveUpliftArguments, context: JobContext) -> SaveResult:
    from core.engine.jobs.uplift_saving import save_uplift

    return save_uplift(arguments, context)


def _row_order(arguments: RowOrderArguments, context: JobContext) -> RowOrderResult:
    from core.engine.jobs.uplift_tabs import audit_rows

    return audit_rows(arguments, context)


def _uplift_variance(arguments: VarianceArguments, context: JobContext) -> VarianceResult:
    from core.engine.jobs.uplift_tabs import study_variance

    return study_variance(arguments, context)


def _uplift(arguments: UpliftArguments, context: JobContext) -> UpliftResult:
    from core.engine.jobs.uplift import work_out_uplift

    return work_out_uplift(arguments, context)


def _export_data(arguments: ExportDataArguments, context: JobContext) -> TableExported:
    from core.engine.jobs.exporting import export_data

    return export_data(arguments, context)


def _export_cells(arguments: ExportCellsArguments, context: JobContext) -> TableExported:
    from core.engine.jobs.exporting import export_cells

    return export_cells(arguments, context)


def _import_model(arguments: ImportModelArguments, context: JobContext) -> ModelImported:
    from core.engine.jobs.model_files import import_model

    return import_model(arguments, context)


def _export_onnx(arguments: ExportOnnxArguments, context: JobContext) -> OnnxWritten:
    from core.engine.jobs.model_files import export_onnx

    return export_onnx(arguments, context)


def _make_table(arguments: MakeTableArguments, context: JobContext) -> TableSummary:
    from core.engine.jobs.further_files import make_table

    return make_table(arguments, context)


def _second_file(arguments: SecondFileArguments, context: JobContext) -> SecondFile:
    from core.engine.jobs.further_files import look_at_file

    return look_at_file(arguments, context)


def _look_at_join(arguments: JoinArguments, context: JobContext) -> JoinReport:
    from core.engine.jobs.further_files import look_at_join

    return look_at_join(arguments, context)


def _overlap(arguments: OverlapArguments, context: JobContext) -> Overlap:
    from core.engine.jobs.further_files import find_overlap

    return find_overlap(arguments, context)


def _try_expression(arguments: TryArguments, context: JobContext) -> ExpressionResult:
    from core.engine.jobs.expressions import try_expression

    return try_expression(arguments, context)


def _segments(arguments: SegmentsArguments, context: JobContext) -> SegmentsResult:
    from core.engine.jobs.segments import judge_segments

    return judge_segments(arguments, context)


def _shift(arguments: ShiftArguments, context: JobContext) -> ShiftResult:
    from core.engine.jobs.shifting import compare_populations

    return compare_populations(arguments, context)


def _definitions(arguments: DefinitionsArguments, context: JobContext) -> DefinitionsResult:
    from core.engine.jobs.defining import compare_definitions

    return compare_definitions(arguments, context)


def _plugin_file(arguments: LookIntoPluginArguments, context: JobContext) -> PluginOfferings:
    from core.engine.jobs.plugin_files import look_into_file

    return look_into_file(arguments, context)


def _install_plugin(arguments: InstallPluginArguments, context: JobContext) -> PluginOfferings:
    from core.engine.jobs.plugin_files import install_file

    return install_file(arguments, context)


def _remove_plugin(arguments: RemovePluginArguments, context: JobContext) -> PluginOfferings:
    from core.engine.jobs.plugin_files import remove_installed

    return remove_installed(arguments, context)


def _iterations(arguments: IterationArguments, context: JobContext) -> IterationResult:
    from core.engine.jobs.iterations import study_iterations

    return study_iterations(arguments, context)


def _quantiles(arguments: QuantilesArguments, context: JobContext) -> QuantilesResult:
    from core.engine.jobs.quantiles import judge_quantiles

    return judge_quantiles(arguments, context)


def _survival(arguments: SurvivalArguments, context: JobContext) -> SurvivalResult:
    from core.engine.jobs.survival import survival_curves

    return survival_curves(arguments, context)


def _horizon_file(arguments: HorizonFileArguments, context: JobContext) -> HorizonFileResult:
    from core.engine.jobs.survival import write_horizon

    return write_horizon(arguments, context)


HANDLERS: Mapping[str, Handler] = {
    "plugin_file": _plugin_file,
    "install_plugin": _install_plugin,
    "remove_plugin": _remove_plugin,
    "preview": _preview,
    "load": _load,
    "rows": _rows,
    "column": _column,
    "evaluate": _evaluate,
    "decide": _decide,
    "cursor": _cursor,
    "resample": _resample,
    "save_decisions": _save_decisions,
    "apply": _apply,
    "plugins": _plugins,
    "train": _train,
    "explain": _explain,
    "distributions": _distributions,
    "read_matrix": _read_matrix,
    "write_matrix": _write_matrix,
    "reconcile": _reconcile,
    "hand_over_rule": _hand_over_rule,
    "fit_chances": _fit_chances,
    "expect_list": _expect_list,
    "capacity": _capacity,
    "cases": _cases,
    "case_page": _cases,
    "case_cloud": _case_cloud,
    "swap": _swap,
    "gap": _gap,
    "basis": _basis,
    "rankings": _rankings,
    "hold_out": _hold_out,
    "break_even": _break_even,
    "winner_map": _winner_map,
    "what_if": _what_if,
    "experiment": _experiment,
    "check_experiment": _check_experiment,
    "experiment_choices": _experiment_choices,
    "bounds": _bounds,
    "one_case": _one_case,
    "uplift": _uplift,
    "uplift_metrics": _uplift_metrics,
    "uplift_arms": _uplift_arms,
    "uplift_slices": _uplift_slices,
    "next_test": _next_test,
    "row_order": _row_order,
    "save_uplift": _save_uplift,
    "uplift_variance": _uplift_variance,
    "export_data": _export_data,
    "export_cells": _export_cells,
    "import_model": _import_model,
    "export_onnx": _export_onnx,
    "make_table": _make_table,
    "second_file": _second_file,
    "look_at_join": _look_at_join,
    "overlap": _overlap,
    "try_expression": _try_expression,
    "segments": _segments,
    "shift": _shift,
    "definitions": _definitions,
    "survival": _survival,
    "horizon_file": _horizon_file,
    "quantiles": _quantiles,
    "iterations": _iterations,
}
