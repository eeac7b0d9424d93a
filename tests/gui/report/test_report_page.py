"""Charts, tables and totals of the pages on the report: put, worded, made again, stale, written."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from core.document.commands import MoveCursor
from core.document.decisions.commands import EditCell
from core.document.decisions.matrix_model import MatrixKind
from core.document.files.project import read_project, save_project
from core.document.report.commands import TakeOffReport, WriteOnReport
from core.document.uplift.commands import SetExperiment
from core.presentation.labels import Labels, money_by_depth
from core.presentation.making_views import show
from core.presentation.report.keeping import unpack_views
from core.presentation.report.page import report_html
from core.presentation.view import Table, View
from core.questions.decide import Capacity
from gui.pages.compare.widget import ComparePage
from gui.pages.decide.widget import DecidePage
from gui.pages.explain.widget import ExplainPage
from gui.pages.page import Page
from gui.pages.report.button import ReportButton
from gui.pages.report.files import pdf_bytes
from gui.pages.report.paper import MARGIN, Paper, lay_out
from gui.pages.report.widget import ReportPage
from gui.pages.uplift.widget import UpliftPage
from gui.session.results import totals_key
from gui.session.session import Session
from payoff.errors import PayoffError
from tests.helpers.answers import decide as answers
from tests.helpers.answers.synthetic import make_decisions
from tests.helpers.harness import make_session


@pytest.fixture
def session(jobs) -> Session:
    return make_session(jobs=jobs)


@pytest.fixture
def open_page(show) -> Callable[..., Page]:
    return lambda kind, session, *size: show(kind(session), *size)


@pytest.fixture
def filled(session, open_page, qtbot) -> Session:
    """Compare and Decide are open, and something of each is on the report."""
    open_page(ComparePage, session)
    decide = open_page(DecidePage, session)
    qtbot.waitUntil(lambda: bool(decide.headline.number.text()), timeout=2000)
    for kind in ("metrics", "roc", "decide/total", "decide/profit", "decide/totals"):
        session.report.put(kind)
    return session


def test_every_entry_has_its_block(filled):
    keeper = filled.report
    assert [entry.key for entry in keeper.blocks()] == [
        "metrics",
        "roc",
        "decide/total",
        "decide/profit",
        "decide/totals",
    ]
    (table,) = keeper.block("metrics").tables
    assert table.columns[:2] == ("Model", "AUC ↑")
    assert [row[0] for row in table.rows] == ["gbm 2", "logit", "agency", "No model"]
    assert " to " in table.rows[0][1].split("\n")[1]  # its interval
    total = keeper.block("decide/total")
    assert "€" in total.figure
    assert "best" in total.title
    assert any("Against" in line for line in total.sentences)
    assert keeper.block("roc").charts[0].series[0].low is not None
    assert not any(keeper.is_stale(entry.key) for entry in keeper.blocks())


def test_the_buttons_of_charts_and_pages_tell_what_is_on_it(session, open_page):
    page = open_page(DecidePage, session)
    session.report.collect()
    button = page.chart._buttons["report"]
    button.click()
    assert session.report.is_on("decide/profit")
    assert button.isChecked()
    menu = page.report_button.menu()
    page.report_button.fill(menu)
    ticked = [action.text() for action in menu.actions() if action.isChecked()]
    assert ticked == ["Profit by depth"]
    next(a for a in menu.actions() if a.text() == "The total at the cursor").trigger()
    assert session.report.is_on("decide/total")
    session.project.undo()
    assert not session.report.is_on("decide/total")


def test_other_totals_make_the_entry_again(filled):
    keeper = filled.report
    before = keeper.block("decide/profit")
    filled.results._set_decisions(make_decisions(8_000))
    keeper.collect()
    after = keeper.block("decide/profit")
    assert after.charts[0].series[0].y[500] != before.charts[0].series[0].y[500]
    assert "8,000" in after.subtitle
    filled.project.execute(MoveCursor(depth=0.4))
    assert keeper.is_stale("decide/total")  # until the page shows that depth
    assert not keeper.is_stale("roc")


def test_another_matrix_makes_entries_stale_until_they_are_worked_out(filled, qtbot):
    keeper = filled.report
    document = filled.project.document
    filled.results._decided_key = totals_key(document)
    matrix = document.matrix
    filled.project.execute(
        EditCell(level=matrix.levels[0], decision=matrix.decisions[0], value=99.0, resolved=None)
    )
    keeper.collect()
    assert keeper.is_stale("decide/profit")
    text = keeper.text()
    profit = next(entry for entry in text.entries if entry.kind == "decide/profit")
    assert "before the data or the settings were changed" in profit.warning
    assert profit.warning in report_html(text)
    filled.project.undo()
    assert not keeper.is_stale("decide/profit")


def test_an_entry_put_on_while_the_list_is_shown_is_seen(filled, open_page):
    """The view was not told of rows added below a blocked model: a list of nothing."""
    page = open_page(ReportPage, filled)
    filled.project.undo()
    filled.project.redo()
    rows = page.outline.list
    assert rows.count() == len(filled.project.document.report) > 0
    assert all(rows.visualItemRect(rows.item(row)).height() > 0 for row in range(rows.count()))


def test_a_loss_project_offers_its_loss_by_depth(filled):
    document = filled.project.document
    assert money_by_depth(document) == "Profit by depth"
    lost = replace(document, matrix=replace(document.matrix, kind=MatrixKind.LOSS))
    assert money_by_depth(lost) == "Loss by depth"


def test_the_page_lists_words_and_shows_the_paper(filled, open_page, qtbot):
    page = open_page(ReportPage, filled)
    assert page.stack.currentIndex() == 0
    assert page.outline.kinds() == [item.kind for item in filled.project.document.report]
    page.choose("roc")
    page.words.caption.setText("Told apart?")
    page.words.caption.textEdited.emit("Told apart?")
    page.words.note.setPlainText("Well enough.\nLook at the left.")
    assert filled.project.document.report[1].caption == "Told apart?"
    assert filled.project.document.report[1].note == "Well enough.\nLook at the left."
    page.outline.up.click()
    assert page.outline.kinds()[0] == "roc"
    paper = page.preview.sheets.paper
    assert paper.page_of("roc") == (0, pytest.approx(paper.page_of("roc")[1]))
    filled.project.undo()
    filled.project.undo()
    assert filled.project.document.report[1].caption == ""  # one field typed into is one step
    page.show_report()
    page.outline.take_off.click()
    assert "roc" not in [item.kind for item in filled.project.document.report]


def test_an_empty_report_says_what_to_do(session, open_page, qtbot):
    page = open_page(ReportPage, session)
    assert page.stack.currentIndex() == 1
    assert not page.pdf.isEnabled()
    with qtbot.waitSignal(session.page_requested, timeout=1000) as requested:
        page.empty.button.click()
    assert requested.args == ["compare"]


def test_the_html_page_needs_nothing_else(filled):
    filled.project.execute(WriteOnReport(kind="roc", caption="<b>Told</b> apart", note="A & B"))
    html = report_html(filled.report.text())
    assert "<script" not in html
    assert "://" not in re.sub(r"base64,[A-Za-z0-9+/=]+", "", html)
    assert "default-src &#x27;none&#x27;" in html
    assert "&lt;b&gt;Told&lt;/b&gt; apart" in html
    assert "A &amp; B" in html
    pictures = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(pictures) == 2
    assert ">gbm 2</text>" in pictures[0]  # named at its line; text stays text
    assert "<details>" in html


def test_the_pdf_has_the_pages_of_the_preview_as_text_and_lines(filled):
    text = filled.report.text()
    data = pdf_bytes(text)
    assert data.startswith(b"%PDF-1")
    pages = re.findall(rb"/Type /Page\b(?!s)", data)
    assert len(pages) == lay_out(text).page_count
    assert b"/FontFile2" in data or b"/FontFile3" in data  # text stays text
    assert b"/ToUnicode" in data  # that can be searched and copied
    assert b"/DCTDecode" not in data  # charts are drawn, not photographed


def laid_rows(paper, table):
    """Page, top and bottom of every row that is no head."""
    layout, found = paper.document.documentLayout(), []
    for row in range(table.format().headerRowCount(), table.rows()):
        cells = [table.cellAt(row, column) for column in range(table.columns())]
        rects = [layout.blockBoundingRect(cell.firstCursorPosition().block()) for cell in cells]
        top, bottom = min(r.top() for r in rects), max(r.bottom() for r in rects)
        page = int(top // paper.size.height())
        found.append((page, top - page * paper.size.height(), bottom - page * paper.size.height()))
    return found


def long_paper(filled, lines: int):
    text = filled.report.text()
    entry = text.entries[0]
    (table,) = entry.block.tables
    many = replace(table, rows=table.rows * 40, strong=())
    before = replace(entry, kind="before", note="A line.\n" * lines, title="Before")
    block = replace(entry.block, tables=(many,))
    return lay_out(replace(text, entries=(before, replace(entry, block=block))))


@pytest.mark.every_nth(9)
@pytest.mark.parametrize("lines", [0, 7, 8, 9, 30, 33, 36, 39, 42])
def test_rows_stay_whole_below_their_head_and_titles_with_what_they_name(filled, lines):
    paper = long_paper(filled, lines)
    table = paper.tables()[1]
    assert table.format().headerRowCount() == 1  # it stands again on every page
    rows = laid_rows(paper, table)
    height, room = paper.size.height(), table.cellAt(0, 0)
    head = paper.document.documentLayout().blockBoundingRect(room.firstCursorPosition().block())
    assert len({page for page, _, _ in rows}) > 2
    for (before, _, _), (page, top, bottom) in pairwise(rows):
        assert bottom <= height - MARGIN + 1
        if page != before:
            assert top >= MARGIN + head.height()  # the head has room above it
    title_page, top = paper.page_of("metrics")
    assert (title_page, top < height - MARGIN) == (rows[0][0], True)


@pytest.mark.every_nth(8)
@pytest.mark.parametrize("lines", range(20, 44, 3))
def test_a_low_table_is_not_parted_and_keeps_its_title(filled, lines):
    text = filled.report.text()
    entry = text.entries[0]
    before = replace(entry, kind="before", note="A line.\n" * lines, title="Before")
    table = Table(columns=("a", "b"), rows=tuple((str(n), "x\nsecond") for n in range(8)))
    low = replace(entry, block=View(key="low", title="Low", tables=(table,)), kind="low")
    paper = lay_out(replace(text, entries=(before, low)))
    pages = {page for page, _, _ in laid_rows(paper, paper.tables()[1])}
    assert len(pages) == 1
    assert paper.page_of("low")[0] in pages


def test_every_block_is_laid_out_where_pages_were_begun_before_it(filled):
    text = filled.report.text()
    (total, *_), (chart,) = text.entries, [e for e in text.entries if e.kind == "decide/profit"]
    table = next(entry for entry in text.entries if entry.block.tables)
    for lines in range(0, 60, 6):
        pad = replace(
            total, block=View(title="", sentences=tuple(f"line {n}" for n in range(lines)))
        )
        entries = [pad, *(chart, table) * 3]
        entries = [replace(entry, kind=str(n)) for n, entry in enumerate(entries)]
        paper = lay_out(replace(text, entries=tuple(entries)))
        block = paper.document.begin()
        while block.isValid():
            paper.document.documentLayout().blockBoundingRect(block)
            assert block.layout().lineCount() > 0, (lines, block.text())
            block = block.next()


@pytest.mark.parametrize(("lines", "lower"), [(25, 0), (26, 6), (26, 12), (27, 0)])
def test_what_is_said_below_a_chart_stays_with_it(filled, lines, lower):
    text = filled.report.text()
    total, chart = text.entries[0], next(e for e in text.entries if e.kind == "decide/profit")
    pad = replace(total, block=View(title="", sentences=tuple(f"line {n}" for n in range(lines))))
    size = lay_out(text).size
    size.setHeight(size.height() - lower)
    paper = Paper(replace(text, entries=(replace(pad, kind="pad"), chart)), size)
    layout, height = paper.document.documentLayout(), paper.size.height()
    picture = paper.document.begin()
    while "\ufffc" not in picture.text():
        picture = picture.next()
    note = picture.next().layout()
    last = note.lineAt(note.lineCount() - 1).rect().bottom()  # a block's own end may lag behind
    ends = (
        layout.blockBoundingRect(picture).top(),
        layout.blockBoundingRect(picture.next()).top() + last - 1,
    )
    assert picture.next().text()
    assert len({int(end // height) for end in ends}) == 1


def test_words_of_files_are_words_on_paper(filled):
    filled.project.execute(
        WriteOnReport(kind="roc", caption="<h2>Told</h2>", note="<img src='x'> A & B")
    )
    paper = lay_out(filled.report.text())
    described = paper.document.toPlainText()
    assert "<h2>Told</h2>" in described
    assert "<img src='x'> A & B" in described
    assert len(paper.charts) == 2


def test_a_click_finds_the_entry(filled):
    paper = lay_out(filled.report.text())
    for kind in ("metrics", "roc", "decide/total", "decide/profit", "decide/totals"):
        for span in paper.spans(kind):
            assert paper.kind_at(span.page, (span.top + span.bottom) / 2) == kind
    assert paper.kind_at(0, 1.0) == ""
    assert paper.spans("uplift/curve") == []


def test_a_file_that_cannot_be_written_is_refused_in_words(filled, open_page, tmp_path):
    page = open_page(ReportPage, filled)
    refused = []
    filled.project.message_posted.connect(refused.append)
    page.export(str(tmp_path / "no such folder" / "x.pdf"))
    page.export(str(tmp_path / "x.docx"))
    assert [type(entry) for entry in refused] == [PayoffError, PayoffError]
    assert "could not be written" in str(refused[0])
    assert ".html or .pdf" in str(refused[1])
    page.export(str(tmp_path / "x.html"))
    assert (tmp_path / "x.html").stat().st_size > 10_000


def test_a_saved_report_is_there_before_anything_is_worked_out(filled, tmp_path, jobs):
    path = save_project(
        tmp_path / "x.payoff",
        filled.project.document,
        filled.files.headline(),
        report=filled.report.packed(),
    )
    project = read_project(path)
    other = Session(jobs)
    other.project.take_document(project.document)
    other.report.take(unpack_views(project.report))
    assert other.report.block("roc").title == "How well are the groups told apart?"
    assert not other.report.is_stale("roc")  # the document is the one it was made from
    text = other.report.text()
    assert len(text.entries) == 5


def test_what_can_only_be_kept_is_made_on_its_page(session, open_page):
    """Nobody knows what was asked: an entry of an older project."""
    session.report.put("experiments/losses")
    page = open_page(ReportPage, session)
    wanted: list[str] = []
    session.page_requested.connect(wanted.append)
    assert page.words.state.text() == "Not made yet. It is made on its page."
    assert page.words.renew.text() == "Make it again on Experiments"
    page.words.renew.click()
    assert wanted == ["experiments"]
    assert not page.outline.renew.isVisible()
    text = session.report.text()
    assert "Not made: the project keeps no figures of it" in report_html(text)


def test_the_paper_follows_the_chosen_entry(filled, open_page):
    """Chosen, moved, added, and what is chosen after one was taken off."""
    page = open_page(ReportPage, filled, 900, 420)
    bar, sheets = page.preview.verticalScrollBar(), page.preview.sheets

    def is_in_view(kind: str) -> bool:
        place = sheets.place_of(kind)
        height = page.preview.viewport().height()
        return bar.value() <= place < bar.value() + height

    def find(menu, words):
        for action in menu.actions():
            if action.menu() is not None and (found := find(action.menu(), words)):
                return found
            if action.text() == words:
                return action
        return None

    page.outline.list.setCurrentRow(0)
    for step in (1, 1, 1, 1, -1, -1, -1, -1):
        (page.outline.down if step > 0 else page.outline.up).click()
        assert page.outline.current() == "metrics"
        assert is_in_view("metrics")
    menu = page.add.menu()
    page.fill_menu(menu)
    find(menu, "Capacity").trigger()
    assert page.outline.current() == "decide/capacity"
    assert is_in_view("decide/capacity")
    page.outline.list.setCurrentRow(3)
    page.outline.take_off.click()
    assert page.outline.current() == "decide/totals"
    assert is_in_view("decide/totals")


# ---------------------------------------------------------------- questions, whole pages


@pytest.fixture
def harness(jobs, engine) -> Session:
    """A session over an engine that answers when it is told to."""
    return make_session(jobs=jobs)


def test_a_question_goes_on_the_report_without_its_page(harness, engine, open_page, qtbot):
    page = open_page(ReportPage, harness)
    offered = dict(harness.report.offered("decide"))
    assert offered["decide/capacity"] == "Capacity"
    assert "explain/one_case" not in dict(harness.report.offered("explain"))  # which case?
    harness.report.put("decide/capacity")
    page.show_report()
    assert (page.words.state.text(), page.words.renew.text()) == ("Being made.", "")
    with qtbot.waitSignal(harness.report.changed, timeout=2000):
        engine.answer(engine.last("decide.capacity").job, answers.capacity(Capacity()))
    block = harness.report.block("decide/capacity")
    assert block.charts
    assert not harness.report.is_stale("decide/capacity")
    labels = Labels.of(harness.project.document, harness.results.decisions)
    assert block.sentences == show(Capacity(), answers.capacity(Capacity()), labels).sentences


def test_update_asks_what_was_asked_then(harness, engine, open_page, qtbot):
    requested = Capacity(most_actions=300.0)
    labels = Labels.of(harness.project.document, harness.results.decisions)
    harness.report.take(
        (show(requested, answers.capacity(requested), labels),)
    )  # of no stamp: stale
    harness.report.put("decide/capacity")
    page = open_page(ReportPage, harness)
    page.words.renew.click()
    assert engine.last("decide.capacity").arguments.question == requested
    harness.report.put("decide/capacity", False)
    assert not harness.project.document.report


def test_an_entry_that_is_taken_off_is_no_more_asked_for(harness, engine):
    harness.report.put("decide/capacity")
    job = engine.last("decide.capacity").job
    harness.report.put("decide/capacity", False)
    assert job in engine.cancelled
    assert not harness.report.is_requested("decide/capacity")


def test_everything_on_a_page_is_one_step(session, open_page, qtbot):
    page = open_page(DecidePage, session)
    qtbot.waitUntil(lambda: bool(page.headline.number.text()), timeout=2000)
    described: list[object] = []
    session.project.message_posted.connect(described.append)
    session.report.put("decide/profit")
    session.report.put_page("decide")
    kinds = [item.kind for item in session.project.document.report]
    assert kinds[0] == "decide/profit"
    assert {"decide/total", "decide/decisions", "decide/totals"} <= set(kinds)
    assert described[-1] == f"On the report: {len(kinds) - 1} entries more."
    session.report.put_page("decide")
    assert described[-1] == "Everything on this page is on the report already."
    session.project.undo()
    assert [item.kind for item in session.project.document.report] == ["decide/profit"]
    session.report.put_page("uplift")
    assert described[-1] == "This page shows nothing yet that could stand on the report."


def test_only_what_the_project_can_have_is_offered(session, open_page):
    """Scores that came with the data, and no treatment: nothing of Uplift, no model to explain."""
    uplift, explain = open_page(UpliftPage, session), open_page(ExplainPage, session)
    assert session.report.offered("uplift") == ()
    assert session.report.offered("explain") == ()
    for page in (uplift, explain):
        button = page.findChild(ReportButton)
        button.fill(button.menu())
        offered = [action.text() for action in button.menu().actions() if action.text()]
        assert offered == ["Add everything on this page", "Go to the report"]
    session.project.execute(SetExperiment(treatment="segment", treated="1", control="2"))
    assert "Measuring uplift" in dict(session.report.offered("uplift")).values()


def _signs_of(pdf: bytes) -> set[int]:
    """The signs that the shapes of a PDF say they are."""
    tables = re.findall(rb"beginbfrange(.*?)endbfrange", pdf, re.DOTALL)
    assert tables
    lists = [part for table in tables for part in re.findall(rb"\[(.*?)\]", table)]
    return {int(sign, 16) for part in lists for sign in re.findall(rb"<([0-9A-F]{4})>", part)}


def test_numbers_of_the_pdf_can_be_searched_and_copied(filled):
    """Every shape that is printed says which sign it is; figures of equal width say nothing."""
    signs = _signs_of(pdf_bytes(filled.report.text()))
    assert {ord(sign) for sign in "0123456789.,%"} <= signs
    assert not [hex(sign) for sign in signs if 0xE000 <= sign <= 0xF8FF]  # private to the font


def test_signs_that_follow_their_neighbours_can_be_searched_and_copied(filled):
    """Beside figures and capitals a font may have other shapes of −, =, : and brackets."""
    words = "−€ 45 = 5:50, +3 A-B (1) 3x4 -> 2"
    filled.project.execute(WriteOnReport(kind="decide/total", note=words))
    for item in filled.project.document.report:
        if item.kind != "decide/total":
            filled.project.execute(TakeOffReport(kind=item.kind))
    assert {ord(sign) for sign in words if sign != " "} <= _signs_of(
        pdf_bytes(filled.report.text())
    )


def test_a_page_is_stamped_once_however_often_the_menu_is_filled(filled, monkeypatch):
    from core.questions import stamps

    written: list[object] = []

    def stamp_of(value: object) -> str:
        written.append(value)
        return real(value)

    real = stamps.stamp_of
    monkeypatch.setattr(stamps, "stamp_of", stamp_of)
    filled.project.execute(WriteOnReport(kind="decide/total", note="New words."))
    for _ in range(2):
        for page in ("compare", "decide", "uplift", "explain"):
            assert filled.report.offered(page) is not None
        filled.report.to_update()
    assert 0 < len(written) <= 5
