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
def harness(session, engine, qtbot):
    return open_models(session, engine, qtbot, document_of_quantiles(), offered_quantiles())


def look_at(harness, key):
    harness.page.views.choice._buttons[key].click()


def asked(harness):
    return [entry for entry in harness.engine.asked if entry.kind == "models.quantiles"]


def test_ranges_are_asked_for_when_they_are_looked_at(harness):
    views = harness.page.views
    assert views.choice.isVisible()
    assert not asked(harness)
    look_at(harness, RANGES)
    (question,) = asked(harness)
    assert isinstance(question.arguments.question, QuantileCheck)
    assert question.arguments.question.model == "gbm 1"
    harness.answer("models.quantiles", ranges_of())
    assert views.fan.isVisible()
    assert views.fan.chart.points
    assert f"90.0{NBSP}% promised, 88.0{NBSP}% held" in views.verdict.text()
    assert views.verdict.toolTip() == "validation rows, 20,000 of 90,000"
    look_at(harness, COVERAGE)
    look_at(harness, RANGES)
    assert len(asked(harness)) == 1


def test_the_cursor_stands_where_there_is_something_to_read(harness):
    look_at(harness, RANGES)
    harness.answer("models.quantiles", ranges_of())
    state = harness.page.views.fan.make_state(0.903)
    assert (state.x, state.lines[0].series) == (0.905, 0)
    look_at(harness, COVERAGE)
    chart = harness.page.views.coverage
    assert chart.isVisible()
    state = chart.make_state(chart.cursor_depth)
    assert state.head.startswith("quantile 95")
    assert [line.series for line in state.lines] == [0, None, None]


def test_other_rows_ask_again_and_an_old_answer_is_dropped(harness):
    look_at(harness, RANGES)
    first = asked(harness)[0]
    harness.session.project.take_document(
        replace(harness.session.project.document, rows_used=RowUse.TEST)
    )
    assert len(asked(harness)) == 2
    harness.engine.answer(first.job, ranges_of())
    assert harness.page.views.fan.chart is None
    harness.answer("models.quantiles", ranges_of())
    assert harness.page.views.fan.chart is not None


def test_a_refusal_stands_in_words(harness):
    look_at(harness, RANGES)
    job = harness.engine.last("models.quantiles").job
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        harness.engine.fail(
            job, PayoffError("Only 3 rows have an outcome and predicted quantiles.")
        )
    assert "Only 3 rows" in harness.page.views.fan._empty_text.text()
    assert harness.page.views.fan.view.spec is None


def test_models_of_one_number_show_how_they_learned(session, engine, qtbot):
    harness = open_models(session, engine, qtbot, document_with_inputs())
    views = harness.page.views
    assert not views.choice.isVisible()
    assert views.choice.choice() == LEARNING
    assert harness.page.chart.isVisible()


def test_the_levels_can_be_changed_before_a_training(harness):
    harness.page.presenter.begin()
    draft = replace(harness.page.presenter.draft, distribution="multi_quantile")
    harness.page.presenter.take_draft(draft)
    panel = harness.page.settings_panel
    harness.page.show_step("settings")
    fields = {field.accessibleName(): field for field in panel.findChildren(type(_a_field()))}
    assert fields["Number of quantiles"].value() == 9
    fields["Number of quantiles"].choose(3.0)
    harness.page.presenter.train()
    assert dict(harness.trained_with().settings.distribution_params)["quantiles"] == 3.0


def _a_field():
    from gui.widgets import NumberField

    return NumberField(0.0, minimum=0.0, maximum=1.0)


def test_the_ranges_stand_on_the_report_with_both_charts(harness):
    look_at(harness, RANGES)
    harness.answer("models.quantiles", ranges_of())
    parts = {part.key: part for part in harness.page.report_parts()}
    entry = parts["models/quantiles gbm 1"]
    assert [chart.kind for chart in entry.answered().charts] == [
        *("predicted_ranges", "quantile_coverage"),
    ]
    assert entry.charts == (harness.page.views.fan, harness.page.views.coverage)
