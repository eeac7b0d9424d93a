"""A cluster of two workers on this machine, for tests that skip where Dask is not there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def two_workers() -> Any:
    """A cluster, to be closed; each worker is a process of its own."""
    import distributed

    return distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )


@contextmanager
def client_of_two_workers(*, set_as_default: bool = True) -> Iterator[Any]:
    """A client of such a cluster, which ends with it."""
    import distributed

    with (
        two_workers() as cluster,
        distributed.Client(cluster, set_as_default=set_as_default) as client,
    ):
        yield client
