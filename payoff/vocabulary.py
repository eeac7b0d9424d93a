"""The words that specs may use: domains, inputs, forms, directions, kinds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Task(StrEnum):
    """What kind of outcome is predicted."""

    BINARY = "binary"
    MULTICLASS = "multiclass"
    REGRESSION = "regression"
    RANKING = "ranking"
    SURVIVAL = "survival"
    UPLIFT = "uplift"


class TargetDomain(StrEnum):
    """Values that a loss distribution can be fitted to."""

    REAL = "real"
    BINARY = "binary"  # 0 or 1; 1 is the event
    CLASSES = "classes"  # class numbers 0, 1, 2 ...
    COUNTS = "counts"  # 0 or more; whole or averaged counts
    POSITIVE = "positive"  # above 0
    TIME_EVENT = "time_event"
    GRADES = "grades"  # relevance grades in groups


class Extra(StrEnum):
    """Further columns that a distribution or metric reads, by the role they have."""

    WEIGHT = "weight"
    OFFSET = "offset"
    GROUP = "group"
    TIME = "time"
    EVENT = "event"
    ENTRY = "entry"
    STRATA = "strata"
    UPPER = "upper"  # the latest time at which the event may have happened
    TREATMENT = "treatment"
    PROPENSITY = "propensity"
    CLUSTER = "cluster"
    CONSEQUENCES = "consequences"


class Input(StrEnum):
    """What a metric needs. Those after predictions are handed over as arrays, in this order."""

    OUTCOME = "outcome"
    SCORE = "score"  # any number that ranks the cases, higher = more likely the event
    PROBABILITY = "probability"  # posteriors, one row per class
    PREDICTIONS = "predictions"  # predicted values of a number, one row per column
    TREATMENT = "treatment"
    PROPENSITY = "propensity"
    GROUP = "group"
    TIME = "time"
    EVENT = "event"
    ENTRY = "entry"
    STRATA = "strata"
    CLUSTER = "cluster"
    CONSEQUENCES = "consequences"  # what each case brought under the project's decisions
    QUANTILES = "quantiles"  # predicted quantiles, in the sample's roles "quantile 0.1" ...


CONVENTION = "convention"
"""A choice parameter of a curve with this name takes what the user chose under Definitions."""

CONVENTIONS = ("payoff", "scikit-learn", "sas_em", "r")
"""What can be chosen there."""

PREDICTION_INPUTS = (Input.SCORE, Input.PROBABILITY, Input.PREDICTIONS)
"""The inputs that say what the argument ``prediction`` of a metric's kernel holds."""


class UpliftSum(IntEnum):
    """Rows of the sums that a ranked metric of the task "uplift" gets; see EvaluationMetric.

    The first four are always there; the others where "propensity" is among the inputs. They are
    over the weight of all cases, with s = t/e - (1 - t)/(1 - e) of each case's own chance e where
    it is known, else of the share of the treated.
    """

    TREATED = 0  # weight of the treated
    CONTROL = 1
    TREATED_OUTCOME = 2  # weight times outcome of the treated
    CONTROL_OUTCOME = 3
    DEPTH = 4  # |s| / 2: the re-balanced depth
    EFFECT = 5  # s y
    BALANCE = 6  # s
    SQUARE_OUTCOME = 7  # s^2 y
    SQUARE = 8  # s^2
    TREATED_EFFECT = 9  # s y of the treated alone


class Direction(StrEnum):
    """Which values are better."""

    HIGHER = "higher"
    LOWER = "lower"
    NONE = "none"


class MetricForm(StrEnum):
    """How the host computes a metric; see EvaluationMetric."""

    ROW_MEAN = "row_mean"
    RANKED = "ranked"
    SMOOTH = "smooth"
    GENERAL = "general"


class MetricOutput(StrEnum):
    """What a metric gives."""

    SCALAR = "scalar"
    CURVE = "curve"


class CurveAxis(StrEnum):
    """What the x axis of a curve is, and so how the shared cursor stands in it."""

    DEPTH = "depth"  # share of cases acted on: the cursor is a line
    LOWEST = "lowest"  # share of cases, lowest first: the cursor stands at 1 - depth
    CHANCE = "chance"  # a chance: the cursor stands at the chosen model's threshold
    SHARE = "share"  # a share that each model reaches elsewhere: the cursor is a mark per model
    PREDICTION = "prediction"  # a prediction: the cursor stands at that of the last case within
    VALUE = "value"  # something else: no cursor


class WeightMeaning(StrEnum):
    """What a weight of 2 means to a metric."""

    CASE = "case"  # the row stands twice
    GROUP = "group"  # the row's group counts twice
    NONE = "none"  # the metric cannot take weights


class ResampleUnit(StrEnum):
    """What a resample draws."""

    ROW = "row"
    GROUP = "group"
    CLUSTER = "cluster"


class Aggregate(StrEnum):
    """Whether a row mean is shown as it is or times the weight of all cases."""

    MEAN = "mean"
    TOTAL = "total"


class ClassAverage(StrEnum):
    """What a ranked metric does with more than two classes."""

    EVENT = "event"  # the chosen level against the rest
    MACRO = "macro"  # every level against the rest, plain mean
    WEIGHTED = "weighted"  # every level against the rest, mean by class weight


class LeafKind(StrEnum):
    """How the value of a leaf follows from its cases; see LossDistribution."""

    NEWTON = "newton"
    LOCATION = "location"
    QUANTILE = "quantile"
    SOLVER = "solver"


class ConsequenceKind(StrEnum):
    """How the numbers of a decision matrix are meant."""

    PROFIT = "profit"
    LOSS = "loss"
    REVENUE = "revenue"


class ParameterKind(StrEnum):
    """What a parameter is."""

    NUMBER = "number"
    INTEGER = "integer"
    CHOICE = "choice"


class NumberUnit(StrEnum):
    """How a number is shown: 0.02 in percent is "2 %"."""

    PLAIN = ""
    MONEY = "money"
    PERCENT = "percent"


class SystemNeed(StrEnum):
    """What the rows of an experiment must have for an evaluation system."""

    OUTCOME = "outcome"  # a real outcome in 0 to 1
    BINARY = "binary"  # a real outcome that is 0 or 1 in every row
    PRICES = "prices"  # a market behind the rows


class TradePrice(StrEnum):
    """At which price a subject's decision of a day is carried out."""

    OPEN = "open"  # that day's open
    CLOSE_BEFORE = "close_before"  # the close of the day before


class ReaderForm(StrEnum):
    """What a reader gives; see TableReader."""

    DELIMITED = "delimited"
    COLUMNS = "columns"
    PARQUET = "parquet"


@dataclass(frozen=True, slots=True)
class PlainWords:
    """A loss in plain words, as page Models offers it.

    Attributes
    ----------
    title : str
        "Chance of yes".
    text : str
        What it learns, in a sentence or two.
    choose : str
        When to choose it; follows "Choose it".
    """

    title: str
    text: str
    choose: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataColumn:
    """A column of the data that a metric or a decision matrix may read: amounts, costs.

    Attributes
    ----------
    name : str
        Name in scripts, and of the column to begin with where the data have it.
    words : str
        The user's words: "amount of the loan".
    help : str
        One plain sentence.
    is_required : bool
        Of a matrix: whether it cannot do without; a metric always needs it.
    """

    name: str
    words: str
    help: str = ""
    is_required: bool = False


COLUMN_ROLE = "column "
"""Begins the role of a column of the data that a metric chose by name."""
