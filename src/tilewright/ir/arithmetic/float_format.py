"""The floating-point formats as data: widths, encodings, special values."""

from __future__ import annotations

import math
import struct
from enum import Enum

from tilewright.ir.support.record import Record


class Specials(Enum):
    """The bit patterns of a format that are not finite numbers."""

    IEEE = "inf and NaN in the all-ones exponent"
    FINITE_NAN = "no inf; NaN is all ones below the sign"
    NEGATIVE_ZERO_NAN = "no inf, no negative zero; NaN is the negative-zero pattern"
    FINITE = "finite values only"


class FloatFormat(Record, frozen=True):
    """One binary format: whether it is ``signed`` and has a zero (``has_zero``), the widths of exponent and
    mantissa (without the hidden bit) in bits, the bias of the exponent, and the special values.
    """

    name: str
    exponent_bits: int
    mantissa_bits: int
    bias: int
    specials: Specials = Specials.IEEE
    signed: bool = True
    has_zero: bool = True
    """False where the all-zeros pattern is an ordinary number (f8E8M0FNU)."""

    @property
    def bits(self) -> int:
        """The width of a bit pattern."""
        return int(self.signed) + self.exponent_bits + self.mantissa_bits

    @property
    def sign_mask(self) -> int:
        """The sign bit, or 0 in unsigned formats."""
        return 1 << (self.bits - 1) if self.signed else 0

    @property
    def exponent_mask(self) -> int:
        """The bits of the exponent, all set."""
        return ((1 << self.exponent_bits) - 1) << self.mantissa_bits

    @property
    def mantissa_mask(self) -> int:
        """The bits of the mantissa, all set."""
        return (1 << self.mantissa_bits) - 1

    @property
    def nan_pattern(self) -> int | None:
        """The bit pattern of the canonical NaN; None if the format has no NaN."""
        match self.specials:
            case Specials.IEEE:
                return self.exponent_mask | (1 << (self.mantissa_bits - 1))
            case Specials.FINITE_NAN:
                return self.exponent_mask | self.mantissa_mask
            case Specials.NEGATIVE_ZERO_NAN:
                return self.sign_mask
            case Specials.FINITE:
                return None

    def is_nan(self, pattern: int) -> bool:
        """Return whether a bit pattern is a NaN."""
        magnitude = pattern & (self.exponent_mask | self.mantissa_mask)
        match self.specials:
            case Specials.IEEE:
                return magnitude > self.exponent_mask
            case Specials.FINITE_NAN:
                return magnitude == self.exponent_mask | self.mantissa_mask
            case Specials.NEGATIVE_ZERO_NAN:
                return pattern == self.sign_mask
            case Specials.FINITE:
                return False

    def is_infinite(self, pattern: int) -> bool:
        """Return whether a bit pattern is an infinity."""
        magnitude = pattern & (self.exponent_mask | self.mantissa_mask)
        return self.specials is Specials.IEEE and magnitude == self.exponent_mask

    def decode(self, pattern: int) -> float:
        """Return the value of a bit pattern (exact: every format here fits in a double)."""
        if self.bits == 64:
            return struct.unpack("<d", pattern.to_bytes(8, "little"))[0]
        sign = -1.0 if pattern & self.sign_mask else 1.0
        if self.is_nan(pattern):
            return math.copysign(math.nan, sign)
        if self.is_infinite(pattern):
            return sign * math.inf
        exponent = (pattern & self.exponent_mask) >> self.mantissa_bits
        mantissa = pattern & self.mantissa_mask
        if exponent == 0 and self.has_zero:
            return sign * math.ldexp(mantissa, 1 - self.bias - self.mantissa_bits)
        return sign * math.ldexp(
            mantissa | (1 << self.mantissa_bits), exponent - self.bias - self.mantissa_bits
        )

    def encode(self, value: float) -> int:
        """Return the bit pattern nearest to ``value``, ties to even. Overflow gives infinity, or NaN, or the
        largest number, whichever the format has first; unsigned formats drop the sign. Raises `ValueError`
        for NaN in a format without NaN.
        """
        if self.bits == 64:
            return int.from_bytes(struct.pack("<d", value), "little")
        sign = self.sign_mask if math.copysign(1.0, value) < 0 else 0
        if math.isnan(value):
            return self._or_nan(sign)
        magnitude = abs(value)
        if math.isinf(magnitude):
            return self._overflow(sign)
        return self._encode_magnitude(magnitude, sign)

    def _or_nan(self, sign: int) -> int:
        pattern = self.nan_pattern
        if pattern is None:
            raise ValueError(f"{self.name} has no NaN")
        return pattern | (sign if self.specials is not Specials.NEGATIVE_ZERO_NAN else 0)

    def _overflow(self, sign: int) -> int:
        if self.specials is Specials.IEEE:
            return sign | self.exponent_mask
        if self.specials is Specials.FINITE:
            return sign | self.exponent_mask | self.mantissa_mask
        return self._or_nan(sign)

    def _encode_magnitude(self, magnitude: float, sign: int) -> int:
        if magnitude == 0:
            return self._zero(sign)
        _, exponent = math.frexp(magnitude)  # magnitude = m * 2**exponent with 0.5 <= m < 1
        lowest = 1 - self.bias if self.has_zero else -self.bias
        exponent = max(exponent - 1, lowest)
        scaled = magnitude / math.ldexp(1.0, exponent - self.mantissa_bits)  # exact: a power of two
        mantissa = round(scaled)  # Python rounds ties to even
        biased = exponent + self.bias
        offset = 1 if self.has_zero else 0
        pattern = (
            ((biased - offset) << self.mantissa_bits)
            + mantissa
            - (0 if self.has_zero else 1 << self.mantissa_bits)
        )
        if pattern <= 0:
            return self._zero(sign)
        if pattern > self.largest_pattern:
            return self._overflow(sign)
        return sign | pattern

    def _zero(self, sign: int) -> int:
        return 0 if self.specials is Specials.NEGATIVE_ZERO_NAN else sign

    @property
    def largest_pattern(self) -> int:
        """The pattern of the largest finite number."""
        match self.specials:
            case Specials.IEEE:
                return self.exponent_mask - 1
            case Specials.FINITE_NAN:
                return (self.exponent_mask | self.mantissa_mask) - 1
            case _:
                return self.exponent_mask | self.mantissa_mask


_FN = Specials.FINITE_NAN
_FNUZ = Specials.NEGATIVE_ZERO_NAN

FLOAT_FORMATS: dict[str, FloatFormat] = {
    f.name: f
    for f in (
        FloatFormat("f16", 5, 10, 15),
        FloatFormat("bf16", 8, 7, 127),
        FloatFormat("f32", 8, 23, 127),
        FloatFormat("tf32", 8, 10, 127),
        FloatFormat("f64", 11, 52, 1023),
        FloatFormat("f8E5M2", 5, 2, 15),
        FloatFormat("f8E4M3", 4, 3, 7),
        FloatFormat("f8E3M4", 3, 4, 3),
        FloatFormat("f8E4M3FN", 4, 3, 7, _FN),
        FloatFormat("f8E5M2FNUZ", 5, 2, 16, _FNUZ),
        FloatFormat("f8E4M3FNUZ", 4, 3, 8, _FNUZ),
        FloatFormat("f8E4M3B11FNUZ", 4, 3, 11, _FNUZ),
        FloatFormat("f8E8M0FNU", 8, 0, 127, _FN, signed=False, has_zero=False),
        FloatFormat("fnv8E5M3FNU", 5, 3, 15, _FN, signed=False),
        FloatFormat("f6E3M2FN", 3, 2, 3, Specials.FINITE),
        FloatFormat("f6E2M3FN", 2, 3, 1, Specials.FINITE),
        FloatFormat("f4E2M1FN", 2, 1, 1, Specials.FINITE),
    )
}
"""Every format by the name it has in text.  Sources: IEEE 754, the OCP 8-bit and microscaling specifications."""
