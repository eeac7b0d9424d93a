"""How a piece of work runs: the threads that it may use, and its calls into third-party plugins.

How many threads a piece of work may use: a long one leaves shorter ones a core.

Calls into third-party plugins from jobs: marked, limited, and the process left as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from core.assembly.context import AssemblyContext
from core.extensions.process_state import ProcessState
from core.extensions.records import exception_words
from core.kernels import limited_threads, threads
from payoff.errors import PayoffError, StoppedError
from payoff.specs import EvaluationMetric
from payoff.testing.checks import place_of

if TYPE_CHECKING:
    from core.evaluation.problem import CallingCall


@contextmanager
def fair_threads(context: AssemblyContext) -> Iterator[None]:
    """Leave a core free while a long job runs in an engine that also serves a window."""
    if context.leaves_core:
        with limited_threads(max(1, threads() - 1)):
            yield
    else:
        yield


def called(context: AssemblyContext, plugin: str, stage: str) -> AbstractContextManager[None]:
    """Mark a third-party plugin as in use, and refuse what it leaves changed in the process.

    Nothing for a built-in plugin (an empty id).
    """
    return _called(context, plugin, stage) if plugin else nullcontext()


def metric_calls(context: AssemblyContext) -> CallingCall:
    """Marks a third party's plugin while one of its metrics is called."""
    registry = context.registry

    def calling(spec: EvaluationMetric) -> AbstractContextManager[None]:
        owner = registry.owner(spec).plugin if registry.is_third_party(spec) else ""
        return called(context, owner, f"metric {spec.id}")

    return calling


@contextmanager
def named(plugin: str, what: str) -> Iterator[None]:
    """Name a third-party plugin in whatever its code raises; nothing for a built-in one.

    Parameters
    ----------
    plugin : str
        Its id, empty for a built-in one.
    what : str
        What of it is in use: "The loss 'Linex'".
    """
    try:
        yield
    except (PayoffError, StoppedError):
        raise
    except Exception as error:
        if not plugin:
            raise
        raise PayoffError(
            f"{what} of the plugin {plugin} failed.",
            why=f"{exception_words(error)}{place_of(error)}",
            remedy="Check the plugin on page Plugins, and tell its author.",
        ) from error


@contextmanager
def _called(context: AssemblyContext, plugin: str, stage: str) -> Iterator[None]:
    before = ProcessState.capture()
    try:
        with context.marked(plugin, stage):
            yield
    finally:
        changed = before.restore()
    if changed:
        raise PayoffError(
            f"The plugin {plugin} is not used further here.",
            where=stage,
            why=f"It changed {', '.join(changed)}, which belong to the whole program.",
            remedy="What it changed has been put back. Tell its author.",
        )
