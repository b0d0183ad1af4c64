"""What instructions on integers and bits answer, by the words of the ISA."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.ptxsim.definitions.answers import DEFINITIONS, Answer, Compute, Define, Whole, define


def bits_of(type_name: str) -> int:
    """The width of one element."""
    if type_name == "pred":
        return 1
    return 16 if type_name.endswith("x2") else int(type_name[1:])


def number(word: int, bits: int, *, signed: bool) -> int:
    """What bits mean."""
    word &= (1 << bits) - 1
    return word - (1 << bits) if signed and word >> (bits - 1) else word


class Integers:
    """How numbers of a type are read and written."""

    def __init__(self, type_name: str) -> None:
        self.bits, self.signed = bits_of(type_name), type_name.startswith("s")
        self.ones = (1 << self.bits) - 1
        self.least = -(1 << (self.bits - 1)) if self.signed else 0
        self.most = self.least + self.ones

    def read(self, word: int) -> int:
        """The number."""
        return number(word, self.bits, signed=self.signed)

    def clamped(self, value: int) -> int:
        """The nearest number of the type."""
        return max(self.least, min(self.most, value))


def _any(function: Any) -> Callable[..., int]:
    """A function of any number of operands."""
    return function


def _whole(chosen: Mapping[str, str], function: Whole) -> Callable[..., int]:
    kind, apply = Integers(chosen["type"]), _any(function)

    def compute(*words: int) -> int:
        value = apply(*map(kind.read, words))
        if "sat" in chosen:
            value = kind.clamped(value)
        if "relu" in chosen:
            value = max(value, 0)
        return value & kind.ones

    return compute


SIMPLE: dict[str, Whole] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "abs": lambda a: abs(a),
    "neg": lambda a: -a,
    "min": lambda a, b: min(a, b),
    "max": lambda a, b: max(a, b),
    "sad": lambda a, b, c: c + abs(a - b),
}


def simple(name: str, chosen: Mapping[str, str]) -> Compute:
    """Sums, extremes and signs; those with a carry leave it in the next bit."""
    if "cc" not in chosen:
        return _whole(chosen, SIMPLE[name])
    bits = bits_of(chosen["type"])
    return carry_sum if name == "add" else lambda a, b: borrow_difference(a, b, bits=bits)


def carry_sum(a: int, b: int, carry: int = 0) -> int:
    """A sum with its carry in the next bit."""
    return a + b + carry


def borrow_difference(a: int, b: int, borrow: int = 0, *, bits: int) -> int:
    """A difference, with one in the next bit if something was borrowed."""
    return (a - b - borrow) & ((2 << bits) - 1)


DEFINITIONS["sad"] = lambda chosen: simple("sad", chosen)


@define("div")
def div(chosen: Mapping[str, str]) -> Compute:
    """Towards zero; the ISA leaves open what division by zero answers."""
    return _whole_or_open(chosen, lambda a, b: abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1))


@define("rem")
def rem(chosen: Mapping[str, str]) -> Compute:
    """What division leaves over: it has the sign of the dividend."""
    return _whole_or_open(chosen, lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1))


def _whole_or_open(chosen: Mapping[str, str], function: Callable[[int, int], int]) -> Compute:
    compute = _whole(chosen, function)
    return lambda a, b: compute(a, b) if b else None


# --- products


def _part(product: int, bits: int, chosen: Mapping[str, str]) -> int:
    if "wide" in chosen:
        return product
    return product >> bits if chosen.get("mode", "hi") == "hi" else product & ((1 << bits) - 1)


def multiply(chosen: Mapping[str, str]) -> Compute:
    """``mul`` and ``mad``: the lower or upper half of a product, or all of it, added to the third operand."""
    kind = Integers(chosen["type"])
    bits = kind.bits * (2 if "wide" in chosen else 1)
    wide = Integers(f"{chosen['type'][0]}{bits}")

    def compute(a: int, b: int, c: int = 0) -> int:
        value = _part(kind.read(a) * kind.read(b), kind.bits, chosen)
        if "sat" in chosen:
            value = wide.clamped(number(value, bits, signed=True) + wide.read(c))
        else:
            value += wide.read(c)
        return value & wide.ones

    return compute


def multiply_carrying(chosen: Mapping[str, str]) -> Callable[..., int]:
    """Half of a product added to the third operand and a carry; the carry that comes out is the next bit."""
    kind = Integers(chosen["type"])

    def compute(a: int, b: int, c: int, carry: int = 0) -> int:
        half = _part(kind.read(a) * kind.read(b), kind.bits, chosen) & kind.ones
        return half + c + carry

    return compute


@define("mul24", "mad24")
def mul24(chosen: Mapping[str, str]) -> Compute:
    """The lower or upper 32 of the 48 bits of a product of 24-bit numbers."""
    signed, word = chosen["type"] == "s32", Integers(chosen["type"])
    shift = 0 if chosen.get("mode", "hi") == "lo" else 16

    def compute(a: int, b: int, c: int = 0) -> int:
        value = number(a, 24, signed=signed) * number(b, 24, signed=signed) >> shift
        value = number(value, 32, signed=signed) + word.read(c)
        return (word.clamped(value) if "sat" in chosen else value) & word.ones

    return compute


def _elements(word: int, count: int, bits: int, type_name: str) -> list[int]:
    return [number(word >> (bits * at), bits, signed=type_name[0] == "s") for at in range(count)]


@define("dp4a")
def dp4a(chosen: Mapping[str, str]) -> Compute:
    """Four products of bytes, added to the third operand."""

    def compute(a: int, b: int, c: int) -> int:
        first, second = _elements(a, 4, 8, chosen["atype"]), _elements(b, 4, 8, chosen["btype"])
        return (c + sum(x * y for x, y in zip(first, second, strict=True))) & 0xFFFFFFFF

    return compute


@define("dp2a")
def dp2a(chosen: Mapping[str, str]) -> Compute:
    """Two products of halves of a word with the lower or upper two bytes of another."""
    start = 2 if chosen["mode"] == "hi" else 0

    def compute(a: int, b: int, c: int) -> int:
        first, second = _elements(a, 2, 16, chosen["atype"]), _elements(b, 4, 8, chosen["btype"])
        return (c + sum(x * y for x, y in zip(first, second[start : start + 2], strict=True))) & 0xFFFFFFFF

    return compute


# --- bits


@define("popc")
def popc(chosen: Mapping[str, str]) -> Compute:
    """How many bits are set."""
    return lambda a: a.bit_count()


@define("clz")
def clz(chosen: Mapping[str, str]) -> Compute:
    """How many zeros stand above the highest bit that is set."""
    bits = bits_of(chosen["type"])
    return lambda a: bits - a.bit_length()


@define("bfind")
def bfind(chosen: Mapping[str, str]) -> Compute:
    """The highest bit that is not the sign, or how far it must be shifted to be the highest; all ones if there is none."""
    kind = Integers(chosen["type"])

    def compute(a: int) -> int:
        value = a ^ kind.ones if kind.signed and kind.read(a) < 0 else a
        at = value.bit_length() - 1
        if at < 0:
            return 0xFFFFFFFF
        return kind.bits - 1 - at if "shiftamt" in chosen else at

    return compute


@define("fns")
def fns(chosen: Mapping[str, str]) -> Compute:
    """The n-th bit that is set, from a base, upwards or downwards; the base is within the word."""

    def compute(mask: int, base: int, offset: int) -> Answer:
        if base > 31:
            return None
        count = number(offset, 32, signed=True)
        if count == 0:
            return base if mask >> base & 1 else 0xFFFFFFFF
        way = range(base, 32) if count > 0 else range(base, -1, -1)
        found = [at for at in way if mask >> at & 1]
        return found[abs(count) - 1] if len(found) >= abs(count) else 0xFFFFFFFF

    return compute


@define("brev")
def brev(chosen: Mapping[str, str]) -> Compute:
    """The bits in reverse order."""
    bits = bits_of(chosen["type"])
    return lambda a: int(f"{a:0{bits}b}"[::-1], 2)


@define("bfe")
def bfe(chosen: Mapping[str, str]) -> Compute:
    """A field from a position; bits above it are the last of the field if the type is signed."""
    kind = Integers(chosen["type"])

    def compute(a: int, start: int, length: int) -> int:
        start, length = start & 255, length & 255
        top = min(start + max(length, 1) - 1, kind.bits - 1)
        sign = a >> top & 1 if kind.signed and length else 0
        bits = [
            a >> (start + at) & 1 if at < length and start + at < kind.bits else sign
            for at in range(kind.bits)
        ]
        return sum(bit << at for at, bit in enumerate(bits))

    return compute


@define("bfi")
def bfi(chosen: Mapping[str, str]) -> Compute:
    """The low bits of one word at a position of another."""
    bits = bits_of(chosen["type"])

    def compute(a: int, b: int, start: int, length: int) -> int:
        start, length = start & 255, length & 255
        for at in range(min(length, max(bits - start, 0))):
            place = 1 << (start + at)
            b = b | place if a >> at & 1 else b & ~place
        return b

    return compute


@define("bmsk")
def bmsk(chosen: Mapping[str, str]) -> Compute:
    """So many ones from a position; positions and widths are taken modulo 32 or cut off."""

    def compute(a: int, b: int) -> int:
        if chosen["clamped"] == "wrap":
            a, b = a & 31, b & 31
        return sum(1 << at for at in range(32) if a <= at < a + b)

    return compute


@define("szext")
def szext(chosen: Mapping[str, str]) -> Compute:
    """The low bits of a word as a number of the whole word."""
    signed = chosen["type"] == "s32"

    def compute(a: int, b: int) -> int:
        count = b & 31 if chosen["clamped"] == "wrap" else min(b, 32)
        return number(a, count, signed=signed) & 0xFFFFFFFF if count else 0

    return compute


# --- logic and shifts

_LOGIC: dict[str, Whole] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "not": lambda a: ~a,
    "cnot": lambda a: int(a == 0),
}


def _logic(name: str) -> Define:
    def defined(chosen: Mapping[str, str]) -> Compute:
        ones = (1 << bits_of(chosen["type"])) - 1
        apply = _any(_LOGIC[name])
        return lambda *words: apply(*words) & ones

    return defined


DEFINITIONS.update({name: _logic(name) for name in _LOGIC})


@define("lop3")
def lop3(chosen: Mapping[str, str]) -> Compute:
    """A bit of a table, chosen by a bit of each operand; with a predicate, whether the result is not zero."""
    table = int(chosen["table"])

    def compute(a: int, b: int, c: int, q: int = 0) -> int:
        picks = [(a >> at & 1) << 2 | (b >> at & 1) << 1 | c >> at & 1 for at in range(32)]
        word = sum((table >> pick & 1) << at for at, pick in enumerate(picks))
        if "bool" not in chosen:
            return word
        return word | _any(_LOGIC[chosen["bool"]])(int(word != 0), q) << 32

    return compute


@define("shf")
def shf(chosen: Mapping[str, str]) -> Compute:
    """Two words shifted as one: the upper one of a left shift, the lower one of a right shift."""

    def compute(a: int, b: int, c: int) -> int:
        count = c & 31 if chosen["clamped"] == "wrap" else min(c, 32)
        both = b << 32 | a
        return (both << count >> 32 if chosen["direction"] == "l" else both >> count) & 0xFFFFFFFF

    return compute


@define("shl")
def shl(chosen: Mapping[str, str]) -> Compute:
    """Zeros come in; so many as the word has bits leave nothing."""
    bits = bits_of(chosen["type"])
    return lambda a, b: a << min(b, bits) & ((1 << bits) - 1)


@define("shr")
def shr(chosen: Mapping[str, str]) -> Compute:
    """Zeros come in, or the sign."""
    kind = Integers(chosen["type"])
    return lambda a, b: kind.read(a) >> min(b, kind.bits) & kind.ones


_BYTES = {
    "f4e": ("3210", "4321", "5432", "6543"),
    "b4e": ("5670", "6701", "7012", "0123"),
    "rc8": ("0000", "1111", "2222", "3333"),
    "ecl": ("3210", "3211", "3222", "3333"),
    "ecr": ("0000", "1110", "2210", "3210"),
    "rc16": ("1010", "3232", "1010", "3232"),
}
"""Which bytes the result has, the highest first, by the low two bits of the control."""


@define("prmt")
def prmt(chosen: Mapping[str, str]) -> Compute:
    """Four bytes of eight; in the general mode a selector may ask for the sign of a byte."""
    mode = chosen.get("selection")

    def compute(a: int, b: int, c: int) -> int:
        both = [*a.to_bytes(4, "little"), *b.to_bytes(4, "little")]
        if mode:
            picks = [int(digit) for digit in reversed(_BYTES[mode][c & 3])]
        else:
            picks = [c >> (4 * at) & 15 for at in range(4)]
        found = [255 * (both[pick & 7] >> 7) if pick & 8 else both[pick & 7] for pick in picks]
        return int.from_bytes(bytes(found), "little")

    return compute
