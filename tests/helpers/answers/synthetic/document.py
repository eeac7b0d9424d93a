"""The document of the campaign."""

from __future__ import annotations

from core.document.data.model import DataRef, RowUse
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import (
    Document,
    MetricChoice,
    ModelSpec,
    OldPriorKind,
    OldPriors,
    Role,
    RoleAssignment,
    TargetSpec,
)
from tests.helpers.answers.synthetic.campaign import LETTER, MARGIN, MODELS
from tests.helpers.answers.synthetic.evaluation import _metric_infos


def make_document(rows: int = 20_000) -> Document:
    """The project these results belong to."""
    columns = ("customer", "respond", "p_gbm", "p_logit", "p_agency", "use")
    roles = (
        RoleAssignment(column="customer", role=Role.ID),
        RoleAssignment(column="respond", role=Role.TARGET),
        *(
            RoleAssignment(column=column, role=Role.POSTERIOR, model=model, level="1")
            for column, model in zip(columns[2:5], MODELS, strict=True)
        ),
        RoleAssignment(column="use", role=Role.ROW_USE),
    )
    trained_at = OldPriors(kind=OldPriorKind.TRAINED_AT, shares=(("1", 0.248), ("0", 0.752)))
    return Document(
        name="Spring mailing",
        case_word=("customer", "customers"),
        data=DataRef(
            path="spring_mailing.csv",
            content_hash="0" * 64,
            rows=2 * rows,
            columns=columns,
            size_bytes=3_000_000,
        ),
        roles=roles,
        target=TargetSpec(
            column="respond",
            kind="binary",
            levels=("1", "0"),
            labels=("responds", "does not respond"),
        ),
        rows_used=RowUse.VALIDATION,
        models=tuple(
            ModelSpec(name=name, series=index, old_priors=trained_at if index == 0 else OldPriors())
            for index, name in enumerate(MODELS)
        ),
        reference_model=MODELS[0],
        matrix=MatrixSpec(
            template="direct_mail",
            kind=MatrixKind.PROFIT,
            levels=("1", "0"),
            decisions=("Mail", "Do nothing"),
            cells=((MARGIN, 0.0), (-LETTER, 0.0)),
            acting="Mail",
            parameters=(("cost", LETTER), ("margin", MARGIN + LETTER)),
            do_nothing="Do nothing",
        ),
        priors=(("1", 0.05), ("0", 0.95)),
        metrics=tuple(MetricChoice(metric=info.metric) for info in _metric_infos()),
        cursor_depth=0.213,
    )
