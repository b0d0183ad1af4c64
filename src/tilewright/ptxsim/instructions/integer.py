"""Integer arithmetic, and floating-point arithmetic under the same instruction names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.ptx.value_types import TYPES, ValueKind
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions.floating import FLOATING, float_rule
from tilewright.ptxsim.instructions.rules import each, refuse, rule
from tilewright.ptxsim.program import InstructionSite
from tilewright.ptxsim.values import UNSIGNED, Array, Compute, dtype, where


def is_float(site: InstructionSite) -> bool:
    """Return whether a form computes with floating-point numbers."""
    name = site.modifier("type")
    return TYPES[name].kind is ValueKind.FLOAT or name in FLOATING


def _lanes(function: Any, packed: str) -> Callable[..., Array]:
    """Return a function that applies `function`, of 16-bit integers, to both halves of 32-bit words. They are
    signed if the name of the type, `packed`, begins with ``s`` (``s16x2``), otherwise unsigned.
    """
    kind: Any = np.int16 if packed[0] == "s" else np.uint16

    def both(*values: Array) -> Array:
        halves = [np.ascontiguousarray(value).reshape(-1).view(kind).reshape(-1, 2) for value in values]
        return np.ascontiguousarray(function(*halves)).view(np.uint32).reshape(-1)

    return both


def _saturated(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    def clipped(a: Array, b: Array) -> Array:
        wide = function(a.astype(np.int64), b.astype(np.int64))
        return np.clip(wide, -(2**31), 2**31 - 1).astype(np.int32)

    return clipped


_SIMPLE: dict[str, Compute] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "min": np.minimum,
    "max": np.maximum,
    "abs": np.abs,
    "neg": lambda a: -a,
}


@rule(*_SIMPLE)
def simple(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes a sum, a difference, a minimum, a maximum, an absolute value or a
    negation, of integers or floats.
    """
    if site.has("cc"):
        return _carrying(site, site.form.name)
    if is_float(site):
        return float_rule(site)
    function: Any = _SIMPLE[site.form.name]
    if site.has("sat"):
        function = _saturated(function)
    if site.has("relu"):
        function = _above_zero(function)
    if site.modifier("type").endswith("x2"):
        function = _lanes(function, site.modifier("type"))
    return each(site, function, "a", "b")


def _above_zero(function: Any) -> Callable[[Array, Array], Array]:
    return lambda a, b: np.maximum(function(a, b), 0)


def quotient(a: Array, b: Array) -> Array:
    """Divide towards zero; a division by zero returns all ones."""
    safe = np.where(b == 0, 1, b).astype(b.dtype)
    whole = a // safe
    if a.dtype.kind == "i":
        whole = whole + ((whole * safe != a) & ((a < 0) != (safe < 0))).astype(a.dtype)
    return np.where(b == 0, a.dtype.type(0) - a.dtype.type(1), whole).astype(a.dtype)


def remainder(a: Array, b: Array) -> Array:
    """Return the remainder of `quotient`, with the sign of `a`; `a` itself for a division by zero."""
    return np.where(b == 0, a, a - quotient(a, b) * b).astype(a.dtype)


@rule("rem")
def rem(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes the remainder of an integer division, with the sign of the dividend;
    a division by zero gives the dividend.
    """
    return each(site, remainder, "a", "b")


@rule("div")
def div(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes a quotient of integers, rounded towards zero, or of floats. An
    integer division by zero gives all ones.
    """
    return float_rule(site) if is_float(site) else each(site, quotient, "a", "b")


@rule("sad")
def sad(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes ``c + |a - b|``."""
    return each(site, lambda a, b, c: c + np.where(a < b, b - a, a - b).astype(c.dtype), "a", "b", "c")


# --- products


def high_product(a: Array, b: Array) -> Array:
    """Return the upper half of the product of integers of equal width."""
    kind, bits = a.dtype, a.dtype.itemsize * 8
    if bits < 64:
        wide: Any = np.int64 if kind.kind == "i" else np.uint64
        return ((a.astype(wide) * b.astype(wide)) >> wide(bits)).astype(kind)
    x, y = a.view(np.uint64), b.view(np.uint64)
    low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    middle = (x >> shift) * (y & low) + ((x & low) * (y & low) >> shift)
    other = (x & low) * (y >> shift) + (middle & low)
    high = (x >> shift) * (y >> shift) + (middle >> shift) + (other >> shift)
    if kind.kind == "i":
        high = high - np.where(a < 0, y, 0).astype(np.uint64) - np.where(b < 0, x, 0).astype(np.uint64)
    return high.view(kind)


def _product(site: InstructionSite) -> Callable[[Array, Array], Array]:
    if site.has("wide"):
        kind = dtype({"u16": "u32", "u32": "u64", "s16": "s32", "s32": "s64"}[site.modifier("type")])
        return lambda a, b: a.astype(kind) * b.astype(kind)
    return high_product if site.modifier("mode") == "hi" or site.has("hi") else lambda a, b: a * b


@rule("mul")
def mul(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes a product of floats, or of integers: the lower half, with `.hi` the
    upper half, and with `.wide` both halves.
    """
    return float_rule(site) if is_float(site) else each(site, _product(site), "a", "b")


@rule("mad")
def mad(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes a product plus a third operand, of floats or integers. Of an integer
    product it adds the lower half, with `.hi` the upper half, and with `.wide` both halves.
    """
    if is_float(site):
        return float_rule(site)
    if site.has("cc"):
        return _carrying(site, "mad")
    product = _product(site)
    if site.has("sat"):
        return each(site, lambda a, b, c: _saturated(lambda x, y: x + y)(product(a, b), c), "a", "b", "c")
    return each(site, lambda a, b, c: product(a, b) + c, "a", "b", "c")


def _product24(site: InstructionSite) -> Callable[[Array, Array], Array]:
    shift = 16 if site.modifier("mode") == "hi" or site.has("hi") else 0

    def product(a: Array, b: Array) -> Array:
        drop = a.dtype.type(8)
        wide: Any = np.int64 if a.dtype.kind == "i" else np.uint64
        whole = ((a << drop) >> drop).astype(wide) * ((b << drop) >> drop).astype(wide)
        return (whole >> wide(shift)).astype(a.dtype)

    return product


@rule("mul24", "mad24")
def mul24(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes a product of 24-bit integers, and for `mad24` the sum with a third
    operand.
    """
    product = _product24(site)
    if site.form.name == "mul24":
        return each(site, product, "a", "b")
    if site.has("sat"):
        return each(site, lambda a, b, c: _saturated(lambda x, y: x + y)(product(a, b), c), "a", "b", "c")
    return each(site, lambda a, b, c: product(a, b) + c, "a", "b", "c")


def _small(value: Array, signed: bool, bits: int) -> Array:
    """Return the elements of `bits` bits (8 or 16) of words as 64-bit integers, sign-extended if `signed`:
    (words, elements), the lowest element first.
    """
    kind = {(True, 8): np.int8, (False, 8): np.uint8, (True, 16): np.int16, (False, 16): np.uint16}[
        signed, bits
    ]
    return np.ascontiguousarray(value).reshape(-1).view(kind).reshape(-1, 32 // bits).astype(np.int64)


@rule("dp4a", "dp2a")
def dot(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes a dot product plus a third operand, modulo 2**32: of the four bytes
    of two words, or for `dp2a` of two 16-bit integers and two bytes, the lower ones for `.lo`, the upper ones
    for `.hi`.
    """
    signed_a, signed_b = site.modifier("atype") == "s32", site.modifier("btype") == "s32"

    def compute(a: Array, b: Array, c: Array) -> Array:
        bytes_b = _small(b, signed_b, 8)
        if site.form.name == "dp4a":
            parts = _small(a, signed_a, 8) * bytes_b
        else:
            parts = _small(a, signed_a, 16) * (
                bytes_b[:, 2:] if site.modifier("mode") == "hi" else bytes_b[:, :2]
            )
        return (parts.sum(1) + c.astype(np.int64)).astype(np.uint32)

    return each(site, compute, "a", "b", "c")


# --- carry


def _carrying(site: InstructionSite, operation: str) -> Run:
    """Return the function that computes a sum, a difference, or a product plus an addend; `operation` is the
    instruction. Names that end in ``c`` read the carry flag of the thread, and `.cc` writes it. A difference
    sets the flag if nothing was borrowed.
    """
    names = [name for name in ("a", "b", "c") if site.operand(name) is not None]
    reads = [site.read(name) for name in names]
    slots, write = tuple(slot for _, used in reads for slot in used), site.write()
    takes, gives = operation in ("addc", "subc", "madc"), site.has("cc")
    minus = operation in ("sub", "subc")
    product = _product(site) if operation in ("mad", "madc") else None
    kind = UNSIGNED[TYPES[site.modifier("type")].bits]

    def run(c: InstructionState) -> None:
        values = [c.spread(read(c)) for read, _ in reads]
        if product is not None:
            values = [product(values[0], values[1]), values[2]]
        a, b = values[0].view(kind), values[1].view(kind)
        flag = c.block.flags(c) if takes else np.full(len(a), minus)
        if minus:  # a difference sets the flag if nothing was borrowed
            result = a - b - (~flag).astype(kind)
            out = ~((a < b) | ((a == b) & ~flag))
        else:
            result = a + b + flag.astype(kind)
            out = (result < a) | ((result == a) & flag & (b != 0)) | (flag & (b == kind(0) - kind(1)))
        if gives:
            c.block.set_flags(c, out)
        write(c, result, c.undefined(slots))

    return run


@rule("addc", "subc", "madc")
def carried(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes a sum, difference or product that reads the carry flag."""
    return _carrying(site, site.form.name)


# --- bits


def _count(a: Array) -> Array:
    return np.bitwise_count(a).astype(np.uint32)


def leading(a: Array) -> Array:
    """Return the number of zeros above the highest set bit; the width in bits for zero."""
    value, bits = a.copy(), a.dtype.itemsize * 8
    for step in (1, 2, 4, 8, 16, 32):
        if step < bits:
            value = value | value >> a.dtype.type(step)
    return np.uint32(bits) - _count(value)


def _found(site: InstructionSite) -> Callable[[Array], Array]:
    def compute(a: Array) -> Array:
        kind, bits = UNSIGNED[a.dtype.itemsize * 8], a.dtype.itemsize * 8
        value = np.where(a < 0, ~a, a).astype(kind)
        zeros = leading(value)
        at = zeros if site.has("shiftamt") else np.uint32(bits - 1) - zeros
        return np.where(value == 0, np.uint32(0xFFFFFFFF), at)

    return compute


def reversed_bits(a: Array) -> Array:
    """Return each element with its bits in reverse order."""
    kind, bits = a.dtype.type, a.dtype.itemsize * 8
    for step, mask in ((1, 0x55), (2, 0x33), (4, 0x0F)):
        pattern = kind(int.from_bytes(bytes([mask]) * (bits // 8), "little"))
        a = (a & pattern) << kind(step) | a >> kind(step) & pattern
    return a.byteswap()


_BITS: dict[str, Callable[[Array], Array]] = {"popc": _count, "clz": leading, "brev": reversed_bits}


@rule("popc", "clz", "brev", "bfind")
def counted(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that counts the set bits (`popc`) or leading zeros (`clz`), reverses the bits
    (`brev`), or finds the position of the highest bit that differs from the sign (`bfind`; all ones if there
    is none).
    """
    return each(site, _BITS.get(site.form.name) or _found(site), "a")


@rule("fns")
def find(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that finds the position of the n-th set bit from a base on, towards higher bits, or
    lower bits if n is negative; all ones if there is none.
    """

    def compute(word: Array, base: Array, offset: Array) -> Array:
        word, base, offset = np.broadcast_arrays(word, base.view(np.int32), offset)
        count, way = np.maximum(np.abs(offset.astype(np.int64)), 1), np.where(offset < 0, -1, 1)
        found = np.full(word.shape, 0xFFFFFFFF, np.uint32)
        for step_ in range(32):
            at = base + way * step_
            inside = (at >= 0) & (at < 32) & ((offset != 0) | (step_ == 0))
            bit = inside & (word >> np.clip(at, 0, 31).astype(np.uint32) & np.uint32(1) == 1)
            count = count - bit
            found = np.where(bit & (count == 0), at, found).astype(np.uint32)
        return found

    return each(site, compute, "mask", "base", "offset")


@rule("bfe")
def extract(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that extracts `c` bits of the word `a` from bit `b` on. For signed types the field
    is extended by its highest bit, or by the top bit of the word if it ends beyond it; otherwise by zeros.
    """

    def compute(a: Array, b: Array, c: Array) -> Array:
        bits = a.dtype.itemsize * 8
        start, length = (np.broadcast_to(one & np.uint32(255), a.shape).astype(np.int64) for one in (b, c))
        top = np.minimum(start + np.maximum(length, 1) - 1, bits - 1)
        wide = a.astype(object) if bits == 64 else a.astype(np.int64)
        sign = (wide >> top) & 1 if a.dtype.kind == "i" else np.zeros_like(start)
        sign = np.where(length == 0, 0, sign)
        inside = np.minimum(length, np.maximum(bits - start, 0))
        ones = (1 << inside.astype(object)) - 1
        field = (wide >> np.minimum(start, bits)) & ones
        full = ((1 << bits) - 1) ^ ones
        return np.where(sign == 1, field | full, field).astype(UNSIGNED[bits])

    return each(site, lambda a, b, c: compute(np.atleast_1d(a), b, c), "a", "b", "c")


@rule("bfi")
def insert(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that replaces `d` bits of the word `b`, from bit `c` on, with the low bits of `a`."""

    def compute(a: Array, b: Array, c: Array, d: Array) -> Array:
        kind, bits = b.dtype.type, b.dtype.itemsize * 8
        start, length = (one & np.uint32(255) for one in (c, d))
        mask = _ones(length, kind, bits) << np.minimum(start, bits - 1).astype(kind)
        mask = where(start < bits, mask, kind(0)).astype(b.dtype)
        moved = a << np.minimum(start, bits - 1).astype(kind)
        return (b & ~mask) | (moved & mask)

    return each(site, compute, "a", "b", "c", "d", to="f")


def _ones(count: Any, kind: Any, bits: int) -> Any:
    """Return words of the type `kind`, of `bits` bits, with the low `count` bits set; all bits for a larger
    `count`.
    """
    some = (kind(1) << np.minimum(count, bits - 1).astype(kind)) - kind(1)
    return where(count >= bits, ~kind(0), some).astype(kind)


@rule("bmsk")
def mask(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that makes a word with `b` ones from bit `a` on; both are clamped with `.clamp`, or
    taken modulo 32 with `.wrap`.
    """

    def compute(a: Array, b: Array) -> Array:
        if site.modifier("clamped") == "wrap":
            a, b = a & np.uint32(31), b & np.uint32(31)
        moved = _ones(b, np.uint32, 32) << np.minimum(a, 31).astype(np.uint32)
        return where(a >= 32, np.uint32(0), moved)

    return each(site, compute, "a", "b")


@rule("szext")
def extend(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that extends the low `b` bits of a word with zeros, or for signed types with their
    sign; `b` is clamped to 32 with `.clamp`, or taken modulo 32 with `.wrap`.
    """
    signed = site.modifier("type") == "s32"

    def compute(a: Array, b: Array) -> Array:
        count = b & np.uint32(31) if site.modifier("clamped") == "wrap" else np.minimum(b, 32)
        ones = _ones(count, np.uint32, 32)
        low = a.view(np.uint32) & ones
        sign = (
            signed & (count > 0) & ((low >> np.maximum(count, 1).astype(np.uint32) - np.uint32(1)) & 1 == 1)
        )
        return where(sign, low | ~ones, low)

    return each(site, compute, "a", "b")


@rule("fma")
def fma(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes ``a * b + c`` rounded once, for floats. Raises `Fault` for `.oob`."""
    if site.has("oob"):
        raise refuse(site)
    return float_rule(site)
