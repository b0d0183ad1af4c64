"""A launcher that runs nothing and remembers what it was asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Recorder:
    """Stands in for ``tilewright.launch``."""

    calls: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])

    def __call__(self, bytecode: bytes, entry: str, grid: Any, arguments: Any, **options: Any) -> None:
        self.calls.append((bytecode, entry, grid, arguments, options))
