"""What the specs of all families have in common, without their functions: what the window shows."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeVar

from payoff.counting import counted
from payoff.parameters import Parameter
from payoff.vocabulary import ConsequenceKind, DataColumn


@dataclass(frozen=True, kw_only=True)
class SpecFacts:
    """The half of a spec that all families share.

    Attributes
    ----------
    id, label, help, formula, reference : str
        Name in scripts and files; the user's words; one plain sentence; the formula; where it is
        from.
    parameters : tuple of Parameter
    """

    id: str
    label: str
    help: str
    formula: str
    reference: str = ""
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MatrixFacts(SpecFacts):
    """A decision matrix without its functions; the fields are those of ``DecisionMatrix``."""

    kind: ConsequenceKind
    decisions: tuple[str, ...]
    acting: str
    do_nothing: str | None = None
    level_words: tuple[str, ...] = ()
    case_word: tuple[str, str] = ("case", "cases")
    columns: tuple[DataColumn, ...] = ()
    amount: DataColumn | None = None
    is_plain: bool = False
    is_linear: bool = True
    is_interval: bool = False
    n_levels: int = 0
    knots: tuple[float, ...] = ()

    def misfit(self, classes: int) -> str:
        """Say what outcomes it is for where it does not fit; 0 classes = a number."""
        if self.is_interval == (classes > 0):
            return "For numbers" if self.is_interval else "For classes"
        wanted = 0 if self.is_interval else self.n_levels or len(self.level_words)
        return "" if wanted in (0, classes) else f"For {counted(wanted, 'outcome')}"


Facts = TypeVar("Facts", bound=SpecFacts)


def facts_of(spec: SpecFacts, kind: type[Facts], **more: Any) -> Facts:
    """Return a spec's facts as a record of a kind: fields of the same name, and those given."""
    shared = {item.name for item in fields(kind)} & {item.name for item in fields(spec)}
    return kind(**{name: getattr(spec, name) for name in shared} | more)
