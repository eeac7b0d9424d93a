"""A small scored file and the project on it; a record of every kind of plain value."""

import numpy as np

from core.document.data.results import ColumnDetail, ColumnSummary


def detail(bins):
    """A result with arrays, NaN, infinities and every kind of plain value."""
    summary = ColumnSummary(
        name="größe",
        kind="number",
        rows=bins,
        missing=3,
        distinct=-1,
        minimum=float("-inf"),
        mean=float("nan"),
        levels=(("a", 1), ("b", 2)),
        histogram=(1, 2, 3),
        edges=(0.5, 1.5, 2.5, float("inf")),
    )
    return ColumnDetail(
        summary=summary,
        bins=tuple(str(index) for index in range(4)),
        levels=("yes", "no"),
        by_level=np.arange(2.0 * bins).reshape(2, bins) / 3.0,
    )


def scored_columns(rows=2_000, seed=3, levels=("yes", "no")):
    """A made-up scored file: outcome, chances of two models, weight, cost, id, use of rows."""
    random = np.random.default_rng(seed)
    latent = random.normal(size=rows)
    probability = 1 / (1 + np.exp(-(1.4 * latent - 1.5)))
    event = random.random(rows) < probability
    rough = 1 / (1 + np.exp(-(0.7 * latent + random.normal(size=rows) - 1.2)))
    return {
        "case_id": [f"c{index:06d}" for index in range(rows)],
        "outcome": [levels[0] if happened else levels[1] for happened in event],
        "p_good": np.round(probability, 6),
        "p_rough": np.round(rough, 6),
        "cost": np.round(1.0 + random.random(rows), 2),
        "use": ["validation" if index % 2 else "test" for index in range(rows)],
    }


def write_csv(path, columns):
    """Write columns as a plain CSV file."""
    names = list(columns)
    lines = [",".join(names)]
    for values in zip(*columns.values(), strict=True):
        lines.append(",".join("" if value is None else str(value) for value in values))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def scored_document(data, **changes):
    """The project of ``scored_columns``: two models, a profit matrix with break-even 0.2."""
    from dataclasses import replace

    from core.document.data.model import RowUse
    from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
    from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec

    document = Document(
        name="Scored",
        data=data,
        target=TargetSpec(column="outcome", kind="binary", levels=("yes", "no")),
        split=SplitSpec(
            column="use", meaning=(("validation", RowUse.VALIDATION), ("test", RowUse.TEST))
        ),
        matrix=MatrixSpec(
            template="payoff.profit",
            kind=MatrixKind.PROFIT,
            levels=("yes", "no"),
            decisions=("Act", "Wait"),
            cells=((8.0, 0.0), (-2.0, 0.0)),
            acting="Act",
            do_nothing="Wait",
        ),
    ).with_roles(
        (
            RoleAssignment(column="case_id", role=Role.ID),
            RoleAssignment(column="outcome", role=Role.TARGET),
            RoleAssignment(column="p_good", role=Role.POSTERIOR, model="good", level="yes"),
            RoleAssignment(column="p_rough", role=Role.POSTERIOR, model="rough", level="yes"),
            RoleAssignment(column="cost", role=Role.COST),
            RoleAssignment(column="use", role=Role.ROW_USE),
        )
    )
    return replace(document, **changes)
