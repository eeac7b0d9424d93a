"""Frequency, sampling weight, cluster: the same values, other intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import payoff
from core.data import from_data
from core.document.commands import OpenData
from core.document.data.commands import SetWeightKind
from core.document.data.model import RowUse
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import Document, Role, WeightKind
from core.document.results import DecisionResult
from core.engine.local import LocalEngine
from core.questions.decide import Totals
from payoff.errors import PayoffError

ROWS = 300


def cases() -> pd.DataFrame:
    draw = np.random.default_rng(3)
    probability = draw.uniform(0.02, 0.98, ROWS).round(3)
    return pd.DataFrame(
        {
            "p_gbm": probability,
            "responded": (draw.uniform(size=ROWS) < probability).astype(int),
            "weight": draw.integers(1, 6, ROWS),
        }
    )


def written_out() -> pd.DataFrame:
    data = cases()
    return data.loc[data.index.repeat(data["weight"])].drop(columns="weight").reset_index(drop=True)


def evaluated(data: pd.DataFrame, **settings: object) -> payoff.Evaluation:
    return payoff.evaluate(
        data,
        outcome="responded",
        scores="p_gbm",
        metrics=["auc", "brier", "ks"],
        resamples=200,
        **settings,
    )


def width(found: payoff.Evaluation, metric: str) -> float:
    low, high = found.interval(metric, "p_gbm")
    return high - low


def test_a_frequency_is_as_good_as_the_rows_written_out() -> None:
    counted = evaluated(cases(), weight="weight", weight_kind="frequency")
    written = evaluated(written_out())
    for metric in ("auc", "brier"):
        assert counted.value(metric, "p_gbm") == pytest.approx(written.value(metric, "p_gbm"))
        assert width(counted, metric) == pytest.approx(width(written, metric), rel=1e-9)
    assert width(counted, "ks") == pytest.approx(width(written, "ks"), rel=0.25)
    assert "standing for" in counted.result.rows.text
    assert counted.result.rows.rows == ROWS
    # Runs of other weights are not compared as if they were of the same.
    assert counted.result.conditions.weight == "weight"
    assert written.result.conditions.weight == ""


def test_a_sampling_weight_gives_the_same_value_and_a_wider_interval() -> None:
    counted = evaluated(cases(), weight="weight", weight_kind="frequency")
    sampled = evaluated(cases(), weight="weight", weight_kind="sampling")
    assert sampled.value("auc", "p_gbm") == pytest.approx(counted.value("auc", "p_gbm"))
    # about sqrt(sum w^2 / sum w): a case of weight 3 was seen once
    for metric in ("auc", "brier", "ks"):
        assert width(sampled, metric) > 1.5 * width(counted, metric)
    assert any("say as much as" in text for text in sampled.warnings)


def test_clusters_of_copies_are_as_wide_as_without_the_copies() -> None:
    data = cases().drop(columns="weight")
    data["household"] = np.arange(ROWS)
    copies = pd.concat([data] * 4, ignore_index=True)
    alone = evaluated(data)
    apart = evaluated(copies)
    together = evaluated(copies, cluster="household")
    for metric in ("auc", "brier"):
        assert width(together, metric) == pytest.approx(width(alone, metric), rel=0.01)
        assert width(apart, metric) == pytest.approx(width(alone, metric) / 2, rel=0.01)
    assert width(together, "ks") == pytest.approx(width(alone, "ks"), rel=0.3)


def document(data: pd.DataFrame) -> tuple[LocalEngine, Document]:
    engine, table = LocalEngine(), from_data(data)
    engine.add_table(table)
    summary = table.summary
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=((5.0, 0.0), (-1.0, 0.0)),
        acting="Mail",
    )
    made = OpenData(
        data=summary.data,
        roles=summary.roles,
        target=summary.target,
        split=summary.split,
        matrix=matrix,
    ).apply(Document())
    return engine, replace(made, rows_used=RowUse.ALL)


def profit(engine: LocalEngine, made: Document) -> DecisionResult:
    found: DecisionResult = engine.ask(made, Totals())
    return found


def test_money_of_a_frequency_is_that_of_the_rows_written_out() -> None:
    engine, made = document(cases())
    assert made.column_of(Role.WEIGHT) == "weight"
    made = SetWeightKind(column="weight", kind=WeightKind.FREQUENCY).apply(made)
    (counted,) = profit(engine, made).models
    (written,) = profit(*document(written_out())).models
    np.testing.assert_allclose(counted.profit, written.profit)
    np.testing.assert_allclose(counted.low, written.low)
    np.testing.assert_allclose(counted.cases, written.cases)


def test_it_is_asked_what_a_weight_says_and_what_money_does_not_know_is_told() -> None:
    engine, made = document(cases())
    assert any("Say in its role" in text for text in from_data(cases()).summary.warnings)
    sampled = SetWeightKind(column="weight", kind=WeightKind.SAMPLING).apply(made)
    assert any("too narrow" in text for text in profit(engine, sampled).warnings)
    with_fractions = cases().assign(weight=lambda frame: frame["weight"] + 0.5)
    engine, made = document(with_fractions)
    counted = SetWeightKind(column="weight", kind=WeightKind.FREQUENCY).apply(made)
    assert any("it has fractions" in text for text in profit(engine, counted).warnings)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(PayoffError, match="weight_kind='both'"):
        evaluated(cases(), weight="weight", weight_kind="both")
