"""One example of every question, as a record and in words, and the projects they are asked of."""

import atexit
import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from core.document.commands import AddTrainedModel
from core.document.data.model import FileRef, JoinSpec, ReaderSettings, RowUse
from core.document.decisions.matrix_model import (
    MatrixKind,
    MatrixSpec,
    NumberKind,
    NumberRef,
    NumberSetting,
)
from core.document.experiments.spec import ExperimentSpec
from core.document.files.codec import to_plain
from core.document.model import Document
from core.document.studies.compare import ShiftSide
from core.document.studies.data import TableOrder
from core.document.studies.decided_cases import SwapSide
from core.document.studies.moving_numbers import MapAxis
from core.engine.messages import LoadArguments, SaveArguments, TrainArguments
from core.questions.catalogue import (
    Arms,
    AtDepth,
    BaselineVariance,
    Basis,
    BoostingIterations,
    BreakEven,
    Capacity,
    CasesAsPoints,
    CasesOneByOne,
    CaseWhatIf,
    CheckExperiment,
    ColumnByClass,
    CompareExperiments,
    CompareModels,
    Definitions,
    DetectableDifference,
    Distributions,
    ErrorBounds,
    ExpectList,
    ExperimentGaps,
    ExperimentParts,
    Explain,
    FindCase,
    FitCalibration,
    Gap,
    GoalSeek,
    HoldOutPlan,
    NextCases,
    NextTest,
    OneCase,
    QuantileCheck,
    Rankings,
    Reconcile,
    Resamples,
    RowOrder,
    RowSets,
    RowsInCommon,
    RowsWithoutOutcome,
    RuleChange,
    RunExperiment,
    Segments,
    Shift,
    Slices,
    Survival,
    Swap,
    TableRows,
    Totals,
    TreeNumbers,
    TryExpression,
    TryJoin,
    Uplift,
    UpliftMetrics,
    WhatIf,
    WinnerMap,
    Workbook,
)
from core.questions.question import questions
from core.script.asking import plain_answer
from tests.helpers.factories.experiment import document_of
from tests.helpers.factories.number_outcomes import (
    number_document,
    survival_columns,
    survival_settings,
)
from tests.helpers.factories.rules import written
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings

_GAIN = NumberRef(kind=NumberKind.CELL, level="yes", decision="Act")
_LOSS = NumberRef(kind=NumberKind.CELL, level="no", decision="Act")
_OTHER = ExperimentSpec(protocol="sepsis", synthetic_rows=100, systems=1, splits=3)
_FORMER = MatrixSpec(
    template="payoff.profit",
    kind=MatrixKind.PROFIT,
    levels=("yes", "no"),
    decisions=("Act", "Wait"),
    cells=((6.0, 0.0), (-2.0, 0.0)),
    acting="Act",
    do_nothing="Wait",
)
_FOLDER = TemporaryDirectory(prefix="payoff-examples-")
atexit.register(_FOLDER.cleanup)
_WORKBOOK = str(Path(_FOLDER.name) / "decide.xlsx")
written(Path(_FOLDER.name), "promotion")
_REGIONS = JoinSpec(
    file=FileRef(path=str(Path(__file__).parent / "regions.csv")),
    keys=(("case_id", "case_id"),),
    columns=(("region", "region"),),
)
_REGIONS_IN_WORDS = {
    "file": {"path": _REGIONS.file.path},
    "keys": _REGIONS.keys,
    "columns": _REGIONS.columns,
}

EXAMPLES = {
    "models.distributions": (Distributions(), []),
    "experiments.run": (RunExperiment(), []),
    "experiments.compared": (
        CompareExperiments(other=_OTHER),
        ["--other", '{"protocol": "sepsis", "synthetic_rows": 100, "systems": 1, "splits": 3}'],
    ),
    "experiments.check": (CheckExperiment(), []),
    "experiments.choices": (ExperimentParts(), []),
    "experiments.iterations": (
        BoostingIterations(sets=("steps",), rows=150, trees=10, draws=2),
        ["--sets", "steps", "--rows", "150", "--trees", "10", "--draws", "2"],
    ),
    "data.rows": (
        TableRows(start=3, count=5, order=TableOrder(sort="cost", is_falling=True)),
        ["--start", "3", "--count", "5", "--order", '{"sort": "cost", "is_falling": true}'],
    ),
    "data.column": (ColumnByClass(column="cost"), ["--column", "cost"]),
    "data.overlap": (RowsInCommon(), []),
    "data.outcome_gaps": (RowsWithoutOutcome(), []),
    "data.join": (TryJoin(join=_REGIONS), ["--join", json.dumps(_REGIONS_IN_WORDS)]),
    "data.expression": (
        TryExpression(text="p_good > 0.5", is_filter=True),
        ["--text", "p_good > 0.5", "--is-filter", "yes"],
    ),
    "compare.models": (CompareModels(resamples=50), ["--resamples", "50"]),
    "decide.totals": (Totals(), []),
    "decide.at_depth": (AtDepth(depth=0.3), ["--depth", "0.3"]),
    "decide.resamples": (
        Resamples(depth=0.3, resamples=50),
        ["--depth", "0.3", "--resamples", "50"],
    ),
    "explain.model": (
        Explain(model="trees", columns=("age",), shuffles=True),
        ["--columns", "age", "--shuffles", "yes"],
    ),
    "uplift.page": (Uplift(draws=20), ["--draws", "20"]),
    "compare.rows": (
        RowSets(first=RowUse.VALIDATION, second=RowUse.TEST, resamples=50),
        ["--first", "validation", "--second", "test", "--resamples", "50"],
    ),
    "compare.segments": (
        Segments(column="use", chart="roc", resamples=50),
        ["--column", "use", "--chart", "roc", "--resamples", "50"],
    ),
    "compare.power": (
        DetectableDifference(model="good", difference=500.0, resamples=50),
        ["--model", "good", "--difference", "500", "--resamples", "50"],
    ),
    "compare.definitions": (Definitions(convention="r"), ["--convention", "r"]),
    "compare.survival": (Survival(model="times", row=3), ["--row", "3"]),
    "compare.chances": (FitCalibration(model="good", folds=3), ["--model", "good", "--folds", "3"]),
    "compare.bounds": (ErrorBounds(confidence=0.9), ["--confidence", "0.9"]),
    "explain.one_case": (OneCase(model="trees", row=11), ["--row", "11"]),
    "explain.find_case": (FindCase(model="trees", rank=3), ["--rank", "3"]),
    "explain.what_if": (
        CaseWhatIf(model="trees", row=12, inputs=(("age", "40"), ("income", "")), along="age"),
        ["--row", "12", "--inputs", "age=40", "--inputs", "income=", "--along", "age"],
    ),
    "models.quantiles": (QuantileCheck(model="trees"), []),
    "models.learning": (TreeNumbers(model="trees"), []),
    "uplift.slices": (Slices(count=5, draws=20), ["--count", "5", "--draws", "20"]),
    "uplift.arms": (Arms(), []),
    "uplift.row_order": (RowOrder(), []),
    "uplift.next_test": (NextTest(effect=0.05), ["--effect", "0.05"]),
    "uplift.outcome_gaps": (ExperimentGaps(), []),
    "uplift.variance": (
        BaselineVariance(rows=60, repeats=3, knows_chance=False),
        ["--rows", "60", "--repeats", "3", "--knows-chance", "no"],
    ),
    "uplift.metrics": (UpliftMetrics(draws=20), ["--draws", "20"]),
    "compare.shift": (
        Shift(then=ShiftSide(use=RowUse.VALIDATION), now=ShiftSide(use=RowUse.TEST)),
        ["--then", "validation", "--now", "test"],
    ),
    "decide.capacity": (Capacity(most_actions=100.0), ["--most-actions", "100"]),
    "decide.gap": (Gap(model="good"), ["--model", "good"]),
    "decide.swap": (
        Swap(first=SwapSide(model="good"), second=SwapSide(model="rough", depth=0.2)),
        ["--first", "good", "--second", "rough@0.2"],
    ),
    "decide.basis": (Basis(model="good"), []),
    "decide.rankings": (
        Rankings(model="rough", by="expected", bins=10),
        ["--model", "rough", "--by", "expected", "--bins", "10"],
    ),
    "decide.break_even": (BreakEven(is_kept=True), ["--is-kept", "yes"]),
    "decide.goal_seek": (GoalSeek(total=900.0), ["--total", "900"]),
    "decide.winner_map": (
        WinnerMap(
            x=MapAxis(number=_GAIN, low=0.0, high=16.0),
            y=MapAxis(number=_LOSS, low=-4.0, high=0.0),
            steps=7,
        ),
        ["--x", "cell:yes/Act=0..16", "--y", "cell:no/Act=-4..0", "--steps", "7"],
    ),
    "decide.what_if": (
        WhatIf(settings=(NumberSetting(number=_GAIN, value=5.0),)),
        ["--settings", "cell:yes/Act=5"],
    ),
    "decide.change": (
        RuleChange(matrix=_FORMER),
        ["--matrix", json.dumps(to_plain(_FORMER))],
    ),
    "decide.cases": (
        CasesOneByOne(model="good", sort="gap", is_descending=False, count=5),
        ["--model", "good", "--sort", "gap", "--is-descending", "no", "--count", "5"],
    ),
    "decide.case_page": (
        NextCases(model="good", start=5, count=5),
        ["--start", "5", "--count", "5"],
    ),
    "decide.case_cloud": (CasesAsPoints(model="good", most=50), ["--most", "50"]),
    "decide.workbook": (Workbook(path=_WORKBOOK), ["--path", _WORKBOOK]),
    "decide.reconcile": (Reconcile(model="good"), ["--model", "good"]),
    "decide.hold_out": (
        HoldOutPlan(model="good", share=0.2, seed=3),
        ["--share", "0.2", "--seed", "3"],
    ),
    "decide.expect_list": (
        ExpectList(model="rough", cases=500),
        ["--model", "rough", "--cases", "500"],
    ),
}
"""Key -> the question, and the same as options of ``payoff ask``; the chosen model is "good"."""


def scored(engine, folder):
    """Two models' chances and a profit matrix."""
    path = write_csv(folder / "scored.csv", scored_columns(rows=600))
    data = engine.run("load", LoadArguments(path=path, reader=ReaderSettings())).data
    return scored_document(data, reference_model="good")


def carried(engine, folder):
    """As ``scored``, with decisions in the file, one of them another than the rule's."""
    path = folder / "carried.csv"
    own = ("case_id", "outcome", "p_good", "p_rough", "cost", "use")
    document, columns = scored(engine, folder), ("D", "EP")
    engine.run(
        "save_decisions",
        SaveArguments(
            document=document, model="good", path=str(path), columns=columns, keep_columns=own
        ),
    )
    first, *lines = path.read_text("utf-8").splitlines()
    place = next(place for place, line in enumerate(lines) if "Act" in line)
    lines[place] = lines[place].replace("Act", "Wait")
    path.write_text("\n".join([first, *lines]), "utf-8")
    data = engine.run("load", LoadArguments(path=str(path), reader=ReaderSettings())).data
    return scored_document(data, reference_model="good")


def trained(engine, folder):
    """Trees that were trained here."""
    document = raw_document(load(engine, write_csv(folder / "raw.csv", raw_columns(800))))
    return _with_model(engine, document, settings(n_trees=20))


def spread(engine, folder):
    """Trees that predict several quantiles of a number."""
    data = load(engine, write_csv(folder / "raw.csv", raw_columns(800)))
    wanted = settings(
        n_trees=20,
        distribution="multi_quantile",
        target="amount",
        distribution_params=(("quantiles", 3),),
    )
    return _with_model(engine, raw_document(data, "amount"), wanted)


def times(engine, folder):
    """Trees of a survival time."""
    data = load(engine, write_csv(folder / "times.csv", survival_columns()))
    document = number_document(data, "days", ("age", "smoker", "noise"))
    wanted = replace(survival_settings(), name="times", entry=None, n_trees=20)
    return _with_model(engine, document, wanted)


def _with_model(engine, document, wanted):
    result = engine.run("train", TrainArguments(document=document, settings=wanted))
    return AddTrainedModel(model=result.model).apply(document)


def protocol(_engine, _folder):
    """Parts of an evaluation experiment, and no data."""
    spec = ExperimentSpec(protocol="sepsis", synthetic_rows=100, systems=1, splits=2)
    return Document(name="protocol", experiment=spec)


NEEDS_NOTHING = {key for key, record in questions().items() if not record.facts.needs}


def timeless(answer):
    """An answer without the time that it took."""
    return without_time(plain_answer(answer))


def without_time(plain):
    if isinstance(plain, dict):
        return {name: without_time(part) for name, part in plain.items() if name != "seconds"}
    return [without_time(part) for part in plain] if isinstance(plain, list) else plain


PROJECTS = {
    "carried": carried,
    "protocol": protocol,
    "scored": scored,
    "trained": trained,
    "spread": spread,
    "times": times,
    "experiment": document_of,
}
_ELSEWHERE = {
    "decide.reconcile": "carried",
    "compare.survival": "times",
    "explain.one_case": "trained",
    "explain.find_case": "trained",
    "explain.what_if": "trained",
    "explain.model": "trained",
    "models.quantiles": "spread",
    "models.learning": "trained",
}


def project_of(key):
    """The project that a question's example is asked of."""
    usual = {"uplift": "experiment", "experiments": "protocol"}.get(key.partition(".")[0], "scored")
    return _ELSEWHERE.get(key, usual)
