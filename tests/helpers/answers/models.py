"""A mailing with inputs, a trained model and what the engine would answer about training."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.document.data.model import DataRef, RowUse
from core.document.data.results import ColumnSummary, TableSummary
from core.document.model import Document, ModelSpec, Role, RoleAssignment, SplitSpec, TrainedModel
from core.document.studies.models import (
    CaseChange,
    CaseCurve,
    CaseInput,
    CasePart,
    CaseVerdict,
    CaseWhatIfResult,
    OneCaseResult,
)
from core.document.training_results import (
    DependenceCurve,
    DependenceMap,
    DistributionInfo,
    DistributionsResult,
    ExplainResult,
    Influence,
    InputInfo,
    Interaction,
    LossLine,
    TrainingCurves,
)
from core.questions.explain import CaseWhatIf
from payoff.parameters import Parameter
from payoff.vocabulary import PlainWords
from tests.helpers.answers.synthetic import make_document

INPUTS = (
    "orders_12m",
    "last_order",
    "basket_mean",
    "age",
    "region",
    "tenure",
    "visits",
    "newsletter",
)
SPLIT = SplitSpec(
    column="use",
    meaning=(
        ("train", RowUse.TRAIN),
        ("validation", RowUse.VALIDATION),
        ("test", RowUse.TEST),
    ),
)
TRAINED = TrainedModel(
    name="gbm 1",
    distribution="bernoulli",
    target="respond",
    features=INPUTS,
    n_trees=1500,
    interaction_depth=4,
    shrinkage=0.01,
    model_hash="a" * 64,
    trees=1240,
    trees_used=940,
    class_shares=(("1", 0.248), ("0", 0.752)),
)
INFLUENCE = (
    ("orders_12m", 0.314),
    ("last_order", 0.228),
    ("basket_mean", 0.131),
    ("age", 0.096),
    ("region", 0.072),
    ("tenure", 0.064),
    ("visits", 0.055),
    ("newsletter", 0.04),
)


def document_with_inputs(*, has_trained: bool = True, has_training_rows: bool = True) -> Document:
    """The mailing with inputs; with a trained model beside the imported ones if wanted."""
    base = make_document()
    columns = (*base.data.columns, *INPUTS, "constant")
    assert isinstance(base.data, DataRef)
    roles = (
        *base.roles,
        *(RoleAssignment(column=column, role=Role.INPUT) for column in (*INPUTS, "constant")),
    )
    split = SPLIT if has_training_rows else replace(SPLIT, meaning=SPLIT.meaning[1:])
    document = replace(base, data=replace(base.data, columns=columns), roles=roles, split=split)
    if not has_trained:
        return document
    models = (
        *document.models,
        ModelSpec(name="gbm 1", series=len(document.models), trained=TRAINED),
    )
    return replace(document, models=models)


def summary_of(document: Document) -> TableSummary:
    """The loaded file of that document."""
    assert document.data is not None
    rows = document.data.rows
    columns = tuple(_column(name, rows) for name in document.data.columns)
    return TableSummary(
        data=document.data,
        columns=columns,
        roles=document.roles,
        target=document.target,
        split=document.split,
        warnings=(),
        seconds=0.1,
    )


def _column(name: str, rows: int) -> ColumnSummary:
    if name == "respond":
        levels = (("0", round(rows * 0.95)), ("1", round(rows * 0.05)))
        return ColumnSummary(
            name=name, kind="integer", rows=rows, missing=0, distinct=2, levels=levels
        )
    distinct = 1 if name == "constant" else -1
    return ColumnSummary(name=name, kind="number", rows=rows, missing=0, distinct=distinct)


def _bernoulli() -> DistributionInfo:
    """The usual distribution of a yes or no, with its picture."""
    score = np.linspace(-4.0, 4.0, 41)
    lines = (
        LossLine(words="responds", x=score, y=2 * np.log1p(np.exp(-score))),
        LossLine(words="does not respond", x=score, y=2 * np.log1p(np.exp(score))),
    )
    return DistributionInfo(
        id="bernoulli",
        label="Bernoulli",
        asks="a yes or no",
        help="Logistic loss.",
        formula="mean of −2 w (y F − log(1 + e^F))",
        reference="Friedman 2001",
        target_words="a yes or no",
        fits=True,
        is_usual=True,
        plain=PlainWords(
            "Chance of yes",
            "Learns how likely a yes is for each case.",
            "when decisions and profit need true chances.",
        ),
        picture=lines,
        domain="binary",
        watches=(("deviance", "loss"), ("profit", "profit"), ("auc", "AUC")),
    )


def offered() -> DistributionsResult:
    """Three distributions that fit a yes or no, one that does not, and one of a plugin."""
    fitting = _bernoulli()
    other = replace(fitting, plain=None, is_usual=False)
    return DistributionsResult(
        target="respond",
        distributions=(
            fitting,
            replace(other, id="adaboost", label="AdaBoost"),
            replace(
                other,
                id="huberized",
                label="Huberized hinge",
                is_usual=False,
            ),
            replace(
                other,
                id="focal",
                label="Focal loss",
                help="Looks at hard cases.",
                picture=(),
                parameters=(
                    Parameter(name="gamma", words="Focus", default=2.0, minimum=0.0, maximum=5.0),
                ),
            ),
            replace(
                other,
                id="poisson",
                label="Poisson",
                domain="counts",
                fits=False,
                reason="respond has two values; a count needs more.",
            ),
            replace(
                other,
                id="coxph",
                label="Cox",
                domain="time_event",
                fits=True,
                needs=("event",),
                uses=("entry", "strata"),
                watches=(("deviance", "loss"), ("concordance", "Concordance")),
            ),
        ),
        inputs=(
            *(InputInfo(column=column, kind="number", can_train=True) for column in INPUTS),
            InputInfo(
                column="constant",
                kind="number",
                can_train=False,
                reason="the same in every row",
                is_usual=False,
            ),
            InputInfo(
                column="customer",
                kind="nominal",
                can_train=True,
                reason="names the case",
                is_usual=False,
                levels=40_000,
            ),
        ),
        rows=(("train", 50_000), ("validation", 20_000), ("test", 20_000)),
    )


def curves_at(model: str, done: int = 1290, wanted: int = 3000) -> TrainingCurves:
    """A training as it stands after some trees."""
    trees = np.arange(1.0, done + 1.0)
    fall = np.exp(-trees / 280.0)
    train = 0.262 + 0.134 * fall - 0.000012 * trees
    valid = 0.2955 + 0.1015 * fall + 2.4e-9 * np.maximum(0.0, trees - 1100) ** 2
    oob = 0.3965 - (0.2995 + 0.097 * fall)
    return TrainingCurves(
        model=model,
        trees=trees,
        train=train,
        valid=valid,
        oob=oob,
        watched=np.full(done, np.nan),
        crossed=np.full(done, np.nan),
        deviance_words="Bernoulli deviance",
        done=done,
        wanted=wanted,
        best_trees=int(np.argmin(valid)) + 1,
        no_model=0.3978,
        seconds=28.0,
        influence=INFLUENCE,
    )


def explained(
    model: str = "gbm 1",
    columns: tuple[str, ...] = (),
    pairs: tuple[tuple[str, str], ...] = (),
    shuffles: bool = False,
    together: tuple[str, ...] = (),
) -> ExplainResult:
    """What the engine would say about a model; shuffling tells age apart from the first."""
    rises = {"age": 0.041, "orders_12m": 0.025} if shuffles else {}
    return ExplainResult(
        model=model,
        outputs=("chance of responds",),
        influence=tuple(_influence(c, share, rises, shuffles) for c, share in INFLUENCE),
        curves=tuple(_curve(column) for column in columns),
        maps=tuple(_map(pair) for pair in pairs),
        rows_text="2,000 training rows",
        interactions=tuple(
            Interaction(
                columns=(name, other), strength=np.array([0.18 if other == "age" else 0.03])
            )
            for name in together
            for other, _ in INFLUENCE
            if other != name
        ),
    )


def _influence(column: str, share: float, rises: dict[str, float], shuffles: bool) -> Influence:
    rise = rises.get(column, -0.0004) if shuffles else float("nan")
    return Influence(
        column=column,
        influence=100 * share,
        shuffled=rise,
        shuffled_low=rise - 0.002,
        shuffled_high=rise + 0.004,
    )


def _curve(column: str) -> DependenceCurve:
    if column == "region":
        y = np.array([[0.04, 0.061, 0.052, 0.047]])
        return DependenceCurve(
            column=column,
            x=np.arange(4.0),
            levels=("North", "East", "South", "West"),
            y=y,
            low=y * 0.6,
            high=y * 1.7,
            rug=np.array([]),
            at_missing=np.array([np.nan]),
        )
    x = np.linspace(0.0, 12.0, 60)
    y = (0.02 + 0.14 / (1 + np.exp(-(x - 5))))[None, :]
    return DependenceCurve(
        column=column,
        x=x,
        levels=(),
        y=y,
        low=y * 0.5,
        high=np.minimum(1.0, y * 1.8),
        rug=np.random.default_rng(3).exponential(2.5, 80),
        at_missing=np.array([0.031]),
        missing_share=0.021,
    )


def _map(pair: tuple[str, str]) -> DependenceMap:
    x, y = np.linspace(0.0, 12.0, 24), np.linspace(0.0, 720.0, 20)
    values = 0.02 + 0.16 / (1 + np.exp(-(x[None, :] - 5 - (300 - y[:, None]) / 120)))
    return DependenceMap(
        columns=pair,
        x=x,
        y=y,
        x_levels=(),
        y_levels=(),
        values=values[None, :, :],
        interaction=np.array([0.18]),
        rug_x=np.random.default_rng(4).exponential(2.5, 60),
        rug_y=np.random.default_rng(5).uniform(0, 720, 60),
    )


def one_case(row: int) -> OneCaseResult:
    """What the engine would say of one row."""
    amounts = (
        ("orders_12m", "9", 0.81),
        ("last_order", "300", -0.42),
        ("region", "west", 0.2),
        ("tenure", "", -0.11),
        ("basket_mean", "41.5", 0.08),
        ("age", "37", -0.05),
        ("visits", "4", 0.02),
        ("newsletter", "1", 0.01),
    )
    parts = tuple(CasePart(column=c, value=v, amount=a) for c, v, a in amounts)
    changes = (
        CaseChange(
            column="orders_12m", old="9", new="3", decision="Skip", passed=0.12, prediction=0.041
        ),
        CaseChange(
            column="last_order",
            old="300",
            new="612",
            decision="Skip",
            passed=0.31,
            prediction=0.047,
        ),
        CaseChange(
            column="region",
            old="west",
            new="north",
            decision="Skip",
            passed=float("nan"),
            prediction=0.049,
        ),
    )
    return OneCaseResult(
        model="gbm 1",
        row=row,
        rows=10_000,
        name=f"row {row + 1:,}",
        outputs=("chance of yes",),
        output=0,
        base=-2.34,
        score=-2.34 + sum(a for _, _, a in amounts),
        base_prediction=0.088,
        prediction=0.142,
        is_probability=True,
        parts=parts,
        outcome="no",
        decision="Mail",
        changes=changes,
    )


def case_what_if(question: CaseWhatIf, **changes: object) -> CaseWhatIfResult:
    """A case of three inputs whose chance rises by a tenth with every order that is tried."""
    tried = dict(question.inputs)
    inputs = []
    for place, (column, own, levels) in enumerate(
        (("orders_12m", "3", ()), ("age", "41", ()), ("region", "north", ("north", "south")))
    ):
        text = tried.get(column, own)
        values = [
            math.nan if not t else float(levels.index(t)) if levels else float(t)
            for t in (own, text)
        ]
        inputs.append(
            CaseInput(
                column=column,
                levels=levels,
                low=math.nan if levels else 0.0,
                high=math.nan if levels else 100.0,
                is_whole=not levels,
                own=own,
                tried=text,
                own_value=values[0],
                tried_value=values[1],
                influence=0.5 - 0.1 * place,
            )
        )
    orders = inputs[0].tried_value
    probability = min(0.9, 0.1 * (0.0 if math.isnan(orders) else orders))
    score, base = math.log((probability + 1e-9) / (1 - probability)), -1.0
    now = CaseVerdict(
        prediction=probability,
        score=score,
        decision="Mail" if probability > 0.35 else "Skip",
        money=(100 * probability - 35, 0.0),
    )
    before = CaseVerdict(prediction=0.3, score=-0.8473, decision="Skip", money=(-5.0, 0.0))
    along = next((entry for entry in inputs if entry.column == question.along), None)
    curve = None
    if along is not None:
        x = np.arange(len(along.levels), dtype=float) if along.levels else np.array([0.0, 100.0])
        curve = CaseCurve(
            column=along.column,
            levels=along.levels,
            x=x,
            y=np.full(len(x), probability),
            at_missing=0.2,
        )
    result = CaseWhatIfResult(
        model=question.model,
        row=question.row,
        rows=40_000,
        name=f"c{question.row}",
        outputs=("chance of responds",),
        output=0,
        is_probability=True,
        level="1",
        outcome="responds",
        inputs=tuple(inputs),
        rows_text="over the 20,000 rows that trained gbm 1",
        base=base,
        base_prediction=0.27,
        parts=(CasePart(column="orders_12m", value=inputs[0].tried, amount=score - base),),
        before=before,
        now=now,
        decisions=("Mail", "Skip"),
        curve=curve,
        is_searched=question.seeks_flips,
    )
    return replace(result, **changes)
