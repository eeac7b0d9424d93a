"""The sample campaign is what its documentation says."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from core import data
from core.document.data.model import RowUse
from core.document.model import OldPriorKind, Role


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return data.write_sample(str(tmp_path_factory.mktemp("sample")))


@pytest.fixture(scope="module")
def table(sample):
    return data.load(sample)


@pytest.fixture(scope="module")
def document(sample):
    return data.sample_document(sample)


def area(score, responded):
    order = np.argsort(score, kind="stable")
    ranks = np.empty(len(score))
    ranks[order] = np.arange(1, len(score) + 1)
    events = responded.sum()
    return (ranks[responded].sum() - events * (events + 1) / 2) / (events * (~responded).sum())


def test_same_bytes_every_time(sample, tmp_path):
    again = data.write_sample(str(tmp_path))
    for name in (data.SAMPLE_FILE, data.NEW_CUSTOMERS_FILE):
        first = (Path(sample).parent / name).read_bytes()
        assert (
            hashlib.sha256(first).digest()
            == hashlib.sha256((Path(again).parent / name).read_bytes()).digest()
        )


def test_campaign(table, document):
    assert table.rows == 20_000
    assert table.columns == document.data.columns
    assert table.data.content_hash == document.data.content_hash
    codes, warnings = data.outcome_codes(table, document.target)
    assert not warnings
    assert np.bincount(codes).tolist() == [1000, 19_000]
    for use in (RowUse.VALIDATION, RowUse.TEST):
        rows, note = data.usable_rows(table, document, use)
        assert len(rows) == 10_000
        assert (codes[rows] == 0).sum() == 500
        assert note.text.endswith("10,000 of 20,000")
    cost = data.column_as_float(table, "letter_cost")
    assert cost.mean() == pytest.approx(1.60, abs=0.005)
    assert cost.min() >= 1.20
    assert cost.max() <= 2.20
    amount = data.column_as_float(table, "amount")
    assert 0.4 * amount[codes == 0].mean() == pytest.approx(25.60, abs=0.01)
    assert not amount[codes == 1].any()


def test_models_have_the_stated_quality(table, document):
    responded = data.outcome_codes(table, document.target)[0] == 0
    areas, means = {}, {}
    for model in document.models:
        probability = data.posteriors(table, document, model.name)[0]
        areas[model.name], means[model.name] = area(probability, responded), probability.mean()
    assert areas["gbm 2"] == pytest.approx(0.86, abs=0.01)
    assert areas["logit"] == pytest.approx(0.84, abs=0.01)
    assert areas["agency"] == pytest.approx(0.76, abs=0.01)
    assert means["logit"] == pytest.approx(0.05, abs=0.003)
    assert means["gbm 2"] > 0.15  # trained at 24.8 %
    best = table_profit(data.posteriors(table, document, "gbm 2")[0], responded)
    assert np.argmax(best) / 20_000 == pytest.approx(0.21, abs=0.02)
    assert best.max() == pytest.approx(12_300, abs=500)


def table_profit(probability, responded):
    gains = np.where(responded, 24.0, -1.6)
    return np.cumsum(gains[np.argsort(-probability, kind="stable")])


def test_agency_is_over_confident(table, document):
    responded = data.outcome_codes(table, document.target)[0] == 0
    probability = data.posteriors(table, document, "agency")[0]
    high, low = probability > 0.2, probability < 0.02
    assert probability[high].mean() > 1.3 * responded[high].mean()
    assert probability[low].mean() < 0.8 * responded[low].mean()


def test_guesses_agree_with_the_document(table, document):
    for guess in table.summary.roles:
        reported = document.role_of(guess.column)
        if guess.column != "amount":  # known only afterwards, which no name tells
            assert (guess.role, guess.model, guess.level) == (
                reported.role,
                reported.model,
                reported.level,
            )
    assert table.summary.target.levels == document.target.levels
    assert table.summary.split.column == document.split.column
    (warning,) = table.summary.warnings
    assert warning.startswith("amount gives the outcome away")
    assert document.model("gbm 2").old_priors.kind is OldPriorKind.TRAINED_AT
    assert document.model("logit").old_priors.kind is OldPriorKind.CORRECTED


def test_new_customers_have_no_outcome(sample, document):
    fresh = data.load(str(Path(sample).parent / data.NEW_CUSTOMERS_FILE))
    assert fresh.rows == 5_000
    assert fresh.summary.target is None
    assert "responded" not in fresh.columns
    assert not set(data.column_as_text(fresh, "customer_id")) & {"K100001"}
    assert document.column_of(Role.ID) in fresh.columns
