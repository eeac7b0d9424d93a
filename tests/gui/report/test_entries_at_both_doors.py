"""Every entry that is made of a project's results: the same bytes from the window and a run."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import main
from core.document.compare.chart_kinds import CHART_KINDS, chart_task
from core.document.decisions.matrix_model import MatrixKind
from core.document.files.project import Headline, save_project
from core.document.model import ChartMode
from core.document.report.commands import COMMITTEE, PutAllOnReport, with_report_charts
from core.presentation.decide.figures import cursor_depth
from core.presentation.report.entries import own_entries
from core.presentation.report.page import report_html
from core.questions.compare import CompareModels
from core.questions.decide import AtDepth, Resamples, Totals
from gui.pages.compare.widget import ComparePage
from gui.pages.decide.widget import DecidePage
from gui.session.results import comparison_key, totals_key
from gui.session.session import Session
from tests.helpers.factories.questions import PROJECTS
from tests.helpers.harness import make_session


@pytest.fixture(scope="module")
def scored(local, tmp_path_factory):
    """Two models' chances and a profit matrix, and the folder where its data lie."""
    folder = tmp_path_factory.mktemp("scored")
    return PROJECTS["scored"](local, folder), folder


def in_window(local, document, jobs):
    """A session that has every result of a document."""
    session = Session(jobs)
    session.project.take_document(document)
    totals = local.ask(document, Totals())
    depth = cursor_depth(document, totals)
    session.results._set_decisions(totals, totals_key(document))
    session.results._set_evaluation(local.ask(document, CompareModels()), comparison_key(document))
    session.results.reading = local.ask(document, AtDepth(depth=depth))
    session.results.resamples = local.ask(document, Resamples(depth=depth))
    session.results.resampled_at = depth
    return session


def as_losses(document):
    matrix = document.matrix
    cells = tuple(tuple(-value for value in row) for row in matrix.cells)
    return replace(document, matrix=replace(matrix, kind=MatrixKind.LOSS, cells=cells))


FORMS = {
    "profit": lambda document: document,
    "loss": as_losses,
    "firm": lambda document: replace(document, chart_mode=ChartMode.FIRM),
    "at a depth": lambda document: replace(document, cursor_depth=0.25),
}


def everything(document):
    """The keys of everything that needs no question of its own, and of charts nobody looks at."""
    task = chart_task(document)
    charts = [entry.kind for entry in CHART_KINDS if task in entry.tasks]
    offered = [kind for kind, _title in own_entries(document)]
    return tuple(dict.fromkeys((*offered, *charts, *COMMITTEE)))


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("form", FORMS)
def test_window_and_run_write_the_same_bytes(form, local, scored, jobs, monkeypatch):
    document, folder = scored
    document = FORMS[form](document)
    kinds = everything(document)
    session = in_window(local, document, jobs)
    session.report.put_all(kinds)
    charted = with_report_charts(session.project.document)
    answer = local.ask(charted, CompareModels())  # charts that the page does not show
    session.report._known.keep(CompareModels(), charted, answer)
    session.report.collect()
    window = report_html(session.report.text())

    on_report = PutAllOnReport(kinds=kinds).apply(document)
    saved = save_project(
        folder / "x.payoff", on_report, Headline(), local.workbench.model_store, ()
    )
    monkeypatch.chdir(folder)
    made = folder / f"made {form}"
    assert main.main(["run", str(saved), "--report", str(made)]) == 0
    run = (made / "report.html").read_text("utf-8")
    sections = re.findall(r"<section>.*?</section>", window, re.DOTALL)
    assert len(sections) == len(kinds)
    missing = [kind for kind, section in zip(kinds, sections, strict=True) if section not in run]
    assert not missing
    unmade = [kind for kind in kinds if session.report.block(kind) is None]
    assert unmade == []
    assert not re.search(r">(nan|None|n/a)<", window)


def test_every_part_of_the_pages_can_be_made_without_them(jobs, show, qtbot):
    session = make_session(jobs=jobs)
    pages = {"compare": show(ComparePage(session)), "decide": show(DecidePage(session))}
    qtbot.waitUntil(lambda: bool(pages["decide"].headline.number.text()), timeout=2000)
    for name, page in pages.items():
        parts = page.report_parts()
        assert len(parts) >= 5, name
        for part in parts:
            assert session.report.can_ask(part.key), part.key
            assert part.answered is None, part.key  # made of the project's results


def test_nothing_of_a_page_is_looked_at(jobs):
    """The report of a project whose pages nobody opened."""
    session = make_session(jobs=jobs)
    kinds = [kind for kind, _title in own_entries(session.project.document)]
    session.report.put_all(kinds)
    assert [view.key for view in session.report.blocks()] == kinds
    assert not session.report.to_update()
