"""Own curve in five minutes: this does what the plugin guide says, with the guide's own code."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import payoff
from core.document.compare.commands import SetCharts
from core.document.data.model import ReaderSettings, RowUse
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from core.document.report.commands import PutOnReport, with_report_charts
from core.engine.messages import Ask, LoadArguments, PluginsArguments
from core.presentation.labels import Labels
from core.presentation.report.page import entries_html
from core.questions.compare import CompareModels, Segments
from core.report.html import fresh_views, kept_text
from payoff.errors import PayoffError
from payoff.own_metric import has_own_metric
from payoff.testing import check_plugin
from tests.contract.own_curve import CODE, NAME
from tests.contract.own_metric import client, run, scored

__all__ = ["client"]  # the fixture: an engine that keeps running

pytestmark = pytest.mark.timeout(300)  # engines start; the code of the guide is compiled


@pytest.fixture
def document(client, tmp_path):
    event, probability = scored(tmp_path / "scored.csv")
    requested = LoadArguments(path=str(tmp_path / "scored.csv"), reader=ReaderSettings())
    made = Document(
        data=run(client, "load", requested).data,
        target=TargetSpec(column="bought", kind="binary", levels=("1", "0")),
        rows_used=RowUse.ALL,
    ).with_roles(
        (
            RoleAssignment(column="bought", role=Role.TARGET),
            RoleAssignment(column="good", role=Role.POSTERIOR, model="good", level="1"),
            RoleAssignment(column="rough", role=Role.POSTERIOR, model="rough", level="1"),
        )
    )
    return made, event, probability


def test_the_guide_s_file_is_drawn_with_bands_beside_the_shipped_charts(client, tmp_path, document):
    made, event, probability = document
    before = run(client, "plugins", PluginsArguments())
    assert "false_omission" not in {info.id for info in before.curves}
    assert {"roc", "gains", "lift", "ks"} <= {info.id for info in before.curves}

    (tmp_path / "plugins" / NAME).write_text(CODE, "utf-8")  # the engine keeps running

    after = run(client, "plugins", PluginsArguments(check_again=True))
    (info,) = [info for info in after.curves if info.id == "false_omission"]
    assert (info.title, info.axis) == ("How many events are passed over?", "depth")
    assert info.help.startswith("Share of events among the cases that are not acted on")
    assert "false_omission" not in {info.metric for info in after.metrics}

    wanted = SetCharts(charts=("gains", "false_omission")).apply(made)
    result = run(client, "compare.models", Ask.of(wanted, CompareModels(resamples=300)))
    chart = next(chart for chart in result.charts if chart.kind == "false_omission")
    assert chart.plugin_chart.subtitle == "false omission rate"
    assert "200 Poisson bootstrap draws" in chart.definition
    lines = {curve.model: curve for curve in chart.curves if curve.model}
    assert set(lines) == {"good", "rough"}
    good = lines["good"]
    rest = np.argsort(-probability, kind="stable")[450:]  # the lower half
    assert np.interp(0.5, good.x, good.y) == pytest.approx(event[rest].mean(), abs=0.01)
    inner = (good.x > 0.05) & (good.x < 0.9)
    assert (good.low <= good.y + 1e-9)[inner].mean() > 0.97
    assert (good.y <= good.high + 1e-9)[inner].mean() > 0.97
    assert ((good.high - good.low)[inner] > 0).all()
    assert {curve.name for curve in chart.curves if not curve.model} == {"nobody left"}


@pytest.mark.soak
def test_the_guide_s_curve_by_a_column_and_on_the_report(client, tmp_path, document):
    made, _, _ = document
    (tmp_path / "plugins" / NAME).write_text(CODE, "utf-8")
    run(client, "plugins", PluginsArguments(check_again=True))

    by = Ask.of(made, Segments(column="rough", chart="false_omission", groups=2, resamples=40))
    chart = run(client, "compare.segments", by).chart
    assert chart.plugin_chart.title == "How many events are passed over?"
    assert len([c for c in chart.curves if c.model]) == 2
    assert all(c.low is not None and c.name for c in chart.curves if c.model)
    assert [c.name for c in chart.curves if not c.model] == ["nobody left"]  # in every group

    noted = PutOnReport(kind="false_omission", note="Ours.").apply(made)
    requested = with_report_charts(noted)
    assert "false_omission" in requested.charts
    result = run(client, "compare.models", Ask.of(requested, CompareModels(resamples=40)))
    section = section_on_report(noted, result)
    assert section.startswith("<section><h2>How many events are passed over?")
    assert "<p>Ours.</p>" in section
    assert "events among the rest" in section
    assert "<svg" in section
    failed = replace(
        result,
        charts=tuple(
            replace(c, curves=(), notes=("good: it failed",)) if c.kind == "false_omission" else c
            for c in result.charts
        ),
    )
    assert "good: it failed" in section_on_report(noted, failed)


def section_on_report(document, evaluation):
    """What the report shows of a project's evaluation, where nothing else is known of it."""

    def answer(question):
        if isinstance(question, CompareModels):
            return evaluation
        raise PayoffError("Nobody has asked.")

    refusals = {}
    views = fresh_views(document, (), answer, Labels.of(document), refusals)
    return entries_html(kept_text(document, views, refusals)).text


def test_the_guide_s_file_passes_the_kit(tmp_path):
    (tmp_path / NAME).write_text(CODE, "utf-8")
    sheet = check_plugin(tmp_path / NAME)
    assert sheet.passed, f"\n{sheet}"
    assert has_own_metric(CODE)


def test_grey_lines_are_not_asked_for(tmp_path):
    code = re.sub(r"\n    references=\{.*?\},?(?=\n)", "", CODE, flags=re.DOTALL)
    assert "references" not in code
    (tmp_path / NAME).write_text(code, "utf-8")
    sheet = check_plugin(tmp_path / NAME)
    assert sheet.passed, f"\n{sheet}"


FAILING = {
    "def back(outcome, score):\n    return score.max() - np.arange(3.0), np.arange(3.0)\n": (
        "Answer has the stated form",
        "left to right",
    ),
    "def order(outcome, score):\n    return np.arange(len(score)), np.cumsum(outcome)\n": (
        "Row order and ties do not matter",
        "shuffled rows",
    ),
    "def number(outcome, score):\n    return 0.5\n": ("Answer has the stated form", "gave float"),
    "def ragged(outcome, score):\n    return np.arange(3.0), np.arange(2.0)\n": (
        "Answer has the stated form",
        "arrays of one length",
    ),
}


@pytest.mark.parametrize("code", FAILING, ids=lambda code: code.split("(")[0][4:])
def test_a_curve_that_is_none_is_told(tmp_path, code):
    text = f"import numpy as np\nimport payoff\n\n@payoff.curve('Q', x='x', y='y')\n{code}"
    (tmp_path / "own.py").write_text(text, "utf-8")
    found = {result.check: result.found for result in check_plugin(tmp_path / "own.py").failures}
    check, words = FAILING[code]
    assert words in found[check]


def test_words_that_are_not_known_are_refused():
    with pytest.raises(payoff.PayoffError, match="There is no axis 'time'"):
        payoff.curve("x", x="x", y="y", axis="time")
    with pytest.raises(payoff.PayoffError, match="takes a, b"):
        payoff.curve("x", x="x", y="y")(lambda a, b: 0.0)
