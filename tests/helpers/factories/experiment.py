"""An experiment with an effect that is known, and the project on it; one with gaps in an amount."""

from __future__ import annotations

import numpy as np

from core.document.data.model import ReaderSettings, RowUse
from core.document.model import (
    Document,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
)
from core.document.uplift.model import UpliftSpec
from core.engine.messages import LoadArguments
from tests.helpers.factories.scored import write_csv

ROWS = 3_000


def columns(seed: int = 1, *, is_random: bool = True) -> dict[str, list[object]]:
    draw = np.random.default_rng(seed)
    x, z = draw.random(ROWS), draw.random(ROWS)
    probability = np.full(ROWS, 0.6) if is_random else 0.15 + 0.7 * x
    arm = np.where(draw.random(ROWS) < probability, "mail", "no mail")
    arm[draw.random(ROWS) < 0.1] = "phone"
    effect = 0.5 * (x - 0.3) * (arm == "mail")
    bought = (draw.random(ROWS) < 0.3 + effect).astype(int)
    return {
        "arm": arm.tolist(),
        "bought": bought.tolist(),
        "x": x.round(4).tolist(),
        "z": z.round(4).tolist(),
        "u": (x - 0.3).round(4).tolist(),
        "noise": draw.random(ROWS).round(4).tolist(),
        "chance": probability.round(4).tolist(),
    }


def document_of(engine, folder, **settings) -> Document:
    path = write_csv(folder / "experiment.csv", columns(**settings))
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    document = Document(
        data=loaded.data,
        target=TargetSpec(column="bought", kind="binary", levels=("1", "0")),
        split=SplitSpec(shares=(0.5, 0.0, 0.5)),
        rows_used=RowUse.ALL,
        uplift=UpliftSpec(treated="mail", control="no mail"),
    )
    roles = [
        RoleAssignment(column="arm", role=Role.TREATMENT),
        RoleAssignment(column="bought", role=Role.TARGET),
        RoleAssignment(column="x", role=Role.INPUT),
        RoleAssignment(column="z", role=Role.INPUT),
        RoleAssignment(column="u", role=Role.SCORE, model="uplift"),
        RoleAssignment(column="noise", role=Role.SCORE, model="noise"),
    ]
    return document.with_roles(tuple(roles))


GAPS = tuple(range(5, 405, 40))


def document_with_gaps(engine, folder) -> Document:
    given = columns()
    arm, x = given["arm"], given["x"]
    spend: list[object] = [
        round(10 * float(value) + (a == "mail"), 3) for value, a in zip(x, arm, strict=True)
    ]
    for row in GAPS:
        spend[row] = ""
    path = write_csv(folder / "experiment.csv", {**given, "spend": spend})
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    document = Document(
        data=loaded.data,
        target=TargetSpec(column="bought", kind="binary", levels=("1", "0")),
        split=SplitSpec(shares=(0.5, 0.0, 0.5)),
        rows_used=RowUse.ALL,
        uplift=UpliftSpec(treated="mail", control="no mail"),
    )
    return document.with_roles(
        (
            RoleAssignment(column="arm", role=Role.TREATMENT),
            RoleAssignment(column="bought", role=Role.TARGET),
            RoleAssignment(column="x", role=Role.INPUT),
            RoleAssignment(column="u", role=Role.SCORE, model="uplift"),
        )
    )


def missing_in_arms(given: dict[str, list[object]]) -> list[int]:
    return [row for row in GAPS if given["arm"][row] != "phone"]
