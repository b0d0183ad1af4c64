"""Padding: the values of the elements of a loaded tile that lie outside its memory object."""

from __future__ import annotations

from math import isnan

from tilewright.dialects.nv_tileaa.attributes import PaddingValue
from tilewright.ir.arithmetic.float_format import FloatFormat
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import FloatType

PADDING = {
    PaddingValue.ZERO: 0.0,
    PaddingValue.NEG_ZERO: -0.0,
    PaddingValue.NAN: float("nan"),
    PaddingValue.POS_INF: float("inf"),
    PaddingValue.NEG_INF: float("-inf"),
}
"""The number of each padding value, for floats. Integers are always padded with 0."""


def padding_attribute(value: PaddingValue | None, element: Type) -> Attribute:
    """Return the element that replaces elements outside the tensor; 0 if there is no padding value."""
    if not isinstance(element, FloatType):
        return IntegerAttr(element, 0)
    return FloatAttr(element, _nearest_pattern(element.format, PADDING[value]) if value is not None else 0)


def _nearest_pattern(format: FloatFormat, value: float) -> int:
    """Return the pattern of a value; without infinities NaN represents them, without NaN the largest number does."""
    if isnan(value) and format.nan_pattern is None:
        return format.exponent_mask | format.mantissa_mask
    bits = format.encode(value)
    return bits if format.nan_pattern is None or not format.is_nan(bits) else format.nan_pattern
