"""Unpacking a zipped plugin: looked at before anything is written."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from core.document.files.guarded import DEVICES
from payoff.counting import counted
from payoff.errors import PayoffError, damage_refused
from payoff.manifest import manifest_member

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
                os.replace(fresh, target)
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
