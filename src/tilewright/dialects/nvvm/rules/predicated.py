"""The rules of loads and stores under a predicate."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.attribute import Type
from tilewright.ir.declaration.traits import VerifyError


def check_alignment(alignment: int) -> None:
    """Raise `VerifyError` unless an alignment is a power of two."""
    if alignment < 1 or alignment & alignment - 1:
        raise VerifyError(f"expects an alignment that is a power of two, but got {alignment}")


def check_neighbours(types: Sequence[Type]) -> None:
    """Raise `VerifyError` unless there are values, all of one type."""
    if not types or any(type is not types[0] for type in types):
        raise VerifyError("expects one or more values of one type")
