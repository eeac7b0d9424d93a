"""Every dialog, tab and page that asks the engine: closed, gone, refused, of another project.

The places are found by their classes. A new one is covered as soon as it is there; where its
constructor takes what no other place takes, ``_value_of`` has to learn it.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGraphicsView,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)
from shiboken6 import delete, isValid

import gui
from core.document.data.commands import SetRowFilter
from core.document.data.model import ReaderSettings
from core.document.experiments.results import SHRINKAGE
from core.document.model import ModelSpec, Role, RoleAssignment
from core.document.plugin_results import PluginsResult
from core.engine.messages import Ask, owner_of
from core.questions.asked import Unit
from core.questions.explain import Explain
from gui.charts.card import ChartCard
from gui.pages.compare.widget import ComparePage
from gui.pages.decide.studies.study import Study
from gui.pages.page import Page
from gui.session.request import Request
from payoff.errors import PayoffError
from tests.helpers.answers.models import TRAINED, document_with_inputs, summary_of
from tests.helpers.answers.synthetic import make_decisions, make_evaluation, make_reading

TOOLS = ("copy", "export", "table", "help", "expand")
REFUSAL = "This is refused, as every test may be."


# ------------------------------------------------------------ the places


def _classes() -> list[type]:
    """Every class of the window."""
    modules = [import_module(found.name) for found in pkgutil.walk_packages(gui.__path__, "gui.")]
    return [
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    ]


def _source_of(kind: type) -> str:
    own = [entry for entry in kind.__mro__ if entry.__module__.startswith("gui.")]
    return "".join(inspect.getsource(entry) for entry in own)


CLASSES = _classes()
MAKERS = [kind for kind in CLASSES if kind is not Request and "Request(self" in _source_of(kind)]
"""Classes whose objects ask for themselves."""
_NAMES = "|".join(kind.__name__ for kind in MAKERS)


def _places() -> list[type]:
    """Dialogs, tabs and pages that ask, or hold something that does."""
    kinds = [kind for kind in CLASSES if issubclass(kind, (QDialog, Study, Page))]
    last = [kind for kind in kinds if not any(other.__base__ is kind for other in kinds)]
    asks = re.compile(rf"\b(Request\(self|(self\.\w+ = |\()({_NAMES})\()")
    return [kind for kind in last if asks.search(_source_of(kind))]


PLACES = _places()


class Touched:
    """An answer that no place may look at: it is of the right type, and says what is read of it."""

    seen: list[str]

    @classmethod
    def of(cls, kind: type) -> object:
        def read(self: object, name: str) -> object:
            if name.startswith("__"):
                return object.__getattribute__(self, name)  # of what type it is
            cls.seen.append(name)
            raise AttributeError(name)

        return object.__new__(
            type(
                kind.__name__,
                (kind,),
                {"__getattribute__": read, "__repr__": lambda _self: kind.__name__},
            )
        )


@dataclass(frozen=True, eq=False)
class Put:
    """A question that a place has put."""

    request: Request
    job: int
    arguments: object
    answer: type
    part: type


class Harness:
    """A project, a place on it, and what the place has put to the engine."""

    def __init__(self, session, engine, qtbot, monkeypatch, folder: Path) -> None:
        self.session, self.engine, self.qtbot = session, engine, qtbot
        self.file = folder / "second.csv"
        self.file.write_text("customer,extra\n1,2\n", encoding="utf-8")
        self.posted: list[str] = []
        self.made: list[Request] = []
        self.all_put: list[Put] = []
        self.place: QWidget | None = None
        session.project.message_posted.connect(lambda message: self.posted.append(str(message)))
        self._watch(monkeypatch)
        self._choose_files(monkeypatch)
        self._open_project()

    def _watch(self, monkeypatch) -> None:
        begin, submit = Request.__init__, Request._submit

        def made(request, *given, **named) -> None:
            begin(request, *given, **named)
            self.made.append(request)

        def put(request, kind, arguments, requested, *given, **named) -> int:
            job = submit(request, kind, arguments, requested, *given, **named)
            self.all_put.append(Put(request, job, arguments, requested.answer, requested.part))
            return job

        monkeypatch.setattr(Request, "__init__", made)
        monkeypatch.setattr(Request, "_submit", put)

    def _choose_files(self, monkeypatch) -> None:
        """Whoever asks for a file gets one."""

        def named(*_given: object) -> tuple[str, str]:
            return str(self.file), ""

        monkeypatch.setattr(QFileDialog, "getOpenFileName", named)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", named)
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_g: str(self.file.parent))
        monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
        monkeypatch.setattr(QFileDialog, "open", lambda box: box.fileSelected.emit(str(self.file)))

    def _open_project(self) -> None:
        space, document = self.session, document_with_inputs()
        treated = RoleAssignment(column="newsletter", role=Role.TREATMENT)
        risk = replace(TRAINED, name="risk", model_hash="b" * 64, event="respond")
        document = replace(
            document.with_roles((*document.roles, treated)),
            models=(*document.models, ModelSpec(name="risk", series=4, trained=risk)),
        )
        summary = summary_of(document)
        levels = (("0", 20_000), ("1", 20_000))
        columns = tuple(
            replace(column, kind="integer", distinct=2, levels=levels)
            if column.name in ("newsletter", "region")
            else column
            for column in summary.columns
        )
        space.project.take_document(document)
        space.project.summary = replace(summary, columns=columns)
        space.plugins.known = PluginsResult(plugins=(), metrics=(), templates=())
        space.results._set_evaluation(make_evaluation(), None)
        space.results.decisions = make_decisions()
        space.results.reading = make_reading(space.results.cursor_depth)

    # ------------------------------------------------------------ the place

    def _value_of(self, name: str, kind: str) -> object:
        if name in ("path", "study"):
            return {"path": str(self.file), "study": SHRINKAGE}[name]
        known = {
            "Session": self.session,
            "Document": self.session.project.document,
            "ReaderSettings": ReaderSettings(),
            "Unit": Unit.POINTS,
        }
        assert kind in known, f"say in Desk._value_of what {name}: {kind} is"
        return known[kind]

    def open(self, kind: type) -> QWidget:
        """Show a place, without asking anything by hand."""
        taken = inspect.signature(kind).parameters.values()
        needed = [entry for entry in taken if entry.default is entry.empty]
        self.place = kind(*(self._value_of(entry.name, entry.annotation) for entry in needed))
        self.place.resize(1300, 800)
        self.place.show()
        self.qtbot.waitExposed(self.place)
        if isinstance(self.place, Page):
            self.place.on_shown()
        return self.place

    def close(self) -> None:
        """End the place, if it is still there."""
        if self.place is not None and isValid(self.place):
            self.place.close()
            delete(self.place)

    def _is_inside(self, request: Request) -> bool:
        above: QObject | None = request._owner if request.is_there else None
        while above is not None and above is not self.place:
            above = above.parent()
        return above is not None

    def under_way(self) -> list[Put]:
        """What the place has asked and waits for."""
        return [
            put
            for put in self.all_put
            if put.request._requested is not None
            and put.request._requested.job == put.job
            and self._is_inside(put.request)
        ]

    def _is_waiting(self) -> bool:
        """Whether something is about to be asked."""
        return any(made.is_busy for made in self.made if self._is_inside(made))

    def ask(self, kind: type) -> list[Put]:
        """Open a place and have it ask; what it asks by itself, or when its controls are used."""
        place = self.open(kind)
        controls = self._controls(place)
        while not self.under_way():
            if self._is_waiting():
                self.qtbot.waitUntil(lambda: not self._is_waiting() or bool(self.under_way()))
                continue
            control = next(controls, None)
            assert control is not None, f"{kind.__name__} asks nothing, whatever is done in it"
            if isValid(control) and control.isEnabled() and control.isVisible():
                _use(control)
        return self.under_way()

    @staticmethod
    def _controls(place: QWidget):
        """The controls of a place, but for those that end it."""
        for kind in (QPushButton, QLineEdit, QCheckBox, QComboBox):
            for control in place.findChildren(kind):
                above = control.parentWidget() if isValid(control) else None
                if above is not None and not isinstance(above, QDialogButtonBox):
                    yield control

    # ------------------------------------------------------------ the engine

    def _wait_for(self, job: int, send) -> None:
        jobs = self.session.jobs
        with self.qtbot.waitSignal(
            jobs.job_ended, timeout=5000, check_params_cb=lambda outcome: outcome.job == job
        ):
            send()

    def answer(self, put: Put) -> None:
        """An answer, and before it a part of one, that nobody may look at."""
        if put.part is not object:
            self.engine.progress(put.job, 0.5, partial=Touched.of(put.part))
        self._wait_for(put.job, lambda: self.engine.answer(put.job, Touched.of(put.answer)))

    def refuse(self, put: Put) -> None:
        self._wait_for(put.job, lambda: self.engine.fail(put.job, PayoffError(REFUSAL)))

    def shown(self) -> str:
        """Every text of the place, and every message."""
        texts = list(self.posted)
        if self.place is not None and isValid(self.place):
            texts += [label.text() for label in self.place.findChildren(QLabel)]
            texts += [
                item.toPlainText()
                for view in self.place.findChildren(QGraphicsView)
                for item in view.scene().items()
                if hasattr(item, "toPlainText")
            ]
        return " ".join(" ".join(texts).split())


def _use(control: QWidget) -> None:
    """Use a control as a person does."""
    if isinstance(control, (QPushButton, QCheckBox)):
        control.click()
    elif isinstance(control, QLineEdit):
        if not control.text():
            control.setText("age")
            control.textEdited.emit("age")
    elif isinstance(control, QComboBox) and control.count():
        control.setCurrentIndex((control.currentIndex() + 1) % control.count())
        control.activated.emit(control.currentIndex())


@pytest.fixture
def harness(session, engine, qtbot, monkeypatch, tmp_path):
    Touched.seen = []
    made = Harness(session, engine, qtbot, monkeypatch, tmp_path)
    yield made
    made.close()


every_place = pytest.mark.parametrize("kind", PLACES, ids=lambda kind: kind.__name__)
every_dialog = pytest.mark.parametrize(
    "kind", [kind for kind in PLACES if issubclass(kind, QDialog)], ids=lambda kind: kind.__name__
)


# ------------------------------------------------------------ what may never be seen


@every_dialog
@pytest.mark.every_nth(2)
def test_a_closed_dialog_takes_its_questions_back_and_hears_of_none(harness, kind):
    requested = harness.ask(kind)
    harness.place.reject()
    assert {put.job for put in requested} <= set(harness.engine.cancelled)
    assert harness.under_way() == []
    for put in requested:
        harness.answer(put)
    assert (Touched.seen, harness.posted) == ([], [])


@every_place
def test_a_place_that_is_gone_is_told_nothing(harness, kind):
    requested = harness.ask(kind)
    delete(harness.place)
    for number, put in enumerate(requested):
        harness.refuse(put) if number % 2 else harness.answer(put)
    assert Touched.seen == []
    assert REFUSAL not in harness.shown()


@every_place
def test_nothing_about_other_data_is_shown(harness, kind):
    requested = [put for put in harness.ask(kind) if owner_of(put.arguments) is not None]
    space = harness.session
    data = replace(space.project.document.data, content_hash="f" * 64, path="/data/other.csv")
    document = replace(space.project.document, data=data)
    space.project.take_document(document)
    space.project.summary = replace(summary_of(document), data=data)
    space.project.summary_changed.emit(space.project.summary)
    for put in requested:
        harness.answer(put)
    assert Touched.seen == []


def _of_former(harness: Harness, kind: type) -> list[Put]:
    """What a place has asked of a project that has changed in what the question reads."""
    requested = harness.ask(kind)
    before = harness.session.project.document
    assert harness.session.project.execute(SetRowFilter(where="age > 30"))
    now = harness.session.project.document
    former = [put for put in requested if isinstance(put.arguments, Ask)]
    return [
        put
        for put in former
        if put.arguments.question.facts.reads.of(before)
        != put.arguments.question.facts.reads.of(now)
    ]


@every_place
def test_an_answer_about_the_former_project_is_not_shown(harness, kind):
    for put in _of_former(harness, kind):
        harness.answer(put)
    assert Touched.seen == []


@every_place
def test_a_refusal_is_said_and_stays_with_its_question(harness, kind):
    for put in harness.ask(kind):
        harness.refuse(put)
        assert REFUSAL in harness.shown(), f"nothing says why {type(put.arguments).__name__} ended"


@every_place
def test_a_refusal_about_the_former_project_is_not_said(harness, kind):
    for put in _of_former(harness, kind):
        harness.refuse(put)
    assert REFUSAL not in harness.shown()


# ------------------------------------------------------------ charts


def test_no_chart_of_a_place_lacks_a_tool(harness, qtbot):
    """Copied, exported, read as a table, explained and enlarged, wherever it is."""
    seen = set()
    for kind in (*PLACES, ComparePage):
        for card in harness.open(kind).findChildren(ChartCard):
            lacks = [name for name in TOOLS if card._buttons[name].isHidden()]
            assert lacks == [], (kind.__name__, card.accessibleName())
            seen.add(type(card))
        harness.close()
    drawn = {kind for kind in CLASSES if issubclass(kind, ChartCard)}
    assert {kind for kind in drawn if not kind.__subclasses__()} - seen == set()


# ------------------------------------------------------------ that nothing is forgotten


def test_questions_are_asked_of_the_former_project_somewhere(harness):
    """The filter moves what questions read: else the tests above would look at nothing."""
    document = harness.session.project.document
    moved = replace(document, split=replace(document.split, where="age > 30"))
    assert Explain.facts.reads.of(document) != Explain.facts.reads.of(moved)


def test_whatever_asks_for_itself_is_part_of_a_place_that_is_tried(harness, show):
    """A part that no place makes would be tried by nobody."""
    harness.close()
    seen = [type(child) for child in (harness.session, *harness.session.findChildren(QObject))]
    for kind in PLACES:
        place = harness.open(kind)
        seen += [type(child) for child in (place, *place.findChildren(QObject))]
        harness.close()
    tried = {base for kind in seen for base in kind.__mro__}
    left = {kind.__name__ for kind in MAKERS if kind not in tried}
    assert left == {"TableExports"}, "it belongs to the frame, and says where a file was written"
