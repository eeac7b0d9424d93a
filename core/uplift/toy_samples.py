"""The three toy examples as files and projects: the plain area prefers the wrong model."""

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
from core.uplift.toys import Toy, observational, same_capacity, unbalanced
from payoff.types import AnyArray

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
