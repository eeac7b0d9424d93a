"""The project file opens again with everything, and damage is named, never half-read."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.document.data.model import DataRef, RowUse
from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.files import atomic
from core.document.files.autosave import GENERATIONS, Autosave, read_copy
from core.document.files.codec import from_plain, to_plain
from core.document.files.project import (
    pack_project,
    read_project,
    save_project,
    unpack_project,
)
from core.document.model import Document
from payoff.errors import PayoffError
from tests.core.document.project import HEADLINE, full

names = st.text(min_size=1, max_size=8)
matrices = st.builds(
    MatrixSpec,
    template=names,
    kind=st.sampled_from(list(MatrixKind)),
    levels=st.tuples(names, names),
    decisions=st.tuples(names),
    cells=st.tuples(st.tuples(st.floats(allow_nan=False)), st.tuples(st.floats(allow_nan=False))),
    acting=names,
    costs=st.tuples(st.builds(CostSpec, amount=st.floats(-1e9, 1e9), column=st.none() | names)),
)


@given(st.builds(Document, name=names, matrix=matrices, rows_used=st.sampled_from(list(RowUse))))
@settings(max_examples=80, deadline=None)
def test_any_document_survives_the_file(document: Document) -> None:
    assert unpack_project(pack_project(document, HEADLINE)).document == document


def test_saved_and_opened_again_with_everything(tmp_path: Path) -> None:
    path = save_project(tmp_path / "Spring mailing", full(), HEADLINE)
    assert path.name == "Spring mailing.payoff"
    project = read_project(path)
    assert project.document == full()
    assert project.headline == HEADLINE


def test_the_same_project_gives_the_same_bytes() -> None:
    assert pack_project(full(), HEADLINE) == pack_project(full(), HEADLINE)


def test_a_file_names_no_class_or_module_so_that_code_may_move() -> None:
    with zipfile.ZipFile(io.BytesIO(pack_project(full(), HEADLINE))) as file:
        content = b"".join(file.read(name) for name in file.namelist())
    classes = (Document, DataRef, MatrixSpec, CostSpec)
    words = {word for made in classes for word in (made.__name__, made.__module__)}
    assert b"columns" in content
    assert [word for word in sorted(words) if word.encode() in content] == []


def test_saving_again_keeps_the_version_before(tmp_path: Path) -> None:
    path = save_project(tmp_path / "p.payoff", full(), HEADLINE)
    save_project(path, replace(full(), name="second"), HEADLINE)
    assert read_project(path).document.name == "second"
    backup = tmp_path / "p.payoff.bak"
    assert unpack_project(backup.read_bytes()).document == full()


def test_truncated_at_any_length_is_refused_and_names_the_backup(tmp_path: Path) -> None:
    path = save_project(tmp_path / "p.payoff", full(), HEADLINE)
    save_project(path, full(), HEADLINE)
    content = path.read_bytes()
    for length in range(0, len(content), 7):
        path.write_bytes(content[:length])
        with pytest.raises(PayoffError) as refusal:
            read_project(path)
        assert str(path) in refusal.value.where
        assert "p.payoff.bak" in refusal.value.remedy


def test_a_flipped_bit_never_gives_another_document() -> None:
    content = pack_project(full(), HEADLINE)
    for index in range(0, len(content), 3):
        damaged = bytearray(content)
        damaged[index] ^= 0x10
        try:
            project = unpack_project(bytes(damaged))
        except PayoffError:
            continue
        assert project.document == full()


def rewritten(**members: bytes | None) -> bytes:
    """The project with members replaced (None: left out), checksums not mended."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(pack_project(full(), HEADLINE))) as old:
        contents = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(packed, "w") as new:
        for name, data in contents.items():
            changed = members.get(name.removesuffix(".json"), data)
            if changed is not None:
                new.writestr(name, changed)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "the archive"),
        (b"PK\x03\x04 no zip", "the archive"),
        (rewritten(document=None), "document.json"),
        (rewritten(document=b"{}"), "document.json"),
        (rewritten(manifest=b"[1"), "manifest.json"),
        (rewritten(manifest=b"[" * 100_000), "manifest.json"),
        (rewritten(manifest=b'{"a": NaN}'), "manifest.json"),
        (rewritten(manifest=b'{"a": 1, "a": 2}'), "manifest.json"),
        (rewritten(manifest=b'{"format": "payoff-project", "schema": "1"}'), "manifest.json"),
    ],
)
def test_damage_is_named(content: bytes, named: str) -> None:
    with pytest.raises(PayoffError) as refusal:
        unpack_project(content)
    assert named in refusal.value.where


def test_a_newer_version_is_refused_with_its_number() -> None:
    manifest = json.dumps({"format": "payoff-project", "schema": 99, "sha256": {}}).encode()
    with pytest.raises(PayoffError, match="99"):
        unpack_project(rewritten(manifest=manifest))


def test_unknown_fields_are_skipped_and_wrong_types_named() -> None:
    plain = to_plain(full())
    assert from_plain(Document, {**plain, "later": 1}) == full()
    with pytest.raises(PayoffError) as refusal:
        from_plain(Document, {**plain, "name": 3})
    assert "Document.name" in refusal.value.where


@pytest.mark.parametrize("lost", ["content_hash", "rows", "columns", "size_bytes"])
def test_what_every_file_holds_is_missed_though_scripts_leave_it_out(lost: str) -> None:
    plain = to_plain(full().data)
    del plain[lost]
    with pytest.raises(PayoffError, match="all required fields"):
        from_plain(DataRef, plain)


@pytest.mark.parametrize("failing", ["fsync", "replace", "link", "chmod"])
def test_a_failing_save_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = save_project(tmp_path / "p.payoff", full(), HEADLINE)
    before = path.read_bytes()

    def fail(*_arguments: object, **_keywords: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, fail)
    changed = replace(full(), name="changed")
    if failing == "link":  # a file system without hard links: the copy is made another way
        save_project(path, changed, HEADLINE)
        assert read_project(path).document.name == "changed"
        return
    with pytest.raises(PayoffError, match="No space left"):
        save_project(path, changed, HEADLINE)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.endswith(".tmp")] == []


def test_what_is_read_back_must_be_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "read_bytes", lambda _path: b"other")
    with pytest.raises(OSError, match="differs"):
        atomic.write_atomically(tmp_path / "f", b"content")
    assert list(tmp_path.iterdir()) == []


def test_autosave_keeps_generations_and_recovers_the_newest_whole_one(tmp_path: Path) -> None:
    dead = Autosave(tmp_path, session=2**30)  # no process has this number
    for index in range(GENERATIONS + 2):
        dead.save(replace(full(), name=f"step {index}"), HEADLINE)
    assert dead.save(replace(full(), name=f"step {GENERATIONS + 1}"), HEADLINE) is None
    copies = sorted(tmp_path.iterdir())
    assert len(copies) == GENERATIONS
    copies[-1].write_bytes(b"cut off")
    offered = Autosave(tmp_path).recoverable()
    assert [entry.name for entry in offered] == [f"step {GENERATIONS}"]
    assert read_copy(offered[0].path).document.name == f"step {GENERATIONS}"
    Autosave(tmp_path).discard(offered[0].path)
    assert list(tmp_path.iterdir()) == []


def test_a_session_that_ended_properly_leaves_nothing(tmp_path: Path) -> None:
    session = Autosave(tmp_path)
    session.save(full(), HEADLINE)
    assert session.recoverable() == ()  # our own copies are not offered
    session.finish()
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        atomic.write_atomically(pipe, b"answer")
        assert os.read(reading, 100) == b"answer"
    finally:
        os.close(reading)
    assert pipe.is_fifo()
    assert [entry.name for entry in tmp_path.iterdir()] == ["pipe"]
