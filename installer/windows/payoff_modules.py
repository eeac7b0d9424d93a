"""Imports the modules of an installed program on Windows from one file, ``modules.bin``.

Python looks at four or five files for each module that it imports, and a start imports a thousand
modules. On Windows a file takes long to open, under Wine some hundred times as long as on Linux.
``byte_code.py`` writes the file; sources lie beside it, for kernels and for what an error says. A
source that is changed later does not count.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Sequence
from importlib.machinery import ExtensionFileLoader, ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from mmap import ACCESS_READ, mmap
from types import ModuleType

FILE = "modules.bin"
FIRST = 8
"""Bytes that say how long the list is: name -> parts of its path, place and length of its code."""


class Modules:
    """A finder of what stands in the file; Python's own ones, which come after, find the rest.

    Parameters
    ----------
    folder : str
        The program's ``_internal``.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        with open(os.path.join(folder, FILE), "rb") as file:
            self._content = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
        self._begin = FIRST + int.from_bytes(self._content[:FIRST], "little")
        self._listed = marshal.loads(self._content[FIRST : self._begin])

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module lies and how it is loaded, without a look at the disk."""
        found = self._listed.get(fullname)
        if found is None:
            return None
        parts, place, length = found
        file = os.path.join(self._folder, *parts)
        if not length:
            return spec_from_file_location(fullname, loader=ExtensionFileLoader(fullname, file))
        code = self._content[self._begin + place :][:length]
        return spec_from_file_location(fullname, loader=_Loader(fullname, file, code))


class _Loader(SourceFileLoader):
    """Loads a module of which the byte code is at hand."""

    def __init__(self, fullname: str, file: str, code: memoryview) -> None:
        super().__init__(fullname, file)
        self._code = code

    def path_stats(self, path: str) -> dict[str, int]:
        """Of no file: the code says of itself that it is not compared with its source."""
        return {"mtime": 0}

    def get_data(self, path: str) -> bytes | memoryview:
        """The byte code where that is asked for, as ever the content of any other file."""
        return self._code if path.endswith(".pyc") else super().get_data(path)
