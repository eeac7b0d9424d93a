"""Payoff's public face: all that plugins and scripts may import.

The contract for plugins (specs, hooks, kernels, sample, errors) needs only the standard library,
numpy and pluggy's markers. The script functions (``payoff.read``, ``payoff.decide`` ...) live in
``core.script`` and are loaded by name when first used.
"""

import typing as _typing
from importlib import import_module as _import_module
from warnings import warn as _warn

if _typing.TYPE_CHECKING:
    from payoff.arm_sums import uplift_sums
    from payoff.blocks import BlockCases
    from payoff.curves import CurveAxes, CurveLine, CurveRanking
    from payoff.errors import PayoffError
    from payoff.hooks import hookimpl
    from payoff.intervals import wilson_interval
    from payoff.kernels import KernelShape, is_kernel, kernel, kernel_mark
    from payoff.own_loss import (
        balance,
        best_shift,
        log_ratio,
        loss,
        loss_of,
        newton,
        quantile,
        variant,
    )
    from payoff.own_metric import curve, metric
    from payoff.parameters import Parameter, Parameters, parameter_array, resolve_parameters
    from payoff.readers import (
        Found,
        OpenedTable,
        OpenedText,
        ReadRequest,
        TableReader,
        cell_words,
        column_from_cells,
    )
    from payoff.sample import Sample
    from payoff.specs import (
        DecisionMatrix,
        EvaluationMetric,
        LossDistribution,
        MatrixColumn,
        metric_title,
    )
    from payoff.systems import (
        DrawnSystem,
        EvaluationSystem,
        Prices,
        Subjects,
        SystemRows,
        cut_at_share,
    )
    from payoff.version import API_VERSION, __version__
    from payoff.vocabulary import (
        Aggregate,
        ClassAverage,
        ConsequenceKind,
        CurveAxis,
        DataColumn,
        Direction,
        Extra,
        Input,
        LeafKind,
        MetricForm,
        MetricOutput,
        NumberUnit,
        ParameterKind,
        PlainWords,
        ReaderForm,
        ResampleUnit,
        SystemNeed,
        TargetDomain,
        Task,
        TradePrice,
        UpliftSum,
        WeightMeaning,
    )

_SCRIPTS = {
    "boost.boosting": ("boost", "load_model"),
    "boost.estimators": ("BoostedTreesClassifier", "BoostedTreesRegressor"),
    "boost.exchange": ("import_model", "verify_export"),
    "decide.deciding": ("decide",),
    "decide.decision_files": ("export_rule", "reconcile"),
    "decide.decisions": ("swap_set",),
    "decide.matrices": ("inverse_prior_matrix", "read_matrix", "write_matrix"),
    "evaluate.calibration": ("calibrate", "calibration_curve"),
    "evaluate.evaluation": ("compare", "evaluate"),
    "evaluate.experiments": ("bound", "cases_needed", "error_bound", "experiment"),
    "files.in_parts": ("apply_to_parts", "predict_to_parts"),
    "files.joining": ("join", "overlap"),
    "files.reading": ("read", "write_table"),
    "plugins": ("check_plugin", "plugins"),
    "projects": ("apply", "new_project", "open_project"),
    "uplift.judging": ("uplift",),
}
_ROOMS_OF_SCRIPTS = {name: room for room, names in _SCRIPTS.items() for name in names}

SCRIPT_FUNCTIONS = tuple(sorted(_ROOMS_OF_SCRIPTS, key=str.lower))
"""Names served from ``core.script``, each with what it needs; the two classes need scikit-learn."""

__all__ = [
    "API_VERSION",
    "SCRIPT_FUNCTIONS",
    "Aggregate",
    "BlockCases",
    "ClassAverage",
    "ConsequenceKind",
    "CurveAxes",
    "CurveAxis",
    "CurveLine",
    "CurveRanking",
    "DataColumn",
    "DecisionMatrix",
    "Direction",
    "DrawnSystem",
    "EvaluationMetric",
    "EvaluationSystem",
    "Extra",
    "Found",
    "Input",
    "KernelShape",
    "LeafKind",
    "LossDistribution",
    "MatrixColumn",
    "MetricForm",
    "MetricOutput",
    "NumberUnit",
    "OpenedTable",
    "OpenedText",
    "Parameter",
    "ParameterKind",
    "Parameters",
    "PayoffError",
    "PlainWords",
    "Prices",
    "ReadRequest",
    "ReaderForm",
    "ResampleUnit",
    "Sample",
    "Subjects",
    "SystemNeed",
    "SystemRows",
    "TableReader",
    "TargetDomain",
    "Task",
    "TradePrice",
    "UpliftSum",
    "WeightMeaning",
    "__version__",
    "balance",
    "best_shift",
    "cell_words",
    "column_from_cells",
    "curve",
    "cut_at_share",
    "hookimpl",
    "is_kernel",
    "kernel",
    "kernel_mark",
    "log_ratio",
    "loss",
    "loss_of",
    "metric",
    "metric_title",
    "newton",
    "parameter_array",
    "quantile",
    "resolve_parameters",
    "uplift_sums",
    "variant",
    "wilson_interval",
]


_HOMES = {
    "blocks": ("BlockCases",),
    "curves": (
        "CurveAxes",
        "CurveLine",
        "CurveRanking",
    ),
    "errors": ("PayoffError",),
    "hooks": ("hookimpl",),
    "intervals": ("wilson_interval",),
    "kernels": (
        "KernelShape",
        "is_kernel",
        "kernel",
        "kernel_mark",
    ),
    "own_loss": (
        "balance",
        "best_shift",
        "log_ratio",
        "loss",
        "loss_of",
        "newton",
        "quantile",
        "variant",
    ),
    "own_metric": ("curve", "metric"),
    "parameters": (
        "Parameter",
        "Parameters",
        "parameter_array",
        "resolve_parameters",
    ),
    "readers": (
        "Found",
        "OpenedTable",
        "OpenedText",
        "ReadRequest",
        "TableReader",
        "cell_words",
        "column_from_cells",
    ),
    "sample": ("Sample",),
    "specs": (
        "DecisionMatrix",
        "EvaluationMetric",
        "LossDistribution",
        "MatrixColumn",
        "metric_title",
    ),
    "systems": (
        "DrawnSystem",
        "EvaluationSystem",
        "Prices",
        "Subjects",
        "SystemRows",
        "cut_at_share",
    ),
    "arm_sums": ("uplift_sums",),
    "version": (
        "API_VERSION",
        "__version__",
    ),
    "vocabulary": (
        "Aggregate",
        "ClassAverage",
        "ConsequenceKind",
        "CurveAxis",
        "DataColumn",
        "Direction",
        "Extra",
        "Input",
        "LeafKind",
        "MetricForm",
        "MetricOutput",
        "NumberUnit",
        "ParameterKind",
        "PlainWords",
        "ReaderForm",
        "ResampleUnit",
        "SystemNeed",
        "TargetDomain",
        "Task",
        "TradePrice",
        "UpliftSum",
        "WeightMeaning",
    ),
}
_ROOMS = {name: room for room, names in _HOMES.items() for name in names}
"""Name -> module of ours that it is taken from when first used: the window paints before numpy and
pluggy, which specs and hooks need, are there."""


_MODULES = {
    "numeric": "payoff.numeric",
    "questions": "core.questions.catalogue",
    "records": "payoff.records",
    "testing": "payoff.testing",
}

_FORMER_NAMES = {
    "check_handover": "verify_export",
    "fit_chances": "calibrate",
    "hand_over_rule": "export_rule",
}
"""Script functions by the names that they had in version 0.1; using one warns."""


def __getattr__(name: str) -> _typing.Any:
    """Serve a name of the contract or a script function, loading its module on first use."""
    if name in _FORMER_NAMES:
        _warn(f"payoff.{name} is called payoff.{_FORMER_NAMES[name]} now.", DeprecationWarning, 2)
        name = _FORMER_NAMES[name]
    if name in _ROOMS:
        value = getattr(_import_module(f"payoff.{_ROOMS[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return _import_module(_MODULES[name])
    if name in _ROOMS_OF_SCRIPTS:
        return getattr(_import_module(f"core.script.{_ROOMS_OF_SCRIPTS[name]}"), name)
    raise AttributeError(f"module 'payoff' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, *SCRIPT_FUNCTIONS, *_MODULES])
