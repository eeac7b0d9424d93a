"""The words of page Decide: the user's own for cases, classes and decisions, and those of the kind.

A loss matrix is decided like any other, but every sentence about it says loss, and lower is better.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.document.decisions.amount_words import AmountWords
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import Document
from core.document.results import DecisionResult
from core.document.wording import format_money
from gui.plots.words import done_word

# Doing it, for decisions that people name by a verb. What was done comes from the charts' own list.
_DOING = {
    "mailed": "mailing",
    "sent to": "sending to",
    "called": "calling",
    "contacted": "contacting",
    "solicited": "soliciting",
    "treated": "treating",
    "lent to": "lending to",
    "granted credit": "granting credit to",
    "accepted": "accepting",
    "approved": "approving",
    "audited": "auditing",
    "declined": "declining",
    "emailed": "emailing",
    "invited": "inviting",
    "made an offer": "making an offer to",
    "phoned": "phoning",
    "referred": "referring",
    "refused": "refusing",
    "rejected": "rejecting",
    "retained": "retaining",
    "checked": "checking",
    "inspected": "inspecting",
    "alerted": "alerting",
    "visited": "visiting",
}


_RESTING = {
    "refuse": "refusing all",
    "decline": "declining all",
    "reject": "rejecting all",
    "wait": "waiting with all",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionWords:
    """How one project speaks of its decisions."""

    case: str
    cases: str
    currency: str
    acting: str
    rest: str
    is_loss: bool
    rest_for_all: str = ""  # with three decisions and more: the best other one for all

    @property
    def done(self) -> str:
        """What happened to a case that was acted on: "mailed", or "acted on"."""
        return done_word(self.acting)

    @property
    def doing(self) -> str:
        """Acting on: "mailing", or "acting on"."""
        return _DOING.get(self.done, "acting on")

    @property
    def amount(self) -> str:
        """The amount the page is about: profit or loss."""
        return self.verbs.name

    @property
    def verbs(self) -> AmountWords:
        """The verbs of the page's money: brings, or loses."""
        return AmountWords(self.is_loss)

    @property
    def resting(self) -> str:
        """What all get where nobody is acted on, in a sentence: "doing nothing" or its name."""
        return self.all_get(self.rest_for_all or self.rest)

    @staticmethod
    def all_get(name: str) -> str:
        """One decision for all, other than acting: "doing nothing", or “Refuse” for all."""
        known = name.strip().lower()
        if known in ("", "do nothing", "nothing", "ignore"):
            return "doing nothing"
        return _RESTING.get(known, f"“{name}” for all")

    @property
    def acting_on_all(self) -> str:
        """The acting decision for all: "mailing all", or “Premium” for all."""
        return f"{self.doing} all" if self.doing != "acting on" else f"“{self.acting}” for all"

    def shown(self, profit: float) -> float:
        """A profit as this page writes it: turned round where the matrix holds losses."""
        return -profit if self.is_loss else profit

    def money(self, profit: float, *, sign: bool = False) -> str:
        """A profit as money in the page's own direction."""
        return format_money(self.shown(profit), self.currency, sign=sign)

    def interval(self, low: float, high: float) -> tuple[float, float]:
        """Ends of an interval of profits in the page's own direction, the lower first."""
        return (-high, -low) if self.is_loss else (low, high)

    def label_of(self, document: Document, level: str) -> str:
        """The user's word for a class."""
        return document.target.label(level) if document.target else level


def foresight_words(missed: float, best: float, words: DecisionWords) -> str:
    """What perfect foresight would have added: "€ 52 of € 940", or above the least loss."""
    amount = format_money(missed, words.currency)
    if words.is_loss:
        return f"{amount} above the least possible, {words.money(best)}"
    return f"{amount} of {words.money(best)}"


def needs_chances(document: Document, model: str | None = None) -> str:
    """Why something that needs chances is greyed; empty where the model has chances."""
    name = model or document.reference_model or ""
    if not document.is_rank_only(name):
        return ""
    return (
        "“%s” is a score without chances: it ranks cases, but no rule and no expected profit "
        "follow from it. Turn the score into chances first."
    ).replace("%s", name)


def words_of(document: Document, result: DecisionResult | None = None) -> DecisionWords:
    """The words of a project; the result knows what cases beyond the depth get."""
    matrix = document.matrix
    acting = result.acting if result else (matrix.acting if matrix else "Act")
    nothing = (matrix.do_nothing or "") if matrix else ""
    # With three decisions and more the result says "their best other decision", which is no name.
    rest = result.rest if result and result.rest in result.decisions else nothing
    kind = result.kind if result else (matrix.kind.value if matrix else MatrixKind.PROFIT.value)
    return DecisionWords(
        case=document.case_word[0],
        cases=document.case_word[1],
        currency=document.currency,
        acting=acting,
        rest=rest or "Do nothing",
        rest_for_all=result.all_get if result and result.all_get in result.decisions else "",
        is_loss=kind == MatrixKind.LOSS.value,
    )
