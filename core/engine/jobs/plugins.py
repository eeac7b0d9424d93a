"""The jobs of page Plugins.

The job that lists plugins, metrics and matrix templates.

The jobs that look into, install and remove files of plugins.
"""

from __future__ import annotations

from pathlib import Path

from core.document.plugin_results import (
    InstallPluginArguments,
    LookIntoPluginArguments,
    PluginOffering,
    PluginOfferings,
    PluginsResult,
    RemovePluginArguments,
)
from core.engine.context import JobContext
from core.engine.messages import PluginsArguments
from core.engine.protocol import EngineRole
from core.extensions import curve_info, metric_info
from core.extensions.installing import PluginOffer, install, look_into, remove
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


def look_into_file(arguments: LookIntoPluginArguments, context: JobContext) -> PluginOfferings:
    """What a file would install; nothing of it is run."""
    folder = context.plugins.folder
    return _answer(folder, look_into(Path(arguments.path), folder))


def install_file(arguments: InstallPluginArguments, context: JobContext) -> PluginOfferings:
    """Install the plugins of a file; they are looked at when plugins are listed next."""
    folder = context.plugins.folder
    offers = install(Path(arguments.path), folder)
    for offer in offers:  # another version, another chance
        context.plugins.crash_book.forgive(offer.manifest.id)
    return _answer(folder, offers)


def remove_installed(arguments: RemovePluginArguments, context: JobContext) -> PluginOfferings:
    """Remove a plugin from the user's folder."""
    folder = context.plugins.folder
    remove(arguments.plugin, folder)
    context.plugins.crash_book.forgive(arguments.plugin)
    return _answer(folder, ())


def _answer(folder: Path, offers: tuple[PluginOffer, ...]) -> PluginOfferings:
    return PluginOfferings(folder=str(folder), plugins=tuple(_offering(entry) for entry in offers))


def _offering(offer: PluginOffer) -> PluginOffering:
    manifest = offer.manifest
    return PluginOffering(
        plugin=manifest.id,
        name=manifest.name,
        version=manifest.version,
        licence=manifest.licence,
        author=manifest.author,
        description=manifest.description,
        families=manifest.families,
        files=offer.files,
        size_bytes=offer.size_bytes,
        is_listed=offer.is_listed,
        packages=offer.packages,
        change=offer.change,
        installed_version=offer.installed_version,
    )
