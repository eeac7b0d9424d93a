"""An engine that answers from made-up results, and a session on top of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.document.model import Document
from core.document.plugin_results import PluginsResult
from core.document.results import DecisionResult
from core.engine.messages import Ask, JobOutcome, JobState
from core.questions.lanes import Lane
from gui.pages.decide.widget import DecidePage
from gui.session import JobQueue
from gui.session.session import Session
from payoff.facts import MatrixFacts
from payoff.parameters import Parameter
from payoff.vocabulary import ConsequenceKind, NumberUnit
from tests.answers.synthetic import make_decisions, make_document, make_reading


def money(name: str, words: str, default: float) -> Parameter:
    """An amount that a template asks for."""
    return Parameter(name=name, words=words, default=default, minimum=0.0, unit=NumberUnit.MONEY)


WORDED = MatrixFacts(
    id="direct_mail",
    label="Direct mail",
    help="",
    formula="",
    kind=ConsequenceKind.PROFIT,
    parameters=(
        money("cost", "a letter costs", 1.6),
        money("margin", "a response brings", 25.6),
    ),
    decisions=("Mail", "Do nothing"),
    level_words=("responds", "does not respond"),
    case_word=("customer", "customers"),
    acting="Mail",
    do_nothing="Do nothing",
)
CREDIT = MatrixFacts(
    id="payoff.credit",
    label="Credit",
    help="",
    formula="",
    kind=ConsequenceKind.PROFIT,
    parameters=(
        money("loss", "a default loses", 5000.0),
        money("margin", "a good loan earns", 1000.0),
    ),
    decisions=("Lend", "Refuse"),
    level_words=("defaults", "pays back"),
    case_word=("applicant", "applicants"),
    acting="Lend",
    do_nothing="Refuse",
)
THREE_WAY = replace(CREDIT, id="x.three", label="Three", level_words=("a", "b", "c"))


class StandinEngine:
    """Keeps what it was asked; ``answer`` is called with kind and arguments, in the same thread."""

    def __init__(self, send: Callable[[object], None]) -> None:
        self.send = send
        self.asked: list[tuple[str, object]] = []
        self.answers: dict[str, Callable[[object], object]] = {}
        self.jobs = 0

    def start(self) -> None:
        """Nothing to start."""

    def submit(self, kind: str, arguments: object, lane: Lane = Lane.LONG, title: str = "") -> int:
        self.jobs += 1
        self.asked.append((kind, arguments))
        if kind in self.answers:
            self._answer(kind, arguments)
        return self.jobs

    def _answer(self, kind: str, arguments: object) -> None:
        try:
            result = self.answers[kind](question_of_entry(arguments))
        except Exception as error:
            outcome = JobOutcome(job=self.jobs, state=JobState.FAILED, error=error)
        else:
            outcome = JobOutcome(job=self.jobs, state=JobState.DONE, result=result)
        self.send(outcome)

    def arguments_of(self, kind: str) -> list[object]:
        return [
            question_of_entry(arguments) for requested, arguments in self.asked if requested == kind
        ]

    def cancel(self, job: int) -> None:
        """Nothing runs."""

    def shutdown(self) -> None:
        """Nothing to end."""


def question_of_entry(arguments: object) -> object:
    """What a job asks: its question, or the arguments of a kind that is none."""
    return arguments.question if isinstance(arguments, Ask) else arguments


class Harness:
    """A session with a mailing on it, its page, and the engine behind."""

    def __init__(self, document: Document | None = None) -> None:
        self.engine: StandinEngine | None = None

        def make(send: Callable[[object], None]) -> StandinEngine:
            self.engine = StandinEngine(send)
            return self.engine

        self.queue = JobQueue(make)
        self.queue.start()
        self.session = Session(self.queue)
        self.session.project.take_document(document or make_document())
        self.session.plugins.known = PluginsResult(
            plugins=(), metrics=(), templates=(WORDED, CREDIT, THREE_WAY)
        )
        self.page = DecidePage(self.session)

    @property
    def document(self) -> Document:
        return self.session.project.document

    def show(self, result: DecisionResult | None = None, *, exact: bool = True) -> None:
        """Let a result arrive, and the exact values at the cursor."""
        space = self.session
        space.results.decisions = result or make_decisions()
        space.results.decisions_changed.emit(space.results.decisions)
        if exact:
            space.results.reading = make_reading(space.results.cursor_depth)
            space.results.reading_changed.emit(space.results.reading)

    def move(self, depth: float) -> None:
        """Drag the cursor, and let the exact values arrive."""
        self.session.results.move_cursor(depth)
        self.session.results.reading_changed.emit(make_reading(depth))
