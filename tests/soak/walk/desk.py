"""A screen with a window manager, the program on it, and a hand on keys and mouse (xdotool)."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TOOLS = ("Xvfb", "openbox", "xdotool")
LACKING = tuple(tool for tool in TOOLS if shutil.which(tool) is None)
LOOKS = 0.1  # seconds between looks at the window


@dataclass(frozen=True, slots=True)
class Part:
    """Something that can be seen: its kind, names, text, and place on the screen in pixels."""

    kind: str
    name: str
    text: str
    place: tuple[int, int, int, int]
    window: str
    enabled: bool
    focus: bool
    tip: str = ""

    @property
    def middle(self) -> tuple[int, int]:
        """Where it is clicked."""
        x, y, width, height = self.place
        return x + width // 2, y + height // 2


@contextmanager
def screen(size: str = "1440x900", scale: str = "1") -> Iterator[dict[str, str]]:
    """A virtual screen with a window manager; the environment of programs on it."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as answer:
        number = answer.readline().strip()
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    kept |= {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": scale}
    manager = subprocess.Popen(["openbox"], env=kept, stderr=subprocess.DEVNULL)
    try:
        yield kept
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait(10)


class Desk:
    """The program on a screen, as a person has it: what is seen, keys, mouse, time."""

    def __init__(
        self, environment: dict[str, str], folder: Path, file: str = "", theme: str = "light"
    ) -> None:
        self.environment = environment | {"PAYOFF_HOME": str(folder / "home")}
        self.environment["PYTHONPATH"] = str(ROOT)
        self.folder = folder
        self.icons: list[subprocess.Popen[bytes]] = []  # files that were dragged
        self.socket = str(folder / f"watch-{time.monotonic_ns()}")
        self.log = (folder / "program.log").open("ab")
        self.program = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.walk.watched", self.socket, file, theme],
            env=self.environment,
            stdout=self.log,
            stderr=self.log,
            cwd=ROOT,
            start_new_session=True,
        )

    def look(self) -> list[Part]:
        """What can be seen now; nothing before the window is there."""
        try:
            with socket.socket(socket.AF_UNIX) as caller:
                caller.settimeout(20)
                caller.connect(self.socket)
                told = b"".join(iter(lambda: caller.recv(1 << 16), b""))
        except OSError:
            if self.program.poll() is not None:
                raise RuntimeError(
                    f"the program has ended: {self.folder / 'program.log'}"
                ) from None
            return []
        parts = json.loads(told) if told else []
        return [Part(**{**one, "place": tuple(one["place"])}) for one in parts]

    def find(self, words: str, kind: str = "", parts: list[Part] | None = None) -> list[Part]:
        """The parts whose text or name matches all of a pattern."""
        parts = self.look() if parts is None else parts
        pattern = re.compile(words, re.DOTALL)
        return [
            part
            for part in parts
            if (pattern.fullmatch(part.text) or pattern.fullmatch(part.name)) and kind in part.kind
        ]

    def wait(self, words: str, kind: str = "", seconds: float = 120.0) -> Part:
        """The first part that matches, once it can be seen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.find(words, kind)
            if found:
                return found[0]
            time.sleep(LOOKS)
        raise TimeoutError(f"not seen in {seconds:g} s: {words}")

    def hand(self, *words: str | int) -> None:
        """One movement of mouse or keys, in xdotool's words."""
        command = ["xdotool", *(str(word) for word in words)]
        subprocess.run(command, env=self.environment, check=True, timeout=20)

    def click(self, words: str | Part, kind: str = "", button: int = 1) -> Part:
        """Click in the middle of what matches, once it stands still: new windows are moved."""
        part = self.wait(words, kind) if isinstance(words, str) else words
        while isinstance(words, str):
            time.sleep(LOOKS)
            before, part = part, self.wait(words, kind)
            if part.place == before.place:
                break
        self.hand("mousemove", *part.middle, "click", button)
        return part

    def key(self, *names: str) -> None:
        """Press keys, one after the other."""
        self.hand("key", "--delay", 30, *names)

    def type(self, text: str) -> None:
        """Type a text."""
        self.hand("type", "--delay", 15, text)

    def drop(self, path: Path) -> None:
        """Drag a file from the desktop into the middle of the window and let it go there."""
        icon = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.walk.file_icon", str(path)],
            env=self.environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )
        assert icon.stdout is not None
        with icon.stdout as told:
            told.readline()  # it is shown, in the corner of the screen
        main = max(self.look(), key=lambda part: part.place[2] * part.place[3])
        self.hand("mousemove", 40, 40, "sleep", 0.2, "mousedown", 1)
        for step in range(1, 11):  # a hand takes its time: the window is asked on the way
            x, y = (40 + (end - 40) * step // 10 for end in main.middle)
            self.hand("mousemove", x, y, "sleep", 0.1)
        self.hand("sleep", 0.5, "mouseup", 1)
        self.icons.append(icon)

    def seconds_of_processor(self) -> float:
        """Processor time of the program and of all processes that it started."""
        ticks, parents = {}, {}
        for entry in Path("/proc").iterdir():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[entry.name] = fields[1]
            ticks[entry.name] = sum(int(one) for one in fields[11:15])
        ours, grows = {str(self.program.pid)}, True
        while grows:
            more = {one for one, parent in parents.items() if parent in ours} - ours
            ours |= more
            grows = bool(more)
        return sum(ticks.get(one, 0) for one in ours) / os.sysconf("SC_CLK_TCK")

    def picture(self, path: Path) -> None:
        """The whole screen, as it is seen."""
        command = ["import", "-window", "root", str(path)]
        subprocess.run(command, env=self.environment, check=True, timeout=60)

    def kill(self) -> None:
        """End the window's process without a word to it."""
        self.program.send_signal(signal.SIGKILL)
        self.program.wait(20)

    def close(self) -> None:
        """End the program, and whatever it started."""
        if self.program.poll() is None:
            self.program.terminate()
            try:
                self.program.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        self.log.close()
        for icon in self.icons:
            icon.wait(20)
