"""Write the byte code of all modules into one file: ``python.exe byte_code.py FOLDER NAMES ...``.

FOLDER is the program's ``_internal``, NAMES are our packages in it. Run by the Python that ships.
"""

from __future__ import annotations

import marshal
import py_compile
import sys
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path

from payoff_modules import FILE, FIRST

LIBRARY = f"python{sys.version_info[0]}{sys.version_info[1]}.zip"
_UNCHECKED = MAGIC_NUMBER + (1).to_bytes(4, "little")
"""How byte code begins that nobody compares with its source; a hash of that follows."""

Found = dict[str, tuple[tuple[str, ...], bytes]]
"""Module -> parts of its path in the folder, and its byte code; an extension has none."""


def write(inside: Path, own: Sequence[str]) -> int:
    """Write the file; how many modules stand in it.

    One that cannot be compiled is left out. Of two under one name the last is kept.
    """
    found: Found = {}
    tops = [inside / "lib", *(inside / name for name in own)]
    files = [*(path for top in tops for path in top.rglob("*")), *inside.glob("*.pyd")]
    for path in sorted(files, key=_preferred):
        parts = path.relative_to(inside).parts
        name = _name(parts[parts[0] == "lib" :])
        if path.suffix == ".pyd":
            found[name] = parts, b""
        elif path.suffix == ".py":
            with suppress(SyntaxError, ValueError):
                found[name] = parts, _compiled(path.read_bytes(), "\\".join(parts))
    with zipfile.ZipFile(inside / LIBRARY) as archive:
        for entry in archive.namelist():
            if entry.endswith(".pyc"):
                parts = tuple(entry.removesuffix("c").split("/"))
                code = _UNCHECKED + bytes(8) + archive.read(entry)[16:]
                found[_name(parts)] = (LIBRARY, *parts), code
    _put(inside / FILE, found)
    return len(found)


def _preferred(path: Path) -> tuple[bool, bool, str]:
    """As Python prefers them, the best last: a package, then an extension."""
    return path.name == "__init__.py", path.suffix == ".pyd", str(path)


def _name(parts: Sequence[str]) -> str:
    """A module's dotted name from its path; names of extensions say for which Python they are."""
    names = [*parts[:-1], parts[-1].partition(".")[0]]
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def _compiled(source: bytes, place: str) -> bytes:
    code = compile(source, place, "exec", dont_inherit=True)
    return _UNCHECKED + source_hash(source) + marshal.dumps(code)


def _put(file: Path, found: Found) -> None:
    listed, length = {}, 0
    for name, (parts, code) in found.items():
        listed[name] = parts, length, len(code)
        length += len(code)
    beginning = marshal.dumps(listed)
    codes = (code for _, code in found.values())
    file.write_bytes(b"".join((len(beginning).to_bytes(FIRST, "little"), beginning, *codes)))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    print(f"{write(folder, sys.argv[2:]):,} modules in {FILE}")
    for path in folder.glob("payoff_*.py"):  # what imports them is compiled itself
        py_compile.compile(
            str(path),
            doraise=True,
            dfile=path.name,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
