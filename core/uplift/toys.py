"""The report's three toy examples: data on which the plain area prefers the wrong model.

Renaudin and Martin, sections 5.1 to 5.3. Every group of cases has the same true effect; ``u`` is
the true uplift, the other score a worse model that the plain area prefers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Toy:
    """One example as columns of a table, each (n,)."""

    id: str
    title: str
    lesson: str
    outcome: FloatArray
    treated: FloatArray
    group: tuple[str, ...]
    propensity: FloatArray
    scores: dict[str, FloatArray]


@dataclass(frozen=True, slots=True)
class _Group:
    """A kind of customer: cases of each arm, and how many of them respond."""

    name: str
    treated: int
    control: int
    treated_responders: int
    control_responders: int
    scores: tuple[float, ...]


def _toy(
    toy: str,
    title: str,
    lesson: str,
    scores: tuple[str, ...],
    groups: tuple[_Group, ...],
    copies: int,
) -> Toy:
    rows: list[tuple[float, float, str, float, tuple[float, ...]]] = []
    for group in groups:
        probability = group.treated / (group.treated + group.control)
        arms = (
            (1.0, group.treated, group.treated_responders),
            (0.0, group.control, group.control_responders),
        )
        for arm, size, responders in arms:
            for place in range(size):
                response = 1.0 if place < responders else 0.0
                rows.append((response, arm, group.name, probability, group.scores))
    rows = rows * copies
    return Toy(
        id=toy,
        title=title,
        lesson=lesson,
        outcome=np.array([row[0] for row in rows]),
        treated=np.array([row[1] for row in rows]),
        group=tuple(row[2] for row in rows),
        propensity=np.array([row[3] for row in rows]),
        scores={
            name: np.array([row[4][place] for row in rows]) for place, name in enumerate(scores)
        },
    )


def observational(copies: int = 1) -> Toy:
    """Four kinds of customers who were not treated by lot; 48 cases a copy.

    Convinced by the offer (CO), sure things (ST), lost causes (LC), put off by it (SD). Sure things
    were treated most often, so that they look like an effect.
    """
    return _toy(
        "toy_observational",
        "Treated by choice",
        "Sure things were treated most, so the plain area rewards ranking them first. With each "
        "case's own chance of treatment on both axes the true model wins, 3/16 against 1/16.",
        ("u", "u_n"),
        (
            _Group("CO", 3, 9, 3, 0, (1.0, 0.0)),
            _Group("ST", 10, 2, 10, 2, (0.0, 1.0)),
            _Group("LC", 5, 7, 0, 0, (0.0, 1.0)),
            _Group("SD", 6, 6, 0, 6, (-1.0, -1.0)),
        ),
        copies,
    )


def unbalanced(copies: int = 1) -> Toy:
    """The same customers drawn by lot, three of four treated; 48 cases a copy."""
    return _toy(
        "toy_unbalanced",
        "Three of four treated",
        "The plain area gains from telling sure things from lost causes, which no treatment "
        "changes. Re-balanced on both axes the two rankings are worth the same, 3/16.",
        ("u", "u_d"),
        (
            _Group("CO", 9, 3, 9, 0, (1.0, 1.0)),
            _Group("ST", 9, 3, 9, 3, (0.0, 0.5)),
            _Group("LC", 9, 3, 0, 0, (0.0, 0.0)),
            _Group("SD", 9, 3, 0, 3, (-1.0, -1.0)),
        ),
        copies,
    )


def same_capacity(copies: int = 1) -> Toy:
    """Two kinds of customers, one in ten treated; 200 cases a copy."""
    return _toy(
        "toy_few_treated",
        "One in ten treated",
        "With few treated cases every slope of the plain curve is negative and the worse ranking "
        "wins. The generalised area gives 0.0875 to the true one and 0.0625 to the other.",
        ("u", "u_hat"),
        (
            _Group("X1", 10, 90, 4, 18, (0.2, 0.1)),
            _Group("X2", 10, 90, 2, 9, (0.1, 0.2)),
        ),
        copies,
    )


TOYS = (observational, unbalanced, same_capacity)
