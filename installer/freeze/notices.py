"""Licences of everything in the frozen folder: gathered from what was frozen, and checked.

``python installer/freeze/notices.py FOLDER`` writes ``licences/``, ``NOTICES.txt`` and
``parts.cdx.json`` (CycloneDX) into the program's folder. It fails where a part has no licence text,
where one is under a licence that does not go with the program's, and where a library lies in the
folder that belongs to no part.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from urllib.parse import quote

from contents import OWN_PACKAGES

TEXTS = Path(__file__).resolve().parents[1] / "licences"
IS_LICENCE = re.compile(r"licen[cs]e|copying|notice|authors", re.IGNORECASE)
IS_LIBRARY = re.compile(r"\.so(\.|$)|\.dll$|\.pyd$|\.dylib$", re.IGNORECASE)
OF_QT = {"pyside6_essentials", "shiboken6"}
UNSAID = {"llvmlite": "BSD-2-Clause"}  # in the text only
EXCEPTIONS = {
    "pyinstaller": "GPL 2 or later, with an exception for the start code that a program carries"
}
PYTHON_FOLDERS = {
    "base_library.zip",
    "lib-dynload",
    "resources",
    "licences",
    "kernels",
    "NOTICES.txt",
    "parts.cdx.json",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One thing in the folder: its name, version, licence in a word, and where the texts are.

    ``origin`` is the beginning of its package URL: where a scanner looks it up.
    """

    name: str
    version: str
    licence: str
    folder: str
    origin: str = "pkg:pypi/"


class NoticeError(Exception):
    """Something in the folder may not be shipped, or nobody knows what it is."""


def write_notices(program: Path) -> list[Part]:
    """Gather texts and write NOTICES.txt; the parts found."""
    inside = program / "_internal"
    target = inside / "licences"
    tops = {entry.name.partition(".")[0] for entry in inside.iterdir()}
    parts = [_python(target)]
    known: set[str] = set()
    for found in sorted(metadata.distributions(), key=_key):
        own = tops_of(found)
        if _key(found) == "pyinstaller" or (own & tops and _key(found) not in OWN_PACKAGES):
            parts.append(part_of(found, target))
            known |= own | {f"{found.name}.libs", f"{_key(found)}.libs"}
    parts += _system_parts(inside, target)
    _check_all_known(inside, known)
    write_lists(inside, parts)
    return parts


def write_lists(inside: Path, parts: list[Part]) -> None:
    """Write the parts for people (NOTICES.txt) and for scanners (parts.cdx.json, CycloneDX)."""
    lines = [
        f"{part.name} {part.version}: {part.licence} (licences/{part.folder})" for part in parts
    ]
    head = "Payoff is under the MIT licence (licences/payoff). It brings along:\n\n"
    (inside / "NOTICES.txt").write_text(head + "\n".join(lines) + "\n", "utf-8")
    components = [
        {
            "type": "library",
            "name": part.name,
            "version": part.version,
            "purl": f"{part.origin}{part.name.lower().replace('_', '-')}@{quote(part.version)}",
            "licenses": [{"license": {"name": part.licence}}],
        }
        for part in parts
    ]
    listed = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": "payoff", "version": _own_version(inside)}
        },
        "components": components,
    }
    (inside / "parts.cdx.json").write_text(json.dumps(listed, indent=1) + "\n", "utf-8")


def _own_version(inside: Path) -> str:
    text = (inside / "payoff" / "version.py").read_text("utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    if found is None:
        raise NoticeError("the program has no version")
    return found[1]


def _key(found: metadata.Distribution) -> str:
    return found.name.lower().replace("-", "_").replace(".", "_")


def tops_of(found: metadata.Distribution) -> set[str]:
    """Names that a distribution puts beside other packages."""
    names = {Path(str(file)).parts[0] for file in found.files or ()}
    return {
        name.partition(".")[0]
        for name in names
        if not name.startswith((".", "__"))
        and not name.endswith((".dist-info", ".egg-info", ".data"))
    }


def part_of(found: metadata.Distribution, target: Path) -> Part:
    """The part that a distribution is, its licence texts copied into ``target``."""
    key = _key(found)
    texts = [
        Path(str(found.locate_file(file)))
        for file in found.files or ()
        if IS_LICENCE.search(file.name) and ".dist-info" in str(file)
    ]
    if key in OF_QT:
        texts = sorted(TEXTS.glob("*.txt"))
    if not texts:
        raise NoticeError(f"{found.name} has no licence text")
    folder = target / key
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(texts):
        name = text.name if not (folder / text.name).exists() else f"{number}-{text.name}"
        shutil.copyfile(text, folder / name)
    return Part(found.name, found.version, _licence_of(found), key)


def _licence_of(found: metadata.Distribution) -> str:
    """The licence in a word; refuses what does not go with the program's own."""
    if _key(found) in EXCEPTIONS:
        return EXCEPTIONS[_key(found)]
    if _key(found) in OF_QT:
        return "LGPL 3"
    described = found.metadata.get("License-Expression") or ""
    classes = [
        entry.rpartition(" :: ")[2]
        for entry in found.metadata.get_all("Classifier") or ()
        if entry.startswith("License ::")
    ]
    first = (found.metadata.get("License") or UNSAID.get(_key(found), "")).partition("\n")[0][:60]
    words = described or ", ".join(classes) or first
    if not words:
        raise NoticeError(f"{found.name} does not say its licence")
    if re.search(r"(?<![L])GPL|Affero", words) and "exception" not in words.lower():
        raise NoticeError(f"{found.name} is under {words}")
    return words


def _python(target: Path) -> Part:
    library, base = Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix)
    places = (
        library / "LICENSE.txt",
        base / "LICENSE.txt",
        base / "share" / "doc" / library.name / "copyright",
    )
    text = next((place for place in places if place.is_file()), None)
    if text is None:
        raise NoticeError("Python's own licence was not found")
    (target / "python").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(text, target / "python" / "LICENSE.txt")
    return Part("Python", sys.version.split()[0], "PSF licence", "python", "pkg:generic/")


def _system_parts(inside: Path, target: Path) -> list[Part]:
    """Libraries that Python was linked with, by the Debian package they come from."""
    if sys.platform != "linux":
        return []  # Python's installer for these systems carries them under its own licence
    parts = {}
    for library in sorted(inside.glob("lib*.so*")):
        if library.name.startswith("libpython") or library.is_symlink():
            continue
        package, version = _package_of(library.name)
        text = Path("/usr/share/doc") / package / "copyright"
        if not text.is_file():
            raise NoticeError(f"{library.name} of {package} has no licence text")
        (target / package).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(text, target / package / "copyright.txt")
        parts[package] = Part(package, version, "see its text", package, "pkg:deb/debian/")
    return list(parts.values())


def _package_of(library: str) -> tuple[str, str]:
    """The installed package that a system library belongs to."""
    requested = subprocess.run(
        ["dpkg", "-S", f"*/{library}"], capture_output=True, text=True, check=False
    )
    owners = [
        line.partition(":")[0] for line in requested.stdout.splitlines() if "diversion" not in line
    ]
    if not owners:
        raise NoticeError(f"nobody knows where {library} comes from")
    version = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", owners[0]],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return owners[0], version


def _check_all_known(inside: Path, known: set[str]) -> None:
    """Every compiled library must belong to a part."""
    strangers = []
    for path in inside.rglob("*"):
        top = path.relative_to(inside).parts[0]
        is_known = top in known or top.partition(".")[0] in known or top in PYTHON_FOLDERS
        is_python = top.startswith(("python3", "lib")) or top in OWN_PACKAGES
        if IS_LIBRARY.search(path.name) and not is_known and not is_python:
            strangers.append(str(path.relative_to(inside)))
    if strangers:
        raise NoticeError(f"libraries of unknown origin: {', '.join(strangers[:5])}")


if __name__ == "__main__":
    found_parts = write_notices(Path(sys.argv[1]))
    print(f"licences of {len(found_parts)} parts")
