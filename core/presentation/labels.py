"""How one project speaks: its cases, classes, decisions, money, and how each model is drawn.

A loss matrix is decided like any other, but every sentence about it says loss, and lower is better.

Numbers in sentences: numbers of the matrix, distances from them, predictions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from core.document.decisions.matrix_model import MatrixKind
from core.document.decisions.wanted import wanted_rows
from core.document.decisions.words import AmountWords, probabilities_words
from core.document.model import ChartMode, Document, Role, TrainedModel, TreeRule
from core.document.results import DecisionResult
from core.document.wording import (
    MINUS,
    NBSP,
    NumberText,
    estimate_decimals,
    format_money,
    format_number,
    format_share,
    small_decimals,
)

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
class ModelStyle:
    """A model's name and the series that fixes its colour and dash."""

    name: str
    series: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TreesStyle:
    """With how many trees a model predicts, and what chose them: "best", "by hand"; empty: nothing.

    Only the lowest loss of rows that did not train, and were no test rows, is called best.
    """

    model: str
    used: int
    mark: str

    @classmethod
    def of(cls, trained: TrainedModel) -> TreesStyle:
        """Return the look of a trained model."""
        rule, own = trained.tree_rule, "best" if trained.choice else ""
        mark = own if rule is None else _MARKS.get(rule, own)
        return cls(model=trained.name, used=trained.trees_used or trained.trees, mark=mark)


_MARKS = {
    TreeRule.HAND: "by hand",
    TreeRule.OUT_OF_BAG: "out of bag",
    TreeRule.TEST: "lowest on test rows",
    TreeRule.ALL: "",
}


def money_by_depth(document: Document) -> str:
    """The name of the chart of money: profit, or loss where the matrix holds losses."""
    matrix = document.matrix
    is_loss = matrix is not None and matrix.kind is MatrixKind.LOSS
    return "Loss by depth" if is_loss else "Profit by depth"


def word_with_code(word: str, code: str) -> str:
    """A code with the file's word for it: "North (1)"."""
    return f"{word} ({code})" if word and word != code else code


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """All words that a view takes from the document: case, classes, decisions, money, models."""

    models: tuple[ModelStyle, ...] = ()  # of the outcome
    effects: tuple[ModelStyle, ...] = ()  # models of what treating changes
    trees: tuple[TreesStyle, ...] = ()  # of trained models
    rankings: tuple[ModelStyle, ...] = ()  # of an experiment, that are made of models
    chosen: str = ""
    event: str = "events"  # "responders"
    others: str = "others"
    outcome: str = ""  # the column of the outcome
    identity: str = ""  # the column that names each case
    treatment: str = ""  # the column of an experiment's arms
    where: str = ""  # the row filter
    happened: str = "happened"  # axis of the calibration chart: "responded" or the level's label
    levels: tuple[tuple[str, str], ...] = ()  # (class, the user's word for it)
    #: Column -> (code, the file's word for it), where a file has words for its codes
    codes: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    case: str = "case"
    cases: str = "cases"
    #: What is counted within a depth: one and several; rows, where rows have weights
    counted: tuple[str, str] = ("case", "cases")
    currency: str = "€"
    acting: str = "Act"  # the decision's own name: "Mail"
    rest: str = "Do nothing"  # what cases get that are not acted on
    rest_for_all: str = ""  # with three decisions and more: the best other one for all
    mode: ChartMode = ChartMode.ACT_ON_BEST
    is_loss: bool = False
    is_reversed: bool = False  # acting pays on the others: lowest chance of the event first
    is_apart: bool = False  # who is acted on does not follow the event's chance
    wanted: tuple[tuple[str, bool], ...] = ()  # (class, whether more of it is a gain); "": a number
    provenance: str = ""  # models whose chances were fitted to their scores, and how
    part: str = ""  # which of several views of one answer: what stands behind the question's key
    depth: float | None = field(default=None, compare=False)  # of the cursor, once it was moved

    @classmethod
    def of(
        cls,
        document: Document,
        decisions: DecisionResult | None = None,
        *,
        level: str | None = None,
    ) -> Labels:
        """Return the labels of a document.

        Parameters
        ----------
        document : Document
        decisions : DecisionResult, optional
            Its totals, which know what a worded matrix comes to and what cases beyond the depth
            get; a plain matrix says it itself.
        level : str, optional
            The class that charts are about; left out: the event.
        """
        target, matrix = document.target, document.matrix
        if decisions is not None and not _is_of(decisions, document):
            decisions = None
        shown = level or (target.event if target else "")
        label = target.label(shown) if target else shown
        predicting = {entry.name for entry in document.outcome_models}
        styles = tuple(ModelStyle(name=m.name, series=m.series) for m in document.models)
        nothing = (matrix.do_nothing or "") if matrix else ""
        # With three decisions and more the result says "their best other decision": no name.
        is_named = decisions is not None and decisions.rest in decisions.decisions
        kind = decisions.kind if decisions else matrix.kind.value if matrix else ""
        return cls(
            models=tuple(style for style in styles if style.name in predicting),
            effects=tuple(style for style in styles if style.name not in predicting),
            trees=tuple(TreesStyle.of(m.trained) for m in document.models if m.trained is not None),
            rankings=tuple(
                ModelStyle(name=made.name, series=made.series) for made in document.uplift.models
            ),
            chosen=document.outcome_reference,
            event=group_word(label, document.case_word[1]),
            outcome=target.column if target is not None else "",
            identity=document.column_of(Role.ID) or "",
            treatment=document.column_of(Role.TREATMENT) or "",
            where=document.split.where,
            happened=label or "happened",
            levels=tuple((name, target.label(name)) for name in target.levels) if target else (),
            codes=document.data.code_words if document.data is not None else (),
            case=document.case_word[0],
            cases=document.case_word[1],
            counted=document.row_word,
            currency=document.currency,
            acting=(decisions.acting if decisions else matrix.acting if matrix else "") or "Act",
            rest=(decisions.rest if decisions and is_named else nothing) or "Do nothing",
            rest_for_all=decisions.all_get
            if decisions and decisions.all_get in decisions.decisions
            else "",
            mode=document.chart_mode,
            is_loss=kind == MatrixKind.LOSS.value,
            is_reversed=_acts_on_others(document, shown, decisions),
            is_apart=_acts_apart(document, decisions),
            wanted=_wanted(document, decisions),
            provenance="; ".join(
                f"{model.name}: "
                + probabilities_words(model.calibration, document.rows_used, document.data_hash)
                for model in document.models
                if model.calibration is not None
            ),
            depth=document.cursor_depth,
        )

    @property
    def is_by_event(self) -> bool:
        """Whether the best by the event's chance are not the ones acted on."""
        return self.is_reversed or self.is_apart

    def series_of(self, model: str) -> int:
        """The series of a model or a ranking; what the document does not know comes last."""
        looks = (*self.models, *self.effects, *self.rankings)
        found = next((entry.series for entry in looks if entry.name == model), None)
        return len(self.models) + len(self.effects) if found is None else found

    def trees_of(self, model: str) -> TreesStyle:
        """How many trees of a model are used; 0 of one that the document does not know."""
        found = (look for look in self.trees if look.model == model)
        return next(found, TreesStyle(model=model, used=0, mark=""))

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

    def money(self, profit: float, *, sign: bool = False, decimals: int | None = None) -> str:
        """A profit as money in the page's own direction; ``decimals`` as amounts beside it have."""
        places = estimate_decimals(profit) if decimals is None else decimals
        return format_money(self.shown(profit), self.currency, decimals=places, sign=sign)

    def interval(self, low: float, high: float) -> tuple[float, float]:
        """Ends of an interval of profits in the page's own direction, the lower first."""
        return (-high, -low) if self.is_loss else (low, high)

    def rise_role(self, level: str, rise: float) -> str:
        """The colour of what raises (or lowers) the chance of a class, or a predicted number.

        The one rule of all charts and lists: gain where the matrix pays more, loss where it pays
        less; the accent where no matrix says which, or nothing moves.
        """
        wanted = dict(self.wanted).get(level)
        if wanted is None or rise == 0:
            return "accent"
        return "gain" if wanted is (rise > 0) else "loss"

    def level(self, name: str) -> str:
        """The user's word for a class."""
        return dict(self.levels).get(name, name)

    def value(self, column: str, code: str) -> str:
        """A value of a column with the file's word for it, where it has one: "North (1)"."""
        return word_with_code(dict(dict(self.codes).get(column, ())).get(code, ""), code)

    def arm(self, code: str) -> str:
        """An arm of an experiment with the file's word for it, where it has one."""
        return self.value(self.treatment, code)

    def values(self, column: str, codes: tuple[str, ...]) -> tuple[str, ...]:
        """Several values of a column."""
        return tuple(self.value(column, code) for code in codes) if self.codes else codes


def _wanted(document: Document, decisions: DecisionResult | None) -> tuple[tuple[str, bool], ...]:
    """Which classes are wanted by the matrix; of a number (under "") whether more of it is."""
    target, rows = document.target, _profits(document, decisions)
    if target is None or not rows:
        return ()
    if not target.levels:  # rows are knots, rising or not
        ends = sorted(rows, key=lambda entry: float(entry[0]))
        found = wanted_rows([ends[0][1], ends[-1][1]])[-1] if len(ends) > 1 else None
        return () if found is None else (("", found),)
    wanted = wanted_rows([row for _, row in rows])
    pairs = zip((name for name, _ in rows), wanted, strict=True)
    return tuple((name, found) for name, found in pairs if found is not None)


def _is_of(decisions: DecisionResult, document: Document) -> bool:
    """Whether decisions still speak of the document's outcome, another one may be chosen since."""
    levels = () if document.target is None else document.target.levels
    return bool(decisions.knots) != bool(levels) and (not levels or decisions.levels == levels)


def _profits(document: Document, decisions: DecisionResult | None) -> list[tuple[str, list[float]]]:
    """What each decision brings in each row of the matrix, constant costs taken off."""
    matrix = document.matrix
    if matrix is None:
        return []
    levels, cells = matrix.levels, [list(row) for row in matrix.cells]
    if decisions is not None and decisions.cells.size:
        levels, cells = decisions.knots or decisions.levels, decisions.cells.tolist()
        if decisions.shares is not None and decisions.shares.any():
            cells = decisions.shares.tolist()  # what the amount adds says what is wanted
    if len(levels) != len(cells):
        return []
    sign = -1.0 if matrix.kind is MatrixKind.LOSS else 1.0
    costs = [0.0 if cost.column else cost.amount for cost in matrix.costs]
    width = len(cells[0]) if cells else 0
    costs = costs if len(costs) == width else [0.0] * width
    return [
        (level, [sign * value - cost for value, cost in zip(row, costs, strict=True)])
        for level, row in zip(levels, cells, strict=True)
    ]


def _acts_apart(document: Document, decisions: DecisionResult | None) -> bool:
    """Are cases acted on in another order than that of one chance?

    So it is with three classes, with three decisions, and where costs or amounts differ by case:
    the best n % by advantage are then not the n % with the highest chance of the event. Where an
    outcome is a number or a time and nothing is decided, nobody is acted on: those with the highest
    predicted risk are no best ones.
    """
    target, matrix = document.target, document.matrix
    if target is None or not target.levels:
        return target is not None and matrix is None
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
    word = label.strip().lower()
    known = _GROUPS.get(word)
    if known:
        return known
    if word in {"", "1", "yes", "true", "y"}:
        return "events"
    if word[-1].isdigit():  # "2 cases" would be a count
        return f"“{label}” {cases}"
    return f"{label} {cases}"


def capitalised(text: str) -> str:
    """The text with its first letter large, the rest as it is."""
    return text[:1].upper() + text[1:]


LARGE = 10_000.0  # from here on amounts have no decimals
FARTHEST = 10_000.0  # per cent: what lies further says nothing by its number


def every_digit(value: float) -> str:
    """A number so that reading it back gives the same value; missing is empty."""
    return "" if math.isnan(value) else repr(value)


def four_digits(value: float) -> NumberText:
    """A number with four digits that matter, however small; large ones are whole.

    >>> four_digits(-0.00032714), four_digits(1234567.8)
    ('−0.0003271', '1,234,568')
    """
    if 1e4 <= abs(value) < 1e15:
        return format_number(value, 0)
    return NumberText(f"{value:.4g}".replace("-", MINUS, value < 0), value)


def setting_words(value: float, unit: str, currency: str) -> NumberText:
    """A number of the matrix as it is written in a sentence: € 1.60, −€ 24.00, 6.25 %."""
    if unit == "share":
        return format_share(value, 2)
    text = format_number(abs(value), small_decimals(value) if abs(value) < LARGE else 0)
    mark = MINUS if value < 0 and text.strip("0.,") else ""
    return NumberText(f"{mark}{currency}{NBSP}{text}" if currency else f"{mark}{text}", value)


def distance_words(value: float, now: float, unit: str) -> NumberText:
    """How far a value lies from the present one: +46.9 %, or the difference where that is 0."""
    step = value - now
    sign = "+" if step > 0 else MINUS if step < 0 else ""
    if now == 0:
        size = format_share(abs(step), 2) if unit == "share" else format_number(abs(step), 2)
        return NumberText(f"{sign}{size}", step)
    far = step / abs(now)
    percent = 100.0 * abs(far)
    if not percent < FARTHEST:
        return NumberText(f"{sign} over {format_number(FARTHEST / 100, 0)}{NBSP}×", far)
    return NumberText(f"{sign}{format_number(percent, 1 if percent < 100 else 0)}{NBSP}%", far)


def predicted_words(value: float, *, is_probability: bool) -> NumberText:
    """A prediction in words: a chance in percent, else a number with four digits that matter."""
    if is_probability:
        return format_share(value)
    return number_words(value)


def number_words(value: float) -> NumberText:
    """A number with about four digits that matter."""
    if not math.isfinite(value):
        return format_number(value)
    size = abs(value)
    decimals = 0 if size >= 1000 or value == round(value) else 3 - max(0, len(f"{size:.0f}") - 1)
    return format_number(value, max(0, decimals))


def signed_words(amount: float, decimals: int = 2) -> NumberText:
    """An amount with its sign, to a hundredth (or so many decimals) where it is small."""
    size = abs(amount)
    words = format_number(size, decimals) if size < 10 else number_words(size)
    return NumberText(f"{'+' if amount >= 0 else '−'}{words}", amount)
