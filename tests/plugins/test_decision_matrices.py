"""The cells that the matrix templates give."""

import numpy as np
import pytest

from core.extensions import Registry
from payoff.facts import MatrixFacts, facts_of


@pytest.fixture(scope="module")
def registry():
    return Registry.discover(has_packages=False)


def cells(registry, matrix, levels=2, **parameters):
    from payoff import resolve_parameters

    spec = registry.matrix(matrix)
    return spec.consequences(levels, resolve_parameters(spec.parameters, parameters)).tolist()


def test_direct_mail(registry):
    assert cells(registry, "payoff.direct_mail") == [[24.0, 0.0], [-1.6, 0.0]]
    other = cells(registry, "payoff.direct_mail", response_value=15.0, letter_cost=0.5)
    assert other == [[14.5, 0.0], [-0.5, 0.0]]
    info = facts_of(registry.matrix("payoff.direct_mail"), MatrixFacts)
    assert info.decisions == ("Mail", "Do nothing")
    assert (info.acting, info.do_nothing) == ("Mail", "Do nothing")
    assert info.level_words == ("responds", "does not respond")
    assert info.case_word == ("customer", "customers")
    assert [item.words for item in info.parameters] == ["a response brings", "a letter costs"]


def test_credit(registry):
    assert cells(registry, "payoff.credit") == [[-5000.0, 0.0], [1000.0, 0.0]]
    info = facts_of(registry.matrix("payoff.credit"), MatrixFacts)
    assert (info.acting, info.do_nothing) == ("Lend", "Refuse")
    assert info.level_words == ("defaults", "pays back")


def test_plain_matrices_take_any_number_of_levels(registry):
    assert cells(registry, "payoff.profit", 3) == [[1.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]]
    assert cells(registry, "payoff.loss", 2) == [[0.0, 1.0], [1.0, 0.0]]
    assert cells(registry, "payoff.revenue", 2) == [[1.0, 0.0], [0.0, 0.0]]
    kinds = [facts_of(spec, MatrixFacts).kind for spec in registry.matrices()[:3]]
    assert kinds == ["profit", "loss", "revenue"]


def test_a_negative_cost_is_refused(registry):
    from payoff import PayoffError

    with pytest.raises(PayoffError, match="a letter costs"):
        cells(registry, "payoff.direct_mail", letter_cost=-1.0)


def test_cells_are_plain_float64(registry):
    for spec in registry.matrices():
        values = {item.name: item.default for item in spec.parameters}
        assert spec.consequences(2, values).dtype == np.float64
