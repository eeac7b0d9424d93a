"""Views of the document: the part of it that an answer reads.

A question names the view it reads, and the work behind it is given that view and nothing else, so
that an answer cannot depend on a field outside it. The view is at the same time the key that
results are remembered by, the stamp of an entry on the report, and what the window compares to
tell a present answer from a former one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from core.document.data.opening import at_paths
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.experiments.spec import ExperimentSpec
from core.document.model import Document, ModelSpec

Narrow = Callable[[Document], Document]


@dataclass(frozen=True, eq=False)
class DocumentView:
    """Some fields of the document; all others stand as in a new one.

    Parameters
    ----------
    name : str
        What it holds, in one word: "decision".
    names : frozenset of str
        Fields of ``Document``.
    narrow : callable, optional
        What is to be left out inside these fields.
    """

    name: str
    names: frozenset[str]
    narrow: Narrow | None = None

    def of(self, document: Document) -> Document:
        """Return the view of a document, as a document that holds nothing else."""
        seen = replace(self._new, **{name: getattr(document, name) for name in self.names})
        return self.narrow(seen) if self.narrow is not None else seen

    def key(self, document: Document) -> Document:
        """Return what tells one answer from another: the view, wherever the files lie."""
        return placeless(self.of(document))

    @cached_property
    def _new(self) -> Document:
        return Document(name="")


def placeless(document: Document) -> Document:
    """Return a document whose files are told by what they hold, not by where they lie."""
    data = document.data
    if data is None:
        return document
    contents = {file.path: file.content_hash for file in data.recipe.files}
    return replace(
        document, data=replace(data, path=data.content_hash, recipe=at_paths(data.recipe, contents))
    )


def _colourless(document: Document) -> Document:
    """Models by what they say: the colour of their lines changes no answer."""
    return replace(document, models=tuple(replace(entry, series=0) for entry in document.models))


def _of_all_trees(document: Document) -> Document:
    """Models whatever number of their trees is used, without what was fitted to that."""
    models = tuple(_with_all_trees(entry.without_fits) for entry in _colourless(document).models)
    return replace(document, models=models)


def _with_all_trees(entry: ModelSpec) -> ModelSpec:
    if entry.trained is None:
        return entry
    return replace(entry, trained=replace(entry.trained.as_it_ended, trees_used=0))


def _with_chances(document: Document) -> Document:
    """Only models that say chances: nothing follows from a score that ranks."""
    return _colourless(document).without_rankers()


def _experiment(document: Document) -> Document:
    """An experiment with its rankings, whatever metrics are chosen for them."""
    return _priced(replace(document, uplift=replace(document.uplift, metrics=())))


def _priced_alone(document: Document) -> Document:
    """As ``_experiment``; the colours of lines are shown."""
    matrix = document.matrix if document.uplift.follows_matrix else None
    return replace(document, matrix=matrix, uplift=replace(document.uplift, metrics=()))


def _priced(document: Document) -> Document:
    """An experiment with its rankings; the matrix where it prices them."""
    matrix = document.matrix if document.uplift.follows_matrix else None
    return replace(_colourless(document), matrix=matrix)


def _settled(document: Document) -> Document:
    """An evaluation experiment; where nothing is said it is the usual one."""
    return replace(document, experiment=document.experiment or ExperimentSpec())


def _protocol(document: Document) -> Document:
    """The protocol of an evaluation experiment, whatever else is said of it."""
    spec = document.experiment or ExperimentSpec()
    return replace(document, experiment=ExperimentSpec(protocol=spec.protocol))


def _templated(document: Document) -> Document:
    """Whether there is a matrix, and of which template; its numbers are of no matter."""
    if document.matrix is None:
        return document
    bare = MatrixSpec(
        template=document.matrix.template,
        kind=MatrixKind.PROFIT,
        levels=(),
        decisions=(),
        cells=(),
        acting="",
    )
    return replace(document, matrix=bare)


WORDS = frozenset({"currency", "case_word"})
ROWS = frozenset(
    {"data", "roles", "target", "split", "rows_used", "missing_outcomes", "bad_values"}
)
COUNTED = DocumentView("rows that count", ROWS | {"shared_ids"})
CONSEQUENCES = DocumentView("consequences", frozenset({"target", "matrix"}))
SCORED = ROWS | {"models", "shared_ids", "seed"}
TABLE = DocumentView("table", frozenset({"data"}))
"""The table as it is, whatever is said of its columns."""
FILTERED = DocumentView("filtered table", frozenset({"data", "split"}))
BY_CLASS = DocumentView("table by class", FILTERED.names | {"target"})
USES = DocumentView("uses of rows", BY_CLASS.names | {"roles"})
"""What each row is for, and which have an outcome."""
OUTCOME = DocumentView("outcome", frozenset({"data", "target"}))
TRAINABLE = DocumentView("what a model could be trained on", USES.names | {"matrix"}, _templated)
"""Columns and rows, and whether there is a matrix that losses in money could follow."""
NOTHING = DocumentView("nothing", frozenset())
EVALUATION_EXPERIMENT = DocumentView("evaluation experiment", frozenset({"experiment"}), _settled)
PROTOCOL = DocumentView("protocol", EVALUATION_EXPERIMENT.names, _protocol)
RULE = SCORED | WORDS | {"reference_model", "matrix", "priors", "prior_range", "chart_mode"}

TRAINING = DocumentView("training", RULE | {"uplift"})
"""What a training may take up: the table, money, and treatment where effects are trained."""
WRITTEN_RULE = DocumentView("rule with its record", RULE | {"cursor_depth", "name"})
"""What decides new cases, and what is written down of it beside a file."""
MODELS = DocumentView("models", SCORED | WORDS, _colourless)
LEARNED = DocumentView(
    "what models learned", (SCORED - {"rows_used"}) | {"matrix", "priors"}, _of_all_trees
)
"""Trained models and the money of their decisions, whatever number of their trees is used."""
CORRECTED = DocumentView("corrected chances", MODELS.names | {"priors"}, _colourless)
"""Every model with the chances that statistics of fit judge."""
DECISION = DocumentView("decision", RULE, _with_chances)
"""The decisions of every model that says chances, under the matrix."""
SCENARIOS = DocumentView("decision and scenarios", RULE | {"scenarios"}, _with_chances)
JUDGED = DocumentView("judged", RULE - {"chart_mode"}, _colourless)
"""Every model with what figures of another tool may depend on."""
EVALUATED = DocumentView(
    "evaluated", JUDGED.names | {"metrics", "charts", "convention", "choice"}, _colourless
)
"""Metrics and charts of every model."""
MEASURED = DocumentView("measured", JUDGED.names | {"metrics", "convention", "choice"}, _colourless)
"""The chosen metrics of every model."""
MEASURED_ANYWHERE = DocumentView(
    "measured on rows that are named", MEASURED.names - {"rows_used"}, _colourless
)
EXPERIMENT = DocumentView(
    "treatment experiment", SCORED | WORDS | {"uplift", "matrix"}, _experiment
)
WRITTEN_EXPERIMENT = DocumentView(
    "experiment with its record", EXPERIMENT.names | {"name"}, _experiment
)
COMPARE_PAGE = DocumentView("page Compare", MEASURED.names)
DECIDE_PAGE = DocumentView("page Decide", RULE | {"cursor_depth"})
UPLIFT_PAGE = DocumentView("page Uplift", EXPERIMENT.names, _priced_alone)
REPORT_PAGE = DocumentView(
    "the report as a whole",
    EVALUATED.names - {"charts"} | {"chart_mode", "uplift", "experiment"},
)
EXPERIMENT_METRICS = DocumentView("metrics of a treatment experiment", EXPERIMENT.names, _priced)
AT_CURSOR = DocumentView("decision at the cursor", RULE | {"cursor_depth"}, _colourless)
RANKED = DocumentView("decision of rankings", RULE, _colourless)
"""As ``DECISION``, with the models that only rank."""
