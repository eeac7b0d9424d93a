"""Reports of projects of every older schema: opened, kept, answered again, written.

The files were written by the program of their time: schema 1 to 3 knew no report, 4 kept charts of
page Compare and notes, 5 kept what other pages showed, named by its position on the page, 6 by its
question.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import main
from core.document.files.project import read_project, save_project
from core.document.model import SCHEMA_VERSION
from core.presentation.keeping import entries_by_question, unpack_views
from gui.pages.report.entries import report_text
from gui.pages.report.files import html_bytes
from gui.session.session import Session
from tests.gui.conftest import engine, jobs, qtbot  # noqa: F401  # what a session needs

PROJECTS = Path(__file__).parent / "projects"
OLDER = range(1, 7)
KEPT = {
    4: ("roc", "metrics"),
    5: ("roc", "metrics", "decide/total", "decide/capacity", "decide/swap"),
    6: ("roc", "metrics", "decide/total", "decide/capacity", "decide/swap"),
}


@pytest.fixture
def older(tmp_path):
    """Returns a copy of a project of a schema, with data beside it."""
    draws = np.random.default_rng(7)
    chances = draws.uniform(0.02, 0.6, size=(400, 2)).round(4)
    bought = np.where(draws.uniform(size=400) < chances[:, 0], "yes", "no")
    rows = [f"{b},{p},{q}" for b, (p, q) in zip(bought, chances, strict=True)]
    (tmp_path / "old.csv").write_text("\n".join(["bought,p_gbm,p_logit", *rows]) + "\n", "utf-8")

    def copy(schema: int) -> Path:
        name = f"schema_{schema}.payoff"
        return Path(shutil.copy(PROJECTS / name, tmp_path / name))

    return copy


def test_there_is_a_project_of_every_older_schema_that_kept_reports():
    assert {int(path.stem[-1]) for path in PROJECTS.glob("*.payoff")} == set(OLDER)
    assert max(OLDER) + 1 == SCHEMA_VERSION, "a new schema: keep a project of the last one"


@pytest.mark.parametrize("schema", OLDER)
def test_entries_are_known_by_their_questions(older, schema):
    project = read_project(older(schema))
    document = entries_by_question(project.document)
    assert tuple(item.kind for item in document.report) == KEPT.get(schema, ())
    views = {view.key: view for view in unpack_views(project.report)}
    if schema >= 5:
        assert set(views) == {"decide/total", "decide/capacity", "decide/swap"}
        assert views["decide/total"].figure == "€ 1,234"
        (chart,) = views["decide/capacity"].charts
        assert chart.series[0].y.tolist() == [0.0, 900.0, 700.0]
        assert views["decide/capacity"].notes == ("Of 400 letters.",)
        assert views["decide/swap"].tables[0].texts() == (("both", "120"), ("only gbm", "30"))
        item = next(item for item in document.report if item.kind == "decide/capacity")
        assert (item.caption, item.note) == ("Letters", "As many letters as we can send.")
    else:
        assert not views


@pytest.mark.parametrize("schema", KEPT)
def test_a_run_makes_the_report_of_today(older, schema, tmp_path, monkeypatch):
    path = older(schema)
    monkeypatch.chdir(tmp_path)  # where the data lie
    assert main.main(["run", str(path), "--report", str(tmp_path / "made")]) == 0
    page = (tmp_path / "made" / "report.html").read_text("utf-8")
    assert "the project keeps no figures" not in page
    assert "Kept since then." in page
    if schema >= 5:
        section = next(part for part in page.split("<section>") if "<h2>Letters" in part)
        assert "Of 400 letters." not in section  # asked again, of the data as they are
        assert "As many letters as we can send." in section
        assert "before the data or the settings were changed" in page  # the total of then


@pytest.mark.parametrize("schema", OLDER)
def test_the_window_shows_it_and_keeps_it_in_the_newest_form(older, schema, jobs, tmp_path):  # noqa: F811
    session = Session(jobs)
    refused: list[object] = []
    session.project.message_posted.connect(refused.append)
    assert session.files.open_project(str(older(schema)))
    assert not refused
    text = report_text(session.project.document, session.report)
    shown = [entry.kind for entry in text.entries]
    assert shown == list(KEPT.get(schema, ()))
    assert all(entry.warning for entry in text.entries)  # of an older day, or not made yet
    html = html_bytes(text).decode("utf-8")
    assert ("€ 1,234" in html) is (schema >= 5)
    again = tmp_path / "again.payoff"
    save_project(
        again,
        session.project.document,
        session.files.headline(),
        report=session.report.packed(),
    )
    back = read_project(again)
    assert back.document == session.project.document
    assert unpack_views(back.report) == () if schema < 5 else len(back.report) == 3
