"""Checks of evaluation systems, drawn over small made-up rows with subjects of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from payoff.counting import counted, counted_of
from payoff.errors import PayoffError
from payoff.parameters import Parameters, resolve_parameters
from payoff.systems import DrawnSystem, EvaluationSystem, Prices, Subjects, SystemRows
from payoff.testing.checks import Check, CheckFailedError, require, require_close
from payoff.testing.settings import end_settings, settings_of
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import SystemNeed, TradePrice

SEED = 20261
_ROWS = 80
_WIDTH = 4
_SPREADS = 6.0  # standard deviations that noise may be off


def _earned(
    rows: IntArray, theta: FloatArray, *, cost: float = 0.0, price: TradePrice = TradePrice.OPEN
) -> tuple[FloatArray, FloatArray]:
    """Made-up earnings: they follow the subject, the costs and the price."""
    delay = 0.5 if price == TradePrice.CLOSE_BEFORE else 0.0
    trades = 1.0 + np.abs(np.tanh(theta[:, 1]))
    earned: FloatArray = np.sin(rows + delay) * np.tanh(theta[:, 0]) - cost * trades
    return earned, trades


def _rows_of(system: EvaluationSystem, count: int = _ROWS, *, is_paper: bool = False) -> SystemRows:
    """Rows that have what the system needs, and nothing else."""
    random = np.random.default_rng(SEED)
    conditions = random.standard_normal((count, _WIDTH))
    conditions = (conditions - conditions.mean(axis=0)) / conditions.std(axis=0)
    needs = set(system.needs)
    outcome = None
    if SystemNeed.BINARY in needs:
        outcome = (np.arange(count) % 3 == 0).astype(np.float64)
    elif SystemNeed.OUTCOME in needs:
        outcome = np.round(random.random(count), 3)
    prices = Prices(
        returns=random.standard_normal(count), in_train=np.arange(count) % 4 < 3, earned=_earned
    )
    return SystemRows(
        names=tuple(f"x{place}" for place in range(_WIDTH)),
        conditions=conditions,
        parameters=_WIDTH + 1,
        outcome=outcome,
        prices=prices if SystemNeed.PRICES in needs else None,
        is_paper=is_paper,
    )


def _subjects(rows: SystemRows, seed: int = SEED) -> Subjects:
    theta = np.random.default_rng(seed).standard_normal((rows.count, rows.parameters))
    return Subjects(theta=theta, features=theta)


def _drawn(
    system: EvaluationSystem, rows: SystemRows, values: Parameters, seed: int = SEED
) -> DrawnSystem:
    drawn = system.draw(rows, _subjects(rows), np.random.default_rng(seed), values)
    require(
        isinstance(drawn, DrawnSystem), f"draw gave {type(drawn).__name__} instead of DrawnSystem"
    )
    return drawn


def _in_range(values: object, count: int, what: str) -> FloatArray:
    """Values as an array, if they are ``count`` numbers in 0 to 1."""
    found = np.asarray(values)
    require(found.dtype == np.float64, f"{what} is of {found.dtype} instead of float64")
    require(found.shape == (count,), f"{what} has shape {found.shape} instead of ({count},)")
    require(np.isfinite(found).all(), f"{what} holds a value that is not finite")
    require(
        found.min() >= 0.0 and found.max() <= 1.0,
        f"{what} goes from {found.min():g} to {found.max():g}, beyond 0 to 1",
    )
    return found


def _all_settings(system: EvaluationSystem) -> Iterator[tuple[SystemRows, Parameters]]:
    for is_paper in (False, True):
        rows = _rows_of(system, is_paper=is_paper)
        for values in settings_of(system.parameters, 2):
            yield rows, values


def _outcomes(system: EvaluationSystem) -> str:
    lowest, highest = 1.0, 0.0
    for rows, values in _all_settings(system):
        drawn = _drawn(system, rows, values)
        outcome = _in_range(drawn.outcome, rows.count, "the outcome")
        answer = drawn.answer(np.arange(rows.count), _subjects(rows, SEED + 1))
        _in_range(answer, rows.count, "the answer")
        require(outcome.std() > 0.0, "every row has the same outcome: nothing can be learned")
        require(isinstance(drawn.note, str), "note must be a text")
        lowest, highest = min(lowest, outcome.min()), max(highest, outcome.max())
    return f"{lowest:g} to {highest:g}"


def _agreement(system: EvaluationSystem) -> str:
    """The answer for the rows' own subjects is what was measured, but for noise that averages."""
    for rows, values in _all_settings(system):
        drawn = _drawn(system, rows, values)
        expected = drawn.answer(np.arange(rows.count), _subjects(rows))
        apart = float(np.abs(np.sum(drawn.outcome - expected)))
        allowed = _SPREADS * float(np.sqrt(np.sum(expected * (1.0 - expected)))) + 1e-9
        require(apart <= allowed, f"the sums are {apart:.3g} apart; noise explains {allowed:.3g}")
        if np.all((expected == 0.0) | (expected == 1.0)):
            require_close(drawn.outcome, expected, "outcome and answer", tolerance=0.0)
    return "agree"


def _global_numbers() -> str:
    """The state of numpy's global random numbers."""
    state = np.random.get_state(legacy=False)
    return repr((state["state"]["pos"], state["state"]["key"].tobytes()))


def _repeatable(system: EvaluationSystem) -> str:
    rows = _rows_of(system)
    values = resolve_parameters(system.parameters)
    kept, conditions = dict(values), rows.conditions.copy()
    outcome = None if rows.outcome is None else rows.outcome.copy()
    state = _global_numbers()
    first, again = (_drawn(system, rows, values) for _ in range(2))
    others, places = _subjects(rows, SEED + 1), np.arange(rows.count)
    answers = [drawn.answer(places, others) for drawn in (first, again, first)]
    require_close(again.outcome, first.outcome, "the same draw again", tolerance=0.0)
    for answer in answers[1:]:
        require_close(answer, answers[0], "the same answer again", tolerance=0.0)
    require(values == kept, "the parameters were changed")
    require(np.array_equal(rows.conditions, conditions), "the conditions were changed")
    require(
        outcome is None or np.array_equal(np.asarray(rows.outcome), outcome),
        "the real outcome was changed",
    )
    is_own = _global_numbers() == state
    require(is_own, "it drew from numpy's global random numbers, not from those it was given")
    return "same again"


def _some_rows(system: EvaluationSystem) -> str:
    """An answer belongs to its row and subject, whatever else is asked at the same time."""
    rows = _rows_of(system)
    drawn = _drawn(system, rows, resolve_parameters(system.parameters))
    others = _subjects(rows, SEED + 1)
    whole = drawn.answer(np.arange(rows.count), others)
    places = np.array([17, 3, 41, 3], dtype=np.int64)
    few = Subjects(theta=others.theta[places], features=others.features[places])
    return require_close(drawn.answer(places, few), whole[places], "some rows", tolerance=1e-12)


def _subject_matters(system: EvaluationSystem) -> str:
    rows = _rows_of(system)
    drawn = _drawn(system, rows, resolve_parameters(system.parameters))
    places = np.arange(rows.count)
    answers = [drawn.answer(places, _subjects(rows, SEED + seed)) for seed in (0, 1)]
    moved = int(np.sum(answers[0] != answers[1]))
    require(moved, "another subject never changes the outcome: there is no effect to measure")
    return f"in {counted_of(moved, rows.count, 'row')}"


def _needs(system: EvaluationSystem) -> str:
    """What it needs and does not find is refused in words."""
    rows, values = _rows_of(system), resolve_parameters(system.parameters)
    lacking: list[SystemRows] = []
    if rows.outcome is not None:
        lacking.append(replace(rows, outcome=None))
    if SystemNeed.BINARY in system.needs:
        lacking.append(replace(rows, outcome=np.ones(rows.count)))
    if rows.prices is not None:
        lacking.append(replace(rows, prices=None))
    for entry in lacking:
        try:
            _drawn(system, entry, values)
        except PayoffError:
            continue
        raise CheckFailedError("rows without what it says it needs were taken")
    return f"{len(lacking)} refused" if lacking else "it needs nothing"


def _ends(system: EvaluationSystem) -> str:
    settings = end_settings(system.parameters)
    rows = _rows_of(system)
    for values in settings:
        _in_range(_drawn(system, rows, values).outcome, rows.count, f"the outcome at {values}")
    return f"{len(settings)} ends" if settings else "no ends"


def _parameters_matter(system: EvaluationSystem) -> str:
    rows, usual = _rows_of(system), resolve_parameters(system.parameters)
    places, others = np.arange(rows.count), _subjects(rows, SEED + 1)

    def found(values: Parameters) -> FloatArray:
        """Outcome and answers at a setting."""
        drawn = _drawn(system, rows, values)
        return np.concatenate([drawn.outcome, drawn.answer(places, others)])

    before = found(usual)
    for item in system.parameters:
        tried = [*settings_of((item,))[1:], *end_settings((item,))]
        is_felt = any(
            not np.array_equal(found({**usual, item.name: values[item.name]}), before)
            for values in tried
        )
        require(is_felt, f"'{item.words}' changes nothing")
    return counted(len(system.parameters), "parameter")


def _few_rows(system: EvaluationSystem) -> str:
    rows = _rows_of(system, 4)
    try:
        drawn = _drawn(system, rows, resolve_parameters(system.parameters))
    except PayoffError as refusal:
        return f"refused: {refusal}"
    _in_range(drawn.outcome, rows.count, "the outcome")
    return "4 rows"


def _words(system: EvaluationSystem) -> str:
    for item in system.parameters:
        require(item.words.strip(), f"the parameter '{item.name}' has no words")
    require(len(system.label) <= 40, "the label is longer than 40 characters")
    return system.label


SYSTEM_CHECKS: tuple[Check[EvaluationSystem], ...] = (
    Check("Outcomes lie in 0 to 1", _outcomes),
    Check("Outcome and answer agree", _agreement),
    Check("Same answer again, inputs untouched", _repeatable),
    Check("Answers belong to their rows", _some_rows),
    Check("The subject matters", _subject_matters),
    Check("What it needs is asked for", _needs),
    Check("Ends of the parameters' ranges work", _ends),
    Check("Every parameter matters", _parameters_matter),
    Check("A few rows are no trouble", _few_rows),
    Check("Words are there", _words),
)
