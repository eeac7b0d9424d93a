"""Matrices asked for in words: the cells follow from two amounts."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.types import FloatArray
from plugins.decision_matrices.parts import amount, share


def direct_mail_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """A letter to one who responds brings the response less the letter, else costs the letter."""
    cost = parameters["letter_cost"]
    cells = np.zeros((n_levels, 2))
    cells[:, 0] = -cost
    cells[0, 0] = parameters["response_value"] - cost
    return cells


def credit_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """A loan that defaults loses the loss given default, any other earns the margin."""
    cells = np.zeros((n_levels, 2))
    cells[:, 0] = parameters["margin"]
    cells[0, 0] = -parameters["loss_given_default"]
    return cells


def no_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """Nothing beside the shares of the loan."""
    return np.zeros((n_levels, 2))


def loan_shares(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """Of each loan: a default loses one share, any other earns another."""
    shares = np.zeros((n_levels, 2))
    shares[:, 0] = parameters["margin_share"]
    shares[0, 0] = -parameters["loss_share"]
    return shares


DIRECT_MAIL = payoff.DecisionMatrix(
    id="payoff.direct_mail",
    label="Direct mail",
    help="Whom to write to, when a response brings money and every letter costs some.",
    formula="mail: response − letter if the customer responds, else −letter; do nothing: 0",
    reference="SAS Enterprise Miner, decisions (a campaign by letter)",
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Mail", "Do nothing"),
    consequences=direct_mail_cells,
    acting="Mail",
    do_nothing="Do nothing",
    level_words=("responds", "does not respond"),
    case_word=("customer", "customers"),
    parameters=(
        amount("response_value", "a response brings", 25.60, "Margin of one response."),
        amount("letter_cost", "a letter costs", 1.60, "Print, postage and all."),
    ),
)

CREDIT = payoff.DecisionMatrix(
    id="payoff.credit",
    label="Credit",
    help="Whom to lend to, when a default loses money and a good loan earns some.",
    formula="lend: −loss given default if the loan defaults, else margin; refuse: 0",
    reference="Elkan 2001, The foundations of cost-sensitive learning",
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Lend", "Refuse"),
    consequences=credit_cells,
    acting="Lend",
    do_nothing="Refuse",
    level_words=("defaults", "pays back"),
    case_word=("applicant", "applicants"),
    parameters=(
        amount(
            "loss_given_default", "a default loses", 5000.0, "What is lost of a loan not paid back."
        ),
        amount("margin", "a good loan earns", 1000.0, "Interest less cost of a loan paid back."),
    ),
)

CREDIT_LOANS = payoff.DecisionMatrix(
    id="payoff.credit_loans",
    label="Credit, loan by loan",
    help="Whom to lend to, when what is lost and earned goes with the size of each loan.",
    formula="lend: −loss share × loan if it defaults, else margin × loan; refuse: 0",
    reference="Bahnsen, Aouada & Ottersten 2014, Example-dependent cost-sensitive logistic "
    "regression for credit scoring",
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Lend", "Refuse"),
    consequences=no_cells,
    shares=loan_shares,
    amount=payoff.DataColumn(name="LOAN", words="loan", help="What is lent.", is_required=True),
    acting="Lend",
    do_nothing="Refuse",
    level_words=("defaults", "pays back"),
    case_word=("applicant", "applicants"),
    parameters=(
        share("loss_share", "a default loses", 0.60, "Share of the loan that is not recovered."),
        share("margin_share", "a good loan earns", 0.08, "Interest less cost, of the loan."),
    ),
)
