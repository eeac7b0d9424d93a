"""Compiled kernels of the last build that this one can take over.

numba names the file of a kernel after its function and the line that it begins at: where a source
was changed above it, the old file would stay in the package for ever, beside the new one.
"""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

_FILE = re.compile(r"[^.]+\.(?P<name>.+)-(?P<line>\d+)\.py\d+\.[^.]+$")


def take_over(kept: Path, inside: Path, kernels: Path) -> None:
    """Copy the kernels whose function still begins where it did.

    Parameters
    ----------
    kept : Path
        Folders named after modules, with the files (.nbc) of their kernels;
        need not be there.
    inside : Path
        The folder that holds the program's sources.
    kernels : Path
        Where they are copied to, folder by folder.
    """
    for place in sorted(kept.glob("*.*")) if kept.is_dir() else ():
        source = (inside / Path(*place.name.split("."))).with_suffix(".py")
        if not source.is_file():
            continue
        functions = functions_in(source)
        for file in place.glob("*.nbc"):
            found = _FILE.match(file.stem)
            if found and (found["name"].rpartition(".")[2], int(found["line"])) in functions:
                (kernels / place.name).mkdir(exist_ok=True)
                shutil.copy2(file, kernels / place.name)


def keep(kernels: Path, kept: Path) -> None:
    """Keep compiled kernels for the next build, in place of those of the last one."""
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(kernels, kept)


def functions_in(source: Path) -> set[tuple[str, int]]:
    """Name and first line, that of the first decorator, of every function in a file."""
    return {
        (node.name, min([node.lineno, *(mark.lineno for mark in node.decorator_list)]))
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
