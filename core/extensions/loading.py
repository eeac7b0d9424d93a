"""Importing one plugin and asking its hooks, whatever it does."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import re
import sys
import tempfile
import types
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pluggy

import payoff.hooks
from core.extensions.finding import SHARED_FOLDER, FoundPlugin
from core.extensions.installing import unpack
from payoff.errors import PayoffError
from payoff.hooks import HOOKS, PROJECT_NAME
from payoff.manifest import Manifest
from payoff.own_loss import own_losses
from payoff.own_metric import own_metrics
from payoff.readers import TableReader
from payoff.specs import DecisionMatrix, EvaluationMetric, LossDistribution, Spec
from payoff.systems import EvaluationSystem

SPEC_TYPES: dict[str, type[Spec]] = {
    "distributions": LossDistribution,
    "metrics": EvaluationMetric,
    "decision_matrices": DecisionMatrix,
    "readers": TableReader,
    "evaluation_systems": EvaluationSystem,
}

DOUBTFUL_SECONDS = 2.0  # coarsest clock of a file system


def import_entry(found: FoundPlugin, manifest: Manifest, folder: Path) -> ModuleType:
    """Import a plugin's entry module.

    Built-in and installed plugins are imported by their package's name. A plugin in a folder or
    file gets a package name of its own made from its id, so that two plugins with a module
    ``helpers`` never meet; inside, relative imports work.

    Parameters
    ----------
    folder : Path
        Where the files are: the plugin's folder, the ``.py`` file, or the unpacked archive.
    """
    if found.package:
        return importlib.import_module(f"{found.package}.{manifest.entry}")
    package = package_name(manifest.id)
    forget_modules(package)
    importlib.invalidate_caches()
    if found.source == SHARED_FOLDER:
        with _byte_code_unwritten():
            return _import_place(package, folder, manifest)
    _drop_doubtful_byte_code(folder)
    return _import_place(package, folder, manifest)


def _import_place(package: str, folder: Path, manifest: Manifest) -> ModuleType:
    if folder.is_file():
        return _import_file(package, folder)
    _make_package(package, folder)
    return importlib.import_module(f"{package}.{manifest.entry}")


@contextlib.contextmanager
def _byte_code_unwritten() -> Iterator[None]:
    """Import without a trace in a folder that belongs to others."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def plugin_files(found: FoundPlugin, content: str, unpack_folder: Path | None) -> Path:
    """Where the files of a plugin are: as they were found, or unpacked, once for each content."""
    if found.path.suffix not in (".zip", ".payoff-plugin"):
        return found.path
    root = unpack_folder or Path(tempfile.mkdtemp(prefix="payoff-plugins-"))
    return unpack(found.path, root / content[:32])


def offer_packages(folder: Path) -> None:
    """Let imports find the packages that a plugin brought along, after all that is shipped.

    What was imported from there before is forgotten: the plugin may be a newer one.
    """
    brought = str(folder / "site-packages")
    if not Path(brought).is_dir():
        return
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(brought + os.sep):
            sys.modules.pop(name, None)
    if brought not in sys.path:
        sys.path.append(brought)


def package_name(plugin_id: str) -> str:
    """The name a third-party plugin is imported under."""
    return "payoff_plugin_" + re.sub(r"\W", "_", plugin_id)


def forget_modules(package: str) -> None:
    """Drop a package and what is below it from the imported modules."""
    for name in list(sys.modules):  # a copy: the other lane may be importing
        if name == package or name.startswith(package + "."):
            sys.modules.pop(name, None)


def register(module: ModuleType, manifest: Manifest) -> tuple[Spec, ...]:
    """Ask the hooks of one plugin, alone in a plugin manager of its own.

    pluggy loses the answers of all plugins when one raises, and says nothing of a misspelt hook;
    one manager per plugin and ``check_pending`` mend both.

    Raises
    ------
    PayoffError
        For misspelt or unmarked hooks, families that do not agree with the manifest, answers
        that are no lists of specs.
    """
    manager = pluggy.PluginManager(PROJECT_NAME)
    manager.add_hookspecs(payoff.hooks)
    try:
        manager.register(module, name=manifest.id)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        raise PayoffError(
            "A hook does not fit.",
            where=module.__name__,
            why=str(error).splitlines()[-1] + ".",
            remedy=f"The hooks are {', '.join(HOOKS.values())}; they take no arguments.",
        ) from error
    _check_marks(module, manager)
    specs: list[Spec] = []
    for family, hook in HOOKS.items():
        answers = getattr(manager.hook, hook)()
        own = _own_specs(module, family, has_hook=bool(answers))
        answers = [*answers, own] if own else answers
        if (family in manifest.families) != bool(answers):
            raise _family_refusal(family, hook, is_announced=family in manifest.families)
        for answer in answers:
            specs += _specs_of(answer, family, hook)
    return tuple(specs)


def _own_specs(module: ModuleType, family: str, *, has_hook: bool) -> list[Spec]:
    """What decorators made in a module; of losses a hook, if there is one, chooses itself."""
    if family == "metrics":
        return list(own_metrics(vars(module)))
    if family == "distributions" and not has_hook:
        return list(own_losses(vars(module)))
    return []


def _drop_doubtful_byte_code(place: Path) -> None:
    """Delete byte code that was written right after its source.

    Python knows a changed source by its size and the second it was written. Saved twice within a
    second at one size, the byte code of the first would run for the second.
    """
    for source in [place] if place.is_file() else place.rglob("*.py"):
        with contextlib.suppress(OSError):  # none there, or none that may be deleted
            compiled = Path(importlib.util.cache_from_source(str(source)))
            if compiled.stat().st_mtime < source.stat().st_mtime + DOUBTFUL_SECONDS:
                compiled.unlink()


def _import_file(package: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(package, path)
    if spec is None or spec.loader is None:
        raise PayoffError("The file cannot be imported.", where=str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[package] = module
    spec.loader.exec_module(module)
    return module


def _make_package(package: str, folder: Path) -> None:
    """Put the plugin's folder among the modules as a package; its ``__init__.py`` runs if any."""
    init = folder / "__init__.py"
    if init.is_file():
        spec = importlib.util.spec_from_file_location(
            package, init, submodule_search_locations=[str(folder)]
        )
        if spec is not None and spec.loader is not None:
            module = importlib.util.module_from_spec(spec)
            sys.modules[package] = module
            spec.loader.exec_module(module)
            return
    holder = types.ModuleType(package)
    holder.__path__ = [str(folder)]
    holder.__spec__ = ModuleSpec(package, None, is_package=True)
    sys.modules[package] = holder


def _check_marks(module: ModuleType, manager: pluggy.PluginManager) -> None:
    known = {caller.name for caller in manager.get_hookcallers(module) or ()}
    for name in vars(module):
        if name.startswith("payoff_register_") and name not in known:
            raise PayoffError(
                f"The function '{name}' is not marked as a hook.",
                where=module.__name__,
                remedy="Put @payoff.hookimpl above it.",
            )


def _family_refusal(family: str, hook: str, *, is_announced: bool) -> PayoffError:
    if is_announced:
        return PayoffError(
            f"The manifest announces the family '{family}', but {hook} is missing.",
            remedy="Write the hook, or take the family out of the manifest.",
        )
    return PayoffError(
        f"The plugin has the hook {hook}, but its manifest does not announce '{family}'.",
        remedy="Add the family to the manifest.",
    )


def _specs_of(answer: object, family: str, hook: str) -> list[Spec]:
    wanted = SPEC_TYPES[family]
    if not isinstance(answer, (list, tuple)):
        raise PayoffError(f"{hook} must return a list, not {type(answer).__name__}.")
    for item in answer:
        if not isinstance(item, wanted):
            raise PayoffError(
                f"{hook} must return {wanted.__name__} specs, not {type(item).__name__}."
            )
    return list(answer)
