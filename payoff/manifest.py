"""The manifest of a plugin, read without importing the plugin.

A manifest is a TOML file ``plugin.toml``, or, for a plugin of one ``.py`` file, the same TOML in a
comment block of that file::

    # /// payoff
    # id = "org.example.hinge"
    # name = "Hinge loss"
    # ...
    # ///

A file whose metrics are all made by ``@payoff.metric`` needs none: its name says enough.
"""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from payoff.errors import PayoffError, damage_refused
from payoff.hooks import HOOKS
from payoff.own_loss import has_own_loss
from payoff.own_metric import has_own_metric
from payoff.version import API_VERSION

MANIFEST_NAME = "plugin.toml"
FAMILIES = tuple(HOOKS)

_REQUIRED = ("id", "name", "version", "api", "families", "licence", "author", "description")
_TEXTS = (*(key for key in _REQUIRED if key != "families"), "entry")
_ID = re.compile(r"[a-z][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)+")
_VERSION = re.compile(r"\d+(\.\d+)*([a-z0-9.+-]*)")
_ENTRY = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_CLAUSE = re.compile(r"\s*(>=|<=|==|!=|>|<)\s*(\d+(?:\.\d+)*)\s*")
_BLOCK = re.compile(r"(?m)^# /// payoff[ \t]*\r?\n(?P<body>(?:#.*\r?\n)*?)# ///[ \t]*\r?$")
_MOST_BYTES = 64 * 1024
_RESERVED_NAMES = {"con", "prn", "aux", "nul"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a plugin says of itself before any of its code runs.

    Attributes
    ----------
    id : str
        Reverse domain: "org.example.hinge".
    name, version, licence, author, description : str
    api : str
        Range of contract versions it fits: ">=1,<2".
    families : tuple of str
        Among distributions, metrics, decision_matrices, readers, evaluation_systems.
    entry : str
        Module with the hooks, relative to the manifest's folder; for a one-file plugin the file.
    """

    id: str
    name: str
    version: str
    api: str
    families: tuple[str, ...]
    entry: str
    licence: str
    author: str
    description: str

    def text(self) -> str:
        """The manifest as TOML, as ``parse_manifest`` reads it."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        # A text, or a list of texts, is written alike in JSON and in TOML.
        lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in named.items()]
        return "\n".join(lines) + "\n"

    def fits(self, api_version: tuple[int, int] = API_VERSION) -> bool:
        """Whether the plugin fits a version of the contract."""
        return all(_holds(sign, bound, api_version) for sign, bound in _clauses(self.api))


def parse_manifest(text: str, *, where: str = MANIFEST_NAME, default_entry: str = "") -> Manifest:
    """Read a manifest from its TOML text.

    Parameters
    ----------
    text : str
        TOML.
    where : str
        Name of the file, for messages.
    default_entry : str
        Entry module where the text may leave it out (one-file plugins).

    Raises
    ------
    PayoffError
        Naming the key and the line, where there is one.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PayoffError(
            "The manifest is not valid TOML.", where=f"{where}{_line_of(error)}", why=f"{error}."
        ) from None
    _check_keys(table, text, where, needs_entry=not default_entry)
    return Manifest(
        families=tuple(table["families"]),
        entry=table.get("entry", default_entry),
        **{key: table[key] for key in _REQUIRED if key != "families"},
    )


def inline_manifest(source: str) -> tuple[str, int] | None:
    """Return the TOML of a one-file plugin's comment block and its first line, or None."""
    match = _BLOCK.search(source)
    if match is None:
        return None
    lines = [line[2:] if line.startswith("# ") else line[1:] for line in match["body"].splitlines()]
    # Empty lines in front keep the line numbers of messages those of the file.
    first = source.count("\n", 0, match.start("body"))
    return "\n" * first + "\n".join(lines) + "\n", first + 1


def read_manifest(path: Path) -> Manifest:
    """Read the manifest of a folder, a ``.py`` file, a ``.zip`` or a ``plugin.toml``.

    Raises
    ------
    PayoffError
        If there is none, or it is wrong.
    """
    if path.is_dir():
        return parse_manifest(_read_text(path / MANIFEST_NAME), where=str(path / MANIFEST_NAME))
    if path.suffix in (".zip", ".payoff-plugin"):
        return parse_manifest(_read_zipped(path), where=f"{path}, {MANIFEST_NAME}")
    if path.suffix == ".py":
        source = _read_text(path, most=None)
        block = inline_manifest(source)
        own = _own_families(source) if block is None else ()
        if own:
            return _own_manifest(path, own)
        if block is None:
            raise PayoffError(
                "The file has no manifest.",
                where=str(path),
                remedy="Begin it with a comment block '# /// payoff' ... '# ///', or begin with "
                "payoff new-plugin.",
            )
        return parse_manifest(block[0], where=str(path), default_entry=path.stem)
    return parse_manifest(_read_text(path), where=str(path))


_OWN_WORDS = {
    ("metrics",): "Metrics",
    ("distributions",): "Losses",
    ("metrics", "distributions"): "Metrics and losses",
}


def _own_families(source: str) -> tuple[str, ...]:
    """The families of which decorators make specs in a file's text."""
    made = {"metrics": has_own_metric(source), "distributions": has_own_loss(source)}
    return tuple(family for family, is_made in made.items() if is_made)


def _own_manifest(path: Path, families: tuple[str, ...]) -> Manifest:
    """The manifest of a file without one, whose specs ``payoff.metric`` and the like make."""
    stem = re.sub(r"[^a-z0-9_-]+", "-", path.stem.lower()).strip("-") or "metric"
    return Manifest(
        id=f"own.{stem}",
        name=path.stem,
        version="1.0.0",
        api=">=1,<2",
        families=families,
        entry=path.stem,
        licence="not stated",
        author="you",
        description=f"{_OWN_WORDS[families]} of {path.name}.",
    )


def manifest_member(names: list[str]) -> str | None:
    """Return the manifest's place in an archive: at the top, or in its only top folder."""
    if MANIFEST_NAME in names:
        return MANIFEST_NAME
    tops = {name.split("/", 1)[0] for name in names if name.strip("/")}
    inner = f"{next(iter(tops))}/{MANIFEST_NAME}" if len(tops) == 1 else ""
    return inner if inner in names else None


def _read_zipped(path: Path) -> str:
    damage = damage_refused("The archive cannot be read.", where=str(path))
    with damage, zipfile.ZipFile(path) as archive:
        member = manifest_member(archive.namelist())
        if member is None:
            raise PayoffError(
                "The archive has no manifest.",
                where=str(path),
                remedy=f"Put {MANIFEST_NAME} at its top, or in its only top folder.",
            )
        with archive.open(member) as stream:
            return _decoded(stream.read(_MOST_BYTES + 1), f"{path}, {member}", _MOST_BYTES)


def _read_text(path: Path, most: int | None = _MOST_BYTES) -> str:
    try:
        return _decoded(path.read_bytes(), str(path), most)
    except OSError as error:
        raise PayoffError(
            "The manifest cannot be read."
            if path.name == MANIFEST_NAME
            else "The file cannot be read.",
            where=str(path),
            why=f"{error.strerror or error}.",
        ) from error


def _decoded(content: bytes, where: str, most: int | None) -> str:
    if most is not None and len(content) > most:
        raise PayoffError("The manifest is larger than 64 KB.", where=where)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PayoffError(
            "The file is not UTF-8 text.", where=where, why=f"Byte {error.start} does not fit."
        ) from error


def _check_keys(table: Mapping[str, Any], text: str, where: str, *, needs_entry: bool) -> None:
    def refuse(key: str, what: str, why: str = "", remedy: str = "") -> PayoffError:
        """Make the refusal of a key, with its line where it has one."""
        line = _line_of_key(text, key)
        place = f"{where}, line {line}, key {key}" if line else f"{where}, key {key}"
        return PayoffError(what, where=place, why=why, remedy=remedy)

    known = (*_REQUIRED, "entry")
    for key in table:
        if key not in known:
            raise refuse(
                key,
                f"The manifest has an unknown key '{key}'.",
                remedy=f"Known: {', '.join(known)}.",
            )
    for key in (*_REQUIRED, "entry") if needs_entry else _REQUIRED:
        if key not in table:
            raise refuse(key, f"The manifest lacks the key '{key}'.")
    for key in _TEXTS:
        if key in table and not (isinstance(table[key], str) and table[key].strip()):
            raise refuse(key, f"The key '{key}' must be a text that is not empty.")
    _check_families(table["families"], refuse)
    _check_words(table, refuse)


def _check_families(families: object, refuse: Any) -> None:
    remedy = f"Known families: {', '.join(FAMILIES)}."
    if not isinstance(families, list) or not families:
        raise refuse("families", "The key 'families' must be a list of texts.", remedy=remedy)
    for family in families:
        if family not in FAMILIES:
            raise refuse("families", f"There is no plugin family '{family}'.", remedy=remedy)
    if len(set(families)) != len(families):
        raise refuse("families", "A family is named twice.")


def _check_words(table: Mapping[str, Any], refuse: Any) -> None:
    parts = table["id"].split(".")
    if not _ID.fullmatch(table["id"]) or _RESERVED_NAMES.intersection(parts):
        raise refuse(
            "id",
            f"'{table['id']}' is no plugin id.",
            remedy="Write a reverse domain in small letters: org.example.hinge.",
        )
    if not _VERSION.fullmatch(table["version"]):
        raise refuse("version", f"'{table['version']}' is no version.", remedy="Write 1.0.0.")
    if "entry" in table and not _ENTRY.fullmatch(table["entry"]):
        raise refuse(
            "entry",
            f"'{table['entry']}' is no module name.",
            remedy="Write the module without '.py', parts joined by dots.",
        )
    if not _clauses(table["api"]):
        raise refuse("api", f"'{table['api']}' is no range of versions.", remedy='Write ">=1,<2".')


def _clauses(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the clauses of a range, or an empty list if the text is none."""
    clauses = []
    for part in text.split(","):
        match = _CLAUSE.fullmatch(part)
        if match is None:
            return []
        clauses.append((match[1], tuple(int(number) for number in match[2].split("."))))
    return clauses


def _holds(sign: str, bound: tuple[int, ...], version: tuple[int, ...]) -> bool:
    length = max(len(bound), len(version))
    left = version + (0,) * (length - len(version))
    right = bound + (0,) * (length - len(bound))
    return {
        ">=": left >= right,
        "<=": left <= right,
        "==": left == right,
        "!=": left != right,
        ">": left > right,
        "<": left < right,
    }[sign]


def _line_of(error: tomllib.TOMLDecodeError) -> str:
    match = re.search(r"at line (\d+)", str(error))
    return f", line {match[1]}" if match else ""


def _line_of_key(text: str, key: str) -> int | None:
    pattern = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
    for number, line in enumerate(text.splitlines(), start=1):
        if pattern.match(line):
            return number
    return None
