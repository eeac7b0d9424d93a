"""A question: what a person can ask the project, written down once.

A question is one frozen record. Its fields are what is asked; everything else that the program
must know of it stands in its ``facts``: its title, what it reads of the document, what a project
needs before it can be asked, and by name the function that works the answer out. The engine's job
and its key, the script's ``ask``, the verb ``payoff ask``, their help and their documents are made
from the record. Standard library, ``payoff`` and ``core.document`` only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from importlib import import_module
from itertools import chain
from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform, get_type_hints

from core.document.data.limits import not_in_pieces
from core.document.model import Document
from core.document.views import DocumentView
from core.questions.asked import FieldDescription
from core.questions.lanes import Lane
from core.questions.needs import Need
from payoff.errors import PayoffError, no_such

Answer = TypeVar("Answer")
Made = TypeVar("Made", bound="type[Question[Any]]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that the program knows of a question.

    Attributes
    ----------
    key : str
        "decide.capacity": the page and the question; stays, for files hold it.
    title : str
        Its name on a tab, in the palette and in lists.
    answer : type
        The record that answers it.
    reads : DocumentView
        What of the document the answer depends on.
    work : str
        "module:function" taking ``(inputs, question, watch)``.
    inputs : str
        "module:function" that makes the inputs from ``(document, watch)``; empty: the work is
        given the document itself.
    needs : tuple of Need
        What a project must have, in the order in which it is told.
    view : str
        "module:function" of ``core.presentation`` that shows the answer, ``(answer, labels) ->
        View``; empty: a place of the window shows it its own way.
    lane : Lane
        Who waits for it.
    is_stored : bool
        Whether the answer is kept on disk for the session.
    plugins : tuple of str
        Families of plugins that all take part, whatever the document names: "metrics".
    kernels : int
        About how many kernels it calls where no cache holds any, counted on a plain binary file;
        0: not counted.
    of_parts : str
        "module:function" that answers it of data read in pieces, ``(document, question, watch)``;
        empty: of such data it is refused.
    parts_lane : Lane
        Who waits for it of such data: what reads all rows is long.
    """

    key: str
    title: str
    answer: type
    reads: DocumentView
    work: str
    inputs: str
    needs: tuple[Need, ...]
    view: str
    lane: Lane
    is_stored: bool
    plugins: tuple[str, ...]
    kernels: int
    of_parts: str
    parts_lane: Lane

    def lane_of(self, document: Document) -> Lane:
        """Who waits for its answer to a document."""
        is_in_parts = document.data is not None and document.data.is_in_parts
        return self.parts_lane if is_in_parts else self.lane

    @property
    def page(self) -> str:
        """The page it belongs to."""
        return self.key.partition(".")[0]


class Question(Generic[Answer]):
    """The base of all questions; ``Question["Answer"]`` names the record that answers."""

    __slots__ = ()
    facts: ClassVar[Facts]

    @classmethod
    def why_not(cls, document: Document) -> PayoffError | None:
        """Return why the question cannot be asked of a project, or None where it can."""
        seen = cls.facts.reads.of(document)
        refusals = chain((need(seen) for need in cls.facts.needs), (_beyond(cls.facts, seen),))
        return next((refusal for refusal in refusals if refusal is not None), None)

    def refusal(self, document: Document) -> PayoffError | None:
        """Return why this very question cannot be asked of a project, or None where it can."""
        known = [(words, getattr(self, name), name) for name, words in _words(type(self))]
        met = [words.meets for words, value, _ in known if words.meets is not None and value]
        seen = self.facts.reads.of(document)
        refusals = chain(
            (need(seen) for need in self.facts.needs if need not in met),
            (_beyond(self.facts, seen),),
            (words.refusal(value, f"{self.facts.key}, {name}") for words, value, name in known),
        )
        return next((refusal for refusal in refusals if refusal is not None), None)

    @classmethod
    def key(cls, document: Document) -> Document | None:
        """Return what an answer depends on; None where the question cannot be asked."""
        return None if cls.why_not(document) is not None else cls.facts.reads.of(document)

    def heading(self) -> str:
        """Return its title with what it is about: "Explaining a model, gbm 1"."""
        requested = question_fields(type(self))
        about = [str(getattr(self, name)) for name, _, _, words in requested if words.is_subject]
        return ", ".join([self.facts.title, *about])


def _beyond(facts: Facts, seen: Document) -> PayoffError | None:
    """Return why a question is not asked of data that are read in pieces; None where it is."""
    if facts.of_parts or seen.data is None or not seen.data.is_in_parts:
        return None
    words = f"“{facts.title}”, which looks at all cases at once"
    return not_in_pieces("whole columns", words, seen.data.path)


def given(label: str, *, default: Any = MISSING, **facts: Any) -> Any:
    """Return a field of a question; ``facts`` as ``FieldDescription`` has them."""
    return field(default=default, metadata={"asked": FieldDescription(label=label, **facts)})


def assumed(label: str, *, default: Any, **facts: Any) -> Any:
    """Return a field that is given only where the project itself does not know it."""
    return given(label, default=default, is_assumed=True, **facts)


PAGES = ("data", "models", "compare", "decide", "uplift", "explain", "experiments")
"""Pages that questions belong to, as the rail has them."""
_known: dict[str, type[Question[Any]]] = {}


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(given, assumed, field)
)
def question(
    key: str,
    *,
    title: str,
    reads: DocumentView,
    work: str,
    inputs: str = "",
    needs: tuple[Need, ...] = (),
    view: str = "",
    lane: Lane = Lane.LONG,
    is_stored: bool = False,
    plugins: tuple[str, ...] = (),
    kernels: int = 0,
    of_parts: str = "",
    parts_lane: Lane | None = None,
) -> Callable[[Made], Made]:
    """Make a class a question: a frozen record with its facts, known by its key.

    Raises
    ------
    ValueError
        If the key is taken, or the class does not name its answer.
    """

    def made_of(plain: Made) -> Made:
        if key in _known:
            raise ValueError(f"two questions have the key {key!r}")
        made: Any = dataclass(frozen=True, kw_only=True)(plain)
        made.facts = Facts(
            key=key,
            title=title,
            answer=_answer_of(plain),
            reads=reads,
            work=work,
            inputs=inputs,
            needs=needs,
            view=view,
            lane=lane,
            is_stored=is_stored,
            plugins=plugins,
            kernels=kernels,
            of_parts=of_parts,
            parts_lane=parts_lane or lane,
        )
        _known[key] = made
        return made  # type: ignore[no-any-return]  # the same class, now a record

    return made_of


def _answer_of(record: type) -> type:
    for base in getattr(record, "__orig_bases__", ()):
        for answer in getattr(base, "__args__", ()):
            if isinstance(answer, type):
                return answer
    raise ValueError(f"{record.__name__} does not say what answers it: Question[Answer]")


def first_line(record: type[Question[Any]]) -> str:
    """Return what a question answers, in the one sentence that its record begins with."""
    return (record.__doc__ or "").strip().partition("\n")[0]


def questions() -> Mapping[str, type[Question[Any]]]:
    """Return all questions by key, page by page, in the order in which they are written down."""
    import_module("core.questions.catalogue")
    return dict(sorted(_known.items(), key=lambda entry: PAGES.index(entry[1].facts.page)))


def question_named(key: str) -> type[Question[Any]]:
    """Return the question of a key, or of the last part of one that is no other's.

    Raises
    ------
    PayoffError
        Naming the nearest, if there is none.
    """
    known = questions()
    if key in known:
        return known[key]
    ends = [entry for name, entry in known.items() if name.partition(".")[2] == key]
    if len(ends) == 1:
        return ends[0]
    raise no_such("question", key, known)


def question_fields(
    record: type[Question[Any]],
) -> Iterator[tuple[str, Any, Any, FieldDescription]]:
    """Yield name, type, default (``MISSING`` where it must be given) and words of every field."""
    hints = get_type_hints(record)
    defaults = {item.name: item.default for item in fields(record)}  # type: ignore[arg-type]  # questions are dataclasses
    for name, words in _words(record):
        yield name, hints[name], defaults[name], words


def _words(record: type[Question[Any]]) -> Iterator[tuple[str, FieldDescription]]:
    """Yield name and words of every field."""
    for item in fields(record):  # type: ignore[arg-type]  # every question is a dataclass
        yield (
            item.name,
            item.metadata.get("asked") or FieldDescription(label=item.name.replace("_", " ")),
        )
