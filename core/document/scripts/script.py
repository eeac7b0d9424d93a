"""A project as a Python script that, run on the same data, gives the same numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field, replace

from core.document.commands import AddTrainedModel, Command
from core.document.data.model import DataRecipe, ReaderSettings
from core.document.decisions.chance_commands import SetChances
from core.document.model import Document, Role, TrainedModel
from core.document.scripts.form import Text, call_of, text_of
from core.document.scripts.stating import Stated, can_fit_again, can_train_again, commands_of
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.version import __version__

QUESTIONS = "payoff.questions."
"""Where scripts find the records of questions."""

ANSWERS = {"compare": "metrics", "decide": "totals", "uplift": "uplift_areas"}
"""Page -> the method of a project that gives its table."""


@dataclass(frozen=True, slots=True)
class NewProject:
    """What ``payoff.new_project`` is given."""

    path: str
    _: KW_ONLY
    name: str | None = None
    reader: ReaderSettings = field(default_factory=ReaderSettings)
    recipe: DataRecipe = field(default_factory=DataRecipe)
    guess: bool = True


@dataclass(frozen=True, slots=True)
class NewProjectWithoutData:
    """What ``payoff.new_project`` is given of a project that asks nothing of any data."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class TakeModel:
    """What ``Project.take_model`` is given."""

    project: str
    _: KW_ONLY
    model: str


@dataclass(frozen=True, slots=True)
class Script:
    """A script, and in words what of the project it does not say."""

    text: str
    notes: tuple[str, ...] = ()


def script_of(
    document: Document,
    question: object | None = None,
    *,
    page: str = "",
    project: str | None = None,
) -> Script:
    """Write the script that makes a project from its data and asks it.

    Parameters
    ----------
    document : Document
    question : record, optional
        What is asked; left out: what the pages of the project show.
    page : str
        The one page whose answer is asked for, a key of ``ANSWERS``.
    project : str, optional
        The file that the project is saved in, for models that cannot be trained again.

    Raises
    ------
    PayoffError
        If no file holds the data, or a model cannot be trained again and no file holds it.
    """
    stated = commands_of(document)
    opened = _opened(document)
    notes = list(_lacking(stated))
    calls = []
    for command in stated.commands:
        call, note = _statement(command, document, project)
        calls.append(call)
        notes += note
    requested = answers_of(document, page) if question is None else (_requested(question),)
    used = sorted(frozenset().union(*(call.records for call in (opened, *calls, *requested))))
    head = ["import payoff", *([_imported(used)] if used else [])]
    made = [f"project = {opened.text}", *(call.text for call in calls)]
    lines = [_title(document), *_comments(notes), "", *head, "", *made]
    if requested:
        lines += ["", *(f"print({call.text})" for call in requested)]
    return Script("\n".join(lines) + "\n", tuple(notes))


def answers_of(document: Document, page: str = "") -> tuple[Text, ...]:
    """The calls that give the tables of a project's pages, as far as it can answer them."""
    with_probabilities = [
        entry for entry in document.models if not document.is_rank_only(entry.name)
    ]
    can_answer = {
        "compare": document.target is not None and bool(document.models),
        "decide": document.matrix is not None and bool(with_probabilities),
        "uplift": bool(document.uplift.treatment or document.column_of(Role.TREATMENT)),
    }
    requested = [key for key in ANSWERS if can_answer[key] and page in ("", key)]
    return tuple(Text(f"project.{ANSWERS[key]}().to_string()", frozenset()) for key in requested)


def _requested(question: object) -> Text:
    call = text_of(question, QUESTIONS)
    return Text(f"project.ask({call.text})", call.records)


def _title(document: Document) -> str:
    """The first line: a comment, in which a name is written as Python writes a text."""
    return f"# The project {document.name!a}, as a script of Payoff {__version__}"


def _comments(notes: Iterable[str]) -> list[str]:
    return [f"# Note: {note}" for note in notes]


def _imported(names: list[str]) -> str:
    line = f"from payoff.records import {', '.join(names)}"
    if len(line) <= 100:
        return line
    inner = "".join(f"    {name},\n" for name in names)
    return f"from payoff.records import (\n{inner})"


# ---------------------------------------------------------------- statements


def _opened(document: Document) -> Text:
    """The call that begins the project, with its data where it has any."""
    data, name = document.data, document.name
    requested: NewProject | NewProjectWithoutData = NewProjectWithoutData(name)
    if data is not None:
        requested = NewProject(
            data.path, name=name, reader=data.reader, recipe=data.recipe, guess=False
        )
    return call_of(requested, name="payoff.new_project")


def _statement(command: Command, document: Document, project: str | None) -> tuple[Text, list[str]]:
    """A command as a call, and what it cannot repeat."""
    if isinstance(command, AddTrainedModel):
        return _trained(command.model, document, project)
    everything = (
        isinstance(command, SetChances)
        and command.chances is not None
        and not can_fit_again(document, command.chances)
    )
    return call_of(command, everything=everything), []


def _trained(
    trained: TrainedModel, document: Document, project: str | None
) -> tuple[Text, list[str]]:
    """The call that trains a model again, or takes it from the project's file."""
    if not can_train_again(document, trained):
        why = f"It was trained by {trained.program}." if trained.program else ""
        why = why or "It was trained on other data than the project has now."
        if project is None:
            raise PayoffError(
                f"The model '{trained.name}' cannot be trained again by a script.",
                why=why,
                remedy="Save the project first: the script then takes the model from its file.",
            )
        return call_of(TakeModel(project, model=trained.name), name="project.take_model"), []
    again, notes = _as_stopped(trained)
    return call_of(AddTrainedModel(model=again)), notes


def _as_stopped(trained: TrainedModel) -> tuple[TrainedModel, list[str]]:
    """The settings that give the trees there are, where Stop ended the training early."""
    lacks_folds = trained.cv_folds > 1 and not trained.has_folds
    may_end_early = trained.patience > 0 and trained.stopped_rows > 0
    ended = may_end_early and trained.trees - trained.trees_used >= trained.patience
    is_short = trained.trees < trained.n_trees
    if not lacks_folds and (not is_short or ended or trained.has_folds):
        return trained, []
    words = f"{trained.name!a} was stopped by hand after {counted(trained.trees, 'tree')}."
    again = replace(trained, n_trees=trained.trees, cv_folds=0 if lacks_folds else trained.cv_folds)
    return again, [f"the model {words} So many are trained again."]


def _lacking(stated: Stated) -> Iterable[str]:
    for what in stated.lacking:
        yield f"not said by this script: {what!a}"
