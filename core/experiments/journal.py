"""The journal of an experiment: every finished run is a line, so that a crash costs one run.

The first line names the experiment (a hash of its parts and rows). Numbers are written in full, so
that a table read back is the table that was written. A last line cut short counts as not written.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from core.document.experiments.spec import ExperimentSpec
from core.document.files.codec import to_plain
from core.document.files.guarded import (
    check_targets,
    make_folder,
    refusals_of,
    write_file,
)
from core.experiments.runs import RunKey, RunRecord
from core.experiments.study import Study
from payoff.errors import PayoffError

FORMAT = 1
WHAT = "The journal of the runs"
_BEGINNING = b'{"experiment": "'


def name_of(spec: ExperimentSpec, study: Study, stamp: str = "") -> str:
    """What tells one experiment from another: its parts and its rows, not where the file lies.

    ``stamp`` is the state of the plugins that take part.
    """
    digest = hashlib.sha256()
    plain = to_plain(replace(spec, path="file" if spec.path else ""))
    digest.update(json.dumps([FORMAT, plain, stamp], sort_keys=True).encode())
    digest.update(study.conditions.tobytes())
    digest.update(b"" if study.outcome is None else study.outcome.tobytes())
    for additional in (study.test, study.blocks):  # where time splits the rows, and what they share
        digest.update(b"" if additional is None else additional.tobytes())
    if study.market is not None:
        for prices in (study.market.features, study.market.trade, study.market.last):
            digest.update(prices.tobytes())
    return digest.hexdigest()[:40]


class Journal:
    """Finished runs in a file; without a path in memory only.

    Parameters
    ----------
    path : Path or None
    name : str
        From ``name_of``; a file of another experiment is refused.
    """

    def __init__(self, path: Path | None, name: str) -> None:
        self.path = path
        self.records: dict[RunKey, RunRecord] = {}
        if path is None:
            return
        check_targets([path])
        with refusals_of(path, WHAT):
            kept = path.read_bytes() if path.is_file() else b""
        if kept and not kept.startswith(_BEGINNING[: len(kept)]):
            raise PayoffError(
                "The journal of the runs is damaged, or is another file.",
                where=str(path),
                why="It does not begin as a journal does.",
                remedy="Name another file, or one that is not there yet.",
            )
        whole = kept[: kept.rfind(b"\n") + 1]
        if whole:
            self._read(whole.splitlines(), name)
        make_folder(path.parent)
        if not whole:
            head = json.dumps({"experiment": name, "format": FORMAT}) + "\n"
            write_file(path, head.encode("utf-8"), what=WHAT)
        elif len(whole) < len(kept):  # a line cut short
            self._write(b"", after=len(whole))

    def _read(self, lines: list[bytes], name: str) -> None:
        where = str(self.path)
        try:
            head = json.loads(lines[0])
            records = [_record(json.loads(line)) for line in lines[1:]]
        except (ValueError, KeyError, TypeError, AttributeError) as reason:
            raise PayoffError(
                "The journal of the runs is damaged.",
                where=where,
                remedy="Move the file away to start anew.",
            ) from reason
        if head.get("experiment") != name:
            raise PayoffError(
                "The journal belongs to another experiment.",
                where=where,
                why="Its parts or rows are not those asked for.",
                remedy="Name another journal, or remove the file to start anew.",
            )
        self.records = {record.key: record for record in records}

    def add(self, records: Iterable[RunRecord]) -> None:
        """Keep finished runs: on disk before they are announced."""
        fresh = list(records)
        if self.path is not None:
            text = "".join(json.dumps(_plain(record)) + "\n" for record in fresh)
            self._write(text.encode("utf-8"))
        self.records.update((record.key, record) for record in fresh)

    def _write(self, lines: bytes, after: int | None = None) -> None:
        """Put lines at the end, or after so many bytes; those that fail leave nothing behind."""
        assert self.path is not None
        with refusals_of(self.path, WHAT), self.path.open("rb+") as file:
            end = file.seek(0, os.SEEK_END) if after is None else after
            try:
                file.truncate(end)
                file.seek(end)
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                with contextlib.suppress(OSError):
                    file.truncate(end)
                raise


def _plain(record: RunRecord) -> dict[str, Any]:
    values = asdict(record)
    key = values.pop("key")
    flat = {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in values.items()
    }
    return {**key, **flat}


def _record(plain: dict[str, Any]) -> RunRecord:
    key = RunKey(
        sampler=str(plain.pop("sampler")),
        system=int(plain.pop("system")),
        split=int(plain.pop("split")),
        learner=str(plain.pop("learner")),
    )
    values: dict[str, Any] = {
        name: math.nan if value is None else value for name, value in plain.items()
    }
    return RunRecord(key=key, **values)
