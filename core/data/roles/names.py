"""What the name of a column says: words that stand in it, a model, a level, the outcome."""

from __future__ import annotations

import re

from core.data.roles.words import (
    ANSWERS,
    CHANCE_WORDS,
    COUNT_WORDS,
    ID_NAMES,
    PLACE_NAMES,
    SCORE_WORDS,
)
from core.document.data.events import OPPOSITES, fold

_WORDS = "|".join(sorted(SCORE_WORDS, key=len, reverse=True))
_JOINT = r"[_.\s\-]"
_PREFIX = re.compile(rf"(?:{_WORDS}|pred|prediction){_JOINT}(?P<rest>.+)\Z", re.IGNORECASE)
_SUFFIX = re.compile(rf"(?P<rest>.+){_JOINT}(?:{_WORDS}|pred)\Z", re.IGNORECASE)
_SUFFIX_LEVEL = re.compile(
    rf"(?P<model>.+?)[_. \-](?:{_WORDS})[_. \-]?(?P<level>[^_. \-]+)\Z", re.IGNORECASE
)
_UNIT = re.compile(
    r"(?:[_. \-]?[(\[]\s*(?:in )?(?:[%‰]|percent|prozent|promille|permille)\s*[)\]]|\s*[%‰]|"
    r"\s+in\s+[%‰]|[_. \-](?:pct|percent|percentage|prozent|promille|pro[_ ]?mille|permille|"
    r"per[_ ]mil(?:le)?|in[_ ](?:points|punkten|punti|punten)))\Z",
    re.IGNORECASE,
)
#: What programs put in front of a name: scikit-learn's users, and tables of sums and means.
_BEFORE = re.compile(
    r"\A(?:y(?:hat)?[_. ](?=prob|score)|(?:average|avg|mean|sum|max|min|mittelwert|moyenne) "
    r"(?:of|von|de) )",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\Z")
_AS_FUNCTION = re.compile(r"\A(?:p|pr|prob)\s*[(\[](?P<rest>[^()\[\]]+)[)\]]\Z", re.IGNORECASE)
_POINTS = re.compile(
    r"score(?:card)?[_. \-]?(?:points?|punkte|wert|value)|points? de score", re.IGNORECASE
)
_COMPOUND = re.compile(
    r"(?P<rest>\w{4,}?)(?:s?wahrscheinlichkeit|s?wahrsch\.?|(?<!under)score)", re.IGNORECASE
)
_COMPOUND_OF = re.compile(rf"\w{{4,}}?s?wahrscheinlichkeit{_JOINT}(?P<rest>.+)", re.IGNORECASE)
_COMPOUND_CJK = re.compile(
    r"(?P<rest>[\u3040-\u9fff\uac00-\ud7af]+?)(?:確率|概率|機率|확률|スコア)"
)
_EDITION = re.compile(
    rf"(?P<rest>.+?){_JOINT}(?P<edition>v(?:er(?:sion)?)?[_.]?\d[\d.]*)", re.IGNORECASE
)
_POINT_WORDS = ("score", "scores", "points", "punkte", "rating", "days", "no", "nr")
_MODEL_WORDS = ("model", "modell", "modèle", "modele", "modelo", "modello")
_BARE = re.compile(rf"(?:{_WORDS})\d*\Z", re.IGNORECASE)
_PLAIN_SCORE = re.compile(r"(?:scored?|predicted|model)[ _.\-](?:prob\w*|score)", re.IGNORECASE)
_OF = re.compile(
    r"\A(?:of|to|for|de|du|des|der|d['\u2019]|di|del|op|für)(?:\b[_.\s\-]*|(?<=['\u2019]))", re.I
)


def without_answers(folded: str) -> str:
    """A folded name without the part that says yes or no: "ausfall_j/n" is "ausfall"."""
    parts = folded.split("_")
    while len(parts) > 1 and parts[-1] in ANSWERS:
        parts.pop()
    while len(parts) > 1 and parts[0] in ("is", "has", "ist", "hat", "flag", "ind"):
        parts.pop(0)
    return "_".join(parts)


def opposite_level(form: str) -> str:
    """The opposite of a level such as "yes", written in the same way; nothing if it has none."""
    folded = form.casefold()
    for yes, no in OPPOSITES:
        if folded in (yes, no):
            other = no if folded == yes else yes
            return other.upper() if form.isupper() else other.title() if form.istitle() else other
    return ""


def has_word(name: str, words: tuple[str, ...]) -> bool:
    """Whether one of the words stands in a name on its own (between joints)."""
    parts = fold(name).split("_")
    whole = fold(name)
    return whole in words or any(part in words for part in parts)


def split_score_name(
    name: str, levels: tuple[str, ...], target: str
) -> tuple[str, str | None] | None:
    """Model and level in the name of a score column; None when the name says no score.

    ``P_target1`` (the way of SAS Enterprise Miner), ``prob_1``, ``p_gbm2``, ``gbm_p1``,
    ``logit_prob``, ``proba``. A level counts only if the target has it.
    """
    bare = _AS_FUNCTION.sub(r"p_\g<rest>", bare_name(name))
    found = _split_bare(bare, levels, target) or _split_bare(
        _BRACKETS.sub("", bare),
        levels,
        target,  # "Readmission score (LACE)"
    )
    edition = None if found else _EDITION.fullmatch(bare)
    parts = _split_bare(edition["rest"], levels, target) if edition else None
    if edition and parts:  # "model_score_v2"
        return f"{parts[0]} {edition['edition']}".strip(), parts[1]
    return found


def _split_bare(name: str, levels: tuple[str, ...], target: str) -> tuple[str, str | None] | None:
    folded = {level.casefold(): level for level in levels}
    is_bare = name.casefold() in SCORE_WORDS
    if is_bare or _POINTS.search(name) or _PLAIN_SCORE.fullmatch(name):
        return "", None
    compound = _COMPOUND.fullmatch(name) or _COMPOUND_CJK.fullmatch(name)
    if compound:
        rest = compound["rest"]
        return ("" if is_outcome_words(rest, target) else rest), None
    sas = f"p_{target}".casefold() if target else None
    rest = name.casefold().removeprefix(sas) if sas else name.casefold()
    if rest != name.casefold() and rest in folded:
        return "", folded[rest]
    found = _SUFFIX_LEVEL.match(name)
    if found and found["level"].casefold() in folded:
        return found["model"], folded[found["level"].casefold()]
    found = _PREFIX.match(name) or _COMPOUND_OF.fullmatch(name)
    if found:
        described = _OF.sub("", found["rest"], count=1)
        model, level = _split_rest(described, folded)
        # "Chance to pay", "Kans op vertrek": what is predicted, and no model
        is_of = described != found["rest"] and bool(target)
        return ("" if is_of or is_outcome_words(model, target) else model), level
    found = _SUFFIX.match(name)
    if found:
        return ("" if is_outcome_words(found["rest"], target) else found["rest"]), None
    bare = re.match(rf"(?:{_WORDS})[_. \-]?(?P<level>.+)\Z", name, re.IGNORECASE)
    if bare and bare["level"].casefold() in folded:
        return "", folded[bare["level"].casefold()]
    return ("", None) if _BARE.match(name) else None


def bare_name(name: str) -> str:
    """A column's name without a sign of percent at its end."""
    return _UNIT.sub("", _BEFORE.sub("", name)).rstrip(" .:?") or name


def names_percent(name: str) -> bool:
    """Whether a name ends in a sign of percent: "PD (%)", "risk_pct"."""
    found = _UNIT.search(name)
    return found is not None and not re.search(r"‰|mil|point|punt|punk", found[0], re.IGNORECASE)


def names_probability(name: str) -> bool:
    """Whether a name spells out that a chance is meant, in any language: no score, no "p"."""
    words = fold(bare_name(name)).split("_")
    is_other = not set(words).isdisjoint((*ID_NAMES, *COUNT_WORDS, *PLACE_NAMES, *_POINT_WORDS))
    said = (word in CHANCE_WORDS or word.endswith("wahrscheinlichkeit") for word in words)
    return not is_other and any(said)


def names_score_alone(name: str) -> bool:
    """Whether a name is a word for score and nothing else, as "PD" is: no letter, such as p."""
    bare = bare_name(name).strip()
    return len(bare) > 1 and _BARE.match(bare) is not None


def split_model_name(name: str, scored: tuple[str, ...]) -> tuple[str, None] | None:
    """The model that a name says as the names of scores do; None when it says none.

    "Model B" and "Model XGB (%)" beside "Model A score": the names of the models, folded in
    ``scored``, have the word model in common, and differ in one letter, number or word. A word
    counts only before a sign of percent: "Model age" is no model.
    """
    bare = _UNIT.sub("", name)
    words = fold(bare).split("_")
    for other in scored:
        pairs = list(zip(words, other.split("_"), strict=False))
        differing = [pair for pair in pairs if pair[0] != pair[1]]
        is_same_length = len(words) == len(other.split("_"))
        is_named = any(word == like and word in _MODEL_WORDS for word, like in pairs)
        if not is_same_length or not is_named or len(differing) != 1:
            continue
        is_mark = all(len(word) == 1 or word.isdigit() for word in differing[0])
        if is_mark or bare != name:
            return bare, None
    return None


def is_outcome_words(words: str, target: str) -> bool:
    """Whether what stands beside "probability" names the outcome and no model."""
    outcome, described = without_answers(fold(target)), fold(words)
    return len(described) > 2 and f"_{described}_" in f"_{outcome}_"


def _split_rest(rest: str, folded: dict[str, str]) -> tuple[str, str | None]:
    """What stands after ``p_``: a level, a model, or a model and a level."""
    if rest.casefold() in folded:
        return "", folded[rest.casefold()]
    pieces = re.split(r"[_. \-]", rest)
    for count in range(1, len(pieces)):
        tail = rest[-len("_".join(pieces[-count:])) :]
        if tail.casefold() in folded:
            return rest[: -len(tail) - 1], folded[tail.casefold()]
    return rest, None


def model_label(raw: str) -> str:
    """A model's name as shown: ``gbm2`` -> ``gbm 2``, ``random_forest`` -> ``random forest``."""
    text = re.sub(r"[_.\-\s]+", " ", raw).strip()
    text = f"model {text}" if text.isdigit() else text
    text = re.sub(r"(?<=[A-Za-z]{2})(?=\d+$)", " ", text)
    return text or "model"
