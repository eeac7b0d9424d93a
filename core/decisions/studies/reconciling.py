"""Decisions of another program beside ours: read, compared, and why they differ.

Things that may be otherwise in another program: priors, ties, costs, signs, digits.

Why decisions of another program differ from ours: one reason, or several that hold together.

The rule is worked out again with one thing changed. Where no change explains every row, the one
that leaves the fewest differences is kept and others are tried on top of it; where none helps
alone, pairs are tried.

Decisions that another program took, beside ours: equal, different, and the likely cause.

Causes are looked for in ``causes``.

Columns of a table that another program decided: read with SAS's special missing values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.data import LoadedTable, column_as_float, column_as_text, place_of
from core.decisions.amounts import CaseAmounts
from core.decisions.passes.cases import decide_cases, return_on_investment
from core.decisions.passes.decision_pass import UNDECIDED
from core.decisions.passes.per_case_values import expected_values, realised_values
from core.decisions.priors import adjust_posteriors, prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import OldPriorKind
from core.document.studies.reconciling import (
    MOST_SHOWN,
    Cause,
    ColumnMatch,
    Reconciliation,
    RowMismatch,
    require_carried,
)
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

__all__ = [
    "Carried",
    "decision_codes",
    "reconcile_cases",
]


NONE = 255


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Carried:
    """What a file says of its cases, amounts in the sense of profit.

    Attributes
    ----------
    columns : mapping of letter to column name
    names : sequence of str
        Text of the decision column, "" where missing; empty without one.
    codes : array (n,) of int
        Its decisions as columns of the matrix; 255 where missing, -1 for no decision of ours.
    amounts : mapping of letter ("EP", "CP", "BP", "IC", "ROI") to array (n,)
    is_loss : mapping of letter to bool
        Whether the file writes losses (EL_, CL_, BL_).
    """

    columns: Mapping[str, str]
    names: tuple[str, ...]
    codes: IntArray
    amounts: Mapping[str, FloatArray]
    is_loss: Mapping[str, bool]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attempt:
    """The rule's results under one assumption."""

    codes: IntArray
    amounts: dict[str, FloatArray]


def as_it_stands(problem: DecisionProblem, model: ModelScores) -> Attempt:
    """The rule's own results."""
    cases = decide_cases(problem, model)
    amounts = {"EP": cases.expected, "CP": cases.computed, "BP": cases.best}
    if cases.investment is not None and cases.roi is not None:
        amounts |= {"IC": cases.investment, "ROI": cases.roi}
    codes = np.where(cases.decision == UNDECIDED, NONE, cases.decision).astype(np.int64)
    return Attempt(codes=codes, amounts=amounts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setup:
    """What is decided, and how: of ties (``tolerance`` None = the usual one) and digits."""

    problem: DecisionProblem
    model: ModelScores
    is_last: bool = False  # the last of tied decisions wins
    tolerance: float | None = None
    decimals: int | None = None  # of amounts

    def work(self) -> Attempt:
        """The results of the rule."""
        if self.is_last or self.tolerance is not None:
            found = _by_ties(self)
        else:
            found = as_it_stands(self.problem, self.model)
        if self.decimals is None:
            return found
        rounded = {key: np.round(each, self.decimals) for key, each in found.amounts.items()}
        return Attempt(codes=found.codes, amounts=rounded)

    def of_rows(self, rows: IntArray) -> Setup:
        """The same for some of the cases of a problem of classes."""
        problem, amounts = self.problem, self.problem.amounts
        if amounts is not None:
            amounts = CaseAmounts(
                values=amounts.values[rows], slopes=amounts.slopes, name=amounts.name
            )
        some = replace(
            problem,
            outcome=None if problem.outcome is None else problem.outcome[rows],
            frequency=None if problem.frequency is None else problem.frequency[rows],
            cost_columns={place: each[rows] for place, each in problem.cost_columns.items()},
            amounts=amounts,
        )
        scores = np.ascontiguousarray(self.model.posteriors[:, rows])
        return replace(self, problem=some, model=replace(self.model, posteriors=scores))


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """A reason to try: its kind and words, and what is decided if it holds."""

    kind: str
    text: str
    remedy: str
    setup: Setup


def tries(setup: Setup, carried: Carried) -> Iterator[Try]:
    """All reasons worth trying on top of a setup."""
    yield from _prior_tries(setup)
    yield from _tie_tries(setup)
    yield from _cost_tries(setup)
    yield from _carried_costs(setup, carried)
    yield from _matrix_tries(setup)
    yield from _digit_tries(setup, carried)


def _prior_tries(setup: Setup) -> Iterator[Try]:
    problem, model = setup.problem, setup.model
    if prior_ratio(problem, model) is not None:
        yield Try(
            "priors",
            "The file's decisions come from the chances as they stand, without our correction to "
            "the priors: they are corrected already, or the other program never did it.",
            "Say that the chances are already corrected.",
            replace(setup, model=replace(model, old_kind=OldPriorKind.CORRECTED, old_priors=None)),
        )
        assert problem.priors is not None
        assert model.old_priors is not None
        twice = adjust_posteriors(model.posteriors, problem.priors, model.old_priors)
        yield Try(
            "priors",
            "The file's decisions come from chances that were corrected to the priors twice.",
            "Correct them once only in the other program.",
            replace(setup, model=replace(model, posteriors=twice)),
        )
        return
    shares = _shares(problem)
    if problem.priors is None or shares is None:
        return
    trained = replace(model, old_kind=OldPriorKind.TRAINED_AT, old_priors=shares)
    yield Try(
        "priors",
        "The file's decisions come from chances corrected to the priors, from the class shares of "
        "these rows.",
        "Say at which shares the model was trained.",
        replace(setup, model=trained),
    )


def _shares(problem: DecisionProblem) -> FloatArray | None:
    """Class shares of the rows with a known outcome; None where a class is missing."""
    if problem.outcome is None:
        return None
    known = problem.outcome >= 0
    weight = None if problem.frequency is None else problem.frequency[known]
    counts = np.bincount(problem.outcome[known], weights=weight, minlength=len(problem.levels))
    return counts / counts.sum() if (counts > 0).all() else None


def _tie_tries(setup: Setup) -> Iterator[Try]:
    yield Try(
        "ties",
        "In ties the file's later decision wins; here the first of the matrix does.",
        "Put the decisions into the other program's order.",
        replace(setup, is_last=True, tolerance=None),
    )
    yield Try(
        "ties",
        "The file's decisions are taken without a tolerance, so rounding noise decides ties; here "
        "a later decision must be better by more than the largest cell times 2⁻⁴¹.",
        "Nothing is lost: tied decisions are worth the same.",
        replace(setup, is_last=False, tolerance=0.0),
    )


def _by_ties(setup: Setup) -> Attempt:
    """The rule with another treatment of ties."""
    problem, model = setup.problem, setup.model
    ours = as_it_stands(problem, model)
    tolerance = problem.tie_tolerance if setup.tolerance is None else setup.tolerance
    values = expected_values(problem, model)
    with np.errstate(invalid="ignore"):
        is_tied = values >= values.max(axis=0) - tolerance
    order = np.arange(values.shape[0])[:, np.newaxis]
    last, first = np.where(is_tied, order, -1).max(axis=0), values.argmax(axis=0)
    codes = np.where(ours.codes == NONE, NONE, last if setup.is_last else first)
    row = np.arange(values.shape[1])
    chosen = np.minimum(codes, values.shape[0] - 1)
    amounts = dict(ours.amounts)
    amounts["EP"] = np.where(codes == NONE, np.nan, values[chosen, row])
    if problem.outcome is not None:
        amounts["CP"] = np.where(codes == NONE, np.nan, realised_values(problem)[chosen, row])
    if "IC" in amounts:
        spent = _costs(problem, values.shape[1])[chosen, row]
        amounts["IC"] = np.where(codes == NONE, np.nan, spent)
        amounts["ROI"] = return_on_investment(amounts["CP"], amounts["IC"])
    return Attempt(codes=codes, amounts=amounts)


def _costs(problem: DecisionProblem, rows: int) -> FloatArray:
    costs = np.zeros((len(problem.decisions), rows))
    costs += problem.constant_costs[:, np.newaxis]
    for decision, column in problem.cost_columns.items():
        costs[decision] = column
    return costs


def _cost_tries(setup: Setup) -> Iterator[Try]:
    problem = setup.problem
    if not problem.has_costs:
        return
    yield Try(
        "costs",
        "The file leaves the costs of the decisions out.",
        "Take the costs away here, or give them there.",
        replace(setup, problem=replace(problem, cost_amounts=None, cost_columns={})),
    )
    amounts = None if problem.cost_amounts is None else -problem.cost_amounts
    turned = replace(
        problem,
        cost_amounts=amounts,
        cost_columns={place: -column for place, column in problem.cost_columns.items()},
    )
    yield Try(
        "costs",
        "The file adds the costs where they are taken off here: their sign is turned round.",
        "Write costs as positive numbers.",
        replace(setup, problem=turned),
    )


def _carried_costs(setup: Setup, carried: Carried) -> Iterator[Try]:
    """Costs that stand in the file's IC_ only, constant by decision."""
    problem = setup.problem
    spent = carried.amounts.get("IC")
    if problem.has_costs or spent is None or not carried.names:
        return
    costs = np.zeros(len(problem.decisions))
    for decision in range(len(costs)):
        own = spent[(carried.codes == decision) & np.isfinite(spent)]
        costs[decision] = np.median(own) if own.size else 0.0
    if not costs.any():
        return
    shown = ", ".join(
        f"{name} {cost:g}" for name, cost in zip(problem.decisions, costs, strict=True)
    )
    yield Try(
        "costs",
        f"The file takes costs into account that are not given here: {shown}.",
        "Give the costs of the decisions.",
        replace(setup, problem=replace(problem, cost_amounts=costs)),
    )


def _matrix_tries(setup: Setup) -> Iterator[Try]:
    problem, model = setup.problem, setup.model
    is_loss = problem.kind is MatrixKind.LOSS
    yield Try(
        "signs",
        f"The file takes the numbers of the matrix for {'profits' if is_loss else 'losses'}: "
        "all signs are turned round.",
        "Switch the kind of the matrix.",
        replace(setup, problem=replace(problem, cells=-problem.cells)),
    )
    if problem.cells.shape[0] == problem.cells.shape[1]:
        turned = replace(problem, cells=np.ascontiguousarray(problem.cells.T))
        yield Try(
            "matrix",
            "The file reads rows and columns of the matrix the other way round.",
            "Swap them in one of the two.",
            replace(setup, problem=turned),
        )
        likely = replace(
            problem,
            cells=np.eye(len(problem.levels)),
            kind=MatrixKind.PROFIT,
            cost_amounts=None,
            cost_columns={},
        )
        yield Try(
            "matrix",
            "The file gives each case its most likely class: the matrix was not used.",
            "Use the decision column, not the predicted class.",
            replace(setup, problem=likely),
        )
    if len(problem.levels) == 2:
        other = np.ascontiguousarray(model.posteriors[::-1])
        yield Try(
            "class",
            "The file uses the chance of the other class.",
            "Check which level the posterior column belongs to.",
            replace(setup, model=replace(model, posteriors=other)),
        )


def _digit_tries(setup: Setup, carried: Carried) -> Iterator[Try]:
    """Amounts written with fewer digits than numbers hold."""
    if not carried.amounts:
        return
    for digits in range(9):
        if all(_fits_digits(values, digits) for values in carried.amounts.values()):
            yield Try(
                "digits",
                f"The file writes amounts with {counted(digits, 'decimal')}.",
                "Compare with a larger tolerance.",
                replace(setup, decimals=digits),
            )
            return


def _fits_digits(values: FloatArray, digits: int) -> bool:
    known = values[np.isfinite(values)]
    return bool(np.all(np.abs(known - np.round(known, digits)) < 1e-12 * np.maximum(1, abs(known))))


MOST_CAUSES = 3
UNKNOWN = -1  # a decision that the matrix does not have
LESS = 0.9  # a reason counts when it leaves at most this share of the differences
PAIR_ROWS = 4_000  # rows on which pairs of reasons are tried


def differences(ours: Attempt, carried: Carried, tolerance: float) -> dict[str, BoolArray]:
    """Letter -> rows that differ; amounts that we cannot know are not compared."""
    found: dict[str, BoolArray] = {}
    if carried.names:
        found["D"] = ours.codes != carried.codes
    for letter, theirs in carried.amounts.items():
        own = ours.amounts.get(letter)
        if own is None:
            own = np.zeros(theirs.shape[0]) if letter == "IC" else np.full(theirs.shape[0], np.nan)
        if letter in ("CP", "BP", "ROI") and not np.isfinite(own).any():
            continue
        found[letter] = _is_apart(own, theirs, tolerance)
    return found


def _is_apart(own: FloatArray, theirs: FloatArray, tolerance: float) -> BoolArray:
    """Missing on both sides is equal, and so is the same infinity."""
    with np.errstate(invalid="ignore"):
        gap = np.abs(own - theirs) > tolerance * np.maximum(1.0, np.abs(own))
    is_one_missing = np.isnan(own) != np.isnan(theirs)
    is_endless = np.isinf(own) | np.isinf(theirs)
    return np.asarray(np.where(is_endless, own != theirs, gap | is_one_missing))


def any_row(is_off: Mapping[str, BoolArray]) -> BoolArray:
    """Rows in which at least one column is off."""
    return np.asarray(np.any(np.stack(list(is_off.values())), axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A try and how many rows differ if it holds."""

    attempt: Try
    left: int

    @property
    def cause(self) -> Cause:
        """The try as page and report word it: what differs, what to do, how many rows it leaves."""
        return Cause(text=self.attempt.text, remedy=self.attempt.remedy, left=self.left)


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """Looks for what explains the differences of a file."""

    carried: Carried
    tolerance: float

    def causes(self, start: Setup, anywhere: BoolArray) -> tuple[Cause, ...]:
        """Alternatives that explain every row; else reasons that hold together, in order.

        Each of the latter but the first has ``is_additional``, and its ``left`` counts what differs
        with those before it.
        """
        singles = self._tried(start, frozenset())
        whole = [entry.cause for entry in singles if entry.left == 0]
        if whole:
            return tuple(whole[:MOST_CAUSES])
        names = self._names(start, anywhere)
        chain = self._chain(singles, int(anywhere.sum()))
        if (chain and chain[-1].left > 0) or not chain:
            chain = self._pair(start, chain)
        causes = [entry.cause for entry in chain]
        causes = [replace(each, is_additional=place > 0) for place, each in enumerate(causes)]
        if names and (not causes or names[0].left < causes[-1].left):
            return (*names, *causes)[:MOST_CAUSES]
        return (*causes, *names)[:MOST_CAUSES]

    def _tried(self, start: Setup, done: frozenset[str]) -> list[_Found]:
        """Every reason of another kind on top of a setup, fewest differences first."""
        found = [
            _Found(attempt, self._left(attempt.setup))
            for attempt in tries(start, self.carried)
            if attempt.kind not in done
        ]
        return sorted(found, key=lambda entry: entry.left)

    def _left(self, setup: Setup) -> int:
        return int(any_row(differences(setup.work(), self.carried, self.tolerance)).sum())

    def _chain(self, singles: list[_Found], now: int) -> list[_Found]:
        """The best reason, the best on top of it, and so on while each leaves fewer."""
        chain: list[_Found] = []
        ahead = singles
        while ahead and len(chain) < MOST_CAUSES and ahead[0].left <= LESS * now:
            chain.append(ahead[0])
            now = ahead[0].left
            if now == 0:
                break
            done = frozenset(entry.attempt.kind for entry in chain)
            ahead = self._tried(chain[-1].attempt.setup, done)
        return chain

    def _pair(self, start: Setup, chain: list[_Found]) -> list[_Found]:
        """Two reasons that explain more together than the chain; tried on some of the rows."""
        problem = start.problem
        rows = start.model.posteriors.shape[1]
        if problem.is_interval or start.model.leaf is not None:
            return chain
        some, part = start, self
        if rows > PAIR_ROWS:
            chosen = np.linspace(0, rows - 1, PAIR_ROWS).astype(np.int64)
            some = start.of_rows(chosen)
            part = Search(_carried_rows(self.carried, chosen), self.tolerance)
        best: tuple[int, Try, Try] | None = None
        for first in tries(some, part.carried):
            for second in part._tried(first.setup, frozenset({first.kind}))[:1]:
                if best is None or second.left < best[0]:
                    best = (second.left, first, second.attempt)
        if best is None:
            return chain
        pair = self._on_all_rows(start, best[1], best[2])
        so_far = chain[-1].left if chain else rows
        return pair if pair and pair[-1].left <= LESS * so_far else chain

    def _on_all_rows(self, start: Setup, first: Try, second: Try) -> list[_Found]:
        """A pair found on some rows, worked out on all of them."""
        for one in tries(start, self.carried):
            if one.text != first.text:
                continue
            for other in tries(one.setup, self.carried):
                if other.text == second.text:
                    return [_Found(each, self._left(each.setup)) for each in (one, other)]
        return []

    def _names(self, start: Setup, anywhere: BoolArray) -> list[Cause]:
        """Decisions of the file that the matrix does not have."""
        codes = self.carried.codes
        if not self.carried.names or not (codes == UNKNOWN).any():
            return []
        strange = np.flatnonzero(codes == UNKNOWN)[:1000]
        names = sorted({self.carried.names[row] for row in strange.tolist()})
        shown = ", ".join(f"“{name}”" for name in names[:5])
        return [
            Cause(
                text=f"The file has decisions that the matrix does not have: {shown}.",
                remedy=f"The matrix has {', '.join(start.problem.decisions)}. Rename them.",
                left=int((anywhere & (codes != UNKNOWN)).sum()),
            )
        ]


def _carried_rows(carried: Carried, rows: np.ndarray) -> Carried:
    return replace(
        carried,
        names=tuple(carried.names[row] for row in rows.tolist()) if carried.names else (),
        codes=carried.codes[rows],
        amounts={letter: values[rows] for letter, values in carried.amounts.items()},
    )


Place = Callable[[int, str, str], str]


def decision_codes(names: tuple[str, ...], decisions: tuple[str, ...]) -> IntArray:
    """Columns of the matrix for names of a file, compared without regard to case and blanks."""
    known = {name.strip().casefold(): place for place, name in enumerate(decisions)}
    known[""] = NONE
    return np.array([known.get(name.strip().casefold(), UNKNOWN) for name in names], dtype=np.int64)


def reconcile_cases(
    problem: DecisionProblem,
    model: ModelScores,
    carried: Carried,
    *,
    path: str,
    place: Place,
    tolerance: float = 1e-6,
) -> Reconciliation:
    """Compare a file's decisions with the rule's, row by row, and look for the cause.

    Parameters
    ----------
    place : function
        ``place(row, column, value)``: where that is in the file, in words.
    tolerance : float
        Largest difference of amounts that counts as equal, times the amount where that is above 1.
    """
    ours = as_it_stands(problem, model)
    is_off = differences(ours, carried, tolerance)
    matches = tuple(
        _column_match(problem, carried, ours, letter, off, place) for letter, off in is_off.items()
    )
    anywhere = any_row(is_off)
    causes: tuple[Cause, ...] = ()
    if anywhere.any():
        search = Search(carried, tolerance)
        causes = search.causes(Setup(problem=problem, model=model), anywhere)
    return Reconciliation(
        path=path,
        model=model.name,
        rows=model.posteriors.shape[1],
        columns=matches,
        different=int(anywhere.sum()),
        causes=causes,
        tolerance=tolerance,
    )


def _column_match(
    problem: DecisionProblem,
    carried: Carried,
    ours: Attempt,
    letter: str,
    off: BoolArray,
    place: Place,
) -> ColumnMatch:
    is_loss = carried.is_loss.get(letter, False)
    column = carried.columns[letter.replace("P", "L") if is_loss else letter]
    rows = np.flatnonzero(off)[:MOST_SHOWN].tolist()
    largest = 0.0
    if letter != "D":
        own = ours.amounts.get(letter, np.full(off.shape[0], np.nan))
        with np.errstate(invalid="ignore"):
            gap = np.abs(own - carried.amounts[letter])[off]
        largest = float(np.max(gap[np.isfinite(gap)], initial=0.0))
    first = []
    for row in rows:
        own_text, their_text = _texts(problem, carried, ours, letter, row)
        where = place(row, column, their_text)
        first.append(RowMismatch(row=row + 1, where=where, ours=own_text, theirs=their_text))
    different = int(off.sum())
    return ColumnMatch(
        column=column,
        letter=letter,
        equal=off.shape[0] - different,
        different=different,
        largest=largest,
        first=tuple(first),
    )


def _texts(
    problem: DecisionProblem, carried: Carried, ours: Attempt, letter: str, row: int
) -> tuple[str, str]:
    if letter == "D":
        code = int(ours.codes[row])
        own = problem.decisions[code] if code != NONE else "none"
        return f"“{own}”", f"“{carried.names[row]}”" if carried.names[row] else "none"
    sign = -1.0 if carried.is_loss.get(letter, False) else 1.0
    own_values = ours.amounts.get(letter)
    own_value = np.nan if own_values is None else sign * own_values[row]
    return _text(own_value), _text(sign * carried.amounts[letter][row])


def _text(value: float) -> str:
    return "missing" if np.isnan(value) else f"{value:.10g}"


_ENDLESS = {"I": np.inf, ".I": np.inf, "INF": np.inf, "M": -np.inf, ".M": -np.inf, "-INF": -np.inf}
_MISSING = ("", ".", "NA", "NAN")


def read_carried(
    table: LoadedTable, columns: dict[str, str], decisions: tuple[str, ...]
) -> Carried:
    """Read the columns that ``carried_columns`` found.

    Raises
    ------
    PayoffError
        If there is none, or naming file, line, row, column and value of what is no number.
    """
    require_carried(columns, table.path)
    names = tuple(column_as_text(table, columns["D"])) if "D" in columns else ()
    amounts, is_loss = {}, {}
    for letter, column in columns.items():
        if letter == "D":
            continue
        key = letter.replace("L", "P") if letter in ("EL", "CL", "BL") else letter
        values = _numbers(table, column)
        is_loss[key] = key != letter
        amounts[key] = -values if key != letter else values
    return Carried(
        columns=columns,
        names=names,
        codes=decision_codes(names, decisions),
        amounts=amounts,
        is_loss=is_loss,
    )


def _numbers(table: LoadedTable, column: str) -> FloatArray:
    """A column as numbers; I and M (SAS .I and .M) are infinities."""
    table.require_column(column)
    if table.kinds[column] in ("integer", "number"):
        return column_as_float(table, column)
    texts = column_as_text(table, column)
    values = np.empty(len(texts))
    for row, text in enumerate(texts):
        mark = text.strip().upper()
        if mark in _MISSING:
            values[row] = np.nan
        elif mark in _ENDLESS:
            values[row] = _ENDLESS[mark]
        else:
            values[row] = _number(table, row, column, text)
    return values


def _number(table: LoadedTable, row: int, column: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise PayoffError(
            f"“{text}” is no amount.",
            where=place_of(table, row, column, text),
            why="Numbers, a point for missing, I and M for infinite are read.",
        ) from None
