"""Which figure of a chosen depth stands large, and what is said of it: answers and sentences."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.document.model import Document, Role, RoleAssignment
from core.document.studies.uplift import Check, Choice, Validity
from core.document.uplift.commands import SetPropensity
from core.document.uplift.model import UpliftSpec
from gui.pages.uplift.gain_words import (
    advice_words,
    detail_words,
    gain_words,
    gained_at,
    invalid_words,
    mending,
)
from gui.pages.uplift.tab_rows import order_rows
from gui.pages.uplift.words import UpliftWords

WORDS = UpliftWords(
    outcome="visit", units="visits", case="customer", cases="customers", currency="€",
    is_binary=True,
)  # fmt: skip
ESTIMATE = SetPropensity(is_estimated=True)
SPEC = UpliftSpec(value=10.0, contact=0.5)


def choice(**changes) -> Choice:
    known = Choice(
        depth=0.2, targeted=200.0, threshold=0.1, incremental=16.9, gain=69.0,
        gain_low=-10.0, gain_high=148.0, cross_fitted=12.0, spent=100.0,
        mean_return=0.1, gain_of_all=-40.0, is_nobody=False, cross_fitted_low=-70.0,
        cross_fitted_high=94.0,
    )  # fmt: skip
    return replace(known, **changes)


NOBODY = choice(depth=0.0, targeted=0.0, incremental=0.0, gain=0.0, is_nobody=True, spent=0.0)
ALL = choice(depth=1.0, targeted=1_000.0, gain=80.0, gain_of_all=80.0)
UNKNOWN = choice(cross_fitted=math.nan, cross_fitted_low=math.nan, cross_fitted_high=math.nan)


def result(state="ok", failed=(), has_propensity=False):
    lines = tuple(Check(key=key, title=key, state="error", value="", detail="") for key in failed)
    nothing = np.zeros(0)
    guard = Validity(
        state=state, headline="Who was treated was no accident.", advice="", checks=lines,
        balance_depth=nothing, balance_share=nothing, balance_low=0.0, balance_high=1.0,
    )  # fmt: skip
    return SimpleNamespace(guard=guard, has_propensity=has_propensity)


def model(found: Choice):
    grid = np.array([0.0, 0.5, 1.0])
    return SimpleNamespace(model="tree", choice=found, depth=grid, incremental=grid * 40.0)


@pytest.mark.parametrize(
    ("found", "figure", "label", "interval"),
    [
        (
            choice(),
            "€ 12",
            "cross-fitted",
            "-70 to 94, 95 %; on the rows that chose the depth € 69",
        ),
        (NOBODY, "€ 0", "Expected net gain", "nobody is treated, nothing is spent"),
        (ALL, "€ 12", "cross-fitted", "on the rows that chose the depth € 80"),
        (UNKNOWN, "€ 69", "on these rows", "-10 to 148, 95 %; the depth was chosen on the same"),
    ],
)
def test_the_cross_fitted_gain_stands_large(found, figure, label, interval):
    said = gain_words(result(), model(found), WORDS, SPEC)
    assert said.figure.replace("\u00a0", " ") == figure
    assert label in said.label
    assert interval in said.interval.replace("\u00a0", " ").replace("−", "-")
    assert not said.invalid


@pytest.mark.parametrize(
    ("found", "advice", "detail"),
    [
        (choice(), "Treat the best 20.0 % by tree: 200 customers.", "Treating all earns −€ 40."),
        (NOBODY, "Treat nobody: at these prices no depth of tree pays.", "all earns −€ 40."),
        (
            replace(choice(), cross_fitted=-16.0),
            "No depth of tree is known to pay: the best on these rows, 20.0 %, gains nothing where "
            "each half of them is treated to the depth that the other half chose.",
            "all earns −€ 40.",
        ),
        (ALL, "Treat all 1,000 customers: no ranking is needed at these prices.", "costs € 100."),
    ],
)  # fmt: skip
def test_nobody_and_all_are_said_as_such(found, advice, detail):
    assert advice_words(found, model(found), WORDS).replace("\u00a0", " ") == advice
    assert detail_words(found, WORDS, SPEC).replace("\u00a0", " ").endswith(detail)


@pytest.mark.parametrize(
    ("state", "failed", "has_chances", "lot", "columns", "step"),
    [
        ("ok", (), False, None, {}, None),
        ("warning", (), False, None, {"x": Role.INPUT}, None),
        ("error", ("predictable",), False, None, {"x": Role.INPUT}, ESTIMATE),
        ("error", ("score",), False, None, {"e": Role.PROPENSITY}, SetPropensity(column="e")),
        ("error", (), False, False, {"x": Role.INPUT}, ESTIMATE),
        ("error", ("predictable",), False, None, {}, None),  # nothing to estimate from
        ("error", ("share",), False, True, {"x": Role.INPUT}, None),  # lost or doubled cases
        ("error", ("overlap",), True, None, {"x": Role.INPUT}, None),
    ],
)  # fmt: skip
def test_an_invalid_experiment_says_why_and_offers_what_mends_it(
    state, failed, has_chances, lot, columns, step
):
    document = Document(
        uplift=UpliftSpec(drawn_by_lot=lot),
        roles=tuple(RoleAssignment(column=name, role=role) for name, role in columns.items()),
    )
    found = result(state, failed, has_chances)
    said = gain_words(found, model(choice()), WORDS, SPEC)
    assert bool(said.invalid) == (state == "error")
    assert said.invalid == invalid_words(found)
    if said.invalid:
        assert said.invalid.startswith("Who was treated was no accident.")
        assert "Not a net gain" in said.label
    offer = mending(found, document)
    assert (None if offer is None else offer[1]) == step


def test_the_cursor_and_the_advice_say_the_same_at_the_best_depth():
    found = model(choice(depth=0.2003, incremental=601.0))
    assert gained_at(found, 0.2003) == 601.0
    assert gained_at(found, 0.25) == pytest.approx(10.0)


def test_a_figure_that_moves_below_what_is_shown_is_not_marked():
    """ "106.8 to 106.8" stood in the colour of a warning."""
    figure = SimpleNamespace(
        tool="causalml", name="auuc_score", worst=90.0, best=120.0, exact=106.8, as_filed=106.8
    )
    spans = ((106.801, 106.803), (106.8, 106.8), (106.2, 107.1))
    shown = [SimpleNamespace(**vars(figure), low=low, high=high) for low, high in spans]
    rows = tuple(SimpleNamespace(model="m", figure=entry) for entry in shown)
    made = order_rows(SimpleNamespace(models=("m",), rows=rows))
    ends = [(row[-1].text, row[-1].role) for row in made.rows]
    assert ends == [
        ("within rounding of 106.8", "quiet"),
        ("does not move", "quiet"),
        ("106.2 to 107.1", "loss"),
    ]
