"""The job that lists plugins, metrics and matrix templates."""

from __future__ import annotations

from core.document.plugin_results import PluginsResult
from core.engine.context import JobContext
from core.engine.messages import PluginsArguments
from core.engine.protocol import EngineRole
from core.extensions import curve_info, metric_info
from payoff.facts import MatrixFacts, facts_of
from payoff.vocabulary import Task


def list_plugins(arguments: PluginsArguments, context: JobContext) -> PluginsResult:
    """Everything the registry knows; ``check_again`` forgets what was remembered."""
    plugins = context.plugins
    # The main engine has looked again already, to decide which engine runs this job.
    is_fresh = plugins.role is EngineRole.MAIN
    registry = plugins.registry if is_fresh else plugins.looked_at(arguments)
    return PluginsResult(
        plugins=registry.states(),
        metrics=tuple(metric_info(spec) for spec in registry.metrics()),
        templates=tuple(facts_of(spec, MatrixFacts) for spec in registry.matrices()),
        curves=tuple(curve_info(spec) for spec in registry.curves()),
        endings=tuple(
            ending
            for spec in registry.readers()
            if registry.is_third_party(spec)
            for ending in spec.suffixes
        ),
        usual_losses=tuple(
            (task.value, usual[0].id)
            for task in Task
            if (usual := [spec for spec in registry.distributions() if task in spec.usual_for])
        ),
    )
