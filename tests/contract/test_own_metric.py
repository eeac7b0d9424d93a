"""Own metric in five minutes: this does what the plugin guide says, with the guide's own code."""

from __future__ import annotations

import re
import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import payoff
from core.document.data.model import ReaderSettings, RowUse
from core.document.model import Document, MetricChoice, Role, RoleAssignment, TargetSpec
from core.engine.client import EngineClient
from core.engine.messages import Ask, JobState, LoadArguments, PluginsArguments
from core.engine.options import EngineOptions
from core.extensions import check_plugin_files
from core.kernels import compile_kernel
from core.questions.compare import CompareModels
from payoff import MetricForm, Sample
from payoff.own_metric import has_own_metric
from payoff.testing import check_plugin, metric_value
from payoff.testing.checks import KERNEL_CHECKS

GUIDE = (Path(__file__).parent.parent.parent / "docs" / "plugin-guide.md").read_text("utf-8")
SECTION = re.search(r"(?ms)^## Your own metric in five minutes\n(.*?)^## ", GUIDE)[1]
(CODE,) = re.findall(r"(?s)```python\n(.*?)```", SECTION)
(NAME,) = set(re.findall(r"Save it as `(\w+\.py)`", SECTION))
LIMIT = 90


@pytest.fixture
def client(tmp_path):
    (tmp_path / "plugins").mkdir()
    options = EngineOptions(
        store_folder=str(tmp_path / "store"),
        plugin_folder=str(tmp_path / "plugins"),
        quarantine_path=str(tmp_path / "quarantine.json"),
        log_folder=str(tmp_path / "log"),
        warm_up=False,
    )
    made = EngineClient(lambda event: None, options=options)
    made.start()
    yield made
    made.shutdown()


def scored(path):
    random = np.random.default_rng(5)
    chance = np.round(random.beta(1.0, 3.0, 900), 4)
    event = random.random(900) < chance
    rough = np.round(np.clip(chance + random.normal(0, 0.25, 900), 0, 1), 4)
    lines = ["bought,good,rough"]
    lines += [f"{int(e)},{p},{q}" for e, p, q in zip(event, chance, rough, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return event, chance


def run(client, kind, arguments):
    outcome = client.wait(client.submit(kind, arguments), LIMIT)
    assert outcome.state is JobState.DONE, outcome.error
    return outcome.result


def test_the_guide_s_file_appears_with_intervals_and_paired_tests(client, tmp_path):
    event, chance = scored(tmp_path / "scored.csv")
    data = run(
        client, "load", LoadArguments(path=str(tmp_path / "scored.csv"), reader=ReaderSettings())
    ).data
    document = Document(
        data=data,
        target=TargetSpec(column="bought", kind="binary", levels=("1", "0")),
        rows_used=RowUse.ALL,
    ).with_roles(
        (
            RoleAssignment(column="bought", role=Role.TARGET),
            RoleAssignment(column="good", role=Role.POSTERIOR, model="good", level="1"),
            RoleAssignment(column="rough", role=Role.POSTERIOR, model="rough", level="1"),
        )
    )
    before = run(client, "plugins", PluginsArguments())
    assert "tjur_r2" not in {info.metric for info in before.metrics}

    (tmp_path / "plugins" / NAME).write_text(CODE, "utf-8")  # the engine keeps running

    after = run(client, "plugins", PluginsArguments(check_again=True))
    (info,) = [info for info in after.metrics if info.metric == "tjur_r2"]
    assert info.title == "Tjur's R²"
    assert info.help == "How much higher the mean chance of events is than that of all other cases."
    assert {p.plugin: p.state for p in after.plugins}["own.tjur_r2"] == "active"

    metrics = (MetricChoice(metric="auc"), MetricChoice(metric="tjur_r2"))
    asked = Ask.of(replace(document, metrics=metrics), CompareModels(resamples=300))
    result = run(client, "compare.models", asked)
    cells = {c.model: c.estimate for c in result.cells if c.metric == "tjur_r2"}
    assert cells["good"].value == pytest.approx(chance[event].mean() - chance[~event].mean())
    for found in cells.values():
        assert found.low < found.value < found.high
        assert "200 draws" in found.method
    pair = next(p for p in result.comparisons if p.metric == "tjur_r2")
    assert (pair.first, pair.second) == ("good", "rough")
    assert 0 < pair.p_value <= 1
    assert pair.resamples == 200
    assert next(s for s in result.selections if s.metric == "tjur_r2").winner in ("good", "rough")


def test_the_guide_s_file_passes_the_kit(tmp_path):
    (tmp_path / NAME).write_text(CODE, "utf-8")
    sheet = check_plugin(tmp_path / NAME)
    assert sheet.passed, f"\n{sheet}"


def test_a_metric_that_depends_on_the_order_of_rows_is_told(tmp_path):
    text = (
        "import payoff\n\n@payoff.metric('First half')\n"
        "def first_half(outcome, score):\n    return float(outcome[: len(outcome) // 2].mean())\n"
    )
    (tmp_path / "first_half.py").write_text(text, "utf-8")
    failed = [result.check for result in check_plugin(tmp_path / "first_half.py").failures]
    assert "Row order and ties do not matter" in failed


def test_words_that_are_not_known_are_refused():
    with pytest.raises(payoff.PayoffError, match="There is no direction 'up'"):
        payoff.metric("x", direction="up")(lambda outcome, score: 0.0)
    with pytest.raises(payoff.PayoffError, match="takes a, b"):
        payoff.metric("x")(lambda a, b: 0.0)
    with pytest.raises(payoff.PayoffError, match="There is no task 'ranking'"):
        payoff.metric("x", task="ranking")(lambda outcome, score: 0.0)
    assert has_own_metric("@payoff.metric('x')\n")
    assert not has_own_metric("# payoff.metric is nice\n")


def test_a_number_s_metric_and_one_without_weights():
    @payoff.metric("Largest miss", task="regression", direction="lower", value_range=(0, np.inf))
    def largest_miss(outcome, score):
        return np.abs(outcome - score).max()

    sample = payoff.Sample([1.0, 4.0], [1.5, 2.0])
    assert largest_miss.compute(sample, {}) == 2.0
    assert largest_miss.weights == payoff.WeightMeaning.NONE
    assert largest_miss.help == "Largest miss"


ROW = """
import payoff

LIMIT = payoff.Parameter(name="limit", words="a large miss", default=0.5, minimum=0.0)


@payoff.metric("Miss beyond {limit}", direction="lower", task="TASK", parameters=(LIMIT,))
def beyond(y, p, limit):
    \"\"\"Mean of what a miss has beyond the limit.\"\"\"
    return max(abs(y - p) - limit, 0.0)
"""


@pytest.mark.parametrize("task", ["binary", "regression"])
def test_a_metric_of_one_case_is_a_compiled_mean(task, tmp_path):
    """It passes the kit, compiled and kept, and gives the plain mean, weights and parameter too."""
    path = tmp_path / "beyond.py"
    path.write_text(ROW.replace("TASK", task), "utf-8")
    sheet = check_plugin_files(path)
    assert sheet.passed, f"\n{sheet}"
    assert set(KERNEL_CHECKS) <= {result.check for result in sheet.results}
    metric = runpy.run_path(str(path), run_name="own_beyond")["beyond"]
    assert metric.form is MetricForm.ROW_MEAN
    random = np.random.default_rng(4)
    outcome = random.integers(0, 2, 50).astype(float)
    score, weight = np.round(random.uniform(size=50), 3), random.uniform(0.5, 2.0, 50)
    wanted = np.average(np.maximum(np.abs(outcome - score) - 0.25, 0.0), weights=weight)
    contribution, factor = np.empty((1, 50)), np.empty((1, 50))
    codes = (1 - outcome).astype(np.int32) if task == "binary" else outcome
    given = codes, np.vstack([score, 1 - score]), np.array([0.25]), contribution, factor, 0, 50
    compile_kernel(metric.rows)(*given)
    assert np.average(contribution[0], weights=weight * factor[0]) == pytest.approx(wanted)


def test_a_metric_of_all_cases_takes_parameters_too():
    limit = payoff.Parameter(name="limit", words="limit", default=0.5)

    @payoff.metric("Share above {limit}", parameters=(limit,))
    def above(outcome, score, weight, limit):
        """Share of cases above a limit."""
        return weight[score > limit].sum() / weight.sum()

    sample = Sample(["1", "0", "0"], [0.9, 0.6, 0.2], labels=("1", "0"))
    assert metric_value(above, sample) == pytest.approx(2 / 3)
    assert metric_value(above, sample, {"limit": 0.7}) == pytest.approx(1 / 3)
    with pytest.raises(payoff.PayoffError, match="takes y, p, other"):
        payoff.metric("No", parameters=(limit,))(lambda y, p, other: 0.0)
