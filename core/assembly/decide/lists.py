"""Lists of cases.

New cases beside the evaluated ones: a check before a rule is applied, and lists of a size.

The hold-out of the dialog that saves decisions.

Decisions in the document's file, compared with those of its rule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.analysis import analysed, analysed_at
from core.assembly.cases import cases_of, model_scores, prior_warnings
from core.assembly.context import AssemblyContext, table_of
from core.assembly.decide.decided_table import (
    cursor_cut_off,
    decide_table,
    with_hold_out,
)
from core.assembly.left_out import require_probabilities, without_useless_scores
from core.assembly.matrix import decision_problem, matrix_of
from core.assembly.models.trained import boosted_model
from core.data import LoadedTable, file_stamp, place_of, with_derived_columns
from core.decisions import UNDECIDED, DecisionProblem, ModelScores
from core.decisions.depths.cut import (
    DepthCut,
    decide_all,
)
from core.decisions.priors import prior_weights
from core.decisions.studies.hold_out import POWER, SIGNIFICANCE
from core.decisions.studies.reconciling import read_carried, reconcile_cases
from core.decisions.studies.shift import (
    Stability,
    scaled_count,
    scaled_total,
    score_stability,
    stability,
)
from core.document.model import Document
from core.document.results import Advice, AppliedShift, Estimate, ModelProfit
from core.document.studies.decision_files import HoldOutResult, ListResult
from core.document.studies.reconciling import LETTERS, Reconciliation, carried_columns
from core.document.wording import format_count, format_share
from core.questions.decide import ExpectList, HoldOutPlan, Reconcile
from core.questions.needs import named_target
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.groups import effective_cases
from payoff.types import AnyArray, FloatArray, IntArray

OK, WARNING, ERROR = "ok", "warning", "error"
_STATES = {"stable": OK, "too few cases": WARNING, "shifted": WARNING, "another population": ERROR}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decided:
    """Cases decided by one model, as the check compares them.

    ``scores``: (levels, n) chances as they stand before priors; (1, n) predictions of a number.
    ``decision``: (n,) column of the matrix, -1 for the implicit do-nothing and for cases without a
    decision. ``weight``: (n,) what a case stands for; of evaluated cases weighted to the priors,
    for new cases come at those.
    """

    problem: DecisionProblem
    scores: FloatArray
    decision: IntArray
    weight: FloatArray


def check_new_cases(
    new: Decided, document: Document, model: str, cut: DepthCut | None, context: AssemblyContext
) -> tuple[AppliedShift | None, tuple[Advice, ...]]:
    """Compare new cases with the evaluated ones: scores, decisions, share acted on.

    Where the evaluated rows cannot be read the check says so and compares nothing.
    """
    try:
        then = _evaluated(document, model, cut, context)
    except PayoffError as refusal:
        text = "The evaluated rows are not at hand, so it cannot be seen whether cases are alike."
        return None, (Advice(state=WARNING, text=text, detail=str(refusal)),)
    known = ~np.isnan(new.scores).any(axis=0)
    if not known.any():
        text = "No case has a score, so nothing can be compared."
        return None, (Advice(state=ERROR, text=text),)
    levels = range(1 if len(new.scores) == 2 else len(new.scores))
    by_level = [
        score_stability(then.scores[code], new.scores[code], then.weight, new.weight)
        for code in levels
    ]
    score = max(by_level, key=lambda entry: entry.index)
    decisions = _decision_stability(then, new)
    shift = AppliedShift(
        score_index=score.index,
        score_verdict=score.verdict,
        decisions_index=decisions.index,
        decisions_verdict=decisions.verdict,
        acted_then=_acted(then),
        acted_now=_acted(new),
        evaluated_rows=then.scores.shape[1],
    )
    return shift, (
        _score_line(score, then, new),
        _decisions_line(decisions, shift, new.problem, document),
        *_gap_lines(new, document),
    )


def _evaluated(
    document: Document, model: str, cut: DepthCut | None, context: AssemblyContext
) -> Decided:
    """The evaluated rows, decided the same way; weighted to the priors where there are some."""
    alone = replace(
        document,
        models=tuple(entry for entry in document.models if entry.name == model),
        reference_model=model,
    )
    cases = cases_of(alone, context)
    table = table_of(alone, context)
    problem = decision_problem(alone, cases, matrix_of(alone, context), table, context)
    (scores,) = model_scores(alone, cases)
    decided = decide_all(problem, scores, cut)
    weight = np.ones(len(cases.rows)) if cases.frequency is None else cases.frequency
    if problem.priors is not None and cases.outcome is not None:
        counted = np.bincount(cases.outcome, weights=weight, minlength=len(problem.levels))
        by_class = np.nan_to_num(prior_weights(problem.priors, counted.astype(np.float64)))
        weight = weight * by_class[cases.outcome]
    return Decided(
        problem=problem,
        scores=_scores(scores),
        decision=_columns(decided.decision, len(problem.decisions)),
        weight=weight,
    )


def _scores(model: ModelScores) -> FloatArray:
    return model.posteriors if model.predicted is None else model.predicted[np.newaxis]


def _columns(decision: AnyArray, width: int) -> IntArray:
    column = decision.astype(np.int64)
    return np.where((column == UNDECIDED) | (column >= width), -1, column)


def decided_cases(problem: DecisionProblem, model: ModelScores, decision: AnyArray) -> Decided:
    """New cases for the check; their frequencies count, priors do not."""
    frequency = problem.frequency
    weight = np.ones(decision.shape[0])
    if frequency is not None:
        weight = np.where(frequency > 0, frequency, 0.0)
    return Decided(
        problem=problem,
        scores=_scores(model),
        decision=_columns(decision, len(problem.decisions)),
        weight=weight,
    )


def _decision_stability(then: Decided, new: Decided) -> Stability:
    width = len(then.problem.decisions) + 1
    shares = [
        np.bincount(part.decision + 1, weights=part.weight, minlength=width).astype(np.float64)
        for part in (then, new)
    ]
    used = (shares[0] + shares[1]) > 0
    if used.sum() < 2:
        return Stability(0.0, 0.0, "stable")
    return stability(
        shares[0][used], shares[1][used], effective_cases(then.weight), effective_cases(new.weight)
    )


def _acted(part: Decided) -> float:
    whole = float(part.weight.sum())
    acted = part.decision == part.problem.acting_index
    return float(part.weight[acted].sum()) / whole if whole > 0 else float("nan")


# ---------------------------------------------------------------- words


_SCORE_WORDS = {
    "stable": "Scores are spread as they were on the evaluated rows",
    "too few cases": "Scores look different, but so few cases can do that by chance",
    "shifted": "Scores have shifted: what was measured at the evaluation may not hold here",
    "another population": "Scores come from another population: the evaluation says little here",
}


def _score_line(found: Stability, then: Decided, new: Decided) -> Advice:
    low, high = np.nanmin(then.scores[0]), np.nanmax(then.scores[0])
    outside = (new.scores[0] < low) | (new.scores[0] > high)
    share = float(new.weight[outside].sum() / new.weight.sum())
    beyond = f" {format_share(share)} lie beyond all evaluated scores." if share > 0 else ""
    return Advice(
        state=_STATES[found.verdict],
        text=f"{_SCORE_WORDS[found.verdict]} (PSI {found.index:.2f}).{beyond}",
        detail="Population stability index over ten bins of the evaluated scores: below 0.1 "
        f"stable, above 0.25 another population. By chance alone up to {found.noise:.2f}.",
    )


def _decisions_line(
    found: Stability, shift: AppliedShift, problem: DecisionProblem, document: Document
) -> Advice:
    act = problem.decisions[problem.acting_index]
    return Advice(
        state=_STATES[found.verdict],
        text=f"“{act}” now {format_share(shift.acted_now)} of the {document.case_word[1]}, "
        f"{format_share(shift.acted_then)} when evaluated (PSI of decisions {found.index:.2f}, "
        f"{found.verdict}).",
        detail="Shares of the evaluated rows are weighted to the priors, where priors are given.",
    )


def _gap_lines(new: Decided, document: Document) -> tuple[Advice, ...]:
    missing = int(np.isnan(new.scores).any(axis=0).sum())
    if not missing:
        return ()
    one, several = document.case_word
    text = f"{format_count(missing)} {one if missing == 1 else several} without a score: undecided."
    return (Advice(state=WARNING, text=text),)


def level_lines(
    table: LoadedTable, document: Document, model: str, context: AssemblyContext
) -> tuple[Advice, ...]:
    """Levels that a model trained here has never seen, with the number of their rows."""
    trained = document.trained_model(model)
    if trained is None:
        return ()
    found = []
    for column in boosted_model(trained, context).columns:
        if not column.levels:
            continue
        codes, levels = data.encode_levels(table, column.name)
        unknown = [place for place, level in enumerate(levels) if level not in column.levels]
        if not unknown:
            continue
        rows = int(np.isin(codes, unknown).sum())
        shown = ", ".join(f"'{levels[place]}'" for place in unknown[:5])
        found.append(
            Advice(
                state=WARNING,
                text=f"{column.name}: {counted(rows, 'row', 'rows')} with levels that the "
                f"model has never seen ({shown}{', …' if len(unknown) > 5 else ''}).",
                detail="They go the way of rare levels in its trees.",
            )
        )
    return tuple(found)


# ---------------------------------------------------------------- a list of a size


def expect_list(document: Document, question: ExpectList, context: AssemblyContext) -> ListResult:
    """Scale the evaluated rows to a list of cases like them."""
    if question.cases < 1:
        raise PayoffError(
            "A list needs at least one case.",
            where=f"list size {question.cases:,}",
            remedy="Type how many cases the list will have.",
        )
    document = replace(
        document,
        models=tuple(m for m in document.models if m.name == question.model),
        reference_model=question.model,
    )
    if not document.models:
        raise PayoffError(f"There is no model '{question.model}'.")
    document = without_useless_scores(document, context)[0]
    depth = document.cursor_depth if question.use_cursor else None
    if depth is None:
        require_probabilities(document, question.model)
        result = analysed(document, context)[1]
        profit = result.models[0]
        total, shares = profit.total, _rule_shares(result.decisions, profit)
        rule = result.rule_text
    else:
        result, reading = analysed_at(document, depth, context)
        total = Estimate(
            value=float(reading.profit[0]),
            low=float(reading.low[0]),
            high=float(reading.high[0]),
            holds_fixed=result.holds_fixed,
        )
        shares = ((result.acting, depth), (result.rest, 1.0 - depth))
        rule = f"“{result.acting}” for the best {format_share(depth)}."
    weights = np.divide(
        result.class_weight,
        result.class_counts,
        out=np.zeros_like(result.class_weight),
        where=result.class_counts > 0,
    )
    size = float(result.class_weight.sum())
    cases = effective_cases(np.repeat(weights, result.class_counts.astype(np.int64)))
    return ListResult(
        cases=question.cases,
        counts=tuple((name, scaled_count(share, question.cases, cases)) for name, share in shares),
        total=scaled_total(total, question.cases, size),
        rule=rule,
        source=result.rows.text,
        warnings=prior_warnings(document),
    )


def _rule_shares(decisions: tuple[str, ...], profit: ModelProfit) -> tuple[tuple[str, float], ...]:
    by_decision = profit.counts.sum(axis=0)
    whole = float(by_decision.sum())
    return tuple(
        (name, float(count) / whole) for name, count in zip(decisions, by_decision, strict=True)
    )


def weigh_hold_out(
    document: Document, question: HoldOutPlan, context: AssemblyContext
) -> HoldOutResult:
    """What keeping a share of the chosen out would cost and could show."""
    cut = cursor_cut_off(document, question.model, context) if question.use_cursor else None
    table = (
        _other_file(document, question, context) if question.path else table_of(document, context)
    )
    everyone = document
    if question.path:  # of another file every row is decided
        everyone = replace(document, split=replace(document.split, where=""))
    decided = decide_table(table, everyone, question.model, cut, context, evaluated=document)
    held = with_hold_out(decided, question.share, question.seed).hold_out
    assert held is not None  # a share was given
    return HoldOutResult(
        chosen=held.chosen,
        held=held.held,
        forgone=held.forgone,
        event_rate=held.event_rate,
        smallest_effect=held.smallest_effect,
        power=POWER,
        significance=SIGNIFICANCE,
    )


def _other_file(document: Document, question: HoldOutPlan, context: AssemblyContext) -> LoadedTable:
    """The file that the rule is applied to, kept in memory while shares are tried."""
    try:
        known = file_stamp(question.path)
    except OSError:
        return context.tables.read(question.path, question.reader, context)  # refuses
    project = document.data
    derived = project.recipe.derived if project is not None else ()
    key = ("applied", question.path, known, question.reader, derived)

    def make() -> tuple[LoadedTable, int]:
        table = context.tables.read(question.path, question.reader, context)
        return with_derived_columns(table, derived), known.size

    found: LoadedTable = context.cache.get_or_make(key, make)
    return found


def reconcile_decisions(
    document: Document, question: Reconcile, context: AssemblyContext
) -> Reconciliation:
    """Compare every row that the row filter lets through, whatever rows the page judges by.

    Raises
    ------
    PayoffError
        If there is no result of the letters, or naming the place of what cannot be read.
    """
    if not question.tolerance >= 0.0:
        raise PayoffError(f"The tolerance is {question.tolerance:g}.", why="It must be 0 or more.")
    target = named_target(document)
    decided = decide_table(table_of(document, context), document, question.model, None, context)
    context.progress(None, "Looking for the cause")
    table = decided.table
    named = dict(question.columns) or carried_columns(table.columns, target.column)
    for letter, column in named.items():
        if letter not in LETTERS:
            raise no_such("result", letter, LETTERS)
        table.require_column(column)

    def place(row: int, column: str, _value: str) -> str:
        return place_of(table, row, column)

    return reconcile_cases(
        decided.problem,
        decided.scores,
        read_carried(table, named, decided.problem.decisions),
        path=table.path,
        place=place,
        tolerance=question.tolerance,
    )
