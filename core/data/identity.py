"""What files and tables are, whatever they are called and their buffers look like.

What a table is, whatever its buffers look like: one hash of schema, rows and values.

Arrow keeps equal values in many ways: in one chunk or in several, as a slice of longer buffers,
with anything at all beneath a missing value, and texts as codes into a dictionary of any order.
None of it counts here. What counts: names, types and their order, levels, the number of rows, and
in every row what is missing and what is not. Floats are told apart by their bits.

Files by content: the hash that finds a file again when it has moved.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from xxhash import xxh3_128

from core.data.cancellation import Progress, ShouldStop, never_stop, no_progress
from core.document.data.model import DataRef
from payoff.errors import StoppedError
from payoff.types import AnyArray, IntArray

if TYPE_CHECKING:
    from hashlib import _Hash

    _Adder: TypeAlias = Callable[[_Hash, pa.DataType, Sequence[pa.Array]], None]

__all__ = [
    "rows_identity",
    "table_identity",
    "values_identity",
]


#: Arrays that follow each other: the pieces of one column.
Chunks = Sequence[pa.Array]


def table_identity(table: pa.Table) -> str:
    """The identity of a table as 64 hexadecimal digits.

    Equal tables have the same, however they are chunked, sliced or coded; a change in a name, a
    type, a level, the order of rows, a value or a missing value gives another. Metadata are left
    out: they change no value.
    """
    digest = hashlib.sha256(f"{table.num_rows} rows, {table.num_columns} columns".encode())
    for field, column in zip(table.schema, table.columns, strict=True):
        name = field.name.encode()
        digest.update(len(name).to_bytes(8, "little") + name)
        digest.update(values_identity(column.type, column.chunks))
    return digest.hexdigest()


def rows_identity(rows: IntArray) -> str:
    """What tells a choice of rows (n,) from others, their order too, as 32 hexadecimal digits."""
    return xxh3_128(np.ascontiguousarray(rows).data).hexdigest()


def values_identity(kind: pa.DataType, chunks: Chunks) -> bytes:
    """The digest of the values of one column."""
    is_coded = pa.types.is_dictionary(kind)
    words = f"one of {kind.value_type}, ordered {kind.ordered}" if is_coded else str(kind)
    digest = hashlib.sha256(f"{words}: {sum(map(len, chunks))}\n".encode())
    if is_coded:
        _add_coded(digest, kind, chunks)
    elif isinstance(kind, pa.BaseExtensionType):
        digest.update(f"{kind.extension_name}\n".encode())
        digest.update(values_identity(kind.storage_type, [chunk.storage for chunk in chunks]))
    elif pa.types.is_run_end_encoded(kind):
        digest.update(values_identity(kind.value_type, [pc.run_end_decode(c) for c in chunks]))
    elif pa.types.is_union(kind):
        _add_printed(digest, chunks)
    elif not pa.types.is_null(kind):
        _add_nulls(digest, chunks)
        _adder_of(kind)(digest, kind, chunks)
    return digest.digest()


def _adder_of(kind: pa.DataType) -> _Adder:
    """How values of a type are added, where missing ones are known already."""
    types = pa.types
    if types.is_boolean(kind):
        return _add_booleans
    if types.is_struct(kind):
        return _add_records
    if types.is_nested(kind):
        return _add_lists
    if _is_view(kind):
        return _add_views
    if types.is_fixed_size_binary(kind) or not (types.is_string(kind) or _is_bytes(kind)):
        return _add_fixed
    return _add_texts


def _is_bytes(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_binary(kind) or types.is_large_binary(kind) or types.is_large_string(kind))


def _is_view(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string_view(kind) or pa.types.is_binary_view(kind))


def _add_nulls(digest: _Hash, chunks: Chunks) -> None:
    """Which rows are missing; nothing where none is."""
    if any(chunk.null_count for chunk in chunks):
        _add_stream(digest, (_missing(chunk).view(np.uint8) for chunk in chunks))


def _missing(chunk: pa.Array) -> AnyArray:
    """(n,) bool."""
    return np.asarray(chunk.is_null().to_numpy(zero_copy_only=False), dtype=bool)


def _add_stream(digest: _Hash, pieces: Iterable[AnyArray]) -> None:
    """Pieces as one run of bytes: where one ends and the next begins does not count."""
    inner = xxh3_128()
    for piece in pieces:
        inner.update(np.ascontiguousarray(piece).data)
    digest.update(inner.digest())


def _add_fixed(digest: _Hash, kind: pa.DataType, chunks: Chunks) -> None:
    """Values of one width: numbers, dates, times, decimals, bytes of a fixed length."""
    width = kind.bit_width // 8
    if width:
        _add_stream(digest, (_fixed(chunk, width) for chunk in chunks if len(chunk)))


def _fixed(chunk: pa.Array, width: int) -> AnyArray:
    """The bytes of the values; those beneath a missing one are zero."""
    start = chunk.offset * width
    buffer = chunk.buffers()[1]
    values = np.frombuffer(buffer, dtype=np.uint8, count=len(chunk) * width, offset=start)
    if not chunk.null_count:
        return values
    word = f"u{width}" if width in (1, 2, 4, 8) else f"V{width}"
    rows = values.copy().view(word)
    rows[_missing(chunk)] = np.zeros((), dtype=word)
    return rows.view(np.uint8)


def _add_booleans(digest: _Hash, kind: pa.DataType, chunks: Chunks) -> None:
    del kind
    filled = (chunk.fill_null(False) if chunk.null_count else chunk for chunk in chunks)
    _add_stream(digest, (c.to_numpy(zero_copy_only=False).view(np.uint8) for c in filled))


def _add_texts(digest: _Hash, kind: pa.DataType, chunks: Chunks) -> None:
    """Lengths, then all the texts as one."""
    is_long = pa.types.is_large_string(kind) or pa.types.is_large_binary(kind)
    word: np.dtype[np.signedinteger] = np.dtype("i8" if is_long else "i4")
    full = [chunk for chunk in chunks if len(chunk)]
    parts = [_texts(chunk, word) for chunk in full]
    _add_stream(digest, (lengths for lengths, _ in parts))
    _add_stream(digest, (texts for _, texts in parts))


def _texts(chunk: pa.Array, word: np.dtype[np.signedinteger]) -> tuple[AnyArray, AnyArray]:
    """Lengths (n,) and bytes of texts; a missing one has no bytes."""
    _, places, texts = chunk.buffers()
    ends = np.frombuffer(
        places, dtype=word, count=len(chunk) + 1, offset=chunk.offset * word.itemsize
    )
    lengths = np.diff(ends)
    if chunk.null_count and lengths[_missing(chunk)].any():
        hollow = (
            "" if pa.types.is_string(chunk.type) or pa.types.is_large_string(chunk.type) else b""
        )
        return _texts(chunk.fill_null(hollow), word)
    whole = np.frombuffer(texts or b"", dtype=np.uint8)
    return lengths, whole[ends[0] : ends[-1]]


def _add_views(digest: _Hash, kind: pa.DataType, chunks: Chunks) -> None:
    plain = pa.large_string() if pa.types.is_string_view(kind) else pa.large_binary()
    _add_texts(digest, plain, [chunk.cast(plain) for chunk in chunks])


def _add_coded(digest: _Hash, kind: pa.DataType, chunks: Chunks) -> None:
    """Levels and, of every row, which it is; the order of levels counts where they are ordered.

    Codes may be of any width and follow any order of the levels: both are forgotten.
    """
    together = pa.chunked_array(chunks, type=kind).unify_dictionaries()
    known = together.chunk(0).dictionary if together.num_chunks else pa.array([], kind.value_type)
    levels = known.unique().drop_null()
    if not kind.ordered:
        levels = levels.take(pc.sort_indices(levels))
    digest.update(values_identity(levels.type, [levels]))
    place = pc.index_in(known, value_set=levels)
    is_kept = place.equals(pa.array(range(len(known)), place.type))  # codes are places already
    codes = [
        chunk.indices.cast(place.type) if is_kept else place.take(chunk.indices)
        for chunk in together.chunks
    ]
    digest.update(values_identity(pa.int32(), codes))


def _add_records(digest: _Hash, kind: pa.DataType, chunks: Chunks) -> None:
    flat = [chunk.flatten() for chunk in chunks]  # a missing record has missing parts
    for place, field in enumerate(kind):
        digest.update(values_identity(field.type, [parts[place] for parts in flat]))


def _add_lists(digest: _Hash, kind: pa.DataType, chunks: Chunks) -> None:
    """Lengths, then the elements of all lists as one column."""
    if pa.types.is_map(kind):
        pair = pa.struct([kind.key_field, kind.item_field])
        return _add_lists(digest, pa.list_(pair), [chunk.cast(pa.list_(pair)) for chunk in chunks])
    lengths = [pc.list_value_length(chunk).cast(pa.int64()).fill_null(0) for chunk in chunks]
    digest.update(values_identity(pa.int64(), lengths))
    digest.update(values_identity(kind.value_type, [chunk.flatten() for chunk in chunks]))
    return None


def _add_printed(digest: _Hash, chunks: Chunks) -> None:
    """Values of a type that has no plain form here, one after the other."""
    for chunk in chunks:
        for value in chunk:
            text = repr(value.as_py()).encode()
            digest.update(len(text).to_bytes(8, "little") + text)


_BLOCK = 1 << 20
_MOST_FILES = 5_000
_MOST_KNOWN = 1_000
#: A file changed later than this may change again with no clock telling: its hash is not kept.
_SETTLED_NS = 2_000_000_000


class FileStamp(NamedTuple):
    """What changes with a file, and costs nothing to look at; no identity, for files can agree."""

    size: int
    modified_ns: int
    changed_ns: int
    inode: int
    device: int

    def agrees(self, other: FileStamp) -> bool:
        """Whether nobody wrote in between; rights and links may have changed."""
        return self._replace(changed_ns=other.changed_ns) == other


_known: dict[tuple[str, FileStamp], str] = {}


def file_stamp(path: str | os.PathLike[str]) -> FileStamp:
    """The stamp of a file as it is now.

    Raises
    ------
    OSError
    """
    now = os.stat(path)
    return FileStamp(now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino, now.st_dev)


def remembered_hash(
    path: str, progress: Progress = no_progress, should_stop: ShouldStop = never_stop
) -> str:
    """The same as ``content_hash``, read once while the file stays as it is."""
    where = os.path.abspath(path)
    before = file_stamp(where)
    found = _known.get((where, before))
    if found is not None:
        return found
    found = content_hash(where, progress, should_stop)
    newest = max(before.modified_ns, before.changed_ns)
    if file_stamp(where) == before and newest < time.time_ns() - _SETTLED_NS:
        while len(_known) >= _MOST_KNOWN:
            _known.pop(next(iter(_known)), None)
        _known[where, before] = found
    return found


def content_hash(
    path: str, progress: Progress = no_progress, should_stop: ShouldStop = never_stop
) -> str:
    """The SHA-256 of a file as 64 hexadecimal digits."""
    digest = hashlib.sha256()
    size = max(1, os.path.getsize(path))
    done = 0
    with open(path, "rb", buffering=0) as source:
        while block := source.read(_BLOCK):
            if should_stop():
                raise StoppedError
            digest.update(block)
            done += len(block)
            progress(min(1.0, done / size), "checking contents")
    return digest.hexdigest()


def find_moved(data: DataRef, folders: tuple[str, ...]) -> str | None:
    """Find a data file again.

    The old place first, then files of the same size in the given folders and two levels below
    (at most 5,000 files are looked at). Same size and same hash = the same file.
    """
    for candidate in _candidates(data, folders):
        try:
            if candidate.stat().st_size != data.size_bytes or not candidate.is_file():
                continue
            if remembered_hash(str(candidate)) == data.own_hash:
                return str(candidate)
        except OSError:
            continue
    return None


def _candidates(data: DataRef, folders: tuple[str, ...]) -> Iterator[Path]:
    """Places to look at, the likeliest first."""
    old = Path(data.path)
    yield old
    for folder in folders:
        yield Path(folder) / old.name
    count = 0
    for folder in folders:
        for here, inside, files in os.walk(folder):
            depth = len(Path(here).relative_to(folder).parts)
            if depth >= 2:
                inside.clear()
            inside.sort()
            for name in sorted(files):
                count += 1
                if count > _MOST_FILES:
                    return
                yield Path(here) / name
