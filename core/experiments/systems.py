"""The host of evaluation systems, which are plugins: what fits a protocol, and drawing.

Whatever a system answers is looked at: a bound is valid only where outcomes lie in 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import numpy as np

from core.document.experiments.spec import ExperimentSpec, ProtocolFacts
from core.experiments.market import traded
from core.experiments.study import Study
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.parameters import resolve_parameters
from payoff.systems import DrawnSystem, EvaluationSystem, Prices, Subjects, SystemRows
from payoff.types import FloatArray, IntArray

FindSystem = Callable[[str], EvaluationSystem]


def fits(system: EvaluationSystem, facts: ProtocolFacts) -> bool:
    """Whether a system is offered for a protocol: by name, else by what it needs of the rows."""
    if system.protocols:
        return facts.id in system.protocols
    return all(need.value in facts.gives for need in system.needs)


def systems_of(facts: ProtocolFacts, systems: Iterable[EvaluationSystem]) -> list[EvaluationSystem]:
    """The systems that fit a protocol, the usual one first, further ones as they come."""
    fitting = [system for system in systems if fits(system, facts)]
    usual = {name: place for place, name in enumerate(facts.systems)}
    return sorted(fitting, key=lambda system: usual.get(system.id, len(usual)))


def check_system(spec: ExperimentSpec, find_system: FindSystem) -> EvaluationSystem:
    """The system that settled parts ask for.

    Raises
    ------
    PayoffError
        If nobody offers it, it does not fit the protocol, or a parameter is not possible.
    """
    system = find_system(spec.system)
    if not fits(system, spec.facts):
        raise PayoffError(
            f"The evaluation system '{system.id}' does not fit {spec.facts.label}.",
            why=f"It is made for {', '.join(system.protocols)}."
            if system.protocols
            else f"The rows lack what it needs: {', '.join(system.needs)}.",
            remedy=f"Ours are: {', '.join(spec.facts.systems)}.",
        )
    resolve_parameters(system.parameters, dict(spec.system_parameters))
    return system


def system_rows(study: Study, *, is_paper: bool) -> SystemRows:
    """The rows of a study as a system sees them."""
    market = study.market
    return SystemRows(
        names=study.names,
        conditions=study.standard,
        parameters=study.parameters,
        outcome=study.outcome,
        prices=None
        if market is None
        else Prices(
            returns=market.returns, in_train=market.in_train, earned=partial(traded, market)
        ),
        is_paper=is_paper,
    )


def draw_system(
    study: Study,
    subjects: Subjects,
    draw: np.random.Generator,
    system: EvaluationSystem,
    spec: ExperimentSpec,
) -> DrawnSystem:
    """Draw a system over the rows of a study; what it answers is checked from here on."""
    values = resolve_parameters(system.parameters, dict(spec.system_parameters))
    drawn = system.draw(system_rows(study, is_paper=spec.is_paper), subjects, draw, values)
    if not isinstance(drawn, DrawnSystem):
        raise PayoffError(
            f"The evaluation system '{system.id}' drew nothing.",
            why=f"It gave {type(drawn).__name__} instead of a DrawnSystem.",
        )

    def answer(rows: IntArray, others: Subjects) -> FloatArray:
        return _checked(drawn.answer(rows, others), len(rows), system.id)

    return replace(drawn, outcome=_checked(drawn.outcome, study.rows, system.id), answer=answer)


def _checked(values: object, count: int, system: str) -> FloatArray:
    """Outcomes, if they are one number in 0 to 1 per row."""
    found: FloatArray = np.asarray(values, dtype=np.float64)
    if found.shape != (count,):
        why = f"It gave an array of shape {found.shape} for {counted(count, 'row')}."
    elif not np.all((found >= 0.0) & (found <= 1.0)):
        place = int(np.flatnonzero(~((found >= 0.0) & (found <= 1.0)))[0])
        why = f"Row {place + 1} has the outcome {found[place]:g}; outcomes lie in 0 to 1."
    else:
        return found
    raise PayoffError(f"The evaluation system '{system}' gave outcomes that cannot be.", why=why)
