"""Which of an outcome's values is the event, by words: lists, and what a column's name says."""

from __future__ import annotations

import re
from itertools import chain

_CENSORED = ("cnsr", "censored", "zensiert", "censuré", "censurée", "censurado", "gecensureerd")
_ANSWERS = (
    ("ano", "ne"),
    ("áno", "nie"),
    ("tak", "nie"),
    ("igen", "nem"),
    ("da", "nu"),
    ("da", "ne"),
    ("evet", "hayır"),
    ("sim", "não"),
    ("kyllä", "ei"),
    ("sí", "no"),
    ("sì", "no"),
    ("ja", "nej"),
    ("ja", "nei"),
    ("はい", "いいえ"),
    ("有", "無"),
    ("是", "否"),
    ("예", "아니오"),
    ("да", "нет"),
    ("כן", "לא"),
    ("ναι", "όχι"),
    ("نعم", "لا"),
    ("○", "×"),
)
"""Yes and no in further languages, each beside the other."""
EVENT_LEVELS = (
    "1",
    "yes",
    "y",
    "true",
    "t",
    "bad",
    "event",
    "responder",
    "response",
    "responded",
    "responds",
    "default",
    "defaulted",
    "churn",
    "churned",
    "fraud",
    "tp",
    "positive",
    "pos",
    "schlecht",
    "mauvais",
    "malignant",
    "bösartig",
    "verstorben",
    "décédé",
    "converted",
    "buyer",
    "bought",
    "good-bad",
    "j",
    "ja",
    "oui",
    "si",
    "sí",
    "vrai",
    "wahr",
    "défaut",
    "defaut",
    "ausfall",
    "won",
    "died",
    "dead",
    "deceased",
    "gestorben",
    "overleden",
    "fallecido",
    "charged off",
    "sì",
    "impago",
    "wanbetaling",
    "case",
    "cases",
    "diseased",
    "tumor",
    "spam",
    "approved",
)
NON_EVENT_LEVELS = (
    "0",
    "no",
    "n",
    "false",
    "f",
    "good",
    "nonevent",
    "negative",
    "neg",
    "none",
    "nein",
    "non",
    "faux",
    "falsch",
    "lost",
    "fp",
    "paid off",
    "alive",
    "living",
    "vivant",
    "vivo",
    "levend",
    "nee",
    "fully paid",
    "control",
    "controls",
    "kontrolle",
    "témoin",
    "healthy",
    "gesund",
    "ham",
    "rejected",
)
OPPOSITES = (
    ("1", "0"),
    ("yes", "no"),
    ("y", "n"),
    ("true", "false"),
    ("t", "f"),
    ("ja", "nein"),
    ("j", "n"),
    ("oui", "non"),
    ("bad", "good"),
    ("event", "nonevent"),
    ("positive", "negative"),
    ("pos", "neg"),
    ("died", "alive"),
    ("won", "lost"),
    ("wahr", "falsch"),
    ("vrai", "faux"),
    *_ANSWERS,
)
_NEGATED = re.compile(
    r"\A(?:nicht|not|no|non|keine?|pas de|pas|sans|without|ohne|sin|niet|geen)[ \-]+", re.IGNORECASE
)
PLAIN_ANSWERS = frozenset(
    (
        *("2", "o", "s", "si", "sí", "sì", "nee", "wahr", "falsch", "vrai", "faux"),
        *chain(*OPPOSITES[:8], *_ANSWERS),
    )
)
"""Values that answer a column's name, and say nothing of their own."""


_CODES = re.compile(r"(?<![\w.])(\d)\s*[=:]\s*([^\W\d][^,;/()\[\]=:]*)")

_ENDING = re.compile(
    r"(?<=[\u3040-\u9fff\uac00-\ud7af])(フラグ|有無|確率|概率|機率|スコア|확률|여부)\Z"
)
"""Words for a flag or a chance that end names without a joint: of Japan, China and Korea."""
_CODED = re.compile(r"-?\d+\s*[:=.)\-]\s*([^\W\d].*)")


def without_codes(name: str) -> str:
    """A column's name without what it says of its codes: "Died (1=Yes, 2=No)" is "Died"."""
    rest = re.sub(r"[(\[][\s,;/]*[)\]]", "", _CODES.sub("", name))
    return rest.strip(" ,;/:-") or name


def fold(name: str) -> str:
    """A name in lower case with one kind of joint: also for brackets, %, ? and °."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", without_codes(name))
    plain = re.sub(r"[\s.\-()\[\]%°º:?¿]+", " ", _ENDING.sub(r" \1", spaced)).strip()
    return re.sub(r" +", "_", plain).casefold()


def names_censoring(name: str) -> bool:
    """Whether a name says that its yes means censored, not that the event was seen.

    Short forms such as "cens" are none: they are written both ways.
    """
    return any(part in _CENSORED for part in fold(name).split("_"))


def _event_by_codes(levels: tuple[str, ...], name: str) -> str:
    """The code that is the event by the words for it: "Died (1=Yes, 2=No)", "1:DECEASED"."""
    words = {code: word.strip() for code, word in _CODES.findall(name)}
    own = {form: found[1] for form in levels if (found := _CODED.fullmatch(form))}
    words = words if set(levels) <= words.keys() else own
    if not words or not set(levels) <= words.keys():
        return ""
    said = event_by_words(tuple(words[form] for form in levels), without_codes(name))
    return next((form for form in levels if said is not None and words[form] == said[0]), "")


def _denial_reason(event: str, other: str, name: str) -> str:
    """Why a level says that the other one did not happen: censored, or not bought."""
    if names_censoring(name) and (other.casefold() in EVENT_LEVELS or fold(other) == fold(name)):
        return (
            f": '{other}' says that a case was censored, which is that no event was seen; please "
            "check"
        )
    is_denied = _NEGATED.sub("", other).casefold() == event.casefold() != other.casefold()
    return f", since '{other}' says that it was not so" if is_denied else ""


def guess_event(counts: dict[str, int], name: str = "") -> tuple[str, str]:
    """The level that charts call the event, and why.

    Parameters
    ----------
    counts : dict
        Rows by the printed form of each level.
    name : str
        The column's: it may be that of a level, or speak of censoring.
    """
    said = event_by_words(tuple(counts), name)
    if said is not None:
        return said
    rare = min(counts, key=lambda form: (counts[form], form))
    total = max(1, sum(counts.values()))
    return rare, (
        f"'{rare}' is taken as the event because it is the rarest "
        f"({counts[rare] / total:.1%}): please check"
    )


def event_by_words(levels: tuple[str, ...], name: str = "") -> tuple[str, str] | None:
    """The level that words say is the event, and why; None where they do not say."""
    words = [form for form in levels if form.casefold() not in PLAIN_ANSWERS]
    if len(levels) != 2:
        happened = [form for form in words if form.casefold() in EVENT_LEVELS]
        one = happened[0] if len(happened) == 1 else None
        return None if one is None else (one, f"'{one}' is taken as the event, as usual")
    coded = _event_by_codes(levels, name)
    if coded:
        return coded, f"'{coded}' is taken as the event, by the words for its code"
    first, second = levels
    both = ((first, second), (second, first))
    for event, other in both:
        reason = _denial_reason(event, other, name)
        if reason:
            return event, f"'{event}' is taken as the event{reason}"
    for event, other in both:
        if event in words and fold(event) == fold(name) and other.casefold() not in EVENT_LEVELS:
            return event, f"'{event}' is taken as the event, since the column is called so"
    for event, other in both:
        is_usual = event.casefold() in EVENT_LEVELS and other.casefold() not in EVENT_LEVELS
        if is_usual or (event.casefold(), other.casefold()) in _ANSWERS:
            return event, f"'{event}' is taken as the event, as usual"
    for event, other in both:
        if other.casefold() in NON_EVENT_LEVELS and event.casefold() not in NON_EVENT_LEVELS:
            return event, f"'{event}' is taken as the event, since '{other}' says no"
    return None
