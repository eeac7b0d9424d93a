"""What a project says of an experiment: who was treated, what counts, and what treating costs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from core.document.data.model import MissingOutcomes
from core.document.made import made

_CONTROL_NAMES = frozenset(
    {
        "control",
        "controls",
        "control group",
        "kontrolle",
        "kontrollgruppe",
        "témoin",
        "temoin",
        "groupe témoin",
        "groupe temoin",
        "contrôle",
        "controle",
        "groupe contrôle",
        "kontrola",
        "kontrolní",
        "kontrolní skupina",
        "kontrolna",
        "grupa kontrolna",
        "grupo de control",
        "grupo control",
        "gruppo di controllo",
        "controllo",
        "controlegroep",
        "placebo",
        "holdout",
        "hold out",
        "untreated",
        "unbehandelt",
        "non traité",
        "no treatment",
        "no mail",
        "not mailed",
    }
)
"""What a control group is called, and hardly anything else."""
_SHORT_ARMS = ({"zg", "kg"}, {"tg", "kg"}, {"vg", "kg"}, {"tg", "cg"})
"""Target (Zielgruppe, Versuchsgruppe) and control group in two letters: of kg alone it is none."""
_CONTROL_WORDS = _CONTROL_NAMES | {
    "0",
    "no",
    "none",
    "false",
    "c",
    "n",
    "no e mail",
    "no email",
    "usual care",
    "original",
    "not treated",
    "without",
    "nein",
    "falsch",
    "ohne",
    "keine",
    "non",
    "faux",
    "sans",
    "aucun",
}
_TREATED_WORDS = frozenset(
    [
        "1",
        "treated",
        "treatment",
        "yes",
        "true",
        "t",
        "y",
        "test",
        "alert",
        "ja",
        "wahr",
        "behandelt",
        "oui",
        "vrai",
        "traité",
    ]
)
_WITHOUT = re.compile(r"(?:no|without|not|non|ohne|kein|keine|nicht|sans|pas)\b")


class UpliftKind(StrEnum):
    """How a ranking by uplift is made of models trained here.

    ``TWO_MODELS``: a model of the treated less a model of the control cases. ``TREATMENT_INPUT``:
    one model with the treatment as an input, asked with both arms.
    """

    TWO_MODELS = "two_models"
    TREATMENT_INPUT = "treatment_input"


class NuChoice(StrEnum):
    """The baseline of V_nu: none, the best for the last point, or about the best for the area."""

    ZERO = "zero"
    OVERALL = "overall"
    AREA = "area"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftModel:
    """A ranking by the difference of predictions; ``parts`` are names of trained models."""

    name: str
    kind: UpliftKind
    parts: tuple[str, ...]
    series: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftSpec:
    """The experiment as page Uplift reads it.

    Attributes
    ----------
    treatment, treated, control : str
        Column and the two levels that are compared; empty = the guessed ones.
    outcome, event : str
        Column of the outcome (empty = the project's), and for levels the one that counts.
    missing_outcomes : MissingOutcomes
        What is done with rows that have no value in an outcome of the experiment's own; of rows
        without the project's outcome, the document says it.
    propensity : str or None
        Column of the chance of being treated; empty: the share of the treated, whatever columns
        there are; None: the column with that role, where there is one.
    estimates_propensity : bool
        Whether chances are estimated from the inputs where no column of them is named.
    clip : float
        Estimated chances are kept this far from 0 and 1.
    column_clip : float or None
        Chances of a column are kept this far; None = they are as they are, and refused at 0 and 1.
    planned_share : float or None
        Share of the treated as planned.
    drawn_by_lot : bool or None
        What the user knows; None = not said.
    value, contact, redemption : float
        Worth of a unit of the outcome; cost of a contact; cost of a unit of a treated case.
    follows_matrix : bool
        Whether the three prices are those of the project's decision matrix.
    most_cases : int or None
        Most cases that can be treated.
    nu : NuChoice or float
        The baseline of the curve, a number where somebody chose one.
    models : tuple of UpliftModel
    metrics : tuple of str
        Ids of the metrics in the table; empty = the usual ones and every third party's.
    true_effect : str or None
        Column of the true effect of each case (simulated data), or of its mean if treated.
    true_control : str or None
        Column of its mean if not treated, taken off; None where ``true_effect`` is the effect.
    note : str
        What a sample wants to show, told above its figures.
    """

    treatment: str = ""
    treated: str = ""
    control: str = ""
    outcome: str = ""
    event: str = ""
    missing_outcomes: MissingOutcomes = MissingOutcomes.LEAVE_OUT  # as projects without a word do
    propensity: str | None = None
    estimates_propensity: bool = False
    clip: float = 0.01
    column_clip: float | None = None
    planned_share: float | None = None
    drawn_by_lot: bool | None = None
    value: float = 1.0
    contact: float = 0.0
    redemption: float = 0.0
    follows_matrix: bool = False
    most_cases: int | None = None
    nu: NuChoice | float = NuChoice.ZERO
    models: tuple[UpliftModel, ...] = ()
    metrics: tuple[str, ...] = ()
    note: str = made("")
    true_effect: str | None = None
    true_control: str | None = None

    def with_part_renamed(self, name: str, new_name: str) -> UpliftSpec:
        """Return the experiment with its rankings made of a trained model under its new name."""
        models = tuple(
            replace(made, parts=tuple(new_name if part == name else part for part in made.parts))
            for made in self.models
        )
        return replace(self, models=models)


def names_control(level: str) -> bool:
    """Whether a level is called what control groups are called: "Control", "Kontrollgruppe"."""
    return _plain(level) in _CONTROL_NAMES


def names_arms(levels: Sequence[str]) -> bool:
    """Whether two levels are short for a target and a control group: "ZG" and "KG"."""
    return {_plain(level) for level in levels} in _SHORT_ARMS


def control_of_others(levels: Sequence[str]) -> str:
    """The level that denies what all others are: "No E-Mail" beside "Mens E-Mail"; or nothing."""
    for level in levels:
        found = _WITHOUT.match(_plain(level))
        denied = _plain(level)[found.end() :].strip() if found is not None else ""
        others = [_plain(other) for other in levels if other != level]
        if denied and others and all(other.endswith(denied) for other in others):
            return level if any(other != denied for other in others) else ""
    return ""


def guess_control(
    levels: Sequence[str], column: str = "", words: Mapping[str, str] = MappingProxyType({})
) -> str | None:
    """The level that looks like the control arm; None where it cannot be told.

    A column called "control" in which 1 may mean control cannot be told. ``words`` are the file's
    own for its codes, which say more than the codes: of these 0 alone counts beside words.
    """
    if words:
        named = {words.get(level, level): level for level in levels}
        told = _named_control(tuple(named))
        return named[told] if told is not None else "0" if "0" in levels else None
    is_turned = any(word in column.casefold() for word in ("control", "holdout", "kontroll"))
    return None if is_turned else _named_control(levels)


def _named_control(levels: Sequence[str]) -> str | None:
    if names_arms(levels):
        return next(level for level in levels if _plain(level) in ("kg", "cg"))
    found = [level for level in levels if _plain(level) in _CONTROL_WORDS]
    if len(found) == 1:
        return found[0]
    begun = [level for level in levels if _WITHOUT.match(_plain(level))]
    if not found and len(begun) == 1:
        return begun[0]
    if len(levels) == 2:
        named = [level for level in levels if _plain(level) in _TREATED_WORDS]
        if len(named) == 1:
            return next(level for level in levels if level != named[0])
    return None


def _plain(level: str) -> str:
    return re.sub(r"[\s_.\-]+", " ", level.strip().casefold())


_AFTER = re.compile(r"(post\d*$|post_|_post|^time_to|_after(_|$)|follow_?up)")
_FOLLOWED = re.compile(r"[a-z_](14|28|30|60|90)d?$")
_OUTCOMES = frozenset(
    {
        "visit",
        "conversion",
        "converted",
        "spend",
        "spent",
        "purchase",
        "purchased",
        "revenue",
        "response",
        "responded",
        "outcome",
        "y",
        "opened",
        "clicked",
        "click",
        "open",
    }
)
RESPONSE_NAMES = frozenset({"opened", "open", "clicked", "click", "redeemed", "exposed", "read"})


def looks_after_treatment(column: str) -> bool:
    """Whether a name says that the column was measured after the treatment."""
    name = column.casefold()
    return bool(_AFTER.search(name) or _FOLLOWED.search(name)) or name in _OUTCOMES


def looks_like_exposure(column: str) -> bool:
    """Whether a treatment column is what cases did (opened, clicked), not what was assigned."""
    words = set(re.split(r"[^a-z]+", column.casefold()))
    return bool(words & RESPONSE_NAMES)


_EFFECTS = frozenset({"uplift", "upliftscore", "cate", "ite", "behandlungseffekt"})
_EFFECT_PHRASES = re.compile(
    r"(?:treatment|incremental|individual) effect|effe(?:t|cto) (?:du |de |del |d )?tra"
)
_KNOWN = frozenset({"true", "actual", "real", "oracle", "wahr", "wahrer", "vrai", "verdadero"})


def names_effect(column: str) -> bool:
    """Whether a column's name is that of a predicted effect: "Uplift score", "treatment_effect".

    The true effect, which only made-up data know, is none that was predicted.
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column)
    words = re.split(r"[\W_]+", spaced.casefold())
    is_named = bool(_EFFECTS & set(words) or _EFFECT_PHRASES.search(" ".join(words)))
    return is_named and not _KNOWN & set(words)
