"""What is found before a training, and whether what is offered mends it."""

from dataclasses import replace

import numpy as np
import pytest

from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec
from core.document.training_results import Mending
from core.questions.explain import Distributions
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load

ROWS = 400


def columns():
    """Claims with exposure, what they cost, an input; times with zeros; one outcome for all."""
    random = np.random.default_rng(1)
    exposure = np.round(random.uniform(0.1, 1.0, ROWS), 3)
    claims = random.poisson(0.8 * exposure)
    paid = np.where(claims > 0, np.round(random.gamma(2.0, 500.0, ROWS), 2) + 1.0, 0.0)
    time = np.round(random.exponential(10.0, ROWS), 3) + 0.001
    time[:3] = 0.0
    return {
        "exposure": exposure,
        "claims": claims,
        "paid": paid,
        "age": random.integers(18, 80, ROWS),
        "time": time,
        "died": random.integers(0, 2, ROWS),
        "followUpDays": np.round(time * 30),
        "flat": np.full(ROWS, 7),
        "name": np.array([f"person {place}" for place in range(ROWS)]),
        "street": np.array([f"street {place % 250}" for place in range(ROWS)]),
        "town": np.array([f"town {place % 40}" for place in range(ROWS)]),
        "kind": np.array(["yes"] * 200 + ["no"] * 200),
    }


@pytest.fixture(scope="module")
def loaded(engine, tmp_path_factory):
    return load(engine, write_csv(tmp_path_factory.mktemp("checks") / "checks.csv", columns()))


def project(loaded, target, inputs, where="", levels=(), **others):
    roles = [RoleAssignment(column=target, role=Role.TARGET)]
    roles += [RoleAssignment(column=name, role=Role.INPUT) for name in inputs]
    roles += [RoleAssignment(column=name, role=role) for name, role in others.items()]
    kind = "binary" if levels else "interval"
    return Document(
        name="checks",
        data=loaded,
        target=TargetSpec(column=target, kind=kind, levels=levels),
        split=SplitSpec(where=where),
        roles=tuple(roles),
    )


def found(engine, document):
    return {(c.code, c.column): c for c in engine.ask(document, Distributions()).checks}


def test_a_count_beside_its_exposure_and_its_consequences(engine, loaded):
    document = project(loaded, "claims", ("exposure", "paid", "age"))
    checks = found(engine, document)
    assert set(checks) == {("unlogged_exposure", "exposure"), ("consequence", "paid")}
    exposure = checks["unlogged_exposure", "exposure"]
    assert exposure.mending is Mending.OFFSET
    assert exposure.expression == "log(`exposure`)"
    assert checks["consequence", "paid"].mending is Mending.INPUT
    assert not found(engine, project(loaded, "claims", ("age",)))


def test_the_row_filter_that_is_offered_leaves_zero_times_out(engine, loaded):
    document = project(loaded, "time", ("age",), where="age >= 18", died=Role.EVENT)
    (check,) = found(engine, document).values()
    assert (check.code, check.mending) == ("zero_times", Mending.ROWS)
    assert "3 cases have" in check.text
    mended = replace(document, split=SplitSpec(where=check.expression))
    assert not found(engine, mended)


def test_a_follow_up_time_is_no_input(engine, loaded):
    document = project(loaded, "kind", ("age", "followUpDays"), levels=("yes", "no"))
    (check,) = found(engine, document).values()
    assert (check.code, check.column) == ("follow_up_time", "followUpDays")


def test_an_outcome_that_is_the_same_in_the_rows_that_count(engine, loaded):
    flat = project(loaded, "flat", ("age",))
    assert ("constant_outcome", "flat") in found(engine, flat)
    assert engine.ask(flat, Distributions()).checks[0].stops
    some = project(loaded, "kind", ("age",), where="kind == 'yes'", levels=("yes", "no"))
    assert ("constant_outcome", "kind") in found(engine, some)
    assert not found(engine, replace(some, split=SplitSpec()))


def test_columns_of_many_levels_say_so_before_they_train(engine, loaded):
    document = project(loaded, "claims", ("name", "street", "town", "age"))
    inputs = {entry.column: entry for entry in engine.ask(document, Distributions()).inputs}
    assert inputs["name"].reason == "It is different in every row."
    assert (inputs["street"].can_train, inputs["street"].is_usual) == (True, False)
    assert (inputs["town"].can_train, inputs["town"].is_usual) == (True, True)
    assert "40 levels in 400 rows, 10.0 a level" in inputs["town"].note
    assert not inputs["kind"].note
    assert not inputs["age"].note
