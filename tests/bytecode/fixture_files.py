"""The committed fixtures: real modules of every version that need no vendor package."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent / "fixtures"
MANIFEST = FIXTURES / "manifest.json"


@dataclass(frozen=True)
class Fixture:
    """A file with its version and the operations that tileirdisasm prints for it."""

    name: str
    version: str
    operations: tuple[str, ...]
    data: bytes


@cache
def fixtures() -> tuple[Fixture, ...]:
    """Every fixture in a fixed order."""
    manifest: dict[str, Any] = json.loads(MANIFEST.read_text())
    return tuple(
        Fixture(
            name, entry["version"], tuple(entry["operations"]), (FIXTURES / f"{name}.tileirbc").read_bytes()
        )
        for name, entry in sorted(manifest.items())
    )


def fixture(name: str) -> bytes:
    """The bytes of one fixture."""
    return next(found.data for found in fixtures() if found.name == name)
