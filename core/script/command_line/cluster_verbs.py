"""``payoff scheduler`` and ``payoff worker``: the processes of a Dask cluster.

The same program on each machine is the cluster. Whoever reaches a port of it can run any program as
its user: other hosts than this one need certificates, or are said to be trusted.
"""

from __future__ import annotations

import argparse
import asyncio
import ipaddress
import logging
import os
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import SplitResult, urlsplit

from core.script.command_line.answering import Json, answered, tell
from payoff.errors import PayoffError

TIMEOUT = 30
"""Seconds in which a scheduler has to answer a worker."""
WHY = (
    "Whoever reaches a port of the cluster can run any program as its user: what is sent are "
    "Python objects."
)


def run_cluster_verb(parsed: argparse.Namespace) -> int:
    """Run one of them until it is stopped; the exit code is that of ``answered``."""
    return answered(lambda: CLUSTER_VERBS[parsed.verb](parsed), parsed)


def scheduler_verb(parsed: argparse.Namespace) -> Json:
    """``payoff scheduler [--host --port]``: hand out work until Ctrl+C."""
    security = _security(parsed, parsed.host)
    return _run(_schedule(parsed, security))


def worker_verb(parsed: argparse.Namespace) -> Json:
    """``payoff worker ADDRESS [--memory --threads --scratch]``: do work until Ctrl+C."""
    host = urlsplit(parsed.address).hostname
    if not host:
        raise PayoffError(
            "No address of a scheduler.",
            where=parsed.address,
            remedy="Write it as payoff scheduler says it: tcp://127.0.0.1:8786.",
        )
    if parsed.scratch is not None and not os.path.isdir(parsed.scratch):
        raise PayoffError("There is no such folder.", where=f"--scratch {parsed.scratch}")
    security = _security(parsed, host)
    return _run(_work(parsed, security))


def _run(process: Coroutine[Any, Any, str]) -> Json:
    """Run until Ctrl+C, or until the process is told to end, as by a service's manager."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        address = asyncio.run(process)
    except KeyboardInterrupt:
        address = ""
    tell("stopped")
    return {"address": address}


async def _schedule(parsed: argparse.Namespace, security: Any) -> str:
    _settle()
    from distributed import Scheduler

    begin: Any = Scheduler
    with _beginning(
        "The port cannot be opened.", f"{parsed.host}:{parsed.port}", "Choose another one: --port."
    ):
        scheduler = await begin(
            host=parsed.host,
            port=parsed.port,
            dashboard=False,
            dashboard_address=f"{_bracketed(parsed.host)}:0",
            security=security,
        )
    tell(f"scheduler at {scheduler.address}; on each machine: payoff worker {scheduler.address}")
    await scheduler.finished()
    return str(scheduler.address)


async def _work(parsed: argparse.Namespace, security: Any) -> str:
    _settle()
    from distributed import Nanny

    begin: Any = Nanny
    with _beginning(
        "The Dask scheduler does not answer.", parsed.address, "Start one: payoff scheduler."
    ):
        nanny = await begin(
            parsed.address,
            host=_own_address(urlsplit(parsed.address)),
            nthreads=parsed.threads or os.cpu_count(),
            memory_limit=parsed.memory or "auto",
            local_directory=parsed.scratch,
            security=security,
            death_timeout=TIMEOUT,
            silence_logs=logging.WARNING,
        )
    tell(f"worker at {nanny.worker_address} for {parsed.address}")
    await nanny.finished()
    raise PayoffError(
        "The worker has ended: its scheduler did, or is out of reach.",
        where=parsed.address,
        remedy="Start it anew when there is a scheduler.",
    )


def _own_address(scheduler: SplitResult) -> str:
    """This computer's address on the way to a scheduler: its worker listens there, nowhere else."""
    found = socket.getaddrinfo(scheduler.hostname, scheduler.port or 0, type=socket.SOCK_DGRAM)
    family, kind, _, _, place = found[0]
    with socket.socket(family, kind) as way:
        way.connect(place)  # sends nothing
        return _bracketed(way.getsockname()[0])


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _settle() -> None:
    """No pages of the library's own in a browser, and of its lines on stderr the warnings only.

    Work that no worker is left for ends with a refusal, in place of waiting for ever.
    """
    import dask

    settings: Any = dask.config
    settings.set(
        {
            "distributed.scheduler.http.routes": [],
            "distributed.worker.http.routes": [],
            "distributed.scheduler.no-workers-timeout": f"{2 * TIMEOUT} s",
            "logging.distributed": "warning",
        }
    )


@contextmanager
def _beginning(words: str, where: str, remedy: str) -> Iterator[None]:
    """Refuse what keeps a process from beginning; the library wraps its reasons."""
    try:
        yield
    except (OSError, RuntimeError) as reason:
        cause = reason if isinstance(reason, OSError) else reason.__cause__
        if not isinstance(cause, OSError):
            raise
        why = cause.strerror or str(cause)
        if isinstance(cause, TimeoutError):
            why = f"It did not answer within {TIMEOUT} s."
        raise PayoffError(words, where=where, why=why, remedy=remedy) from None


def _security(parsed: argparse.Namespace, host: str) -> Any:
    """Certificates, where they are given; without them only this computer, or a trusted network.

    Raises
    ------
    PayoffError
    """
    given = (parsed.tls_ca, parsed.tls_cert, parsed.tls_key)
    if any(given):
        missing = [path for path in given if path is None or not os.path.isfile(path)]
        if missing:
            raise PayoffError(
                "A certificate is missing.",
                where=str(missing[0] or "--tls-ca, --tls-cert, --tls-key"),
                remedy="Name all three files: --tls-ca, --tls-cert and --tls-key.",
            )
        from distributed.security import Security

        made: Any = Security
        names = {"tls_ca_file": parsed.tls_ca, "require_encryption": True}
        for role in ("scheduler", "worker", "client"):
            names |= {f"tls_{role}_cert": parsed.tls_cert, f"tls_{role}_key": parsed.tls_key}
        return made(**names)
    if not (parsed.trusted_network or _is_this_computer(host)):
        raise PayoffError(
            f"{host} is another computer.",
            why=WHY,
            remedy="Give --tls-ca, --tls-cert and --tls-key, or say --trusted-network.",
        )
    return None


def _is_this_computer(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


CLUSTER_VERBS: dict[str, Callable[[argparse.Namespace], Json]] = {
    "scheduler": scheduler_verb,
    "worker": worker_verb,
}
