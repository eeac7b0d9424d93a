"""Numbers of questions: what cannot be asked for is refused at every door in the same words."""

import math
from dataclasses import fields, is_dataclass, replace

import pytest

import main
import payoff
from core.document.files.project import Headline, save_project
from core.engine.local import LocalEngine
from core.engine.messages import Ask
from core.engine.options import EngineOptions
from core.questions.asked import in_words
from core.questions.question import Question, question_fields, questions
from payoff.errors import PayoffError
from tests.helpers.factories.questions import EXAMPLES, scored

OF_ITS_WORK = {
    "compare.bounds": {"confidence", "margin"},
    "compare.chances": {"folds"},
    "compare.power": {"difference", "level", "power"},
    "compare.survival": {"horizon"},
    "decide.capacity": {"most_actions", "most_money"},
    "decide.expect_list": {"cases"},
    "decide.goal_seek": {"total"},
    "decide.hold_out": {"share"},
    "decide.rankings": {"bins"},
    "decide.reconcile": {"tolerance"},
    "decide.resamples": {"resamples"},
    "experiments.iterations": {"rows", "trees", "draws", "rate"},
    "explain.find_case": {"row", "rank"},
    "explain.one_case": {"row"},
    "explain.what_if": {"row"},
    "uplift.next_test": {"effect", "power", "treated_share", "confidence"},
    "uplift.slices": {"count"},
    "uplift.variance": {"rows", "repeats", "treated_share"},
}
"""Numbers whose limits follow from the data, or are refused by the work in words of its own."""


def numbers():
    """Key, field and words of every field that is one number."""
    for key, record in questions().items():
        for name, hint, _, words in question_fields(record):
            if hint in (int, float, int | None, float | None):
                yield key, name, words


def is_bounded(words):
    return math.isfinite(words.at_least) or math.isfinite(words.at_most)


BOUNDED = [(key, name, words) for key, name, words in numbers() if is_bounded(words)]


def test_every_number_has_bounds_or_is_looked_at_by_its_work():
    own = {(key, name) for key, names in OF_ITS_WORK.items() for name in names}
    bounded = {(key, name) for key, name, _ in BOUNDED}
    assert not own & bounded
    assert {(key, name) for key, name, _ in numbers()} == own | bounded


def outside(words):
    found = [math.nan]
    found += [words.at_least - 1] if math.isfinite(words.at_least) else []
    return found + ([words.at_most + 0.5] if math.isfinite(words.at_most) else [])


@pytest.mark.parametrize(("key", "name", "words"), BOUNDED)
def test_the_record_refuses_what_is_outside(key, name, words):
    question, _ = EXAMPLES[key]
    for value in outside(words):
        refusal = _bound_refusal(replace(question, **{name: value}))
        assert name in refusal.where
        assert in_words(words.label) in refusal.what
    for value in (words.at_least, words.at_most):
        if math.isfinite(value):
            assert _bound_refusal(replace(question, **{name: value})) is None


def _bound_refusal(question: Question):
    """What the fields of a question are refused for, whatever the project lacks."""
    assert is_dataclass(question)
    known = {name: words for name, _, _, words in question_fields(type(question))}
    found = [
        known[item.name].refusal(getattr(question, item.name), f"{question.facts.key}, {item.name}")
        for item in fields(question)
    ]
    return next((entry for entry in found if entry is not None), None)


def test_every_door_refuses_in_the_same_words(tmp_path, capsys):
    engine = LocalEngine(EngineOptions(safe_mode=True))
    document = scored(engine, tmp_path)
    path = tmp_path / "scored.payoff"
    save_project(path, document, Headline(), engine.workbench.model_store, ())
    project = payoff.open_project(path)
    here = [entry for entry in BOUNDED if questions()[entry[0]].why_not(document) is None]
    assert {"decide.at_depth", "decide.winner_map", "compare.chances"} <= {key for key, *_ in here}
    for key, name, words in here:
        question, reported = EXAMPLES[key]
        value = outside(words)[-1]
        requested = replace(question, **{name: value})
        with pytest.raises(PayoffError) as of_job:
            engine.run(key, Ask.of(document, requested))
        with pytest.raises(PayoffError) as of_script:
            project.ask(requested)
        option = f"--{name.replace('_', '-')}"
        given = (
            [word for word in reported if word != option]
            if option not in reported
            else list(reported)
        )
        if option in reported:
            del given[given.index(option) : given.index(option) + 2]
        assert main.main(["ask", key, "--project", str(path), *given, f"{option}={value:g}"]) == 2
        assert str(of_job.value) == str(of_script.value)
        assert str(of_job.value) in capsys.readouterr().err
