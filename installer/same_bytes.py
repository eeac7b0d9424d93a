"""Whether two built programs are the same: ``python installer/same_bytes.py FIRST SECOND``.

Says how many files have the same bytes and names those that do not. Kernels that were compiled
twice may differ in names only: numba calls each parallel loop and array expression after an address
in memory, and notes that of a function that is called by a global name. They are the same with
these left out, and counted apart.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_ADDRESS = re.compile(rb"(__numba_(?:parfor_gufunc|array_expr)_+|<function \S+ at )0x[0-9a-f]+")


def files_in(folder: Path) -> dict[str, Path]:
    """Every file by its place in the folder."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path for path in found}


def compare(first: Path, second: Path) -> tuple[int, list[str], list[str]]:
    """Count files with the same bytes; name those the same but for addresses, and the others."""
    one, other = files_in(first), files_in(second)
    same, but_for_names = 0, []
    differing = sorted(one.keys() ^ other.keys())
    for name in sorted(one.keys() & other.keys()):
        contents = one[name].read_bytes(), other[name].read_bytes()
        if contents[0] == contents[1]:
            same += 1
        elif name.endswith(".nbc") and without_names(contents[0]) == without_names(contents[1]):
            but_for_names.append(name)
        else:
            differing.append(name)
    return same, but_for_names, differing


def without_names(kernel: bytes) -> bytes:
    """A compiled kernel with the addresses of its loops and functions left out."""
    return _ADDRESS.sub(rb"\1", kernel)


def main(first: str, second: str) -> int:
    """Say what differs; 0 if nothing but addresses does."""
    same, but_for_names, differing = compare(Path(first), Path(second))
    print(f"{same:,} files have the same bytes")
    print(f"{len(but_for_names):,} compiled kernels differ in addresses only")
    print(f"{len(differing):,} files differ", *differing[:20], sep="\n")
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
