"""The project file.

What no document of this program can be like: looked at when a project is opened.

The codec sees to the kind of each value. Here stands only what would otherwise fail somewhere
inside a job, and what no saved project holds: whatever was saved opens again.

A project file in use: one program holds it, and what others did to it meanwhile is noticed.

The project file: a zip of JSON members, each with its SHA-256, saved atomically.

Members: ``manifest.json`` (schema version, the program's version, hashes), ``document.json``,
``headline.json`` (what Home shows without opening the data), ``report.json`` (what stands on the
report, if anything does), ``origin.json`` (of a copy of unsaved work alone: whose it is) and one
``models/<hash>.model`` per trained model. Never pickle.

Saving writes a temporary file in the same folder, flushes and syncs it, reads it back, keeps the
file that was there as ``.bak``, renames over it and syncs the folder: a crash at any moment leaves
the old or the new project, never a mixture.

Where the files of an opened project's data are: as they are named, or beside the project.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path

from core.document.data.model import DataRef
from core.document.data.opening import at_paths, with_rows_of_part
from core.document.files.atomic import real_place, remove_leftovers, write_atomically
from core.document.files.codec import Plain, from_plain, to_plain
from core.document.files.guarded import PROJECT_SUFFIX, is_input, note_read, refusals_of
from core.document.files.locks import FileHold, Holder
from core.document.files.model_store import ModelStore, missing_file
from core.document.model import SCHEMA_VERSION, Document
from payoff.errors import PayoffError
from payoff.unpacking import most_unpacked

TARGET_KINDS = ("binary", "multiclass", "interval")


def check_document(document: Document) -> None:
    """Refuse a document whose outcome is of no kind.

    Raises
    ------
    PayoffError
    """
    target = document.target
    if target is not None and target.kind not in TARGET_KINDS:
        raise PayoffError(
            "A saved value does not fit.",
            where=f"Document.target.kind, value '{target.kind[:80]}'",
            why=f"Expected one of {', '.join(TARGET_KINDS)}.",
            remedy="The file was changed by another program or is damaged; open a backup.",
        )


_log = logging.getLogger("payoff.files")


class ProjectInUseError(PayoffError):
    """Another window or program works on the project."""


class ProjectChangedError(PayoffError):
    """The file is not what it was when it was opened, or is another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The project file that unsaved work belongs to."""

    path: str
    digest: str  # SHA-256 of what it held when it was opened or saved last


class ProjectFile:
    """A project's place on the disk as one program knows it.

    Parameters
    ----------
    path : str or Path
        The suffix is added where it is missing. A link stays a link: the lock and the content are
        those of the file that it leads to.
    digest : str
        SHA-256 of what was read from there; empty where nothing was.
    """

    def __init__(self, path: str | Path, digest: str = "") -> None:
        named = Path(path)
        is_whole = named.suffix.lower() == PROJECT_SUFFIX
        self.path = named if is_whole else named.with_name(named.name + PROJECT_SUFFIX)
        self._is_renamed = not is_whole
        self._digest = digest
        self._place = _where(self.path)
        self._hold = FileHold(self._place.with_name(f".{self._place.name}.lock"))

    @property
    def is_held(self) -> bool:
        """Whether this program may write the file."""
        return self._hold.is_held

    @property
    def origin(self) -> Origin:
        """What a copy of the work on this file keeps of it."""
        return Origin(path=str(self.path.absolute()), digest=self._digest)

    def leads_to(self, path: str | Path) -> bool:
        """Whether a path leads to this file."""
        return _where(Path(path)) == self._place == _where(self.path)

    def take(self) -> Holder | None:
        """Hold the file: None; or who does."""
        return self._hold.try_take()

    def refresh(self) -> None:
        """Say now and then that it is still held."""
        self._hold.refresh()

    def release(self) -> None:
        """Let others write the file."""
        self._hold.release()

    def note_content(self, digest: str) -> None:
        """Remember what was read from the file or written to it."""
        self._digest = digest

    def clean(self) -> None:
        """Remove what killed savings left beside the file."""
        remove_leftovers(self._place.parent)

    def save(
        self, content: bytes, verify: Callable[[bytes], object], *, overwrites: bool = False
    ) -> None:
        """Write the project: the old file is kept as .bak, and whole if anything fails.

        ``overwrites``: whatever others put there meanwhile may go.

        Raises
        ------
        ProjectInUseError, ProjectChangedError, PayoffError
            Naming the path and the reason; the file is then as it was.
        """
        was_held = self.is_held
        holder = self.take()
        if holder is not None:
            raise ProjectInUseError(
                "The project is open elsewhere.",
                where=str(self.path),
                why=f"It is open in {holder.words}; what is saved here would be lost there.",
                remedy="Close it there, or save under another name.",
            )
        try:
            if not overwrites:
                self._check_unchanged()
            self._write(content, verify)
        except BaseException:
            if not was_held:
                self.release()
            raise
        self._digest = hashlib.sha256(content).hexdigest()

    def _check_unchanged(self) -> None:
        if self._is_renamed and not self._digest and self.path.exists():
            raise ProjectChangedError(
                "There is a project of this name already.",
                where=str(self.path),
                remedy="Choose another name, or overwrite it.",
            )
        if self._digest and self._digest_there() not in (self._digest, ""):
            raise ProjectChangedError(
                "The project file was changed by another program since it was opened.",
                where=str(self.path),
                why="Saving would lose what was changed there.",
                remedy="Save under another name, or overwrite it.",
            )

    def _digest_there(self) -> str:
        """What the file holds now; empty where it is not there."""
        try:
            with self.path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except FileNotFoundError:
            return ""
        except OSError as reason:
            _log.info("%s cannot be looked at: %s", self.path, reason)
            return "unknown"

    def _write(self, content: bytes, verify: Callable[[bytes], object]) -> None:
        if is_input(self.path):
            raise PayoffError(
                "The project would overwrite a file that it comes from.",
                where=str(self.path),
                remedy="Save under another name.",
            )
        backup = self._place.with_name(self._place.name + ".bak")
        with refusals_of(self.path, "The project"):
            write_atomically(self.path, content, keep_backup=not is_input(backup), verify=verify)


def _where(path: Path) -> Path:
    try:
        return real_place(path)
    except OSError:
        return path.absolute()


SUFFIX = PROJECT_SUFFIX
MAXIMUM_MEMBER_BYTES = 64 * 1024 * 1024
MAXIMUM_MODEL_BYTES = 1024 * 1024 * 1024
MAXIMUM_DEPTH = 100
_MEMBERS = ("manifest.json", "document.json", "headline.json")
_REPORT, _ORIGIN = "report.json", "origin.json"

Migrate = Callable[[dict[str, Plain]], dict[str, Plain]]
_MODEL_MEMBER = re.compile(r"models/([0-9a-f]{64})\.model\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """What Home shows of a project: read without its data, never computed from it."""

    best_model: str = ""  # which page Decide stands at; the amounts are of it
    profit: float | None = None
    low: float | None = None
    high: float | None = None
    depth: float | None = None
    rows: int = 0
    saved_at: str = ""  # ISO 8601, UTC
    curve: tuple[float, ...] = ()  # profit by depth of the best model, for the small picture
    is_loss: bool = False  # the matrix holds losses: the profit is said as a loss
    is_crossfitted: bool = False  # its rows chose the depth, and the profit is what others say

    @property
    def shown_curve(self) -> tuple[float, ...]:
        """The curve as page Decide draws it: of losses where the matrix holds them."""
        return tuple(-value for value in self.curve) if self.is_loss else self.curve


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedProject:
    """What a project file holds."""

    document: Document
    headline: Headline
    models: Mapping[str, bytes] = field(default_factory=dict)  # content hash -> model file
    report: tuple[Plain, ...] = ()  # what stands on the report, as its views are kept
    digest: str = ""  # SHA-256 of the file it was read from
    origin: Origin | None = None  # of a copy of unsaved work


def save_project(
    path: str | Path,
    document: Document,
    headline: Headline,
    model_store: ModelStore | None = None,
    report: tuple[Plain, ...] = (),
    file: ProjectFile | None = None,
    *,
    overwrites: bool = False,
) -> Path:
    """Write a project; on failure the old file is whole and the work stays in memory.

    ``model_store`` holds the files of trained models; a document without any needs none.
    ``file`` is that of an opened project: what others did to it meanwhile is not written over,
    unless ``overwrites``. Returns the path written (with the suffix).

    Raises
    ------
    ProjectInUseError
        Another window or program holds the file.
    ProjectChangedError
        It was changed since it was opened.
    PayoffError
        Naming the path and the reason, or the model whose file is missing.
    """
    content = pack_project(document, headline, model_files(document, model_store), report)
    target = file or ProjectFile(path)
    target.save(content, unpack_project, overwrites=overwrites or file is None)
    if file is None:
        target.release()
    return target.path


def model_files(document: Document, model_store: ModelStore | None) -> dict[str, bytes]:
    """The files of a document's trained models, from where the session keeps them."""
    if model_store is not None:
        return model_store.files_of(document)
    trained = next((entry for entry in document.models if entry.trained is not None), None)
    if trained is not None:
        raise missing_file(trained.name, Path("(no folder of models)"))
    return {}


def read_project(path: str | Path, model_store: ModelStore | None = None) -> SavedProject:
    """Read a project of this or any older schema version; its models are put on the shelf.

    Raises PayoffError: not there, damaged (naming the member), or made by a newer program.
    """
    source = Path(path)
    if source.suffix.lower() != SUFFIX:
        note_read(source)  # a backup is not written over by what was opened from it
    try:
        content = source.read_bytes()
    except OSError as reason:
        raise PayoffError(
            "The project could not be opened.",
            where=str(source),
            why=f"{reason.strerror or reason}.",
            remedy="Check that the file is there and may be read.",
        ) from reason
    try:
        project = unpack_project(content)
        check_document(project.document)
    except PayoffError as refusal:
        backup = Path(os.path.realpath(source) + ".bak")
        remedy = f"A backup is beside it: {backup.name}." if backup.exists() else refusal.remedy
        where = ", ".join(part for part in (str(source), refusal.where) if part)
        raise PayoffError(refusal.what, where=where, why=refusal.why, remedy=remedy) from refusal
    if model_store is not None:
        for model in project.models.values():
            model_store.put(model)
    return replace(project, digest=hashlib.sha256(content).hexdigest())


def pack_project(
    document: Document,
    headline: Headline,
    models: Mapping[str, bytes] | None = None,
    report: tuple[Plain, ...] = (),
    origin: Origin | None = None,
) -> bytes:
    """The bytes of a project file; the same project gives the same bytes."""
    members = {
        "document.json": _dump(to_plain(document)),
        "headline.json": _dump(to_plain(headline)),
    }
    if report:
        members[_REPORT] = _dump(list(report))
    if origin is not None:
        members[_ORIGIN] = _dump(to_plain(origin))
    for name, content in sorted((models or {}).items()):
        members[f"models/{name}.model"] = content
    manifest = {
        "format": "payoff-project",
        "schema": SCHEMA_VERSION,
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in members.items()},
    }
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {"manifest.json": _dump(manifest), **members}.items():
            # Model files are compressed already.
            packing = zipfile.ZIP_STORED if name.startswith("models/") else zipfile.ZIP_DEFLATED
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            archive.writestr(entry, data, packing)
    return packed.getvalue()


def unpack_project(content: bytes) -> SavedProject:
    """Read the bytes of a project file; raises PayoffError naming the damaged member."""
    members = _read_members(content)
    manifest = _load(members, "manifest.json")
    if not isinstance(manifest, dict) or manifest.get("format") != "payoff-project":
        raise _damaged("manifest.json", "It is not a Payoff project.")
    schema = manifest.get("schema")
    if type(schema) is not int or schema < 1:
        raise _damaged("manifest.json", f"Schema version {schema!r} is no version.")
    if schema > SCHEMA_VERSION:
        raise PayoffError(
            "The project was made by a newer Payoff.",
            why=f"It has schema version {schema}; this program reads up to {SCHEMA_VERSION}.",
            remedy="Open it with the newer program; the file was not touched.",
        )
    _check_hashes(members, manifest)
    plain = _load(members, "document.json")
    for version in range(schema, SCHEMA_VERSION):
        plain = MIGRATIONS[version](plain)
    headline = from_plain(Headline, _load(members, "headline.json"))
    document = with_rows_of_part(from_plain(Document, plain))
    return SavedProject(
        document=document,
        headline=headline,
        models=_models(document, members),
        report=_report(members),
        origin=from_plain(Origin, _load(members, _ORIGIN)) if _ORIGIN in members else None,
    )


def _report(members: dict[str, bytes]) -> tuple[Plain, ...]:
    """What stands on the report, as it is kept; older projects have none."""
    if _REPORT not in members:
        return ()
    views = _load(members, _REPORT)
    if not isinstance(views, list):
        raise _damaged(_REPORT, "It is no list.")
    return tuple(views)


def _models(document: Document, members: dict[str, bytes]) -> dict[str, bytes]:
    """The model files by hash; refuses a document that refers to one which is not there."""
    found = {
        match.group(1): content
        for name, content in members.items()
        if (match := _MODEL_MEMBER.match(name))
    }
    for name, content in found.items():
        if hashlib.sha256(content).hexdigest() != name:
            raise _damaged(f"models/{name}.model", "Its name does not fit its content.")
    for entry in document.models:
        if entry.trained is not None and entry.trained.model_hash not in found:
            raise _damaged(
                f"models/{entry.trained.model_hash}.model",
                f"The file of the trained model '{entry.name}' is missing.",
            )
    return found


def _same(plain: dict[str, Plain]) -> dict[str, Plain]:
    """Later versions only add.

    Trained models (2); formulas, scenarios, a prior's range (3); further files, derived columns, a
    row filter (4); captions and blocks of the report (5).
    """
    return plain


def _read_as_before(plain: Plain) -> Plain:
    """Files are read as they were when the project was made (6).

    Rows of totals were rows then, and numbers with a sign were texts: what was worked out or
    trained rests on that.
    """
    if isinstance(plain, list):
        return [_read_as_before(entry) for entry in plain]
    if not isinstance(plain, dict):
        return plain
    read = {name: _read_as_before(value) for name, value in plain.items()}
    if "missing_marks" in read and "skip_lines" in read:
        read = {"left_out": [], "number_texts": False, **read}
    return read


def _levels_as_before(plain: dict[str, Plain]) -> dict[str, Plain]:
    """Models trained before means of levels were shrunk are trained again without it (7)."""
    models = plain.get("models")
    for entry in models if isinstance(models, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("trained"), dict):
            entry["trained"] = {"level_penalty": 0.0, **entry["trained"]}
    return plain


def _calibration_by_its_name(plain: dict[str, Plain]) -> dict[str, Plain]:
    """How a model's scores become chances is its ``calibration``, before ``chances`` (8)."""
    models = plain.get("models")
    for entry in models if isinstance(models, list) else ():
        if not isinstance(entry, dict) or "chances" not in entry:
            continue
        entry["calibration"] = entry.pop("chances")
        maps = entry["calibration"].get("maps") if isinstance(entry["calibration"], dict) else None
        for fitted in maps if isinstance(maps, list) else ():
            if isinstance(fitted, dict) and "chances" in fitted:
                fitted["probabilities"] = fitted.pop("chances")
    return plain


MIGRATIONS: dict[int, Migrate] = {
    1: _same,
    2: _same,
    3: _same,
    4: _same,
    5: _read_as_before,
    6: _levels_as_before,
    7: _calibration_by_its_name,
}  # schema version -> one step to the next


def _read_members(content: bytes) -> dict[str, bytes]:
    try:
        archive = zipfile.ZipFile(BytesIO(content))
        names = archive.namelist()
        if sorted(names) != sorted(set(names)):
            raise _damaged("the archive", "A member is there twice.")
        if sum(entry.file_size for entry in archive.infolist()) > most_unpacked(len(content)):
            raise _damaged("the archive", "Unpacked it is far larger than any project's.")
        additional = [n for n in names if n in (_REPORT, _ORIGIN) or _MODEL_MEMBER.match(n)]
        return {name: _read_member(archive, name) for name in (*_MEMBERS, *additional)}
    except PayoffError:
        raise
    except Exception as reason:  # zipfile raises a dozen unrelated kinds on a damaged archive
        raise _damaged("the archive", "It is not a whole Payoff project.") from reason


def _read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    is_model = _MODEL_MEMBER.match(name) is not None
    most = MAXIMUM_MODEL_BYTES if is_model else MAXIMUM_MEMBER_BYTES
    try:
        with archive.open(name) as member:
            data = member.read(most + 1)
    except KeyError as reason:
        raise _damaged(name, "The member is missing.") from reason
    except Exception as reason:
        # zlib and zipfile raise a dozen unrelated kinds on damaged input
        raise _damaged(name, "The member cannot be unpacked.") from reason
    if len(data) > most:
        raise _damaged(name, "The member is larger than any project's.")
    return data


def _check_hashes(members: dict[str, bytes], manifest: dict[str, Plain]) -> None:
    hashes = manifest.get("sha256")
    for name in (name for name in members if name != "manifest.json"):
        stated = hashes.get(name) if isinstance(hashes, dict) else None
        if hashlib.sha256(members[name]).hexdigest() != stated:
            raise _damaged(name, "Its checksum does not fit its content.")


def _damaged(member: str, why: str) -> PayoffError:
    return PayoffError(
        "The project file is damaged.",
        where=member,
        why=why,
        remedy="Open a backup (.bak) or an autosaved copy.",
    )


def _dump(plain: Plain) -> bytes:
    return json.dumps(plain, ensure_ascii=True, allow_nan=False, indent=1).encode("utf-8")


def _load(members: dict[str, bytes], name: str) -> Plain:
    text = members[name]
    if _nesting(text) > MAXIMUM_DEPTH:
        raise _damaged(name, "It is nested too deep.")
    try:
        return json.loads(
            text.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_unique
        )
    except (ValueError, RecursionError) as reason:
        raise _damaged(name, f"It is not JSON: {reason}.") from reason


def _nesting(text: bytes) -> int:
    """Deepest nesting of brackets outside strings, so that the parser never recurses too far."""
    depth = deepest = 0
    for byte in re.sub(rb'"(?:[^"\\]|\\.)*"', b"", text):
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def _refuse_constant(name: str) -> Plain:
    raise ValueError(f"{name} is no JSON number")


def _unique(pairs: list[tuple[str, Plain]]) -> dict[str, Plain]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a key is there twice")
    return values


def paths_of_data(document: Document) -> list[str]:
    """Return the paths of the data file and of further files; none without data."""
    data = document.data
    return [] if data is None else [data.path, *(file.path for file in data.recipe.files)]


def found_beside(document: Document, project_path: str | None) -> Document:
    """Return the document with its files found: as named, or beside the project by their names."""
    data = document.data
    if data is None or project_path is None:
        return document
    folder = Path(project_path).resolve().parent
    additional = {file.path: _beside(folder, file.path) for file in data.recipe.files}
    path = _beside(folder, data.path)
    return replace(
        document, data=replace(data, path=path, recipe=at_paths(data.recipe, additional))
    )


def missing_additional_file(data: DataRef) -> str | None:
    """Return the first further file of the data that is not where it was."""
    paths = (file.path for file in data.recipe.files)
    return next((path for path in paths if not Path(path).is_file()), None)


def with_lost_at(data: DataRef, path: str) -> DataRef:
    """Return the data with the file that is lost at another path: their own, or a further one."""
    lost = missing_additional_file(data) if Path(data.path).exists() else None
    if lost is None:
        return replace(data, path=path)
    return replace(data, recipe=at_paths(data.recipe, {lost: path}))


def _beside(folder: Path, path: str) -> str:
    """A path as it stands, or in the project's folder by the same name where it is there."""
    found = (place for place in (folder / path, folder / Path(path).name) if place.exists())
    return str(next(found, path))
