"""What third-party code may do in its engine: limits of output and memory, no other programs.

Only the engine for plugins confines itself, and only while a plugin is being called in a thread.
This catches mistakes and says so by name; it is no wall against malice.

Which of Python's audit events change what belongs to the whole machine, and where.

A table: what is refused whatever its arguments, and which arguments of an event name places that
are changed. Python tells of no event for ``os.umask``, ``os.mkfifo`` and for what C code does by
itself; the mask is put back after every call (``core.extensions.process_state``).
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from core.engine.options import EngineOptions
from core.engine.plugin_use import MarkPlugin
from core.engine.sandbox.memory_use import machine_bytes
from core.settings import cache_folder, kernel_folder, plugin_folder, state_folder
from payoff.counting import counted
from payoff.errors import PayoffError

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PROGRAMS, _NETWORK = "start other programs", "use the network"
_PROCESSES, _SYSTEM = "signal other processes", "change the system's settings"
_REFUSED = {
    **dict.fromkeys(
        (
            "os.system",
            "os.exec",
            "os.fork",
            "os.forkpty",
            "os.posix_spawn",
            "os.spawn",
            "os.startfile",
            "os.startfile/2",
            "subprocess.Popen",
            "pty.spawn",
            "webbrowser.open",
            "_winapi.CreateProcess",
            "_winapi.OpenProcess",
            "_winapi.CreateNamedPipe",
        ),
        _PROGRAMS,
    ),
    **dict.fromkeys(
        (
            "socket.connect",
            "socket.bind",
            "socket.sendto",
            "socket.sendmsg",
            "socket.sethostname",
            "socket.getaddrinfo",
            "socket.getnameinfo",
            "socket.gethostbyname",
            "socket.gethostbyaddr",
            "urllib.Request",
            "http.client.connect",
            "smtplib.connect",
            "ftplib.connect",
            "imaplib.open",
            "nntplib.connect",
            "poplib.connect",
            "telnetlib.Telnet.open",
        ),
        _NETWORK,
    ),
    **dict.fromkeys(("os.killpg", "signal.pthread_kill", "_winapi.TerminateProcess"), _PROCESSES),
    **dict.fromkeys(
        (
            "resource.setrlimit",
            "resource.prlimit",
            "sys.addaudithook",
            "winreg.ConnectRegistry",
            "winreg.CreateKey",
            "winreg.DeleteKey",
            "winreg.DeleteValue",
            "winreg.LoadKey",
            "winreg.SaveKey",
            "winreg.SetValue",
            "winreg.DisableReflectionKey",
            "winreg.EnableReflectionKey",
        ),
        _SYSTEM,
    ),
    "sqlite3.load_extension": "load code into a database",
    "sqlite3.enable_load_extension": "load code into a database",
}
"""Event -> what it is that a plugin may not do."""

_C_NAMES = """
    system popen fork vfork clone execv execve execvp execvpe execl execlp execle posix_spawn
    posix_spawnp kill killpg socket connect bind sendto sendmsg unlink unlinkat remove rename
    renameat renameat2 rmdir mkdir mkdirat link linkat symlink symlinkat truncate truncate64
    ftruncate chmod fchmod fchmodat chown fchown lchown fchownat fopen fopen64 open open64 openat
    openat64 creat creat64 mkfifo mknod umask setrlimit prlimit setuid setgid syscall
    CreateProcessA CreateProcessW DeleteFileA DeleteFileW MoveFileA MoveFileW MoveFileExA
    MoveFileExW CreateFileA CreateFileW RemoveDirectoryA RemoveDirectoryW WinExec ShellExecuteA
    ShellExecuteW TerminateProcess
"""
_C_FUNCTIONS = frozenset(_C_NAMES.split())
"""What the system's libraries offer beside Python's own functions, and so beside the fence."""
_C_LIBRARIES = (
    *("libc.", "libc-", "libsystem"),
    *("msvcrt", "ucrtbase", "kernel32", "kernelbase", "shell32", "ws2_32"),
)


@dataclass(frozen=True, slots=True)
class _Change:
    """Arguments of an event that name what is changed.

    Parameters
    ----------
    contents : tuple of int
        Places of arguments whose file itself is changed: links are followed.
    entries : tuple of int
        Of arguments whose entry in its folder is made, removed or renamed: only the links before it
        are followed.
    folders : tuple of int
        Of the numbers of open folders that these are relative to, in the same order; -1: none.
    """

    contents: tuple[int, ...] = ()
    entries: tuple[int, ...] = ()
    folders: tuple[int, ...] = ()


_CHANGES = {
    "os.remove": _Change(entries=(0,), folders=(1,)),
    "os.rmdir": _Change(entries=(0,), folders=(1,)),
    "os.mkdir": _Change(entries=(0,), folders=(2,)),
    "os.rename": _Change(entries=(0, 1), folders=(2, 3)),
    "os.link": _Change(contents=(0,), entries=(0, 1), folders=(2, 2, 3)),
    "os.symlink": _Change(entries=(1,), folders=(2,)),
    "os.truncate": _Change(contents=(0,)),
    "os.chmod": _Change(contents=(0,), folders=(2,)),
    "os.chown": _Change(contents=(0,), folders=(3,)),
    "os.chflags": _Change(contents=(0,)),
    "os.utime": _Change(contents=(0,), folders=(3,)),
    "os.setxattr": _Change(contents=(0,)),
    "os.removexattr": _Change(contents=(0,)),
    "shutil.rmtree": _Change(entries=(0,), folders=(1,)),
    "shutil.move": _Change(entries=(0, 1)),
    "shutil.copyfile": _Change(contents=(1,)),
    "shutil.copymode": _Change(contents=(1,)),
    "shutil.copystat": _Change(contents=(1,)),
    "shutil.copytree": _Change(contents=(1,)),
    "shutil.chown": _Change(contents=(0,)),
    "shutil.make_archive": _Change(contents=(0,)),
    "shutil.unpack_archive": _Change(contents=(1,)),
    "tempfile.mkstemp": _Change(entries=(0,)),
    "tempfile.mkdtemp": _Change(entries=(0,)),
    "_winapi.CreateJunction": _Change(entries=(1,)),
}
_BY_HAND = ("open", "sqlite3.connect", "mmap.__new__", "os.kill", "ctypes.dlsym")
WATCHED = frozenset({*_REFUSED, *_CHANGES, *_BY_HAND})
"""Events that are looked at; all others pass."""


def refused(event: str, arguments: tuple[Any, ...]) -> str:
    """What a plugin would be doing that no plugin may do; empty where it depends on the place."""
    if event == "os.kill":  # itself it may end: it is told apart by its marker
        return "" if arguments[0] == os.getpid() else _PROCESSES
    if event == "ctypes.dlsym":
        is_refused = str(arguments[1]) in _C_FUNCTIONS and _is_of_system(arguments[0])
        return "call the system past Python" if is_refused else ""
    return _REFUSED.get(event, "")


def _is_of_system(library: object) -> bool:
    """Whether a library that C functions are taken from is the process itself or the system's."""
    name = getattr(library, "_name", None)
    last = os.path.basename(name).lower() if isinstance(name, str) else ""
    return last.startswith(_C_LIBRARIES) or not last


def places_changed(event: str, arguments: tuple[Any, ...]) -> Iterator[str]:
    """The real paths that an event changes: of a move both, of an entry that of its folder."""
    if event == "open":
        if _writes(*arguments[1:3]):
            yield from _content(arguments[0])
        return
    if event == "sqlite3.connect":
        yield from _database(arguments[0])
        return
    if event == "mmap.__new__":
        yield from _mapped(arguments[0])
        return
    change = _CHANGES.get(event)
    if change is None:
        return
    asked = [(place, False) for place in change.contents]
    asked += [(place, True) for place in change.entries]
    for number, (place, is_entry) in enumerate(asked):
        folder = change.folders[number] if number < len(change.folders) else -1
        named = arguments[place] if place < len(arguments) else None
        beside = arguments[folder] if 0 <= folder < len(arguments) else None
        yield from (_entry if is_entry else _content)(named, beside)


def _writes(mode: object, flags: object) -> bool:
    has_flags = isinstance(flags, int) and bool(flags & _WRITING)
    return has_flags or (isinstance(mode, str) and bool(set(mode) & set("wax+")))


def _content(named: object, beside: object = None) -> Iterator[str]:
    """The file that a path or the number of an open file leads to."""
    if isinstance(named, int):
        place = _open_place(named)
        if place:
            yield os.path.realpath(place)
    elif isinstance(named, str | bytes | os.PathLike):
        yield os.path.realpath(_joined(os.fsdecode(named), beside))


def _entry(named: object, beside: object = None) -> Iterator[str]:
    """The place of a name in its folder, whatever it links to."""
    if isinstance(named, str | bytes | os.PathLike):
        path = _joined(os.fsdecode(named), beside).rstrip(os.sep) or os.sep
        folder, name = os.path.split(path)
        if name in ("", ".", ".."):
            yield os.path.realpath(path)
        else:
            yield os.path.join(os.path.realpath(folder or os.curdir), name)


def _joined(path: str, beside: object) -> str:
    """A path as it is meant: relative to an open folder where one is given."""
    if isinstance(beside, int) and beside >= 0 and not os.path.isabs(path):
        return os.path.join(_open_place(beside) or os.sep, path)
    return path


def _open_place(number: int) -> str:
    """Where an open file or folder lies; empty where the system does not tell."""
    if sys.platform == "darwin":
        import fcntl

        try:
            return os.fsdecode(fcntl.fcntl(number, 50, bytes(1024)).rstrip(b"\0"))  # F_GETPATH
        except OSError:
            return ""
    try:
        place = os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return ""
    return place if os.path.isabs(place) and not place.endswith(" (deleted)") else ""


def _database(named: object) -> Iterator[str]:
    """The file of a database, unless it lies in memory or is only read."""
    if not isinstance(named, str | bytes | os.PathLike):
        return
    path = os.fsdecode(named)
    if path.startswith("file:"):
        parts = urlsplit(path)
        mode = parse_qs(parts.query)
        if mode.get("mode") in (["ro"], ["memory"]) or mode.get("immutable") == ["1"]:
            return
        path = unquote(parts.path)
    if path not in ("", ":memory:"):
        yield from _content(Path(path))


def _mapped(number: int) -> Iterator[str]:
    """An open file that is mapped to be written to; what was opened to be read cannot be."""
    if number < 0 or sys.platform == "win32":
        return
    import fcntl

    try:
        flags = fcntl.fcntl(number, fcntl.F_GETFL)
    except OSError:
        return
    if flags & (os.O_WRONLY | os.O_RDWR):
        yield from _content(number)


_MOST_FILES = 1024  # descriptors that a process has open at its beginning, by far
_here = threading.local()


class PluginOutput:
    """Takes what plugins print and counts it; beyond a limit the printing call is refused."""

    encoding = "utf-8"

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self.written = 0

    def write(self, text: str) -> int:
        """Count a text; nothing is shown."""
        self.written += len(text)
        if self.written > self._most and _plugin_here():
            raise PayoffError(
                "The plugin prints too much.",
                where=_plugin_here(),
                why=f"More than {counted(self._most, 'character')} in one call.",
            )
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""

    def isatty(self) -> bool:
        """Nobody looks at it."""
        return False


def own_thread() -> None:
    """Note that this thread is the engine's own: outside of plugins it may do what it likes.

    Any other thread was started by a plugin, or by a library for one, and is held to its limits.
    """
    _here.plugin = ""


def _plugin_here() -> str:
    """The third-party plugin that this thread is in, or nothing."""
    plugin: str = getattr(_here, "plugin", "a plugin's thread")
    return plugin


def _let_go_of_shared_files() -> None:
    """Point descriptors of files without a name, which are shared memory, at nothing.

    The memory stays: it is mapped already. A plugin that writes into every open file would write
    into the markers that say which plugin is at work, and into the main engine's stop bytes.
    """
    if not hasattr(os, "fork"):  # elsewhere shared memory has no descriptor
        return
    nowhere = os.open(os.devnull, os.O_RDWR)
    for place in set(range(3, _MOST_FILES)) - {nowhere}:
        with suppress(OSError):
            found = os.fstat(place)
            if stat.S_ISREG(found.st_mode) and found.st_nlink == 0:
                os.dup2(nowhere, place)
    os.close(nowhere)


class Confinement:
    """The limits of one engine for plugins; made once, before any plugin is imported.

    Parameters
    ----------
    options : EngineOptions
    """

    def __init__(self, options: EngineOptions) -> None:
        self._output = PluginOutput(options.plugin_output_bytes)
        self._plugins = _real(options.plugin_folder or plugin_folder())
        # A plugin's kernels are compiled, and kept, while the plugin is being called.
        own = (cache_folder(), kernel_folder(), state_folder())
        folders = [tempfile.gettempdir(), *map(str, own)]
        folders += [place for place in (options.store_folder, options.log_folder) if place]
        self._may_write = tuple(_real(place) for place in folders)

    def begin(self) -> None:
        """Take the process into confinement; there is no way back."""
        sys.stdout = self._output
        with suppress(OSError):  # what is written past Python goes nowhere as well
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.close(nowhere)
        _let_go_of_shared_files()
        if hasattr(os, "setpgid"):
            with suppress(OSError):  # whatever it starts ends with it
                os.setpgid(0, 0)
        _limit_memory()
        own_thread()
        sys.addaudithook(self._audit)

    def marking(self, mark: MarkPlugin) -> MarkPlugin:
        """Confine this thread while the marker names a plugin."""

        @contextmanager
        def marked(plugin: str, stage: str, limit: float) -> Iterator[None]:
            outer = _plugin_here()
            self._output.written = 0
            _here.plugin = plugin
            try:
                with mark(plugin, stage, limit):
                    yield
            finally:
                _here.plugin = outer

        return marked

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Refuse, inside a plugin, what belongs to the whole machine."""
        if event not in WATCHED or not _plugin_here():
            return
        refusal = refused(event, arguments)
        if refusal:
            raise PermissionError(f"A plugin may not {refusal} ({event}).")
        for place in places_changed(event, arguments):
            self._check_place(place)

    def _check_place(self, place: str) -> None:
        if place == os.devnull:
            return
        is_own = _lies_in(place, self._plugins)
        if is_own and "__pycache__" in Path(place).parts:
            return  # Python keeps the plugin's byte code there
        if is_own or not any(_lies_in(place, folder) for folder in self._may_write):
            raise PermissionError(f"A plugin may not write or delete files here: {place}.")


def _real(path: str | os.PathLike[str]) -> str:
    return os.path.realpath(path)


def _lies_in(place: str, folder: str) -> bool:
    place, folder = os.path.normcase(place), os.path.normcase(folder)  # where letters' case is one
    return place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)


def _limit_memory() -> None:
    """Let a request beyond the machine's whole memory fail at once, where the system can."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    whole = machine_bytes()
    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (whole, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
