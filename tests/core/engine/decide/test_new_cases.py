"""New cases through the engine: how like the evaluated ones they are, and lists of a size."""

from dataclasses import replace

import numpy as np
import pytest

from core.document.data.model import ReaderSettings
from core.document.model import Role, RoleAssignment
from core.engine.local import LocalEngine
from core.engine.messages import ApplyArguments, LoadArguments
from core.engine.options import EngineOptions
from core.questions.decide import ExpectList, Totals
from payoff.errors import PayoffError
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("new_cases")


@pytest.fixture(scope="module")
def engine(home):
    return LocalEngine(EngineOptions(quarantine_path=str(home / "quarantine.json")))


@pytest.fixture(scope="module")
def document(home, engine):
    path = write_csv(home / "scored.csv", scored_columns(rows=6_000))
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    return scored_document(loaded.data)


def applied(engine, document, home, columns, name, **changes):
    arguments = ApplyArguments(
        document=document,
        model="good",
        path=write_csv(home / name, columns),
        reader=ReaderSettings(),
    )
    return engine.run("apply", replace(arguments, **changes))


def test_cases_of_the_same_population_are_stable(engine, document, home):
    found = applied(
        engine, document, home, {"p_good": scored_columns(5_000, seed=9)["p_good"]}, "a"
    )
    assert found.shift.score_verdict == found.shift.decisions_verdict == "stable"
    assert found.shift.evaluated_rows == 3_000
    assert [line.state for line in found.checks] == ["ok", "ok"]
    assert found.shift.acted_now == pytest.approx(dict(found.counts)["Act"] / found.rows)


def test_another_population_is_called_so_before_anything_is_saved(engine, document, home):
    probability = scored_columns(5_000, seed=9)["p_good"] ** 0.3
    found = applied(engine, document, home, {"p_good": probability}, "b")
    assert found.shift.score_verdict == "another population"
    assert found.checks[0].state == "error"
    assert "another population" in found.checks[0].text
    assert found.shift.acted_now > found.shift.acted_then + 0.2
    assert "when evaluated" in found.checks[1].text


def test_priors_tell_what_evaluated_rows_stand_for(engine, home):
    raw = scored_columns(rows=8_000, seed=5)
    event = np.array(raw["outcome"]) == "yes"
    kept = event | (np.random.default_rng(1).random(8_000) < 0.2)  # oversampled events
    sampled = {name: np.array(values)[kept] for name, values in raw.items()}
    path = write_csv(home / "sampled.csv", sampled)
    data = engine.run("load", LoadArguments(path=path, reader=ReaderSettings())).data
    share = event.mean()
    document = scored_document(data, priors=(("yes", share), ("no", 1 - share)))
    new = {"p_good": scored_columns(5_000, seed=6)["p_good"]}
    found = applied(engine, document, home, new, "c")
    assert found.shift.score_verdict == "stable"
    plain = applied(engine, replace(document, priors=None), home, new, "d")
    assert plain.shift.score_verdict != "stable"


def test_cases_without_a_score_are_counted(engine, document, home):
    probability = [None, *scored_columns(5_000, seed=9)["p_good"]]
    numbers = list(range(len(probability)))  # a line of its own column alone would be blank
    found = applied(engine, document, home, {"p_good": probability, "number": numbers}, "e")
    assert any("1 case without a score" in line.text for line in found.checks)


def test_missing_columns_are_named_and_no_other_models(engine, document, home):
    with pytest.raises(PayoffError, match="'p_good'"):
        applied(engine, document, home, {"p_rough": [0.5]}, "f")
    found = applied(engine, document, home, {"p_good": [0.5, 0.1]}, "g")  # p_rough is not needed
    assert found.rows == 2


def test_without_the_evaluated_rows_the_check_says_so(engine, document, home):
    moved = replace(document, data=replace(document.data, path="/nowhere.csv", content_hash="0"))
    found = applied(engine, moved, home, {"p_good": [0.5, 0.1]}, "h")
    assert found.shift is None
    assert found.expected_total == pytest.approx(8 * 0.5 - 2 * 0.5)
    assert "not at hand" in found.checks[0].text


# ------------------------------------------------------------------ lists of a size


def test_a_list_is_scaled_from_the_evaluated_rows(engine, document):
    decided = engine.ask(document, Totals()).models[0]
    found = engine.ask(document, ExpectList(model="good", cases=50_000))
    assert found.total.value == pytest.approx(50_000 * decided.average.value)
    counts = dict(found.counts)
    assert sum(entry.value for entry in counts.values()) == pytest.approx(50_000)
    assert counts["Act"].value == pytest.approx(50_000 * decided.rule_depth)
    # N² s² + N n s²: N / n = 50,000 / 3,000
    half = (decided.average.high - decided.average.low) / 2
    expected = 50_000 * half * np.sqrt(1 + 3_000 / 50_000)
    assert (found.total.high - found.total.low) / 2 == pytest.approx(expected)
    assert "validation rows" in found.source


def test_the_interval_of_a_list_holds_what_lists_bring(engine, document):
    """Lists drawn from the population that made the evaluated rows."""
    found = engine.ask(document, ExpectList(model="good", cases=2_000))
    inside = 0
    for seed in range(100, 140):
        new = scored_columns(rows=2_000, seed=seed)
        acted, event = new["p_good"] > 0.2, np.array(new["outcome"]) == "yes"
        total = np.where(acted, np.where(event, 8, -2), 0).sum()
        inside += found.total.low <= total <= found.total.high
    assert inside >= 34  # 38 of 40 are expected


def test_a_list_at_the_cursor(engine, document):
    at = replace(document, cursor_depth=0.1)
    found = engine.ask(at, ExpectList(model="good", cases=1_000, use_cursor=True))
    assert dict(found.counts)["Act"].value == pytest.approx(100)
    assert "best 10.0" in found.rule


def test_a_list_of_nothing_and_of_a_score_without_chances_is_refused(engine, document):
    with pytest.raises(PayoffError, match="at least one case"):
        engine.ask(document, ExpectList(model="good", cases=0))
    points = RoleAssignment(column="p_rough", role=Role.SCORE, model="points")
    ranks = document.with_roles(
        tuple(points if e.column == "p_rough" else e for e in document.roles)
    )
    with pytest.raises(PayoffError, match="score without chances"):
        engine.ask(ranks, ExpectList(model="points", cases=10))
    at = replace(ranks, cursor_depth=0.2)
    found = engine.ask(at, ExpectList(model="points", cases=10, use_cursor=True))
    assert dict(found.counts)["Act"].value == pytest.approx(2)
