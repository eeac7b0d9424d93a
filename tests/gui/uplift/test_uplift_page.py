"""Page Uplift with an engine that is answered by hand from results of the real one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QFileDialog, QPushButton

from core.document.commands import SetRole
from core.document.model import Role, RoleAssignment
from core.document.uplift.commands import SetUpliftMetrics
from core.document.uplift.model import NuChoice, UpliftKind
from core.engine.messages import TrainArguments
from core.presentation.view import Cell, Table
from gui.pages.uplift.options_menu import ExperimentSetup
from gui.pages.uplift.variance import VarianceDialog
from gui.theme import apply_theme, current_theme
from gui.widgets.tables.figure_table import SWATCH, ResultTable
from tests.helpers.harness import UpliftHarness
from tests.helpers.layout_audit import box_lack, out_of_reach

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile


def test_guard_first_then_curve_tables_and_choice(harness):
    harness.answer()
    page, result = harness.page, harness.page.result
    assert page.stack.currentIndex() == 1
    assert page.guard.headline.text() == result.guard.headline
    assert "Without a model" in page.guard.effect.text()
    assert page.bar.arms() == ("mail", "no mail")
    assert page.bar.outcome.currentText() == "bought"
    tips = [combo.toolTip() for combo in (page.bar.treated, page.bar.outcome)]
    assert tips == ["Treated arm: mail", "Outcome: bought"]  # also where captions have no room
    assert [page.bar.model.itemText(i) for i in range(page.bar.model.count())] == [
        "uplift",
        "noise",
    ]
    assert len(page.chart.view.spec.series) == 2
    assert page.variants.table.model().rowCount() == 10
    assert page.criteria.table.model().rowCount() == 6
    assert "Treat the best" in page.action.panel.sentences[0].text()
    assert page.chart.cursor_depth == pytest.approx(result.models[0].choice.depth)


def test_checks_that_come_before_the_curves_do_not_say_that_no_model_ranks(harness):
    harness.answer()
    page, whole = harness.page, harness.page.result
    seen = len(harness.engine.of_kind("uplift.page"))
    page.action.form.editor("contact").choose(1.5)
    harness.qtbot.waitUntil(lambda: len(harness.engine.of_kind("uplift.page")) > seen)
    job = harness.engine.last("uplift.page").job
    first = replace(whole, models=(), differences=(), prices=None)
    harness.engine.progress(job, 0.2, partial=first)
    harness.qtbot.waitUntil(lambda: page.result is first)
    assert page.chart._empty_text.text() == "The curve appears here as soon as it is computed."
    harness.engine.answer(job, first)
    harness.qtbot.waitUntil(lambda: page.chart._empty_text.text().startswith("No model ranks"))


def test_a_price_is_a_command_and_is_asked_again(harness):
    harness.answer()
    seen = len(harness.engine.of_kind("uplift.page"))
    fields = harness.page.action.form
    fields.editor("value").choose(10.0)
    fields.editor("contact").choose(1.5)
    assert harness.session.project.document.uplift.contact == 1.5
    harness.next_answer(seen)
    choice = harness.page.result.models[0].choice
    assert harness.page.action.panel.figure.text().replace("\u00a0", " ").startswith("€")
    assert choice.spent > 0
    harness.session.project.undo()
    assert harness.session.project.document.uplift.contact == 0.0


def test_taking_the_treatment_away_and_undoing_it_shows_the_result_again(harness):
    harness.answer()
    column = harness.session.project.document.column_of(Role.TREATMENT)
    harness.session.project.execute(
        SetRole(assignment=RoleAssignment(column=column, role=Role.IGNORED))
    )
    assert harness.page.stack.currentIndex() == 0
    assert not harness.page.save.isEnabled()
    harness.session.project.undo()
    assert harness.page.stack.currentIndex() == 1
    assert harness.page.save.isEnabled()


def test_the_cursor_is_shared(harness):
    harness.answer()
    harness.page.chart.cursor_requested.emit(0.25)
    assert harness.session.results.cursor_depth == 0.25
    harness.session.results.move_cursor(0.4, finished=True)
    assert harness.page.chart.cursor_depth == pytest.approx(0.4)
    assert "40" in harness.page.criteria.table.model().index(3, 0).data()


def chosen(button, words):
    """Take a choice of a button that says what holds."""
    button.menu().aboutToShow.emit()
    next(action for action in button.menu().actions() if action.text() == words).trigger()


def test_what_holds_of_the_experiment_is_read_and_changed_where_it_matters(harness):
    """By lot and chances beside the checks, prices below their fields, baseline at the curve."""
    harness.answer()
    page, project = harness.page, harness.session.project
    setup = page.guard.findChild(ExperimentSetup)
    assert setup.probability.text() == "Chance of treatment: the share"
    assert not setup.gaps.isVisible()
    chosen(setup.lot, "No")
    assert project.document.uplift.drawn_by_lot is False
    assert setup.lot.text() == "Drawn by lot: no"
    chosen(setup.probability, "Estimated from the inputs")
    assert project.document.uplift.estimates_propensity
    assert (
        setup.probability.text()
        == page.setup.probability.text()
        == "Chance of treatment: estimated"
    )
    project.undo()
    assert setup.probability.text() == "Chance of treatment: the share"
    assert page.prices.text() == "Prices: written here"
    page.chart.lines.aboutToShow.emit()
    assert page.baseline.title().startswith("Baseline (nu): ")
    best = next(a for a in page.baseline.actions() if a.text() == "Best overall")
    best.trigger()
    assert project.document.uplift.nu is NuChoice.OVERALL
    page.variants._menu.aboutToShow.emit()
    truth = next(a for a in page.variants._menu.actions() if a.text().startswith("True effect"))
    truth.trigger()
    assert page.truth.isVisible()
    page.truth.close()


def test_a_pasted_number_is_recognised(harness):
    harness.answer()
    model = harness.page.result.models[0]
    figure = next(f for f in model.named if f.name == "auuc_score")
    harness.page.variants.pasted.setText(f"{figure.value:.4f}")
    assert "causalml" in harness.page.variants.answer.text()
    harness.page.variants.pasted.setText("123456")
    assert "No figure" in harness.page.variants.answer.text()


def test_training_two_models_asks_for_one_per_arm_and_adds_the_ranking(harness):
    harness.answer()
    harness.page.training.start(UpliftKind.TWO_MODELS, "arm", ("mail", "no mail"))
    requested = harness.engine.of_kind("train")
    requests = [entry.arguments for entry in requested]
    assert all(isinstance(request, TrainArguments) for request in requests)
    assert [request.settings.only for request in requests] == [("arm", "mail"), ("arm", "no mail")]
    assert all(request.settings.features == ("x", "z") for request in requests)
    (waiting,) = harness.page.training.waiting
    assert waiting.parts == tuple(request.settings.name for request in requests)


@pytest.mark.parametrize(("place", "distribution"), [(0, "uplift"), (1, "uplift_baseline")])
def test_the_menu_trains_the_effect_itself_by_either_loss(harness, place, distribution):
    harness.answer()
    menu = harness.page.train.menu()
    menu.aboutToShow.emit()
    actions = menu.actions()
    after = next(number for number, action in enumerate(actions) if action.isSeparator())
    action = actions[after + 1 + place]
    assert action.text().startswith("The effect itself")
    assert ("baseline" in action.text()) == (distribution == "uplift_baseline")
    action.trigger()
    (requested,) = harness.engine.of_kind("train")
    settings = requested.arguments.settings
    assert settings.distribution == distribution
    assert settings.effect_of == ("arm", *harness.page.bar.arms())
    assert settings.features == ("x", "z")  # neither the treatment nor what comes after it


def test_without_a_treatment_one_sentence(session, engine, qtbot, real, made):
    document, summary = made
    roles = tuple(entry for entry in document.roles if entry.column != "arm")
    harness = UpliftHarness(session, engine, qtbot, real, document.with_roles(roles), summary)
    assert harness.page.stack.currentIndex() == 0
    assert "who was treated" in harness.page.empty.sentence.text()
    assert engine.of_kind("uplift.page") == []


def test_until_the_first_answer_the_page_does_not_ask_for_what_is_named(harness):
    """The treatment is named: what the empty page said before is not so any more."""
    assert harness.page.stack.currentIndex() == 0
    assert harness.page.empty.sentence.text() == "Being worked out."


def test_the_first_answer_leaves_the_tab_that_was_clicked(harness):
    harness.session.project.execute(SetUpliftMetrics(metrics=("payoff.uplift.qini",)))
    tabs = harness.page.variants.tabs
    slices = next(b for b in tabs.findChildren(QPushButton) if b.property("key") == "slices")
    slices.click()
    harness.answer()
    assert harness.page.variants.tab == "slices"


def test_a_refusal_takes_the_place_of_the_figures(harness):
    from payoff.errors import PayoffError

    harness.qtbot.waitUntil(lambda: bool(harness.engine.of_kind("uplift.page")))
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=30_000):
        harness.engine.fail(
            harness.engine.last("uplift.page").job, PayoffError("There is no arm 'x'.")
        )
    assert "no arm 'x'" in harness.page.empty.sentence.text()


def test_metrics_of_plugins_stand_in_a_tab_and_can_be_chosen(harness):
    harness.answer()
    table = harness.ask_tab("metrics", "uplift.metrics")
    assert table.rowCount() > 15
    assert table.headerData(0, Qt.Orientation.Horizontal) == "Metric"
    assert table.columnCount() == 5
    tabs, seen = harness.page.variants, len(harness.engine.of_kind("uplift.metrics"))
    tabs._fill_metrics()
    action = next(a for a in tabs._menu.actions() if a.text() == "qini_auc_score of scikit-uplift")
    action.trigger()
    assert "qini_auc_score" in harness.session.project.document.uplift.metrics
    harness.qtbot.waitUntil(lambda: len(harness.engine.of_kind("uplift.metrics")) > seen)
    assert len(harness.engine.of_kind("uplift.page")) == 1  # the curves do not depend on it


def test_long_names_of_metrics_take_two_lines_where_one_is_too_short(qtbot):
    long = "Qini of each arm ranked by itself, absolute, less what chance brings"
    rows = tuple(
        (Cell(text=name, is_left=True), Cell(text="0.0123"), Cell(text="0.0101 to 0.0147"))
        for name in (long, "AUUC")
    )
    table = ResultTable("Metrics", wraps=True)
    qtbot.addWidget(table)
    table.show()
    table.show_content(Table(columns=("Metric", "uplift", "95 %"), rows=rows))
    row, words = current_theme().sizes.row, table.fontMetrics()
    table.resize(900, 300)
    assert [table.rowHeight(place) for place in (0, 1)] == [row, row]
    table.resize(380, 300)
    assert words.horizontalAdvance(long) > table.columnWidth(0)  # one line would be cut
    box = QRect(0, 0, table.columnWidth(0) - 8, 10_000)
    needed = words.boundingRect(box, Qt.TextFlag.TextWordWrap, long)
    assert table.rowHeight(0) >= needed.height() > words.height()
    assert table.rowHeight(1) == row
    assert table.content_height() == 2 * row + table.rowHeight(0)
    table.grab()  # painted without a warning


def test_a_name_beside_its_line_takes_two_lines_rather_than_lose_letters(qtbot):
    name = "response gbm of May"
    rows = ((Cell(text=name, is_left=True, series=1), Cell(text="−3,418 to 5,658")),)
    table = ResultTable("Best depth", wraps=True, scrolls=True)
    qtbot.addWidget(table)
    table.show()
    table.show_content(Table(columns=("At these prices", "95 %"), rows=rows))
    words = table.fontMetrics().horizontalAdvance(name)
    table.resize(table.least_width() - 12, 200)  # the words alone would fit, their line not
    assert words < table.columnWidth(0) - 8 < words + SWATCH
    assert table.rowHeight(0) > current_theme().sizes.row


def test_arms_that_are_codes_are_shown_in_the_words_of_the_file(harness):
    document = harness.session.project.document
    words = (("mail", "by letter"), ("no mail", "not written to"))
    data = replace(document.data, code_words=(("arm", words),))
    harness.page.bar.show_document(replace(document, data=data))
    bar = harness.page.bar
    assert [bar.treated.itemText(i) for i in range(bar.treated.count())] == [
        bar.control.itemText(i) for i in range(bar.control.count())
    ]
    assert bar.treated.currentText() == "by letter (mail)"
    assert bar.control.currentText() == "not written to (no mail)"
    assert bar.arms() == ("mail", "no mail")  # of the file, for the engine
    bar.treated.setCurrentIndex(bar.treated.findData("no mail"))
    bar.treated.activated.emit(bar.treated.currentIndex())
    changed = harness.session.project.document.uplift
    assert (changed.treated, changed.control) == ("no mail", "mail")


def test_arms_that_cannot_be_told_are_not_shown_as_if_they_were(harness):
    document = harness.session.project.document
    columns = tuple(
        replace(c, levels=(("a", 500), ("b", 500))) if c.name == "arm" else c
        for c in harness.session.project.summary.columns
    )
    harness.session.project.summary = replace(harness.session.project.summary, columns=columns)
    harness.page.bar.show_document(
        replace(document, uplift=replace(document.uplift, treated="", control=""))
    )
    assert harness.page.bar.arms() == ("", "")
    assert harness.page.bar.control.placeholderText() == "choose…"


def test_each_arm_and_row_order_stand_in_tabs(harness):
    harness.answer()
    table = harness.ask_tab("arms", "uplift.arms")
    assert {table.index(row, 0).data() for row in range(table.rowCount())} >= {"mail"}
    assert "tie" in ask_tab_words(harness)
    harness.page.variants.show_tab("definitions")
    assert harness.page.variants.answer.isHidden()


def ask_tab_words(harness):
    harness.ask_tab("order", "uplift.row_order")
    return harness.page.variants.answer.text()


def test_decisions_are_saved_to_the_best_depth_until_the_cursor_is_moved(harness, tmp_path):
    harness.answer()
    assert harness.page.save.isEnabled()
    harness.page.save_to(str(tmp_path / "out.csv"))
    assert harness.engine.last("save_uplift").arguments.depth is None
    harness.session.results.move_cursor(0.4, finished=True)
    harness.page.save_to(str(tmp_path / "out.csv"))
    assert harness.engine.last("save_uplift").arguments.depth == pytest.approx(0.4)


def test_decisions_are_offered_a_name_and_the_ending_of_the_chosen_kind(harness, monkeypatch):
    opened = []

    def note(box):
        opened.append(box)

    monkeypatch.setattr(QFileDialog, "open", note)
    harness.answer()
    harness.page.save.click()
    (dialog,) = opened
    data = Path(harness.session.project.document.data.path)
    assert Path(dialog.selectedFiles()[0]).name == f"{data.stem}_treated.csv"
    dialog.filterSelected.emit("Excel (*.xlsx)")
    assert dialog.defaultSuffix() == "xlsx"
    dialog.fileSelected.emit("out.xlsx")
    assert harness.engine.last("save_uplift").arguments.path == "out.xlsx"
    dialog.close()


def test_the_variance_study_runs_and_draws_its_surface(session, engine, qtbot, real):
    dialog = VarianceDialog(session)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.form.editor("repeats").choose(4.0)
    dialog.form.editor("rows").choose(100.0)
    dialog.run()
    requested = engine.last("uplift.variance")
    with qtbot.waitSignal(session.jobs.job_ended, timeout=30_000):
        engine.answer(requested.job, real.run("uplift.variance", requested.arguments))
    (table,) = dialog.panel.tables
    assert table.model().rowCount() == 8
    (shades,) = dialog.panel.charts
    assert shades.view.spec.shades is not None
    before = dialog.surface.grab().toImage()
    dialog.surface.turn(40.0)
    assert dialog.surface.grab().toImage() != before
    assert "mean area" in dialog.panel.notes.text()


def test_the_models_lines_follow_the_theme(harness, qapp):
    harness.answer()
    box = harness.page.bar.model
    light = box.itemIcon(0).pixmap(24, 16).toImage()
    apply_theme(qapp, "dark")
    try:
        assert box.itemIcon(0).pixmap(24, 16).toImage() != light
    finally:
        apply_theme(qapp, "light")


def test_other_data_take_the_models_of_the_last_answer_out_of_the_head(harness):
    harness.answer()
    assert harness.page.bar.model.count()
    harness.session.project.data_changed.emit()
    assert harness.page.bar.model.count() == 0


def test_what_is_chosen_in_the_head_stays_whole_in_a_small_window(harness, qtbot):
    harness.answer()
    harness.page.resize(1208, 622)  # the page of a window of 1280
    boxes = (harness.page.bar.treatment, harness.page.bar.treated, harness.page.bar.model)
    qtbot.waitUntil(lambda: not any(box_lack(box) for box in boxes))
    assert harness.page.minimumSizeHint().width() <= 1208


@pytest.mark.parametrize("size", [(1208, 622), (1368, 802)])
def test_what_to_do_is_within_reach_where_the_column_scrolls(harness, qtbot, size):
    harness.answer()
    harness.page.action.panel.setMinimumHeight(size[1])  # as after long words: it has to scroll
    harness.page.resize(*size)
    qtbot.waitUntil(lambda: harness.page.side.verticalScrollBar().isVisible())
    assert not out_of_reach(harness.page)


def test_the_effect_without_a_model_names_its_rows(harness):
    harness.answer()
    rows = harness.page.result.rows.text
    assert rows
    assert harness.page.guard.effect.text().lower().startswith(f"{rows}. without a model: ")


def test_under_a_red_card_the_gain_is_grey_and_nothing_can_be_saved(harness):
    harness.answer()
    page, panel = harness.page, harness.page.action.panel
    assert panel.figure.property("textRole") == "number"
    assert not panel.sign.isVisible()
    assert panel.buttons == []
    guard = page.result.guard
    checks = tuple(
        replace(check, state="error" if check.key == "predictable" else check.state)
        for check in guard.checks
    )
    bad = replace(
        page.result, guard=replace(guard, state="error", headline="No lot.", checks=checks)
    )
    page.show_result(bad)
    assert panel.figure.property("textRole") == "quietNumber"
    assert "No lot." in panel.sentences[0].text()
    assert not panel.tables[0].isEnabled()
    assert not page.save.isEnabled()
    assert "No lot." in page.save.toolTip()
    (mend,) = panel.buttons
    mend.click()
    assert harness.session.project.document.uplift.estimates_propensity
    page.show_result(replace(bad, guard=guard))
    assert page.save.isEnabled()
    assert panel.figure.property("textRole") == "number"
    assert panel.tables[0].isEnabled()
    assert panel.buttons == []


def test_chart_and_advice_say_the_same_at_the_best_depth(harness):
    harness.answer()
    page = harness.page
    chosen = page.result.models[0]
    state = page.chart.make_state(page.shown_depth())
    described = page.action.panel.sentences[1].text()
    assert f"{state.lines[0].value} extra bought" in described
    assert state.rings[0].y == pytest.approx(chosen.choice.incremental)


def test_the_line_of_the_price_chart_is_the_price_of_a_contact(harness):
    harness.answer()
    page, seen = harness.page, len(harness.engine.of_kind("uplift.page"))
    (chart,) = page.action.panel.charts
    chart.cursor_requested.emit(0.5)
    wanted = chart.view.spec.x_axis.high / 2
    assert harness.session.project.document.uplift.contact == pytest.approx(wanted)
    chart.cursor_requested.emit(0.25)
    chart.cursor_released.emit()
    harness.next_answer(seen)
    assert chart.place == pytest.approx(harness.page.result.price_used[1])
    harness.session.project.undo()  # one move, one step
    assert harness.session.project.document.uplift.contact == 0.0
