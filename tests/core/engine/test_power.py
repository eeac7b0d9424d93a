"""The smallest detectable difference, asked of projects: money and metrics, weights, refusals."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.document.compare.words import lead_words
from core.document.data.model import ReaderSettings, RowUse
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import MetricChoice, Role, RoleAssignment, SplitSpec, WeightKind
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments
from core.engine.options import EngineOptions
from core.inference.power import errors_apart
from core.questions.catalogue import DetectableDifference, Totals
from payoff.errors import PayoffError
from tests.core.engine.decide.decide_numbers import gift_columns, gift_document
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv

ROWS = 400
METRICS = (MetricChoice(metric="auc"), MetricChoice(metric="brier"))
Z = 1.959963984540054


@pytest.fixture(scope="module")
def engine():
    return LocalEngine(EngineOptions(safe_mode=True))


@pytest.fixture(scope="module")
def project(engine, tmp_path_factory):
    def made(columns, **changes):
        path = write_csv(tmp_path_factory.mktemp("power") / "scored.csv", columns)
        loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
        requested = {"metrics": METRICS, "split": SplitSpec(), "rows_used": RowUse.ALL, **changes}
        return scored_document(loaded.data, **requested)

    return made


@pytest.fixture(scope="module")
def document(project):
    return project(scored_columns(ROWS))


def ask(engine, document, **given):
    return engine.ask(document, DetectableDifference(**given))


def figure(result, metric, first="good", second="rough"):
    return next(
        pair
        for pair in result.pairs
        if (pair.metric, pair.first, pair.second) == (metric, first, second)
    )


def test_average_profit_is_the_paired_t_test_by_hand(engine, document):
    columns = scored_columns(ROWS)
    is_event = np.array(columns["outcome"]) == "yes"
    worth = np.where(is_event, 8.0, -2.0)
    realised = [
        np.where(np.array(columns[name]) > 0.2, worth, 0.0) for name in ("p_good", "p_rough")
    ]
    paired = realised[0] - realised[1]
    result = ask(engine, document)
    found = figure(result, "average_profit")
    error = paired.std(ddof=1) / math.sqrt(ROWS)
    assert result.cases == found.units == ROWS
    assert found.observed.value == pytest.approx(paired.mean(), abs=1e-12)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.smallest == pytest.approx(errors_apart(ROWS, 0.05, 0.8) * error, rel=1e-9)
    total = figure(result, "total_profit")
    assert total.smallest == pytest.approx(ROWS * found.smallest, rel=1e-9)
    assert total.cases_needed == found.cases_needed
    assert math.isnan(total.power)


@pytest.mark.parametrize("priors", [None, (("yes", 0.1), ("no", 0.9))])
def test_money_has_the_error_of_page_decide(engine, document, priors):
    document = replace(document, priors=priors)
    (pair,) = engine.ask(document, Totals()).differences
    found = figure(ask(engine, document), "total_profit")
    assert found.observed.value == pytest.approx(pair.estimate.value)
    half = (pair.estimate.high - pair.estimate.low) / 2
    # Page Compare divides by one case less than there are in a class, page Decide does not.
    assert found.standard_error == pytest.approx(half / Z, rel=5e-3)


def test_a_matrix_of_losses_has_losses_of_the_same_size(engine, document):
    cells = tuple(tuple(-cell for cell in row) for row in document.matrix.cells)
    matrix = replace(document.matrix, cells=cells, kind=MatrixKind.LOSS)
    found = ask(engine, replace(document, matrix=matrix))
    assert [info.title for info in found.metrics[:2]] == ["Total loss", "Average loss"]
    profit, loss = figure(ask(engine, document), "total_profit"), figure(found, "total_loss")
    assert found.info("total_loss").direction == "lower"
    assert loss.observed.value == pytest.approx(-profit.observed.value)
    assert loss.smallest == pytest.approx(profit.smallest)
    words = [
        lead_words(e, r.info(e.metric), "€")
        for e, r in ((profit, ask(engine, document)), (loss, found))
    ]
    assert words[0] == words[1]


def test_the_pair_may_be_turned_round(engine, document):
    ours = ask(engine, document, model="good")
    theirs = ask(engine, document, model="rough")
    for metric in ("total_profit", "auc", "brier"):
        one, other = figure(ours, metric), figure(theirs, metric, "rough", "good")
        assert one.smallest == pytest.approx(other.smallest, rel=1e-12)
        assert one.cases_needed == other.cases_needed
        assert one.observed.value == -other.observed.value


def test_money_scales_and_cases_needed_stay(engine, document):
    cells = tuple(tuple(10.0 * cell for cell in row) for row in document.matrix.cells)
    larger = replace(document, matrix=replace(document.matrix, cells=cells))
    small = figure(ask(engine, document, difference=30.0), "total_profit")
    large = figure(ask(engine, larger, difference=300.0), "total_profit")
    assert large.smallest == pytest.approx(10.0 * small.smallest, rel=1e-9)
    assert large.power == pytest.approx(small.power, rel=1e-9)
    assert large.cases_needed == small.cases_needed


def repeated(columns, times):
    return {
        name: [value for value in values for _ in range(times)] for name, values in columns.items()
    }


def test_four_times_the_cases_halve_it(engine, document, project):
    many = project(repeated(scored_columns(ROWS), 4))
    once, four = ask(engine, document), ask(engine, many)
    for metric in ("average_profit", "auc", "brier"):
        ratio = figure(once, metric).smallest / figure(four, metric).smallest
        assert ratio == pytest.approx(2.0, rel=0.02), metric
    needed = [figure(result, "brier").cases_needed for result in (once, four)]
    assert needed[1] == pytest.approx(needed[0], rel=0.02)


def weighted(document, kind):
    role = RoleAssignment(column="times", role=Role.WEIGHT, weight_kind=kind)
    return document.with_roles((*document.roles, role))


def test_a_frequency_of_two_is_the_case_twice(engine, project):
    columns = scored_columns(ROWS)
    twice = project(repeated(columns, 2))
    columns["times"] = [2] * ROWS
    plain = project(columns)
    counted = ask(engine, weighted(plain, WeightKind.FREQUENCY))
    assert counted.cases == 2 * ROWS
    sampled = ask(engine, weighted(plain, WeightKind.SAMPLING))
    assert sampled.cases == ROWS
    for metric in ("total_profit", "auc", "brier"):
        expected = figure(ask(engine, twice), metric)
        assert figure(counted, metric).smallest == pytest.approx(expected.smallest, rel=1e-9)
        assert figure(counted, metric).cases_needed == expected.cases_needed
    alone = figure(ask(engine, plain), "brier").smallest
    assert figure(sampled, "brier").smallest == pytest.approx(alone, rel=1e-9)


def test_a_difference_is_planned_in_the_unit_of_its_figure(engine, document):
    result = ask(engine, document, metric="auc", difference=0.02)
    (pair,) = result.pairs
    assert result.metric == pair.metric == "auc"
    assert pair.difference == 0.02
    assert 0.025 < pair.power < 0.8
    again = ask(engine, document, metric="auc", difference=pair.smallest).pairs[0]
    assert again.power == pytest.approx(0.8, abs=1e-6)
    assert again.cases_needed == pytest.approx(ROWS, abs=1)
    assert "to find it with a chance of 80" in result.verdict[0]
    (lift,) = ask(engine, document, metric="lift_at(depth=0.3)").pairs  # not among the chosen
    assert "draws" in lift.method
    assert lift.smallest > 0


def test_amounts_of_a_number_are_those_of_page_decide(engine, tmp_path):
    path = write_csv(tmp_path / "gifts.csv", gift_columns())
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    document = gift_document(loaded.data)
    (pair,) = engine.ask(document, Totals()).differences
    result = ask(engine, document)
    found = figure(result, "total_profit", "guess", "rough")
    assert found.observed.value == pytest.approx(pair.estimate.value)
    half = (pair.estimate.high - pair.estimate.low) / 2
    assert found.standard_error == pytest.approx(half / Z)
    average = figure(result, "average_profit", "guess", "rough")
    assert average.smallest == pytest.approx(found.smallest / result.cases)
    assert figure(result, "rmse", "guess", "rough").smallest > 0
    (alone,) = ask(engine, document, metric="total_profit").pairs
    assert alone == found


def test_models_that_decide_alike_say_so(engine, document):
    twin = tuple(
        replace(entry, column="p_good") if entry.model == "rough" else entry
        for entry in document.roles
    )
    result = ask(engine, replace(document, roles=twin))
    found = figure(result, "total_profit")
    assert math.isnan(found.smallest)
    assert math.isnan(found.cases_needed)
    assert "do not differ on any case" in result.verdict[0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"level": 0.0}, "The level is 0"),
        ({"power": 1.0}, "The power is 1"),
        ({"difference": 0.0}, "The difference is 0"),
        ({"model": "godo"}, "good"),
        ({"metric": "acu"}, "auc"),
        ({"metric": "rmse"}, "does not fit this outcome"),
    ],
)
def test_what_cannot_be_asked_is_refused(engine, document, given, said):
    with pytest.raises(PayoffError) as refused:
        ask(engine, document, **given)
    assert said in str(refused.value)


def test_one_model_has_nothing_to_be_compared_with(document):
    alone = replace(document, models=document.models[:1])
    assert "only one model" in str(DetectableDifference.why_not(alone))


def test_a_range_of_the_prior_is_named(engine, document):
    unsure = replace(document, priors=(("yes", 0.1), ("no", 0.9)), prior_range=(0.05, 0.15))
    assert any("range" in line for line in ask(engine, unsure).warnings)
