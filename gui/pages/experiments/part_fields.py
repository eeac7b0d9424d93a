"""The parts of an experiment as fields of forms. No widgets: an experiment goes in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.document.experiments.results import ExperimentChoices, SystemChoice
from core.document.experiments.spec import SYSTEM_LABELS, ExperimentSpec
from core.presentation.experiments.views import BOUNDS
from core.questions.fields import FieldKind, FieldOption, FormField, parameter_field
from core.questions.suggestions import choices_from

PARAMETER = "parameter "  # before the name of a system's own number
_FORMS = {"auto": "uniform, u − ½", "theta": "parameters θ"}


def drawing_fields(
    spec: ExperimentSpec, choices: ExperimentChoices | None
) -> tuple[FormField, ...]:
    """The evaluation system with what it asks for, and what is seen of a subject.

    Without ``choices``, which the engine gives, the systems of Payoff alone are listed.
    """
    settled = spec.settled()
    systems = _systems(settled, choices)
    chosen = choices.system_of(settled.system) if choices is not None else None
    given = dict(settled.system_parameters)
    return (
        FormField(
            name="system",
            label="Outcome",
            spoken="Evaluation system",
            kind=FieldKind.CHOICE,
            value=settled.system,
            options=systems,
            help=next((entry.help for entry in systems if entry.value == settled.system), ""),
        ),
        *(
            replace(parameter_field(entry, given.get(entry.name)), name=PARAMETER + entry.name)
            for entry in (chosen.parameters if chosen is not None else ())
        ),
        FormField(
            name="subject_form",
            label="T(S)",
            kind=FieldKind.CHOICE,
            value="theta" if spec.subject_form == "theta" else "auto",
            options=choices_from(_FORMS),
            spoken="What is seen of a subject",
        ),
    )


def number_fields(spec: ExperimentSpec) -> tuple[FormField, ...]:
    """How often an experiment is run, and how it is judged."""
    settled = spec.settled()
    why_not = "The rows are split by time" if spec.facts.is_split_by_time else ""

    def whole(name: str, label: str, least: int, most: int) -> FormField:
        return FormField(
            name=name,
            label=label,
            kind=FieldKind.WHOLE,
            value=getattr(settled, name),
            lowest=least,
            highest=most,
        )

    def share(name: str, label: str, least: float, most: float, decimals: int) -> FormField:
        return FormField(
            name=name,
            label=label,
            value=getattr(settled, name),
            lowest=least,
            highest=most,
            decimals=decimals,
            unit="%",
            factor=100.0,
        )

    return (
        whole("systems", "Evaluation systems", 1, 100_000),
        replace(whole("splits", "Splits of each", 1, 100_000), why_not=why_not),
        replace(share("test_share", "Test rows", 0.01, 0.99, 0), why_not=why_not),
        share("confidence", "Confidence", 0.5, 0.9999, 1),
        whole("seed", "Seed", 0, 2**31 - 1),
        FormField(
            name="bound",
            label="Bound",
            kind=FieldKind.CHOICE,
            value=settled.bound,
            options=choices_from(dict(BOUNDS)),
            why_not=why_not,
        ),
    )


def with_part(spec: ExperimentSpec, name: str, value: Any) -> ExperimentSpec:
    """Return the experiment with another part; another system begins with its usual numbers."""
    if name == "system":
        return replace(spec, system=value, system_parameters=(), sharpness=1.0)
    if name.startswith(PARAMETER):
        given = dict(spec.settled().system_parameters)
        given[name.removeprefix(PARAMETER)] = float(value)
        return replace(spec, system_parameters=tuple(sorted(given.items())), sharpness=1.0)
    return replace(spec, **{name: value})


def _systems(settled: ExperimentSpec, choices: ExperimentChoices | None) -> tuple[FieldOption, ...]:
    """The systems to list; a chosen one that is not here is named so."""
    if choices is None:
        found = [
            FieldOption(value=name, words=SYSTEM_LABELS[name]) for name in settled.facts.systems
        ]
    else:
        found = [
            FieldOption(
                value=entry.id,
                words=_label(entry),
                help=f"{entry.help}\n{entry.formula}".strip(),
            )
            for entry in choices.systems
        ]
    if settled.system not in [entry.value for entry in found]:
        words = settled.system if choices is None else f"{settled.system} (not here)"
        found.append(FieldOption(value=settled.system, words=words))
    return tuple(found)


def _label(entry: SystemChoice) -> str:
    return f"{entry.label} ({entry.plugin})" if entry.plugin else entry.label
