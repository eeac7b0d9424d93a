"""The code that everyone in a process shares: which of it a plugin has replaced, and back again.

Built-in figures are worked out by functions of numpy, scipy, the standard library and this program.
A plugin that puts another function in the place of ``numpy.quantile`` would change them all, and
nothing would show it. So what these modules and their classes hold is looked at before and after a
plugin is imported, registered, checked and called, and after every job: by identity, which takes a
few milliseconds. It finds what a plugin replaces by mistake or for its own ends; code that hides
what it does on purpose is no plugin to install.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter, is_
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

_OF_PYTHON = ("builtins", "math", "cmath", "random", "statistics", "operator", "bisect", "heapq")
WATCHED = frozenset(
    (
        *_OF_PYTHON,
        "functools",
        "itertools",
        "numpy",
        "scipy",
        "pyarrow",
        "payoff",
        "core",
        "plugins",
    )
)
"""First names of the modules that are looked at, all below them included."""

PLUGIN_PREFIX = "payoff_plugin_"
"""Beginning of the names under which plugins of folders, files and archives are imported."""

_CONSTANTS = (int, float, complex, str, bytes, tuple, frozenset, ModuleType)
_BUILTIN_NAMES = frozenset(vars(builtins))
_CODE, _DEFAULTS, _OF_KEYWORDS = map(attrgetter, ("__code__", "__defaults__", "__kwdefaults__"))

Holder: TypeAlias = "ModuleType | type"


@dataclass(slots=True)
class _Seen:
    """What a module or a class held, and what its functions were made of."""

    holder: Holder
    values: dict[str, Any]
    functions: tuple[FunctionType, ...]
    made_of: list[Any]

    @classmethod
    def of(cls, holder: Holder) -> _Seen:
        """Take note of a module or a class as it is."""
        values = dict(vars(holder))
        functions = tuple(f for value in values.values() for f in _functions_in(value))
        return cls(holder, values, functions, _made_of(functions))

    @property
    def is_same(self) -> bool:
        """Whether it still is as it was, by identity: lists compare what they hold so at first."""
        now = vars(self.holder)
        return (
            len(now) == len(self.values)
            and all(map(is_, now.values(), self.values.values()))
            and _made_of(self.functions) == self.made_of
        )


class SharedCode:
    """What the watched modules of this process hold.

    Attributes
    ----------
    replaced_in : list of int
        The threads in which something was found replaced, in order: another thread's job that ran
        at the time may have used it.
    is_ours : bool
        Whether no code but this program's and its plugins' runs in the process. In a script's
        process, what changed between two jobs is the script's business.
    """

    def __init__(self) -> None:
        self.replaced_in: list[int] = []
        self.is_ours = False
        self._lock = threading.RLock()
        self._built_in = dict(vars(builtins))
        self._seen: dict[str, list[_Seen]] = {}  # a module and its classes, by the module's name

    def begin(self) -> list[str]:
        """Take note of everything as it is; what was replaced since is put back and told.

        In a script's process nothing is put back here.
        """
        with self._lock:
            if self.is_ours:
                return self.restore()
            self._built_in = dict(vars(builtins))
            for name, seen in list(self._seen.items()):
                if sys.modules.get(name) is not seen[0].holder or not all(
                    entry.is_same for entry in seen
                ):
                    del self._seen[name]
            return self._booked(self._noted_anew())

    def restore(self) -> list[str]:
        """Put back what was replaced, take note of what is new; the names of what was replaced."""
        with self._lock:
            found = self._built_ins_back()  # first: all else calls them
            for name, seen in list(self._seen.items()):
                found += self._check_now(name, seen)
            return self._booked(found + self._noted_anew())

    def _booked(self, found: list[str]) -> list[str]:
        if found:
            self.replaced_in.append(threading.get_ident())
        return found

    def _noted_anew(self) -> list[str]:
        """Take note of modules that are new; the names of what a plugin had replaced in them."""
        found = []
        is_first = not self._seen  # no plugin has run here yet
        for name, module in list(sys.modules.items()):
            is_new = name not in self._seen and name.partition(".")[0] in WATCHED
            if is_new and not _is_being_imported(module):
                found += [] if is_first else _put_in_place(module)
                self._note(name, module)
        return found

    def _built_ins_back(self) -> list[str]:
        now = builtins.__dict__
        found = [f"builtins.{n}" for n, was in self._built_in.items() if now.get(n) is not was]
        if found:
            now.update(self._built_in)
        return found

    def _check_now(self, name: str, seen: list[_Seen]) -> list[str]:
        module = seen[0].holder
        found = []
        if sys.modules.get(name) is not module:
            found.append(name)
            sys.modules[name] = module  # type: ignore[assignment]  # or any object that stood there
        changed = [entry for entry in seen if not entry.is_same]
        for entry in changed:
            found += _restored(entry)
        if changed:
            self._note(name, module)
        return found

    def _note(self, name: str, module: Any) -> None:
        if not isinstance(module, ModuleType):
            return
        holders: list[Holder] = [module]
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__ == module.__name__:
                holders.append(value)
        self._seen[name] = [_Seen.of(holder) for holder in holders]


def _is_being_imported(module: Any) -> bool:
    """Whether another thread still runs the module's code: what it holds is not all there."""
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


def _functions_in(value: Any) -> Iterator[FunctionType]:
    """Functions of Python code behind a value: itself, or what a wrapper of numpy's calls."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if type(value).__name__ == "_ArrayFunctionDispatcher":
        value = value._implementation
    if isinstance(value, FunctionType):
        yield value


def _made_of(functions: tuple[FunctionType, ...]) -> list[Any]:
    """The code of all functions, then their defaults, then those of keywords."""
    return [*map(_CODE, functions), *map(_DEFAULTS, functions), *map(_OF_KEYWORDS, functions)]


def _restored(seen: _Seen) -> list[str]:
    """Put back what a module or class held; the names of what had been replaced."""
    found = []
    count = len(seen.functions)
    codes, defaults, of_keywords = (seen.made_of[part * count :][:count] for part in range(3))
    for function, *was in zip(seen.functions, codes, defaults, of_keywords, strict=True):
        if [function.__code__, function.__defaults__, function.__kwdefaults__] != was:
            function.__code__, function.__defaults__, function.__kwdefaults__ = was
            found.append(f"{_name_of(seen.holder)}.{function.__name__}")
    now = vars(seen.holder)
    for name, value in seen.values.items():
        is_code = callable(value) or isinstance(value, _CONSTANTS)
        if is_code and now.get(name) is not value and _put(seen.holder, name, value):
            found.append(f"{_name_of(seen.holder)}.{name}")
    for name in [name for name in now if name not in seen.values]:
        if _is_intruder(seen.holder, name, now[name]):
            with suppress(AttributeError, TypeError):
                delattr(seen.holder, name)
            found.append(f"{_name_of(seen.holder)}.{name}")
    return found


def _is_intruder(holder: Holder, name: str, value: Any) -> bool:
    """Whether a name that is new stands before one that was meant: a built-in's, or a base's."""
    if isinstance(holder, type):
        return callable(value) and any(name in vars(base) for base in holder.__mro__[1:])
    return name in _BUILTIN_NAMES and holder is not builtins


def _put(holder: Holder, name: str, value: Any) -> bool:
    try:
        setattr(holder, name, value)
    except (AttributeError, TypeError):
        return False
    return True


def _put_in_place(module: Any) -> list[str]:
    """Load a module anew whose functions are a plugin's: it was changed before anyone saw it."""
    if not isinstance(module, ModuleType):
        return []
    strange = [name for name, value in vars(module).items() if _is_of_plugin(value)]
    if strange:
        with suppress(Exception):
            importlib.reload(module)
    return [f"{_name_of(module)}.{name}" for name in strange]


def _is_of_plugin(value: Any) -> bool:
    made = getattr(value, "__globals__", None)
    place = made.get("__name__") if isinstance(made, dict) else getattr(value, "__module__", None)
    return callable(value) and isinstance(place, str) and place.startswith(PLUGIN_PREFIX)


def _name_of(holder: Holder) -> str:
    if isinstance(holder, type):
        return f"{holder.__module__}.{holder.__qualname__}"
    return holder.__name__


def replaced_words(names: list[str]) -> str:
    """What was replaced, for a message."""
    shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    return f"code that the whole program uses ({shown})"


SHARED_CODE = SharedCode()
"""That of this process."""
