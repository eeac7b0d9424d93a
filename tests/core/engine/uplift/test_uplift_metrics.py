"""The metric table of page Uplift: built-in metrics, third parties', intervals, chances."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from core.document.model import Document
from core.engine.local import LocalEngine
from core.engine.messages import Ask
from core.engine.options import EngineOptions
from core.questions.uplift import Arms, BaselineVariance, RowOrder, Uplift, UpliftMetrics
from core.uplift.toys import TOY_SAMPLES, toy_document, write_toy
from payoff.errors import PayoffError
from tests.contract.plugin_guide import GUIDE
from tests.helpers.factories.experiment import document_of

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile
PLUGIN = GUIDE[GUIDE.index("# own_uplift.py") :].split("```")[0]
MANIFEST = (
    '# /// payoff\n# id = "org.example.uplift"\n# name = "Own uplift"\n# version = "1.0.0"\n'
    '# api = ">=1,<2"\n# families = ["metrics"]\n# licence = "MIT"\n# author = "A."\n'
    '# description = "One metric."\n# ///\n'
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plugins")
    (folder / "own_uplift.py").write_text(MANIFEST + PLUGIN, "utf-8")
    return LocalEngine(EngineOptions(plugin_folder=str(folder), warm_up=False))


@pytest.fixture(scope="module")
def document(engine, tmp_path_factory):
    return document_of(engine, tmp_path_factory.mktemp("metrics"))


def ask(engine, document, draws=64):
    return engine.ask(document, UpliftMetrics(draws=draws))


def cell(result, metric, model):
    found = [c for c in result.evaluation.cells if (c.metric, c.model) == (metric, model)]
    return found[0].estimate


def test_values_intervals_and_a_third_partys_metric(engine, document):
    result = ask(engine, document)
    page = engine.ask(document, Uplift(draws=32))
    model = page.models[0]
    net = cell(result, "net_uplift", "uplift")
    assert net.value == pytest.approx(model.minus_random.value, rel=1e-9)
    assert net.low < net.value < net.high
    analytic = model.minus_random.high - model.minus_random.low
    assert net.high - net.low == pytest.approx(analytic, rel=0.35)  # 64 draws
    by_key = {row.key: row.measured.minus_random for row in model.variants}
    for key in ("qini_joint_absolute", "uplift_separate_absolute", "separate_relative"):
        assert cell(result, key, "uplift").value == pytest.approx(by_key[key], rel=1e-9)
    own = cell(result, "effect_of_half", "uplift")
    assert own.value == pytest.approx(cell(result, "uplift_at", "uplift").value, abs=0.2)
    assert own.low < own.value < own.high
    assert result.offered[-1].metric == "effect_of_half"
    assert "qini_auc_score" not in {info.metric for info in result.evaluation.metrics}


def test_chosen_metrics_and_what_is_not_there(engine, document):
    wanted = ("qini_auc_score", "net_uplift", "gone")
    chosen = replace(document, uplift=replace(document.uplift, metrics=wanted))
    result = ask(engine, chosen, draws=40)
    assert [info.metric for info in result.evaluation.metrics] == ["qini_auc_score", "net_uplift"]
    assert "'gone' is left out" in result.evaluation.warnings[0]
    assert np.isfinite(cell(result, "qini_auc_score", "noise").low)
    gap = [d for d in result.evaluation.comparisons if d.metric == "net_uplift"]
    assert gap
    assert gap[0].p_value < 0.2


def test_known_chances_enter_what_reads_them(engine, document):
    estimated = replace(document, uplift=replace(document.uplift, estimates_propensity=True))
    plain, weighted = ask(engine, document, draws=40), ask(engine, estimated, draws=40)
    first, second = (cell(r, "net_uplift", "uplift") for r in (plain, weighted))
    assert first.value != second.value
    assert second.low < second.value < second.high
    arms = "joint_relative"  # reads the arms alone
    assert cell(plain, arms, "uplift").value == cell(weighted, arms, "uplift").value


def test_each_arm_against_control_and_by_segment(engine, document):
    plain = engine.ask(document, Arms())
    page = engine.ask(document, Uplift(draws=32))
    assert plain.control == "no mail"
    assert len({row.effect.arm for row in plain.rows}) >= 2
    row = next(row for row in plain.rows if row.effect.arm == "mail" and row.outcome == "bought")
    assert row.effect == page.effects[0].effect
    assert row.adjusted is not None
    assert row.p_value >= row.effect.p_value  # Holm over the arms


def test_effects_by_segment(engine, tmp_path):
    sample = TOY_SAMPLES[1]
    toy = toy_document(sample, write_toy(sample, str(tmp_path)))
    parted = engine.ask(toy, Arms(segment="kind"))
    effects = {row.segment: row.effect.effect for row in parted.rows if row.segment}
    assert effects == {"CO": 1.0, "ST": 0.0, "LC": 0.0, "SD": -1.0}
    assert math.isnan(parted.segment_p_value)  # nobody varies within a segment
    too_many = Ask.of(toy, Arms(segment="customer_id"))
    with pytest.raises(PayoffError, match="too many"):
        engine.run("uplift.arms", too_many)


def test_row_order_of_every_ranking_and_the_study(engine, document):
    audit = engine.ask(document, RowOrder())
    assert [entry.model for entry in audit.models] == ["uplift", "noise"]
    assert len(audit.rows) == 8
    study = engine.ask(Document(name=""), BaselineVariance(rows=200, repeats=5))
    assert study.variance.shape == (2, len(study.base_rates), len(study.nus))
    assert study.areas.shape == (2, 8, 5, len(study.nus))
