"""Prices from the decision matrix, and who is to be treated written to a file."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.studies.uplift import SaveUpliftArguments
from core.document.uplift.commands import FollowMatrix, SetUpliftPrice
from core.questions.uplift import Uplift
from payoff.errors import PayoffError
from tests.helpers.factories.experiment import document_of

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile


@pytest.fixture(scope="module")
def document(engine, tmp_path_factory):
    return document_of(engine, tmp_path_factory.mktemp("saving"))


def priced(document, **prices):
    return replace(document, uplift=replace(document.uplift, **prices))


def with_matrix(document, **changes):
    spec = {
        "template": "payoff.treatment",
        "kind": MatrixKind.PROFIT,
        "levels": ("1", "0"),
        "decisions": ("Treat", "Leave alone"),
        "cells": (),
        "acting": "Treat",
        "parameters": (("value", 10.0), ("contact", 1.5), ("redemption", 2.0)),
        **changes,
    }
    return FollowMatrix(follows_matrix=True).apply(replace(document, matrix=MatrixSpec(**spec)))


def ask(engine, document):
    return engine.ask(document, Uplift(draws=0))


def test_a_matrix_says_the_same_as_the_three_prices(engine, document):
    written = ask(engine, priced(document, value=10.0, contact=1.5, redemption=2.0))
    followed = ask(engine, with_matrix(document))
    assert followed.price_used == (10.0, 1.5, 2.0)
    for ours, theirs in zip(written.models, followed.models, strict=True):
        assert ours.choice == theirs.choice
    cells = ((6.5, 10.0), (-1.5, 0.0))
    plain = with_matrix(document, template="payoff.profit", cells=cells, parameters=())
    assert ask(engine, plain).price_used == pytest.approx((10.0, 1.5, 2.0))
    losses = tuple(tuple(-value for value in row) for row in cells)
    loss = with_matrix(
        document, template="payoff.loss", kind=MatrixKind.LOSS, cells=losses, parameters=()
    )
    assert ask(engine, loss).price_used == pytest.approx((10.0, 1.5, 2.0))
    alone = SetUpliftPrice(name="value", amount=3.0).apply(with_matrix(document))
    assert not alone.uplift.follows_matrix


def test_a_matrix_that_says_no_prices_is_refused(engine, document):
    with pytest.raises(PayoffError, match="no decision matrix"):
        FollowMatrix(follows_matrix=True).apply(document)
    three = with_matrix(
        document,
        template="payoff.profit",
        decisions=("A", "B", "C"),
        acting="A",
        cells=((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
        parameters=(),
    )
    with pytest.raises(PayoffError, match="3 decisions"):
        ask(engine, three)
    other = with_matrix(document)
    other = replace(other, uplift=replace(other.uplift, outcome="x"))
    with pytest.raises(PayoffError, match="another outcome"):
        ask(engine, other)


def test_decisions_go_to_those_whose_effect_pays(engine, document, tmp_path):
    request = priced(document, value=10.0, contact=1.0)
    best = ask(engine, request).models[0].choice
    path = tmp_path / "treat.csv"
    saved = engine.run(
        "save_uplift", SaveUpliftArguments(document=request, model="uplift", path=str(path))
    )
    table = pd.read_csv(path)
    assert saved.columns == ("row", "D_arm", "U_bought")
    assert len(table) == saved.rows == document.data.rows
    treated = table.D_arm == "mail"
    assert (table.U_bought[treated] >= best.threshold).all()
    assert (table.U_bought[~treated] < best.threshold).all()
    record = json.loads((tmp_path / "treat.csv.record.json").read_text("utf-8"))
    assert record["expected_net_gain"]["value"] == pytest.approx(best.gain)
    assert record["expected_net_gain"]["cross_fitted"] == pytest.approx(best.cross_fitted)
    assert saved.totals == (("expected net gain, cross-fitted", pytest.approx(best.cross_fitted)),)
    assert record["counts"]["treated"] == int(treated.sum())
    assert record["prices"]["contact"] == 1.0


def test_decisions_to_the_cursor_and_to_nobody(engine, document, tmp_path):
    request = priced(document, value=10.0, contact=1.0)
    arguments = SaveUpliftArguments(
        document=request, model="noise", path=str(tmp_path / "a.csv"), depth=0.25
    )
    engine.run("save_uplift", arguments)
    table = pd.read_csv(tmp_path / "a.csv")
    share = np.mean(table.D_arm == "mail")
    assert share == pytest.approx(0.25, abs=0.05)  # of all rows, other arms among them
    expensive = priced(document, value=1.0, contact=50.0)
    engine.run("save_uplift", replace(arguments, document=expensive, depth=None))
    assert set(pd.read_csv(tmp_path / "a.csv").D_arm) == {"no mail"}
    with pytest.raises(PayoffError, match="No ranking"):
        engine.run("save_uplift", replace(arguments, model="gone"))
    with pytest.raises(PayoffError, match="overwrite"):
        engine.run("save_uplift", replace(arguments, path=document.data.path))
