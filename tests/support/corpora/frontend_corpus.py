"""Bytecode of every kernel in ``examples/``, made by the cuTile frontend (test-only peer).

``corpus()`` is what other tests use: one entry per kernel specialisation and bytecode version.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
_NOT_EXAMPLES = frozenset({"__init__", "checking", "demo"})


@dataclass(frozen=True)
class Launch:
    """One launch an example makes; ``arguments`` hold the arrays as they are before it."""

    name: str
    grid: tuple[int, ...]
    kernel: Any
    arguments: tuple[Any, ...]


def corpus(*versions: str) -> list[tuple[str, str, bytes]]:
    """(name, version, bytecode) of every example kernel in each version, by default all that the package writes.

    Those include 13.5.  Compiled once per process and version; skips the running test when the packages are missing.
    """
    made = launches()
    chosen = versions or _writable_versions()
    by_version = {version: _bytecode(version) for version in chosen}
    return [
        (launch.name, version, by_version[version][number])
        for number, launch in enumerate(made)
        for version in chosen
    ]


def launches() -> tuple[Launch, ...]:
    """Every launch of the examples, each specialisation once, in a fixed order."""
    pytest.importorskip("cuda.tile")
    return _launches()


@cache
def _launches() -> tuple[Launch, ...]:
    seen: dict[str, Launch] = {}
    for example in example_modules():
        recorder = _Recorder(example.__name__.rpartition(".")[2])
        for _ in example.run(recorder):
            pass
        for made in recorder.launches:
            seen.setdefault(made.name, made)
    return tuple(seen.values())


def example_names() -> list[str]:
    """The names of the examples, sorted."""
    return sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in _NOT_EXAMPLES)


def example_modules() -> list[Any]:
    """The example modules, in a fixed order."""
    return [importlib.import_module(f"examples.{name}") for name in example_names()]


@cache
def _writable_versions() -> tuple[str, ...]:
    from tilewright import cutile

    return cutile.writable_versions(development=True)


@cache
def _bytecode(version: str) -> tuple[bytes, ...]:
    """The bytecode of each launch."""
    from tilewright import cutile

    return tuple(
        cutile.compile_to_bytecode(launch.kernel, launch.arguments, version=version).bytecode
        for launch in launches()
    )


class _Recorder:
    """A launch function that runs nothing."""

    def __init__(self, example: str) -> None:
        self.example = example
        self.launches: list[Launch] = []

    def __call__(self, grid: tuple[int, ...], kernel: Any, args: Sequence[Any]) -> None:
        from tilewright import cutile

        symbol = cutile.compile_to_bytecode(kernel, args).symbol
        self.launches.append(Launch(f"{self.example}.{symbol}", tuple(grid), kernel, tuple(args)))
