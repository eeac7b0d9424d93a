"""The questions of pages Models and Explain."""

from __future__ import annotations

from core.document.studies.compare import QuantilesResult
from core.document.studies.models import CaseWhatIfResult, FoundCase, LearnedResult, OneCaseResult
from core.document.training_results import DistributionsResult, ExplainResult
from core.document.views import AT_CURSOR, LEARNED, MODELS, TRAINABLE
from core.questions.lanes import Lane
from core.questions.needs import DATA, MODEL, OUTCOME, TRAINED
from core.questions.question import Question, given, question


@question(
    "explain.model",
    title="Explaining a model",
    reads=MODELS,
    needs=(DATA, TRAINED),
    work="core.assembly.models.explaining:explain_model",
    view="core.presentation.models.explain:explained_model",
    lane=Lane.BACKGROUND,
    is_stored=True,
)
class Explain(Question[ExplainResult]):
    """What a trained model uses, and how its prediction depends on its inputs.

    ``columns``: a dependence curve each; ``pairs``: a map each; ``together``: how much each of
    these acts together with the strongest other inputs; ``shuffles``: also permutation importance.
    Without any of them only the influence.
    """

    model: str = given("Model", is_subject=True)
    columns: tuple[str, ...] = given("Dependence on", default=())
    pairs: tuple[tuple[str, str], ...] = given("Dependence on pairs", default=())
    together: tuple[str, ...] = given("Acting together", default=())
    shuffles: bool = given("Permutation importance", default=False)
    output: int | None = given(
        "Class",
        default=None,
        at_least=0,
        help="of several classes the one that is shown, from 0; left out: the usual one",
    )


@question(
    "explain.one_case",
    title="One case",
    reads=AT_CURSOR,
    needs=(DATA, TRAINED),
    work="core.assembly.models.one_case:explain_case",
    view="core.presentation.models.explain:one_case",
    lane=Lane.QUICK,
)
class OneCase(Question[OneCaseResult]):
    """What every input adds to the score of one case, and the smallest changes that matter.

    ``row`` is counted from 0 over the table.
    """

    model: str = given("Model", is_subject=True)
    row: int = given("Case")
    output: int = given("Class", default=0, help="of several classes which one, from 0", at_least=0)


@question(
    "explain.find_case",
    title="Finding a case",
    reads=MODELS,
    needs=(DATA, TRAINED),
    work="core.assembly.models.finding_cases:find_case",
    lane=Lane.QUICK,
)
class FindCase(Question[FoundCase]):
    """The case of a row, an id or a place among all, the highest prediction first.

    ``row`` is counted from 0 over the table, ``rank`` from 1; one of the three is given.
    """

    model: str = given("Model", is_subject=True)
    row: int | None = given("Row", default=None)
    case_id: str = given("Id", default="", help="as it stands in the column of ids")
    rank: int | None = given("Place", default=None, help="1 has the highest prediction")
    output: int = given("Class", default=0, help="of several classes which one, from 0", at_least=0)


@question(
    "explain.what_if",
    title="One case with other inputs",
    reads=AT_CURSOR,
    needs=(DATA, TRAINED),
    work="core.assembly.models.case_what_if:try_inputs",
    view="core.presentation.models.explain:case_what_if",
    lane=Lane.QUICK,
)
class CaseWhatIf(Question[CaseWhatIfResult]):
    """What the models would say of one case, and what would be decided, with other inputs.

    ``row`` is counted from 0 over the table. ``inputs``: an input and its value each; nothing
    behind the name is a missing value. ``along``: the input over which the prediction is drawn.
    ``seeks_flips``: whether the smallest change of one input is looked for that brings another
    decision.
    """

    model: str = given("Model", is_subject=True)
    row: int = given("Case")
    inputs: tuple[tuple[str, str], ...] = given(
        "Inputs at other values", default=(), help="nothing behind the name: a missing value"
    )
    along: str = given("Curve over", default="", help="an input of the model")
    output: int = given("Class", default=0, help="of several classes which one, from 0", at_least=0)
    seeks_flips: bool = given("Smallest change that brings another decision", default=True)


@question(
    "models.quantiles",
    title="Predicted quantiles",
    reads=MODELS,
    needs=(DATA, MODEL, TRAINED),
    work="core.assembly.models.quantiles:judge_quantiles",
    view="core.presentation.models.quantiles:shown_ranges",
    lane=Lane.BACKGROUND,
)
class QuantileCheck(Question[QuantilesResult]):
    """How often outcomes lie within the quantiles that a trained model predicts."""

    model: str = given("Model", is_subject=True)


@question(
    "models.learning",
    title="How a model learned",
    reads=LEARNED,
    needs=(DATA, TRAINED),
    work="core.assembly.models.learning:learning_of",
    view="core.presentation.models.learning:learned",
    lane=Lane.BACKGROUND,
    is_stored=True,
)
class TreeNumbers(Question[LearnedResult]):
    """How a trained model learned tree by tree, and its loss and profit by number of trees.

    Loss and profit are those of the test rows; without any, of the rows that judged the training.
    """

    model: str = given("Model", is_subject=True)


@question(
    "models.distributions",
    title="Losses and inputs",
    reads=TRAINABLE,
    needs=(DATA, OUTCOME),
    work="core.assembly.models.distributions:list_distributions",
    lane=Lane.QUICK,
    plugins=("distributions", "metrics"),
)
class Distributions(Question[DistributionsResult]):
    """Which loss distributions fit the outcome, and which columns can be inputs of a model."""
