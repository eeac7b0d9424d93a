"""Where trained models lie during a session: files named by their content, never changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from core.document.files.atomic import write_atomically
from core.document.model import Document
from payoff.errors import PayoffError

FOLDER = "models"
SUFFIX = ".model"


class ModelStore:
    """Model files of a session, shared by window and engines.

    Parameters
    ----------
    folder : Path
        Made when the first model is put there. Of a window's session it is
        ``Path(client.options.store_folder) / FOLDER``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, content: bytes) -> str:
        """Keep a model file; returns its name, the SHA-256 of its content.

        Raises
        ------
        PayoffError
            If the disk refuses.
        """
        name = hashlib.sha256(content).hexdigest()
        path = self.path(name)
        if path.is_file():
            return name
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
        except OSError as reason:
            raise PayoffError(
                "The trained model could not be kept.",
                where=str(path),
                why=f"{reason.strerror or reason}.",
                remedy="Free some space and train again.",
            ) from reason
        return name

    def path(self, name: str) -> Path:
        """The file of a model, whether it is there or not."""
        if len(name) != 64 or not name.isalnum():
            raise PayoffError("The name of a model file is not valid.", where=name[:80])
        return self.folder / f"{name}{SUFFIX}"

    def read(self, name: str) -> bytes | None:
        """The content of a model file; None if it is not there or not what its name says."""
        try:
            content = self.path(name).read_bytes()
        except OSError:
            return None
        return content if hashlib.sha256(content).hexdigest() == name else None

    def drop(self, name: str) -> None:
        """Remove a file that no model refers to (an older checkpoint)."""
        self.path(name).unlink(missing_ok=True)

    def files_of(self, document: Document) -> dict[str, bytes]:
        """The model files that a document refers to, by name.

        Raises
        ------
        PayoffError
            Naming the model whose file is not there: a project is never saved without its models.
        """
        files: dict[str, bytes] = {}
        for entry in document.models:
            if entry.trained is None:
                continue
            content = self.read(entry.trained.model_hash)
            if content is None:
                raise missing_file(entry.name, self.path(entry.trained.model_hash))
            files[entry.trained.model_hash] = content
        return files


def missing_file(model: str, path: Path) -> PayoffError:
    """The refusal for a model whose file is gone or damaged."""
    return PayoffError(
        f"The file of the trained model '{model}' is missing or damaged.",
        where=str(path),
        why="It was moved, removed or changed after the training.",
        remedy="Open the project file again, train the model again, or remove it.",
    )
