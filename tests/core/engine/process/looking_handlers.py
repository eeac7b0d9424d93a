"""The program's handlers, with one that runs the first warming steps and one that looks around."""

import sys

from core.engine.kinds import standard_handlers


def _looked_for(arguments, context):
    """Those of some modules that this engine has imported."""
    return [name for name in arguments if sys.modules.get(name) is not None]


def _kernels(arguments, context):
    """How many kernels this engine has loaded or compiled."""
    from core.kernels import cache_hits

    counts = cache_hits()
    return counts.hits + counts.compiled


def _first_steps(arguments, context):
    """What the engine does after its start until the first job comes."""
    from core.engine.jobs.precompiling.first_totals import first_steps

    for step in first_steps():
        step()
    return len(first_steps())


def looking_handlers():
    return {
        **standard_handlers(),
        "looked_for": _looked_for,
        "kernels": _kernels,
        "first_steps": _first_steps,
    }
