"""What a person has said of a question's fields so far, and the question it makes. No window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, replace
from typing import Any, Generic, TypeVar

from core.questions.asked import FieldDescription, Unit, in_words
from core.questions.fields import FieldKind, FormContext, FormField
from core.questions.question import Question, question_fields
from core.questions.texts import without_none

Drafted = TypeVar("Drafted", bound=Question[Any])
# Written behind a number, its factor, and the decimals it has at least.
_WRITTEN: dict[Unit, tuple[str, float, int]] = {
    Unit.NONE: ("", 1.0, 2),
    Unit.CASES: ("", 1.0, 0),
    Unit.MONEY: ("", 1.0, 2),
    Unit.SHARE: ("%", 100.0, 0),
    Unit.POINTS: ("", 100.0, 0),
}


class QuestionDraft(Generic[Drafted]):
    """Some fields of a question, in the order of a form.

    A field holds what was said of it; else what was suggested once, while that holds (what is
    measured by the totals moves with them); else its default. What an answer had to assume is
    shown, and is no part of the question.
    """

    def __init__(self, record: type[Drafted], names: Sequence[str]) -> None:
        self.record = record
        known = {
            name: (hint, default, requested)
            for name, hint, default, requested in question_fields(record)
        }
        self._facts: dict[str, tuple[Any, Any, FieldDescription]] = {
            name: known[name] for name in names
        }
        self.forget()

    def forget(self) -> None:
        """Forget all that was said and suggested: it was of other data."""
        self._described: dict[str, Any] = {}
        self._suggested: dict[str, Any] = {}
        self._assumed: dict[str, tuple[Any, str]] = {}
        self._off = {
            name for name, (_, _, requested) in self._facts.items() if requested.box is False
        }

    def say(self, name: str, value: Any) -> None:
        """Give a field a value; None: its box is off, or it is empty."""
        requested = self._facts[name][2]
        if value is None and requested.box is not None:
            self._off.add(name)
            return
        self._off.discard(name)
        self._described[name] = value
        for other, (_, _, entry) in self._facts.items():
            if name in entry.follows:
                self._described.pop(other, None)
                self._suggested.pop(other, None)

    def assume(self, name: str, value: Any, reason: str = "") -> None:
        """Note what an answer assumed of a field; None: there is nothing to ask for."""
        if value is None:
            self._assumed.pop(name, None)
        else:
            self._assumed[name] = (value, reason)

    def fields(self, context: FormContext) -> tuple[FormField, ...]:
        """Return the fields as they stand; each sees those above it."""
        found: list[FormField] = []
        for name in self._facts:
            above = {entry.name: entry.value for entry in found}
            found.append(self._field(name, replace(context, values=above)))
        return tuple(found)

    def question(self, context: FormContext, **others: Any) -> Drafted:
        """Return the question as it stands; ``others`` are the fields that the form has not."""
        given = {
            entry.name: self._made(entry)
            for entry in self.fields(context)
            if entry.value is not None and entry.is_offered and not entry.why_not
        }
        return self.record(**{**given, **others})

    def _made(self, field: FormField) -> Any:
        """What the question gets of what a field holds."""
        hint, _, requested = self._facts[field.name]
        if requested.made is not None:
            return requested.made(field.value)
        return float(field.value) if without_none(hint) is float else field.value

    def _field(self, name: str, context: FormContext) -> FormField:
        hint, _, requested = self._facts[name]
        unit = requested.unit(context) if callable(requested.unit) else requested.unit
        written, factor, decimals = _WRITTEN[unit]
        options = tuple(
            requested.options(context) if callable(requested.options) else requested.options
        )
        held, (assumed, reason) = self._held(name, context), self._assumed.get(name, (None, ""))
        if options and held not in [entry.value for entry in options]:
            held = options[0].value
        value = None if name in self._off else held
        return FormField(
            name=name,
            label=_label(requested.label, unit, context),
            kind=_kind(hint, requested, unit),
            value=value,
            shown=assumed if held is None else held,
            lowest=max(requested.lowest, requested.at_least),
            highest=min(requested.highest, requested.at_most),
            step=1.0 if requested.step is None else requested.step,
            decimals=decimals if requested.decimals is None else requested.decimals,
            unit=written,
            factor=factor,
            options=options,
            is_in_sight=requested.is_in_sight,
            help=reason or requested.help,
            empty=requested.empty,
            has_box=requested.box is not None,
            is_offered=_is_offered(requested, context, is_assumed=name in self._assumed),
            why_not=requested.why_not(context) if requested.why_not is not None else "",
            note=requested.note(context) if requested.note is not None else "",
        )

    def _held(self, name: str, context: FormContext) -> Any:
        """What a field holds, a suggestion made at first included; None: nothing."""
        default, requested = self._facts[name][1:]
        is_open = requested.is_relative or name not in self._suggested
        if requested.suggest is not None and is_open:
            suggested = requested.suggest(context)
            if suggested is not None:
                self._suggested[name] = suggested
        usual = None if default is MISSING or requested.empty is not None else default
        return self._described.get(name, self._suggested.get(name, usual))


def _is_offered(requested: FieldDescription, context: FormContext, *, is_assumed: bool) -> bool:
    """What is assumed is asked for once an answer has said that it was."""
    if requested.offered is not None:
        return bool(requested.offered(context))
    return is_assumed or not requested.is_assumed


def _label(words: str, unit: Unit, context: FormContext) -> str:
    label = in_words(words, context.document.case_word, context.done)
    behind = {Unit.MONEY: context.document.currency, Unit.POINTS: "points"}.get(unit, "")
    return f"{label}, {behind}" if behind else label


def _kind(hint: Any, requested: FieldDescription, unit: Unit) -> FieldKind:
    kind = without_none(hint)
    if requested.options:
        return FieldKind.CHOICE
    if kind is bool:
        return FieldKind.YES
    if kind is int or unit is Unit.CASES:
        return FieldKind.WHOLE
    return FieldKind.NUMBER if kind is float or requested.number else FieldKind.TEXT
