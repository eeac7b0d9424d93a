"""The report's three toy examples: data on which the plain area prefers the wrong model.

Renaudin and Martin, sections 5.1 to 5.3. Every group of cases has the same true effect; ``u`` is
the true uplift, the other score a worse model that the plain area prefers.

The three toy examples as files and projects: the plain area prefers the wrong model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.data.samples import sample_data
from core.data.writing import write_columns
from core.document.data.model import RowUse
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from core.document.uplift.model import UpliftSpec
from payoff.types import AnyArray, FloatArray


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


COPIES = {"toy_observational": 40, "toy_unbalanced": 40, "toy_few_treated": 10}
METRICS = (
    "plain_uplift",
    "qini_joint_absolute",
    "uplift_separate_absolute",
    "joint_relative",
    "net_uplift",
)
"""Of the table: the wrong ones first, what puts it right last."""


@dataclass(frozen=True, slots=True)
class ToySample:
    """One example: key of the sample, its title, and how it is made."""

    key: str
    title: str
    make: Callable[[int], Toy]

    @property
    def file(self) -> str:
        """Name of the data file."""
        return f"{self.key.replace('-', '_')}.csv"


TOY_SAMPLES = (
    ToySample("toy-observational", "Treated by choice", observational),
    ToySample("toy-unbalanced", "Three of four treated", unbalanced),
    ToySample("toy-few-treated", "One in ten treated", same_capacity),
)


def toy_of(sample: ToySample) -> Toy:
    """The example in as many copies as its sample holds."""
    return sample.make(COPIES[sample.file.removesuffix(".csv")])


def write_toy(sample: ToySample, folder: str) -> str:
    """Write an example's cases; the same bytes every time. Returns the path."""
    toy = toy_of(sample)
    columns: dict[str, AnyArray | list[str]] = {
        "customer_id": [f"C{number}" for number in range(1, len(toy.outcome) + 1)],
        "kind": list(toy.group),
        "offer": ["yes" if arm else "no" for arm in toy.treated],
        "chance_of_offer": np.round(toy.propensity, 9),
        "bought": toy.outcome.astype(np.int64),
        **toy.scores,
    }
    path = Path(folder) / sample.file
    write_columns(str(path), columns)
    return str(path)


def toy_document(sample: ToySample, path: str) -> Document:
    """The project that goes with an example.

    Its table of metrics shows the plain area preferring the wrong model, and the net uplift with
    each case's own chance on both axes putting it right.
    """
    toy = toy_of(sample)
    first, second = toy.scores
    names = ("customer_id", "kind", "offer", "chance_of_offer", "bought", first, second)
    return Document(
        name=sample.title,
        case_word=("customer", "customers"),
        data=sample_data(path, names, len(toy.outcome)),
        target=TargetSpec(column="bought", kind="binary", levels=("1", "0")),
        rows_used=RowUse.ALL,
        uplift=UpliftSpec(
            treated="yes",
            control="no",
            drawn_by_lot=sample.key != "toy-observational",
            metrics=METRICS,
            note=toy.lesson,
        ),
    ).with_roles(
        (
            RoleAssignment(column="customer_id", role=Role.ID, reason="one of its own"),
            RoleAssignment(column="kind", role=Role.INPUT, reason="known before the offer"),
            RoleAssignment(column="offer", role=Role.TREATMENT, reason="who got the offer"),
            RoleAssignment(
                column="chance_of_offer", role=Role.PROPENSITY, reason="known by construction"
            ),
            RoleAssignment(column="bought", role=Role.TARGET, reason="what came of it"),
            RoleAssignment(column=first, role=Role.SCORE, model="true effect", reason="score"),
            RoleAssignment(column=second, role=Role.SCORE, model="worse model", reason="score"),
        )
    )
