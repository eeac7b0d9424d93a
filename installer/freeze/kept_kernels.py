"""Compiled kernels of the last build that this one can take over.

numba names the file of a kernel after its function and the line that it begins at: where a source
was changed above it, the old file would stay for ever, beside the new one. Of these most are left
here; whether what is taken over is still the same is for numba's stamp to say.
"""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

_FILE = re.compile(r"(?P<module>[^.]+)\..+-(?P<line>\d+)\.py\d+\.[^.]+$")


def take_over(kept: Path, inside: Path, kernels: Path) -> None:
    """Copy the kernels whose function still begins where it did.

    Parameters
    ----------
    kept : Path
        Folders named after packages, with the files (.nbc) of their modules' kernels; need not be
        there.
    inside : Path
        The folder that holds the program's sources.
    kernels : Path
        Where they are copied to, folder by folder.
    """
    lines: dict[Path, set[int]] = {}
    for file in sorted(kept.rglob("*.nbc")):
        found = _FILE.match(file.stem)
        if found is None:
            continue
        package = file.parent.name
        source = inside.joinpath(*package.split("."), f"{found['module']}.py")
        if source not in lines:
            lines[source] = beginnings(source) if source.is_file() else set()
        if int(found["line"]) in lines[source]:
            (kernels / package).mkdir(exist_ok=True)
            shutil.copy2(file, kernels / package)


def keep(kernels: Path, kept: Path) -> None:
    """Keep compiled kernels for the next build, in place of those of the last one."""
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(kernels, kept)


def beginnings(source: Path) -> set[int]:
    """First line, that of the first decorator, of every function in a file.

    Names say nothing: a function of formulas is compiled once for each loss, under its name.
    """
    return {
        min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
