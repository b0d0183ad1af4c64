"""This project: kernels in cuTile Python through the bridge, prepared once and called again and again.

The first call holds everything: the frontend, the lowering, LLVM.  There is no cache on disk.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from benchmarks.cpu_cases import BRIDGE, Array, Made
from benchmarks.cpu_kernels import Launch, launch_of
from benchmarks.cpu_peers.peer import Call, Peer
from tilewright import cutile
from tilewright.cutile.compiler import bind_arguments, compiled
from tilewright.driver.compile import compile
from tilewright.version import __version__

TARGET = os.environ.get("TILEWRIGHT_BENCHMARK_TARGET", "cpu")
os.environ["TILEWRIGHT_CACHE_SIZE"] = "0"


class Tilewright(Peer):
    """This project."""

    version = f"tilewright {__version__}"

    def call(self, made: Made) -> Call | None:
        out = made.out()
        launch = launch_of(made, out)
        cutile.clear_cache()
        if made.case == BRIDGE:
            return lambda: _bridged(launch, out)
        return _Prepared(launch, out)


def make() -> Peer:
    """The peer."""
    return Tilewright()


def _bridged(launch: Launch, out: Array) -> Array:
    cutile.launch(launch.grid, launch.kernel, launch.arguments, target=TARGET)
    return out


class _Prepared:
    """A launch that is compiled and bound by its first call."""

    def __init__(self, launch: Launch, out: Array) -> None:
        self._launch, self._out = launch, out
        self.prepared: Callable[[], Any] | None = None

    def __call__(self) -> Array:
        if self.prepared is None:
            self.prepared = self._prepare()
        self.prepared()
        return self._out

    def _prepare(self) -> Callable[[], Any]:
        launch = self._launch
        parameters, self._binding = bind_arguments(launch.kernel, launch.arguments)
        bytecode = compiled(launch.kernel, parameters, self._binding.facts)
        artifact = compile(bytecode, target=TARGET)
        return artifact.prepare(launch.grid, self._binding.flat, entry=bytecode.symbol)
