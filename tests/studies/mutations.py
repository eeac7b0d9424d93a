"""What tests notice: one small change at a time to the program, then the tests that reach it.

    python -m tests.studies.mutations [--seed N] [--count N] [--list] [--only K ...]

draws changes over all packages (each is drawn from at least once, large ones more often; first
the kind of a change, then its place), makes one, runs the test files that are nearest to it until
one fails, puts the file back and prints a row of a table. At the end the tests that noticed
something are run once more without any change: what fails then says nothing. ``--only`` takes
changes by their numbers, ``--tests`` runs these tests in place of the nearest files. A change
after which tests hang, and without which they do not, is noticed. The program that is changed is
that of the checkout: run it in a copy where someone works on it. POSIX systems.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NESTED = ("core", "gui", "plugins")  # each folder of these is a package to draw from
LEFT_OUT = ("soak", "e2e", "benchmarks", "studies", "installer")  # long, or no tests of a part
LIBRARIES = ("numba", "pandas", "scipy.stats", "pyarrow", "PySide6.QtWidgets", "pyqtgraph")
TURNED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
CLAMPS = {"min", "max", "np.minimum", "np.maximum", "np.clip"}
NO_NUMBERS = (ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.SetComp)


@dataclass(frozen=True)
class Change:
    """One expression of a file and what stands in its place."""

    file: str
    line: int
    start: int  # bytes from the beginning of the file
    end: int
    kind: str
    new: str
    names: tuple[str, ...]  # functions and classes around it, the innermost first

    def old(self) -> str:
        """What stood there."""
        return (ROOT / self.file).read_bytes()[self.start : self.end].decode()

    def row(self) -> str:
        """Where, and what changed, as two cells."""
        old, new = (" ".join(text.split()).replace("|", "\\|") for text in (self.old(), self.new))
        return f"| `{self.file}` {self.line} | {self.kind}: `{old}` → `{new}` "


def is_no_number(node: ast.AST) -> bool:
    """Whether an operand is no number for sure."""
    match node:
        case ast.Constant(value=value):
            return not isinstance(value, int | float)
        case ast.Call(func=ast.Name(id="set" | "frozenset" | "str" | "list" | "tuple")):
            return True
    return isinstance(node, NO_NUMBERS)


def changed_operator(node: ast.AST) -> tuple[str, ast.expr] | None:
    """The kind and the new expression of an operator that is turned or left out."""
    match node:
        case ast.Compare(ops=[op]):
            return "comparison", ast.Compare(node.left, [TURNED[type(op)]()], node.comparators)
        case ast.BoolOp():
            return "and/or", ast.BoolOp(
                ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values
            )
        case ast.UnaryOp(op=ast.Not()):
            return "not dropped", node.operand
        case ast.UnaryOp(op=ast.USub()) if not isinstance(node.operand, ast.Constant):
            return "sign", node.operand
    return None


def changed_value(node: ast.AST) -> tuple[str, ast.expr] | None:
    """The kind and the new expression of a sum, an index, a clamp or a choice of two."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            if is_no_number(node.left) or is_no_number(node.right):
                return None
            turned = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            return "sign", ast.BinOp(node.left, turned, node.right)
        case ast.Subscript(slice=ast.Constant(value=int(index))):
            return "index", ast.Subscript(node.value, ast.Constant(index + 1), node.ctx)
        case ast.Subscript(slice=ast.Slice(lower=ast.Constant(value=int(first)))):
            moved = ast.Slice(ast.Constant(first + 1), node.slice.upper, node.slice.step)
            return "index", ast.Subscript(node.value, moved, node.ctx)
        case ast.Call(func=function, args=[first, _, *_], keywords=[]):
            if ast.unparse(function) in CLAMPS and not isinstance(first, ast.Starred):
                kept = [value for value in node.args if not isinstance(value, ast.Constant)]
                return "clamp dropped", (kept or [first])[0]
        case ast.IfExp():
            return "branch swapped", ast.IfExp(node.test, node.orelse, node.body)
    return None


def changed_test(node: ast.If) -> tuple[str, ast.expr] | None:
    """The kind and the new condition of a statement that refuses, guards or branches."""
    if node.orelse:
        if isinstance(node.orelse[0], ast.If):
            return None
        return "branch swapped", ast.UnaryOp(ast.Not(), node.test)
    match node.body:
        case [*_, ast.Raise()]:
            return "refusal dropped", ast.Constant(False)
        case [ast.Return() | ast.Continue() | ast.Break()]:
            return "guard dropped", ast.Constant(False)
    return None


def is_left_out(node: ast.AST) -> bool:
    """Whether a part is for types, for the log, or for running a file alone."""
    match node:
        case ast.If(test=test):
            return "TYPE_CHECKING" in ast.unparse(test) or "__main__" in ast.unparse(test)
        case ast.ClassDef(bases=bases):
            return any("Protocol" in ast.unparse(base) for base in bases)
        case ast.Call(func=ast.Attribute(value=value)):
            return re.fullmatch(r"_?(log|logger|logging)", ast.unparse(value)) is not None
    return False


def changes_of(file: str) -> Iterator[Change]:
    """Every change that may be made to a file, in the order of its text."""
    text = (ROOT / file).read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def made(place: ast.expr, kind: str, new: ast.expr, names: tuple[str, ...]) -> Change:
        first = starts[place.lineno - 1] + place.col_offset
        last = starts[place.end_lineno - 1] + place.end_col_offset
        return Change(file, place.lineno, first, last, kind, f"({ast.unparse(new)})", names)

    def walk(node: ast.AST, names: tuple[str, ...]) -> Iterator[Change]:
        if is_left_out(node):
            return
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names = (node.name, *names)
        found = changed_test(node) if isinstance(node, ast.If) else None
        if found is not None:
            yield made(node.test, *found, names)
        elif names:
            found = changed_operator(node) or changed_value(node)
            is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            if found is not None and is_read:
                yield made(node, *found, names)
        for field, value in ast.iter_fields(node):
            if field in {"annotation", "returns", "decorator_list", "type_params"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                # Within a text between braces places are those of the text only from 3.12 on.
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                    yield from walk(child, names)

    yield from walk(ast.parse(text), ())


def packages() -> dict[str, list[str]]:
    """The files of each package, by the package's path."""
    found: dict[str, list[str]] = {}
    for top in (*NESTED, "payoff"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).parts
            name = "/".join(parts[:2]) if top in NESTED else top
            found.setdefault(name, []).append("/".join(parts))
    return found


def drawn(seed: int, count: int) -> list[Change]:
    """The changes of a seed; those of a package stay where other packages' files change."""
    sites = {
        name: [change for file in files for change in changes_of(file)]
        for name, files in packages().items()
    }
    sites = {name: changes for name, changes in sites.items() if changes}
    weights = [len(changes) ** 0.5 for changes in sites.values()]
    more = random.Random(seed).choices(list(sites), weights, k=max(count - len(sites), 0))
    numbers = Counter([*sites, *more])
    picked = []
    for name, changes in sites.items():
        chance = random.Random(f"{seed} {name}")
        left = changes
        for _ in range(numbers[name]):
            kind = chance.choice(sorted({change.kind for change in left}))
            picked.append(chance.choice([change for change in left if change.kind == kind]))
            left = [change for change in left if change.file != picked[-1].file] or changes
    return picked[:count]


@cache
def words(path: Path) -> frozenset[str]:
    """The names a source has."""
    return frozenset(re.findall(r"\w+", path.read_text(encoding="utf-8")))


@cache
def test_files() -> tuple[Path, ...]:
    """The files to choose from."""
    return tuple(
        path
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if path.relative_to(ROOT).parts[1] not in LEFT_OUT
    )


@cache
def definitions() -> tuple[tuple[str, str, frozenset[str]], ...]:
    """File, name and the names within, of each function and class of the program."""
    found = []
    for file in (file for files in packages().values() for file in files):
        for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                inner = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                inner |= {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
                found.append((file, node.name, frozenset(inner)))
    return tuple(found)


def callers(file: str, names: set[str]) -> set[str]:
    """Functions and classes of the program that have one of the names; private ones of the file."""
    public = {name for name in names if not name.startswith("_")}
    return {
        name
        for place, name, inner in definitions()
        if inner & (names if place == file else public) and name not in names
    }


def nearest(change: Change) -> list[str]:
    """The test files that reach a change, the most specific first."""
    module = change.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    around = {name for name in change.names if not name.startswith("__") and len(name) > 3}
    second = callers(change.file, around)
    third = callers(change.file, second) if len(second) < 12 else set()
    fourth = callers(change.file, third) if len(third) < 12 else set()
    place = [part for part in re.split(r"\W|_", module) if len(part) > 3]
    marks = []
    for path in test_files():
        text, here = path.read_text(encoding="utf-8"), words(path)
        near = sum(part in path.stem or part.rstrip("s") in path.stem for part in set(place))
        mark = 6.0 * len(around & here) + 3.0 * bool(second & here) + 1.5 * bool(third & here)
        mark += 1.0 * bool(fourth & here)
        mark += 4.0 * bool(re.search(rf"\b{re.escape(module)}\b", text))
        mark += 1.5 * near + sum(part in path.parts for part in set(place))
        if mark >= 2:
            marks.append((-mark, len(text), str(path.relative_to(ROOT))))
    return [file for _, _, file in sorted(marks)]


def run(files: Sequence[str], limit: float) -> tuple[str, str]:
    """What became of the tests (passed, failed, out of time), and the first that failed.

    They run in a copy of this process, which has the libraries and nothing of the program.
    """
    with tempfile.TemporaryFile("w+") as heard:
        child = os.fork()
        if not child:
            os.setsid()
            for stream in (1, 2):
                os.dup2(heard.fileno(), stream)
            code = 3
            try:
                code = int(pytest.main(["-x", "-q", "--no-header", *files]))
            finally:
                sys.stdout.flush()
                os._exit(code)
        ends, code = time.monotonic() + limit, None
        try:
            while code is None and time.monotonic() < ends:
                time.sleep(0.1)
                ended, status = os.waitpid(child, os.WNOHANG)
                code = status if ended else None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # what hangs, or was left behind
            if code is None:
                os.waitpid(child, 0)
        if code is None:
            return "out of time", ""
        heard.seek(0)
        said = heard.read()
    if not code:
        return "passed", ""
    first = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
    return "failed", first[1] if first else "".join(said.strip().splitlines()[-1:])


def tried(change: Change, files: Sequence[str], limit: float) -> tuple[str, str]:
    """What the tests said to a change, and the test that noticed it."""
    with made(change):
        end, test = run(files, limit)
    if end == "passed":
        return f"**survived** {', '.join(files)}", ""
    if end == "failed":
        return test, test
    return ("hung" if run(files, limit)[0] == "passed" else f"undecided {', '.join(files)}"), ""


@contextlib.contextmanager
def made(change: Change) -> Iterator[None]:
    """The program with the change; the file is put back whatever happens."""
    path = ROOT / change.file
    before = path.read_bytes()
    try:
        path.write_bytes(before[: change.start] + change.new.encode() + before[change.end :])
        yield
    finally:
        path.write_bytes(before)


def main() -> None:
    """Draw, try each change, and print the table."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--seed", type=int, default=60)
    asked.add_argument("--count", type=int, default=60)
    asked.add_argument("--list", action="store_true", help="print what is drawn, run nothing")
    asked.add_argument("--only", type=int, nargs="*", default=[], help="numbers of changes")
    asked.add_argument("--tests", nargs="*", default=[], help="in place of the nearest files")
    asked.add_argument("--files", type=int, default=5, help="most test files for one change")
    asked.add_argument("--limit", type=float, default=100.0, help="seconds for one change")
    options = asked.parse_args()
    os.environ |= {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    os.chdir(ROOT)
    for library in LIBRARIES:
        importlib.import_module(library)
    noticed = set()
    for number, change in enumerate(drawn(options.seed, options.count), start=1):
        if options.only and number not in options.only:
            continue
        files = options.tests or nearest(change)[: options.files]
        if options.list:
            print(f"{number} {change.row()}| {', '.join(files)} |", flush=True)
            continue
        started = time.perf_counter()
        by, test = tried(change, files, options.limit)
        noticed |= {test} - {""}
        took = time.perf_counter() - started
        print(f"| {number} {change.row()}| {by} | {took:.0f} s |", flush=True)
    if noticed:
        print("without a change:", *run(sorted(noticed), 60.0 * len(noticed)), flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the file is put back
    main()
