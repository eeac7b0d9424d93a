"""Which jobs the main engine leaves to the engine for plugins, by the facts of their kind."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest

from core.document.data.model import DataRecipe, DataRef, FileRef, JoinSpec
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import Document, MetricChoice, ModelSpec, TrainedModel
from core.document.studies.compare import ShiftSide
from core.document.studies.data import MakeTableArguments
from core.document.uplift.model import UpliftSpec
from core.engine.kinds import EVERY_FAMILY, every_kind, find_kind
from core.engine.messages import Ask
from core.engine.runner import RouteToPlugins, check_route, drawn_document
from core.questions.compare import CompareModels, Segments, Shift
from core.questions.data import TryJoin
from core.questions.decide import Totals
from core.questions.explain import Explain

MATRIX = MatrixSpec(
    template="of.others",
    kind=MatrixKind.PROFIT,
    levels=(),
    decisions=(),
    cells=(),
    acting="",
)
LISTING = [(kind.key, family) for kind in every_kind() for family in kind.lists]
PLAIN = [kind for kind in every_kind() if kind.reads is not None and not kind.lists]


FAMILIES_SERVED = ("metrics", "curves", "distributions", "matrices", "readers", "systems")


@dataclass
class Plugins:
    """A main engine that serves nothing, with third parties' plugins of some families waiting."""

    waiting: tuple[str, ...] = ()
    leaves_third_party: bool = True

    def waits(self, *families):
        return bool(self.waiting) and (
            EVERY_FAMILY in families or not set(families).isdisjoint(self.waiting)
        )

    @property
    def registry(self):
        served = dict.fromkeys(FAMILIES_SERVED, tuple)
        return SimpleNamespace(**served)


def goes_away(kind, arguments, *waiting, **changes):
    try:
        check_route(kind, find_kind(kind).handed(arguments), Plugins(waiting, **changes))
    except RouteToPlugins:
        return True
    return False


@pytest.mark.parametrize(("kind", "family"), LISTING)
def test_a_job_that_lists_a_family_goes_where_its_plugins_run(kind, family):
    arguments = SimpleNamespace()
    waiting = "metrics" if family == EVERY_FAMILY else family
    assert goes_away(kind, arguments, waiting)
    assert not goes_away(kind, arguments)
    assert not goes_away(kind, arguments, waiting, leaves_third_party=False)


@pytest.mark.parametrize("kind", PLAIN, ids=lambda kind: kind.key)
def test_a_job_goes_where_what_its_document_names_is_served(kind):
    trained = TrainedModel(name="m", distribution="of.others", target="y", features=("x",))
    model = ModelSpec(name="m", trained=trained)
    priced = UpliftSpec(follows_matrix=True)
    for name, document in {
        "models": Document(models=(model,)),
        "matrix": Document(matrix=MATRIX, uplift=priced),
        "metrics": Document(metrics=(MetricChoice(metric="of_others"),)),
        "charts": Document(charts=("own",)),
    }.items():
        asked = Ask(document=document, question=Totals())
        is_read = name in kind.reads.names
        assert goes_away(kind.key, asked, "metrics") is is_read
        assert not goes_away(kind.key, asked), "no plugin could serve it"


@pytest.mark.parametrize(
    ("question", "judges"),
    [(Totals(), False), (CompareModels(), True), (Explain(model="m"), False)],
)
def test_a_question_goes_where_what_it_reads_is_served(question, judges):
    key = question.facts.key
    trained = TrainedModel(name="m", distribution="of.others", target="y", features=("x",))
    scored = Document(models=(ModelSpec(name="m", trained=trained),))
    assert goes_away(key, Ask.of(scored, question), "metrics")
    for judged in (
        Document(metrics=(MetricChoice(metric="of_others"),)),
        Document(charts=("own",)),
    ):
        assert goes_away(key, Ask.of(judged, question), "metrics") is judges


def data(path="own.json", **changes):
    return DataRef(path=path, content_hash="a", rows=1, columns=(), size_bytes=1, **changes)


def test_a_job_goes_where_all_files_of_its_data_are_read():
    own = data("own.csv")
    further = FileRef(path="other.json", content_hash="b", size_bytes=1)
    joined = replace(own, recipe=DataRecipe(joins=(JoinSpec(file=further, keys=(), columns=()),)))
    for found, is_foreign in ((own, False), (data(), True), (joined, True)):
        for asked in (
            MakeTableArguments(data=found),
            Ask.of(Document(data=found), Totals()),
        ):
            assert goes_away("decide.totals", asked, "readers") is is_foreign
            assert not goes_away("decide.totals", asked, "metrics")


def test_a_job_goes_where_the_files_it_compares_are_read():
    own = Document(data=data("own.csv"))
    for now, is_foreign in (("later.csv", False), ("later.json", True)):
        question = Shift(then=ShiftSide(), now=ShiftSide(path=now))
        assert goes_away(question.facts.key, Ask.of(own, question), "readers") is is_foreign


def test_a_join_that_is_tried_goes_where_its_file_is_read():
    own = Document(data=data("own.csv"))
    for other, is_foreign in (("later.csv", False), ("later.json", True)):
        question = TryJoin(join=JoinSpec(file=FileRef(path=other), keys=(), columns=()))
        assert goes_away(question.facts.key, Ask.of(own, question), "readers") is is_foreign


def test_the_chart_drawn_by_column_is_one_of_the_document():
    document = Document(charts=("roc",))
    asked = Ask.of(document, Segments(column="x"))
    assert drawn_document(asked) == replace(Document(name=""), charts=())  # its view has none
    drawn = Ask.of(document, Segments(column="x", chart="own"))
    assert drawn_document(drawn).charts == ("own",)
    assert goes_away("compare.segments", drawn, "curves")
    assert not goes_away("compare.segments", asked, "curves")
