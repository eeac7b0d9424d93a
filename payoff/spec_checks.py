"""Whether a spec is filled in sensibly: asked before any of its functions is called."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.kernels import KernelShape, kernel_mark
from payoff.parameters import Parameter
from payoff.readers import READER_SETTINGS, TableReader
from payoff.specs import DecisionMatrix, EvaluationMetric, LossDistribution, Spec, metric_title
from payoff.systems import EvaluationSystem
from payoff.vocabulary import (
    CONVENTION,
    CONVENTIONS,
    PREDICTION_INPUTS,
    Aggregate,
    ClassAverage,
    ConsequenceKind,
    CurveAxis,
    Direction,
    Extra,
    Input,
    LeafKind,
    MetricForm,
    MetricOutput,
    NumberUnit,
    ParameterKind,
    ReaderForm,
    ResampleUnit,
    SystemNeed,
    TargetDomain,
    Task,
    WeightMeaning,
)

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_MATRIX_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")

_ENUMS: dict[type[Spec], dict[str, type[StrEnum]]] = {
    LossDistribution: {"target": TargetDomain, "leaf_kind": LeafKind},
    EvaluationMetric: {
        "direction": Direction,
        "form": MetricForm,
        "output": MetricOutput,
        "weights": WeightMeaning,
        "unit": ResampleUnit,
        "number_unit": NumberUnit,
        "aggregate": Aggregate,
        "over_classes": ClassAverage,
    },
    DecisionMatrix: {"kind": ConsequenceKind},
    EvaluationSystem: {},
}
_ENUM_TUPLES: dict[type[Spec], dict[str, type[StrEnum]]] = {
    LossDistribution: {"extras": Extra, "optional_extras": Extra, "usual_for": Task},
    EvaluationMetric: {"inputs": Input, "tasks": Task, "usual_for": Task},
    DecisionMatrix: {},
    EvaluationSystem: {"needs": SystemNeed},
}
_KERNELS: dict[str, tuple[KernelShape, ...]] = {
    "loss": (KernelShape.ELEMENTWISE,),
    "negative_gradient": (KernelShape.ELEMENTWISE,),
    "initial_score": (KernelShape.WHOLE,),
    "response": (KernelShape.ELEMENTWISE,),
    "link": (KernelShape.ELEMENTWISE,),
    "leaf_values": (KernelShape.BY_GROUP, KernelShape.WHOLE),
    "saturated": (KernelShape.ELEMENTWISE,),
    "deviance": (KernelShape.ELEMENTWISE,),
    "rows": (KernelShape.ELEMENTWISE,),
    "ranked": (KernelShape.ELEMENTWISE,),
}
_OVER_BLOCKS = ("loss", "negative_gradient")
_OF_CASES = (*_OVER_BLOCKS, "initial_score", "leaf_values")


def spec_problems(spec: Spec) -> tuple[str, ...]:
    """Return what is wrong with a spec, one sentence each; empty if nothing is."""
    if isinstance(spec, TableReader):
        problems = [*_problems_of_reader(spec), *_problems_of_expectations(spec)]
        return tuple(f"TableReader {spec.id!r}: {text}" for text in problems)
    problems = [*_problems_of_texts(spec), *_problems_of_enums(spec), *_problems_of_kernels(spec)]
    problems += _problems_of_parameters(spec.parameters)
    problems += _problems_of_expectations(spec)
    if isinstance(spec, EvaluationMetric):
        problems += _problems_of_metric(spec)
    elif isinstance(spec, LossDistribution):
        problems += _problems_of_distribution(spec)
    elif isinstance(spec, EvaluationSystem):
        problems += _problems_of_system(spec)
    else:
        problems += _problems_of_matrix(spec)
    return tuple(f"{type(spec).__name__} {spec.id!r}: {text}" for text in problems)


def _problems_of_texts(spec: Spec) -> list[str]:
    problems = []
    pattern = _MATRIX_ID if isinstance(spec, DecisionMatrix) else _NAME
    if not isinstance(spec.id, str) or not pattern.fullmatch(spec.id):
        problems.append("the id must be in small letters, digits and underscores.")
    for name in ("label", "help", "formula"):
        text = getattr(spec, name)
        if not isinstance(text, str) or not text.strip():
            problems.append(f"{name} is empty.")
    return problems


def _problems_of_enums(spec: Spec) -> list[str]:
    problems = []
    for name, words in _ENUMS[type(spec)].items():
        if getattr(spec, name) not in list(words):
            problems.append(f"{name} is {getattr(spec, name)!r}, not among {_listed(words)}.")
    for name, words in _ENUM_TUPLES[type(spec)].items():
        values = getattr(spec, name)
        if not isinstance(values, tuple):
            problems.append(f"{name} must be a tuple.")
            continue
        strange = [value for value in values if value not in list(words)]
        if strange:
            problems.append(f"{name} has {strange[0]!r}, not among {_listed(words)}.")
    return problems


def _problems_of_kernels(spec: Spec) -> list[str]:
    problems = []
    has_blocks = getattr(spec, "arrange", None) is not None
    for name, usual in _KERNELS.items():
        shapes = (KernelShape.BY_GROUP,) if has_blocks and name in _OVER_BLOCKS else usual
        function = getattr(spec, name, None)
        if function is None:
            continue
        if not callable(function):
            problems.append(f"{name} is not a function.")
            continue
        mark = kernel_mark(function)
        if mark is not None and mark.shape not in shapes:
            wanted = "' or '".join(shapes)
            problems.append(f"{name} must be a kernel of shape '{wanted}', not '{mark.shape}'.")
        elif mark is not None and mark.takes_cases and not (has_blocks and name in _OF_CASES):
            problems.append(f"{name} takes cases, which only losses with arrange have.")
    return problems


def _problems_of_parameters(parameters: Sequence[Parameter]) -> list[str]:
    problems = []
    names = [item.name for item in parameters]
    if len(set(names)) != len(names):
        problems.append("two parameters have the same name.")
    for item in parameters:
        if not _NAME.fullmatch(item.name):
            problems.append(f"the parameter name {item.name!r} is not snake_case.")
        if item.kind not in list(ParameterKind) or item.unit not in list(NumberUnit):
            problems.append(f"the parameter {item.name!r} has an unknown kind or unit.")
            continue
        if item.kind == ParameterKind.CHOICE and not item.choices:
            problems.append(f"the parameter {item.name!r} is a choice without choices.")
            continue
        try:
            item.check(item.default)
        except PayoffError as error:
            problems.append(f"the default of parameter {item.name!r} does not fit: {error.why}")
    return problems


def _problems_of_expectations(spec: Spec) -> list[str]:
    return [
        f"the expected failure of '{check}' has no reason."
        for check, reason in spec.expected_failures
        if not reason.strip()
    ]


def _problems_of_distribution(spec: LossDistribution) -> list[str]:
    problems = []
    for name in ("loss", "negative_gradient", "initial_score", "response", "link"):
        if not callable(getattr(spec, name)):
            problems.append(f"{name} is missing.")
    if not (isinstance(spec.gradient_factor, (int, float)) and 0 < spec.gradient_factor < math.inf):
        problems.append("gradient_factor must be a number above 0.")
    if spec.leaf_kind != LeafKind.NEWTON and spec.leaf_values is None:
        problems.append(f"the leaf kind '{spec.leaf_kind}' needs leaf_values.")
    if spec.leaf_kind == LeafKind.QUANTILE and spec.leaf_quantile is None:
        problems.append("the leaf kind 'quantile' needs leaf_quantile.")
    if not isinstance(spec.n_scores, int) or spec.n_scores < 0:
        problems.append("n_scores must be a whole number, 0 or more.")
    if not isinstance(spec.grown_scores, int) or spec.grown_scores < 0:
        problems.append("grown_scores must be a whole number, 0 or more.")
    if isinstance(spec.extras, tuple) and set(spec.optional_extras) - set(spec.extras):
        problems.append("optional_extras names a column that extras does not.")
    for name in ("arrange", "check_cases", "score_names", "quantile_levels", "judged_by"):
        if getattr(spec, name) is not None and not callable(getattr(spec, name)):
            problems.append(f"{name} is not a function.")
    if spec.quantile_levels is not None and spec.score_names is None:
        problems.append("quantile_levels needs score_names.")
    return problems + _problems_of_variants(spec)


def _problems_of_variants(spec: LossDistribution) -> list[str]:
    """What is wrong with the variants for gbm: their own faults, or a face that differs."""
    problems = []
    for name in ("gbm", "gbm_with_offset"):
        variant = getattr(spec, name)
        if variant is None:
            continue
        if not isinstance(variant, LossDistribution) or variant.gbm is not None:
            problems.append(f"{name} must be a loss distribution without variants of its own.")
            continue
        problems += [f"{name}: {text}" for text in spec_problems(variant)]
        face = ("target", "n_scores", "parameters", "extras", "optional_extras")
        problems += [
            f"{name} differs in {field}."
            for field in face
            if getattr(variant, field) != getattr(spec, field)
        ]
    if spec.gbm_with_offset is not None and spec.gbm is None:
        problems.append("gbm_with_offset stands without gbm.")
    return problems


def _problems_of_metric(spec: EvaluationMetric) -> list[str]:
    problems = []
    is_curve = spec.output == MetricOutput.CURVE
    needed = {
        MetricForm.ROW_MEAN: ("rows",),
        MetricForm.SMOOTH: ("rows", "combine"),
        MetricForm.RANKED: ("trace",) if is_curve else ("ranked",),
        MetricForm.GENERAL: ("compute",),
    }
    for name in needed.get(spec.form, ()):
        if not callable(getattr(spec, name)):
            problems.append(f"the form '{spec.form}' needs {name}.")
    if isinstance(spec.inputs, tuple):
        given = [item for item in spec.inputs if item in PREDICTION_INPUTS]
        if len(given) > 1:
            problems.append("inputs may name only one of score, probability, predictions.")
        if spec.form == MetricForm.RANKED and Input.PREDICTIONS in given:
            problems.append("a ranked metric takes a score or probability.")
    if is_curve:
        problems += _problems_of_curve(spec)
    elif spec.axes is not None or spec.trace is not None:
        problems.append("axes and trace belong to the output 'curve'.")
    problems += _problems_of_form(spec)
    low, high = spec.value_range
    if not low <= high:
        problems.append("value_range is upside down.")
    if spec.n_means < 1 or (spec.form == MetricForm.ROW_MEAN and spec.n_means != 1):
        problems.append("n_means must be 1 or more, and 1 for the form 'row_mean'.")
    try:
        metric_title(spec, {item.name: item.default for item in spec.parameters})
    except (KeyError, IndexError, ValueError):
        problems.append("the title names a parameter that does not exist.")
    return problems


def _problems_of_form(spec: EvaluationMetric) -> list[str]:
    """What a metric says that belongs to another form."""
    problems = []
    if spec.columns and spec.form not in (MetricForm.ROW_MEAN, MetricForm.SMOOTH):
        problems.append("columns belong to the forms 'row_mean' and 'smooth'.")
    names = [item.name for item in spec.columns] + [item.name for item in spec.parameters]
    if len(set(names)) != len(names):
        problems.append("a column has the name of another one, or of a parameter.")
    slope = spec.area_slope
    if slope is not None and not (spec.form == MetricForm.RANKED and 0 < slope < math.inf):
        problems.append("area_slope must be a number above 0, of a metric of form 'ranked'.")
    return problems


def _problems_of_curve(spec: EvaluationMetric) -> list[str]:
    problems = []
    if spec.form not in (MetricForm.GENERAL, MetricForm.RANKED):
        problems.append("a curve needs the form 'general' or 'ranked'.")
    axes = spec.axes
    if axes is None:
        return [*problems, "a curve needs axes."]
    problems += [
        f"axes: {name} is empty."
        for name in ("question", "x", "y")
        if not str(getattr(axes, name)).strip()
    ]
    if axes.axis not in list(CurveAxis):
        problems.append(f"axes: axis is {axes.axis!r}, not among {_listed(CurveAxis)}.")
    for name in ("x_ends", "y_ends"):
        ends = getattr(axes, name)
        if ends is not None and not ends[0] < ends[1]:
            problems.append(f"axes: {name} is upside down.")
    if axes.grid is not None and spec.form != MetricForm.GENERAL:
        problems.append("axes: grid belongs to the form 'general'.")
    if axes.detail is not None and spec.form != MetricForm.GENERAL:
        problems.append("axes: detail belongs to the form 'general'.")
    for item in spec.parameters:
        strange = set(item.choices) - set(CONVENTIONS)
        if item.name == CONVENTION and (strange or not item.choices):
            problems.append(
                f"parameter convention: choices are among {', '.join(map(repr, CONVENTIONS))}."
            )
    return problems


def _problems_of_matrix(spec: DecisionMatrix) -> list[str]:
    problems = []
    if not spec.decisions or len(set(spec.decisions)) != len(spec.decisions):
        problems.append("decisions must be different names, at least one.")
    if spec.acting not in spec.decisions:
        problems.append(f"the acting decision '{spec.acting}' is not among the decisions.")
    if spec.do_nothing is not None and spec.do_nothing not in spec.decisions:
        problems.append(f"the decision '{spec.do_nothing}' is not among the decisions.")
    if not callable(getattr(spec, "consequences", None)):
        problems.append("consequences is not a function.")
    if spec.costs is not None and spec.kind != ConsequenceKind.REVENUE:
        problems.append("costs stand apart only in a revenue matrix.")
    if (spec.amount is None) != (spec.shares is None):
        problems.append("amount and shares go together.")
    if spec.shares is not None and spec.is_interval:
        problems.append("shares of an amount belong to a matrix of classes.")
    return problems + _problems_of_knots(spec)


def _problems_of_knots(spec: DecisionMatrix) -> list[str]:
    if not spec.knots:
        return []
    problems = []
    if not spec.is_interval:
        problems.append("knots belong to a matrix of an interval target only.")
    if not all(isinstance(knot, (int, float)) and math.isfinite(knot) for knot in spec.knots):
        problems.append("a knot is not a finite number.")
    elif any(low >= high for low, high in pairwise(spec.knots)):
        problems.append("knots must rise.")
    if spec.n_levels not in (0, len(spec.knots)):
        problems.append(f"n_levels is {spec.n_levels} for {counted(len(spec.knots), 'knot')}.")
    return problems


def _problems_of_reader(spec: TableReader) -> list[str]:
    problems = []
    if not isinstance(spec.id, str) or not _NAME.fullmatch(spec.id):
        problems.append("the id must be in small letters, digits and underscores.")
    for name in ("label", "help", "part_word"):
        text = getattr(spec, name)
        if not isinstance(text, str) or not text.strip():
            problems.append(f"{name} is empty.")
    if spec.form not in list(ReaderForm):
        problems.append(f"form is {spec.form!r}, not among {_listed(ReaderForm)}.")
    if not (isinstance(spec.suffixes, tuple) and spec.suffixes):
        problems.append("suffixes must be a tuple of at least one end of a file name.")
    elif not all(end.startswith(".") and end == end.lower() for end in spec.suffixes):
        problems.append("suffixes begin with a point and are in small letters.")
    if not all(isinstance(mark, bytes) and mark for mark in spec.marks):
        problems.append("marks must be bytes, none of them empty.")
    strange = [name for name in spec.settings if name not in READER_SETTINGS]
    if strange:
        problems.append(f"settings has {strange[0]!r}, not among {', '.join(READER_SETTINGS)}.")
    if spec.form == ReaderForm.COLUMNS and not callable(spec.open):
        problems.append("the form 'columns' needs open.")
    if callable(spec.open) and not callable(spec.example):
        problems.append("a reader that opens files needs example, for its checks.")
    return problems


def _problems_of_system(spec: EvaluationSystem) -> list[str]:
    problems = [] if callable(spec.draw) else ["draw is not a function."]
    if not isinstance(spec.protocols, tuple) or not all(
        isinstance(name, str) and _NAME.fullmatch(name) for name in spec.protocols
    ):
        problems.append("protocols must be a tuple of protocols' names.")
    return problems


def _listed(words: type[StrEnum]) -> str:
    return ", ".join(repr(item.value) for item in words)
