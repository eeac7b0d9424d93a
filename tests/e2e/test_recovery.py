"""Work of a killed window: offered, unsaved once opened, kept until it is saved or thrown away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox

from core.document.files.autosave import Autosave
from core.document.files.project import ProjectFile, read_project
from gui.session.samples import sample_path
from tests.helpers.program import Program


def copies(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "home/state/autosave").glob("*.payoff"))


@pytest.fixture
def program(qapp_args, tmp_path: Path):
    """A window that starts after another one was killed."""
    path = Path(str(sample_path("toy-observational")))
    project = read_project(path)
    data = replace(project.document.data, path=str(path.parent / project.document.data.path))
    lost = replace(project.document, name="lost work", data=data)
    Autosave(tmp_path / "home/state/autosave", session="killed").save(lost, project.headline)
    made = Program(tmp_path, warm_up=True)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def two(qapp_args, tmp_path: Path):
    """A window that starts after two others were killed."""
    path = Path(str(sample_path("toy-observational")))
    project = read_project(path)
    data = replace(project.document.data, path=str(path.parent / project.document.data.path))
    for name in ("first work", "second work"):
        lost = replace(project.document, name=name, data=data)
        Autosave(tmp_path / "home/state/autosave", session=name.split()[0]).save(
            lost, project.headline
        )
    made = Program(tmp_path, warm_up=True)
    try:
        yield made
    finally:
        made.close()


def question() -> QMessageBox | None:
    boxes = (w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox))
    return next((box for box in boxes if box.isVisible()), None)


def test_work_that_was_found_is_unsaved_until_it_is_saved(program: Program, tmp_path: Path) -> None:
    notice, session = program.window.notice, program.session
    program.wait(lambda: "lost work" in notice.text.text())
    assert copies(tmp_path) == ["session-killed-00000001.payoff"]
    notice._action.click()
    assert session.project.document.name == "lost work"
    assert session.project.history.is_changed
    assert program.window.windowTitle() == "lost work[*] – not saved yet – Payoff"
    assert copies(tmp_path) == ["session-killed-00000001.payoff"]  # still the only one
    program.run._save_copy()
    assert len(copies(tmp_path)) == 2
    program.window.close()
    box = question()
    assert box is not None
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert program.window.isVisible()
    program.settle()
    path = tmp_path / "found.payoff"
    assert session.files.save_project(str(path))
    assert copies(tmp_path) == []
    assert not session.project.history.is_changed
    assert read_project(path).document.name == "lost work"
    other = ProjectFile(path)
    assert other.take() is not None
    program.run.finish()
    assert other.take() is None  # the window let go of it
    other.release()


@pytest.mark.soak
def test_a_window_that_is_ended_from_outside_leaves_its_copies(
    program: Program, tmp_path: Path
) -> None:
    program.wait(lambda: "lost work" in program.window.notice.text.text())
    program.window.notice._action.click()
    program.settle()
    program.run._save_copy()
    program.run.finish()  # nobody was asked
    assert len(copies(tmp_path)) == 2
    found = Autosave(tmp_path / "home/state/autosave").recoverable()
    assert {entry.name for entry in found} == {"lost work"}


@pytest.mark.soak
def test_work_that_is_thrown_away_is_gone(program: Program, tmp_path: Path) -> None:
    program.wait(lambda: "lost work" in program.window.notice.text.text())
    program.window.notice._action.click()
    program.settle()
    program.window.close()
    question().button(QMessageBox.StandardButton.Discard).click()
    assert not program.window.isVisible()
    assert copies(tmp_path) == []


def offered(program: Program) -> str:
    """Which of the two works is offered."""
    notice = program.window.notice
    program.wait(lambda: notice.is_open and " work," in notice.text.text())
    return "first work" if "first work" in notice.text.text() else "second work"


def test_all_work_that_was_found_is_offered_one_after_another(two: Program, tmp_path: Path) -> None:
    both = {"first work", "second work"}
    name = offered(two)
    assert "1 more" in two.window.notice.text.text()
    two.session.project.post("something else")  # stands over the offer, and does not take it away
    two.window.notice.dismiss()
    assert offered(two) == name
    two.window.notice._action.click()
    two.settle()
    assert two.session.project.document.name == name
    (other,) = both - {name}
    assert offered(two) == other
    two.window.notice.dismiss()  # put away: offered again at the next start
    two.settle()
    assert not two.window.notice.is_open
    found = ["session-first-00000001.payoff", "session-second-00000001.payoff"]
    assert set(found) <= set(copies(tmp_path))  # by now its clock may have saved one of its own
    two.session.files.throw_away()
    left = Autosave(tmp_path / "home/state/autosave").recoverable()
    assert [entry.name for entry in left] == [other]
