"""Parameters of specs: typed, ranged, in the user's words, always a float inside."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING

from payoff.errors import PayoffError, no_such
from payoff.vocabulary import NumberUnit, ParameterKind

if TYPE_CHECKING:
    from payoff.types import FloatArray  # numpy: the window knows parameters before it

Parameters = Mapping[str, float]
"""Parameter values by name, as plain functions of a spec receive them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One number that the user sets.

    Attributes
    ----------
    name : str
        Name in scripts and files (snake_case).
    words : str
        The user's words: "a letter costs".
    default : float
        The value at the start; for a choice the index of the chosen word.
    kind : ParameterKind
        number, integer or choice.
    minimum, maximum : float
        Allowed range, ends included unless the next two say otherwise.
    is_minimum_open, is_maximum_open : bool
        Whether an end of the range is left out.
    unit : NumberUnit
        How the number is shown; a share is held as 0.02 and shown as "2 %".
    choices : tuple of str
        The words of a choice.
    aliases : tuple of str
        Further names that scripts may call it by.
    choice_aliases : tuple of tuple of str
        Further words for each of ``choices``, in their order; empty = none. Under an alias of the
        parameter a number is one of these words, under its own name the position of the choice.
    help : str
        One plain sentence.
    """

    name: str
    words: str
    default: float
    kind: ParameterKind = ParameterKind.NUMBER
    minimum: float = -math.inf
    maximum: float = math.inf
    is_minimum_open: bool = False
    is_maximum_open: bool = False
    unit: NumberUnit = NumberUnit.PLAIN
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    choice_aliases: tuple[tuple[str, ...], ...] = ()
    help: str = ""

    def check(self, value: object, *, is_alias: bool = False) -> float:
        """Return the value as a float.

        Parameters
        ----------
        value : object
            A number, or the word of a choice.
        is_alias : bool
            Whether the parameter was called by one of its ``aliases``.

        Raises
        ------
        PayoffError
            If the value is no number, out of range, not whole, or no choice.
        """
        if self.kind == ParameterKind.CHOICE:
            return self._chosen(value, is_alias)
        number = self._as_number(value)
        if self.kind == ParameterKind.INTEGER and number != int(number):
            raise self._refusal(value, "It must be a whole number.")
        if self._is_outside(number):
            raise self._refusal(value, f"It must be {self._range_words()}.")
        return number

    @property
    def is_whole(self) -> bool:
        """Whether only whole numbers are possible."""
        return self.kind == ParameterKind.INTEGER

    def position(self, value: float | str) -> float:
        """Return a value as a number: of a word its place, the default for an unknown word."""
        if not isinstance(value, str):
            return value
        more = self.choice_aliases or ((),) * len(self.choices)
        for place, (word, others) in enumerate(zip(self.choices, more, strict=True)):
            if value.casefold() in (word.casefold(), *others):
                return float(place)
        return self.default

    def text(self, value: float) -> str:
        """Print a value as a title shows it: "2 %", "10", "linear"."""
        if self.kind == ParameterKind.CHOICE:
            return self.choices[int(value)]
        if self.unit == NumberUnit.PERCENT:
            return f"{value * 100:g}\N{NO-BREAK SPACE}%"
        return f"{value:g}"

    def _chosen(self, value: object, is_alias: bool) -> float:
        """The position of a choice that is given by its word, or as a number."""
        additional = self.choice_aliases or ((),) * len(self.choices)
        is_number = isinstance(value, Real)
        if isinstance(value, str) or (is_alias and is_number and any(additional)):
            word = f"{value:g}" if is_number else str(value).strip().casefold()
            for place, names in enumerate(zip(self.choices, additional, strict=True)):
                if word in (names[0].casefold(), *names[1]):
                    return float(place)
            words = self._choice_words(additional)
            raise self._refusal(value, f"It must be a number or one of: {words}.")
        number = self._as_number(value)
        if number not in range(len(self.choices)):
            raise self._refusal(value, "It is not among: " + self._choice_words(additional) + ".")
        return number

    def _choice_words(self, additional: tuple[tuple[str, ...], ...]) -> str:
        pairs = zip(self.choices, additional, strict=True)
        return ", ".join(f"{word} ({', '.join(more)})" if more else word for word, more in pairs)

    def _as_number(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise self._refusal(value, "It must be a number.")
        number = float(value)
        if not math.isfinite(number):
            raise self._refusal(value, "It must be a finite number.")
        return number

    def _is_outside(self, number: float) -> bool:
        is_low = number <= self.minimum if self.is_minimum_open else number < self.minimum
        is_high = number >= self.maximum if self.is_maximum_open else number > self.maximum
        return is_low or is_high

    def _range_words(self) -> str:
        low = f"{'above' if self.is_minimum_open else 'at least'} {self.minimum:g}"
        high = f"{'below' if self.is_maximum_open else 'at most'} {self.maximum:g}"
        return " and ".join(
            words
            for words, end in ((low, self.minimum), (high, self.maximum))
            if math.isfinite(end)
        )

    def _refusal(self, value: object, why: str) -> PayoffError:
        return PayoffError(
            f"{value!r} is not possible for '{self.words}'.",
            where=f"parameter {self.name}",
            why=why,
            remedy=f"The usual value is {self.text(self.default)}.",
        )


def resolve_parameters(
    parameters: Sequence[Parameter], given: Mapping[str, object] | None = None
) -> dict[str, float]:
    """Fill in defaults and check what is given.

    Returns
    -------
    dict
        One float per parameter, in the order of the spec.

    Raises
    ------
    PayoffError
        If a name is unknown or a value not possible.
    """
    given = dict(given or {})
    values: dict[str, float] = {}
    for item in parameters:
        names = [name for name in (item.name, *item.aliases) if name in given]
        if len(names) > 1:
            raise PayoffError(
                f"'{names[0]}' and '{names[1]}' are one parameter.", remedy="Give one of them."
            )
        values[item.name] = (
            item.check(given.pop(names[0]), is_alias=names[0] != item.name)
            if names
            else item.check(item.default)
        )
    if given:
        raise no_such("parameter", next(iter(given)), values)
    return values


def parameter_array(parameters: Sequence[Parameter], values: Parameters) -> FloatArray:
    """Return the values as the float64 array (one per parameter, in order) that kernels receive."""
    import numpy as np

    return np.array([values[item.name] for item in parameters], dtype=np.float64)
