"""Elements, fragments and data of matrix instructions, as the ISA's formulas have them: nothing here is the simulator's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np

from tilewright.ptx.table.notation import InstructionForm

Where = Callable[[Any, Any], tuple[Any, Any]]
"""Rows and columns of elements of lanes, from the lanes and the numbers of the elements (arrays, or single ones)."""
Choice = dict[str, str]
"""The modifiers of an instruction by the names of their slots."""

FLOATS: dict[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "tf32": np.float32,
    "f32": np.float32,
    "f64": np.float64,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
}
SPECIAL: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(("f16", "bf16", "tf32", "f64", "e5m2"), (np.inf, -np.inf, np.nan)),
    "e4m3": (np.nan,),
}
"""Values that are no numbers, of the types that have them."""
INTEGER_BITS = {"s32": 32, "u8": 8, "s8": 8, "u4": 4, "s4": 4, "b1": 1}


def choices(form: InstructionForm) -> Iterator[Choice]:
    """All combinations of a form's modifiers; what may be left out is left out, too."""
    options = [(*slot.choices, "") if slot.optional else slot.choices for slot in form.slots]
    for words in product(*options):
        yield {slot.name: word for slot, word in zip(form.slots, words, strict=True) if word}


def extents(shape: str) -> tuple[int, int, int]:
    """M, N and K of a name such as ``m16n8k16``."""
    m, _, rest = shape[1:].partition("n")
    n, _, k = rest.partition("k")
    return int(m), int(n), int(k)


# --- elements


def bits_of(kind: str, *, packed: bool = False) -> int:
    """Bits of an element in a register; types of four or six bits have a byte of their own if not packed."""
    if kind in INTEGER_BITS:
        return INTEGER_BITS[kind]
    return 4 if packed else np.dtype(FLOATS[kind]).itemsize * 8


def codes_of(kind: str, values: Any, *, packed: bool = False) -> Any:
    """The bits of each element in its register, as whole numbers."""
    if kind in INTEGER_BITS:
        return values.astype(np.int64) & ((1 << INTEGER_BITS[kind]) - 1)
    dtype = np.dtype(FLOATS[kind])
    codes = values.astype(dtype).view(f"u{dtype.itemsize}").astype(np.uint64)
    return codes << np.uint64(2) if kind == "e2m1" and not packed else codes


def data(kind: str, shape: tuple[int, int], chance: np.random.Generator) -> Any:
    """Any whole numbers of an integer type; of a float, small ones whose products and sums are exact."""
    if kind in INTEGER_BITS:
        bits = INTEGER_BITS[kind]
        low = -(1 << bits - 1) if kind.startswith("s") else 0
        found = chance.integers(low, low + (1 << bits), shape)
        found.flat[:2] = low, low + (1 << bits) - 1
        return found
    return chance.integers(-2, 3, shape).astype(np.float64)


def sums(dtype: str, a: Any, b: Any, c: Any, *, saturates: bool = False) -> Any:
    """``a @ b + c``, exact in doubles and in whole numbers, as a result of this type."""
    if dtype != "s32":
        with np.errstate(invalid="ignore"):
            return (a[..., None] * b[None]).sum(1) + c
    exact = a.astype(np.int64) @ b.astype(np.int64) + c
    if saturates:
        return np.clip(exact, -(2**31), 2**31 - 1)
    return (exact + 2**31) % 2**32 - 2**31


# --- registers


def packed_words(codes: Any, where: Where, lanes: int, count: int, bits: int) -> Any:
    """The registers of lanes that hold a matrix of codes, ``count`` elements each."""
    width = max(bits, 32)
    elements = codes[where(np.arange(lanes)[:, None], np.arange(count)[None])].astype(f"u{width // 8}")
    parts = elements.reshape(lanes, -1, width // bits)
    return np.bitwise_or.reduce(parts << np.arange(0, width, bits, dtype=parts.dtype), -1)


def unpacked(registers: Any, where: Where, shape: tuple[int, int], kind: str) -> Any:
    """The matrix of results of a type that registers hold."""
    dtype = {"s32": np.int32, "f64": np.float64, "f32": np.float32, "f16": np.float16}[kind]
    values = np.ascontiguousarray(registers).view(dtype)
    found = np.zeros(shape, dtype)
    lanes, count = values.shape
    found[where(np.arange(lanes)[:, None], np.arange(count)[None])] = values
    return found


def left(m: int, per: int) -> Where:
    """``a``: registers go down by 8 rows, then on by the columns of four lanes; 16 rows for each warp of a group."""

    def where(lane: Any, i: Any) -> tuple[Any, Any]:
        register, groups = i // per, m // 8
        row = lane % 32 // 4 + 8 * (register % groups) + 16 * (lane // 32)
        return row, lane % 4 * per + i % per + 4 * per * (register // groups)

    return where


def right(per: int) -> Where:
    """``b``: a lane's registers go down by the rows of four lanes."""
    return lambda lane, i: (lane % 4 * per + i % per + 4 * per * (i // per), lane // 4)


def result(lane: Any, i: Any) -> tuple[Any, Any]:
    """``c`` and ``d``: pairs of columns, 8 rows on, and 8 columns on; 16 rows for each warp of a group."""
    return lane // 32 * 16 + lane % 32 // 4 + 8 * (i // 2 % 2), lane % 4 * 2 + i % 2 + 8 * (i // 4)


# --- sparse matrices


def sparse(kind: str, k: int, stored: Any, ordered: bool, chance: np.random.Generator) -> tuple[Any, Any]:
    """A matrix of k columns whose other half is zero, and the four bits that tell so, for each row and chunk.

    A chunk is two elements of tf32, of which one is there; eight of four bits, of which two pairs are; else four, two.
    """
    rows, size, pair = (
        len(stored),
        {"tf32": 2, "u4": 8, "s4": 8}.get(kind, 4),
        2 if kind in ("u4", "s4") else 1,
    )
    whole = np.zeros((rows, k), stored.dtype)
    bits = np.zeros((rows, k // size), np.int64)
    for row, chunk in product(range(rows), range(k // size)):
        kept = stored[row, chunk * size // 2 : (chunk + 1) * size // 2]
        if kind == "tf32":
            first = int(chance.integers(2))
            bits[row, chunk] = (0b0100, 0b1110)[first]
            whole[row, chunk * size + first] = kept[0]
            continue
        picks = [int(one) for one in chance.permutation(4)[:2]]
        picks = sorted(picks) if ordered else picks
        bits[row, chunk] = picks[0] | picks[1] << 2
        for at, pick in enumerate(picks):
            begin = chunk * size + pick * pair
            whole[row, begin : begin + pair] = kept[at * pair : (at + 1) * pair]
    return whole, bits


def metadata(kind: str, bits: Any, selector: int) -> Any:
    """The words of 32 lanes: two rows of 4 chunks each, or (elements of 8 and 4 bits) one row of 8 chunks."""
    chunks = bits.shape[1]
    found = np.zeros((32, 1), np.uint32)
    for lane in range(32):
        at = lane % 4 - selector * (chunks // 4)
        if not 0 <= at < chunks // 4:
            continue
        if kind in ("f16", "bf16", "tf32"):
            row = lane // 4
            nibbles = [*bits[row, 4 * at : 4 * at + 4], *bits[row + 8, 4 * at : 4 * at + 4]]
        else:
            nibbles = list(bits[lane // 4 + 8 * (at % 2), 8 * (at // 2) : 8 * (at // 2) + 8])
        found[lane] = sum(int(one) << 4 * place for place, one in enumerate(nibbles))
    return found
