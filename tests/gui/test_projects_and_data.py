"""A new file is a new project; one project has one writer; work is asked about before it goes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QDir, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox

from core.document.commands import DescribeProject, SetExperimentSpec, SetOldPriors
from core.document.data.commands import SetRowFilter, SetSharedIds, SetWeightKind
from core.document.data.model import MissingOutcomes, SharedIds
from core.document.decisions.commands import EditCell, SetPriors
from core.document.experiments.spec import ExperimentSpec
from core.document.files.autosave import Autosave, read_copy
from core.document.files.guarded import is_input
from core.document.files.project import ProjectFile, read_project, save_project
from core.document.model import Document, OldPriorKind, OldPriors, Role, RoleAssignment, WeightKind
from core.document.report.commands import PutOnReport
from core.document.uplift.model import UpliftSpec
from core.engine.messages import SaveArguments
from core.settings import documents_folder, program_folder, state_folder
from gui.session.files import Taking
from gui.session.session import Session
from gui.shell.page_list import PageId
from tests.helpers.answers.experiments import make_runs
from tests.helpers.factories.loaded_file import make_preview, make_summary
from tests.helpers.fake_engine import FakeEngine


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Two data files, the project will be beside them."""
    made = {name: tmp_path / f"{name}.csv" for name in ("mail", "next")}
    for path in made.values():
        path.write_text("a,b\n1,2\n", "utf-8")
    return made | {"project": tmp_path / "spring.payoff"}


def load(session: Session, engine: FakeEngine, qtbot, path: Path, **how) -> None:
    job = session.files.open_data(str(path), **how)
    with qtbot.waitSignal(session.page_requested, timeout=5000):
        engine.answer(job, make_summary(str(path)))


@pytest.mark.parametrize(("page", "posted"), [(PageId.DATA, 0), (PageId.DECIDE, 1)])
def test_what_page_data_warns_of_is_no_message_over_it(
    session, engine, qtbot, files, monkeypatch, page, posted
):
    messages: list[object] = []
    session.project.message_posted.connect(messages.append)
    monkeypatch.setattr(session.files, "_page_of_data", lambda _document: page)
    job = session.files.open_data(str(files["mail"]))
    with qtbot.waitSignal(session.page_requested, timeout=5000):
        engine.answer(job, replace(make_summary(str(files["mail"])), warnings=("Check it.",)))
    assert len(messages) == posted


def said(session: Session, qtbot) -> Document:
    """Say everything that can be said about the data, and about the project."""
    document = session.project.document
    uplift = UpliftSpec(treatment="use", drawn_by_lot=True, value=40.0, note="of this campaign")
    spoken = replace(
        document,
        name="Spring",
        case_word=("customer", "customers"),
        uplift=uplift,
        missing_outcomes=MissingOutcomes.LEAVE_OUT,
    )
    session.project.take_document(spoken)
    session.project.summary = make_summary(document.data.path)
    for command in (
        SetRowFilter(where="age > 30"),
        SetSharedIds(shared_ids=SharedIds.LEAVE_OUT),
        SetPriors(priors=(("1", 0.2), ("0", 0.8))),
        EditCell(level="1", decision="Act", value=24.0),
        SetOldPriors(model="gbm", old_priors=OldPriors(kind=OldPriorKind.CORRECTED)),
        PutOnReport(kind="gains"),
    ):
        assert session.project.execute(command)
    return session.project.document


@pytest.fixture
def spoken(window, engine, qtbot, files) -> Session:
    """A saved project about which everything was said."""
    session = window.session
    load(session, engine, qtbot, files["mail"])
    said(session, qtbot)
    assert session.files.save_project(str(files["project"]))
    return session


def question() -> QMessageBox | None:
    boxes = [w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox)]
    return next((box for box in boxes if box.isVisible()), None)


def press(words: str) -> None:
    box = question()
    assert box is not None, "nothing is asked"
    button = next(b for b in box.buttons() if b.text().replace("&", "") == words)
    button.click()


# ---------------------------------------------------------------- open data


def test_opened_data_begin_a_project_like_the_first_one(spoken, engine, qtbot, files):
    before = files["project"].read_bytes()
    load(spoken, engine, qtbot, files["next"])
    opened = spoken.project.document
    assert spoken.files.project_path is None
    assert spoken.project.history.is_changed
    assert spoken.report.blocks() == ()
    fresh = Session(spoken.jobs, spoken.settings)
    load(fresh, engine, qtbot, files["next"])
    assert opened == fresh.project.document  # nothing of the former project in any field
    spoken.project.undo()
    assert spoken.project.document.data is None  # nor by Undo
    spoken.project.undo()
    assert spoken.project.document.data is None
    assert files["project"].read_bytes() == before


def test_a_project_begins_with_the_currency_of_its_file(spoken, engine, qtbot, files):
    job = spoken.files.open_data(str(files["next"]))
    with qtbot.waitSignal(spoken.page_requested, timeout=5000):
        engine.answer(job, replace(make_summary(str(files["next"])), currency="£"))
    assert spoken.project.document.currency == "£"
    load(spoken, engine, qtbot, files["mail"])  # which says none
    assert spoken.project.document.currency == spoken.settings.settings.currency


@pytest.mark.parametrize(
    ("column", "treatment", "page"),
    [
        ("Uplift score", Role.TREATMENT, PageId.UPLIFT),
        ("Uplift score", Role.INPUT, PageId.DATA),
        ("fico", Role.TREATMENT, PageId.DATA),
    ],
)
def test_a_file_of_predicted_effects_opens_on_page_uplift(
    window, engine, qtbot, files, column, treatment, page
):
    made = make_summary(str(files["mail"]))
    roles = (
        *made.roles,
        RoleAssignment(column=column, role=Role.SCORE, model=column),
        RoleAssignment(column="letter", role=treatment),
    )
    job = window.session.files.open_data(str(files["mail"]))
    with qtbot.waitSignal(window.session.page_requested, timeout=5000) as requested:
        engine.answer(job, replace(made, roles=roles))
    assert requested.args == [page]


def test_saving_what_was_opened_asks_for_a_name(spoken, window, engine, qtbot, files):
    before = files["project"].read_bytes()
    load(spoken, engine, qtbot, files["next"])
    from PySide6.QtWidgets import QFileDialog

    window.actions_by_key["save"].trigger()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave
    assert dialog.directory() == QDir(str(files["next"].parent))
    dialog.reject()
    assert files["project"].read_bytes() == before


def test_files_are_proposed_in_folders_of_the_users_own(spoken, window, engine, qtbot, files):
    """Never in the working folder, in the program or among what it keeps."""
    session, own = window.session, str(documents_folder())
    load(session, engine, qtbot, files["next"])
    assert session.folder_to_write == str(files["next"].parent)
    for kept in (program_folder() / "resources" / "samples", state_folder() / "pasted"):
        kept.mkdir(parents=True, exist_ok=True)
        load(session, engine, qtbot, kept / "loans.csv")
        assert session.folder_to_write == own
    session.files.new_project()
    assert (session.folder_to_write, Path(session.folder_to_read).is_dir()) == (own, True)


def ways(window, path: Path):
    """Every way in: what a person does, up to Load."""

    def drop():
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path))])
        action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
        window.dropEvent(
            QDropEvent(QPointF(5, 5), action, mime, button, Qt.KeyboardModifier.NoModifier)
        )

    def paste():
        QApplication.clipboard().setText("a\tb\n1\t2\n")
        window.actions_by_key["paste_data"].trigger()

    return {
        "drop": drop,
        "paste": paste,
        "argument": lambda: window.open_path(str(path)),
        "recent": lambda: window.pages["home"].path_wanted.emit(str(path)),
        "menu": lambda: window.files.import_file(str(path)),
    }


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("way", ["drop", "paste", "argument", "recent", "menu"])
def test_every_way_in_asks_about_unsaved_work(window, spoken, engine, qtbot, files, way):
    from gui.pages.data.reading.import_dialog import ImportDialog

    spoken.project.execute(DescribeProject(name="changed"))
    changed = spoken.project.document
    for answer in ("Cancel", "Discard"):
        ways(window, files["next"])[way]()
        dialog = window.findChild(ImportDialog)
        engine.answer(engine.last("preview").job, make_preview(dialog._path))
        qtbot.waitUntil(dialog._load.isEnabled)
        dialog.accept()
        assert question() is None  # a file that cannot be read costs nothing
        path = engine.last("load").arguments.path
        engine.answer(engine.last("load").job, make_summary(path))
        qtbot.waitUntil(lambda: question() is not None)
        assert spoken.project.document == changed
        question().button(getattr(QMessageBox.StandardButton, answer)).click()
        qtbot.waitUntil(lambda: window.findChild(ImportDialog) is None)
        assert (spoken.project.document == changed) == (answer == "Cancel")
    assert spoken.project.document.data.path == path
    assert spoken.files.project_path is None


def test_work_done_while_a_file_is_loading_is_asked_about(window, spoken, engine, qtbot, files):
    job = spoken.files.open_data(str(files["next"]))
    spoken.project.execute(DescribeProject(name="typed meanwhile"))
    engine.answer(job, make_summary(str(files["next"])))
    qtbot.waitUntil(lambda: question() is not None)
    question().button(QMessageBox.StandardButton.Cancel).click()
    assert spoken.project.document.name == "typed meanwhile"
    assert spoken.files.project_path == str(files["project"])


def test_a_file_that_comes_late_is_not_put_into_another_project(spoken, engine, qtbot, files):
    late = spoken.files.open_data(str(files["next"]), taking=Taking.REPLACE)
    assert spoken.files.open_project(str(files["project"]))
    opened = spoken.project.document
    with qtbot.waitSignal(spoken.jobs.job_ended, timeout=5000):
        engine.answer(late, make_summary(str(files["next"])))
    assert spoken.project.document == opened


def test_a_sample_asks_too(window, spoken, qtbot):
    home = window.pages["home"]
    spoken.project.execute(DescribeProject(name="changed"))
    home._on_sample(next(iter(home.sample_cards)))
    assert question() is not None
    question().button(QMessageBox.StandardButton.Cancel).click()
    assert spoken.project.document.name == "changed"


# ---------------------------------------------------------------- replace the data


def test_replaced_data_keep_what_is_the_projects_and_ask_the_rest(spoken, engine, qtbot, files):
    before = spoken.project.document
    load(spoken, engine, qtbot, files["next"], taking=Taking.REPLACE)
    now = spoken.project.document
    assert spoken.files.project_path == str(files["project"])
    assert now.data.path == str(files["next"])
    assert (now.name, now.case_word) == ("Spring", ("customer", "customers"))
    assert now.matrix == before.matrix
    assert now.priors == before.priors
    assert [(r.column, r.role) for r in now.roles] == [(r.column, r.role) for r in before.roles]
    assert now.model("gbm").old_priors == before.model("gbm").old_priors
    assert [item.kind for item in now.report] == ["gains"]
    assert now.missing_outcomes is MissingOutcomes.ASK
    assert now.uplift == UpliftSpec(missing_outcomes=MissingOutcomes.ASK, value=40.0)
    assert now.split.where == ""
    assert now.shared_ids is SharedIds.REFUSE
    spoken.project.undo()
    assert spoken.project.document == before
    assert engine.last("load").arguments.path == str(files["mail"])


def test_a_replaced_weight_is_asked_about_again_and_another_outcome_starts_anew(
    spoken, engine, qtbot, files
):
    roles = tuple(
        replace(entry, role=Role.WEIGHT) if entry.column == "age" else entry
        for entry in spoken.project.document.roles
    )
    spoken.project.take_document(replace(spoken.project.document, roles=roles))
    spoken.project.execute(SetWeightKind(column="age", kind=WeightKind.SAMPLING))
    load(spoken, engine, qtbot, files["next"], taking=Taking.REPLACE)
    assert spoken.project.document.role_of("age").role is Role.WEIGHT
    assert spoken.project.document.role_of("age").weight_kind is None
    job = spoken.files.open_data(str(files["mail"]), taking=Taking.REPLACE)
    other = make_summary(str(files["mail"]))
    columns = tuple(
        replace(c, levels=(("yes", 5), ("no", 9))) if c.name == "responded" else c
        for c in other.columns
    )
    target = replace(other.target, levels=("yes", "no"))
    with qtbot.waitSignal(spoken.page_requested, timeout=5000):
        engine.answer(job, replace(other, columns=columns, target=target))
    assert spoken.project.document.target.levels == ("yes", "no")
    assert spoken.project.document.matrix.levels == ("yes", "no")
    assert spoken.project.document.priors is None


def test_the_command_says_what_it_keeps(window, spoken, engine, files):
    assert window.actions_by_key["replace_data"].isEnabled()
    dialog = window.files.import_file(str(files["next"]), taking=Taking.REPLACE)
    assert "Replace the data of “Spring”" in dialog.windowTitle()
    assert "decision matrix" in dialog._kept.text()
    assert dialog._kept.isVisible()
    dialog.reject()
    plain = window.files.import_file(str(files["next"]))
    assert not plain._kept.isVisible()
    plain.reject()


# ---------------------------------------------------------------- the title


def test_the_title_names_the_file_and_whether_it_is_saved(window, engine, qtbot, files):
    session = window.session
    assert window.windowTitle() == "Payoff"
    load(session, engine, qtbot, files["mail"])
    name = session.project.document.name
    assert name
    assert window.windowTitle() == f"{name}[*] – not saved yet – Payoff"
    assert window.toolbar.state.full_text() == "not saved yet"
    session.files.save_project(str(files["project"]))
    assert window.windowTitle() == "spring.payoff[*] – saved – Payoff"
    assert window.toolbar.state.full_text() == "spring.payoff, saved just now"
    session.project.execute(DescribeProject(name="Other"))
    assert window.windowTitle() == "spring.payoff[*] – changed since it was saved – Payoff"
    assert window.toolbar.state.full_text() == "spring.payoff, changed since it was saved"
    assert window.isWindowModified()
    load(session, engine, qtbot, files["next"])
    name = session.project.document.name
    assert window.windowTitle() == f"{name}[*] – not saved yet – Payoff"


# ---------------------------------------------------------------- two windows


@pytest.fixture
def other(files):
    """Another program that has the project open."""
    file = ProjectFile(files["project"])
    yield file
    file.release()


def test_a_project_in_use_is_opened_to_be_read_or_as_a_copy(
    window, spoken, other, engine, qtbot, files, tmp_path
):
    spoken.files.close_project()
    spoken.files._file = None
    assert other.take() is None
    window.files.open_path(str(files["project"]))
    assert "is open in another window on this computer" in question().text()
    press("Cancel")
    window.files.open_path(str(files["project"]))
    press("Open read-only")
    assert spoken.files.is_read_only
    assert window.windowTitle() == ("spring.payoff[*] – read-only: it is open elsewhere – Payoff")
    before = files["project"].read_bytes()
    spoken.project.execute(DescribeProject(name="of the second"))
    window.files.save()
    assert "open elsewhere" in window.notice.text.text()
    assert window.notice._action.text() == "Save as…"
    assert files["project"].read_bytes() == before
    other.release()  # the first window is closed: the second may write
    window.files.save()
    assert read_project(files["project"]).document.name == "of the second"
    assert not spoken.files.is_read_only
    spoken.files.close_project()
    spoken.files._file = None
    assert other.take() is None
    window.files.open_path(str(files["project"]))
    press("Open a copy")
    assert spoken.files.project_path is None
    name = spoken.project.document.name
    assert window.windowTitle() == f"{name}[*] – not saved yet – Payoff"


def test_saving_over_what_another_program_saved_is_asked(window, spoken, files):
    theirs = replace(spoken.project.document, name="theirs")
    copy = save_project(files["project"].with_name("copy.payoff"), theirs, spoken.files.headline())
    files["project"].write_bytes(copy.read_bytes())
    spoken.project.execute(DescribeProject(name="mine"))
    window.files.save()
    assert "changed by another program" in question().text()
    press("Cancel")
    assert read_project(files["project"]).document.name == "theirs"
    assert spoken.project.history.is_changed
    window.files.save()
    press("Overwrite")
    assert read_project(files["project"]).document.name == "mine"
    assert read_project(f"{files['project']}.bak").document.name == "theirs"
    assert not spoken.project.history.is_changed


def test_a_read_only_file_offers_another_place(window, spoken, files):
    files["project"].chmod(0o444)
    spoken.project.execute(DescribeProject(name="mine"))
    closed = []
    window.files.save(lambda: closed.append(True))
    assert "read-only" in window.notice.text.text()
    assert window.notice._action.text() == "Save as…"
    assert closed == []
    assert read_project(files["project"]).document.name == "Spring"


def test_a_project_is_free_when_another_is_opened_or_saved_elsewhere(spoken, other, files):
    assert other.take() is not None
    assert spoken.files.save_project(str(files["project"].with_name("two.payoff")))
    assert other.take() is None
    other.release()
    assert spoken.files.open_project(str(files["project"]))
    assert other.take() is not None
    spoken.files.open_sample(str(files["project"]))
    assert other.take() is None


def test_open_files_are_not_written_over_by_exports(spoken, engine, qtbot, files):
    assert is_input(files["mail"])
    load(spoken, engine, qtbot, files["next"])
    assert is_input(files["next"])
    assert not is_input(files["mail"])


# ---------------------------------------------------------------- unsaved work that was found


def test_recovered_work_is_unsaved_until_it_is_saved(window, spoken, files, qtbot):
    project = read_project(files["project"])
    with qtbot.assertNotEmitted(spoken.files.work_settled):
        spoken.files.recover(project)
    assert spoken.project.history.is_changed
    assert spoken.files.project_path is None
    name = spoken.project.document.name
    assert window.windowTitle() == f"{name}[*] – not saved yet – Payoff"
    window.close()
    assert question() is not None
    press("Cancel")
    assert window.isVisible()
    spoken.project.undo()
    assert spoken.project.history.is_changed
    with qtbot.waitSignal(spoken.files.work_settled, timeout=1000):
        spoken.files.save_project(str(files["project"].with_name("mended.payoff")))
    assert not spoken.project.history.is_changed


def test_a_failed_save_is_said_no_more_once_the_project_is_saved(window, spoken, files):
    spoken.project.execute(DescribeProject(name="mine"))
    files["project"].chmod(0o444)
    window.files.save()
    assert "read-only" in window.notice.text.text()
    files["project"].chmod(0o644)
    window.files.save()
    assert not window.notice.is_open


# ---------------------------------------------------------------- what no project file holds yet


def test_an_experiment_without_data_is_a_project(window, tmp_path):
    session = window.session
    assert not window.actions_by_key["save"].isEnabled()
    experiment = ExperimentSpec(systems=4)
    session.project.execute(SetExperimentSpec(experiment=experiment))
    assert window.actions_by_key["save"].isEnabled()
    assert "not saved" in window.windowTitle()
    window.close()
    assert question() is not None
    press("Cancel")
    assert window.isVisible()
    path = tmp_path / "trial.payoff"
    assert session.files.save_project(str(path))
    session.files.new_project()
    assert session.project.document.experiment is None
    window.files.open_path(str(path))
    assert session.project.document.experiment == experiment
    assert window.current_page is PageId.EXPERIMENTS


def test_runs_of_an_experiment_are_asked_about(window, engine, qtbot, tmp_path):
    window.show_page(PageId.EXPERIMENTS)
    presenter = window.pages[PageId.EXPERIMENTS].presenter
    presenter.run()
    window.close()
    assert "its runs are lost" in question().informativeText()
    press("Cancel")
    assert window.isVisible()
    with qtbot.waitSignal(window.session.jobs.job_ended, timeout=2000):
        job = engine.last("experiments.run").job
        engine.answer(job, make_runs(presenter.spec), seconds=7200.0)
    window.close()
    assert "Export on page Experiments keeps them" in question().informativeText()
    press("Cancel")
    presenter.export(str(tmp_path / "trial.experiment.json"))
    window.close()
    assert question() is None
    assert not window.isVisible()


def test_a_question_that_was_worked_on_for_a_minute_is_asked_about(window, spoken, engine, qtbot):
    spoken.report.put("decide/capacity")
    job = engine.last("decide.capacity").job
    with qtbot.waitSignal(spoken.jobs.job_changed, timeout=2000):
        engine.progress(job, 0.1, "")
    spoken.project.history.mark_saved()
    assert spoken.files.losses(is_end=False) == ()
    spoken.jobs.entries[job].started -= 61.0
    window.files.new_project()
    assert "has not ended: what it has found is lost" in question().informativeText()
    press("Leave it")
    assert job in engine.cancelled


def test_a_file_that_is_being_written_is_asked_about_before_the_end(window, spoken, tmp_path):
    path = tmp_path / "decisions.csv"
    document = spoken.project.document
    spoken.files.save_decisions(SaveArguments(document=document, model="gbm", path=str(path)))
    window.close()
    assert "Saving decisions has not ended" in question().informativeText()
    press("Cancel")
    assert window.isVisible()
    window.files.new_project()  # the file is finished all the same
    assert question() is None


@pytest.mark.parametrize("is_changed", [False, True], ids=["as it was", "changed since"])
def test_recovered_work_goes_where_it_belongs(window, spoken, files, tmp_path, is_changed):
    """To the file of its project; what others wrote there meanwhile is asked about."""
    spoken.files.save_project(str(files["project"]))
    spoken.project.execute(DescribeProject(name="Lost"))
    copy = Autosave(tmp_path / "autosave", session="killed").save(
        spoken.project.document, spoken.files.headline(), origin=spoken.files.origin
    )
    spoken.files.new_project()
    if is_changed:
        save_project(files["project"], Document(name="theirs"), spoken.files.headline())
    spoken.files.recover(read_copy(str(copy)))
    assert window.windowTitle() == "spring.payoff[*] – changed since it was saved – Payoff"
    window.actions_by_key["save"].trigger()
    if is_changed:
        assert question() is not None
        assert read_project(files["project"]).document.name == "theirs"
        press("Overwrite")
    assert read_project(files["project"]).document.name == "Lost"
    assert not spoken.project.history.is_changed
