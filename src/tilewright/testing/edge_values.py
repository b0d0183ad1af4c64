"""The values of element types at which code goes wrong: zeros, the ends of ranges and their neighbours, subnormal
numbers, and NaN and infinities.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tilewright.ir.arithmetic.float_format import FloatFormat, Specials
from tilewright.ir.builtin_types import IntegerType, tf32

TF32_SHIFT = 13
"""Memory holds a tf32 as an f32, whose last bits are zero."""


@cache
def edges(element: Any) -> tuple[int, ...]:
    """Return the bit patterns of the edge values of an integer or float type, each once."""
    width: int = element.width
    if isinstance(element, IntegerType):
        found = [0, 1, 2, -1, -2, 1 << width - 1, (1 << width - 1) - 1, (1 << width - 1) + 1]
    else:
        found = _float_edges(element.format)
    mask = (1 << width) - 1
    return tuple(dict.fromkeys(pattern & mask for pattern in found))


def _float_edges(form: FloatFormat) -> list[int]:
    least = 1 << form.mantissa_bits
    largest = form.exponent_mask | form.mantissa_mask
    one = form.bias << form.mantissa_bits
    half = least >> 1
    subnormal = [0, 1, 2, half, half + 1, least - 1]
    found = [*subnormal, least, least + 1, one - 1, one, one + 1, largest - 1, largest]
    if form.specials is Specials.IEEE:
        quiet = form.exponent_mask | half
        found += [form.exponent_mask - 1, form.exponent_mask, quiet, quiet | 1]
    return [*found, *(pattern | form.sign_mask for pattern in found if pattern < form.sign_mask)]


def edges_in_memory(element: Any) -> np.ndarray[Any, Any]:
    """Return the edge values of a type of at least a byte, or of i1, as elements of an array."""
    patterns = edges(element)
    if element is tf32:
        return np.array([pattern << TF32_SHIFT for pattern in patterns], np.uint32)
    return np.array(patterns, f"u{max(1, element.width // 8)}")
