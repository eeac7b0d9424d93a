"""Column names that statistics programs write, and what the columns hold.

One table: the program, a pattern of the name, and what it means. ``{target}`` stands for the
outcome's name, ``level`` for one of its levels, ``model`` for a model's name. The first row that
fits counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.data.levels import printed
from payoff.class_order import own_order

SAS = "SAS Enterprise Miner"
SKLEARN = "scikit-learn"
CARET = "caret"
TIDY = "tidymodels"
H2O = "H2O"
KNIME = "KNIME"
MODELER = "SPSS Modeler"
SPSS = "SPSS Statistics"
STATA = "Stata"
WEKA = "Weka"
DATAROBOT = "DataRobot"
DATAIKU = "Dataiku"
CATBOOST = "CatBoost"
SPARK = "Spark"
BROOM = "broom"
JMP = "JMP"


class Meaning(StrEnum):
    """What a column of another program holds."""

    CHANCE = "chance"  # of a level, or of the event where the name has none
    PREDICTION = "prediction"  # of a number
    CLASS = "the predicted class"
    PROBABILITY_OF_CLASS = "the chance of whatever class was predicted"
    ACTUAL = "the outcome in the program's own form"
    DECISION = "a decision, or what it brings"
    RESIDUAL = "a residual"
    MARK = "a mark of the program"
    ROW = "the number of the row"
    SURVIVAL = "a time, or its event"
    UNCORRECTED = "chances before they were corrected to the priors"
    VALIDATED = "chances of the tree's leaf as the validation rows have them"
    MARGIN = "what the model says of a class before it is made a chance"
    VERDICT = "whether the prediction was right, known with the outcome alone"


@dataclass(frozen=True, slots=True)
class ToolName:
    """A column name that a statistics program writes, and what the column holds."""

    tool: str
    meaning: Meaning
    model: str = ""
    level: str | None = None
    names_target: bool = False


_T, _L = "{target}", "(?P<level>.+?)"
_PLACE = r"(?P<place>\d+)"  # of a class among the others, from 1
NAMES: tuple[tuple[str, str, Meaning], ...] = (
    (SAS, r"EM_EVENTPROBABILITY", Meaning.CHANCE),
    (SAS, r"EM_PREDICTION", Meaning.PREDICTION),
    (SAS, r"EM_PROBABILITY", Meaning.PROBABILITY_OF_CLASS),
    (SAS, r"EM_CLASSIFICATION", Meaning.CLASS),
    (SAS, r"EM_CLASSTARGET", Meaning.ACTUAL),
    (SAS, r"EM_(?:DECISION|PROFIT|LOSS)", Meaning.DECISION),
    (SAS, r"EM_(?:SEGMENT|CUTOFF)|_(?:WARN|NODE|DATAOBS|SEGMENT_LABEL)_", Meaning.MARK),
    (SAS, rf"Q_{_T}{_L}", Meaning.UNCORRECTED),
    (SAS, rf"V_{_T}{_L}", Meaning.VALIDATED),
    (SAS, rf"P_{_T}{_L}", Meaning.CHANCE),
    (SAS, rf"P_{_T}", Meaning.PREDICTION),
    (SAS, rf"[IU]_{_T}", Meaning.CLASS),
    (SAS, rf"F_{_T}", Meaning.ACTUAL),
    (SAS, rf"R_{_T}.*", Meaning.RESIDUAL),
    (SAS, rf"(?:D|EP|EL|CP|CL|BP|BL|IC|ROI)_{_T}.*", Meaning.DECISION),
    (SKLEARN, rf"(?:predict_)?proba_(?P<model>.+)_{_L}", Meaning.CHANCE),
    (SKLEARN, rf"(?:y_|predict_)?prob(?:a|s|abilities)?_(?:class_)?{_L}", Meaning.CHANCE),
    (SKLEARN, r"(?:y_|predict_)?prob(?:a|abilities)", Meaning.CHANCE),
    (SKLEARN, r"y_pred(?:_class|icted)?|predicted_class", Meaning.CLASS),
    (CARET, r"pred", Meaning.PREDICTION),
    (CARET, r"rowIndex", Meaning.ROW),
    (CARET, r"Resample", Meaning.MARK),
    (TIDY, r"\.pred_class", Meaning.CLASS),
    (TIDY, rf"\.pred_{_L}", Meaning.CHANCE),
    (TIDY, r"\.pred", Meaning.PREDICTION),
    (TIDY, r"\.row", Meaning.ROW),
    (TIDY, r"\.config|\.fold", Meaning.MARK),
    (H2O, rf"(?P<model>cal)_p{_L}", Meaning.CHANCE),
    (H2O, rf"p{_L}", Meaning.CHANCE),
    (H2O, r"predict", Meaning.PREDICTION),
    (H2O, r"StdErr", Meaning.MARK),
    (KNIME, rf"P \({_T}={_L}\)(?: \((?P<model>.+)\))?", Meaning.CHANCE),
    (KNIME, rf"Prediction \({_T}\) \(Confidence\)", Meaning.PROBABILITY_OF_CLASS),
    (KNIME, rf"Prediction \({_T}\)(?: \((?P<model>.+)\))?", Meaning.PREDICTION),
    (MODELER, rf"\$(?P<model>[A-Z]+)[RA]P-{_T}", Meaning.CHANCE),  # a propensity, raw or adjusted
    (MODELER, rf"\$(?P<model>[A-Z]+)P-{_T}", Meaning.PROBABILITY_OF_CLASS),
    (MODELER, rf"\$(?:[A-Z]+)C-{_T}", Meaning.PROBABILITY_OF_CLASS),
    (MODELER, rf"\$(?P<model>[A-Z]+)P-{_L}", Meaning.CHANCE),
    (MODELER, rf"\$(?P<model>[A-Z]+)-{_T}", Meaning.PREDICTION),
    (SPSS, r"PRE_\d+", Meaning.CHANCE),
    (SPSS, r"PGR_\d+|PredictedValue(?:_\d+)?", Meaning.CLASS),
    (SPSS, rf"EST{_PLACE}_\d+", Meaning.CHANCE),
    (SPSS, r"[PA]CP_\d+", Meaning.PROBABILITY_OF_CLASS),
    (SPSS, rf"PredictedProbability_{_L}", Meaning.CHANCE),
    (SPSS, r"PredictedProbability", Meaning.PROBABILITY_OF_CLASS),
    (SPSS, r"(?:RES|ZRE|SRE|LRE|DEV)_\d+", Meaning.RESIDUAL),
    (SPSS, r"filter_\$", Meaning.MARK),
    (WEKA, rf"distribution_{_PLACE}", Meaning.CHANCE),
    (SPARK, rf"rawPrediction_{_L}", Meaning.MARGIN),
    (DATAROBOT, rf"class_{_L}", Meaning.CHANCE),
    (DATAROBOT, r"PredictedLabel", Meaning.CLASS),
    (DATAIKU, r"prediction_correct|error_decision", Meaning.VERDICT),
    (CATBOOST, r"SampleId", Meaning.ROW),
    (CATBOOST, rf"RawFormulaVal[:(]Class={_L}\)?", Meaning.MARGIN),
    (CATBOOST, rf"Probability[:(]Class={_L}\)?", Meaning.CHANCE),
    (BROOM, r"\.(?:std\.)?resid", Meaning.RESIDUAL),
    (BROOM, r"\.(?:hat|sigma|cooksd|se\.fit)", Meaning.MARK),
    (JMP, rf"Most Likely {_T}", Meaning.CLASS),
    (JMP, rf"Lin\[{_L}\]", Meaning.MARGIN),
    (STATA, r"_(?:st|origin|merge)", Meaning.MARK),
    (STATA, r"_(?:d|t|t0)", Meaning.SURVIVAL),
)
"""Program, pattern of the whole name, meaning."""

STSET_EVENT, STSET_TIME = "_d", "_t"
"""What Stata's stset calls the event and the time: files that have them say that times count."""

_MODELER_MODELS = {
    "l": "logistic",
    "c": "C5.0",
    "r": "C&R tree",
    "n": "neural net",
    "b": "Bayes net",
    "s": "SVM",
    "xf": "ensemble",
}

LEFT_OUT = frozenset(
    {
        Meaning.CLASS,
        Meaning.PROBABILITY_OF_CLASS,
        Meaning.ACTUAL,
        Meaning.DECISION,
        Meaning.RESIDUAL,
        Meaning.MARK,
        Meaning.ROW,
        Meaning.UNCORRECTED,
        Meaning.VALIDATED,
        Meaning.VERDICT,
        Meaning.MARGIN,
    }
)
"""What is neither an input nor a score."""


def tool_name(name: str, levels: tuple[str, ...], target: str) -> ToolName | None:
    """What a column's name says, or None where no program writes it so.

    Parameters
    ----------
    name : str
    levels : tuple of str
        Levels of the outcome in printed form; empty for a number.
    target : str
        The outcome's name; may be empty.
    """
    folded = {level.casefold(): level for level in levels}
    names_target = bool(target) and target.casefold() in name.casefold()
    for tool, pattern, meaning in NAMES:
        if "{target}" in pattern and not names_target:  # a pattern of a long name takes seconds
            continue
        whole = pattern.replace("{target}", re.escape(target))
        found = re.fullmatch(whole, name, re.IGNORECASE)
        if found is None:
            continue
        parts = found.groupdict()
        level = parts.get("level")
        if parts.get("place"):
            level = _level_at(int(parts["place"]), levels)
            if not level:
                continue
        if level is not None and level.casefold() not in folded:
            level = printed(level)  # "Class_1.0"
        if level is not None and level.casefold() not in folded:
            continue  # a name may fit a later row
        return ToolName(
            tool=tool,
            meaning=_meaning_beside(meaning, levels),
            model=_model_of(tool, parts.get("model") or ""),
            level=folded.get((level or "").casefold()),
            names_target="{target}" in pattern,
        )
    if name.casefold() in folded and not re.fullmatch(r"[\d.]+", name):
        # caret writes a column per class, called as the class is
        return ToolName(tool=CARET, meaning=Meaning.CHANCE, level=folded[name.casefold()])
    return None


def _level_at(place: int, levels: tuple[str, ...]) -> str:
    """The class of a number from 1, in their own order or as Weka writes it: "2:bad"."""
    own = next((level for level in levels if level.startswith(f"{place}:")), "")
    ordered = own_order(levels)
    return own or (ordered[place - 1] if 0 < place <= len(ordered) else "")


def _meaning_beside(meaning: Meaning, levels: tuple[str, ...]) -> Meaning:
    """A prediction of classes is one of them; a chance needs classes."""
    if meaning is Meaning.PREDICTION and levels:
        return Meaning.CLASS
    return Meaning.PREDICTION if meaning is Meaning.CHANCE and not levels else meaning


def _model_of(tool: str, name: str) -> str:
    """A model's name as the column gives it; SPSS Modeler writes the kind of a model by letters."""
    return _MODELER_MODELS.get(name.lower(), name) if tool == MODELER else name


def is_of_other_column(name: str, columns: tuple[str, ...]) -> bool:
    """Whether a name says that it was made from another column: I_BAD beside BAD."""
    return any(
        other != name
        and (found := tool_name(name, (), other)) is not None
        and found.meaning in LEFT_OUT
        for other in columns
    )
