"""What is typed stands: every field of every page and dialog, typed into key by key.

In a window that has the keyboard, as only there a field has the focus. Between the keys the
document and its results arrive anew, as the engine's answers do.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QTableWidgetItem,
)
from shiboken6 import isValid

from core.document.commands import SetSplit
from core.document.decisions.commands import SetCosts, SetPriors
from core.document.decisions.matrix_model import CostSpec
from core.document.model import Role
from gui.pages.data.dialogs.quantile_columns import QuantileColumnsDialog
from gui.pages.data.targets import name_target
from gui.pages.decide.matrix.parameter_offer import ask_value
from gui.pages.decide.studies.capacity import CapacityStudy
from gui.pages.decide.studies.study import Study
from gui.pages.explain.widget import CASE, WHAT_IF
from gui.pages.models.next_model.draft import JUDGED_VALIDATION, with_judge
from gui.session.samples import sample_path
from gui.shell.dialogs.ask_text import AskDialog
from gui.shell.dialogs.by_key import data_dialogs, early_dialogs, open_dialog
from gui.widgets import NotesField, NumberField, TextField, finish_typing, parse_entry
from tests.e2e import typing_keys
from tests.e2e.keyboard import activate
from tests.e2e.opening import dialog_of, open_file
from tests.e2e.places import COMPARE_DIALOGS, UPLIFT_TABS
from tests.e2e.typing_keys import (
    VISITED,
    click_into,
    disturb,
    press,
    type_keys,
    walk,
    walk_and_close,
)
from tests.helpers.forms import choose_data
from tests.helpers.program import Program
from tests.helpers.typing_sites import Site, marked_fields

pytestmark = pytest.mark.timeout(400)  # a real window, and every kind of number into every field


@pytest.fixture(scope="module", autouse=True)
def as_many_kinds(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every way to write a number in the long run, some of them else."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--soak"):
            patch.setattr(typing_keys, "DRAWN_KINDS", len(typing_keys.KINDS))
            patch.setattr(typing_keys, "AGAIN_KINDS", 1)
        yield


@pytest.fixture(scope="module")
def sites() -> Iterator[set[Site]]:
    """Every place where a field is made; fields made from now on know theirs."""
    with marked_fields() as found:
        yield found


@pytest.fixture(scope="module")
def harness(sites: set[Site], program: Program, sample) -> Program:
    program.session.files.open_project(str(sample))
    program.wait(lambda: program.session.results.decisions is not None, 100)
    program.settle()
    activate(program)
    return program


@pytest.mark.parametrize(("page", "least"), [("models", 6), ("compare", 1), ("data", 2)])
def test_fields_of_a_page(harness: Program, page: str, least: int) -> None:
    harness.window.show_page(page)
    harness.settle()
    if page == "models":
        show_all_of_models(harness)
    if page == "data":
        harness.window.pages["data"].roles.choose(harness.session.project.document.target.column)
    assert walk(harness, harness.window.pages[page]) >= least


def show_all_of_models(harness: Program) -> None:
    """The settings, of a distribution with a number of its own."""
    presenter = harness.window.pages["models"].presenter
    harness.wait(lambda: presenter.offered is not None and presenter.draft is not None)
    chosen = next(
        info.id
        for info in presenter.offered.distributions
        if not info.reason and any(not parameter.choices for parameter in info.parameters)
    )
    presenter.take_draft(replace(presenter.draft, distribution=chosen, distribution_params=()))
    harness.window.pages["models"].show_step("settings")
    harness.settle()


def test_patience_where_validation_rows_judge(harness: Program) -> None:
    harness.window.show_page("models")
    page = harness.window.pages["models"]
    harness.wait(lambda: page.presenter.draft is not None)
    judged = with_judge(page.presenter.draft, JUDGED_VALIDATION, harness.session.project.document)
    page.presenter.take_draft(judged)
    harness.settle()
    assert page.inspector.editor("patience").isEnabled()
    walk(harness, page.inspector.stopping)


def test_costs_and_ranges_of_page_decide(harness: Program) -> None:
    """Fields that come only with an answer: extra costs in money, a range of the prior."""
    harness.window.show_page("decide")
    page, space = harness.window.pages["decide"], harness.session
    page.tables.tabs.setCurrentIndex(0)
    before = space.project.document
    matrix = before.matrix
    space.project.execute(SetCosts(costs=tuple(CostSpec(amount=0.1) for _d in matrix.decisions)))
    space.project.execute(SetPriors(priors=tuple((level, 0.5) for level in before.target.levels)))
    page.priors.range_line.offer_range()
    harness.settle()
    try:
        walk(harness, page.costs)
        low, high = page.priors.range_line.findChildren(NumberField)
        for field, entry in ((low, "40"), (high, "62.5")):  # one that misses the prior is refused
            VISITED.add(field.made_at)
            click_into(harness, field)
            type_keys(harness, field, entry)
            QTest.keyClick(field, Qt.Key.Key_Tab)
        assert space.project.document.prior_range == (0.4, 0.625)
    finally:
        while space.project.document != before and space.project.history.undo_label:
            space.project.undo()
        harness.settle()


def test_the_model_of_a_column_of_page_data(harness: Program) -> None:
    harness.window.show_page("data")
    roles = harness.window.pages["data"].roles
    roles.choose(harness.session.project.document.columns_of(Role.POSTERIOR)[0])
    harness.settle()
    assert walk(harness, roles._form.parentWidget()) == 1


def test_rows_drawn_by_lot_on_page_data(harness: Program) -> None:
    harness.window.show_page("data")
    space = harness.session
    before = space.project.document
    assert space.project.execute(SetSplit(split=replace(before.split, column=None, meaning=())))
    try:
        harness.settle()
        assert walk(harness, harness.window.pages["data"].rows) == 4  # three shares and the seed
    finally:
        while space.project.document != before and space.project.history.undo_label:
            space.project.undo()
        harness.settle()


def test_words_of_an_entry_of_the_report(harness: Program) -> None:
    harness.window.show_page("decide")
    harness.settle()
    harness.session.report.put("decide/total")
    harness.window.show_page("report")
    harness.settle()
    try:
        assert walk(harness, harness.window.pages["report"].words) == 2
    finally:
        harness.session.report.put("decide/total", is_on=False)
        harness.settle()


def test_numbers_of_the_system_of_an_experiment(harness: Program) -> None:
    harness.window.show_page("experiments")
    page = harness.window.pages["experiments"]
    harness.wait(lambda: page.parts._choices is not None)
    system = next(
        entry.id
        for entry in page.parts._choices.systems
        if any(not parameter.choices for parameter in entry.parameters)
    )
    place = page.parts.system.findData(system)
    page.parts.system.setCurrentIndex(place)
    page.parts.system.activated.emit(place)
    harness.settle()
    assert walk(harness, page.parts.drawing) >= 1


@pytest.mark.parametrize("page", ["explain", "report", "experiments", "plugins", "home"])
def test_fields_of_a_page_with_few(harness: Program, page: str) -> None:
    harness.window.show_page(page)
    harness.settle()
    walk(harness, harness.window.pages[page])


@pytest.mark.parametrize("place", range(10))
def test_fields_of_a_tab_of_page_decide(harness: Program, place: int) -> None:
    harness.window.show_page("decide")
    page = harness.window.pages["decide"]
    page.tables.tabs.setCurrentIndex(place)
    tab = page.tables.tabs.currentWidget()
    if isinstance(tab, CapacityStudy):
        harness.wait(lambda: bool(tab.form.rows))
        tab.form.box("most_money").click()
    harness.wait(lambda: not isinstance(tab, Study) or tab.is_current)
    harness.settle()
    assert walk(harness, page if place == 0 else tab) >= (place == 0)


@pytest.mark.parametrize("key", [*early_dialogs(), *data_dialogs()])
def test_fields_of_a_dialog(harness: Program, key: str) -> None:
    dialog = open_dialog(key, harness.session, harness.window)
    try:
        harness.settle()
        walk(harness, dialog)
        harness.settle()
    finally:
        dialog.close()


@pytest.mark.parametrize("study", COMPARE_DIALOGS)
def test_fields_of_a_dialog_of_page_compare(harness: Program, study: str) -> None:
    harness.window.show_page("compare")
    harness.settle()
    dialog = getattr(harness.window.pages["compare"].studies, study)()
    try:
        harness.settle()
        walk(harness, dialog)
        harness.settle()
    finally:
        dialog.close()


def test_a_hold_out_of_the_decisions_for_a_file(harness: Program) -> None:
    dialog = open_dialog("apply_rule", harness.session, harness.window)
    dialog.path.setText(harness.session.project.document.data.path)
    dialog.look()
    harness.wait(dialog.hold_out.isVisible)
    try:
        dialog.hold_out.form.box("share").click()
        assert walk(harness, dialog.hold_out) == 2
        harness.settle()
    finally:
        dialog.close()


@pytest.mark.parametrize("entry", ["25", "12.5", "0.8"])
def test_a_share_in_real_life_is_what_was_typed(harness: Program, entry: str) -> None:
    harness.window.show_page("decide")
    harness.settle()
    activate(harness)
    card = harness.window.pages["decide"].priors
    event, other = harness.session.project.document.target.levels
    field = card.real_life[event]
    before = harness.session.project.document.priors
    click_into(harness, field)
    type_keys(harness, field, entry)
    harness.wait(lambda: harness.session.project.document.priors != before)  # a pause is enough
    assert field.text() == entry
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert dict(harness.session.project.document.priors)[event] == pytest.approx(float(entry) / 100)
    assert parse_entry(field.text()) == float(entry)
    assert parse_entry(card.real_life[other].text()) == pytest.approx(100 - float(entry))
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (
        harness.session.project.document.priors == before
    )  # complete: undo is the project's again
    harness.settle()


def cell_editor(program: Program, row: int, column: int) -> TextField:
    view = program.window.pages["decide"].earns.matrix
    view.setFocus()
    view.select_cell(row, column)
    view.edit(view.currentIndex())
    editor = view.viewport().findChildren(TextField)[-1]
    VISITED.add(editor.made_at)
    return editor


@pytest.mark.every_nth(3)
@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("-2.5", -2.5),
        ("\u22122.5", -2.5),
        ("1,234.5", 1234.5),
        ("12,5", 12.5),
        ("+7", 7.0),
        ("1e2", 100.0),
        ("(3)", -3.0),
        ("\u20ac 12", 12.0),
        ("-60%", None),
        ("-0.02*loan_amount", None),
        ("abc", None),
        ("12 13", None),
    ],
)
def test_a_cell_holds_what_was_typed_or_what_it_held(
    harness: Program, entry: str, value: float | None
) -> None:
    harness.window.show_page("decide")
    harness.settle()
    activate(harness)
    earns = harness.window.pages["decide"].earns
    before = earns.matrix.matrix_model.cells()[0][0]
    editor = cell_editor(harness, 0, 1)
    for count, key in enumerate(entry, start=1):
        press(harness, editor, key)
        disturb(harness)
        assert editor.text() == entry[:count]
        if entry[count - 2 : count] == "02":
            harness.wait(lambda: not editor._pause.isActive())  # in the middle of a formula
    QTest.keyClick(editor, Qt.Key.Key_Return)
    harness.app.processEvents()
    wanted = before if value is None else value
    harness.wait(lambda: earns.matrix.matrix_model.cells()[0][0] == pytest.approx(wanted))
    if value is None:
        assert entry in earns.problem.text()
        assert "stays at" in earns.problem.text()
    while harness.session.project.history.undo_label:
        harness.session.project.undo()
    harness.settle()


def test_a_decision_is_renamed_in_its_head(harness: Program) -> None:
    harness.window.show_page("decide")
    harness.settle()
    activate(harness)
    view = harness.window.pages["decide"].earns.matrix
    name = harness.session.project.document.matrix.decisions[0]
    view.header.start_rename(1)
    editor = view.header.rename_editor()
    VISITED.add(editor.made_at)
    type_keys(harness, editor, "Send it")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert harness.session.project.document.matrix.decisions[0] == "Send it"
    harness.session.project.undo()
    assert harness.session.project.document.matrix.decisions[0] == name
    harness.settle()


def test_what_a_pause_took_from_a_cell_goes_with_escape(harness: Program) -> None:
    harness.window.show_page("decide")
    harness.settle()
    activate(harness)
    model = harness.window.pages["decide"].earns.matrix.matrix_model
    before = model.cells()[0][0]
    editor = cell_editor(harness, 0, 1)
    type_keys(harness, editor, "17")
    harness.wait(lambda: model.cells()[0][0] == 17.0)
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert model.cells()[0][0] == before
    harness.settle()


def test_a_command_takes_the_cell_that_is_being_typed(harness: Program) -> None:
    harness.window.show_page("decide")
    harness.settle()
    activate(harness)
    model = harness.window.pages["decide"].earns.matrix.matrix_model
    editor = cell_editor(harness, 0, 1)
    type_keys(harness, editor, "18")
    finish_typing()  # as saving does, before it writes the document
    assert model.cells()[0][0] == 18.0
    while harness.session.project.history.undo_label:
        harness.session.project.undo()
    harness.settle()


def test_fields_of_the_palette(harness: Program) -> None:
    palette = harness.window.open_palette()
    VISITED.add(palette.field.made_at)
    QTest.keyClicks(palette.field, "save")
    disturb(harness)
    assert palette.field.text() == "save"
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not isValid(palette) or not palette.isVisible()


def test_fields_of_a_chart(harness: Program) -> None:
    harness.window.show_page("decide")
    harness.settle()
    activate(harness)
    card = harness.window.pages["decide"].chart
    card.view.setFocus()
    QTest.keyClick(card.view, "2")
    entry = card._entry
    VISITED.add(entry.made_at)
    assert entry.isVisible()
    QTest.keyClick(entry, "5")
    disturb(harness)
    assert entry.text() == "25"
    QTest.keyClick(entry, Qt.Key.Key_Return)
    assert harness.session.results.cursor_depth == pytest.approx(0.25, abs=1e-3)
    walk_and_close(harness, card.open_export())


def test_fields_of_the_metrics(harness: Program) -> None:
    harness.window.show_page("compare")
    harness.settle()
    dialog = harness.window.pages["compare"].open_metrics()
    with_numbers = [
        metric
        for metric, info in dialog._offered.items()
        if any(not parameter.choices for parameter in info.parameters)
    ]
    assert len(with_numbers) > 3
    for metric in with_numbers[:3]:
        dialog._append(dialog._offered[metric].choice())
    dialog.chosen.setCurrentRow(dialog.chosen.count() - 1)
    walk_and_close(harness, dialog)


@pytest.mark.parametrize("ask", ["ask_for_name", "ask_for_parameter", "value", "rename"])
def test_fields_of_questions(harness: Program, ask: str) -> None:
    for page in ("models", "decide"):
        harness.window.show_page(page)
    decide, models = harness.window.pages["decide"], harness.window.pages["models"]
    openers = {
        "ask_for_name": lambda: next(
            decide.tables.tabs.widget(i)
            for i in range(decide.tables.tabs.count())
            if hasattr(decide.tables.tabs.widget(i), "ask_for_name")
        ).ask_for_name(),
        "ask_for_parameter": decide.earns.ask_for_parameter,
        "value": lambda: ask_value(decide, "fee", lambda _value: None),
        "rename": lambda: models.rename(harness.session.project.document.models[0].name),
    }
    harness.window.show_page("models" if ask == "rename" else "decide")
    harness.settle()
    openers[ask]()
    (dialog,) = [d for d in harness.window.findChildren(AskDialog) if d.isVisible()]
    walk_and_close(harness, dialog)


@pytest.mark.parametrize("study", ["boosting", "shrinkage"])
def test_fields_of_a_study_of_boosting(harness: Program, study: str) -> None:
    harness.window.show_page("experiments")
    harness.settle()
    walk_and_close(harness, harness.window.pages["experiments"].open_study(study))


def test_fields_of_predicted_quantiles(harness: Program) -> None:
    activate(harness)
    dialog = QuantileColumnsDialog(harness.session, harness.window)
    dialog.show()
    activate(harness, dialog)
    table = dialog.table
    table.setRowCount(1)
    table.setItem(0, 1, QTableWidgetItem("10"))
    table.setCurrentCell(0, 1)
    editor = harness.app.focusWidget()
    assert isinstance(editor, TextField), "a cell that is gone to can be typed into"
    VISITED.add(editor.made_at)
    editor.selectAll()
    type_keys(harness, editor, "25")
    table.item(0, 1).setText("70")  # an answer that comes back
    assert editor.text() == "25"
    QTest.keyClick(editor, Qt.Key.Key_Return)
    harness.wait(lambda: table.item(0, 1).text() == "25")
    dialog.close()


def trained(harness: Program, **settings: object) -> str:
    """Train a model as it is offered, a few trees of it; its name."""
    harness.window.show_page("models")
    page, space = harness.window.pages["models"], harness.session
    harness.wait(lambda: page.presenter.offered is not None and page.presenter.draft is not None)
    page.presenter.take_draft(replace(page.presenter.draft, n_trees=8, cv_folds=0, **settings))
    harness.wait(page.inspector.train.isEnabled)
    page.inspector.train.click()
    (running,) = space.trainings.running
    harness.wait(lambda: space.project.document.trained_model(running.name) is not None, 100)
    harness.settle()
    return running.name


def test_fields_of_a_trained_model(harness: Program) -> None:
    """Further trees and trees used of a model; a case and its inputs on page Explain."""
    name = trained(harness)
    page = harness.window.pages["models"]
    assert walk(harness, page.inspector.train_on) == 1
    page.presenter.choose(name)
    harness.wait(page.views.bar.trees.isVisible)
    assert walk(harness, page.views.bar) == 1
    harness.window.show_page("explain")
    page = harness.window.pages["explain"]
    page.choose_view(CASE)
    harness.wait(lambda: page.case.view is not None)
    assert walk(harness, page.chooser) == 2 + page.chooser.id.isVisible()
    page.choose_view(WHAT_IF)
    harness.settle()
    harness.wait(lambda: page.what_if.view is not None and bool(page.what_if.rows))
    assert walk(harness, page.what_if) >= 1
    harness.settle()


@pytest.mark.parametrize("tab", UPLIFT_TABS)
def test_fields_of_page_uplift(harness: Program, tab: str) -> None:
    open_uplift(harness)
    page = harness.window.pages["uplift"]
    page.variants.show_tab(tab)
    harness.settle()
    walk(harness, page if tab == UPLIFT_TABS[0] else page.variants)


def open_uplift(harness: Program) -> None:
    if harness.session.project.document.name != "Treated by choice":
        harness.session.project.history.mark_saved()
        harness.window.files.open_path(sample_path("toy-observational"))
        harness.wait(lambda: harness.session.project.summary is not None)
    harness.window.show_page("uplift")
    harness.wait(lambda: harness.window.pages["uplift"].result is not None)
    harness.settle()


def test_fields_of_dialogs_of_page_uplift(harness: Program) -> None:
    open_uplift(harness)
    page = harness.window.pages["uplift"]
    page.show_next_test()
    walk_and_close(harness, page.next_test)
    page._show_study()
    walk_and_close(harness, page.study)


def test_a_limit_stands_as_it_was_typed(harness: Program) -> None:
    open_uplift(harness)
    limit = harness.window.pages["uplift"].action.form.editor("most_cases")
    activate(harness)
    click_into(harness, limit)
    type_keys(harness, limit, "1,234")
    QTest.keyClick(limit, Qt.Key.Key_Tab)
    assert harness.session.project.document.uplift.most_cases == 1234
    assert limit.text() == "1234"
    click_into(harness, limit)
    QTest.keyClick(limit, Qt.Key.Key_Tab)  # passing through changes nothing
    assert harness.session.project.document.uplift.most_cases == 1234


@pytest.fixture(scope="module")
def three(tmp_path_factory) -> Path:
    """Three classes with chances of two models, and an amount with two guesses."""
    path = tmp_path_factory.mktemp("three") / "three.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "risk", "amount", "P_low", "P_middle", "P_high", "guess"])
        for row in range(300):
            level = ("low", "middle", "high")[(row * 7) % 3]
            near = [0.2 + 0.2 * (name == level) + 0.01 * (row % 5) for name in ("low", "middle")]
            shares = [*near, 1.0 - sum(near)]
            writer.writerow([row, level, row % 40, *shares, (row * 3) % 40])
    return path


def test_fields_of_the_import(harness: Program, tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_text("".join(f"{n:>6}{n % 7:>6}{'ab':>4}\n" for n in range(40)), encoding="utf-8")
    dialog = dialog_of(harness, path)
    ways = dialog._settings.form.editor("format")
    choose_data(ways, "fixed_width")
    harness.wait(dialog._settings.form.editor("widths").isVisible)
    walk_and_close(harness, dialog)


def open_with_outcome(harness: Program, path: Path, column: str) -> None:
    """Another file in the window, unless it is there; one of its columns as the outcome."""
    space = harness.session
    if space.project.document.data is None or space.project.document.data.path != str(path):
        space.project.history.mark_saved()
        open_file(harness, path)
    if space.project.document.target is None or space.project.document.target.column != column:
        summary = next(entry for entry in space.project.summary.columns if entry.name == column)
        assert space.project.execute(name_target(space.project.document, summary))


def test_priors_of_three_classes(harness: Program, three: Path) -> None:
    space = harness.session
    open_with_outcome(harness, three, "risk")
    harness.window.show_page("decide")
    harness.wait(lambda: space.results.decisions is not None, 100)
    harness.settle()
    activate(harness)
    card = harness.window.pages["decide"].priors
    assert len(card.real_life) == 3
    typed = dict(zip(card.real_life, ("12.5", "25", "62.5"), strict=True))
    for level, entry in typed.items():
        field = card.real_life[level]
        click_into(harness, field)
        type_keys(harness, field, entry)
        QTest.keyClick(field, Qt.Key.Key_Tab)
        disturb(harness)
    for level, entry in typed.items():
        assert parse_entry(card.real_life[level].text()) == float(entry)
        assert dict(space.project.document.priors)[level] == pytest.approx(float(entry) / 100)
    harness.settle()


def test_knots_of_a_number(harness: Program, three: Path) -> None:
    space = harness.session
    open_with_outcome(harness, three, "amount")
    harness.give_role("guess", Role.PREDICTION)
    harness.window.show_page("decide")
    harness.wait(lambda: space.results.decisions is not None, 100)
    harness.settle()
    activate(harness)
    view = harness.window.pages["decide"].earns.matrix
    rows = view.matrix_model.rowCount()
    for entry, wanted in (("12.5", 12.5), ("x", None), ("1,234.5", 1234.5)):
        names = sorted(map(float, space.project.document.matrix.levels))
        editor = cell_editor(harness, rows - 1, 0)
        type_keys(harness, editor, entry)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        harness.settle()
        found = sorted(map(float, space.project.document.matrix.levels))
        assert wanted in found if wanted is not None else found == names


def test_the_largest_loss_of_a_number(harness: Program, tmp_path: Path) -> None:
    path = tmp_path / "amounts.csv"
    lines = [f"{n * 37 % 100},{n * 37 % 100 + n % 9}" for n in range(200)]
    path.write_text("\n".join(["amount,guess", *lines]) + "\n", encoding="utf-8")
    open_with_outcome(harness, path, "amount")
    harness.give_role("guess", Role.PREDICTION)
    harness.window.show_page("compare")
    harness.wait(lambda: harness.session.results.evaluation is not None)
    dialog = harness.window.pages["compare"].studies.bound_losses()
    assert dialog.form.editor("loss_range").isVisible()
    walk_and_close(harness, dialog)


def test_fields_of_a_risk_over_time(harness: Program, tmp_path: Path) -> None:
    path = tmp_path / "times.csv"
    lines = [f"{1 + n * 37 % 100},{n * 7 % 3 % 2},{20 + n * 11 % 60}" for n in range(300)]
    path.write_text("\n".join(["days,died,age", *lines]) + "\n", encoding="utf-8")
    open_with_outcome(harness, path, "days")
    trained(harness, distribution="coxph", event="died", features=("age",))
    harness.window.show_page("compare")
    dialog = harness.window.pages["compare"].studies.survival()
    harness.wait(lambda: dialog.form.editor("horizon").value() > 0)
    walk_and_close(harness, dialog)


def test_searches_of_long_lists(harness: Program, tmp_path: Path) -> None:
    path, second = tmp_path / "wide.csv", tmp_path / "more.csv"
    names = [f"b c {place}" for place in range(14)]
    lines = [",".join(map(str, [n, n % 2, *(n * k % 17 for k in range(14))])) for n in range(90)]
    path.write_text("\n".join([",".join(["id", "y", *names]), *lines]) + "\n", encoding="utf-8")
    others = ",".join(["id", "z", *(f"more {name}" for name in names)])
    second.write_text("\n".join([others, *lines]) + "\n", encoding="utf-8")
    open_with_outcome(harness, path, "y")
    harness.window.show_page("data")
    harness.settle()
    assert walk(harness, harness.window.pages["data"].roles) >= 1
    harness.window.show_page("models")
    harness.window.pages["models"].show_step("inputs")
    harness.settle()
    assert walk(harness, harness.window.pages["models"].inputs_panel) == 1
    dialog = open_dialog("add_columns", harness.session, harness.window)
    dialog.file.take(str(second))
    harness.wait(dialog.search.isVisible)
    walk_and_close(harness, dialog)


def test_nothing_else_can_be_typed_into(harness: Program) -> None:
    """Whatever the walks have opened: lines and cells are those of the shared fields."""
    strangers = [
        widget
        for widget in harness.app.allWidgets()
        if isinstance(widget, QLineEdit | QPlainTextEdit)
        and not isinstance(widget, TextField | NotesField)
    ]
    assert not strangers
    for view in harness.app.allWidgets():
        if not isinstance(view, QAbstractItemView) or isinstance(view, QHeaderView):
            continue
        if view.model() is None:
            continue
        if view.editTriggers() == QAbstractItemView.EditTrigger.NoEditTriggers:
            continue
        delegate, model = view.itemDelegate(), view.model()
        cells = [model.index(r, c) for r in range(3) for c in range(3) if model.hasIndex(r, c)]
        if any(model.flags(cell) & Qt.ItemFlag.ItemIsEditable for cell in cells):
            assert "createEditor" in vars(type(delegate)), view


def test_every_field_of_the_window_was_typed_into(
    sites: set[Site], request: pytest.FixtureRequest
) -> None:
    requested = {item.originalname for item in request.session.items if item.path == request.path}
    here = {name for name in vars(request.module) if name.startswith("test_")}
    if requested != here:
        pytest.skip("Only a walk through all of it tells.")
    left = sites - VISITED
    assert not left, f"nobody typed into the fields made at {sorted(left)}"
    assert set(typing_keys.KINDS) == typing_keys.TRIED
