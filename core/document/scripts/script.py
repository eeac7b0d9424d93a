"""A project as a Python script that, run on the same data, gives the same numbers.

The shortest commands that lead from the bare data to a document.

A project file holds the document and not the way to it; that way is mostly detours, and what counts
is what the project says now. So the commands are read off the document. Each is tried on the
document that those before it lead to, and left out where it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from typing import TypeVar

from core.document import commands as experiments
from core.document.commands import (
    AddTrainedModel,
    Command,
    DescribeProject,
    MoveCursor,
    OpenData,
    SetChartMode,
    SetOldPriors,
    SetReferenceModel,
    SetRole,
    SetRoles,
    SetRowsUsed,
    SetSplit,
    SetTarget,
)
from core.document.compare.commands import ChooseModel, SetCharts, SetConvention, SetMetrics
from core.document.data.commands import SetMissingOutcomes, SetSharedIds
from core.document.data.model import DataRecipe, DataRef, MissingOutcomes, ReaderSettings
from core.document.decisions.commands import SetMatrix, SetPriors
from core.document.decisions.matrix_model import MatrixSpec
from core.document.decisions.model_commands import SetBasis, SetCalibration, SetTrees
from core.document.decisions.numbers import AddScenario, SetPriorRange
from core.document.model import (
    CalibrationSpec,
    Document,
    ModelSpec,
    Role,
    RoleAssignment,
    SplitSpec,
    TrainedModel,
)
from core.document.report.commands import PutOnReport, WriteOnReport
from core.document.scripts.form import Text, call_of, text_of
from core.document.uplift.commands import (
    AddUpliftModel,
    FollowMatrix,
    SetDrawnByLot,
    SetExperiment,
    SetMissingUpliftOutcomes,
    SetMostCases,
    SetNu,
    SetPropensity,
    SetTrueEffect,
    SetUpliftMetrics,
    SetUpliftOutcome,
    SetUpliftPrice,
)
from core.document.uplift.model import UpliftSpec
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.version import __version__

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stated:
    """What leads to a document: commands after the data are opened, and what they do not say."""

    commands: tuple[Command, ...]
    lacking: tuple[str, ...]


def bare_data(data: DataRef, name: str | None) -> OpenData:
    """Open data of which nothing is said: every column is ignored until it has a role."""
    return OpenData(
        data=data,
        roles=tuple(RoleAssignment(column=name, role=Role.IGNORED) for name in data.columns),
        target=None,
        split=SplitSpec(),
        name=name,
        missing_outcomes=MissingOutcomes.ASK,
    )


def commands_of(document: Document) -> Stated:
    """Find the shortest commands that lead to a document, and check that they do.

    Raises
    ------
    PayoffError
        If the document has data that no file holds.
    """
    data = document.data
    if data is not None and data.is_in_memory:
        raise PayoffError(
            "There is no script of this project.",
            why="Its data were handed over by a script: no file holds them.",
            remedy="Write them to a file (payoff.write_table), and open that.",
        )
    start = Document(name=document.name)
    if data is not None:
        start = bare_data(data, document.name).apply(Document())
    way = _Way(document, start)
    for part in (_data, _money, _experiment, _models, _choices, _report):
        part(way, document)
    lacking = (*way.refused, *_differing(way.now, document))
    return Stated(tuple(way.commands), lacking)


class _Way:
    """The commands so far and the document that they lead to."""

    def __init__(self, aim: Document, now: Document) -> None:
        self.aim, self.now = aim, now
        self.commands: list[Command] = []
        self.refused: list[str] = []

    def take(self, *wanted: Command) -> None:
        """Add commands, but those that change nothing."""
        for command in wanted:
            try:
                after = command.apply(self.now)
            except PayoffError as refusal:
                self.refused.append(refusal.what)
                continue
            if after != self.now:
                self.commands.append(command)
                self.now = after


# ---------------------------------------------------------------- data


def _data(way: _Way, document: Document) -> None:
    way.take(
        DescribeProject(
            currency=_unless(document.currency, way.now.currency),
            case_word=_unless(document.case_word, way.now.case_word),
            seed=_unless(document.seed, way.now.seed),
        )
    )
    plain: dict[Role, list[str]] = {}
    worded: list[Command] = []
    for entry in document.roles:
        bare = RoleAssignment(column=entry.column, role=entry.role)
        if text_of(entry) == text_of(bare) and entry.role not in _OF_MODELS:
            plain.setdefault(entry.role, []).append(entry.column)
        else:
            worded.append(SetRole(assignment=replace(entry, reason="", is_guess=False)))
    way.take(*(SetRoles(role=role, columns=tuple(plain[role])) for role in Role if role in plain))
    way.take(*worded)
    if document.target is not None:
        way.take(SetTarget(target=document.target))
    way.take(
        SetMissingOutcomes(missing_outcomes=document.missing_outcomes),
        SetSharedIds(shared_ids=document.shared_ids),
    )
    first = next((m.trained.split for m in document.models if m.trained and m.trained.split), None)
    if first is None:
        way.take(SetSplit(split=document.split))
    else:
        _split(way, first)


_OF_MODELS = (Role.POSTERIOR, Role.SCORE, Role.PREDICTION)


def _unless(wanted: T, present: T) -> T | None:
    return None if wanted == present else wanted


# ---------------------------------------------------------------- money, experiment


def _money(way: _Way, document: Document) -> None:
    """The money that the first model learned from, which is mostly what there is now."""
    paid = [m.trained for m in document.models if m.trained and m.trained.matrix is not None]
    if paid:
        _take_money(way, paid[0].matrix, paid[0].priors)
    else:
        _take_money(way, document.matrix, document.priors)


def _take_money(
    way: _Way, matrix: MatrixSpec | None, priors: tuple[tuple[str, float], ...] | None
) -> None:
    if matrix is not None:
        way.take(SetMatrix(matrix=matrix))
    way.take(SetPriors(priors=priors))


def _experiment(way: _Way, document: Document) -> None:
    spec = document.uplift
    way.take(
        SetExperiment(treatment=spec.treatment, treated=spec.treated, control=spec.control),
        *_own_outcome(spec),
        SetMissingUpliftOutcomes(missing_outcomes=spec.missing_outcomes),
        SetPropensity(
            column=spec.propensity,
            is_estimated=spec.estimates_propensity,
            clip=_unless(spec.clip, way.now.uplift.clip),
            column_clip=spec.column_clip,
        ),
        SetTrueEffect(column=spec.true_effect, control=spec.true_control),
        SetDrawnByLot(drawn_by_lot=spec.drawn_by_lot, planned_share=spec.planned_share),
        *(
            SetUpliftPrice(name=name, amount=getattr(spec, name))
            for name in ("value", "contact", "redemption")
            if getattr(spec, name) != getattr(way.now.uplift, name)
        ),
        FollowMatrix(follows_matrix=spec.follows_matrix),
        SetMostCases(most_cases=spec.most_cases),
        SetNu(nu=spec.nu),
        SetUpliftMetrics(metrics=spec.metrics),
    )
    if document.experiment is not None:
        way.take(experiments.SetExperimentSpec(experiment=document.experiment))


def _own_outcome(spec: UpliftSpec) -> tuple[Command, ...]:
    """The experiment's outcome, where it is not the project's."""
    has_own = spec.outcome or spec.event
    return (SetUpliftOutcome(outcome=spec.outcome, event=spec.event),) if has_own else ()


# ---------------------------------------------------------------- models


def _models(way: _Way, document: Document) -> None:
    for entry in document.models:
        if entry.trained is not None:
            _train(way, entry.trained)
    for entry in document.models:
        _probabilities(way, entry)
    _take_money(way, document.matrix, document.priors)
    way.take(SetSplit(split=document.split))
    for entry in document.models:
        way.take(SetOldPriors(model=entry.name, old_priors=entry.old_priors))
        way.take(SetBasis(model=entry.name, basis=entry.basis))
    way.take(*(AddUpliftModel(model=model) for model in document.uplift.models))


def _train(way: _Way, trained: TrainedModel) -> None:
    """Train on the rows that trained, with the money that was there then."""
    _split(way, trained.split)
    if trained.matrix is not None or trained.priors is not None:
        _take_money(way, trained.matrix, trained.priors)
    way.take(AddTrainedModel(model=trained.as_it_ended))
    if trained.tree_rule is not None:
        _split(way, trained.as_it_was_chosen.split)
        way.take(SetTrees(model=trained.name, trees=trained.trees_used, rule=trained.tree_rule))


def _probabilities(way: _Way, entry: ModelSpec) -> None:
    if entry.calibration is not None:
        way.take(SetOldPriors(model=entry.name, old_priors=entry.calibration.before))
        if can_fit_again(way.now, entry.calibration):
            _split(way, entry.calibration.split)
        way.take(SetCalibration(model=entry.name, calibration=entry.calibration))


def _split(way: _Way, split: SplitSpec | None) -> None:
    """Take a split that was settled, unless the present one comes to the same."""
    if split is not None and split != way.now.settled_split:
        way.take(SetSplit(split=split))


def can_fit_again(document: Document, probabilities: CalibrationSpec) -> bool:
    """Whether chances were fitted to the data and the weight that the document has."""
    is_same = probabilities.data_hash == document.data_hash
    return is_same and probabilities.weight == document.column_of(Role.WEIGHT)


def can_train_again(document: Document, trained: TrainedModel) -> bool:
    """Whether a model was trained here, on the data that the document has."""
    return not trained.program and trained.data_hash == document.data_hash


# ---------------------------------------------------------------- what is shown


def _choices(way: _Way, document: Document) -> None:
    choice = document.choice
    if choice is not None and choice.data_hash == document.data_hash:
        way.take(
            SetRowsUsed(rows_used=choice.rows_used),
            ChooseModel(model=choice.model, metric=choice.metric),
        )
    way.take(SetRowsUsed(rows_used=document.rows_used))
    if document.reference_model is not None:
        way.take(SetReferenceModel(model=document.reference_model))
    low, high = document.prior_range or (None, None)
    way.take(
        SetPriorRange(low=low, high=high),
        *(AddScenario(scenario=scenario) for scenario in document.scenarios),
        SetChartMode(mode=document.chart_mode),
        SetMetrics(metrics=document.metrics),
        SetCharts(charts=document.charts),
        SetConvention(convention=document.convention),
    )


def _report(way: _Way, document: Document) -> None:
    for item in document.report:
        way.take(PutOnReport(kind=item.kind, note=item.note))
        if item.caption:
            way.take(WriteOnReport(kind=item.kind, caption=item.caption, note=item.note))
    way.take(MoveCursor(depth=document.cursor_depth))


def _differing(now: Document, aim: Document) -> Iterable[str]:
    """The fields that the commands do not lead to; what the program fills in does not count."""
    # A choice made on other data flatters no figure of these.
    without = replace(now, choice=aim.choice if now.choice is None else now.choice)
    for item in fields(Document):
        reached = Document(**{item.name: getattr(without, item.name)})
        wanted = Document(**{item.name: getattr(aim, item.name)})
        if text_of(reached) != text_of(wanted):
            yield item.name


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
        isinstance(command, SetCalibration)
        and command.calibration is not None
        and not can_fit_again(document, command.calibration)
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
