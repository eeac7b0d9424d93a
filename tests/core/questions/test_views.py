"""What a question reads of the document is its key: no more, and no less."""

from dataclasses import dataclass, fields, replace

import pytest

from core.document.data.model import (
    BadValues,
    DataRef,
    MissingOutcomes,
    ReaderSettings,
    RowUse,
    SharedIds,
)
from core.document.decisions.matrix_model import NumberKind, NumberRef, NumberSetting, Scenario
from core.document.experiments.spec import ExperimentSpec
from core.document.model import (
    ChartMode,
    Document,
    MetricChoice,
    ModelChoice,
    ModelSpec,
    ReportItem,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
)
from core.document.uplift.model import UpliftSpec
from core.engine.kinds import every_kind
from core.engine.local import LocalEngine
from core.engine.messages import Ask
from core.engine.options import EngineOptions
from core.questions.question import question_named, questions
from tests.helpers.factories.questions import EXAMPLES
from tests.helpers.factories.scored import scored_document

DATA = DataRef(
    path="/data/a.csv", content_hash="a", rows=3, columns=(), size_bytes=9, reader=ReaderSettings()
)
_PRIOR = NumberRef(kind=NumberKind.PRIOR, level="yes")
OTHERS = {
    "name": "Another name",
    "currency": "$",
    "case_word": ("patient", "patients"),
    "data": replace(DATA, content_hash="b"),
    "roles": (RoleAssignment(column="x", role=Role.INPUT),),
    "target": TargetSpec(column="outcome", kind="binary", levels=("no", "yes")),
    "split": SplitSpec(column="other"),
    "rows_used": RowUse.TEST,
    "models": (ModelSpec(name="other"),),
    "reference_model": "rough",
    "matrix": None,
    "priors": (("yes", 0.1), ("no", 0.9)),
    "chart_mode": ChartMode.FIRM,
    "metrics": (MetricChoice(metric="auc"),),
    "seed": 7,
    "cursor_depth": 0.3,
    "scenarios": (Scenario(name="s", settings=(NumberSetting(number=_PRIOR, value=0.1),)),),
    "prior_range": (0.05, 0.1),
    "shared_ids": SharedIds.LEAVE_OUT,
    "missing_outcomes": MissingOutcomes.ASK,
    "bad_values": BadValues.MARK,
    "uplift": UpliftSpec(treatment="t", follows_matrix=True),
    "experiment": ExperimentSpec(protocol="sepsis"),
    "charts": ("roc",),
    "convention": "sas_em",
    "report": (ReportItem(kind="decide"),),
    "choice": ModelChoice(model="good", metric="auc", rows_used=RowUse.TEST, data_hash="a"),
}


@pytest.fixture(scope="module")
def document():
    return scored_document(
        DATA, reference_model="good", uplift=UpliftSpec(treatment="arm", follows_matrix=True)
    )


def test_another_value_is_known_for_every_field(document):
    assert set(OTHERS) == {item.name for item in fields(Document)}
    for name, other in OTHERS.items():
        assert getattr(document, name) != other, name


@pytest.mark.parametrize("key", sorted(EXAMPLES))
def test_a_field_outside_the_view_moves_no_key_and_one_inside_does(key, document):
    question, _ = EXAMPLES[key]
    view = question.facts.reads
    requested, stamp = Ask.of(document, question), view.key(document)
    for name, other in OTHERS.items():
        changed = replace(document, **{name: other})
        is_read = name in view.names
        assert (Ask.of(changed, question) != requested) == is_read, name
        assert (view.key(changed) != stamp) == is_read, name


@dataclass(frozen=True)
class Arguments:
    """What any job is given that is handed a document."""

    document: Document


HANDED = [kind for kind in every_kind() if kind.reads is not None]


@pytest.mark.parametrize("kind", HANDED, ids=lambda kind: kind.key)
def test_a_field_outside_the_view_of_a_job_reaches_it_not_and_one_inside_does(kind, document):
    first = kind.handed(Arguments(document))
    for name, other in OTHERS.items():
        second = kind.handed(Arguments(replace(document, **{name: other})))
        assert (second != first) == (name in kind.reads.names), name
    assert kind.handed(first) == first


@pytest.mark.parametrize("kind", HANDED, ids=lambda kind: kind.key)
def test_a_handler_is_handed_its_view(kind, document):
    given = []
    handlers = {kind.key: lambda arguments, context: given.append(arguments.document)}
    engine = LocalEngine(EngineOptions(safe_mode=True), handlers=lambda: handlers)
    engine.run(kind.key, Arguments(document))
    assert given == [kind.reads.of(document)]


@pytest.mark.parametrize("key", sorted(EXAMPLES))
def test_the_work_is_given_its_view_and_nothing_else(key, document):
    view = question_named(key).facts.reads
    everything = replace(document, **{n: v for n, v in OTHERS.items() if n not in view.names})
    seen = view.of(everything)
    for item in fields(Document):
        if item.name not in view.names:
            assert getattr(seen, item.name) == getattr(Document(name=""), item.name), item.name


def test_neither_the_place_of_a_file_nor_the_colour_of_a_line_is_part_of_a_key(document):
    moved = replace(document, data=replace(document.data, path="/elsewhere/b.csv"))
    models = tuple(replace(entry, series=5) for entry in document.models)
    for key in questions():
        view = question_named(key).facts.reads
        assert view.key(moved) == view.key(document)
        assert view.key(replace(document, models=models)) == view.key(document)
