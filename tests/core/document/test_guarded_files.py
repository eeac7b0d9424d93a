"""Files leave the program whole or not at all, through links, and never over what went in."""

from __future__ import annotations

import ast
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from core.document.files import atomic, guarded
from core.document.files.guarded import note_read, piece_of_work, write_file
from core.document.files.locks import OsLock
from core.document.files.project import Headline, save_project
from core.document.model import Document
from payoff.errors import PayoffError
from tests.helpers.sources import files_that_say, nodes

ROOT = Path(__file__).resolve().parents[3]
LEFT = "*.payoff-part"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "x.csv"
    path.write_bytes(b"a,b\n1,2\n")
    return path


def other_names(path: Path) -> dict[str, Path]:
    """Ways to name one file."""
    link, hard = path.with_name("link.csv"), path.with_name("hard.csv")
    link.symlink_to(path)
    os.link(path, hard)
    (path.parent / "inner").mkdir()
    chained = path.with_name("chained.csv")
    chained.symlink_to(link.name)
    return {
        "same": path,
        "around": path.parent / "inner" / ".." / path.name,
        "link": link,
        "chained": chained,
        "hard": hard,
    }


@pytest.mark.parametrize("name", ["same", "around", "link", "chained", "hard"])
def test_what_went_in_is_not_written_over_by_any_name(data: Path, name: str) -> None:
    target = other_names(data)[name]
    with piece_of_work():
        note_read(data)
        with pytest.raises(PayoffError, match="overwrite the data") as refusal:
            write_file(target, b"other")
    assert refusal.value.where == str(target)
    assert data.read_bytes() == b"a,b\n1,2\n"
    assert not list(data.parent.glob(LEFT))


def test_names_in_other_letters_are_one_file_where_the_disk_says_so(data, monkeypatch) -> None:
    other = data.with_name("X.CSV")
    other.write_bytes(b"")
    lower = os.path.samefile

    def samefile(first, second):  # a disk that does not tell letters apart
        return lower(first, second) or str(first).lower() == str(second).lower()

    monkeypatch.setattr(os.path, "samefile", samefile)
    with piece_of_work([data]), pytest.raises(PayoffError, match="overwrite"):
        write_file(other, b"other")


def test_a_work_ends_with_its_inputs_and_may_write_its_own_file_again(data: Path) -> None:
    with piece_of_work():
        note_read(data)
    with piece_of_work():
        write_file(data, b"first")
        note_read(data)  # looked at after it was written
        write_file(data, b"second")
    assert data.read_bytes() == b"second"


def test_what_a_window_shows_is_kept_until_it_shows_something_else(data: Path) -> None:
    guarded.note_open([data])
    try:
        with pytest.raises(PayoffError, match="overwrite"):
            write_file(data, b"chart")
    finally:
        guarded.note_open([])
    write_file(data, b"chart")
    assert data.read_bytes() == b"chart"


def test_a_project_is_written_over_by_projects_only(tmp_path: Path) -> None:
    path = save_project(tmp_path / "p.payoff", Document(name="kept"), Headline())
    renamed = tmp_path / "p.zip"
    renamed.write_bytes(path.read_bytes())
    for target in (path, renamed):
        before = target.read_bytes()
        with pytest.raises(PayoffError, match="Payoff project"):
            write_file(target, b"decisions")
        assert target.read_bytes() == before


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "out.csv", tmp_path / "out.csv"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(Path("far") / "out.csv")
    write_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640
    dangling = tmp_path / "later.csv"
    dangling.symlink_to(Path("far") / "later.csv")
    write_file(dangling, b"made")
    assert dangling.is_symlink()
    assert (tmp_path / "far" / "later.csv").read_bytes() == b"made"
    round_link = tmp_path / "round.csv"
    round_link.symlink_to("round.csv")
    with pytest.raises(PayoffError, match="could not be written"):
        write_file(round_link, b"new")


def test_a_read_only_file_stays(data: Path) -> None:
    data.chmod(0o444)
    with pytest.raises(PayoffError, match="read-only") as refusal:
        write_file(data, b"other")
    assert "Choose another name" in refusal.value.remedy
    assert data.read_bytes() == b"a,b\n1,2\n"


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="a device of Linux")
def test_a_full_device_is_a_refusal_and_stays_a_device() -> None:
    for content in (b"x" * 100_000, lambda target: Path(target).write_bytes(b"x" * 100_000)):
        with pytest.raises(PayoffError, match="No space left") as refusal:
            write_file("/dev/full", content)
        assert refusal.value.where == "/dev/full"
        assert "room" in refusal.value.remedy
    assert Path("/dev/full").is_char_device()


def test_places_that_cannot_be_written_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(PayoffError, match="folder does not exist") as refusal:
        write_file(tmp_path / "none" / "x.csv", b"")
    assert refusal.value.remedy
    with pytest.raises(PayoffError, match="is a folder"):
        write_file(tmp_path, b"")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(PayoffError, match="could not be written"):
        guarded.make_folder(tmp_path / "file" / "below")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("broken")])
def test_a_failure_leaves_the_old_file_and_nothing_beside_it(data: Path, error) -> None:
    def fill(target: str) -> None:
        Path(target).write_bytes(b"half")
        raise error

    with pytest.raises((PayoffError, RuntimeError), match=str(error.args[-1])):
        write_file(data, fill)
    assert data.read_bytes() == b"a,b\n1,2\n"
    assert os.listdir(data.parent) == ["x.csv"]


def test_a_folder_that_cannot_be_synced_does_not_fail_what_was_written(
    data: Path, monkeypatch, caplog
) -> None:
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            raise OSError(22, "Invalid argument")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with caplog.at_level(logging.INFO):
        write_file(data, b"new")
    assert data.read_bytes() == b"new"
    if sys.platform == "linux":
        assert "could not be synced" in caplog.text


WRITER = """
import sys, time
from pathlib import Path
from core.document.files.guarded import write_file

def fill(target):
    Path(target).write_bytes(b"half")
    print("writing", flush=True)
    time.sleep(600)

write_file(sys.argv[1], fill)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_what_a_killed_writer_left_goes_and_what_a_living_one_writes_stays(tmp_path: Path) -> None:
    target, third_party = tmp_path / "out.csv", tmp_path / ".out.csv.tmp"
    third_party.write_bytes(b"of another program")
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(target)], stdout=subprocess.PIPE, cwd=ROOT
    ) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"writing\n"
            (left,) = tmp_path.glob(LEFT)
            atomic.remove_leftovers(tmp_path)
            assert left.exists()  # its writer lives
        finally:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
    write_file(target, b"whole")
    assert sorted(os.listdir(tmp_path)) == [".out.csv.tmp", "out.csv"]


def test_where_no_locks_are_known_only_old_leftovers_go(tmp_path: Path, monkeypatch) -> None:
    def unknown(*_given, **_named):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("core.document.files.locks._try", unknown)
    fresh = tmp_path / ".a.csv.0123456789abcdef.payoff-part"
    old = tmp_path / ".a.csv.fedcba9876543210.payoff-part"
    for path in (fresh, old):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 2 * 86_400,) * 2)
    write_file(tmp_path / "b.csv", b"whole")
    assert sorted(os.listdir(tmp_path)) == [fresh.name, "b.csv"]
    assert OsLock(fresh).try_take(is_shared=False)  # nobody is kept from working


# ---------------------------------------------------------------- the source

OWN_STATE = {
    # how files are written
    "core/document/files/atomic.py",
    "core/document/files/guarded.py",
    "core/document/files/locks.py",
    # pieces of a run in a scratch folder of its own
    "core/scale/kept.py",
    "core/scale/ranked/records.py",
    # what the program keeps for itself: plugins, compiled code, results, its log
    "core/extensions/installing.py",
    "core/extensions/kernel_sheets.py",
    "core/engine/store.py",
    "core/engine/sandbox/confining.py",
    "core/engine/jobs/precompiling/first_totals.py",
    "core/kernels/kernel_files.py",
    "core/diagnostics/log.py",
    # lines at the end of a journal, synced one by one
    "core/experiments/experiment.py",
    # made-up files that readers are checked with
    "payoff/testing/reader_checks.py",
}
FILLS = {
    # parts of an answer beside their end: whole, then renamed
    ("core/scale/scoring.py", "ParquetWriter"),
    # what a worker was sent, in a temporary folder of its own
    ("core/script/files/in_parts.py", "write_bytes"),
    ("core/extensions/sending.py", "write_bytes"),
    ("core/scale/sources.py", "ParquetWriter"),  # in the scratch folder
    # a question of that name, which writes nothing
    ("gui/pages/decide/dialogs/read_workbook.py", "Workbook"),
    # fill a file that the guarded writer made
    ("core/data/writing.py", "CSVWriter"),
    ("core/data/writing.py", "ParquetWriter"),
    ("core/data/writing.py", "Workbook"),
    # in memory: bytes of a folder that the guarded writer writes
    ("core/decisions/rules/export.py", "Workbook"),
}
WRITERS = {
    *("write_text", "write_bytes", "to_csv", "to_parquet", "to_excel", "write_csv", "CSVWriter"),
    *("ParquetWriter", "write_feather", "write_table_file", "Workbook", "QSaveFile", "QFile"),
    *("setFileName", "mkstemp", "NamedTemporaryFile", "savez", "copyfile", "copy2", "OSFile"),
    *("savefig", "dump_to_file", "touch"),
}
MODES = {"w", "a", "x", "+"}


def unguarded(inside: Iterable[ast.AST]) -> list[tuple[str, int]]:
    """Calls that write a file by themselves: name and line."""
    found = []
    for node in inside:
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        texts = [a.value for a in [*node.args, *(k.value for k in node.keywords)] if _is_text(a)]
        is_mode = any(set(text) & MODES and set(text) <= set("rwaxbt+") for text in texts)
        if name in WRITERS or (name in ("open", "fdopen") and is_mode):
            found.append((name, node.lineno))
        if name in ("replace", "rename") and isinstance(function, ast.Attribute):
            owner = getattr(function.value, "id", "")
            if owner == "os":
                found.append((f"os.{name}", node.lineno))
    return found


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_nothing_writes_files_but_by_the_guarded_writer() -> None:
    found = []
    words = (*WRITERS, "open(", "os.replace", "os.rename")
    for name, inside in files_that_say(words, "core", "gui", "payoff", "plugins"):
        if name in OWN_STATE or name.startswith("plugins/readers/"):
            continue  # readers make examples for their checks
        for call, line in unguarded(inside):
            if (name, call) not in FILLS:
                found.append(f"{name}:{line} {call}")
    assert found == []


def test_the_walk_over_the_source_sees_writers() -> None:
    source = "open(p, 'w'); p.open(mode='ab'); p.write_text(t); frame.to_csv(p); os.replace(a, b)"
    names = [name for name, _line in unguarded(nodes(source))]
    assert sorted(names) == ["open", "open", "os.replace", "to_csv", "write_text"]
    assert unguarded(nodes("open(p); open(p, 'rb'); text.replace('w', 'a')")) == []
