"""Elements that go from one lane of a warp to another, in words of 32 bits."""

from __future__ import annotations

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.conversion import TruncOp, ZExtOp
from tilewright.dialects.nvvm.enums.barriers import ShflKind
from tilewright.dialects.nvvm.ops.barrier import ShflOp
from tilewright.ir.builtin_types import IntegerType, i32
from tilewright.ir.value import Value
from tilewright.layouts.layout import Layout
from tilewright.targets.nvptx.body.code import PatternCode

ALL_LANES = -1
CLAMP = 31
"""Of a shuffle among all lanes of a warp."""


def from_partner(code: PatternCode, value: Value, bit: int) -> Value:
    """The value of the lane whose number differs in one bit."""
    return _shuffled(code, value, code.integer(1 << bit, i32), ShflKind.BFLY)


def from_lane(code: PatternCode, value: Value, lane: Value) -> Value:
    """The value of a lane; of its number only the lowest five bits count."""
    return _shuffled(code, value, lane, ShflKind.IDX)


def holder(code: PatternCode, threads: Layout, number: Value) -> Value:
    """The thread that holds an element; of several the one whose further bits are those of this thread."""
    found, shift = code.integer(0, i32), 0
    for extent, stride in threads.leaves:
        count = extent.bit_length() - 1
        source, place = (number, stride.bit_length() - 1) if stride else (code.thread(), shift)
        field = code.bit_field(source, place, extent)
        found = code(llvm.OrOp, found, code(llvm.ShlOp, field, code.integer(shift, i32)))
        shift += count
    return found


def _shuffled(code: PatternCode, value: Value, place: Value, kind: ShflKind) -> Value:
    bits = code.bits(value)
    assert isinstance(bits.type, IntegerType), "registers hold bits"
    if bits.type.width <= i32.width:
        moved = _word(code, code.in_form(bits, i32), place, kind)
        return code.of_bits(code.in_form(moved, bits.type), value.type)
    high = code(llvm.LShrOp, bits, code.integer(i32.width, bits.type))
    parts = [_word(code, code(TruncOp, part, type=i32), place, kind) for part in (bits, high)]
    low, upper = (code(ZExtOp, part, type=bits.type) for part in parts)
    shifted = code(llvm.ShlOp, upper, code.integer(i32.width, bits.type))
    return code.of_bits(code(llvm.OrOp, low, shifted), value.type)


def _word(code: PatternCode, word: Value, place: Value, kind: ShflKind) -> Value:
    lanes, clamp = code.integer(ALL_LANES, i32), code.integer(CLAMP, i32)
    return code(ShflOp, lanes, word, place, clamp, kind, type=i32)
