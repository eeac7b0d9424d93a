"""The session asks for what the document changed, keeps the newest, and never loses work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.document.commands import DescribeProject, MoveCursor
from core.document.data.model import HELD_ROWS, PARTS, RowUse
from core.document.decisions.commands import EditCell, SetPriors
from core.document.files.project import read_project, save_project
from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from core.questions.lanes import Lane
from gui.session.session import Session
from gui.shell.page_list import PageId
from payoff.errors import PayoffError
from tests.helpers.answers.synthetic import (
    make_decisions,
    make_document,
    make_evaluation,
    make_reading,
)
from tests.helpers.factories.loaded_file import make_summary
from tests.helpers.fake_engine import FakeEngine


@pytest.fixture(scope="module")
def decisions():
    return make_decisions(2000)


@pytest.fixture
def opened(session: Session, engine: FakeEngine, qtbot) -> Session:
    """A session with a loaded file."""
    job = session.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, make_summary())
    qtbot.waitUntil(lambda: bool(engine.of_kind("decide.totals")), timeout=2000)
    return session


@pytest.fixture
def decided(opened: Session, engine: FakeEngine, qtbot, decisions) -> Session:
    """The same with totals."""
    with qtbot.waitSignal(opened.results.decisions_changed, timeout=2000):
        engine.answer(engine.last("decide.totals").job, decisions)
    return opened


# ---------------------------------------------------------------- opening data


def test_opening_data_takes_roles_target_and_a_starting_matrix(opened):
    document = opened.project.document
    assert document.name == "mail"
    assert [model.name for model in document.models] == ["gbm", "logit"]
    assert document.matrix is not None
    assert document.matrix.levels == ("1", "0")
    assert document.matrix.acting == "Act"


def test_without_a_rule_the_cursor_stands_where_there_is_something_to_read(opened):
    assert opened.results.cursor_depth == 0.1  # the totals of the rule are on their way
    opened.project.take_document(replace(opened.project.document, matrix=None))
    assert opened.results.cursor_depth == 0.1


@pytest.mark.parametrize("are_refused", [False, True])
def test_opening_data_asks_for_totals_at_once_and_for_curves_after_them(
    opened, engine, qtbot, decisions, are_refused
):
    totals = engine.last("decide.totals")
    assert totals.lane is Lane.QUICK
    pause = opened.results._evaluate_timer
    qtbot.waitUntil(lambda: not pause.isActive())  # it is over, the totals are not there
    assert engine.of_kind("compare.models") == []
    assert not opened.results.is_settled
    if are_refused:
        engine.fail(totals.job, PayoffError("They cannot be worked out."))
    else:
        engine.answer(totals.job, decisions)
    qtbot.waitUntil(lambda: bool(engine.of_kind("compare.models")))
    assert engine.last("compare.models").lane is Lane.BACKGROUND


def test_curves_wait_for_the_totals_of_the_newest_matrix(opened, engine, qtbot, decisions):
    first = engine.last("decide.totals")
    qtbot.waitUntil(lambda: not opened.results._evaluate_timer.isActive())
    opened.project.execute(EditCell(level="1", decision="Act", value=20.0))
    engine.answer(first.job, decisions)
    qtbot.waitUntil(lambda: engine.last("decide.totals").job != first.job)
    newest = engine.last("decide.totals")
    assert engine.of_kind("compare.models") == []
    engine.answer(newest.job, decisions)
    qtbot.waitUntil(lambda: bool(engine.of_kind("compare.models")))


def test_curves_of_parts_are_asked_for_beside_the_totals(session, engine, qtbot):
    summary = make_summary("/data/scored", HELD_ROWS + 1)
    reader = replace(summary.data.reader, format=PARTS)
    job = session.files.open_data("/data/scored")
    engine.answer(job, replace(summary, data=replace(summary.data, reader=reader)))
    qtbot.waitUntil(lambda: bool(engine.of_kind("compare.models")), timeout=2000)
    assert session.results.decisions is None
    lanes = [engine.last(kind).lane for kind in ("decide.totals", "compare.models")]
    assert lanes == [Lane.LONG, Lane.TRAIN]


def test_failed_load_keeps_what_was_open(opened, engine, qtbot):
    before = opened.project.document
    job = opened.files.open_data("/data/broken.csv")
    with qtbot.waitSignal(opened.project.message_posted, timeout=2000) as reported:
        engine.fail(job, PayoffError("The file is broken.", where="row 7"))
    assert reported.args[0].where == "row 7"
    assert opened.project.document == before
    assert opened.project.summary is not None


def test_a_file_without_an_outcome_leaves_no_numbers_of_the_last_one(decided, engine, qtbot):
    qtbot.waitUntil(lambda: bool(engine.of_kind("compare.models")), timeout=2000)
    with qtbot.waitSignal(decided.results.evaluation_changed, timeout=2000):
        engine.answer(engine.last("compare.models").job, make_evaluation())
    job = decided.files.open_data("/data/other.csv")
    other = make_summary("/data/other.csv")
    plain = tuple(entry for entry in other.roles if entry.model is None)
    with qtbot.waitSignal(decided.results.decisions_changed, timeout=2000):
        engine.answer(job, replace(other, target=None, roles=plain))
    assert decided.results.decisions is None
    assert decided.results.evaluation is None


def test_undo_of_opening_gives_the_empty_project_and_redo_loads_again(opened, engine):
    opened.project.undo()
    assert opened.project.document.data is None
    assert opened.project.summary is None
    opened.project.redo()
    assert opened.project.document.data is not None
    assert len(engine.of_kind("load")) == 2


# ---------------------------------------------------------------- what is computed again


def test_only_what_matters_asks_again(decided, engine):
    count = len(engine.of_kind("decide.totals"))
    decided.project.execute(DescribeProject(name="Another name"))
    decided.project.execute(MoveCursor(depth=0.3))
    assert len(engine.of_kind("decide.totals")) == count
    decided.project.execute(SetPriors(priors=(("1", 0.1), ("0", 0.9))))
    assert len(engine.of_kind("decide.totals")) == count + 1


def test_a_drag_sends_one_request_and_then_the_newest(decided, engine, qtbot, decisions):
    count = len(engine.of_kind("decide.totals"))
    for cents in range(10):
        decided.project.execute(EditCell(level="1", decision="Act", value=20 + cents / 100))
    assert len(engine.of_kind("decide.totals")) == count + 1
    with qtbot.waitSignal(decided.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("decide.totals").job, decisions)
    assert len(engine.of_kind("decide.totals")) == count + 2
    sent = engine.last("decide.totals").arguments.document
    assert sent.matrix.cells[0][0] == pytest.approx(20.09)
    assert decided.project.history.undo_label == "Edit matrix cell"
    decided.project.undo()
    assert decided.project.document.matrix.cells[0][0] == 1.0  # the whole drag is one step


def test_an_answer_to_an_older_question_is_not_shown(decided, engine, qtbot, decisions):
    decided.project.execute(SetPriors(priors=(("1", 0.2), ("0", 0.8))))
    old = engine.last("decide.totals").job
    decided.project.execute(SetPriors(priors=(("1", 0.3), ("0", 0.7))))
    stale = replace(decisions, rule_text="stale")
    with qtbot.waitSignal(decided.jobs.job_ended, timeout=2000):
        engine.answer(old, stale)
    assert decided.results.decisions is not stale


def test_answers_of_jobs_begun_before_a_plugin_changed_are_not_shown(
    decided, engine, qtbot, decisions
):
    qtbot.waitUntil(lambda: bool(engine.of_kind("compare.models")), timeout=2000)
    decided.project.execute(SetPriors(priors=(("1", 0.2), ("0", 0.8))))
    begun = engine.last("decide.totals").job
    compared = engine.last("compare.models").job
    decided.results.evaluate_again()  # the plugin's file is another one now, the document is not
    old = replace(decisions, rule_text="of the old version")
    with qtbot.waitSignal(decided.jobs.job_ended, timeout=2000):
        engine.answer(begun, old)
    assert decided.results.decisions is not old
    with qtbot.waitSignal(decided.jobs.job_ended, timeout=2000):
        engine.answer(compared, make_evaluation(1000))
    assert decided.results.evaluation is None
    assert engine.last("decide.totals").job != begun  # asked again
    new = replace(decisions, rule_text="of the new version")
    with qtbot.waitSignal(decided.results.decisions_changed, timeout=2000):
        engine.answer(engine.last("decide.totals").job, new)
    assert decided.results.decisions is new
    read = engine.last("decide.at_depth").job
    decided.results.evaluate_again()
    reading = make_reading(0.3)
    with qtbot.waitSignal(decided.jobs.job_ended, timeout=2000):
        engine.answer(read, reading)
    assert decided.results.reading is not reading


def test_newer_evaluation_stops_the_older_one(decided, engine, qtbot):
    qtbot.waitUntil(lambda: bool(engine.of_kind("compare.models")), timeout=2000)
    first = engine.last("compare.models").job
    decided.project.execute(SetPriors(priors=(("1", 0.2), ("0", 0.8))))
    qtbot.waitUntil(lambda: len(engine.of_kind("compare.models")) == 2, timeout=2000)
    assert first in engine.cancelled


def test_partial_evaluation_is_shown_and_then_replaced(decided, engine, qtbot):
    qtbot.waitUntil(lambda: bool(engine.of_kind("compare.models")), timeout=2000)
    job = engine.last("compare.models").job
    result = make_evaluation(1000)
    partial = replace(result, resamples=0)
    with qtbot.waitSignal(decided.results.evaluation_changed, timeout=2000):
        engine.progress(job, 0.5, "resampling", partial)
    assert decided.results.evaluation is partial
    with qtbot.waitSignal(decided.results.evaluation_changed, timeout=2000):
        engine.answer(job, result)
    assert decided.results.evaluation is result


def test_failed_totals_take_the_last_ones_away_and_say_why(decided, engine, qtbot, decisions):
    decided.project.execute(SetPriors(priors=(("1", 0.2), ("0", 0.8))))
    with qtbot.waitSignal(decided.project.message_posted, timeout=2000):
        engine.fail(engine.last("decide.totals").job, PayoffError("A prior is missing."))
    assert decided.results.decisions is None
    assert decided.results.refusals["decide"] == "A prior is missing."


def test_keys_name_what_results_depend_on(opened):
    document = opened.project.document
    moved = replace(document, cursor_depth=0.4, name="x")
    assert Totals.key(moved) == Totals.key(document)
    assert CompareModels.key(moved) == CompareModels.key(document)
    other = replace(document, rows_used=RowUse.VALIDATION)
    assert Totals.key(other) != Totals.key(document)
    assert Totals.key(replace(document, matrix=None)) is None
    assert CompareModels.key(replace(document, target=None)) is None


def test_level_of_the_charts_asks_again(decided, engine, qtbot):
    qtbot.waitUntil(lambda: bool(engine.of_kind("compare.models")), timeout=2000)
    decided.results.set_level("0")
    qtbot.waitUntil(lambda: len(engine.of_kind("compare.models")) == 2, timeout=2000)
    assert engine.last("compare.models").arguments.question.level == "0"


# ---------------------------------------------------------------- the cursor


def test_cursor_follows_the_rule_until_it_is_moved(decided):
    chosen = decided.results.chosen_profit()
    assert chosen is not None
    assert decided.results.cursor_depth == chosen.rule_depth


def test_dragging_moves_at_once_and_reads_one_at_a_time(decided, engine, qtbot):
    moved: list[float] = []
    decided.results.cursor_moved.connect(moved.append)
    count = len(engine.of_kind("decide.at_depth"))
    for step in range(1, 6):
        decided.results.move_cursor(step / 100)
    assert moved == [0.01, 0.02, 0.03, 0.04, 0.05]
    assert decided.project.document.cursor_depth is None
    assert len(engine.of_kind("decide.at_depth")) <= count + 1
    first = engine.last("decide.at_depth")
    with qtbot.waitSignal(decided.results.reading_changed, timeout=2000):
        engine.answer(first.job, make_reading(0.01, 2000))
    assert engine.last("decide.at_depth").arguments.question.depth == 0.05


def test_finished_drag_is_one_undo_step(decided):
    for step in range(1, 6):
        decided.results.move_cursor(step / 100)
    decided.results.move_cursor(0.06, finished=True)
    assert decided.project.document.cursor_depth == 0.06
    decided.results.move_cursor(0.5, finished=True)
    decided.project.undo()
    assert decided.results.cursor_depth == 0.06
    decided.results.move_cursor(None)
    assert decided.project.document.cursor_depth is None


def test_cursor_stays_between_none_and_all(decided):
    decided.results.move_cursor(1.7)
    assert decided.results.cursor_depth == 1.0
    decided.results.move_cursor(-1, finished=True)
    assert decided.results.cursor_depth == 0.0


def test_resamples_wait_for_a_pause_and_are_dropped_when_totals_change(
    decided, engine, qtbot, decisions
):
    qtbot.waitUntil(lambda: bool(engine.of_kind("decide.resamples")), timeout=3000)
    assert engine.last("decide.resamples").arguments.question.depth == decided.results.cursor_depth
    dropped: list[object] = []
    decided.results.resamples_changed.connect(dropped.append)
    decided.project.execute(SetPriors(priors=(("1", 0.2), ("0", 0.8))))
    with qtbot.waitSignal(decided.results.decisions_changed, timeout=2000):
        engine.answer(engine.last("decide.totals").job, decisions)
    assert dropped == [None]


def test_pin_is_told_once(session, qtbot):
    heard: list[object] = []
    session.results.pinned_changed.connect(heard.append)
    session.results.set_pinned(0.2)
    session.results.set_pinned(0.2)
    session.results.set_pinned(None)
    assert heard == [0.2, None]


# ---------------------------------------------------------------- refusals and messages


def test_refused_command_changes_nothing_and_is_told(opened, qtbot):
    before = opened.project.document
    with qtbot.waitSignal(opened.project.message_posted, timeout=1000) as reported:
        assert not opened.project.execute(DescribeProject(name="  "))
    assert isinstance(reported.args[0], PayoffError)
    assert opened.project.document == before


def test_unexpected_exception_is_described_not_shown_raw(session, qtbot):
    with qtbot.waitSignal(session.project.message_posted, timeout=1000) as reported:
        session.project.post(ZeroDivisionError("division by zero"))
    assert isinstance(reported.args[0], PayoffError)
    assert "ZeroDivisionError" in reported.args[0].why


# ---------------------------------------------------------------- project files


@pytest.fixture
def data_file(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "mail.csv"
    path.parent.mkdir()
    path.write_text("a,b\n1,2\n")
    return path


def document_with(opened: Session, path: Path | str):
    data = opened.project.document.data
    return replace(opened.project.document, data=replace(data, path=str(path)))


def test_saving_remembers_the_project_with_its_headline(decided, settings, tmp_path, qtbot):
    path = tmp_path / "Spring mailing"
    with qtbot.waitSignal(decided.files.project_changed, timeout=1000):
        assert decided.files.save_project(str(path))
    written = tmp_path / "Spring mailing.payoff"
    assert written.is_file()
    assert not decided.project.history.is_changed
    headline = read_project(written).headline
    assert headline.best_model == decided.results.chosen_profit().model
    assert headline.low < headline.profit < headline.high
    assert headline.curve[0] == pytest.approx(0.0, abs=1e-6)
    assert settings.settings.recent[0].path == str(written)


def test_opening_a_project_restores_the_document_and_loads_its_data(
    opened, engine, qtbot, tmp_path, data_file
):
    path = save_project(
        tmp_path / "p.payoff", document_with(opened, data_file), opened.files.headline()
    )
    opened.project.execute(DescribeProject(name="something else"))
    assert opened.files.open_project(str(path))
    assert opened.project.document.name == "mail"
    assert not opened.project.history.is_changed
    assert engine.last("load").arguments.path == str(data_file)
    with qtbot.waitSignal(opened.project.summary_changed, timeout=2000):
        engine.answer(engine.last("load").job, make_summary())
    assert opened.project.document.split == make_summary().split


def test_moved_data_is_found_beside_the_project(opened, engine, tmp_path, data_file):
    gone = document_with(opened, "/gone/mail.csv")
    path = save_project(data_file.parent / "p.payoff", gone, opened.files.headline())
    assert opened.files.open_project(str(path))
    assert engine.last("load").arguments.path == str(data_file)


def test_missing_data_is_told_and_can_be_found(opened, engine, qtbot, tmp_path, data_file):
    gone = document_with(opened, "/gone/other.csv")
    path = save_project(tmp_path / "p.payoff", gone, opened.files.headline())
    with qtbot.waitSignal(opened.files.data_missing, timeout=1000) as reported:
        opened.files.open_project(str(path))
    assert reported.args == ["/gone/other.csv"]
    opened.files.find_data(str(data_file))
    assert opened.project.document.data.path == str(data_file)
    assert engine.last("load").arguments.path == str(data_file)


def test_changed_data_is_told(opened, engine, qtbot, tmp_path, data_file):
    path = save_project(
        tmp_path / "p.payoff", document_with(opened, data_file), opened.files.headline()
    )
    opened.files.open_project(str(path))
    summary = make_summary()
    changed = replace(summary, data=replace(summary.data, content_hash="other"))
    with qtbot.waitSignal(opened.project.message_posted, timeout=2000) as reported:
        engine.answer(engine.last("load").job, changed)
    assert "has changed" in reported.args[0].what


def test_damaged_project_keeps_what_is_open(opened, qtbot, tmp_path):
    broken = tmp_path / "broken.payoff"
    broken.write_bytes(b"not a zip")
    before = opened.project.document
    with qtbot.waitSignal(opened.project.message_posted, timeout=1000):
        assert not opened.files.open_project(str(broken))
    assert opened.project.document == before


def test_sample_is_opened_without_being_the_project_file(opened, tmp_path, data_file):
    path = save_project(
        tmp_path / "sample.payoff", document_with(opened, data_file), opened.files.headline()
    )
    assert opened.files.open_sample(str(path))
    assert opened.files.project_path is None
    assert opened.project.document.data.path == str(data_file)


def test_split_change_reaches_the_document(opened):
    from core.document.commands import SetSplit

    assert opened.project.execute(SetSplit(split=SplitSpec(shares=(0.0, 0.6, 0.4))))
    assert opened.project.document.split.shares == (0.0, 0.6, 0.4)


def test_an_opened_project_is_shown_where_its_models_say_something(session):
    mailing = make_document()
    kept = tuple(entry for entry in mailing.roles if entry.model is None)
    bare = replace(mailing, matrix=None).with_roles(kept)
    times = replace(mailing, target=TargetSpec(column="days", kind="interval"))
    died = RoleAssignment(column="died", role=Role.EVENT)
    for document, page in (
        (mailing, PageId.DECIDE),
        (bare, PageId.DATA),
        (replace(times, roles=(*times.roles, died)), PageId.COMPARE),
        (Document(), PageId.EXPERIMENTS),
    ):
        session.project.take_document(document)
        assert session.files.first_page is page
