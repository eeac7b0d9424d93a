"""What ``payoff.decide`` is asked, as one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, TypeAlias, TypedDict, cast

from core.document.decisions.matrix_model import MatrixKind
from core.script.session import REFUSE, ScriptData
from payoff.errors import PayoffError

Matrix: TypeAlias = Mapping[Any, Sequence[float | str]]
Costs: TypeAlias = Sequence[float | str]


class DecisionTerms(TypedDict, total=False):
    """What is decided and what it brings: arguments of ``payoff.decide`` by name."""

    matrix: Matrix | str
    kind: str
    decisions: Sequence[str]
    costs: Costs
    amount: str
    priors: Mapping[Any, float]


GIVE_TERMS = 'Give them: decision={"matrix": {"1": [10, 0], "0": [-1, 0]}, "costs": ...}.'


def check_terms(terms: DecisionTerms) -> None:
    """Refuse terms without a matrix, and what is no term."""
    if "matrix" not in terms:
        raise PayoffError("The terms of the decision have no matrix.", remedy=GIVE_TERMS)
    known = list(DecisionTerms.__annotations__)
    strange = sorted(set(terms) - set(known))
    if strange:
        raise PayoffError(
            f"'{strange[0]}' is no term of a decision.", remedy=f"There are: {', '.join(known)}."
        )


def decision_terms(given: Mapping[str, Any]) -> DecisionTerms:
    """Return those of some arguments of ``payoff.decide`` that are terms."""
    known = DecisionTerms.__annotations__
    return cast("DecisionTerms", {name: given[name] for name in known if name in given})


@dataclass(frozen=True, slots=True, eq=False)
class DecideRequest:
    """The arguments of ``payoff.decide``, where each is explained."""

    data: ScriptData
    _: KW_ONLY
    matrix: Matrix | str
    kind: str | None = None
    decisions: Sequence[str] | None = None
    target: str | None = None
    posteriors: Mapping[Any, str] | None = None
    predicted: str | None = None
    priors: Mapping[Any, float] | None = None
    prior_range: tuple[float, float] | None = None
    old_priors: Mapping[Any, float] | str | None = None
    costs: Costs | None = None
    amount: str | None = None
    weight: str | None = None
    acting: str | None = None
    do_nothing: str | None = None
    quantiles: Mapping[float, str] | None = None
    leaf: str | None = None
    leaf_training: str | None = None
    leaf_honest: bool = False
    outputs: Sequence[str] = ()
    rows: str | None = None
    missing_outcomes: str = REFUSE
    memory: float | str | None = None
    scratch: str | None = None
    dask: Any = None

    @property
    def is_interval(self) -> bool:
        """Whether the outcome is a number and the rows of the matrix are its knots."""
        return self.predicted is not None or bool(self.quantiles)

    @property
    def score_name(self) -> str:
        """What the scores are called: their columns; empty where none are named."""
        if self.posteriors:
            return ", ".join(map(str, self.posteriors.values()))
        return self.predicted or ", ".join((self.quantiles or {}).values())

    @property
    def matrix_kind(self) -> MatrixKind:
        """The kind that is given, else profit; refused where there is none of that name."""
        try:
            return MatrixKind(self.kind or "profit")
        except ValueError as reason:
            raise PayoffError(
                f"There is no kind of matrix called {self.kind!r}.",
                why="There are: profit, loss, revenue.",
            ) from reason

    def check(self) -> None:
        """Refuse scores of both kinds or of none, and what a number as the outcome cannot have."""
        if bool(self.posteriors) == self.is_interval:
            raise PayoffError(
                "Posteriors and a prediction are both named."
                if self.posteriors
                else "No posterior column is named.",
                remedy="Give posteriors={level: column}, or predicted='column' for a number.",
            )
        if self.is_interval and self.priors is not None:
            raise PayoffError("Priors need classes, and the outcome is a number.", where="priors")
        if self.is_interval and self.amount is not None:
            raise PayoffError(
                "Amounts per case need classes, and the outcome is a number.",
                where=f"amount {self.amount}",
                remedy="Leave it out: the rows of the matrix are values of the outcome itself.",
            )
        if self.prior_range is not None and self.priors is None:
            raise PayoffError("A range of a prior needs the prior.", remedy="Give priors as well.")
