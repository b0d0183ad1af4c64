"""The rule of loads and stores under a predicate."""

from __future__ import annotations

from tilewright.ir.declaration.traits import VerifyError


def check_alignment(alignment: int) -> None:
    """Raise unless addresses can be multiples of a number as that of an alignment."""
    if alignment < 1 or alignment & alignment - 1:
        raise VerifyError(f"expects an alignment that is a power of two, but got {alignment}")
