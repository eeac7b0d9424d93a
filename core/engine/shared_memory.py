"""Memory that window and engine share: stop bytes, markers of the plugins in use, the compiler.

All are plain bytes, so that kernels can read the stop byte while they run without Python, and so
that the window can read the marker after the engine has died. Standard library only.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from typing import Any

from core.questions.lanes import Lane

LOADING_STAGES = frozenset(
    {
        "manifest",
        "import",
        "registration",
        "specs",
        "conformance check",
    }
)
"""Stages in which no job needs the plugin yet; in all others a job is calling it."""
STOP_SLOTS = 4096
LANES = tuple(Lane)
_HEADER = struct.Struct("<IfH")  # number of entries so far, limit in seconds, length of the text
_MARKER_BYTES = 512


@dataclass(frozen=True, slots=True)
class PluginInUse:
    """A third-party plugin that was being called.

    ``limit`` in seconds; 0 = for as long as it takes (a training).
    """

    plugin: str
    stage: str
    limit: float
    entry: int

    @property
    def is_loading(self) -> bool:
        """Whether it was being loaded, and no job was using it."""
        return self.stage in LOADING_STAGES


class SharedState:
    """One engine's shared bytes; made by the window, handed to the process at its start."""

    def __init__(self, context: BaseContext) -> None:
        self.stop: Any = context.RawArray(ctypes.c_ubyte, STOP_SLOTS)
        self._markers: Any = context.RawArray(ctypes.c_ubyte, _MARKER_BYTES * len(LANES))
        self._compiler: Any = context.RawArray(ctypes.c_uint32, 2)

    def note_compiler(self, *, is_at_work: bool, kernels: int) -> None:
        """Note whether kernels are being compiled, and how many have been so far."""
        self._compiler[0] = int(is_at_work)
        self._compiler[1] = kernels % (1 << 32)

    @property
    def is_compiling(self) -> bool:
        """Whether kernels are being compiled in the engine, which cannot be interrupted."""
        return bool(self._compiler[0])

    @property
    def kernels_compiled(self) -> int:
        """How many kernels the engine has compiled."""
        return int(self._compiler[1])

    def enter_plugin(self, lane: Lane, plugin: str, stage: str, limit: float) -> None:
        """Note that ``plugin`` is being called in ``lane``."""
        text = f"{plugin}\n{stage}".encode()[: _MARKER_BYTES - _HEADER.size]
        start = self._start(lane)
        entry, _, _ = _HEADER.unpack_from(self._markers, start)
        _HEADER.pack_into(self._markers, start, (entry + 1) % (1 << 32), limit, 0)
        body = start + _HEADER.size
        self._markers[body : body + len(text)] = list(text)
        _HEADER.pack_into(self._markers, start, (entry + 1) % (1 << 32), limit, len(text))

    def leave_plugin(self, lane: Lane) -> None:
        """Note that no plugin is being called in ``lane``."""
        start = self._start(lane)
        entry, _, _ = _HEADER.unpack_from(self._markers, start)
        _HEADER.pack_into(self._markers, start, entry, 0.0, 0)

    @contextmanager
    def in_plugin(self, lane: Lane, plugin: str, stage: str, limit: float = 0.0) -> Iterator[None]:
        """Mark ``plugin`` as in use; it stays marked when the process dies inside."""
        outer = self.plugin_in(lane)
        self.enter_plugin(lane, plugin, stage, limit)
        try:
            yield
        finally:
            self.leave_plugin(lane)
            if outer is not None:
                self.enter_plugin(lane, outer.plugin, outer.stage, outer.limit)

    def plugin_in(self, lane: Lane) -> PluginInUse | None:
        """The plugin in use in a lane, or None."""
        start = self._start(lane)
        entry, limit, length = _HEADER.unpack_from(self._markers, start)
        if length == 0:
            return None
        body = start + _HEADER.size
        text = bytes(self._markers[body : body + length]).decode("utf-8", "replace")
        plugin, _, stage = text.partition("\n")
        return PluginInUse(plugin, stage, limit, entry)

    def clear_markers(self) -> None:
        """Forget what the engine before was doing, before a new one starts."""
        self.note_compiler(is_at_work=False, kernels=0)
        for lane in LANES:
            self.leave_plugin(lane)

    @staticmethod
    def _start(lane: Lane) -> int:
        return LANES.index(lane) * _MARKER_BYTES
