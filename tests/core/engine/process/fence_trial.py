"""Runs in a process of its own: every deed inside a plugin, here and there; what became of each."""

from __future__ import annotations

import contextlib
import ctypes
import json
import mmap
import os
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from core.engine.context import mark_nothing
from core.engine.options import EngineOptions
from core.engine.sandbox.confining import Confinement


def _linked(folder: Path) -> Path:
    """A link in the allowed folder to a file elsewhere."""
    return ALLOWED / f"to_{folder.name}"


def _map(folder: Path) -> None:
    with (folder / "f").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[0] = 1


def _relative(act: Callable[[int], object], folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        act(number)
    finally:
        os.close(number)


def _by_number(act: Callable[[int], object], folder: Path) -> None:
    number = os.open(folder / "f", os.O_RDONLY)
    try:
        act(number)
    finally:
        os.close(number)


def _in_thread(folder: Path) -> None:
    """A thread that a plugin starts is held to the same."""
    failed: list[BaseException] = []

    def work() -> None:
        try:
            (folder / "new").write_text("x")
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


ALLOWED = Path(tempfile.gettempdir()) / "here"
PLACES: dict[str, Callable[[Path], object]] = {
    "open": lambda at: (at / "new").write_text("x"),
    "append": lambda at: (at / "f").open("a").close(),
    "os.open": lambda at: os.close(os.open(at / "new", os.O_CREAT | os.O_WRONLY)),
    "open a link": lambda at: (_linked(at) / "f").open("w").close(),
    "remove": lambda at: (at / "f").unlink(),
    "remove beside": lambda at: _relative(lambda n: os.remove("f", dir_fd=n), at),
    "rmdir": lambda at: (at / "empty").rmdir(),
    "mkdir": lambda at: (at / "new").mkdir(),
    "mkdir beside": lambda at: _relative(lambda n: os.mkdir("new", dir_fd=n), at),
    "rename from": lambda at: (at / "f").rename(ALLOWED / "moved"),
    "rename to": lambda at: (ALLOWED / "mine").rename(at / "new"),
    "replace": lambda at: os.replace(ALLOWED / "mine", at / "f"),
    "move from": lambda at: shutil.move(at / "f", ALLOWED / "moved"),
    "move to": lambda at: shutil.move(ALLOWED / "mine", at / "new"),
    "link from": lambda at: os.link(at / "f", ALLOWED / "moved"),
    "link to": lambda at: os.link(ALLOWED / "mine", at / "new"),
    "symlink": lambda at: (at / "new").symlink_to(ALLOWED / "mine"),
    "remove a link": lambda at: (at / "link").unlink(),
    "truncate": lambda at: os.truncate(at / "f", 0),
    "chmod": lambda at: (at / "f").chmod(0o600),
    "chmod by number": lambda at: _by_number(lambda n: os.chmod(n, 0o600), at),
    "chown": lambda at: os.chown(at / "f", os.getuid(), os.getgid()),
    "utime": lambda at: os.utime(at / "f"),
    "utime by number": lambda at: _by_number(os.utime, at),
    "copyfile": lambda at: shutil.copyfile(ALLOWED / "mine", at / "new"),
    "copytree": lambda at: shutil.copytree(ALLOWED / "empty", at / "new"),
    "rmtree": lambda at: shutil.rmtree(at / "empty"),
    "make_archive": lambda at: shutil.make_archive(str(at / "new"), "zip", ALLOWED / "empty"),
    "unpack_archive": lambda at: shutil.unpack_archive(ALLOWED / "a.zip", at / "new"),
    "mkstemp": lambda at: os.close(tempfile.mkstemp(dir=at)[0]),
    "mkdtemp": lambda at: tempfile.mkdtemp(dir=at),
    "sqlite3": lambda at: sqlite3.connect(at / "new.db").close(),
    "sqlite3 address": lambda at: sqlite3.connect(f"file:{at}/new.db?mode=rwc", uri=True).close(),
    "mmap": _map,
    "thread": _in_thread,
}
if hasattr(os, "setxattr"):
    PLACES["setxattr"] = lambda at: os.setxattr(at / "f", "user.a", b"1")
"""What is refused elsewhere and done in the allowed folder."""

ALWAYS: dict[str, Callable[[], object]] = {
    "system": lambda: os.system("true"),
    "Popen": lambda: subprocess.Popen([sys.executable, "-V"]),
    "fork": os.fork,
    "execv": lambda: os.execv("/bin/true", ["true"]),
    "posix_spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "spawn": lambda: os.spawnv(os.P_WAIT, "/bin/true", ["true"]),
    "kill another": lambda: os.kill(os.getppid(), 0),
    "kill a group": lambda: os.killpg(os.getpgrp(), 0),
    "connect": lambda: socket.create_connection(("127.0.0.1", 9)),
    "bind": lambda: socket.socket().bind(("127.0.0.1", 0)),
    "look up a name": lambda: socket.gethostbyname("localhost"),
    "C's system": lambda: ctypes.CDLL(None).system(b"true"),
    "C's unlink": lambda: ctypes.CDLL(None).unlink(b"/nowhere"),
    "limits": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9)),
}
"""What is refused wherever it is tried."""

FREE: dict[str, Callable[[Path], object]] = {
    "read": lambda at: (at / "f").read_bytes(),
    "list": lambda at: list(at.iterdir()),
    "read a database": lambda at: sqlite3.connect(f"file:{at}/d.db?mode=ro", uri=True).close(),
    "a database in memory": lambda _at: sqlite3.connect(":memory:").close(),
    "map to read": lambda at: _by_number(lambda n: mmap.mmap(n, 0, prot=mmap.PROT_READ), at),
    "map memory": lambda _at: mmap.mmap(-1, 10).close(),
    "C's getpid": lambda _at: ctypes.CDLL(None).getpid(),
    "the own process": lambda _at: os.kill(os.getpid(), 0),
}
"""What nobody minds, elsewhere too."""


def _fill(folder: Path) -> None:
    """The folder as every deed finds it."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "empty").mkdir(parents=True)
    (folder / "f").write_text("content")
    (folder / "mine").write_text("content")
    (folder / "link").symlink_to(ALLOWED)
    sqlite3.connect(folder / "d.db").execute("create table t (a)").connection.close()


def _state(folder: Path) -> list[object]:
    """What a deed might have changed."""
    found = []
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found.append([path.name, status.st_mode, status.st_nlink, status.st_mtime, repr(content)])
    return found


def _try(marked: Callable[..., contextlib.AbstractContextManager[None]], deed: object) -> str:
    try:
        with marked("org.example.p", "run", 0.0):
            deed()
    except PermissionError as error:
        return "refused" if "A plugin may not" in str(error) else f"failed: {error!r}"
    except Exception as error:
        return f"failed: {error!r}"
    return "done"


def main(elsewhere: Path, answer: Path) -> None:
    """Try everything, and write down what happened."""
    confinement = Confinement(EngineOptions(plugin_folder=str(elsewhere / "plugins")))
    confinement.begin()
    marked = confinement.marking(mark_nothing)
    found: dict[str, list[str]] = {}
    for name, deed in PLACES.items():
        described = []
        for folder in (ALLOWED, elsewhere):
            for place in (ALLOWED, elsewhere):
                _fill(place)
                shutil.rmtree(ALLOWED / "moved", ignore_errors=True)
            shutil.make_archive(str(ALLOWED / "a"), "zip", ALLOWED / "empty")
            _linked(folder).symlink_to(folder)
            before = _state(elsewhere)
            described.append(_try(marked, lambda d=deed, f=folder: d(f)))
            if _state(elsewhere) != before:
                described[-1] += ", and something is changed elsewhere"
        found[name] = described
    for name, act in ALWAYS.items():
        found[name] = ["done", _try(marked, act)]
    _fill(elsewhere)
    for name, deed in FREE.items():
        found[name] = [_try(marked, lambda d=deed: d(elsewhere))] * 2
    answer.write_text(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
    os._exit(0)
