"""Third parties' plugins for processes of other machines: sent by their content, loaded as here.

What a worker gets goes through every stage that an installed plugin does: manifest, contract,
import, conformance. One that fails there is not used, and the reason is said.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.extensions.finding import FoundPlugin, files_of, plugin_hash
from core.extensions.loading import package_name
from core.extensions.records import ACTIVE
from core.extensions.registry import Registry
from payoff.errors import PayoffError


@dataclass(frozen=True, slots=True, kw_only=True)
class SentPlugin:
    """The files of a plugin, by their path beside its place, and the hash of them all."""

    plugin: str
    place: str
    content: str
    files: tuple[tuple[str, bytes], ...]

    @property
    def key(self) -> str:
        """What tells it apart from others, and from itself once it has changed."""
        return f"payoff-plugin-{self.plugin}-{self.content}"

    def take(self) -> None:
        """Load it in this process, as ``take_plugin``."""
        take_plugin(self)


def plugin_of_module(registry: Callable[[], Registry], module: str) -> SentPlugin | None:
    """The plugin that a module belongs to; None where it is of none that may be sent.

    Installed packages are not sent: they come with others, and with code of the machine.
    """
    package = module.partition(".")[0]
    for record in registry().records:
        found = record.found
        is_own = found.is_third_party and not found.package and record.state == ACTIVE
        if not (is_own and package_name(record.plugin) == package):
            continue
        if plugin_hash(found.path) != record.content:
            raise PayoffError(
                f"The files of the plugin {record.plugin} have changed since it was loaded.",
                where=str(found.path),
                remedy="Load it again on page Plugins, or start the program anew.",
            )
        beside = found.path.parent
        return SentPlugin(
            plugin=record.plugin,
            place=found.path.name,
            content=record.content,
            files=tuple(
                (place.relative_to(beside).as_posix(), place.read_bytes())
                for place in files_of(found.path)
            ),
        )
    return None


_taken: dict[str, str] = {}  # plugin -> content that this process has loaded


def take_plugin(sent: SentPlugin) -> None:
    """Load a plugin that was sent to this process, unless it has the same one.

    Raises
    ------
    PayoffError
        For bytes that are not those that were sent, and a plugin that does not pass here.
    """
    if _taken.get(sent.plugin) == sent.content:
        return
    beside = Path(tempfile.mkdtemp(prefix="payoff-plugin-")).resolve()
    atexit.register(shutil.rmtree, beside, ignore_errors=True)
    for name, content in sent.files:
        place = beside / name
        if beside not in place.resolve().parents:
            raise PayoffError("A file of a plugin lies outside of it.", where=name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    path = beside / sent.place
    if plugin_hash(path) != sent.content:
        raise PayoffError(f"The plugin {sent.plugin} arrived damaged.", where=sent.place)
    record = Registry().add(FoundPlugin(path=path, source="sent"))
    if record.state != ACTIVE:
        raise PayoffError(
            f"The plugin {sent.plugin} does not work there.", where=record.stage, why=record.why
        )
    _taken[sent.plugin] = sent.content


__all__ = ["SentPlugin", "plugin_of_module", "take_plugin"]
