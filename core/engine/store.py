"""The result store of a session: one file per finished result, bounded, shared by all processes.

A file holds the JSON of a record (``core.document.files.codec``) and its arrays, packed by type, in
one npz archive; nothing is pickled. The name is the ResultRef: a hash of job kind, arguments, data
and plugin versions. Files appear by rename, so a reader sees all of a result or none of it; a
damaged file counts as absent and the result is computed again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from core.document.files.atomic import replace_path
from core.document.files.codec import from_plain, to_plain
from core.engine.kinds import find_kind, resolve
from payoff.errors import PayoffError
from payoff.types import AnyArray

FORMAT = 1
SUFFIX = ".result"
_log = logging.getLogger("payoff.engine.store")


def result_ref(kind: str, arguments: object, data_hash: str, plugin_versions: str) -> str:
    """The name of a result: hex SHA-256 of everything that decides it.

    Parameters
    ----------
    kind : str
        Job kind.
    arguments : object
        Frozen record of the job.
    data_hash : str
        Content hash of the data the job reads.
    plugin_versions : str
        Ids and versions of the plugins it may call.
    """
    plain = [FORMAT, kind, to_plain(arguments), data_hash, plugin_versions]
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:40]}"


class ResultStore:
    """Finished results on disk.

    Parameters
    ----------
    folder : Path
        Made if absent; may be shared by several processes.
    max_bytes : int
        When more lies in the folder, the least recently used results are removed.
    """

    def __init__(self, folder: Path, max_bytes: int = 1 << 30) -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self._lock = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)

    def put(self, ref: str, result: object) -> bool:
        """Write a result; False (and a line in the log) when the disk refuses.

        A result that cannot be kept is no reason to lose the job: it is announced all the same.
        """
        path = self._path(ref)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            with temporary.open("wb") as file:
                np.savez(file, allow_pickle=False, **_encode(result))
            replace_path(temporary, path)
        except OSError as reason:
            _log.warning("result %s was not kept: %s", ref, reason)
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            return False
        self._trim(keep=path.name)
        return True

    def get(self, ref: str) -> Any | None:
        """The result of a name, or None when it is absent or damaged."""
        kind, _, _ = ref.partition("-")
        record = find_kind(kind).result
        if not record:
            return None
        path = self._path(ref)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
                members = {name: archive[name] for name in archive.files}
            result = _decode(resolve(record), members)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile) as reason:
            _log.warning("result %s is damaged and will be computed again: %s", ref, reason)
            with suppress(OSError):
                path.unlink(missing_ok=True)
            return None
        with suppress(OSError):
            os.utime(path)
        return result

    def bytes_used(self) -> int:
        """Bytes of all results in the folder."""
        return sum(size for _, size, _ in self._files())

    def _path(self, ref: str) -> Path:
        if not ref.replace("-", "").replace("_", "").replace(".", "").isalnum():
            raise PayoffError("A result's name is not valid.", where=ref[:80])
        return self.folder / f"{ref}{SUFFIX}"

    def _files(self) -> list[tuple[int, int, Path]]:
        found = []
        for path in self.folder.glob(f"*{SUFFIX}"):
            with suppress(OSError):
                state = path.stat()
                found.append((state.st_mtime_ns, state.st_size, path))
        return found

    def _trim(self, keep: str) -> None:
        """Remove the least recently used results beyond the bound; never the newest one."""
        with self._lock:
            files = sorted(self._files())
            total = sum(size for _, size, _ in files)
            for _, size, path in files:
                if total <= self.max_bytes:
                    return
                if path.name == keep:
                    continue
                with suppress(OSError):
                    path.unlink()
                    total -= size


def _encode(result: object) -> dict[str, AnyArray]:
    """The members of one file: the record's JSON, and one flat array per number type."""
    parts: dict[str, list[AnyArray]] = {}
    filled: dict[str, int] = {}

    def keep(values: np.ndarray[Any, Any]) -> dict[str, Any]:
        if values.dtype.hasobject:
            raise TypeError("arrays of objects are not kept")
        kind = values.dtype.str
        flat = np.ascontiguousarray(values).reshape(-1)
        start = filled.get(kind, 0)
        filled[kind] = start + flat.size
        parts.setdefault(kind, []).append(flat)
        return {"array": kind, "start": start, "shape": list(values.shape)}

    text = json.dumps(to_plain(result, keep), separators=(",", ":"), allow_nan=False)
    members: dict[str, AnyArray] = {"json": np.frombuffer(text.encode(), dtype=np.uint8)}
    for kind, pieces in parts.items():
        members[f"array{kind}"] = np.concatenate(pieces)
    return members


def _decode(expected: type, members: Mapping[str, AnyArray]) -> Any:
    """The record that ``_encode`` took apart."""

    def fetch(handle: Any) -> AnyArray:
        pool = members[f"array{handle['array']}"]
        shape = tuple(handle["shape"])
        size = int(np.prod(shape, dtype=np.int64))
        start = handle["start"]
        if start < 0 or start + size > pool.size:
            raise ValueError("an array lies outside its file")
        return pool[start : start + size].reshape(shape)

    plain = json.loads(members["json"].tobytes())
    return from_plain(expected, plain, fetch)
