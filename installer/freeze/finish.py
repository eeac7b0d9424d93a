"""Finish the frozen folder: byte code, notices, kernels; then its own self test, and its size.

``python installer/freeze/finish.py PROGRAM_FOLDER``, run by the interpreter that froze it.
"""

from __future__ import annotations

import compileall
import os
import platform
import py_compile
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from contents import OWN_PACKAGES
from kept_kernels import keep, take_over
from notices import write_notices

KERNELS = "kernels"
OLDER = {"NUMBA_CPU_NAME": "x86-64-v2", "NUMBA_CPU_FEATURES": ""}
"""What makes the program compile, and run, as on an x86-64 processor without AVX2."""
MOST_BYTES = 650_000_000
WITH_SYMBOLS = (
    "llvmlite/binding/libllvmlite.so",
    "libpython3*.so*",
    "python3*/lib-dynload/*.so",
    *(
        f"{library}/**/*.so*"
        for library in (
            "msgpack",
            "numba",
            "pyarrow",
            "pyreadstat",
            "python_calamine",
            "xxhash",
            "yaml",
        )
    ),
)
OPENMP = "omp threads"
JOURNEYS = (
    ("run", "{samples}/direct-mail.payoff", "--report", "{home}/report"),
    ("--self-test",),
)
"""What an installed program must not have to compile for, whatever the processor."""
IN_WINDOW = ("--sample", "direct-mail", "--picture", "{home}/window.png")
"""What it must not have to compile for either, but on an older processor: there, what is not
shipped is compiled in the background as soon as a window is open."""


def compile_sources(inside: Path) -> None:
    """Byte code beside our sources, used as long as the source is the same: nothing is written
    into the program's folder later, and a changed source counts at once."""
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    for package in OWN_PACKAGES:
        folder = inside / package
        if not compileall.compile_dir(folder, quiet=1, force=True, invalidation_mode=mode):
            raise SystemExit(f"{folder} has files that do not compile")


def strip_symbols(inside: Path) -> None:
    """Take out of libraries the symbols that only a debugger reads (Linux).

    A library that its wheel's tool has rewritten may lose more: it keeps its symbols.
    """
    if sys.platform == "linux" and shutil.which("strip"):
        for pattern in WITH_SYMBOLS:
            for library in inside.glob(pattern):
                smaller = library.with_name(f"{library.name}.stripped")
                subprocess.run(
                    ["strip", "--strip-unneeded", "-o", str(smaller), str(library)], check=True
                )
                if loaded_parts(smaller) == loaded_parts(library):
                    smaller.replace(library)
                else:
                    print(f"{library.name} keeps its symbols")
                    smaller.unlink()


def loaded_parts(library: Path) -> list[tuple[int, int, int]]:
    """Of what is loaded of a library (ELF, 64 bits): address, bytes in the file, bytes in memory.

    Where it stands in the file has to be as far into a page as the address is.
    """
    content = library.read_bytes()
    (table,) = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    found = []
    for place in range(table, table + count * size, size):
        kind, _, offset, address, _, in_file, in_memory, page = struct.unpack_from(
            "<IIQQQQQQ", content, place
        )
        if kind == 1 and (offset - address) % page == 0:
            found.append((address, in_file, in_memory))
    return found


def make_kernels(folder: Path, kept: Path) -> None:
    """Compile every kernel by the program itself, into the folder that it will look into.

    For processors without AVX2 those of the first journeys are enough: the others are compiled in
    the background while their results are looked at.

    ``kept`` holds those of the last build in this checkout, if there was one: what is under the
    same stamp is not compiled again. Kernels of functions that are no more are left out, and so is
    what a second run does not read.
    """
    kernels = folder / "_internal" / KERNELS
    shutil.rmtree(kernels, ignore_errors=True)
    kernels.mkdir()
    take_over(kept, folder / "_internal", kernels)

    def run_all() -> None:
        for arguments, settings in ((("--warm-up",), {}), *journeys()):
            _run(folder, arguments, PAYOFF_SHIP_KERNELS=str(kernels), **settings)

    try:
        run_all()
    finally:
        keep(kernels, kept)  # a build that fails late has not compiled in vain
    leave_out_unread(kernels, run_all)


def leave_out_unread(kernels: Path, run_all: Callable[[], None]) -> None:
    """Keep the kernels that a second run of everything reads; it marks them.

    Two thirds were compiled as part of another kernel, whose file holds their code, too.
    """
    for mark in kernels.rglob("*.read"):
        mark.unlink()
    run_all()
    files = list(kernels.rglob("*.nbc"))
    unread = [file for file in files if not file.with_suffix(".read").is_file()]
    if len(unread) == len(files):
        raise SystemExit("no kernels were made, or none of them is read")
    for path in [*unread, *kernels.rglob("*.read")]:
        path.unlink()
    for place in kernels.iterdir():
        if not any(place.iterdir()):
            place.rmdir()
    print(f"{len(files)} kernels were made, {len(files) - len(unread)} are read")


def journeys() -> list[tuple[tuple[str, ...], dict[str, str]]]:
    """Arguments of the program with the settings for a level of processors."""
    return [
        *((arguments, {}) for arguments in (IN_WINDOW, *JOURNEYS)),
        *((arguments, OLDER) for arguments in JOURNEYS if is_x86()),
    ]


def is_x86() -> bool:
    """Whether there are processors of this family without AVX2."""
    return platform.machine().lower() in {"x86_64", "amd64"}


def check(folder: Path) -> None:
    """The journeys in an empty home, on older processors too: nothing may be compiled.

    Parallel kernels have to run on OpenMP: without it they run, too, but at half the speed.
    """
    for arguments, settings in journeys():
        said = _run(folder, arguments, is_compiling=False, **settings)
        if "--self-test" in arguments and OPENMP not in said:
            raise SystemExit(f"the self test lacks '{OPENMP}': is omppool loaded?")


def _run(
    folder: Path, arguments: Sequence[str], *, is_compiling: bool = True, **settings: str
) -> str:
    """Run the program in an empty home, where it may or may not have to compile; what it says."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        places = {"home": home, "samples": folder / "_internal" / "resources" / "samples"}
        own = {"PAYOFF_HOME": home, "PAYOFF_CACHE_DIR": home, "QT_QPA_PLATFORM": "offscreen"}
        done = subprocess.run(
            [str(folder / "payoff"), *(word.format(**places) for word in arguments)],
            env={**os.environ, **own, **settings},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
            timeout=3600,
        )
        compiled = [path.name for path in Path(home).rglob("*.nbc")]
    print(done.stdout, flush=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {done.returncode}")
    if compiled and not is_compiling:
        raise SystemExit(f"{' '.join(arguments)} compiled {', '.join(compiled)}")
    return done.stdout


def size_of(folder: Path) -> int:
    """Bytes of all files, links not followed."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def main(folder: Path) -> None:
    """Do all of it."""
    inside = folder / "_internal"
    compile_sources(inside)
    strip_symbols(inside)
    print(f"licences of {len(write_notices(folder))} parts")
    make_kernels(folder, folder.parents[1] / KERNELS)
    check(folder)
    size = size_of(folder)
    print(f"installed size {size / 1e6:.0f} MB (at most {MOST_BYTES / 1e6:.0f})")
    if size > MOST_BYTES:
        raise SystemExit("the program is too large")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
