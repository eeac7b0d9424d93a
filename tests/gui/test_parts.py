"""The small widgets: what they read, show and say."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QLocale, QPoint, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QPushButton,
    QTextEdit,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

import gui
from core.document.results import Estimate
from core.presentation.view import AnyTable, Cell, Table, common_scale
from gui.pages.page import PageHeader
from gui.theme import text_font
from gui.widgets import (
    Card,
    Chip,
    ElidedLabel,
    EmptyState,
    EstimateBar,
    HelpButton,
    HelpText,
    MoneyLabel,
    Notice,
    NumberField,
    Popover,
    Segments,
    TextLabel,
    format_entry,
    parse_entry,
)
from gui.widgets.card_column import CardColumn, scrolling
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.fields.text_field import EntryBox
from gui.widgets.labels import whole_parts
from gui.widgets.notice import error_sentences, plain_sentences
from gui.widgets.tab_bar import TabBar
from gui.widgets.tables.copying import CopyingTable
from gui.widgets.tables.figure_table import ROWS_MEASURED, SWATCH, ResultTable
from payoff.errors import PayoffError
from tests.helpers import layout_audit


@given(st.floats(-1e9, 1e9), st.sampled_from([".", ","]))
@settings(deadline=None, max_examples=60)
def test_what_a_field_shows_reads_back(value: float, decimal: str):
    text = format_entry(value, decimals=2, decimal=decimal)
    assert parse_entry(text, decimal=decimal) == pytest.approx(value, abs=0.0051)


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("1.60", ".", 1.6),
        ("1,60", ".", 1.6),
        ("1,60", ",", 1.6),
        ("1.60", ",", 1.6),
        ("1,234.5", ".", 1234.5),
        ("1.234,5", ",", 1234.5),
        ("1,234,567", ".", 1234567.0),
        ("€ 12", ".", 12.0),
        ("5.0 %", ".", 5.0),
        ("\u22123", ".", -3.0),
        ("1 000", ".", 1000.0),
        ("", ".", None),
        ("two", ".", None),
        ("inf", ".", None),
        ("nan", ".", None),
    ],
)
def test_entries_are_read_as_people_type_them(text, decimal, value):
    assert parse_entry(text, decimal=decimal) == value


@pytest.fixture
def field(qtbot) -> NumberField:
    made = NumberField(1.6, minimum=0, maximum=100)
    qtbot.addWidget(made)
    made.show()
    made.setFocus()
    return made


def test_a_number_counts_when_it_is_complete(field, qtbot):
    heard: list[float] = []
    field.value_changed.connect(heard.append)
    field.selectAll()
    with qtbot.waitSignal(field.value_committed, timeout=1000) as committed:
        qtbot.keyClicks(field, "2.45")
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert heard == [2.45]
    assert committed.args == [2.45]
    assert field.text() == "2.45"
    field.selectAll()
    with qtbot.waitSignal(field.value_changed, timeout=2000) as paused:
        qtbot.keyClicks(field, "31.5")
    assert paused.args == [31.5]  # no key for a moment: once, not at each key
    assert heard == [2.45, 31.5]
    assert field.text() == "31.5"


def test_field_marks_what_it_cannot_take_and_goes_back(field, qtbot):
    field.selectAll()
    qtbot.keyClicks(field, "200")
    assert field.property("invalid") == "true"
    assert "0 to 100" in field.toolTip()
    assert field.value() == 1.6
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.property("invalid") == "false"
    assert field.text() == "1.60"


def test_field_shows_the_users_decimal_sign(qtbot):
    QLocale.setDefault(QLocale(QLocale.Language.German))
    made = NumberField(0.05, unit="%", factor=100, decimals=1)
    qtbot.addWidget(made)
    assert made.text() == "5,0\u00a0%"


def test_arrow_keys_step_within_the_range(field, qtbot):
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.value() == pytest.approx(2.6)
    qtbot.keyClick(field, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert field.value() == 0.0


def test_field_that_is_typed_into_is_left_alone(field, qtbot):
    field.selectAll()
    qtbot.keyClicks(field, "7")
    field.set_value(3.0)
    assert field.text() == "7"


def test_common_scale_holds_every_interval():
    estimates = [Estimate(value=0.8, low=0.7, high=0.9), Estimate(value=0.5, low=0.4, high=0.6)]
    low, high = common_scale(estimates)
    assert low < 0.4
    assert high > 0.9
    assert common_scale([Estimate(value=math.nan, low=math.nan, high=math.nan)]) == (0.0, 1.0)


def bar_pixels(bar: EstimateBar) -> list[int]:
    """Columns in which the bar's own colour is drawn at full height."""
    picture = bar.grab().toImage()
    middle = picture.height() // 2
    return [
        x
        for x in range(picture.width())
        if picture.pixelColor(x, middle - 4) != picture.pixelColor(0, 0)
    ]


def test_estimate_bar_puts_the_value_in_its_place(qtbot):
    bar = EstimateBar()
    qtbot.addWidget(bar)
    bar.resize(200, 14)
    bar.set_estimate(Estimate(value=0.25, low=0.2, high=0.3), (0.0, 1.0), 1, "0.25 (0.20 to 0.30)")
    first = bar_pixels(bar)
    bar.set_estimate(Estimate(value=0.75, low=0.7, high=0.8), (0.0, 1.0), 1)
    second = bar_pixels(bar)
    assert sum(first) / len(first) == pytest.approx(50, abs=2)
    assert sum(second) / len(second) == pytest.approx(150, abs=2)


def test_estimate_bar_without_a_value_draws_only_the_track(qtbot):
    bar = EstimateBar()
    qtbot.addWidget(bar)
    bar.resize(200, 14)
    bar.set_estimate(Estimate(value=math.nan, low=math.nan, high=math.nan), (0.0, 1.0))
    assert bar_pixels(bar) == []


def test_money_says_gain_and_loss_by_sign_and_arrow(qtbot):
    label = MoneyLabel()
    qtbot.addWidget(label)
    label.set_amount(1638.2)
    assert label.text() == "▲ +€\u00a01,638"
    label.set_amount(-640, certain=False)
    assert label.text() == "≈ \u2212€\u00a0640"
    label.set_amount(-640)
    assert label.text() == "▼ \u2212€\u00a0640"
    assert label.toolTip() == "-640.00"


def test_long_names_are_shortened_in_the_middle(qtbot):
    label = ElidedLabel("a_very_long_name_of_a_file_that_does_not_fit_anywhere.csv")
    qtbot.addWidget(label)
    label.resize(120, 20)
    label.show()
    assert "…" in label.text()
    assert label.text().startswith("a_")
    assert label.text().endswith("csv")
    assert label.toolTip() == label.full_text()


@pytest.mark.parametrize("width", [260, 700, 1300])
def test_the_sentence_of_an_empty_view_is_shown_whole(qtbot, width):
    view = EmptyState("A model that was trained here can be explained: what it uses, and how.")
    qtbot.addWidget(view)
    view.resize(width, 400)
    view.show()
    label = view.sentence
    assert label.height() >= label.heightForWidth(label.width())


def test_help_opens_a_popover_with_text_and_formula(qtbot):
    content = HelpText(title="AUC", text="How often is a hit rated higher?", formula="P(s1 > s0)")
    button = HelpButton(content)
    qtbot.addWidget(button)
    button.show()
    popover = button.open_popover()
    try:
        assert isinstance(popover, Popover)
        shown = [label.text() for label in popover.findChildren(QLabel)]
        assert shown == ["AUC", "How often is a hit rated higher?", "P(s1 > s0)"]
        assert button.accessibleName() == "What is this? AUC"
    finally:
        popover.close()


def test_notice_says_what_where_why_and_remedy(qtbot):
    notice = Notice()
    qtbot.addWidget(notice)
    notice.show_error(PayoffError("No <b>.", where="row 3", why="Because.", remedy="Do this."))
    assert "No &lt;b&gt;." in notice.text.text()
    assert notice.text.text().endswith("(row 3) Because. Do this.")
    with qtbot.waitSignal(notice.closed, timeout=1000):
        notice.dismiss()
    assert notice.isHidden()


def test_good_news_leaves_by_itself_and_trouble_stays(qtbot):
    notice = Notice()
    qtbot.addWidget(notice)
    with qtbot.waitSignal(notice.closed, timeout=2000):
        notice.show_text("saved", "info", seconds=0.02)
    notice.show_error(PayoffError("Trouble."))
    assert not notice._timer.isActive()
    notice.hide()


def test_offer_of_a_notice_is_the_newest_one(qtbot):
    notice = Notice()
    qtbot.addWidget(notice)
    calls: list[str] = []
    notice.show_text("a")
    notice.offer("Find…", lambda: calls.append("old"))
    notice.offer("Find…", lambda: calls.append("new"))
    notice._action.click()
    assert calls == ["new"]
    notice.hide()


def test_a_message_that_goes_leaves_the_focus_to_nobody(qtbot):
    window = QWidget()
    column = QVBoxLayout(window)
    notice, below = Notice(window), QPushButton("1 done")
    column.addWidget(notice)
    column.addWidget(below)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    notice.show_text("a")
    notice.offer("Open it", notice.dismiss)
    window.activateWindow()
    notice._action.setFocus()
    qtbot.waitUntil(notice._action.hasFocus, timeout=2000)
    notice._action.click()
    assert not below.hasFocus()


def test_unexpected_errors_are_escaped():
    assert "&lt;tag&gt;" in error_sentences(ValueError("<tag>")).text


def test_chip_grows_with_its_word(qtbot):
    short, long = Chip("ok", "ok"), Chip("Quarantined", "error")
    for chip in (short, long):
        qtbot.addWidget(chip)
    assert long.width() > short.width()
    assert long.height() == 20
    assert long.accessibleName() == "Quarantined"


def test_segments_tell_the_choice_of_a_person_only(qtbot):
    segments = Segments([("a", "All"), ("b", "Some"), ("c", "None")], name="Which")
    for button in segments.findChildren(QPushButton):  # bold, where it is on
        words = QFontMetrics(text_font(bold=True)).horizontalAdvance(button.text())
        plain = QFontMetrics(button.font()).horizontalAdvance(button.text())
        ordinary = QPushButton.sizeHint(button).width()
        assert button.minimumSizeHint().width() >= ordinary + max(0, words - plain)
    qtbot.addWidget(segments)
    heard: list[str] = []
    segments.chosen.connect(heard.append)
    segments.choose("b")
    assert segments.choice() == "b"
    segments._buttons["c"].click()
    assert heard == ["c"]


def test_a_shortened_label_is_measured_in_the_weight_that_it_is_shown_in(qtbot):
    label = ElidedLabel("Customers who would be written to by both of the models")
    qtbot.addWidget(label)
    label.resize(label.sizeHint())
    label.show()
    assert label.text() == label.full_text()
    label.set_role("title")  # larger and heavier, in the same room
    qtbot.waitUntil(lambda: label.text() != label.full_text())
    assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()


def test_a_list_that_may_be_typed_into_shows_its_text_whole(qtbot):
    holder = QWidget()
    qtbot.addWidget(holder)
    box = EntryBox(holder)
    box.addItem("gbm 2")
    box.resize(98, 28)
    holder.show()
    assert not layout_audit.cut_texts(holder)


def test_a_list_that_may_be_typed_into_begins_with_its_first_letter(qtbot):
    box = EntryBox()
    qtbot.addWidget(box)
    box.addItem("Risk by model A of last year")
    box.resize(98, 28)
    box.show()
    box.setCurrentText("Risk by model B of this year")
    assert box.field.cursorPosition() == 0


def test_a_text_that_is_selected_as_a_whole_is_seen_from_its_beginning(qtbot):
    box = EntryBox()
    qtbot.addWidget(box)
    box.resize(98, 28)
    box.show()
    box.setCurrentText("Risk by model B of this year")
    box.field.selectAll()
    assert box.field.selectedText() == "Risk by model B of this year"
    assert box.field.cursorPosition() == 0


def test_tabs_have_room_for_their_words_once_in_front_and_stay_where_they_are(qtbot):
    bar = TabBar()
    bar.setExpanding(False)
    qtbot.addWidget(bar)
    words = ("What each decision earns or costs", "Winner map", "Capacity")
    for text in words:
        bar.addTab(text)
    bar.resize(bar.sizeHint())
    bar.show()
    heavy = QFontMetrics(text_font(bold=True))
    places = [bar.tabRect(place) for place in range(bar.count())]
    for place, text in enumerate(words):
        bar.setCurrentIndex(place)
        assert bar.tabRect(place).width() >= heavy.horizontalAdvance(text) + 24
        assert [bar.tabRect(other) for other in range(bar.count())] == places


def test_card_has_title_help_and_controls(qtbot):
    card = Card("Title", "note", help_text=HelpText(title="t", text="x"))
    qtbot.addWidget(card)
    control = QLabel("control")
    card.add_header_widget(control)
    assert card.header is not None
    assert card.header.help_button is not None
    assert control.parent() is card.header


def test_words_are_left_out_before_they_are_cut(qtbot):
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.show()
    text = "validation rows, 10,000 of 20,000, bands 95 %"
    label.set_full_text(text, *whole_parts(text))
    metrics = label.fontMetrics()
    for form in (text, "validation rows, 10,000 of 20,000", "validation rows"):
        label.resize(metrics.horizontalAdvance(form) + 1, 20)
        assert label.text() == form
        assert label.accessibleName() == text
        assert label.toolTip() == ("" if form == text else text)
    label.resize(metrics.horizontalAdvance("validation"), 20)
    assert "…" in label.text()


def test_errors_for_plain_labels_carry_no_markup():
    error = PayoffError("The file 'a&b' is empty.", where="a&b.csv", remedy="Choose <another>.")
    assert plain_sentences(error) == "The file 'a&b' is empty. (a&b.csv) Choose <another>."
    assert plain_sentences(ValueError("<tag>")) == "ValueError: <tag>"


def test_a_column_lets_charts_shrink_before_it_scrolls(qtbot):
    heights = {}
    for gives_way in (False, True):
        column = CardColumn(gives_way=gives_way)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(TextLabel("Words that wrap. " * 20, wraps=True))
        chart = QTextEdit()  # prefers more than its least height, as a chart does
        chart.setMinimumHeight(50)
        layout.addWidget(chart, 1)
        area = scrolling(column)
        qtbot.addWidget(area)
        area.resize(300, 280)
        area.show()
        heights[gives_way] = area.verticalScrollBar().maximum()
    assert heights[False] > 0
    assert heights[True] == 0


class MadeRows(list[tuple[str, ...]]):
    """Rows that are made when they are looked at, and count how often."""

    looks = 0

    def __getitem__(self, place):
        self.looks += 1
        return super().__getitem__(place)


def test_a_table_that_is_resized_while_it_takes_figures_is_fitted_to_them(show):
    table = show(ResultTable("Figures"), 400, 300)
    table.show_content(Table(columns=("Model",), rows=(("gbm",), ("tree",))))
    seen = []
    table.figures.modelReset.connect(lambda: seen.append(len(table.natural_widths())))
    table.show_content(Table(columns=("Model", "AUC", "KS"), rows=(("gbm", "0.81", "0.4"),)))
    assert seen == [3]


@pytest.mark.parametrize("options", [{"wraps": True}, {"scrolls": True}])
def test_heads_of_several_words_take_two_lines_where_one_would_be_cut(show, options) -> None:
    heads = ("Predicted:", "responds", "does not respond", "Right")
    cells = ("does not respond", "94", "18,935", "99.7 %")
    row = tuple(Cell(text=text, is_left=not place) for place, text in enumerate(cells))
    table = show(ResultTable("Predicted classes", **options), 600, 200)
    table.show_content(Table(columns=heads, rows=(row,)))
    low = table.horizontalHeader().height()
    assert not layout_audit.cut_texts(table)
    table.resize(250 if "wraps" in options else 290, 200)
    assert table.horizontalHeader().height() > low
    assert not layout_audit.cut_texts(table)
    assert not layout_audit.cut_cells(table)
    table.resize(600, 200)
    assert table.horizontalHeader().height() == low


def test_a_long_table_is_fitted_by_one_look_at_each_measured_row(show) -> None:
    rows = MadeRows(("a word", *(f"{at:,}" for _column in range(12))) for at in range(5000))
    table = show(ResultTable("Runs", scrolls=True), 400, 300)
    table.show_content(AnyTable(columns=tuple(f"column {at}" for at in range(13)), rows=rows))
    rows.looks = 0
    table.show_content(AnyTable(columns=tuple(f"column {at}" for at in range(13)), rows=rows))
    assert rows.looks <= 2 * ROWS_MEASURED  # with those in view


def test_a_table_shows_whole_rows(qtbot):
    model = QStandardItemModel(8, 1)
    for row in range(8):
        model.setItem(row, 0, QStandardItem("▇" * 40))
    table = CopyingTable()
    qtbot.addWidget(table)
    table.setModel(model)
    table.verticalHeader().setDefaultSectionSize(26)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.show()

    def has_ink(top: int, bottom: int) -> bool:
        seen = table.viewport().grab().toImage()
        base = QColor(table.palette().base().color()).rgb()
        return any(seen.pixel(20, y) != base for y in range(top, bottom))

    for height in (3 * 26, 3 * 26 + 13):
        frame = table.height() - table.viewport().height()
        table.resize(300, height + frame)
        assert table.viewport().height() == height
        assert has_ink(2 * 26, 3 * 26)
    assert not has_ink(3 * 26 + 1, height)
    numbers = table.verticalHeader()
    table.clearSelection()
    shown = numbers.viewport().grab().toImage()
    cut = {shown.pixel(x, y) for x in range(2, 12) for y in range(3 * 26 + 1, height)}
    assert len(cut) == 1  # nor is the number of a row that is left blank
    below = QPoint(20, 3 * 26 + 5)  # what is not painted is not clicked
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=below)
    assert not table.currentIndex().isValid()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 2 * 26 + 5))
    assert table.currentIndex().row() == 2
    table.scrollToBottom()
    assert has_ink(height - 26, height)


# ---------------------------------------------------------------- boxes


def test_what_does_not_fit_into_a_box_ends_in_an_ellipsis_and_is_its_tool_tip(qtbot, monkeypatch):
    shown = []
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItems(["Short", "A letter and a voucher for the second order"])
    box.setToolTip("Arm")
    box.setFixedWidth(140)
    box.show()
    assert box.shown_text() == "Short"
    box.setCurrentIndex(1)
    text = box.shown_text()
    assert text.endswith("…")
    assert box.currentText().startswith(text[:-1])
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _box: shown.append(text))
    QApplication.sendEvent(box, QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), QPoint(5, 5)))
    assert shown == ["A letter and a voucher for the second order\nArm"]


def test_every_box_of_the_window_is_such_a_one():
    """A list to choose from; one that is typed into is an ``EntryBox``."""
    root = Path(gui.__file__).parent
    made = [path for path in root.rglob("*.py") if "QComboBox()" in path.read_text("utf-8")]
    assert made == []
    bases = {c.__name__ for c in QComboBox.__subclasses__() if c.__module__.startswith("gui.")}
    assert bases <= {"ChoiceBox", "EntryBox"}


def test_boxes_of_a_page_s_head_shrink_to_what_is_chosen_before_captions_go(qtbot):
    """The word between two arms stays while the chosen arms are short, whatever else is listed."""
    page = QWidget()
    qtbot.addWidget(page)
    header = PageHeader("Uplift", page)
    captions = []
    for words in ("Treatment", "Arm", "against"):
        box = ChoiceBox()
        box.addItems(["no", "a letter with a voucher of ten per cent"])
        box.setMaximumWidth(170)
        box.setMinimumWidth(60)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        captions.append(header.add_left(box, words))
    header.resize(1000, header.height())
    page.show()
    assert all(caption.width() > 0 for caption in captions)
    header.resize(560, header.height())
    QApplication.processEvents()
    assert all(caption.width() >= caption.sizeHint().width() for caption in captions)
    header.resize(330, header.height())
    QApplication.processEvents()
    assert header.minimumSizeHint().width() < 330
    assert all(caption.maximumWidth() == 0 for caption in captions)


def test_long_names_do_not_count_among_what_figures_need(qtbot):
    needed = []
    for name in ("gbm", "Scorecard of the agency 2026, retrained in the spring"):
        table = ResultTable("All models")
        qtbot.addWidget(table)
        cells = (Cell(text=name, series=0), Cell(text="12,345"))
        table.show_content(Table(columns=("Model", "Profit"), rows=(cells,)))
        needed.append(table.figures_width())
    assert needed[1] - needed[0] < 40


def test_spare_columns_are_left_out_before_words_and_figures_are_cut(show) -> None:
    cells = ("Modell A", "644,999,998", "644,999,998", "0", "644,999,998", "0", "0 to 0", "0")
    heads = ("Model", "Now, €", "Kept, €", "Change", "Made again, €", "Change", "95 %", "Other")
    row = tuple(Cell(text=text, series=None if at else 0) for at, text in enumerate(cells))
    table, metrics = show(ResultTable("Totals", wraps=True), 1000, 200), QFontMetrics(text_font())
    table.show_content(Table(columns=heads, rows=(row,), spare=(3, 6, 7)))
    for width, hidden in ((1000, []), (400, [3, 6, 7]), (1000, [])):
        table.resize(width, 200)
        assert [at for at in range(8) if table.isColumnHidden(at)] == hidden
        assert table.columnWidth(0) >= metrics.horizontalAdvance("Modell") + SWATCH
        assert not layout_audit.cut_cells(table)
