"""Every question as the window asks it: through its queue, of an engine in a process of its own."""

from dataclasses import replace

import pytest

from core.document.files.project import Headline, read_project, save_project
from core.engine.client import EngineClient
from core.engine.messages import Ask
from core.engine.options import EngineOptions
from core.questions.question import question_named
from gui.session import JobQueue
from tests.helpers.factories.questions import (
    EXAMPLES,
    NEEDS_NOTHING,
    PROJECTS,
    project_of,
    timeless,
)

LIMIT = 300_000  # ms: kernels may have to be compiled


@pytest.fixture(scope="module")
def queue(qapp, tmp_path_factory):
    """One engine for all projects: its start costs more than their questions."""
    store = str(tmp_path_factory.mktemp("store"))
    options = EngineOptions(safe_mode=True, warm_up=False, store_folder=store)
    made = JobQueue(lambda listen: EngineClient(listen, options=options))
    made.start()
    yield made
    made.close()


def ask(queue, qtbot, document, question):
    """What the window is told in the end: the answer, or the refusal."""
    reported = []
    with qtbot.waitSignal(queue.job_ended, timeout=LIMIT):
        queue.submit(
            question.facts.key,
            Ask.of(document, question),
            on_result=reported.append,
            on_error=reported.append,
        )
    return reported[0]


@pytest.mark.parametrize("project", sorted(PROJECTS))
def test_the_window_is_answered_what_a_script_is(project, local, queue, qtbot, tmp_path):
    path = tmp_path / "saved.payoff"
    document = PROJECTS[project](local, tmp_path)
    save_project(path, document, Headline(), local.workbench.model_store, ())
    opened = read_project(path, queue.model_store).document
    different = []
    for key, (question, _) in EXAMPLES.items():
        if project_of(key) == project:
            reported = ask(queue, qtbot, opened, question)
            if not isinstance(reported, question.facts.answer):
                different.append((key, str(reported)))
            elif timeless(reported) != timeless(local.ask(document, question)):
                different.append((key, "another answer"))
    assert different == []


def test_the_window_is_refused_in_the_same_words(queue, qtbot, local, tmp_path):
    document = PROJECTS["scored"](local, tmp_path)
    bare = replace(document, data=None, target=None, models=(), matrix=None, roles=())
    reported = {
        key: str(ask(queue, qtbot, bare, question))
        for key, (question, _) in EXAMPLES.items()
        if key not in NEEDS_NOTHING
    }
    assert reported == {key: str(question_named(key).why_not(bare)) for key in reported}
