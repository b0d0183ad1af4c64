"""Rules of atomic accesses."""

from __future__ import annotations

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.tt.enums import MemSemantic
from tilewright.dialects.tt.types import bit_width, element_type_of, pointee_of
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value

POLLED_WIDTHS = (16, 32, 64)
"""The widths of integers that a program can wait for."""


def check_order(order: MemSemantic, allowed: MemSemantic) -> None:
    """Raise `VerifyError` unless an access is relaxed or has the order `allowed`."""
    if order not in (MemSemantic.RELAXED, allowed):
        raise VerifyError(f"only supports {allowed.spelling} and relaxed semantics")


def check_accessed(pointer: Value) -> None:
    """Raise `VerifyError` unless a pointer points to whole bytes."""
    if bit_width(element_type_of(pointee_of(checked_type(pointer)))) < 8:
        raise VerifyError("does not support sub-byte elements")


def check_polled(expected: Value) -> None:
    """Raise `VerifyError` unless a program can wait for values of a type."""
    element = element_type_of(checked_type(expected))
    if not isinstance(element, IntegerType) or element.width not in POLLED_WIDTHS:
        widths = ", ".join(map(str, POLLED_WIDTHS))
        raise VerifyError(f"only supports integer elements with width {{{widths}}}")
