"""The matrix in plain words: the rule, its reason, and what an interval holds fixed."""

from __future__ import annotations

from dataclasses import dataclass

from core.decisions.advice.thresholds import CutOff, cut_off, decision_regions, is_share_rule
from core.decisions.number_targets.rule import (
    format_value,
    number_threshold,
    prediction_regions,
    region_words,
)
from core.decisions.problem import DecisionProblem
from core.document.decisions.matrix_model import MatrixKind
from core.document.decisions.words import AmountWords
from core.document.wording import (
    NBSP,
    event_noun,
    format_money,
    format_number,
    format_share,
    format_threshold,
    share_that,
)

_TAKES_A_CASE = {"mail", "call", "contact", "solicit", "treat", "visit", "email", "invite", "phone"}
_TAKES_TO = {"lend": "Lend to", "write": "Write to", "offer": "Make an offer to", "sell": "Sell to"}


@dataclass(frozen=True, slots=True)
class RuleReading:
    """The rule as a sentence, with its reason. ``side`` says where to act: "above" or "below"."""

    text: str
    reason: str
    threshold: float | None
    side: str


def with_article(word: str) -> str:
    """A noun with a or an."""
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def act_phrase(problem: DecisionProblem) -> str:
    """What acting is: "Mail a customer", "Lend to an applicant", "Choose “Treat as bad”"."""
    if problem.words.act:
        return problem.words.act
    name = problem.decisions[problem.acting_index]
    case = with_article(problem.words.case[0])
    if name.lower() in _TAKES_A_CASE:
        return f"{name} {case}"
    if name.lower() in _TAKES_TO:
        return f"{_TAKES_TO[name.lower()]} {case}"
    return f"Choose “{name}” for {case}"


def event_phrase(problem: DecisionProblem, level: int = 0) -> str:
    """After "the chance of": "a response", or the level's label in quotes."""
    if level == 0 and problem.words.event:
        return problem.words.event
    return event_noun(problem.label(level))


def share_phrase(problem: DecisionProblem, share: float, level: int = 0) -> str:
    """A share of cases with an outcome: "5.0 % respond", or "5.0 % are “yes”"."""
    if level == 0 and problem.words.event_share:
        return f"{format_share(share)} {problem.words.event_share}"
    return share_that(format_share(share), problem.label(level))


def fixed_phrase(problem: DecisionProblem) -> str:
    """What intervals of money hold fixed: "if 5.0 % respond", "if 4.0 to 6.0 % respond"."""
    if problem.priors is None:
        return "for this finished model"
    if problem.prior_range is not None:
        low, high = problem.prior_range
        first = format_share(low).split(NBSP)[0]
        return f"if {first} to {share_phrase(problem, high)}"
    shares = problem.priors / problem.priors.sum()
    if len(problem.levels) == 2:
        return f"if {share_phrase(problem, float(shares[0]))}"
    parts = ", ".join(
        f"{format_share(float(share))} “{problem.label(level)}”"
        for level, share in enumerate(shares)
    )
    return f"if the shares are {parts}"


def read_rule(problem: DecisionProblem) -> RuleReading:
    """The rule of a matrix in one sentence, and why."""
    if problem.is_interval:
        return _read_number_rule(problem)
    cut = cut_off(problem)
    if cut is None:
        return _read_regions(problem)
    if cut.probability is not None:
        text = (
            f"{act_phrase(problem)} when the chance of {event_phrase(problem)} is {cut.kind} "
            f"{format_threshold(cut.probability)}{_whatever(problem)}."
        )
        return RuleReading(text, _reason(problem, cut), cut.probability, cut.kind)
    acting = problem.decisions[problem.acting_index]
    other = _rest_name(problem, cut)
    words = money_words(problem)
    if cut.kind == "equal":
        costs = " less their costs" if problem.has_costs else ""
        return RuleReading(
            f"“{acting}” and “{other}” always {words.bring} the same.",
            f"Their columns{costs} are equal, so no chance decides between them.",
            None,
            "above",
        )
    better, worse = (acting, other) if cut.kind == "always" else (other, acting)
    return RuleReading(
        f"“{better}” is right for every {problem.words.case[0]}, whatever the chance.",
        f"In no class does “{worse}” {words.bring} {words.more(1.0)} than “{better}”.",
        None,
        "above",
    )


def money_words(problem: DecisionProblem) -> AmountWords:
    """How sentences speak of the money of a problem: as profit or as loss."""
    return AmountWords(problem.kind == MatrixKind.LOSS)


def measure_words(problem: DecisionProblem) -> str:
    """What the decision of a case is chosen by."""
    return "lowest expected loss" if money_words(problem).is_loss else "highest expected profit"


def _whatever(problem: DecisionProblem) -> str:
    """That the amount of a case does not matter, where there is one."""
    return "" if problem.amounts is None else f", whatever {problem.amounts.name} is"


def _read_number_rule(problem: DecisionProblem) -> RuleReading:
    """The rule of an interval target: from which prediction on acting is best."""
    case, number = problem.words.case[0], problem.words.number
    words = region_words(problem)
    found = number_threshold(problem)
    if found is not None:
        value, side = found
        text = f"{act_phrase(problem)} when the predicted {number} is {side} {format_value(value)}."
        reason = f"There the amounts of the matrix, drawn in straight lines, cross: {words}."
        return RuleReading(text, reason, value, side)
    regions = prediction_regions(problem)
    reason = f"By the predicted {number}: {words}."
    if problem.cost_columns:
        reason = f"Costs differ from {case} to {case}, so does the {number} it takes."
    elif len(regions) == 1:
        best = (*problem.decisions, "Do nothing")[regions[0].decision]
        better_side = "below" if money_words(problem).is_loss else "above"
        return RuleReading(
            f"“{best}” is right for every {case}, whatever the predicted {number}.",
            f"No line of another decision lies {better_side} its line anywhere.",
            None,
            "above",
        )
    return RuleReading(
        f"Each {case} gets the decision with the {measure_words(problem)}.", reason, None, "above"
    )


def _rest_name(problem: DecisionProblem, cut: CutOff) -> str:
    return problem.decisions[cut.rest] if cut.rest < len(problem.decisions) else "Do nothing"


def _reason(problem: DecisionProblem, cut: CutOff) -> str:
    """The fraction behind the cut-off: what a wrong act loses over that plus what a right one wins.

    Below a cut-off the event is what makes acting wrong; the fraction is then of the other class.
    """
    won, lost = (cut.event, -cut.other) if cut.kind == "above" else (cut.other, -cut.event)
    start = ""
    if problem.amounts is not None and is_share_rule(problem):  # what 100 of the amount bring
        won, lost = (100.0 * value / problem.amounts.largest for value in (won, lost))
        whole = format_money(100.0, problem.words.currency)
        start = f"For every {whole} of {problem.amounts.name} "
    top = lost if cut.kind == "above" else won
    decimals = 0 if all(abs(value - round(value)) < 1e-9 for value in (won, lost)) else 2
    fraction = f"{format_number(top, decimals)} / {format_number(won + lost, decimals)}"
    answer = format_threshold(cut.probability if cut.probability is not None else 0.0)
    if problem.words.reason and not start:
        return f"{problem.words.reason}: {fraction} = {answer}."
    right, wrong = (0, 1) if cut.kind == "above" else (1, 0)
    currency = problem.words.currency
    name, other = problem.decisions[problem.acting_index], _rest_name(problem, cut)
    gains = format_money(won, currency, decimals=decimals)
    loses = format_money(lost, currency, decimals=decimals)
    words = money_words(problem)
    return (
        f"{start}“{name}” {words.brings} {gains} {words.more(1.0)} than “{other}” for "
        f"“{problem.label(right)}” and {loses} {words.more(-1.0)} for “{problem.label(wrong)}”: "
        f"{fraction} = {answer}."
    )


def _read_regions(problem: DecisionProblem) -> RuleReading:
    """The rule where there is no single cut-off."""
    case = problem.words.case[0]
    text = f"Each {case} gets the decision with the {measure_words(problem)}."
    regions = decision_regions(problem)
    if not regions:
        reason = (
            f"What is at stake depends on {problem.amounts.name}, so does the chance it takes."
            if problem.amounts is not None
            else f"Costs differ from {case} to {case}, so does the chance it takes."
            if problem.cost_columns
            else "With more than two classes the chances of all of them count."
        )
        return RuleReading(text, reason, None, "above")
    parts = [
        f"“{problem.decisions[region.decision]}” from {format_threshold(region.low)} to "
        f"{format_threshold(region.high)}"
        for region in regions
    ]
    reason = f"By the chance of {event_phrase(problem)}{_whatever(problem)}: {'; '.join(parts)}."
    return RuleReading(text, reason, None, "above")
