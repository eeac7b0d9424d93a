"""Functions of many arguments: their arguments are the fields of one frozen request.

``payoff.boost`` takes some forty arguments. They are named, typed and given their defaults once,
as fields of a dataclass; the function works on one object of it and hands that on whole. Callers,
editors and ``help`` see an ordinary function with every argument in its signature.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar, get_type_hints

Asked = ParamSpec("Asked")
Request = TypeVar("Request")
Answer = TypeVar("Answer")


def called_with_fields_of(
    request: Callable[Asked, Request],
) -> Callable[[Callable[[Request], Answer]], Callable[Asked, Answer]]:
    """Let callers of a function that works on one request give the request's fields.

    Parameters
    ----------
    request : dataclass
        ``called_with_fields_of(DecideRequest)`` before ``def decide(request)`` makes
        ``decide(data, matrix=..., kind=...)``.

    Raises
    ------
    TypeError
        From the made function, in its own name: for an argument that is missing or not known.
    """

    def made_of(work: Callable[[Request], Answer]) -> Callable[Asked, Answer]:
        taken = inspect.signature(request)
        taken = taken.replace(return_annotation=inspect.signature(work).return_annotation)

        @functools.wraps(work)
        def called(*args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
            try:
                taken.bind(*args, **kwargs)
            except TypeError as refusal:
                raise TypeError(f"{work.__name__}() {refusal}") from None
            return work(request(*args, **kwargs))

        called.__signature__ = taken  # type: ignore[attr-defined]  # what inspect and help read
        hints = get_type_hints(request)
        called.__annotations__ = {name: hints[name] for name in taken.parameters}
        called.__annotations__["return"] = get_type_hints(work)["return"]
        return called

    return made_of
