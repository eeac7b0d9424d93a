"""A memory of tables and prepared problems, bounded by bytes, least recently used out first."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

Held = TypeVar("Held")


@dataclass(slots=True)
class _Gate:
    """Held by the thread that makes a value; ``users`` counts it and those that wait for it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class ByteCache:
    """Values by key, made once, dropped when the bytes exceed the bound.

    Two lanes that want the same value wait for one making; different values are made side by side.

    Parameters
    ----------
    max_bytes : int
        The newest value stays even if it alone exceeds this.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._held: weakref.WeakValueDictionary[Hashable, Any] = weakref.WeakValueDictionary()
        self._released: deque[Hashable] = deque()  # names of held values that nobody has any more
        self._making: dict[Hashable, _Gate] = {}
        self._clearings = 0
        self._is_kept: Callable[[Hashable], bool] = lambda _key: True  # at the last clearing
        self._lock = threading.Lock()

    def hold(self, key: Hashable, value: Held, name: Hashable) -> Held:
        """Know a value that cannot be made again for as long as somebody else has it.

        Returns the one that is known already, where there is one: whoever needs it keeps that.
        What was made from it, under keys that hold its name, goes with it.
        """
        with self._lock:
            held: Held = self._held.setdefault(key, value)
            if held is value:
                # Values may die at any moment, in a thread that has the lock too: noted, no more.
                weakref.finalize(value, self._released.append, name).atexit = False
            return held

    def get(self, key: Hashable) -> Any | None:
        """The value of a key, or None."""
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                return held
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Keep a value of ``size`` bytes and drop what no longer fits."""
        with self._lock:
            self._drop_released()
            self._values[key] = (value, size)
            self._values.move_to_end(key)
            total = sum(kept for _, kept in self._values.values())
            while total > self.max_bytes and len(self._values) > 1:
                _, (_, dropped) = self._values.popitem(last=False)
                total -= dropped

    def _drop_released(self) -> None:
        while self._released:
            name = self._released.popleft()
            for key in [key for key in self._values if _mentions(key, name)]:
                del self._values[key]

    def keep_only(self, is_kept: Callable[[Hashable], bool]) -> None:
        """Drop every value whose key is not to be kept; what others hold stays.

        Values that are being made meanwhile are not kept either: they are of before.
        """
        with self._lock:
            self._clearings += 1
            self._is_kept = is_kept
            for key in [key for key in self._values if not is_kept(key)]:
                del self._values[key]

    def get_or_make(self, key: Hashable, make: Callable[[], tuple[Any, int]]) -> Any:
        """The value of a key; ``make`` gives it and its bytes when it is not there."""
        found = self.get(key)
        if found is not None:
            return found
        with self._lock:
            gate = self._making.setdefault(key, _Gate())
            gate.users += 1
        try:
            with gate.lock:
                found = self.get(key)
                if found is None:
                    clearings = self._clearings
                    found, size = make()
                    if clearings == self._clearings or self._is_kept(key):
                        self.put(key, found, size)
                return found
        finally:
            with self._lock:
                gate.users -= 1
                if gate.users == 0:  # who still waits makes it next where this making failed
                    del self._making[key]


def _mentions(key: Hashable, name: Hashable) -> bool:
    """Whether a name is a part of a key, or a part of its parts."""
    return key == name or (isinstance(key, tuple) and any(_mentions(part, name) for part in key))
