"""Every question through every door: the engine's job, a project in a script, the command line."""

import json
import subprocess
import sys
from dataclasses import replace
from functools import partial
from importlib import import_module

import pytest

import main
import payoff
from core.document.compare.words import metric_value
from core.document.files.codec import to_plain
from core.document.files.project import Headline, save_project
from core.document.model import Document
from core.document.report.commands import PutOnReport
from core.document.scripts.form import text_of
from core.document.scripts.script import QUESTIONS
from core.document.wording import format_money
from core.engine.local import LocalEngine
from core.engine.messages import Ask
from core.engine.options import EngineOptions
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.report.keeping import pack_views, unpack_views
from core.presentation.report.page import ReportEntry, ReportText, entries_html, report_html
from core.questions.catalogue import CompareModels, Totals
from core.questions.needs import TRAINED, TREATMENT
from core.questions.question import question_fields, question_named, questions
from core.questions.stamps import page_stamp
from core.questions.texts import question_from_words
from core.report.html import fresh_views, kept_text
from core.script.asking import answer_as_tables
from payoff import records
from payoff.errors import PayoffError
from tests.helpers.factories.questions import (
    EXAMPLES,
    NEEDS_NOTHING,
    PROJECTS,
    project_of,
    timeless,
    without_time,
)
from tests.helpers.question_views import every_view, labels_of

FIGURES = ("expected_total", "best_total", "roi", "rule_depth", "best_depth", "best_profit")
ESTIMATES = ("total", "average", "best_profit_crossfitted")


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
            save_project(path, document, Headline(), engine.workbench.model_store, ())
            made[name] = document, path
        return made[name]

    return project


def copied(question):
    """The question as a script asks it that was copied as Python."""
    described = text_of(question, QUESTIONS)
    names = {name: getattr(records, name) for name in described.records}
    return eval(described.text, {"payoff": payoff, **names})


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
    assert timeless(project.ask(copied(question))) == timeless(job)
    reported = tmp_path / "answer.json"
    assert (
        main.main(["ask", key, "--project", str(project_file), *words, "--json", str(reported)])
        == 0
    )
    described = json.loads(reported.read_text("utf-8"))["answer"]
    assert without_time(described) == timeless(job)
    assert next(iter(answer_as_tables(job)))[0] == ""


def test_only_what_reads_no_data_needs_nothing():
    for key, record in questions().items():
        assert (key in NEEDS_NOTHING) == ("data" not in record.facts.reads.names), key


@pytest.mark.parametrize("key", sorted(set(EXAMPLES) - NEEDS_NOTHING))
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
    has_model = any(name == "model" for name, *_ in question_fields(type(question)))
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


def test_pairs_are_written_with_an_equals_sign():
    record = question_named("decide.reconcile")
    document = Document()
    for words in (["D=choice", "EP=worth = 2"], ['["D", "choice"]', '["EP", "worth = 2"]']):
        requested = question_from_words(record, {"model": ["m"], "columns": words}, document)
        assert requested.columns == (("D", "choice"), ("EP", "worth = 2"))
    with pytest.raises(PayoffError, match="has no '='"):
        question_from_words(record, {"model": ["m"], "columns": ["choice"]}, document)


def test_the_headless_report_shows_the_answers(projects, tmp_path):
    """Every figure of its record is that of an answer; the page has them as they are written."""
    document, project_file = projects("scored")
    assert main.main(["run", str(project_file), "--report", str(tmp_path)]) == 0
    record = json.loads((tmp_path / "record.json").read_text("utf-8"))
    project = payoff.open_project(project_file)
    decided, judged = project.ask(Totals()), project.ask(CompareModels())
    assert [entry["model"] for entry in record["models"]] == [m.model for m in decided.models]
    for shown, model in zip(record["models"], decided.models, strict=True):
        for name in FIGURES:
            assert shown[name] == to_plain(getattr(model, name)), (model.model, name)
        for name in ESTIMATES:
            assert shown[name].items() <= to_plain(getattr(model, name)).items(), name
    assert len(record["metrics"]) == len(judged.cells) > 0
    for shown, cell in zip(record["metrics"], judged.cells, strict=True):
        assert (shown.pop("metric"), shown.pop("model")) == (cell.metric, cell.model)
        assert shown.items() <= to_plain(cell.estimate).items()
    page = (tmp_path / "report.html").read_text("utf-8")
    for model in decided.models:
        assert format_money(model.total.value, document.currency) in page
    metrics = {info.metric: info for info in judged.metrics}
    for cell in judged.cells:
        assert metric_value(metrics[cell.metric], cell.estimate.value) in page


def test_the_headless_report_refuses_with_the_same_words(projects, tmp_path, capsys):
    document, _ = projects("scored")
    path = tmp_path / "unpriced.payoff"
    unpriced = replace(document, matrix=None)
    save_project(path, unpriced, Headline(), None, ())
    assert main.main(["run", str(path), "--report", str(tmp_path / "report")]) == 2
    assert str(Totals.why_not(unpriced)) in capsys.readouterr().err


def test_payoff_ask_alone_lists_what_can_be_asked_and_why_not(projects, tmp_path):
    document, project_file = projects("carried")
    reported = tmp_path / "list.json"
    assert main.main(["ask", "--project", str(project_file), "--json", str(reported)]) == 0
    lines = json.loads(reported.read_text("utf-8"))["questions"]
    assert {line["question"] for line in lines} == set(questions())
    refused = {line["question"] for line in lines if not line["can_be_asked"]}
    lacking = {TRAINED, TREATMENT}  # its models came with the data, which are no experiment
    assert refused == {key for key, q in questions().items() if lacking & set(q.facts.needs)}
    bare = tmp_path / "bare.payoff"
    save_project(bare, replace(document, matrix=None), Headline(), None, ())
    assert main.main(["ask", "--project", str(bare), "--json", str(reported)]) == 0
    lines = {
        line["question"]: line for line in json.loads(reported.read_text("utf-8"))["questions"]
    }
    assert "No decision matrix is set" in lines["decide.capacity"]["why_not"]
    assert lines["compare.shift"]["can_be_asked"]
    plain = projects("scored")[0]
    assert "carries no decisions" in str(question_named("decide.reconcile").why_not(plain))


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
    described = "import core.questions.{}; from core.questions.question import questions; "
    orders = {
        subprocess.run(
            [sys.executable, "-c", described.format(first) + "print(list(questions()))"],
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


@every_view
def test_an_entry_of_the_report_is_the_same_with_and_without_a_window(key, part, engine, projects):
    """The window shows an answer and keeps its view; a run asks again what was asked then."""
    question, _ = EXAMPLES[key]
    document, _ = projects(project_of(key))
    labels = labels_of(engine, document)
    shown = show(question, engine.ask(document, question), labels, part)
    stamp = page_stamp(question.facts.page, document)
    kept = replace(shown, stamp=stamp, made_at="2026-05-06T07:08:09+00:00")
    entry = ReportEntry(kind=shown.key, title=shown.title, note="Ours.", block=kept)
    window = report_html(ReportText(title="t", subtitle="", entries=(entry,)))
    on_report = PutOnReport(kind=shown.key, note="Ours.").apply(document)
    (back,) = unpack_views(json.loads(json.dumps(pack_views((kept,)))))
    fresh = fresh_views(on_report, (back,), partial(engine.ask, document), labels)
    without = entries_html(kept_text(on_report, fresh)).text
    assert without.startswith("<section><h2>")
    assert without in window


def test_all_cards_of_an_answer_are_asked_for_once(engine, projects):
    document, _ = projects(project_of("uplift.page"))
    kinds = [f"uplift/page {part}" for part in ("validity", "gain", "criteria", "gain nobody")]
    for kind in kinds:
        document = PutOnReport(kind=kind).apply(document)
    requested = []

    def ask(question):
        requested.append(question)
        return engine.ask(document, replace(question, draws=20))

    views = fresh_views(document, (), ask, Labels.of(document))
    assert len(requested) == 1
    assert [view.key for view in views] == kinds[:3]  # there is no ranking of the last name


def test_a_run_answers_what_a_script_put_on_the_report(projects, tmp_path):
    """Nobody has opened a window on this project: no view is kept of the entry."""
    document, _ = projects(project_of("decide.capacity"))
    on_report = PutOnReport(kind="decide/capacity", note="Ours.").apply(document)
    path = tmp_path / "plain.payoff"
    save_project(path, on_report, Headline(), None, ())
    folder = tmp_path / "made"
    assert main.main(["run", str(path), "--report", str(folder)]) == 0
    page = (folder / "report.html").read_text("utf-8")
    section = next(part for part in page.split("<section>") if "What can the best" in part)
    assert "Ours." in section
    assert "<polyline" in section
    assert "the project keeps no figures" not in page
