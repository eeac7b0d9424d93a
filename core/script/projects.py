"""``payoff.open_project`` and ``payoff.apply``: a saved project and its rule, without a window."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from core import data as tables
from core.decisions import total_cases
from core.document.commands import Command
from core.document.data.model import DataRef
from core.document.files.project import SUFFIX, Headline, save_project
from core.document.files.project import open_project as read_project
from core.document.files.project_file import ProjectFile
from core.document.history import History
from core.document.model import Document
from core.document.report.blocks import ReportBlock
from core.document.results import DecisionResult, EvaluationResult
from core.document.studies.applying import ListArguments, ListResult
from core.document.studies.chances import ChancesArguments, ChancesResult
from core.engine.context import JobContext
from core.engine.jobs.assemble import model_scores, prior_warnings
from core.engine.jobs.decide.applying import filter_warnings, shift_of
from core.engine.jobs.decide.saving import decide_table
from core.engine.messages import DecideArguments, EvaluateArguments
from core.script.decide.decisions import Decisions
from core.script.session import ScriptData, engine, table_of
from payoff.errors import PayoffError


@dataclass(kw_only=True)
class Project:
    """An opened project. ``apply`` runs commands, as the window does; ``save`` writes them."""

    path: Path
    history: History
    headline: Headline
    report: tuple[ReportBlock, ...] = ()  # what stands on the report, as the window made it
    file: ProjectFile | None = None  # where it was opened or saved last

    @property
    def document(self) -> Document:
        """The document with all commands that were executed."""
        return self.history.document

    def apply(self, command: Command) -> Document:
        """Change the document by a command of ``core.document.commands``."""
        return self.history.execute(command)

    def evaluate(self, resamples: int = 1000) -> EvaluationResult:
        """What page Compare shows."""
        arguments = EvaluateArguments(document=self._with_data(), resamples=resamples)
        result: EvaluationResult = engine().run("evaluate", arguments)
        return result

    def decide(self) -> DecisionResult:
        """What page Decide shows."""
        arguments = DecideArguments(document=self._with_data())
        result: DecisionResult = engine().run("decide", arguments)
        return result

    def expect(
        self, cases: int, *, model: str | None = None, depth: float | None = None
    ) -> ListResult:
        """What a list of so many new cases is expected to bring, by the rule or at a depth.

        Counts and total are scaled from the evaluated rows; their intervals hold the luck of the
        list too. The total is in the sense of profit.
        """
        document = replace(self._with_data(), cursor_depth=depth)
        arguments = ListArguments(
            document=document,
            model=chosen_model(document, model),
            cases=cases,
            use_cursor=depth is not None,
        )
        result: ListResult = engine().run("expect_list", arguments)
        return result

    def fit_chances(
        self, model: str | None = None, *, folds: int = 5, bands: int = 10, seed: int = 20261
    ) -> ChancesResult:
        """Chances of a model's scores by every way; ``apply(SetChances(...))`` takes one."""
        document = self._with_data()
        arguments = ChancesArguments(
            document=document,
            model=chosen_model(document, model),
            folds=folds,
            bands=bands,
            seed=seed,
        )
        result: ChancesResult = engine().run("fit_chances", arguments)
        return result

    def save(self, path: str | Path | None = None, *, overwrite: bool = False) -> Path:
        """Write the project file, as File > Save does.

        Raises
        ------
        PayoffError
            Where a window has the file open, or, without ``overwrite``, where it was changed since
            it was opened here.
        """
        known = self.file
        if known is None or not (path is None or known.leads_to(path)):
            known, overwrite = ProjectFile(path or self.path), True
        shelf = engine().workbench.shelf
        try:
            self.path = save_project(
                known.path,
                self.document,
                self.headline,
                shelf,
                self.report,
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


def open_project(path: str | Path) -> Project:
    """Open a ``.payoff`` file; its trained models are ready to score.

    Raises
    ------
    PayoffError
        If it is not there, damaged, or made by a newer program.
    """
    project = read_project(path, engine().workbench.shelf)
    history = History(project.document)
    return Project(
        path=Path(path),
        history=history,
        headline=project.headline,
        report=project.report,
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
        False: the evaluated rows are not read to compare the cases with them.

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
    table = table_of(table)
    warnings = tables.check_same_roles(table, document)
    split = replace(document.split, where="")  # of the evaluated rows, not of the new cases
    here = replace(document, data=table.summary.data, split=split)
    context = JobContext(engine().workbench)
    decided = decide_table(table, here, chosen, None, context)
    problem = decided.problem
    evaluated = _with_data_if_found(document, project.path.parent)
    beside = replace(decided, document=evaluated)
    shift, checks = shift_of(beside, context) if check else (None, ())
    (scores,) = model_scores(here, decided.cases)
    return Decisions(
        target=here.target.column if here.target else "",
        problem=problem,
        model=scores,
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
    data = document.data
    if data is None:
        raise PayoffError("The project has no data.", remedy="Open data in it and save it again.")
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
    if candidate.is_file() and tables.content_hash(str(candidate)) == data.own_hash:
        return str(candidate)
    return None
