"""Page Models with a model of several quantiles: its fan, its coverage, its levels."""

from dataclasses import replace

import pytest

from core.document.data.model import RowUse
from core.document.wording import NBSP
from core.questions.explain import QuantileCheck
from gui.pages.models.views import COVERAGE, LEARNING, RANGES
from payoff.errors import PayoffError
from tests.helpers.answers.models import document_with_inputs
from tests.helpers.answers.ranges import document_of_quantiles, offered_quantiles, ranges_of
from tests.helpers.harness import open_models


@pytest.fixture
def bench(session, engine, qtbot):
    return open_models(session, engine, qtbot, document_of_quantiles(), offered_quantiles())


def look_at(bench, key):
    bench.page.views.choice._buttons[key].click()


def asked(bench):
    return [entry for entry in bench.engine.asked if entry.kind == "models.quantiles"]


def test_ranges_are_asked_for_when_they_are_looked_at(bench):
    views = bench.page.views
    assert views.choice.isVisible()
    assert not asked(bench)
    look_at(bench, RANGES)
    (question,) = asked(bench)
    assert isinstance(question.arguments.question, QuantileCheck)
    assert question.arguments.question.model == "gbm 1"
    bench.answer("models.quantiles", ranges_of())
    assert views.fan.isVisible()
    assert views.fan.chart.points
    assert f"90.0{NBSP}% promised, 88.0{NBSP}% held" in views.verdict.text()
    assert views.verdict.toolTip() == "validation rows, 20,000 of 90,000"
    look_at(bench, COVERAGE)
    look_at(bench, RANGES)
    assert len(asked(bench)) == 1


def test_the_cursor_stands_where_there_is_something_to_read(bench):
    look_at(bench, RANGES)
    bench.answer("models.quantiles", ranges_of())
    state = bench.page.views.fan.make_state(0.903)
    assert (state.x, state.lines[0].series) == (0.905, 0)
    look_at(bench, COVERAGE)
    chart = bench.page.views.coverage
    assert chart.isVisible()
    state = chart.make_state(chart.cursor_depth)
    assert state.head.startswith("quantile 95")
    assert [line.series for line in state.lines] == [0, None, None]


def test_other_rows_ask_again_and_an_old_answer_is_dropped(bench):
    look_at(bench, RANGES)
    first = asked(bench)[0]
    bench.session.project.take_document(
        replace(bench.session.project.document, rows_used=RowUse.TEST)
    )
    assert len(asked(bench)) == 2
    bench.engine.answer(first.job, ranges_of())
    assert bench.page.views.fan.chart is None
    bench.answer("models.quantiles", ranges_of())
    assert bench.page.views.fan.chart is not None


def test_a_refusal_stands_in_words(bench):
    look_at(bench, RANGES)
    job = bench.engine.last("models.quantiles").job
    with bench.qtbot.waitSignal(bench.session.jobs.job_ended, timeout=2000):
        bench.engine.fail(job, PayoffError("Only 3 rows have an outcome and predicted quantiles."))
    assert "Only 3 rows" in bench.page.views.fan._empty_text.text()
    assert bench.page.views.fan.view.spec is None


def test_models_of_one_number_show_how_they_learned(session, engine, qtbot):
    bench = open_models(session, engine, qtbot, document_with_inputs())
    views = bench.page.views
    assert not views.choice.isVisible()
    assert views.choice.choice() == LEARNING
    assert bench.page.chart.isVisible()


def test_the_levels_can_be_changed_before_a_training(bench):
    bench.page.presenter.begin()
    draft = replace(bench.page.presenter.draft, distribution="multi_quantile")
    bench.page.presenter.take_draft(draft)
    panel = bench.page.settings_panel
    bench.page.show_step("settings")
    fields = {field.accessibleName(): field for field in panel.findChildren(type(_a_field()))}
    assert fields["Number of quantiles"].value() == 9
    fields["Number of quantiles"].choose(3.0)
    bench.page.presenter.train()
    assert dict(bench.trained_with().settings.distribution_params)["quantiles"] == 3.0


def _a_field():
    from gui.widgets import NumberField

    return NumberField(0.0, minimum=0.0, maximum=1.0)


def test_the_ranges_stand_on_the_report_with_both_charts(bench):
    look_at(bench, RANGES)
    bench.answer("models.quantiles", ranges_of())
    parts = {part.key: part for part in bench.page.report_parts()}
    entry = parts["models/quantiles gbm 1"]
    assert [chart.kind for chart in entry.answered().charts] == [
        *("predicted_ranges", "quantile_coverage"),
    ]
    assert entry.charts == (bench.page.views.fan, bench.page.views.coverage)
