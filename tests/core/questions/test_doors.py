"""Every question through every door: the engine's job, a project in a script, the command line."""

import json
import subprocess
import sys
from dataclasses import replace
from importlib import import_module

import pytest

import main
import payoff
from core.document.files.project import Headline, save_project
from core.engine.local import LocalEngine
from core.engine.messages import Ask
from core.engine.options import EngineOptions
from core.questions.question import asked_fields, question_named, questions
from core.questions.texts import question_from_words
from core.script.asking import answer_as_tables, plain_answer
from payoff.errors import PayoffError
from tests.core.questions.examples import EXAMPLES, PROJECTS, project_of


@pytest.fixture(scope="module")
def engine():
    return LocalEngine(EngineOptions(safe_mode=True))


@pytest.fixture(scope="module")
def projects(engine, tmp_path_factory):
    """Document and file of a project by its name, made when it is first asked for."""
    made = {}

    def project(name):
        if name not in made:
            document = PROJECTS[name](engine, tmp_path_factory.mktemp(name))
            path = tmp_path_factory.mktemp("saved") / f"{name}.payoff"
            save_project(path, document, Headline(), engine.workbench.shelf, ())
            made[name] = document, path
        return made[name]

    return project


def timeless(answer):
    """An answer without the time that it took."""
    return without_time(plain_answer(answer))


def without_time(plain):
    if isinstance(plain, dict):
        return {name: without_time(part) for name, part in plain.items() if name != "seconds"}
    return [without_time(part) for part in plain] if isinstance(plain, list) else plain


def test_every_question_has_an_example():
    assert set(EXAMPLES) == set(questions())


@pytest.mark.parametrize("key", sorted(EXAMPLES))
def test_all_doors_give_one_answer(key, engine, projects, tmp_path):
    question, words = EXAMPLES[key]
    document, project_file = projects(project_of(key))
    job = engine.run(key, Ask.of(document, question))
    assert isinstance(job, question.facts.answer)
    project = payoff.open_project(project_file)
    assert timeless(project.ask(question)) == timeless(job)
    told = tmp_path / "answer.json"
    assert main.main(["ask", key, "--project", str(project_file), *words, "--json", str(told)]) == 0
    said = json.loads(told.read_text("utf-8"))["answer"]
    assert without_time(said) == timeless(job)
    assert next(iter(answer_as_tables(job)))[0] == ""


@pytest.mark.parametrize("key", sorted(EXAMPLES))
def test_all_doors_refuse_with_the_same_words(key, engine, projects, tmp_path, capsys):
    question, words = EXAMPLES[key]
    document, _ = projects("scored")
    bare = replace(document, data=None, target=None, models=(), matrix=None, roles=())
    refusal = question.why_not(bare)
    assert refusal is not None
    with pytest.raises(PayoffError) as of_job:
        engine.run(key, Ask.of(bare, question))
    assert str(of_job.value) == str(refusal)
    path = tmp_path / "bare.payoff"
    save_project(path, bare, Headline(), None, ())
    refusal = question.why_not(bare)
    with pytest.raises(PayoffError) as of_script:
        payoff.open_project(path).ask(question)
    assert str(of_script.value) == str(refusal)
    has_model = any(name == "model" for name, *_ in asked_fields(type(question)))
    given = [*words, "--model", "good"] if has_model and "--model" not in words else words
    assert main.main(["ask", key, "--project", str(path), *given]) == 2
    assert str(refusal) in capsys.readouterr().err


@pytest.mark.parametrize("key", sorted(EXAMPLES))
def test_what_a_record_names_is_there(key):
    facts = question_named(key).facts
    for place in filter(None, (facts.work, facts.inputs)):
        module, _, name = place.partition(":")
        assert callable(getattr(import_module(module), name))
    assert (question_named(key).__doc__ or "").strip()
    assert facts.title


def test_payoff_ask_alone_lists_what_can_be_asked_and_why_not(projects, tmp_path):
    document, project_file = projects("scored")
    told = tmp_path / "list.json"
    assert main.main(["ask", "--project", str(project_file), "--json", str(told)]) == 0
    lines = json.loads(told.read_text("utf-8"))["questions"]
    assert {line["question"] for line in lines} == set(questions())
    assert all(line["can_be_asked"] for line in lines)
    bare = tmp_path / "bare.payoff"
    save_project(bare, replace(document, matrix=None), Headline(), None, ())
    assert main.main(["ask", "--project", str(bare), "--json", str(told)]) == 0
    lines = {line["question"]: line for line in json.loads(told.read_text("utf-8"))["questions"]}
    assert "No decision matrix is set" in lines["decide.capacity"]["why_not"]
    assert lines["compare.shift"]["can_be_asked"]


@pytest.mark.parametrize(
    ("key", "words", "said"),
    [
        ("decide.capacity", {"most_action": ["3"]}, "Nearest: most_actions"),
        ("decide.capacity", {"most_actions": ["many"]}, "“many” is not a number"),
        ("decide.hold_out", {}, "Give --share X"),
        ("decide.winner_map", {"x": ["Mail=1..2"]}, "names no number"),
        ("decide.break_even", {"is_kept": ["perhaps"]}, "neither yes nor no"),
    ],
)
def test_words_that_cannot_be_read_are_refused(key, words, said, projects):
    document, _ = projects("scored")
    with pytest.raises(PayoffError) as refused:
        question_from_words(question_named(key), words, document)
    assert said in str(refused.value)


def test_the_order_of_questions_does_not_follow_what_was_imported_first():
    said = "import core.questions.{}; from core.questions.question import questions; "
    orders = {
        subprocess.run(
            [sys.executable, "-c", said.format(first) + "print(list(questions()))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for first in ("uplift", "decide", "compare")
    }
    assert len(orders) == 1


def test_an_unknown_question_names_the_nearest():
    with pytest.raises(PayoffError, match=r"Nearest: decide\.capacity"):
        question_named("decide.capacty")
    assert question_named("capacity") is question_named("decide.capacity")
