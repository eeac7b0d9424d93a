"""Matrix templates in words, as page Decide offers them."""

from __future__ import annotations

from dataclasses import replace

from payoff.facts import MatrixFacts
from payoff.parameters import Parameter
from payoff.vocabulary import ConsequenceKind, NumberUnit


def money(name: str, words: str, default: float) -> Parameter:
    """An amount that a template asks for."""
    return Parameter(name=name, words=words, default=default, minimum=0.0, unit=NumberUnit.MONEY)


MAILING = MatrixFacts(
    id="direct_mail",
    label="Direct mail",
    help="",
    formula="",
    kind=ConsequenceKind.PROFIT,
    parameters=(
        money("cost", "a letter costs", 1.6),
        money("margin", "a response brings", 25.6),
    ),
    decisions=("Mail", "Do nothing"),
    level_words=("responds", "does not respond"),
    case_word=("customer", "customers"),
    acting="Mail",
    do_nothing="Do nothing",
)
CREDIT = MatrixFacts(
    id="payoff.credit",
    label="Credit",
    help="",
    formula="",
    kind=ConsequenceKind.PROFIT,
    parameters=(
        money("loss", "a default loses", 5000.0),
        money("margin", "a good loan earns", 1000.0),
    ),
    decisions=("Lend", "Refuse"),
    level_words=("defaults", "pays back"),
    case_word=("applicant", "applicants"),
    acting="Lend",
    do_nothing="Refuse",
)
THREE_WAY = replace(CREDIT, id="x.three", label="Three", level_words=("a", "b", "c"))
