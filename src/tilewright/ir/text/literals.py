"""Literals as MLIR prints them: strings, identifiers, integers, floating-point numbers."""

from __future__ import annotations

from functools import lru_cache

from tilewright.ir.arithmetic.float_format import FloatFormat
from tilewright.ir.support.strings import utf8

_SIGNS_AS_LETTERS = str.maketrans("$.", "__")
_SHORT_DIGITS = 6
_PADDING = 3


def escaped(text: str) -> str:
    """Return `text` as it is written between the quotes of a string literal: a doubled backslash, and two hex
    digits for quotes and unprintable bytes.
    """
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return "".join(_ESCAPED[byte] for byte in utf8(text))


_ESCAPED = [
    "\\\\" if byte == 0x5C else chr(byte) if 0x20 <= byte < 0x7F and byte != 0x22 else f"\\{byte:02X}"
    for byte in range(256)
]


def quoted(text: str) -> str:
    """Return `text` as a string literal, in quotes."""
    return f'"{escaped(text)}"'


def keyword_or_string(name: str) -> str:
    """Return a name, bare if it is an identifier, else quoted."""
    return name if is_bare(name) else quoted(name)


def is_bare(name: str) -> bool:
    """Return whether a name needs no quotes: a letter or underscore, then also digits, dollars and dots."""
    if name.isidentifier():
        return name.isascii()
    return name.isascii() and name[:1] not in ("$", ".") and name.translate(_SIGNS_AS_LETTERS).isidentifier()


def symbol(name: str) -> str:
    """Return ``@name``, or ``@"name"`` if the name is not an identifier."""
    return f"@{keyword_or_string(name)}"


def integer(value: int) -> str:
    """Return the text of an integer: decimal digits, or hexadecimal ones if the number is too long for
    Python's decimal conversion.
    """
    if value.bit_length() <= 4096:
        return str(value)
    return f"-{-value:#x}" if value < 0 else f"{value:#x}"


def hexadecimal(bits: int) -> str:
    """Return a bit pattern as MLIR spells it: ``0x7FC00000``."""
    return f"0x{bits:X}"


@lru_cache(maxsize=1 << 12)
def float_literal(format: FloatFormat, bits: int) -> str:
    """Return the text of the number with the pattern `bits`: six significant digits in ``%e`` form if these
    give the same bits, else as many as the format needs.

    Infinities, NaN and numbers whose decimal form has no point or gives other bits are printed as hexadecimal
    bits.
    """
    if format.is_nan(bits) or format.is_infinite(bits):
        return hexadecimal(bits)
    sign = "-" if bits & format.sign_mask else ""
    if format.decode(bits) == 0:
        return f"{sign}0.000000e+00"
    for spell in (_exponential, _full):
        text = sign + spell(format, bits)
        if "." in text and format.encode(float(text)) == bits:
            return text
    return hexadecimal(bits)


def _digits(format: FloatFormat, bits: int, precision: int) -> tuple[str, int]:
    """Return at most ``precision`` significant digits of the magnitude, without trailing zeros, and the power
    of ten of the last digit.

    LLVM cuts the exact value to about the requested length before it rounds half up; the digits here are the
    same. 196/59 is LLVM's estimate of the binary logarithm of ten.
    """
    numerator, denominator = abs(format.decode(bits)).as_integer_ratio()
    shift = denominator.bit_length() - 1
    significand, exponent = numerator * 5**shift, -shift
    surplus = significand.bit_length() - (precision * 196 + 58) // 59
    removable = max(surplus, 0) * 59 // 196
    digits = str(significand // 10**removable)
    exponent += removable
    beyond = len(digits) - precision
    if beyond > 0:
        digits = str(int(digits[:precision]) + (digits[precision] >= "5"))
        exponent += beyond
    stripped = digits.rstrip("0")
    return stripped, exponent + len(digits) - len(stripped)


def _exponential(format: FloatFormat, bits: int) -> str:
    """Return the magnitude of the number with the pattern `bits`, rounded to six significant digits, with six
    places behind the point: ``3.141590e+00``.
    """
    digits, exponent = _digits(format, bits, _SHORT_DIGITS)
    power = exponent + len(digits) - 1
    return f"{digits[0]}.{digits[1:]:0<{_SHORT_DIGITS}}e{'-' if power < 0 else '+'}{abs(power):02}"


def _full(format: FloatFormat, bits: int) -> str:
    """Return the magnitude of the number with the pattern `bits`, with as many digits as the format's
    precision can need: ``0.333333343``, ``9.99999998E+18``. Integers without an exponent have no point.
    """
    precision = 2 + (format.mantissa_bits + 1) * 59 // 196
    digits, exponent = _digits(format, bits, precision)
    count = len(digits)
    if exponent >= 0:
        scientific = exponent > _PADDING or count + exponent > precision
    else:
        leading = exponent + count - 1
        scientific = leading < 0 and -leading > _PADDING
    if scientific:
        power = exponent + count - 1
        return f"{digits[0]}.{digits[1:] or '0'}E{'-' if power < 0 else '+'}{abs(power)}"
    if exponent >= 0:
        return digits + "0" * exponent
    whole = exponent + count
    return f"{digits[:whole]}.{digits[whole:]}" if whole > 0 else f"0.{'0' * -whole}{digits}"
