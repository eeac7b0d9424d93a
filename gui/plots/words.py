"""The user's words on charts: who is found, who is acted on, and how each model is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.document.decisions.chance_words import chances_words
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import ChartMode, Document
from core.document.results import DecisionResult
from gui.plots.spec import ChartSpec

# Decisions are verbs ("Mail"); a chart needs what was done to a case ("mailed").
_DONE = {
    "act": "acted on",
    "accept": "accepted",
    "alert": "alerted",
    "approve": "approved",
    "audit": "audited",
    "call": "called",
    "check": "checked",
    "contact": "contacted",
    "decline": "declined",
    "email": "emailed",
    "grant": "granted credit",
    "inspect": "inspected",
    "invite": "invited",
    "lend": "lent to",
    "mail": "mailed",
    "offer": "made an offer",
    "phone": "phoned",
    "refer": "referred",
    "refuse": "refused",
    "reject": "rejected",
    "retain": "retained",
    "send": "sent to",
    "solicit": "solicited",
    "treat": "treated",
    "visit": "visited",
}
# What happened is a verb too ("responds"); a group of cases needs a noun ("responders").
_GROUPS = {
    "responds": "responders",
    "buys": "buyers",
    "donates": "donors",
    "gives": "givers",
    "pays": "payers",
    "pays back": "payers",
    "churns": "churners",
    "leaves": "leavers",
    "defaults": "defaulters",
    "cancels": "cancellers",
    "visits": "visitors",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLook:
    """A model's name and the series that fixes its colour and dash."""

    name: str
    series: int


def money_by_depth(document: Document) -> str:
    """The name of the chart of money: profit, or loss where the matrix holds losses."""
    matrix = document.matrix
    is_loss = matrix is not None and matrix.kind is MatrixKind.LOSS
    return "Loss by depth" if is_loss else "Profit by depth"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLook:
    """Everything a chart takes from the document: words, currency, models, the chosen one."""

    models: tuple[ModelLook, ...]
    chosen: str
    event: str = "events"  # "responders"
    others: str = "others"
    happened: str = "happened"  # axis of the calibration chart: "responded" or the level's label
    case: str = "case"
    cases: str = "cases"
    counted: str = "cases"  # what is counted within a depth: rows, where rows have weights
    done: str = "acted on"  # "mailed"
    act: str = "Act"  # the decision's own name: "Mail"
    currency: str = "€"
    mode: ChartMode = ChartMode.ACT_ON_BEST
    is_loss: bool = False
    is_reversed: bool = False  # acting pays on the others: lowest chance of the event first
    is_apart: bool = False  # who is acted on does not follow the event's chance
    provenance: str = ""  # models whose chances were fitted to their scores, and how

    @classmethod
    def from_document(
        cls,
        document: Document,
        level: str | None = None,
        decisions: DecisionResult | None = None,
    ) -> ChartLook:
        """The look of a document's charts, for the event level or another one.

        ``decisions`` tells what a worded matrix comes to; a plain one says it itself.
        """
        target, matrix = document.target, document.matrix
        shown = level or (target.event if target else "")
        label = target.label(shown) if target else shown
        act = matrix.acting if matrix else ""
        names = tuple(ModelLook(name=m.name, series=m.series) for m in document.models)
        return cls(
            models=names,
            chosen=document.reference_model or (names[0].name if names else ""),
            event=group_word(label, document.case_word[1]),
            others="others",
            happened=label or "happened",
            case=document.case_word[0],
            cases=document.case_word[1],
            counted=document.row_word[1],
            done=done_word(act),
            act=act or "Act",
            currency=document.currency,
            mode=document.chart_mode,
            is_loss=matrix is not None and matrix.kind is MatrixKind.LOSS,
            is_reversed=_acts_on_others(document, shown, decisions),
            is_apart=_acts_apart(document, decisions),
            provenance="; ".join(
                f"{model.name}: "
                + chances_words(model.chances, document.rows_used, document.data_hash)
                for model in document.models
                if model.chances is not None
            ),
        )

    @property
    def is_by_event(self) -> bool:
        """Whether the best by the event's chance are not the ones acted on."""
        return self.is_reversed or self.is_apart

    def with_provenance(self, spec: ChartSpec) -> ChartSpec:
        """The chart with its note of fitted chances: "points: isotonic, cross-fitted"."""
        if not self.provenance:
            return spec
        parts = (part for part in (self.provenance, spec.subtitle) if part)  # the end is cut first
        said = f"Chances fitted to scores: {self.provenance}."
        return replace(
            spec, subtitle="; ".join(parts), definition=f"{spec.definition} {said}".strip()
        )

    def series_of(self, model: str) -> int:
        """The series of a model; models the document does not know come after the others."""
        found = next((entry.series for entry in self.models if entry.name == model), None)
        return len(self.models) if found is None else found


def _acts_apart(document: Document, decisions: DecisionResult | None) -> bool:
    """Are cases acted on in another order than that of one chance?

    So it is with three classes, with three decisions, and where costs or amounts differ by case:
    the best n % by advantage are then not the n % with the highest chance of the event.
    """
    target, matrix = document.target, document.matrix
    if target is None or not target.levels:
        return False
    if len(target.levels) > 2:
        return True
    if decisions is not None and not decisions.knots:
        return decisions.threshold_kind == "advantage"
    if matrix is None:
        return False
    return len(matrix.decisions) > 2 or any(cost.column for cost in matrix.costs)


def _acts_on_others(document: Document, level: str, decisions: DecisionResult | None) -> bool:
    """Does acting pay on cases without the event (lending, where the event is a default)?"""
    matrix = document.matrix
    levels = decisions.levels if decisions is not None else matrix.levels if matrix else ()
    names = decisions.decisions if decisions is not None else matrix.decisions if matrix else ()
    acting = decisions.acting if decisions is not None else matrix.acting if matrix else ""
    cells = decisions.cells.tolist() if decisions is not None else matrix.cells if matrix else ()
    if decisions is not None and decisions.shares is not None and decisions.shares.any():
        cells = decisions.shares.tolist()  # what the amount adds says on whom acting pays
    if len(levels) != 2 or len(cells) != 2 or level not in levels or acting not in names:
        return False
    column = names.index(acting)
    sign = -1.0 if matrix is not None and matrix.kind is MatrixKind.LOSS else 1.0
    gains = []
    for row in cells:
        others = [sign * value for index, value in enumerate(row) if index != column]
        gains.append(sign * row[column] - max(others, default=0.0))
    event = levels.index(level)
    return gains[event] < gains[1 - event]


def done_word(decision: str) -> str:
    """What was done to a case: "Mail" -> "mailed"; unknown verbs -> "given “Premium”"."""
    if not decision.strip():
        return "acted on"
    known = _DONE.get(decision.strip().lower())
    return known if known else f"given “{short_name(decision)}”"


def short_name(name: str, most: int = 24) -> str:
    """A name as a title has room for it: a long one loses its end."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def group_word(label: str, cases: str) -> str:
    """The cases of a level: "responds" -> "responders", "bad" -> "bad customers"."""
    known = _GROUPS.get(label.strip().lower())
    if known:
        return known
    if not label or label.strip().lower() in {"1", "yes", "true", "y"}:
        return "events"
    if label.strip()[-1].isdigit():  # "2 cases" would be a count
        return f"“{label}” {cases}"
    return f"{label} {cases}"


def capitalised(text: str) -> str:
    """The text with its first letter large, the rest as it is."""
    return text[:1].upper() + text[1:]
