"""``payoff.evaluate`` and ``payoff.compare``: metrics, intervals and full curves for scripts.

Whether two evaluations may be compared at all: same rows, weights, priors, seed and event.

What an evaluation can be asked in a script: choice, groups, shift, other tools' definitions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from core.assembly.compare.evaluating import evaluation_of, requested_metric
from core.assembly.models.task import task_of_columns
from core.assembly.scores import rank_position_of
from core.data import LoadedTable, printed
from core.document.compare.chart_kinds import CONVENTIONS
from core.document.data.limits import not_in_pieces
from core.document.data.model import ReaderSettings, RowUse
from core.document.made import former_name
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from core.document.results import (
    ChartData,
    Conditions,
    EvaluationResult,
    Selection,
    WarningCode,
    is_about,
)
from core.document.studies.compare import ShiftSide
from core.document.wording import format_ahead
from core.engine.context import JobContext
from core.engine.messages import Ask
from core.evaluation import EvaluationRequest
from core.evaluation.charts.usual import is_read_off_its_chart
from core.questions.compare import CompareModels, Definitions, Segments, Shift
from core.scale.evaluation.evaluate import StreamedEvaluation
from core.scale.sources import Source
from core.script.decide.matrices import matrix_choice, with_matrix
from core.script.decide.request import DecideRequest, DecisionTerms, check_terms
from core.script.evaluate.calibration import rank_role
from core.script.evaluate.in_pieces import evaluate_in_pieces
from core.script.evaluate.request import EvaluateRequest
from core.script.files.pieces import is_in_pieces
from core.script.metric_choices import metric_choices
from core.script.requests import called_with_fields_of
from core.script.session import (
    ScoreColumns,
    document_of,
    engine,
    loaded_table,
    named_priors,
    score_roles,
    target_of,
)
from payoff.errors import PayoffError, no_such

__all__ = [
    "by_column",
    "chart_of",
    "chart_table",
    "definitions_table",
    "require_same",
    "selection_of",
    "shift_table",
]


_WORDS = {
    "data_hash": "the data",
    "rows": "the rows used",
    "weight": "the case weights",
    "priors": "the priors",
    "seed": "the seed of the resamples",
    "level": "the event",
}


def differing(first: Conditions, second: Conditions) -> tuple[str, ...]:
    """What is not the same in two conditions, in words."""
    return tuple(
        words for name, words in _WORDS.items() if getattr(first, name) != getattr(second, name)
    )


def require_same(first: EvaluationResult, second: EvaluationResult) -> None:
    """Refuse to compare figures that were computed under different conditions.

    Raises
    ------
    PayoffError
        Naming what differs, or that it is not known.
    """
    if first.conditions is None or second.conditions is None:
        raise PayoffError(
            "It is not known under what conditions one of the results was computed.",
            remedy="Evaluate again, all models at once.",
        )
    found = differing(first.conditions, second.conditions)
    if found:
        raise PayoffError(
            "The two results cannot be compared.",
            why=f"Not the same: {', '.join(found)}.",
            remedy="Evaluate all models together: then rows, weights, priors and draws are shared.",
        )


def selection_of(result: EvaluationResult, metric: str) -> Selection:
    """The best score by a metric; see ``Evaluation.select``."""
    for entry in result.selections:
        if entry.metric == metric:
            return entry
    known = [entry.metric for entry in result.selections]
    raise PayoffError(
        f"Nothing can be chosen by '{metric}'.",
        why="It has no direction, no values of two scores, or was not computed.",
        remedy=no_such("metric", metric, known).remedy if known else "Evaluate two scores or more.",
    )


def by_column(document: Document, column: str, groups: int, resamples: int) -> pd.DataFrame:
    """Figures by group; see ``Evaluation.by``."""
    requested = Segments(column=column, groups=groups, resamples=resamples)
    result = engine().ask(document, requested)
    notes = {segment.name: segment for segment in result.segments}
    rows = []
    for cell in (*result.cells, *result.whole):
        segment = notes.get(cell.segment)
        rows.append(
            {
                column: cell.segment or "all",
                "score": cell.model,
                "metric": cell.metric,
                "value": cell.estimate.value,
                "low": cell.estimate.low,
                "high": cell.estimate.high,
                "rows": segment.rows if segment is not None else result.rows.rows,
                "events": segment.events if segment is not None else np.nan,
                "note": segment.note if segment is not None else "",
            }
        )
    table = pd.DataFrame(rows)
    table.attrs["warnings"] = list(result.warnings)
    return table


def shift_table(document: Document, other: str | RowUse, use: RowUse) -> pd.DataFrame:
    """Population stability of scores and inputs; see ``Evaluation.shift``."""
    now = ShiftSide(path=other, reader=ReaderSettings())
    if other in tuple(RowUse):
        now = ShiftSide(use=RowUse(other))
    result = engine().ask(document, Shift(then=ShiftSide(use=use), now=now))
    return pd.DataFrame(
        {
            "column": [entry.name for entry in result.columns],
            "kind": ["score" if entry.is_score else "input" for entry in result.columns],
            "index": [entry.index for entry in result.columns],
            "by_chance": [entry.noise for entry in result.columns],
            "verdict": [entry.verdict for entry in result.columns],
        }
    )


def definitions_table(document: Document, convention: str) -> pd.DataFrame:
    """Figures by another tool's definitions; see ``Evaluation.definitions``."""
    known = [name for name, _ in CONVENTIONS]
    if convention not in known:
        raise no_such("convention", convention, known)
    result = engine().ask(document, Definitions(convention=convention))
    return pd.DataFrame(
        {
            "figure": [row.figure for row in result.rows],
            "score": [row.model for row in result.rows],
            "payoff": [row.ours for row in result.rows],
            convention: [row.theirs for row in result.rows],
            "cause": [row.cause for row in result.rows],
        }
    )


def chart_of(document: Document, kind: str, resamples: int) -> ChartData:
    """One chart of page Compare; see ``Evaluation.chart``."""
    known = [name for name, _ in CONVENTIONS]
    if document.convention not in known:
        raise no_such("convention", document.convention, known)
    charted = replace(document, charts=(kind,), metrics=())
    result = engine().ask(charted, CompareModels(resamples=resamples))
    for chart in result.charts:
        if chart.kind == kind:
            return chart
    raise no_such("chart", kind, [chart.kind for chart in result.charts])


def chart_table(chart: ChartData) -> pd.DataFrame:
    """A chart's curves in one table: score, line, x, y, low, high."""
    parts = []
    for curve in chart.curves:
        nowhere = np.full(len(curve.x), np.nan)
        parts.append(
            pd.DataFrame(
                {
                    "score": curve.model,
                    "line": curve.name,
                    "x": curve.x,
                    "y": curve.y,
                    "low": nowhere if curve.low is None else curve.low,
                    "high": nowhere if curve.high is None else curve.high,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first model less the second on the same cases.

    ``probability`` is the share of resamples in which the first is better, and half of those in
    which both are level (NaN without resamples); ``ahead`` says the same in words, never "all"
    without a p-value. ``p_adjusted`` is the p-value made good for all pairs of models of the
    evaluation (Holm 1979). ``note`` says what else is to know, as that the
    interval rests on few cases.
    """

    difference: float
    low: float
    high: float
    p_value: float
    probability: float
    method: str
    ahead: str = ""
    p_adjusted: float = float("nan")
    note: str = ""

    chance = former_name("probability")


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What ``payoff.evaluate`` returns.

    Attributes
    ----------
    table : DataFrame
        Rows = metrics, columns = (score, "value" | "low" | "high"). The score "No model" is what
        each metric is where every case gets the same prediction, without an interval.
    figures : EvaluationResult
        The records behind the table: cells, differences, warnings; no charts.
    """

    document: Document
    question: CompareModels = field(repr=False)
    figures: EvaluationResult
    asked: EvaluationRequest | StreamedEvaluation = field(repr=False)
    source: LoadedTable | Source = field(
        repr=False
    )  # kept: charts and groups are worked out when asked for
    table: pd.DataFrame = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", _table(self.figures))

    @property
    def result(self) -> EvaluationResult:
        """The records that the window shows, charts and their bands with them.

        They are worked out when first asked for, and take as long as the table did.
        """
        return self._charted[1]

    @cached_property
    def _charted(self) -> tuple[EvaluationRequest, EvaluationResult]:
        return evaluation_of(self.document, self.question, JobContext(engine().workbench))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What stands before the numbers."""
        return self.figures.warnings

    def value(self, metric: str, score: str) -> float:
        """The value of a metric for a score; NaN where it is undefined."""
        return self._estimate(metric, score)[0]

    def interval(self, metric: str, score: str) -> tuple[float, float]:
        """The 95 % interval of a metric for a score."""
        return self._estimate(metric, score)[1:]

    def _estimate(self, metric: str, score: str) -> tuple[float, float, float]:
        key = self.asked.key_of(metric)
        every = (*self.figures.cells, *self.figures.no_model)
        cells = {cell.model: cell for cell in every if cell.metric == key}
        if score not in cells:
            raise no_such("score", score, cells)
        estimate = cells[score].estimate
        return estimate.value, estimate.low, estimate.high

    def curve(self, name: str, score: str) -> pd.DataFrame:
        """Every point of a curve: x, y, low, high, threshold; one row per end of equal scores.

        ``name`` is roc, gains, lift, precision_recall or calibration (this one by groups). In a
        multiclass evaluation the event is the level given as ``event=``. ROC, gains and lift have
        ``whole_low`` and ``whole_high`` too: limits that hold for all depths at once.
        """
        is_charted = self.figures.resamples > 0 or is_read_off_its_chart(name)
        curve = (self._charted[0] if is_charted else self.asked).curve(name, score)
        columns = ("x", "y", "low", "high", "threshold")
        table = pd.DataFrame({column: getattr(curve, column) for column in columns}, copy=False)
        if len(curve.whole_low):
            table["whole_low"], table["whole_high"] = curve.whole_low, curve.whole_high
        if self.document.is_rank_only(score):
            context = JobContext(engine().workbench)
            standing = rank_position_of(self.document, score, context)
            threshold = table["threshold"].to_numpy()
            beyond = standing.sign * np.inf  # nobody reaches the first threshold
            table["threshold"] = np.where(np.isinf(threshold), beyond, standing.score(threshold))
        return table

    def chart(self, kind: str, *, convention: str = "payoff", resamples: int = 200) -> pd.DataFrame:
        """A chart of page Compare as a table: score, line, x, y, low, high.

        Parameters
        ----------
        kind : str
            A key of the catalogue: roc, gains, lift, response, ks, lorenz, precision_recall,
            calibration, smooth_calibration, threshold, net_benefit, cost, score_distribution; for
            numbers predicted_observed, residuals, error_share, quantile_calibration, lorenz.
        convention : {"payoff", "scikit-learn", "sas_em", "r"}
        resamples : int
            Draws of the bands.
        """
        document = replace(self.document, convention=convention)
        return chart_table(chart_of(document, kind, resamples))

    def select(self, metric: str) -> Selection:
        """The best score by a metric, its margin, how often it wins, what choosing adds."""
        keys = [entry.metric for entry in self.figures.selections]
        key = metric if metric in keys else self.asked.known_key(metric)
        return selection_of(self.figures, key or metric)

    def by(self, column: str, *, groups: int = 4, resamples: int = 1000) -> pd.DataFrame:
        """Every metric in each group of a column, with intervals and notes on small groups.

        A number with many values is cut into ``groups`` of equal size. ``attrs["warnings"]`` of
        the table holds what is to be said of all groups.
        """
        return by_column(self.document, column, groups, resamples)

    def shift(self, other: str, *, use: str = "all") -> pd.DataFrame:
        """Population stability of scores and inputs against other rows.

        Parameters
        ----------
        other : str
            A use of rows ("test", "validation" ...), or the path of another file.
        use : str
            The rows of this evaluation that count as before.
        """
        return shift_table(self.document, other, RowUse(use))

    def definitions(self, convention: str) -> pd.DataFrame:
        """Figures as "scikit-learn", "sas_em" or "r" define them, with the cause of each gap."""
        return definitions_table(self.document, convention)

    def beside(self, other: Evaluation) -> pd.DataFrame:
        """This table less another evaluation's, score by score.

        Raises
        ------
        PayoffError
            If rows, weights, priors, seed or event differ: naming what does.
        """
        require_same(self.figures, other.figures)
        values = pd.DataFrame(self.table.xs("value", axis=1, level="part"))
        others = pd.DataFrame(other.table.xs("value", axis=1, level="part"))
        both = [score for score in values.columns if score in others.columns]
        return values[both] - others[both]


@called_with_fields_of(EvaluateRequest)
def evaluate(request: EvaluateRequest) -> Evaluation:
    """Judge scores against a known outcome.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table, mapping of column name to 1-D array, or Arrow batches
        A folder of parts of one schema, an iterator of Arrow batches (or a callable that gives
        one), and a Dask DataFrame are read in pieces; rows are numbered by the names of the parts,
        or in the order of the partitions.
    outcome : str
        Column of the outcome.
    scores : str, list of str, {model: column} or {model: {level: column}}
    metrics : list of metric ids or (id, {parameter: value}), or {id: {parameter: value}}, optional
        Left out = the usual ones of the task. "lift_at(depth=0.5)" is an id with a parameter; a
        choice may be named by its word: "kappa(weights=linear)". Several variants of one metric
        stand in the table by these names.
    weight : str, optional
        Column of case weights.
    weight_kind : {"frequency", "sampling"}, optional
        A weight of 3 is three equal cases, or one that stands for three (usual): intervals differ.
    cluster : str, optional
        Column of rows that belong together (a household): intervals draw them together.
    task : {"binary", "multiclass", "regression"}, optional
    intervals : bool
        False skips resampling; analytic intervals stay.
    resamples, seed : int
        Draws behind resampled intervals, and their seed.
    priors : {level: share}, optional
        Class shares that charts and ranked metrics are weighted to.
    event : level, optional
        The class that ranks and charts call the event.
    ranks : {score name: "more" or "less"}, optional
        Scores that are no chances and only rank: higher = the event more or less likely.
    rows : str, optional
        Only rows for which this condition is true: 'age >= 30 and region = "N"'.
    columns : {role: column}, optional
        Of a number as the outcome: "event" (1 = it happened, 0 = censored), "entry" and "strata"
        make it a survival time, "group" a grade in lists.
    predicts : {"risk", "time"}
        What the scores of a survival time are.
    quantiles : {score name: {level: column}}, optional
        Predicted quantiles of a number, for CRPS, coverage and width.
    survival : {score name: {time: column}}, optional
        Chances to survive beyond a time, for Brier scores and calibration at that time.
    missing_outcomes : {"refuse", "leave_out"}
        What to do where rows have no outcome: say how many and which, or judge without them.
    class_order : list of levels, optional
        The classes in their own order, for metrics that measure how far apart two are; left out =
        that of numbers, of an ordered column, else of their texts.
    decision : mapping, optional
        What is decided, for metrics of money: ``matrix``, ``kind``, ``decisions``, ``costs`` and
        ``amount`` as ``payoff.decide`` takes them.
    memory : bytes or text, optional
        How much memory to take at most: "4 GB". A Parquet file of any size is then read in pieces.
        Left out = half of what is free, where data are read in pieces.
    scratch : path, optional
        A folder for 8 bytes a row and score that are written meanwhile. Left out = the system's.
    dask : text or distributed.Client, optional
        Where the pieces are read: the address of a Dask scheduler, "local" for processes of this
        computer, or a client; left out: threads of this process. ``memory`` is each worker's.
    seconds : float
        What draws may take where data are read in pieces; fewer are made where more would not fit,
        which is said.

    Returns
    -------
    Evaluation

    Raises
    ------
    PayoffError
        Naming file, row, column and value where there is one.
    """
    if is_in_pieces(request.data, request.memory, request.dask):
        found = evaluate_in_pieces(request)
        if isinstance(found, StreamedEvaluation):
            return _of_pieces(found)
        request = replace(request, data=found, memory=None, dask=None)
    source = loaded_table(request.data)
    context = JobContext(engine().workbench)
    ask = _ask_of(request, source, context)
    keys = _keys_requested(ask, context)
    requested, figures = evaluation_of(ask.document, ask.question, context, with_charts=False)
    _refuse_unfit(keys, figures)
    return Evaluation(
        document=ask.document,
        question=ask.question,
        figures=figures,
        asked=requested,
        source=source,
    )


class PiecewiseEvaluation(Evaluation):
    """An evaluation of data that were read in pieces: tables, intervals, pairs and curves.

    What is made of all cases at once is refused.
    """

    @property
    def result(self) -> EvaluationResult:
        """The records behind the table; there are no charts."""
        return self.figures

    def curve(self, name: str, score: str) -> pd.DataFrame:
        """A curve at 1,001 depths: x, y, low, high (NaN), threshold.

        ``name`` is roc, gains, lift or precision_recall.
        """
        curve = self.asked.curve(name, score)
        columns = ("x", "y", "low", "high", "threshold")
        return pd.DataFrame({column: getattr(curve, column) for column in columns}, copy=False)

    def chart(self, kind: str, *, convention: str = "payoff", resamples: int = 200) -> pd.DataFrame:
        """Refused: charts are drawn from all cases; ``curve`` gives ROC, gains and lift."""
        raise not_in_pieces("charts")

    def by(self, column: str, *, groups: int = 4, resamples: int = 1000) -> pd.DataFrame:
        """Refused: name the rows of each group by ``rows=``."""
        raise not_in_pieces("groups")

    def shift(self, other: str, *, use: str = "all") -> pd.DataFrame:
        """Refused."""
        raise not_in_pieces("groups")

    def definitions(self, convention: str) -> pd.DataFrame:
        """Refused."""
        raise not_in_pieces("groups")


def _of_pieces(found: StreamedEvaluation) -> PiecewiseEvaluation:
    """The answer of data that were read in pieces."""
    question = CompareModels(resamples=found.problem.resamples, level=found.problem.level)
    return PiecewiseEvaluation(
        document=found.problem.document,
        question=question,
        figures=found.result,
        asked=found,
        source=found.problem.source,
    )


def _keys_requested(ask: Ask[CompareModels], context: JobContext) -> set[str]:
    """The columns that were asked for; a metric or parameter that is not there is refused."""
    document, registry = ask.document, context.registry
    task = task_of_columns(document, dict(ask.question.columns))
    return {requested_metric(registry, choice, task).key for choice in document.metrics}


def _refuse_unfit(requested: set[str], result: EvaluationResult) -> None:
    """Refuse where nothing that was asked for fits: a project would show the usual metrics."""
    if not requested or requested & {info.metric for info in result.metrics}:
        return
    raise PayoffError(
        "None of the metrics fits this outcome.",
        why=" ".join(
            text for text in result.warnings if is_about(text, WarningCode.METRIC_LEFT_OUT)
        ),
        remedy="Leave metrics= out for the usual ones.",
    )


def _ask_of(
    request: EvaluateRequest, table: LoadedTable, context: JobContext
) -> Ask[CompareModels]:
    """The question that answers the request: that of page Compare."""
    document, target = _document_of(request, table)
    if request.decision is not None:
        document = _with_decision(document, target, request.decision, table, context)
    has_event = request.event is not None and bool(target.levels)
    question = CompareModels(
        resamples=request.resamples if request.intervals else 0,
        level=target.event if has_event else None,
        columns=tuple((request.columns or {}).items()),
        predicts=request.predicts,
        further=(
            *_additional("quantile", request.quantiles),
            *_additional("survival", request.survival),
        ),
    )
    return Ask(document=document, question=question)


def _document_of(request: EvaluateRequest, table: LoadedTable) -> tuple[Document, TargetSpec]:
    """The document that a person would have made of the request, and its outcome."""
    kind = "regression" if request.columns and request.task is None else request.task
    event = None if request.event is None else printed(request.event)
    target = target_of(table, request.outcome, kind, event)
    if request.class_order is not None:
        target = replace(target, order=tuple(map(printed, request.class_order)))
    document = document_of(
        table,
        target,
        _roles(target, request.scores, request.ranks or {}, request.cluster),
        weight=request.weight,
        rows=request.rows,
        weight_kind=request.weight_kind,
        missing_outcomes=request.missing_outcomes,
    )
    document = replace(
        document,
        metrics=metric_choices(request.metrics),
        priors=named_priors(request.priors, target),
        seed=request.seed,
    )
    return document, target


def _with_decision(
    document: Document,
    target: TargetSpec,
    terms: DecisionTerms,
    table: LoadedTable,
    context: JobContext,
) -> Document:
    """The document with the matrix of a decision; priors are the evaluation's own."""
    check_terms(terms)
    if "priors" in terms:
        raise PayoffError(
            "Priors are those of the evaluation.", where="decision", remedy="Give priors= itself."
        )
    requested = DecideRequest(data=table, target=target.column, **terms)
    return with_matrix(document, matrix_choice(table, requested, target.levels, context), requested)


def _roles(
    target: TargetSpec, scores: ScoreColumns, ranks: Mapping[str, str], cluster: str | None
) -> tuple[RoleAssignment, ...]:
    """The roles of the score columns, and of the column of clusters."""
    roles = _ranked_roles(score_roles(target, scores), ranks)
    return roles if cluster is None else (*roles, RoleAssignment(column=cluster, role=Role.CLUSTER))


def _additional(
    word: str, named: Mapping[str, Mapping[float, str]] | None
) -> list[tuple[str, str, str]]:
    """(score name, role, column) of columns at levels or times: "quantile 0.1"."""
    return [
        (name, f"{word} {float(place):g}", column)
        for name, columns in (named or {}).items()
        for place, column in columns.items()
    ]


def _ranked_roles(
    roles: tuple[RoleAssignment, ...], ranks: Mapping[str, str]
) -> tuple[RoleAssignment, ...]:
    """The roles with those scores in points that are named as such."""
    known = {entry.model for entry in roles}
    unknown = [name for name in ranks if name not in known]
    if unknown:
        raise no_such("score", unknown[0], sorted(filter(None, known)), where="ranks")
    return tuple(
        rank_role(entry.model or "", entry.column, ranks[entry.model or ""])
        if entry.model in ranks
        else entry
        for entry in roles
    )


def compare(evaluation: Evaluation, a: str, b: str, metric: str) -> Difference:
    """Model ``a`` less model ``b`` on one metric, paired on the same cases.

    Raises
    ------
    PayoffError
        If one of the models or the metric is not in the evaluation.
    """
    for model in (a, b):
        evaluation.value(metric, model)
    pair = evaluation.asked.compare(a, b, metric)
    return Difference(
        difference=pair.estimate.value,
        low=pair.estimate.low,
        high=pair.estimate.high,
        p_value=pair.p_value,
        probability=evaluation.asked.probability_ahead(a, b, metric),
        method=pair.estimate.method,
        ahead=(
            format_ahead(pair.ahead, pair.resamples, pair.p_value, pair.level)
            if pair.resamples
            else ""
        ),
        note=pair.estimate.note,
        p_adjusted=_adjusted(evaluation, a, b, metric),
    )


def _adjusted(evaluation: Evaluation, a: str, b: str, metric: str) -> float:
    pairs = evaluation.asked.compare_all(metric)
    found = (pair.p_adjusted for pair in pairs if {pair.first, pair.second} == {a, b})
    return next(found, float("nan"))


def _table(result: EvaluationResult) -> pd.DataFrame:
    columns: dict[tuple[str, str], dict[str, float]] = {}
    for cell in (*result.cells, *result.no_model):
        for part in ("value", "low", "high"):
            values = columns.setdefault((cell.model, part), {})
            values[cell.metric] = float(getattr(cell.estimate, part))
    table = pd.DataFrame(columns)
    table.columns = pd.MultiIndex.from_tuples(list(columns), names=["score", "part"])
    return table.reindex(list(dict.fromkeys(cell.metric for cell in result.cells)))
