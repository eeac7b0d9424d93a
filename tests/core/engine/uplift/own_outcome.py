"""Shared by tests of own outcome."""

from __future__ import annotations

from core.document.data.model import ReaderSettings, RowUse
from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec
from core.document.uplift.model import UpliftSpec
from core.engine.messages import LoadArguments
from tests.core.engine.samples import write_csv

from .test_uplift import columns

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
