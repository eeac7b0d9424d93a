"""Jobs in a process that runs third-party plugins: their figures come from code as it shipped.

A plugin that replaces what all share (``core.extensions.shared_code``) is found when it is loaded.
One that does so later is found at the end of the job that called it: the result is thrown away,
what was replaced is put back, and the plugin is quarantined.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from core.engine.context import JobContext
from core.engine.protocol import Blame, EngineRole
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.extensions.shared_code import SharedCode


def with_code_kept(context: JobContext, work: Callable[[], Any]) -> Any:
    """Do a job's work, and refuse its result where code that all share was replaced meanwhile.

    Costs nothing where no third party's plugin is loaded, else some milliseconds.

    Raises
    ------
    PayoffError
        Naming the plugins that were called, and what was replaced.
    """
    shared = _shared_code(context)
    if shared is not None:
        shared.begin()
    before = len(shared.replaced_in) if shared is not None else 0
    try:
        result = work()
    finally:
        shared = shared or _shared_code(context)  # plugins may have been loaded by the job itself
        replaced = shared.restore() if shared is not None else []
        if replaced:
            _blame(context, replaced)
    if replaced:
        raise _refusal(sorted(context.called), replaced)
    here = threading.get_ident()
    if shared is not None and any(thread != here for thread in shared.replaced_in[before:]):
        raise _refusal([], [])
    return result


def _shared_code(context: JobContext) -> SharedCode | None:
    """What is looked after in this process; None where no plugin of others is loaded."""
    plugins = context.plugins
    if not plugins.third_party():
        return None
    from core.extensions.shared_code import SHARED_CODE

    SHARED_CODE.is_ours = isinstance(plugins.role, EngineRole)
    return SHARED_CODE


def _blame(context: JobContext, replaced: list[str]) -> None:
    from core.extensions.shared_code import replaced_words

    why = f"It changed {replaced_words(replaced)}. It has been put back."
    for plugin in context.called or context.plugins.third_party():
        context.plugins.blame(Blame(plugin, "use", why))


def _refusal(plugins: list[str], replaced: list[str]) -> PayoffError:
    from core.extensions.shared_code import replaced_words

    named = f"The plugin {', '.join(plugins)}" if plugins else "A plugin"
    what = replaced_words(replaced) if replaced else "code that the whole program uses"
    return PayoffError(
        f"{named} changed code while this was computed; the result was thrown away.",
        why=f"It changed {what}, which would have changed other figures too.",
        remedy="It has been put back, and the plugin quarantined (page Plugins): run this again.",
    )
