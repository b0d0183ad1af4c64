"""Tools for tests: generators of valid IR (they need ``hypothesis``, extra ``dev``), and the pytest plugin for ``RUN:`` files.

Names are loaded on first use, because pytest imports the plugin wherever the package is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilewright.testing.generic import operations_of, operations_of_dialect
    from tilewright.testing.scene import Unsupported
    from tilewright.testing.strategies import (
        enclosing_module,
        modules,
        operations,
        sample_modules,
        sample_operations,
    )

__all__ = [
    "Unsupported",
    "enclosing_module",
    "modules",
    "operations",
    "operations_of",
    "operations_of_dialect",
    "sample_modules",
    "sample_operations",
]

_HOMES = {"Unsupported": "scene", "operations_of": "generic", "operations_of_dialect": "generic"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'tilewright.testing' has no attribute '{name}'")
    import importlib

    home = importlib.import_module(f"{__name__}.{_HOMES.get(name, 'strategies')}")
    value = globals()[name] = getattr(home, name)
    return value
