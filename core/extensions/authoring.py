"""What an author needs: a new plugin from the template, and a plugin packed into one file."""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path

from core.document.files.guarded import note_read, refusals_of, write_file
from core.extensions.checking import check_plugin_files
from core.extensions.installing import SUMS_NAME
from core.extensions.records import RESERVED_PREFIX, failure_words
from payoff.errors import PayoffError, no_such
from payoff.manifest import MANIFEST_NAME, Manifest, read_manifest
from payoff.testing.results import ConformanceSheet

TEMPLATES = Path(__file__).resolve().parents[2] / "resources" / "plugin_template"
ENTRIES = {
    "distribution": "loss",
    "metric": "metric",
    "matrix": "matrix",
    "reader": "reader",
    "system": "system",
}
"""Kind of template -> its module."""

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_ID = re.compile(r"[a-z][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)+")
_LEFT_OUT = {"tests", "build", "dist", "pyproject.toml", "conftest.py", SUMS_NAME}
_LEFT_OUT_ENDS = (".payoff-plugin", ".egg-info", ".pyc")
_DATE = (2020, 1, 1, 0, 0, 0)  # of every member: the same files make the same archive


def new_plugin(
    kind: str, name: str, into: Path, *, plugin_id: str = "", author: str = "My name"
) -> Path:
    """Write a plugin with a manifest, tests and packaging that passes every check as it is.

    Parameters
    ----------
    kind : str
        distribution, metric, matrix, reader or system.
    name : str
        "Near miss": names the folder (near_miss), the spec and the plugin.
    into : Path
        Where its folder is made.
    plugin_id : str
        Empty = ``org.example.`` and the name.
    author : str
        As the manifest names the author.

    Returns
    -------
    Path
        The new folder.

    Raises
    ------
    PayoffError
        If the kind, name or id is not possible, or the folder is there already.
    """
    if kind not in ENTRIES:
        raise no_such("template", kind, ENTRIES, listed="Known")
    words = " ".join(re.sub(r"[^\w ]|_", " ", name).split())
    slug = words.lower().replace(" ", "_")
    if not _WORD.fullmatch(slug):
        raise PayoffError(
            f"'{name}' cannot name a plugin.",
            why="It needs letters a to z and digits, a letter first.",
        )
    plugin_id = plugin_id or f"org.example.{slug}"
    if not _ID.fullmatch(plugin_id) or plugin_id.startswith(RESERVED_PREFIX):
        raise PayoffError(
            f"'{plugin_id}' cannot be a plugin's id.",
            why=f"It is a domain read backwards, in small letters; '{RESERVED_PREFIX}' is taken.",
            remedy=f"org.example.{slug}",
        )
    folder = into / slug
    if folder.exists():
        raise PayoffError("The folder is there already.", where=str(folder))
    exchanged = {
        "org.example.my_plugin": plugin_id,
        "my_plugin": slug,
        "my-plugin": slug.replace("_", "-"),
        "My plugin": words[:1].upper() + words[1:],
        "MyPlugin": "".join(word[:1].upper() + word[1:] for word in slug.split("_")),
        "My name": author.replace("\\", "").replace('"', "'"),
        "my_module": ENTRIES[kind],
    }
    try:
        _write(kind, folder, exchanged)
    except OSError as error:
        raise PayoffError(
            "The plugin cannot be written.", where=str(folder), why=f"{error.strerror or error}."
        ) from error
    return folder


def _write(kind: str, folder: Path, exchanged: dict[str, str]) -> None:
    """Copy the template of a kind with its words exchanged."""
    (folder / "tests").mkdir(parents=True)
    files = [place for part in ("common", kind) for place in (TEMPLATES / part).iterdir()]
    for place in sorted(files):
        if not place.is_file():
            continue
        text = place.read_text("utf-8")
        for word, other in exchanged.items():
            text = text.replace(word, other)
        target = folder / "tests" if place.name.startswith("test_") else folder
        write_file(target / place.name, text.encode("utf-8"), what="The plugin")


def pack_plugin(
    folders: Sequence[Path],
    out: Path | None = None,
    *,
    check: Callable[[Path], ConformanceSheet] = check_plugin_files,
) -> Path:
    """Pack one plugin, or several for one installation, with the hashes of their files.

    Tests, packaging for pip and what begins with a dot are left out. The same files always make
    the same archive.

    Parameters
    ----------
    folders : sequence of Path
        Plugin folders, or plugins of one ``.py`` file, which get a manifest of what the file says;
        every check must pass.
    out : Path, optional
        The file to write; default: name and version of the one plugin, in the working folder.
    check : callable
        Gives the sheet of a plugin; left out = it runs in this process.

    Raises
    ------
    PayoffError
        If a folder is no plugin, a check fails, or the file cannot be written.
    """
    manifests = [_checked(folder, check) for folder in folders]
    if out is None and len(folders) != 1:
        raise PayoffError("Several plugins in one file need a name.", remedy="--out FILE")
    if out is None:
        first = manifests[0]
        out = Path(f"{first.id.rsplit('.', 1)[-1]}-{first.version}.payoff-plugin")
    packed = BytesIO()
    with refusals_of(out, "The plugin"), zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as kept:
        for folder, manifest in zip(folders, manifests, strict=True):
            top = "" if len(folders) == 1 else f"{manifest.id}/"
            _add(kept, _contents(folder, manifest), top)
    write_file(out, packed.getvalue(), what="The plugin")
    return out


def _checked(folder: Path, check: Callable[[Path], ConformanceSheet]) -> Manifest:
    is_file = folder.suffix == ".py" and folder.is_file()
    if not is_file and not (folder / MANIFEST_NAME).is_file():
        raise PayoffError(
            "This is no plugin folder.",
            where=str(folder),
            why=f"It has no {MANIFEST_NAME}.",
        )
    manifest = read_manifest(folder)
    with_wheels = folder / "wheels"
    if with_wheels.is_dir():  # they are unpacked by the installation only
        return manifest
    sheet = check(folder)
    if not sheet.passed:
        raise PayoffError(
            f"'{manifest.name}' is not packed: a check fails.",
            where=str(folder),
            why=failure_words(sheet.failures),
            remedy="payoff check-plugin shows them all.",
        )
    return manifest


def _contents(folder: Path, manifest: Manifest) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file of a plugin, in order."""
    if folder.is_file():
        note_read(folder)
        yield folder.name, folder.read_bytes()
        yield MANIFEST_NAME, manifest.text().encode("utf-8")
        return
    for place in sorted(folder.rglob("*")):
        parts = place.relative_to(folder).parts
        if place.is_dir() or place.is_symlink() or any(map(_is_left_out, parts)):
            continue
        note_read(place)
        yield "/".join(parts), place.read_bytes()


def _add(archive: zipfile.ZipFile, contents: Iterator[tuple[str, bytes]], top: str) -> None:
    """Add a plugin's files and the list of their hashes."""
    listing = []
    for name, content in contents:
        listing.append(f"{hashlib.sha256(content).hexdigest()}  {name}\n")
        archive.writestr(_member(top + name), content)
    archive.writestr(_member(top + SUMS_NAME), "".join(listing))


def _is_left_out(name: str) -> bool:
    return name in _LEFT_OUT or name.endswith(_LEFT_OUT_ENDS) or name.startswith((".", "__pyc"))


def _member(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, _DATE)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    return member
