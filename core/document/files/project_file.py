"""A project file in use: one program holds it, and what others did to it meanwhile is noticed."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path

from core.document.files.atomic import real_place, remove_leftovers, write_atomically
from core.document.files.guarded import PROJECT_SUFFIX, is_input, refusals_of
from core.document.files.holding import FileHold, Holder
from payoff.errors import PayoffError

_log = logging.getLogger("payoff.files")


class ProjectInUseError(PayoffError):
    """Another window or program works on the project."""


class ProjectChangedError(PayoffError):
    """The file is not what it was when it was opened, or is another one."""


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
