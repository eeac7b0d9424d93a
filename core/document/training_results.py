"""Shapes of what the engine answers about training, explaining and choosing a distribution."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.document.model import TrainedModel
from payoff.facts import SpecFacts
from payoff.types import FloatArray
from payoff.vocabulary import PlainWords

# ---------------------------------------------------------------- training


GROWING = "Growing trees"
"""The first stage of a training; those after it have no trees of the model itself to count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingCurves:
    """A training as it stands: the partial results of job "train", about five per second.

    Curves have one point per tree, ``trees[k]`` trees; cut to at most 1,000 points. NaN where there
    is nothing: ``valid`` without rows that judge, ``oob`` without bags, ``crossed`` before or
    without cross-validation, ``watched`` when nothing but the deviance is watched.
    """

    model: str
    trees: FloatArray
    train: FloatArray  # deviance of the training rows
    valid: FloatArray  # deviance of the rows that judge
    oob: FloatArray  # improvement outside the bag, summed up
    watched: FloatArray  # the watched figure (a metric, realised profit) of the rows that judge
    crossed: FloatArray  # cross-validated deviance
    deviance_words: str  # what the curves show: "Bernoulli deviance", "Poisson loss"
    watch: str = "deviance"
    is_higher_better: bool = False  # of ``watched``
    done: int = 0
    wanted: int = 0
    best_trees: int = 0  # 0: not known
    seconds: float = 0.0
    fraction: float | None = None  # of the whole training, folds included
    # Deviance of the best constant score on the rows that judge, else on those that train: what a
    # model has to beat; NaN = not known.
    no_model: float = float("nan")
    stage: str = GROWING
    # The model so far, on disk, at most 25 trees old: what to keep or to continue when the engine
    # has died (AddTrainedModel(model=checkpoint), TrainArguments(settings=checkpoint)).
    checkpoint: TrainedModel | None = None
    # Relative influence of the trees so far, strongest first, summing to 1; empty = not known yet.
    influence: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainResult:
    """What a training ended with; ``model`` is complete and is added by AddTrainedModel."""

    model: TrainedModel
    curves: TrainingCurves
    was_stopped: bool = False  # by the user: the trees grown so far were kept
    warnings: tuple[str, ...] = ()


# ---------------------------------------------------------------- explaining


@dataclass(frozen=True, slots=True, kw_only=True)
class Influence:
    """One bar: relative influence (all sum to 100), and what shuffling the column costs.

    ``shuffled`` is the rise of the deviance on rows that did not train when the column is shuffled,
    mean of five; low and high are the least and the largest of them. NaN when not asked for.
    """

    column: str
    influence: float
    shuffled: float = float("nan")
    shuffled_low: float = float("nan")
    shuffled_high: float = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class DependenceCurve:
    """How the prediction depends on one column, the others as they are in the data.

    ``y`` is on the scale of the outcome (a chance, an amount), averaged over sampled cases; ``low``
    and ``high`` hold the middle 80 % of single cases. One row per class for several classes.
    """

    column: str
    x: FloatArray  # (points,) values; numbers of the levels for a nominal column
    levels: tuple[str, ...]  # names of the points of a nominal column; empty for a number
    y: FloatArray  # (outputs, points)
    low: FloatArray
    high: FloatArray
    rug: FloatArray  # values of the column at evenly spaced shares of the cases
    at_missing: FloatArray  # (outputs,) where the column is missing; NaN if it never is
    missing_share: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DependenceMap:
    """How the prediction depends on two columns together, and how much they interact."""

    columns: tuple[str, str]
    x: FloatArray
    y: FloatArray
    x_levels: tuple[str, ...]
    y_levels: tuple[str, ...]
    values: FloatArray  # (outputs, len(y), len(x)), scale of the outcome
    interaction: FloatArray  # (outputs,) Friedman's H: 0 = effects add up; NaN = undefined
    rug_x: FloatArray
    rug_y: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """How much two columns act together."""

    columns: tuple[str, str]
    strength: FloatArray  # (outputs,) Friedman's H: 0 = effects add up; NaN = undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainResult:
    """What page Explain shows of one model."""

    model: str
    outputs: tuple[str, ...]  # "chance of 1", one per class for several classes, or the target
    influence: tuple[Influence, ...]  # strongest first
    curves: tuple[DependenceCurve, ...]
    maps: tuple[DependenceMap, ...]
    rows_text: str  # which rows the averages run over
    notes: tuple[str, ...] = ()
    interactions: tuple[Interaction, ...] = ()
    usual_output: int = 0  # which of the outputs to show, or to show first
    shuffled_rows: str = ""  # which rows columns were shuffled over; empty: they were not


# ---------------------------------------------------------------- distributions


@dataclass(frozen=True, slots=True, kw_only=True)
class LossLine:
    """One line of a distribution's picture: the loss of a case with this outcome, by its score."""

    words: str  # "outcome 1", "error"
    x: FloatArray
    y: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionInfo(SpecFacts):
    """A loss distribution as the window offers it."""

    asks: str  # the question that leads here: "a yes or no"
    target_words: str  # values it accepts: "a yes or no", "a number of 0 or more"
    fits: bool
    reason: str = ""  # why it does not fit
    plain: PlainWords | None = None  # in plain words; None = its label and help
    is_usual: bool = False  # what to choose first for this target
    needs: tuple[str, ...] = ()  # further columns that must be named: "event", "group"
    picture: tuple[LossLine, ...] = ()  # at the parameters' defaults; empty where cases depend
    domain: str = ""  # TargetDomain value: what kind of outcome it is for
    uses: tuple[str, ...] = ()  # further columns that may be named: "entry", "upper"
    # What early stopping may watch, id -> words: ("deviance", "deviance"), ("auc", "AUC").
    watches: tuple[tuple[str, str], ...] = ()
    predicts_quantiles: bool = False  # several quantiles of a number: ranges can be shown


@dataclass(frozen=True, slots=True, kw_only=True)
class InputInfo:
    """A column as an input of a model: whether it can be one, and if not why."""

    column: str
    kind: str  # "number", "nominal"
    can_train: bool
    reason: str = ""
    is_usual: bool = True  # chosen at the start: it is no other role's column, varies, is no id
    missing: int = 0
    levels: int = 0
    note: str = ""  # what to know of it before it trains


class Mending(StrEnum):
    """What mends a fault that is found before a training."""

    ROWS = "rows"  # the row filter
    OFFSET = "offset"  # a derived column that is the offset, and no input
    INPUT = "input"  # the column is left out of the inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingCheck:
    """A fault of the outcome or of an input, found before a training, and what mends it.

    ``expression`` is the row filter, or the derived column, that does it; empty where a person
    must say it. With one that ``stops`` nothing can be trained. Codes: "constant_outcome",
    "zero_times", "follow_up_time", "unlogged_exposure", "consequence".
    """

    code: str
    column: str
    text: str
    mending: Mending
    expression: str = ""
    stops: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionsResult:
    """What page Models needs before a training."""

    target: str
    distributions: tuple[DistributionInfo, ...]
    inputs: tuple[InputInfo, ...]
    rows: tuple[tuple[str, int], ...]  # RowUse value -> rows with a known outcome
    outcome: tuple[tuple[str, int], ...] = ()  # level -> rows inside the row filter
    checks: tuple[TrainingCheck, ...] = ()
    warnings: tuple[str, ...] = ()
