"""Page Explain: influence, then the curve of an input, then the map of two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.document.commands import RenameModel
from core.document.training_results import ExplainResult
from core.engine.messages import JobState
from core.questions.explain import Explain
from gui.pages.explain.widget import ExplainPage
from gui.session.session import Session
from tests.helpers.answers.models import document_with_inputs, explained, summary_of
from tests.helpers.fake_engine import FakeEngine


class Harness:
    """The page and an engine that is answered by hand."""

    def __init__(self, session: Session, engine: FakeEngine, qtbot: QtBot) -> None:
        self.session, self.engine, self.qtbot = session, engine, qtbot
        self.page = ExplainPage(session)
        qtbot.addWidget(self.page)
        self.page.resize(1368, 802)
        self.page.show()
        qtbot.waitExposed(self.page)

    def asked(self) -> Explain:
        question = self.engine.last("explain.model").arguments.question
        assert isinstance(question, Explain)
        return question

    def answer(self, change: Callable[[ExplainResult], ExplainResult] = lambda r: r) -> None:
        request = self.asked()
        job = self.engine.last("explain.model").job
        result = explained(
            request.model, request.columns, request.pairs, request.shuffles, request.together
        )
        with self.qtbot.waitSignal(self.session.jobs.job_ended, timeout=2000):
            self.engine.answer(job, change(result))


@pytest.fixture
def harness(session: Session, engine: FakeEngine, qtbot: QtBot) -> Harness:
    document = document_with_inputs()
    session.project.take_document(document)
    session.project.summary = summary_of(document)
    return Harness(session, engine, qtbot)


def test_without_a_trained_model_one_sentence_and_a_button(session, engine, qtbot) -> None:
    session.project.take_document(document_with_inputs(has_trained=False))
    harness = Harness(session, engine, qtbot)
    assert harness.page.stack.currentIndex() == 1
    with qtbot.waitSignal(session.page_requested) as request:
        assert harness.page.caption.isHidden()
        qtbot.mouseClick(harness.page.empty.button, Qt.MouseButton.LeftButton)
    assert request.args == ["models"]
    assert engine.of_kind("explain.model") == []


def test_influence_comes_first_then_the_strongest_input_then_a_pair(harness: Harness) -> None:
    assert (harness.asked().columns, harness.asked().pairs) == ((), ())
    harness.answer()
    assert harness.page.influence.bars.bars[0].key == "orders_12m"
    assert harness.page.influence.bars.choice() == "orders_12m"
    assert harness.asked().columns == ("orders_12m",)
    harness.answer()
    assert harness.page.chart.chart.x_axis.label == "orders_12m"
    assert harness.asked().pairs == (("orders_12m", "last_order"),)
    harness.answer()
    pair = harness.page.pairs.view.spec
    assert (pair.x_axis.label, pair.y_axis.label) == ("orders_12m", "last_order")
    assert "H = 0.18" in pair.subtitle


def test_the_curve_is_read_at_the_cursor(harness: Harness) -> None:
    for _ in range(3):
        harness.answer()
    state = harness.page.chart.make_state(0.5)
    assert state is not None
    assert state.head == "orders_12m 6"
    assert state.lines[0].value.endswith("%")


def test_arrow_keys_go_through_the_inputs_and_levels_have_bars(harness: Harness) -> None:
    for _ in range(3):
        harness.answer()
    for _ in range(4):
        QTest.keyClick(harness.page.influence.bars, Qt.Key.Key_Down)
    assert harness.page.influence.bars.choice() == "region"
    chart = harness.page.chart
    while chart.chart is None or chart.chart.x_axis.label != "region":
        harness.answer()
    assert len(chart.chart.bars) == 1
    chart.go_to(1.2)  # the bar that is nearest
    state = chart.make_state(chart.cursor_depth)
    assert (state.x, state.head, state.lines[0].value) == (1.0, "region East", "6.1\u00a0%")


def test_an_entry_of_the_report_is_asked_for_again_while_the_page_is_hidden(
    harness: Harness,
) -> None:
    for _ in range(4):
        harness.answer()
    page, report = harness.page, harness.session.report
    influence, curve, _pair = (part.key for part in page.report_parts())
    report.put_all((influence, curve))
    assert curve.endswith(" orders_12m")
    page.hide()
    before, requested = report.block(curve), len(harness.engine.of_kind("explain.model"))
    assert report.ask(curve)
    assert len(harness.engine.of_kind("explain.model")) == requested + 1
    assert harness.asked().columns == ("orders_12m",)
    harness.answer()
    assert report.block(curve).sentences == before.sentences
    assert not report.is_stale(curve)
    assert not report.ask("explain/model nobody")  # nobody knows what was asked


def test_the_map_reads_a_cell(harness: Harness) -> None:
    for _ in range(3):
        harness.answer()
    card = harness.page.pairs
    axes = card.view.spec.x_axis, card.view.spec.y_axis
    assert card.tip(*(axis.low for axis in axes)).startswith("orders_12m 0, last_order 0: ")
    assert card.tip(axes[0].high + 1.0, 0.0) == ""


def test_partners_are_named_with_how_much_they_act_together(harness: Harness) -> None:
    for _ in range(3):
        harness.answer()
    assert harness.asked().together == ("orders_12m",)
    harness.answer()
    second = harness.page.pairs.second
    assert second.itemText(second.findData("age")) == "age   H 0.18"
    assert second.currentText() == "last_order   H 0.03"
    before = len(harness.engine.of_kind("explain.model"))
    second.setCurrentIndex(second.findData("age"))
    second.activated.emit(second.currentIndex())
    assert harness.asked().pairs == (("orders_12m", "age"),)
    harness.answer()
    assert len(harness.engine.of_kind("explain.model")) == before + 1  # partners are known


def of_two_classes(result: ExplainResult) -> ExplainResult:
    """The same for a model of two classes; only how inputs act together differs."""

    def doubled(entry: Any, *names: str) -> Any:
        return replace(entry, **{n: np.repeat(getattr(entry, n), 2, axis=0) for n in names})

    return replace(
        result,
        outputs=("chance of first", "chance of second"),
        curves=tuple(doubled(c, "y", "low", "high", "at_missing") for c in result.curves),
        maps=tuple(doubled(pair, "values", "interaction") for pair in result.maps),
        interactions=tuple(
            replace(entry, strength=np.array([entry.strength[0], 0.5]))
            for entry in result.interactions
        ),
    )


def test_partners_follow_the_class_that_is_looked_at(harness: Harness) -> None:
    for _ in range(4):
        harness.answer(of_two_classes)
    second = harness.page.pairs.second
    assert second.itemText(second.findData("age")) == "age   H 0.18"
    harness.page.output.setCurrentIndex(1)
    harness.page.output.activated.emit(1)
    assert second.itemText(second.findData("age")) == "age   H 0.50"


def test_another_second_input_asks_for_its_map_only(harness: Harness) -> None:
    for _ in range(4):
        harness.answer()
    before = len(harness.engine.of_kind("explain.model"))
    harness.page.presenter.choose_second("age")
    assert harness.asked().pairs == (("orders_12m", "age"),)
    harness.answer()
    harness.page.presenter.choose_second("last_order")
    assert (
        len(harness.engine.of_kind("explain.model")) == before + 1
    )  # the first map is still known


def test_importance_by_shuffling_is_asked_for_when_it_is_wanted(harness: Harness) -> None:
    for _ in range(4):
        harness.answer()
    assert not any(a.arguments.question.shuffles for a in harness.engine.of_kind("explain.model"))
    page = harness.page
    harness.qtbot.mouseClick(
        page.influence.measure._buttons["shuffling"], Qt.MouseButton.LeftButton
    )
    assert harness.asked().shuffles
    assert page.influence.note.text() == "Being worked out."
    harness.answer()
    bars = page.influence.bars.bars
    assert [bar.key for bar in bars[:2]] == ["age", "orders_12m"]
    assert (bars[0].share, bars[0].words) == (1.0, "0.041 ± 0.003")
    assert (bars[2].share, bars[2].words) == (0.0, "0.000 ± 0.003")
    assert "Rise of the loss" in page.influence.note.text()
    assert page.influence.header.help_button.content().title == "Permutation importance"
    before = len(harness.engine.of_kind("explain.model"))
    harness.qtbot.mouseClick(page.influence.measure._buttons["gain"], Qt.MouseButton.LeftButton)
    assert page.influence.bars.bars[0].key == "orders_12m"
    harness.qtbot.mouseClick(
        page.influence.measure._buttons["shuffling"], Qt.MouseButton.LeftButton
    )
    assert page.influence.bars.bars[0].key == "age"  # still known
    assert len(harness.engine.of_kind("explain.model")) == before


def test_a_failed_explanation_is_not_asked_for_again(harness: Harness) -> None:
    job = harness.engine.last("explain.model").job
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        harness.engine.end(job, JobState.FAILED)
    assert len(harness.engine.of_kind("explain.model")) == 1
    assert harness.page.chart.chart is None


def test_answers_are_shown_under_the_name_that_the_model_has_now(harness: Harness) -> None:
    """They are kept by the model's content: its name may have changed, or another has the same."""
    for _ in range(3):
        harness.answer()
    series = harness.page.chart.chart.series[0].series
    harness.session.project.execute(RenameModel(model="gbm 1", name="final"))
    assert harness.page.model == "final"
    parts = [part.answered() for part in harness.page.report_parts()]
    assert all(part.key.startswith("explain/model final") for part in parts)
    assert "gbm 1" not in repr([(part.title, part.subtitle, part.asked) for part in parts])
    curve = harness.page.chart.chart
    assert (curve.subtitle.partition(",")[0], curve.series[0].name) == ("final", "final")
    assert curve.series[0].series == series


def test_a_case_that_is_not_known_yet_says_so_from_the_first_look(harness: Harness) -> None:
    harness.page.choose_view("case")
    assert harness.engine.of_kind("explain.one_case")
    assert harness.page.case.panel.sentences[0].text() == "Being worked out."
