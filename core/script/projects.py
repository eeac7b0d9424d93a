"""``payoff.open_project`` and ``payoff.apply``: a saved project and its rule, without a window.

What a project's scripts call: a method for every command, and the engine's part of some of them.

A method has the name, the arguments and the help of its command (``core.document.scripts.form``).
Commands that hold what the engine works out - a table, trees, fitted chances - are given here what
a person says, and are completed before they change the document.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from core import data as tables
from core.assembly.cases import prior_warnings
from core.assembly.decide.decided_table import (
    decide_table,
)
from core.decisions import total_cases
from core.document.commands import AddTrainedModel, Command, OpenData
from core.document.data.model import DataRef, FileRef, MissingOutcomes
from core.document.data.opening import with_recipe
from core.document.data.results import TableSummary
from core.document.decisions.model_commands import SetCalibration, SetTrees
from core.document.decisions.starting_matrix import starting_matrix
from core.document.files.project import SUFFIX, Headline, ProjectFile, read_project, save_project
from core.document.history import History
from core.document.made import former_name
from core.document.model import CalibrationSpec, Document, TrainedModel, TreeRule
from core.document.results import DecisionResult, EvaluationResult
from core.document.scripts.form import as_described, built, call_fields, method_name, signature_of
from core.document.scripts.kinds import COMMANDS
from core.document.scripts.script import NewProject, Script, bare_data, script_of
from core.document.studies.compare import CalibrationResult
from core.document.studies.data import MakeTableArguments
from core.document.studies.decision_files import ListResult
from core.document.studies.uplift import UpliftResult
from core.document.training_results import TrainResult
from core.engine.context import JobContext
from core.engine.jobs.decide.rules import filter_warnings, shift_of
from core.engine.messages import LoadArguments, TrainArguments
from core.presentation.report.keeping import entries_by_question, pack_views, unpack_views
from core.presentation.view import View
from core.questions.compare import CompareModels, FitCalibration
from core.questions.decide import ExpectList, Totals
from core.questions.explain import TreeNumbers
from core.questions.needs import require_data
from core.questions.question import Answer, Question
from core.questions.uplift import Uplift
from core.script.decide.decisions import Decisions
from core.script.session import ScriptData, engine, loaded_table
from payoff.errors import PayoffError

Method = Callable[..., Document]


def completed(command: Command, document: Callable[[], Document]) -> Command:
    """A command with what the engine works out for it; as it is where that is there.

    The number of trees that a rule chooses is always worked out: what is said of it must hold.

    ``document`` gives the project's document with its data found.

    Raises
    ------
    PayoffError
        If the file cannot be read, the model not trained, or chances not fitted.
    """
    if isinstance(command, OpenData) and not command.data.content_hash:
        return replace(command, data=made_table(command.data).data)
    if isinstance(command, AddTrainedModel) and not command.model.model_hash:
        return replace(command, model=_trained(command.model, document()))
    if isinstance(command, SetCalibration) and command.calibration and not command.calibration.maps:
        return replace(command, calibration=_fitted(command.model, command.calibration, document()))
    if isinstance(command, SetTrees) and command.rule is not TreeRule.HAND:
        return replace(command, trees=_chosen_trees(command, document()))
    return command


def _chosen_trees(command: SetTrees, document: Document) -> int:
    """The number of trees that a rule chooses."""
    found = engine().ask(document, TreeNumbers(model=command.model))
    choice = next(entry for entry in found.choices if entry.rule is command.rule)
    if choice.why_not:
        raise PayoffError(
            f"The rule '{command.rule.value}' chooses no number of trees of '{command.model}'.",
            why=choice.why_not,
            remedy="Give the number by hand: project.set_trees(model, trees=...).",
        )
    return choice.trees


def made_table(asked: DataRef) -> TableSummary:
    """The table of a file as it is to be read, with what is made of it."""
    recipe = asked.recipe
    summary = _load(asked.path, asked)
    if recipe.is_empty:
        return summary
    recipe = replace(
        recipe,
        rows=tuple(replace(entry, file=_known(entry.file)) for entry in recipe.rows),
        joins=tuple(replace(entry, file=_known(entry.file)) for entry in recipe.joins),
    )
    arguments = MakeTableArguments(data=with_recipe(summary.data, recipe))
    together: TableSummary = engine().run("make_table", arguments)
    return together


def _load(path: str, requested: DataRef | FileRef) -> TableSummary:
    summary: TableSummary = engine().run("load", LoadArguments(path=path, reader=requested.reader))
    return summary


def _known(file: FileRef) -> FileRef:
    """A further file with what tells it by its content."""
    data = _load(file.path, file).data
    return FileRef(
        path=data.path,
        content_hash=data.content_hash,
        size_bytes=data.size_bytes,
        reader=data.reader,
    )


def _trained(settings: TrainedModel, document: Document) -> TrainedModel:
    arguments = TrainArguments(document=document, settings=settings)
    result: TrainResult = engine().run("train", arguments)
    return result.model


def _fitted(model: str, requested: CalibrationSpec, document: Document) -> CalibrationSpec:
    question = FitCalibration(
        model=model,
        folds=requested.folds,
        seed=requested.seed,
        bands=requested.bands,
        rows=requested.rows,
    )
    result = engine().ask(document, question)
    specs = [option.spec for option in result.options if option.spec is not None]
    fitted = next(spec for spec in specs if spec.method is requested.method)
    if fitted.is_reversed is not requested.is_reversed:
        raise PayoffError(
            f"The scores of '{model}' run the other way.",
            why="Their column's role says whether a high score makes the event less likely.",
            remedy="Say it there: project.set_role(column, role='score', is_reversed=...).",
        )
    return fitted


# ---------------------------------------------------------------- methods


def method_of(kind: type[Command]) -> Method:
    """The method of a project that runs a kind of command."""
    name = method_name(kind)
    known = call_fields(kind)
    first = known[0][0].name

    def method(project: Any, *args: Any, **given: Any) -> Document:
        if len(args) > 1 or (args and first in given):
            raise PayoffError(
                f"{name}() takes one argument without a name: {first}.",
                remedy=f"help({name}) says what it takes.",
            )
        command = built(kind, dict(zip((first,), args, strict=False)) | given, name)
        changed: Document = project.apply(command)
        return changed

    method.__name__ = name
    method.__qualname__ = f"Project.{name}"
    method.__doc__ = inspect.getdoc(kind)
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    shown = signature_of(kind, is_method=True)
    arguments = [own, *shown.parameters.values()]
    method.__signature__ = shown.replace(parameters=arguments)  # type: ignore[attr-defined]  # what inspect reads
    return method


METHODS: dict[str, Method] = {method_name(kind): method_of(kind) for kind in COMMANDS}
"""The methods that every project has, by name."""


@dataclass(kw_only=True)
class Project:
    """A project without a window: every change that the window can make is a method.

    ``set_priors``, ``add_scenario`` and all others have the arguments of their command. Lists and
    dicts stand for tuples, words for choices, and records come from ``payoff.records``. ``train``
    trains as page Models does. ``evaluate``, ``decide`` and ``uplift`` answer as the pages do;
    ``metrics``, ``totals`` and ``uplift_areas`` are their tables. ``script`` writes the project as
    a script, ``save`` as a file.
    """

    path: Path
    history: History
    headline: Headline
    report: tuple[View, ...] = ()  # what stands on the report, as the window made it
    file: ProjectFile | None = None  # where it was opened or saved last

    @property
    def document(self) -> Document:
        """The document with all commands that were executed."""
        return self.history.document

    def apply(self, command: Command) -> Document:
        """Change the document by a command of ``core.document.commands``."""
        return self.history.execute(completed(command, self._with_data))

    def take_model(self, project: str | Path, *, model: str) -> Document:
        """Take a trained model from another project's file."""
        model_store = engine().workbench.model_store
        trained = read_project(project, model_store).document.trained_model(model)
        if trained is None:
            raise PayoffError(f"There is no trained model '{model}'.", where=str(project))
        return self.apply(AddTrainedModel(model=trained))

    def script(self, question: object | None = None) -> Script:
        """Write the project as a Python script that gives the same numbers on the same data.

        Parameters
        ----------
        question : record, optional
            What the script asks at its end; left out: metrics, totals and what treating brings, as
            far as the project can answer them.

        Returns
        -------
        script
            ``.text`` is the program, ``.notes`` say what of the project it does not repeat.
        """
        return script_of(
            self.document, question, project=None if self.file is None else str(self.file.path)
        )

    def evaluate(self, resamples: int = 1000) -> EvaluationResult:
        """What page Compare shows."""
        return self.ask(CompareModels(resamples=resamples))

    def decide(self) -> DecisionResult:
        """What page Decide shows."""
        return self.ask(Totals())

    def ask(self, question: Question[Answer]) -> Answer:
        """Ask a question of ``payoff.questions`` and return its answer, as the window shows it.

        Lists and dicts in it stand for tuples and records, words for choices.

        Raises
        ------
        PayoffError
            Where the project lacks what the question needs, or its work refuses.

        Examples
        --------
        >>> project.ask(payoff.questions.Capacity(most_actions=500))  # doctest: +SKIP
        """
        question = as_described(question)
        reads_data = "data" in question.facts.reads.names
        return engine().ask(self._with_data() if reads_data else self.document, question)

    def uplift(self) -> UpliftResult:
        """What page Uplift shows."""
        return self.ask(Uplift())

    def metrics(self) -> pd.DataFrame:
        """The metric table of page Compare: metric, model, value, low, high, method."""
        return pd.DataFrame(
            [
                {
                    "metric": cell.metric,
                    "model": cell.model,
                    "value": cell.estimate.value,
                    "low": cell.estimate.low,
                    "high": cell.estimate.high,
                    "method": cell.estimate.method,
                }
                for cell in self.evaluate().cells
            ]
        )

    def totals(self) -> pd.DataFrame:
        """What each model brings by the rule: total with low and high, average, best and so on."""
        decided = self.decide().models
        return pd.DataFrame(
            [
                {
                    "model": entry.model,
                    "total": entry.total.value,
                    "low": entry.total.low,
                    "high": entry.total.high,
                    "average": entry.average.value,
                    "expected_total": entry.expected_total,
                    "best_total": entry.best_total,
                    "roi": entry.roi,
                    "rule_depth": entry.rule_depth,
                    "best_depth": entry.best_depth,
                    "best_profit": entry.best_profit,
                }
                for entry in decided
            ]
        )

    def uplift_areas(self) -> pd.DataFrame:
        """The table of page Uplift: the net area of each ranking with low and high, and what the
        best depth would gain."""
        return pd.DataFrame(
            [
                {
                    "model": entry.model,
                    "area": entry.area.value,
                    "low": entry.area.low,
                    "high": entry.area.high,
                    "minus_random": entry.minus_random.value,
                    "depth": entry.choice.depth,
                    "cases": entry.choice.targeted,
                    "gain": entry.choice.gain,
                    "gain_low": entry.choice.gain_low,
                    "gain_high": entry.choice.gain_high,
                }
                for entry in self.uplift().models
            ]
        )

    def expect(
        self, cases: int, *, model: str | None = None, depth: float | None = None
    ) -> ListResult:
        """What a list of so many new cases is expected to bring, by the rule or at a depth.

        Counts and total are scaled from the evaluated rows; their intervals hold the luck of the
        list too. The total is in the sense of profit.
        """
        document = replace(self._with_data(), cursor_depth=depth)
        question = ExpectList(
            model=chosen_model(document, model), cases=cases, use_cursor=depth is not None
        )
        return engine().ask(document, question)

    def calibrate(
        self, model: str | None = None, *, folds: int = 5, bands: int = 10, seed: int = 20261
    ) -> CalibrationResult:
        """Chances of a model's scores by every way; ``apply(SetCalibration(...))`` takes one."""
        document = self._with_data()
        requested = FitCalibration(
            model=chosen_model(document, model), folds=folds, bands=bands, seed=seed
        )
        return engine().ask(document, requested)

    def save(self, path: str | Path | None = None, *, overwrite: bool = False) -> Path:
        """Write the project file, as File > Save does.

        Raises
        ------
        PayoffError
            Where a window has the file open, or, without ``overwrite``, where it was changed since
            it was opened here.
        """
        known = self.file
        if known is None and path is None and self.path.suffix != SUFFIX:
            raise PayoffError(
                "The project has no file yet.", remedy="Name one: project.save('name.payoff')."
            )
        if known is None or not (path is None or known.leads_to(path)):
            known, overwrite = ProjectFile(path or self.path), True
        model_store = engine().workbench.model_store
        try:
            self.path = save_project(
                known.path,
                self.document,
                self.headline,
                model_store,
                pack_views(self.report),
                known,
                overwrites=overwrite,
            )
        finally:
            known.release()
        self.file = known
        self.history.mark_saved()
        return self.path

    def _with_data(self) -> Document:
        """The document with its data file found: where it was, or by its content nearby."""
        return with_data_found(self.document, self.path.parent)

    fit_chances = former_name("calibrate")
    set_chances = former_name("set_calibration")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Document]:
            """The method of a command."""


for _name, _method in METHODS.items():
    setattr(Project, _name, _method)


def new_project(
    path: str | Path | None = None,
    *,
    name: str | None = None,
    guess: bool = True,
    **reading: Any,
) -> Project:
    """Begin a project with a data file, as the window does.

    Parameters
    ----------
    path : str or Path, optional
        Left out: a project without data, for experiments on made-up rows and studies of boosting.
    name : str, optional
        The project's; left out: the file's.
    guess : bool
        Roles of columns, outcome, use of rows and a first matrix are guessed, as in the window.
        False: every column is ignored until it is given a role.
    reading
        ``recipe=payoff.records.DataRecipe(...)``: further rows, columns of other files and derived
        columns; all else says how the file is read, as the options of ``payoff.read``.

    Raises
    ------
    PayoffError
        If a file is not there or cannot be read, naming it.
    """
    if path is None:
        if reading:
            raise PayoffError(
                f"new_project() was given '{next(iter(reading))}' and no file.",
                remedy='Name the file that is read so: payoff.new_project("data.csv").',
            )
        empty = Document() if name is None else Document(name=name)
        return Project(path=Path(empty.name), history=History(empty), headline=Headline())
    requested = built(NewProject, {"path": str(path), **_as_read(reading)}, "new_project")
    reference = DataRef(path=requested.path, reader=requested.reader, recipe=requested.recipe)
    summary = made_table(reference)
    called = name or Path(path).stem
    opened, document = bare_data(summary.data, called), Document()
    if guess:
        document = Document(currency=summary.currency or document.currency)
        target = summary.target
        opened = OpenData(
            data=summary.data,
            roles=summary.roles,
            target=target,
            split=summary.split,
            matrix=None if target is None else starting_matrix(target, summary.columns),
            name=called,
            missing_outcomes=MissingOutcomes.ASK,
        )
    history = History(opened.apply(document))
    return Project(path=Path(path).parent / called, history=history, headline=Headline())


def _as_read(reading: dict[str, Any]) -> dict[str, Any]:
    """Options of reading by the names that ``payoff.read`` has for them."""
    return {"part" if name == "sheet" else name: value for name, value in reading.items()}


def open_project(path: str | Path) -> Project:
    """Open a ``.payoff`` file; its trained models are ready to score.

    Raises
    ------
    PayoffError
        If it is not there, damaged, or made by a newer program.
    """
    project = read_project(path, engine().workbench.model_store)
    history = History(entries_by_question(project.document))
    return Project(
        path=Path(path),
        history=history,
        headline=project.headline,
        report=unpack_views(project.report),
        file=ProjectFile(path, project.digest) if Path(path).suffix == SUFFIX else None,
    )


def apply(
    rule: str | Path | Project, data: ScriptData, *, model: str | None = None, check: bool = True
) -> Decisions:
    """Decide new cases by a project's rule; no outcome is needed.

    ``checks`` and ``shift`` of the answer say how like the evaluated rows the cases are.

    Parameters
    ----------
    rule : path of a project, or an opened project
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    model : str, optional
        Left out = the project's chosen model.
    check : bool
        False: the evaluated rows are not read to compare the cases with them. A rule that averages
        leaves reads them all the same.

    Raises
    ------
    PayoffError
        Naming columns that are missing and levels that the rule does not know.
    """
    project = rule if isinstance(rule, Project) else open_project(rule)
    document = project.document
    chosen = chosen_model(document, model)
    document = replace(document, models=tuple(m for m in document.models if m.name == chosen))
    known = document.data
    table = tables.from_data(data)
    if known is not None:
        table = tables.with_derived_columns(table, known.recipe.derived)
    table = loaded_table(table)
    warnings = tables.check_same_roles(table, document)
    split = replace(document.split, where="")  # of the evaluated rows, not of the new cases
    here = replace(document, data=table.data, split=split)
    context = JobContext(engine().workbench)
    evaluated = _with_data_if_found(document, project.path.parent)
    decided = decide_table(table, here, chosen, None, context, evaluated=evaluated)
    problem = decided.problem
    shift, checks = shift_of(decided, context) if check else (None, ())
    return Decisions(
        target=here.target.column if here.target else "",
        problem=problem,
        model=decided.scores,
        cases=decided.decided,
        totals=None if problem.outcome is None else total_cases(problem, decided.decided),
        warnings=(
            *warnings,
            *filter_warnings(document),
            *decided.cases.warnings,
            *prior_warnings(document, chosen),
        ),
        lacks_input=decided.lacks_input,
        checks=checks,
        shift=shift,
        made=decided,
        source=table,
    )


def _with_data_if_found(document: Document, folder: Path) -> Document:
    """The document with its data found; as it is where they are not: the check then says so."""
    try:
        return with_data_found(document, folder)
    except PayoffError:
        return document


def chosen_model(document: Document, model: str | None) -> str:
    """The model asked for, or the project's chosen one."""
    names = [entry.name for entry in document.models]
    chosen = model or document.reference_model or (names[0] if names else None)
    if chosen is None or chosen not in names:
        raise PayoffError(
            f"There is no model called '{model}'." if model else "The project has no model.",
            why=f"There are: {', '.join(names)}." if names else "",
        )
    return chosen


def with_data_found(document: Document, folder: Path) -> Document:
    """The document with the path of its data file mended, if the file has moved.

    Raises
    ------
    PayoffError
        If it is neither where it was nor, by its content, beside the project.
    """
    require_data(document)
    data = document.data
    assert data is not None  # required
    if Path(data.path).is_file():
        return document
    found = _beside(data, folder) or tables.find_moved(data, (str(folder),))
    if found is None:
        raise PayoffError(
            "The project's data file is not there.",
            where=data.path,
            why=f"No file with the same content was found in {folder} either.",
            remedy="Put the file back, or beside the project; its name does not matter.",
        )
    return replace(document, data=replace(data, path=found))


def _beside(data: DataRef, folder: Path) -> str | None:
    """The same name beside the project, if the content is the same."""
    candidate = folder / Path(data.path).name
    if candidate.is_file() and tables.remembered_hash(str(candidate)) == data.own_hash:
        return str(candidate)
    return None
