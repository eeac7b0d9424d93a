"""The command that changes the parts of the project's experiment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command
from core.document.experiments.spec import ExperimentSpec
from core.document.model import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class SetExperimentSpec(Command):
    """Take other parts; nothing is run by it. A protocol that is not known is refused."""

    label: ClassVar[str] = "Change the experiment"
    method: ClassVar[str] = "set_experiment"
    experiment: ExperimentSpec

    def apply(self, document: Document) -> Document:
        _ = self.experiment.facts
        return replace(document, experiment=self.experiment)
