"""Decisions averaged over predicted quantiles and over leaves, as page Decide asks for them."""

from dataclasses import replace

import numpy as np
import pytest

import payoff
from core.assembly.context import table_of
from core.assembly.models.input_columns import read_inputs
from core.assembly.models.trained import boosted_model
from core.boosting.export.leaf_numbers import leaf_numbers
from core.document.commands import AddTrainedModel
from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import DecisionBasis, quantile_level
from core.document.decisions.model_commands import SetBasis
from core.document.files.codec import from_plain, to_plain
from core.document.files.project import Headline
from core.document.history import History
from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec
from core.document.studies.decided_cases import HONEST, LEAF, MEAN, SCORE, SPREAD
from core.document.studies.decision_files import ExportRuleArguments
from core.engine.context import JobContext
from core.engine.messages import ApplyArguments, SaveArguments, TrainArguments
from core.questions.decide import Basis, BreakEven, Capacity, CasesOneByOne, Reconcile, Totals
from core.script.projects import Project
from payoff.errors import PayoffError
from tests.helpers.factories.decision_bases import (
    QUANTILES,
    ROWS,
    by_script,
    gift_columns,
    gift_document,
    leaf_columns,
    leaf_document,
    read,
    visits_by_script,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings


@pytest.fixture(scope="module")
def gifts(engine, tmp_path_factory):
    path = write_csv(tmp_path_factory.mktemp("gifts") / "gifts.csv", gift_columns())
    return gift_document(load(engine, path))


def spread(document, **changes):
    return SetBasis(model="guess", basis=DecisionBasis(quantiles=QUANTILES, **changes)).apply(
        document
    )


# ------------------------------------------------------------ quantiles


def test_a_distribution_decides_as_in_a_script(engine, gifts):
    requested = spread(gifts)
    result = engine.ask(requested, Totals())
    script = by_script()
    assert result.models[0].total.value == pytest.approx(script.total)
    assert result.models[0].expected_total == pytest.approx(script.expected_total)
    assert any("averages over its predicted quantiles" in line.text for line in result.advice)
    alone = engine.ask(gifts, Totals())
    assert alone.models[0].total.value != pytest.approx(script.total)
    assert not any("averages" in line.text for line in alone.advice)
    unused = engine.ask(spread(gifts, is_used=False), Totals())
    assert unused.models[0].total == alone.models[0].total


def test_the_tab_shows_the_jensen_gap(engine, gifts):
    found = engine.ask(spread(gifts), Basis(model="guess"))
    at_score, at_mean, averaged = found.lines
    assert [line.way for line in found.lines] == [SCORE, MEAN, SPREAD]
    assert found.used == SPREAD
    assert found.levels == (0.1, 0.5, 0.9)
    assert found.tail == pytest.approx(0.2)
    gap = by_script().jensen_gap
    assert averaged.expected == averaged.averaged
    assert averaged.changed == pytest.approx(gap["changed"] * ROWS)
    # Decided by the distribution, the prediction would have promised so much more:
    assert averaged.expected == pytest.approx(by_script().expected_total)
    # A concave line: the mean promises more than the average, and its decisions earn less.
    assert at_mean.expected > at_mean.averaged
    assert averaged.averaged >= max(at_mean.averaged, at_score.averaged)
    assert averaged.difference.value == pytest.approx(
        averaged.realised.value - at_score.realised.value
    )
    assert at_score.difference.value == 0.0
    columns = gift_columns()
    worth = np.interp(columns["gift"], (0, 20, 100), (-6, 14, 14))
    assert at_score.realised.value == pytest.approx(worth[columns["guess"] > 6].sum())


def test_decisions_are_saved_and_applied_by_the_distribution(engine, gifts, tmp_path):
    requested = spread(gifts)
    out = str(tmp_path / "out.csv")
    wanted = SaveArguments(
        document=requested, model="guess", path=out, columns=("D", "EP"), use_cursor=False
    )
    engine.run("save_decisions", wanted)
    assert [row["D_gift"] for row in read(out)] == list(by_script().table["D_gift"])
    at_all = replace(wanted, document=replace(requested, cursor_depth=1.0), use_cursor=True)
    engine.run("save_decisions", at_all)
    mailed = sum(float(row["EP_gift"]) for row in read(out))
    found = engine.ask(requested, Basis(model="guess")).lines[-1]
    assert {row["D_gift"] for row in read(out)} == {"Mail"}
    assert mailed < found.expected
    columns = gift_columns()
    del columns["gift"], columns["q90"]
    lacking = write_csv(tmp_path / "new.csv", columns)
    with pytest.raises(PayoffError, match="q90"):
        engine.run(
            "apply",
            ApplyArguments(
                document=requested, model="guess", path=lacking, reader=ReaderSettings()
            ),
        )


def test_what_a_basis_may_be(gifts):
    def refused(match, **basis):
        with pytest.raises(PayoffError, match=match):
            SetBasis(model="guess", basis=DecisionBasis(**basis)).apply(gifts)

    refused("Neither is named")
    refused("Both are named", quantiles=QUANTILES, leaf="donor")
    refused("no distribution", quantiles=QUANTILES[:1])
    refused("named twice", quantiles=(*QUANTILES, (0.5, "guess")))
    refused("no quantile of 150 %", quantiles=(*QUANTILES, (1.5, "guess")))
    refused("is the outcome", quantiles=(*QUANTILES, (0.7, "gift")))
    refused("is the outcome", leaf="gift")
    classes = replace(gifts, target=TargetSpec(column="gift", kind="binary", levels=("1", "0")))
    with pytest.raises(PayoffError, match="has classes"):
        SetBasis(model="guess", basis=DecisionBasis(quantiles=QUANTILES)).apply(classes)
    kept = spread(gifts)
    assert from_plain(Document, to_plain(kept)) == kept
    assert SetBasis(model="guess", basis=None).apply(kept) == replace(gifts, cursor_depth=None)


@pytest.mark.parametrize(
    ("name", "level"),
    [("q10", 0.1), ("gift_q0.25", 0.25), ("P90", 0.9), ("quantile_0_5", 0.5), ("pred_q2.5", 0.025)],
)
def test_names_of_quantile_columns(name, level):
    assert quantile_level(name) == pytest.approx(level)


@pytest.mark.parametrize("name", ["p", "q", "price10", "p_yes", "q100", "amount"])
def test_names_that_are_no_quantiles(name):
    assert quantile_level(name) is None


# ------------------------------------------------------------ leaves


@pytest.fixture(scope="module")
def visits(engine, tmp_path_factory):
    path = write_csv(tmp_path_factory.mktemp("visits") / "visits.csv", leaf_columns())
    return leaf_document(load(engine, path))


def in_leaves(document, **changes):
    return SetBasis(model="tree", basis=DecisionBasis(leaf="leaf", **changes)).apply(document)


@pytest.mark.parametrize("is_honest", [False, True])
def test_leaves_decide_as_in_a_script(engine, visits, is_honest):
    requested = in_leaves(visits, is_honest=is_honest)
    result = engine.ask(requested, Totals())
    script = visits_by_script(leaf="leaf", leaf_honest=is_honest)
    assert result.models[0].total.value == pytest.approx(script.total)
    assert result.models[0].expected_total == pytest.approx(script.expected_total)
    found = engine.ask(requested, Basis(model="tree"))
    lines = {line.way: line for line in found.lines}
    assert list(lines) == [SCORE, LEAF, HONEST]
    assert found.used == (HONEST if is_honest else LEAF)
    assert found.leaves == 5
    assert lines[found.used].realised.value == pytest.approx(script.total)
    assert lines[SCORE].realised.value == pytest.approx(visits_by_script().total)
    assert lines[LEAF].changed > 0


def test_tabs_that_go_case_by_case_follow_the_leaves(engine, visits):
    requested = in_leaves(visits)
    script = visits_by_script(leaf="leaf")
    page = engine.ask(requested, CasesOneByOne(model="tree", count=1000))
    table = list(script.table["D_sold"])
    assert sorted(page.decision) == sorted(table)
    capacity = engine.ask(requested, Capacity())
    (free,) = capacity.free
    assert free.profit.value == pytest.approx(script.total)
    assert free.expected == pytest.approx(script.expected_total)
    with pytest.raises(PayoffError, match="averages of leaves"):
        engine.ask(requested, BreakEven())


def test_new_cases_have_the_averages_of_the_evaluated_rows(engine, visits, tmp_path):
    requested = in_leaves(visits)
    new = {
        "chance": [0.8, 0.05, 0.8],
        "leaf": ["leaf 4", "leaf 0", "leaf 9"],
        "visit": [100.0, 0.01, 1.0],
    }
    out = str(tmp_path / "out.csv")
    save = SaveArguments(
        document=requested, model="tree", path=out, columns=("D", "IC"), use_cursor=False
    )
    applied = engine.run(
        "apply",
        ApplyArguments(
            document=requested,
            model="tree",
            path=write_csv(tmp_path / "new.csv", new),
            reader=ReaderSettings(),
            save=save,
        ),
    )
    rows = read(out)
    # The leaf decides, whatever the case itself costs; a leaf that was not seen decides nothing.
    assert [row["D_sold"] for row in rows] == ["Visit", "Leave", ""]
    assert float(rows[0]["IC_sold"]) == 100.0
    assert dict(applied.counts)["without a decision"] == 1
    with pytest.raises(PayoffError, match="averages of leaves"):
        engine.run(
            "export_rule",
            ExportRuleArguments(document=requested, model="tree", folder=str(tmp_path / "rule")),
        )


def test_the_leaves_of_a_model_of_one_tree(engine, tmp_path_factory):
    columns = raw_columns(400)
    path = write_csv(tmp_path_factory.mktemp("raw") / "raw.csv", columns)
    document = raw_document(load(engine, path))
    wanted = settings(n_trees=1, shrinkage=1.0, bag_fraction=1.0)
    trained = engine.run("train", TrainArguments(document=document, settings=wanted)).model
    document = AddTrainedModel(model=trained).apply(document)
    own = SetBasis(model="trees", basis=DecisionBasis(has_own_leaves=True)).apply(document)
    context = JobContext(engine.workbench)
    table = table_of(own, context)
    model = boosted_model(trained, context)
    inputs = read_inputs(table, model.columns)
    leaf = leaf_numbers(model, inputs)
    link = model.link(inputs, 1)[0]
    for number in np.unique(leaf):
        assert np.ptp(link[leaf == number]) == 0.0
        assert model.forest.feature[number] == -1
    found = engine.ask(own, Basis(model="trees"))
    assert found.leaves <= len(np.unique(leaf))
    score, by_leaf, _honest = found.lines  # without costs by case a leaf's mean is its chance
    assert by_leaf.realised.value == pytest.approx(score.realised.value)
    assert by_leaf.expected == pytest.approx(score.expected)
    two = replace(trained, trees=2, trees_used=2)
    several = replace(document, models=tuple(replace(m, trained=two) for m in document.models))
    with pytest.raises(PayoffError, match="Leaves are those of one tree"):
        SetBasis(model="trees", basis=DecisionBasis(has_own_leaves=True)).apply(several)


def test_quantiles_of_its_own_decide_unless_told_otherwise(engine, tmp_path):
    """A model of several quantiles averages over them; the switch takes their mean."""
    columns = gift_columns()
    path = write_csv(tmp_path / "gifts.csv", {k: columns[k] for k in ("donor", "gift", "guess")})
    data = load(engine, path)
    roles = (
        RoleAssignment(column="donor", role=Role.ID),
        RoleAssignment(column="gift", role=Role.TARGET),
        RoleAssignment(column="guess", role=Role.INPUT),
    )
    document = replace(gift_document(data), split=SplitSpec(shares=(1.0, 0.0, 0.0)))
    document = document.with_roles(roles)
    wanted = settings(
        distribution="multi_quantile",
        distribution_params=(("quantiles", 3),),
        target="gift",
        features=("guess",),
        n_trees=5,
        train_rows=(RowUse.TRAIN,),
        stop_rows=(),
    )
    trained = engine.run("train", TrainArguments(document=document, settings=wanted)).model
    document = AddTrainedModel(model=trained).apply(document)
    found = engine.ask(document, Basis(model="trees"))
    assert found.has_own_quantiles
    assert found.used == SPREAD
    score, mean, averaged = found.lines
    assert score.expected == pytest.approx(mean.expected)  # its one number is their mean
    own = DecisionBasis(has_own_quantiles=True, is_used=False)
    reported = SetBasis(model="trees", basis=own).apply(document)
    assert engine.ask(reported, Basis(model="trees")).used == SCORE
    totals = [engine.ask(each, Totals()).models[0].expected_total for each in (document, reported)]
    assert totals == pytest.approx([averaged.expected, score.expected])


def new_visits(folder):
    """Cases of two leaves of the project and of one it does not have, costly and cheap ones."""
    columns = {
        "chance": [0.05, 0.05, 0.8, 0.8],
        "leaf": ["leaf 4", "leaf 3", "leaf 0", "leaf 9"],
        "visit": [100.0, 100.0, 0.01, 1.0],
    }
    return write_csv(folder / "new.csv", columns)


def applied(engine, document, folder):
    """What the job that applies a rule decides, as its record says it."""
    arguments = ApplyArguments(
        document=document,
        model="tree",
        path=new_visits(folder),
        reader=ReaderSettings(),
        save=None,
    )
    return engine.run("apply", arguments)


def test_a_script_applies_leaves_with_the_averages_of_the_evaluated_rows(engine, visits, tmp_path):
    requested = in_leaves(visits)
    project = Project(path=tmp_path / "visits", history=History(requested), headline=Headline())
    by_job = applied(engine, requested, tmp_path)
    decided = payoff.apply(project, new_visits(tmp_path))
    assert list(decided.table["D_sold"]) == ["Visit", "Visit", "Leave", ""]
    assert [row[2] for row in by_job.preview.rows] == list(decided.table["D_sold"])
    assert decided.expected_total == by_job.expected_total
    # Whatever else is read from the answer follows the same averages.
    assert list(decided.case_list(descending=False)["decision"].sort_values()) == sorted(
        decided.table["D_sold"]
    )
    with pytest.raises(PayoffError, match="averages of leaves over the project's rows"):
        decided.ask(Reconcile(model="tree", columns=(("D", "leaf"),)))


def test_averages_of_leaves_for_other_rows_keep_to_the_row_filter(engine, visits, tmp_path):
    """Of new cases every one is decided; the rows that are averaged over are the evaluated ones."""
    costly = replace(visits, split=replace(visits.split, where="visit > 8"))
    of_some, of_all = (
        dict(applied(engine, in_leaves(document), tmp_path).counts) for document in (costly, visits)
    )
    project = Project(
        path=tmp_path / "visits", history=History(in_leaves(costly)), headline=Headline()
    )
    found = payoff.apply(project, new_visits(tmp_path)).table["D_sold"].value_counts()
    assert of_some == {
        "Visit": found.get("Visit", 0),
        "Leave": found.get("Leave", 0),
        "without a decision": found.get("", 0),
    }
    assert of_some != of_all
