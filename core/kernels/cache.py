"""Where compiled kernels are kept between starts, and when they are stale.

numba's own stamp is the hash of one source file, or, in a frozen program, of the executable; a
changed constant in a plugin or in a kernel called from another file would go unnoticed. Our stamp
is the SHA-256 of every file reached by a kernel's calls, and of the constants it takes from
elsewhere.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import inspect
import logging
import os
import shutil
import stat
import tempfile
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from numba.core import caching

from core.kernels.before_numba import PROGRAM, is_building, shipped_place
from core.kernels.kernel_files import KernelFiles
from core.kernels.once import made_once
from core.settings import kernel_folder

_log = logging.getLogger("payoff.kernels")


def _is_writable(folder: Path) -> bool:
    """Whether the folder can be made and written to (root may fail on read-only mounts too)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _private_temporary_folder() -> Path | None:
    """A folder of our own among temporary files: numba unpickles what stands in it."""
    user = os.getuid() if hasattr(os, "getuid") else None
    shared = Path(tempfile.gettempdir()) / f"payoff-kernels-{user}"
    if user is not None:
        try:
            shared.mkdir(mode=0o700, exist_ok=True)
            status = shared.lstat()
            is_ours = stat.S_ISDIR(status.st_mode) and status.st_uid == user
            if is_ours and not status.st_mode & 0o077 and _is_writable(shared):
                return shared
        except OSError:
            pass
    try:
        own = Path(tempfile.mkdtemp(prefix="payoff-kernels-"))
    except OSError:
        return None
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    return own


@made_once
def kernel_cache_folder() -> Path | None:
    """The folder of compiled kernels, or None if nothing can be written anywhere.

    That of ``core.settings``, or a private temporary folder where it cannot be written.
    """
    folder = kernel_folder()
    return folder if _is_writable(folder) else _private_temporary_folder()


def python_function(value: object) -> types.FunctionType | None:
    """The Python function behind a value: itself, or that of a compiled kernel."""
    function = getattr(value, "py_func", value)
    return function if isinstance(function, types.FunctionType) else None


def _names_used(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_used(constant)


def names_used(function: types.FunctionType) -> tuple[str, ...]:
    """Global and attribute names that a function's code mentions, in order."""
    return tuple(dict.fromkeys(_names_used(function.__code__)))


def _values_used(function: types.FunctionType) -> Iterator[tuple[str, object]]:
    """Globals a function mentions, and what it takes from modules of its own project."""
    names = names_used(function)
    for name in names:
        if name not in function.__globals__:
            continue
        value = function.__globals__[name]
        yield name, value
        if isinstance(value, types.ModuleType):
            for attribute in names:
                if hasattr(value, attribute):
                    yield f"{name}.{attribute}", getattr(value, attribute)


def _is_reached(function: types.FunctionType) -> bool:
    """Whether a called function is compiled along with its caller (not numpy's or numba's)."""
    room = (function.__module__ or "").partition(".")[0]
    return room not in {"numpy", "numba", "math"}


def _source_digest(path: str) -> bytes | None:
    """SHA-256 of a source file; None where there is none.

    One of the program itself, which stays while it runs, is read once for all of its kernels: on
    Windows files open slowly.
    """
    return _read_once(path) if path.startswith(_OWN_SOURCES) else _read_digest(path)


def _read_digest(path: str) -> bytes | None:
    try:
        return hashlib.sha256(Path(path).read_bytes()).digest()
    except OSError:
        return None


_OWN_SOURCES = tuple(os.path.join(PROGRAM, name, "") for name in ("core", "payoff", "plugins"))
_read_once = cache(_read_digest)


def source_stamp(function: types.FunctionType) -> str:
    """SHA-256 over every source file reached from a function and the constants it takes.

    A file that does not exist (code typed in or generated) counts with its byte code.
    """
    files: dict[str, bytes] = {}
    constants: list[str] = []
    waiting, seen = [function], {id(function)}  # copies of one template call different functions
    while waiting:
        current = waiting.pop()
        path = current.__code__.co_filename
        if path not in files:
            found = _source_digest(path)
            files[path] = found or hashlib.sha256(current.__code__.co_code).digest()
        for name, value in _values_used(current):
            called = python_function(value)
            if called is not None and _is_reached(called) and id(called) not in seen:
                seen.add(id(called))
                waiting.append(called)
            elif isinstance(value, bool | int | float | str | tuple):
                constants.append(f"{current.__qualname__}:{name}={value!r}")
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(files[path])
    digest.update("\n".join(sorted(constants)).encode())
    return digest.hexdigest()


class SourceStampLocator(caching._CacheLocator):  # type: ignore[misc]  # numba is untyped
    """Keeps kernels in the program's cache folder under the stamp of all their sources."""

    def __init__(self, function: types.FunctionType, path: str, folder: Path) -> None:
        self._function = function
        self._stamp: str | None = None
        self._py_file = path
        # The place of the file tells equal module names apart; the stamp tells versions apart.
        place = hashlib.sha256(os.path.abspath(path).encode()).hexdigest()[:16]
        self._folder = folder / f"{Path(path).stem}_{place}"
        shipped = shipped_place(path) if is_building() else None
        if shipped is not None:
            self._folder = shipped

    def get_cache_path(self) -> str:
        """The folder of this function's compiled code."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """What must be unchanged for the compiled code to be used again."""
        if self._stamp is None:
            self._stamp = source_stamp(self._function)
        return self._stamp

    def get_disambiguator(self) -> str:
        """What tells functions of one name in one file apart: the line."""
        return str(self._function.__code__.co_firstlineno)

    @classmethod
    def from_function(cls, py_func: types.FunctionType, py_file: str) -> SourceStampLocator | None:
        """The locator of a function, or None if its code cannot be kept."""
        folder = kernel_cache_folder()
        if folder is None or _source_digest(py_file) is None:
            return None
        return cls(py_func, py_file, folder)  # made when something is kept: see save_overload


class _KernelCacheImpl(caching.CompileResultCacheImpl):  # type: ignore[misc]  # numba is untyped
    _locator_classes: ClassVar[list[type]] = [SourceStampLocator]


class KernelCache(caching.FunctionCache):  # type: ignore[misc]  # numba is untyped
    """numba's function cache in our folder and files, which survives damaged ones.

    What came with the program is looked up first; it is under the same stamp, and only read.
    """

    _impl_class = _KernelCacheImpl

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self._cache_file = self._files_in(Path(self.cache_path))
        place = shipped_place(inspect.getfile(py_func))
        self._shipped = None if place is None or is_building() else self._files_in(place)

    def _files_in(self, folder: Path) -> KernelFiles:
        stamp = self._impl.locator.get_source_stamp()
        return KernelFiles(folder, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code from disk, or None: a damaged file means compiling again."""
        target_context.refresh()
        for files in (self._shipped, self._cache_file):
            # Damaged: what came with the program is not ours to mend, our own is written anew.
            with contextlib.suppress(Exception):
                key = self._key(sig, target_context)
                data = None if files is None else files.load(key)
                if files is not None and data is not None:
                    if is_building():
                        files.mark_read(key)
                    return self._impl.rebuild(target_context, data)
        return None

    def _key(self, sig: Any, target_context: Any) -> Any:
        return self._index_key(sig, target_context.codegen())

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code; a full or vanished disk costs only the next start's time."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _log.warning("Compiled code of %s is not kept: %s", self._py_func.__qualname__, error)
            self.disable()


def attach_cache(dispatcher: Any, function: Callable[..., Any]) -> bool:
    """Give a compiled function our disk cache; False where its code cannot be kept."""
    try:
        dispatcher._cache = KernelCache(function)
    except RuntimeError:  # numba: no locator
        return False
    return True
