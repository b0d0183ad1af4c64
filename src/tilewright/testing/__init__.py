"""Generators of valid IR for property tests; needs the ``hypothesis`` package (extra ``dev``)."""

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
