"""Data that a script has as a Dask DataFrame: its partitions, in their order, become the parts.

Each partition is made once, by the cluster that is named or else here, one after the other, and
written to scratch Parquet; what reads it knows no Dask.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from core.data import arrow_of
from core.kernels.cluster import ClusterRunner
from core.kernels.task_runners import Runner
from core.scale.sources import LEAST_ROWS, Source, joined_source, writing_scratch
from payoff.counting import counted_of
from payoff.errors import PayoffError, StoppedError

NAME = "the Dask DataFrame"


def source_of_partitions(
    data: Any,
    columns: tuple[str, ...],
    scratch: Path,
    runner: Runner,
    *,
    tell: Callable[[float | None, str], None],
    should_stop: Callable[[], bool],
) -> Source:
    """Write the partitions of a Dask DataFrame to Parquet, those of ``columns`` that it has.

    Parameters
    ----------
    data : dask.dataframe.DataFrame
    columns : names
        Empty: all.
    scratch : Path
        A folder for the files; one that all machines share where a cluster makes them.
    runner : Runner
        A cluster's makes the partitions as its own scheduler orders them; any other has them made
        in this process, one at a time.

    Raises
    ------
    PayoffError
        For another collection than a DataFrame, for a partition that cannot be made or written,
        naming it, and for partitions whose columns differ.
    StoppedError
    """
    if not (hasattr(data, "columns") and hasattr(data, "partitions") and data.ndim == 2):
        raise PayoffError(
            f"A Dask collection of type {type(data).__name__} has no rows and columns.",
            remedy="Give a dask.dataframe.DataFrame.",
        )
    wanted = [name for name in data.columns if not columns or str(name) in columns]
    chosen, count = data[wanted], int(data.npartitions)
    paths = [str(scratch / f"partition-{number:05d}.parquet") for number in range(count)]
    making = (
        _on_cluster(chosen, paths, runner, should_stop)
        if isinstance(runner, ClusterRunner)
        else _here(chosen, paths, should_stop)
    )
    with closing(making):  # what is still being written ends before its folder goes
        for done, _ in enumerate(making, start=1):
            tell(None, f"Making {counted_of(done, count, 'partition')}")
    return joined_source(NAME, ((path, _shown(at), {}) for at, path in enumerate(paths)))


def _shown(number: int) -> str:
    """A partition, as a script gets at it."""
    return f"data.partitions[{number}]"


def _here(data: Any, paths: list[str], should_stop: Callable[[], bool]) -> Generator[None]:
    for number, path in enumerate(paths):
        if should_stop():
            raise StoppedError
        with _naming(number):
            frame = data.partitions[number].compute()
        write_partition(frame, path, _shown(number))
        yield


def _on_cluster(
    data: Any, paths: list[str], runner: ClusterRunner, should_stop: Callable[[], bool]
) -> Generator[None]:
    """All at once: partitions may depend on each other, and the scheduler knows how."""
    from dask.delayed import delayed

    write: Any = delayed(write_partition, pure=False)
    parts = enumerate(zip(data.to_delayed(), paths, strict=True))
    futures = runner.compute([write(part, path, _shown(at)) for at, (part, path) in parts])
    numbers = {future.key: number for number, future in enumerate(futures)}
    ended: Iterator[Any] = runner.as_completed(futures)
    try:
        for future in ended:
            if should_stop():
                raise StoppedError
            with _naming(numbers[future.key]):
                future.result()
            yield
    finally:
        runner.cancel(futures)


@contextmanager
def _naming(number: int) -> Iterator[None]:
    """Say of which partition an error is that is raised while it is made."""
    try:
        yield
    except PayoffError:
        raise
    except Exception as error:  # whatever the script's own functions raise
        raise PayoffError(
            "A partition cannot be made.",
            where=_shown(number),
            why=f"{type(error).__name__}: {error}".split("\n")[0],
            remedy=f"Mend what makes it: {_shown(number)}.compute() says all of it.",
        ) from error


def write_partition(frame: Any, path: str, shown: str) -> None:
    """Write one partition, a pandas DataFrame, to Parquet.

    Raises
    ------
    PayoffError
        For a column that is none of numbers, texts, booleans or dates, and a full disk.
    """
    table = arrow_of(frame, shown)
    with writing_scratch(os.path.dirname(path), shown):
        pq.write_table(table, path, row_group_size=4 * LEAST_ROWS)
