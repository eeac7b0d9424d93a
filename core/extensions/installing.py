"""Installing, updating and removing plugins from files, without a network and without their code.

A file is one plugin (a ``.py`` with an inline manifest, or a ``.zip`` or ``.payoff-plugin`` archive
with a manifest at its top), an archive of several, each in a folder of its own, or a Python package
(``.whl``) whose top packages with a manifest are the plugins. Nothing of a plugin is imported here.
What is installed lies in the user's plugin folder, a folder (or ``.py`` file) named by the plugin's
id.

An archive may list its files in ``SHA256SUMS`` (lines "hash  path", as ``sha256sum`` writes them):
then every file must be listed and unchanged. Wheels in a plugin's folder ``wheels`` are unpacked
beside it into ``site-packages``, which its import may read.

Unpacking a zipped plugin: looked at before anything is written.
"""

from __future__ import annotations

import hashlib
import shutil
import stat
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from packaging.tags import sys_tags
from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from core.document.files.atomic import replace_path
from core.document.files.guarded import DEVICES
from core.extensions.finding import find_in_folder
from payoff.counting import counted
from payoff.errors import PayoffError, damage_refused
from payoff.manifest import MANIFEST_NAME, Manifest, inline_manifest, manifest_member, read_manifest
from payoff.version import API_VERSION

MOST_MEMBERS = 10_000
MOST_BYTES = 1 << 30
MOST_RATIO = 100
_SMALL = 1 << 20  # a ratio says nothing about a member this small
_BLOCK = 1 << 16
_NESTED = (".zip", ".tar", ".gz", ".bz2", ".xz", ".7z", ".whl", ".egg")


def unpack(archive_path: Path, target: Path) -> Path:
    """Unpack an archive into ``target`` and return the folder that holds the manifest.

    The members are checked first, real bytes are counted while they are read (headers may lie),
    and the folder appears under its name only when it is complete.

    Raises
    ------
    PayoffError
        For unsafe names, links, too many or too large members, nested archives.
    """
    damage = damage_refused("The archive cannot be read.", where=str(archive_path))
    with damage, zipfile.ZipFile(archive_path) as archive:
        check_members(archive, archive_path)
        member = manifest_member(archive.namelist())
        if member is None:
            raise PayoffError("The archive has no manifest.", where=str(archive_path))
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            fresh = Path(tempfile.mkdtemp(dir=target.parent, prefix=".unpacking-"))
            try:
                write_members(archive, archive_path, fresh)
                replace_path(fresh, target)
            except BaseException:
                shutil.rmtree(fresh, ignore_errors=True)
                raise
    return (target / member).parent


def check_members(archive: zipfile.ZipFile, place: Path, *, allows_wheels: bool = False) -> None:
    """Refuse an archive that could do harm when unpacked.

    ``allows_wheels``: Python packages in folders called ``wheels`` are no nested archives.
    """
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise _unsafe(
            place, "", f"It has {counted(len(members), 'member')}, more than {MOST_MEMBERS:,}."
        )
    if sum(member.file_size for member in members) > MOST_BYTES:
        raise _unsafe(place, "", "Unpacked it would take more than 1 GB.")
    seen: set[str] = set()
    for member in members:
        why = _fault_of_name(member.filename, allows_wheels) or _fault_of_member(member)
        if not why and member.filename.rstrip("/").casefold() in seen:
            why = "Two members have the same name on some systems."
        if why:
            raise _unsafe(place, member.filename, why)
        seen.add(member.filename.rstrip("/").casefold())


def _fault_of_name(name: str, allows_wheels: bool) -> str:
    path = PurePosixPath(name)
    is_wheel = allows_wheels and path.suffix == ".whl" and path.parent.name == "wheels"
    if "\\" in name or "\0" in name or ":" in name:
        return "Its name has a backslash, a colon or a NUL."
    if path.is_absolute() or ".." in path.parts:
        return "Its name leads out of the folder."
    if any(part.split(".")[0].lower() in DEVICES for part in path.parts):
        return "Its name is a device on some systems."
    if path.suffix.lower() in _NESTED and not is_wheel:
        return "It is an archive in an archive."
    return ""


def _fault_of_member(member: zipfile.ZipInfo) -> str:
    mode = member.external_attr >> 16
    if mode and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_IFMT(mode) == 0):
        return "It is a link or a device."
    if member.flag_bits & 1:
        return "It is encrypted."
    if member.file_size > max(_SMALL, MOST_RATIO * member.compress_size):
        return f"It grows more than {MOST_RATIO} times when unpacked."
    return ""


def write_members(
    archive: zipfile.ZipFile, place: Path, folder: Path, *, is_merged: bool = False
) -> None:
    """Write checked members into a folder, counting the bytes that really come.

    ``is_merged``: a file that is there already is written anew.

    Raises
    ------
    PayoffError
        Beyond 1 GB.
    """
    left = MOST_BYTES
    for member in archive.infolist():
        target = folder / member.filename
        if member.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(member) as source, target.open("wb" if is_merged else "xb") as sink:
            while block := source.read(_BLOCK):
                left -= len(block)
                if left < 0:
                    raise _unsafe(place, member.filename, "Unpacked it takes more than 1 GB.")
                sink.write(block)


def _unsafe(place: Path, member: str, why: str) -> PayoffError:
    return PayoffError(
        "The archive is not safe to unpack.",
        where=f"{place}, {member}" if member else str(place),
        why=why,
        remedy="Nothing was installed. Ask the plugin's author for a plain archive.",
    )


ARCHIVES = (".zip", ".payoff-plugin")
WHEEL = ".whl"
SUMS_NAME = "SHA256SUMS"
WHEELS, SITE_PACKAGES = "wheels", "site-packages"
_WORK_PREFIX = ".installing-"


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginOffer:
    """What a file would install, read without running anything of it.

    Attributes
    ----------
    manifest : Manifest
    files, size_bytes : int
        What would be written.
    is_listed : bool
        Its files are listed with their hashes, and are unchanged.
    packages : tuple of str
        Packages it brings along as wheels: "name version".
    installed_version : str
        Of the plugin with this id that is there already; empty = none.
    """

    manifest: Manifest
    files: int
    size_bytes: int
    is_listed: bool
    packages: tuple[str, ...] = ()
    installed_version: str = ""

    @property
    def change(self) -> str:
        """ "new", "update", "same" or "older" beside what is installed."""
        if not self.installed_version:
            return "new"
        if self.installed_version == self.manifest.version:
            return "same"
        try:
            is_older = Version(self.manifest.version) < Version(self.installed_version)
        except InvalidVersion:
            is_older = self.manifest.version < self.installed_version
        return "older" if is_older else "update"


def preview_plugins(path: Path, folder: Path) -> tuple[PluginOffer, ...]:
    """What a file would install into a plugin folder.

    Raises
    ------
    PayoffError
        If it is no plugin, is not safe to unpack, does not match its hashes, or does not fit.
    """
    known = installed_versions(folder)
    with _unpacked(path, None) as places:
        return tuple(_offer_of(place, known) for place in places)


def install(path: Path, folder: Path) -> tuple[PluginOffer, ...]:
    """Install every plugin of a file; one of the same id is replaced, all or nothing.

    Parameters
    ----------
    path : Path
    folder : Path
        The user's plugin folder; made where it is not there.

    Raises
    ------
    PayoffError
        As of ``preview_plugins``, or if the folder cannot be written. Nothing is changed then.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        known = installed_versions(folder)
        with _unpacked(path, folder) as places:
            offers = tuple(_offer_of(place, known) for place in places)
            for place in places:
                _unpack_wheels(place)
            _put_in_place(places, offers, folder)
    except OSError as error:
        raise PayoffError(
            "The plugin cannot be installed.",
            where=str(error.filename or folder),
            why=f"{error.strerror or error}.",
            remedy="Check that there is room and that you may write there.",
        ) from error
    return offers


def remove(plugin_id: str, folder: Path) -> None:
    """Remove an installed plugin.

    Raises
    ------
    PayoffError
        If there is none with this id in the folder, or it cannot be removed.
    """
    place = _places_by_id(folder).get(plugin_id)
    if place is None:
        raise PayoffError(
            f"No plugin '{plugin_id}' is installed.",
            where=str(folder),
            remedy="Plugins that are built in, in a Python package or in a shared folder stay.",
        )
    try:
        aside = Path(tempfile.mkdtemp(dir=folder, prefix=_WORK_PREFIX))
        replace_path(place, aside / place.name)  # gone at once, even where deleting takes long
    except OSError as error:
        raise PayoffError(
            f"'{plugin_id}' cannot be removed.", where=str(place), why=f"{error.strerror}."
        ) from error
    shutil.rmtree(aside, ignore_errors=True)


def installed_versions(folder: Path) -> dict[str, str]:
    """Versions of the plugins in a folder by id; damaged ones are left out."""
    return {
        plugin_id: read_manifest(place).version
        for plugin_id, place in _places_by_id(folder).items()
    }


def _places_by_id(folder: Path) -> dict[str, Path]:
    places = {}
    for found in find_in_folder(folder):
        try:
            places[read_manifest(found.path).id] = found.path
        except PayoffError:
            continue
    return places


# ---------------------------------------------------------------- reading


@contextmanager
def _unpacked(path: Path, beside: Path | None) -> Iterator[tuple[Path, ...]]:
    """The plugins of a file, unpacked into a folder that is gone afterwards.

    ``beside``: where that folder is made, so that plugins can be moved from it in one step.
    """
    if not path.exists():
        raise PayoffError("There is no such file.", where=str(path))
    work = Path(tempfile.mkdtemp(dir=beside, prefix=_WORK_PREFIX))
    try:
        yield _lay_out(path, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _lay_out(path: Path, work: Path) -> tuple[Path, ...]:
    if path.is_dir():
        return _lay_out_folder(path, work)
    if path.suffix == ".py":
        copied = work / path.name
        shutil.copyfile(path, copied)
        return (copied,)
    if path.suffix not in (*ARCHIVES, WHEEL):
        endings = ", ".join((*ARCHIVES, WHEEL))
        raise PayoffError(
            "This is no plugin.",
            where=str(path),
            why=f"A plugin is a folder, a .py file or an archive ({endings}).",
        )
    whole = work / "archive"
    whole.mkdir()
    damage = damage_refused("The archive cannot be read.", where=str(path))
    with damage, zipfile.ZipFile(path) as archive:
        check_members(archive, path, allows_wheels=True)
        write_members(archive, path, whole)
    places = _plugins_within(whole, path)
    if path.suffix == WHEEL:
        for place in places:
            _bring_along(path, place)
    return places


def _bring_along(wheel: Path, place: Path) -> None:
    """Put a wheel beside a plugin that lay in it: so its modules also find each other by the names
    that they have as an installed package, and a wheel for another system is refused."""
    folder = place / WHEELS
    folder.mkdir(exist_ok=True)
    shutil.copyfile(wheel, folder / wheel.name)


def _lay_out_folder(path: Path, work: Path) -> tuple[Path, ...]:
    """A copy of a folder without links, caches and version control."""
    links = [place for place in path.rglob("*") if place.is_symlink()]
    if links:
        raise PayoffError(
            "The folder has links.", where=str(links[0]), why="A link may lead anywhere."
        )
    copied = work / (path.name or "plugin")
    shutil.copytree(path, copied, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return _plugins_within(copied, path)


def _plugins_within(whole: Path, path: Path) -> tuple[Path, ...]:
    """The folders with a manifest: the top itself, or every folder directly below it."""
    if (whole / MANIFEST_NAME).is_file():
        return (whole,)
    tops = sorted(place for place in whole.iterdir() if (place / MANIFEST_NAME).is_file())
    if not tops:
        raise PayoffError(
            "The archive has no manifest.",
            where=str(path),
            remedy=f"Put {MANIFEST_NAME} at its top, or in the top folder of each plugin.",
        )
    return tuple(tops)


def _offer_of(place: Path, known: dict[str, str]) -> PluginOffer:
    manifest = read_manifest(place)
    if not manifest.fits():
        version = ".".join(map(str, API_VERSION))
        raise PayoffError(
            f"'{manifest.name}' does not fit this version of Payoff.",
            where=f"plugin {manifest.id}, key api",
            why=f"It asks for {manifest.api}, here is {version}.",
            remedy="Ask its author for a version that fits.",
        )
    files = [place] if place.is_file() else [f for f in place.rglob("*") if f.is_file()]
    return PluginOffer(
        manifest=manifest,
        files=len(files),
        size_bytes=sum(file.stat().st_size for file in files),
        is_listed=place.is_dir() and _check_sums(place, files),
        packages=tuple(_fitting_wheels(place)) if place.is_dir() else (),
        installed_version=known.get(manifest.id, ""),
    )


def _check_sums(place: Path, files: list[Path]) -> bool:
    """Whether the files are listed; refuses one that is missing, not listed or changed."""
    listing = place / SUMS_NAME
    if not listing.is_file():
        return False
    wanted = {}
    for number, line in enumerate(listing.read_text("utf-8").splitlines(), 1):
        digest, _, name = line.partition("  ")
        if not name or len(digest) != 64:
            raise PayoffError(
                f"{SUMS_NAME} cannot be read.", where=f"{SUMS_NAME}, line {number}", why=repr(line)
            )
        wanted[name.removeprefix("*").removeprefix("./")] = digest.lower()
    found = {file.relative_to(place).as_posix(): file for file in files if file != listing}
    for name in sorted(wanted.keys() | found.keys()):
        if name not in found or name not in wanted:
            state = "missing" if name in wanted else "not listed"
            raise _changed(name, f"It is {state}.")
        if hashlib.sha256(found[name].read_bytes()).hexdigest() != wanted[name]:
            raise _changed(name, "Its content is another than its author listed.")
    return True


def _changed(name: str, why: str) -> PayoffError:
    return PayoffError(
        "The plugin is not as its author packed it.",
        where=f"{SUMS_NAME}, {name}",
        why=why,
        remedy="Get the file again from its author. Nothing was installed.",
    )


# ---------------------------------------------------------------- wheels


def _fitting_wheels(place: Path) -> list[str]:
    """Packages that a plugin brings along; refuses wheels made for another system."""
    fitting = set(sys_tags())
    packages = []
    for wheel in sorted((place / WHEELS).glob("*.whl")):
        try:
            name, version, _, tags = parse_wheel_filename(wheel.name)
        except InvalidWheelFilename as error:
            raise PayoffError(
                "A wheel's name cannot be read.", where=wheel.name, why=f"{error}."
            ) from error
        if not fitting.intersection(tags):
            made_for = ", ".join(sorted(str(tag) for tag in tags))
            raise PayoffError(
                "The plugin brings a package for another system.",
                where=wheel.name,
                why=f"It is made for {made_for}; here runs {sys.platform}, Python "
                f"{sys.version_info.major}.{sys.version_info.minor}.",
                remedy="Ask its author for a package for your system. Nothing was installed.",
            )
        packages.append(f"{name} {version}")
    return packages


def _unpack_wheels(place: Path) -> None:
    """Unpack the wheels of a plugin into its ``site-packages``; the wheels themselves go."""
    folder = place / WHEELS
    if not folder.is_dir():
        return
    target = place / SITE_PACKAGES
    target.mkdir(exist_ok=True)
    for wheel in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            check_members(archive, wheel)
            write_members(archive, wheel, target, is_merged=True)
    shutil.rmtree(folder)


# ---------------------------------------------------------------- putting in place


def _put_in_place(places: tuple[Path, ...], offers: tuple[PluginOffer, ...], folder: Path) -> None:
    """Move plugins to their places; what was there comes back if one cannot be moved."""
    ids = [offer.manifest.id for offer in offers]
    doubled = next((one for one in ids if ids.count(one) > 1), None)
    if doubled:
        raise PayoffError(f"The file holds '{doubled}' twice.", remedy="Nothing was installed.")
    present = _places_by_id(folder)
    aside = Path(tempfile.mkdtemp(dir=folder, prefix=_WORK_PREFIX))
    moved: list[tuple[Path, Path]] = []  # from, to
    try:
        for place, plugin_id in zip(places, ids, strict=True):
            old = present.get(plugin_id)
            if old is not None:
                _move(old, aside / f"{plugin_id}{old.suffix if old.is_file() else ''}", moved)
            target = folder / _name_of(place, plugin_id)
            if target.exists():  # a damaged plugin under the same name
                _move(target, aside / f"damaged-{target.name}", moved)
            _move(place, target, moved)
    except BaseException:
        for source, target in reversed(moved):
            replace_path(target, source)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _name_of(place: Path, plugin_id: str) -> str:
    """What a plugin is called in the plugin folder: its id.

    A file without a manifest keeps its name: its id was made of it, and would be another one.
    """
    if place.is_dir():
        return plugin_id
    is_named_by_file = inline_manifest(place.read_text("utf-8")) is None
    return place.name if is_named_by_file else f"{plugin_id}.py"


def _move(source: Path, target: Path, moved: list[tuple[Path, Path]]) -> None:
    replace_path(source, target)
    moved.append((source, target))
