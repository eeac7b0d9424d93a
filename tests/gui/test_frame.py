"""The window: menus, toolbar, rail, palette, messages, drag and drop, closing."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMargins,
    QMimeData,
    QObject,
    QPoint,
    QPointF,
    QRect,
    Qt,
    QUrl,
)
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox

from core.document.commands import DescribeProject
from core.document.model import TrainedModel
from core.settings import SettingsStore
from gui.app.exception_hook import install_exception_hook
from gui.session.session import Session
from gui.shell import geometry
from gui.shell.commands import ACTIONS, MENUS, printing
from gui.shell.commands.palette import CommandPalette, PaletteEntry, match_rank
from gui.shell.dialogs.project_settings import ProjectSettingsDialog
from gui.shell.geometry import restore_geometry, save_geometry
from gui.shell.main_window import MainWindow
from gui.shell.moments import moment_words, saved_words
from gui.shell.page_list import PAGES
from gui.shell.rail import LEAST_HEIGHT
from gui.theme import theme_choice
from gui.widgets.on_screen import bring_inside
from payoff.errors import PayoffError

# ---------------------------------------------------------------- actions


def test_actions_are_unique_and_stand_in_a_menu():
    keys = [spec.key for spec in ACTIONS]
    shortcuts = [spec.shortcut for spec in ACTIONS if spec.shortcut]
    assert len(set(keys)) == len(keys)
    assert len(set(shortcuts)) == len(shortcuts)
    assert {spec.menu for spec in ACTIONS} == {key for key, _ in MENUS}


def test_every_page_has_its_action_and_keys(loaded):
    assert list(loaded.rail.buttons) == [entry.key for entry in PAGES]
    for place, entry in enumerate(PAGES, start=1):
        key = {"explain": "explain_model"}.get(entry.key, entry.key)
        spec = next(one for one in ACTIONS if one.key == key)
        assert spec.shortcut == f"Ctrl+{place % 10}", entry.key  # as the rail stands
        loaded.actions_by_key[spec.key].trigger()
        assert loaded.current_page == entry.key


def test_every_action_that_is_grey_says_why(window):
    grey = [spec.key for spec in ACTIONS if not window.actions_by_key[spec.key].isEnabled()]
    assert {"save", "undo", "redo", "data", "save_decisions"} <= set(grey)
    for key in grey:
        assert "\n" in window.actions_by_key[key].toolTip(), key


def test_actions_come_alive_with_data(loaded):
    known = loaded.actions_by_key
    assert known["save"].isEnabled()
    assert known["undo"].text() == "Undo: Open data"
    assert not known["save_decisions"].isEnabled()
    assert "decision earns" in known["save_decisions"].toolTip()
    loaded.session.project.undo()
    assert known["redo"].text() == "Redo: Open data"
    assert not known["save"].isEnabled()


def test_undo_by_keyboard(loaded, qtbot):
    loaded.session.project.execute(DescribeProject(name="Other"))
    qtbot.keyClick(loaded, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert loaded.session.project.document.name == "mail"
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(loaded, Qt.Key.Key_Z, modifiers)
    assert loaded.session.project.document.name == "Other"


def project_dialog(frame) -> ProjectSettingsDialog:
    frame.actions_by_key["project_settings"].trigger()
    return frame.findChild(ProjectSettingsDialog)


def test_the_project_is_given_a_name_a_currency_and_a_word_for_its_rows(loaded, settings):
    before = loaded.session.project.document
    dialog = project_dialog(loaded)
    assert dialog.name.text() == "mail"
    dialog.name.setText("Autumn")
    dialog.currency.setEditText("CHF")
    dialog.one.setText("loan")
    dialog.many.setText("loans")
    described = dialog.example.text().replace("\u00a0", " ")
    assert described == "It reads: CHF 12,340 from 1,250 loans, CHF 9.87 per loan."
    dialog.save.click()
    document = loaded.session.project.document
    assert (document.name, document.currency) == ("Autumn", "CHF")
    assert document.case_word == ("loan", "loans")
    assert SettingsStore(settings.path).settings.currency == "CHF"
    loaded.session.project.undo()  # all of it is one step
    assert loaded.session.project.document == before


def test_a_project_without_a_name_or_a_word_is_not_saved(loaded):
    dialog = project_dialog(loaded)
    for line in (dialog.name, dialog.one, dialog.many):
        text = line.text()
        line.setText("  ")
        assert not dialog.save.isEnabled()
        line.setText(text)
        assert dialog.save.isEnabled()
    dialog.reject()


def test_a_new_project_begins_with_the_currency_chosen_last(settings, jobs):
    settings.change(replace(settings.settings, currency="$"))
    assert Session(jobs, settings).project.document.currency == "$"


def test_theme_actions_switch_and_are_remembered(window, settings):
    window.actions_by_key["theme_dark"].trigger()
    assert theme_choice() == "dark"
    assert settings.settings.theme == "dark"
    assert window.actions_by_key["theme_dark"].isChecked()
    assert not window.actions_by_key["theme_light"].isChecked()


# ---------------------------------------------------------------- pages and project


def test_only_home_can_be_used_without_data(window):
    assert window.current_page == "home"
    assert not window.rail.buttons["decide"].isEnabled()
    assert "Open data" in window.rail.buttons["decide"].toolTip()
    window.show_page("decide")
    assert window.current_page == "home"


def test_opening_data_leads_to_page_data(loaded):
    assert loaded.current_page == "data"
    assert loaded.rail.buttons["data"].isChecked()
    loaded.session.project.undo()
    assert loaded.current_page == "home"


def test_pages_are_built_when_first_shown(window):
    assert set(window.pages) == {"home"}


def test_toolbar_names_project_and_state(loaded, tmp_path):
    assert loaded.toolbar.project.text() == "mail"
    assert loaded.toolbar.state.full_text() == "not saved yet"
    loaded.session.files.save_project(str(tmp_path / "mail.payoff"))
    assert loaded.toolbar.state.full_text() == "saved just now"
    loaded.session.project.execute(DescribeProject(name="Other"))
    assert "changed" in loaded.toolbar.state.full_text()
    assert loaded.isWindowModified()


def test_moments_are_said_in_words():
    from datetime import UTC, datetime, timedelta

    now = datetime(2026, 11, 20, 16, 40, tzinfo=UTC)
    assert saved_words(now, now) == "saved just now"
    assert saved_words(now - timedelta(minutes=5), now) == "saved 5 min ago"
    assert moment_words(now - timedelta(days=1), now).startswith("yesterday, ")
    assert moment_words(now - timedelta(days=2), now).startswith("18 Nov, ")
    assert moment_words(now - timedelta(days=400), now) == "16 Oct 2025"


# ---------------------------------------------------------------- messages


def test_a_new_project_has_nothing_of_the_one_before(loaded, tmp_path):
    loaded.session.files.save_project(str(tmp_path / "mailing.payoff"))
    loaded.actions_by_key["new_project"].trigger()
    assert loaded.current_page == "home"
    assert loaded.session.project.document.data is None
    assert loaded.session.files.project_path is None
    assert not loaded.session.project.history.is_changed
    assert not loaded.actions_by_key["undo"].isEnabled()
    assert (tmp_path / "mailing.payoff").is_file()


def test_a_new_project_asks_about_unsaved_work(loaded):
    loaded.session.project.execute(DescribeProject(name="Changed"))
    loaded.actions_by_key["new_project"].trigger()
    answer_box(loaded, QMessageBox.StandardButton.Cancel)
    assert loaded.session.project.document.name == "Changed"


def test_redo_has_the_keys_of_both_conventions(window):
    keys = [key.toString() for key in window.actions_by_key["redo"].shortcuts()]
    assert keys == ["Ctrl+Shift+Z", "Ctrl+Y"]


def test_recent_projects_are_in_the_menu(loaded, tmp_path, monkeypatch):
    path = str(tmp_path / "A & B.payoff")
    loaded.session.files.save_project(path)
    opened = []
    monkeypatch.setattr(loaded.files, "open_path", opened.append)
    loaded.recent.aboutToShow.emit()
    (entry,) = loaded.recent.actions()
    assert entry.text().replace("&&", "&") == loaded.session.project.document.name
    entry.trigger()
    assert opened == [path]


def test_an_empty_report_is_not_printed_and_that_is_said(loaded):
    loaded.actions_by_key["print_report"].trigger()
    assert "There is nothing on the report." in loaded.notice.text.text()


def test_the_report_is_printed_as_the_file_that_it_exports(loaded, monkeypatch, own_home):
    shown = []
    monkeypatch.setattr(printing, "QDesktopServices", type("", (), {"openUrl": shown.append}))
    written = []
    monkeypatch.setattr(
        "gui.pages.report.files.write_report", lambda text, path: written.append(path)
    )
    loaded.actions_by_key["print_report"].trigger()
    assert written == [url.toLocalFile() for url in shown]
    assert written[0].endswith(".pdf")
    assert written[0].startswith(str(own_home))


def test_errors_stay_in_the_strip_and_nothing_is_modal(window):
    window.session.project.post(PayoffError("It failed.", where="row 3", remedy="Try again."))
    assert window.notice.isVisible()
    assert "row 3" in window.notice.text.text()
    assert QApplication.activeModalWidget() is None
    window.notice.dismiss()
    assert not window.notice.isVisible()


def test_uncaught_exceptions_become_messages(window):
    before = sys.excepthook
    install_exception_hook(window.session)
    try:
        raise LookupError("lost")
    except LookupError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        sys.excepthook = before
    assert "LookupError" in window.notice.text.text()
    assert "Traceback" not in window.notice.text.text()


def test_missing_data_offers_to_find_it(window):
    window.session.files.data_missing.emit("/gone/mail.csv")
    assert "/gone/mail.csv" in window.notice.text.text()
    assert window.notice._action.isVisible()


# ---------------------------------------------------------------- palette


@pytest.mark.parametrize(
    ("typed", "fits"),
    [("", True), ("sav", True), ("dec sav", True), ("svd", True), ("zebra", False)],
)
def test_palette_finds_by_starts_parts_and_letters(typed, fits):
    entry = PaletteEntry("Save decisions…", "Ctrl+E", lambda: None)
    assert (match_rank(typed, entry) is not None) == fits


def test_what_cannot_be_done_now_comes_after_what_can():
    can = PaletteEntry("Save decisions…", "Ctrl+E", lambda: None)
    cannot = replace(can, text="Save", reason="There are no decisions yet.")
    assert match_rank("save", can) < match_rank("save", cannot)


def test_palette_runs_the_first_command_by_keyboard(window, qtbot):
    palette = window.open_palette()
    qtbot.keyClicks(palette.field, "dark col")
    assert palette.list.item(0).text() == "Dark colours"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert theme_choice() == "dark"


def test_palette_greys_with_the_reason_and_stays(window, qtbot):
    palette = window.open_palette()
    qtbot.keyClicks(palette.field, "save project as")
    entry = palette._entries[[e.text for e in palette._entries].index("Save project as…")]
    assert entry.reason
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.close()


def test_palette_goes_to_a_column(loaded, qtbot):
    palette = loaded.open_palette()
    qtbot.keyClicks(palette.field, "p_log")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert loaded.current_page == "data"
    assert loaded.pages["data"].chosen_column() == "p_logit"


def test_palette_walks_by_arrow_keys(qtbot, window):
    calls: list[str] = []
    entries = [PaletteEntry(name, "", lambda n=name: calls.append(n)) for name in ("a", "b")]
    palette = CommandPalette(entries, window)
    palette.open_below(window.toolbar.search)
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert calls == ["b"]


def test_palette_says_that_nothing_has_such_a_name(qtbot, window):
    palette = CommandPalette([PaletteEntry("Open data", "", lambda: None)], window)
    palette.open_below(window.toolbar.search)
    qtbot.keyClicks(palette.field, "xyzzy")
    assert palette.nothing.isVisible()
    assert palette.nothing.text() == "Nothing is called “xyzzy”."
    palette.field.selectAll()
    qtbot.keyClicks(palette.field, "data")
    assert not palette.nothing.isVisible()
    assert palette.list.isVisible()
    assert palette.list.count() == 1
    palette.close()


@pytest.mark.parametrize("place", [(0, 0), (900, 500), (-300, -50)])
def test_a_window_larger_than_its_screen_is_brought_inside(qtbot, window, place):
    room = QRect(10, 20, 1100, 700)
    window.show()
    window.resize(4000, 3000)
    window.move(*place)
    bring_inside(window, room)
    assert room.contains(window.frameGeometry())
    buttons = list(window.rail.buttons.values())
    qtbot.waitUntil(lambda: window.rail.rect().contains(buttons[-1].geometry()))
    inside = QRect(window.rail.mapTo(window, QPoint(0, 0)), window.rail.size())
    assert window.rect().contains(inside)
    for above, below in pairwise(sorted(button.geometry().top() for button in buttons)):
        assert below - above >= LEAST_HEIGHT  # every page can be read and clicked
    window.resize(1000, 650)
    window.move(15, 25)
    bring_inside(window, room)
    assert (window.width(), window.height()) == (1000, 650)  # what fits is left alone
    assert (window.frameGeometry().left(), window.frameGeometry().top()) == (15, 25)


def test_a_window_is_brought_inside_again_once_it_has_its_frame(qapp, qtbot, monkeypatch):
    """X11 puts the frame on after the window is there, and moves it then."""

    class Framed(QDialog):
        frame = QMargins(0, 0, 0, 0)

        def frameGeometry(self) -> QRect:
            return self.geometry().marginsAdded(self.frame)

    realised = []
    monkeypatch.setattr(geometry, "bring_inside", realised.append)
    keeper, dialog = geometry.InsideScreen(qapp), Framed()
    qtbot.addWidget(dialog)
    qapp.installEventFilter(keeper)
    try:
        dialog.show()
        qtbot.waitUntil(lambda: realised == [dialog])
        dialog.resize(300, 200)
        qapp.processEvents()
        assert realised == [dialog]  # no frame yet
        dialog.frame = QMargins(1, 20, 1, 5)
        dialog.resize(310, 210)
        qtbot.waitUntil(lambda: realised == [dialog] * 2)
        dialog.resize(320, 220)  # by a person: it stays where it is put
        qapp.processEvents()
        assert realised == [dialog] * 2
    finally:
        qapp.removeEventFilter(keeper)
        keeper.deleteLater()


@pytest.mark.parametrize("size", [(683, 384), (960, 540)])
def test_a_window_is_inside_a_screen_smaller_than_its_usual_least_size(window, size, qtbot):
    """1366 x 768 and 1920 x 1080 at 200 %."""
    room = QRect(0, 0, *size)
    window.show()
    bring_inside(window, room)
    assert room.contains(window.frameGeometry())


def test_samples_are_whole_in_the_least_window(window, qtbot):
    window.show()
    window.resize(window.minimumSize())
    cards = list(window.pages["home"].sample_cards.values())
    for part in [part for card in cards for part in (card.button, card.amount)]:
        qtbot.waitUntil(lambda part=part: part.width() >= part.sizeHint().width())


# ---------------------------------------------------------------- drag and drop


def drag(window: MainWindow, *paths: str) -> tuple[QDragEnterEvent, QDropEvent]:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(path) for path in paths])
    window._mime = mime  # the events keep only a pointer
    copy, left, none = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    return (
        QDragEnterEvent(QPoint(300, 300), copy, mime, left, none),
        QDropEvent(QPointF(300, 300), copy, mime, left, none),
    )


def test_a_dragged_plugin_is_announced_as_one(window, tmp_path):
    enter, _drop = drag(window, str(tmp_path / "own.payoff-plugin"))
    window.dragEnterEvent(enter)
    assert window.cover.accessibleName() == "Drop to install a plugin"
    window.cover.hide()


def test_dragged_file_is_covered_and_opened(window, engine, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("a;b\n1;2\n")
    enter, drop = drag(window, str(path))
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    assert window.cover.isVisible()
    assert window.cover.accessibleName() == "Drop to open"
    window.dropEvent(drop)
    assert not window.cover.isVisible()
    assert engine.last("preview").arguments.path == str(path)
    window.findChild(type(window.files.import_file(str(path)))).reject()
    for dialog in QApplication.topLevelWidgets():
        if dialog is not window:
            dialog.close()


def test_two_files_at_once_are_not_taken(window, tmp_path):
    enter, _drop = drag(window, str(tmp_path / "a.csv"), str(tmp_path / "b.csv"))
    enter.ignore()
    window.dragEnterEvent(enter)
    assert not enter.isAccepted()


def test_dropped_project_is_opened(window, engine, tmp_path, qtbot):
    from core.document.files.project import Headline, save_project
    from tests.helpers.factories.loaded_file import loaded_document

    path = save_project(tmp_path / "p.payoff", loaded_document(), Headline())
    _enter, drop = drag(window, str(path))
    window.dropEvent(drop)
    assert window.session.project.document.name == "mail"


def test_missing_file_is_refused_in_words(window):
    window.files.open_path("/nowhere/at_all.csv")
    assert "/nowhere/at_all.csv" in window.notice.text.text()


# ---------------------------------------------------------------- closing


def answer_box(window: MainWindow, button: QMessageBox.StandardButton) -> None:
    box = window.findChild(QMessageBox)
    assert box is not None
    box.button(button).click()
    QCoreApplication.sendPostedEvents(box, QEvent.Type.DeferredDelete)


def test_closing_with_changes_asks_and_cancel_stays(loaded):
    loaded.close()
    assert loaded.isVisible()
    answer_box(loaded, QMessageBox.StandardButton.Cancel)
    assert loaded.isVisible()


def test_closing_without_saving_ends_the_engine(loaded, engine):
    loaded.close()
    answer_box(loaded, QMessageBox.StandardButton.Discard)
    assert not loaded.isVisible()
    assert not engine.is_running


def test_saving_before_closing(loaded, tmp_path):
    path = tmp_path / "kept.payoff"
    loaded.session.files.save_project(str(path))
    loaded.session.project.execute(DescribeProject(name="Newer"))
    loaded.close()
    answer_box(loaded, QMessageBox.StandardButton.Save)
    assert not loaded.isVisible()
    from core.document.files.project import read_project

    assert read_project(path).document.name == "Newer"


def test_a_model_in_training_is_not_ended_without_a_word(loaded, engine, tmp_path):
    loaded.session.files.save_project(str(tmp_path / "kept.payoff"))
    settings = TrainedModel(
        name="gbm 1", distribution="bernoulli", target="responded", features=("age",)
    )
    training = loaded.session.trainings.start(settings, 2)
    loaded.close()
    assert loaded.isVisible()
    assert "gbm 1" in loaded.findChild(QMessageBox).text()
    answer_box(loaded, QMessageBox.StandardButton.Cancel)
    loaded.actions_by_key["new_project"].trigger()
    answer_box(loaded, QMessageBox.StandardButton.Cancel)
    assert loaded.session.trainings.running == (training,)
    loaded.close()
    answer_box(loaded, QMessageBox.StandardButton.Discard)
    assert not loaded.isVisible()


def test_geometry_is_remembered(window, own_home):
    window.resize(1200, 700)
    save_geometry(window)
    assert (own_home / "state" / "window.ini").is_file()
    window.resize(1000, 650)
    restore_geometry(window)
    assert window.height() == 700  # the offscreen screen is narrower than 1200


# ---------------------------------------------------------------- keyboard and names


def test_tab_reaches_every_tool_and_page(loaded, qtbot):
    reached = set()
    loaded.toolbar.search.setFocus()
    for _ in range(60):
        focused = QApplication.focusWidget()
        if focused is not None:
            reached.add(focused)
        qtbot.keyClick(QApplication.focusWidget() or loaded, Qt.Key.Key_Tab)
    assert loaded.rail.buttons["data"] in reached or loaded.rail.buttons["home"] in reached
    assert loaded.toolbar.search in reached


def test_focus_has_a_visible_ring(window):
    button = window.rail.buttons["home"]
    without = button.grab().toImage()
    button.setFocus()
    assert button.grab().toImage() != without


def test_what_has_focus_has_a_name(loaded):
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit

    nameless = [
        widget
        for kind in (QAbstractButton, QComboBox, QLineEdit)
        for widget in loaded.findChildren(kind)
        if widget.isVisible()
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.objectName() != "qt_spinbox_lineedit"
        and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]
    assert nameless == []


def test_about_tells_version_and_licence(window):
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QLabel

    from gui.shell.dialogs.about import AboutDialog
    from payoff.version import __version__

    dialog = AboutDialog(window)
    texts = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert __version__ in texts
    assert "MIT" in texts
    dialog.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert f"Payoff: {__version__}" in copied
    assert "numba: " in copied
    dialog.close()


class LayoutWatch(QObject):
    """Notes what asks to be laid out."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.seen: list[str] = []
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.seen.append(type(watched).__name__)
        return False


def test_a_page_that_stands_still_asks_for_no_layout(window, qapp):
    """A header once asked for the next layout from within each one: a core was never at rest."""
    watch = LayoutWatch(qapp)
    try:
        for entry in PAGES:
            window.show_page(entry.key)
            for _ in range(10):
                qapp.processEvents()
            watch.seen.clear()
            for _ in range(20):
                qapp.processEvents()
            assert watch.seen == [], entry.key
    finally:
        qapp.removeEventFilter(watch)


def test_a_dialog_that_is_brought_inside_stands_in_the_middle_of_its_window(window, qtbot):
    """A system that has not placed it yet reports a place outside: a corner would be no place."""
    room = QRect(0, 0, 1400, 900)
    window.setGeometry(100, 100, 1000, 700)
    dialog = QDialog(window)
    dialog.resize(300, 200)
    dialog.show()
    dialog.move(-40, -60)
    bring_inside(dialog, room)
    away = dialog.frameGeometry().center() - window.frameGeometry().center()
    assert away.manhattanLength() <= 2
    dialog.move(5, 9)
    bring_inside(dialog, room)
    assert dialog.frameGeometry().topLeft() == QPoint(5, 9)  # what is inside is left alone
    dialog.close()
