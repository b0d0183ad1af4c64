"""Moves and conversions: `mov`, `cvt`, `cvta` and `isspacep`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.ptx import model, value_types
from tilewright.ptxsim import instruction_state, rounding as ptxsim_rounding, values as ptxsim_values
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.instructions.floating import above_zero, narrow, wide
from tilewright.ptxsim.instructions.rules import each, refuse, rule
from tilewright.ptxsim.layout import WINDOWS
from tilewright.ptxsim.program import InstructionSite

_WHOLE = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


@rule("mov")
def mov(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that moves values and vectors, joins parts to words, or splits words into parts."""
    if site.has("vec"):
        return _vector_move(site)
    if len(site.elements("a")) > 1:
        return _join(site)
    return _split(site) if len(site.elements("d")) > 1 else each(site, _same, "a")


def _same(a: ptxsim_values.Array) -> ptxsim_values.Array:
    return a


def _vector_move(site: InstructionSite) -> Run:
    type_ = site.modifier("type")
    pairs = [
        (site.resolver.write(to, type_, site.names), *site.resolver.read(source, type_, site.names))
        for to, source in zip(site.elements("d"), site.elements("a"), strict=True)
    ]

    def run(c: instruction_state.InstructionState) -> None:
        found = [(write, read(c), c.undefined(slots)) for write, read, slots in pairs]
        for write, value, poison in found:
            write(c, value, poison)

    return run


def _parts(site: InstructionSite, name: str) -> tuple[str, int]:
    count = len(site.elements(name))
    return f"b{value_types.TYPES[site.modifier('type')].bits // count}", count


def _join(site: InstructionSite) -> Run:
    type_, _ = _parts(site, "a")
    reads = [site.resolver.read(one, type_, site.names) for one in site.elements("a")]
    target = site.operand("d")
    assert isinstance(target, model.Name)
    slot, _ = site.resolver.slot(target, site.names)

    def run(c: instruction_state.InstructionState) -> None:
        value = ptxsim_values.joined([c.spread(read(c)) for read, _ in reads])
        c.put_joined(slot, value, [c.undefined(used) for _, used in reads])

    return run


def _split(site: InstructionSite) -> Run:
    type_, count = _parts(site, "d")
    writes = [site.resolver.write(one, type_, site.names) for one in site.elements("d")]
    read, slots = site.read("a")

    def run(c: instruction_state.InstructionState) -> None:
        unknown = c.undefined_parts(slots[0], count) if len(slots) == 1 else [c.undefined(slots)] * count
        parts = ptxsim_values.split(c.spread(read(c)), count)
        for write, part, poison in zip(writes, parts, unknown, strict=True):
            write(c, part, poison)

    return run


@rule("cvta")
def cvta(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that converts addresses of a state space to generic addresses, or back. Raises
    `Fault` for a window with 32-bit addresses.
    """
    space = site.modifier("space").partition("::")[0]
    window = WINDOWS.get(space, 0) if space not in ("global", "const") else 0
    kind = ptxsim_values.dtype(site.modifier("type"))
    if window and kind is not np.uint64:
        raise refuse(site)
    distance: Any = kind(window)

    def moved(a: ptxsim_values.Array) -> ptxsim_values.Array:
        return a - distance if site.has("to") else a + distance

    return each(site, moved, "a", to="p")


@rule("isspacep")
def isspacep(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that tests whether a generic address is in a state space."""
    space = site.modifier("space").partition("::")[0]
    window = WINDOWS["global" if space == "const" else space] >> 40

    def inside(a: ptxsim_values.Array) -> ptxsim_values.Array:
        return a >> np.uint64(40) == window

    return each(site, inside, "a", to="p")


@rule("cvt")
def cvt(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that converts between integer and floating-point types, or pairs of narrow
    floating-point numbers.
    """
    to, source = site.modifier("dtype"), site.modifier("atype")
    if to not in _NUMBERS or source not in _NUMBERS or site.has("satfinite"):
        return _packed(site, to, source)
    floats = (_is_float(source), _is_float(to))
    if floats == (False, False):
        compute = _integers(site, to)
    elif floats == (True, False):
        compute = _to_integer(site, to, source)
    elif floats == (False, True):
        compute = _from_integer(site, to)
    else:
        compute = _floats(site, to, source)
    read, slots = site.read("a", source)
    write = site.write("d", to if to != "bf16" else "b16")
    return lambda c: write(c, compute(np.asarray(read(c))), c.undefined(slots))


_NUMBERS = frozenset(
    {"f16", "bf16", "f32", "f64", *(f"{kind}{bits}" for kind in "us" for bits in (8, 16, 32, 64))}
)


def _is_float(name: str) -> bool:
    return name == "bf16" or value_types.TYPES[name].kind is value_types.ValueKind.FLOAT


def _limits(name: str) -> tuple[int, int]:
    info = np.iinfo(ptxsim_values.dtype(name))
    return int(info.min), int(info.max)


def _integers(site: InstructionSite, to: str) -> Callable[[ptxsim_values.Array], ptxsim_values.Array]:
    kind = ptxsim_values.dtype(to)
    if not site.has("sat"):
        return lambda a: a.astype(kind)
    low, high = _limits(to)

    def clipped(a: ptxsim_values.Array) -> ptxsim_values.Array:
        least, most = _limits(f"{'s' if a.dtype.kind == 'i' else 'u'}{a.dtype.itemsize * 8}")
        return np.clip(a, a.dtype.type(max(low, least)), a.dtype.type(min(high, most))).astype(kind)

    return clipped


def _to_integer(
    site: InstructionSite, to: str, source: str
) -> Callable[[ptxsim_values.Array], ptxsim_values.Array]:
    """Return a function that rounds to an integer and clamps to the type `to`. NaN becomes 0; if `source` is
    f64 or `to` has 64 bits, it becomes the number with the top bit only.
    """
    before, whole = wide(site, source), _WHOLE[site.modifier("irnd") or "rzi"]
    (low, high), kind = _limits(to), ptxsim_values.dtype(to)
    missing = ptxsim_values.UNSIGNED[value_types.TYPES[to].bits](
        1 << (value_types.TYPES[to].bits - 1) if source == "f64" or value_types.TYPES[to].bits == 64 else 0
    ).view(kind)

    def convert(a: ptxsim_values.Array) -> ptxsim_values.Array:
        value = whole(before(a))
        inside = (
            (value >= low) & (value <= high) if high < 1 << 53 else (value >= low) & (value < float(high))
        )
        safe = np.where(inside, value, 0.0).astype(kind)
        outside = ptxsim_values.where(value < 0, kind(low), kind(high))
        result = np.where(inside, safe, outside)
        return np.where(np.isnan(value), missing, result).astype(kind)

    return convert


def _from_integer(site: InstructionSite, to: str) -> Callable[[ptxsim_values.Array], ptxsim_values.Array]:
    mode = site.modifier("rnd") or "rn"
    if to == "f64":

        def double(a: ptxsim_values.Array) -> ptxsim_values.Array:
            value = a.astype(np.float64)
            if mode != "rn" and a.dtype.itemsize == 8:
                value = ptxsim_rounding.directed(lambda whole: whole, value, mode, a)
            return np.clip(value, 0.0, 1.0) if site.has("sat") else value

        return double
    after = narrow(site, to, mode)
    return lambda a: after(ptxsim_rounding.odd_integer(a) if a.dtype.itemsize == 8 else a.astype(np.float64))


def _floats(
    site: InstructionSite, to: str, source: str
) -> Callable[[ptxsim_values.Array], ptxsim_values.Array]:
    """Return a function that converts between floating-point formats; an integer rounding mode rounds to
    whole numbers.
    """
    before, mode, whole = wide(site, source), site.modifier("rnd") or "rn", _WHOLE.get(site.modifier("irnd"))
    if to == "f64":

        def double(a: ptxsim_values.Array) -> ptxsim_values.Array:
            value = whole(before(a)) if whole else before(a)
            if site.has("sat"):
                value = np.where(np.isnan(value), 0.0, np.clip(value, 0.0, 1.0))
            return _canonical(value)

        return double
    after = narrow(site, to, mode)
    if whole:
        return lambda a: after(np.copysign(whole(value := before(a)), value))
    return lambda a: after(before(a))


def _canonical(value: ptxsim_values.Array) -> ptxsim_values.Array:
    return np.where(np.isnan(value), np.uint64(0x7FFFFFFFFFFFFFFF), value.view(np.uint64))


# --- packed formats


def _packed(site: InstructionSite, to: str, source: str) -> Run:
    """Return the function that converts to and from formats of 4, 8, 16 and 19 bits; the first of two
    operands goes to the upper half. Raises `Fault` for stochastic rounding (`.rs`) and for results of four
    numbers.
    """
    mode = site.modifier("rnd")
    if to == "tf32":

        def short(a: ptxsim_values.Array) -> ptxsim_values.Array:
            return _tf32(site, np.atleast_1d(a), mode)

        return each(site, short, "a")
    if source == "ue8m0x2":
        return each(site, _of_scales, "a")
    if mode == "rs" or "x4" in to:
        raise refuse(site)
    if to == "ue8m0x2":
        return _to_scales(site, mode, source)
    if to.removesuffix("x2") in ("f16", "bf16") and source == "f32":
        return _narrowed(site, to.removesuffix("x2"), mode)
    if to == "f16x2":
        return _widened(site, source.removesuffix("x2"))
    return _narrowed(site, to.removesuffix("x2"), mode)


def _of_scales(a: ptxsim_values.Array) -> ptxsim_values.Array:
    """Convert pairs of powers of two (ue8m0) to words of two bf16 numbers; the code of all ones is NaN."""
    low, high = (part.astype(np.uint32) for part in ptxsim_values.split(np.atleast_1d(a), 2))
    return _scale(high) << np.uint32(16) | _scale(low)


def _scale(code: ptxsim_values.Array) -> ptxsim_values.Array:
    value = np.where(code == 0, np.uint32(1 << 6), code << np.uint32(7))
    return np.where(code == 255, np.uint32(0x7FFF), value)


def _to_scales(site: InstructionSite, mode: str, source: str) -> Run:
    """Return the function that converts two magnitudes, floats or the halves of a word (`source` ``bf16x2``),
    to their exponents (ue8m0), truncated or, in the mode `rp`, rounded up; signs are ignored. A value that is
    too large becomes NaN, or the maximum with `.satfinite`.
    """
    beyond = 254 if site.has("satfinite") else 255

    def code(value: ptxsim_values.Array) -> ptxsim_values.Array:
        fraction, exponent = np.frexp(np.abs(value))  # the fraction is in [0.5, 1)
        place = exponent + 126 + ((mode == "rp") & (fraction != 0.5))
        place = np.where(value == 0, 0, np.clip(place, 0, 255))
        place = np.where((place == 255) | np.isinf(value), beyond, place)
        return np.where(np.isnan(value), 255, place).astype(np.uint16)

    def pair(high: ptxsim_values.Array, low: ptxsim_values.Array) -> ptxsim_values.Array:
        return code(np.atleast_1d(high).astype(np.float64)) << np.uint16(8) | code(
            np.atleast_1d(low).astype(np.float64)
        )

    def halves(a: ptxsim_values.Array) -> ptxsim_values.Array:
        low, high = (
            ptxsim_rounding.decoded(part, ptxsim_rounding.FORMATS["bf16"])
            for part in ptxsim_values.split(np.atleast_1d(a), 2)
        )
        return pair(high, low)

    return each(site, halves, "a") if source == "bf16x2" else each(site, pair, "a", "b")


def _tf32(site: InstructionSite, a: ptxsim_values.Array, mode: str) -> ptxsim_values.Array:
    value = ptxsim_rounding.rounded(a.astype(np.float64), ptxsim_rounding.FORMATS["tf32"], mode)
    if site.has("satfinite"):
        limit = ptxsim_rounding.FORMATS["tf32"].largest
        value = np.where(np.isnan(value), value, np.clip(value, -limit, limit))
    if site.has("relu"):
        value = above_zero(value)
    return np.where(np.isnan(value), np.uint32(0x7FFFFFFF), value.astype(np.float32).view(np.uint32))


def _code(
    site: InstructionSite, element: str, mode: str
) -> Callable[[ptxsim_values.Array], ptxsim_values.Array]:
    row = ptxsim_rounding.FORMATS[element]

    def convert(value: ptxsim_values.Array) -> ptxsim_values.Array:
        result = ptxsim_rounding.rounded(value, row, mode)
        if site.has("satfinite"):
            limited = np.clip(result, -row.largest, row.largest)
            result = np.where(np.isnan(result), result if row.nan else row.largest, limited)
        if site.has("relu"):
            result = above_zero(result)
        return ptxsim_rounding.encoded(result, row)

    return convert


def _narrowed(site: InstructionSite, element: str, mode: str) -> Run:
    convert, source = _code(site, element, mode), site.modifier("atype")
    bits = 4 if element == "e2m1" else 16 if element in ("f16", "bf16") else 8

    def pack(high: ptxsim_values.Array, low: ptxsim_values.Array) -> ptxsim_values.Array:
        kind = ptxsim_values.UNSIGNED[max(2 * bits, 8)]
        return convert(high).astype(kind) << kind(bits) | convert(low).astype(kind)

    def halves(a: ptxsim_values.Array) -> ptxsim_values.Array:
        return pack(*(_half(part) for part in reversed(ptxsim_values.split(np.atleast_1d(a), 2))))

    def single(a: ptxsim_values.Array) -> ptxsim_values.Array:
        return convert(np.atleast_1d(a).astype(np.float64))

    def pair(a: ptxsim_values.Array, b: ptxsim_values.Array) -> ptxsim_values.Array:
        return pack(np.atleast_1d(a).astype(np.float64), np.atleast_1d(b).astype(np.float64))

    if source == "f16x2":
        return each(site, halves, "a")
    return each(site, single, "a") if site.operand("b") is None else each(site, pair, "a", "b")


def _half(code: ptxsim_values.Array) -> ptxsim_values.Array:
    return ptxsim_rounding.decoded(code, ptxsim_rounding.FORMATS["f16"])


def _widened(site: InstructionSite, element: str) -> Run:
    row, relu = ptxsim_rounding.FORMATS[element], site.has("relu")

    def convert(code: ptxsim_values.Array) -> ptxsim_values.Array:
        value = ptxsim_rounding.decoded(code, row)
        return ptxsim_rounding.encoded(above_zero(value) if relu else value, ptxsim_rounding.FORMATS["f16"])

    def unpack(a: ptxsim_values.Array) -> ptxsim_values.Array:
        a = ptxsim_values.unsigned_bits(np.atleast_1d(a))
        low, high = (a & 15, a >> 4) if element == "e2m1" else ptxsim_values.split(a, 2)
        return convert(high).astype(np.uint32) << np.uint32(16) | convert(low).astype(np.uint32)

    return each(site, unpack, "a")


@rule("cvt.pack")
def cvt_pack(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that saturates two integers and packs them into the low bits of a word, the first
    above the second. The upper bits are a third operand, and 0 without one.
    """
    to = site.modifier("dtype")
    bits = int(to[1:])
    low = -(1 << (bits - 1)) if to[0] == "s" else 0
    high, ones = low + (1 << bits) - 1, np.uint32((1 << bits) - 1)

    def compute(
        a: ptxsim_values.Array, b: ptxsim_values.Array, *rest: ptxsim_values.Array
    ) -> ptxsim_values.Array:
        first, second = (
            np.clip(value, low, high).astype(np.int32).view(np.uint32) & ones for value in (a, b)
        )
        word = first << np.uint32(bits) | second
        return word | rest[0] << np.uint32(2 * bits) if rest else word

    return each(site, compute, "a", "b", "c")
