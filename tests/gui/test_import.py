"""The import dialog: what was found and why, live preview, what the user overrules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox

from core.document.data.model import ReaderSettings
from core.document.data.results import ReaderFinding
from core.engine.client import EngineClient
from core.engine.options import EngineOptions
from gui.pages.data.reading.import_dialog import ImportDialog, rounded_estimate
from gui.session import JobQueue
from gui.session.session import Session
from payoff.errors import PayoffError
from tests.gui.dying_handlers import handlers
from tests.helpers.factories.loaded_file import make_preview
from tests.helpers.forms import choose_data


@pytest.fixture
def dialog(session, engine, qtbot, tmp_path) -> ImportDialog:
    path = tmp_path / "scores.csv"
    path.write_text("x")
    made = ImportDialog(session, str(path), ReaderSettings())
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def previewed(dialog, engine, qtbot, session) -> ImportDialog:
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("preview").job, make_preview(dialog._path))
    return dialog


def test_pieces_are_offered_where_a_file_is_too_large_alone(dialog):
    assert dialog.pieces.isHidden(), "nothing is known of the file yet"


def test_load_waits_for_the_first_rows(dialog, engine):
    assert not dialog._load.isEnabled()
    assert dialog._load.toolTip()
    assert engine.last("preview").arguments.reader == ReaderSettings()


def test_findings_stand_with_their_reasons(previewed):
    assert previewed._settings.form.editor("delimiter").currentText() == "Found: Semicolon ;"
    assert previewed._settings.form.rows["delimiter"].note.text() == "41 of 41 lines have 3 fields"
    assert previewed._settings.form.rows["encoding"].note.text().startswith("not certain")
    assert previewed._settings.form.editor("decimal").currentText() == "Found: Comma 0,5"
    assert previewed._settings.form.editor("has_header").currentText() == "Found: Column names"


def test_rows_and_memory_are_promised_before_loading(previewed):
    assert "1,000,000 rows" in previewed._facts.text()
    assert "310\u00a0MB" in previewed._memory.text()
    assert previewed._model.rowCount() == 2
    assert previewed._model.headerData(1, _horizontal()) == "age\ninteger"
    assert previewed._load.isEnabled()


def _horizontal():
    from PySide6.QtCore import Qt

    return Qt.Orientation.Horizontal


def test_a_change_is_looked_at_again_after_a_pause(previewed, engine, qtbot):
    combo = previewed._settings.form.editor("delimiter")
    choose_data(combo, "\t")
    previewed._settings.form.editor("skip_lines").choose(2)
    qtbot.waitUntil(lambda: len(engine.of_kind("preview")) == 2, timeout=2000)
    reader = engine.last("preview").arguments.reader
    assert (reader.delimiter, reader.skip_lines) == ("\t", 2)
    assert reader.decimal is None


def test_an_older_preview_is_not_shown(previewed, engine, qtbot, session):
    combo = previewed._settings.form.editor("delimiter")
    choose_data(combo, ",")
    qtbot.waitUntil(lambda: len(engine.of_kind("preview")) == 2, timeout=2000)
    first, second = (requested.job for requested in engine.of_kind("preview"))
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(second, make_preview("x", delimiter=","))
    previewed.show_preview(make_preview("x", delimiter=","))
    assert previewed.reader().delimiter == ","
    assert first != second


def test_unreadable_settings_are_refused_in_the_dialog(previewed, engine, qtbot):
    combo = previewed._settings.form.editor("encoding")
    choose_data(combo, "utf-16")
    qtbot.waitUntil(lambda: len(engine.of_kind("preview")) == 2, timeout=2000)
    engine.fail(engine.last("preview").job, PayoffError("Not UTF-16.", where="byte 0"))
    qtbot.waitUntil(previewed._notice.isVisible, timeout=2000)
    assert "byte 0" in previewed._notice.text.text()
    assert not previewed._load.isEnabled()


def test_names_that_occur_again_are_asked_about_and_numbered(previewed, engine, qtbot, session):
    assert not previewed._settings.form.editor(
        "rename_repeated"
    ).isVisible()  # not a question of every file
    question = ReaderFinding(
        setting="rename_repeated",
        value="yes",
        reason="column 3 ('a', like column 1) is 'a_2', if they are numbered",
        is_certain=False,
    )
    seen = make_preview("x.csv")
    previewed.show_preview(replace(seen, findings=(question,)))
    combo = previewed._settings.form.editor("rename_repeated")
    assert combo.isVisible()
    assert "column 3" in previewed._settings.form.rows["rename_repeated"].note.text()
    assert not previewed._load.isEnabled()
    assert "Names that occur again" in previewed._load.toolTip()
    requested = len(engine.of_kind("preview"))
    choose_data(combo, "yes")
    qtbot.waitUntil(lambda: len(engine.of_kind("preview")) > requested, timeout=2000)
    assert engine.last("preview").arguments.reader.rename_repeated is True
    answered = replace(seen, settings=replace(seen.settings, rename_repeated=True))
    previewed.show_preview(replace(answered, findings=(replace(question, is_certain=True),)))
    assert previewed._load.isEnabled()
    assert previewed.reader().rename_repeated is True


def test_a_question_further_down_is_scrolled_to(previewed, qtbot):
    area = previewed._settings.area
    area.setMaximumHeight(140)  # a low window
    qtbot.waitUntil(lambda: area.height() <= 140, timeout=2000)
    reason = "column 3 ('a', like column 1) is 'a_2', if they are numbered"
    question = ReaderFinding(
        setting="rename_repeated", value="yes", reason=reason, is_certain=False
    )
    previewed.show_preview(replace(make_preview("x.csv"), findings=(question,)))
    words = previewed._settings.form.rows["rename_repeated"].note

    def is_in_sight() -> bool:
        top = words.mapTo(area.viewport(), words.rect().topLeft()).y()
        return top >= 0 and top + words.height() <= area.viewport().height()

    qtbot.waitUntil(is_in_sight, timeout=2000)


def test_names_of_a_parquet_file_can_be_numbered_too(dialog):
    seen = make_preview("x.parquet", format="parquet")
    question = ReaderFinding(setting="rename_repeated", value="yes", reason="a", is_certain=False)
    dialog.show_preview(replace(seen, findings=(question,), obeyed=()))
    assert dialog._settings.form.editor("rename_repeated").isEnabled()
    assert not dialog._load.isEnabled()


def test_settings_that_have_room_show_no_scroll_bar(previewed, qtbot):
    area = previewed._settings.area
    reasons = [
        ReaderFinding(
            setting=setting, value="x", reason=f"{n} of all the lines are cut evenly by this"
        )
        for n, setting in enumerate(("delimiter", "quote", "decimal", "encoding", "has_header"))
    ]
    previewed.show_preview(replace(make_preview("x.csv"), findings=tuple(reasons)))
    needed = area.widget().layout().totalHeightForWidth(area.viewport().width())
    previewed.setMinimumHeight(200)
    previewed.resize(1100, previewed.height() + needed + 2 - area.viewport().height())
    qtbot.waitUntil(lambda: area.viewport().height() == needed + 2, timeout=2000)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0, timeout=2000)
    previewed.resize(1100, previewed.height() - 60)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0, timeout=2000)


def test_parquet_needs_no_settings(dialog):
    dialog.show_preview(make_preview("x.parquet", format="parquet"))
    assert not dialog._settings.form.editor("delimiter").isEnabled()
    assert "Parquet" in dialog._settings.form.editor("delimiter").toolTip()


def test_settings_of_a_file_that_is_open_are_kept(session, engine, qtbot, tmp_path):
    given = ReaderSettings(delimiter="§", decimal=",", has_header=False, skip_lines=3)
    made = ImportDialog(session, "/x.csv", given)
    qtbot.addWidget(made)
    assert made.wanted() == given


def test_load_hands_over_what_was_found(window, engine, qtbot, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("x")
    dialog = window.files.import_file(str(path))
    with qtbot.waitSignal(window.session.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("preview").job, make_preview(str(path)))
    box = dialog.findChild(QDialogButtonBox)
    load = next(b for b in box.buttons() if b.text() == "Load")
    load.click()
    sent = engine.last("load").arguments
    assert sent.path == str(path)
    assert (sent.reader.delimiter, sent.reader.decimal) == (";", ",")


@pytest.mark.parametrize("change", ["decimal", "marks"])
def test_load_at_once_after_a_change_loads_as_it_was_said(window, engine, qtbot, tmp_path, change):
    """Not as the rows were shown before it: that would be other data."""
    path = tmp_path / "scores.csv"
    path.write_text("x")
    dialog = window.files.import_file(str(path))
    found = make_preview(str(path))
    with qtbot.waitSignal(window.session.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("preview").job, found)
    settings = dialog._settings
    if change == "decimal":
        combo = settings.form.editor("decimal")
        choose_data(combo, ".")
    else:
        settings.form.editor("missing_marks").setFocus()
        settings.form.editor("missing_marks").selectAll()
        qtbot.keyClicks(settings.form.editor("missing_marks"), "-9")
    dialog._load.click()
    assert not engine.of_kind("load")
    qtbot.waitUntil(lambda: len(engine.of_kind("preview")) == 2, timeout=2000)
    wanted = engine.last("preview").arguments.reader
    assert wanted.decimal == "." if change == "decimal" else wanted.missing_marks == ("", "-9")
    read = replace(found.settings, decimal=".", missing_marks=("", "-9"))
    engine.answer(engine.last("preview").job, replace(found, settings=read))
    qtbot.waitUntil(lambda: bool(engine.of_kind("load")), timeout=2000)
    sent = engine.last("load").arguments.reader
    assert (sent.decimal, sent.missing_marks) == (".", ("", "-9"))


def test_widths_that_are_none_are_not_loaded_over(previewed, engine, qtbot):
    widths = previewed._settings.form.editor("widths")
    widths.setVisible(True)
    widths.setFocus()
    qtbot.keyClicks(widths, "8, x")
    previewed.accept()
    assert previewed.isVisible()
    assert "“x” is no width" in previewed._settings.form.rows["widths"].note.text()
    assert widths.text() == "8, x"


@pytest.mark.parametrize(
    ("rows", "said"), [(7, 7), (999, 999), (20_008, 20_000), (1_234_567, 1_230_000)]
)
def test_estimates_claim_three_figures(rows, said):
    assert rounded_estimate(rows) == said


def test_cancel_loads_nothing(window, engine, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("x")
    dialog = window.files.import_file(str(path))
    dialog.reject()
    assert engine.of_kind("load") == []


def asked(setting: str, **settings: object):
    """A preview with one open question."""
    finding = ReaderFinding(setting=setting, value="x", reason="could be either", is_certain=False)
    seen = make_preview("x.csv", **settings)
    return replace(seen, findings=(finding,))


@pytest.mark.parametrize(
    ("setting", "answer"), [("decimal", ","), ("date_order", "dmy"), ("delimiter", ";")]
)
def test_a_question_is_answered_before_loading(dialog, setting, answer):
    dialog.show_preview(asked(setting))
    combo = dialog._settings.form.editor(setting)
    assert combo.itemText(0) == "Please choose…"
    assert "Please say" in dialog._settings.form.rows[setting].note.text()
    assert not dialog._load.isEnabled()
    assert "answer first" in dialog._load.toolTip()
    choose_data(combo, answer)
    dialog.show_preview(asked(setting, **{setting: answer}))
    assert dialog._load.isEnabled()
    assert getattr(dialog.wanted(), setting) == answer


def test_sheets_are_offered_and_one_is_chosen(dialog):
    seen = replace(
        asked("part", format="excel"), parts=("Spring", "Autumn"), obeyed=("part", "has_header")
    )
    dialog.show_preview(seen)
    combo = dialog._settings.form.editor("part")
    assert [combo.itemText(at) for at in range(3)] == ["Please choose…", "Spring", "Autumn"]
    assert not dialog._load.isEnabled()
    assert dialog._settings.form.editor("delimiter").isHidden()
    choose_data(combo, "Autumn")
    assert dialog.wanted().part == "Autumn"


def test_what_a_column_holds_can_be_said(previewed, engine, qtbot):
    menu = previewed.types_menu(1)
    assert [action.text() for action in menu.actions()[:4]] == [
        "Find out",
        "Number",
        "Text",
        "Date",
    ]
    menu.actions()[2].trigger()
    qtbot.waitUntil(lambda: len(engine.of_kind("preview")) == 2, timeout=2000)
    assert engine.last("preview").arguments.reader.column_types == (("age", "text"),)


def test_an_offered_missing_mark_is_taken(previewed):
    previewed._settings.add_mark("?")
    assert previewed.wanted().missing_marks[-1] == "?"


def test_too_little_memory_is_said(dialog):
    seen = replace(make_preview("x.csv"), memory_free_bytes=1_000_000)
    dialog.show_preview(seen)
    assert "only 1" in dialog._memory.text()
    assert "free" in dialog._memory.text()


def test_settings_are_remembered_by_file(window, engine, qtbot, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("x")
    dialog = window.files.import_file(str(path))
    with qtbot.waitSignal(window.session.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("preview").job, make_preview(str(path)))
    dialog.accept()
    again = window.files.import_file(str(path))
    assert again.wanted().delimiter == ";"
    assert not again._anew.isHidden()
    again._find_out_anew()
    assert again.wanted().delimiter is None
    again.reject()


def test_columns_are_as_wide_as_their_longest_text(dialog):
    made = replace(
        make_preview("x"),
        columns=("k", "a name longer than its cells", "c"),
        column_types=("integer", "text", "text"),
        rows=(("1", "x", "y" * 10_000), ("123456789012", "x")),  # a row may be short
    )
    dialog.show_preview(made)
    widths = [dialog._table.columnWidth(section) for section in range(3)]
    assert dialog._table.fontMetrics().horizontalAdvance("123456789012") < widths[0] < widths[1]
    assert widths[2] == 220


def test_names_with_tags_are_shown_as_they_are(dialog):
    finding = ReaderFinding(
        setting="missing_marks", value="?", reason='"?" in <i>x</i>', is_certain=False
    )
    warning = "Column '<b>x</b>' is kept as text."
    dialog.show_preview(replace(make_preview("x"), warnings=(warning,), findings=(finding,)))
    assert "&lt;b&gt;x&lt;/b&gt;" in dialog._notice.text.text()
    assert "&lt;i&gt;x&lt;/i&gt;" in dialog._settings.marks_offer.text()


def test_the_smallest_dialog_still_shows_columns(dialog):
    dialog.show_preview(make_preview("x"))
    dialog.resize(100, 100)
    shown = dialog._table.columnWidth(0) + dialog._table.columnWidth(1)
    assert dialog._table.viewport().width() > shown
    assert dialog._table.viewport().height() > 10 * dialog._table.rowHeight(0)


def test_first_rows_that_cannot_be_read_are_said(dialog, engine, qtbot, session):
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.fail(engine.last("preview").job, PayoffError("The workbook cannot be opened."))
    assert dialog._facts.text() == "The first rows could not be read."
    assert dialog._notice.isVisible()
    assert not dialog._load.isEnabled()


def test_a_file_that_ends_the_engine_is_answered(qtbot, tmp_path):
    path = tmp_path / "cases.xlsx"
    path.write_bytes(b"PK")
    options = EngineOptions(warm_up=False, log_folder=str(tmp_path))
    queue = JobQueue(lambda listen: EngineClient(listen, options=options, handlers=handlers))
    session = Session(queue)
    dialog = ImportDialog(session, str(path), ReaderSettings())
    qtbot.addWidget(dialog)
    dialog.show()
    assert "Reading the first rows" in dialog._facts.text()
    with qtbot.waitSignal(queue.job_ended, timeout=60_000):
        pass
    assert dialog._facts.text() == "The first rows could not be read."
    assert "SIGABRT" in dialog._notice.text.text()
    queue.close()


def test_enter_loads_once_nothing_is_asked(previewed):
    button = previewed._load
    assert previewed.focusWidget() is button
    assert button.isDefault()


def test_a_row_of_the_preview_can_hold_the_names_or_be_left_out(previewed):
    shown = previewed._preview
    assert shown is not None
    menu = previewed.row_menu(2)
    assert [action.text() for action in menu.actions()] == [
        "The names of the columns are in this row",
        "Leave this row out",
    ]
    previewed.leave_out(2)
    assert previewed.wanted().left_out == (3,)
    previewed.leave_out(0)
    assert previewed.wanted().left_out == (1, 3)
    assert previewed.row_menu(2).actions()[1].text() == "Count this row again"
    previewed.leave_out(2, is_out=False)
    assert previewed.wanted().left_out == (1,)
    previewed.name_by(1)
    wanted = previewed.wanted()
    at = shown.settings.skip_lines + bool(shown.settings.has_header) + 1
    assert (wanted.has_header, wanted.skip_lines, wanted.left_out) == (True, at, None)


def test_rows_that_were_found_to_be_no_cases_are_struck_out_and_can_be_counted(dialog):
    shown = replace(
        make_preview(dialog._path), settings=ReaderSettings(format="delimited", left_out=(2,))
    )
    dialog.show_preview(shown)
    model = dialog._model
    fonts = [model.index(row, 0).data(Qt.ItemDataRole.FontRole) for row in range(2)]
    assert fonts[0] is None
    assert fonts[1].strikeOut()
    assert dialog.wanted().left_out is None  # the program finds it
    dialog.leave_out(1, is_out=False)
    assert dialog.wanted().left_out == ()


def test_the_window_begins_at_the_question_that_is_open(dialog, engine, qtbot, session):
    asked = ReaderFinding(
        setting="rename_repeated", value="yes", reason="column 8 is 'a_2'", is_certain=False
    )
    preview = make_preview(dialog._path)
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(
            engine.last("preview").job,
            replace(
                preview,
                findings=(*preview.findings, asked),
                obeyed=(*preview.obeyed, asked.setting),
            ),
        )
    qtbot.waitUntil(
        lambda: dialog.focusWidget() is dialog._settings.form.editor("rename_repeated"),
        timeout=2000,
    )
    assert not dialog._load.isEnabled()


def test_a_column_is_called_as_somebody_says(previewed):
    shown = previewed._preview
    assert shown is not None
    menu = previewed.types_menu(1)
    assert menu.actions()[-1].text() == "Call it…"
    previewed.set_type((shown.columns[1],), "text")
    previewed.name_column(1, " years ")
    assert previewed.wanted().column_names == ((2, "years"),)
    assert dict(previewed.wanted().column_types) == {"years": "text"}
    previewed._find_out_anew()
    assert previewed.wanted().column_names == ()


def test_lines_that_were_found_to_be_skipped_are_shown(dialog, session, engine, qtbot):
    field = dialog._settings.form.editor("skip_lines")
    assert (field.text(), field.placeholderText()) == ("", "Find out")
    seen = make_preview(dialog._path)
    found = replace(seen, settings=replace(seen.settings, skip_lines=3))
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("preview").job, found)
    assert (field.text(), field.placeholderText()) == ("", "Found: 3")
    assert dialog._settings.wanted().skip_lines == 0
    field.choose(2)
    assert dialog._settings.wanted().skip_lines == 2
    assert field.text() == "2"


def test_enter_loads_wherever_the_keyboard_was(previewed, engine, qtbot, monkeypatch):
    previewed.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.waitUntil(previewed._load.hasFocus, timeout=2000)
    table = previewed._table
    table.setFocus()
    previewed.name_column(1, "years")
    qtbot.waitUntil(lambda: len(engine.of_kind("preview")) == 2, timeout=2000)
    engine.answer(engine.last("preview").job, make_preview(previewed._path))
    qtbot.waitUntil(lambda: previewed._shown_as == previewed.wanted(), timeout=2000)
    with qtbot.waitSignal(previewed.accepted, timeout=2000):
        qtbot.keyClick(table, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("cp1254", "Windows 1254 (Turkish)"),
        ("iso8859-2", "Latin 2 (Central)"),
        ("iso8859-1", "Latin 1"),
        ("utf-16-le", "UTF-16"),
        ("utf-32-be", "UTF-32"),
        ("shift_jis", "SHIFT_JIS"),
    ],
)
def test_an_encoding_is_called_as_the_list_calls_it(dialog, engine, qtbot, session, encoding, said):
    preview = make_preview(dialog._path)
    found = replace(preview, settings=replace(preview.settings, encoding=encoding))
    with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("preview").job, found)
    assert dialog._settings.form.editor("encoding").currentText() == f"Found: {said}"
